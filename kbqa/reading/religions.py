"""The religion that most people have, where a question asks for the main one of a country and its reading
takes all that there are."""

from __future__ import annotations

import re

from kbqa.reading.choosing import Chosen, instead, told
from kbqa.reading.rule import Run
from kbqa.types import Find, Hop, Keep, Kind, Pick, Ref, freebase

_FAITH = r"(?:religion|faith|belief|religious group|denomination)"
_MAIN = re.compile(
    r"\b(?:(?:main|major|majority|principal|chief|(?:pre)?dominant|prevailing|primary|biggest|largest"
    rf"|most\s+(?:common|popular|widespread|followed|practi[sc]ed|important))\s+{_FAITH}\b"
    rf"|{_FAITH}\s+(?:that\s+)?(?:is|has|with)\s+(?:the\s+)?most\b"
    rf"|{_FAITH}\s+(?:do|does|did)\s+(?:the\s+)?(?:most|majority)\b"
    r"|(?:the\s+)?most\s+(?:of\s+the\s+)?(?:people|folks?|inhabitants|citizens|locals)\b"
    r".*\b(?:follow|believe|practi[sc]e|worship))",
    re.IGNORECASE,
)
"""One that is asked for: 'the main religions' are several."""
_RELIGIONS = (
    Hop(freebase("location.statistical_region.religions")),
    Hop(freebase("location.religion_percentage.religion")),
)
_SHARE = (Hop(freebase("location.religion_percentage.percentage")),)


def main_religion(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with the religion that has the largest share of the people; the same where the question
    asks for no such thing, or the shares are not known."""
    steps = chosen.parse.decomposition.steps
    at = next((i for i, s in enumerate(steps, 1) if isinstance(s, Find) and s.path == _RELIGIONS), 0)
    if not at or not _MAIN.search(text) or not all(isinstance(s, Keep) for s in steps[at:]):
        return chosen
    found = told(run, (*steps[:at], Pick(Ref(at), "mediator", _SHARE, True, Kind.NUMBER)))
    return instead(chosen, found)
