"""Periods that a knowledge base can check: 'in 1921' said of the year of an award, not of a term of office.

A node in between that has neither a first nor a last day would fulfil every period, as one that is open at
both ends does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from kbqa.dialogue import Parse
from kbqa.rewire import reread
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    FREEBASE,
    NOW,
    XSD,
    Find,
    Hop,
    Iri,
    Keep,
    Kind,
    Literal,
    OpenThan,
    Restriction,
    Step,
    Than,
)

POINTS = ("year", "date")
"""Predicates, by their last name, that say when something happened."""

_OFFICES = re.compile(
    r"\A\W*(?:(?:list|name|all|the|of|show|me|give|us|which|what)\s+)*"
    r"(?:(?:prime|vice|first|foreign)\s+)?(?:presidents|ministers|premiers|chancellors|governors|mayors|kings|queens"
    r"|monarchs|popes|emperors|senators|rulers)\b"
)
_PRESENT = re.compile(r"\b(?:is|are|am|does|do|has|now|today|current\w*|present|sitting|serving)\b")
"""'Prime ministers from Likud' are all that there were, unless a word speaks of today."""


def asks_for_holders(text: str) -> bool:
    """Whether a question, in lower case, asks for the holders of an office, and not those of today alone."""
    return _OFFICES.search(text) is not None and _PRESENT.search(text) is None


def checkable(parse: Parse, predicates: Collection[Iri]) -> Parse:
    """The reading with its periods said of a year or date that the data has where they were said of a first
    and last day that it hasn't. `predicates`: those that occur; none where that is not known."""
    return reread(parse, lambda step: _dated(step, predicates))


def as_of(parse: Parse, now: Literal) -> Parse:
    """The reading with 'now' meaning that day (the parser's `NOW` is the day of Freebase's last dump)."""
    return reread(parse, lambda s: with_tests(s, lambda t: replace(t, value=now) if t.value == NOW else t))


def during(span: tuple[Iri, Iri], first: Literal, last: Literal) -> tuple[Restriction, Restriction]:
    """That a node in between, whose first and last day these predicates hold, was so at some time between the
    two days."""
    return (
        Restriction("mediator", (Hop(span[0]),), (OpenThan("<=", last, Kind.DATE),)),
        Restriction("mediator", (Hop(span[1]),), (OpenThan(">=", first, Kind.DATE),)),
    )


def period_of(step: Find | Keep) -> tuple[tuple[Hop, Hop], Literal, Literal] | None:
    """The hops to when what a step goes by began and ended, and the first and last day of the period at some
    time of which it lasted, or in which it began; None where there is no such condition."""
    first, last = span_of(mediator_type(step.path)) or (None, None)
    if first is None or last is None:
        return None
    hops = Hop(first), Hop(last)
    for one, other in pairwise(step.restrictions):
        match one, other:
            case (
                Restriction("mediator", (began,), (OpenThan("<=", Literal() as to, _),)),
                Restriction("mediator", (ended,), (OpenThan(">=", Literal() as since, _),)),
            ) if (began, ended) == hops:
                return hops, since, to
    days = next((d for r in step.restrictions if (d := _began_between(r, first))), None)
    return (hops, *days) if days else None


def at_end(step: Step, end: int, elected: bool = False) -> Step:
    """The step with what began (0) or ended (1) in its period instead of what lasted; who was `elected` in a
    year began in it or in the next January."""
    period = period_of(step) if isinstance(step, Find | Keep) else None
    if period is None or not isinstance(step, Find | Keep):
        return step
    hops, since, to = period
    if elected and since.lexical[4:] == "-01-01" and to.lexical[4:] == "-12-31":
        since = replace(since, lexical=since.lexical[:4] + "-02-01")
        to = replace(to, lexical=f"{int(to.lexical[:4]) + 1:04d}-01-31")
    within = Restriction("mediator", (hops[end],), (Than(">=", since, Kind.DATE), Than("<=", to, Kind.DATE)))
    others = (r for r in step.restrictions if r.path not in ((hops[0],), (hops[1],)))
    return replace(step, restrictions=(*others, within))


