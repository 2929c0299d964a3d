"""Questions over a small town: a class above all others, several words for one thing, slips, units, signs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from composed import read

from kbqa.compose import ComposingParser
from kbqa.compose.asides import core
from kbqa.compose.fitting import fits
from kbqa.compose.schema import Schema
from kbqa.engine import Engine
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.kb.meta import read_profile
from kbqa.scripted import ScriptedParser
from kbqa.types import Find, Hop, Iri, Ref

TOWN = """
@prefix : <http://town.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Place a rdfs:Class ; rdfs:label "place" .
:District rdfs:subClassOf :Place ; rdfs:label "district" ; skos:altLabel "quarter" .
:Street rdfs:subClassOf :Place ; rdfs:label "street" ; skos:altLabel "road" .
:Region rdfs:subClassOf :Place ; rdfs:label "region" .
:Ward rdfs:subClassOf :Place ; rdfs:label "ward" .
:Tongue rdfs:label "language" .
:within rdfs:label "part of" .
:north :within :shire . :mid :within :shire . :south :within :shire .
:shire a :Region ; rdfs:label "Hamshire" .
:top a :Ward ; rdfs:label "Topwick" ; :within :north .
:bot a :Ward ; rdfs:label "Botwick" ; :within :north .
:far a :Ward ; rdfs:label "Farwick" ; :within :mid .
:next rdfs:label "shares border with" ; skos:altLabel "neighbour" .
:spoken rdfs:label "language spoken" ; skos:altLabel "speaks" .
:inDistrict rdfs:label "in district" .
:population rdfs:label "population" .
:area rdfs:label "area in square kilometres" .
:length rdfs:label "length in kilometres" .
:latitude rdfs:label "latitude" .
:sign rdfs:label "sign" .
:north a :District ; rdfs:label "Norham" ; :next :mid ; :spoken :german ; :population 2500000 ;
  :area 12.5 ; :latitude 2.5 ; :sign ".no" .
:mid a :District ; rdfs:label "Midham" ; :next :north , :south ; :spoken :german , :danish ;
  :population 1200000 ; :area 40.0 ; :latitude 1.5 ; :sign ".mi" .
:south a :District ; rdfs:label "Sudham" ; :next :mid ; :spoken :danish ; :population 300000 ;
  :area 7.25 ; :latitude 0.5 ; :sign ".su" .
