"""What is asked of things that are described, named in a list or asked of after another question."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Who took over as US president after the one who was assassinated in Dallas?",
            ["Lyndon B. Johnson"],
        ),
        ("Who succeeded the president who was assassinated in Dallas?", ["Lyndon B. Johnson"]),
        (
            "Who played the title role in the movie that won Best Picture at the 1983 Academy Awards?",
            ["Ben Kingsley"],
        ),
        ("what country was the pope before benedict xvi born in", ["Poland"]),
        ("Who was the first lady before Michelle Obama?", ["Laura Bush"]),
        ("Who was the British prime minister in the year the Titanic sank?", ["H. H. Asquith"]),
        (
            "what oceans border the country nelson mandela was president of",
            ["Atlantic Ocean", "Indian Ocean"],
        ),
        ("In which city was the bassist who replaced Cliff Burton in Metallica born?", ["Battle Creek"]),
        ("who commanded union army at gettysburg", ["George Meade"]),
    ],
)
def test_what_is_described_is_found_first(shipped: Engine, question: str, expected: list[str]) -> None:
    assert answered(shipped, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Of Denmark, Sweden, Norway, Finland and Iceland, which ones use the euro?", ["Finland"]),
        ("which two of Spain, Portugal and Italy border France", ["Italy", "Spain"]),
        ("which battle came first, agincourt or crecy", ["Battle of Crécy"]),
        ("Was Alaska or Hawaii admitted to the Union first?", ["Alaska"]),
        (
            "Which has a bigger population, the country whose capital is Canberra or the one whose capital "
            "is Ottawa?",
            ["Canada"],
        ),
        ("which actor has won the most acting oscars", ["Katharine Hepburn"]),
        (
            "who were all the chancellors of germany from 1990 up to 2015",
            ["Angela Merkel", "Gerhard Schröder", "Helmut Kohl"],
        ),
    ],
)
def test_which_of_several_is_told(shipped: Engine, question: str, expected: list[str]) -> None:
    assert answered(shipped, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the tallest mountain in africa and which country is it in?", ["Kilimanjaro", "Tanzania"]),
        ("Which river flows through Paris and how long is it?", ["777", "Seine"]),
        ("Who wrote Dracula and where was he born?", ["Bram Stoker", "Dublin"]),
        ("What country is Timbuktu in and what currency do they use?", ["Mali", "West African CFA franc"]),
        ("Which film won Best Picture in 1994 and who directed it?", ["Forrest Gump", "Robert Zemeckis"]),
    ],
)
def test_two_questions_have_two_answers(shipped: Engine, question: str, expected: list[str]) -> None:
    assert answered(shipped, question) == expected


def test_a_comparison_by_population_is_no_comparison_by_area(shipped: Engine) -> None:
    question = "Which has a bigger population, the country whose capital is Oslo or the one whose is Dublin?"
    version = shipped.first_version(question).current
    assert version is not None
    assert not any("area" in step.template for step in version.steps)
