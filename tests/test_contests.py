"""Questions about what is contested, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.contests import of_team_then
from tests.asking import answered, named


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which team won both the 1992 and 1993 World Series?", ["Toronto Blue Jays"]),
        ("Which city hosted both the 1908 and 1948 Summer Olympics?", ["London"]),
        ("coach of the Bulls when they won the title in 1992", ["Phil Jackson"]),
        ("Red Sox manager when they won it in 2013", ["John Farrell"]),
        ("Who was the quarterback of the Giants when they won Super Bowl XLII?", ["Eli Manning"]),
        ("Who has won the Super Bowl the most?", ["New England Patriots", "Pittsburgh Steelers"]),
        (
            "Which country has hosted the World Cup the most?",
            ["Brazil", "France", "Germany", "Italy", "Mexico"],
        ),
        (
            "Which teams have never won the World Series?",
            [
                "Colorado Rockies",
                "Milwaukee Brewers",
                "San Diego Padres",
                "Seattle Mariners",
                "Tampa Bay Rays",
            ],
        ),
    ],
)
def test_contests_are_read_as_they_are_meant(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


@pytest.mark.parametrize(
    ("text", "names", "whole"),
    [
        ("Who coached the Lions when they won the Cup in 1998?", ["Lions"], "Who coached the Lions in 1998?"),
        ("Lions coach when they won Cup IX", ["Lions", "Cup IX"], "Lions coach when Lions won Cup IX"),
        ("Who coached the Lions when Tigers won in 1998?", ["Lions", "Tigers"], None),
        ("Who was there when they won Cup IX?", ["Cup IX"], None),
    ],
)
def test_they_are_the_team(text: str, names: list[str], whole: str | None) -> None:
    assert of_team_then(text, named(text, *names)) == (whole or text)