:german a :Tongue ; rdfs:label "German" .
:danish a :Tongue ; rdfs:label "Danish" .
:oak a :Street ; rdfs:label "Oakgate" ; :inDistrict :north ; :length 3.5 .
:elm a :Street ; rdfs:label "Elmgate" ; :inDistrict :mid ; :length 1.5 .
:ash a :Street ; rdfs:label "Ashgate" ; :inDistrict :mid .
:ash2 a :Street ; rdfs:label "Ashgate" ; :inDistrict :south ; :length 2.5 .
"""
DISTRICTS = "What is the thing that is a [district]?"
ANY = "Of these, is there any?"


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("town")
    (folder / "town.ttl").write_text(TOWN, encoding="utf-8")
    with open_kb(str(build_kb([folder / "town.ttl"], folder / "kb"))) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("population of Norham", ("What is the population of [Norham]?",)),
        ("popluation of Norham", ("What is the population of [Norham]?",)),
        ("How many people live in Norham?", ("What is the population of [Norham]?",)),
        ("How big is Sudham?", ("What is the area of [Sudham]?",)),
        ("How big is Oakgate?", ("What is the length of [Oakgate]?",)),
        ("the sign of the district Norham", ("What is the sign of [Norham]?",)),
        ("the sign assigned to Norham", ("What is the sign of [Norham]?",)),
        (
            "How many roads are there?",
            ("What is the thing that is a [street]?", "Of these, how many are there?"),
        ),
        (
            "How many roads per district are longer than 2 km?",
            (
                "What is the thing that is a [street]?",
                "Of these, which is one, whose length is more than [2]?",
                "Of these, how many are there for each district?",
            ),
        ),
        ("the district where Elmgate is", ("What is the district of [Elmgate]?",)),
        (
            "Which quarter has the most neighbours?",
            (
                DISTRICTS,
                "What is the district that [that district] shares border with?",
                "What is the district that shares border with [that district]?",
                "Of these, which is found most often?",
            ),
        ),
        (
            "quarters with at least 2 neighbors",
            (DISTRICTS, "Of these, which is the district that shares border with at least [2]?"),
        ),
        (
            "Do they speak Danish in Midham?",
            ("What is the language spoken of [Midham]?", "Of these, which is also [Danish]?", ANY),
        ),
        (
            "Does Norham touch Sudham?",
            (
                "What is the district that [Sudham] shares border with?",
                "Of these, which is also [Norham]?",
                ANY,
            ),
        ),
        (
            "districts that do not speak Danish",
            (DISTRICTS, "Of these, which is one, whose language spoken is never [Danish]?"),
        ),
        ("which quarters use German", ("What is the district whose language spoken is [German]?",)),
        (
            "districts with over 2 million people",
            (DISTRICTS, "Of these, which is one, whose population is more than [2000000]?"),
        ),
        (
            "districts with between 1 and 2 million people",
            (
                DISTRICTS,
                "Of these, which is one, whose population is at least [1000000] and is at most [2000000]?",
            ),
        ),
        (
            "districts not larger than 20 sq km",
            (DISTRICTS, "Of these, which is one, whose area is at most [20]?"),
        ),
        ("What is the largest district?", (DISTRICTS, "Of these, which has the largest area?")),
        (
            "biggest district by population",
            (DISTRICTS, "Of these, which has the largest population?"),
        ),
        ("the northernmost district", (DISTRICTS, "Of these, which has the largest latitude?")),
        (
            "Which is further south, Norham or Sudham?",
            (
                DISTRICTS,
                "Of these, which is one of [Norham] [Sudham]?",
                "Of these, which has the smallest latitude?",
            ),
        ),
        (
            "Norham has more people than Sudham?",
            (
                "What is the population of [Norham]?",
                "What is the population of [Sudham]?",
                "Of the answers to step 1, which is more than [that population]?",
                ANY,
            ),
        ),
        (
            "wards that are part of Norham",
            (
                "What is the place that is part of [Norham]?",
                "Of these, which is the thing that is a [ward]?",
            ),
        ),
        (
            "the region that Norham is part of",
            (
                "What is the place that [Norham] is part of?",
                "Of these, which is the thing that is a [region]?",
            ),
        ),
        (
            "districts of Hamshire",
            (
                "What is the place that is part of [Hamshire]?",
                "Of these, which is the thing that is a [district]?",
            ),
        ),
        (
            "Which district has the most wards?",
            (
                "What is the thing that is a [ward]?",
                "What is the place that [that ward] is part of?",
                "Of these, which is the thing that is a [district]?",
                "Of these, which is found most often?",
            ),
        ),
        ("Which district's sign is .mi?", ('What is the district whose sign is [".mi"]?',)),
        ("What does the sign .mi mean?", ('What is the district whose sign is [".mi"]?',)),
    ],
)
def test_a_question_is_read_word_by_word(town: KnowledgeBase, question: str, steps: tuple[str, ...]) -> None:
    assert read(town, question) == steps


@pytest.mark.parametrize(
    "question",
    [
        "the street Norham",
        "Does Norham smell of Sudham?",
        "Which district has the most unicorns?",
        "How loud is Sudham?",
        "How many roads per unicorn are longer than 2 km?",
        "What does the sign .xy mean?",
        "the sign hated by Norham",
        "pollution of Norham",
    ],
)
def test_a_question_with_a_word_that_has_no_part_in_a_reading_is_left(
    town: KnowledgeBase, question: str
) -> None:
    assert read(town, question) == ()


def test_of_two_of_one_name_the_one_of_which_more_is_said_comes_first(town: KnowledgeBase) -> None:
    found = ComposingParser(town, ScriptedParser({})).composed(
        "length of Ashgate", tuple(town.linker.link("length of Ashgate"))
    )
    assert [constants_of(p.decomposition.steps[0])[0] for p in found[:1]] == [Iri("http://town.example/ash2")]


def test_a_number_is_no_one(town: KnowledgeBase) -> None:
    """A reading of 'Who ...?' by the parser that finds a number is dropped."""
    query = "SELECT ?x { <http://town.example/north> <http://town.example/population> ?x }"
    questions = ("Who rules Norham?", "What rules Norham?")
    rules = ComposingParser(town, ScriptedParser(dict.fromkeys(questions, query)))
    assert [len(rules.parse(q, tuple(town.linker.link(q)), n=5)) for q in questions] == [0, 1]


@pytest.mark.parametrize(
    ("start", "back", "possible"),
    [("oak", False, True), ("german", False, False), ("north", True, True), ("oak", True, False)],
)
def test_a_step_that_leads_on_from_what_has_no_such_thing_does_not_fit(
    town: KnowledgeBase, start: str, back: bool, possible: bool
) -> None:
    """Streets are in districts; languages and districts are in none."""
    at = "http://town.example/"
    steps = (Find(Iri(at + start), (Hop(Iri(at + "inDistrict"), back),)),)
    assert town.folder is not None
    schema = Schema(read_profile(town.folder), town.lexicon)
    assert fits(steps, schema, town.types) is possible
    further = (*steps, Find(Ref(1), (Hop(Iri(at + "spoken"), True),)))
    assert not fits(further, schema, town.types)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Now tell me, how big is Norham?", "how big is Norham?"),
        ("Do they speak German in Norham at all, do you know?", "Do they speak German in Norham"),
        ("We move next year and I'd love to know how big Norham is.", "how big Norham is."),
        ("How many people live in Norham, roughly?", "How many people live in Norham"),
        ("Norham is nice, so how big is it?", "Norham is nice, so how big is it?"),
    ],
)
def test_talk_around_a_question_is_left_out(town: KnowledgeBase, said: str, asked: str) -> None:
    assert core(said, tuple(town.linker.link(said)))[0] == asked


def test_yes_and_no(town: KnowledgeBase) -> None:
    engine = Engine(town, ComposingParser(town, ScriptedParser({})))
    asked = ("Does Norham touch Midham?", "Does Norham touch Sudham?", "Do they speak German in Sudham?")
    versions = [engine.ask(question).current for question in asked]
    assert [[a.label for a in v.steps[-1].answers] for v in versions if v] == [["yes"], ["no"], ["no"]]
