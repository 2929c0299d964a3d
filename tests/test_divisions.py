"""The sort of division that is asked for, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the smallest state in Australia?", "Tasmania"),
        ("How many states make up India?", "28"),
        ("How many provinces does Canada have?", "10"),
        ("how many cantons does Switzerland have", "26"),
        ("largest state in the us by area", "Alaska"),
    ],
)
def test_divisions_of_the_sort_that_is_said(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


def test_territories_are_no_provinces(shipped: Engine) -> None:
    found = answered(shipped, "What are the territories of Canada?")
    assert sorted(found) == ["Northwest Territories", "Nunavut", "Yukon"]
