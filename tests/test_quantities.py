"""How many there are of something, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.quantities import quantity_of
from kbqa.types import Many
from tests.asking import answered, named


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which president had the most children?", {"John Tyler"}),
        ("which country has the most official languages", {"Zimbabwe"}),
        ("Which country borders the most countries?", {"China", "Russia"}),
        ("which country has the most neighbors", {"China", "Russia"}),
        ("which country in south america borders the most countries", {"Brazil"}),
        ("which US states border only one state", {"Maine"}),
        ("Which presidents had more than ten children?", {"John Tyler"}),
        ("which presidents had more than two wives", {"Donald Trump"}),
        ("nhl team with most stanley cups", {"Montreal Canadiens"}),
        ("most world series titles team", {"New York Yankees"}),
        ("Who has won more Best Director Oscars than anyone else?", {"John Ford"}),
        ("Nobody has more Best Actress Oscars than who?", {"Katharine Hepburn"}),
        ("who holds the record for most best director oscars", {"John Ford"}),
        ("The only actor with three Best Actor Oscars", {"Daniel Day-Lewis"}),
        ("two-time best supporting actress winners", {"Dianne Wiest", "Shelley Winters"}),
        (
            "who has won three or more best director oscars",
            {"Frank Capra", "John Ford", "William Wyler"},
        ),
        ("Which teams have won more than five Super Bowls?", {"New England Patriots", "Pittsburgh Steelers"}),
    ],
)
def test_who_has_so_many(shipped: Engine, question: str, expected: set[str]) -> None:
    assert set(answered(shipped, question)) == expected


@pytest.mark.parametrize(
    ("question", "some", "none"),
    [
        ("Which countries have more than one official language?", {"Canada", "Belgium"}, {"France"}),
        ("Which countries have two official languages?", {"Canada", "Finland"}, {"Belgium", "France"}),
        ("which countries border more than five countries", {"Germany", "Brazil"}, {"Spain", "Belgium"}),
        ("Which US presidents were married twice?", {"Ronald Reagan", "Joe Biden"}, {"Abraham Lincoln"}),
        ("Which bands have more than five members?", {"The Beatles"}, {"Nirvana"}),
        ("which teams won the Super Bowl more than three times", {"Green Bay Packers"}, {"Miami Dolphins"}),
        ("teams that won the Super Bowl twice", {"Miami Dolphins"}, {"Green Bay Packers"}),
        ("which cities hosted the Summer Olympics more than once", {"London", "Paris"}, {"Rome"}),
    ],
)
def test_which_have_so_many(shipped: Engine, question: str, some: set[str], none: set[str]) -> None:
    found = set(answered(shipped, question))
    assert some <= found and not none & found


@pytest.mark.parametrize(
    "question", ["which american president died most recently", "most recent US president to die"]
)
def test_most_recently_counts_nothing(shipped: Engine, question: str) -> None:
    assert answered(shipped, question) == ["Jimmy Carter"]


def test_a_number_is_shown_as_it_is_meant(shipped: Engine) -> None:
    version = shipped.first_version("Which presidents had more than ten children?").current
    assert version is not None
    assert version.steps[-1].shown == "Of these, which is one with more than 10 children?"


@pytest.mark.parametrize(
    ("text", "names", "asked", "many"),
    [
        ("Which countries border more than five countries?", [], "Which countries", Many(">", 5)),
        (
            "which countries in Africa have at least 3 languages",
            ["Africa"],
            "which countries in Africa",
            Many(">=", 3),
        ),
        ("Which kings had several wives?", [], "Which kings", Many(">", 1)),
        ("Which king was married more than once?", [], "Which king", Many(">", 1)),
        ("Which king was married 3 times?", [], "Which king", Many("=", 3)),
        ("Which king had the most wives?", [], "Which king", None),
    ],
)
def test_quantities(text: str, names: list[str], asked: str, many: Many | None) -> None:
    found = quantity_of(text, named(text, *names))
    assert found is not None and (found.asked, found.many) == (asked, many)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("countries with more than 100 million people", []),
        ("Which films are longer than 3 hours?", []),
        ("Which team won the most Super Bowls in Texas?", ["Texas"]),
        ("which king died most recently", []),
        ("What is the most populous country?", []),
        ("How many wives did he have?", []),
        ("which presidents served two terms", []),
    ],
)
def test_figures_and_places_are_no_quantities(text: str, names: list[str]) -> None:
    assert quantity_of(text, named(text, *names)) is None
