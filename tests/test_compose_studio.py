"""Questions over a small film studio: labels that say what is done, counts, namesakes, 'state or town'."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from composed import read

from kbqa.compose import ComposingParser
from kbqa.compose.fitting import fits
from kbqa.compose.schema import Schema
from kbqa.compose.vocabulary import by_company
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.kb.meta import read_profile
from kbqa.protocols import Candidate, Mention
from kbqa.scripted import ScriptedParser
from kbqa.types import Find, Hop, Iri, Ref

STUDIO = """
@prefix : <http://studio.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Film rdfs:label "film" . :Person rdfs:label "person" . :Genre rdfs:label "genre" .
:Area rdfs:label "state or province" . :Town rdfs:label "town" . :Land rdfs:label "country" .
:Money rdfs:label "currency" . :Studio rdfs:label "company" .
:director rdfs:label "director" . :screenwriter rdfs:label "screenwriter" . :actor rdfs:label "actor" .
:genre rdfs:label "genre" . :prizes rdfs:label "prizes won" . :year rdfs:label "release date" .
:gross rdfs:label "box office" . :studio rdfs:label "company" . :uses rdfs:label "uses currency" .
:land rdfs:label "country" . :area rdfs:label "located in" .
:ann a :Person ; rdfs:label "Ann Ash" . :bob a :Person ; rdfs:label "Bob Birch" .
:cem a :Person ; rdfs:label "Cem Cedar" . :dan a :Person ; rdfs:label "Dan Dogwood" .
:drama a :Genre ; rdfs:label "Drama" . :noir a :Genre ; rdfs:label "Noir" .
:acme a :Studio ; rdfs:label "Acme Films" . :apex a :Studio ; rdfs:label "Apex Films" .
:one a :Film ; rdfs:label "Red Dawn" ; :director :ann ; :screenwriter :bob ; :actor :bob , :cem , :ann ;
  :genre :drama ; :prizes 7 ; :year "2002-05-01"^^xsd:date ; :gross 900 ; :studio :acme .
:two a :Film ; rdfs:label "Blue Dusk" ; :director :ann ; :screenwriter :ann ; :actor :cem , :bob , :dan ;
  :genre :noir ; :prizes 1 ; :year "2005-05-01"^^xsd:date ; :gross 100 ; :studio :apex .
:three a :Film ; rdfs:label "Grey Noon" ; :director :bob ; :screenwriter :cem ; :actor :cem , :ann ;
  :genre :noir ; :prizes 0 ; :year "2002-06-01"^^xsd:date ; :gross 50 ; :studio :apex .
