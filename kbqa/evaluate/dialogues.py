"""How well one dialogue went: the study's success measures (METHODS.md, section 1) and some more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from kbqa.answers import SHOWN
from kbqa.dialogue import Status
from kbqa.evaluate.answers import Answers
from kbqa.evaluate.forms import partial_forms
from kbqa.types import Pick, Query, Step

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Gold:
    """What a dialogue is measured against. `answers`: those of the gold query on the same store; None
    where they could not be had in time, empty where it finds none there."""

    steps: tuple[Step, ...]
    answers: Answers | None


@dataclass(frozen=True, slots=True)
class Seen:
    """One version that was shown: whether its query is the gold one, and its answers (None: not to be
    had in time)."""

    exact: bool
    f1: float | None
    answers: Answers | None
    form: Query | None


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
    """`seen`: every version in order, none where the question was not understood; `edits`: how many
    corrections there may be; `allowed`: whether the mode takes any."""
    exact = [s.exact for s in seen[: edits + 1]] or [False]
    nothing = 0.0 if gold.answers else None
    scores = [s.f1 for s in seen[: edits + 1]] or [nothing]
    used = len(seen) - 1 if seen else 0
    accepted = status == "accepted" and bool(seen)
    official = accepted and _answered_right(seen[-1], gold)
    inferable = official or (accepted and _read_off(seen[-1], gold))
    answered = accepted and bool(seen[-1].answers)
    return Outcome(
        exact=_carried(exact, edits),
        f1=_carried(scores, edits),
        edits=used,
        turns_to_success=exact.index(True) if True in exact else None,
        official=official,
        inferable=inferable,
        deemed=(inferable or (answered and used < edits)) if allowed else None,
        false_accept=accepted and not official,
        went_on=any(exact[:-1]),
    )


def _carried(values: list[T], edits: int) -> tuple[T, ...]:
    return tuple(values + values[-1:] * (edits + 1 - len(values)))


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
