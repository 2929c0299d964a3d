"""Tallies, averages and sums in SPARQL, as the portable form writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kbqa.errors import QueryError
from kbqa.sparql.expressions import simplify
from kbqa.sparql.portable import Expr, double_of, string_of
from kbqa.sparql.scope import Scope
from kbqa.sparql.walk import bound
from kbqa.types import Body, Query, Var

Where = Callable[[Any], tuple[Body, set[Var]]]
"""Reads the WHERE of a SELECT: its body, and the variables that a pattern for numbers stands on."""


def read_tally(node: Any, scope: Scope, where: Where) -> Query:
    """How many there are of each, most first; the number may stand in the order alone. Raises `QueryError`
    for any other GROUP BY."""
    refused = QueryError(
        "GROUP BY is supported only in the most-frequent idiom and in a tally of COUNT(DISTINCT ?x)",
        place="GROUP BY",
    )
    group = _grouped(node, scope)
    counted, names = _counted(node, scope, group) if group is not None else (None, ())
    limits = node.limitoffset
    if group is None or counted is None or (limits and limits.offset is not None):
        raise refused
    keys = [
        (simplify(c.expr, scope), str(c.order or "").upper() == "DESC")
        for c in (node.orderby.condition if node.orderby else ())
    ]
    rest = keys[1:]
    if keys and (keys[0][0] not in names or not keys[0][1] or rest not in ([], [(string_of(group), False)])):
        raise refused
    body, guards = where(node)
    _checked(body, guards, group, counted)
    limit = int(limits.limit) if limits and limits.limit is not None else None
    return Query(group, body, form="tally", limit=limit, value=counted)


def _grouped(node: Any, scope: Scope) -> Var | None:
    """The one variable that is grouped by and shown."""
    grouped = [simplify(c, scope) for c in node.groupby.condition]
    shown = [("term", Var(str(i.var))) for i in node.projection or () if i.var is not None]
    match grouped:
        case [("term", Var() as group)] if shown == grouped:
            return group
    return None


def _counted(node: Any, scope: Scope, group: Var) -> tuple[Var | None, tuple[Expr, ...]]:
    """The variable that is counted, and what that number may be called in the order."""
    numbers = [
        (simplify(i.expr, scope), ("term", Var(str(i.evar))))
        for i in node.projection or ()
        if i.evar is not None
    ]
    if not numbers and node.orderby:
        numbers = [(simplify(c.expr, scope), ("term", group)) for c in node.orderby.condition[:1]]
    match numbers:
        case [(("count", Var() as counted, True) as number, name)] if counted != group:
            return counted, (number, name) if name != ("term", group) else (number,)
    return None, ()


def read_numbers(node: Any, scope: Scope, where: Where) -> Query | None:
    """The average or sum of the numbers that items have; None for a SELECT that has no such aggregate. Raises
    `QueryError` where it can't be told whose numbers they are."""
    items = [simplify(i.expr, scope) for i in node.projection or () if i.evar is not None]
    if not items or items[0][0] not in ("average", "sum"):
        return None
    form, expression, distinct = items[0]
    inner = only_select(node.where)
    names = [Var(str(i.var)) for i in (inner.projection or ()) if i.var is not None] if inner else []
    if (
        len(names) == 2
        and not distinct
        and expression == double_of(names[1])
        and items[1:] == [("count", "*", False)]
        and str(inner.modifier or "").upper() == "DISTINCT"
        and not (inner.limitoffset or inner.orderby or inner.groupby or inner.having or node.orderby)
    ):
        item, number = names
        body, guards = where(inner)
        _checked(body, guards - {number}, item, number)
        if number in guards:
            return Query(item, body, form=form, value=number)
    raise QueryError(
        "AVG and SUM are read over SELECT DISTINCT ?item ?number, numbers filtered by their pattern, "
        "as AVG(xsd:double(STR(?number))) with COUNT(*) beside it",
        place="SELECT",
    )


def _checked(body: Body, guards: set[Var], *needed: Var) -> None:
    for v in sorted(guards):
        raise QueryError(f"a pattern for numbers stands alone on ?{v.name}", place="REGEX")
    for v in needed:
        if v not in bound(body):
            raise QueryError(f"no pattern binds ?{v.name}", place=f"?{v.name}")


def only_select(where: Any) -> Any:
    """The nested SELECT that a group is, braces aside; None for any other group."""
    while where.name == "GroupGraphPatternSub":
        parts = list(where.part or ())
        if len(parts) != 1 or parts[0].name != "GroupOrUnionGraphPattern" or len(parts[0].graph) != 1:
            return None
        where = parts[0].graph[0]
    return where if where.name == "SubSelect" else None
