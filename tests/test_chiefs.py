"""Who runs a company, and who did."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who is the ceo of apple", ["Tim Cook"]),
        ("Who was CEO of Microsoft before Satya Nadella?", ["Steve Ballmer"]),
        ("Who became Apple's CEO after Steve Jobs?", ["Tim Cook"]),
        ("Who was the CEO of Yahoo in 2013?", ["Marissa Mayer"]),
        ("Who was the first CEO of Apple?", ["Michael Scott"]),
        ("Apple's original chief executive", ["Michael Scott"]),
        ("Which company did Google acquire in 2006?", ["YouTube"]),
        ("which company bought instagram", ["Meta Platforms"]),
    ],
)
def test_the_chief_is_told(shipped: Engine, question: str, expected: list[str]) -> None:
    assert answered(shipped, question) == expected


def test_what_else_is_asked_of_the_chief_is_read(shipped: Engine) -> None:
    assert "Auburn University" in answered(shipped, "What university did the CEO of Apple attend?")


def test_a_company_without_known_leaders_has_no_chief(shipped: Engine) -> None:
    assert answered(shipped, "Who is the CEO of Maserati?") != ["Tim Cook"]
