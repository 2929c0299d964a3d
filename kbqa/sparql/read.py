"""SPARQL text -> `Query`, on rdflib's parser.

rdflib's parse tree is first boiled down to plain tuples (`expression`), on which the idioms of the
field are recognised one by one. What is no known idiom is a `QueryError`; nothing is guessed.
"""

from __future__ import annotations

from typing import Any

from pyparsing import ParseException
from rdflib.plugins.sparql.parser import parseQuery

from kbqa.errors import QueryError
from kbqa.sparql.expressions import Expr, filters_of, simplify
from kbqa.sparql.scope import Scope
from kbqa.sparql.tidy import tidy
from kbqa.types import Body, Differ, Element, InEnglish, Kind, MostFrequent, Order, Query, Union, Var

_REFUSED = {
    "OptionalGraphPattern": "OPTIONAL",
    "ServiceGraphPattern": "SERVICE",
    "GraphGraphPattern": "GRAPH",
    "Bind": "BIND",
    "MinusGraphPattern": "MINUS with more than one pattern",
}
_MAX_LENGTH = 100_000


def parse(text: str) -> Query:
    """Read one SELECT or ASK query.

    Raises `QueryError` naming the query, the place and the reason for: malformed text, anything but
    SELECT/ASK, and what a `Query` can't hold (OPTIONAL, GRAPH, BIND, property path closures,
    several answer variables, aggregates other than COUNT and the most-frequent idiom).
    """
    if len(text) > _MAX_LENGTH:
        raise QueryError(f"the query has {len(text)} characters, more than {_MAX_LENGTH}", query=text)
    try:
        tree = parseQuery(tidy(text))
    except ParseException as e:
        place = f"line {e.lineno}, column {e.column}"
        raise QueryError(f"not SPARQL 1.1: {_reason(e)}", query=text, place=place) from None
    except RecursionError:
        raise QueryError("nested too deeply", query=text) from None
    try:
        return _Reader(Scope.of(tree[0])).query(tree[1])
    except QueryError as e:
        raise QueryError(e.reason, query=text, place=e.place) from None


def _reason(e: ParseException) -> str:
    line = e.line.strip()
    return f"can't go on at {line[:80]!r}" if line else "the text ends too early"


