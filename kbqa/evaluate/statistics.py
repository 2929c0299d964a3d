"""Intervals and paired tests. scipy and numpy are loaded when a figure is asked for.

Every measure is a ratio of two sums over dialogues (a mean: the sum of its values by their number), so
one resampling serves all measures of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95
REPLICATES = 1_000
TRIALS = 10_000
_CHUNK = 2_000_000
"""Numbers drawn at once."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure with its bootstrap interval (percentiles, `LEVEL`). `n`: what it was measured on;
    `value` is None where that is nothing."""

    value: float | None
    low: float | None
    high: float | None
    n: float

    def as_row(self) -> dict[str, float | None]:
        shown = {"value": self.value, "low": self.low, "high": self.high}
        return {**{k: None if v is None else round(v, 4) for k, v in shown.items()}, "n": self.n}


@dataclass(frozen=True, slots=True)
class Ratio:
    """A measure: for each dialogue what it adds to the numerator and to the denominator."""

    above: Sequence[float]
    below: Sequence[float]


def mean(values: Sequence[float | bool | None]) -> Ratio:
    """The mean of the values that are there."""
    above = [(1.0 if v else 0.0) if v is None or v is True or v is False else float(v) for v in values]
    return Ratio(above, [0.0 if v is None else 1.0 for v in values])


def estimates(measures: Sequence[Ratio], seed: int = 0) -> list[Estimate]:
    """All measures of one group of dialogues, over the same resamples; deterministic."""
    import numpy as np

    n = len(measures[0].above) if measures else 0
    if not n:
        return [Estimate(None, None, None, 0) for _ in measures]
    above = np.array([m.above for m in measures], dtype=float)
    below = np.array([m.below for m in measures], dtype=float)
    rng = np.random.default_rng(seed)
    drawn = []
    for start in range(0, REPLICATES, step := max(1, _CHUNK // n)):
        size = min(step, REPLICATES - start)
        counts = rng.multinomial(n, np.full(n, 1 / n), size=size)
        drawn.append((counts @ above.T, counts @ below.T))
    tops, bottoms = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    out = []
    for k in range(len(measures)):
        total = float(below[k].sum())
        if not total:
            out.append(Estimate(None, None, None, 0))
            continue
        there = bottoms[:, k] > 0
        low, high = np.quantile(tops[there, k] / bottoms[there, k], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        out.append(Estimate(float(above[k].sum()) / total, float(low), float(high), total))
    return out


# --- paired tests --------------------------------------------------------------------


def mcnemar(a: Sequence[bool], b: Sequence[bool]) -> float:
    """The exact two-sided p of two systems' right and wrong over the same questions."""
    from scipy.stats import binomtest

    only_a = sum(x and not y for x, y in zip(a, b, strict=True))
    only_b = sum(y and not x for x, y in zip(a, b, strict=True))
    if only_a + only_b == 0:
        return 1.0
    return float(binomtest(only_a, only_a + only_b, 0.5).pvalue)


def paired_t(a: Sequence[float], b: Sequence[float]) -> float:
    """The two-sided p of a paired t-test: 1 where no pair differs, 0 where all differ alike."""
    from scipy.stats import ttest_rel

    differences = {x - y for x, y in zip(a, b, strict=True)}
    if len(a) < 2 or differences <= {0.0}:
        return 1.0
    if len(differences) == 1:
        return 0.0
    return float(ttest_rel(a, b).pvalue)


def randomized(
    a: Sequence[tuple[float, float]], b: Sequence[tuple[float, float]], seed: int = 0, trials: int = TRIALS
) -> tuple[float, float]:
    """Approximate randomization of a ratio of sums, such as successes by edits (METHODS.md, section 1):
    (difference a - b, p). For each dialogue a coin decides whether the systems' pairs are swapped; p is
    the share of the trials with a difference at least as large. A ratio by zero counts as zero."""
    import numpy as np

    x, y = np.array(a, dtype=float).reshape(-1, 2), np.array(b, dtype=float).reshape(-1, 2)
    rng = np.random.default_rng(seed)
    observed = _ratio(x.sum(0)) - _ratio(y.sum(0))
    if not len(x) or np.array_equal(x, y):
        return observed, 1.0
    least, hits = abs(observed) - 1e-12, 0
    total, swing = x.sum(0) + y.sum(0), x - y
    for start in range(0, trials, step := max(1, _CHUNK // len(x))):
        signs = rng.integers(0, 2, size=(min(step, trials - start), len(x))) * 2 - 1
        tops = (total + signs @ swing) / 2
        rest = total - tops
        hits += sum(abs(_ratio(one) - _ratio(other)) >= least for one, other in zip(tops, rest, strict=True))
    return observed, hits / trials


def _ratio(pair: Sequence[float]) -> float:
    return float(pair[0]) / float(pair[1]) if pair[1] else 0.0


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's step-down correction: adjusted p, in the order given."""
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    adjusted, most = [0.0] * len(ps), 0.0
    for rank, i in enumerate(order):
        most = max(most, min(1.0, (len(ps) - rank) * ps[i]))
        adjusted[i] = most
    return adjusted
