"""A knowledge base that was opened, as the graph that questions are drawn from."""

from __future__ import annotations

from kbqa.errors import QueryError
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import ALIAS_PREDICATES
from kbqa.kb.scan import TYPE_PREDICATES
from kbqa.sparql.portable import equals, term
from kbqa.synth.graph import ALIAS, NAME, Graph
from kbqa.types import Constant, Iri, Literal, Var

MOST = 20_000
"""Triples of one predicate that are read; of more than these some are a sample, which the store chooses."""
_ALL = 400_000
_LIMIT_S = 60.0


def graph_of(kb: KnowledgeBase) -> Graph:
    """Its triples in memory, at most so many of each predicate that they have room. Raises `StoreError`."""
    graph = Graph()
    predicates = sorted(kb.paths.predicates, key=lambda p: p.value)
    most = min(MOST, max(1, _ALL // max(1, len(predicates))))
    for predicate in predicates:
        if predicate not in TYPE_PREDICATES:
            for subject, value in _triples(kb, predicate, most):
                if not isinstance(value, Literal):
                    graph.add(_node(subject), predicate.value, _node(value))
                elif _can_be_asked_for(value):
                    graph.add(_node(subject), predicate.value, value)
    if kb.own:
        _name(kb, graph, most)
    return graph


def _can_be_asked_for(value: Literal) -> bool:
    """Whether a query can hold it: not a number of more digits than all engines compare alike."""
    try:
        equals(Var("v"), value)
    except QueryError:
        return False
    return True


def _name(kb: KnowledgeBase, graph: Graph, most: int) -> None:
    """Names, other names and classes, as an own graph has them."""
    nodes = {n for n in (*graph.out, *graph.into) if isinstance(n, str)}
    for iri, name in kb.names.fetch(map(Iri, sorted(nodes))).items():
        graph.add(iri.value, NAME, Literal(name))
    for predicate in ALIAS_PREDICATES:
        for subject, alias in _triples(kb, predicate, most):
            if isinstance(alias, Literal) and alias.language in kb.languages:
                graph.add(_node(subject), ALIAS, Literal(alias.lexical))
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
