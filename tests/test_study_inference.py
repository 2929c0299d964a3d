"""The study's statistics against scipy, statsmodels, krippendorff and the published figures."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from kbqa.evaluate.statistics import holm, randomized
from kbqa.study.inference import (
    binomial,
    detectable,
    equivalence,
    krippendorff,
    paired,
    pairs_needed,
    power_of_t,
)

VALUES = st.lists(
    st.tuples(st.floats(-5, 5).map(lambda x: round(x, 3)), st.floats(-5, 5).map(lambda x: round(x, 3))),
    min_size=3,
    max_size=30,
)


def _spread(pairs: list[tuple[float, float]]) -> bool:
    gaps = [a - b for a, b in pairs]
    return max(gaps) - min(gaps) > 0.01


# --- published -------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "n", "p"), [(28, 40, 0.0166), (27, 40, 0.0385), (23, 39, 0.337)])
def test_the_binomial_test_gives_the_published_preferences_their_p(hits: int, n: int, p: float) -> None:
    found = binomial(hits, n)
    assert found is not None
    assert found.p == pytest.approx(p, abs=5e-4)
    assert found.low < found.share < found.high


def test_four_hundred_items_are_what_an_effect_of_a_fifth_needs() -> None:
    """The study's power analysis (section 2.2) comes out so for two groups; its pairs need half."""
    assert pairs_needed(0.2, 0.8, groups=2) == 394
    assert pairs_needed(0.2, 0.8) == 199


# --- independent implementations --------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(VALUES.filter(_spread))
def test_paired_is_scipys(pairs: list[tuple[float, float]]) -> None:
    a, b = zip(*pairs, strict=True)
    found = paired(a, b)
    theirs = stats.ttest_rel(a, b)
    interval = theirs.confidence_interval(0.95)
    assert found is not None and found.d is not None
    assert found.t == pytest.approx(theirs.statistic, abs=1e-9)
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    assert found.d * math.sqrt(len(a)) == pytest.approx(theirs.statistic, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(VALUES.filter(_spread), st.sampled_from((0.1, 0.5, 2.0)))
def test_equivalence_is_statsmodels(pairs: list[tuple[float, float]], margin: float) -> None:
    weights = pytest.importorskip("statsmodels.stats.weightstats", reason="statsmodels checks it (extra dev)")
    a, b = zip(*pairs, strict=True)
    found = equivalence(a, b, margin)
    import numpy as np

    p, low, high = weights.ttost_paired(np.array(a), np.array(b), -margin, margin)
    assert found is not None
    assert (found.p, found.not_worse, found.not_better) == pytest.approx((p, low[1], high[1]), abs=1e-9)
    turned = equivalence(b, a, margin, low_is_good=True)
    assert turned == found


@pytest.mark.parametrize("effect", [0.1, 0.2, 0.5, 1.2])
@pytest.mark.parametrize("n", [3, 12, 40, 400])
def test_power_is_statsmodels(effect: float, n: int) -> None:
    power = pytest.importorskip("statsmodels.stats.power", reason="statsmodels checks it (extra dev)")
    one = power.TTestPower().power(effect, n, 0.05)
    two = power.TTestIndPower().power(effect, n, 0.05)
    for ours, theirs in ((power_of_t(effect, n), one), (power_of_t(effect, n, groups=2), two)):
        # Far out statsmodels has no figure.
        assert ours == pytest.approx(1.0 if math.isnan(theirs) else theirs, abs=1e-6)
    found = detectable(n, 0.8)
    assert found is not None and power_of_t(found, n) == pytest.approx(0.8, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from((1, 2, 3, 4, None)), min_size=4, max_size=4), min_size=3, max_size=8),
    st.sampled_from(("nominal", "ordinal", "interval")),
)
def test_alpha_is_krippendorffs(units: list[list[int | None]], level: str) -> None:
    theirs = pytest.importorskip("krippendorff", reason="krippendorff checks it (extra dev)")
    found = krippendorff([[v for v in u if v is not None] for u in units], level)
    if found is None:
        return
    data = [[math.nan if v is None else float(v) for v in row] for row in zip(*units, strict=True)]
    import numpy as np

    assert found == pytest.approx(theirs.alpha(np.array(data), level_of_measurement=level), abs=1e-9)


def test_alpha_of_krippendorffs_own_example() -> None:
    """Content Analysis, chapter 12: four observers, twelve units."""
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[v for v in column if v is not None] for column in zip(*table, strict=True)]
    assert krippendorff(units, "nominal") == pytest.approx(0.743, abs=1e-3)
    assert krippendorff(units, "ordinal") == pytest.approx(0.815, abs=1e-3)
    assert krippendorff(units, "interval") == pytest.approx(0.849, abs=1e-3)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_statsmodels(ps: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="statsmodels checks it (extra dev)")
    assert holm(ps) == pytest.approx(list(multitest.multipletests(ps, method="holm")[1]), abs=1e-12)


def test_randomization_finds_what_is_there_and_not_what_is_not() -> None:
    """Exact over all swaps of eight dialogues, against the sampled p."""
    from itertools import product

    a = [(1, 1), (1, 0), (1, 2), (0, 3), (1, 1), (1, 1), (0, 2), (1, 1)]
    b = [(0, 3), (1, 2), (0, 5), (0, 4), (1, 3), (0, 2), (0, 5), (1, 2)]

    def effort(pairs: list[tuple[int, int]]) -> float:
        edits = sum(e for _, e in pairs)
        return sum(s for s, _ in pairs) / edits if edits else 0.0

    observed = effort(a) - effort(b)
    hits = 0
    for swaps in product((False, True), repeat=len(a)):
        x = [q if s else p for p, q, s in zip(a, b, swaps, strict=True)]
        y = [p if s else q for p, q, s in zip(a, b, swaps, strict=True)]
        hits += abs(effort(x) - effort(y)) >= abs(observed) - 1e-12
    difference, p = randomized(a, b, seed=1)
    assert difference == pytest.approx(observed)
    assert p == pytest.approx(hits / 2 ** len(a), abs=0.02)
    assert randomized(a, a, seed=1) == (0.0, 1.0)


# --- where there is little ---------------------------------------------------------------


def test_too_little_is_told_and_no_error() -> None:
    assert paired([], []) is None
    assert binomial(0, 0) is None
    assert equivalence([1.0], [2.0], 0.5) is None
    assert krippendorff([[1], [2]], "nominal") is None
    assert krippendorff([[1, 1], [1, 1]], "nominal") is None
    same = paired([1.0, 2.0], [1.0, 2.0])
    assert same is not None and (same.p, same.t, same.d) == (1.0, None, None)
    with pytest.raises(ValueError, match="nominal"):
        krippendorff([[1, 2]], "ratio")
