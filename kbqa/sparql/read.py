"""SPARQL text -> `Query`, on rdflib's parser.

rdflib's parse tree is first boiled down to plain tuples (`expressions.simplify`), on which the idioms
of the field are recognised one by one. What is no known idiom is a `QueryError`; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pyparsing import ParseException
from rdflib.plugins.sparql import parser as grammar

from kbqa.errors import QueryError
from kbqa.sparql.aggregates import (
    bound_of,
    only_select,
    read_counts,
    read_having,
    read_numbers,
    read_table,
    read_tally,
    takes_none,
)
from kbqa.sparql.canonical import same
from kbqa.sparql.expressions import Found, filters_of, key_of, simplify
from kbqa.sparql.portable import Expr, string_of
from kbqa.sparql.scope import Scope, absent, turned
from kbqa.sparql.tidy import tidy, variable_names
from kbqa.sparql.walk import bound, bound_by_all, filtered, rename, variables
from kbqa.types import (
    Absent,
    Body,
    Compare,
    Counted,
    Element,
    Iri,
    Kind,
    Maybe,
    MostFrequent,
    Order,
    Query,
    Triple,
    Union,
    Var,
)

_REFUSED = {
    "ServiceGraphPattern": "SERVICE",
    "GraphGraphPattern": "GRAPH",
    "Bind": "BIND",
}
_MAX_LENGTH = 100_000
_IDIOM = "supported only in the most-frequent idiom"


def parse(text: str) -> Query:
    """Read one SELECT or ASK query.

    Raises `QueryError` naming the query, the place and the reason for: malformed text, anything but
    SELECT/ASK, and what a `Query` can't hold (OPTIONAL but for a table, GRAPH, BIND, property path closures,
    several answer variables, aggregates other than COUNT, HAVING a COUNT, the most-frequent idiom, tallies
    and numbers of the portable form).
    """
    if len(text) > _MAX_LENGTH:
        raise QueryError(f"the query has {len(text)} characters, more than {_MAX_LENGTH}", query=text)
    if not text.strip():
        raise QueryError("not SPARQL 1.1: the text is empty, a SELECT or ASK query expected")
    try:
        tidied = tidy(text)
        tree = grammar.Query.parse_string(tidied, parse_all=True)
        return _Reader(Scope.of(tree[0], variable_names(tidied))).query(tree[1])
    except ParseException as e:
        place = f"line {e.lineno}, column {e.column}"
        raise QueryError(f"not SPARQL 1.1: {_reason(e)}", query=text, place=place) from None
    except QueryError as e:
        raise QueryError(e.reason, query=text, place=e.place) from None
    except RecursionError:
        raise QueryError("nested too deeply, or of too many patterns", query=text) from None
    except (ValueError, OverflowError) as e:  # rdflib's own checks, such as a \\U beyond Unicode
        raise QueryError(f"not SPARQL 1.1: {e}", query=text) from None


def _reason(e: ParseException) -> str:
    line = e.line.strip()
    return f"can't go on at {line[:80]!r}" if line else "the text ends too early"


@dataclass
class _Group:
    """One group graph pattern while it is read. `counted` and `maxima` are the halves of the
    most-frequent idiom; `local` variables, of EXISTS, of counts and of that idiom, may be used nowhere
    else."""

    elements: list[Element] = field(default_factory=list)
    counted: dict[Var, MostFrequent] = field(default_factory=dict)
    maxima: dict[Var, MostFrequent] = field(default_factory=dict)
    local: set[Var] = field(default_factory=set)
    numbers: dict[Var, Counted] = field(default_factory=dict)
    """How many there are, by the name of the number, before it is said how many there must be."""
    maybes: list[Maybe] = field(default_factory=list)
    listed: set[Var] = field(default_factory=set)
    lacking: list[tuple[int, Var]] = field(default_factory=list)

    def pair(self, a: Var, b: Var) -> bool:
        """Whether FILTER (?a = ?b) closes the idiom; adds it then."""
        for n, top in ((a, b), (b, a)):
            if n in self.counted and top in self.maxima:
                one, other = self.counted.pop(n), self.maxima.pop(top)
                if not same(Query(one.var, one.body), Query(other.var, other.body)):
                    raise QueryError("COUNT and MAX are over different patterns", place="a nested SELECT")
                self.elements.append(one)
                self.local |= {n, top}
                return True
        return False

    def lack(self, found: Absent, any_one: Var) -> None:
        """NOT EXISTS between two variables: which of them is bound elsewhere is known at the end."""
        self.lacking.append((len(self.elements), any_one))
        self.elements.append(found)

    def _settle(self) -> None:
        rest = [e for e in self.elements if not isinstance(e, Absent)]
        for at, any_one in self.lacking:
            found = self.elements[at]
            assert isinstance(found, Absent)
            if any_one in bound(rest) and found.subject not in bound(rest):
                found, any_one = turned(found, any_one)
            self.elements[at] = found
            self.local.add(any_one)

    def optional(self, body: Body) -> None:
        """OPTIONAL binds nothing that stands outside of it but what was bound before it."""
        if (set(variables(body)) & set(variables(tuple(self.elements)))) - bound_by_all(self.elements):
            raise QueryError("OPTIONAL before what it goes with", place="OPTIONAL")
        self.local |= set(variables(body)) - bound_by_all(self.elements)
        self.maybes.append(Maybe(body))

    def bounded(self, e: Expr) -> bool:
        """Whether FILTER (COALESCE(?n, 0) <= 2) bounds what was counted as ?n; adds it then."""
        found = bound_of(e)
        if found is None or found[0] not in self.numbers:
            return False
        n, operator, number = found
        self.elements.append(replace(self.numbers.pop(n), operator=operator, number=number))
        self.local.add(n)
        return True

    def count(self, name: Var, found: Counted) -> None:
        if found.var not in bound_by_all(self.elements):
            raise QueryError(f"OPTIONAL before ?{found.var.name} is bound", place="OPTIONAL")
        self.numbers[name] = found

    def close(self) -> Body:
        self.elements = _in_order(self.elements)
        self._settle()
        if self.counted or self.maxima:
            raise QueryError(f"COUNT and MAX are {_IDIOM}", place="a nested SELECT")
        if self.numbers:
            raise QueryError("OPTIONAL is not supported", place="OPTIONAL")
        for v in sorted(self.local & set(variables(tuple(self.elements)))):
            raise QueryError(f"?{v.name} of an inner pattern is also used outside of it", place=f"?{v.name}")
        for v in sorted(self.listed - bound_by_all(self.elements)):
            raise QueryError(f"no pattern of this group binds ?{v.name}", place="VALUES")
        return (*self.elements, *self.maybes)


def _in_order(elements: Sequence[Element]) -> list[Element]:
    """What is counted stands last; what nothing else binds is found by what is counted of it."""
    parts = list(elements)
    for e in elements:
        if isinstance(e, Counted) and e.var not in bound(parts):
            parts.extend(e.body)
    return sorted(parts, key=lambda e: isinstance(e, Counted))


class _Reader:
    """Reads groups within one scope of names."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.guards: set[Var] = set()
        self.counting = False
        """Whether how often a solution occurs matters where we are."""
        self.table = False
        """Whether OPTIONAL may stand where we are."""

    # --- queries

    def query(self, node: Any) -> Query:
        if node.name not in ("SelectQuery", "AskQuery", "SubSelect"):
            asked = node.name.removesuffix("Query").upper()
            raise QueryError(f"only SELECT and ASK are answered, not {asked}", place=asked)
        if node.datasetClause:
            raise QueryError("FROM is not allowed", place="the dataset clause")
        if node.name == "AskQuery":
            return self._ask(node)
        table = read_table(node, self.scope, self._optional)
        if table is not None:
            return table
        if node.having:
            return self._having(node)
        if node.groupby:
            return read_tally(node, self.scope, self._inside)
        numbers = read_numbers(node, self.scope, self._inside)
        if numbers is not None:
            return numbers
        select, form, distinct = self._projection(node)
        before, self.guards = self.guards, set()
        body = self._where(node, self.counting or (form == "count" and not distinct))
        order, limit = self._modifiers(node, select)
        self._check_guards(order)
        self.guards = before
        if form == "count":
            _of_one_row(order, limit)
            limit = None
        for v in (select, *((order.var,) if order else ())):
            if v not in bound(body):
                raise QueryError(f"no pattern binds ?{v.name}", place=f"?{v.name}")
        return Query(select, body, order, form, distinct, limit)

    def _ask(self, node: Any) -> Query:
        body = self._where(node, False)
        self._check_guards(None)
        order, limit = self._modifiers(node, Var(""))
        _of_one_row(order, limit)
        body = self._with_variable(body)
        return Query(next(variables(body)), body, form="ask")

    def _with_variable(self, body: Body) -> Body:
        """'Is b the p of a?' as 'is there a p of a that is b?': there is always something asked for."""
        if any(True for _ in variables(body)):
            return body
        *before, last = body or (None,)
        if not isinstance(last, Triple) or not isinstance(last.object, Iri):
            raise QueryError("ASK about nothing that can be looked up", place="ASK")
        found = self.scope.fresh()
        there = Triple(last.subject, last.predicate, found)
        return (*(e for e in before if e is not None), there, Compare(found, "=", last.object, Kind.TERM))

    def _inside(self, node: Any) -> tuple[Body, set[Var]]:
        """A body whose solutions are taken once, and the variables that patterns for numbers stand on."""
        before, self.guards = self.guards, set()
        body = self._where(node, False)
        found, self.guards = self.guards, before
        return body, found

    def _optional(self, node: Any) -> tuple[Body, set[Var]]:
        self.table = True
        return self._inside(node)

    def _having(self, node: Any) -> Query:
        conditions = read_having(node, self.scope, self._inside)
        return Query(conditions[0].var, self._apart(tuple(_in_order(conditions))))

    def _where(self, node: Any, counting: bool) -> Body:
        outer, self.counting = self.counting, counting
        try:
            body = self.group(node.where)
        finally:
            self.counting = outer
        if not node.valuesClause:
            return body
        listed = self.scope.values(node.valuesClause)
        return _Group([*body, listed], listed={listed.var}).close()

    def _check_guards(self, order: Order | None) -> None:
        """The portable form's REGEX before a numeric ORDER BY stands for nothing else."""
        numeric = {order.var} if order and order.kind is Kind.NUMBER else set()
        for v in sorted(self.guards - numeric):
            raise QueryError(f"a pattern for numbers stands alone on ?{v.name}", place="REGEX")

    def _projection(self, node: Any) -> tuple[Var, Literal["select", "count"], bool]:
        distinct = str(node.modifier or "").upper() in ("DISTINCT", "REDUCED")
        items = list(node.projection or ())
        if len(items) != 1:
            raise QueryError(f"one answer variable expected, found {len(items) or '*'}", place="SELECT")
        item = items[0]
        if item.var is not None:
            return Var(str(item.var)), "select", distinct
        match simplify(item.expr, self.scope):
            case ("term", Var() as v):
                return v, "select", distinct
            case ("count", Var() as v, bool(each_once)):
                return v, "count", each_once
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
        if len(keys) > 1 and keys[-1] == (string_of(select), False):
            keys.pop()
        read = [(_order_key(expr), down) for expr, down in keys]
        (var, kind), down = read[0]
        if len(read) == 2 and kind is Kind.VALUE and read[1] == ((var, Kind.DATE), down):
            read.pop()
        if len(read) != 1:
            raise QueryError("one sort key expected", place="ORDER BY")
        return Order(var, down, kind, limit, offset), None

    # --- groups

    def group(self, node: Any) -> Body:
        """The elements of a group; boilerplate of the portable form is folded back."""
        table, self.table = self.table, False
        if node.name == "SubSelect":
            return self._nested(node)
        g = _Group()
        for part in node.part or ():
            if part.name == "OptionalGraphPattern":
                self._maybe(part.graph, g, table)
            else:
                self._part(part, g)
        return self._apart(g.close())

    def _apart(self, body: Body) -> Body:
        """What is counted under names of its own: not every engine keeps a name of an inner SELECT apart
        from the same one outside of it."""
        names = set(variables(tuple(e for e in body if not isinstance(e, Counted))))
        out: list[Element] = []
        for e in body:
            if isinstance(e, Counted):
                shared = sorted(names & set(variables(e.body)) - {e.var})
                own = {v: self.scope.fresh() for v in shared}
                e = rename(e, lambda v, own=own: own.get(v, v))  # type: ignore[misc]
                names.update(variables((e,)))
            out.append(e)
        return tuple(out)

    def _maybe(self, graph: Any, g: _Group, table: bool) -> None:
        """OPTIONAL: what is counted, or what is shown beside the answers of a table."""
        counts = read_counts(graph, self.scope, self._inside)
        if counts is not None:
            g.count(*counts)
        elif table:
            g.optional(self.group(graph))
        else:
            raise QueryError("OPTIONAL is not supported", place="OPTIONAL")

    def _part(self, part: Any, g: _Group) -> None:
        match part.name:
            case "TriplesBlock":
                for flat in part.triples:
                    g.elements.extend(self.scope.triples(flat))
            case "Filter":
                said = simplify(part.expr, self.scope, self.group)
                for found in () if g.bounded(said) else filters_of(said, self.scope):
                    self._filter(found, g)
            case "GroupOrUnionGraphPattern":
                self._blocks(list(part.graph), g)
            case "InlineData":
                listed = self.scope.values(part)
                g.listed.add(listed.var)
                g.elements.append(listed)
            case "MinusGraphPattern":
                self._minus(self.group(part.graph), g)
            case name:
                shown = _REFUSED.get(name, name)
                raise QueryError(f"{shown} is not supported", place=shown)

    def _filter(self, found: Found, g: _Group) -> None:
        match found:
            case ("guard", Var() as v):
                self.guards.add(v)
            case ("equal", a, b, element):
                if not g.pair(a, b):
                    g.elements.append(element)
            case ("filter", Absent() as lack, local) if local:
                (any_one,) = local
                g.lack(lack, any_one)
            case ("filter", element, local):
                g.elements.append(element)
                g.local |= local

    def _minus(self, body: Body, g: _Group) -> None:
        """MINUS over one pattern is NOT EXISTS where the variable is bound before it."""
        found, local = absent(body)
        if found.subject not in bound(g.elements) and local & bound(g.elements):
            found, other = turned(found, *local)
            local = frozenset({other})
        if found.subject not in bound(g.elements) or local & set(variables(tuple(g.elements))):
            raise QueryError("MINUS that does not share its first variable only", place="MINUS")
        g.elements.append(found)
        g.local |= local

    def _blocks(self, graphs: list[Any], g: _Group) -> None:
        if len(graphs) > 1:
            g.elements.append(Union(tuple(self.group(b) for b in graphs)))
            return
        only = graphs[0]
        if only.name != "SubSelect":
            g.elements.extend(_closed(self.group(only)))
            return
        if only.having:
            conditions = read_having(only, self.scope, self._inside)
            if all(takes_none(c.operator, c.number) for c in conditions):
                g.elements.append(replace(conditions[0], operator=">=", number=1))
            g.elements.extend(conditions)
            return
        match self._aggregate(only):
            case None:
                g.elements.extend(self._nested(only))
            case ("count", n, most):
                g.counted[n] = most
            case ("max", top, most):
                g.maxima[top] = most

    def _aggregate(self, node: Any) -> tuple[Literal["count", "max"], Var, MostFrequent] | None:
        """The two halves of the idiom: what is counted under ?n, or the highest such count."""
        items = list(node.projection or ())
        aggregates = [i for i in items if i.evar is not None]
        plain = [Var(str(i.var)) for i in items if i.var is not None]
        if not aggregates:
            return None
        if len(aggregates) > 1:
            raise QueryError("several aggregates in one nested SELECT", place="a nested SELECT")
        if node.having or node.limitoffset or node.orderby or node.valuesClause:
            raise QueryError("an aggregate with a further condition", place="a nested SELECT")
        grouped = [simplify(c, self.scope) for c in (node.groupby.condition if node.groupby else ())]
        if grouped not in ([], [("term", v) for v in plain]):
            raise QueryError("GROUP BY another variable than the one selected", place="a nested SELECT")
        expr, out = simplify(aggregates[0].expr, self.scope), Var(str(aggregates[0].evar))
        match expr, plain:
            case ("count", inner, False), [only] if inner in ("*", only):
                return "count", out, MostFrequent(only, self._where(node, True))
            case ("max", Var() as counted), [] if (most := self._counts(node.where, counted)) is not None:
                return "max", out, most
        raise QueryError(
            f"nested {str(expr[0]).upper()} is not the most-frequent idiom", place="a nested SELECT"
        )

    def _counts(self, where: Any, var: Var) -> MostFrequent | None:
        """What is counted as `var` by a group that holds nothing but that count."""
        only = only_select(where)
        match self._aggregate(only) if only is not None else None:
            case ("count", counted, most) if counted == var:
                return most
        return None

    def _nested(self, node: Any) -> Body:
        """A nested SELECT: kept where it limits, else folded into the group around it."""
        items = list(node.projection or ())
        if node.limitoffset or node.orderby:
            return (self.query(node),)
        if node.groupby or node.having or any(i.evar is not None for i in items):
            raise QueryError(f"aggregates are {_IDIOM}", place="a nested SELECT")
        if node.modifier and self.counting:
            raise QueryError(f"{node.modifier} under a count is not supported", place="a nested SELECT")
        body = _closed(self._where(node, self.counting))
        if not items:
            return body
        return self.scope.fold(body, {Var(str(i.var)) for i in items})


def _closed(body: Body) -> Body:
    """The body of an inner group, if it means the same without its braces."""
    for v in sorted(filtered(body) - bound(body)):
        raise QueryError(f"a filter in an inner group is on ?{v.name}, bound outside", place=f"?{v.name}")
    return body


def _of_one_row(order: Order | None, limit: int | None) -> None:
    """ORDER BY and LIMIT of a number or a yes or no: nothing to sort, nothing to cut."""
    if order is not None or limit == 0:
        raise QueryError("a count and ASK have one answer: nothing to sort or cut", place="ORDER BY, LIMIT")


def _order_key(expr: Expr) -> tuple[Var, Kind]:
    key = key_of(expr)
    if key is None:
        raise QueryError("a sort key must be a variable or a cast of one", place="ORDER BY")
    return key


__all__ = ["parse"]
