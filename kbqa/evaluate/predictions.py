"""Measures over files of predictions. The gold rows fix what is counted: a missing prediction is wrong.

Shares are 0 to 1, with their bootstrap interval and n; ids of what was missing or failed are listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbqa.decompose import decompose
from kbqa.errors import DecompositionError, InputError, QueryError
from kbqa.evaluate.answers import execute, f1
from kbqa.evaluate.forms import form
from kbqa.evaluate.kinds import question_type
from kbqa.evaluate.pointwise import pointwise
from kbqa.evaluate.statistics import Ratio, estimates, mean
from kbqa.lexicon import freebase_lexicon
from kbqa.protocols import Store
from kbqa.sparql import canonical, parse
from kbqa.types import Query, Step

RECALL_AT = (1, 2, 5, 10)
MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class Predicted:
    """One system's output for one row: texts, best first, and the error that stands in their place."""

    texts: tuple[str, ...] = ()
    failed: bool = False


Predictions = Mapping[str, Predicted]
Measures = dict[str, float | None]


@dataclass(slots=True)
class Scores:
    """Measures by row, in groups; `seen` are the ids of the gold rows."""

    rows: list[tuple[str, Measures]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def add(self, name: str, group: str, failed: bool | None, measures: Measures) -> None:
        """`failed`: None where there is no prediction."""
        self.seen.add(name)
        if failed is None:
            self.missing.append(name)
        elif failed:
            self.failed.append(name)
        self.rows.append((group, measures))

    def report(self, predicted: Iterable[str]) -> dict[str, Any]:
        """All rows and each group; `predicted` are the ids of the predictions. Raises `InputError` where
        there are no gold rows."""
        if not self.rows:
            raise InputError("there are no gold rows to measure against")
        groups: dict[str, list[Measures]] = {}
        for group, measures in self.rows:
            groups.setdefault(group, []).append(measures)
        unknown = [name for name in predicted if name not in self.seen]
        return {
            "n": len(self.rows),
            **_estimated([m for _, m in self.rows]),
            "by_type": {g: {"n": len(ms), **_estimated(ms)} for g, ms in sorted(groups.items())},
            "missing": _listed(self.missing),
            "failed": _listed(self.failed),
            "not_in_gold": _listed(unknown),
        }


def _estimated(rows: Sequence[Measures]) -> dict[str, Any]:
    keys = list(rows[0])
    ratios: list[Ratio] = [mean([row[k] for row in rows]) for k in keys]
    return {k: e.as_row() for k, e in zip(keys, estimates(ratios), strict=True)}


def _listed(ids: Sequence[str]) -> dict[str, Any]:
    return {"n": len(ids), "ids": list(ids[:MOST_LISTED])}


# --- parses --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoldQuery:
    id: str
    sparql: str
    type: str = ""


def score_parses(
    gold: Iterable[GoldQuery], predictions: Predictions, store: Store | None = None
) -> dict[str, Any]:
    """Exact match (canonical queries equal; 'without_guards': apart from what no step shows), recall in
    the n best, the decomposition point by point, and with a store the first parse's answer F1 over the
    rows whose gold query has answers there. A gold query that can't be read counts as missed."""
    scores = Scores()
    for row in gold:
        predicted = predictions.get(row.id)
        texts = predicted.texts if predicted else ()
        failed = None if predicted is None else predicted.failed
        try:
            query = parse(row.sparql)
        except QueryError:
            scores.add(row.id, row.type or "unreadable", failed, _parse_measures(None, (), store))
            continue
        steps = _steps(query)
        found = [_read(text) for text in texts[: max(RECALL_AT)]]
        measures = _parse_measures(query, found, store)
        scores.add(row.id, row.type or question_type(steps or ()), failed, measures)
    return scores.report(predictions)


def _parse_measures(gold: Query | None, found: Sequence[Query | None], store: Store | None) -> Measures:
    wanted = canonical(gold) if gold is not None else None
    hits = [wanted is not None and q is not None and canonical(q) == wanted for q in found]
    first = found[0] if found else None
    out: Measures = {"exact_match": float(hits[:1] == [True])}
    out["exact_match_without_guards"] = float(_same_steps(gold, first) or hits[:1] == [True])
    for k in RECALL_AT[1:]:
        out[f"recall_at_{k}"] = float(any(hits[:k]))
    out |= _points(gold, first)
    if store is not None:
        out["answer_f1"] = _answer_f1(gold, first, store)
    return out


def _points(gold: Query | None, found: Query | None) -> Measures:
    """Null where the gold query has no steps."""
    steps = _steps(gold) if gold is not None else None
    names = ("step_precision", "step_recall", "step_f1", "step_order", "implied_edits")
    if steps is None:
        return dict.fromkeys(names)
    p = pointwise(steps, (_steps(found) if found is not None else None) or ())
    return dict(zip(names, (p.precision, p.recall, p.f1, p.order, float(p.implied_edits)), strict=True))


def _answer_f1(gold: Query | None, found: Query | None, store: Store) -> float | None:
    wanted = execute(store, gold) if gold is not None else None
    if not wanted:
        return None
    return f1(wanted, (execute(store, found) if found is not None else None) or frozenset())


def _same_steps(gold: Query | None, found: Query | None) -> bool:
    if gold is None or found is None:
        return False
    a, b = _steps(gold), _steps(found)
    return a is not None and b is not None and form(a) is not None and form(a) == form(b)


def _read(text: str) -> Query | None:
    try:
        return parse(text)
    except QueryError:
        return None


def _steps(query: Query) -> tuple[Step, ...] | None:
    try:
        return decompose(query, freebase_lexicon().mediators).steps
    except DecompositionError:
        return None


# --- corrections ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoldStep:
    """What a correction should have become: templated English, a partial query, or both."""

    id: str
    template: str = ""
    sparql: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """Readings (template, SPARQL) of one sub-question, best first."""

    readings: tuple[tuple[str, str], ...] = ()
    failed: bool = False


def score_corrections(gold: Iterable[GoldStep], predictions: Mapping[str, Correction]) -> dict[str, Any]:
    """Accuracy of the first reading and recall in the n best: the template is word for word the gold
    one, or the queries are equal."""
    scores = Scores()
    for row in gold:
        predicted = predictions.get(row.id)
        hits = [_is_meant(row, text, sparql) for text, sparql in predicted.readings] if predicted else []
        measures: Measures = {"accuracy": float(hits[:1] == [True])}
        measures |= {f"recall_at_{k}": float(any(hits[:k])) for k in RECALL_AT[1:]}
        failed = None if predicted is None else predicted.failed
        scores.add(row.id, row.type or "all", failed, measures)
    return scores.report(predictions)


def _is_meant(gold: GoldStep, template: str, sparql: str) -> bool:
    if gold.template and " ".join(template.split()) == " ".join(gold.template.split()):
        return True
    wanted, found = _read(gold.sparql) if gold.sparql else None, _read(sparql) if sparql else None
    return wanted is not None and found is not None and canonical(wanted) == canonical(found)


# --- phrasings -----------------------------------------------------------------------

_BRACKETED = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]")
_NO_NAME = re.compile(r'that |the .* of step \d|anything\Z|"|[+-]?\d')
_ID = re.compile(r" \((?:[mg]\.\w+|<[^<>]*>|local\.[\w.]+)\)\Z")


