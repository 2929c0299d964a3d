"""Who a film or series is called after: 'Who plays the title role in Columbo?' asks who plays Columbo."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.errors import QueryError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.link import key
from kbqa.link.words import FUNCTION
from kbqa.protocols import Mention
from kbqa.sparql.portable import term
from kbqa.types import Iri, freebase

_ROLE = re.compile(
    r"\b(?:the\s+)?(?:(?:title|titular|eponymous|main|lead(?:ing)?|central)\s+(?:role|character|part|figure|hero(?:ine)?|doctor|detective)"
    r"|lead|protagonist)"
    r"(?:\s+(?:in|of|on|for|from))?\s+(?:the\s+(?:film|movie|show|series|sitcom)\s+)?\Z",
    re.IGNORECASE,
)
_CALLED_AFTER = re.compile(
    r"\bthe\s+(?:\w+\s+){1,2}(?:(?:that|who|which|whom)\s+)?(?:the\s+(?:film|movie|show|series)\s+)?\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\s+(?:is|was)\s+(?:named|called|titled)\s+(?:after|for)\b", re.IGNORECASE)
"""'the doctor that House is named after'"""
_CAST = (
    ("film.film.starring", "film.performance.character"),
    ("tv.tv_program.regular_cast", "tv.regular_tv_appearance.character"),
)
_LIMIT_S = 0.5


def characters(kb: KnowledgeBase, work: Iri) -> frozenset[str]:
    """The names of those who are played in a film or series; none where they can't be fetched."""
    found: set[str] = set()
    for cast, character in _CAST:
        along = f"{term(work)} {term(freebase(cast))}/{term(freebase(character))} ?c"
        try:
            rows = kb.store.select(f"SELECT DISTINCT ?c WHERE {{ {along} }}", time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return frozenset()
        found.update(kb.names.fetch([row[0] for row in rows if isinstance(row[0], Iri)]).values())
    return frozenset(found)


class TitleRoles:
    """Names title roles over one knowledge base."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb

    def named(self, text: str, mentions: Sequence[Mention]) -> str:
        """The question with the character's name for 'the title role', where one of the cast shares a word
        with the title."""
        for mention in mentions:
            said, after = _ROLE.search(text[: mention.start]), _AFTER.match(text, mention.end)
            said = _CALLED_AFTER.search(text[: mention.start]) if after is not None else said
            if said is None:
                continue
            for candidate in mention.candidates:
                role = self._role(candidate.entity, candidate.label)
                if role is not None:
                    rest = text[mention.end if after is None else after.end() :]
                    return f"{text[: said.start()]}the role of {role} in {mention.text}{rest}"
        return text

    def _role(self, work: Iri, title: str) -> str | None:
        """The name of the character of its cast that shares most words with the title, the shortest such."""
        words = {w for w in key(title).split() if w not in FUNCTION}
        shared = {name: len(words & set(key(name).split())) for name in characters(self._kb, work)}
        best = max(shared, key=lambda name: (shared[name], -len(name)), default="")
        return best if shared.get(best) else None
