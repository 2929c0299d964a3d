"""Characters by a part of their name, over the stub with the models that ship."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Who played Rose in Titanic?", ["Gloria Stuart", "Kate Winslet"]),
        ("who plays jack in titanic", ["Leonardo DiCaprio"]),
        ("In Casablanca, who plays Rick?", ["Humphrey Bogart"]),
        ("who played hannibal in the silence of the lambs", ["Anthony Hopkins"]),
        ("Where was the actor who played Vito in The Godfather born?", ["Omaha"]),
        ("who plays Walter in Breaking Bad", ["Bryan Cranston"]),
    ],
)
def test_characters_go_by_a_part_of_their_name(shipped: Engine, question: str, people: list[str]) -> None:
    assert answered(shipped, question) == people


def test_what_is_played_but_no_character_stays_as_it_is(shipped: Engine) -> None:
    assert "Brian May" in answered(shipped, "Who played lead guitar in Queen?")
    assert answered(shipped, "who portrayed Neo in The Matrix?") == ["Keanu Reeves"]
