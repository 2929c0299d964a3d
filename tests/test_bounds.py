"""On which side of a date or number the things asked for are."""

from __future__ import annotations

import pytest

from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.engine import Engine
from kbqa.feedback import Edit
from kbqa.parse.bounds import as_said, as_written, step_as_said
from kbqa.types import (
    XSD,
    Decomposition,
    Find,
    Hop,
    Keep,
    Kind,
    Literal,
    Operator,
    Ref,
    Restriction,
    Test,
    Than,
    freebase,
)

RELEASED = (Hop(freebase("music.album.release_date")),)
HEIGHT = (Hop(freebase("geography.mountain.elevation")),)
DAY, LAST = (Literal(day, XSD + "date") for day in ("1991-01-01", "1995-12-31"))


def read(*tests: Test, path: tuple[Hop, ...] = RELEASED) -> Parse:
    """Things found, of which those remain that pass the tests."""
    found = Find(freebase("m.u2"), (Hop(freebase("music.artist.album")),))
    whole = Decomposition((found, Keep(Ref(1), restrictions=(Restriction("answer", path, tests),))))
    return Parse(recompose(whole), whole, -1.0)


def bounds(parse: Parse) -> list[tuple[str, str]]:
    """The operators and values of the last step; the query says the same."""
    assert parse.query == recompose(parse.decomposition)
    step = parse.decomposition.steps[-1]
    assert isinstance(step, Keep)
    tests = [t for r in step.restrictions for t in r.tests]
    return [
        (t.operator, t.value.lexical) for t in tests if isinstance(t, Than) and isinstance(t.value, Literal)
    ]


@pytest.mark.parametrize(
    ("text", "operator", "expected"),
    [
        ("Which albums came out in 1991?", "=", [(">=", "1991-01-01"), ("<=", "1991-12-31")]),
        ("their 1991 albums", "=", [(">=", "1991-01-01"), ("<=", "1991-12-31")]),
        ("albums released in the year 1991", ">", [(">=", "1991-01-01"), ("<=", "1991-12-31")]),
        ("albums from 1991 onwards", "=", [(">=", "1991-01-01")]),
        ("albums from 1991 and later", "<", [(">=", "1991-01-01")]),
        ("albums released since 1991", ">", [(">=", "1991-01-01")]),
        ("albums before 1991", ">", [("<", "1991-01-01")]),
        ("albums from after 1991", "<=", [(">", "1991-12-31")]),
        ("albums released after 1991", ">", [(">", "1991-12-31")]),
        ("albums of 1991 or earlier", ">", [("<=", "1991-12-31")]),
    ],
)
def test_a_date_is_compared_as_the_words_beside_it_say(
    text: str, operator: Operator, expected: list[tuple[str, str]]
) -> None:
    assert bounds(as_said(read(Than(operator, DAY, Kind.DATE)), text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which mountains top 8,500 metres?", ">"),
        ("mountains of more than 8500 m", ">"),
        ("mountains higher than 8500 m", ">"),
        ("mountains with at least 8500 m", ">="),
        ("mountains of 8500 m or more", ">="),
        ("mountains of no less than 8500 m", ">="),
        ("mountains not higher than 8500 m", "<="),
        ("mountains under 8500 m", "<"),
        ("mountains below about 8500 m", "<"),
    ],
)
def test_a_number_is_compared_as_the_words_beside_it_say(text: str, expected: str) -> None:
    for operator in (">", "<", "="):
        test = Than(operator, Literal("8500", XSD + "decimal"), Kind.NUMBER)  # type: ignore[arg-type]
        assert bounds(as_said(read(test, path=HEIGHT), text)) == [(expected, "8500")]


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("albums that matter, 1991", (Than(">", DAY, Kind.DATE),)),
        ("albums before 1991", (Than("<", DAY, Kind.DATE),)),
        ("albums before 1985", (Than(">", DAY, Kind.DATE),)),
        ("the 1991 tour, and albums before 1991", (Than(">", DAY, Kind.DATE),)),
        ("albums before 1991", (Than(">=", DAY, Kind.DATE), Than("<=", LAST, Kind.DATE))),
        ("albums of 1 January 1991", (Than("=", DAY, Kind.DATE),)),
        ("albums by two bands", (Than("=", DAY, Kind.DATE),)),
    ],
)  # fmt: skip
def test_what_the_text_does_not_say_or_says_already_stays(text: str, tests: tuple[Test, ...]) -> None:
    parse = read(*tests)
    assert as_said(parse, text) is parse


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which albums did Nirvana release in 1991?", {"Nevermind"}),
        ("Who was born in Seattle in 1955?", {"Bill Gates"}),
        ("Which films by Steven Spielberg came out in 1993?", {"Jurassic Park", "Schindler's List"}),
        ("Himalayan mountains that top 8,500 metres", {"Mount Everest", "Lhotse", "Kangchenjunga"}),
    ],
)
def test_the_network_s_side_is_put_right(shipped: Engine, question: str, expected: set[str]) -> None:
    version = shipped.first_version(question).current
    assert version is not None
    assert {a.label for a in version.steps[-1].answers} == expected


def test_a_whole_year_is_said_and_corrected_as_one(shipped: Engine) -> None:
    asked = shipped.ask("Which albums did Pink Floyd release in 1973?")
    assert asked.current is not None
    assert [a.label for a in asked.current.steps[-1].answers] == ["The Dark Side of the Moon"]
    assert "in 1973" in asked.current.steps[-1].shown
    corrected = shipped.advance(asked, Edit(2, "Of these, which came out in 1975?"))
    assert corrected.current is not None
    assert [a.label for a in corrected.current.steps[-1].answers] == ["Wish You Were Here"]
    assert "in 1975" in corrected.current.steps[-1].shown


def test_a_sentence_about_earlier_answers_is_worded_alone(shipped: Engine) -> None:
    assert shipped.phrase("Of these, which has the largest population?")


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("albums released after 1991", (Than(">", Literal("1991-12-31", XSD + "date"), Kind.DATE),)),
        ("albums of 1991 or earlier", (Than("<=", Literal("1991-12-31", XSD + "date"), Kind.DATE),)),
        ("albums since 1991", (Than(">=", DAY, Kind.DATE),)),
        (
            "the 1991 albums",
            (Than(">=", DAY, Kind.DATE), Than("<=", Literal("1991-12-31", XSD + "date"), Kind.DATE)),
        ),
    ],
)
def test_a_period_as_it_is_written_is_read_as_it_was_meant(text: str, tests: tuple[Test, ...]) -> None:
    step = Keep(Ref(1), restrictions=(Restriction("answer", RELEASED, tests),))
    written = as_written(step, text)
    assert isinstance(written, Keep)
    assert [t.value for r in written.restrictions for t in r.tests if isinstance(t, Than)] == [DAY]
    assert step_as_said(written, text) == step
