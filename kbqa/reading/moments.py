"""What was so when something else was: 'Who was president when Elvis died?', '... during World War II?'

Nothing in the parser's training asks so. When it was is read first, and then the rest with its year, for
which the very day, or the days from the first to the last, then stand where something lasted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.answers import collect
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.periods import lasting, with_tests
from kbqa.reading.rule import Rule
from kbqa.rewire import with_references
from kbqa.types import Find, Hop, Iri, Literal, OpenThan, Ref, Step, Than, freebase

_START, _END = freebase("time.event.start_date"), freebase("time.event.end_date")
_WHEN = re.compile(
    r"\W*(?P<head>\S.*?),?\s+(?:(?:in |during )?the (?:same )?year (?:that |when |in which )?"
    r"|at the time (?:that |when )?|(?:on )?the day (?:that |when )?|when )(?P<event>\S.*?)\W*",
    re.IGNORECASE | re.DOTALL,
)
_DURING = re.compile(
    r"\W*(?P<head>\S.*?),?\s+(?:during|throughout|at the time of)\s+(?:the\s+)?",
    re.IGNORECASE | re.DOTALL,
)
_OF_A_TIME = re.compile(r"(?:when|what (?:year|date|day)|how (?:old|long|many years))\b", re.IGNORECASE)
"""Questions that ask for a time themselves."""
_LASTED = re.compile(
    r"\b(?:was|were)\s+(?:still\s+)?(?:(?:the|an?|in|us)\s+)*(?:(?:prime|vice|us|american)\s+)?"
    r"(?:president|minister|governor|king|queen|emperor|chancellor|mayor|pope|office|power|alive|young|child|married)\b",
    re.IGNORECASE,
)
"""What has no one day."""
_BEGAN = re.compile(
    r"\b(?:became|joined|took|started|began|elected|married|left|quit|came|won)\b", re.IGNORECASE
)
_DAY, _MONTH = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{4}-\d\d")
_STARTED = r"(?:(?:had\s+)?(?:first\s+)?(?:began|begun|started|broke out|happened|occurred|took place))?"
_ENDED = r"(?:(?:finally\s+)?(?:ended|finished|concluded)|was over|came to an end)"
_LASTED_FOR = r"(?:was\s+(?:being\s+)?(?:fought|going on|happening|raging|on|defeated)|sailed)"
_SPANS = tuple(
    (re.compile(rf"\s*{words}", re.IGNORECASE), dates)
    for words, dates in ((_STARTED, (_START,)), (_ENDED, (_END,)), (_LASTED_FOR, (_START, _END)))
)
"""What is said of an event, and which of its days are meant."""


class Moments(Rule):
    """Reads what was so when something else was."""

    def then(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading in steps of when it was and of what was so then; None where the question asks for no
        such thing, or either can't be told."""
        if self._kb.own:
            return None
        for mention in mentions:
            said = _DURING.fullmatch(text, 0, mention.start)
            if said is not None and not text[mention.end :].strip(" ?.!"):
                return self._during(said["head"], mention, (_START, _END))
        said = _WHEN.fullmatch(text)
        if said is None or not any(m.start >= said.start("event") for m in mentions):
            return None
        if any(said.end("head") < m.end and m.start < said.start("event") for m in mentions):
            return None  # a name holds the 'when'
        if _OF_A_TIME.match(said["head"]) or _LASTED.search(said["event"]):
            return None
        for mention in mentions:
            dates = _dates_said(text, mention, *said.span("event"))
            found = self._during(said["head"], mention, dates) if dates else None
            if found is not None:
                return found
        when = self._read(f"When {said['event']}?")
        day = _date(when)
        return self._asked(said["head"], when.parse.decomposition.steps, day, day) if when and day else None

    def _during(self, head: str, event: Mention, dates: Sequence[Iri]) -> Chosen | None:
        """What was so between the first and the last of these days of an event."""
        for thing in () if _OF_A_TIME.match(head) else namesakes(event):
            steps = [Find(thing, (Hop(date),)) for date in dates]
            days = [_date(told(self._run, (step,))) for step in steps]
            if days[0] and days[-1]:
                once = days[0] == days[-1]
                return self._asked(head, steps[:1] if once else steps, days[0], days[-1])
        return None

    def _asked(self, head: str, steps: Sequence[Step], first: str, last: str) -> Chosen | None:
        found = self._read(f"{head} in {first[:4]}?")
        if found is None:
            return None
        asked = found.parse.decomposition.steps
        if not _BEGAN.search(head):
            asked = tuple(lasting(step, f"{first[:4]}-01-01") for step in asked)
        if not any(_between(step, first, last) != step for step in asked) and first != last:
            return None
        moved = [
            with_references(_between(step, first, last), lambda ref: Ref(ref.step + len(steps)))
            for step in asked
        ]
        return told(self._run, (*steps, *moved))


def end_of_event(text: str, mention: Mention) -> int:
    """Where what the text says of an event ends: that it began, or ended."""
    found = (said.match(text, mention.end) for said, _ in _SPANS)
    return max([mention.end, *(m.end() for m in found if m is not None and m[0].strip())])


def _dates_said(text: str, mention: Mention, start: int, end: int) -> tuple[Iri, ...]:
    """Which dates of an event this part of the text speaks of; none where it speaks of more than that."""
    if text[start : mention.start].strip().lower() not in ("", "the"):
        return ()
    return next((dates for said, dates in _SPANS if said.fullmatch(text, mention.end, end)), ())


def _date(found: Chosen | None) -> str | None:
    """The one date that a reading finds."""
    answers = collect(found.rows) if found is not None and found.rows is not None else ()
    match answers:
        case (Literal(lexical),) if re.match(r"\d{4}", lexical):
            return lexical
    return None


def _between(step: Step, first: str, last: str) -> Step:
    """The step with these days as the bounds of its period where it has the first one's year. What happened
    at one time is left in the year of a single day."""
    year = first[:4]
    days = {f"{year}-01-01": (first, "-01-01"), f"{year}-12-31": (last, "-12-31")}

    def exact(test: OpenThan | Than) -> OpenThan | Than:
        if not isinstance(test.value, Literal) or test.value.lexical not in days:
            return test
        if isinstance(test, Than) and first == last:
            return test
        day, end = days[test.value.lexical]
        month = f"{day}{end[3:] if end == '-01-01' else '-28'}" if _MONTH.fullmatch(day) else day[:4] + end
        known = day if _DAY.fullmatch(day) else month
        return replace(test, value=replace(test.value, lexical=known))

    return with_tests(step, exact)
