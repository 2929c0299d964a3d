"""The dialogue's loop as a function of values: `advance(dialogue, feedback, tools) -> dialogue`.

Nothing is mutated and no version is ever lost: undo and back choose an earlier one, and what is
corrected from there becomes a new version with that one as its parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from kbqa.correct.context import Corrected
from kbqa.decompose import recompose, recompose_step
from kbqa.dialogue import Dialogue, Mode, Parse, Status, Version
from kbqa.errors import DecompositionError, FeedbackError, InputError
from kbqa.feedback import (
    Accept,
    Back,
    Choose,
    Correction,
    Delete,
    Edit,
    Feedback,
    Insert,
    Link,
    Replace,
    Stop,
    Undo,
    Unsure,
    checked,
    say,
)
from kbqa.protocols import Mention
from kbqa.rewire import (
    Steps,
    as_said,
    deleted,
    exchange,
    inserted,
    loose,
    replaced,
    taken_along,
    turned_elsewhere,
)
from kbqa.types import Decomposition, Iri, Step

READINGS = 8
"""Readings of a corrected sub-question that are looked at."""
_OTHER_WAY, _LOOSE = -1.0, -2.0
"""Log probabilities: of putting a step into its place in another than the likeliest way, of each step
on which the answer would not rest."""


class Tools(Protocol):
    """What the loop needs of an engine."""

    def correct(
        self, text: str, version: Version, before: int, dialogue: Dialogue, n: int
    ) -> Sequence[Corrected]:
        """Readings of a sub-question that stands where step `before` is (or at the end)."""

    def next_version(
        self,
        parses: Sequence[Parse],
        question: str,
        mode: Mode,
        mentions: Sequence[Mention],
        previous: Version,
    ) -> Version:
        """The likeliest of the readings that has an answer, as it is shown."""


def advance(dialogue: Dialogue, feedback: Feedback, tools: Tools) -> Dialogue:
    """The dialogue after the feedback.

    Raises `FeedbackError` where the feedback can't be applied (the dialogue is over, no such step or
    version, no edits left, the sub-question isn't understood); the dialogue is then as it was.
    """
    current, mode = dialogue.current, dialogue.mode
    if current is None:
        raise FeedbackError("the question was not understood: ask it in other words")
    over = dialogue.status in ("accepted", "stopped")
    if over and not (mode.edits and isinstance(feedback, Undo | Back)):
        way_on = "undo, or ask a new question" if mode.edits else "ask a new question"
        raise FeedbackError(f"this dialogue is over ({dialogue.status}): {way_on}")
    if not mode.edits and not isinstance(feedback, Accept | Unsure | Stop):
        raise FeedbackError(f"the mode '{mode.name}' takes no corrections: accept, 'not sure', or stop")
    match checked(feedback):
        case Accept():
            return replace(dialogue, status="accepted")
        case Unsure():
            return replace(dialogue, unsure=tuple(dict.fromkeys((*dialogue.unsure, dialogue.at))))
        case Stop(text):
            return replace(dialogue, status="stopped", comment=text)
        case Undo():
            if over:
                return _at(dialogue, dialogue.at)
            if current.parent is None:
                raise FeedbackError("there is nothing to undo: this is the first version")
            return _at(dialogue, current.parent)
        case Back(number):
            if not 1 <= number <= len(dialogue.versions):
                raise FeedbackError(
                    f"there is no version {number}: the versions are numbered 1 to {len(dialogue.versions)}"
                )
            return _at(dialogue, number)
        case correction:
            return _corrected(dialogue, current, correction, tools)


def _at(dialogue: Dialogue, number: int) -> Dialogue:
    """The version of that number, open for feedback again."""
    return replace(dialogue, at=number, status=_open(dialogue.edits_left), comment="")


def _open(edits_left: int) -> Status:
    return "edits_used_up" if edits_left < 1 else "awaiting_feedback"


# --- corrections ---------------------------------------------------------------


def _corrected(dialogue: Dialogue, current: Version, feedback: Correction, tools: Tools) -> Dialogue:
    if dialogue.edits_left < 1:
        raise FeedbackError("no edits are left in this dialogue: accept, undo, or stop with a comment")
    mentions = dialogue.mentions
    match feedback:
        case Insert() | Replace() | Edit():
            found = _readings(dialogue, current, feedback, tools)
            mentions = _joined(mentions, found)
            parses = list(_put(dialogue, current, feedback, found))
        case Delete(step):
            whole = current.parse.decomposition
            parses = list(_assembled(deleted(whole.steps, step), whole, 0.0))
        case Link(entity, other):
            parses = list(_linked(dialogue, current, entity, other))
            mentions = _preferring(mentions, entity, other)
        case Choose(number):
            parses = [_offered(current, number)]
    if not parses:
        raise FeedbackError(_not_together(feedback))
    try:
        version = tools.next_version(parses, dialogue.question, dialogue.mode, mentions, current)
    except InputError as e:
        raise FeedbackError(_not_together(feedback)) from e
    if isinstance(feedback, Delete):
        version = _told(version, current, feedback.step)
    version = replace(version, feedback=feedback, parent=dialogue.at)
    left = dialogue.edits_left - 1
    return replace(
        dialogue,
        versions=(*dialogue.versions, version),
        at=len(dialogue.versions) + 1,
        edits_left=left,
        status=_open(left),
        mentions=mentions,
    )


def _told(version: Version, before: Version, gone: int) -> Version:
    """With a word on what became of the steps that rested on the deleted one: those that went along, and
    those that find nothing since they go on from something else."""
    steps = before.parse.decomposition.steps
    told: dict[int, list[str]] = {}
    for number in taken_along(steps, gone):
        here = min(gone, len(version.steps))
        shown = before.steps[number - 1].shown
        told.setdefault(here, []).append(
            f"step {number} went with step {gone}, among whose answers it chose: {shown}"
        )
    for number in turned_elsewhere(steps, gone):
        if number <= len(version.steps) and version.steps[number - 1].outcome == "empty":
            told.setdefault(number, []).append(
                f"this went on from the step that you deleted: {before.steps[gone - 1].shown} "
                "'undo' brings it back"
            )
    shown_steps = (replace(s, warnings=(*s.warnings, *told.get(s.number, ()))) for s in version.steps)
    return replace(version, steps=tuple(shown_steps))


def _not_together(feedback: Correction) -> str:
    if isinstance(feedback, Delete):
        return f"without step {feedback.step} the others can't be put together: replace it instead"
    return (
        "the steps can't be put together that way: a sub-question goes on from answers of earlier steps, "
        "not from a number or a yes: word it otherwise"
    )


def _readings(
    dialogue: Dialogue, current: Version, feedback: Insert | Replace | Edit, tools: Tools
) -> Sequence[Corrected]:
    count = len(current.parse.decomposition.steps)
    last = count + isinstance(feedback, Insert)
    if not 1 <= feedback.step <= last:
        raise FeedbackError(f"there is no step {feedback.step} to {_verb(feedback)}: expected 1 to {last}")
    found = tools.correct(feedback.text, current, feedback.step, dialogue, READINGS)
    if not found:
        raise FeedbackError(
            f"the sub-question {feedback.text!r} was not understood: name the thing it asks about, "
            "or say 'that film', 'of these' for earlier answers"
        )
    return found


def _verb(feedback: Insert | Replace | Edit) -> str:
    return say(feedback).split()[0]


def _put(
    dialogue: Dialogue, current: Version, feedback: Insert | Replace | Edit, found: Sequence[Corrected]
) -> Iterator[Parse]:
    """Every reading in every way it can be put in its place, likeliest first; not one that was had
    before: whoever corrects means something else (Mo et al. 2022)."""
    whole, at = current.parse.decomposition, feedback.step
    place = inserted if isinstance(feedback, Insert) else replaced
    tried = _tried(dialogue, current, feedback)
    every: list[Parse] = []
    stale = False
    for corrected in found:
        ways = list(place(whole.steps, at, corrected.step))
        if not tried.isdisjoint(as_said(way, at) for way in ways):
            stale = True
            continue
        for number, steps in enumerate(ways):
            every += _assembled(steps, whole, corrected.logprob + _OTHER_WAY * number)
    if stale and not every:
        raise FeedbackError(
            f"the sub-question {feedback.text!r} was understood as a step that stands there already or "
            "was tried before: word it otherwise"
        )
    seen = set()
    for parse in sorted(every, key=lambda p: -p.logprob):
        if parse.decomposition not in seen:
            seen.add(parse.decomposition)
            yield parse


def _tried(dialogue: Dialogue, current: Version, feedback: Insert | Replace | Edit) -> set[Step]:
    """What this place holds and what corrections have led to, but for these very words."""
    words = _plain(feedback.text)
    same: set[Step] = set()
    other: set[Step] = set()
    for version in dialogue.versions:
        said = version.feedback
        if isinstance(said, Insert | Replace | Edit):
            step = as_said(version.parse.decomposition.steps, said.step)
            (same if _plain(said.text) == words else other).add(step)
    if not isinstance(feedback, Insert):
        shown = current.steps[feedback.step - 1]
        step = as_said(current.parse.decomposition.steps, feedback.step)
        (same if words in (_plain(shown.shown), _plain(shown.template)) else other).add(step)
    return other - same


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("?", " ").split())


def _assembled(steps: Steps, whole: Decomposition, logprob: float) -> Iterator[Parse]:
    """The steps as a reading; none where no query can say all of them."""
    decomposition = replace(whole, steps=steps)
    try:
        for number in range(1, len(steps)):
            recompose_step(decomposition, number)
        yield Parse(recompose(decomposition), decomposition, logprob + _LOOSE * len(loose(steps)))
    except DecompositionError:
        return


def _linked(dialogue: Dialogue, current: Version, entity: str, other: str) -> Iterator[Parse]:
    whole = current.parse.decomposition
    exchanged = tuple(exchange(s, {Iri(entity): Iri(other)}) for s in whole.steps)
    if exchanged == whole.steps:
        raise FeedbackError(f"no step is about the entity {entity!r}, or it is that one already")
    groups = [[c.entity.value for c in m.candidates] for m in dialogue.mentions]
    choice = list(dict.fromkeys(e for group in groups if entity in group for e in group if e != entity))
    if other not in choice:
        offered = ", ".join(choice) or "no other was found"
        raise FeedbackError(f"{other!r} is none of the entities that {entity!r} may stand for: {offered}")
    yield from _assembled(exchanged, whole, current.parse.logprob)


def _offered(current: Version, number: int) -> Parse:
    if not 1 <= number <= len(current.offers):
        offered = f"1 to {len(current.offers)}" if current.offers else "none"
        raise FeedbackError(f"there is no alternative {number}: offered are {offered}")
    return current.offers[number - 1].parse


# --- mentions ------------------------------------------------------------------


def _joined(mentions: tuple[Mention, ...], found: Sequence[Corrected]) -> tuple[Mention, ...]:
    """With what was linked in a correction; its places are not places in the question."""
    known = {c.entity for m in mentions for c in m.candidates[:1]}
    new = [replace(m, start=0, end=0) for c in found[:1] for m in c.mentions if m.candidates]
    return (*mentions, *(m for m in new if m.candidates[0].entity not in known))


def _preferring(mentions: tuple[Mention, ...], entity: str, other: str) -> tuple[Mention, ...]:
    def first(m: Mention) -> Mention:
        taken = [c for c in m.candidates if c.entity.value == other]
        if not taken or not any(c.entity.value == entity for c in m.candidates):
            return m
        return replace(m, candidates=(*taken, *(c for c in m.candidates if c not in taken)))

    return tuple(map(first, mentions))
