"""Tallies, averages, sums, tables and HAVING in SPARQL, as the portable form writes them."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Any, get_args

from kbqa.errors import QueryError
from kbqa.sparql.expressions import simplify
from kbqa.sparql.portable import Expr, call, double_of, string_of, text
from kbqa.sparql.scope import Scope
from kbqa.sparql.walk import bound
from kbqa.types import XSD, Body, Counted, Literal, Maybe, Measure, Operator, Query, Var

Where = Callable[[Any], tuple[Body, set[Var]]]
"""Reads the WHERE of a SELECT: its body, and the variables that a pattern for numbers stands on."""
BESIDE = "count"
"""The column of what stands beside each answer, a number or not: what has this name is shown so
(`kbqa.answers.tallied`)."""
FUNCTIONS: dict[str, str] = {"average": "AVG", "sum": "SUM", "highest": "MAX", "lowest": "MIN"}
SEPARATOR, NONE = ", ", "not given"
"""Between the values of one answer in a table; what stands there where it has none."""
_REFUSED = (
    "GROUP BY is supported only in the most-frequent idiom, in a tally of COUNT(DISTINCT ?x), under "
    "HAVING (COUNT(DISTINCT ?x) ...), and as the portable form writes averages and tables"
)


def takes_none(operator: Operator, number: int) -> bool:
    """Whether 'so many' is true of none at all: fewer than 3, at most 3, exactly 0."""
    return _COMPARED[operator](0, number)


_COMPARED: dict[Operator, Callable[[int, int], bool]] = {
    "=": eq,
    "!=": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


def read_tally(node: Any, scope: Scope, where: Where) -> Query:
    """A number for each, the highest first; of a count it may stand in the order alone. Raises `QueryError`
    for any other GROUP BY."""
    refused = QueryError(_REFUSED, place="GROUP BY")
    group = _grouped(node, scope)
    if group is None:
        raise refused
    found, names = _measured(node, scope, group)
    limits = node.limitoffset
    if found is None or (limits and limits.offset is not None):
        raise refused
    rising, last = _order(node, scope, names)
    if last not in ([], [(string_of(group), False)]) or (rising and found[0] == "count"):
        raise refused
    limit = int(limits.limit) if limits and limits.limit is not None else None
    measure, counted = found
    if measure == "count":
        body, guards = where(node)
        _checked(body, guards, group, counted)
        return Query(group, body, form="tally", limit=limit, value=counted)
    inner = only_select(node.where)
    shown = _plain_names(inner)
    if len(shown) != 3 or (shown[0], shown[2]) != (group, counted):
        raise refused
    body, guards = where(inner)
    _checked(body, guards - {counted}, *shown)
    if counted not in guards:
        raise refused
    return Query(
        group, body, form="tally", limit=limit, value=shown[1], measure=measure, number=counted, rising=rising
    )


def _order(node: Any, scope: Scope, names: tuple[Expr, ...]) -> tuple[bool, list[tuple[Expr, bool]]]:
    """Whether the number rises, and the other sort keys. Raises `QueryError` where the first is another."""
    keys = [
        (simplify(c.expr, scope), str(c.order or "").upper() == "DESC")
        for c in (node.orderby.condition if node.orderby else ())
    ]
    if keys and keys[0][0] not in names:
        raise QueryError(_REFUSED, place="ORDER BY")
    return bool(keys) and not keys[0][1], keys[1:]


def _plain_names(node: Any) -> list[Var]:
    """The variables of a SELECT DISTINCT that does nothing else; [] for any other."""
    if node is None or str(node.modifier or "").upper() != "DISTINCT":
        return []
    if node.limitoffset or node.orderby or node.groupby or node.having or node.valuesClause:
        return []
    items = list(node.projection or ())
    return [Var(str(i.var)) for i in items] if all(i.var is not None for i in items) else []


def _grouped(node: Any, scope: Scope) -> Var | None:
    """The one variable that is grouped by and shown."""
    grouped = [simplify(c, scope) for c in node.groupby.condition]
    shown = [("term", Var(str(i.var))) for i in node.projection or () if i.var is not None]
    match grouped:
        case [("term", Var() as group)] if shown == grouped:
            return group
    return None


def _measured(node: Any, scope: Scope, group: Var) -> tuple[tuple[Measure, Var] | None, tuple[Expr, ...]]:
    """What is measured of which variable, and what that number may be called in the order."""
    numbers = [
        (simplify(i.expr, scope), ("term", Var(str(i.evar))))
        for i in node.projection or ()
        if i.evar is not None
    ]
    if not numbers and node.orderby:
        numbers = [(simplify(c.expr, scope), ("term", group)) for c in node.orderby.condition[:1]]
    match numbers:
        case [(("count", Var() as counted, True) as number, name)] if counted != group:
            return ("count", counted), (number, name) if name != ("term", group) else (number,)
        case [((("average" | "sum" | "highest" | "lowest") as measure, expr, False), name)]:
            number_of = next((v for v in _variables(expr) if expr == double_of(v)), None)
            return ((measure, number_of), (name,)) if number_of is not None else (None, ())
    return None, ()


def _variables(e: Any) -> list[Var]:
    if isinstance(e, Var):
        return [e]
    return [v for part in e for v in _variables(part)] if isinstance(e, tuple) else []


# --- HAVING -------------------------------------------------------------------


def read_having(node: Any, scope: Scope, where: Where) -> tuple[Counted, ...]:
    """`SELECT ?g ... GROUP BY ?g HAVING (COUNT(DISTINCT ?x) > 10)`: the conditions on ?g. Raises
    `QueryError`."""
    group = _grouped(node, scope) if node.groupby else None
    numbers = [i for i in node.projection or () if i.evar is not None]
    said = [simplify(c, scope) for c in node.having.condition]
    found = [_many(e) for both in said for e in (both[1] if both[0] == "and" else (both,))]
    if group is None or numbers or None in found or node.limitoffset or node.orderby:
        raise QueryError(
            "HAVING is not supported but as SELECT ?g ... GROUP BY ?g HAVING (COUNT(DISTINCT ?x) > 10)",
            place="HAVING",
        )
    body, guards = where(node)
    conditions = [Counted(group, operator, number, v, body) for v, operator, number in filter(None, found)]
    _checked(body, guards, group, *(c.value for c in conditions))
    return tuple(conditions)


def _many(e: Expr) -> tuple[Var, Operator, int] | None:
    """COUNT(DISTINCT ?x) > 10: (?x, '>', 10); None for any other condition."""
    match e:
        case ("op", operator, ("count", Var() as counted, True), ("term", limit)):
            number = whole(limit)
            if number is not None and operator in get_args(Operator):
                return counted, operator, number
    return None


def read_counts(where_: Any, scope: Scope, where: Where) -> tuple[Var, Counted] | None:
    """`{ SELECT ?g (COUNT(DISTINCT ?x) AS ?n) ... GROUP BY ?g }`: the number's name, and the condition with
    any bound; None for any other group."""
    node = only_select(where_)
    if node is None or not node.groupby or node.having or node.limitoffset or node.orderby:
        return None
    group = _grouped(node, scope)
    if group is None:
        return None
    match _measured(node, scope, group):
        case ("count", counted), (_, ("term", Var() as name)):
            body, guards = where(node)
            _checked(body, guards, group, counted)
            return name, Counted(group, ">=", 0, counted, body)
    return None


def bound_of(e: Expr) -> tuple[Var, Operator, int] | None:
    """COALESCE(?n, 0) <= 2: (?n, '<=', 2); None for any other condition."""
    match e:
        case ("op", operator, ("call", "coalesce", (("term", Var() as n), ("term", zero))), ("term", limit)):
            number = whole(limit)
            if whole(zero) == 0 and number is not None and takes_none(operator, number):
                return n, operator, number
    return None


def whole(value: Any) -> int | None:
    """The whole number that a literal is, if it is one."""
    match value:
        case Literal(lexical, datatype) if datatype == XSD + "integer" and lexical.isdecimal():
            return int(lexical)
    return None


# --- tables -------------------------------------------------------------------


def read_table(node: Any, scope: Scope, where: Where) -> Query | None:
    """Answers with what they may have beside them: as the portable form writes it, or SELECT DISTINCT ?x ?v
    with an OPTIONAL for ?v. None for a SELECT that is no table. Raises `QueryError`."""
    plain = _plain_names(node)
    if len(plain) == 2 and any(p.name == "OptionalGraphPattern" for p in node.where.part or ()):
        return _checked_table(plain[0], plain[1], *where(node))
    inner = only_select(node.where)
    group = _grouped(node, scope) if node.groupby and inner is not None else None
    items = [i for i in node.projection or () if i.evar is not None]
    if group is None or len(items) != 1 or node.limitoffset or node.having:
        return None
    joined = simplify(items[0].expr, scope)
    said = [(Var(str(i.evar)), simplify(i.expr, scope)) for i in inner.projection or () if i.evar is not None]
    names = [Var(str(i.var)) for i in inner.projection or () if i.var is not None]
    keys = [simplify(c.expr, scope) for c in (inner.orderby.condition if inner.orderby else ())]
    outer = [simplify(c.expr, scope) for c in (node.orderby.condition if node.orderby else ())]
    if joined[0] != "joined" or names != [group] or len(said) != 1 or inner.groupby or inner.limitoffset:
        return None
    shown, cell = said[0]
    value = next(iter(_variables(cell)), group)
    if (
        joined[1:] != (shown, False, SEPARATOR)
        or cell != cell_of(value)
        or keys != [string_of(group), ("term", shown)]
        or outer != [string_of(group)]
    ):
        return None
    return _checked_table(group, value, *where(inner))


def cell_of(value: Var) -> Expr:
    """What is shown of a value, or where there is none."""
    return call("coalesce", string_of(value), text(NONE))


def _checked_table(item: Var, value: Var, body: Body, guards: set[Var]) -> Query:
    others = tuple(e for e in body if not isinstance(e, Maybe))
    _checked(others, guards, item)
    for e in body:
        if isinstance(e, Maybe):
            _checked(e.body, set(), value)
    if len(body) - len(others) != 1 or value in bound(others):
        raise QueryError(
            "a table has one OPTIONAL, which binds what is shown beside the answers", place="OPTIONAL"
        )
    return Query(item, body, form="table", value=value)


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
