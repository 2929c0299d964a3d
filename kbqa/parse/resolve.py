"""Which entity of a name was meant: the first candidate that has what the steps ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kbqa.rewire import exchange
from kbqa.types import Decomposition, Find, Hop, Iri, Is, Keep, Step


def demands(steps: Sequence[Step]) -> Iterator[tuple[Iri, Hop]]:
    """(entity, hop that must leave it) for each place where the steps name an entity."""
    for step in steps:
        if not isinstance(step, Find | Keep):
            continue
        if isinstance(step.anchor, Iri) and step.path:
            yield step.anchor, step.path[0]
        for r in step.restrictions:
            for test in r.tests:
                if isinstance(test, Is) and isinstance(test.value, Iri) and r.path:
                    yield test.value, r.path[-1].reversed


def resolve(
    found: Decomposition,
    candidates: Mapping[Iri, Sequence[Iri]],
    leaving: Mapping[Iri, frozenset[Hop]],
) -> Decomposition | None:
    """The steps with each entity replaced by its first candidate (best first, itself included) that
    all the hops asked of it leave; None where an entity has no such candidate. What `leaving`
    doesn't know is trusted."""
    return next(resolutions(found, candidates, leaving), None)


def resolutions(
    found: Decomposition,
    candidates: Mapping[Iri, Sequence[Iri]],
    leaving: Mapping[Iri, frozenset[Hop]],
) -> Iterator[Decomposition]:
    """As `resolve`, then with each entity in turn replaced by its next such candidate: both Georgias
    have neighbours, but only one has countries among them."""
    asked: dict[Iri, set[Hop]] = {}
    for entity, hop in demands(found.steps):
        asked.setdefault(entity, set()).add(hop)
    fits = {
        entity: [c for c in candidates.get(entity, (entity,)) if c not in leaving or hops <= leaving[c]]
        for entity, hops in asked.items()
    }
    if not all(fits.values()):
        return
    best = {entity: some[0] for entity, some in fits.items()}
    for chosen in (best, *({**best, e: some[1]} for e, some in fits.items() if len(some) > 1)):
        yield replace(found, steps=tuple(exchange(s, chosen) for s in found.steps))
