"""Coasts, lakes between states and countries without a coast, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which states border Lake Huron?", {"Michigan"}),
        ("countries on the shores of the Sea of Azov", {"Russia", "Ukraine"}),
        ("How many countries have a coast on the Baltic Sea?", {"9"}),
        ("Which US state has a coastline on the Gulf of Mexico and borders Georgia?", {"Alabama", "Florida"}),
        ("Which seas border Albania?", {"Adriatic Sea", "Ionian Sea", "Mediterranean Sea"}),
        ("what lake touches both Illinois and Indiana", {"Lake Michigan"}),
    ],
)
def test_lands_on_waters(shipped: Engine, question: str, answers: set[str]) -> None:
    assert set(answered(shipped, question)) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which South American countries have no coast?", {"Bolivia", "Paraguay"}),
        ("landlocked countries that border France", {"Andorra", "Luxembourg", "Switzerland"}),
        ("Which countries bordering Vietnam are landlocked?", {"Laos"}),
        ("What is the biggest African nation without access to the sea?", {"Chad"}),
    ],
)
def test_countries_without_a_coast(shipped: Engine, question: str, answers: set[str]) -> None:
    assert set(answered(shipped, question)) == answers


def test_countries_with_a_coast_are_not_landlocked(shipped: Engine) -> None:
    assert len(answered(shipped, "Which countries have a coastline on the Caspian Sea?")) == 5


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which US states border Mexico?", {"Arizona", "California", "New Mexico", "Texas"}),
        ("How many states touch Canada?", {"13"}),
        ("smallest state bordering Canada by area", {"New Hampshire"}),
        ("Which state bordering Mexico has the fewest people?", {"New Mexico"}),
        ("What countries does Mexico border?", {"Belize", "Guatemala", "United States"}),
        ("Which country borders the most countries?", {"China", "Russia"}),
        ("which states border the state that Yale is in", {"Massachusetts", "New York", "Rhode Island"}),
    ],
)
def test_parts_of_one_country_on_the_boundary_of_another(
    shipped: Engine, question: str, answers: set[str]
) -> None:
    assert set(answered(shipped, question)) == answers
