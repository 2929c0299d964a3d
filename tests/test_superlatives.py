"""The most of things by what a superlative says, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.superlatives import superlative_of
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which of the founders of Google is older?", "Larry Page"),
        ("Of the two Microsoft founders, who's younger?", "Bill Gates"),
        ("Queen Elizabeth's firstborn", "Charles III"),
        ("Where was the oldest member of the Beatles born?", "Edinburgh"),
        ("Who directed the third Harry Potter film?", "Alfonso Cuarón"),
        ("When did Radiohead bring out their first album?", "22 February 1993"),
        ("Where was the first wife of Donald Trump born?", "Zlín"),
        ("Which album did Radiohead release third?", "OK Computer"),
        ("What is the biggest island in the world?", "Greenland"),
        ("Which state has the largest population?", "California"),
        ("What year did the third Lord of the Rings movie come out?", "December 2003"),
    ],
)
def test_the_most_is_taken_by_what_is_said(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    ("text", "noun", "highest", "of_answers"),
    [
        ("Who is the youngest member of Queen?", "date of birth", True, True),
        ("Which of them is the oldest?", "date of birth", False, True),
        ("Where was the eldest son of Bach born?", "date of birth", False, False),
        ("the biggest country in Africa by population", "population", True, True),
        ("the country with the largest population", "population", True, False),
        ("Which state has the largest area by size?", "area", True, False),
        ("which founder of Google is younger", "date of birth", True, True),
    ],
)
def test_what_a_superlative_says(text: str, noun: str, highest: bool, of_answers: bool) -> None:
    said = superlative_of(text, ())
    assert said is not None
    assert (said.measures[0][0].noun, said.measures[0][1], said.of_answers) == (noun, highest, of_answers)


@pytest.mark.parametrize(
    "text",
    [
        "Who is Venus Williams's younger sister?",
        "Which countries are larger than France?",
        "Who wrote Dune?",
        "the oldest son of the youngest daughter of Queen Victoria",
    ],
)
def test_no_or_several_superlatives(text: str) -> None:
    assert superlative_of(text, ()) is None
