"""Who was with a team when it won, or in a year, over the stub with the models that ship."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Who coached the winners of Super Bowl XXV?", ["Bill Parcells"]),
        ("Who coached the losing side of Super Bowl XLII?", ["Bill Belichick"]),
        ("who was the manager of the team that won the 2004 world series", ["Terry Francona"]),
        ("Who was the quarterback of the team that won Super Bowl XLIV?", ["Drew Brees"]),
        ("coach of the 2016 nba champions", ["Tyronn Lue"]),
    ],
)
def test_who_was_there_in_the_season_of_a_final(shipped: Engine, question: str, people: list[str]) -> None:
    assert answered(shipped, question) == people


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Who coached LeBron James's team in 2012?", ["Erik Spoelstra"]),
        ("Who was the coach of Tom Brady's team in 2004?", ["Bill Belichick"]),
    ],
)
def test_a_year_said_of_a_team_is_that_of_its_coach_too(
    shipped: Engine, question: str, people: list[str]
) -> None:
    assert answered(shipped, question) == people


def test_a_question_of_today_is_about_the_coach_of_today(shipped: Engine) -> None:
    assert answered(shipped, "who is the coach of the team that won super bowl 50") == ["Sean Payton"]
