"""Places said with what they lie in: 'Austin, Texas' and 'ithaca ny' are one place, not two."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kbqa.errors import QueryError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Candidate, Mention
from kbqa.sparql.portable import term, values
from kbqa.types import Iri, freebase

_CONTAINED = freebase("location.location.containedby")
_BETWEEN = re.compile(r",?\s+|,")
_EXACT = 0.9
"""The score of a candidate that has the very name."""
_WAYS = ("?a {0} ?b", "?a {0} ?m . ?m {0} ?b", "?a {0} ?m . ?m {0} ?n . ?n {0} ?b")
"""A town, its county and its state may each lie only in the next."""
_LIMIT_S = 1.0


class Addresses:
    """Joins the mentions of a question over one knowledge base."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._known = _CONTAINED in kb.paths.predicates

    def joined(self, text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """The mentions (left to right) with one for each place that another is said right behind, which it
        lies in; its candidates are the places that do."""
        found: list[Mention] = []
        for mention in mentions:
            before = found[-1] if found else None
            inside = self._inside(text, before, mention) if before is not None and self._known else ()
            if before is not None and inside:
                said = text[before.start : mention.end]
                found[-1] = replace(before, end=mention.end, text=said, candidates=inside)
            else:
                found.append(mention)
        return tuple(found)

    def _inside(self, text: str, one: Mention, other: Mention) -> tuple[Candidate, ...]:
        """The candidates of the one that lie in a candidate of the other."""
        if not _BETWEEN.fullmatch(text, one.end, other.start):
            return ()
        places, wider = _exact(one), _exact(other)
        if not places or not wider:
            return ()
        lies_in = term(_CONTAINED)
        ways = " UNION ".join(f"{{ {way.format(lies_in)} }}" for way in _WAYS)
        query = f"SELECT DISTINCT ?a WHERE {{ {_values('?a', places)} {_values('?b', wider)} {ways} }}"
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return ()
        inside = {a for (a,) in rows}
        return tuple(c for c in places if c.entity in inside)


def _exact(mention: Mention) -> list[Candidate]:
    return [c for c in mention.candidates if c.score >= _EXACT]


def _values(variable: str, candidates: Iterable[Candidate]) -> str:
    some: list[Iri] = [c.entity for c in candidates]
    return values(variable, some)
