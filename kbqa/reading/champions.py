"""Who was with a team then: 'the coach of the team that won Super Bowl XX' is the one of that season,
and 'the coach of Jordan's team in 1996' the one of that year, no one who coached it at another time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kbqa.answers import collect
from kbqa.reading.choosing import Chosen, first_told, instead, told
from kbqa.reading.periods import during, period_of
from kbqa.reading.rule import Run
from kbqa.rewire import Steps
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import XSD, Find, Hop, Iri, Keep, Lacks, Literal, Ref, Restriction, freebase

_CONTESTED = (
    *((Hop(freebase(f"sports.sports_championship_event.{place}")),) for place in ("champion", "runner_up")),
    (Hop(freebase("sports.sports_team.championships"), inverse=True),),
)
_END = (Hop(freebase("time.event.end_date")),)
_TODAY = re.compile(
    r"\b(?:now|nowadays|today|current\w*|present\w*|these days|still|is|are|does|do|has|have|coaches|manages"
    r"|plays)\b"
    r"|\b(?:who|where|what)['’]?s\b",
    re.IGNORECASE,
)
_ROSTER = "sports.sports_team_roster"
_COACHES = (
    Hop(freebase("sports.sports_team.coaches")),
    Hop(freebase("sports.sports_team_coach_tenure.coach")),
)
_SUMMER = 8
"""A season that ends by this month began in the year before."""


def with_team_then(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with those that were with the winner, or loser, of one final in the season that it ended,
    or with a team in the year for which it is told of; the same where the question speaks of today, or nobody
    is known to have been there then."""
    if not chosen.told or _TODAY.search(text):
        return chosen
    return instead(chosen, first_told(run, _then(chosen.parse.decomposition.steps, run)))


def _then(steps: Steps, run: Run) -> Iterator[Steps]:
    for at, step in enumerate(steps, 1):
        if not isinstance(step, Find):
            continue
        for after in range(at, len(steps)):
            there = steps[after]
            if not isinstance(there, Find) or not _is_of(there.anchor, at, steps):
                continue
            for way in _undated(there):
                for since, until in _times(steps[:at], step, run):
                    kept = (*way.restrictions, *during(_span(way), since, until))
                    yield (*steps[:after], replace(way, restrictions=kept), *steps[after + 1 :])


def _is_of(anchor: object, at: int, steps: Steps) -> bool:
    """Whether something is asked of what that step finds, or of some of it."""
    while isinstance(anchor, Ref) and anchor.step > at:
        match steps[anchor.step - 1]:
            case Keep(source):
                anchor = source
            case _:
                return False
    return anchor == Ref(at)


def _undated(step: Find) -> Iterator[Find]:
    """The step where it tells of what lasted, and of no day of it, or that it has no last; who coached
    a team by any other path, too."""
    span = span_of(mediator_type(step.path))
    if span is None:
        return
    open_end = Restriction("mediator", (Hop(span[1]),), (Lacks(),))
    kept = tuple(r for r in step.restrictions if r != open_end)
    if any(r.path in ((Hop(span[0]),), (Hop(span[1]),)) for r in kept):
        return
    yield replace(step, restrictions=kept)
    if step.path != _COACHES and step.path[-1].predicate.value.endswith(".coach") and not kept:
        yield replace(step, path=_COACHES, restrictions=())


def _span(step: Find) -> tuple[Iri, Iri]:
    span = span_of(mediator_type(step.path))
    assert span is not None
    return span


def _times(steps: Steps, last: Find, run: Run) -> Iterator[tuple[Literal, Literal]]:
    """The first and last day between which someone was there then. `last`: of the steps, what tells of a
    team."""
    if last.path in _CONTESTED:
        yield from _seasons((*steps[:-1], Find(last.anchor, _END)), run)
    elif mediator_type(last.path) == _ROSTER and (period := period_of(last)) is not None:
        yield period[1], period[2]


def _seasons(steps: Steps, run: Run) -> Iterator[tuple[Literal, Literal]]:
    """The first and last day between which someone was there in the season of the final whose date the steps
    find: New Year's Eve where it ends in the first half of a year, or the year before; the year else."""
    found = told(run, steps)
    match collect(found.rows) if found is not None and found.rows is not None else ():
        case (Literal(day),) if re.match(r"\d{4}-\d\d", day):
            year = int(day[:4])
            if int(day[5:7]) <= _SUMMER:
                yield _day(f"{year - 1}-12-31"), _day(f"{year - 1}-12-31")
                yield _day(f"{year - 1}-01-01"), _day(f"{year - 1}-12-31")
            yield _day(f"{year}-01-01"), _day(f"{year}-12-31")


def _day(day: str) -> Literal:
    return Literal(day, XSD + "date")
