"""The first or last of things, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the first US president?", "George Washington"),
        ("Who was the first president born in the 20th century?", "John F. Kennedy"),
        ("Who was the first US president from the Republican Party?", "Abraham Lincoln"),
        ("who was the last president born in Ohio", "Warren G. Harding"),
        ("who was the first prime minister of India", "Jawaharlal Nehru"),
        ("who was the first wife of Henry VIII", "Catherine of Aragon"),
        ("Who was the first person to win the Nobel Prize in Physics?", "Wilhelm Röntgen"),
        ("Who was the first American to win the Nobel Prize in Literature?", "Sinclair Lewis"),
        ("Who was the first female winner of the Nobel Prize in Literature?", "Selma Lagerlöf"),
        ("Who was the first woman who won the Nobel Prize in Physics?", "Marie Curie"),
        ("first woman to win best director", "Kathryn Bigelow"),
        ("Who was the first actor to play James Bond?", "Sean Connery"),
        ("who originally played the Joker", "Cesar Romero"),
        ("Who played Dumbledore first?", "Richard Harris"),
        ("Who was Picasso's second wife?", "Jacqueline Roque"),
        ("the third husband of Elizabeth Taylor", "Mike Todd"),
        ("In which city was the second wife of Charles III born?", "London"),
        ("Where was Charles III's first wife born?", "Sandringham"),
        ("Who was the second prime minister of India?", "Lal Bahadur Shastri"),
        ("last movie with Heath Ledger", "The Dark Knight"),
        ("the first album by Nirvana", "Bleach"),
        ("What was the third album that Nirvana made?", "In Utero"),
        ("second novel by Stephen King", "'Salem's Lot"),
        ("When was Adele's second album released?", "2011"),
        ("When did Messi win his first Ballon d'Or?", "2009"),
        ("Which team did Shaquille O'Neal finish his career with?", "Boston Celtics"),
        ("With which club did Luís Figo begin his playing career?", "Sporting CP"),
        ("stadium of the team where Zidane ended his career", "Santiago Bernabéu Stadium"),
        ("before 2004 when did the red sox last win the world series", "5 September 1918"),
        ("What was the Red Sox's first World Series win after the year 2000?", "2004 World Series"),
    ],
)
def test_the_first_or_last_is_taken(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    ("question", "some"),
    [
        ("tv shows that first aired in 1994", {"Friends", "ER"}),
        ("Who were the first ladies?", set()),
        ("Which battles of the First World War were there?", set()),
    ],
)
def test_other_firsts_choose_nothing(shipped: Engine, question: str, some: set[str]) -> None:
    version = shipped.first_version(question).current
    assert version is None or "arliest" not in version.steps[-1].template
    assert some <= set(answered(shipped, question))
