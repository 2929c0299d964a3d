"""Adds bindings and a row limit to a checked query, at token boundaries.

A binding becomes `VALUES ?x { term }` at the start of every group that names the variable, with
the term escaped by `terms.render`. So it holds in filters, BIND, UNION branches, OPTIONAL, MINUS,
EXISTS and subqueries that project the variable, on every engine alike, in SELECT and ASK, projected
or not. (pyoxigraph's `substitutions=` was measured too: it raises for variables that SELECT does
not project, and BIND does not see the value. A closing VALUES fails on Virtuoso.)
"""

from __future__ import annotations

from collections.abc import Mapping

from kbqa.errors import QueryError
from kbqa.store.guard import Checked
from kbqa.store.terms import render
from kbqa.types import Constant, Rows

SORTED_LIMIT = 10_000
"""Virtuoso refuses ORDER BY with a LIMIT above this (SR353)."""


def bind(query: Checked, bindings: Mapping[str, Constant]) -> str:
    """The text with the bindings in it. Raises `QueryError` for a variable that is not there."""
    if not bindings:
        return query.text
    rendered = {name: render(term) for name, term in bindings.items()}
    check_names(query, bindings)
    text = query.text
    for group in sorted(query.outline.groups, key=lambda group: -group.start):
        named = sorted(group.variables & rendered.keys())
        values = "".join(f" VALUES ?{name} {{ {rendered[name]} }}" for name in named)
        text = text[: group.start] + values + (" " if values else "") + text[group.start :]
    return text


def check_names(query: Checked, bindings: Mapping[str, Constant]) -> None:
    """Raises `QueryError` where a binding's variable is not one of the query's."""
    known = set(query.outline.projected or ()).union(*(group.variables for group in query.outline.groups))
    unknown = sorted(bindings.keys() - known)
    if unknown:
        raise QueryError(
            f"no variable ?{unknown[0]} to bind (the query has: {', '.join(sorted(known)) or 'none'})",
            query=query.text,
        )


def limit(query: Checked, rows: int) -> Checked:
    """The query with its outermost LIMIT at most `rows`; unchanged where that would not run."""
    at = query.outline.limit
    if query.form == "ask":
        return query
    if at is not None:
        start, end = at
        if int(query.text[start:end]) <= rows:
            return query
        return _replaced(query, start, end, str(rows))
    if query.outline.ordered and rows > SORTED_LIMIT:
        return query
    place = query.outline.limit_place
    return _replaced(query, place, place, f" LIMIT {rows} ")


def own_limit(query: Checked) -> int | None:
    """The number in the query's outermost LIMIT."""
    at = query.outline.limit
    return None if at is None else int(query.text[at[0] : at[1]])


def fill(rows: Rows, bindings: Mapping[str, Constant]) -> Rows:
    """A bound variable has its value in every row, also where no pattern of the row named it."""
    columns = {index: bindings[name] for index, name in enumerate(rows.variables) if name in bindings}
    if not columns:
        return rows
    filled = tuple(
        tuple(columns.get(i) if value is None else value for i, value in enumerate(row)) for row in rows.rows
    )
    return Rows(rows.variables, filled, rows.cut)


def _replaced(query: Checked, start: int, end: int, new: str) -> Checked:
    """Groups lie before the place, so their offsets stay."""
    return Checked(query.text[:start] + new + query.text[end:], query.form, query.outline)
