"""A study's figures from what its participants left: the tables and figures of Lewis et al. for this
study, with intervals, effect sizes, equivalence and corrected p (METHODS.md, sections 1 and 3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from kbqa.evaluate.statistics import Ratio, estimates, mean, randomized
from kbqa.study.config import Study
from kbqa.study.inference import (
    Table,
    corrected,
    detectable,
    equivalence,
    paired,
    pairs_needed,
    power_of_t,
)
from kbqa.study.outcomes import Done, Left
from kbqa.study.survey import agreement, preferences, survey

MEASURES = ("official", "inferable", "deemed")
LATE = 4
"""Edits from which on a dialogue counts as a long one (section 3.1)."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """One comparison: its two conditions, in the order of the study file, with their dialogues."""

    name: str
    a: str
    b: str
    dialogues: Mapping[str, Sequence[Done]]


def analyse(study: Study, left: Left) -> dict[str, Any]:
    """Every table as a list of rows, by name; JSON-serialisable."""
    return {
        "success": _success(study, left.dialogues),
        "success_tests": _success_tests(study, left.dialogues),
        "effort": _effort(study, left.dialogues),
        "survey": survey(study, left),
        "preferences": preferences(study, left),
        "teams": _teams(study, left.dialogues),
        "edits": _by_edits(study, left.dialogues),
        "long_dialogues": _long(study, left.dialogues),
        "types": _by_type(study, left.dialogues),
        "learning": _learning(study, left.dialogues),
        "agreement": agreement(study, left),
        "power": _power(study, left.dialogues),
        "times": _times(study, left.dialogues),
    }


# --- Table 1 and 4 ------------------------------------------------------------------------


def _success(study: Study, dialogues: Sequence[Done]) -> Table:
    """Table 1: shares (0..1) with bootstrap intervals."""
    rows: Table = []
    for name, condition, part in _groups(study, dialogues):
        found = estimates([mean([d.success(m) for d in part]) for m in MEASURES], study.seed)
        for measure, value in zip(MEASURES, found, strict=True):
            rows.append({"comparison": name, "condition": condition, "measure": measure, **value.as_row()})
    return rows


def _success_tests(study: Study, dialogues: Sequence[Done]) -> Table:
    """Paired over the items that both systems were asked, a - b. Equivalence is tested against the
    study's margin; `p_not_worse` is that of a not being worse than b by so much."""
    rows: Table = []
    for pair in _pairs(study, dialogues):
        for measure in MEASURES:
            a, b = _by_item(pair, measure)
            found, same = paired(a, b), equivalence(a, b, study.analysis.margin)
            if found is None:
                continue
            rows.append(
                {
                    **_head(pair),
                    "measure": measure,
                    **asdict(found),
                    "margin": study.analysis.margin,
                    "p_not_worse": same and same.not_worse,
                    "p_equivalent": same and same.p,
                }
            )
    return corrected(rows)


def _by_item(pair: _Pair, measure: str) -> tuple[list[float], list[float]]:
    """The means of the items that both have."""
    each: dict[str, dict[str, list[float]]] = {pair.a: defaultdict(list), pair.b: defaultdict(list)}
    for condition, found in each.items():
        for d in pair.dialogues[condition]:
            value = d.success(measure)
            if value is not None:
                found[d.item].append(value)
    both = sorted(each[pair.a].keys() & each[pair.b].keys())
    return [fmean(each[pair.a][i]) for i in both], [fmean(each[pair.b][i]) for i in both]


def _teams(study: Study, dialogues: Sequence[Done]) -> Table:
    """Table 4: the success of each team of workers by itself."""
    teams = sorted({d.team for d in dialogues})
    if teams in ([], [""]):
        return []
    rows = []
    for team in teams:
        part = [d for d in dialogues if d.team == team]
        for row in _success(study, part):
            if row["n"]:
                rows.append({"team": team or "(none)", "workers": len({d.participant for d in part}), **row})
    return rows


# --- Table 2 and Figure 4 -----------------------------------------------------------------


def _effort(study: Study, dialogues: Sequence[Done]) -> Table:
    """Table 2: inferably correct dialogues by all edits made, where both systems take edits; p of the
    difference by approximate randomization over the dialogues about the same items."""
    rows: Table = []
    for pair in _pairs(study, dialogues):
        a, b = pair.dialogues[pair.a], pair.dialogues[pair.b]
        if not (a or b) or not all(d.edits_possible for d in (*a, *b)):
            continue
        ratios = [
            Ratio([float(d.outcome.inferable) for d in part], [float(d.outcome.edits) for d in part])
            for part in (a, b)
        ]
        efforts = [estimates([r], study.seed)[0] for r in ratios]
        x, y = _matched(a, b)
        difference, p = randomized(x, y, study.seed, study.analysis.trials)
        rows.append(
            {
                **_head(pair),
                "effort_a": efforts[0].value,
                "low_a": efforts[0].low,
                "high_a": efforts[0].high,
                "effort_b": efforts[1].value,
                "low_b": efforts[1].low,
                "high_b": efforts[1].high,
                "edits_a": sum(d.outcome.edits for d in a),
                "edits_b": sum(d.outcome.edits for d in b),
                "n": len(x),
                "difference": difference if x else None,
                "p": p if x else None,
                "trials": study.analysis.trials,
                "seed": study.seed,
            }
        )
    return corrected(rows)


