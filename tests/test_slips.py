"""Words and names with slips of the pen."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.link.words import respelt
from tests.asking import answered


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("univeristy", "university"),
        ("moutain", "mountain"),
        ("directd", "directed"),
        ("university", "university"),
        ("xyzzy", "xyzzy"),
        ("fo", "fo"),
    ],
)
def test_a_word_is_spelt_as_the_one_that_is_near(written: str, meant: str) -> None:
    assert respelt(written) == meant


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what univeristy did obama go to", "what university did obama go to"),
        ("India's first female prime minster", "India's first female prime minister"),
        ("who scored for arsenal", "who scored for arsenal"),
        ("What religion did Narnia's writer practise?", "What religion did Narnia's writer practise?"),
        ("Who directed Teh Moutain?", "Who directed Teh Moutain?"),  # capitals may be a name
    ],
)
def test_only_what_is_no_word_is_respelt(shipped: Engine, question: str, said: str) -> None:
    mentions = shipped.reader.link(question)
    assert shipped.kb.linker.respelt(question, mentions, shipped.parser.is_word) == said


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who stars in braking bad", "Breaking Bad"),
        ("name the cast of gane of thrones", "Game of Thrones"),
        ("who wrote pride and predjudice", "Pride and Prejudice"),
        ("who starred in pulp ficton", "Pulp Fiction"),
        ("oldest member of the rolling stonse", "The Rolling Stones"),
        ("what was filmed in barking", "Barking"),
    ],
)
def test_a_misspelt_name_of_several_words_is_read_whole(shipped: Engine, question: str, name: str) -> None:
    assert name in [m.candidates[0].label for m in shipped.kb.linker.link(question)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("tallest moutain in africa?", ["Kilimanjaro"]),
        ("what city is the univeristy mark zuckerberg dropped out of in", ["Cambridge"]),
        ("who plays walter white in braking bad", ["Bryan Cranston"]),
        ("Who was India's first female prime minster?", ["Indira Gandhi"]),
    ],
)
def test_questions_with_slips_are_answered(shipped: Engine, question: str, expected: list[str]) -> None:
    assert answered(shipped, question) == expected
