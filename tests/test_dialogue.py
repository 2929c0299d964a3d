"""The dialogue's loop: feedback makes versions, and nothing that was said or found is lost."""

from __future__ import annotations

import ast
import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path as FilePath

import pytest
from films import BIRTHPLACE, CREW, DIRECTOR, LATEST, NATIONALITY, NOTHING, NS, SCRIPT, film_engine
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from strategies import HOSTILE

from kbqa.answers import collect
from kbqa.cli.options import mode_named
from kbqa.correct import Context, Corrected
from kbqa.dialogue import FULL, MODES, NON_INTERACTIVE, Dialogue, Mode, SubQuestion, Version
from kbqa.document import document
from kbqa.engine import EMPTY_CAP, Engine, Settings
from kbqa.errors import FeedbackError
from kbqa.feedback import (
    Accept,
    Back,
    Choose,
    Delete,
    Edit,
    Feedback,
    Insert,
    Link,
    Replace,
    Stop,
    Undo,
    Unsure,
    feedback_document,
    read_feedback,
)
from kbqa.freeform import understand
from kbqa.kb import KnowledgeBase
from kbqa.phrase import Phrasing, StepInContext
from kbqa.protocols import Mention, Store
from kbqa.scripted import ScriptedParser
from kbqa.sparql import parse, render
from kbqa.types import (
    XSD,
    Anything,
    Check,
    Constant,
    Count,
    Exists,
    Find,
    Hop,
    IsNot,
    Keep,
    Kind,
    Literal,
    Merge,
    Oftenest,
    Path,
    Pick,
    Ref,
    Restriction,
    Rows,
    Step,
    Than,
    freebase,
)

EXAMPLES = int(os.environ.get("KBQA_EXAMPLES", "100")) // 2
TOM, CAST, GUMP, BOB = (freebase(f"m.{m}") for m in ("tom", "cast", "gump", "bob"))
RELEASED = freebase("film.film.initial_release_date")
COUNTRY, STATE = freebase("m.georgia"), freebase("m.gastate")
TEMPLATED_QUESTION = "Who is the director of [Forrest Gump]?"
FIFTH = Mode("terse", "templated", False, True, "Templates, and corrections without context.")
"""A row as a user of the library may add it."""


class Saying:
    """A corrector that reads whatever is said as these steps, likeliest first."""

    def __init__(self, *steps: Step) -> None:
        self.steps, self.seen = steps, list[Context]()

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        self.seen.append(context)
        return tuple(Corrected(s, -0.1 * i, tuple(mentions)) for i, s in enumerate(self.steps, 1))[:n]


class Counting:
    """A store that keeps the queries it was asked."""

    def __init__(self, store: Store) -> None:
        self.store, self.asked = store, list[str]()

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        self.asked.append(query)
        return self.store.select(query, bindings=bindings, time_limit_s=time_limit_s, row_limit=row_limit)

    def close(self) -> None:
        self.store.close()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with film_engine(tmp_path_factory.mktemp("films")) as opened:
        yield opened


def with_corrector(engine: Engine, saying: Saying, limits: Settings | None = None) -> Engine:
    return Engine(engine.kb, ScriptedParser(SCRIPT), corrector=saying, settings=limits)


def shown(dialogue: Dialogue) -> Version:
    assert dialogue.current is not None
    return dialogue.current


def templates(dialogue: Dialogue) -> list[str]:
    return [s.template for s in shown(dialogue).steps]


def found(step: SubQuestion) -> list[str]:
    return sorted(a.label for a in step.answers)


def said(engine: Engine, dialogue: Dialogue, *feedback: Feedback) -> Dialogue:
    for one in feedback:
        dialogue = engine.advance(dialogue, one)
    return dialogue


# --- corrections ---------------------------------------------------------------


def test_a_corrected_sub_question_changes_the_answer(engine: Engine) -> None:
    first = engine.ask(NATIONALITY)
    second = engine.advance(first, Edit(1, "Who is the producer of [Forrest Gump]?"))
    assert found(shown(first).steps[-1]) == ["United States"]
    assert found(shown(second).steps[-1]) == ["United Kingdom"]
    assert [s.change for s in shown(second).steps] == ["new", "answers"]
    assert second.at == 2 and second.edits_left == 4 and shown(second).parent == 1
    assert second.versions[0] == shown(first)


