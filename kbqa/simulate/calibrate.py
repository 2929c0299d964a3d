"""Rates of a simulated person, fitted so that the modes land near the published study.

Nothing is played again for other rates: a record keeps every choice that was left to chance. A dialogue that
was played at rates q is as likely at rates p as at q times the product over its choices of p/q where one fell
yes, and (1-p)/(1-q) where no; so the same dialogues, weighted, tell what any rates would give (importance
sampling). Rows are weighted, too: only those whose gold query has answers on the store count, and their
required edits have the shares of the study's questions (Table 11).

The result is a model of the study's participants on average, no more: many rates would fit as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kbqa.errors import InputError
from kbqa.evaluate import published
from kbqa.evaluate.statistics import Ratio, estimates
from kbqa.simulate.profiles import RATES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

NOTE = (
    "A model, not people: rates of slips fitted to averages of one published study, with another knowledge "
    "base, other questions and other models. Other rates may fit as well."
)
STARTS = 6
LEAST, MOST = 0.002, 0.6
"""Bounds of a rate."""
_PRIOR_SD = 1.5
"""Standard deviation of a rate's logit around its start."""
_LEAST_EFFECTIVE = 0.25
"""Share of the dialogues that should carry the weight."""


@dataclass(frozen=True, slots=True)
class Target:
    """A published figure; `scale`: how much off counts as one (about its standard error at n = 400)."""

    mode: str
    measure: str
    value: float
    scale: float


def targets() -> tuple[Target, ...]:
    """Table 1 (Full: the mean of its three comparisons), edits a dialogue (from Tables 1 and 2: inferably
    correct dialogues by effort), dialogues of 4+ edits that had been right, interactions with people."""
    found: list[Target] = []
    for mode in ("full", "templated", "decontextualized", "non-interactive"):
        rows = [row[2:] for row in published.SUCCESS if row[1] == mode]
        for measure, values in zip(("official", "inferable", "deemed"), zip(*rows, strict=True), strict=True):
            known = [float(v) for v in values if v is not None]
            if known:
                found.append(Target(mode, measure, sum(known) / len(known) / 100, 0.025))
    for mode, edits in published.edits().items():
        found.append(Target(mode, "edits", edits, 0.1))
    found += [Target(m, "went_on", share / 100, 0.05) for m, share in published.WENT_ON.items()]
    low, high = published.INTERACTIONS["people"]
    return (*found, Target("full", "interactions", (low + high) / 2, 0.15))


# --- dialogues -----------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """The dialogues of one mode. `yes`, `no`: [n, rates] how often each choice fell so; `start`: [n] log
    probability of the choices as played; `base`: [n] the row's weight; `measures`: name -> (values,
    dialogues that it is about)."""

    yes: Array
    no: Array
    start: Array
    base: Array
    measures: Mapping[str, tuple[Array, Array]]

    def weights(self, rates: Array) -> Array:
        """[n], with sum n."""
        import numpy as np

        logs = self.yes @ np.log(rates) + self.no @ np.log1p(-rates) - self.start
        found = self.base * np.exp(logs - logs.max())
        return np.asarray(found * (len(found) / found.sum()))

    def value(self, measure: str, weights: Array) -> float:
        values, about = self.measures[measure]
        total = float(weights @ about)
        return float(weights @ (values * about)) / total if total else 0.0

    def estimate(self, measure: str, weights: Array) -> dict[str, Any]:
        values, about = self.measures[measure]
        ratio = Ratio((weights * values * about).tolist(), (weights * about).tolist())
        return estimates([ratio])[0].as_row()


def effective(weights: Array) -> float:
    """Kish's effective number of dialogues."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def required_shares() -> dict[int, float]:
    """Table 11: shares (0 to 1) of the study's questions by required edits."""
    rows = [row for row in published.QUESTIONS if row[0] == "required edits"]
    return {int(row[1]): row[3] / 100 for row in rows if row[3]}


def load(runs: Iterable[tuple[Iterable[Mapping[str, Any]], Mapping[str, float]]]) -> dict[str, Played]:
    """Mode -> its dialogues, from (records, rates at which they were played). Raises `InputError` where none
    can be used."""
    shares = required_shares()
    by_mode: dict[str, list[tuple[Mapping[str, Any], Mapping[str, float]]]] = {}
    for records, rates in runs:
        for r in records:
            usable = r["error"] is None and r["gold_answers"] and r["required"] is not None and r["turns"]
            if usable and len(r["required"]) in shares:
                by_mode.setdefault(r["mode"], []).append((_slim(r), rates))
    if not by_mode:
        raise InputError(
            "no dialogue can be used to calibrate: rows are needed whose gold query has answers on the "
            "knowledge base and whose first version needs at most 3 edits"
        )
    return {mode: _played(found, shares) for mode, found in by_mode.items()}


