"""The first or last of the answers where a question asks for one of them and its reading takes none: 'the
first president born in Texas', 'Who was the first US president?' read as today's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from kbqa.answers import collect
from kbqa.dialogue import Parse
from kbqa.lexicon.measures import MEASURES
from kbqa.reading.choosing import Chosen, told
from kbqa.rewire import line_of
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    Exists,
    Find,
    Hop,
    Iri,
    Keep,
    Kind,
    Lacks,
    Literal,
    Pick,
    Ref,
    Restriction,
    Step,
    Test,
    freebase,
)

_SAID = re.compile(
    r"(?:\A\W*|\b(?:the|whose|which|what|his|her|their)\s+|['’]s\s+)(?:very\s+)?"
    r"(?:(?P<first>first|earliest)|(?P<last>last|latest|final|newest|most\s+recent))\s+"
    r"(?!(?:names?|lady|ladies|times?|years?|world\s+war|war|season|level|class|base|amendment|days?|dates?|minister"
    r"|\w+ed|won|to|came|of|and|or)\b)[a-z]",
    re.IGNORECASE,
)
_DATES = tuple(m for m in MEASURES if m.kind is Kind.DATE and "earliest" in m.low)
"""Dates by which things that have them are the first or last."""
_HONOUR = "award.award_honor"
_AWARDED = freebase("award.award_honor.year")


def first_as_said(chosen: Chosen, text: str, now: Literal, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with the first or last of its things: by when what ties them together began, or else by
    when they did. What it says of today (`now`) goes. The same where the question asks for no such thing, the
    reading takes it, or it can't be told."""
    said = _SAID.search(text)
    steps = chosen.parse.decomposition.steps
    answers = collect(chosen.rows) if chosen.rows is not None else ()
    if said is None or not answers or not all(isinstance(a, Iri) for a in answers):
        return chosen
    if not all(isinstance(s, Find | Keep) for s in steps):
        return chosen
    ever = tuple(_ever(step, now) for step in steps)
    every = told(run, ever)
    number = len(collect(every.rows)) if every is not None and every.rows is not None else 0
    for pick in _picks(ever, said["last"] is not None) if number > 1 else ():
        has = Keep(pick.source, restrictions=(Restriction(pick.site, pick.path, (Exists(),)),))
        if pick.site == "answer" and told(run, (*ever, has)) is None:
            continue
        found = told(run, (*ever, pick))
        if found is not None and found.rows is not None and len(collect(found.rows)) < number:
            return replace(found, left_out=chosen.left_out)
    return chosen


def _picks(steps: tuple[Step, ...], last: bool) -> Iterator[Pick]:
    """The ways to take the first or last of what the steps find."""
    source, step = Ref(len(steps)), steps[line_of(steps)[-1] - 1]
    kind = mediator_type(step.path) if isinstance(step, Find) else None
    if (span := span_of(kind)) is not None:
        began = _AWARDED if kind == _HONOUR else span[0]
        yield Pick(source, "mediator", (Hop(began),), last, Kind.DATE)
    for measure in _DATES:
        yield Pick(source, "answer", measure.path, last, Kind.DATE)


def _ever(step: Step, now: Literal) -> Step:
    """The step without what it says of today."""
    span = span_of(mediator_type(step.path)) if isinstance(step, Find | Keep) else None
    if span is None or not isinstance(step, Find | Keep):
        return step

    def of_today(test: Test) -> bool:
        return getattr(test, "value", None) == now or test == Lacks()

    dates = {(Hop(p),) for p in span}
    kept = (r for r in step.restrictions if r.path not in dates or not any(map(of_today, r.tests)))
    return replace(step, restrictions=tuple(kept))
