"""On which side of a date or number the things asked for are, by the words around it.

A network that reads 'albums from 1991 onwards' may write the right predicate and the right value and still
take the wrong side of it. What stands beside the value in the question says which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from kbqa.dialogue import Parse
from kbqa.parse.literals import Value, find_values
from kbqa.rewire import reread
from kbqa.types import XSD, Find, Keep, Kind, Literal, OpenThan, Operator, Restriction, Step, Than

_Bounds = tuple[Operator, ...]
_WITHIN: _Bounds = (">=", "<=")
"""From the first day of a period to its last."""
_Days = tuple[tuple[Operator, str], ...]
_PAST_ALL: _Bounds = (">", "<=")
"""What is compared with a period's last day: 'after 1990' is no day of that year, 'up to 1990' is any."""


def _before_value(words: str) -> re.Pattern[str]:
    filler = r"(?:the|early|mid|late|year|years?|about|around|roughly|a|an|total|of|population|us|\$|€|£)"
    return re.compile(rf"(?<![\w'])(?:{words})\s+(?:{filler}\s*)*\Z")


_NOT = r"(?:no|not|n't)\s+"
_MORE = "more|greater|larger|bigger|higher|taller|longer|deeper|heavier"
_LESS = "less|fewer|smaller|lower|shorter|lighter|shallower"
_DATES: tuple[tuple[_Bounds, re.Pattern[str]], ...] = (
    (("<=",), _before_value(rf"{_NOT}(?:later than|after)|by|until|till|up to")),
    ((">=",), _before_value(rf"{_NOT}(?:earlier than|before)")),
    (("<",), _before_value("before|prior to|earlier than|preceding")),
    ((">=",), _before_value("since")),
    ((">",), _before_value("after|later than|following|post")),
    (_WITHIN, _before_value("in|during|within|between|throughout")),
)
_NUMBERS: tuple[tuple[_Bounds, re.Pattern[str]], ...] = (
    (("<=",), _before_value(rf"{_NOT}(?:(?:{_MORE}) than|over|above)|at most|up to")),
    ((">=",), _before_value(rf"{_NOT}(?:(?:{_LESS}) than|under|below)|at least|minimum")),
    ((">",), _before_value(
        rf"(?:{_MORE}) than|over|above|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|top(?:s|ped|ping)?|beyond"
        "|upwards of"
    )),
    (("<",), _before_value(rf"(?:{_LESS}) than|under|below|beneath")),
)  # fmt: skip
_DATES_BEHIND: tuple[tuple[_Bounds, re.Pattern[str]], ...] = (
    ((">=",), re.compile(r"\s+(?:onwards?\b|(?:and|or) (?:later|after|beyond|on(?:wards?)?)\b)")),
    (("<=",), re.compile(r"\s+(?:and|or) (?:earlier|before)\b")),
)
_NUMBERS_BEHIND: tuple[tuple[_Bounds, re.Pattern[str]], ...] = (
    ((">=",), re.compile(rf"\+|\s+(?:\w+\s+)?(?:or|and) (?:{_MORE}|above|over|up)\b")),
    (("<=",), re.compile(rf"\s+(?:\w+\s+)?(?:or|and) (?:{_LESS}|below|under)\b")),
)


def as_said(parse: Parse, text: str) -> Parse:
    """The reading with each date and number compared as the text says; the same where it doesn't say. A day
    or figure that is compared twice (a period) stays."""
    return reread(parse, lambda step: step_as_said(step, text))


def step_as_said(step: Step, text: str) -> Step:
    """As `as_said`, of one step."""
    said = find_values(text) if isinstance(step, Find | Keep) and step.restrictions else ()
    if not said or not isinstance(step, Find | Keep):
        return step
    restated = tuple(_restated(step.restrictions, said, text.lower()))
    return replace(step, restrictions=_one_sided(restated, said, text.lower()))


def as_written(step: Step, text: str) -> Step:
    """The inverse, as the network writes it: a period that the text names is compared by its first day, of
    which `step_as_said` makes the days that are meant."""
    if not isinstance(step, Find | Keep):
        return step
    said = [v for v in find_values(text) if v.first and v.first != v.last]
    return replace(step, restrictions=tuple(_named_whole(r, said) for r in step.restrictions))


