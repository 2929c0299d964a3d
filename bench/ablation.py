"""What each lever of reading a question gives: right at first try without it.

    python -m bench.ablation [--n 250]

Questions in writers' own words over the stub that nothing was trained on (as `bench.paraphrases`), own entity
linking. Right: the gold query's answers, no more and no fewer.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Sequence

from bench.paraphrases import drawn
from bench.ranking import answers
from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.engine import Engine
from kbqa.kept import Kept
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chooser, Choosing
from kbqa.reading.ranking import Ranking
from kbqa.reading.reranker import Reranker

Reader = Callable[[str, tuple[Mention, ...]], Parse | None]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=250)
    args = arguments.parse_args()
    right: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    asked = drawn(args.n, 7)
    with Engine.open() as engine:
        readers = levers(engine)
        for question, row in asked:
            gold = answers(engine, recompose(row.decomposition))
            mentions = tuple(engine.kb.linker.link(question))
            for name, reader in readers.items():
                start = time.perf_counter()
                parse = reader(question, mentions)
                spent[name] += round(1e6 * (time.perf_counter() - start))
                right[name] += parse is not None and answers(engine, parse.query) == gold
        signature = engine.signature
    for name in readers:
        share, ms = 100 * right[name] / len(asked), spent[name] / len(asked) / 1000
        print(f"{name:44} {share:5.1f} % of {len(asked)}, {ms:.0f} ms a question")
    print(signature)


def levers(engine: Engine) -> dict[str, Reader]:
    """Ways to read a question: as shipped, without the reranker, and each 'nor' without one thing more."""
    return {
        "as shipped": ranked(engine, Ranking(), engine.reranker),
        "without the reranker": ranked(engine, Ranking()),
        "not ranked by what answers tell, either": ranked(engine, Ranking(fit=0.0)),
        "nor by words spoken of": ranked(engine, Ranking(spoken=0.0)),
        "nor by names used": ranked(engine, Ranking(unused=0.0)),
        "ranked by likelihood, with an answer": executed(engine),
        "the likeliest reading, not executed": likeliest(engine, grounded=True),
        "the likeliest, not held to the knowledge base": likeliest(engine, grounded=False),
    }


def ranked(engine: Engine, ranking: Ranking, reranker: Reranker | None = None) -> Reader:
    chooser = Chooser(engine.kb, Choosing(ranking=ranking), reranker)

    def read(question: str, mentions: tuple[Mention, ...]) -> Parse | None:
        found = chooser.best(engine.readings(question, mentions), question, mentions)
        return found.parse if found else None

    return read


def executed(engine: Engine) -> Reader:
    chooser = Chooser(engine.kb, Choosing())

    def read(question: str, mentions: tuple[Mention, ...]) -> Parse | None:
        found = chooser.first(engine.readings(question, mentions), Kept())
        return found.parse if found else None

    return read


def likeliest(engine: Engine, *, grounded: bool) -> Reader:
    def read(question: str, mentions: Sequence[Mention]) -> Parse | None:
        found = engine.parser.parse(question, mentions, n=1, grounded=grounded)
        return found[0] if found else None

    return read


if __name__ == "__main__":
    main()
