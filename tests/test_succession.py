"""Who came before or after someone in an office, beside the parser that ships."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.feedback import Edit
from kbqa.protocols import Candidate, Mention
from kbqa.reading.succession import spoken_of
from kbqa.types import Iri
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("governor of california right before arnold schwarzenegger", "Gray Davis"),
        ("Who succeeded Margaret Thatcher?", "John Major"),
        ("Which president came before Lincoln?", "James Buchanan"),
        ("who was prime minister of canada before justin trudeau", "Stephen Harper"),
        ("Who was prime minister of the UK after Winston Churchill?", "Clement Attlee"),
        ("birthplace of bill clinton's successor as president", "New Haven"),
        ("Where was the chap who led South Africa before Mandela born?", "Johannesburg"),
        ("what party did thatcher's successor belong to", "Conservative Party"),
        ("Who was Angela Merkel's predecessor?", "Gerhard Schröder"),
        ("Who took over as president after Lincoln was shot?", "Andrew Johnson"),
        ("who took office after President Garfield died", "Chester A. Arthur"),
        ("Who handed the governorship of California over to Jerry Brown?", "Arnold Schwarzenegger"),
        ("Who was king of France after Louis XV?", "Louis XVI"),
        ("who was tsar before Alexander III", "Alexander II of Russia"),
        ("where did the president who followed Truman go to college", "United States Military Academy"),
    ],
)
def test_who_came_before_or_after_is_told(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the 16th president?", "Abraham Lincoln"),
        ("tell me who the 44th president of the United States was", "Barack Obama"),
        ("Where was the 30th president of the USA born?", "Plymouth"),
        ("vice presidents of the 35th president", "Lyndon B. Johnson"),
        ("mother of the 16th president", "Nancy Hanks Lincoln"),
    ],
)
def test_presidents_are_counted(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


def test_what_is_no_office_is_left_to_the_parser(shipped: Engine) -> None:
    assert answered(shipped, "Who was born after Abraham Lincoln?") != ["Andrew Johnson"]


def test_the_steps_are_said_in_plain_words_and_can_be_corrected(shipped: Engine) -> None:
    dialogue = shipped.ask("Who succeeded Margaret Thatcher?")
    assert dialogue.current is not None
    took, later, _ = dialogue.current.steps
    assert "[" not in took.shown + later.shown
    after = shipped.advance(dialogue, Edit(2, later.shown.replace("after", "before")))
    assert after.current is not None
    assert "James Callaghan" in [a.label for a in after.current.steps[1].answers]


def _mention(text: str, name: str) -> Mention:
    at = text.index(name)
    return Mention(at, at + len(name), name, (Candidate(Iri("urn:x"), name, name, 1.0),))


@pytest.mark.parametrize(
    ("text", "name", "said", "later"),
    [
        ("Who was Ann's predecessor?", "Ann", "Ann's predecessor", False),
        ("birthplace of the successor of Ann as mayor", "Ann", "the successor of Ann as mayor", True),
        ("wife of the president before Ann", "Ann", "the president before Ann", False),
        ("Who took over after Ann resigned?", "Ann", "Who took over after Ann resigned", True),
        ("When Ann had left office, who came next?", "Ann", "When Ann had left office, who came next", True),
        ("Where was the man who ruled after Ann born?", "Ann", "the man who ruled after Ann", True),
    ],
)
def test_what_the_one_is_called_is_found(text: str, name: str, said: str, later: bool) -> None:
    found = spoken_of(text, _mention(text, name))
    assert found is not None
    assert (text[found.start : found.end], found.later) == (said, later)


@pytest.mark.parametrize("text", ["Who is Ann?", "Ann's books", "Who was born before 1950 to Ann?"])
def test_other_questions_speak_of_nobody_beside(text: str) -> None:
    assert spoken_of(text, _mention(text, "Ann")) is None


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who were nixons vice presidents", {"Gerald Ford", "Spiro Agnew"}),
        ("Who was Harry Truman's vice president?", {"Alben W. Barkley"}),
        ("who was reagans vp", {"George H. W. Bush"}),
        ("Truman was vice president under whom?", {"Franklin D. Roosevelt"}),
    ],
)
def test_vice_presidents_of_whom(shipped: Engine, question: str, answers: set[str]) -> None:
    assert set(answered(shipped, question)) == answers
