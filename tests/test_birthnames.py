"""What people were called at birth, beside the parser that ships."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.birthnames import named_in
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is Mark Twain's real name?", "Samuel Langhorne Clemens"),
        ("george orwell real name", "Eric Arthur Blair"),
        ("What was the birth name of Bono?", "Paul David Hewson"),
        ("real name of the guitarist of U2", "David Howell Evans"),
        ("What was David Bowie called at birth?", "David Robert Jones"),
    ],
)
def test_the_name_at_birth_is_told(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("what's Sting's full name?", "Sting"),
        ("Under which name was Madonna born as?", "Madonna"),
        ("What is the name of the singer of U2?", ""),
        ("Which bands have real names?", "bands have"),
    ],
)
def test_whose_name_is_asked_for(text: str, who: str) -> None:
    assert named_in(text) == who
