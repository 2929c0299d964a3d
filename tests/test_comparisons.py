"""Compared with what is named, and with a date that the reading left out, beside the parser that ships."""

from __future__ import annotations

import pytest

from kbqa.correct import Context
from kbqa.correct.plain import PlainCorrector
from kbqa.engine import Engine
from kbqa.feedback import Edit
from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.lexicon.nouns import INSTANCES
from kbqa.measuring import LATEST, latest
from kbqa.phrase import RulePhraser, StepInContext
from kbqa.protocols import Candidate, Mention
from kbqa.reading.comparisons import comparisons_of
from kbqa.types import Find, Iri, Keep, Pick, Ref, Restriction, Step, Than, freebase
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("rivers longer than the yellow river", ["Amazon River", "Nile", "Yangtze"]),
        ("which south american countries have more people than peru", ["Argentina", "Brazil", "Colombia"]),
        ("Which Quentin Tarantino movies came out before Jackie Brown?", ["Pulp Fiction", "Reservoir Dogs"]),
        ("Which actors from The Devil Wears Prada were born before Stanley Tucci?", ["Meryl Streep"]),
        ("Which member of U2 is older than Bono?", ["Adam Clayton"]),
        (
            "Which Ivy League schools are older than Princeton?",
            ["Harvard University", "University of Pennsylvania", "Yale University"],
        ),
        ("How many countries in Europe are smaller than Belgium?", ["12"]),
        ("rivers longer than the nile", []),
        ("How many countries are bigger than Russia?", ["0"]),
        ("how many countries are bigger than Brazil", ["4"]),
        (
            "which composers were born before Mozart and died in Vienna",
            ["Antonio Vivaldi", "Christoph Willibald Gluck", "Joseph Haydn"],
        ),
    ],
)
def test_things_are_compared_with_what_is_named(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Everest higher than K2?", "yes"),
        ("is Brazil bigger than the United States", "no"),
        ("Does Peru have more people than Chile?", "yes"),
        ("Was Titanic released before Jaws?", "no"),
        ("Is John Lennon older than Paul McCartney?", "yes"),
    ],
)
def test_whether_one_thing_has_more_than_another_is_told(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who won the Super Bowl in 1986?", ["Chicago Bears"]),
        ("Who joined the Rolling Stones after 1970?", ["Ronnie Wood"]),
        ("Which of the people in the Rolling Stones came along in 1975?", ["Ronnie Wood"]),
        ("how many albums did U2 release after 2000", ["5"]),
        ("how many films did Spielberg direct in the 1990s", ["6"]),
    ],
)
def test_a_date_that_was_left_out_is_put_in(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


def test_a_superlative_that_nobody_asked_for_is_left_out(shipped: Engine) -> None:
    assert len(answered(shipped, "Name the wives of Henry VIII.")) == 6
    assert answered(shipped, "tom hanks wives") == ["Rita Wilson", "Samantha Lewes"]
    assert answered(shipped, "What was Adele's first album?") == ["19"]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (
            "Who has the same birthplace as Katharine Hepburn?",
            [
                "Ed Begley",
                "Eriq La Salle",
                "Gary Merrill",
                "J. P. Morgan",
                "Jeff Porcaro",
                "Katharine Houghton",
                "Linda Evans",
                "Martha Bulloch Roosevelt",
                "Mike Porcaro",
                "Roger Wolcott Sperry",
                "Samuel Colt",
                "Stephenie Meyer",
                "Steve Porcaro",
                "Suzanne Collins",
                "Will Friedle",
            ],
        ),
        ("Which TV series did the creator of Curb Your Enthusiasm also create?", ["Seinfeld"]),
    ],
)
def test_what_a_question_begins_with_is_no_answer(shipped: Engine, question: str, answers: list[str]) -> None:
    assert answered(shipped, question) == answers


def _named(text: str, *names: str) -> list[Mention]:
    found = [(text.index(n), Candidate(Iri(f"urn:{n}"), n, n, 1.0)) for n in names]
    return [Mention(at, at + len(c.label), c.label, (c,)) for at, c in found]


@pytest.mark.parametrize(
    ("text", "names", "question", "words"),
    [
        ("Which albums came out before Help!?", ["Help!"], "Which albums", " came out before "),
        ("Name a river longer than the Rhine.", ["Rhine"], "Name a river", "longer than the "),
        ("is there a peak higher than K2? which", ["K2"], "which peak", "higher than "),
        ("I'm curious: which lakes are larger in area than Como", ["Como"], "which lakes",
         "are larger in area than"),
        ("What did F. Scott Fitzgerald write before Gatsby?", ["Gatsby"],
         "What did F. Scott Fitzgerald write", "before"),
        ("countries with a population larger than that of Spain", ["Spain"], "countries",
         "with a population larger than that of"),
    ],
)  # fmt: skip
def test_the_rest_of_the_question_is_what_is_read(
    text: str, names: list[str], question: str, words: str
) -> None:
    (found,) = comparisons_of(text, _named(text, *names))
    assert (found.question, found.words.strip()) == (question, words.strip())


@pytest.mark.parametrize(
    "text",
    [
        "Which countries border both Brazil and a country smaller than Spain?",
        "Who wrote Spain?",
        "rather than Spain",
    ],
)
def test_other_questions_compare_nothing(text: str) -> None:
    assert not list(comparisons_of(text, _named(text, "Spain")))


def _first_wording(shipped: Engine, steps: tuple[Step, ...], number: int) -> str:
    step = StepInContext(steps, number, lambda iri: "x")
    return RulePhraser(shipped.kb.lexicon).phrase(step, n=1)[0].text


def _read(shipped: Engine, text: str, steps: tuple[Step, ...]) -> list[Step]:
    plain = PlainCorrector(shipped.reader.chooser.nouns)
    return [c.step for c in plain.correct(text, (), Context(steps=steps), n=1)]


@pytest.mark.parametrize("operator", ["<", ">"])
@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.path[0].predicate.mid)
def test_a_comparison_is_read_back_as_it_is_worded(shipped: Engine, measure: Measure, operator: str) -> None:
    things, one = Find(freebase("local.type.city"), INSTANCES[0]), Find(freebase("m.1"), measure.path)
    for path, source in ((measure.path, things), ((), one)):
        than = Than(operator, Ref(2), measure.kind)  # type: ignore[arg-type]
        kept = Keep(Ref(1), restrictions=(Restriction("answer", path, (than,)),))
        text = _first_wording(shipped, (source, one, kept), 3)
        assert "step 1" in text and _read(shipped, text, (source, one)) == [kept]


def test_the_latest_figure_is_read_back_as_it_is_worded(shipped: Engine) -> None:
    figures = next(m.path for m in MEASURES if m.noun == "population")
    found = Find(freebase("m.1"), figures)
    newest = latest(found, 1)
    assert isinstance(newest, Pick) and newest.path in LATEST.values()
    text = _first_wording(shipped, (found, newest), 2)
    assert text == "Of these, which figure is the most recent?" and _read(shipped, text, (found,)) == [newest]
    assert _read(shipped, text, (Find(freebase("m.1"), INSTANCES[0]),)) == []


def test_a_step_can_be_corrected_to_a_comparison(shipped: Engine) -> None:
    dialogue = shipped.ask("Which member of U2 is older than Bono?")
    after = shipped.advance(
        dialogue, Edit(3, "Of the answers to step 1, which has a later date of birth than that?")
    )
    assert after.current is not None
    assert sorted(a.label for a in after.current.steps[-1].answers) == ["Larry Mullen Jr.", "The Edge"]
