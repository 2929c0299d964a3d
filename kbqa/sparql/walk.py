"""Visiting and renaming the variables of a logical form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kbqa.types import (
    Absent,
    Body,
    Compare,
    Counted,
    Differ,
    Element,
    InEnglish,
    Maybe,
    MostFrequent,
    OneOf,
    OpenBound,
    Query,
    Spelt,
    Term,
    Triple,
    Union,
    Var,
)


def rename_body(body: Body, f: Callable[[Var], Var]) -> Body:
    """The body with every variable passed through `f`, nested parts included."""
    return tuple(rename(e, f) for e in body)


def rename(e: Element, f: Callable[[Var], Var]) -> Element:
    def t(x: Term) -> Term:
        return f(x) if isinstance(x, Var) else x

    match e:
        case Triple(s, p, o):
            return Triple(t(s), p, t(o))
        case Compare(left, op, right, kind):
            return Compare(f(left), op, t(right), kind)
        case Differ(left, right):
            return Differ(f(left), t(right))
        case InEnglish(var, strict):
            return InEnglish(f(var), strict)
        case OpenBound():
            return replace(e, subject=f(e.subject))
        case Absent():
            return replace(e, subject=f(e.subject))
        case OneOf(var, values):
            return OneOf(f(var), values)
        case Spelt():
            return replace(e, var=f(e.var))
        case Union(branches):
            return Union(tuple(rename_body(b, f) for b in branches))
        case MostFrequent(var, body):
            return MostFrequent(f(var), rename_body(body, f))
        case Counted(var, operator, number, value, body):
            return Counted(f(var), operator, number, f(value), rename_body(body, f))
        case Maybe(body):
            return Maybe(rename_body(body, f))
        case Query():
            return rename_query(e, f)


def rename_query(q: Query, f: Callable[[Var], Var]) -> Query:
    order = replace(q.order, var=f(q.order.var)) if q.order else None
    value = f(q.value) if q.value else None
    number = f(q.number) if q.number else None
    body = rename_body(q.body, f)
    return replace(q, select=f(q.select), body=body, order=order, value=value, number=number)


def variables(part: Query | Body) -> Iterator[Var]:
    """Every variable in order of appearance, with repeats."""
    seen: list[Var] = []

    def note(v: Var) -> Var:
        seen.append(v)
        return v

    if isinstance(part, Query):
        rename_query(part, note)
    else:
        rename_body(part, note)
    return iter(seen)


def bound(body: Iterable[Element]) -> set[Var]:
    """The variables that some pattern binds; a branch of a union is enough."""
    out: set[Var] = set()
    for e in body:
        match e:
            case Triple():
                out.update(variables((e,)))
            case Union(branches):
                out.update(*map(bound, branches))
            case MostFrequent(var, _) | Query(select=var):
                out.add(var)
            case _:
                pass
    return out


def bound_by_all(body: Iterable[Element]) -> set[Var]:
    """The variables that are bound in every solution: of a union, those of all its branches."""
    out: set[Var] = set()
    for e in body:
        match e:
            case Union(branches):
                out |= set.intersection(*map(bound_by_all, branches))
            case _:
                out |= bound((e,))
    return out


def filtered(body: Body) -> set[Var]:
    """The variables that the filters of this very group are on."""
    nested = Triple | Union | MostFrequent | Counted | Maybe | Query
    counted = {e.var for e in body if isinstance(e, Counted)}
    return counted | {v for e in body if not isinstance(e, nested) for v in variables((e,))}


def triples(body: Body) -> Iterator[Triple]:
    """Every triple pattern, nested parts included."""
    for e in body:
        match e:
            case Triple():
                yield e
            case Union(branches):
                for b in branches:
                    yield from triples(b)
            case MostFrequent(_, inner) | Counted(body=inner) | Maybe(inner) | Query(body=inner):
                yield from triples(inner)
            case _:
                pass
