"""Awards of a season by the year or the final, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the NBA MVP in 1993?", "Charles Barkley"),
        ("2005 nba mvp", "Steve Nash"),
        ("Who won the NBA MVP award in the 2013-14 season?", "Kevin Durant"),
        ("Who was NFL MVP for 1984?", "Dan Marino"),
        ("Who won the FA Cup in 1999?", "Manchester United F.C."),
        ("Who was Super Bowl MVP in 1982?", "Joe Montana"),
        ("mvp of super bowl XXV", "Ottis Anderson"),
        ("Super Bowl XXXIV MVP?", "Kurt Warner"),
        ("Which university did the MVP of Super Bowl XLI go to?", "University of Tennessee"),
    ],
)
def test_a_year_or_final_tells_the_season(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    "question",
    [
        "Who won the NBA MVP award in 1902?",
        "Who won Super Bowl XX?",
        "Who was the MVP?",
        "Who has won the NBA MVP award?",
    ],
)
def test_others_stay_as_they_are(shipped: Engine, question: str) -> None:
    reader = shipped.reader
    assert reader.seasons.of_season(question, reader.link(question)) == question
