"""A knowledge base that was opened, as the graph that questions are drawn from."""

from __future__ import annotations

from kbqa.errors import QueryError
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES
from kbqa.kb.scan import TYPE_PREDICATES
from kbqa.sparql.portable import equals, term
from kbqa.synth.graph import ALIAS, NAME, Graph
from kbqa.types import Constant, Iri, Literal, Var

_ALL = 400_000
"""Triples that are read in all; where there are more, those of the commonest predicates are a sample, which
the store chooses."""
_LIMIT_S = 60.0
_APART = frozenset((*TYPE_PREDICATES, *NAME_PREDICATES, *ALIAS_PREDICATES))


def graph_of(kb: KnowledgeBase) -> Graph:
    """Its triples in memory, as many as have room. Raises `StoreError`."""
    graph = Graph()
    for predicate, triples in _edges(kb).items():
        for subject, value in triples:
            if not isinstance(value, Literal):
                graph.add(_node(subject), predicate.value, _node(value))
            elif _can_be_asked_for(value):
                graph.add(_node(subject), predicate.value, value)
    _name(kb, graph)
    if kb.own:
        _type(kb, graph)
    return graph


def _edges(kb: KnowledgeBase) -> dict[Iri, list[tuple[Constant, Constant]]]:
    """An equal share of the room for each predicate; what some leave of theirs the others have."""
    waiting = sorted(kb.paths.predicates - _APART, key=lambda p: p.value)
    found: dict[Iri, list[tuple[Constant, Constant]]] = {}
    share, room = 0, _ALL // max(1, len(waiting))
    while room > 1.2 * share:
        share = room
        found.update((predicate, _triples(kb, predicate, share)) for predicate in waiting)
        waiting = [predicate for predicate in waiting if len(found[predicate]) == share]
        if not waiting:
            break
        rest = sum(len(triples) for triples in found.values()) - share * len(waiting)
        room = (_ALL - rest) // len(waiting)
    return found


def _can_be_asked_for(value: Literal) -> bool:
    """Whether a query can hold it: not a number of more digits than all engines compare alike."""
    try:
        equals(Var("v"), value)
    except QueryError:
        return False
    return True


def _name(kb: KnowledgeBase, graph: Graph) -> None:
    nodes = {n for n in (*graph.out, *graph.into) if isinstance(n, str)}
    for iri, name in kb.names.fetch(map(Iri, sorted(nodes))).items():
        graph.add(iri.value, NAME, Literal(name))
    for predicate in ALIAS_PREDICATES:
        for subject, alias in _triples(kb, predicate, _ALL):
            node = _node(subject)
            if node in nodes and isinstance(alias, Literal) and alias.language in kb.languages:
                graph.add(node, ALIAS, Literal(alias.lexical))


def _type(kb: KnowledgeBase, graph: Graph) -> None:
    """The classes of an own graph."""
    graph.typing = TYPE_PREDICATES[-1].value
    for kind, (name, nouns) in (kb.kinds or {}).items():
        graph.nouns[kind.value] = nouns
        graph.names[kind.value] = name
    for subject, value in _triples(kb, TYPE_PREDICATES[-1], _ALL):
        if isinstance(value, Iri) and value.value in graph.nouns and _node(subject) in graph.names:
            graph.add(_node(subject), graph.typing, value.value)


def _triples(kb: KnowledgeBase, predicate: Iri, most: int) -> list[tuple[Constant, Constant]]:
    query = f"SELECT ?s ?o WHERE {{ ?s {term(predicate)} ?o }} LIMIT {most}"
    rows = kb.store.select(query, time_limit_s=_LIMIT_S, row_limit=most).rows
    return [(s, o) for s, o in rows if s is not None and o is not None]


def _node(value: Constant) -> str:
    assert isinstance(value, Iri)
    return value.value
