"""Olympic medals, each time they were won; titles of tennis, golf and motor racing are awards."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many gold medals did Usain Bolt win?", ["8"]),
        ("how many olympic gold medals has michael phelps won", ["23"]),
        ("How many Olympic medals did Carl Lewis win?", ["10"]),
        ("How many silver medals did Carl Lewis win?", ["1"]),
        ("How many golds did Jesse Owens win at the 1936 Summer Olympics?", ["4"]),
        ("how many times did rafael nadal win the french open", ["9"]),
        ("Which golfer won the most majors?", ["Jack Nicklaus"]),
        ("who has won the most grand slam singles titles in mens tennis", ["Roger Federer"]),
        ("Who won Wimbledon in 2012?", ["Roger Federer", "Serena Williams"]),
        ("Which woman won the US Open in 1999?", ["Serena Williams"]),
        ("Who was F1 world champion in 1994?", ["Michael Schumacher"]),
        ("which of the williams sisters has won more grand slam singles titles", ["Serena Williams"]),
        ("what country is the tennis player who won the 2009 mens us open from", ["Argentina"]),
    ],
)
def test_each_time_counts(shipped: Engine, question: str, expected: list[str]) -> None:
    assert answered(shipped, question) == expected
