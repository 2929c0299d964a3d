"""Which entity of a name was meant: the first candidate that has what the steps ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kbqa.types import Anchor, Decomposition, Find, Hop, Iri, Is, IsNot, Keep, Restriction, Step, Test


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
    asked: dict[Iri, set[Hop]] = {}
    for entity, hop in demands(found.steps):
        asked.setdefault(entity, set()).add(hop)
    chosen: dict[Iri, Iri] = {}
    for entity, hops in asked.items():
        options = candidates.get(entity, (entity,))
        fits = [c for c in options if c not in leaving or hops <= leaving[c]]
        if not fits:
            return None
        chosen[entity] = fits[0]
    return replace(found, steps=tuple(exchange(s, chosen) for s in found.steps))


def exchange(step: Step, entities: Mapping[Iri, Iri]) -> Step:
    """The step with entities replaced."""
    match step:
        case Find(anchor, path, restrictions):
            return Find(_anchor(anchor, entities), path, _conditions(restrictions, entities))
        case Keep(source, anchor, path, restrictions):
            other = None if anchor is None else _anchor(anchor, entities)
            return Keep(source, other, path, _conditions(restrictions, entities))
        case _:
            return step


def _anchor(anchor: Anchor, entities: Mapping[Iri, Iri]) -> Anchor:
    return entities.get(anchor, anchor) if isinstance(anchor, Iri) else anchor


def _conditions(rs: Sequence[Restriction], entities: Mapping[Iri, Iri]) -> tuple[Restriction, ...]:
    def test(t: Test) -> Test:
        if isinstance(t, Is | IsNot) and isinstance(t.value, Iri):
            return replace(t, value=entities.get(t.value, t.value))
        return t

    return tuple(replace(r, tests=tuple(map(test, r.tests))) for r in rs)
