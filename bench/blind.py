"""How many questions of writers who saw nothing are answered right at first try.

    python -m bench.blind [--round fourth] [--show]

`bench/stub/blind.tsv` has 505 questions of 14 writers who saw neither the project nor its knowledge base, in
the four rounds in which they were asked (2026-11-25), and their own answers, by name. `right` is what was
answered where a reader judged it to be right (names and dates are told otherwise than a writer tells them),
and empty where it was wrong: an answer is then right if it is the writer's, by name. The first three rounds
were read, and kinds of failures mended, before the next one was asked; the first figure of each, and of the
code before, stand in models/parser/README.md.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kbqa.engine import Engine
from kbqa.link import key

QUESTIONS = Path(__file__).parent / "stub" / "blind.tsv"
ROUNDS = ("first", "second", "third", "fourth")
_JOINED = " | "


def names(answers: str) -> frozenset[str]:
    """The answers of a cell, in normal form."""
    return frozenset(key(name) for name in answers.split(_JOINED) if name)


def answered(engine: Engine, question: str) -> list[str]:
    """The labels of the answers at first try; none where the question was not understood."""
    version = engine.first_version(question).current
    return [a.label for a in version.steps[-1].answers] if version else []


def is_right(labels: Iterable[str], row: dict[str, str]) -> bool:
    return names(_JOINED.join(labels)) == names(row["right"] or row["written"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--round", choices=ROUNDS, help="only the questions of that round")
    parser.add_argument("--show", action="store_true", help="print what was not answered right")
    args = parser.parse_args()
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    asked, right = Counter[str](), Counter[str]()
    with Engine.open() as engine:
        for row in rows:
            if args.round not in (None, row["round"]):
                continue
            labels = answered(engine, row["question"])
            asked[row["round"]] += 1
            right[row["round"]] += is_right(labels, row)
            if args.show and not is_right(labels, row):
                print(
                    f"{row['id']} {row['question']}\n     {row['written']}\n     {_JOINED.join(labels[:6])}"
                )
        signature = engine.signature
    for name in asked:
        print(f"{name:8} n={asked[name]:<4} right {right[name]} = {100 * right[name] / asked[name]:.1f} %")
    print(signature)


if __name__ == "__main__":
    main()
