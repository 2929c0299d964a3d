"""How well one dialogue went: the study's success measures (METHODS.md, section 1) and some more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbqa.answers import SHOWN
from kbqa.dialogue import Status
from kbqa.evaluate.answers import Answers
from kbqa.evaluate.forms import partial_forms
from kbqa.types import Pick, Query, Step


@dataclass(frozen=True, slots=True)
class Gold:
    """What a dialogue is measured against. `answers`: those of the gold query on the same store; None
    where they could not be had in time, empty where it finds none there."""

    steps: tuple[Step, ...]
    answers: Answers | None


@dataclass(frozen=True, slots=True)
class Seen:
    """One look at a version: whether its query is the gold one, and its answers (None: not to be had in
    time). `turn`: the edits made until then; None: as many as looks came before."""

    exact: bool
    f1: float | None
    answers: Answers | None
    form: Query | None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The measures of one dialogue.

    `exact`, `f1`: at turn 0 and after each of the edits allowed; who stops early stays where they are.
    `f1` is None where the gold query has no known answer. `turns_to_success`: edits before the gold
    query was first shown, None where it never was. `false_accept`: accepted, and not officially
    correct. `went_on`: the gold query was shown and edited further. `deemed` is None without edits.
    """

    exact: tuple[bool, ...]
    f1: tuple[float | None, ...]
    edits: int
    turns_to_success: int | None
    official: bool
    inferable: bool
    deemed: bool | None
    false_accept: bool
    went_on: bool


def outcome(seen: Sequence[Seen], status: Status, gold: Gold, edits: int, *, allowed: bool) -> Outcome:
    """`seen`: every look in order, none where the question was not understood (going back to a version is
    another look, but no edit); `edits`: how many corrections there may be; `allowed`: whether the mode takes
    any."""
    turns = [i if s.turn is None else s.turn for i, s in enumerate(seen)]
    used = turns[-1] if turns else 0
    accepted = status == "accepted" and bool(seen)
    official = accepted and _answered_right(seen[-1], gold)
    inferable = official or (accepted and _read_off(seen[-1], gold))
    answered = accepted and bool(seen[-1].answers)
    right = [turn for turn, s in zip(turns, seen, strict=True) if s.exact]
    last = dict(zip(turns, seen, strict=True))
    nothing = Seen(False, 0.0 if gold.answers else None, frozenset(), None)
    at = _carried(last, nothing, edits)
    return Outcome(
        exact=tuple(s.exact for s in at),
        f1=tuple(s.f1 for s in at),
        edits=used,
        turns_to_success=right[0] if right else None,
        official=official,
        inferable=inferable,
        deemed=(inferable or (answered and used < edits)) if allowed else None,
        false_accept=accepted and not official,
        went_on=bool(right) and used > right[0],
    )


def _carried(looks: Mapping[int, Seen], nothing: Seen, edits: int) -> list[Seen]:
    """The last look of each turn from 0 to `edits`; who stops early stays where they are."""
    found: list[Seen] = []
    for turn in range(edits + 1):
        found.append(looks.get(turn, found[-1] if found else nothing))
    return found


def _answered_right(last: Seen, gold: Gold) -> bool:
    """The final answer is the gold answer; where that is not known, the query is the gold query."""
    if not gold.answers:
        return last.exact
    return last.answers == gold.answers


def _read_off(last: Seen, gold: Gold) -> bool:
    """Whether the right answer can be told from what is shown: all but the superlative at the end is
    there, and the candidates are few enough to be listed. That their values are shown, too, as the study
    asks, is assumed."""
    if not gold.steps or not isinstance(final := gold.steps[-1], Pick) or not gold.answers:
        return False
    source = partial_forms(gold.steps)[final.source.step - 1]
    few = last.answers is not None and len(last.answers) <= SHOWN
    return (
        few and source is not None and last.form == source and gold.answers <= (last.answers or frozenset())
    )
