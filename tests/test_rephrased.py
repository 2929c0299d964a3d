"""Questions put otherwise ask the same."""

from __future__ import annotations

import pytest

from kbqa.reading.rephrased import (
    of_inhabitants,
    plainer,
    without_afterthought,
    without_exceptions,
    without_rank,
)
from tests.asking import named


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
    rest, mentions = without_exceptions(text, named(text, *names))
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
    assert of_inhabitants(text, named(text, "Tokyo")) == (whole or text)


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
    assert without_rank(text, named(text, "The First 48")) == (text, 0, 1)


def test_a_doubt_about_its_own_words_is_no_part_of_a_question() -> None:
    text = "Which town are ABBA from... or was it a city?"
    assert without_afterthought(text, named(text, "ABBA")) == "Which town are ABBA from?"
    text = "Who won, or was it Anna?"
    assert without_afterthought(text, named(text, "Anna")) == text


def test_what_was_not_understood_is_put_more_plainly() -> None:
    us = named("list all US presidents", "US")
    assert list(plainer("list all US presidents", us)) == ["US presidents"]
    assert list(plainer("cast of doctor who?", [])) == ['cast of "doctor who"?']
    assert list(plainer("who invented the telephone", [])) == ['who invented the "telephone"']
    assert list(plainer("when was 1984 published?", [], [(9, 13)])) == ['when was "1984" published?']
    assert list(plainer("Who is he?", [])) == []
