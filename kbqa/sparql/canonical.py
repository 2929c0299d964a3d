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
    Counted,
    Differ,
    Element,
    Iri,
    Kind,
    Maybe,
    MostFrequent,
    OneOf,
    Operator,
    Order,
    Query,
    Term,
    Triple,
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
        case Maybe(body):
            return Maybe(_sorted(body))
        case Counted():
            return replace(e, body=_sorted(e.body))
        case Query(order=Order(limit=1, offset=0)):
            return replace(e, body=_sorted(e.body), distinct=True)
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
            case Counted():
                own = replace(e, body=scope(e.body, {e.var, e.value}))
                (renamed,) = apart((own,), {e.var})
                return renamed
            case Maybe(body):
                return Maybe(scope(body, around))
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
    others = (q.order.var if q.order else None, q.value, q.number)
    return {q.select, *(v for v in others if v is not None)}


def inlined(q: Query, keep_answer: bool = True) -> Query:
    """`?x p ?y . FILTER (?y = <e>)` as `?x p <e>`, where ?y is in nothing else."""
    kept = {v for e in q.body if not isinstance(e, Triple) and not _name_of(e) for v in variables((e,))}
    kept |= _seen(q) - {q.select}
    kept |= {q.select} if keep_answer else set()
    bound = {t for e in q.body if isinstance(e, Triple) for t in (e.subject, e.object)}
    given = [pair for e in q.body if (pair := _name_of(e)) and pair[0] in bound - kept]
    names = dict(reversed(given))
    body: list[Element] = []
    for e in q.body:
        match e:
            case Triple(s, p, o):
                body.append(Triple(_named(s, names), p, _named(o, names)))
            case MostFrequent(var, inner):
                body.append(MostFrequent(var, inlined(Query(var, inner)).body))
            case Counted(var=var, value=value, body=inner):
                body.append(replace(e, body=inlined(Query(var, inner, value=value)).body))
            case Query():
                body.append(inlined(e))
            case _ if (pair := _name_of(e)) is None or names.get(pair[0]) != pair[1]:
                body.append(e)
            case _:
                pass
    return replace(q, body=tuple(body))


def _name_of(e: Element) -> tuple[Var, Iri] | None:
    match e:
        case Compare(v, "=", Iri() as iri, Kind.TERM) | OneOf(v, (Iri() as iri,)):
            return v, iri
    return None


def _named(t: Term, names: dict[Var, Iri]) -> Term:
    return names.get(t, t) if isinstance(t, Var) else t


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
            case MostFrequent(_, inner) | Counted(body=inner) | Maybe(inner) | Query(body=inner):
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
    q = inlined(_local_scopes(query), keep_answer=query.form != "ask")
    start = dict.fromkeys(variables(q.body), "v")
    if q.order:
        start[q.order.var] = "o"
    if q.value:
        start[q.value] = "w"
    if q.number:
        start[q.number] = "n"
    if q.form != "ask":
        start[q.select] = "x"
    best: tuple[str, Query] | None = None
    for number in islice(_numberings(q, start), _MAX_TRIES):
        candidate = rename_query(q, lambda v, number=number: number.get(v, v))  # type: ignore[misc]
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