def _named_whole(r: Restriction, said: Sequence[Value]) -> Restriction:
    bounds = [
        (t.operator, t.value.lexical[:10])
        for t in r.tests
        if isinstance(t, Than) and isinstance(t.value, Literal)
    ]
    for v in said if len(bounds) == len(r.tests) else ():
        before, behind = _day_beside(v.first, -1), _day_beside(v.last, 1)
        ways: dict[Operator, tuple[_Days, ...]] = {
            "=": (
                ((">=", v.first), ("<=", v.last)),
                ((">=", v.first), ("<", behind)),
                ((">", before), ("<", behind)),
            ),
            ">": (((">", v.last),), ((">=", behind),)),
            "<=": ((("<=", v.last),), (("<", behind),)),
            ">=": (((">", before),),),
            "<": ((("<=", before),),),
        }
        for operator, days in ways.items():
            if tuple(bounds) in days:
                return replace(r, tests=(Than(operator, Literal(v.first, XSD + "date"), Kind.DATE),))
    return r


def _day_beside(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def _restated(restrictions: Sequence[Restriction], said: Sequence[Value], text: str) -> Iterator[Restriction]:
    for r in map(_once, restrictions):
        alone = sum(other.path == r.path and other.site == r.site for other in restrictions) == 1
        match r.tests:
            case (Than(operator, Literal() as value, kind),) if alone:
                tests = _meant(operator, value, kind, said, text)
                yield replace(r, tests=tests) if tests else r
            case (OpenThan(">", Literal() as day, Kind.DATE),):
                last = {v.first: v.last for v in said if v.first}.get(day.lexical, day.lexical)
                yield replace(r, tests=(OpenThan(">", replace(day, lexical=last), Kind.DATE),))
            case _:
                yield r


def _one_sided(
    restrictions: tuple[Restriction, ...], said: Sequence[Value], text: str
) -> tuple[Restriction, ...]:
    """'After 2010' said of a time in office is not in 2010: it lasted longer."""
    for i, (began, ended) in enumerate(pairwise(restrictions)):
        match began.tests, ended.tests:
            case (OpenThan("<=", Literal(last)),), (OpenThan(">=", Literal(first)),):
                found = [beside(v, Kind.DATE, text) for v in said if (v.first, v.last) == (first, last)]
                if len(found) == 1 and len(found[0]) == 1:
                    (bound,) = found[0]
                    day = Literal(last if bound in _PAST_ALL else first, XSD + "date")
                    one = ended if bound in (">", ">=") else began
                    kept = replace(one, tests=(OpenThan(bound, day, Kind.DATE),))
                    return (*restrictions[:i], kept, *restrictions[i + 2 :])
    return restrictions


def _once(r: Restriction) -> Restriction:
    """From a period's first day to its first day is that period, and so with the least of a range."""
    match r.tests:
        case (Than(">=", first, kind), Than("<=", last, _)) if first == last:
            return replace(r, tests=(Than("=", first, kind),))
    return r


def _meant(
    operator: Operator, value: Literal, kind: Kind, said: Sequence[Value], text: str
) -> tuple[Than, ...]:
    """The tests that the text asks for in the place of this one; none where it says nothing else."""
    places = [v for v in said if v.literal(kind) == value]
    if len(places) != 1 or kind is Kind.STRING:
        return ()
    (place,) = places
    whole = kind is Kind.DATE and place.first != place.last
    if kind is Kind.NUMBER and place.most:
        return (Than(">=", value, kind), Than("<=", replace(value, lexical=place.most), kind))
    years = place.first[:4] != place.last[:4]
    found = beside(place, kind, text) or (_WITHIN if years or (whole and operator == "=") else ())
    if found == () or (found == _WITHIN and not whole):
        return ()
    last = replace(value, lexical=place.last) if whole else value
    return tuple(Than(bound, last if bound in _PAST_ALL else value, kind) for bound in found)


def beside(place: Value, kind: Kind, text: str) -> _Bounds:
    """What the words behind the value say of it, else those before it."""
    behind, before = (_DATES_BEHIND, _DATES) if kind is Kind.DATE else (_NUMBERS_BEHIND, _NUMBERS)
    for bounds, pattern in behind:
        if pattern.match(text, place.end):
            return bounds
    start = text[: place.start]
    return next((bounds for bounds, pattern in before if pattern.search(start)), ())
