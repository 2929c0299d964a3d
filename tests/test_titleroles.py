"""Title roles, the actor of a character that a film is called after, and the university of a state, over the
stub with the models that ship."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Who's the actor with the title role in Sherlock?", ["Benedict Cumberbatch"]),
        ("who stars as the title character in dexter", ["Michael C. Hall"]),
        ("Who had the title role in Lincoln?", ["Daniel Day-Lewis"]),
        ("who plays the titular role in Harry Potter and the Chamber of Secrets", ["Daniel Radcliffe"]),
    ],
)
def test_title_roles_are_named(shipped: Engine, question: str, people: list[str]) -> None:
    assert answered(shipped, question) == people


def test_the_actor_of_a_character_is_not_the_cast_of_its_film(shipped: Engine) -> None:
    assert answered(shipped, "forrest gump actor wife") == ["Rita Wilson"]
    assert len(answered(shipped, "The Godfather actors")) > 5


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("alabama school colors", ["Crimson", "White"]),
        ("school colors of florida", ["Blue", "Orange"]),
        ("whats virginia's student newspaper called", ["The Cavalier Daily"]),
    ],
)
def test_the_school_of_a_state_is_its_university(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


def test_schools_in_a_state_stay_schools_in_it(shipped: Engine) -> None:
    assert len(answered(shipped, "colors of the schools in Kentucky")) > 2
