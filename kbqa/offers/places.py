"""Where paths stand in steps: read there, and put there instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kbqa.decompose.recompose import references
from kbqa.rewire import Steps
from kbqa.templates.phrases import mediator_type
from kbqa.types import (
    Anchor,
    Find,
    Is,
    Keep,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    reverse,
)


@dataclass(frozen=True, slots=True)
class Place:
    """The path of step `step` (from 1), or of its restriction of that index (from 0).

    `start`: where the path leaves from, or (`backwards`) where it leads to; None where that is not
    known. `kind`: the type of the mediator that it leaves, as the predicates name it."""

    step: int
    path: Path
    restriction: int | None = None
    start: Anchor | None = None
    backwards: bool = False
    kind: str | None = None

    @property
    def outward(self) -> Path:
        """The path as it leaves `start`."""
        return reverse(self.path) if self.backwards else self.path

    def put(self, steps: Sequence[Step], outward: Path) -> Steps:
        """The steps with another path here, which is given as it leaves `start`."""
        path = reverse(outward) if self.backwards else outward
        step = steps[self.step - 1]
        assert isinstance(step, Find | Keep | Pick)
        if self.restriction is None:
            changed: Step = replace(step, path=path)
        else:
            assert not isinstance(step, Pick)
            conditions = list(step.restrictions)
            conditions[self.restriction] = replace(conditions[self.restriction], path=path)
            changed = replace(step, restrictions=tuple(conditions))
        return (*steps[: self.step - 1], changed, *steps[self.step :])


def places(steps: Sequence[Step], number: int) -> Iterator[Place]:
    """The places of one step."""
    step = steps[number - 1]
    match step:
        case Find(anchor, path, restrictions) | Keep(_, anchor, path, restrictions):
            if path:
                yield Place(number, path, None, anchor)
            source = step.source if isinstance(step, Keep) else None
            for index, condition in enumerate(restrictions):
                if condition.path:
                    yield _condition(number, index, condition, source, path)
        case Pick(source, site, path):
            if path:
                yield Place(number, path, None, source if site == "answer" else None)
        case _:
            return


def _condition(number: int, index: int, r: Restriction, source: Ref | None, way: Path) -> Place:
    if r.site == "mediator":
        return Place(number, r.path, index, kind=mediator_type(way))
    match r.tests:
        case (Is(value),):
            return Place(number, r.path, index, value, backwards=True)
    return Place(number, r.path, index, source)


def leading_to(steps: Sequence[Step], number: int) -> tuple[int, ...]:
    """The steps that step `number` rests on and it itself, latest first."""
    needed = {number}
    for n in range(number, 0, -1):
        if n in needed:
            needed |= {r.step for r in references(steps[n - 1])}
    return tuple(sorted(needed, reverse=True))
