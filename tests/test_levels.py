"""Places of another level: the country of a birthplace, the towns of a country, over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.parse.grounding import Grounding
from kbqa.reading.levels import CONTAINS, WITHIN, Levels
from kbqa.types import Find, Iri
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What currency is used in the country Albert Einstein was born in?", {"Euro"}),
        ("What money would I need in the country where Mozart was born?", {"Euro"}),
        ("capital of state with the dallas cowboys", {"Austin"}),
        ("In what city is the arena of the Los Angeles Lakers?", {"Los Angeles"}),
        ("In which state was Bill Clinton born?", {"Arkansas"}),
        ("rommel place of death country", {"Germany"}),
        ("In which city was Bill Clinton born?", {"Hope"}),
        ("In which country was Shakira born?", {"Colombia"}),
        ("which countries hosted the Winter Olympics in the 1990s", {"France", "Norway", "Japan"}),
        ("Which countries border Georgia?", {"Armenia", "Azerbaijan", "Russia", "Turkey"}),
    ],
)
def test_the_level_that_is_spoken_of_is_reached(shipped: Engine, question: str, answers: set[str]) -> None:
    assert set(answered(shipped, question)) == answers


@pytest.mark.parametrize(
    ("question", "some"),
    [
        ("Which politicians born in Hawaii became US president?", {"Barack Obama"}),
        ("list nba teams from texas", {"Dallas Mavericks", "Houston Rockets", "San Antonio Spurs"}),
        ("Who was born in Hawaii?", {"Barack Obama", "Bruno Mars"}),
        ("which cities hosted the Summer Olympics", {"Athens", "Los Angeles", "Sydney"}),
        ("who was born in Massachusetts and went to Harvard", {"John F. Kennedy"}),
    ],
)
def test_a_place_stands_for_those_that_lie_in_it(shipped: Engine, question: str, some: set[str]) -> None:
    assert some <= set(answered(shipped, question))


def test_steps_that_were_put_in_can_be_read_and_taken_out(shipped: Engine) -> None:
    dialogue = shipped.first_version("What is the population of the country where Shakira was born?")
    assert dialogue.current is not None
    templates = [step.template for step in dialogue.current.steps]
    assert templates[1] == "What is the place in which [that birthplace] is located?"
    decomposition = dialogue.current.parse.decomposition
    assert all(isinstance(s, Find) or s.source.step < i for i, s in enumerate(decomposition.steps, 1))


@pytest.mark.parametrize(
    "question",
    [
        "Who is the head of state of the place where Shakira was born?",
        "What country songs did Johnny Cash write?",
        "What is the currency of Japan?",
    ],
)
def test_without_a_level_nothing_is_lifted(shipped: Engine, question: str) -> None:
    mentions = shipped.kb.linker.link(question)
    levels = Levels(shipped.kb, lambda: shipped.reader.chooser.nouns.kinds)
    for parse in shipped.readings(question, mentions):
        assert not list(levels.lifted(parse, question, mentions))


def test_hops_of_towns_may_leave_what_they_lie_in_and_nothing_else(shipped: Engine) -> None:
    grounding = Grounding(shipped.kb)
    question = "Who was born in Hawaii and plays for the Chicago Bulls?"
    asked = grounding.asked(question, shipped.kb.linker.link(question))
    assert asked is not None
    known = {h for h in WITHIN if grounding.has(h)}
    wide = {e for e, hops in asked.leaving.items() if known <= hops}
    assert wide == {e for e, hops in asked.leaving.items() if CONTAINS in hops} != set()
    own = grounding.leaving(asked.leaving)
    assert all(asked.leaving[e] - own[e] <= known for e in wide)
    assert all(asked.leaving[e] == own[e] for e in asked.leaving.keys() - wide)
    assert all(isinstance(e, Iri) for e in wide)


def test_no_reading_asks_for_a_name(shipped: Engine) -> None:
    grounding = Grounding(shipped.kb)
    (mention,) = shipped.kb.linker.link("What is the capital of Egypt?")
    (hops,) = grounding.leaving([mention.candidates[0].entity]).values()
    said = {hop.predicate.mid for hop in hops if not hop.inverse}
    assert "location.country.capital" in said
    assert not said & {"type.object.name", "type.object.type"}
    rows = shipped.kb.store.select(
        "SELECT ?o WHERE { ?e <http://rdf.freebase.com/ns/type.object.name> ?o }",
        bindings={"e": mention.candidates[0].entity},
    ).rows
    assert rows  # it has one
