"""What is asked of something that a clause of its own describes, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What is the largest city in the state where Mount Rushmore is?", {"Sioux Falls"}),
        ("which is the longest river in the country where Big Ben is", {"River Severn"}),
        ("Where was the man who was president when the Titanic sank born?", {"Cincinnati"}),
        ("In what state was the president during the Cuban Missile Crisis born?", {"Massachusetts"}),
        ("who was married to the prime minister of the UK during the Falklands War", {"Denis Thatcher"}),
    ],
)
def test_described_things_are_found_first(shipped: Engine, question: str, answers: set[str]) -> None:
    assert set(answered(shipped, question)) == answers


@pytest.mark.parametrize(
    "question", ["Who was the president during the Korean War?", "What is the largest city in South Dakota?"]
)
def test_others_are_not_read_so(shipped: Engine, question: str) -> None:
    assert shipped.reader.nested.asked(question, shipped.reader.link(question)) is None
