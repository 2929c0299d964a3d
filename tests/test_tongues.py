"""The language of a country and the country of a language, over the stub with the models that ship."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which language do people speak in the country whose capital is Nairobi?", ["English", "Swahili"]),
        ("What is the capital of the country where Urdu is spoken?", ["Islamabad"]),
        ("What's the currency of the country where people speak Hungarian?", ["Hungarian forint"]),
    ],
)
def test_one_that_is_asked_for_is_the_main_one(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


def test_several_are_asked_for(shipped: Engine) -> None:
    assert answered(shipped, "what languages are spoken in Peru") == [
        "Asháninka",
        "Aymara",
        "Quechua",
        "Spanish",
    ]
    assert len(answered(shipped, "capitals of the countries where Swahili is spoken")) == 8
