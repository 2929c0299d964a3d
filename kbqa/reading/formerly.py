"""What somebody belonged to before: 'What band was the singer of Audioslave in before?' leaves out Audioslave
and what came after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kbqa.answers import collect
from kbqa.intake import constants_of
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, first_told, instead, told
from kbqa.reading.periods import during
from kbqa.reading.rule import Run
from kbqa.rewire import Steps
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    Find,
    Hop,
    Iri,
    Is,
    Keep,
    Kind,
    Literal,
    OpenThan,
    Path,
    Ref,
    Restriction,
    Test,
    Than,
)

_BEFORE = re.compile(
    r"\b(?:before|previous(?:ly)?|earlier|former(?:ly)?|originally|beforehand|used\s+to)\b", re.IGNORECASE
)


def formerly_as_said(chosen: Chosen, text: str, mentions: Sequence[Mention], run: Run) -> Chosen:
    """The reading with those of the bands or teams that somebody was in before the one that is named; the
    same where the question asks for no such thing, or the dates are not known."""
    steps = chosen.parse.decomposition.steps
    last = steps[-1] if steps else None
    span = span_of(mediator_type(last.path)) if isinstance(last, Find) else None
    if not isinstance(last, Find) or span is None or not _BEFORE.search(text):
        return chosen
    if any(isinstance(t, Than) and t.kind is not Kind.STRING for r in last.restrictions for t in r.tests):
        return chosen
    head = steps[:-1] if isinstance(last.anchor, Ref) else ()
    every = told(run, (*head, Find(last.anchor, last.path)))
    found = collect(every.rows) if every is not None and every.rows is not None else ()
    named = {c for step in steps for c in constants_of(step)} | {
        c.entity for m in mentions for c in m.candidates
    }
    here = [a for a in found if isinstance(a, Iri) and a in named]
    return instead(chosen, first_told(run, _before(head, last, here, span)))


def _before(head: Steps, last: Find, here: list[Iri], span: tuple[Iri, Iri]) -> Iterator[Steps]:
    """Who it is, when they came to what is named, and what they had come to before."""
    whole, group = last.path[:1], last.path[1:]
    sooner = Restriction("mediator", (Hop(span[0]),), (Than("<", Ref(len(head) + 1), Kind.DATE),))
    for thing in here:
        when = Find(last.anchor, (*whole, Hop(span[0])), (Restriction("mediator", group, (Is(thing),)),))
        yield (*head, when, Find(last.anchor, last.path, (sooner,)))


def of_own_time(chosen: Chosen, run: Run) -> Chosen:
    """The reading of where somebody belonged since a date with that date said of their own time there, not of
    anybody's: 'Which team did Manning play for after 2012?' is about his contract, not his team mates'. The
    same otherwise."""
    match chosen.parse.decomposition.steps:
        case (
            Find(Iri() as who, (_, _) as path, kept),
            Keep(Ref(1), None, (), (Restriction("answer", (_, Hop() as date), tests),)),
        ) if (span := span_of(mediator_type(path))) is not None and _is_of_time(date):
            ends = Hop(span[0]), Hop(span[1])
            return instead(chosen, first_told(run, _own(who, path, kept, tests, ends)))
    return chosen


def _is_of_time(date: Hop) -> bool:
    """Whether it leads to when somebody's time somewhere began."""
    kind, _, _ = date.predicate.mid.rpartition(".")
    return date.predicate in (span_of(kind) or ())[:1]


def _own(
    who: Iri, path: Path, kept: tuple[Restriction, ...], tests: tuple[Test, ...], ends: tuple[Hop, Hop]
) -> Iterator[Steps]:
    """With what began then, or else what lasted."""
    yield (Find(who, path, (*kept, Restriction("mediator", (ends[0],), tests))),)
    match tests:
        case (Than(">" | ">=" as later, Literal() as day, kind),):
            lasted = Restriction("mediator", (ends[1],), (OpenThan(later, day, kind),))
            yield (Find(who, path, (*kept, lasted)),)
        case (Than(">=" | ">", Literal() as first, _), Than("<=" | "<", Literal() as last, _)):
            span = ends[0].predicate, ends[1].predicate
            yield (Find(who, path, (*kept, *during(span, first, last))),)
