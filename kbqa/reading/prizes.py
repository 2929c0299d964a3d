"""Awards whose names are common words: 'best director winners born in Mexico'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.protocols import Linker, Mention
from kbqa.types import freebase

_BEST = re.compile(r"\bbest\s+\w", re.IGNORECASE)
_CATEGORY = freebase("award.award_category")


def with_prizes(text: str, mentions: Sequence[Mention], linker: Linker) -> tuple[Mention, ...]:
    """The mentions (left to right) with those of awards that are called the best of something, where nothing
    else is recognised."""
    found = list(mentions)
    for start, end in linker.bare(text) if _BEST.search(text) else ():
        free = not any(m.start < end and start < m.end for m in found)
        if free and _BEST.match(text, start):
            named = linker.link(f'"{text[start:end]}"')
            awards = [c for m in named for c in m.candidates if _CATEGORY in c.types]
            if awards and len(named) == 1:
                found.append(replace(named[0], start=start, end=end, candidates=tuple(awards)))
    return tuple(sorted(found, key=lambda m: m.start))
