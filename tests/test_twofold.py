"""Two questions in one, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.twofold import said_apart
from tests.asking import named


@pytest.mark.parametrize(
    ("question", "one", "two"),
    [
        ("who directed the godfather and when was it released", "Francis Ford Coppola", "1972"),
        ("When was Einstein born, and where did he die?", "14 March 1879", "Princeton"),
        ("where was Marie Curie born and who was her husband", "Warsaw", "Pierre Curie"),
        ("who is the author of Emma and where was she born", "Jane Austen", "Steventon"),
        ("who directed Jaws and where was he born?", "Steven Spielberg", "Cincinnati"),
        ("when and where was Einstein born", "14 March 1879", "Ulm"),
        ("what is the capital and currency of Peru", "Lima", "Peruvian sol"),
        ("who wrote Dracula and when?", "Bram Stoker", "26 May 1897"),
        ("how old was Elvis when he died", "8 January 1935", "16 August 1977"),
        ("how long was Reagan president", "20 January 1981", "20 January 1989"),
        ("From when to when was Reagan president?", "20 January 1981", "20 January 1989"),
        ("what years was Bill Clinton president", "20 January 1993", "20 January 2001"),
        ("How long did Kobe Bryant play for the Lakers?", "1996", "2016"),
        ("what years was Babe Ruth with the Yankees", "1920", "1934"),
        ("how long did World War II last?", "1 September 1939", "2 September 1945"),
    ],
)
def test_both_are_answered(shipped: Engine, question: str, one: str, two: str) -> None:
    version = shipped.first_version(question).current
    assert version is not None
    assert [[a.label for a in step.answers] for step in version.steps] == [[one], [two], [one, two]]


@pytest.mark.parametrize(
    ("text", "names", "two"),
    [
        ("Who made Jaws and when did it come out?", ["Jaws"], "when did Jaws come out?"),
        ("When did Lee die, and who was his wife?", ["Lee"], "who was Lee's wife?"),
        ("What is spoken in Peru and what do they eat?", ["Peru"], "what do Peru eat?"),
        ("How old was Lee when he died?", ["Lee"], "When did Lee die?"),
        ("what age did Lee die at", ["Lee"], "When did Lee die?"),
        ("Where and when was Lee born?", ["Lee"], "when was Lee born?"),
        ("Who painted Guernica and in what year?", ["Guernica"], "in what year was Guernica painted?"),
        ("What are the mascot and the colors of Yale?", ["Yale"], "What is the colors of Yale?"),
        ("How long did Kennedy serve as president?", ["Kennedy"], "When did Kennedy stop being president?"),
        ("What is the longest and widest river of Peru?", ["Peru"], None),
        ("When and where is it?", [], None),
        ("What is the cast of Fire and Ice of Bakshi?", ["Fire and Ice"], None),
        ("Who made Jaws and where was he born?", ["Jaws"], None),
        ("Which college did Lee attend and what is its mascot?", ["Lee"], None),
        ("Who made Jaws and who made Alien?", ["Jaws", "Alien"], None),
        ("Who was in Simon and where is it?", [], None),
    ],
)
def test_the_second_is_said_with_the_name(text: str, names: list[str], two: str | None) -> None:
    found = said_apart(text, named(text, *names))
    assert (found and found[1]) == two
