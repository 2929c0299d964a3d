"""The portable expressions, each defined once as a tree: write.py prints them, expressions.py
recognises them by equality, so that what is written is what is read.

A tree (`Expr`) is the tuple form that `expressions.simplify` describes. Functions of XML Schema and
of SPARQL are both ('call', lower-case name, arguments).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, TypeAlias

from kbqa.errors import QueryError
from kbqa.types import (
    XSD,
    Compare,
    Constant,
    Differ,
    Hop,
    Iri,
    Kind,
    Literal,
    Operator,
    Part,
    Spelt,
    Term,
    Triple,
    Var,
)

Expr: TypeAlias = tuple[Any, ...]

NUMBER = "^[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?$"
DATED = "(gYear|gYearMonth|date|dateTime)$"
DATE = "^-?[0-9]{4}(-[0-9]{2}(-[0-9]{2}([T ].*)?)?)?(Z|[+-][0-9]{2}:[0-9]{2})?$"
_EPOCH = "0000-01-01"
_DIGITS = 15
"""Decimal digits that a double keeps; a constant with more on either side of the point is refused."""
_CASTS = ("double", "integer")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_BAD_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')


DATES = {XSD + t for t in ("dateTime", "date", "gYear", "gYearMonth")}
NUMBERS = {
    XSD + t
    for t in ("integer", "int", "long", "decimal", "float", "double", "nonNegativeInteger", "positiveInteger")
}

# --- constants --------------------------------------------------------------


def pad_date(lexical: str) -> str:
    """`1967` -> `1967-01-01`; `1980-12-31T00:00:00Z` -> `1980-12-31`; `-0044` -> `-0044-01-01`."""
    era, rest = ("-", lexical[1:]) if lexical.startswith("-") else ("", lexical)
    rest = re.sub(r"(?<=^....)(Z|[+]\d\d:\d\d|-\d\d:\d\d)$", "", rest)
    rest = re.sub(r"(?<=^....-..)(Z|[+-]\d\d:\d\d)$", "", rest)
    return era + (rest[:10] + _EPOCH[len(rest) :])[:10]


def _count_back(year: str) -> str:
    """`0044` <-> `9955`: years before the common era, so that the later one sorts later."""
    return str(19999 - int(year))[1:]


def date_string(date: str) -> str:
    """A padded date as the string it is compared by; its own inverse."""
    return f"-{_count_back(date[1:5])}{date[5:]}" if date.startswith("-") else date


def operand(value: Literal, kind: Kind) -> Literal:
    """A constant as it is compared: dates padded to a day, numbers without exponent or needless
    zeros, strings plain. Raises `QueryError` for a number or date that is none."""
    match kind:
        case Kind.DATE:
            if not re.fullmatch(
                r"-?\d{4}(-\d\d(-\d\d([T ].*)?)?)?(Z|[+-]\d\d:\d\d)?", value.lexical, re.ASCII
            ):
                raise QueryError(f"a date such as 1980 or 1980-12-31 expected, found {value.lexical!r}")
            return Literal(pad_date(value.lexical), XSD + "date")
        case Kind.NUMBER:
            return Literal(_plain_number(value.lexical), XSD + "decimal")
        case Kind.STRING:
            return Literal(value.lexical)
        case Kind.TERM | Kind.VALUE:
            return value


def literal_kind(value: Literal) -> Kind | None:
    """How a literal in a pattern or an uncast comparison is compared; None: as the very term."""
    match value:
        case Literal(_, datatype, "") if datatype in DATES:
            return Kind.DATE
        case Literal(_, datatype, "") if datatype in NUMBERS:
            return Kind.NUMBER
        case Literal(_, "", ""):
            return Kind.STRING
    return None


def equals(v: Var, value: Constant, operator: Operator = "=") -> Compare | Differ:
    """FILTER (?v = value), or another operator, as `parse` reads it. Raises `QueryError`."""
    if isinstance(value, Iri):
        return Differ(v, value) if operator == "!=" else Compare(v, operator, value, Kind.TERM)
    kind = literal_kind(value) or Kind.TERM
    return Compare(v, operator, operand(value, kind), kind)


def pattern(s: Term, p: Iri, o: Term, fresh: Callable[[], Var]) -> Iterator[Triple | Compare | Differ]:
    """A triple pattern; literals whose spelling engines don't agree on become comparisons.

    Raises `QueryError` for a literal as subject."""
    if isinstance(s, Literal):
        raise QueryError(f"a literal, {s.lexical!r}, can't be the subject of a triple")
    if not isinstance(o, Literal) or literal_kind(o) is None:
        yield Triple(s, p, o)
        return
    value = fresh()
    yield Triple(s, p, value)
    yield equals(value, o)


def _plain_number(text: str) -> str:
    if not re.fullmatch(NUMBER[1:-1], text):
        raise QueryError(f"a number expected, found {text!r}")
    number = Decimal(text)
    exponent = number.as_tuple().exponent
    if number.adjusted() > _DIGITS or not isinstance(exponent, int) or exponent < -50 or exponent > 50:
        raise QueryError(f"a number below 10^{_DIGITS + 1} expected, found {text!r}")
    plain = f"{number:f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return "0" if plain in ("-0", "") else plain


# --- trees ------------------------------------------------------------------


def text(value: str) -> Expr:
    return ("term", Literal(value))


def integer(value: int) -> Expr:
    return ("term", Literal(str(value), XSD + "integer"))


def call(name: str, *args: Expr) -> Expr:
    return ("call", name, args)


FALSE: Expr = ("term", Literal("false", XSD + "boolean"))
_LOWEST: Expr = ("term", Literal("-1e+308", XSD + "double"))


def string_of(v: Var) -> Expr:
    return call("str", ("term", v))


def double_of(v: Var) -> Expr:
    return call("double", string_of(v))


def is_number(v: Var) -> Expr:
    return call("regex", string_of(v), text(NUMBER))


def is_plain_number(v: Var) -> Expr:
    """A number by its spelling, and no year: `"1967"^^xsd:gYear` is a date."""
    kind = call("str", call("datatype", ("term", v)))
    return ("and", (is_number(v), ("not", call("regex", kind, text(DATED)))))


def is_date(v: Var) -> Expr:
    return call("regex", string_of(v), text(DATE))


def date_key(v: Var) -> Expr:
    """The first ten characters of the date, padded: strings that order as the dates do, but for two
    dates that both lie before the common era."""
    s = string_of(v)
    padding = call("substr", text(_EPOCH), ("op", "+", call("strlen", s), integer(1)))
    head = call("substr", s, integer(1), integer(10))
    return call("substr", call("concat", head, padding), integer(1), integer(10))


def era_key(v: Var) -> Expr:
    """As `date_key`, and years before the common era count backwards (-0044 as -9955)."""
    s = string_of(v)
    padding = call("substr", text("-" + _EPOCH), ("op", "+", call("strlen", s), integer(1)))
    day = call("substr", call("concat", s, padding), integer(6), integer(6))
    year = call("integer", call("substr", s, integer(2), integer(4)))
    back = call("substr", call("str", ("op", "-", integer(19999), year)), integer(2))
    return call("if", call("strstarts", s, text("-")), call("concat", text("-"), back, day), date_key(v))


def value_keys(v: Var) -> tuple[Expr, Expr]:
    """What uncast values are sorted by: numbers first by size, then dates, then the rest as strings."""
    return (
        call("if", is_plain_number(v), double_of(v), _LOWEST),
        call("if", is_date(v), era_key(v), string_of(v)),
    )


def compare_values(a: Var, op: Operator, b: Var) -> Expr:
    """Uncast values: two numbers as numbers, two dates as dates, else by their strings."""
    dates = ("op", op, era_key(a), era_key(b))
    strings = ("op", op, string_of(a), string_of(b))
    rest = call("if", ("and", (is_date(a), is_date(b))), dates, strings)
    both = ("and", (is_plain_number(a), is_plain_number(b)))
    return call("if", both, ("op", op, double_of(a), double_of(b)), rest)


def compare(c: Compare) -> Expr:
    """The portable condition. Raises `QueryError` where the constant does not fit the kind."""
    left, op, right = c.left, c.operator, c.right
    match c.kind, right:
        case Kind.TERM, _:
            return ("op", op, ("term", left), ("term", right))
        case Kind.STRING, Var():
            return ("op", op, string_of(left), string_of(right))
        case Kind.DATE, Var():
            return ("op", op, era_key(left), era_key(right))
        case Kind.NUMBER, Var():
            both = ("and", (is_number(left), is_number(right)))
            return call("if", both, ("op", op, double_of(left), double_of(right)), FALSE)
        case Kind.VALUE, Var():
            return compare_values(left, op, right)
        case (Kind.STRING | Kind.DATE | Kind.NUMBER) as kind, Literal():
            return _compare_constant(left, op, operand(right, kind), kind)
    raise QueryError(f"?{left.name} can't be compared as a {c.kind.value} with {show(('term', right))}")


def _compare_constant(left: Var, op: Operator, value: Literal, kind: Kind) -> Expr:
    match kind:
        case Kind.DATE:
            key = era_key(left) if value.lexical.startswith("-") else date_key(left)
            return ("op", op, key, text(date_string(value.lexical)))
        case Kind.NUMBER:
            datatype = XSD + ("decimal" if "." in value.lexical else "integer")
            number = ("term", Literal(value.lexical, datatype))
            return call("if", is_number(left), ("op", op, double_of(left), number), FALSE)
        case _:
            return ("op", op, string_of(left), ("term", value))


PARTS: dict[str, Part] = {"contains": "contains", "strstarts": "starts", "strends": "ends"}
"""SPARQL's functions on parts of a string."""
_FUNCTIONS = {part: name for name, part in PARTS.items()}


