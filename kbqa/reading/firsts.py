"""The first or last of the answers where a question asks for one of them and its reading takes none: 'the
first president born in Texas', 'Who was the first US president?' read as today's, 'When did the Cubs last win
the World Series?', 'the club where Zidane ended his career'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kbqa.answers import collect
from kbqa.lexicon.measures import MEASURES
from kbqa.reading.choosing import Chosen, first_told, instead, told
from kbqa.reading.periods import asks_for_holders
from kbqa.reading.ranking import DATES
from kbqa.reading.rule import Run
from kbqa.reading.superlatives import has_value, is_of_answers
from kbqa.rewire import Steps, inserted, line_of
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    Constant,
    Find,
    Hop,
    Iri,
    Keep,
    Kind,
    Lacks,
    Literal,
    Pick,
    Ref,
    Step,
    Test,
    freebase,
)

_SAID = re.compile(
    r"(?:\A\W*|\b(?:the|whose|which|what|his|her|their|year|date|when)\s+|['’]s\s+)(?:very\s+)?"
    r"(?:(?P<first>first|earliest)|(?P<last>last|latest|final|newest|most\s+recent))\s+"
    r"(?!(?:names?|lady|ladies|times?|years?|world\s+war|war|season|level|class|base|amendment|days?|dates?|minister"
    r"|\w+ed|won|to|came|of|and|or)\b)[a-z]"
    r"|\b(?:first|originally)\s+(?=play|portray|voice)|\b(?P<lately>last|most\s+recently)\s+(?=play|portray|voice)"
    r"|\bplay(?:s|ed)?\s[^,?.]*\s(?:first|originally|(?P<at_last>last|most\s+recently))(?=\W*\Z)",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:when|(?:what|which)\s+(?:year|date|day)|last\s+time|first\s+time)\b.*?"
    r"\b(?:(?P<first>first)|(?P<last>last|most\s+recently|latest))\b(?!\s+(?:names?|lady|world\s+war)\b)",
    re.IGNORECASE,
)
"""Asks for one of several dates."""
_CAREER = re.compile(
    r"\b(?:(?P<first>start|beg[aiu]n|launch|kick)|(?P<last>end|finish|conclud|clos))\w*\s+"
    r"(?:(?:off|out|up)\s+)?(?:(?:his|her|their|the)\s+)?(?:\w+\s+){0,2}career\b",
    re.IGNORECASE,
)
"""Asks for the first or last of what a career is made of."""
_DATES = tuple(m for m in MEASURES if m.kind is Kind.DATE and "earliest" in m.low)
"""Dates by which things that have them are the first or last."""
_BORN = (Hop(freebase("people.person.date_of_birth")),)
_CHILD = re.compile(r"born|birth|child|kid|son|daughter|baby|grand", re.IGNORECASE)
_HONOUR = "award.award_honor"
_CHARACTER = re.compile(r"\bcharacter|_character\b")
_SHOWN = {
    "film.performance": (
        Hop(freebase("film.performance.film")), Hop(freebase("film.film.initial_release_date")),
    ),
    "tv.regular_tv_appearance": (
        Hop(freebase("tv.regular_tv_appearance.series")),
        Hop(freebase("tv.tv_program.air_date_of_first_episode")),
    ),
}  # fmt: skip
"""When those who played a character were first seen so."""
_AWARDED = freebase("award.award_honor.year")


def first_as_said(chosen: Chosen, text: str, now: Literal, run: Run) -> Chosen:
    """The reading with the first or last of its things: by when what ties them together began, or else by
    when they did; of what it finds, or of what it finds on the way ('who directed the first film of'). What
    it says of today (`now`) goes. The same where the question asks for no such thing, the reading takes it,
    or it can't be told."""
    said = _SAID.search(text)
    steps = chosen.parse.decomposition.steps
    answers = collect(chosen.rows) if chosen.rows is not None else ()
    one = _of_career(steps, text, run) or _of_dates(steps, answers, text, run)
    if one is not None:
        return replace(one, left_out=chosen.left_out)
    if said is None or not steps:
        return chosen
    last = any(said[name] is not None for name in ("last", "lately", "at_last"))
    if not all(isinstance(s, Find | Keep) for s in steps):
        return instead(chosen, first_told(run, _by_tie(steps, text[said.end() - 1 :], last)))
    always = tuple(ever(step, now) for step in steps)
    for at in _places(chosen, text, said.start("last" if last else "first")):
        every = told(run, always[:at])
        answers = collect(every.rows) if every is not None and every.rows is not None else ()
        if len(answers) < 2 or not all(isinstance(a, Iri) for a in answers):
            continue
        for pick in _picks(always[:at], last):
            found = _one_of(always[:at], pick, len(answers), run)
            if found is not None and at < len(always):
                found = first_told(run, inserted(always, at + 1, pick))
            if found is not None:
                return instead(chosen, found)
    return chosen


