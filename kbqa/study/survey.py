"""What participants said of the systems: ratings, preferences, and how far they agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict
from statistics import fmean
from typing import Any

from kbqa.study.config import Study
from kbqa.study.inference import Table, binomial, corrected, equivalence, krippendorff, paired
from kbqa.study.outcomes import Left


def survey(study: Study, left: Left) -> Table:
    """Table 3, above: mean ratings (1 is best), paired by worker; a - b."""
    rows: Table = []
    for comparison in study.comparisons:
        names = [m.name for m in comparison.conditions]
        for number, text in enumerate(study.survey.statements, 1):
            by_worker: dict[str, dict[str, int]] = defaultdict(dict)
            for r in left.ratings:
                if (r.comparison, r.question) == (comparison.name, number):
                    by_worker[r.participant][r.condition] = r.value
            values = {n: [w[n] for w in by_worker.values() if n in w] for n in names}
            row: dict[str, Any] = {"comparison": comparison.name, "question": number, "text": text}
            for k, name in zip("ab", names, strict=False):
                every = values[name]
                row |= {k: name, f"mean_{k}": fmean(every) if every else None}
            if len(names) == 2:
                both = [w for w in by_worker.values() if len(w) == 2]
                a, b = [float(w[names[0]]) for w in both], [float(w[names[1]]) for w in both]
                found = paired(a, b)
                same = equivalence(a, b, study.analysis.survey_margin, low_is_good=True)
                row |= asdict(found) if found else {"n": 0, "p": None}
                row |= {
                    "margin": study.analysis.survey_margin,
                    "p_not_worse": same and same.not_worse,
                    "p_equivalent": same and same.p,
                }
            else:
                row |= {"n": len(values[names[0]]), "p": None}
            rows.append(row)
    return corrected(rows)


def preferences(study: Study, left: Left) -> Table:
    """Table 3, below: who preferred which system, by the binomial test."""
    rows: Table = []
    for comparison in study.comparisons:
        if len(comparison.conditions) < 2:
            continue
        a, b = (m.name for m in comparison.conditions)
        for number, text in enumerate(study.survey.comparative, 1):
            named = Counter(
                p.condition
                for p in left.preferences
                if (p.comparison, p.question) == (comparison.name, number)
            )
            found = binomial(named[a], named[a] + named[b])
            if found is None:
                continue
            rows.append(
                {
                    "comparison": comparison.name,
                    "question": len(study.survey.statements) + number,
                    "text": text,
                    "a": a,
                    "b": b,
                    **asdict(found),
                    "share_a": found.share,
                    "h": found.h,
                }
            )
    return corrected(rows)


def agreement(study: Study, left: Left) -> Table:
    """Krippendorff's alpha: of the ratings (ordinal; a unit is a statement about a system in one
    comparison), and of success (nominal; a unit is an item in a condition that several workers had)."""
    rated: dict[tuple[str, str, int], list[float]] = defaultdict(list)
    for r in left.ratings:
        rated[r.comparison, r.condition, r.question].append(r.value)
    repeated: dict[tuple[str, str], list[float]] = defaultdict(list)
    for d in left.dialogues:
        repeated[d.condition, d.item].append(float(d.outcome.inferable))
    rows = []
    for what, level, units in (
        ("survey ratings", "ordinal", list(rated.values())),
        ("inferable success of an item in a condition", "nominal", list(repeated.values())),
    ):
        several = [u for u in units if len(u) > 1]
        rows.append(
            {
                "what": what,
                "level": level,
                "units": len(several),
                "values": sum(map(len, several)),
                "alpha": krippendorff(units, level),
            }
        )
    return rows
