"""`Query` -> the portable SPARQL 1.1 form.

Engines disagree about casts of partial dates, numbers kept as strings and ordering of mixed types
(docs/engines.md). The portable form avoids all of it: full IRIs, dates compared as padded strings,
numbers guarded by a pattern before they are cast, ties broken by the answer itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from kbqa.sparql.aggregates import BESIDE, FUNCTIONS, SEPARATOR, cell_of, takes_none
from kbqa.sparql.portable import (
    Expr,
    compare,
    double_of,
    era_key,
    is_number,
    quote,
    show,
    spelt,
    string_of,
    term,
    value_keys,
)
from kbqa.sparql.walk import variables
from kbqa.types import (
    Absent,
    Body,
    Compare,
    Counted,
    Differ,
    Element,
    InEnglish,
    Kind,
    Maybe,
    MostFrequent,
    OneOf,
    OpenBound,
    Order,
    Query,
    Spelt,
    Triple,
    Union,
    Var,
)

__all__ = ["render", "term"]


def _element(e: Element, fresh: Iterator[int]) -> list[str]:
    match e:
        case Triple(s, p, o):
            return [f"{term(s)} {term(p)} {term(o)} ."]
        case Compare():
            return [f"FILTER ({show(compare(e))})"]
        case Differ(left, right):
            return [f"FILTER (?{left.name} != {term(right)})"]
        case InEnglish(var, strict):
            tagged = f'LANGMATCHES(LANG(?{var.name}), "en")'
            any_ = f'!ISLITERAL(?{var.name}) || LANG(?{var.name}) = "" || {tagged}'
            return [f"FILTER ({tagged if strict else any_})"]
        case OpenBound(subject, predicate, operator, bound, kind):
            a, b = Var(f"o{next(fresh)}"), Var(f"o{next(fresh)}")
            head = f"?{subject.name} {term(predicate)}"
            inner = show(compare(Compare(b, operator, bound, kind)))
            return [
                f"FILTER (NOT EXISTS {{ {head} ?{a.name} }} || "
                f"EXISTS {{ {head} ?{b.name} . FILTER ({inner}) }})"
            ]
        case Absent(subject, predicate, obj, inverse):
            ends = [f"?{subject.name}", f"?o{next(fresh)}" if obj is None else term(obj)]
            start, end = reversed(ends) if inverse else ends
            return [f"FILTER (NOT EXISTS {{ {start} {term(predicate)} {end} }})"]
        case Spelt():
            return [f"FILTER ({show(spelt(e))})"]
        case OneOf(var, values):
            return [f"FILTER (?{var.name} IN ({', '.join(map(term, values))}))"]
        case Union(branches):
            blocks = ["{\n" + _block(b, fresh) + "\n}" for b in branches]
            return [" UNION ".join(blocks)]
        case MostFrequent(var, body):
            return _most_frequent(var, body, fresh)
        case Counted():
            return _counted(e, fresh)
        case Maybe(body):
            return ["OPTIONAL {\n" + _block(body, fresh) + "\n}"]
        case Query():
            return ["{\n" + _select(e, fresh) + "\n}"]


def _most_frequent(var: Var, body: Body, fresh: Iterator[int]) -> list[str]:
    k = next(fresh)
    counts = f"SELECT ?{var.name} (COUNT(*) AS ?{{}}{k}) WHERE {{{{\n{{}}\n}}}} GROUP BY ?{var.name}"
    inner = counts.format("m", _block(body, fresh))
    return [
        "{\n" + counts.format("n", _block(body, fresh)) + "\n}",
        f"{{\nSELECT (MAX(?m{k}) AS ?t{k}) WHERE {{\n{{\n{inner}\n}}\n}}\n}}",
        f"FILTER (?n{k} = ?t{k})",
    ]


def _counted(e: Counted, fresh: Iterator[int]) -> list[str]:
    """HAVING, where what has none is left out; else OPTIONAL, as Virtuoso answers wrongly where a SELECT with
    HAVING stands in MINUS or NOT EXISTS."""
    one, number = f"?{e.var.name}", f"COUNT(DISTINCT ?{e.value.name})"
    block = f"WHERE {{\n{_block(e.body, fresh)}\n}} GROUP BY {one}"
    if not takes_none(e.operator, e.number):
        return [f"{{\nSELECT {one} {block} HAVING ({number} {e.operator} {e.number})\n}}"]
    n = f"?n{next(fresh)}"
    return [
        f"OPTIONAL {{\n{{\nSELECT {one} ({number} AS {n}) {block}\n}}\n}}",
        f"FILTER (COALESCE({n}, 0) {e.operator} {e.number})",
    ]


def _block(body: Body, fresh: Iterator[int]) -> str:
    return "\n".join(line for e in body for line in _element(e, fresh))


def _order(order: Order, select: Var) -> tuple[str, str]:
    """(guard line for the body, ORDER BY line)."""
    guard = ""
    keys: tuple[Expr, ...]
    match order.kind:
        case Kind.NUMBER:
            guard, keys = f"\nFILTER ({show(is_number(order.var))})", (double_of(order.var),)
        case Kind.DATE:
            keys = (era_key(order.var),)
        case Kind.VALUE:
            keys = value_keys(order.var)
        case Kind.STRING | Kind.TERM:
            keys = (string_of(order.var),)
    direction = "DESC" if order.descending else "ASC"
    line = (
        "ORDER BY " + " ".join(f"{direction}({show(k)})" for k in keys) + f" ASC({show(string_of(select))})"
    )
    if order.limit is not None:
        line += f"\nLIMIT {order.limit}"
    if order.offset:
        line += f"\nOFFSET {order.offset}"
    return guard, line


def _select(q: Query, fresh: Iterator[int]) -> str:
    guard, tail = _order(q.order, q.select) if q.order else ("", "")
    if q.limit is not None:
        tail = f"LIMIT {q.limit}"
    block = _block(q.body, fresh) + guard
    if q.form == "ask":
        return f"ASK WHERE {{\n{block}\n}}"
    if q.value is not None:
        return _computed(q, q.value, block, tail, fresh)
    distinct = "DISTINCT " if q.distinct else ""
    if q.form == "count":
        head = f"SELECT (COUNT({distinct}?{q.select.name}) AS ?count)"
    else:
        head = f"SELECT {distinct}?{q.select.name}"
    return f"{head} WHERE {{\n{block}\n}}" + (f"\n{tail}" if tail else "")


def _computed(q: Query, value: Var, block: str, tail: str, fresh: Iterator[int]) -> str:
    """A number of numbers, with how many went into it ('of nothing' is no average), a tally or a table.
    Every pair is taken once, however often the patterns find it."""
    item, name = f"?{q.select.name}", f"?{value.name}"
    if q.form == "table":
        return _table(q.select, value, block, f"?t{next(fresh)}")
    if q.form == "tally":
        counted = f"COUNT(DISTINCT {name})"
        if q.number is not None:
            counted = f"{FUNCTIONS[q.measure]}({show(double_of(q.number))})"
            block = _numbers(f"{item} {name} ?{q.number.name}", block, q.number)
        head = f"SELECT {item} ({counted} AS ?{BESIDE}) WHERE {{\n{block}\n}}"
        way = "ASC" if q.rising else "DESC"
        order = f"GROUP BY {item}\nORDER BY {way}(?{BESIDE}) ASC({show(string_of(q.select))})"
        return f"{head}\n{order}" + (f"\n{tail}" if tail else "")
    number, pairs = show(double_of(value)), _numbers(f"{item} {name}", block, value)
    return f"SELECT ({FUNCTIONS[q.form]}({number}) AS ?{q.form}) (COUNT(*) AS ?of) WHERE {{\n{pairs}\n}}"


def _numbers(names: str, block: str, number: Var) -> str:
    """Rows that are taken once, numbers only."""
    return f"{{\nSELECT DISTINCT {names} WHERE {{\n{block}\nFILTER ({show(is_number(number))})\n}}\n}}"


def _table(item: Var, value: Var, block: str, cell: str) -> str:
    """The values of an answer in their own order, so that every engine writes the same."""
    order = f"ORDER BY ASC({show(string_of(item))})"
    rows = f"SELECT DISTINCT ?{item.name} ({show(cell_of(value))} AS {cell}) WHERE {{\n{block}\n}}\n{order}"
    joined = f"GROUP_CONCAT({cell}; SEPARATOR={quote(SEPARATOR)})"
    return (
        f"SELECT ?{item.name} ({joined} AS ?{BESIDE}) WHERE {{\n{{\n{rows} ASC({cell})\n}}\n}}\n"
        f"GROUP BY ?{item.name}\n{order}"
    )


def render(query: Query) -> str:
    """The portable form: one element a line, full IRIs, no prologue.

    Helper variables are named ?o1, ?n1, ?m1, ?t1 ... and never clash with the query's own. Raises
    `QueryError` for a constant that is compared as a number or date and is none.
    """
    return _select(query, _fresh(query))


def _fresh(query: Query) -> Iterator[int]:
    taken = {v.name for v in variables(query)}
    k = 0
    while True:
        k += 1
        if not any(f"{letter}{k}" in taken for letter in "onmt"):
            yield k
