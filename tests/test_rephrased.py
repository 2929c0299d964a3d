"""Questions put otherwise ask the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbqa.engine import Engine
from kbqa.protocols import Candidate, Mention
from kbqa.reading.rephrased import (
    of_claim,
    of_edition,
    of_inhabitants,
    of_league_players,
    of_more_people,
    of_most_kin,
    of_most_titles,
    of_number,
    of_occasions,
    of_opponent,
    of_outside,
    of_titles,
    of_years,
    plainer,
    without_afterthought,
    without_exceptions,
    without_rank,
)
from kbqa.types import freebase
from tests.asking import answered, named


@pytest.mark.parametrize(
    ("text", "names", "left_out", "whole"),
    [
        ("Besides SpaceX, what did Musk found?", ["SpaceX", "Musk"], 1, "What did Musk found?"),
        ("what did Musk found apart from SpaceX and Tesla?", ["Musk", "SpaceX", "Tesla"], 2,
         "What did Musk found?"),
        ("Which states other than Texas, Utah or Ohio border Iowa?", ["Texas", "Utah", "Ohio", "Iowa"], 3,
         "Which states border Iowa?"),
        ("albums by the Beatles except for the Help", ["Beatles", "Help"], 1, "Albums by the Beatles"),
        ("Which films are by Lee, but not Hulk?", ["Lee", "Hulk"], 1, "Which films are by Lee?"),
        ("After Lima, what is the largest city in Peru?", ["Lima", "Peru"], 1,
         "What is the largest city in Peru?"),
        ("the biggest city of Peru after Lima", ["Peru", "Lima"], 1, "The biggest city of Peru"),
        ("What did Musk found after Tesla?", ["Musk", "Tesla"], 0, None),
        ("spoken in Chad but not in Mali", ["Chad", "Mali"], 0, None),
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
        ("Who was Picasso's second wife?", "Who was Picasso's first wife?", 1, 1),
        ("the 3rd album by Nirvana", "the first album by Nirvana", 2, 1),
        ("a second lady", None, 0, 1),
        ("top 5 highest mountains", "highest mountains", 0, 5),
        ("the two most populous countries", "the most populous countries", 0, 2),
        ("the first three albums by Queen", "the first albums by Queen", 0, 3),
        ("What is the largest country?", None, 0, 1),
        ("Who won the second West derby?", None, 0, 1),
        ("Who was president for the first two years?", None, 0, 1),
        ("the 1995 largest", None, 0, 1),
        ("the first one", "the first one", 0, 1),
        ("What is Queen's 2nd studio album?", "What is Queen's first studio album?", 1, 1),
        ("third Harry Potter book", "first Harry Potter book", 2, 1),
        ("Which of their albums came out fourth?", "Which of their albums came out first?", 3, 1),
        ("Who came third?", None, 0, 1),
        ("the second of the books", None, 0, 1),
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
    actresses = named("British actresses", "British")
    assert list(plainer("British actresses", actresses)) == ["British female actors"]
    assert list(plainer("cast of doctor who?", [])) == ['cast of "doctor who"?']
    assert list(plainer("who invented the telephone", [])) == ['who invented the "telephone"']
    assert list(plainer("when was 1984 published?", [], [(9, 13)])) == ['when was "1984" published?']
    assert list(plainer("Who is he?", [])) == []


@pytest.mark.parametrize(
    ("text", "names", "whole"),
    [
        ("How many times have the Bears won the Cup?", ["Bears", "Cup"], "How many Cups have the Bears won?"),
        ("how often did Rome host the Games", ["Rome", "Games"], "How many Games did Rome host?"),
        ("How many times did Rome burn?", ["Rome"], None),
    ],
)
def test_how_often_is_how_many(text: str, names: list[str], whole: str | None) -> None:
    assert of_occasions(text, named(text, *names)) == (whole or text)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("nhl team with the most Cups", "Which team has won the most Cups titles?"),
        ("national team with the most Cups", "Which team has won the most Cups titles?"),
        ("most Cups wins team", "Which team has won the most Cups titles?"),
        ("Which country has the most Cups?", "Which country has won the most Cups titles?"),
        ("Which team with the most Cups is in Canada?", None),
        ("most Cups", None),
    ],
)
def test_most_titles_are_those_won(text: str, whole: str | None) -> None:
    (cup,) = named(text, "Cups")
    contested = Candidate(
        freebase("m.1"), "Cups", "Cups", 1.0, types=(freebase("sports.sports_championship"),)
    )
    assert of_most_titles(text, [replace(cup, candidates=(contested,))]) == (whole or text)
    assert of_most_titles(text, [cup]) == text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Do more people live in Chad than in Mali?", "Is Chad more populous than Mali?"),
        ("are there fewer inhabitants in Chad than Mali", "Is Chad less populous than Mali?"),
        ("Do more people live in Chad or in Mali?", "Which is more populous, Chad or Mali?"),
        ("Do people live in Chad or Mali?", None),
    ],
)
def test_where_more_people_live_is_more_populous(text: str, whole: str | None) -> None:
    assert of_more_people(text, named(text, "Chad", "Mali")) == (whole or text)


def test_outside_is_not_in() -> None:
    text = "Which kings were born outside of Spain?"
    assert of_outside(text, named(text, "Spain")) == "Which kings were not born in Spain?"
    text = "kings born outside Spain"
    assert of_outside(text, named(text, "Spain")) == "kings who were not born in Spain"
    text = "Which teams outside Spain play there?"
    assert of_outside(text, named(text, "Spain")) == "Which teams that are not in Spain play there?"
    text = "Which outside linebackers are there?"
    assert of_outside(text, ()) == text


@pytest.mark.parametrize(
    ("text", "names", "whole"),
    [
        (
            "My son insists Lewis was older then Tolkien. Is he right?",
            ("Lewis", "Tolkien"),
            "Was Lewis older than Tolkien?",
        ),
        (
            "my mate swears The Shining goes on longer than Psycho does, is he right?",
            ("The Shining", "Psycho"),
            "Does The Shining goes on longer than Psycho?",
        ),
        (
            "Somebody said that C. S. Lewis died before Kennedy, true?",
            ("C. S. Lewis", "Kennedy"),
            "Does C. S. Lewis died before Kennedy?",
        ),
        ("My son insists Lewis wrote Narnia. Is he right?", ("Lewis", "Narnia"), "Does Lewis wrote Narnia?"),
        ("Lewis said something of Narnia once. Is he right?", ("Lewis", "Narnia"), None),
        ("Is K2 higher than Kailash?", ("K2", "Kailash"), None),
        ("My friends of Lewis say K2 is higher than Kailash, right?", ("Lewis", "K2", "Kailash"), None),
    ],
)
def test_a_claim_asks_whether_it_is_so(text: str, names: tuple[str, ...], whole: str | None) -> None:
    assert of_claim(text, named(text, *names)) == (whole or text)


def test_an_edition_goes_by_its_year_where_it_has_such_a_name() -> None:
    def link(text: str) -> list[Mention]:
        found = named(text, *(name for name in ("2012 Games", "Cup") if name in text))
        return [replace(m, candidates=(Candidate(freebase("m.1"), m.text, m.text, 1.0),)) for m in found]

    text = "Where did the Games take place in 2012?"
    assert of_edition(text, named(text, "Games"), link) == "Where did the 2012 Games take place?"
    text = "Who won the Cup in 2012?"
    assert of_edition(text, named(text, "Cup"), link) == text


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("albums released after the year 2005", "albums released after 2005"),
        ("films he made befor 2000", "films he made before 2000"),
        ("the year 2005 in film", "the year 2005 in film"),
        ("the year The Graduate came out", "the year The Graduate came out"),
    ],
)
def test_years_as_others_say_them(said: str, plain: str) -> None:
    assert of_years(said, ()) == plain


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Who did the Lions beat in Cup IX?", "Who was the runner-up of Cup IX?"),
        ("who'd the lions beat in the Cup IX?", "Who was the runner-up of Cup IX?"),
        ("Who did the Lions lose to in Cup IX?", "Who won Cup IX?"),
        ("Who beat the Lions in Cup IX?", "Who won Cup IX?"),
        ("which team lost to the Lions at Cup IX?", "Who was the runner-up of Cup IX?"),
        ("Who beat the Lions in Cup IX and X?", None),
        ("Who played the Lions in Cup IX?", None),
    ],
)
def test_who_was_beaten_is_the_runner_up(text: str, whole: str | None) -> None:
    contested = Candidate(
        freebase("m.1"), "Cup IX", "Cup IX", 1.0, types=(freebase("sports.sports_championship_event"),)
    )
    (cup,) = named(text, "Cup IX")
    assert of_opponent(text, [replace(cup, candidates=(contested,))]) == (whole or text)
    assert of_opponent(text, [cup]) == text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Which NBA players went to Yale?", "Which basketball players went to Yale?"),
        ("nfl player from Yale", "football player from Yale"),
        ("Which NBA teams are from Yale?", None),
        ("Who plays in the NBA?", None),
    ],
)
def test_players_of_a_league_are_called_by_their_sport(text: str, whole: str | None) -> None:
    assert of_league_players(text, named(text, *(n for n in ("NBA", "Yale") if n in text))) == (whole or text)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("When did the Beatles release help?", 'When did the Beatles release "help"?'),
        ("In what year did the Beatles release nothing?", None),
        ("Where did the Beatles record help?", None),
    ],
)
def test_what_was_made_is_named(text: str, whole: str | None) -> None:
    def link(said: str) -> tuple[Mention, ...]:
        found = named(said, "help") if '"help"' in said else []
        return tuple(
            replace(m, candidates=(Candidate(freebase("m.1"), "Help!", "help", 1.0),)) for m in found
        )

    assert of_titles(text, named(text, "Beatles"), link) == (whole or text)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Out of all the US states, what number are in the East?", "How many US states are in the East?"),
        ("Of the planets, how many of them have rings?", "How many planets have rings?"),
        ("Count the popes who were born in France.", "How many popes were born in France."),
        ("Of what is it made, and how many are there?", None),
        ("Who is Count Dracula?", None),
    ],
)
def test_how_many_of_all_is_how_many(text: str, whole: str | None) -> None:
    assert of_number(text, ()) == (whole or text)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("us president with most kids", "Which us president had the most kids?"),
        ("Who was the king who had the most wives?", "Which king had the most wives?"),
        ("Which president had the most children?", None),
        ("city with the most people", None),
    ],
)
def test_who_had_most_relatives_is_asked_of_each(text: str, whole: str | None) -> None:
    assert of_most_kin(text, ()) == (whole or text)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which Portuguese-speaking countries are in Asia?", {"East Timor"}),
        ("largest german speaking country by area", {"Germany"}),
    ],
)
def test_who_speaks_a_language_has_it_for_an_official_one(
    shipped: Engine, question: str, answers: set[str]
) -> None:
    assert set(answered(shipped, question)) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("My uncle says there is a mountain higher than K2. Which one is it?", {"Mount Everest"}),
        ("Between Lake Huron and Lake Erie, which one covers more area?", {"Lake Huron"}),
        ("home state of Jimmy Carter's vice president", {"Minnesota"}),
        ("Ohio-born presidents who were assassinated", {"James A. Garfield", "William McKinley"}),
        ("I'm off to see the Taj Mahal! What is the capital of the Indian state it stands in?", {"Lucknow"}),
        ("Which presidents were killed while in office?",
         {"Abraham Lincoln", "James A. Garfield", "John F. Kennedy", "William McKinley"}),
        ("Who was president when Martin Luther King was shot?", {"Lyndon B. Johnson"}),
    ],
)  # fmt: skip
def test_questions_put_otherwise_are_answered(shipped: Engine, question: str, answers: set[str]) -> None:
    assert set(answered(shipped, question)) == answers
