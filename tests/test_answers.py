"""How answers are shown."""

from __future__ import annotations

import pytest

from kbqa.answers import clean, collect, label_all, listing, show, show_date, show_number
from kbqa.types import XSD, Answer, Iri, Literal, Rows, freebase


@pytest.mark.parametrize(
    ("lexical", "shown"),
    [
        ("1980-12-31", "31 December 1980"),
        ("1980", "1980"),
        ("1980-05", "May 1980"),
        ("0044-03-15", "15 March 44"),
        ("-0044-03-15", "15 March 44 BC"),
        ("1980-12-31T00:00:00", "31 December 1980"),
        ("1980-12-31T08:30:00", "31 December 1980, 08:30"),
        ("1980-12-31T08:30:15Z", "31 December 1980, 08:30:15 (UTC)"),
        ("1980-12-31-08:00", "31 December 1980 (UTC-08:00)"),
        ("1980-13-01", "1980-13-01"),
        ("soon", "soon"),
    ],
)
def test_a_date_reads_as_people_write_it(lexical: str, shown: str) -> None:
    assert show_date(lexical) == shown


@pytest.mark.parametrize(
    ("lexical", "shown"),
    [
        ("1250000", "1,250,000"),
        ("1980", "1980"),
        ("-377975.0", "-377,975"),
        ("0.440", "0.44"),
        ("3.0E5", "300,000"),
        ("1e-3", "0.001"),
        ("-0.0", "0"),
        ("1E400", "1E400"),
        ("NaN", "NaN"),
        ("INF", "INF"),
        ("a few", "a few"),
        ("12345.678", "12,345.678"),
    ],
)
def test_a_number_has_thousands_separators_unless_it_may_be_a_year(lexical: str, shown: str) -> None:
    assert show_number(lexical) == shown


def test_a_value_is_shown_by_its_datatype_and_not_by_its_looks() -> None:
    assert show(Literal("true", XSD + "boolean")) == "yes"
    assert show(Literal("0", XSD + "boolean")) == "no"
    assert show(Literal("1250000", XSD + "integer")) == "1,250,000"
    assert show(Literal("1250000")) == "1250000"
    assert show(Literal("1980-05", XSD + "gYearMonth")) == "May 1980"
    assert show(Literal("1980-05")) == "1980-05"


def test_an_entity_without_a_name_is_shown_by_its_id() -> None:
    assert show(freebase("m.02k54"), "Egypt") == "Egypt"
    assert show(freebase("m.02k54")) == "m.02k54"


def test_control_characters_can_not_act_on_a_terminal_or_page() -> None:
    assert clean("a\x1b[31mb\r\nc\td") == "a␛[31mb c d"
    assert clean("evil\u202etxt\u200b\x85x\x7f") == "eviltxt x␡"
    assert clean("lone \ud800") == "lone \ufffd"
    assert clean("Zürich 東京 👩‍🚀") == "Zürich 東京 👩‍🚀"


def test_an_answer_reached_twice_is_shown_once() -> None:
    year, text = Literal("1980", XSD + "gYear"), Literal("1980")
    rows = Rows(("x",), ((freebase("m.1"),), (year,), (freebase("m.1"),), (text,), (None,)))
    assert collect(rows) == (freebase("m.1"), year, text)
    shown = label_all(collect(rows), {freebase("m.1"): "One"})
    assert [a.label for a in shown] == ["One", "1980"]


def test_a_name_in_two_spellings_and_an_entity_beside_its_name_are_one_answer() -> None:
    egypt = freebase("m.02k54")
    values = (Literal("EGYPT", language="en"), Literal("Cairo"), egypt, Literal("cairo", language="de"))
    assert [a.label for a in label_all(values, {egypt: "Egypt"})] == ["Cairo", "Egypt"]
    dates = (Literal("1980-12-31", XSD + "date"), Literal("1980-12-31T00:00:00", XSD + "dateTime"))
    assert [a.label for a in label_all(dates, {})] == ["31 December 1980"]


def test_two_entities_of_one_name_stay_two_and_show_their_ids() -> None:
    a, b = freebase("m.0d0kn"), freebase("m.0d0ke")
    shown = label_all((a, b), {a: "Georgia", b: "Georgia"})
    assert [s.label for s in shown] == ["Georgia (m.0d0kn)", "Georgia (m.0d0ke)"]


def _named(*labels: str) -> tuple[Answer, ...]:
    return tuple(Answer(Iri(f"http://e/{label}"), label) for label in labels)


def test_a_long_list_is_cut_and_says_how_many_are_left() -> None:
    letters = _named(*"abcdefghijklmno")
    assert listing(letters) == "a, b, c, d, e, f, g, h, i, j and 5 more"
    assert listing(letters[:3]) == "a, b, c"
    assert listing(letters, limit=3) == "a, b, c and 12 more"
    assert listing(letters[:3], count=1500) == "a, b, c and 1,497 more"
    assert listing(letters[:3], count=1500, at_least=True) == "a, b, c and at least 1,497 more"
    assert listing(()) == ""


def test_names_that_hold_commas_are_separated_by_semicolons() -> None:
    assert listing(_named("Washington, D.C.", "Paris")) == "Washington, D.C.; Paris"
