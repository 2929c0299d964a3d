"""Places said with what they lie in: 'Austin, Texas' and 'ithaca ny' are one place, not two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.errors import QueryError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Candidate, Mention
from kbqa.reading.levels import CONTAINS
from kbqa.sparql.portable import term, values

_BETWEEN = re.compile(r",?\s+|,")
_WAYS = ("?a {0} ?b", "?a {0} ?m . ?m {0} ?b", "?a {0} ?m . ?m {0} ?n . ?n {0} ?b")
"""A town, its county and its state may each lie only in the next."""
_LIMIT_S = 1.0


class Addresses:
    """Joins the mentions of a question over one knowledge base."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._known = CONTAINS.predicate in kb.paths.predicates

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
        places, wider = ([c for c in m.candidates if c.exact] for m in (one, other))
        if not places or not wider:
            return ()
        ways = " UNION ".join(f"{{ {way.format(term(CONTAINS.predicate))} }}" for way in _WAYS)
        either = " ".join(
            values(variable, [c.entity for c in some]) for variable, some in (("?a", places), ("?b", wider))
        )
        query = f"SELECT DISTINCT ?a WHERE {{ {either} {ways} }}"
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return ()
        inside = {a for (a,) in rows}
        return tuple(c for c in places if c.entity in inside)
