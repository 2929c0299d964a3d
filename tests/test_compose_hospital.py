"""Questions over a small hospital: what is asked of something that is described, of several at once, of what
was named before, and of nameless things with a number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from composed import read

from kbqa.compose.asides import core
from kbqa.compose.pronouns import resolved
from kbqa.kb import KnowledgeBase, build_kb, open_kb

HOSPITAL = """
@prefix : <http://hospital.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Employee rdfs:label "staff member" .
:Doctor rdfs:subClassOf :Employee ; rdfs:label "doctor" .
:Nurse rdfs:subClassOf :Employee ; rdfs:label "nurse" .
:Ward rdfs:label "ward" . :Department rdfs:label "department" . :Building rdfs:label "building" .
:Device rdfs:label "device" . :Maker rdfs:label "manufacturer" . :Check rdfs:label "rating" .
:Judge rdfs:label "inspector" .
:worksIn rdfs:label "works in" . :head rdfs:label "head of department" . :hired rdfs:label "hire date" .
:salary rdfs:label "monthly salary" . :beds rdfs:label "number of beds" .
:dept rdfs:label "part of department" .
:building rdfs:label "in building" . :pager rdfs:label "pager number" . :door rdfs:label "door number" .
:boss rdfs:label "supervised by" . :where rdfs:label "installed in" . :madeBy rdfs:label "made by" .
:bought rdfs:label "purchase date" . :since rdfs:label "built" . :hours rdfs:label "hours per week" .
:check rdfs:label "rating" . :judge rdfs:label "inspector" . :value rdfs:label "rating value" .
:count rdfs:label "complaint count" .
:faults rdfs:label "faults found" . :mobile rdfs:label "portable" . :birthplace rdfs:label "birthplace" .
:Town rdfs:label "town" . :vessen a :Town ; rdfs:label "Vessen" .
 :height rdfs:label "elevation in metres" .
:cardio a :Department ; rdfs:label "Cardiology" ; :head :ina .
:neuro a :Department ; rdfs:label "Neurology" ; :head :karl .
:east a :Building ; rdfs:label "East Wing" ; :since "1970"^^xsd:gYear ; :height -4 .
:aspen a :Ward ; rdfs:label "Aspen" ; :dept :cardio ; :building :east ; :beds 24 ; :door "A7" ;
  :check [ a :Check ; :judge :bowen ; :value 81 ; :count 4 ] , [ a :Check ; :judge :tallis ; :value 60 ] .
:birch a :Ward ; rdfs:label "Birch" ; :dept :cardio ; :building :east ; :beds 12 ; :door "A8" .
:cedar a :Ward ; rdfs:label "Cedar" ; :dept :neuro ; :building :east ; :beds 30 ; :door "B1" ;
  :check [ a :Check ; :judge :bowen ; :value 92 ; :count 1 ] .
:bowen a :Judge ; rdfs:label "Bowen Trust" . :tallis a :Judge ; rdfs:label "Tallis Board" .
:ina a :Doctor ; rdfs:label "Ina Anders" ; :worksIn :aspen ; :hired "2005-04-01"^^xsd:date ;
  :salary 9800 ; :pager "P-11" ; :hours 45 .
:karl a :Doctor ; rdfs:label "Karl Boyd" ; :worksIn :cedar ; :hired "2011-09-15"^^xsd:date ;
  :salary 9100 ; :pager "P-12" ; :boss :ina ; :hours 40 .
:lena a :Nurse ; rdfs:label "Lena Ek" ; :worksIn :aspen ; :hired "2015-03-01"^^xsd:date ;
  :salary 4100 ; :boss :karl ; :hours 36 ; :birthplace :vessen .
:tom a :Nurse ; rdfs:label "Tom Frost" ; :worksIn :birch ; :hired "2020-11-01"^^xsd:date ;
  :salary 3700 ; :boss :karl ; :hours 20 .
:orbis a :Maker ; rdfs:label "Orbis Medical" . :quant a :Maker ; rdfs:label "Quant Devices" .
:scan a :Device ; rdfs:label "Brain Scanner" ; :where :cedar ; :madeBy :orbis ; :faults 3 ; :mobile false ;
  :bought "2019-07-01"^^xsd:date .
:pump a :Device ; rdfs:label "Infusion Pump" ; :where :birch ; :madeBy :orbis ; :faults 0 ; :mobile true ;
  :bought "2014-01-01"^^xsd:date .