def spelt(e: Spelt) -> Expr:
    return call(_FUNCTIONS[e.part], call("lcase", string_of(e.var)), text(e.text))


# --- printing ---------------------------------------------------------------

_BARE = {
    XSD + "integer": re.compile(r"-?\d+", re.ASCII),
    XSD + "decimal": re.compile(r"-?\d+[.]\d+", re.ASCII),
    XSD + "double": re.compile(r"-?\d+([.]\d+)?[eE][+-]?\d+", re.ASCII),
    XSD + "boolean": re.compile("true|false"),
}
"""Literals that SPARQL writes without quotes."""


def quote(value: str) -> str:
    """A SPARQL string literal; control characters as \\uXXXX."""
    body = "".join(
        _ESCAPES.get(c) or (f"\\u{ord(c):04X}" if ord(c) < 32 or ord(c) == 127 else c) for c in value
    )
    return f'"{body}"'


def term(value: Term) -> str:
    """A term in SPARQL."""
    match value:
        case Var(name):
            return f"?{name}"
        case Iri(iri):
            return "<" + _BAD_IRI.sub(lambda m: f"\\u{ord(m[0]):04X}", iri) + ">"
        case Literal(lexical, datatype, language):
            suffix = f"@{language}" if language else f"^^{term(Iri(datatype))}" if datatype else ""
            return quote(lexical) + suffix


