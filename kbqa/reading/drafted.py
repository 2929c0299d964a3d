"""At which place somebody was picked in a draft: 'the third pick of the 1984 NBA draft' is one of those that
were picked in it, and 'the first' no one whose career began first.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kbqa.lexicon.numbers import CARDINALS, ORDINALS
from kbqa.reading.choosing import Chosen, instead, told
from kbqa.reading.rule import Run
from kbqa.rewire import Steps
from kbqa.templates.phrases import mediator_type
from kbqa.types import XSD, Find, Hop, Keep, Kind, Literal, Pick, Restriction, Step, Than, freebase

_PICK = "sports.sports_league_draft_pick"
_OVERALL = (Hop(freebase(f"{_PICK}.pick_overall")),)
_NUMBER = rf"(?P<{{}}>\d{{{{1,3}}}}(?:st|nd|rd|th)?|{'|'.join(filter(None, (*ORDINALS, *CARDINALS)))})"
_NO = r"(?:(?:number|no\.?|nr\.?|#)\s*)?"
_AT = re.compile(
    rf"{_NO}\b{_NUMBER.format('pick')}[\s-]+(?:overall\s+)?(?:draft\s+)?(?:pick|choice|selection|player\s+(?:picked|drafted"
    rf"|chosen|selected|taken))\b"
    rf"|\b(?:picked|drafted|chosen|selected|taken|went)\s+{_NO}\b{_NUMBER.format('went')}\b"
    rf"|\bpick\s+(?:number|no\.?|nr\.?|#)\s*{_NUMBER.format('number')}\b",
    re.IGNORECASE,
)


def place_of(text: str) -> int:
    """The place in a draft that the text speaks of; 0 where it speaks of none."""
    said = _AT.search(text)
    word = next(filter(None, said.groups()), "").lower() if said is not None else ""
    digits = re.match(r"\d+", word)
    if digits is not None:
        return int(digits[0])
    return next((row.index(word) for row in (ORDINALS, CARDINALS) if word in row and word), 0)


def picked_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading of a draft's picks with the one at the place that the question says, and without what it
    takes first instead. The same where it says no place, or nobody is known to have been picked there."""
    place = place_of(text)
    steps = chosen.parse.decomposition.steps
    kept: Steps = tuple(step for step in steps if not isinstance(step, Pick))
    at = next((i for i, step in enumerate(kept) if _is_of_picks(step)), None)
    if not place or at is None or any(isinstance(s, Pick) for s in steps[: len(kept)]):
        return chosen
    step = kept[at]
    assert isinstance(step, Find | Keep)
    there = Than("=", Literal(str(place), XSD + "decimal"), Kind.NUMBER)
    picked = replace(step, restrictions=(*step.restrictions, Restriction("mediator", _OVERALL, (there,))))
    found = told(run, (*kept[:at], picked, *kept[at + 1 :]))
    return instead(chosen, found)


def _is_of_picks(step: Step) -> bool:
    """Whether a step leads over the picks of a draft, at whatever place."""
    if not isinstance(step, Find | Keep) or mediator_type(step.path) != _PICK:
        return False
    return step.path[-1:] != _OVERALL and all(r.path != _OVERALL for r in step.restrictions)
