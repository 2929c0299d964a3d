"""Who came after somebody in a band: 'After Peter Gabriel left Genesis, who sang for them?' asks who replaced
him as the singer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.protocols import Mention
from kbqa.types import freebase

_PERSON, _BAND = freebase("people.person"), freebase("music.musical_group")
_GONE = re.compile(
    r"\b(?:after|left|leaves|quit|departed|died|until|till|replace[ds]?|replacing|succeed(?:s|ed)?|follow(?:ed|ing)"
    r"|took\s+over|fired|sacked|in\s+between|meanwhile)\b",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"(?:\A|[^\w\s'’-]\s*|\b(?:and|so|then|but|know|me|wonder)\s+)who(?:['’]s)?\b", re.IGNORECASE
)
"""Where it asks, and doesn't tell of somebody: 'the bassist who replaced Cliff Burton'."""
_ROLES = tuple(
    (re.compile(rf"\b(?:{words})\w*", re.IGNORECASE), role)
    for words, role in (
        (r"sang|sing|vocal|front|mic", "singer"),
        (r"drum", "drummer"),
        (r"bass", "bassist"),
        (r"guitar", "guitarist"),
        (r"keyboard|piano", "keyboardist"),
    )
)
_CANONICAL = re.compile(r"\W*who\s+(?:replaced|succeeded|followed)\b", re.IGNORECASE)


def of_successor(text: str, mentions: Sequence[Mention]) -> str:
    """The question for who replaced the one that is named in the band that is named; the same where nobody
    is gone, or none of the band's parts is spoken of."""
    people = [m for m in mentions if any(_PERSON in c.types for c in m.candidates[:1])]
    bands = [m for m in mentions if any(_BAND in c.types for c in m.candidates) and m not in people]
    bare = text
    for m in mentions:
        bare = f"{bare[: m.start]}{' ' * len(m.text)}{bare[m.start + len(m.text) :]}"
    role = next((name for words, name in _ROLES if words.search(bare)), None)
    if len(people) != 1 or len(bands) != 1 or len(mentions) > 3 or role is None:
        return text
    if not _GONE.search(bare) or not _WHO.search(bare) or _CANONICAL.match(text):
        return text
    return f"Who replaced {people[0].text} as the {role} of {bands[0].text}?"
