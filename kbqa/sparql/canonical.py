"""When two logical forms are the same up to variable names and the order of their parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from kbqa.sparql.walk import rename, rename_body, rename_query, variables
from kbqa.types import (
    Body,
    Compare,
    Differ,
    Element,
    MostFrequent,
    Operator,
    Query,
    Union,
    Var,
)

_MAX_TRIES = 64
_MIRROR: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _sorted_element(e: Element) -> Element:
    match e:
        case Union(branches):
            parts = [_sorted(b) for b in branches]
            return Union(tuple(sorted(parts, key=repr)))
        case MostFrequent(var, body):
            return MostFrequent(var, _sorted(body))
        case Query():
            return replace(e, body=_sorted(e.body))
        case Differ(left, Var() as right) if right < left:
            return Differ(right, left)
        case Compare(left, operator, Var() as right, kind) if right < left:
            return Compare(right, _MIRROR[operator], left, kind)
        case _:
            return e


def _sorted(body: Body) -> Body:
    return tuple(sorted(set(map(_sorted_element, body)), key=repr))


def _local_scopes(q: Query) -> Query:
    """Variables of nested scopes renamed apart, so that one name means one variable."""
    k = iter(range(1_000_000))

    def apart(e: Body, kept: set[Var]) -> Body:
        names: dict[Var, Var] = {}
        return rename_body(e, lambda v: v if v in kept else names.setdefault(v, Var(f"local {next(k)}")))

    def scope(body: Body, kept: set[Var]) -> Body:
        out: list[Element] = []
        for i, e in enumerate(body):
            around = kept | set(variables(body[:i] + body[i + 1 :]))
            out.append(one(e, around))
        return tuple(out)

    def one(e: Element, around: set[Var]) -> Element:
        match e:
            case MostFrequent(var, body):
                return MostFrequent(var, apart(scope(body, {var}), {var}))
            case Query():
                inner = replace(e, body=scope(e.body, _seen(e)))
                (renamed,) = apart((inner,), {e.select})
                return renamed
            case Union(branches):
                return Union(tuple(apart(scope(b, around), around) for b in branches))
            case _:
                return e

    return replace(q, body=scope(q.body, _seen(q)))


def _seen(q: Query) -> set[Var]:
    return {q.select} | ({q.order.var} if q.order else set())


def _refine(q: Query, colour: dict[Var, str]) -> dict[Var, str]:
    """Colour variables by their surroundings until nothing changes (Weisfeiler-Leman)."""
    elements = [(e, set(variables((e,)))) for e in _flat(q.body)]
    for _ in colour:
        around: dict[Var, list[str]] = {v: [] for v in colour}
        for e, own in elements:
            for v in own:

                def paint(u: Var, v: Var = v, colour: dict[Var, str] = colour) -> Var:
                    return Var("*" if u == v else colour[u])

                around[v].append(repr(_sorted_element(rename(e, paint))))
        fresh = {v: repr((colour[v], sorted(around[v]))) for v in colour}
        ranks = {c: f"{i:03d}" for i, c in enumerate(sorted(set(fresh.values())))}
        refined = {v: ranks[fresh[v]] for v in colour}
        if len(ranks) == len(set(colour.values())):
            return refined
        colour = refined
    return colour


def _flat(body: Body) -> Iterable[Element]:
    """Elements and, once more, the elements inside nested parts."""
    for e in body:
        yield e
        match e:
            case Union(branches):
                for b in branches:
                    yield from _flat(b)
            case MostFrequent(_, inner) | Query(body=inner):
                yield from _flat(inner)
            case _:
                pass


def _numberings(q: Query, colour: dict[Var, str]) -> Iterator[dict[Var, Var]]:
    """Variable numberings that the query's shape allows: where refinement can't tell variables
    apart, each of them is singled out in turn."""
    colour = _refine(q, colour)
    sizes = Counter(colour.values())
    tied = sorted(c for c, n in sizes.items() if n > 1)
    if not tied:
        yield {v: Var(f"v{i}") for i, v in enumerate(sorted(colour, key=colour.__getitem__))}
        return
    for v in [v for v in colour if colour[v] == tied[0]]:
        yield from _numberings(q, {**colour, v: colour[v] + "!"})


def canonical(query: Query) -> Query:
    """Variables renamed to v0, v1 ... and parts sorted, so that queries that differ only in names
    and order become equal. Redundant copies of a pattern are dropped, names given by a filter stand in
    the pattern, and what an ASK asks for is of no account."""
    q = _local_scopes(inlined(query))
    names = dict.fromkeys(variables(q))
    start = {v: "x" if v == q.select else "o" if q.order and v == q.order.var else "v" for v in names}
    best: tuple[str, Query] | None = None
    for number in islice(_numberings(q, start), _MAX_TRIES):
        candidate = rename_query(q, number.__getitem__)
        select = Var("v0") if q.form == "ask" else candidate.select
        candidate = replace(candidate, select=select, body=_sorted(candidate.body))
        key = repr(candidate)
        if best is None or key < best[0]:
            best = (key, candidate)
    assert best is not None
    return best[1]


def same(a: Query, b: Query) -> bool:
    """Whether two queries have the same patterns, filters and order up to variable names."""
    return a == b or canonical(a) == canonical(b)
