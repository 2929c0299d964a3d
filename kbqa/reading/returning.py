"""Paths through a node in between that lead back: a country is among 'the neighbours' of its border."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, QueryError, StoreTimeout
from kbqa.lookups import holds
from kbqa.protocols import Store
from kbqa.sparql.portable import triple
from kbqa.types import Find, Keep, Path, Step

_LIMIT_S = 0.5


class Returning:
    """What a store's data ties to itself. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[Path, bool] = {}

    def apart(self, parse: Parse) -> Parse:
        """The reading, in which nothing is its own neighbour. Raises `StoreUnavailable`."""
        whole = parse.decomposition
        if whole.guards.each or not any(map(self._returns, dict.fromkeys(_paths(whole.steps)))):
            return parse
        guarded = replace(whole, guards=replace(whole.guards, each=True))
        try:
            return Parse(recompose(guarded), guarded, parse.logprob)
        except DecompositionError:
            return parse

    def _returns(self, path: Path) -> bool:
        known = self._known.get(path)
        if known is not None:
            return known
        first, second = path
        there, back = triple(first, "?a", "?m"), triple(second, "?m", "?a")
        try:
            found = holds(self._store, f"{there} . {back} FILTER (isIRI(?a))", _LIMIT_S)
        except (StoreTimeout, QueryError):
            return False  # not kept: the store may be quicker another time
        self._known[path] = found
        return found


def _paths(steps: Sequence[Step]) -> Iterator[Path]:
    """The paths of two hops by which steps and their conditions find things."""
    for step in steps:
        if isinstance(step, Find | Keep):
            for path in (step.path, *(r.path for r in step.restrictions)):
                if len(path) == 2:
                    yield path
