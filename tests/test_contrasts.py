"""What is asked beside what the rest is like, who came after whom, and occasions, over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (
            "Most South American countries speak Spanish. Which one has Dutch as its official language?",
            ["Suriname"],
        ),
        (
            "Unlike its French- and English-speaking neighbours, which African country has Spanish as its "
            "official language?",
            ["Equatorial Guinea"],
        ),
        ("Which South American country doesn't speak Spanish or Portuguese but Dutch?", ["Suriname"]),
        ("I'd like to climb the tallest mountain in North America one day. Which one is it?", ["Denali"]),
    ],
)
def test_what_the_rest_is_like_is_not_asked(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


@pytest.mark.parametrize(
    ("question", "singer"),
    [
        ("After David Lee Roth, who sang for Van Halen until 1996?", "Sammy Hagar"),
        ("Phil Collins left Genesis in 1996. Who was their singer after that?", "Ray Wilson"),
    ],
)
def test_who_came_after_somebody_in_a_band(shipped: Engine, question: str, singer: str) -> None:
    assert answered(shipped, question) == [singer]


def test_an_occasion_is_no_date(shipped: Engine) -> None:
    assert answered(shipped, "the last time the Miami Heat won the NBA championship") == ["2013 NBA Finals"]


def test_borders_with_two_countries_are_two_borders(shipped: Engine) -> None:
    assert answered(shipped, "countries bordering both france and spain") == ["Andorra"]


@pytest.mark.parametrize(
    ("question", "teams"),
    [
        (
            "Which NFL teams had won 5 Super Bowls or more up to 2014",
            ["Dallas Cowboys", "Pittsburgh Steelers", "San Francisco 49ers"],
        ),
        (
            "By 1990, which NFL teams had won the Super Bowl three or more times?",
            ["Las Vegas Raiders", "Pittsburgh Steelers", "San Francisco 49ers"],
        ),
        (
            "which nba teams had more titles than the Bulls by the end of 2014",
            ["Boston Celtics", "Los Angeles Lakers"],
        ),
    ],
)
def test_titles_are_counted_until_a_year(shipped: Engine, question: str, teams: list[str]) -> None:
    assert answered(shipped, question) == teams


def test_a_college_is_no_club(shipped: Engine) -> None:
    question = "what college team did the MVP of Super Bowl XLIV play for"
    assert answered(shipped, question) == ["Purdue University"]
