"""How often a sub-question in a writer's own words is read as the step that was meant.

    python -m bench.corrector [--n 300] [--show]

Sub-questions of models/paraphrases.jsonl that nothing was trained on, drawn by a fixed seed; the steps before
each are given as templates, with what the mode grants: `full` the whole question and those templates,
`decontextualized` neither. Own entity linking. Right: the first reading's answers are the step's; the same
among five readings is told apart. By what the step does.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass

from kbqa.answers import collect
from kbqa.cli.correct import context_of
from kbqa.decompose import recompose_step
from kbqa.dialogue import MODES
from kbqa.engine import Engine
from kbqa.errors import KbqaError
from kbqa.lexicon import freebase_lexicon
from kbqa.sparql import render
from kbqa.templates import Names, write_all
from kbqa.train.paraphrases import Paraphrased, read, shipped
from kbqa.types import Constant, Decomposition, Find, Iri, Keep, Ref, Step

MODES_TRIED = ("full", "decontextualized")


@dataclass(frozen=True)
class Asked:
    """A sub-question and the step, counted from 1, that it means."""

    row: Paraphrased
    number: int
    text: str


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=300)
    arguments.add_argument("--show", action="store_true", help="print those not right in the full mode")
    args = arguments.parse_args()
    asked = [
        Asked(row, number, told.text)
        for row in read(shipped(), freebase_lexicon(), held_out=True)
        for number, wordings in enumerate(row.sub_questions, 1)
        for told in wordings
    ]
    random.Random(9).shuffle(asked)
    counts: Counter[tuple[str, str, str]] = Counter()
    with Engine.open() as engine:
        for one in asked[: args.n]:
            group = does(one.row.decomposition.steps[one.number - 1])
            for mode in MODES_TRIED:
                place = rank(engine, one, mode)
                if args.show and place != 1 and mode == "full":
                    print(f"{one.row.id} step {one.number}, read as number {place}: {one.text}")
                for name in ("all", group):
                    counts[mode, name, "n"] += 1
                    counts[mode, name, "first"] += place == 1
                    counts[mode, name, "five"] += place > 0
        signature = engine.signature
    for mode in MODES_TRIED:
        for name in sorted({g for m, g, _ in counts if m == mode}):
            n, first, five = (counts[mode, name, k] for k in ("n", "first", "five"))
            shares = f"right {100 * first / n:5.1f} %, among five {100 * five / n:5.1f} %"
            print(f"{mode:17} {name:30} n={n:<4} {shares}")
    print(signature)


def does(step: Step) -> str:
    """What a step does, in a few words."""
    match step:
        case Find(anchor=Ref()):
            return "goes on from an answer"
        case Find(restrictions=held) if held:
            return "finds, under a condition"
        case Find():
            return "finds"
        case Keep(anchor=Iri()):
            return "narrows by a thing"
        case Keep():
            return "narrows by a value"
    return {"Pick": "picks the first", "Count": "counts", "Merge": "puts together"}.get(
        type(step).__name__, "else"
    )


def rank(engine: Engine, asked: Asked, mode: str) -> int:
    """The place, from 1, of the first reading that answers as the step does; 0 where none of five does."""
    steps = asked.row.decomposition.steps
    iris = {e.iri: e.name for told in asked.row.sub_questions for t in told for e in t.entities}
    templates = write_all(steps, engine.kb.lexicon, Names(engine.kb.names.fetch(list(iris))))
    wanted = answers(engine, steps[: asked.number])
    try:
        context = context_of(engine, asked.row.asked, templates[: asked.number - 1], MODES[mode])
        found = engine.correct_in(asked.text, context, n=5)
    except KbqaError:
        return 0
    for place, corrected in enumerate(found, 1):
        if answers(engine, (*context.steps, corrected.step)) == wanted:
            return place
    return 0


def answers(engine: Engine, steps: tuple[Step, ...]) -> frozenset[Constant] | None:
    """What the last of these steps finds; None where that can't be told."""
    try:
        sparql = render(recompose_step(Decomposition(steps), len(steps)))
        return frozenset(collect(engine.kb.store.select(sparql, time_limit_s=20)))
    except KbqaError:
        return None


if __name__ == "__main__":
    main()