def triple(hop: Hop, here: str, there: str) -> str:
    """A pattern that walks the hop from one variable (with its question mark) to another."""
    if hop.inverse:
        here, there = there, here
    return f"{here} {term(hop.predicate)} {there}"


def values(variable: str, terms: Iterable[Term]) -> str:
    """VALUES for one variable (with its question mark)."""
    return f"VALUES {variable} {{ {' '.join(map(term, terms))} }}"


def one_of(variable: str, terms: Iterable[Term]) -> str:
    """That a variable is one of these, as a condition. Of predicates this rather than `values`: a store that
    joins two such lists with a pattern may read all that the graph has of each predicate."""
    return f"{variable} IN ({', '.join(map(term, terms))})"


def show(e: Expr) -> str:
    """The tree as SPARQL."""
    match e:
        case ("term", Literal(lexical, datatype)) if datatype in _BARE and _BARE[datatype].fullmatch(lexical):
            return lexical
        case ("term", value):
            return term(value)
        case ("call", name, args):
            function = f"<{XSD}{name}>" if name in _CASTS else name.upper()
            return f"{function}({', '.join(map(show, args))})"
        case ("op", op, left, right):
            return f"{show(left)} {op} {show(right)}"
        case ("and", parts):
            return " && ".join(f"({show(p)})" if p[0] == "and" else show(p) for p in parts)
        case ("not", inner):
            return f"!{show(inner)}"
    raise AssertionError(f"no portable expression: {e!r}")
