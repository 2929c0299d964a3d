"""The tests a study needs beyond `kbqa.evaluate.statistics`. scipy is loaded when a figure is asked for.

Every p is two-sided unless it says otherwise. None stands where a figure can't be had (fewer than two
pairs, no variance).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from kbqa.evaluate.statistics import LEVEL, holm, paired_t

Table = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Paired:
    """A paired comparison a - b: means, difference with its t interval (`LEVEL`), t, p, and the effect
    size d_z = mean difference / standard deviation of the differences."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    low: float | None
    high: float | None
    t: float | None
    p: float
    d: float | None


def paired(a: Sequence[float], b: Sequence[float]) -> Paired | None:
    """Of values in pairs; None where there are none."""
    if not a:
        return None
    from scipy.stats import t as student

    gaps = [x - y for x, y in zip(a, b, strict=True)]
    n, gap = len(gaps), fmean(gaps)
    spread = stdev(gaps) if n > 1 else 0.0
    if not spread:
        return Paired(n, fmean(a), fmean(b), gap, None, None, None, paired_t(a, b), None)
    error = spread / math.sqrt(n)
    reach = float(student.ppf((1 + LEVEL) / 2, n - 1)) * error
    return Paired(
        n,
        fmean(a),
        fmean(b),
        gap,
        gap - reach,
        gap + reach,
        gap / error,
        paired_t(a, b),
        gap / spread,
    )


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two one-sided paired t-tests of a - b against a margin (Schuirmann). `not_worse`: p of the null
    that a is worse than b by the margin or more (non-inferiority, one-sided); `not_better`: the other
    side; `p`: the larger one, of equivalence."""

    margin: float
    not_worse: float
    not_better: float

    @property
    def p(self) -> float:
        return max(self.not_worse, self.not_better)


def equivalence(
    a: Sequence[float], b: Sequence[float], margin: float, *, low_is_good: bool = False
) -> Equivalence | None:
    """None for fewer than two pairs. `low_is_good`: lower values are the better ones."""
    if len(a) < 2:
        return None
    from scipy.stats import t as student

    gaps = [(y - x) if low_is_good else (x - y) for x, y in zip(a, b, strict=True)]
    n, gap, spread = len(gaps), fmean(gaps), stdev(gaps)
    if not spread:
        return Equivalence(margin, 0.0 if gap > -margin else 1.0, 0.0 if gap < margin else 1.0)
    error = spread / math.sqrt(n)
    return Equivalence(
        margin,
        float(student.sf((gap + margin) / error, n - 1)),
        float(student.cdf((gap - margin) / error, n - 1)),
    )


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `n` against one half: exact binomial p, Clopper-Pearson interval (`LEVEL`), and Cohen's
    h = 2 asin(sqrt(share)) - 2 asin(sqrt(1/2))."""

    hits: int
    n: int
    low: float
    high: float
    p: float

    @property
    def share(self) -> float:
        return self.hits / self.n

    @property
    def h(self) -> float:
        return 2 * math.asin(math.sqrt(self.share)) - math.pi / 2


def binomial(hits: int, n: int) -> Share | None:
    """None where nobody was asked."""
    if not n:
        return None
    from scipy.stats import binomtest

    found = binomtest(hits, n, 0.5)
    interval = found.proportion_ci(LEVEL, "exact")
    return Share(hits, n, float(interval.low), float(interval.high), float(found.pvalue))


def corrected(rows: Table) -> Table:
    """With Holm's p over the rows of the table that have one."""
    tested = [r for r in rows if r.get("p") is not None]
    for row, p in zip(tested, holm([r["p"] for r in tested]), strict=True):
        row["p_holm"] = p
    return rows


# --- power ----------------------------------------------------------------------------


def power_of_t(effect: float, n: int, alpha: float = 0.05, *, groups: int = 1) -> float:
    """The probability that a two-sided t-test finds a standardised effect: of `n` pairs (`groups` = 1)
    or of two groups of `n` each (`groups` = 2). From the noncentral t distribution."""
    if n < 2:
        return 0.0
    from scipy.stats import nct, norm
    from scipy.stats import t as student

    freedom = groups * (n - 1)
    shift = effect * math.sqrt(n / groups)
    edge = float(student.ppf(1 - alpha / 2, freedom))
    above, below = float(nct.sf(edge, freedom, shift)), float(nct.cdf(-edge, freedom, shift))
    if math.isnan(above):  # scipy has no figure so far out, where it is 0 or 1 in all digits
        above = float(norm.sf(edge - shift))
    return above + (0.0 if math.isnan(below) else below)


def pairs_needed(effect: float, power: float, alpha: float = 0.05, *, groups: int = 1) -> int:
    """The smallest n of `power_of_t` that has this power. `effect` is above 0."""
    low, high = 1, 2
    while power_of_t(effect, high, alpha, groups=groups) < power:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if power_of_t(effect, middle, alpha, groups=groups) < power:
            low = middle
        else:
            high = middle
    return high


def detectable(n: int, power: float, alpha: float = 0.05) -> float | None:
    """The smallest standardised effect that `n` pairs find with this power; None for fewer than two."""
    if n < 2:
        return None
    from scipy.optimize import brentq

    high = 1.0
    while power_of_t(high, n, alpha) < power and high < 1e4:
        high *= 2
    return float(brentq(lambda d: power_of_t(d, n, alpha) - power, 1e-9, high))


# --- agreement ------------------------------------------------------------------------


def krippendorff(units: Sequence[Sequence[float]], level: str) -> float | None:
    """Krippendorff's alpha (Content Analysis, chapter 12). `units`: for each thing judged the values it
    was given, whoever gave them; a unit with fewer than two counts for nothing. `level`: 'nominal',
    'ordinal' (values are ranks) or 'interval'. None where nothing is paired, or all values are alike."""
    judged = [list(u) for u in units if len(u) > 1]
    values = sorted({v for u in judged for v in u})
    if len(values) < 2:
        return None
    at = {v: k for k, v in enumerate(values)}
    size = len(values)
    pairs = [[0.0] * size for _ in range(size)]
    for unit in judged:
        for i, x in enumerate(unit):
            for j, y in enumerate(unit):
                if i != j:
                    pairs[at[x]][at[y]] += 1 / (len(unit) - 1)
    totals = [sum(row) for row in pairs]
    whole = sum(totals)
    distance = _distance(values, totals, level)
    every = [(i, j) for i in range(size) for j in range(size) if i != j]
    seen = sum(pairs[i][j] * distance[i][j] for i, j in every)
    expected = sum(totals[i] * totals[j] * distance[i][j] for i, j in every)
    return 1 - (whole - 1) * seen / expected


def _distance(values: Sequence[float], totals: Sequence[float], level: str) -> list[list[float]]:
    """The squared difference of each two values."""

    def between(i: int, j: int) -> float:
        low, high = min(i, j), max(i, j)
        match level:
            case "nominal":
                return float(i != j)
            case "ordinal":
                return (sum(totals[low : high + 1]) - (totals[low] + totals[high]) / 2) ** 2
            case "interval":
                return (values[i] - values[j]) ** 2
        raise ValueError(f"a level of 'nominal', 'ordinal' or 'interval' expected, not {level!r}")

    return [[between(i, j) for j in range(len(values))] for i in range(len(values))]
