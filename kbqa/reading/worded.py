"""Paths that have no words, as others that say the same: from an award to its honours, or back; and who won
an award of several categories."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, QueryError, StoreTimeout
from kbqa.lexicon import Lexicon
from kbqa.lookups import holds
from kbqa.protocols import Store
from kbqa.rewire import inserted
from kbqa.sparql.portable import triple
from kbqa.templates.phrases import mediator_type
from kbqa.types import Find, Hop, Keep, Path, Ref, Step, freebase

_LIMIT_S = 0.5
CATEGORIES = (Hop(freebase("award.award_category.category_of"), True),)
"""From an award to its categories."""
_OTHER_WAY = (Hop(freebase("award.award.category")),)
WINNERS = (Hop(freebase("award.award_category.winners")), Hop(freebase("award.award_honor.award_winner")))
"""From an award, or category, to who won it."""


def with_winners(parse: Parse) -> Parse:
    """The reading with the winners of an award's categories where it says of the categories what is said of
    people: 'Nobel winners born in Poland'."""
    steps = parse.decomposition.steps
    for number, step in enumerate(steps, 1):
        if not (isinstance(step, Find) and step.path in (CATEGORIES, _OTHER_WAY)):
            continue
        about = [s for s in steps if isinstance(s, Keep) and s.source == Ref(number)]
        if any(s.path and not s.path[-1].predicate.mid.startswith("award.") for s in about):
            for won in inserted(steps, number + 1, Find(Ref(number), WINNERS)):
                whole = replace(parse.decomposition, steps=won)
                with suppress(DecompositionError):
                    return Parse(recompose(whole), whole, parse.logprob)
    return parse


class Worded:
    """What a lexicon has words for, over one store's data. Safe to share between threads."""

    def __init__(self, lexicon: Lexicon, store: Store) -> None:
        self._lexicon, self._store = lexicon, store
        self._known: dict[Path, Path] = {}

    def step(self, step: Step) -> Step:
        """The step by a path that has words and leads to the same, where there is one."""
        if isinstance(step, Find | Keep) and len(step.path) == 2:
            path = self._said(step.path)
            return step if path == step.path else replace(step, path=path)
        return step

    def _said(self, path: Path) -> Path:
        if path in self._lexicon.wordings:
            return path
        if path not in self._known:
            try:
                self._known[path] = next((p for p in self._beside(path) if self._same(path, p)), path)
            except (QueryError, StoreTimeout):
                return path  # not kept: the store may be quicker another time
        return self._known[path]

    def _beside(self, path: Path) -> Iterator[Path]:
        """Worded paths through the same nodes that differ in one hop."""
        kind = mediator_type(path)
        for other in sorted(self._lexicon.wordings):
            one = len(other) == 2 and (other[0] == path[0]) != (other[1] == path[1])
            if one and kind is not None and mediator_type(other) == kind:
                yield other

    def _same(self, path: Path, other: Path) -> bool:
        """Whether the hops in which they differ lead from the same to the same, and to anything."""
        one, two = next((a, b) for a, b in zip(path, other, strict=True) if a != b)
        if one.inverse == two.inverse:
            return False
        here, there = triple(one, "?a", "?m"), triple(two, "?a", "?m")
        lone = (f"{a} FILTER NOT EXISTS {{ {b} }}" for a, b in ((here, there), (there, here)))
        return self._holds(here) and not any(map(self._holds, lone))

    def _holds(self, pattern: str) -> bool:
        return holds(self._store, pattern, _LIMIT_S)
