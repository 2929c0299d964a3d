"""A part of a name means who goes with what else is named, over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.company import Company
from tests.asking import answered


@pytest.mark.parametrize(
    ("text", "mention", "meant"),
    [
        ("Who played Kramer on Seinfeld?", "Kramer", "Cosmo Kramer"),
        ("who played ripley in alien", "ripley", "Ellen Ripley"),
        ("When was Gates born?", "Gates", "Bill Gates"),
    ],
)
def test_a_part_of_a_name_is_whose_bearer_goes_with_the_rest(
    shipped: Engine, text: str, mention: str, meant: str
) -> None:
    found = Company(shipped.kb.store).known(text, shipped.kb.linker.link(text))
    assert [m.candidates[0].label for m in found if m.text == mention] == [meant]


@pytest.mark.parametrize(
    "text", ["Who played Cosmo Kramer on Seinfeld?", "Where is Ripley?", "What is the capital of Georgia?"]
)
def test_who_bears_the_very_name_is_meant(shipped: Engine, text: str) -> None:
    linked = shipped.kb.linker.link(text)
    assert Company(shipped.kb.store).known(text, linked) == tuple(linked)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How many people live in São Paulo?", "citytown"),
        ("What is the population of the state of São Paulo?", "administrative_division"),
        ("Which cities are in Washington?", "administrative_division"),
    ],
)
def test_a_city_is_meant_before_the_province_around_it(shipped: Engine, text: str, kind: str) -> None:
    found = Company(shipped.kb.store).known(text, shipped.kb.linker.link(text))
    types = [t.value.rpartition(".")[2] for m in found for t in m.candidates[0].types]
    assert kind in types


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("who played ripley in alien", ["Sigourney Weaver"]),
        ("Who played Kramer on Seinfeld?", ["Michael Richards"]),
        ("who played joey on friends", ["Matt LeBlanc"]),
    ],
)
def test_characters_go_by_a_part_of_their_names(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When did Metallica release Load?", "1996"), ("What year did ABBA release Super Trouper?", "1980")],
)
def test_a_band_beside_its_album_is_no_album(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


def test_an_adjective_of_two_countries_may_name_their_languages(shipped: Engine) -> None:
    asked = "Which countries have both French and German as official languages?"
    assert sorted(answered(shipped, asked)) == ["Belgium", "Luxembourg", "Switzerland"]
