"""Who held an office when somebody else did not: 'Merkel wasn't chancellor of Germany yet in 2001, so who
was?' asks for the chancellor in 2001.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.protocols import Mention
from kbqa.types import freebase

_PERSON = freebase("people.person")
_OFFICE = (
    r"president|minister|chancellor|king|queen|monarch|governor|mayor|pope|emperor|premier|leader|coach|manager"
    r"|captain"
)
_THEN = r"(?:\s+(?:then|instead|at\s+(?:the|that)\s+time|back\s+then|that\s+year))?"
_NOT_YET = re.compile(
    r"\s+(?:was|is|were)(?:n['’]?t|\s+not|\s+no\s+longer)\s+(?:yet\s+|still\s+|even\s+)?"
    r"(?P<role>[a-z][\w .'’]*?)"
    r"(?:\s+(?:yet|any\s?more|back\s+then))?\s+(?P<when>in\s+[12]\d{3})(?:\s+(?:yet|any\s?more))?[\s.,;:–—-]+"
    r"(?:(?:right|correct|i\s+know|i\s+think|of\s+course)[\s?.,!]+)?"
    rf"(?:so\s+|but\s+|and\s+|then\s+)*who\s+(?:was|is|did)(?:\s+(?:it|that|he|she))?{_THEN}\W*",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?:['’]s)?\s[^?]*?\b(?P<when>in\s+[12]\d{3})[\s.,;:–—-]+(?:so\s+|but\s+|and\s+|then\s+)*"
    rf"who\s+(?:was|served\s+as|became)\s+(?P<role>(?!.*\b[12]\d{{3}}\b)[^?]*?\b(?:{_OFFICE})\b[^?]*?){_THEN}\W*",
    re.IGNORECASE,
)
_NAY = re.compile(
    r"(?P<asked>\W*who\s+(?:was|served\s+as)\s+.*\bin\s+[12]\d{3})[\s,;–—-]+(?:(?:seeing\s+that|since|because|as|given\s+that"
    r"|when|if|considering)\s+)?(?:it|that)\s+(?:(?:was|is)(?:n['’]?t|\s+not)|can(?:['’]?t|not)\s+have\s+been"
    r"|couldn['’]?t\s+have\s+been)\s+",
    re.IGNORECASE,
)
"""Who asks so names in the end who it was not."""
_SAY = re.compile(
    rf"[^?]*?[\s.,;:–—-]+(?:but|so|yet)\s+who\s+(?P<was>was|served\s+as)\s+(?:actually\s+|really\s+)?"
    rf"(?P<role>[^?]*?\b(?:{_OFFICE})\b[^?]*?\s+in\s+[12]\d{{3}})\W*",
    re.IGNORECASE,
)


def of_other_holder(text: str, mentions: Sequence[Mention]) -> str:
    """The question for who held it in that year; the same where it speaks of nobody who didn't."""
    for mention in mentions:
        if not any(_PERSON in c.types for c in mention.candidates[:1]):
            continue
        for pattern in (_NOT_YET, _GONE):
            said = pattern.fullmatch(text, mention.end)
            if said is not None:
                return f"Who was {said['role']} {said['when']}?"
        nay, say = _NAY.fullmatch(text, 0, mention.start), _SAY.fullmatch(text, mention.end)
        if nay is not None:
            return f"{nay['asked']}?"
        if say is not None:
            return f"Who {say['was']} {say['role']}?"
    return text
