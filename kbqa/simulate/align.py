"""Where shown steps differ from the wanted ones, and by which operations they come together.

Steps are compared by what they ask: by their partial logical form (with all they rest on), and by
themselves (apart from what they rest on). Of all orders of the wanted steps the one nearest to what
is shown counts; the operations go from the first step down, as a person goes through them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal as Choice

from kbqa.evaluate.forms import partial_forms
from kbqa.rewire import Steps, with_references
from kbqa.types import Find, Keep, Merge, Pick, Query, Ref, Step

_ALONE, _NEAR, _OTHER, _GAP = 0.01, 0.6, 1.0, 1.0
"""Costs: the step is right but rests on a wrong one; it is nearly right; it is another; one more or one
fewer."""

Kind = Choice["insert", "delete", "replace", "edit"]


@dataclass(frozen=True, slots=True)
class Operation:
    """What to do at step `step` of those shown (from 1; insert: before it); `wanted`: the number of the
    wanted step that belongs there, 0 where none does."""

    kind: Kind
    step: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Script:
    """Operations from shown steps to `way`, top down; none where they are equal. `places`: where
    each wanted step that is shown stands."""

    operations: tuple[Operation, ...]
    cost: float
    way: Steps
    places: Mapping[int, int]


def nearest(ways: Sequence[Steps], shown: Steps) -> Script:
    """The cheapest script over all ways; among equals the first. `ways` holds at least one."""
    forms = partial_forms(shown)
    scripts = [_script(way, shown, forms) for way in ways]
    return min(scripts, key=lambda s: s.cost)


def _script(way: Steps, shown: Steps, forms: Sequence[Query | None]) -> Script:
    wanted = partial_forms(way)
    costs = [
        [_cost(way[i], wanted[i], shown[j], forms[j]) for j in range(len(shown))] for i in range(len(way))
    ]
    pairs, total = _aligned(costs, len(way), len(shown))
    here = 1
    operations: list[Operation] = []
    places: dict[int, int] = {}
    for i, j in pairs:
        if i is None:
            operations.append(Operation("delete", here, 0))
        elif j is None:
            operations.append(Operation("insert", here, i + 1))
        else:
            places[i + 1] = here
            if costs[i][j] > _ALONE:
                near = costs[i][j] < _OTHER
                operations.append(Operation("edit" if near else "replace", here, i + 1))
        here += j is not None
    if not operations:
        operations = _misplaced(wanted, forms, places)
    return Script(tuple(operations), total, way, places)


def _misplaced(
    wanted: Sequence[Query | None], forms: Sequence[Query | None], places: Mapping[int, int]
) -> list[Operation]:
    """Every step is there, but one goes on from the wrong answers."""
    for i, f in enumerate(wanted, 1):
        if f != forms[places[i] - 1]:
            return [Operation("replace", places[i], i)]
    return []


def _aligned(
    costs: Sequence[Sequence[float]], n: int, m: int
) -> tuple[list[tuple[int | None, int | None]], float]:
    """The cheapest pairing in order (Levenshtein): (wanted, shown), None for a gap."""
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            if i < n or j < m:
                best[i][j] = min(c for c, _ in _moves(costs, best, i, j, n, m))
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < n or j < m:
        _, (a, b) = min(_moves(costs, best, i, j, n, m), key=lambda move: move[0])
        pairs.append((i if a else None, j if b else None))
        i, j = i + a, j + b
    return pairs, best[0][0]


def _moves(
    costs: Sequence[Sequence[float]], best: Sequence[Sequence[float]], i: int, j: int, n: int, m: int
) -> list[tuple[float, tuple[bool, bool]]]:
    """What can come next, and the cost of the rest with it."""
    found = []
    if i < n and j < m:
        found.append((costs[i][j] + best[i + 1][j + 1], (True, True)))
    if j < m:
        found.append((_GAP + best[i][j + 1], (False, True)))
    if i < n:
        found.append((_GAP + best[i + 1][j], (True, False)))
    return found


def _cost(wanted: Step, wanted_form: Query | None, shown: Step, shown_form: Query | None) -> float:
    if wanted_form is not None and wanted_form == shown_form:
        return 0.0
    a, b = alone(wanted), alone(shown)
    if a == b:
        return _ALONE
    return _NEAR if _alike(a, b) else _OTHER


def alone(step: Step) -> Step:
    """The step apart from which steps it rests on, and from the order of its conditions."""
    if isinstance(step, Merge):
        return Merge(tuple(Ref(0) for _ in step.sources))
    found = with_references(step, lambda _: Ref(0))
    if isinstance(found, Find | Keep):
        return replace(found, restrictions=tuple(sorted(found.restrictions, key=repr)))
    return found


def _alike(a: Step, b: Step) -> bool:
    """Whether two steps go along the same path, or start at the same thing."""
    match a, b:
        case ((Find() | Keep()), (Find() | Keep())):
            named = a.anchor == b.anchor and a.anchor not in (None, Ref(0))
            return named or (bool(a.path) and a.path == b.path)
        case Pick(), Pick():
            return a.path == b.path
    return type(a) is type(b)