:uk a :Land ; rdfs:label "Brakia" ; :uses :crown . :ve a :Land ; rdfs:label "Venland" ; :uses :mark .
:crown a :Money ; rdfs:label "Silver Crown" . :mark a :Money ; rdfs:label "Copper Mark" .
:n1 a :Area ; rdfs:label "Northmark" ; :land :uk . :n2 a :Area ; rdfs:label "Northmark" ; :land :ve .
:s1 a :Area ; rdfs:label "Southmark" ; :land :uk .
:oak a :Town ; rdfs:label "Oakham" ; :area :n1 ; :land :uk .
:elm a :Town ; rdfs:label "Elmham" ; :area :n2 ; :land :ve .
:fir a :Town ; rdfs:label "Firham" ; :area :s1 ; :land :uk .
"""
BASE = "http://studio.example/"
FILMS = "What is the thing that is a [film]?"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("studio")
    (folder / "studio.ttl").write_text(STUDIO, encoding="utf-8")
    with open_kb(str(build_kb([folder / "studio.ttl"], folder / "kb"))) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("Who wrote Red Dawn?", ("Who is the screenwriter of [Red Dawn]?",)),
        ("Who did wrote Red Dawn?", ("Who is the screenwriter of [Red Dawn]?",)),
        ("films Ann Ash wrote", ("What is the film whose screenwriter is [Ann Ash]?",)),
        (
            "films Ann Ash made in 2002",
            (
                "What is the film whose director is [Ann Ash]?",
                "Of these, which is one, whose release date is on or after [2002-01-01] "
                "and is on or before [2002-12-31]?",
            ),
        ),
        (
            "films Cem Cedar made with Ann Ash",
            (
                "What is the film whose screenwriter is [Cem Cedar]?",
                "Of these, which is the film whose actor is [Ann Ash]?",
            ),
        ),
        ("films Dan Dogwood made", ("What is the film whose actor is [Dan Dogwood]?",)),
        (
            "Which genres does Bob Birch work in?",
            ("What is the film whose director is [Bob Birch]?", "What is the genre of [that film]?"),
        ),
        (
            "Which companies were behind the films that won more than five prizes?",
            (
                FILMS,
                "Of these, which is one, whose prizes won is more than [5]?",
                "What is the company of [that film]?",
            ),
        ),
        ("films that won a prize", (FILMS, "Of these, which is one, whose prizes won is at least [1]?")),
        (
            "Which films took over 500 at the box office?",
            (FILMS, "Of these, which is one, whose box office is more than [500]?"),
        ),
        ("In which state is Oakham?", ("What is the state or province that [Oakham] is located in?",)),
        (
            "currency where Oakham is",
            ("What is the country of [Oakham]?", "What is the currency that [that country] uses?"),
        ),
        (
            "What was released in 2005?",
            (
                FILMS,
                "Of these, which is one, whose release date is on or after [2005-01-01] "
                "and is on or before [2005-12-31]?",
            ),
        ),
        (
            "Which films are by Ann Ash, and what is their box office?",
            (
                "What is the film whose director is [Ann Ash]?",
                "Of these, what is the box office of each, if any?",
            ),
        ),
        (
            "towns in the same state like Oakham",
            (
                "What is the state or province that [Oakham] is located in?",
                "What is the town that is located in [that state or province], which is not [Oakham]?",
            ),
        ),
        ("Whose currency is the Silver Crown?", ("What is the country that uses [Silver Crown]?",)),
    ],
)
def test_a_question_is_read_word_by_word(
    studio: KnowledgeBase, question: str, steps: tuple[str, ...]
) -> None:
    assert read(studio, question) == steps


@pytest.mark.parametrize(("land", "area"), [("Brakia", "n1"), ("Venland", "n2")])
def test_of_two_of_one_name_the_one_that_goes_with_what_else_is_named_is_meant(
    studio: KnowledgeBase, land: str, area: str
) -> None:
    question = f"towns of {land} that are in Northmark"
    parser = ComposingParser(studio, ScriptedParser({}))
    (first, *_) = parser.composed(question, tuple(studio.linker.link(question)))
    assert Iri(BASE + area) in {c for s in first.decomposition.steps for c in constants_of(s)}


def test_no_candidate_is_lost_and_those_of_other_names_stay_behind() -> None:
    a, b, c, other = (Iri(BASE + name) for name in ("a", "b", "c", "other"))
    said = [
        Mention(
            0, 4, "Oaks", tuple(Candidate(i, n, n, 1.0) for i, n in ((a, "Oaks"), (b, "Oaks"), (c, "Oak")))
        ),
        Mention(5, 9, "Elms", (Candidate(other, "Elms", "Elms", 1.0),)),
    ]
    near, rest = by_company(said, lambda one, two: (one, two) in {(b, other), (c, other)})
    assert [found.entity for found in near.candidates] == [b, a, c]
    assert rest == said[1]
    assert by_company(said, lambda one, two: False) == tuple(said)


def test_from_a_number_only_what_has_it_is_led_to(studio: KnowledgeBase) -> None:
    assert studio.folder is not None
    schema = Schema(read_profile(studio.folder), studio.lexicon)
    gross, director = Iri(BASE + "gross"), Iri(BASE + "director")
    first = Find(Iri(BASE + "one"), (Hop(gross),))
    assert fits((first, Find(Ref(1), (Hop(gross, True),))), schema, studio.types)
    for hop in (Hop(director), Hop(director, True)):
        assert not fits((first, Find(Ref(1), (hop,))), schema, studio.types)
