"""What a question asks for, and what that makes of its readings; what its common nouns name."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from kbqa.engine import Engine
from kbqa.errors import StoreTimeout
from kbqa.lexicon.nouns import demonyms
from kbqa.link import key
from kbqa.parse.kinds import CommonNouns, synonyms
from kbqa.protocols import Store
from kbqa.reading.ranking import Focus, fits, focus
from kbqa.store import open_store
from kbqa.synth.styles import adjectival, apposed, fronted, sort_of
from kbqa.train.data import without_types
from kbqa.types import XSD, Constant, Iri, Literal, Rows, freebase

CITY, STATE = Iri("http://e.org/City"), Iri("http://e.org/State")
KINDS = {CITY: ("City", ("city", "town")), STATE: ("US State", ("state",))}
E0, E1 = "\ue000", "\ue001"


@pytest.mark.parametrize(
    ("question", "sort", "types"),
    [
        ("Which city has the most people?", "kind", {CITY}),
        ("What big old towns are in Texas?", "kind", {CITY}),
        ("My aunt moved to Ohio. Which state is that near?", "kind", {STATE}),
        ("states next to Ohio", "kind", {STATE}),
        ("Who lives in the city?", "person", set()),
        ("Where was he born?", "place", set()),
        ("In what year did the city burn?", "date", set()),
        ("On what date did the man whose city it was die?", "date", set()),
        ("How many cities are there?", "number", set()),
    ],
)
def test_what_is_asked_for_is_read_from_the_words(question: str, sort: str, types: set[Iri]) -> None:
    found = focus(question, KINDS)
    assert found is not None and found.sort == sort and found.types == types


@pytest.mark.parametrize(
    "question",
    ["What is the capital of the state?", "capital of texas", "Whose city is it?", "Tell me more."],
)
def test_a_noun_behind_of_or_a_verb_is_not_what_is_asked_for(question: str) -> None:
    assert focus(question, KINDS) is None


@pytest.mark.parametrize(
    ("wanted", "answer", "types", "fit"),
    [
        (Focus("kind", frozenset({CITY}), frozenset({"city"})), CITY, [CITY], True),
        (Focus("kind", frozenset({CITY}), frozenset({"city"})), CITY, [STATE], False),
        (Focus("kind", frozenset({CITY}), frozenset({"team"})), CITY, [freebase("sports.sports_team")], True),
        (Focus("kind", frozenset({CITY}), frozenset({"city"})), CITY, [], None),
        (Focus("kind", frozenset({CITY}), frozenset({"city"})), Literal("Rome"), [], False),
        (Focus("person"), CITY, [freebase("people.person")], True),
        (Focus("person"), CITY, [freebase("film.film")], False),
        (Focus("place"), CITY, [freebase("people.person")], False),
        (Focus("place"), CITY, [freebase("location.location")], True),
        (Focus("date"), Literal("1914-07-28"), [], True),
        (Focus("date"), Literal("seven"), [], False),
        (Focus("number"), Literal("7", XSD + "integer"), [], True),
    ],
)
def test_answers_fit_what_is_asked_for(wanted: Focus, answer: Constant, types: list[Iri], fit: bool) -> None:
    assert fits(wanted, [answer], lambda _: types) is fit


def test_without_answers_nothing_is_told() -> None:
    assert fits(Focus("person"), [], lambda _: []) is None


def test_common_nouns_name_what_the_stub_holds(shipped: Engine) -> None:
    nouns = CommonNouns(shipped.kb.store)

    def named(question: str) -> set[str]:
        return {e.name.lower() for e in nouns.named(question)}

    assert "drums" in named("Who is the drummer of the band?")
    assert "prime minister" in named("who was pm in 1985")
    assert "male" in named("Who are his brothers?")
    assert "city/town/village" in named("which towns are there")
    assert named("xyzzy plugh") == set()


def test_every_synonym_stands_for_something_of_the_stub(shipped: Engine) -> None:
    nouns = CommonNouns(shipped.kb.store)
    named = (*nouns.concepts.values(), *nouns.styles.values())
    known = {key(e.name) for found in named for e in found}
    assert len(set(synonyms()) & known) > 0.8 * len(synonyms())


def test_common_nouns_go_by_english_names(tmp_path: Path) -> None:
    ns = "http://rdf.freebase.com/ns/"
    name = f"<{ns}type.object.name>"
    file = tmp_path / "kinds.nt"
    file.write_text(
        f"<{ns}m.0f> <{ns}common.topic.notable_types> <{ns}m.01mp> .\n"
        f'<{ns}m.01mp> {name} "Country"@en .\n<{ns}m.01mp> {name} "Bansa"@fil .\n',
        encoding="utf-8",
    )
    with open_store(file) as store:
        assert [name for name, _ in CommonNouns(store).kinds.values()] == ["Country"]


class Slow:
    """A store that is too slow for its first queries."""

    def __init__(self, store: Store, late: int) -> None:
        self.store, self.late, self.asked = store, late, 0

    def select(self, query: str, **limits: Any) -> Rows:
        self.asked += 1
        if self.asked <= self.late:
            raise StoreTimeout("too slow")
        return self.store.select(query, **limits)

    def close(self) -> None:
        self.store.close()


def test_nouns_that_came_too_late_once_are_asked_for_again(
    shipped: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("kbqa.parse.kinds.time.monotonic", lambda: now[0])
    store = Slow(shipped.kb.store, 1)
    nouns = CommonNouns(store)
    assert nouns.titles == {}
    assert nouns.titles == {} and store.asked == 1  # nobody waits twice within the minute
    now[0] += 61
    assert "president" in nouns.titles
    assert "president" in nouns.titles and store.asked == 2


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("country bordering both france and spain", {"France", "Spain"}),
        ("brazilian presidents", {"Brazil"}),
        ("Which African countries use the franc?", {"Africa"}),
    ],
)
def test_countries_are_found_in_lower_case_and_by_their_adjectives(
    shipped: Engine, question: str, names: set[str]
) -> None:
    found = {c.label for m in shipped.kb.linker.link(question) for c in m.candidates}
    assert names <= found


def test_an_adjective_is_no_name_for_questions_made() -> None:
    assert {"Brazilian", "African", "Dutch"} <= demonyms()
    assert not {"Brazil", "Holland"} & demonyms()


# --- other ways of asking ---------------------------------------------------------------------------


def test_what_a_question_is_about_is_brought_up_first() -> None:
    told = fronted(f"Who directed {E0}?", ["film"], random.Random(1))
    assert told is not None and told.index(E0) < told.lower().index("who directed it")
    assert fronted(f"Which city lies between {E0} and {E1}?", [], random.Random(1)) is None


@pytest.mark.parametrize("seed", range(8))
def test_a_kind_is_put_beside_a_name_and_changes_nothing_else(seed: int) -> None:
    text = f"Who directed {E0} in {E1}?"
    said = apposed(text, ["movie", ""], random.Random(seed))
    assert "movie" in said and said.count(E0) == said.count(E1) == 1
    assert apposed(text, ["", ""], random.Random(seed)) == text


def test_the_president_of_brazil_is_the_brazilian_president() -> None:
    names = ["Brazil"]
    assert adjectival(f"Who is the president of {E0}?", names, [["Brazilian"]], random.Random(0)) == (
        f"Who is the {E0} president?"
    )
    assert names == ["Brazilian"]
    names = ["Brazil"]
    assert (
        adjectival(f"I saw a map of {E0}.", names, [["Brazilian"]], random.Random(0))
        == f"I saw a map of {E0}."
    )
    assert names == ["Brazil"]


def test_sorts_are_told_by_whole_words() -> None:
    assert (sort_of("US State"), sort_of("Film"), sort_of("Statement")) == ("place", "work", "")


def test_grailqas_queries_lose_their_classes_and_keep_their_constants() -> None:
    query = (
        "PREFIX ns: <http://rdf.freebase.com/ns/>\nSELECT (COUNT(?x0) AS ?value) WHERE {\n"
        "SELECT DISTINCT ?x0  WHERE {\n?x0 ns:type.object.type ns:a.b .\nVALUES ?x1 { ns:m.01 }\n"
        "?x0 ns:a.b.c ?x1 .\nFILTER ( ?x0 != ?x1 )\n}\n}\n"
    )
    assert without_types(query) == (
        "PREFIX ns: <http://rdf.freebase.com/ns/>\nSELECT (COUNT(DISTINCT ?x0) AS ?value) WHERE {\n"
        "?x0 ns:a.b.c ns:m.01 .\n}"
    )
    assert without_types("SELECT ?x WHERE { ?x ?p ?y }") == "SELECT ?x WHERE { ?x ?p ?y }"