"""
STAFF = "What is the thing that is a [staff member]?"
WARDS = "What is the thing that is a [ward]?"
DEVICES = "What is the thing that is a [device]?"
BOSS = "Who is the doctor that [Tom Frost] is supervised by?"
BOWEN = "What is the rating whose inspector is [Bowen Trust]?"
RATED = "What is the ward whose rating is [that rating]?"


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("hospital")
    (folder / "hospital.ttl").write_text(HOSPITAL, encoding="utf-8")
    with open_kb(str(build_kb([folder / "hospital.ttl"], folder / "kb"))) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("When was Tom Frost's boss hired?", (BOSS, "What is the hire date of [that doctor]?")),
        (
            "Who is the boss of Tom Frost's boss?",
            (BOSS, "Who is the doctor that [that doctor] is supervised by?"),
        ),
        (
            "Who is Tom Frost's boss's boss?",
            (BOSS, "Who is the doctor that [that doctor] is supervised by?"),
        ),
        (
            "What is the pager number of the head of Neurology?",
            ("Who is the head of department of [Neurology]?", "What is the pager number of [that doctor]?"),
        ),
        (
            "On average, how much do the nurses supervised by Karl Boyd earn?",
            (
                "Who is the staff member who is supervised by [Karl Boyd]?",
                "Of these, which is the thing that is a [nurse]?",
                "Of these, what is the average monthly salary?",
            ),
        ),
        (
            "Which wards are in Cardiology, and how many beds do they have?",
            (
                "What is the ward whose part of department is [Cardiology]?",
                "Of these, what is the number of beds of each, if any?",
            ),
        ),
        (
            "Which ward is Lena Ek in and what is its door number?",
            (
                "What is the ward that [Lena Ek] works in?",
                "Of these, what is the door number of each, if any?",
            ),
        ),
        (
            "Which department has the fewest beds?",
            (
                WARDS,
                "Of these, what is the total number of beds for each part of department, the lowest only?",
            ),
        ),
        (
            "How many beds does Cardiology have in total?",
            (
                "What is the ward whose part of department is [Cardiology]?",
                "Of these, what is the total number of beds?",
            ),
        ),
        ("Who has no pager?", (STAFF, "Of these, which is one, whose pager number is not given?")),
        ("Which ward is the one with the number A7?", ('What is the ward whose door number is ["A7"]?',)),
        (
            "staff members who work less than 37 hours",
            (STAFF, "Of these, which is one, whose hours per week is less than [37]?"),
        ),
        (
            "devices bought between 1 June and 15 July 2019",
            (
                DEVICES,
                "Of these, which is one, whose purchase date is on or after [2019-06-01] and is on or before "
                "[2019-07-15]?",
            ),
        ),
        (
            "wards with a Bowen Trust score above 85",
            (BOWEN, "Of these, which is one, whose rating value is more than [85]?", RATED),
        ),
        (
            "What is the average Bowen Trust rating of the wards of Cardiology?",
            (
                BOWEN,
                "What is the ward whose part of department is [Cardiology]?",
                "Of the answers to step 1, which is the rating of [that ward]?",
                "Of these, what is the average rating value?",
            ),
        ),
        (
            "Which ward has the highest Bowen Trust score?",
            (BOWEN, "Of these, which has the largest rating value?", RATED),
        ),
        (
            "wards with a complaint count under 3",
            (
                "What is the thing that is a [rating]?",
                "Of these, which is one, whose complaint count is less than [3]?",
                RATED,
            ),
        ),
        (
            "Which one is portable, the Brain Scanner or the Infusion Pump?",
            (
                DEVICES,
                "Of these, which is one of [Brain Scanner] [Infusion Pump]?",
                'Of these, which is the device whose portable is ["true"^^<http://www.w3.org/2001/XMLSchema#boolean>]?',
            ),
        ),
        (
            "staff members who come without a pager",
            (STAFF, "Of these, which is one, whose pager number is not given?"),
        ),
        (
            "Which nurses born in Vessen are supervised by Karl Boyd?",
            (
                "Who is the nurse whose birthplace is [Vessen]?",
                "Of these, which is the staff member who is supervised by [Karl Boyd]?",
            ),
        ),
        (
            "buildings below sea level",
            (
                "What is the thing that is a [building]?",
                "Of these, which is one, whose elevation is less than [0]?",
            ),
        ),
        ("anything made by Orbis Medical", ("What is the device that is made by [Orbis Medical]?",)),
    ],
)
def test_a_question_is_read_word_by_word(
    hospital: KnowledgeBase, question: str, steps: tuple[str, ...]
) -> None:
    assert read(hospital, question) == steps


@pytest.mark.parametrize(
    "question",
    [
        "When was Tom Frost's unicorn hired?",
        "Who is the boss of the boss?",
        "Which department has the fewest unicorns?",
        "wards with a Bowen Trust unicorn above 85",
        "wards above 85",
        "How many unicorns does Cardiology have in total?",
    ],
)
def test_a_question_with_a_word_that_has_no_part_in_a_reading_is_left(
    hospital: KnowledgeBase, question: str
) -> None:
    assert read(hospital, question) == ()


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Tom Frost: who supervises him?", "who supervises Tom Frost?"),
        ("The boss of Tom Frost: when was he hired?", "when was The boss of Tom Frost hired?"),
        (
            "I saw Cedar yesterday. How many beds are there?",
            "I saw Cedar yesterday. How many beds are there?",
        ),
        ("I was sent to Cedar. What is its door number?", "What is Cedar's door number?"),
        ("I am off to Cedar, so who works there?", "who works in Cedar?"),
        ("Is Tom Frost a nurse and who supervises him?", "Is Tom Frost a nurse and who supervises him?"),
        (
            "I'm not sure whether Lena Ek and Tom Frost have the same boss. Do they?",
            "Lena Ek and Tom Frost have the same boss?",
        ),
        ("Which ward in the register has 24 beds?", "Which ward has 24 beds?"),
        ("My aunt says Aspen is bigger than Cedar, is she right?", "Aspen is bigger than Cedar?"),
        (
            "I always mix them up: which ward is bigger, Aspen or Cedar?",
            "which ward is bigger, Aspen or Cedar?",
        ),
    ],
)
def test_a_pronoun_stands_for_what_was_named_before_the_question(
    hospital: KnowledgeBase, said: str, asked: str
) -> None:
    found, mentions = core(*resolved(said, tuple(hospital.linker.link(said))))
    assert found == asked
    assert all(found[m.start : m.end] in said for m in mentions)
