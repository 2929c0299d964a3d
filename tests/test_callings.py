"""Professions told by deeds, what somebody was in before, and who held an office when another did not: over
the stub with the models that ship."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.callings import of_calling
from tests.asking import answered, named


@pytest.mark.parametrize(
    ("text", "names", "plain"),
    [
        (
            "One of Marilyn Monroe's husbands wrote plays. Who was it?",
            ["Marilyn Monroe"],
            "Which of Marilyn Monroe's husbands was a playwright?",
        ),
        (
            "Which spouse of Frida Kahlo painted?",
            ["Frida Kahlo"],
            "Which spouse of Frida Kahlo was a painter?",
        ),
        ("Cher was married to a singer once, who was that?", ["Cher"], "Which singer was married to Cher?"),
        ("Which of Goethe's plays was made a film?", ["Goethe"], "Which of Goethe's plays was made a film?"),
        (
            "one of the members of Queen wrote Queen II",
            ["Queen", "Queen II"],
            "one of the members of Queen wrote Queen II",
        ),
    ],
)
def test_deeds_are_put_as_professions(text: str, names: list[str], plain: str) -> None:
    assert of_calling(text, named(text, *names)) == plain


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("One of Marilyn Monroe's husbands wrote plays. Who was it?", ["Arthur Miller"]),
        ("One of Paul Newman's wives was an actress - who?", ["Joanne Woodward"]),
        ("Madonna was married to an actor once, who was that?", ["Sean Penn"]),
        (
            "Was there a woman who got the Nobel Prize in Chemistry between 1950 and 1970? Who was she?",
            ["Dorothy Hodgkin"],
        ),
    ],
)
def test_one_of_several_is_told_by_what_they_did(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("what band was the singer of Audioslave in before", ["Soundgarden"]),
        ("which group had Dave Grohl been in before Foo Fighters", ["Nirvana", "Scream"]),
        ("which team did LeBron James play for before the Lakers", ["Cleveland Cavaliers", "Miami Heat"]),
    ],
)
def test_what_somebody_was_in_before(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


@pytest.mark.parametrize(
    ("question", "holder"),
    [
        ("Angela Merkel wasn't chancellor of Germany yet in 2001, so who was?", "Gerhard Schröder"),
        ("I know Barack Obama wasn't the US president in 2005 - who was it then?", "George W. Bush"),
        (
            "Tony Blair had already left in 2008, so who was prime minister of the United Kingdom?",
            "Gordon Brown",
        ),
    ],
)
def test_who_held_an_office_when_another_did_not(shipped: Engine, question: str, holder: str) -> None:
    assert answered(shipped, question) == [holder]


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("scientist nobel in physics and also chemistry", "Marie Curie"),
        ("who has a nobel in physics as well as one in chemistry", "Marie Curie"),
        ("Which people have won the Nobel Prize both in chemistry and in peace?", "Linus Pauling"),
    ],
)
def test_prizes_in_two_fields(shipped: Engine, question: str, winner: str) -> None:
    assert answered(shipped, question) == [winner]
