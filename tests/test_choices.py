"""Which of two, when it was, and what only lists or chooses: read by rule beside the parser that ships."""

from __future__ import annotations

import pytest

from kbqa.correct import Context
from kbqa.engine import Engine
from kbqa.errors import FeedbackError
from kbqa.feedback import Edit
from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.link import key
from kbqa.measuring import measured
from kbqa.reading.choices import choices_of
from kbqa.types import Among, Find, IsNot, Keep, Kind
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which is taller, K2 or Mount Everest?", "Mount Everest"),
        ("Which is the oldest, Harvard, Yale or Stanford?", "Harvard University"),
        ("which is lower: K2 or Mount Everest", "K2"),
        ("Everton, Chelsea, Arsenal: oldest club?", "Everton F.C."),
        ("the youngest of Goethe, Schiller, Kafka", "Franz Kafka"),
        ("Which NFL team was founded first, the Bears or the Cardinals?", "Arizona Cardinals"),
        ("Who is older, the Giants or the Cowboys?", "New York Giants"),
        ("is the nile or the amazon river longer", "Nile"),
        ("who is older, Tom Hanks or Brad Pitt", "Tom Hanks"),
        ("Who is younger, Brad Pitt or Tom Hanks?", "Brad Pitt"),
        ("which came out first, Titanic or Jaws", "Jaws"),
        ("Was Apple or Microsoft founded earlier?", "Microsoft"),
        ("does Germany or France have the larger population?", "Germany"),
        ("Which country is bigger, France or Spain?", "France"),
        ("what has fewer people, Canada or Australia", "Australia"),
        ("Was it Agatha Christie or Arthur Conan Doyle who created Hercule Poirot?", "Agatha Christie"),
        ("did Steven Spielberg or George Lucas direct Jaws?", "Steven Spielberg"),
        ("What is the capital of Australia, Sydney or Canberra?", "Canberra"),
        ("Of the Red Sox and the Mets, which started up first?", "Boston Red Sox"),
        ("which of France and Spain has more people?", "France"),
        ("Which is longer, the Nile or the Amazon?", "Nile"),
        ("Was it Christie or Doyle who created Poirot?", "Agatha Christie"),
        ("Which of these was released first: Jaws, Alien or The Godfather?", "The Godfather"),
        ("Paris, Rome and Madrid - which of them has the most people?", "Madrid"),
        ("out of Lagos, Cairo, Kinshasa and Nairobi, which one is home to the fewest folks?", "Nairobi"),
        ("Meryl Streep, Katharine Hepburn or Ingrid Bergman: who won the most Oscars?", "Katharine Hepburn"),
        (
            "Of Pablo Picasso, Henri Matisse and Salvador Dalí, which one was not born in Spain?",
            "Henri Matisse",
        ),
        ("Which show has more seasons, Friends or Seinfeld?", "Friends"),
        ("Cheers vs Seinfeld, more seasons", "Cheers"),
        ("which hit cinemas first, Alien or Jaws", "Jaws"),
        ("One of these isn't based in Stuttgart: Porsche, BMW, Mercedes-Benz. Which?", "BMW"),
        ("Which of these countries is not in Africa: Chad, Laos, Kenya?", "Laos"),
        ("Which one of these three was never US president: Al Gore, Jimmy Carter, Gerald Ford?", "Al Gore"),
        (
            "One of these three never lifted the Stanley Cup: Vancouver Canucks, Calgary Flames, "
            "Tampa Bay Lightning. Which?",
            "Vancouver Canucks",
        ),
    ],
)
def test_which_of_two_is_told(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


@pytest.mark.parametrize(
    "question",
    [
        "What languages are spoken in Belgium or Luxembourg?",
        "Name books by Jane Austen or Emily Brontë.",
        "Films directed by Steven Spielberg or George Lucas",
        "Which cities are on either the Danube or the Rhine?",
    ],
)
def test_either_is_no_choice_of_two(shipped: Engine, question: str) -> None:
    linked = shipped.kb.linker.link(question)
    assert not {m.candidates[0].label for m in linked} & set(answered(shipped, question))
    assert len(answered(shipped, question)) > 2


def test_a_choice_is_shown_in_steps_and_corrected_in_the_same_words(shipped: Engine) -> None:
    dialogue = shipped.first_version("Which is taller, K2 or Mount Everest?")
    assert dialogue.current is not None
    shown = [step.shown for step in dialogue.current.steps]
    assert shown[:2] == ["Which mountains are there?", "Of these, which is K2 or Mount Everest?"]
    after = shipped.advance(dialogue, Edit(2, "Of these, which is K2 or Kilimanjaro?"))
    assert after.current is not None
    assert [a.label for a in after.current.steps[-1].answers] == ["K2"]


@pytest.mark.parametrize(
    ("question", "before", "after"),
    [
        ("Which is taller, K2 or Mount Everest?", "Which is taller", ""),
        ("Of K2 and Kailash or Mount Everest, which is taller?", None, None),
        ("Is K2 or Mount Everest the taller mountain?", "Is", "the taller mountain"),
        ("Is K2 in Asia or is Mount Everest?", None, None),
        ("K2 or Mount Everest or Kailash?", None, None),
        ("Which is highest: K2, Kailash, or Mount Everest?", "Which is highest", ""),
        ("K2 or K2?", None, None),
    ],
)
def test_a_choice_is_of_names_that_or_joins(
    shipped: Engine, question: str, before: str | None, after: str | None
) -> None:
    choice = next(choices_of(question, shipped.kb.linker.link(question)), None)
    assert (choice and choice.before.strip(), choice and choice.after) == (before, after)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.noun)
