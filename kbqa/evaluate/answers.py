"""Answers as sets that can be compared, and their F1."""

from __future__ import annotations

from collections.abc import Iterable

from kbqa.answers import collect, show
from kbqa.errors import QueryError, StoreTimeout
from kbqa.protocols import Store
from kbqa.sparql import render
from kbqa.types import Constant, Iri, Query

Answers = frozenset[tuple[str, str]]
"""Entities by IRI, literals by how they are shown: what reads the same is the same answer."""

TIME_LIMIT_S = 10.0


def answer_set(values: Iterable[Constant]) -> Answers:
    return frozenset(("entity", v.value) if isinstance(v, Iri) else ("literal", show(v)) for v in values)


def execute(store: Store, query: Query | str) -> Answers | None:
    """The answers of a query; None where it takes longer than `TIME_LIMIT_S` or can't be run. Raises
    `StoreUnavailable`."""
    try:
        text = query if isinstance(query, str) else render(query)
        return answer_set(collect(store.select(text, time_limit_s=TIME_LIMIT_S)))
    except (QueryError, StoreTimeout):
        return None


def f1(gold: Answers, found: Answers) -> float:
    """0..1; `gold` holds at least one answer."""
    common = len(gold & found)
    return 2 * common / (len(gold) + len(found)) if common else 0.0