def _matched(
    a: Sequence[Done], b: Sequence[Done]
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """(success, edits) of the dialogues about the same items, one by one."""
    waiting: dict[str, list[Done]] = defaultdict(list)
    for d in b:
        waiting[d.item].append(d)
    pairs = [(d, waiting[d.item].pop(0)) for d in a if waiting[d.item]]
    x = [(float(p.outcome.inferable), float(p.outcome.edits)) for p, _ in pairs]
    return x, [(float(q.outcome.inferable), float(q.outcome.edits)) for _, q in pairs]


def _by_edits(study: Study, dialogues: Sequence[Done]) -> Table:
    """Figures 4 and 8: how many dialogues used so many edits, and how many of them succeeded."""
    rows: Table = []
    for name, condition, part in _groups(study, dialogues):
        if not part or not part[0].edits_possible:
            continue
        for used in range(study.edits + 1):
            here = [d for d in part if d.outcome.edits == used]
            counts = {m: sum(bool(d.success(m)) for d in here) for m in MEASURES}
            rows.append(
                {
                    "comparison": name,
                    "condition": condition,
                    "edits": used,
                    "dialogues": len(here),
                    **counts,
                }
            )
    return rows


def _long(study: Study, dialogues: Sequence[Done]) -> Table:
    """Of the dialogues with four edits or more, the share in which the right query had been shown and
    was edited further."""
    rows: Table = []
    for name, condition, part in _groups(study, dialogues):
        late = [d for d in part if d.outcome.edits >= LATE]
        if not part or not part[0].edits_possible:
            continue
        (found,) = estimates([mean([d.outcome.went_on for d in late])], study.seed)
        rows.append({"comparison": name, "condition": condition, **found.as_row()})
    return rows


def _by_type(study: Study, dialogues: Sequence[Done]) -> Table:
    rows: Table = []
    for name, condition, part in _groups(study, dialogues):
        for kind in sorted({d.type for d in part}):
            (found,) = estimates([mean([d.success("inferable") for d in part if d.type == kind])], study.seed)
            rows.append({"comparison": name, "condition": condition, "type": kind, **found.as_row()})
    return rows


# --- learning, power, times -------------------------------------------------------


def _learning(study: Study, dialogues: Sequence[Done]) -> Table:
    """Of workers with two comparisons or more: success in the first and in the last batch of the system
    that most comparisons have (section 4 of the study)."""
    counts = Counter(m.name for c in study.comparisons for m in c.conditions)
    common = max(counts, key=lambda name: counts[name])
    first, last = [], []
    by_worker: dict[str, list[Done]] = defaultdict(list)
    for d in dialogues:
        if d.condition == common:
            by_worker[d.participant].append(d)
    for own in by_worker.values():
        own.sort(key=lambda d: d.order)
        if len(own) >= 2 * study.batch:
            first.append(fmean(d.outcome.inferable for d in own[: study.batch]))
            last.append(fmean(d.outcome.inferable for d in own[-study.batch :]))
    found = paired(last, first)
    if found is None:
        return []
    row = asdict(found)
    return [
        {
            "condition": common,
            "workers": row.pop("n"),
            "last": row.pop("mean_a"),
            "first": row.pop("mean_b"),
            **row,
        }
    ]


def _power(study: Study, dialogues: Sequence[Done]) -> Table:
    """What so many items can show: by the paired t-test over items."""
    chosen = study.analysis
    rows = []
    for pair in _pairs(study, dialogues):
        n = len(_by_item(pair, "inferable")[0])
        rows.append(
            {
                **_head(pair),
                "n": n,
                "effect": chosen.effect,
                "alpha": chosen.alpha,
                "power": power_of_t(chosen.effect, n, chosen.alpha),
                "needed": pairs_needed(chosen.effect, chosen.power, chosen.alpha),
                "detectable": detectable(n, chosen.power, chosen.alpha),
                "at_power": chosen.power,
            }
        )
    return rows


def _times(study: Study, dialogues: Sequence[Done]) -> Table:
    rows: Table = []
    for name, condition, part in _groups(study, dialogues):
        whole = [d.seconds for d in part if d.seconds is not None]
        turns = [d.turn_seconds for d in part if d.turn_seconds is not None]
        rows.append(
            {
                "comparison": name,
                "condition": condition,
                "n": len(whole),
                "median_seconds": median(whole) if whole else None,
                "median_turn_seconds": median(turns) if turns else None,
                "edits": fmean(d.outcome.edits for d in part) if part else None,
            }
        )
    return rows


# --- what they share -----------------------------------------------------------------------


def _groups(study: Study, dialogues: Iterable[Done]) -> Iterator[tuple[str, str, list[Done]]]:
    every = list(dialogues)
    for comparison in study.comparisons:
        for mode in comparison.conditions:
            here = [d for d in every if (d.comparison, d.condition) == (comparison.name, mode.name)]
            yield comparison.name, mode.name, here


def _pairs(study: Study, dialogues: Sequence[Done]) -> Iterator[_Pair]:
    found: dict[str, dict[str, Sequence[Done]]] = defaultdict(dict)
    for name, condition, part in _groups(study, dialogues):
        found[name][condition] = part
    for name, both in found.items():
        if len(both) == 2:
            a, b = both
            yield _Pair(name, a, b, both)


def _head(pair: _Pair) -> dict[str, Any]:
    return {"comparison": pair.name, "a": pair.a, "b": pair.b}
