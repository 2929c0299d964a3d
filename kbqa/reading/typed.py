"""Sorts of things that say less than their names: few teams are notable as a 'Sports Team', for most are so
as a baseball or football team, and all are of the type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from kbqa.errors import StoreError
from kbqa.lexicon import Lexicon
from kbqa.lexicon.nouns import INSTANCES
from kbqa.link import key
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Store
from kbqa.sparql.portable import values
from kbqa.types import Find, Iri, Keep, Literal, Path, Step

_LIMIT_S = 1.0
_FEW = 2
"""A type that has so many times the instances of the sort of its name is meant."""
_NOTABLE, _TYPED = INSTANCES


class Typed:
    """Freebase's types for what things are notable as, over one store whose sorts these `nouns` name."""

    def __init__(self, store: Store, lexicon: Lexicon, nouns: CommonNouns) -> None:
        self._store, self._lexicon, self._nouns = store, lexicon, nouns
        self._known: dict[Iri, Iri | None] = {}

    @cached_property
    def _types(self) -> Mapping[str, Iri]:
        return {key(label): iri for iri, label in self._lexicon.types.items()}

    def step(self, step: Step) -> Step:
        """The step with all instances of the type instead of those few that are notable as that."""
        if isinstance(step, Find | Keep) and step.path == _NOTABLE and isinstance(step.anchor, Iri):
            wide = self._wide(step.anchor)
            return step if wide is None else replace(step, anchor=wide, path=_TYPED)
        return step

    def all_are(self, things: Sequence[Iri], sort: Iri) -> bool:
        """Whether all the things are of the type that bears the name of a sort; no where it can't be told."""
        of = self._type_of(sort)
        try:
            return of is not None and self._count(of, _TYPED, values("?x", things)) == len(things)
        except StoreError:
            return False

    def _type_of(self, sort: Iri) -> Iri | None:
        name, _ = self._nouns.kinds.get(sort, ("", ()))
        return self._types.get(key(name))

    def _wide(self, sort: Iri) -> Iri | None:
        of = self._type_of(sort)
        if of is None:
            return None
        if sort not in self._known:
            try:
                few, every = self._count(sort, _NOTABLE), self._count(of, _TYPED)
            except StoreError:
                return None
            self._known[sort] = of if every >= _FEW * few else None
        return self._known[sort]

    def _count(self, of: Iri, path: Path, among: str = "") -> int:
        pattern = f"{among} ?x <{path[0].predicate.value}> <{of.value}>"
        query = f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ {pattern} }}"
        rows = self._store.select(query, time_limit_s=_LIMIT_S).rows
        return next((int(n.lexical) for (n,) in rows if isinstance(n, Literal)), 0)