def _places(chosen: Chosen, text: str, start: int) -> Sequence[int]:
    """The numbers of the steps of whose answers the first may be asked for, the likeliest first: the last
    one's where they are things, and those before unless the question opens with it."""
    answers = collect(chosen.rows) if chosen.rows is not None else ()
    number = len(chosen.parse.decomposition.steps)
    if not answers:
        return ()
    ends = (number,) if all(isinstance(a, Iri) for a in answers) else ()
    return ends if is_of_answers(text, start) else (*ends, *range(number - 1, 0, -1))


def _one_of(steps: Steps, pick: Pick, number: int, run: Run) -> Chosen | None:
    """What a choice leaves of so many things; None where it leaves all, or can't choose."""
    if pick.site == "answer" and not has_value(steps, pick.source, pick.path, run):
        return None
    found = told(run, (*steps, pick))
    return (
        found if found is not None and found.rows is not None and len(collect(found.rows)) < number else None
    )


def _by_tie(steps: Steps, noun: str, last: bool) -> Iterator[Steps]:
    """The first wife is not the oldest: the steps with a choice by birth made by when the tie began, unless
    what is called the first (`noun`, and what follows it) is a child."""
    for at, pick in enumerate(steps, 1):
        match pick:
            case Pick(Ref(source), "answer", path) if path == _BORN and not _CHILD.match(noun):
                by_tie = next(_picks(steps[:source], last), None)
                if by_tie is not None and by_tie.site == "mediator":
                    yield (*steps[: at - 1], replace(by_tie, offset=pick.offset), *steps[at:])


def _of_career(steps: Steps, text: str, run: Run) -> Chosen | None:
    """The reading with where a career began or ended, of all that it is made of; None where the question asks
    for no such thing, or the reading takes it."""
    said = _CAREER.search(text)
    if said is None or not all(isinstance(s, Find | Keep) for s in steps):
        return None
    for number, step in enumerate(steps, 1):
        span = span_of(mediator_type(step.path)) if isinstance(step, Find) else None
        if span is not None:
            pick = Pick(Ref(number), "mediator", (Hop(span[0]),), said["last"] is not None, Kind.DATE)
            ways = inserted(steps, number + 1, pick)
            return first_told(run, ways)
    return None


def _of_dates(steps: Steps, answers: Sequence[Constant], text: str, run: Run) -> Chosen | None:
    """The first or last of the dates found, where the question asks for it; None otherwise."""
    said = _WHEN.search(text)
    dates = [a for a in answers if isinstance(a, Literal) and a.datatype in DATES]
    if said is None or len(answers) < 2 or len(dates) < len(answers):
        return None
    if not all(isinstance(s, Find | Keep) for s in steps):
        return None
    return told(run, (*steps, Pick(Ref(len(steps)), "answer", (), said["last"] is not None, Kind.DATE)))


def _picks(steps: Steps, last: bool) -> Iterator[Pick]:
    """The ways to take the first or last of what the steps find."""
    source, step = Ref(len(steps)), steps[line_of(steps)[-1] - 1]
    kind = mediator_type(step.path) if isinstance(step, Find) else None
    if isinstance(step, Find) and kind in _SHOWN and any(map(_of_character, step.path)):
        yield Pick(source, "mediator", _SHOWN[kind], last, Kind.DATE)
    elif (span := span_of(kind)) is not None:
        began = _AWARDED if kind == _HONOUR else span[0]
        yield Pick(source, "mediator", (Hop(began),), last, Kind.DATE)
    for measure in _DATES:
        yield Pick(source, "answer", measure.path, last, Kind.DATE)


def _of_character(hop: Hop) -> bool:
    return _CHARACTER.search(hop.predicate.mid) is not None


def all_as_said(chosen: Chosen, text: str, now: Literal, run: Run) -> Chosen:
    """The reading with all that ever were, where the question asks for holders of an office and says nothing
    of today: 'prime ministers of Canada'. The same otherwise."""
    steps = chosen.parse.decomposition.steps
    always = tuple(ever(step, now) for step in steps)
    if always == steps or not asks_for_holders(text.lower()):
        return chosen
    found = told(run, always)
    return instead(chosen, found)


def ever(step: Step, now: Literal) -> Step:
    """The step without what it says of today."""
    span = span_of(mediator_type(step.path)) if isinstance(step, Find | Keep) else None
    if span is None or not isinstance(step, Find | Keep):
        return step

    def of_today(test: Test) -> bool:
        return getattr(test, "value", None) == now or test == Lacks()

    dates = {(Hop(p),) for p in span}
    kept = (r for r in step.restrictions if r.path not in dates or not any(map(of_today, r.tests)))
    return replace(step, restrictions=tuple(kept))
