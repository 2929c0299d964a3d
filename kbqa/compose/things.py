"""A noun phrase as a value (a class with conditions), and the steps that find what it speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from kbqa.compose.schema import Schema
from kbqa.induce.induce import RDF_TYPE
from kbqa.types import (
    Among,
    Check,
    Find,
    Hop,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Many,
    Merge,
    Operator,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Test,
    Than,
    reverse,
)


@dataclass(frozen=True, slots=True)
class Linked:
    """Reached from any of these along `path`; `negated`: not reached from it."""

    path: Path
    anchors: tuple[Iri | Literal, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """Reached along `path` from what another noun phrase speaks of."""

    path: Path
    things: Things


@dataclass(frozen=True, slots=True)
class Valued:
    """A value that `path` leads to fulfils the tests."""

    path: Path
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Same:
    """Shares what `path` leads to with another."""

    path: Path
    other: Iri


@dataclass(frozen=True, slots=True)
class Numbered:
    """So many of what `path` leads to, of all or of those that `things` speak of."""

    path: Path
    bounds: tuple[tuple[Operator, int], ...]
    things: Things | None = None


@dataclass(frozen=True, slots=True)
class Beyond:
    """What `path` leads to stands in relation `operator` to the same of another."""

    path: Path
    operator: Operator
    kind: Kind
    other: Iri


@dataclass(frozen=True, slots=True)
class Both:
    """Two conditions, each by its own."""

    first: Condition
    second: Condition


@dataclass(frozen=True, slots=True)
class Either:
    """One of two conditions, or both."""

    first: Condition
    second: Condition


Condition = Linked | Within | Valued | Same | Numbered | Beyond | Both | Either


@dataclass(frozen=True, slots=True)
class First:
    """The first `limit` in order of what `path` leads to."""

    path: Path
    descending: bool
    kind: Kind
    limit: int = 1


@dataclass(frozen=True, slots=True)
class Things:
    """What is of a class and fulfils the conditions. `doubt`: 0 where no other reading comes before it."""

    kind: Iri
    conditions: tuple[Condition, ...] = ()
    first: First | None = None
    doubt: float = 0.0


Reading: TypeAlias = tuple[float, tuple[Step, ...]]
"""How doubtful a reading is, and its steps."""
Make: TypeAlias = Callable[[Ref], Step]
"""A last step about what was found."""


def wrote(schema: Schema, things: Things, last: Make | None = None, doubt: float = 0.0) -> Reading:
    """The steps that find things, and what is asked of them."""
    steps = Steps(schema)
    found = steps.of(things)
    if last is not None:
        steps.add(last(found))
    return things.doubt + doubt, tuple(steps.steps)


@dataclass
class Steps:
    """Steps being written; noun phrases become references to them."""

    schema: Schema
    steps: list[Step] = field(default_factory=list)

    def add(self, step: Step) -> Ref:
        self.steps.append(step)
        return Ref(len(self.steps))

    def of(self, things: Things) -> Ref:
        """The step that finds these."""
        conditions = sorted(things.conditions, key=_starts)
        found: Ref | None = None
        for condition in conditions:
            found = self._found(things.kind, found, condition)
        if found is None:
            found = self._all(things.kind)
        if things.first is not None:
            f = things.first
            found = self.add(Pick(found, "answer", f.path, f.descending, f.kind, f.limit))
        return found

    def of_earlier(self, source: Ref, kind: Iri, condition: Condition) -> Ref:
        """The step that keeps those of earlier answers, of a class, that fulfil the condition."""
        return self._found(kind, source, condition)

    def checked(self, found: Ref, one: Iri) -> Ref:
        """Whether one thing is among those found."""
        return self.add(Check(self.add(Keep(found, one))))

    def _all(self, kind: Iri) -> Ref:
        return self.add(Find(kind, (Hop(RDF_TYPE, True),)))

    def _found(self, kind: Iri, source: Ref | None, condition: Condition) -> Ref:
        match condition:
            case Linked(path, (anchor,), False):
                return self._reached(kind, source, anchor, path)
            case Linked(path, anchors, False) if source is None:
                each = [self._reached(kind, None, anchor, path) for anchor in anchors]
                return self.add(Merge(tuple(each)))
            case Linked(path, anchors, False):
                return self._restricted(kind, source, reverse(path), (Among(anchors),))
            case Linked(path, anchors, True):
                tests = tuple(Lacks(anchor) for anchor in anchors)
                for test in tests:
                    source = self._restricted(kind, source, reverse(path), (test,))
                return self._all(kind) if source is None else source
            case Within(path, things):
                return self._reached(kind, source, self.of(things), path)
            case Valued(path, tests):
                return self._restricted(kind, source, path, tests)
            case Same(path, other):
                shared = self.add(Find(other, path))
                apart = (Restriction("answer", (), (IsNot(other),)),)
                if source is None:
                    return self.add(Find(shared, reverse(path), apart))
                return self.add(Keep(source, shared, reverse(path), apart))
            case Numbered(path, bounds, things):
                before = self._all(kind) if source is None else source
                of = () if things is None else (Is(self.of(things)),)
                said = tuple(Restriction("answer", path, (Many(*bound), *of)) for bound in bounds)
                return self.add(Keep(before, restrictions=said))
            case Beyond(path, operator, sort, other):
                value = self.add(Find(other, path))
                return self._restricted(kind, source, path, (Than(operator, value, sort),))
            case Both(first, second):
                return self._found(kind, self._found(kind, source, first), second)
            case Either(first, second):
                ways = self._found(kind, source, first), self._found(kind, source, second)
                return self.add(Merge(ways))
            case Linked():
                raise AssertionError("a link to nothing")

    def _reached(self, kind: Iri, source: Ref | None, anchor: Iri | Literal | Ref, path: Path) -> Ref:
        if source is not None:
            return self.add(Keep(source, anchor, path))
        found = self.add(Find(anchor, path))
        if self.schema.certain(path, kind):
            return found
        return self.add(Keep(found, kind, (Hop(RDF_TYPE, True),)))

    def _restricted(self, kind: Iri, source: Ref | None, path: Path, tests: tuple[Test, ...]) -> Ref:
        before = self._all(kind) if source is None else source
        return self.add(Keep(before, restrictions=(Restriction("answer", path, tests),)))


def _starts(condition: Condition) -> int:
    """What names a thing is asked first: it finds few."""
    match condition:
        case Linked(anchors=(_,), negated=False):
            return 0
        case Within() | Same():
            return 1
        case Linked(negated=False):
            return 2
    return 3
