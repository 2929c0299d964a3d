"""Nothing is its own neighbour: paths through a node in between that lead back to where they start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kbqa.decompose import decompose
from kbqa.engine import Engine
from kbqa.feedback import Insert
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.scripted import ScriptedParser
from kbqa.sparql import parse
from kbqa.types import Find, Keep

NS = "PREFIX ns: <http://rdf.freebase.com/ns/> SELECT DISTINCT ?x WHERE { "
_BORDERS = "ns:location.location.adjoin_s {0} . {0} ns:location.adjoining_relationship.adjoins"
BOTH = "Which country borders both Brazil and Argentina?"
ONE = "Which country borders Brazil?"
CAPITALS = "What are the capitals of the countries that border Brazil?"
FILM = "Who acted in Rio?"
SCRIPT = {
    BOTH: f"{NS}ns:m.br {_BORDERS.format('?a')} ?x . ?x {_BORDERS.format('?b')} ns:m.ar "
    "FILTER (?x != ns:m.br) }",
    ONE: f"{NS}ns:m.br {_BORDERS.format('?a')} ?x FILTER (?x != ns:m.br) }}",
    CAPITALS: f"{NS}ns:m.br {_BORDERS.format('?a')} ?y . ?y ns:location.country.capital ?x }}",
    FILM: f"{NS}ns:m.rio ns:film.film.starring ?m . ?m ns:film.performance.actor ?x }}",
}


def _border(node: str, one: str, other: str) -> str:
    sides = "".join(
        f"ns:{c} ns:location.location.adjoin_s ns:{node} . "
        f"ns:{node} ns:location.adjoining_relationship.adjoins ns:{c} .\n"
        for c in (one, other)
    )
    return sides


COUNTRIES = {"br": "Brazil", "ar": "Argentina", "uy": "Uruguay", "pe": "Peru"}
FACTS = (
    "@prefix ns: <http://rdf.freebase.com/ns/> .\n"
    + _border("m.b1", "m.br", "m.ar")
    + _border("m.b2", "m.br", "m.uy")
    + _border("m.b3", "m.ar", "m.uy")
    + _border("m.b4", "m.br", "m.pe")
    + "".join(
        f'ns:m.{c} ns:type.object.name "{name}"@en ; ns:type.object.type ns:location.country ; '
        f'ns:location.country.capital ns:m.{c}c . ns:m.{c}c ns:type.object.name "Capital of {name}"@en .\n'
        for c, name in COUNTRIES.items()
    )
    + 'ns:m.rio ns:type.object.name "Rio"@en ; ns:film.film.starring ns:m.p . '
    'ns:m.p ns:film.performance.actor ns:m.anne . ns:m.anne ns:type.object.name "Anne Hathaway"@en .\n'
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("borders")
    (folder / "borders.ttl").write_text(FACTS, encoding="utf-8")
    build_kb([folder / "borders.ttl"], folder / "kb")
    with open_kb(folder / "kb") as opened:
        yield opened


@pytest.fixture
def engine(kb: KnowledgeBase) -> Engine:
    return Engine(kb, ScriptedParser(SCRIPT))


def answers(engine: Engine, question: str, *feedback: object) -> list[list[str]]:
    dialogue = engine.ask(question)
    for said in feedback:
        dialogue = engine.advance(dialogue, said)  # type: ignore[arg-type]
    assert dialogue.current is not None
    return [sorted(a.label for a in s.answers) for s in dialogue.current.steps]


def test_who_borders_both_is_neither_of_the_two(engine: Engine) -> None:
    assert answers(engine, BOTH) == [["Argentina", "Peru", "Uruguay"], ["Uruguay"]]


def test_nor_in_a_step_that_is_added_later(engine: Engine) -> None:
    more = Insert(2, "Of these, which is the place that has [Argentina] as an adjoining place?")
    assert answers(engine, ONE, more)[-1] == ["Uruguay"]


def test_what_is_asked_of_the_neighbours_is_not_asked_of_the_country_itself(engine: Engine) -> None:
    neighbours, capitals = answers(engine, CAPITALS)
    assert neighbours == ["Argentina", "Peru", "Uruguay"]
    assert capitals == [f"Capital of {name}" for name in neighbours]


def test_a_path_that_never_leads_back_keeps_its_query(engine: Engine) -> None:
    dialogue = engine.ask(FILM)
    assert dialogue.current is not None
    assert "!=" not in dialogue.current.sparql.replace("!ISLITERAL", "")


def test_such_a_query_decomposes_into_the_steps_it_was_made_of(engine: Engine) -> None:
    version = engine.ask(BOTH).current
    assert version is not None
    found = decompose(parse(version.sparql), engine.kb.lexicon.mediators)
    assert [type(s) for s in found.steps] == [Find, Keep] and found.guards.each
