"""What is typed in a hurry is read in full, and names stay where they are."""

from __future__ import annotations

import pytest

from kbqa.kb import open_kb
from kbqa.protocols import Candidate, Mention
from kbqa.shorthand import (
    of_inhabitants,
    of_which_country,
    plainer,
    spelt_out,
    with_last_names,
    without_exceptions,
    without_rank,
)
from kbqa.types import freebase


def _named(text: str, *names: str) -> list[Mention]:
    return [Mention(text.index(n), text.index(n) + len(n), n, ()) for n in names]


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
        ("B.4 or b4-x or 'flickers'", [], "B.4 or b4-x or 'flickers'"),
        ("", [], ""),
    ],
)
def test_words_outside_names_are_spelt_out(text: str, names: list[str], full: str | None) -> None:
    said, mentions = spelt_out(text, _named(text, *names))
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
    ],
)
def test_presidents_are_of_the_united_states_where_nothing_else_is_said(
    text: str, named: Candidate | None, whole: str | None
) -> None:
    at = text.index(named.label) if named else 0
    mentions = [Mention(at, at + len(named.label), named.label, (named,))] if named else []
    assert of_which_country(text, mentions) == (whole or text)


@pytest.mark.parametrize(
    ("text", "names", "left_out", "whole"),
    [
        ("Besides SpaceX, what did Musk found?", ["SpaceX", "Musk"], 1, "What did Musk found?"),
        ("what did Musk found apart from SpaceX and Tesla?", ["Musk", "SpaceX", "Tesla"], 2,
         "What did Musk found?"),
        ("Which states other than Texas, Utah or Ohio border Iowa?", ["Texas", "Utah", "Ohio", "Iowa"], 3,
         "Which states border Iowa?"),
        ("albums by the Beatles except for the Help", ["Beatles", "Help"], 1, "Albums by the Beatles"),
        ("Which companies are there besides SpaceX?", ["SpaceX"], 0, None),
        ("Besides, who is Musk?", ["Musk"], 0, None),
        ("Is Tesla bigger than SpaceX?", ["Tesla", "SpaceX"], 0, None),
    ],
)  # fmt: skip
def test_what_is_left_out_is_not_asked(text: str, names: list[str], left_out: int, whole: str | None) -> None:
    rest, mentions = without_exceptions(text, _named(text, *names))
    assert (rest, len(mentions)) == (whole or text, left_out)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("how many people live in Tokyo", "What is the population of Tokyo?"),
        ("How many inhabitants are there in the Tokyo?", "What is the population of Tokyo?"),
        ("how many people are living in Tokyo", "What is the population of Tokyo?"),
        ("How many people live in Tokyo and speak Ainu?", None),
        ("How many people were born in Tokyo?", None),
    ],
)
def test_those_who_live_in_a_place_are_its_population(text: str, whole: str | None) -> None:
    assert of_inhabitants(text, _named(text, "Tokyo")) == (whole or text)


@pytest.mark.parametrize(
    ("text", "rest", "offset", "limit"),
    [
        ("What is the second largest country?", "What is the largest country?", 1, 1),
        ("3rd oldest team", "oldest team", 2, 1),
        ("top 5 highest mountains", "highest mountains", 0, 5),
        ("the two most populous countries", "the most populous countries", 0, 2),
        ("the first three albums by Queen", "the first albums by Queen", 0, 3),
        ("What is the largest country?", None, 0, 1),
        ("Who won the second West derby?", None, 0, 1),
        ("Who was president for the first two years?", None, 0, 1),
        ("the 1995 largest", None, 0, 1),
        ("the first one", "the first one", 0, 1),
    ],
)
def test_how_many_from_which_place(text: str, rest: str | None, offset: int, limit: int) -> None:
    assert without_rank(text, ()) == (rest or text, offset, limit)


def test_a_rank_in_a_name_stays() -> None:
    text = "Who starred in The First 48?"
    assert without_rank(text, _named(text, "The First 48")) == (text, 0, 1)


def test_what_was_not_understood_is_put_more_plainly() -> None:
    us = _named("list all US presidents", "US")
    assert list(plainer("list all US presidents", us)) == ["US presidents"]
    assert list(plainer("cast of doctor who?", [])) == ['cast of "doctor who"?']
    assert list(plainer("who invented the telephone", [])) == ['who invented the "telephone"']
    assert list(plainer("Who is he?", [])) == []
