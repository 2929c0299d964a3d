"""Characters by a part of their name: 'Who played Rose in Titanic?' asks for Rose DeWitt Bukater."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.kb import KnowledgeBase
from kbqa.link import key
from kbqa.link.words import FUNCTION
from kbqa.protocols import Mention
from kbqa.reading.titleroles import characters
from kbqa.types import freebase

_NAME = r"(?P<name>[^\W\d]\w*(?:['’.]?[ -]\w+){0,3}?)"
_PLAYED = re.compile(
    r"\b(?:(?:play|portray)(?:s|ed|ing)?|voice[sd]|voicing|(?:role|part|character)\s+of)\s+"
    rf"(?:the\s+(?:role|part|character)\s+of\s+)?{_NAME}"
    r"(?=\s*(?:[?.,!;]|\Z|\s(?:in|on|from|for)\b))",
    re.IGNORECASE,
)
_WORKS = frozenset(map(freebase, ("film.film", "tv.tv_program")))


class CastNames:
    """Names characters in full over one knowledge base."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb

    def named(self, text: str, mentions: Sequence[Mention]) -> str:
        """The question with the full name of a character for a part of it, where the works named have
        one such character, and none of just that name. Of father and son the father: 'Walter'."""
        said = _PLAYED.search(text)
        if said is None:
            return text
        start, end = said.span("name")
        words = {w for w in key(said["name"]).split() if w not in FUNCTION}
        works = [c for m in mentions if not m.meets(start, end) for c in m.candidates if c.exact]
        for work in works if words else ():
            if not _WORKS.intersection(work.types):
                continue
            cast = {name: set(key(name).split()) for name in characters(self._kb, work.entity)}
            of_name = sorted((name for name, parts in cast.items() if words <= parts), key=len)
            if of_name and cast[of_name[0]] != words and all(cast[of_name[0]] <= cast[n] for n in of_name):
                return f"{text[:start]}{of_name[0]}{text[end:]}"
        return text
