"""The sort of division that is asked for, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the smallest state in Australia?", "Tasmania"),
        ("How many states make up India?", "28"),
        ("How many provinces does Canada have?", "10"),
        ("how many cantons does Switzerland have", "26"),
        ("largest state in the us by area", "Alaska"),
    ],
)
def test_divisions_of_the_sort_that_is_said(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


def test_territories_are_no_provinces(shipped: Engine) -> None:
    found = answered(shipped, "What are the territories of Canada?")
    assert sorted(found) == ["Northwest Territories", "Nunavut", "Yukon"]


@pytest.mark.parametrize(
    ("question", "cities"),
    [
        ("what capital does the Thames flow through", ["London"]),
        pytest.param(
            "capitals on the Danube",
            ["Belgrade", "Bratislava", "Budapest", "Vienna"],
            marks=pytest.mark.xfail(
                reason="the reranker takes divisions, whose capital is Linz", strict=True
            ),
        ),
        ("national capitals that lie on the Danube", ["Belgrade", "Bratislava", "Budapest", "Vienna"]),
        ("what is the capital of Peru", ["Lima"]),
    ],
)
def test_capitals_among_cities(shipped: Engine, question: str, cities: list[str]) -> None:
    assert sorted(answered(shipped, question)) == cities


@pytest.mark.parametrize(
    ("question", "person"),
    [
        ("Who won the Nobel Prize in both physics and chemistry?", "Marie Curie"),
        ("who has won the nobel prize in chemistry and peace", "Linus Pauling"),
    ],
)
def test_two_prizes_of_one_name(shipped: Engine, question: str, person: str) -> None:
    assert answered(shipped, question) == [person]


def test_a_reading_about_nothing_that_is_named_is_refused(shipped: Engine) -> None:
    assert shipped.first_version("Which countries signed the Kyoto Protocol?").current is None


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("capitals of the Baltic states", {"Riga", "Tallinn", "Vilnius"}),
        ("smallest state in New England", {"Rhode Island"}),
        ("Where is Laos?", {"Asia"}),
    ],
)
def test_regions_of_several_countries(shipped: Engine, question: str, answers: set[str]) -> None:
    assert set(answered(shipped, question)) == answers
