"""Decompositions point by point (METHODS.md, section 2; adapted from pointwise scoring of summaries).

A point is a step with its partial logical form. Gold and predicted points are matched one to one: a
full match has the same form, half a match goes the same way from the same thing with a condition
missing or extra.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from kbqa.evaluate.forms import partial_forms
from kbqa.rewire import with_references
from kbqa.types import Find, Keep, Query, Ref, Step

_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Pointwise:
    """`precision`, `recall`, `f1`: 0 to 1. `order`: the share of pairs of matched points that stand in
    the gold order, 1 where there is no pair. Implied edits: gold points without a match are insertions,
    predicted ones deletions, both in the same place a replacement; half matches are edits."""

    precision: float
    recall: float
    f1: float
    order: float
    insertions: int
    deletions: int
    replacements: int
    edits: int

    @property
    def implied_edits(self) -> int:
        return self.insertions + self.deletions + self.replacements + self.edits


def pointwise(gold: tuple[Step, ...], predicted: tuple[Step, ...]) -> Pointwise:
    """`gold` holds at least one step; no prediction scores zero."""
    scores = _scores(gold, predicted)
    pairs = _assigned(scores) if predicted else []
    total = sum(scores[i][j] for i, j in pairs)
    precision, recall = total / len(predicted) if predicted else 0.0, total / len(gold)
    left = {i for i in range(len(gold))} - {i for i, _ in pairs}
    over = {j for j in range(len(predicted))} - {j for _, j in pairs}
    both = left & over
    turns = [(a[1] < b[1]) for a, b in combinations(sorted(pairs), 2)]
    return Pointwise(
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if total else 0.0,
        order=sum(turns) / len(turns) if turns else 1.0,
        insertions=len(left - both),
        deletions=len(over - both),
        replacements=len(both),
        edits=sum(scores[i][j] < 1 for i, j in pairs),
    )


def _scores(gold: tuple[Step, ...], predicted: tuple[Step, ...]) -> list[list[float]]:
    wanted, found = partial_forms(gold), partial_forms(predicted)
    return [
        [_score(gold[i], wanted[i], predicted[j], found[j]) for j in range(len(predicted))]
        for i in range(len(gold))
    ]


def _score(gold: Step, wanted: Query | None, predicted: Step, found: Query | None) -> float:
    if wanted is not None and wanted == found:
        return 1.0
    if not isinstance(gold, Find | Keep) or not isinstance(predicted, Find | Keep) or not gold.path:
        return 0.0
    a, b = _apart(gold), _apart(predicted)
    same = a.path == b.path and a.anchor == b.anchor and a.restrictions != b.restrictions
    return _HALF if same else 0.0


def _apart(step: Find | Keep) -> Find | Keep:
    """The step apart from which steps it rests on."""
    found = with_references(step, lambda _: Ref(0))
    assert isinstance(found, Find | Keep)
    return found


def _assigned(scores: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The one-to-one pairs with the highest total, without those that score nothing."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(scores, maximize=True)
    pairs = zip(map(int, rows), map(int, columns), strict=True)
    return [(i, j) for i, j in pairs if scores[i][j] > 0]