def test_every_adjective_compares_by_its_measure(measure: Measure) -> None:
    for adjectives, highest in ((measure.low, False), (measure.high, True)):
        for adjective in adjectives:
            if adjective.endswith("est") and adjective not in ("earliest", "latest"):
                for form in (adjective, adjective.removesuffix("est") + "er"):
                    assert (measure, highest) in set(measured(f"which one is {form}"))


def test_higher_and_lower_at_once_compare_nothing() -> None:
    assert not list(measured("which has more or fewer seats"))
    assert {m.kind for m, _ in measured("who was born first")} == {Kind.DATE}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did the Chicago Bulls win their first championship?", "1991 NBA Finals"),
        ("When did the New York Jets win the Super Bowl?", "12 January 1969"),
        ("years the chicago bears won the super bowl", "26 January 1986"),
        ("When was the director of Titanic born?", "16 August 1954"),
    ],
)
def test_a_date_is_asked_of_what_was_found(shipped: Engine, question: str, answer: str) -> None:
    assert answered(shipped, question) == [answer]


def test_no_date_is_added_where_none_is_asked_for(shipped: Engine) -> None:
    dialogue = shipped.first_version("Which championships have the Chicago Bears won?")
    assert dialogue.current is not None
    assert all("date" not in step.template for step in dialogue.current.steps)


def context(shipped: Engine, *steps: Find) -> Context:
    return Context(steps, ("thing",) * len(steps), ((),) * len(steps), ())


def test_all_of_a_kind_are_listed_by_rule(shipped: Engine) -> None:
    for text in ("Which mountains are there?", "what are all the mountains", "List all mountains."):
        (found, *_) = shipped.correct_in(text, context(shipped), n=1)
        assert isinstance(found.step, Find) and found.logprob == 0.0
        assert key(shipped.kb.names.fetch([found.step.anchor])[found.step.anchor]) == "mountain"


def test_names_alone_choose_among_earlier_answers(shipped: Engine) -> None:
    (mountains, *_) = shipped.correct_in("Which mountains are there?", context(shipped), n=1)
    earlier = context(shipped, mountains.step)
    (found, *_) = shipped.correct_in("Which of these is K2, Kailash or Mount Everest?", earlier, n=1)
    assert isinstance(found.step, Keep)
    (test,) = found.step.restrictions[0].tests
    assert isinstance(test, Among) and len(test.values) == 3
    (found, *_) = shipped.correct_in("Of these, which are not K2?", earlier, n=1)
    assert isinstance(found.step, Keep) and isinstance(found.step.restrictions[0].tests[0], IsNot)


def test_what_says_more_than_names_is_left_to_the_model(shipped: Engine) -> None:
    dialogue = shipped.first_version("Which is taller, K2 or Mount Everest?")
    try:
        after = shipped.advance(dialogue, Edit(2, "Of these, which is in Asia near K2?"))
    except FeedbackError:
        return
    assert after.current is not None
    assert "one of [K2]" not in after.current.steps[1].template
