"""Questions in writers' own words over the stub that nothing was trained on: right, wrong or not understood.

    python -m bench.paraphrases [--n 300] [--show] [--readings]

About every tenth row of models/paraphrases.jsonl is held out of training; `--n` of their questions are
drawn by a fixed seed. Own entity linking, as in `kbqa ask`. Right: the gold query's answers, no more and
no fewer. `--readings` adds how often the right one is among those that the parser gives. Settings may be
chosen by these figures; by the stub benchmark's they may not.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from bench.stub.__main__ import answers, judged, print_shares
from kbqa.decompose import recompose
from kbqa.engine import Engine
from kbqa.errors import KbqaError
from kbqa.lexicon import freebase_lexicon
from kbqa.sparql import render
from kbqa.train.paraphrases import Paraphrased, read, shipped


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=300)
    arguments.add_argument("--show", action="store_true", help="print the questions that were not right")
    arguments.add_argument("--readings", action="store_true", help="look among all readings, too")
    args = arguments.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    with Engine.open() as engine:
        for question, row in drawn(args.n, 7):
            gold = render(recompose(row.decomposition))
            dialogue = engine.first_version(question)
            outcome = judged(engine, dialogue, gold)
            counts["all", outcome] += 1
            counts[row.type, outcome] += 1
            if args.readings:
                counts["among the readings", "right" if among(engine, question, gold) else "wrong"] += 1
            if args.show and outcome != "right":
                print(f"{row.id} {outcome}: {question}")
                for step in dialogue.current.steps if dialogue.current else ():
                    print(f"     {step.number}. {step.template} -> {[a.label for a in step.answers[:4]]}")
                print(f"     gold {gold.split('WHERE')[1][:300]!r}")
        signature = engine.signature
    print_shares(counts)
    print(signature)


def drawn(n: int, seed: int) -> list[tuple[str, Paraphrased]]:
    """So many of the questions held out, each with its row."""
    rows = [r for r in read(shipped(), freebase_lexicon(), held_out=True) if r.questions]
    asked = [(told.text, row) for row in rows for told in row.questions]
    random.Random(seed).shuffle(asked)
    return asked[:n]


def among(engine: Engine, question: str, gold: str) -> bool:
    wanted = answers(engine, gold)
    for parse in engine.readings(question, tuple(engine.kb.linker.link(question))):
        try:
            if answers(engine, render(parse.query)) == wanted:
                return True
        except KbqaError:
            continue
    return False


if __name__ == "__main__":
    main()
