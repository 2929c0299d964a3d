"""Characters that bear the name of what they are in: 'the guy who played Forrest Gump' played no film."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.protocols import Mention
from kbqa.types import freebase

_PLAYED = re.compile(
    r"\b(?:play(?:s|ed|ing)?|portray(?:s|ed|ing)?)\s+(?:the\s+)?(?:(?:role|part|character)\s+(?:of\s+)?)?\Z",
    re.IGNORECASE,
)
_CHARACTERS = frozenset(
    map(freebase, ("film.film_character", "tv.tv_character", "fictional_universe.fictional_character"))
)


def as_played(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions, of those that are played only the characters of the name, where there are any."""
    found = []
    for mention in mentions:
        roles = [c for c in mention.candidates if c.exact and _CHARACTERS.intersection(c.types)]
        played = bool(roles) and _PLAYED.search(text[: mention.start]) is not None
        found.append(replace(mention, candidates=tuple(roles)) if played else mention)
    return tuple(found)
