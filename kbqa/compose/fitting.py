"""Readings by a model in which a step leads from things of a class that the predicate never leads from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kbqa.compose.schema import LITERAL, Schema
from kbqa.types import Anything, Find, Iri, Keep, Literal, Merge, Path, Pick, Ref, Step

_Classes = frozenset[Iri]
"""The classes that something may be of; none where they are not known."""


def fits(steps: Sequence[Step], schema: Schema, types: Callable[[Iri], Sequence[Iri]]) -> bool:
    """Whether each hop may have what it starts from, by the classes at both ends of the predicates. Raises
    `StoreError`."""
    found: list[_Classes] = []

    def of(anchor: Iri | Literal | Ref | Anything | None) -> _Classes:
        match anchor:
            case Ref(step):
                return found[step - 1]
            case Iri():
                return frozenset(types(anchor))
            case Literal():
                return frozenset((LITERAL,))
        return frozenset()

    for step in steps:
        match step:
            case Find(anchor, path):
                end = _led(of(anchor), path, schema)
            case Keep(source, anchor, path):
                end = _led(of(anchor), path, schema)
                end = end if end is None or not of(source) else _same(end, of(source), schema)
            case Pick(source):
                end = of(source)
            case Merge(sources):
                end = frozenset(k for s in sources for k in of(s)) if all(map(of, sources)) else frozenset()
            case _:
                end = frozenset()
        if end is None:
            return False
        found.append(end)
    return True


def _led(start: _Classes, path: Path, schema: Schema) -> _Classes | None:
    """Where a path leads from things of these classes; None where it can't start from them. From numbers,
    dates and texts only what has them is led to."""
    for hop in path:
        begin, end = schema.ends(hop)
        if start and begin and not schema.akin(start) & begin:
            return None
        start = end
    return start


def _same(some: _Classes, others: _Classes, schema: Schema) -> _Classes | None:
    return others if not some or schema.akin(some) & others else None
