"""Which questions to put to people or to simulated users: as the study chose them (Lewis et al., appendix B).

Each question has features (type, facets, edits that it requires); a share is wanted for each feature. The n
questions are those whose shares are nearest to the wanted ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kbqa.errors import InputError
from kbqa.evaluate import published

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Feature = tuple[str, str]
"""('type', 'conjunction'), ('facet', 'union'), ('required edits', '2')."""
_MOST_SWAPS = 5_000


def published_shares(name: str) -> dict[Feature, float]:
    """Table 11, shares 0 to 1: 'study' (its 400 questions, in which what is hard is over-represented) or
    'inspired' (the whole test set)."""
    column = {"inspired": 2, "study": 3}[name]
    return {(row[0], row[1]): float(row[column]) / 100 for row in published.QUESTIONS}


def pool_shares(items: Sequence[frozenset[Feature]]) -> dict[Feature, float]:
    """The pool's own shares: a representative choice."""
    every = sorted({feature for item in items for feature in item})
    return {f: sum(f in item for item in items) / len(items) for f in every}


@dataclass(frozen=True, slots=True)
class Share:
    """One feature: its shares (0 to 1) of the pool, wanted, and of what was chosen."""

    feature: Feature
    pool: float
    wanted: float
    chosen: float

    def as_row(self) -> dict[str, Any]:
        kind, name = self.feature
        shares = {"pool": self.pool, "wanted": self.wanted, "chosen": self.chosen}
        return {"kind": kind, "name": name, **{k: round(v, 4) for k, v in shares.items()}}


def select(
    items: Sequence[frozenset[Feature]], n: int, shares: Mapping[Feature, float], seed: int = 0
) -> list[int]:
    """The places of `n` items whose shares come nearest to `shares`, in order. Deviations count by the
    standard error that a random choice would have. A search by exchanges from a random choice: the same seed
    gives the same items. Raises `InputError` where there are fewer than `n`."""
    import numpy as np

    if not 0 < n <= len(items):
        raise InputError(f"{n:,} questions wanted, {len(items):,} can be chosen from")
    features = list(shares)
    has = np.array([[f in item for f in features] for item in items], dtype=float)
    wanted = np.array([shares[f] for f in features])
    weight = 1 / (n * wanted * (1 - wanted) + 1)
    order = np.random.default_rng(seed).permutation(len(items))
    inside, outside = order[:n], order[n:]
    for _ in range(_MOST_SWAPS if len(outside) else 0):
        gap = has[inside].sum(0) - n * wanted
        change = _changes(has[inside], has[outside], gap, weight)
        out, into = np.unravel_index(int(change.argmin()), change.shape)
        if change[out, into] > -1e-9:
            break
        inside[out], outside[into] = outside[into], inside[out]
    return sorted(int(i) for i in inside)


def _changes(
    inside: NDArray[np.float64],
    outside: NDArray[np.float64],
    gap: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """By how much the weighted sum of squared gaps changes for each exchange (inside, outside)."""
    linear = 2 * (outside @ (weight * gap))[None, :] - 2 * (inside @ (weight * gap))[:, None]
    squares = (outside**2 @ weight)[None, :] + (inside**2 @ weight)[:, None]
    found: NDArray[np.float64] = linear + squares - 2 * (inside * weight) @ outside.T
    return found


def compared(
    items: Sequence[frozenset[Feature]], chosen: Sequence[int], shares: Mapping[Feature, float]
) -> list[Share]:
    pool, here = pool_shares(items), pool_shares([items[i] for i in chosen])
    return [Share(f, pool.get(f, 0.0), wanted, here.get(f, 0.0)) for f, wanted in shares.items()]
