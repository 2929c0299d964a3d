"""Names of characters, prizes and people by their last names, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.protocols import Candidate, Mention
from kbqa.reading.played import as_played
from kbqa.types import Iri, freebase
from tests.asking import answered

_FILM = Candidate(Iri("http://example.org/film"), "Up", "Up", 0.95, (freebase("film.film"),), 3)
_ROLE = Candidate(Iri("http://example.org/role"), "Up", "Up", 0.94, (freebase("film.film_character"),), 1)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("who played Up", (_ROLE,)),
        ("who plays the role of Up", (_ROLE,)),
        ("who played in Up", (_FILM, _ROLE)),
        ("who directed Up", (_FILM, _ROLE)),
    ],
)
def test_only_characters_are_played(text: str, left: tuple[Candidate, ...]) -> None:
    (found,) = as_played(text, [Mention(text.index("Up"), len(text), "Up", (_FILM, _ROLE))])
    assert found.candidates == left


def test_what_is_no_character_may_be_played_all_the_same() -> None:
    text = "who played Up"
    (found,) = as_played(text, [Mention(11, 13, "Up", (_FILM,))])
    assert found.candidates == (_FILM,)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which city was the guy who played Forrest Gump born in", ["Concord"]),
        (
            "which best director winners were born in Mexico",
            ["Alejandro González Iñárritu", "Alfonso Cuarón", "Guillermo del Toro"],
        ),
        (
            "Best actress winners who had studied at the Yale School of Drama",
            ["Frances McDormand", "Meryl Streep"],
        ),
        ("what political party was Lincoln in", ["Republican Party"]),
        (
            "who won the fields medal in 2018",
            ["Akshay Venkatesh", "Alessio Figalli", "Caucher Birkar", "Peter Scholze"],
        ),
        ("who was Washington's wife", ["Martha Washington"]),
        ("what is the capital of Washington", ["Olympia"]),
    ],
)
def test_names_are_known_by_what_is_said_of_them(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers
