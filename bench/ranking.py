"""Is the reading that is shown the right one: by likelihood alone, and with what its answers tell.

    python bench/ranking.py [--n 400] [--seed 777]

Synthetic questions over the stub, of a seed that nothing was trained with, 60 % of them terse or chatty; own
entity linking. Right: the gold query's answers, no more and no fewer. The weights of
`kbqa.reading.ranking.Ranking` were chosen by it.
"""

from __future__ import annotations

import argparse
from collections import Counter

from freebase_stub.build import build, ntriples
from kbqa.answers import collect
from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.engine import Engine
from kbqa.errors import KbqaError
from kbqa.kept import Kept
from kbqa.lexicon import freebase_lexicon
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chooser, Choosing
from kbqa.reading.ranking import Ranking
from kbqa.sparql import render
from kbqa.synth import generate
from kbqa.synth.graph import Graph
from kbqa.types import Constant, Query

TRIED = {
    "likeliest with an answer": None,
    "and sort of answer": Ranking(1.0, 0.0, 0.0),
    "and words spoken of": Ranking(0.0, 3.0, 0.0),
    "and names used": Ranking(0.0, 0.0, 0.5),
    "all": Ranking(),
    "all, words 2": Ranking(1.0, 2.0, 0.5),
    "all, words 4": Ranking(1.0, 4.0, 0.5),
    "all, sort 2": Ranking(2.0, 3.0, 0.5),
    "all, names 1": Ranking(1.0, 3.0, 1.0),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=777)
    args = arguments.parse_args()
    graph = Graph.read(ntriples(build()))
    right: Counter[str] = Counter()
    with Engine.open() as engine:
        for made in generate(graph, freebase_lexicon(), args.n, args.seed, style=0.6):
            gold = answers(engine, recompose(made.decomposition))
            mentions = tuple(engine.kb.linker.link(made.question))
            parses = engine.readings(made.question, mentions)
            right["among the readings"] += any(answers(engine, p.query) == gold for p in parses)
            for name, ranking in TRIED.items():
                parse = shown(engine, ranking, made.question, mentions, parses)
                right[name] += parse is not None and answers(engine, parse.query) == gold
    for name in ("among the readings", *TRIED):
        print(f"{name:26} {100 * right[name] / args.n:5.1f} % of {args.n}")


def shown(
    engine: Engine,
    ranking: Ranking | None,
    question: str,
    mentions: tuple[Mention, ...],
    parses: tuple[Parse, ...],
) -> Parse | None:
    if ranking is None:
        found = Chooser(engine.kb, Choosing()).first(parses, Kept())
    else:
        found = Chooser(engine.kb, Choosing(ranking=ranking)).best(parses, question, mentions)
    return found.parse if found else None


def answers(engine: Engine, query: Query) -> frozenset[Constant] | None:
    try:
        return frozenset(collect(engine.kb.store.select(render(query), time_limit_s=20)))
    except KbqaError:
        return None


if __name__ == "__main__":
    main()
