"""What is typed in a hurry is read in full, and names stay where they are."""

from __future__ import annotations

import pytest

from kbqa.kb import open_kb
from kbqa.protocols import Candidate, Mention
from kbqa.reading.shorthand import bearers, of_which_country, spelt_out, with_last_names, with_numerals
from kbqa.types import freebase
from tests.asking import named


@pytest.mark.parametrize(
    ("text", "names", "full"),
    [
        ("tarantino flicks b4 1995", ["tarantino"], "tarantino films before 1995"),
        ("Official lang of the country bob marley is from", ["bob marley"], None),
        ("elvis presley's mom", ["elvis presley"], "elvis presley's mother"),
        ("Who sang Papa, Can You Hear Me, dad?", ["Papa, Can You Hear Me"], None),
        ("Who wrote Uni?", ["Uni"], "Who wrote Uni?"),
        ("Barack Obama's sisters and brothers", ["Barack Obama"], "Barack Obama's siblings"),
        ("the mom & dad of Elvis, or his wives", ["Elvis"], "the parents of Elvis, or his wives"),
        (
            "Who starred in Brothers and Sisters?",
            ["Brothers and Sisters"],
            "Who starred in Brothers and Sisters?",
        ),
        ("writers that killed themselves in '61", [], "writers that died of suicide in 1961"),
        ("songs of the '80s by Prince", ["Prince"], "songs of the 1980s by Prince"),
        ("who quit in ’07?", [], "who quit in 2007?"),
        ("cast of That '70s Show", ["That '70s Show"], "cast of That '70s Show"),
        ("who was shot dead in Dallas", ["Dallas"], "who was assassinated in Dallas"),
        ("actors w/ two sons, w/o an Oscar", [], "actors with two sons, without an Oscar"),
        ("the eldest car makers", [], "the oldest car companies"),
        ("B.4 or b4-x or 'flickers'", [], "B.4 or b4-x or 'flickers'"),
        ("", [], ""),
    ],
)
def test_words_outside_names_are_spelt_out(text: str, names: list[str], full: str | None) -> None:
    said, mentions = spelt_out(text, named(text, *names))
    assert said == (full or text.replace("lang", "language").replace("dad", "father"))
    assert [said[m.start : m.end] for m in mentions] == names


@pytest.mark.parametrize(
    "question",
    [
        "I'd love to know the capital of Egypt",
        "i’d like it",
        "We'll see what they're like",
        "Don't know, who's he?",
    ],
)
def test_contractions_name_nothing(question: str) -> None:
    with open_kb() as kb:
        assert not [m for m in kb.linker.link(question) if "'" in m.text or "’" in m.text]
        assert {c.label for m in kb.linker.link(question) for c in m.candidates[:1]} <= {"Egypt"}


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("novels by Emily and Anne Brontë", "novels by Emily Brontë and Anne Brontë"),
        ("Where did Bill or Hillary Clinton study?", "Where did Bill Clinton or Hillary Clinton study?"),
        ("books by Stephen King and J. K. Rowling", "books by Stephen King and J. K. Rowling"),
        ("Which cities are in France and South Africa?", "Which cities are in France and South Africa?"),
    ],
)
def test_two_of_one_last_name_are_called_by_it(text: str, full: str) -> None:
    with open_kb() as kb:
        assert with_last_names(text, kb.linker.link(text), kb.linker.link) == full


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("Who was Henry the Eighth's first wife?", "Who was Henry VIII's first wife?"),
        ("henry the 8ths wives", "Henry VIII's wives"),
        ("henry 8th wives", "Henry VIII wives"),
        ("When was Edward the Seventh born?", "When was Edward VII born?"),
        ("When did Louis the ninth century end?", "When did Louis the ninth century end?"),
        ("Was Mary the first queen?", "Was Mary the first queen?"),
        ("Who is Smith the Eighth?", "Who is Smith the Eighth?"),
    ],
)
def test_monarchs_with_their_number_in_words_are_named(text: str, full: str) -> None:
    with open_kb() as kb:
        assert with_numerals(text, kb.linker.link(text), kb.linker.link) == full


def test_idaho_is_still_called_so() -> None:
    with open_kb() as kb:
        assert kb.linker.link("What is the capital of ID?")[0].candidates[0].label == "Idaho"


FRANCE = Candidate(freebase("m.0f8l9c"), "France", "France", 1.0, (freebase("location.country"),))
TEXAS = Candidate(freebase("m.07b_l"), "Texas", "Texas", 1.0, (freebase("location.us_state"),))


@pytest.mark.parametrize(
    ("text", "named", "whole"),
    [
        ("Which presidents died in Texas?", TEXAS, "Which US presidents died in Texas?"),
        ("presidents who were actors", None, "US presidents who were actors"),
        ("who was the youngest president", None, "who was the youngest US president"),
        ("Which presidents died in France?", FRANCE, None),
        ("the president of the club", None, None),
        ("Which American presidents were actors?", None, None),
        ("who was vice president", None, None),
        ("before he became president", None, None),
        ("Who was elected president in 2008?", None, "Who was elected US president in 2008?"),
        ("who is the president?", None, "who is the US president?"),
        ("Who was president of France in 1995?", None, None),
        (
            "who is the only president who never married",
            None,
            "who is the only US president who never married",
        ),
        ("what is the smallest state", None, "what is the smallest US state"),
        ("Which states border Texas?", TEXAS, None),
        ("which state is it in", None, "which US state is it in"),
        ("What is the state bird of Texas?", TEXAS, None),
        ("Which states border France?", FRANCE, None),
        ("what states of matter are there", None, None),
    ],
)
def test_presidents_and_states_are_of_the_united_states_where_nothing_else_is_said(
    text: str, named: Candidate | None, whole: str | None
) -> None:
    at = text.index(named.label) if named else 0
    mentions = [Mention(at, at + len(named.label), named.label, (named,))] if named else []
    assert of_which_country(text, mentions) == (whole or text)


def test_people_are_known_by_their_last_names() -> None:
    with open_kb() as kb:
        (lincoln,) = kb.linker.link("What party was Lincoln in?")
        (berlin,) = kb.linker.link("What party was Berlin in?")
    assert lincoln.candidates[0].label == "Lincoln"
    assert [c.label for c in bearers(lincoln)][:1] == ["Abraham Lincoln"]
    assert all(c.label.endswith(" Berlin") for c in bearers(berlin))
