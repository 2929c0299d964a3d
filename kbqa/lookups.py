"""Small questions to a store: whether something is so, and which hops leave an entity."""

from __future__ import annotations

from collections.abc import Iterator

from kbqa.protocols import Store
from kbqa.types import Hop, Iri, Literal

_EITHER_WAY = (("?e ?p ?o", False), ("?s ?p ?e", True))


def holds(store: Store, pattern: str, time_limit_s: float) -> bool:
    """Whether a graph pattern has a match. Raises as `Store.select` does."""
    rows = store.select(f"ASK {{ {pattern} }}", time_limit_s=time_limit_s).rows
    value = rows[0][0] if rows else None
    return isinstance(value, Literal) and value.lexical in ("true", "1")


def hops_leaving(store: Store, entity: Iri, time_limit_s: float) -> Iterator[Hop]:
    """Each hop of which the entity is the subject, then each of which it is the object. `time_limit_s`: of
    each of the two queries. Raises `StoreTimeout`."""
    for pattern, inverse in _EITHER_WAY:
        query = f"SELECT DISTINCT ?p WHERE {{ {pattern} }}"
        rows = store.select(query, bindings={"e": entity}, time_limit_s=time_limit_s)
        column = rows.variables.index("p")
        for row in rows.rows:
            if isinstance(predicate := row[column], Iri):
                yield Hop(predicate, inverse)
