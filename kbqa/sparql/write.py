"""`Query` -> the portable SPARQL 1.1 form.

Engines disagree about casts of partial dates, numbers kept as strings and ordering of mixed types
(docs/engines.md). The portable form avoids all of it: full IRIs, dates compared as padded strings,
numbers guarded by a pattern before they are cast, ties broken by the answer itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbqa.types import (
    Absent,
    Body,
    Compare,
    Differ,
    Element,
    InEnglish,
    Iri,
    Kind,
    Literal,
    MostFrequent,
    OneOf,
    OpenBound,
    Order,
    Query,
    Term,
    Triple,
    Union,
    Var,
)

NUMBER = "^[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?$"
DATED = "(gYear|gYearMonth|date|dateTime)$"
_EPOCH = "0000-01-01"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_BAD_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')


def pad_date(lexical: str) -> str:
    """`1967` -> `1967-01-01`; `1980-12-31T00:00:00` -> `1980-12-31`. What is longer is cut."""
    return (lexical[:10] + _EPOCH[len(lexical) :])[:10]


def quote(text: str) -> str:
    """A SPARQL string literal; control characters as \\uXXXX."""
    body = "".join(
        _ESCAPES.get(c) or (f"\\u{ord(c):04X}" if ord(c) < 32 or ord(c) == 127 else c) for c in text
    )
    return f'"{body}"'


def term(value: Term) -> str:
    match value:
        case Var(name):
            return f"?{name}"
        case Iri(iri):
            return "<" + _BAD_IRI.sub(lambda m: f"\\u{ord(m[0]):04X}", iri) + ">"
        case Literal(lexical, datatype, language):
            suffix = f"@{language}" if language else f"^^<{datatype}>" if datatype else ""
            return quote(lexical) + suffix


def date_key(var: Var) -> str:
    """The first ten characters of the date, padded: strings that order as the dates do (CE)."""
    s = f"STR(?{var.name})"
    return f'SUBSTR(CONCAT(SUBSTR({s}, 1, 10), SUBSTR("{_EPOCH}", STRLEN({s}) + 1)), 1, 10)'


def _double(var: Var) -> str:
    return f"<http://www.w3.org/2001/XMLSchema#double>(STR(?{var.name}))"


def _is_number(var: Var) -> str:
    return f'REGEX(STR(?{var.name}), "{NUMBER}")'


def _is_plain_number(var: Var) -> str:
    return f'({_is_number(var)} && !REGEX(STR(DATATYPE(?{var.name})), "{DATED}"))'


def _compare(f: Compare) -> str:
    left, op, right = f.left, f.operator, f.right
    match f.kind, right:
        case Kind.TERM, _:
            return f"?{left.name} {op} {term(right)}"
        case Kind.STRING, Var():
            return f"STR(?{left.name}) {op} STR({term(right)})"
        case Kind.STRING, (Literal(lexical=text) | Iri(value=text)):
            return f"STR(?{left.name}) {op} {quote(text)}"
        case Kind.DATE, Var():
            return f"{date_key(left)} {op} {date_key(right)}"
        case Kind.DATE, (Literal(lexical=text) | Iri(value=text)):
            return f"{date_key(left)} {op} {quote(pad_date(text))}"
        case Kind.NUMBER, Var():
            return f"IF({_is_number(left)} && {_is_number(right)}, {_double(left)} {op} {_double(right)}, false)"
        case Kind.NUMBER, (Literal(lexical=text) | Iri(value=text)):
            return f"IF({_is_number(left)}, {_double(left)} {op} {text}, false)"
        case Kind.VALUE, Var():
            both = f"{_is_plain_number(left)} && {_is_plain_number(right)}"
            dates = f"{date_key(left)} {op} {date_key(right)}"
            return f"IF({both}, {_double(left)} {op} {_double(right)}, {dates})"
    raise AssertionError(f"an uncast comparison with a constant has a kind of its own: {f}")


def _element(e: Element, fresh: Iterator[int]) -> list[str]:
    match e:
        case Triple(s, p, o):
            return [f"{term(s)} {term(p)} {term(o)} ."]
        case Compare():
            return [f"FILTER ({_compare(e)})"]
        case Differ(left, right):
            return [f"FILTER (?{left.name} != {term(right)})"]
        case InEnglish(var, strict):
            tagged = f'LANGMATCHES(LANG(?{var.name}), "en")'
            any_ = f'!ISLITERAL(?{var.name}) || LANG(?{var.name}) = "" || {tagged}'
            return [f"FILTER ({tagged if strict else any_})"]
        case OpenBound(subject, predicate, operator, bound, kind):
            a, b = Var(f"o{next(fresh)}"), Var(f"o{next(fresh)}")
            head = f"?{subject.name} {term(predicate)}"
            inner = _compare(Compare(b, operator, bound, kind))
            return [
                f"FILTER (NOT EXISTS {{ {head} ?{a.name} }} || "
                f"EXISTS {{ {head} ?{b.name} . FILTER ({inner}) }})"
            ]
        case Absent(subject, predicate, obj):
            shown = f"?o{next(fresh)}" if obj is None else term(obj)
            return [f"FILTER (NOT EXISTS {{ ?{subject.name} {term(predicate)} {shown} }})"]
        case OneOf(var, values):
            return [f"FILTER (?{var.name} IN ({', '.join(map(term, values))}))"]
        case Union(branches):
            blocks = ["{\n" + _block(b, fresh) + "\n}" for b in branches]
            return [" UNION ".join(blocks)]
        case MostFrequent(var, body):
            return _most_frequent(var, body, fresh)
        case Query():
            return ["{\n" + _select(e, fresh) + "\n}"]


def _most_frequent(var: Var, body: Body, fresh: Iterator[int]) -> list[str]:
    k = next(fresh)
    counts = (
        f"SELECT ?{var.name} (COUNT(*) AS ?{{}}{k}) WHERE {{{{\n{{}}\n}}}} GROUP BY ?{var.name}"
    )
    inner = counts.format("m", _block(body, fresh))
    return [
        "{\n" + counts.format("n", _block(body, fresh)) + "\n}",
        f"{{\nSELECT (MAX(?m{k}) AS ?t{k}) WHERE {{\n{{\n{inner}\n}}\n}}\n}}",
        f"FILTER (?n{k} = ?t{k})",
    ]


def _block(body: Body, fresh: Iterator[int]) -> str:
    return "\n".join(line for e in body for line in _element(e, fresh))


def _order(order: Order, select: Var) -> tuple[str, str]:
    """(guard line for the body, ORDER BY line)."""
    guard = ""
    match order.kind:
        case Kind.NUMBER:
            guard, keys = f"\nFILTER ({_is_number(order.var)})", [_double(order.var)]
        case Kind.DATE:
            keys = [date_key(order.var)]
        case Kind.VALUE:
            number = f"IF({_is_plain_number(order.var)}, {_double(order.var)}, -1.0e308)"
            keys = [number, date_key(order.var)]
        case Kind.STRING | Kind.TERM:
            keys = [f"STR(?{order.var.name})"]
    direction = "DESC" if order.descending else "ASC"
    line = "ORDER BY " + " ".join(f"{direction}({k})" for k in keys) + f" ASC(STR(?{select.name}))"
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
    distinct = "DISTINCT " if q.distinct else ""
    if q.form == "count":
        head = f"SELECT (COUNT({distinct}?{q.select.name}) AS ?count)"
    else:
        head = f"SELECT {distinct}?{q.select.name}"
    return f"{head} WHERE {{\n{block}\n}}" + (f"\n{tail}" if tail else "")


def render(query: Query) -> str:
    """The portable form: one element a line, full IRIs, no prologue.

    Helper variables are named ?o1, ?n1, ?m1, ?t1 ... and never clash with the query's own.
    """
    return _select(query, _fresh(query))


def _fresh(query: Query) -> Iterator[int]:
    from kbqa.sparql.walk import variables

    taken = {v.name for v in variables(query)}
    k = 0
    while True:
        k += 1
        if not any(f"{letter}{k}" in taken for letter in "onmt"):
            yield k
