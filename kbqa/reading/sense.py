"""Readings that make no sense, whatever is asked: with a step that nothing goes on from, or with things
compared as if they were dates or numbers."""

from __future__ import annotations

from kbqa.decompose.recompose import references
from kbqa.errors import StoreError
from kbqa.protocols import Store
from kbqa.types import Decomposition, Find, Hop, Iri, Keep, Literal, Path, Pick, Than

_LIMIT_S = 0.5


class Sense:
    """Tells such readings over one store. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[Iri, bool] = {}

    def makes(self, read: Decomposition) -> bool:
        """Whether the last step rests on all the others, and only values are compared with values."""
        return is_connected(read) and all(map(self._leads_to_values, _compared(read)))

    def _leads_to_values(self, path: Path) -> bool:
        """Whether a path may lead to dates, numbers or texts: so it may where the store can't tell."""
        last: Hop = path[-1]
        if last.inverse:
            return False
        if last.predicate not in self._known:
            found = f"ASK {{ ?s <{last.predicate.value}> ?v FILTER (ISLITERAL(?v)) }}"
            there = f"ASK {{ ?s <{last.predicate.value}> ?v }}"
            try:
                self._known[last.predicate] = self._says(found) or not self._says(there)
            except StoreError:
                return True
        return self._known[last.predicate]

    def _says(self, query: str) -> bool:
        rows = self._store.select(query, time_limit_s=_LIMIT_S).rows
        value = rows[0][0] if rows else None
        return isinstance(value, Literal) and value.lexical in ("true", "1")


def is_connected(read: Decomposition) -> bool:
    """Whether some later step goes on from each but the last."""
    used = {ref.step for step in read.steps for ref in references(step)}
    return used.issuperset(range(1, len(read.steps)))


def _compared(read: Decomposition) -> list[Path]:
    """Paths whose values are compared with a date or number, or ordered as such."""
    restrictions = (r for s in read.steps if isinstance(s, Find | Keep) for r in s.restrictions if r.path)
    compared = [r.path for r in restrictions if any(_is_bound(t) for t in r.tests)]
    return compared + [s.path for s in read.steps if isinstance(s, Pick) and s.path]


def _is_bound(test: object) -> bool:
    return isinstance(test, Than) and isinstance(test.value, Literal)