@dataclass(frozen=True, slots=True)
class GoldPhrase:
    """A template and what people asked for it (none: identity and BLEU are not measured). `question`,
    `history`: what it was asked in, for who has to understand it."""

    id: str
    template: str
    references: tuple[str, ...] = ()
    type: str = ""
    question: str | None = None
    history: tuple[str, ...] = ()


Recover = Callable[[GoldPhrase, str], bool | None]
"""Whether a listener gets the template's step back from a question; None where the gold row itself can't
be read."""


def score_phrasings(
    gold: Iterable[GoldPhrase], predictions: Predictions, recover: Recover | None = None
) -> dict[str, Any]:
    """Entity fidelity (every name of the template stands in the question), identity with a reference,
    and corpus BLEU over the rows with references, where sacrebleu is installed. With `recover`:
    reconstruction accuracy (METHODS.md, section 1), over the gold rows that can be read."""
    scores = Scores()
    unreadable: list[str] = []
    pairs: list[tuple[str, tuple[str, ...]]] = []
    for row in gold:
        predicted = predictions.get(row.id)
        text = predicted.texts[0] if predicted and predicted.texts else ""
        measures: Measures = {
            "entity_fidelity": float(bool(text) and names_kept(row.template, text)),
            "identical": float(text in row.references) if row.references else None,
        }
        if recover is not None:
            recovered = recover(row, text)
            measures["reconstruction_accuracy"] = None if recovered is None else float(recovered)
            if recovered is None:
                unreadable.append(row.id)
        failed = None if predicted is None else predicted.failed
        scores.add(row.id, row.type or "all", failed, measures)
        if row.references:
            pairs.append((text, row.references))
    report = {**scores.report(predictions), "bleu": bleu(pairs)}
    return report if recover is None else {**report, "unreadable_gold": _listed(unreadable)}


def names_kept(template: str, text: str) -> bool:
    """Entity fidelity: whether a question holds every name that its template has in brackets."""
    names = [_ID.sub("", re.sub(r"\\(.)", r"\1", m)) for m in _BRACKETED.findall(template)]
    said = text.casefold()
    return all(name.casefold() in said for name in names if not _NO_NAME.match(name))


def bleu(pairs: Sequence[tuple[str, Sequence[str]]]) -> dict[str, Any]:
    """Corpus BLEU, 0 to 100, with sacrebleu's signature; null with the reason where there is none."""
    if not pairs:
        return {"value": None, "reason": "no row has references"}
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError:
        return {"value": None, "reason": "sacrebleu is not installed: pip install sacrebleu"}
    most = max(len(references) for _, references in pairs)
    streams = [[r[k] if k < len(r) else "" for _, r in pairs] for k in range(most)]
    metric = BLEU()
    score = metric.corpus_score([text for text, _ in pairs], streams)
    return {"value": round(score.score, 2), "n": len(pairs), "signature": str(metric.get_signature())}
