"""What a simulated user wants: a gold query, as the steps in which a person may ask for it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise

from kbqa.decompose import decompose
from kbqa.decompose.recompose import references
from kbqa.errors import DecompositionError, FeedbackError, TemplateError
from kbqa.evaluate.forms import form, partial_forms
from kbqa.lexicon import Lexicon
from kbqa.rewire import Steps, deleted, with_references
from kbqa.sparql import canonical, parse
from kbqa.templates import Names, read_all
from kbqa.types import Find, Iri, Keep, OpenThan, Pick, Query, Ref, Step

MOST_WAYS = 24
"""Orders of the gold steps that are looked at."""


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One row of a data set. `number`: its line, from 1; `entities`: names of the query's entities;
    `sub_questions`: for each of `steps` (templated English) what people asked, where the data says."""

    number: int
    id: str
    question: str
    sparql: str
    entities: Mapping[Iri, str] = field(default_factory=dict)
    type: str = ""
    steps: tuple[str, ...] = ()
    sub_questions: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """A query that somebody wants to reach.

    `ways`: the orders in which its steps can be asked, the decomposition's own first; none where the
    query has no steps. `form`: of the whole, without guards. `said`: what people called a step, by the
    step's partial form.
    """

    query: Query
    ways: tuple[Steps, ...]
    form: Query
    names: Mapping[Iri, str]
    said: Mapping[Query, tuple[str, ...]]


def goal_of(row: GoldRow, lexicon: Lexicon) -> Goal:
    """Raises `QueryError` where the gold query can't be read."""
    query = parse(row.sparql)
    try:
        steps = tuple(map(_forward, decompose(query, lexicon.mediators).steps))
    except DecompositionError:
        return Goal(query, (), canonical(query), row.entities, {})
    whole = form(steps)
    if whole is None:
        return Goal(query, (), canonical(query), row.entities, {})
    given = _given(row, lexicon)
    starts = [steps, *([given] if given and form(given) == whole else [])]
    return Goal(query, _ways(starts, whole), whole, row.entities, _said(row, given or steps))


def reached(goal: Goal, steps: Steps, query: Query) -> bool:
    """Whether a shown understanding is what is wanted: equal up to names, order and guards."""
    return form(steps) == goal.form or canonical(query) == canonical(goal.query)


def _forward(step: Step) -> Step:
    """A term's beginning before its end, as one says it ('as of 10 August 2015')."""
    if not isinstance(step, Find | Keep):
        return step
    conditions = list(step.restrictions)
    for i, pair in enumerate(pairwise(conditions)):
        match pair[0].tests, pair[1].tests:
            case (OpenThan(">="),), (OpenThan("<="),):
                conditions[i : i + 2] = reversed(pair)
    return replace(step, restrictions=tuple(conditions))


def _given(row: GoldRow, lexicon: Lexicon) -> Steps | None:
    """The row's own steps, where they can be read."""
    try:
        return tuple(read_all(row.steps, lexicon, Names(dict(row.entities)))) if row.steps else None
    except TemplateError:
        return None


def _said(row: GoldRow, steps: Steps) -> dict[Query, tuple[str, ...]]:
    if len(row.sub_questions) != len(steps):
        return {}
    pairs = zip(partial_forms(steps), row.sub_questions, strict=True)
    return {f: texts for f, texts in pairs if f is not None and texts}


# --- orders --------------------------------------------------------------------------


def _ways(starts: Sequence[Steps], whole: Query) -> tuple[Steps, ...]:
    """The starts, and what exchanging neighbours makes of them without changing the query."""
    found = dict.fromkeys(starts)
    waiting = list(starts)
    for steps in waiting:
        for i in range(len(steps) - 1):
            for other in _exchanged(steps, i):
                if len(found) >= MOST_WAYS:
                    return tuple(found)
                if other not in found and form(other) == whole and None not in partial_forms(other):
                    found[other] = None
                    waiting.append(other)
    return tuple(found)


def _exchanged(steps: Steps, i: int) -> Iterator[Steps]:
    """Steps `i` and `i + 1` (from 0) in the other order, where that may mean the same."""
    first, second = steps[i], steps[i + 1]
    here, there = Ref(i + 1), Ref(i + 2)
    if here not in references(second):
        turn = {here: there, there: here}
        later = [with_references(s, lambda ref: turn.get(ref, ref)) for s in steps[i + 2 :]]
        yield (*steps[:i], second, first, *later)
    elif isinstance(second, Keep) and second.source == here and second.anchor is not None and second.path:
        match first:
            case Find(anchor, path, restrictions):
                start: Step = Find(second.anchor, second.path, second.restrictions)
            case Keep(source, anchor, path, restrictions) if anchor is not None and path:
                start = replace(second, source=source)
            case _:
                return
        yield (*steps[:i], start, Keep(here, anchor, path, restrictions), *steps[i + 2 :])


# --- misreading ----------------------------------------------------------------------


def misread(goal: Goal, rng: random.Random) -> Goal:
    """Another goal, as of somebody who took the question to mean something near it: a step or a
    condition less, or the other end of an order. The same goal where there is nothing to mistake."""
    if not goal.ways:
        return goal
    found = [s for s in _nearby(goal.ways[0]) if form(s) not in (None, goal.form)]
    if not found:
        return goal
    steps = rng.choice(found)
    whole = form(steps)
    assert whole is not None
    return Goal(whole, _ways([steps], whole), whole, goal.names, goal.said)


def _nearby(steps: Steps) -> Iterator[Steps]:
    for i, step in enumerate(steps):
        if len(steps) > 1:
            with suppress(FeedbackError):
                yield deleted(steps, i + 1)
        if isinstance(step, Find | Keep):
            for k in range(len(step.restrictions)):
                fewer = step.restrictions[:k] + step.restrictions[k + 1 :]
                yield (*steps[:i], replace(step, restrictions=fewer), *steps[i + 1 :])
        if isinstance(step, Pick):
            yield (*steps[:i], replace(step, descending=not step.descending), *steps[i + 1 :])
