"""rdflib's expression trees boiled down to tuples, and the idioms recognised in them.

A simplified expression (`Expr`) is one of
    ('term', Term) | ('call', name, args) | ('op', operator, left, right) | ('and', parts) |
    ('or', parts) | ('not', e) | ('exists', body) | ('absent', body) | ('count', var, distinct) |
    ('max', var) | ('in', e, values)
Function names are lower case, casts by their local name ('integer', 'datetime').
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

from pyparsing import ParseResults
from rdflib.plugins.sparql.parserutils import CompValue

from kbqa.errors import QueryError
from kbqa.sparql.scope import Scope, absent, literal_kind
from kbqa.sparql.scope import operand as as_operand
from kbqa.sparql.write import DATED, NUMBER
from kbqa.types import (
    XSD,
    Body,
    Compare,
    Differ,
    InEnglish,
    Iri,
    Kind,
    Literal,
    OneOf,
    OpenBound,
    Operator,
    Term,
    Triple,
    Var,
)

Expr = tuple[Any, ...]
Found = tuple[Any, ...]
"""('filter', element) | ('guard',) | ('equal', var, var, element)."""

_CASTS = {
    "integer": Kind.NUMBER, "decimal": Kind.NUMBER, "float": Kind.NUMBER, "double": Kind.NUMBER,
    "datetime": Kind.DATE, "date": Kind.DATE, "gyear": Kind.DATE, "str": Kind.STRING, "string": Kind.STRING,
}  # fmt: skip
_MIRROR: dict[str, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
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
        case "UnaryMinus":
            inner = go(node.expr)
            return ("term", Literal("-" + inner[1].lexical, inner[1].datatype))
        case "Builtin_EXISTS" | "Builtin_NOTEXISTS" if group is not None:
            return ("exists" if name == "Builtin_EXISTS" else "absent", group(node.graph))
        case "Function":
            args = node.expr or ()
            iri = scope.term(node.iri)
            assert isinstance(iri, Iri)
            return ("call", iri.value.removeprefix(XSD).lower(), tuple(go(a) for a in args))
        case "Aggregate_Count" | "Aggregate_Max":
            inner = "*" if str(node.vars) == "*" else go(node.vars)[1]
            if name == "Aggregate_Max":
                return ("max", inner)
            return ("count", inner, bool(node.distinct))
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
        values = node.other if isinstance(node.other, (list, ParseResults)) else [node.other]
        e: Expr = ("in", go(node.expr), tuple(go(v) for v in values))
        return e if str(op) == "IN" else ("not", e)
    return ("op", str(op), go(node.expr), go(node.other))


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


def _is_guard(e: Expr) -> Var | None:
    """REGEX(STR(?v), number) of the portable form."""
    match e:
        case ("call", "regex", (inner, ("term", Literal(lexical=pattern)))) if pattern == NUMBER:
            return _str_of(inner)
    return None


def _is_plain_guard(e: Expr) -> Var | None:
    match e:
        case ("and", (first, ("not", ("call", "regex", (_, ("term", Literal(lexical=pattern))))))):
            return _is_guard(first) if pattern == DATED else None
    return None


def _date_key(e: Expr) -> Var | None:
    """SUBSTR(CONCAT(SUBSTR(STR(?v), 1, 10), ...), 1, 10) of the portable form."""
    match e:
        case ("call", "substr", (("call", "concat", (("call", "substr", (inner, *_)), *_)), *_)):
            return _str_of(inner)
    return None


def key_of(e: Expr) -> tuple[Var, Kind] | None:
    """The variable under a cast, and how the cast compares it; None if `e` is no such thing."""
    match e:
        case ("term", Var() as v):
            return v, Kind.VALUE
        case ("call", "substr", _) if (v := _date_key(e)) is not None:
            return v, Kind.DATE
        case ("call", "if", (guard, _, _)) if (v := _is_plain_guard(guard)) is not None:
            return v, Kind.VALUE
        case ("call", name, (inner,)) if name in _CASTS:
            below = key_of(inner)
            if below is None:
                return None
            var, kind = below
            return (var, _CASTS[name]) if kind is Kind.VALUE or name != "str" else (var, kind)
    return None


# --- filters ----------------------------------------------------------------


def filters_of(e: Expr, scope: Scope) -> Iterator[Found]:
    """The filters a condition states. Raises `QueryError` for what is no known idiom."""
    if e[0] == "and" and _is_plain_guard(e) is None:
        for part in e[1]:
            yield from filters_of(part, scope)
        return
    if _is_guard(e) is not None:
        return
    for idiom in (_language, _open_bound, _negation, _one_of, _portable, _difference, _comparison):
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


def _filter(f: Any) -> Found:
    return ("filter", f)


def _english_test(e: Expr) -> Var | None:
    """langMatches(lang(?v), 'en') or lang(?v) = 'en'."""
    match e:
        case ("call", "langmatches", (("call", "lang", (("term", Var() as v),)), ("term", Literal(lexical=tag)))):
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
        case ("or", (("absent", (Triple(s, p, Var()),)), ("exists", (Triple(s2, p2, Var() as v), Compare() as c)))):
            if s == s2 and p == p2 and c.left == v and isinstance(s, Var) and isinstance(c.right, Literal):
                return _filter(OpenBound(s, p, c.operator, c.right, c.kind))
    return None


def _negation(e: Expr) -> Found | None:
    match e:
        case ("absent", body):
            return _filter(absent(body))
        case ("not", ("op", "=", ("term", Var() as v), ("term", term))):
            return _filter(Differ(v, term))
    return None


def _one_of(e: Expr) -> Found | None:
    match e:
        case ("in", ("term", Var() as v), values):
            terms = [x[1] for x in values if x[0] == "term" and not isinstance(x[1], Var)]
            if len(terms) == len(values):
                return _filter(OneOf(v, tuple(sorted(set(terms), key=repr))))
        case ("or", parts):
            pairs = [_equals_constant(p) for p in parts]
            found = [p for p in pairs if p is not None]
            if len(found) == len(pairs) and len({v for v, _ in found}) == 1:
                return _filter(OneOf(found[0][0], tuple(sorted({c for _, c in found}, key=repr))))
    return None


def _equals_constant(e: Expr) -> tuple[Var, Term] | None:
    match e:
        case ("op", "=", ("term", Var() as v), ("term", (Iri() | Literal()) as c)):
            return v, c
    return None


def _portable(e: Expr) -> Found | None:
    """IF(guard, double op double, false or dates): numbers and uncast values of the portable form."""
    match e:
        case ("call", "if", (guard, ("op", op, left, right), otherwise)):
            key, other = key_of(left), _operand(right)
            if key is None or other is None:
                return None
            kind = Kind.NUMBER if otherwise[0] == "term" else Kind.VALUE
            value = as_operand(other[0], kind) if isinstance(other[0], Literal) else other[0]
            return _filter(Compare(key[0], _operator(op), value, kind))
    return None


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
    key, operand = key_of(left), _operand(right)
    if key is None or operand is None:
        return None
    return _typed(key, _operator(op), operand)


def _typed(key: tuple[Var, Kind], op: Operator, operand: tuple[Term, Kind | None]) -> Found:
    (left, kind), (right, asked) = key, operand
    if op == "!=" and kind is Kind.VALUE and (asked is Kind.TERM or isinstance(right, Var)):
        return _filter(Differ(left, right))
    if isinstance(right, Literal) and right.language and kind is Kind.VALUE:
        return _filter(Compare(left, op, right, Kind.TERM))
    if kind is Kind.VALUE and asked is not None:
        kind = asked
    if isinstance(right, Literal):
        right = as_operand(right, kind)
    found = Compare(left, op, right, kind)
    return ("equal", left, right, found) if op == "=" and isinstance(right, Var) else _filter(found)
