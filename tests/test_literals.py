"""Dates and numbers as people write them."""

from __future__ import annotations

import pytest

from kbqa.parse.literals import find_values


def periods(text: str) -> list[tuple[str, str, str]]:
    return [(v.text, v.first, v.last) for v in find_values(text)]


def numbers(text: str) -> list[str]:
    return [f"{v.number}..{v.most}" if v.most else v.number for v in find_values(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("films made between 1950 and 1960", ("1950 and 1960", "1950-01-01", "1960-12-31")),
        ("films from 1954 to 1958", ("1954 to 1958", "1954-01-01", "1958-12-31")),
        ("the years 1954–1958", ("1954–1958", "1954-01-01", "1958-12-31")),
        ("bands of the seventies", ("seventies", "1970-01-01", "1979-12-31")),
        ("albums from the sixtys", ("sixtys", "1960-01-01", "1969-12-31")),
        ("80’s bands", ("80’s", "1980-01-01", "1989-12-31")),
        ("in the 00s", ("00s", "2000-01-01", "2009-12-31")),
        ("the 1980's", ("1980's", "1980-01-01", "1989-12-31")),
        ("born in the 19th century", ("19th century", "1801-01-01", "1900-12-31")),
        ("twenty-first-century novels", ("twenty-first-century", "2001-01-01", "2100-12-31")),
        ("wars of this century", ("this century", "2001-01-01", "2100-12-31")),
    ],
)
def test_a_period_is_one_value(text: str, expected: tuple[str, str, str]) -> None:
    assert periods(text) == [expected]


@pytest.mark.parametrize(
    "text",
    ["an actress in her thirties", "the 200th century", "between 1960 and 1950", "a 2020-10-11 release"],
)
def test_what_is_no_such_period_is_none(text: str) -> None:
    assert not [v for v in find_values(text) if v.first[:4] != v.last[:4]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("with between 5 and 10 million people", ["5000000..10000000"]),
        ("from 1,500 to 2,000 seats", ["1500..2000"]),
        ("mountains between 1000 and 2000 metres", ["1000..2000"]),
        ("more than ten million people", ["10000000"]),
        ("at least eight seasons", ["8"]),
        ("eight seasons", []),
        ("under 300 000 km2", ["300000"]),
        ("mountains over 4000m", ["4000"]),
        ("longer than 2 hours", ["120"]),
        ("over an hour and a half", ["90"]),
        ("higher than 20,000 feet", ["6096"]),
        ("rivers over 1000 miles long", ["1609"]),
        ("larger than 100,000 square miles", ["258999"]),
    ],
)
def test_amounts_are_in_the_units_that_facts_have(text: str, expected: list[str]) -> None:
    assert numbers(text) == expected


def test_two_values_stay_apart_for_rules_that_join_them() -> None:
    found = find_values("between 1950 and 1960", apart=True)
    assert [v.text for v in found] == ["1950", "1960"]


def test_a_round_hundred_is_a_century() -> None:
    (old,), (new,) = find_values("born in the 1700s"), find_values("born in the 2000s")
    assert (old.first, old.last, new.last) == ("1700-01-01", "1799-12-31", "2009-12-31")
