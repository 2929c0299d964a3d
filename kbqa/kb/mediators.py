"""Nodes that only tie others together: reified statements, n-ary relations, blank nodes.

Such a node has no name of its own; two or more of its neighbours do, or are values. A predicate leads to
mediators where (nearly) all its objects are nameless, and from them where its subjects are. Which pairs of
them meet at one node is asked of the store (ASK), so that an endpoint is surveyed as a local store is.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from kbqa.errors import QueryError, StoreTimeout
from kbqa.induce.profile import PredicateInfo
from kbqa.lookups import holds
from kbqa.protocols import Store
from kbqa.sparql.portable import term
from kbqa.types import Hop, Iri

SHARE = 0.8
"""Of a predicate's objects (subjects) that have no name, from which on it leads to (from) mediators."""
MOST_PAIRS = 3_000
_LIMIT_S = 10.0

Pairs = frozenset[tuple[Hop, Hop]]


def mediating(predicates: Mapping[Iri, PredicateInfo], kind: Iri) -> tuple[frozenset[Iri], frozenset[Iri]]:
    """(predicates that lead to nameless nodes, predicates that lead from them). `kind`: the predicate of
    types, which does neither."""
    into = {
        p
        for p, info in predicates.items()
        if p != kind and info.entities and info.object_unnamed >= SHARE * info.triples
    }
    out_of = {
        p
        for p, info in predicates.items()
        if p != kind and info.triples and info.subject_unnamed >= SHARE * info.triples
    }
    return frozenset(into), frozenset(out_of)


def paths_through(
    store: Store, predicates: Mapping[Iri, PredicateInfo], into: frozenset[Iri], out_of: frozenset[Iri]
) -> tuple[Pairs, bool]:
    """The two-hop paths that lead through nameless nodes, in both directions; and whether some were left
    unasked. Raises `StoreUnavailable`."""
    pairs: set[tuple[Hop, Hop]] = set()
    asked, cut = 0, False
    named_out = sorted(p for p in out_of if p not in into)
    for entry, leave in product(sorted(into), sorted(out_of)):
        if not _may_meet(predicates[entry], predicates[leave]):
            continue
        asked += 1
        if asked > MOST_PAIRS:
            return frozenset(pairs), True
        found = _holds(store, f"?a {term(entry)} ?m . ?m {term(leave)} ?b FILTER (?a != ?b)")
        cut = cut or found is None
        if found and predicates[entry].subject_unnamed < SHARE * predicates[entry].triples:
            pairs |= {(Hop(entry), Hop(leave))}
            if predicates[leave].value == "entity" or leave not in into:
                pairs |= {(Hop(leave, True), Hop(entry, True))}
    for first, second in product(named_out, named_out):
        if predicates[first].entities == 0 or not _share_class(predicates[first], predicates[second]):
            continue
        asked += 1
        if asked > MOST_PAIRS:
            return frozenset(pairs), True
        if first == second and predicates[first].single:
            continue
        found = _holds(store, f"?m {term(first)} ?a . ?m {term(second)} ?b FILTER (?a != ?b)")
        cut = cut or found is None
        if found:
            pairs.add((Hop(first, True), Hop(second)))
    return frozenset(pairs), cut


def _may_meet(entry: PredicateInfo, leave: PredicateInfo) -> bool:
    """Whether the classes of one's objects and the other's subjects have something in common."""
    objects, subjects = {c for c, _ in entry.ranges}, {c for c, _ in leave.domains}
    return not objects or not subjects or bool(objects & subjects)


def _share_class(a: PredicateInfo, b: PredicateInfo) -> bool:
    first, second = {c for c, _ in a.domains}, {c for c, _ in b.domains}
    return bool(first & second) or (not first and not second)


def inverse_pairs(store: Store, predicates: Mapping[Iri, PredicateInfo]) -> dict[Iri, Iri]:
    """Predicates that say the same the other way round, found in the data: as many triples, and none of
    which the other has no counterpart."""
    found: dict[Iri, Iri] = {}
    some = sorted((i for i in predicates.values() if i.entities == i.triples > 1), key=lambda i: i.iri)
    for a, b in product(some, some):
        if a.iri >= b.iri or a.triples != b.triples or a.iri in found or b.iri in found:
            continue
        if {c for c, _ in a.domains} != {c for c, _ in b.ranges}:
            continue
        lone = _holds(store, f"?x {term(a.iri)} ?y FILTER NOT EXISTS {{ ?y {term(b.iri)} ?x }}")
        if lone is False:
            found[a.iri], found[b.iri] = b.iri, a.iri
    return found


def _holds(store: Store, pattern: str) -> bool | None:
    """Whether the pattern has an answer; None where finding out took too long."""
    try:
        return holds(store, pattern, _LIMIT_S)
    except (StoreTimeout, QueryError):
        return None
