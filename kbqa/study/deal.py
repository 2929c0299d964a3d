"""Which form a worker gets next: one after which as many as can be of the free ones still find somebody.

The plan counts on those who have begun, and on as few new workers as there must be. It is made anew each
time, so that whoever goes away or comes unexpectedly costs no more than they must.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from kbqa.study.assign import Form, Past

_TRIES = 8
"""Plans made one comparison after the other, before all are looked at together."""
_EXACT_S = 10.0
_LIKED, _CHANCE = 0.25, 0.001
"""What it is worth that the worker who asks gets the comparison that lags behind, and there an early form;
and what chance adds, so that plans differ: all together less than a form."""

_Group = Sequence[Form]
_Dealt = list[tuple[int, Form]]
_Bools = NDArray[np.bool_]


def choose(forms: Iterable[Form], taken: Collection[int], asks: Past, others: Sequence[Past]) -> Form | None:
    """The next form for the worker who asks; `others`: workers who may come back. Of those that keep the
    plan whole, one of the comparison of which the smallest share is taken. None only where no free form
    fits."""
    every = list(forms)
    free = [f for f in every if f.number not in taken]
    fitting = [f for f in free if asks.fits(f)]
    if len(fitting) < 2:
        return next(iter(fitting), None)
    sizes, left = Counter(f.comparison for f in every), Counter(f.comparison for f in free)

    def lag(form: Form) -> tuple[float, int]:
        return -left[form.comparison] / sizes[form.comparison], form.number

    groups: dict[str, list[Form]] = defaultdict(list)
    for form in sorted(free, key=lag):
        groups[form.comparison].append(form)
    known = [asks, *others]
    new = max(len(g) - sum(c not in w.comparisons for w in known) for c, g in groups.items())
    dealt = _plan(list(groups.values()), [*known, *[Past()] * new])
    return min([form for worker, form in dealt if worker == 0] or fitting, key=lag)


def _plan(groups: Sequence[_Group], workers: Sequence[Past]) -> _Dealt:
    """Who could do what, with as many forms as possible; the worker who asks is the first. `groups`: the
    free forms of each comparison."""
    rng = np.random.default_rng(0)
    met = np.zeros((len(workers), 1 + max(b for g in groups for f in g for b in f.blocks)), dtype=bool)
    for worker, past in enumerate(workers):
        met[worker, [b for b in past.blocks if b < met.shape[1]]] = True
    room = sum(int((~met[w]).sum()) // len(groups[0][0].blocks) for w in range(len(workers)))
    most = min(room, sum(len(_matched(group, workers, met, rng)) for group in groups))
    best: _Dealt = []
    for _ in range(_TRIES):
        dealt, now = [], met.copy()
        for group in groups:
            for worker, form in _matched(group, workers, now, rng):
                dealt.append((worker, form))
                now[worker, list(form.blocks)] = True
        best = max(best, dealt, key=len)
        if len(best) == most:
            return best
    return max(best, _exact(groups, workers), key=len)


def _matched(group: _Group, workers: Sequence[Past], met: _Bools, rng: np.random.Generator) -> _Dealt:
    """As many forms of one comparison as these workers can do, each one at most: a bipartite matching.
    Where there are several ways, chance decides, but for the worker who asks."""
    from scipy.optimize import linear_sum_assignment

    uses = np.zeros((len(group), met.shape[1]), dtype=bool)
    for place, form in enumerate(group):
        uses[place, list(form.blocks)] = True
    can = np.array([group[0].comparison not in w.comparisons for w in workers])
    fits = can[:, None] & ~(met.astype(np.float32) @ uses.T.astype(np.float32)).astype(bool)
    worth = fits * (1 + rng.random(fits.shape) * _CHANCE / len(group))
    worth[0] += _LIKED * fits[0] * (1 + np.linspace(1, 0, len(group)))
    pairs = zip(*linear_sum_assignment(worth, maximize=True), strict=True)
    return [(int(worker), group[place]) for worker, place in pairs if fits[worker, place]]


def _exact(groups: Sequence[_Group], workers: Sequence[Past]) -> _Dealt:
    """All comparisons together, as an integer program; nothing where it takes too long."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    pairs = [(w, f) for group in groups for f in group for w, past in enumerate(workers) if past.fits(f)]
    if not pairs:
        return []
    rows: dict[
        tuple[object, ...], int
    ] = {}  # what there is once: a form, a worker's comparison, a worker's block
    at = [
        (rows.setdefault(key, len(rows)), column)
        for column, (w, f) in enumerate(pairs)
        for key in (("form", f.number), (w, f.comparison), *((w, block) for block in f.blocks))
    ]
    once = coo_array((np.ones(len(at)), tuple(zip(*at, strict=True))), shape=(len(rows), len(pairs)))
    liked = groups[0][0].comparison
    worth = np.array([1 + _LIKED * (w == 0 and f.comparison == liked) for w, f in pairs])
    found = milp(
        -worth,
        integrality=np.ones(len(pairs)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(once.tocsr(), -np.inf, 1),
        options={"time_limit": _EXACT_S},
    )
    return [] if found.x is None else [pair for pair, used in zip(pairs, found.x, strict=True) if used > 0.5]
