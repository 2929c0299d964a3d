"""How often a sub-question in a writer's own words is read as the step that was meant.

    python -m bench.corrector [--n 300] [--show]
    python -m bench.corrector --changes [--n 100]                   # by what was wrong with the step
    python -m bench.corrector --rows DATA/webqsp/train.jsonl.gz --kb BUILT_FOLDER    # people's own questions

Sub-questions of models/paraphrases.jsonl that nothing was trained on, drawn by a fixed seed; the steps
before each are given as templates, with what the mode grants: `full` the whole question and those
templates, `decontextualized` neither. Own entity linking. Right: the first reading's answers are the
step's; the same among five readings is told apart. By what the step does.

--changes: the same sub-questions, and other wordings of questions of one step, correct a dialogue that
shows a wrong step, at most `--n` of each kind. Its path is another (drawn as in `bench.offers`) or the
right one turned round, its entity another that the linker finds for the name, or it lacks its conditions
(on a date, or other ones); a step that does nothing but narrow earlier answers is missing, and is inserted.
Mode `full`. Right: the step's answers are the right step's; 'whole': so are the last step's.

--rows: the `--held-out` questions that training leaves out, each as the correction of step 1 of a dialogue
of which nothing else is known; with own entity linking and with the gold entities. Right: the query is that
of one of the question's gold parses, or has its answers in that knowledge base (where it has any).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from bench.offers import Case, replacements, shown
from kbqa.answers import collect
from kbqa.cli.correct import context_of
from kbqa.correct import Context
from kbqa.decompose import decompose, recompose, recompose_step
from kbqa.dialogue import FULL, MODES, Dialogue, Parse, Timing
from kbqa.engine import Engine, Settings
from kbqa.errors import DecompositionError, KbqaError
from kbqa.feedback import Edit, Insert
from kbqa.intake import given
from kbqa.lexicon import freebase_lexicon
from kbqa.rewire import deleted
from kbqa.sparql import canonical, parse, render
from kbqa.templates import Names, write_all
from kbqa.train.data import named, read_rows
from kbqa.train.paraphrases import Paraphrased, read, shipped
from kbqa.train.prepare import split
from kbqa.types import (
    Constant,
    Decomposition,
    Find,
    Iri,
    Keep,
    Kind,
    OpenThan,
    Ref,
    Step,
    Test,
    Than,
)

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
    arguments.add_argument("--changes", action="store_true", help="by what was wrong with the step")
    arguments.add_argument("--rows", type=Path, help="JSON lines {id, question, sparql, entities}")
    arguments.add_argument("--held-out", type=int, default=300, help="how many of their questions")
    arguments.add_argument("--kb", help="the knowledge base of --rows; default: the stub")
    args = arguments.parse_args()
    with Engine.open(args.kb) as engine:
        if args.changes:
            by_change(engine, args.n, args.show)
        elif args.rows is not None:
            people(engine, args.rows, args.held_out, args.show)
        else:
            writers(engine, args.n, args.show)
        print(engine.signature)


def writers(engine: Engine, most: int, show: bool) -> None:
    asked = sub_questions(unseen())
    random.Random(9).shuffle(asked)
    counts: Counter[tuple[str, str, str]] = Counter()
    for one in asked[:most]:
        group = does(one.row.decomposition.steps[one.number - 1])
        for mode in MODES_TRIED:
            place = rank(engine, one, mode)
            if show and place != 1 and mode == "full":
                print(f"{one.row.id} step {one.number}, read as number {place}: {one.text}")
            for name in ("all", group):
                counts[mode, name, "n"] += 1
                counts[mode, name, "first"] += place == 1
                counts[mode, name, "five"] += place > 0
    for mode in MODES_TRIED:
        for name in sorted({g for m, g, _ in counts if m == mode}):
            n, first, five = (counts[mode, name, k] for k in ("n", "first", "five"))
            shares = f"right {100 * first / n:5.1f} %, among five {100 * five / n:5.1f} %"
            print(f"{mode:17} {name:30} n={n:<4} {shares}")


def unseen() -> list[Paraphrased]:
    """The rows that nothing was trained on."""
    return list(read(shipped(), freebase_lexicon(), held_out=True))


def sub_questions(rows: Iterable[Paraphrased]) -> list[Asked]:
    return [
        Asked(row, number, told.text)
        for row in rows
        for number, wordings in enumerate(row.sub_questions, 1)
        for told in wordings
    ]


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


# --- by what was wrong ------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """A dialogue shows `wrong`; what is said to put it right."""

    kind: str
    asked: Asked
    wrong: Decomposition
    feedback: Edit | Insert


def by_change(engine: Engine, most: int, show: bool) -> None:
    quiet = Engine(
        engine.kb,
        engine.parser,
        phraser=engine.phraser,
        corrector=engine.corrector,
        settings=Settings(offers_s=0),
    )
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for change in changes(engine, unseen(), random.Random(9)):
        if counts[change.kind]["n"] < most:
            step, whole = put_right(quiet, change)
            for name in ("all", change.kind):
                counts[name].update(n=1, step=step, whole=whole)
            if show and not step:
                print(f"{change.kind}: {change.asked.row.id} step {change.asked.number}: {change.asked.text}")
    for name, told in sorted(counts.items()):
        right, last = (f"{100 * told[k] / told['n']:5.1f} %" for k in ("step", "whole"))
        print(f"{name:20} n={told['n']:<4} right {right}, whole {last}")


def changes(engine: Engine, rows: Sequence[Paraphrased], rng: random.Random) -> Iterator[Change]:
    """At most one for each wording, so that none is heard twice."""
    asked = sub_questions(rows) + other_wordings(rows)
    rng.shuffle(asked)
    for one in asked:
        whole, at = one.row.decomposition, one.number
        step = whole.steps[at - 1]
        conditions = step.restrictions if isinstance(step, Find | Keep) else ()
        dated = any(on_date(t) for r in conditions for t in r.tests)
        kind = "missing date" if dated else "missing condition"
        if isinstance(step, Find) and conditions:
            less = (*whole.steps[: at - 1], replace(step, restrictions=()), *whole.steps[at:])
            yield Change(kind, one, replace(whole, steps=less), Edit(at, one.text))
        elif isinstance(step, Keep):
            yield Change(kind, one, replace(whole, steps=deleted(whole.steps, at)), Insert(at, one.text))
        else:
            yield from islice(wrong(engine, one, rng), 1)


def other_wordings(rows: Iterable[Paraphrased]) -> list[Asked]:
    """Of questions of one step: what one writer asked, corrected by what another did."""
    return [
        Asked(replace(row, asked=other.text), 1, told.text)
        for row in rows
        if len(row.decomposition.steps) == 1
        for told in row.questions
        for other in row.questions
        if told != other
    ]


def on_date(test: Test) -> bool:
    return isinstance(test, Than | OpenThan) and test.kind is Kind.DATE


def wrong(engine: Engine, asked: Asked, rng: random.Random) -> Iterator[Change]:
    """With another entity, where the linker has one; with another path or direction, in any order."""
    whole, at = asked.row.decomposition, asked.number
    right, mentions = answers(engine, whole.steps[:at]), engine.kb.linker.link(asked.row.asked)
    for kind in ("entity", *rng.sample(("predicate", "direction"), 2)):
        for changed in replacements(engine, whole.steps[at - 1 : at], mentions, kind, rng):
            steps = (*whole.steps[: at - 1], *changed, *whole.steps[at:])
            if answers(engine, steps[:at]) not in (None, right) and is_query(replace(whole, steps=steps)):
                yield Change(f"wrong {kind}", asked, replace(whole, steps=steps), Edit(at, asked.text))


def is_query(whole: Decomposition) -> bool:
    """Whether steps go together: what one orders by may not be where the changed one leads."""
    with suppress(DecompositionError):
        return bool(recompose(whole))
    return False


def put_right(engine: Engine, change: Change) -> tuple[bool, bool]:
    """Whether the step, and the last one, then find what they should."""
    try:
        version = engine.advance(begun(engine, change), change.feedback).current
    except KbqaError:
        return False, False
    assert version is not None
    right, found = change.asked.row.decomposition.steps, version.parse.decomposition.steps
    step, last = (
        answers(engine, found[:at]) == answers(engine, right[:at])
        for at in (change.asked.number, max(len(right), len(found)))
    )
    return step, last


def begun(engine: Engine, change: Change) -> Dialogue:
    """The dialogue before it is corrected."""
    question = change.asked.row.asked
    mentions = tuple(engine.kb.linker.link(question))
    reading = Parse(recompose(change.wrong), change.wrong, 0.0)
    version = shown(engine, Case(question, mentions, change.asked.row.decomposition, reading, change.kind))
    return Dialogue(
        dialogue_id="",
        question=question,
        mode=FULL,
        kb=engine.kb.name,
        status="awaiting_feedback",
        versions=(version,),
        edits_left=1,
        timing=Timing(0, 0, 0, 0, 0),
        at=1,
        mentions=mentions,
    )


# --- people's own questions -------------------------------------------------


def people(engine: Engine, rows: Path, held_out: int, show: bool) -> None:
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in split(list(read_rows(rows)), held_out)[1]:
        asked[str(row.get("question_id") or row["id"])].append(row)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for parses in asked.values():
        question, gold = parses[0]["question"], golds(engine, parses)
        mentions = given(question, dict(named(parses[0]["entities"])))
        read = {
            "own linking": engine.correct_in(question, Context(), n=5),
            "gold entities": engine.corrector.correct(question, mentions, Context(), n=5),
        }
        single = any(len(g.steps) == 1 for g in gold)
        for linking, found in read.items():
            same = [same_query(c.step, gold) for c in found]
            right = [s or same_answers(engine, c.step, gold) for s, c in zip(same, found, strict=True)]
            if show and not any(right[:1]):
                print(f"{linking}, {parses[0]['id']}: {question}")
            for name in ("all", "of one step" if single else "of several steps"):
                told = counts[f"{name}, {linking}"]
                told.update(n=1, same=any(same[:1]), right=any(right[:1]), five=any(right))
    for name, told in sorted(counts.items()):
        first, five, query = (f"{100 * told[k] / told['n']:5.1f} %" for k in ("right", "five", "same"))
        print(f"{name:32} n={told['n']:<4} right {first}, among five {five}, same query {query}")


def golds(engine: Engine, parses: Iterable[dict[str, Any]]) -> list[Decomposition]:
    """Those that can be read."""
    found = []
    for row in parses:
        with suppress(KbqaError):
            found.append(decompose(parse(row["sparql"]), engine.kb.lexicon.mediators))
    return found


def same_query(step: Step, gold: Iterable[Decomposition]) -> bool:
    return any(canonical(recompose(replace(g, steps=(step,)))) == canonical(recompose(g)) for g in gold)


def same_answers(engine: Engine, step: Step, gold: Iterable[Decomposition]) -> bool:
    """Whether the step finds what the query of a gold parse finds, which is something."""
    found = answers(engine, (step,))
    return bool(found) and any(answers(engine, g.steps) == found for g in gold)


if __name__ == "__main__":
    main()
