"""The report of a run: measures with intervals, groups, paired tests, and which dialogues to read.

All shares are 0 to 1, all times seconds. A measure that was measured on nothing is null, never NaN.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kbqa.dialogue import MODES
from kbqa.evaluate import published
from kbqa.evaluate.statistics import Ratio, estimates, mean
from kbqa.simulate.compare import comparisons, differences
from kbqa.simulate.figures import POINTS, Figures, Group, sharing
from kbqa.simulate.tally import Tally

MOST_WORST = 20
MOST_FAILURES = 50
MOST_EXAMPLES = 5
_NOTES = (
    "A simulated user is a model of a person: it knows the gold query and compares meanings, which no "
    "person can. Its figures tell parsers, correctors and modes apart; they do not foretell what people "
    "reach.",
    "Its words come from the lexicon from which the shipped corrector's training questions were made, "
    "unless the data holds sub-questions of people: corrections are likelier to be understood than "
    "people's. 'template_edits' says how many of them copied templated English.",
    "Exact match: canonical queries are equal up to names, order and guards (answers in English, answer "
    "differs from the anchor, DISTINCT). Failed dialogues and questions that were not understood count "
    "as wrong at every turn.",
    "Answer F1 is over the rows whose gold query has an answer on this store; its n says how many.",
    "Corrections understood: of those said in words, without a slip, the share after which the step that "
    "was said is there; a refusal is none. 'Names kept': the share of shown sub-questions that hold every "
    "name of their template (entity fidelity).",
    "Steps are compared point by point (adapted): precision, recall, F1, order and implied edits are over "
    "the rows whose gold query has steps. No understanding scores 0, but has no order to be wrong (1).",
    "'Inferably correct' assumes that the values by which the candidates are sorted are shown. "
    "'User-deemed correct' is what was accepted with an answer before the edits were used up, or is "
    "inferably correct; dialogues spoilt by errors of generation, which the study took out by hand, are not "
    "taken out.",
)


def make_report(
    records: Iterable[Mapping[str, Any]],
    settings: Mapping[str, Any],
    common: frozenset[str] | None = None,
) -> dict[str, Any]:
    """`records` is read once and not kept, apart from its figures. `common`: the predicates that are not
    sparse; None: that is not known, and no question is said to hold a sparse one."""
    by_mode: dict[str, list[Figures]] = defaultdict(list)
    tally, same = Tally(), sharing()
    failures: list[dict[str, Any]] = []
    failed = 0
    for record in records:
        by_mode[record["mode"]].append(Figures.of(record, common, same))
        tally.add(record)
        if record["error"] is not None:
            failed += 1
            if len(failures) < MOST_FAILURES:
                failures.append({k: record[k] for k in ("row", "id", "mode", "error")})
    ordered = {m: by_mode[m] for m in MODES if m in by_mode}
    return {
        "signature": {**settings, "text": signature_text(settings)},
        "notes": list(_NOTES),
        "modes": {m: _overall(group) for m, group in ordered.items()},
        "by_type": _split(ordered, lambda f: (f.type,)),
        "by_facet": _split(ordered, lambda f: f.facets or ("none",)),
        "by_required_edits": _split(ordered, _required),
        "by_gold_answers": _split(ordered, _answerable),
        "edits_used": {m: _by_edits(group) for m, group in ordered.items()},
        "first_errors": {m: _counts(o for f in g for o in f.required or ()) for m, g in ordered.items()},
        "errors": tally.report(),
        "why_not": {m: _why_not(group) for m, group in ordered.items()},
        "questions": _questions(ordered),
        "comparisons": comparisons(ordered, settings["seed"]),
        "differences": differences(ordered),
        "published": {
            "success": [list(row) for row in published.SUCCESS],
            "effort": [list(row) for row in published.EFFORT],
            "questions": [list(row) for row in published.QUESTIONS],
            "went_on": published.WENT_ON,
            "edits": {m: round(e, 4) for m, e in published.edits().items()},
            "simulation": published.SIMULATION,
            "interactions": published.INTERACTIONS,
        },
        "worst": [[f.row, mode] for mode, f in _worst(ordered)],
        "failed": failed,
        "failures": failures,
        "timing": {m: _timing(group) for m, group in ordered.items()},
    }


def signature_text(settings: Mapping[str, Any]) -> str:
    """Every choice behind the figures, in one line; rates stand there as the hash of the profile."""
    return "|".join(
        f"{k}:{','.join(v) if isinstance(v, list) else v}"
        for k, v in settings.items()
        if v is not None and not isinstance(v, dict)
    )


# --- measures ------------------------------------------------------------------------


def _overall(group: Group) -> dict[str, Any]:
    edits = len(group[0].exact)
    exact = [mean([f.exact[t] for f in group]) for t in range(edits)]
    scores = [mean([f.f1[t] for f in group]) for t in range(edits)]
    right = [mean([None if f.f1[t] is None else f.f1[t] == 1.0 for f in group]) for t in range(edits)]
    accepted = [f.status == "accepted" for f in group]
    many = [f.edits >= 4 for f in group]
    named: dict[str, Ratio] = {
        "officially_correct": mean([f.official for f in group]),
        "inferably_correct": mean([f.inferable for f in group]),
        "user_deemed_correct": mean([f.deemed for f in group]),
        "exact_match_without_templates": mean([f.exact[-1] and not f.templates for f in group]),
        "effort": Ratio([float(f.inferable) for f in group], [float(f.edits) for f in group]),
        "edits": mean([f.edits for f in group]),
        "interactions": mean(
            [f.edits + f.refused + f.undone + f.ended for f in group if f.status != "failed"]
        ),
        "turns_to_success": mean([f.turns for f in group]),
        "false_accepts": Ratio([float(f.false_accept) for f in group], list(map(float, accepted))),
        "went_on_after_right": Ratio(
            [float(f.went_on and f.edits >= 4) for f in group], list(map(float, many))
        ),
        "refused": mean([f.refused for f in group]),
        "undone": mean([f.undone for f in group]),
        "right_or_offered_first": mean([f.exact[0] or f.offered for f in group]),
        "corrector_accuracy": _share(f.corrections[0] for f in group),
        "template_accuracy": _share(f.corrections[1] for f in group),
        "entity_fidelity": _share(f.names for f in group),
        "wordless_edits": Ratio([float(f.wordless) for f in group], [float(f.edits) for f in group]),
        "template_edits": Ratio([float(f.templates) for f in group], [float(f.edits) for f in group]),
        **_points(group),
        "not_understood": mean([f.status == "not_understood" for f in group]),
        "failed": mean([f.status == "failed" for f in group]),
    }
    whole = {k: v for k, v in named.items() if len(v.above) == len(group)}
    found = estimates([*exact, *scores, *right, *whole.values()])
    rows = dict(zip(whole, found[3 * edits :], strict=True))
    rows |= {k: estimates([v])[0] for k, v in named.items() if k not in whole}
    return {
        "n": len(group),
        "exact_match": [e.as_row() for e in found[:edits]],
        "answer_f1": [e.as_row() for e in found[edits : 2 * edits]],
        "answers_right": [e.as_row() for e in found[2 * edits : 3 * edits]],
        **{k: rows[k].as_row() for k in named},
        "statuses": _counts(f.status for f in group),
    }


def _share(parts: Iterable[tuple[int, int]]) -> Ratio:
    """(all, those that count) of each dialogue."""
    counted = list(parts)
    return Ratio([float(some) for _, some in counted], [float(every) for every, _ in counted])


def _points(group: Group) -> dict[str, Ratio]:
    """step_precision_first, ..., implied_edits_last."""
    found = {}
    for k, name in enumerate(POINTS):
        key = name if name == "implied_edits" else f"step_{name}"
        for at, when in enumerate(("first", "last")):
            found[f"{key}_{when}"] = mean([f.steps[at][k] if f.steps else None for f in group])
    return found


def _brief(group: Group) -> dict[str, Any]:
    names = ("exact_match_first", "exact_match_last", "answer_f1_last", "officially_correct", "edits")
    found = estimates(
        [
            mean([f.exact[0] for f in group]),
            mean([f.exact[-1] for f in group]),
            mean([f.f1[-1] for f in group]),
            mean([f.official for f in group]),
            mean([f.edits for f in group]),
        ]
    )
    return {"n": len(group), **{k: e.as_row() for k, e in zip(names, found, strict=True)}}


def _split(
    modes: Mapping[str, Group], key: Callable[[Figures], Sequence[str]]
) -> dict[str, dict[str, dict[str, Any]]]:
    """{group: {mode: measures}}; a dialogue may be in several groups."""
    parts: dict[str, dict[str, list[Figures]]] = {}
    for mode, group in modes.items():
        for f in group:
            for name in key(f):
                parts.setdefault(name, {}).setdefault(mode, []).append(f)
    return {n: {m: _brief(g) for m, g in parts[n].items()} for n in sorted(parts)}


def _required(f: Figures) -> tuple[str, ...]:
    if f.required is None:
        return ("unknown",)
    return (str(len(f.required)) if len(f.required) < 5 else "5 or more",)


def _why_not(group: Group) -> dict[str, dict[str, Any]]:
    """Categories with how many dialogues they hold and the rows of some."""
    found: dict[str, list[int]] = defaultdict(list)
    for f in group:
        if f.why_not:
            found[f.why_not].append(f.row)
    ordered = sorted(found.items(), key=lambda pair: -len(pair[1]))
    return {name: {"n": len(rows), "rows": rows[:MOST_EXAMPLES]} for name, rows in ordered}


def _answerable(f: Figures) -> tuple[str, ...]:
    """Whether the store holds what the gold query asks: a parser that is grounded in the store can't
    write a query about what is not there."""
    return ("unknown" if f.answers is None else "some here" if f.answers else "none here",)


def _by_edits(group: Group) -> list[dict[str, int]]:
    """Figure 4: how many dialogues used so many edits, and how many of them succeeded."""
    out = []
    for used in range(max(f.edits for f in group) + 1):
        part = [f for f in group if f.edits == used]
        out.append(
            {
                "edits": used,
                "dialogues": len(part),
                "officially": sum(f.official for f in part),
                "inferably": sum(f.inferable for f in part),
                "deemed": sum(bool(f.deemed) for f in part),
            }
        )
    return out


def _questions(modes: Mapping[str, Group]) -> dict[str, Any]:
    """Table 11: what was asked, as shares of the rows; required edits as the first mode shows them."""
    group = next(iter(modes.values()), ())
    return {
        "n": len(group),
        "type": _shares((f.type,) for f in group),
        "facet": _shares(f.facets for f in group),
        "required edits": _shares(map(_required, group)),
    }


def _shares(groups: Iterable[Sequence[str]]) -> dict[str, float]:
    every = list(groups)
    counts = _counts(name for group in every for name in group)
    return {name: round(count / len(every), 4) for name, count in counts.items()}


def _counts(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items()))


def _timing(group: Group) -> dict[str, float | None]:
    """Seconds to the first version, and for each correction."""
    return {
        **_spread("first", [f.times[0] for f in group if f.times]),
        **_spread("correction", [t for f in group for t in f.times[1:]]),
    }


def _spread(name: str, times: list[float]) -> dict[str, float | None]:
    if not times:
        return {f"{name}_median_s": None, f"{name}_p95_s": None}
    times.sort()
    at = min(len(times) - 1, int(0.95 * len(times)))
    return {f"{name}_median_s": round(statistics.median(times), 3), f"{name}_p95_s": times[at]}


# --- to read -------------------------------------------------------------------------


def _worst(modes: Mapping[str, Group]) -> list[tuple[str, Figures]]:
    """Dialogues that took most and came to nothing, those that lost what was right first."""
    bad = [
        (mode, f)
        for mode, group in modes.items()
        for f in group
        if not f.exact[-1] and f.status not in ("failed", "not_understood") and (f.ended or f.edits)
    ]
    bad.sort(key=lambda pair: (not pair[1].went_on, -pair[1].edits - pair[1].refused, pair[1].row))
    return bad[:MOST_WORST]
