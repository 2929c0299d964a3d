"""What all of several share, and who has won more often than a team, over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which university did both founders of Google attend?", ["Stanford University"]),
        ("school that both of microsofts founders went to", ["Lakeside School"]),
        (
            "What student newspaper is at the university that both founders of Yahoo attended?",
            ["The Stanford Daily"],
        ),
        (
            "movies with both al pacino and robert de niro",
            ["Heat", "Righteous Kill", "The Godfather Part II", "The Irishman"],
        ),
    ],
)
def test_what_both_have(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


def test_without_both_it_is_what_either_has(shipped: Engine) -> None:
    assert len(answered(shipped, "Which universities did the founders of Google attend?")) == 3


@pytest.mark.parametrize(
    ("question", "teams"),
    [
        (
            "Which basketball teams have won more NBA titles than the Warriors?",
            ["Boston Celtics", "Los Angeles Lakers"],
        ),
        (
            "teams that have won more world series than the dodgers",
            ["New York Yankees", "St. Louis Cardinals"],
        ),
        (
            "Which NFL teams have won the Super Bowl more than four times?",
            ["Dallas Cowboys", "New England Patriots", "Pittsburgh Steelers", "San Francisco 49ers"],
        ),
        (
            "who has won more Super Bowls than the Giants",
            ["Dallas Cowboys", "New England Patriots", "Pittsburgh Steelers", "San Francisco 49ers"],
        ),
    ],
)
def test_who_has_won_more_often(shipped: Engine, question: str, teams: list[str]) -> None:
    assert answered(shipped, question) == teams
