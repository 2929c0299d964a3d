"""What all of several people have: 'the university that both founders of Google attended' is the one they
share, not those of either.
"""

from __future__ import annotations

import re
from itertools import pairwise

from kbqa.answers import collect
from kbqa.reading.choosing import Chosen, first_told, instead, told
from kbqa.reading.rule import Run
from kbqa.rewire import inserted
from kbqa.types import Find, Is, Keep, Many, Ref, Restriction, reverse

_MANY = r"(?:[a-z]+s|men|women|people)"
_BOTH = re.compile(
    rf"\b(?:both|the\s+two|['’]s\s+two)\s+(?:of\s+)?(?:(?:the|its|his|her|their|whose)\s+)?(?:[\w'’.&-]+\s+){{0,3}}?{_MANY}\b"
    rf"|\b{_MANY}\s+(?:of\s+\S+(?:\s+\S+){0, 2}\s+)?(?:ha(?:ve|d)\s+|were\s+|are\s+)?both\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\ball\s+(?:three|four|five|3|4|5)\s+(?:of\s+)?(?:the\s+|its\s+|their\s+)?[a-z]+s\b", re.IGNORECASE
)
_FEW = 5


def of_each(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with what each of the two (or so many) things has that a step finds, where the question
    says so and they share something; the same otherwise."""
    steps = chosen.parse.decomposition.steps
    both = _BOTH.search(text) is not None
    if not both and not _ALL.search(text):
        return chosen
    for at, (first, then) in enumerate(pairwise(steps), 1):
        if not isinstance(first, Find | Keep) or not isinstance(then, Find) or then.restrictions:
            continue
        some = told(run, steps[:at]) if then.anchor == Ref(at) else None
        count = len(collect(some.rows)) if some is not None and some.rows is not None else 0
        if count == 2 if both else 2 < count <= _FEW:
            shared = Restriction("answer", reverse(then.path), (Many(">=", count), Is(Ref(at))))
            kept = Keep(Ref(at + 1), restrictions=(shared,))
            return instead(chosen, first_told(run, inserted(steps, at + 2, kept)))
    return chosen
