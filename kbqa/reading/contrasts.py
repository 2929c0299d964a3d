"""What is asked beside what everything else is like: 'Most South American countries speak Spanish. Which one
has Dutch as its official language?' asks for a country in South America, and 'I want to climb the tallest
mountain in Africa one day, which one is it?' for that mountain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.protocols import Mention
from kbqa.types import freebase

_PLACE, _LANGUAGE = freebase("location.location"), freebase("language.human_language")
_MOST = re.compile(
    r"\W*(?:(?:in|across|throughout|all\s+over)\b|most|nearly|almost|practically|every\w*|all|many|much|people|they|you|spanish"
    r"|portuguese|french|english|arabic|russian|german)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_WHICH_ONE = re.compile(
    r"[\s.,;:–—-]+(?:(?:but|yet|so|and|though|although|however)\b,?\s+)*"
    r"(?P<which>(?:what|which)\s+(?:is\s+the\s+)?(?:(?:only|single)\s+)?(?:one|country|nation|state)(?:\s+(?:of\s+them|that|which))?"
    r"|(?:only\s+)?(?:one|a\s+single)\s+(?:country|nation|state|one))(?:\s+(?:there|in\s+it))?"
    r"\s+(?P<rest>(?:has|have|uses?|speaks?|officially|is|does)\b[^?.!]*)",
    re.IGNORECASE,
)
_RATHER = re.compile(
    r"[\s,;–—-]+(?:rather\s+than|instead\s+of|as\s+opposed\s+to|and\s+not|not|unlike)\s+(?P<others>[^?.!;]+?)(?=\W*\Z)",
    re.IGNORECASE,
)
_UNLIKE = re.compile(
    r"\W*(?:unlike|in\s+contrast\s+to|as\s+opposed\s+to)\s+(?P<others>[^?.!;,]+),\s*(?=\S)", re.IGNORECASE
)
_NOT_BUT = re.compile(
    r"\b(?:does\s+not|doesn['’]?t|do\s+not|don['’]?t)\s+speak\s+(?P<others>[^?.!;]+?)[\s,]+but\s+(?:(?:rather|instead)\s+)?",
    re.IGNORECASE,
)
_AND_OR = re.compile(
    r"(?:\s|,|-|\b(?:and|or|nor|either|the|its|most|other|speaking|neighbou?rs|countries|languages?|do|does)\b)*",
    re.I,
)
_GRADED = re.compile(
    r"\bthe\s+(?:very\s+)?(?P<what>(?:(?!best\b|rest\b|latest\b|west\b|east\b)\w{2,}est|most\s+\w+)\s+[^?.!;]+?)"
    r"(?:,?\s+(?:one\s+day|some\s?day|soon|again|next\s+\w+|this\s+\w+|before\s+i\s+die|in\s+my\s+life))?"
    r"[.,;!\s–—-]+(?:so\s+|and\s+|but\s+)?(?:which|what)(?:\s+(?:one|\w+))?\s+(?:is|was|would|could|might)"
    r"(?:\s+(?:it|that|this|i|be|called|one))*(?:\s+(?:again|called|then))?\W*\Z",
    re.IGNORECASE,
)


def of_contrast(text: str, mentions: Sequence[Mention]) -> str:
    """The question for the one that is not like the rest, in the place of all; the same where it speaks of no
    others."""
    for said in _WHICH_ONE.finditer(text):
        before = [m for m in mentions if m.end <= said.start() + 1]
        after = [m for m in mentions if m.start >= said.start("rest")]
        tongues = [m for m in before if _is_tongue(m)]
        places = [m for m in before if m not in tongues and any(_PLACE in c.types for c in m.candidates[:1])]
        if not _MOST.fullmatch(text, 0, said.start()) or len(places) != 1 or not tongues or not after:
            continue
        if not all(_is_tongue(m) for m in after):
            continue
        return f"Which country in {places[0].text} {said['rest'].strip()}?"
    return text


def _is_tongue(mention: Mention) -> bool:
    return any(_LANGUAGE in c.types for c in mention.candidates)


def of_rather(text: str, mentions: Sequence[Mention]) -> str:
    """The question without the languages that are not meant: 'rather than French or English'."""
    for pattern, instead in ((_RATHER, ""), (_UNLIKE, ""), (_NOT_BUT, "speaks ")):
        said = pattern.search(text)
        if said is None:
            continue
        start, end = said.span("others")
        others = [m for m in mentions if m.meets(start, end)]
        rest, at = "", start
        for m in sorted(others, key=lambda m: m.start):
            rest, at = rest + text[at : m.start], m.end
        left = [m for m in mentions if m not in others]
        if others and left and all(map(_is_tongue, others)) and _AND_OR.fullmatch(rest + text[at:end]):
            return f"{text[: said.start()]}{instead}{text[said.end() :]}"
    return text


def of_wish(text: str, mentions: Sequence[Mention]) -> str:
    """The question for the largest, highest or longest that somebody speaks of before it asks which one it
    is."""
    said = _GRADED.search(text)
    if said is None or not said.start() or not any(m.meets(*said.span("what")) for m in mentions):
        return text
    return f"What is the {said['what']}?"
