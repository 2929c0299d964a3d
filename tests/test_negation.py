"""What is not so, with the shipped models over the stub, and how it is said."""

from __future__ import annotations

import pytest

from kbqa.decompose import decompose, recompose
from kbqa.engine import Engine
from kbqa.feedback import Insert
from kbqa.phrase import RulePhraser, StepInContext
from kbqa.reading.negation import denial_of
from kbqa.sparql import parse, render
from kbqa.templates import Names, read_all, write_all
from kbqa.types import Decomposition, Find, Iri, Is, Keep, Many, Ref, Restriction, Step, reverse
from tests.asking import answered, named


@pytest.mark.parametrize(
    ("question", "kept", "gone"),
    [
        ("languages spoken in Switzerland but not in Germany", {"Romansh", "French"}, {"German"}),
        ("countries in south america that don't border brazil", {"Chile", "Ecuador"}, {"Peru", "Brazil"}),
        ("films starring Tom Hanks but not directed by Steven Spielberg", {"Cast Away"}, {"Bridge of Spies"}),
        ("Which NFL teams have never won the Super Bowl?", {"Buffalo Bills"}, {"Green Bay Packers"}),
        ("which NBA teams have never won a championship", {"Utah Jazz"}, {"Boston Celtics", "Chicago Bulls"}),
        ("European countries that don't use the euro", {"Norway", "Denmark"}, {"France", "Germany"}),
        ("Neighbours of Germany not using the euro", {"Poland", "Denmark"}, {"France", "Austria"}),
        ("countries in Europe without the euro", {"Norway", "Denmark"}, {"France", "Germany"}),
        ("Which Tarantino films is Samuel L. Jackson not in?", {"Reservoir Dogs"}, {"Pulp Fiction"}),
        ("Which Harry Potter actors haven't won an Oscar?", {"Rupert Grint"}, {"Gary Oldman"}),
        ("Which members of the Rolling Stones didn't play guitar?", {"Mick Jagger"}, {"Keith Richards"}),
        ("which state has no NFL team", {"Utah", "Oregon"}, {"Texas", "Ohio"}),
        ("presidents who were not lawyers", {"Ronald Reagan"}, {"Abraham Lincoln"}),
        ("Which Beatles are still alive?", {"Paul McCartney", "Ringo Starr"}, {"John Lennon"}),
        ("which presidents are still alive", {"Barack Obama", "Bill Clinton"}, {"Abraham Lincoln"}),
        ("which presidents are no longer alive", {"Abraham Lincoln"}, {"Barack Obama", "Bill Clinton"}),
        ("Which presidents never married?", {"James Buchanan"}, {"Abraham Lincoln"}),
    ],
)
def test_what_is_not_so(shipped: Engine, question: str, kept: set[str], gone: set[str]) -> None:
    found = set(answered(shipped, question))
    assert kept <= found and not gone & found


def test_what_is_not_so_is_counted(shipped: Engine) -> None:
    some = answered(shipped, "European countries that don't use the euro")
    assert answered(shipped, "How many European countries don't use the euro?") == [str(len(some))]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I don't know who directed Jaws", ["Steven Spielberg"]),
        ("We never found out where Elvis Presley died", ["Memphis"]),
        ("My friend from Texas doesn't know which team plays at Fenway Park", ["Boston Red Sox"]),
    ],
)
def test_what_the_asker_does_not_know_is_asked(shipped: Engine, question: str, answer: list[str]) -> None:
    assert answered(shipped, question) == answer


def test_a_denial_that_was_not_read_is_told(shipped: Engine) -> None:
    def warnings(question: str) -> str:
        version = shipped.first_version(question).current
        assert version is not None
        return " ".join(version.steps[-1].warnings)

    assert "is not so, and none of these steps" in warnings("Which states did Barack Obama not win?")
    assert "is not so" not in warnings("Which Beatles are still alive?")
    assert "is not so" not in warnings("languages spoken in Switzerland but not in Germany")


@pytest.mark.parametrize(
    ("text", "names", "asked", "affirmed"),
    [
        ("films by Lee but not with Poe", ["Lee", "Poe"], "films by Lee", "films by Lee and with Poe"),
        ("Who wasn't in Queen?", ["Queen"], "Who", "Who was in Queen?"),
        ("teams that have never won it", [], "teams that", "teams that have won it"),
        ("Which films is Poe not in?", ["Poe"], "Which films", "Which films is Poe in?"),
        ("Not one film by Lee", ["Lee"], None, None),
        ("I don't remember who Lee was", ["Lee"], None, None),
        ("the book that I never found out who wrote", [], None, None),
        ("songs of Never Mind", ["Never Mind"], None, None),
        ("countries without war, which are they", [], None, None),
    ],
)
def test_denials(text: str, names: list[str], asked: str | None, affirmed: str | None) -> None:
    found = denial_of(text, named(text, *names))
    assert (found and found.asked, found and found.affirmed[0]) == (asked, affirmed)


def test_a_denied_step_reads_back_by_each_worded_path(shipped: Engine) -> None:
    thing, names = (
        Iri("http://rdf.freebase.com/ns/m.1"),
        Names({Iri("http://rdf.freebase.com/ns/m.1"): "Poe"}),
    )
    lexicon, said = shipped.kb.lexicon, 0
    for path in sorted(lexicon.wordings):
        none_of = Restriction("answer", reverse(path), (Many("=", 0), Is(thing)))
        steps: tuple[Step, ...] = (Find(thing, path), Keep(Ref(1), restrictions=(none_of,)))
        written = write_all(steps, lexicon, names)
        assert read_all(written, lexicon, names) == steps
        said += ", which is never " in written[1]
    assert said > 0.9 * len(lexicon.wordings)


def test_a_denied_step_is_a_query_and_back(shipped: Engine) -> None:
    version = shipped.first_version("countries in south america that don't border brazil").current
    assert version is not None
    steps = version.parse.decomposition.steps
    assert decompose(parse(render(recompose(Decomposition(steps))))).steps == steps
    said = RulePhraser(shipped.kb.lexicon).phrase(StepInContext(steps, 3, lambda iri: "Brazil"), n=1)
    assert version.steps[-1].shown == said[0].text == "Of these, which is not one that borders Brazil?"


@pytest.mark.parametrize(
    "text",
    [
        "Of these, which is never the place that borders [Argentina]?",
        "Of these, which is not one that borders Argentina?",
        "Which of these don't border Argentina?",
    ],
)
def test_a_denied_step_may_be_said_as_a_correction(shipped: Engine, text: str) -> None:
    dialogue = shipped.ask("Which countries border Brazil?")
    assert dialogue.current is not None
    version = shipped.advance(dialogue, Insert(len(dialogue.current.steps) + 1, text)).current
    assert version is not None
    found = {a.label for a in version.steps[-1].answers}
    assert "Peru" in found and not {"Bolivia", "Paraguay"} & found
