"""What is not understood: readings that tell something else than is asked, with the shipped models."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    "question",
    [
        "How much does a ticket to the Louvre cost?",
        "How many calories are in a Guinness?",
        "How many bridges does Venice have?",
        "What is the phone number of Princeton University?",
        "Where did I put my keys?",
        "who painted the Mona Lisa",
        "How tall is Tom Cruise?",
        "How hot is it in Kuwait?",
        "who's taller, LeBron James or Michael Jordan",
    ],
)
def test_what_the_stub_does_not_hold_is_not_understood(shipped: Engine, question: str) -> None:
    assert shipped.first_version(question).current is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("number of timezones in russia", "11"),
        ("number of movies with Audrey Hepburn", "4"),
        ("How many wives did Henry VIII have?", "6"),
        ("how many different people have won the Booker Prize", "53"),
    ],
)
def test_what_is_asked_for_is_counted(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("what's the largest city in Australia", "Sydney"), ("second largest city in Spain", "Barcelona")],
)
def test_the_largest_is_not_the_last_by_name(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]
