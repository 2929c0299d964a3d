"""Superlatives that a reading has and its question has not: 'wives of Henry VIII' read as the last one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from kbqa.choosing import Chosen, told
from kbqa.dialogue import Parse
from kbqa.errors import FeedbackError
from kbqa.measuring import LATEST
from kbqa.rewire import deleted
from kbqa.types import Pick

_SAID = re.compile(
    r"\b(?:first|last|latest|final\w*|initial\w*|original\w*|most|least|best|worst|top|second|third|fourth"
    r"|\d+(?:st|nd|rd|th)|recent\w*|current\w*|now|nowadays|today|present\w*|start\w*|beg[aiu]n\w*|became|become|ever"
    r"|new|old|long ago|debut\w*|max\w*|min\w*|\w{2,}est)\b",
    re.IGNORECASE,
)
"""Words that may ask for the first or the largest of several."""


def without_unsaid(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading without what takes the first or largest of its answers, where no word of the question asks
    for that; the same where one does, or nothing would be told. The latest of dated figures stays."""
    if not chosen.told or _SAID.search(text):
        return chosen
    steps = chosen.parse.decomposition.steps
    for number in range(len(steps), 0, -1):
        step = steps[number - 1]
        if isinstance(step, Pick) and step.path not in LATEST.values():
            try:
                steps = deleted(steps, number)
            except FeedbackError:
                return chosen
    found = told(run, steps) if steps != chosen.parse.decomposition.steps else None
    return chosen if found is None else replace(found, left_out=chosen.left_out)
