"""Queries written by hand as steps can say them: labels, highest values, numbers, and what can't be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.outside.golds import gold
from kbqa.decompose import decompose
from kbqa.errors import KbqaError, QueryError
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.protocols import Store
from kbqa.sparql import render
from kbqa.types import Iri, Query, Triple

GRAPH = """
@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Film rdfs:subClassOf :Work . :Short rdfs:subClassOf :Film .
:ann rdfs:label "Ann Lee" . :bob rdfs:label "Bob Ray" . :p1 rdfs:label "Springfield" .
:p2 rdfs:label "Springfield" .
:a a :Film ; rdfs:label "Alpha" ; :by :ann ; :minutes 90 ; :shotIn :p1 .
:b a :Film ; rdfs:label "Beta" ; :by :ann , :bob ; :minutes 120 ; :shotIn :p2 .
:c a :Short ; rdfs:label "Gamma" ; :by :ann ; :minutes 30 ; :year "1998"^^xsd:gYear .
"""
PREFIXES = (
    "PREFIX : <http://e/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("films")
    (folder / "films.ttl").write_text(GRAPH, encoding="utf-8")
    with open_kb(build_kb([folder / "films.ttl"], folder / "kb")) as opened:
        yield opened


def _answers(store: Store, query: str) -> set[object]:
    return {row[0] for row in store.select(query).rows}


def _gold(kb: KnowledgeBase, *written: str) -> Query:
    def same(one: str, other: str) -> bool:
        return _answers(kb.store, one) == _answers(kb.store, other)

    return gold([PREFIXES + text for text in written], kb, kb.store, same)


@pytest.mark.parametrize(
    ("written", "answers"),
    [
        ('SELECT DISTINCT ?x WHERE { ?x :by/rdfs:label "Bob Ray" . }', {"http://e/b"}),
        (
            'SELECT DISTINCT ?x WHERE { ?f a :Film ; rdfs:label "Beta" . ?f :by ?x . }',
            {"http://e/ann", "http://e/bob"},
        ),
        (
            "SELECT DISTINCT ?x WHERE { ?x a :Film . ?x :minutes ?v . "
            "{ SELECT (MAX(?w) AS ?v) WHERE { ?y a :Film . ?y :minutes ?w . } } }",
            {"http://e/b"},
        ),
        (
            'SELECT ?x WHERE { VALUES ?l { "Alpha" "Gamma" } ?x rdfs:label ?l ; :minutes ?v . } '
            "ORDER BY DESC(?v) LIMIT 1",
            {"http://e/a"},
        ),
        ("SELECT ?a {?a a/rdfs:subClassOf* :Film; :minutes ?m FILTER(?m < 100)}", {"http://e/a", "http://e/c"}),
        ('SELECT ?a {?a :year "1998"^^xsd:gYear}', {"http://e/c"}),
        ("SELECT ?p {?a a :Film; :by ?p} GROUP BY ?p ORDER BY DESC(COUNT(?a)) LIMIT 1", {"http://e/ann"}),
        ('SELECT ?x { ?x :by :ann . FILTER NOT EXISTS { ?x :by/rdfs:label "Bob Ray" } }',
         {"http://e/a", "http://e/c"}),
    ],
)  # fmt: skip
def test_what_is_made_can_be_said_as_steps_and_has_the_answers(
    kb: KnowledgeBase, written: str, answers: set[str]
) -> None:
    made = _gold(kb, written)
    assert decompose(made, kb.lexicon.mediators).steps
    assert _answers(kb.store, render(made)) == {Iri(a) for a in answers}
    assert not any("label" in t.predicate.value for t in made.body if isinstance(t, Triple))


@pytest.mark.parametrize(
    ("written", "form", "number"),
    [
        ("SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x a :Film . }", "count", 3.0),
        ('SELECT (AVG(?m) AS ?v) { ?x :by/rdfs:label "Ann Lee" . ?x :minutes ?m }', "average", 80.0),
        ('SELECT (SUM(?m) AS ?v) { ?x :by/rdfs:label "Bob Ray" . ?x :minutes ?m }', "sum", 120.0),
    ],
)
def test_numbers_are_asked_for_as_numbers(kb: KnowledgeBase, written: str, form: str, number: float) -> None:
    made = gold([PREFIXES + written], kb, kb.store, lambda one, other: True)
    assert made.form == form
    assert {float(v.lexical) for v in _answers(kb.store, render(made))} == {number}  # type: ignore[attr-defined]


def test_a_label_that_several_things_bear_stays_a_label(kb: KnowledgeBase) -> None:
    made = _gold(kb, 'SELECT ?x { ?x :shotIn/rdfs:label "Springfield" . }')
    assert any("label" in t.predicate.value for t in made.body if isinstance(t, Triple))
    also = _gold(kb, 'SELECT ?x { ?x :shotIn/rdfs:label "Springfield" . }', "SELECT ?x { ?x :shotIn :p2 }")
    assert _answers(kb.store, render(also)) == {Iri("http://e/b")}


def test_what_no_steps_say_or_has_other_answers_is_refused_unless_another_way_is_given(
    kb: KnowledgeBase,
) -> None:
    unsayable = (
        "SELECT ?x { ?x a :Film . FILTER NOT EXISTS { ?x :by ?p . ?p :minutes ?m } }",
        "ASK { { SELECT (COUNT(?a) AS ?t) { ?a :by :ann } } { SELECT (COUNT(?b) AS ?f) { ?b :by :bob } } "
        "FILTER(?t > ?f) }",
    )
    for written in unsayable:
        with pytest.raises(KbqaError):
            _gold(kb, written)
    with pytest.raises(QueryError, match="other answers"):
        gold([PREFIXES + "SELECT ?x { ?x a :Film }"], kb, kb.store, lambda one, other: False)
    assert _gold(kb, unsayable[0], "SELECT ?x { ?x :by :bob }").body