def test_a_sub_question_can_be_put_in_and_taken_out(engine: Engine) -> None:
    first = engine.ask(LATEST)
    second = engine.advance(first, Delete(2))
    assert templates(second) == [templates(first)[0], templates(first)[2]]
    assert [s.change for s in shown(second).steps] == ["", ""]  # the latest of all is his, too
    third = engine.advance(second, Insert(2, "What is the film directed by [Penny Marshall]?"))
    assert templates(third)[1] == "Of these, which is the film directed by [Penny Marshall]?"
    assert found(shown(third).steps[-1]) == ["Big"]


def test_steps_that_stay_are_not_marked_whatever_their_number(engine: Engine) -> None:
    first = said(engine, engine.ask(LATEST), Insert(4, "Of the answers to step 1, how many are there?"))
    second = engine.advance(first, Insert(4, "Of these, how many are there?"))
    assert [s.change for s in shown(second).steps] == ["", "", "", "new", ""]


def test_a_sub_question_that_is_not_understood_uses_up_nothing(engine: Engine) -> None:
    dialogue = engine.ask(NATIONALITY)
    for text in ("Who is the aunt of nobody?", "Of the answers to step 7, how many are there?"):
        with pytest.raises(FeedbackError):
            engine.advance(dialogue, Edit(2, text))


def test_what_becomes_of_the_steps_that_rested_on_a_deleted_one_is_told(engine: Engine) -> None:
    late = Literal("1990", XSD + "gYear")
    after = Restriction("answer", (Hop(RELEASED),), (Than(">", late, Kind.DATE),))
    saying = with_corrector(engine, Saying(Keep(Ref(1), restrictions=(after,))))
    whole = said(saying, saying.ask(CREW), Insert(2, "Of these, which came after 1990?"))
    assert len(shown(whole).steps) == 3
    proposal = understand("remove step 1", whole)
    assert proposal.said.endswith("(and step 2, which chooses among its answers)")
    left = shown(said(saying, whole, Delete(1)))
    (step,) = left.steps
    assert step.outcome == "empty"
    gone = shown(whole).steps[1].shown
    assert f"step 2 went with step 1, among whose answers it chose: {gone}" in step.warnings
    assert any("this went on from the step that you deleted" in w for w in step.warnings)


def test_of_a_deletion_that_leaves_an_answer_nothing_is_told(engine: Engine) -> None:
    left = shown(said(engine, engine.ask(LATEST), Delete(1)))
    assert found(left.steps[-1]) and not any(s.warnings for s in left.steps)


@pytest.mark.parametrize(
    ("feedback", "reason"),
    [
        (Edit(0, TEMPLATED_QUESTION), "no step 0 to edit: expected 1 to 2"),
        (Replace(3, TEMPLATED_QUESTION), "no step 3 to replace: expected 1 to 2"),
        (Insert(4, TEMPLATED_QUESTION), "no step 4 to insert: expected 1 to 3"),
        (Delete(9), "numbered 1 to 2"),
        (Back(2), "no version 2"),
        (Back(0), "no version 0"),
        (Undo(), "nothing to undo"),
        (Choose(1), "no alternative 1: offered are none"),
        (Edit(1, " \u200b\n"), "needs a sub-question"),
        (Insert(1, ""), "needs a sub-question"),
        (Edit(1, "x" * 501), "501 characters"),
        (Stop("x" * 501), "501 characters"),
        (Link(TOM.value, BOB.value), "no step is about the entity"),
        (Link(GUMP.value, GUMP.value), "or it is that one already"),
        (Link(GUMP.value, "x> ?p ?o . } #"), "none of the entities"),
        (Edit(1, "Of these, how many are there?"), "can't be put together"),
        (Insert(2, "Of these, how many are there?"), "can't be put together"),
        (Edit(1, "Who is the director of [<x y>]?"), "can't be put together"),
    ],
)
def test_feedback_that_can_not_be_applied_says_why(engine: Engine, feedback: Feedback, reason: str) -> None:
    with pytest.raises(FeedbackError, match=reason):
        engine.advance(engine.ask(NATIONALITY), feedback)


def test_a_question_that_was_not_understood_takes_no_feedback(engine: Engine) -> None:
    dialogue = engine.first_version("What is the meaning of Tom Hanks?")
    for feedback in (Accept(), Undo(), Stop(), Edit(1, "x")):
        with pytest.raises(FeedbackError, match="not understood"):
            engine.advance(dialogue, feedback)


# --- the same words, other words -------------------------------------------------

WRITER, PRODUCER, DIRECTED = (
    Find(GUMP, (Hop(freebase(f"film.film.{p}")),)) for p in ("written_by", "produced_by", "directed_by")
)


def test_other_words_never_lead_to_what_stands_there_or_was_tried(engine: Engine) -> None:
    saying = with_corrector(engine, Saying(WRITER, PRODUCER, DIRECTED))
    first = saying.ask(NATIONALITY)
    second = saying.advance(first, Edit(1, "Who made Forrest Gump?"))
    assert templates(second)[0] == "Who is the producer of [Forrest Gump]?"
    again = said(saying, second, Undo(), Edit(1, "Whose film is Forrest Gump?"))
    assert templates(again)[0] == TEMPLATED_QUESTION
    with pytest.raises(FeedbackError, match="tried before"):
        said(saying, again, Undo(), Edit(1, "Who created Forrest Gump?"))


def test_the_very_same_words_may_lead_to_the_same_again(engine: Engine) -> None:
    saying = with_corrector(engine, Saying(PRODUCER))
    first = saying.advance(saying.ask(NATIONALITY), Edit(1, "Who made Forrest Gump?"))
    for text in ("who made  Forrest Gump", "Who is the producer of [Forrest Gump]?"):
        assert templates(saying.advance(first, Edit(1, text))) == templates(first)
        assert templates(
            said(saying, first, Undo(), Edit(1, text if "made" in text else "Who made Forrest Gump?"))
        )
    with pytest.raises(FeedbackError, match="tried before"):
        saying.advance(first, Edit(1, "Whose film is Forrest Gump?"))


def test_a_step_that_was_fitted_into_its_place_is_known_again(engine: Engine) -> None:
    """'films Bob directed' became 'of these, those that Bob directed', and is not offered once more."""
    films = Find(BOB, (Hop(freebase("film.film.directed_by"), True),))
    saying = with_corrector(engine, Saying(films, Count(Ref(1))))
    first = saying.advance(saying.ask(CREW), Insert(2, "Which did Robert Zemeckis make?"))
    assert templates(first)[1] == "Of these, which is the film directed by [Robert Zemeckis]?"
    second = saying.advance(first, Delete(3))
    third = saying.advance(second, Edit(2, "Robert Zemeckis and the number of them"))
    assert templates(third)[1] == "Of these, how many are there?"


# --- other entities and alternatives ---------------------------------------------


def test_another_entity_of_the_name_can_be_chosen(engine: Engine) -> None:
    first = engine.ask(BIRTHPLACE)
    second = engine.advance(first, Link(COUNTRY.value, STATE.value))
    assert found(shown(first).steps[-1]) == ["Tbilisi"] and found(shown(second).steps[-1]) == ["Atlanta"]
    assert [s.change for s in shown(second).steps][-1] == "answers"
    (entity,) = document(second)["steps"][0]["entities"]
    assert entity["value"] == STATE.value and COUNTRY.value in [a["value"] for a in entity["alternatives"]]
    assert shown(engine.advance(second, Undo())) == shown(first)


def test_what_a_correction_names_is_linked_and_can_be_chosen_again(engine: Engine) -> None:
    first = said(engine, engine.ask(NATIONALITY), Edit(1, "Who is the governing official of [Georgia]?"))
    (entity,) = document(first)["steps"][0]["entities"]
    assert entity["text"] == "Georgia" and entity["value"] == COUNTRY.value
    second = engine.advance(first, Link(COUNTRY.value, STATE.value))
    assert found(shown(second).steps[0]) == ["Brian Kemp"]


def test_a_name_in_a_template_is_the_entity_that_the_dialogue_shows(engine: Engine) -> None:
    """The linker would take [Georgia] for the country."""
    state = said(engine, engine.ask(BIRTHPLACE), Link(COUNTRY.value, STATE.value))
    again = engine.advance(state, Edit(1, templates(state)[0]))
    assert templates(again) == templates(state) and shown(again).sparql == shown(state).sparql


def test_an_offered_alternative_is_taken_as_it_was_shown(engine: Engine) -> None:
    first = engine.ask(NOTHING)
    offers = shown(first).offers
    assert offers
    for number, offer in enumerate(offers, 1):
        second = engine.advance(first, Choose(number))
        assert shown(second).parse.query == offer.parse.query
        assert shown(second).steps[-1].answer_count == offer.answer_count > 0
    with pytest.raises(FeedbackError, match=f"1 to {len(offers)}"):
        engine.advance(first, Choose(len(offers) + 1))


# --- what is kept ------------------------------------------------------------------


def test_steps_that_are_as_they_were_are_not_asked_again(engine: Engine) -> None:
    counting = Counting(engine.kb.store)
    kb = engine.kb
    twin = KnowledgeBase(kb.name, kb.signature, counting, kb.index, kb.linker, kb.lexicon, kb.folder)
    keeping = Engine(twin, ScriptedParser(SCRIPT), settings=Settings(offers_s=0))

    def asked(dialogue: Dialogue) -> list[int]:
        return [s.number for s in shown(dialogue).steps for q in counting.asked if q == s.sparql]

    dialogue = keeping.ask(LATEST)
    assert asked(dialogue) == [1, 2, 3]
    for feedback, numbers in (
        (Edit(3, templates(dialogue)[2].replace("latest", "earliest")), [3]),
        (Insert(4, "Of the answers to step 2, how many are there?"), [4]),
        (Edit(2, "Of these, which is the film directed by [Penny Marshall]?"), [2, 3, 4]),
        (Delete(4), []),
        (Delete(1), [1, 2]),
    ):
        counting.asked.clear()
        dialogue = keeping.advance(dialogue, feedback)
        assert asked(dialogue) == numbers, feedback
    counting.asked.clear()
    said(keeping, dialogue, Undo(), Undo(), Back(1), Accept(), Undo())
    assert counting.asked == []


def test_a_step_that_stays_keeps_its_wording_and_confidence(engine: Engine) -> None:
    numbers = iter(range(100))

    class Moody:
        def phrase(self, step: StepInContext, *, n: int = 10) -> tuple[Phrasing, ...]:
            return (Phrasing(f"Wording {next(numbers)}?", 0.0),)

    other = NS + "SELECT DISTINCT ?x WHERE { ns:m.bob ns:people.person.nationality ?x }"
    script = {LATEST: [(str(SCRIPT[LATEST]), -0.1), (other, -0.2)]}
    moody = Engine(engine.kb, ScriptedParser(script), phraser=Moody())
    first = moody.ask(LATEST)
    second = moody.advance(first, Delete(3))
    third = moody.advance(second, Edit(2, "Of these, which is the film directed by [Penny Marshall]?"))
    before = shown(first).steps
    assert 0.3 < before[0].confidence < 0.6
    for later, kept in ((second, 2), (third, 1)):
        for old, new in zip(before[:kept], shown(later).steps[:kept], strict=True):
            assert (new.question, new.confidence, new.answers) == (old.question, old.confidence, old.answers)
    assert shown(third).steps[1].question == "Wording 3?"
    assert shown(third).least_sure == 1


# --- the end, and back ---------------------------------------------------------------


def test_the_end_can_be_taken_back(engine: Engine) -> None:
    first = engine.ask(DIRECTOR)
    edited = engine.advance(first, Edit(1, "Who is the screenwriter of [Cast Away]?"))
    for dialogue in (first, edited):
        for end, status in ((Accept(), "accepted"), (Stop("no idea"), "stopped")):
            over = engine.advance(dialogue, end)
            assert over.status == status and over.comment == getattr(end, "text", "")
            assert engine.advance(over, Undo()) == dialogue
            assert engine.advance(over, Back(1)).at == 1
            for feedback in (Accept(), Unsure(), Stop(), Delete(1), Edit(1, "x"), Choose(1)):
                with pytest.raises(FeedbackError, match=f"over \\({status}\\): undo"):
                    engine.advance(over, feedback)


def test_not_sure_is_kept_and_changes_nothing(engine: Engine) -> None:
    first = engine.ask(DIRECTOR)
    unsure = said(engine, first, Unsure(), Unsure())
    assert unsure == replace(first, unsure=(1,))
    assert said(engine, unsure, Accept()).status == "accepted"


def test_used_up_edits_leave_the_ways_that_need_none(engine: Engine) -> None:
    short = with_corrector(engine, Saying(PRODUCER), Settings(edits=1))
    used = short.advance(short.ask(NATIONALITY), Edit(1, "Who made Forrest Gump?"))
    assert used.status == "edits_used_up" and used.edits_left == 0
    for feedback in (Delete(2), Edit(1, "x"), Insert(1, "x"), Link(GUMP.value, CAST.value), Choose(1)):
        with pytest.raises(FeedbackError, match="no edits are left"):
            short.advance(used, feedback)
    assert short.advance(used, Accept()).status == "accepted"
    assert short.advance(used, Stop("enough")).status == "stopped"
    assert short.advance(used, Unsure()).status == "edits_used_up"
    assert said(short, used, Undo(), Accept()).status == "accepted"
    back = short.advance(used, Undo())
    assert back.status == "edits_used_up" and shown(back) == used.versions[0]
    assert said(short, used, Accept(), Undo()) == used


def test_versions_form_a_tree(engine: Engine) -> None:
    saying = with_corrector(engine, Saying(PRODUCER))
    made = Edit(1, "Who made Forrest Gump?")
    dialogue = said(saying, saying.ask(NATIONALITY), made, Undo(), Delete(2), Back(2), Delete(2))
    assert [v.parent for v in dialogue.versions] == [None, 1, 1, 2] and dialogue.at == 4
    assert dialogue.edits_left == 2
    assert said(saying, dialogue, Undo()).at == 2 and said(saying, dialogue, Undo(), Undo()).at == 1
    with pytest.raises(FeedbackError, match="nothing to undo"):
        said(saying, dialogue, Undo(), Undo(), Undo())


# --- feedback as documents -----------------------------------------------------------


@pytest.mark.parametrize(
    "feedback",
    [
        Accept(), Unsure(), Insert(1, "Who?"), Delete(2), Replace(3, "Who?"), Edit(4, "Who?"),
        Link("a", "b"), Choose(1), Undo(), Back(2), Stop(), Stop("why"),
    ],
)  # fmt: skip
def test_feedback_is_read_back_from_its_document(feedback: Feedback) -> None:
    written = json.loads(json.dumps(feedback_document(feedback)))
    assert read_feedback({**written, "turn_id": "7"}) == feedback


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        ({}, "'kind' is None; expected one of accept, unsure"),
        ({"kind": ["edit"]}, "'kind' is"),
        ({"kind": "improve"}, "'kind' is 'improve'"),
        ({"kind": "edit", "text": "Who?"}, "'edit' needs 'step'"),
        ({"kind": "edit", "step": "1", "text": "Who?"}, "'step' of 'edit' is '1'; expected a whole number"),
        ({"kind": "edit", "step": True, "text": "Who?"}, "expected a whole number"),
        ({"kind": "edit", "step": 1.5, "text": "Who?"}, "expected a whole number"),
        ({"kind": "edit", "step": 1}, "needs a sub-question"),
        ({"kind": "edit", "step": 1, "text": " \n"}, "needs a sub-question"),
        ({"kind": "edit", "step": 1, "text": 5}, "expected a text"),
        ({"kind": "edit", "step": 1, "text": "x" * 501}, "501 characters"),
        ({"kind": "accept", "step": 1}, "'step' is no part of 'accept', which takes nothing else"),
        ({"kind": "link", "entity": "a"}, "'link' needs 'other'"),
        ({"kind": "stop", "text": "x" * 501}, "501 characters"),
    ],
)
def test_a_broken_document_names_what_is_wrong(made: Mapping[str, object], reason: str) -> None:
    with pytest.raises(FeedbackError, match=reason):
        read_feedback(made)


# --- modes -----------------------------------------------------------------------------

EVERY = [*MODES.values(), FIFTH]


@pytest.mark.parametrize("mode", EVERY, ids=lambda m: m.name)
@pytest.mark.parametrize("question", sorted(SCRIPT))
def test_every_mode_goes_through_the_same_dialogues(engine: Engine, mode: Mode, question: str) -> None:
    phrased: list[StepInContext] = []

    class Listening:
        def phrase(self, step: StepInContext, *, n: int = 10) -> tuple[Phrasing, ...]:
            phrased.append(step)
            return (Phrasing(f"In words: {step.template}", 0.0),)

    saying = Saying(Count(Ref(1)))
    listening = Engine(engine.kb, ScriptedParser(SCRIPT), phraser=Listening(), corrector=saying)
    dialogue = listening.ask(question, mode)
    assert dialogue.mode is mode and document(dialogue)["mode"] == mode.name
    if mode.edits:
        count = len(shown(dialogue).steps)
        counted = listening.advance(dialogue, Insert(count + 1, "How many of these are there?"))
        assert found(shown(counted).steps[-1]) == [str(shown(dialogue).steps[0].answer_count)]
        (context,) = saying.seen
        assert len(context.steps) == count
        assert context.question == (question if mode.context else None)
        assert context.shown == (tuple(s.shown for s in shown(dialogue).steps) if mode.context else ())
        assert shown(listening.advance(counted, Undo())) == shown(dialogue)
    else:
        counted = dialogue
        for feedback in (
            Insert(1, "x"),
            Edit(1, "x"),
            Replace(1, "x"),
            Delete(1),
            Undo(),
            Back(1),
            Choose(1),
        ):
            with pytest.raises(FeedbackError, match=mode.name):
                listening.advance(dialogue, feedback)
        assert dialogue.edits_left == 0 and shown(dialogue).offers == () and saying.seen == []
    for step in shown(counted).steps:
        assert step.question == f"In words: {step.template}"
        assert step.shown == (step.template if mode.phrasing == "templated" else step.question)
    for step in phrased:
        earlier = tuple(f"In words: {t}" for t in templates(counted)[: step.number - 1])
        assert step.question == (question if mode.context else None)
        assert step.history == (earlier if mode.context else ())
    assert listening.advance(counted, Unsure()).unsure == (counted.at,)
    assert listening.advance(counted, Accept()).status == "accepted"
    assert listening.advance(counted, Stop("why")).comment == "why"


def test_what_is_said_to_one_that_takes_yes_or_no_is_final(engine: Engine) -> None:
    over = engine.advance(engine.ask(DIRECTOR, NON_INTERACTIVE), Accept())
    for feedback in (Undo(), Back(1), Accept(), Delete(1)):
        with pytest.raises(FeedbackError, match="ask a new question"):
            engine.advance(over, feedback)


def test_a_row_of_ones_own_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODES, FIFTH.name, FIFTH)
    assert mode_named("terse") is FIFTH


_ROWS = {"FULL", "TEMPLATED", "DECONTEXTUALIZED", "NON_INTERACTIVE"}


def _compares_a_mode(code: str) -> list[int]:
    """Lines that compare a mode, or what is called one, with a particular one. The words of
    `Mode.phrasing` are no names."""
    lines = []
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Compare(left, _, others):
                sides = [left, *others]
            case ast.match_case(pattern):
                sides = [n.value for n in ast.walk(pattern) if isinstance(n, ast.MatchValue)]
            case _:
                continue
        if any(isinstance(s, ast.Attribute) and s.attr == "phrasing" for s in sides):
            continue
        parts = [n for s in sides for n in ast.walk(s)]
        names = {n.id for n in parts if isinstance(n, ast.Name)} | {
            n.attr for n in parts if isinstance(n, ast.Attribute)
        }
        words = {n.value for n in parts if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        if names & _ROWS or words & set(MODES):
            lines.append(sides[0].lineno)
    return lines


def test_nothing_compares_a_modes_name(checkout: FilePath) -> None:
    for code in (
        "if mode.name == 'full': pass",
        "if dialogue.mode is NON_INTERACTIVE: pass",
        "x = mode in (FULL, dialogue.TEMPLATED)",
        "match m:\n  case 'decontextualized': pass",
    ):
        assert _compares_a_mode(code), code
    assert not _compares_a_mode("x = mode.phrasing == 'templated'")
    seen = 0
    for file in sorted([*(checkout / "kbqa").rglob("*.py"), *(checkout / "ui").rglob("*.py")]):
        seen += 1
        assert _compares_a_mode(file.read_text(encoding="utf-8")) == [], file
    assert seen > 100


# --- random dialogues --------------------------------------------------------------------

ENTITIES = [
    freebase(f"m.{m}") for m in ("gump", "cast", "big", "tom", "bob", "penny", "usa", "georgia", "none")
]
ONE_HOP = [
    Hop(freebase(p), inverse)
    for p in (
        "film.film.written_by", "film.film.directed_by", "film.film.initial_release_date",
        "people.person.nationality", "people.person.place_of_birth", "location.country.capital",
        "type.object.name", "film.actor.film",
    )
    for inverse in (False, True)
]  # fmt: skip
PLAYED = (Hop(freebase("film.actor.film")), Hop(freebase("film.performance.film")))
paths: st.SearchStrategy[Path] = st.one_of(st.sampled_from(ONE_HOP).map(lambda h: (h,)), st.just(PLAYED))
entities = st.sampled_from(ENTITIES)
PLAIN = (
    "Who directed Cast Away, Forrest Gump or Big with Tom Hanks and Penny Marshall?",
    "Which of these did Robert Zemeckis make with Tom Hanks?",
    "Who wrote that film?",
)


def some_feedback(steps: int, at: int) -> st.SearchStrategy[Feedback]:
    """Mostly what can be done, sometimes nonsense."""
    odd = st.sampled_from([-1, 0, steps + 2, 10**30])
    where = st.one_of(*[st.integers(1, steps)] * 5, odd)
    words = st.one_of(*[st.sampled_from(PLAIN)] * 4, st.sampled_from(HOSTILE))
    someone = entities.map(lambda e: e.value)
    return st.one_of(
        st.builds(Insert, st.integers(1, steps + 1) | where, words),
        st.builds(Insert, st.integers(1, steps + 1), words),
        st.builds(Edit, where, words),
        st.builds(Replace, where, words),
        st.builds(Delete, where),
        st.builds(Insert, st.integers(1, steps + 1), st.sampled_from(PLAIN)),
        st.sampled_from([Link(COUNTRY.value, STATE.value), Link(STATE.value, COUNTRY.value)])
        | st.builds(Link, someone, someone | words),
        st.builds(Choose, st.integers(0, 4)),
        st.builds(Back, st.integers(0, at + 1)),
        st.sampled_from([Undo(), Unsure(), Accept()]) | st.builds(Stop, words),
    )


@st.composite
def film_steps(draw: st.DrawFn, before: int) -> Step:
    """A step over the graph, which may rest on a step that there is not."""
    refs = st.integers(1, before + 1).map(Ref)
    path = draw(paths)
    tests = st.one_of(entities.map(IsNot), refs.map(IsNot), st.just(Exists()))
    restriction = st.builds(lambda p, t: Restriction("answer", p, (t,)), st.just(()) | paths, tests)
    said = tuple(draw(st.lists(restriction, max_size=1)))
    match draw(st.integers(0, 8)):
        case 0 | 1:
            return Find(draw(entities), path, said)
        case 2:
            return Find(draw(refs), path, said)
        case 3:
            return Keep(draw(refs), draw(entities | refs), path, said)
        case 4:
            return Keep(draw(refs), draw(st.none() | refs), (), said)
        case 5:
            order = draw(st.sampled_from([Kind.DATE, Kind.STRING, Kind.VALUE]))
            return Pick(draw(refs), draw(st.sampled_from(["answer", "mediator"])), path, True, order)
        case 6:
            return Merge(tuple(draw(st.lists(refs, min_size=2, max_size=3, unique=True))))
        case 7:
            return draw(st.sampled_from([Oftenest, Count, Check]))(draw(refs))
        case _:
            return Find(Anything(), path, said)


def holds(engine: Engine, dialogue: Dialogue) -> None:
    """What is true of every dialogue."""
    json.dumps(document(dialogue), ensure_ascii=False).encode()
    assert dialogue.current is dialogue.versions[dialogue.at - 1]
    assert dialogue.edits_left == 12 - (len(dialogue.versions) - 1) >= 0


def executes(engine: Engine, version: Version) -> None:
    """The version's text is its query, and every step shows what the store answers now."""
    assert version.sparql == render(version.parse.query)
    assert parse(version.sparql) == version.parse.query
    assert len(version.steps) == len(version.parse.decomposition.steps)
    for step in version.steps:
        rows = engine.kb.store.select(step.sparql)
        assert {a.value for a in step.answers} <= set(collect(rows)), step.sparql
        assert bool(step.answers) == bool(collect(rows))
        assert step.answer_count >= len(step.answers) and 0 <= step.confidence <= 1
        assert step.answers or step.confidence <= EMPTY_CAP
    last = engine.kb.store.select(version.sparql)
    assert bool(collect(last)) == bool(version.steps[-1].answers)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(question=st.sampled_from(sorted(SCRIPT)), data=st.data())
def test_random_feedback_never_crashes_nor_loses_a_version(
    engine: Engine, question: str, data: st.DataObject
) -> None:
    saying = Saying()
    random = with_corrector(engine, saying, Settings(edits=12))
    dialogue = random.ask(question)
    for _ in range(data.draw(st.integers(3, 10))):
        count = len(shown(dialogue).steps)
        saying.steps = tuple(data.draw(st.lists(film_steps(count), min_size=2, max_size=4)))
        over = dialogue.status in ("accepted", "stopped")
        one = Undo() if over and data.draw(st.booleans()) else data.draw(some_feedback(count, dialogue.at))
        try:
            later = random.advance(dialogue, one)
        except FeedbackError as e:
            event(str(e)[:25])
            continue
        assert later.versions[: len(dialogue.versions)] == dialogue.versions
        holds(random, later)
        if len(later.versions) > len(dialogue.versions):
            executes(random, shown(later))
            assert shown(later).parent == dialogue.at and shown(later).feedback is not None
            assert shown(random.advance(later, Undo())) == shown(dialogue)
        elif isinstance(one, Accept | Stop):
            assert random.advance(later, Undo()) == dialogue
        dialogue = later
    event(f"{len(dialogue.versions)} versions")
    _undone(random, dialogue)


def _undone(engine: Engine, dialogue: Dialogue) -> None:
    """Back along the parents, each version the very value it was; and forth again."""
    at, last = dialogue.at, dialogue
    if dialogue.status in ("accepted", "stopped"):
        last = engine.advance(last, Undo())
    while (parent := shown(last).parent) is not None:
        last = engine.advance(last, Undo())
        assert last.at == parent < at and shown(last) == dialogue.versions[parent - 1]
        at = parent
    with pytest.raises(FeedbackError, match="nothing to undo"):
        engine.advance(last, Undo())
    assert last.at == 1 and shown(engine.advance(last, Back(dialogue.at))) == shown(dialogue)


def test_every_shown_template_is_read_as_the_step_it_shows(engine: Engine) -> None:
    """A person may copy any sub-question and change one word of it."""
    for question in SCRIPT:
        dialogue = engine.ask(question, FULL)
        for number, template in enumerate(templates(dialogue), 1):
            again = engine.advance(dialogue, Edit(number, template))
            assert shown(again).parse.decomposition == shown(dialogue).parse.decomposition
            assert math.isclose(shown(again).steps[0].confidence, shown(dialogue).steps[0].confidence)
