"""Occasions: 'the last time the Bulls won the title' is one of those they won, where no date is asked for; an
award and the season in which it was won are of one occasion, not each of any.
"""

from __future__ import annotations

import re

from kbqa.reading.choosing import Chosen, instead, reading, told
from kbqa.reading.rule import Run
from kbqa.rewire import with_references
from kbqa.templates.phrases import mediator_type
from kbqa.types import Find, Iri, Is, Keep, Kind, Pick, Ref, Restriction

_LAST_TIME = re.compile(
    r"\b(?:last|latest|first|most\s+recent|earliest)\s+(?:time|occasion)\b", re.IGNORECASE
)
_DATE = re.compile(r"\b(?:when|date|day|year|month|how\s+long)s?\b", re.IGNORECASE)


def occasion_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with the event itself where it tells its date and none is asked for; the same otherwise."""
    if not _LAST_TIME.search(text) or _DATE.search(text):
        return chosen
    match chosen.parse.decomposition.steps:
        case (*before, Find(Ref() as event, path, ()), Pick(_, "answer", (), descending, Kind.DATE)) if path:
            if before and event == Ref(len(before)):
                return instead(
                    chosen, told(run, (*before, Pick(event, "answer", path, descending, Kind.DATE)))
                )
    return chosen


def at_once(chosen: Chosen, run: Run) -> Chosen:
    """The reading with two conditions on what ties things together said of one such tie, where the second
    step says them apart and something is found so: the winners of an award in a season."""
    match chosen.parse.decomposition.steps:
        case (Find(anchor, path, kept), Keep(Ref(1), Iri() as thing, other, ()), *rest):
            kind = mediator_type(path)
            apart = path[0] == other[0] or path[1:] != other[1:]
            if kind is None or kind != mediator_type(other) or apart:
                return chosen
            tied = Restriction("mediator", (other[0].reversed,), (Is(thing),))
            moved = (with_references(step, lambda ref: Ref(max(1, ref.step - 1))) for step in rest)
            whole = Find(anchor, path, (*kept, tied))
            return instead(chosen, run(reading((whole, *moved))) if told(run, (whole,)) else None)
    return chosen
