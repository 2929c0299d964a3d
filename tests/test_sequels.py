"""The first or last of somebody's works after or before something, over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "works"),
    [
        ("first metallica album after Jason Newsted joined", ["...And Justice for All"]),
        (
            "What's the first record Pink Floyd put out after David Gilmour came aboard?",
            ["A Saucerful of Secrets"],
        ),
        ("What was the first Genesis album after Peter Gabriel left?", ["A Trick of the Tail"]),
        ("last album by The Doors before Jim Morrison died", ["L.A. Woman"]),
        ("last album the doors made before jim morrisons death", ["L.A. Woman"]),
        ("last novel jane austen published while alive", ["Emma"]),
        ("what was franz kafka's last book published in his lifetime", ["The Metamorphosis"]),
    ],
)
def test_works_are_ordered_from_the_day_on(shipped: Engine, question: str, works: list[str]) -> None:
    assert answered(shipped, question) == works


def test_the_day_is_a_step_of_its_own(shipped: Engine) -> None:
    version = shipped.first_version("last album by The Doors before Jim Morrison died").current
    assert version is not None
    assert [s.answer_count for s in version.steps] == [1, 9, 7, 1]
    assert version.steps[0].answers[0].label == "3 July 1971"