def _slim(r: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("decisions", "official", "inferable", "deemed", "edits", "went_on", "refused", "undone")
    return {k: r[k] for k in keys} | {"required": len(r["required"]), "ended": r["end"] is not None}


def _played(
    found: Sequence[tuple[Mapping[str, Any], Mapping[str, float]]], shares: Mapping[int, float]
) -> Played:
    import numpy as np

    n, places = len(found), {name: k for k, name in enumerate(RATES)}
    yes, no, start = np.zeros((n, len(RATES))), np.zeros((n, len(RATES))), np.zeros(n)
    for i, (record, rates) in enumerate(found):
        for name, taken in record["decisions"]:
            if name in places:
                (yes if taken else no)[i, places[name]] += 1
        q = np.array([min(max(rates[name], 1e-9), 1 - 1e-9) for name in RATES])
        start[i] = yes[i] @ np.log(q) + no[i] @ np.log1p(-q)
    counts = Counter(record["required"] for record, _ in found)
    base = np.array([shares[r["required"]] / counts[r["required"]] for r, _ in found])
    many = np.array([float(r["edits"] >= 4) for r, _ in found])
    one = np.ones(n)

    def column(value: Any) -> Array:
        return np.array([float(value(r) or 0) for r, _ in found])

    return Played(
        yes,
        no,
        start,
        base,
        {
            "official": (column(lambda r: r["official"]), one),
            "inferable": (column(lambda r: r["inferable"]), one),
            "deemed": (column(lambda r: r["deemed"]), one),
            "edits": (column(lambda r: r["edits"]), one),
            "went_on": (column(lambda r: r["went_on"]), many),
            "interactions": (column(lambda r: r["edits"] + r["refused"] + r["undone"] + r["ended"]), one),
        },
    )


# --- fitting -------------------------------------------------------------------------


def fit(played: Mapping[str, Played], start: Mapping[str, float], seed: int = 0) -> dict[str, float]:
    """The rates nearest to the targets, from several starts around `start`; deterministic. Rates that no
    decision of the dialogues depends on stay where they start."""
    import numpy as np
    from scipy.optimize import minimize

    wanted = [t for t in targets() if t.mode in played]
    centre = _logit(np.array([start[name] for name in RATES]))
    low, high = _logit(np.array([LEAST, MOST]))
    rng = np.random.default_rng(seed)

    def loss(x: Array) -> float:
        rates = 1 / (1 + np.exp(-x))
        weights = {mode: p.weights(rates) for mode, p in played.items()}
        off = sum(
            ((played[t.mode].value(t.measure, weights[t.mode]) - t.value) / t.scale) ** 2 for t in wanted
        )
        few = [max(0.0, _LEAST_EFFECTIVE - effective(w) / len(w)) for w in weights.values()]
        return float(off + (((x - centre) / _PRIOR_SD) ** 2).sum() + 400 * sum(f * f for f in few))

    best: Any = None
    for k in range(STARTS):
        x = np.clip(centre + (rng.normal(0, 0.7, len(RATES)) if k else 0.0), low, high)
        found = minimize(loss, x, method="L-BFGS-B", bounds=[(low, high)] * len(RATES))
        if best is None or found.fun < best.fun - 1e-9:
            best = found
    return {name: round(float(r), 4) for name, r in zip(RATES, 1 / (1 + np.exp(-best.x)), strict=True)}


def _logit(rates: Array) -> Array:
    import numpy as np

    kept = np.clip(rates, LEAST, MOST)
    return np.asarray(np.log(kept) - np.log1p(-kept))


def table(played: Mapping[str, Played], rates: Mapping[str, float] | None) -> list[dict[str, Any]]:
    """Each target beside what the dialogues give: at `rates`, or (None) as they were played."""
    import numpy as np

    weights = {
        mode: p.weights(np.clip([rates[name] for name in RATES], 1e-9, 1 - 1e-9))
        if rates is not None
        else p.base * (len(p.base) / p.base.sum())
        for mode, p in played.items()
    }
    return [
        {
            "mode": t.mode,
            "measure": t.measure,
            "published": round(t.value, 4),
            **_rounded(played[t.mode].estimate(t.measure, weights[t.mode])),
            "dialogues": len(weights[t.mode]),
            "effective": round(effective(weights[t.mode]), 1),
        }
        for t in targets()
        if t.mode in played
    ]


def _rounded(estimate: Mapping[str, Any]) -> dict[str, Any]:
    return {k: estimate[k] for k in ("value", "low", "high")}
