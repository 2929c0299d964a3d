"""Places in a draft."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.drafted import place_of
from tests.asking import answered


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("the first overall pick of the 2003 NBA draft", 1),
        ("the No. 1 pick", 1),
        ("number two draft pick", 2),
        ("Who was picked third?", 3),
        ("he was drafted 12th overall", 12),
        ("pick number 5 in the draft", 5),
        ("the first player picked", 1),
        ("Who drafted him in 2003?", 0),
        ("the first team that picked him", 0),
        ("the pick of the bunch", 0),
    ],
)
def test_a_place_is_told_from_words_and_digits(text: str, place: int) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the first overall pick in the 1985 NBA draft?", "Patrick Ewing"),
        ("who was picked first in the 2003 NBA draft", "LeBron James"),
        ("Which player was the third pick of the 1984 NBA draft?", "Michael Jordan"),
        ("Which team had the number one pick in the 1997 NBA draft?", "San Antonio Spurs"),
        ("Where did the #1 pick of the 1998 NFL draft go to college?", "University of Tennessee"),
    ],
)
def test_who_was_picked_there(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]
