"""What was so when something else was, read in steps, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.types import Find, Literal, OpenThan
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was president when Elvis Presley died?", {"Jimmy Carter"}),
        ("Who was prime minister of the UK when World War II started?", {"Neville Chamberlain"}),
        ("who was king of england when WW1 started", {"George V"}),
        ("Who was president during World War II?", {"Franklin D. Roosevelt", "Harry S. Truman"}),
        ("who was the British prime minister during the Falklands War", {"Margaret Thatcher"}),
        ("Who was president when the Hindenburg exploded?", {"Franklin D. Roosevelt"}),
        (
            "which presidents were in office during the Korean War",
            {"Harry S. Truman", "Dwight D. Eisenhower"},
        ),
        ("Who was British PM when the Suez Crisis began?", {"Anthony Eden"}),
        ("who was the german chancellor when the Gulf War ended", {"Helmut Kohl"}),
        ("Who was in the White House when the Lusitania sank?", {"Woodrow Wilson"}),
        ("which team won the World Series in the year Titanic came out?", {"Miami Marlins"}),
    ],
)
def test_what_was_so_then(shipped: Engine, question: str, expected: set[str]) -> None:
    assert set(answered(shipped, question)) == expected


def test_the_very_day_counts(shipped: Engine) -> None:
    version = shipped.first_version("Who was US president when JFK was born?").current
    assert version is not None
    last = version.parse.decomposition.steps[-1]
    assert isinstance(last, Find)
    days = {t.value for r in last.restrictions for t in r.tests if isinstance(t, OpenThan)}
    assert {d.lexical for d in days if isinstance(d, Literal)} == {"1917-05-29"}
    assert [a.label for a in version.steps[0].answers] == ["29 May 1917"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was US president in 1912?", {"William Howard Taft"}),
        ("who lived at 10 Downing Street in 1985", {"Margaret Thatcher"}),
        ("Who became US president in 1963?", {"Lyndon B. Johnson"}),
    ],
)
def test_who_was_in_office_in_a_year_may_have_taken_it_before(
    shipped: Engine, question: str, expected: set[str]
) -> None:
    assert set(answered(shipped, question)) == expected


def test_when_something_happened_is_when_it_was(shipped: Engine) -> None:
    assert answered(shipped, "When did the Boston Tea Party happen?") == ["16 December 1773"]


@pytest.mark.parametrize(
    "question",
    [
        "When was Elvis Presley born?",
        "How old was Elvis Presley when he died?",
        "Which films came out when Barack Obama was president?",
        "What band was John Lennon in when he met Yoko Ono?",
        "Who was president when?",
        "Which song is during?",
    ],
)
def test_others_are_not_read_so(shipped: Engine, question: str) -> None:
    assert shipped.reader.moments.then(question, shipped.reader.link(question)) is None