def lasting(step: Step, since: str) -> Step:
    """The step with what lasted at some time of a period that begins with this day instead of what began in
    it, or began and ended."""
    span = span_of(mediator_type(step.path)) if isinstance(step, Find | Keep) else None
    if span is None or not isinstance(step, Find | Keep):
        return step
    days = (_began_between(r, span[0]) for r in step.restrictions)
    return throughout(step) if any(d and d[0].lexical == since for d in days) else step


def throughout(step: Step) -> Step:
    """The step with what lasted at some time between two days instead of what began, and ended, between
    them."""
    span = span_of(mediator_type(step.path)) if isinstance(step, Find | Keep) else None
    if span is None or not isinstance(step, Find | Keep):
        return step
    days = next((d for r in step.restrictions if (d := _began_between(r, span[0]))), None)
    if days is None:
        return step
    others = (r for r in step.restrictions if r.path not in ((Hop(span[0]),), (Hop(span[1]),)))
    return replace(step, restrictions=(*others, *during(span, *days)))


def _began_between(r: Restriction, first: Iri) -> tuple[Literal, Literal] | None:
    """The two days between which a condition says that something began; None where it says no such thing."""
    match r:
        case Restriction(
            "mediator", (Hop(began),), (Than(">=", Literal() as since, _), Than("<=", Literal() as to, _))
        ) if began == first:
            return since, to
    return None


def with_tests(step: Step, change: Callable[[OpenThan | Than], OpenThan | Than]) -> Step:
    """The step with its comparisons changed."""
    if not isinstance(step, Find | Keep):
        return step
    restrictions = tuple(
        replace(r, tests=tuple(change(t) if isinstance(t, OpenThan | Than) else t for t in r.tests))
        for r in step.restrictions
    )
    return replace(step, restrictions=restrictions)


def unchecked(step: Step, predicates: Collection[Iri]) -> bool:
    """Whether the step holds a period that nothing in the data can fail."""
    return isinstance(step, Find | Keep) and any(_unknown(r, predicates) for r in step.restrictions)


def _dated(step: Step, predicates: Collection[Iri]) -> Step:
    if not isinstance(step, Find | Keep) or not unchecked(step, predicates):
        return step
    return replace(step, restrictions=tuple(_said(step.restrictions, predicates)))


def _said(restrictions: tuple[Restriction, ...], predicates: Collection[Iri]) -> Iterator[Restriction]:
    bounds: dict[Iri, list[Restriction]] = {}
    for r in restrictions:
        point = _point(r, predicates) if _unknown(r, predicates) else None
        if point is None:
            yield r
        else:
            bounds.setdefault(point, []).append(r)
    for point, some in bounds.items():
        tests = [Than(t.operator, t.value, t.kind) for r in some for t in r.tests if isinstance(t, OpenThan)]
        if len(tests) > 1 and len({t.value for t in tests}) == 1:  # one day, such as today, is no year
            yield from some
        else:
            yield Restriction("mediator", (Hop(point),), _year(point, tests) or tuple(tests))


def _year(point: Iri, tests: Sequence[Than]) -> tuple[Than, ...]:
    """'is 1921' for the bounds of a whole year; () for others."""
    said = {t.operator: t.value.lexical for t in tests if isinstance(t.value, Literal)}
    first, last = said.get(">=", ""), said.get("<=", "")
    year = first.removesuffix("-01-01")
    if (
        len(tests) != 2
        or not point.value.endswith(".year")
        or (first, last) != (f"{year}-01-01", f"{year}-12-31")
    ):
        return ()
    return (Than("=", Literal(year, XSD + "decimal"), Kind.DATE),)


def _unknown(r: Restriction, predicates: Collection[Iri]) -> bool:
    """Whether it is an open bound on a predicate that doesn't occur."""
    if not predicates or r.site != "mediator" or len(r.path) != 1:
        return False
    return r.path[0].predicate not in predicates and all(isinstance(t, OpenThan) for t in r.tests)


def _point(r: Restriction, predicates: Collection[Iri]) -> Iri | None:
    kind = r.path[0].predicate.mid.rpartition(".")[0]
    found = (Iri(f"{FREEBASE}{kind}.{name}") for name in POINTS)
    return next((p for p in found if p in predicates), None)