class _Reader:
    """Reads groups within one scope of names."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    # --- queries

    def query(self, node: Any) -> Query:
        if node.name not in ("SelectQuery", "AskQuery", "SubSelect"):
            raise QueryError(f"only SELECT and ASK are answered, not {node.name.removesuffix('Query').upper()}")
        if node.datasetClause:
            raise QueryError("FROM is not allowed", place="the dataset clause")
        if node.having:
            raise QueryError("HAVING is not supported", place="HAVING")
        body = self.group(node.where)
        if node.name == "AskQuery":
            return Query(_first_variable(body), body, form="ask")
        select, form, distinct = self._projection(node)
        if node.groupby:
            raise QueryError("GROUP BY is supported only in the most-frequent idiom", place="GROUP BY")
        order, limit = self._modifiers(node, select)
        return Query(select, body, order, form, distinct, limit)

    def _projection(self, node: Any) -> tuple[Var, Any, bool]:
        distinct = str(node.modifier or "").upper() in ("DISTINCT", "REDUCED")
        items = list(node.projection or ())
        if len(items) != 1:
            raise QueryError(f"one answer variable expected, found {len(items) or '*'}", place="SELECT")
        item = items[0]
        if item.var is not None:
            return Var(str(item.var)), "select", distinct
        expr = simplify(item.expr, self.scope)
        if expr[0] == "count" and isinstance(expr[1], Var):
            return expr[1], "count", expr[2]
        raise QueryError("of the aggregates only COUNT(?variable) can be read", place="SELECT")

    def _modifiers(self, node: Any, select: Var) -> tuple[Order | None, int | None]:
        clause = node.limitoffset
        limit = int(clause.limit) if clause and clause.limit is not None else None
        offset = int(clause.offset) if clause and clause.offset is not None else 0
        if not node.orderby:
            if offset:
                raise QueryError("OFFSET without ORDER BY has no meaning", place="OFFSET")
            return None, limit
        keys = [
            (simplify(c.expr, self.scope), str(c.order or "").upper() == "DESC")
            for c in node.orderby.condition
        ]
        if keys[-1] == (("call", "str", (("term", select),)), False) and len(keys) > 1:
            keys.pop()
        read = [(_order_key(expr), down) for expr, down in keys]
        first = read[0]
        if len(read) == 2 and first[0][1] is Kind.VALUE and read[1][0] == (first[0][0], Kind.DATE):
            read.pop()
        if len(read) != 1:
            raise QueryError("one sort key expected", place="ORDER BY")
        (var, kind), down = first
        return Order(var, down, kind, limit, offset), None

    # --- groups

    def group(self, node: Any) -> Body:
        """The elements of a group; boilerplate of the portable form is folded back."""
        if node.name == "SubSelect":
            return self._nested(node)
        elements: list[Element] = []
        counted: dict[Var, MostFrequent] = {}
        maxima: set[Var] = set()
        for part in node.part or ():
            match part.name:
                case "TriplesBlock":
                    for flat in part.triples:
                        elements.extend(self.scope.triples(flat))
                case "Filter":
                    for f in filters_of(simplify(part.expr, self.scope, self.group), self.scope):
                        if f[0] == "filter":
                            elements.append(f[1])
                        elif f[0] == "equal" and self._is_idiom(f, counted, maxima):
                            var = f[1] if f[1] in counted else f[2]
                            elements.append(counted.pop(var))
                        elif f[0] == "equal":
                            elements.append(f[3])
                case "GroupOrUnionGraphPattern":
                    elements.extend(self._blocks(part, counted, maxima))
                case "InlineData":
                    elements.extend(self.scope.values(part))
                case "MinusGraphPattern":
                    elements.extend(self.scope.minus(self.group(part.graph)))
                case name:
                    raise QueryError(f"{_REFUSED.get(name, name)} is not supported", place=_REFUSED.get(name, name))
        if counted or maxima:
            raise QueryError("COUNT and MAX are supported only in the most-frequent idiom", place="a nested SELECT")
        return tuple(elements)

    @staticmethod
    def _is_idiom(f: tuple[Any, ...], counted: dict[Var, MostFrequent], maxima: set[Var]) -> bool:
        for a, b in ((f[1], f[2]), (f[2], f[1])):
            if a in counted and b in maxima:
                maxima.discard(b)
                return True
        return False

    def _blocks(self, part: Any, counted: dict[Var, MostFrequent], maxima: set[Var]) -> Body:
        graphs = list(part.graph)
        if len(graphs) > 1:
            return (Union(tuple(self.group(g) for g in graphs)),)
        only = graphs[0]
        if only.name != "SubSelect":
            return self.group(only)
        kind = self._aggregate(only)
        if kind is None:
            return self._nested(only)
        if kind[0] == "count":
            counted[kind[1]] = kind[2]
        else:
            maxima.add(kind[1])
        return ()

    def _aggregate(self, node: Any) -> tuple[Any, ...] | None:
        """('count', ?n, MostFrequent) or ('max', ?t) for the two halves of the idiom."""
        items = list(node.projection or ())
        aggregates = [i for i in items if i.evar is not None]
        plain = [Var(str(i.var)) for i in items if i.var is not None]
        if len(aggregates) != 1:
            if aggregates:
                raise QueryError("several aggregates in one nested SELECT", place="a nested SELECT")
            return None
        expr, out = simplify(aggregates[0].expr, self.scope), Var(str(aggregates[0].evar))
        if expr[0] == "count" and len(plain) == 1 and expr[1] in ("*", plain[0]):
            return "count", out, MostFrequent(plain[0], self.group(node.where))
        if expr[0] == "max" and not plain and self._counts(node.where, expr[1]):
            return "max", out
        raise QueryError(
            f"nested {expr[0].upper()} is not the most-frequent idiom", place="a nested SELECT"
        )

    def _counts(self, where: Any, var: Var) -> bool:
        while where.name == "GroupGraphPatternSub":
            parts = list(where.part or ())
            if len(parts) != 1 or parts[0].name != "GroupOrUnionGraphPattern":
                return False
            where = parts[0].graph[0]
        found = self._aggregate(where) if where.name == "SubSelect" else None
        return found is not None and found[0] == "count" and found[1] == var

    def _nested(self, node: Any) -> Body:
        """A nested SELECT: kept where it limits, else folded into the group around it."""
        items = list(node.projection or ())
        if node.limitoffset or node.orderby:
            return (self.query(node),)
        if node.groupby or node.having or any(i.evar is not None for i in items):
            raise QueryError("aggregates are supported only in the most-frequent idiom", place="a nested SELECT")
        body = self.group(node.where)
        if not items:
            return body
        return self.scope.fold(body, {Var(str(i.var)) for i in items})


def _first_variable(body: Body) -> Var:
    from kbqa.sparql.walk import variables

    return next(variables(body), Var("x"))


def _order_key(expr: Expr) -> tuple[Var, Kind]:
    from kbqa.sparql.expressions import key_of

    key = key_of(expr)
    if key is None:
        raise QueryError("a sort key must be a variable or a cast of one", place="ORDER BY")
    return key


__all__ = ["Differ", "InEnglish", "parse"]
