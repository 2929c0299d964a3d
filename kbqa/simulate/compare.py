"""Modes against each other: paired tests and differences over the rows that both have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from kbqa.evaluate.statistics import estimates, holm, mcnemar, mean, paired_t, randomized
from kbqa.simulate.figures import Figures, Group

_NAMES = {
    "official": "officially correct",
    "inferable": "inferably correct",
    "deemed": "user-deemed correct",
}
Pairs = Sequence[tuple[Figures, Figures]]


def paired(modes: Mapping[str, Group]) -> Iterator[tuple[str, str, Pairs]]:
    """Every two modes with the figures of the rows that both have."""
    for a, b in combinations(modes, 2):
        first, second = ({f.row: f for f in modes[m]} for m in (a, b))
        rows = sorted(first.keys() & second.keys())
        if rows:
            yield a, b, [(first[r], second[r]) for r in rows]


def differences(modes: Mapping[str, Group]) -> list[dict[str, Any]]:
    """First mode less second, with bootstrap intervals: exact match at last, officially correct, answer F1
    at last."""
    out = []
    for a, b, pairs in paired(modes):
        exact = [float(x.exact[-1]) - float(y.exact[-1]) for x, y in pairs]
        official = [float(x.official) - float(y.official) for x, y in pairs]
        scores = [_less(x.f1[-1], y.f1[-1]) for x, y in pairs]
        found = estimates([mean(exact), mean(official), mean(scores)])
        for measure, e in zip(("exact match", "officially correct", "answer F1"), found, strict=True):
            out.append({"a": a, "b": b, "measure": measure, **e.as_row()})
    return out


def _less(x: float | None, y: float | None) -> float | None:
    return None if x is None or y is None else x - y


def comparisons(modes: Mapping[str, Group], seed: int) -> list[dict[str, Any]]:
    """Paired tests between every two modes over the rows that both have, p corrected by Holm over all
    of them together."""
    found: list[dict[str, Any]] = []
    for a, b, pairs in paired(modes):
        found += [{"a": a, "b": b, "n": len(pairs), **test} for test in _tests(pairs, seed)]
    for test, p in zip(found, holm([t["p"] for t in found]), strict=True):
        test["p"], test["p_holm"] = round(test["p"], 6), round(p, 6)
    return found


def _tests(pairs: Sequence[tuple[Figures, Figures]], seed: int) -> Iterator[dict[str, Any]]:
    exact = [f.exact[-1] for f, _ in pairs], [f.exact[-1] for _, f in pairs]
    yield _test("exact match", "McNemar, exact", _gap(*exact), mcnemar(*exact))
    for name in ("official", "inferable", "deemed"):
        values = [tuple(getattr(f, name) for f in pair) for pair in pairs]
        if all(None not in pair for pair in values):
            a, b = ([float(pair[k]) for pair in values] for k in (0, 1))
            yield _test(_NAMES[name], "paired t", _gap(a, b), paired_t(a, b))
    known = [(a.f1[-1], b.f1[-1]) for a, b in pairs]
    scores = [(x, y) for x, y in known if x is not None and y is not None]
    if scores:
        f1 = [x for x, _ in scores], [y for _, y in scores]
        yield _test("answer F1", "paired t", _gap(*f1), paired_t(*f1))
    effort = [[(float(f.inferable), float(f.edits)) for f in side] for side in zip(*pairs, strict=True)]
    if all(sum(edits for _, edits in side) for side in effort):
        difference, p = randomized(effort[0], effort[1], seed)
        yield _test("effort", "approximate randomization", difference, p)


def _gap(a: Sequence[float], b: Sequence[float]) -> float:
    return (sum(a) - sum(b)) / len(a)


def _test(measure: str, name: str, difference: float, p: float) -> dict[str, Any]:
    return {"measure": measure, "test": name, "difference": round(difference, 4), "p": p}
