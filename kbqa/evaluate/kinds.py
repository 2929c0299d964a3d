"""What kind of question a gold query asks: its type and its facets (METHODS.md, section 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kbqa.sparql.walk import triples
from kbqa.types import (
    Amount,
    Check,
    Count,
    Find,
    Iri,
    Is,
    IsNot,
    Keep,
    Many,
    Merge,
    Oftenest,
    OpenThan,
    Pick,
    Query,
    Restriction,
    Step,
    Tally,
    Than,
)

SPARSE = 3
"""A predicate that occurs in at most so many training queries is sparse (the study, appendix B)."""
FACETS = ("filter", "restriction", "union", "sparse predicate", "double restriction")


def question_type(steps: Sequence[Step]) -> str:
    """The study's four types, and those that it has not: 'count', 'yes or no', 'computed' (an average, a
    sum, a tally, a table), 'simple' (one step)."""
    if any(isinstance(s, Count) for s in steps):
        return "count"
    if any(isinstance(s, Check) for s in steps):
        return "yes or no"
    if any(isinstance(s, Amount | Tally) for s in steps):
        return "computed"
    if any(isinstance(s, Pick | Oftenest) for s in steps):
        return "superlative"
    if any(isinstance(t, Than | Many) for r in _restrictions(steps) for t in r.tests):
        return "comparative"
    if any(isinstance(s, Keep) and s.anchor is not None for s in steps):
        return "conjunction"
    return "simple" if len(steps) == 1 else "composition"


def facets(steps: Sequence[Step]) -> tuple[str, ...]:
    """Those of `FACETS` that the steps of a gold query show; which predicates are sparse they don't."""
    tests = [t for r in _restrictions(steps) for t in r.tests]
    found = {
        "filter": any(isinstance(t, Than | OpenThan | IsNot | Many) for t in tests),
        "restriction": any(isinstance(t, Is) for t in tests),
        "union": any(isinstance(s, Merge) for s in steps),
        "double restriction": any(len(s.restrictions) > 1 for s in steps if isinstance(s, Find | Keep)),
    }
    return tuple(f for f in FACETS if found.get(f))


def predicates(query: Query) -> frozenset[Iri]:
    return frozenset(t.predicate for t in triples(query.body))


def common_predicates(queries: Iterable[Query]) -> frozenset[str]:
    """The predicates (short form) that more than `SPARSE` of the queries hold."""
    counts = Counter(p.mid for q in queries for p in predicates(q))
    return frozenset(p for p, n in counts.items() if n > SPARSE)


def _restrictions(steps: Sequence[Step]) -> list[Restriction]:
    return [r for s in steps if isinstance(s, Find | Keep) for r in s.restrictions]
