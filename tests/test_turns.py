"""Who came before or after someone in a band or among winners, beside the parser that ships."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the drummer of the Beatles before Ringo Starr?", "Pete Best"),
        ("who replaced Jason Newsted in metallica", "Robert Trujillo"),
        ("Which singer succeeded Bon Scott in AC/DC?", "Brian Johnson"),
        ("Where was the bassist who replaced Cliff Burton in Metallica born?", "Battle Creek"),
        ("Who won the Nobel Prize in Literature after William Golding?", "Jaroslav Seifert"),
        ("Which film won Best Picture right before Titanic?", "The English Patient"),
    ],
)
def test_who_came_before_or_after_is_told(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("Who was in Metallica before Kirk Hammett?", {"Lars Ulrich", "James Hetfield"}),
        ("Which authors won the Booker Prize after Kazuo Ishiguro?", {"Hilary Mantel", "Yann Martel"}),
    ],
)
def test_several_are_not_one(shipped: Engine, question: str, others: set[str]) -> None:
    assert others <= set(answered(shipped, question))
