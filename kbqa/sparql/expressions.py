"""rdflib's expression trees boiled down to tuples, and the idioms recognised in them.

A simplified expression (`Expr`) is one of
    ('term', Term) | ('call', name, args) | ('op', operator, left, right) | ('and', parts) |
    ('or', parts) | ('not', e) | ('exists', body) | ('absent', body) | ('count', var, distinct) |
    ('max', var) | ('average', 'sum', 'highest' or 'lowest', e, distinct) | ('in', e, values) |
    ('joined', var, distinct, separator)
Function names are lower case, casts by their local name ('integer', 'datetime').
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

from pyparsing import ParseResults
from rdflib.plugins.sparql.parserutils import CompValue

from kbqa.errors import QueryError
from kbqa.sparql.portable import (
    FALSE,
    NUMBERS,
    PARTS,
    Expr,
    compare_values,
    date_key,
    date_string,
    era_key,
    is_number,
    literal_kind,
    operand,
    value_keys,
)
from kbqa.sparql.scope import Scope, absent
from kbqa.types import (
    XSD,
    Body,
    Compare,
    Constant,
    Differ,
    InEnglish,
    Iri,
    Kind,
    Literal,
    OneOf,
    OpenBound,
    Operator,
    Spelt,
    Term,
    Triple,
    Var,
)

Found = tuple[Any, ...]
"""('filter', element, variables of its own) | ('guard', var) | ('equal', var, var, element)."""

_CASTS = {
    "integer": Kind.NUMBER, "decimal": Kind.NUMBER, "float": Kind.NUMBER, "double": Kind.NUMBER,
    "datetime": Kind.DATE, "date": Kind.DATE, "gyear": Kind.DATE, "str": Kind.STRING, "string": Kind.STRING,
}  # fmt: skip
_MIRROR: dict[str, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_AGGREGATES = {
    "Aggregate_Avg": "average", "Aggregate_Sum": "sum", "Aggregate_Max": "highest", "Aggregate_Min": "lowest"
}  # fmt: skip
_WRAPPERS = ("ConditionalOrExpression", "ConditionalAndExpression", "MultiplicativeExpression")


def simplify(node: Any, scope: Scope, group: Callable[[Any], Body] | None = None) -> Expr:
    """The tuple form of one expression; `group` reads the group inside EXISTS."""

    def go(n: Any) -> Expr:
        return simplify(n, scope, group)

    if not isinstance(node, CompValue) or node.name in ("pname", "literal"):
        return ("term", scope.term(node))
    name, other = node.name, node.other
    if name in _WRAPPERS and not other:
        return go(node.expr)
    match name:
        case "ConditionalOrExpression":
            return ("or", tuple(go(n) for n in [node.expr, *other]))
        case "ConditionalAndExpression":
            return ("and", tuple(go(n) for n in [node.expr, *other]))
        case "RelationalExpression":
            return _relation(node, go)
        case "AdditiveExpression":
            return _sum(node, go)
        case "UnaryNot":
            return ("not", go(node.expr))
        case "UnaryMinus" | "UnaryPlus":
            return _signed("-" if name == "UnaryMinus" else "", go(node.expr))
        case "Builtin_EXISTS" | "Builtin_NOTEXISTS" if group is not None:
            return ("exists" if name == "Builtin_EXISTS" else "absent", group(node.graph))
        case "Function":
            args = node.expr or ()
            iri = scope.term(node.iri)
            assert isinstance(iri, Iri)
            return ("call", iri.value.removeprefix(XSD).lower(), tuple(go(a) for a in args))
        case "Aggregate_Count" | "Aggregate_GroupConcat":
            inner = ("term", "*") if str(node.vars) == "*" else go(node.vars)
            what = inner[1] if inner[0] == "term" else None
            if name == "Aggregate_Count":
                return ("count", what, bool(node.distinct))
            separator = node.separator
            return ("joined", what, bool(node.distinct), " " if separator is None else str(separator))
        case "Aggregate_Max" if (top := go(node.vars))[0] == "term":
            return ("max", top[1])
        case "Aggregate_Avg" | "Aggregate_Sum" | "Aggregate_Max" | "Aggregate_Min":
            return (_AGGREGATES[name], go(node.vars), bool(node.distinct))
    if name.startswith("Builtin_"):
        return ("call", name.removeprefix("Builtin_").lower(), tuple(go(a) for a in _arguments(node)))
    raise QueryError(f"{name} is not supported", place=f"an expression ({name})")


def _arguments(node: CompValue) -> list[Any]:
    out: list[Any] = []
    for key in ("arg", "arg1", "arg2", "arg3", "text", "pattern", "start", "length", "flags"):
        value = getattr(node, key)
        if value is not None:
            out.extend(value if isinstance(value, (list, ParseResults)) else [value])
    return out


def _relation(node: CompValue, go: Callable[[Any], Expr]) -> Expr:
    op = node.op
    if not op:
        return go(node.expr)
    if str(op) in ("IN", "NOT IN"):
        if not isinstance(node.other, (list, ParseResults)):
            raise QueryError("IN () holds nothing", place=str(op))
        e: Expr = ("in", go(node.expr), tuple(go(v) for v in node.other))
        return e if str(op) == "IN" else ("not", e)
    return ("op", str(op), go(node.expr), go(node.other))


def _signed(sign: str, inner: Expr) -> Expr:
    match inner:
        case ("term", Literal(lexical, datatype)) if datatype in NUMBERS and lexical[:1].isdigit():
            return ("term", Literal(sign + lexical, datatype))
    raise QueryError("arithmetic is not supported", place="an expression")


def _sum(node: CompValue, go: Callable[[Any], Expr]) -> Expr:
    if not node.other:
        return go(node.expr)
    if len(node.other) > 1:
        raise QueryError("arithmetic is not supported", place="an expression")
    return ("op", str(node.op[0]), go(node.expr), go(node.other[0]))


# --- keys: variables under a cast ------------------------------------------


def _str_of(e: Expr) -> Var | None:
    match e:
        case ("call", "str", (("term", Var() as v),)):
            return v
    return None


def _number_guard(e: Expr) -> Var | None:
    """REGEX(STR(?v), number) of the portable form."""
    match e:
        case ("call", "regex", (inner, _)) if (v := _str_of(inner)) is not None and e == is_number(v):
            return v
    return None


def _first_variable(e: Any) -> Var | None:
    """The variable that is mentioned first."""
    if isinstance(e, Var):
        return e
    if isinstance(e, tuple):
        return next((v for part in e if (v := _first_variable(part)) is not None), None)
    return None


def key_of(e: Expr) -> tuple[Var, Kind] | None:
    """The variable under a cast, and how the cast compares it; None if `e` is no such thing."""
    match e:
        case ("term", Var() as v):
            return v, Kind.VALUE
        case ("call", "substr" | "if", _):
            return _portable_key(e)
        case ("call", name, (inner,)) if name in _CASTS:
            below = key_of(inner)
            if below is None:
                return None
            var, kind = below
            return (var, _CASTS[name]) if kind in (Kind.VALUE, Kind.STRING) else (var, kind)
    return None


def _portable_key(e: Expr) -> tuple[Var, Kind] | None:
    v = _first_variable(e)
    if v is None:
        return None
    if e in (date_key(v), era_key(v)):
        return v, Kind.DATE
    first, second = value_keys(v)
    return (v, Kind.VALUE) if e == first else (v, Kind.DATE) if e == second else None


# --- filters ----------------------------------------------------------------


def filters_of(e: Expr, scope: Scope) -> Iterator[Found]:
    """The filters a condition states. Raises `QueryError` for what is no known idiom."""
    if e[0] == "and":
        for part in e[1]:
            yield from filters_of(part, scope)
        return
    guarded = _number_guard(e)
    if guarded is not None:
        yield ("guard", guarded)
        return
    match e:
        case ("not", ("in", ("term", Var()) as var, values)):
            for value in values:
                yield from filters_of(("op", "!=", var, value), scope)
            return
    idioms = (_language, _open_bound, _negation, _one_of, _spelt, _portable, _difference, _comparison)
    for idiom in idioms:
        found = idiom(e)
        if found is not None:
            yield found
            return
    raise QueryError("this filter is none of the known forms", place=f"FILTER ({_show(e)})")


def _show(e: Any) -> str:
    match e:
        case ("term", Var(name)):
            return f"?{name}"
        case ("term", Iri(value)):
            return f"<{value}>"
        case ("term", Literal(lexical=text)):
            return repr(text)
        case ("op", op, left, right):
            return f"{_show(left)} {op} {_show(right)}"
        case ("call", name, args):
            return f"{name}({', '.join(map(_show, args))})"
        case (("and" | "or") as word, parts):
            return f" {word} ".join(map(_show, parts))
        case ("not", inner):
            return f"!{_show(inner)}"
    return str(e[0]) if isinstance(e, tuple) and e else str(e)


def _filter(f: Any, local: frozenset[Var] = frozenset()) -> Found:
    return ("filter", f, local)


def _english_test(e: Expr) -> Var | None:
    """langMatches(lang(?v), 'en') or lang(?v) = 'en'."""
    match e:
        case (
            "call",
            "langmatches",
            (("call", "lang", (("term", Var() as v),)), ("term", Literal(lexical=tag))),
        ):
            return v if tag.lower() == "en" else None
        case ("op", "=", ("call", "lang", (("term", Var() as v),)), ("term", Literal(lexical=tag))):
            return v if tag.lower() == "en" else None
    return None


def _untagged(e: Expr) -> Var | None:
    match e:
        case ("op", "=", ("call", "lang", (("term", Var() as v),)), ("term", Literal(lexical=""))):
            return v
        case ("not", ("call", "isliteral", (("term", Var() as v),))):
            return v
    return None


def _language(e: Expr) -> Found | None:
    strict = _english_test(e)
    if strict is not None:
        return _filter(InEnglish(strict, strict=True))
    if e[0] != "or":
        return None
    parts = [p for part in e[1] for p in (part[1] if part[0] == "or" else (part,))]
    tests = [_english_test(p) or _untagged(p) for p in parts]
    var = tests[0]
    if len(parts) == 3 and var is not None and all(t == var for t in tests):
        return _filter(InEnglish(var))
    return None


def _open_bound(e: Expr) -> Found | None:
    match e:
        case ("or", (("absent", a), ("exists", b))) | ("or", (("exists", b), ("absent", a))):
            pass
        case _:
            return None
    match a, b:
        case (Triple(Var() as s, p, Var() as o),), (
            Triple(s2, p2, Var() as v),
            Compare(v2, op, Literal() as c, k),
        ):
            if s == s2 and p == p2 and v == v2 and s not in (o, v):
                return _filter(OpenBound(s, p, op, c, k), frozenset({o, v}))
    return None


def _negation(e: Expr) -> Found | None:
    match e:
        case ("absent", body):
            return _filter(*absent(body))
        case ("not", ("op", "=", ("term", Var()) as v, ("term", _) as term)):
            return _comparison(("op", "!=", v, term))
    return None


def _one_of(e: Expr) -> Found | None:
    match e:
        case ("in", ("term", Var() as v), values):
            pairs = [_equals_constant(("op", "=", ("term", v), x)) for x in values]
        case ("or", parts):
            pairs = [_equals_constant(p) for p in parts]
        case _:
            return None
    found = [p for p in pairs if p is not None]
    if len(found) < len(pairs) or len({v for v, _ in found}) != 1:
        return None
    return _filter(OneOf(found[0][0], tuple(sorted({c for _, c in found}, key=repr))))


def _equals_constant(e: Expr) -> tuple[Var, Constant] | None:
    match e:
        case ("op", "=", ("term", Var() as v), ("term", (Iri() | Literal()) as c)):
            return v, c
    return None


def _spelt(e: Expr) -> Found | None:
    """CONTAINS, STRSTARTS or STRENDS, of small letters or with a text that has none; REGEX(?v, 'text', 'i')
    of a text without signs."""
    match e:
        case ("call", name, (("call", "lcase" | "ucase" as case, (inner,)), ("term", Literal(lexical=said)))):
            folded = said.lower() if case == "lcase" else said.upper()
            var = _str_of(inner) or _variable(inner)
            if name in PARTS and var is not None and folded == said:
                return _filter(Spelt(var, PARTS[name], said.lower()))
        case (
            "call",
            "regex",
            (inner, ("term", Literal(lexical=said)), ("term", Literal(lexical="i"))),
        ) if said.replace(" ", "").isalnum():
            var = _str_of(inner) or _variable(inner)
            if var is not None:
                return _filter(Spelt(var, "contains", said.lower()))
    return None


def _variable(e: Expr) -> Var | None:
    match e:
        case ("term", Var() as v):
            return v
    return None


def _portable(e: Expr) -> Found | None:
    """IF(guard, double op double, false or the other kinds) of the portable form."""
    match e:
        case ("call", "if", (guard, ("op", op, ("call", "double", (left,)), right), otherwise)):
            a = _str_of(left)
        case _:
            return None
    if a is None:
        return None
    match right:
        case ("term", Literal() as value) if (guard, otherwise) == (is_number(a), FALSE):
            return _filter(Compare(a, _operator(op), operand(value, Kind.NUMBER), Kind.NUMBER))
        case ("call", "double", (inner,)) if (b := _str_of(inner)) is not None:
            if (guard, otherwise) == (("and", (is_number(a), is_number(b))), FALSE):
                return _pair(Compare(a, _operator(op), b, Kind.NUMBER))
            if e == compare_values(a, _operator(op), b):
                return _pair(Compare(a, _operator(op), b, Kind.VALUE))
    return None


def _pair(c: Compare) -> Found:
    """Two variables that are equal may be the two halves of the most-frequent idiom."""
    return ("equal", c.left, c.right, c) if c.operator == "=" else _filter(c)


def _difference(e: Expr) -> Found | None:
    """date(?a) - date(?b) >= 0, which compares two dates."""
    match e:
        case ("op", op, ("op", "-", left, right), ("term", Literal(lexical="0"))):
            return _comparison(("op", op, left, right))
    return None


def _operator(op: str) -> Operator:
    if op not in get_args(Operator):
        raise QueryError(f"operator {op!r} is not supported", place="a filter")
    return op  # type: ignore[return-value]


def _operand(e: Expr) -> tuple[Term, Kind | None] | None:
    """The right-hand side: a variable or constant with the kind it asks for."""
    key = key_of(e)
    if key is not None:
        return key
    match e:
        case ("term", Iri() as iri):
            return iri, Kind.TERM
        case ("term", Literal() as value):
            return value, literal_kind(value)
        case ("call", name, (("term", Literal() as value),)) if name in _CASTS:
            return value, _CASTS[name]
    return None


def _comparison(e: Expr) -> Found | None:
    if e[0] != "op":
        return None
    _, op, left, right = e
    if key_of(left) is None and key_of(right) is not None:
        op, left, right = _MIRROR.get(op, op), right, left
    key, other = key_of(left), _operand(right)
    if key is None or other is None:
        return None
    match right:
        case ("term", Literal(lexical=text, datatype="")) if left == era_key(key[0]) and text.startswith("-"):
            other = Literal(date_string(text)), Kind.DATE
    return _typed(key, _operator(op), other)


def _typed(key: tuple[Var, Kind], op: Operator, other: tuple[Term, Kind | None]) -> Found:
    (left, kind), (right, asked) = key, other
    match right:
        case Var():
            if op == "!=" and kind is Kind.VALUE and asked is Kind.VALUE:
                return _filter(Differ(left, right))
            return _pair(Compare(left, op, right, asked if kind is Kind.VALUE and asked else kind))
        case Iri():
            if kind is not Kind.VALUE:
                raise QueryError(f"?{left.name} as a {kind.value} is compared with an IRI", place="a filter")
            return _filter(Differ(left, right) if op == "!=" else Compare(left, op, right, Kind.TERM))
        case Literal():
            if kind is Kind.VALUE:
                kind = asked or Kind.TERM
            return _filter(Compare(left, op, operand(right, kind), kind))
