"""The religion that most people have, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the main religion in Nepal?", ["Hinduism"]),
        ("most common religion in Thailand", ["Buddhism"]),
        ("Which religion do most people in Indonesia follow?", ["Islam"]),
        ("What are the religions of Thailand?", ["Buddhism", "Christianity", "Islam"]),
    ],
)
def test_the_main_religion_is_one(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers
