"""Dialogues with simulated users, over a small graph and a parser that is wrong in known ways."""

from __future__ import annotations

import fcntl
import gzip
import io
import json
import math
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from films import BIRTHPLACE, CREW, DIRECTOR, LATEST, NATIONALITY, NS, SCRIPT, Worded, film_engine

from kbqa.cli import main
from kbqa.correct import Context, TemplateCorrector
from kbqa.decompose import decompose, recompose
from kbqa.dialogue import (
    DECONTEXTUALIZED,
    FULL,
    MODES,
    NON_INTERACTIVE,
    TEMPLATED,
    Mode,
    Offer,
    Parse,
)
from kbqa.engine import Engine
from kbqa.errors import InputError, KbqaError
from kbqa.feedback import Accept, Choose, Delete, Edit, Replace, Undo, feedback_document
from kbqa.kb import open_kb
from kbqa.lexicon import freebase_lexicon
from kbqa.phrase import Phrasing, RulePhraser, StepInContext
from kbqa.rewire import Steps
from kbqa.scripted import ScriptedParser
from kbqa.simulate.align import Operation, alone, nearest
from kbqa.simulate.goal import GoldRow, goal_of
from kbqa.simulate.page import page
from kbqa.simulate.play import Plan, Record, Unread, play_row
from kbqa.simulate.profiles import HUMAN, ORACLE, ORACLE_IN_WORDS, Judgement, Profile
from kbqa.simulate.report import make_report
from kbqa.simulate.run import read_records, simulate
from kbqa.simulate.users import Reply, SimulatedUser
from kbqa.simulate.words import sampled, wordings
from kbqa.sparql import parse, render
from kbqa.types import Check, Count, Decomposition, Merge, Oftenest, Ref, Step

LEXICON = freebase_lexicon()
ACTED = "ns:m.tom ns:film.actor.film ?p . ?p ns:film.performance.film ?x"
BY_BOB = "?x ns:film.film.directed_by ns:m.bob"
DATED = "?x ns:film.film.initial_release_date ?d"


def select(*patterns: str, order: str = "") -> str:
    return f"{NS} SELECT DISTINCT ?x WHERE {{ {' . '.join(patterns)} }} {order}"


LATEST_FIRST = "ORDER BY DESC(xsd:datetime(?d)) LIMIT 1"
DIRECTORS_COUNTRY = select("ns:m.gump ns:film.film.directed_by ?w", "?w ns:people.person.nationality ?x")
GOLD: Mapping[str, tuple[str, str]] = {
    "right": (NATIONALITY, str(SCRIPT[NATIONALITY])),
    "wrong step": (NATIONALITY, DIRECTORS_COUNTRY),
    "missing step": (
        DIRECTOR,
        select("ns:m.cast ns:film.film.directed_by ?d", "?d ns:people.person.nationality ?x"),
    ),
    "superfluous step": (CREW, select(ACTED)),
    "two things wrong": (
        LATEST,
        select(
            ACTED, "?x ns:film.film.produced_by ns:m.wendy", DATED, order=LATEST_FIRST.replace("DESC", "ASC")
        ),
    ),
    "wrong namesake": (BIRTHPLACE, str(SCRIPT[BIRTHPLACE]).replace("ns:m.georgia", "ns:m.gastate")),
    "not understood": ("Is there anybody out there?", select(ACTED)),
}
ROWS = [GoldRow(n, name, *GOLD[name]) for n, name in enumerate(GOLD, 1)]
BY_NAME = {row.id: row for row in ROWS}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with film_engine(tmp_path_factory.mktemp("films")) as opened:
        yield opened


def reopen(folder: str) -> Engine:
    """A function of the module, so that worker processes can call it."""
    return Engine(open_kb(folder), ScriptedParser(SCRIPT))


def play(
    engine: Engine, name: str, profile: Profile = ORACLE, mode: Mode = FULL, seed: int = 0, edits: int = 5
) -> Record:
    [record] = play_row(engine, Plan((mode,), profile, seed, edits), BY_NAME[name], (mode,))
    assert record["error"] is None, record["error"]
    return record


def kinds(record: Record) -> list[str]:
    return [turn["feedback"]["kind"] for turn in record["turns"][1:]]


def without_times(records: list[Record]) -> list[Any]:
    """The records but for what the clock says."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items() if k != "seconds"}
        return [plain(v) for v in value] if isinstance(value, list | tuple) else value

    return [plain(r) for r in records]


# --- aligning ------------------------------------------------------------------------


def steps_of(sparql: str) -> Steps:
    return decompose(parse(sparql), LEXICON.mediators).steps


def goal(sparql: str) -> Any:
    return goal_of(GoldRow(1, "g", "?", sparql), LEXICON)


A, B, C = ACTED, BY_BOB, "?x ns:film.film.produced_by ns:m.wendy"
NEXT = select(ACTED.replace("?x", "?f"), "?f ns:film.film.directed_by ?x")


@pytest.mark.parametrize(
    ("wanted", "shown", "operations"),
    [
        (select(A, B), select(A, B), []),
        (select(A, B), select(A), [Operation("insert", 2, 2)]),
        (select(A), select(A, B), [Operation("delete", 2, 0)]),
        (select(A, B), select(A, C), [Operation("replace", 2, 2)]),
        (NEXT, NEXT.replace("m.tom", "m.gump"), [Operation("edit", 1, 1)]),
        (select(A, B, C), select(C), [Operation("insert", 2, 2), Operation("insert", 2, 3)]),
        (
            select(A, B, DATED, order=LATEST_FIRST),
            select(A, DATED, order=LATEST_FIRST),
            [Operation("insert", 2, 2)],
        ),
        (
            select(A, DATED, order=LATEST_FIRST),
            select(A, DATED, order="ORDER BY xsd:datetime(?d) LIMIT 1"),
            [Operation("edit", 2, 2)],
        ),
    ],
)
def test_the_operations_lead_from_what_is_shown_to_what_is_wanted(
    wanted: str, shown: str, operations: list[Operation]
) -> None:
    assert list(nearest(goal(wanted).ways, steps_of(shown)).operations) == operations


def test_conditions_in_another_order_are_no_difference() -> None:
    there, back = select(A, B), select(B, A)
    assert steps_of(there) != steps_of(back)
    assert nearest(goal(there).ways, steps_of(back)).operations == ()
    found = nearest(goal(select(A, B, C)).ways, steps_of(select(C, A)))
    assert [o.kind for o in found.operations] == ["insert"]


def test_the_order_of_conditions_is_no_difference_and_terms_are_said_forward(engine: Engine) -> None:
    office = "government.government_position_held"
    bounds = [
        f"FILTER(NOT EXISTS {{?o ns:{office}.{end} ?t{k}}} || EXISTS {{?o ns:{office}.{end} ?u{k} . FILTER"
        f'(xsd:datetime(?u{k}) {operator} "{day}"^^xsd:dateTime)}})'
        for k, (end, operator, day) in enumerate([("to", ">=", "1980-01-01"), ("from", "<=", "1980-12-31")])
    ]
    holders = f"ns:m.georgia ns:government.governmental_jurisdiction.governing_officials ?o . ?o ns:{office}"
    there, back = (select(f"{holders}.office_holder ?x {' '.join(b)}") for b in (bounds, bounds[::-1]))
    [step], [other] = steps_of(there), steps_of(back)
    assert step != other and alone(step) == alone(other)
    row = GoldRow(1, "x", DIRECTOR, there)
    [record] = play_row(engine, Plan((FULL,), ORACLE), row, (FULL,))
    [turn] = record["turns"][1:]
    assert turn["feedback"]["text"].endswith(", at some time in [1980]?")


def test_a_step_that_goes_on_from_the_wrong_answers_is_replaced() -> None:
    first = "ns:m.gump ns:film.film.directed_by ?a"
    second = "ns:m.big ns:film.film.directed_by ?b"
    shown = steps_of(
        select(first, second, "?a ns:people.person.nationality ?x", "?b ns:people.person.nationality ?x")
    )
    wrong = tuple(shown[:-1])
    assert len(shown) >= 4 and nearest((shown,), wrong).operations
    assert nearest((shown,), shown).operations == ()


# --- the oracle ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "feedback", "required"),
    [
        ("right", [], 0),
        ("wrong step", ["edit"], 1),
        ("missing step", ["insert"], 1),
        ("superfluous step", ["delete"], 1),
        ("two things wrong", ["replace", "edit"], 2),
        ("wrong namesake", ["link"], 1),
    ],
)
def test_the_oracle_says_what_is_wrong_and_accepts_what_is_right(
    engine: Engine, name: str, feedback: list[str], required: int
) -> None:
    record = play(engine, name)
    assert kinds(record) == feedback
    assert len(record["required"]) == required == record["turns_to_success"] == record["edits"]
    assert record["status"] == "accepted" and record["official"] and not record["false_accept"]
    assert list(record["exact"]) == [False] * required + [True] * (6 - required)


def test_the_oracle_accepts_nothing_else(engine: Engine) -> None:
    record = play(engine, "wrong step", mode=NON_INTERACTIVE)
    assert record["status"] == "stopped" and record["edits"] == 0 and not any(record["exact"])
    assert record["f1"] == (1.0,) * 6, "the directors come from the same country as the writers"
    assert not record["official"] and record["deemed"] is None


def test_no_more_edits_are_made_than_are_allowed(engine: Engine) -> None:
    record = play(engine, "two things wrong", edits=1)
    assert record["edits"] == 1 and record["status"] == "edits_used_up" and len(record["exact"]) == 2
    assert play(engine, "wrong step", edits=0)["edits"] == 0


def test_words_as_people_use_them_come_before_templates(engine: Engine) -> None:
    [_, turn] = play(engine, "wrong step")["turns"]
    assert len(turn["refused"]) == ORACLE.tries, "no model reads natural wordings here"
    assert (
        turn["source"] == "template" and turn["feedback"]["text"] == "Who is the director of [Forrest Gump]?"
    )


def test_an_oracle_in_words_copies_no_template(engine: Engine) -> None:
    record = play(engine, "wrong step", ORACLE_IN_WORDS)
    assert record["edits"] == record["templates"] == 0 and len(record["end"]["refused"]) > ORACLE.tries
    assert not [text for text in record["end"]["refused"] if "[" in text]


def test_what_people_said_comes_before_the_lexicon(engine: Engine) -> None:
    said = "Whose film is Forrest Gump, as a director?"
    row = replace(BY_NAME["wrong step"], sub_questions=((said,), ("What country are they from?",)))
    [record] = play_row(engine, Plan((FULL,), ORACLE), row, (FULL,))
    assert said in record["turns"][1]["refused"][0]


def test_sub_questions_belong_to_the_steps_of_the_row(engine: Engine) -> None:
    row = replace(
        BY_NAME["wrong step"],
        entities={c: "Forrest Gump" for c in goal(DIRECTORS_COUNTRY).query and _entities(DIRECTORS_COUNTRY)},
        steps=(
            "Who is the director of [Forrest Gump]?",
            "What is the country of nationality of [that director]?",
        ),
        sub_questions=(("Who made it?",), ("Where from?",)),
    )
    found = goal_of(row, LEXICON)
    assert sorted(found.said.values()) == [("Where from?",), ("Who made it?",)]
    shifted = replace(row, sub_questions=(("Who made it?",),))
    assert goal_of(shifted, LEXICON).said == {}


def _entities(sparql: str) -> list[Any]:
    from kbqa.intake import constants_of

    return [c for s in steps_of(sparql) for c in constants_of(s)]


def test_the_engine_is_told_words_and_never_the_query(engine: Engine) -> None:
    heard: list[str] = []

    class Eavesdropping(Engine):
        def first_version(self, *given: Any, **more: Any) -> Any:
            heard.append(repr((given, more)))
            return super().first_version(*given, **more)

        def advance(self, dialogue: Any, feedback: Any) -> Any:
            heard.append(json.dumps(feedback_document(feedback)))
            return super().advance(dialogue, feedback)

    listening = Eavesdropping(engine.kb, engine.parser)
    for name in ("wrong step", "missing step", "two things wrong"):
        play(listening, name)
    said = " ".join(heard)
    assert len(heard) > 6
    assert not [
        word for word in ("SELECT", "film.film", "people.person", "ns:", "Decomposition") if word in said
    ]


def test_given_entities_take_the_place_of_linking(engine: Engine) -> None:
    row = BY_NAME["right"]
    [iri] = _entities(row.sparql)
    seen: list[Any] = []

    class Noting(ScriptedParser):
        def parse(self, question: str, mentions: Any, *, n: int, grounded: bool = True) -> Any:
            seen.append([(m.text, m.candidates[0].entity) for m in mentions])
            return super().parse(question, mentions, n=n, grounded=grounded)

    noting = Engine(engine.kb, Noting(SCRIPT))
    plan = Plan((FULL,), ORACLE, gold_entities=True)
    play_row(noting, plan, replace(row, entities={iri: "Forrest Gump"}), (FULL,))
    assert seen == [[("Forrest Gump", iri)]]


def test_a_given_entity_can_be_named_in_a_correction(engine: Engine) -> None:
    """The knowledge base knows it by another name, and the first reading is about something else."""
    [iri] = _entities(BY_NAME["right"].sparql)
    dialogue = engine.ask(DIRECTOR, FULL, {iri: "Tom's run across America"})
    named = engine.advance(dialogue, Replace(1, "Who is the screenwriter of [Tom's run across America]?"))
    assert named.current is not None and [a.label for a in named.current.steps[0].answers] == ["Eric Roth"]


# --- people, as a model --------------------------------------------------------------


def sure(**rates: Any) -> Profile:
    """A user whose only weakness is the one named, which always shows."""
    return replace(ORACLE, name="test", **rates)


def judging(**rates: float) -> Profile:
    return sure(generated=Judgement(**rates), templated=Judgement(**rates))


def test_whoever_accepts_too_soon_accepts_what_is_wrong(engine: Engine) -> None:
    record = play(engine, "superfluous step", judging(accepts_wrong=1.0))
    assert record["status"] == "accepted" and record["edits"] == 0 and record["false_accept"]
    assert record["end"]["slip"] == "accepts wrong" and record["deemed"] and not record["official"]


def test_a_right_answer_by_another_query_is_officially_correct(engine: Engine) -> None:
    record = play(engine, "wrong step", judging(accepts_wrong=1.0))
    assert record["official"] and not record["false_accept"] and not any(record["exact"])


def test_nothing_is_accepted_that_has_no_answer(engine: Engine) -> None:
    empty = replace(BY_NAME["right"], question="What is the sequel of Cast Away?")
    [record] = play_row(
        engine, Plan((NON_INTERACTIVE,), judging(accepts_wrong=1.0)), empty, (NON_INTERACTIVE,)
    )
    assert record["status"] == "stopped"


def test_whoever_gives_up_stops(engine: Engine) -> None:
    record = play(engine, "wrong step", judging(stops=1.0))
    assert record["status"] == "stopped" and record["edits"] == 0 and record["end"]["slip"] == "stops"


def test_whoever_goes_on_after_the_right_query_may_lose_it(engine: Engine) -> None:
    record = play(engine, "missing step", judging(doubts=1.0))
    assert record["went_on"] and record["edits"] > 1
    assert "goes on" in [turn["slip"] for turn in record["turns"]]


def test_judgement_depends_on_the_phrasing_that_is_shown(engine: Engine) -> None:
    profile = sure(templated=Judgement(stops=1.0))
    assert play(engine, "wrong step", profile, FULL)["status"] == "accepted"
    assert play(engine, "wrong step", profile, DECONTEXTUALIZED)["status"] == "accepted"
    assert play(engine, "wrong step", profile, TEMPLATED)["status"] == "stopped"


def test_whoever_misreads_the_question_is_content_with_another_answer(engine: Engine) -> None:
    record = play(engine, "two things wrong", sure(misreads=1.0))
    assert record["misreads"] and not record["exact"][-1]
    assert record["status"] == "stopped" or record["false_accept"] or record["official"]
    single = play(engine, "superfluous step", sure(misreads=1.0))
    assert single["exact"][-1], "a question of one step can't be mistaken for one of none"


@pytest.mark.parametrize(
    ("weakness", "slip"),
    [
        ({"wrong_step": 1.0}, "wrong step"),
        ({"wrong_operation": 1.0}, "wrong operation"),
        ({"vague": 1.0}, "vague wording"),
        ({"misspelt": 1.0}, "misspelt"),
    ],
)
def test_slips_are_made_and_written_down(engine: Engine, weakness: dict[str, float], slip: str) -> None:
    record = play(engine, "wrong step", sure(**weakness, tries=0))
    assert record["turns"][1:] == [] or record["turns"][1]["slip"] == slip
    assert record["turns"][1:] or record["end"]["refused"]


def test_the_same_seed_gives_the_same_dialogue_and_another_another(engine: Engine) -> None:
    def all_of(seed: int) -> list[Any]:
        plan = Plan(tuple(MODES.values()), HUMAN, seed)
        return without_times([r for row in ROWS for r in play_row(engine, plan, row, plan.modes)])

    assert all_of(3) == all_of(3) != all_of(4)


def test_people_copy_templates_without_brackets(engine: Engine) -> None:
    record = play(engine, "wrong step", replace(HUMAN, tries=0, generated=Judgement(), misreads=0.0))
    said = [*record["end"]["refused"], *(t["feedback"]["text"] for t in record["turns"][1:])]
    assert said and not [text for text in said if "[" in text]


def test_the_sources_of_words_come_in_order(engine: Engine) -> None:
    rng = random.Random(0)
    steps = steps_of(select(A, B))
    said = wordings(steps, ["Which did Bob direct?"], {}, LEXICON, rng, tries=50, copy="as it is")
    order = [s.source for s in said]
    assert order == sorted(order, key=["human", "phraser", "lexicon", "template"].index)
    assert {"human", "phraser", "lexicon", "template"} == set(order)
    assert len({s.text for s in said}) == len(said)


def test_likelier_phrasings_are_drawn_earlier(engine: Engine) -> None:
    likely, unlikely = Phrasing("a", math.log(0.9)), Phrasing("b", math.log(0.1))
    first = [sampled((unlikely, likely), random.Random(k))[0].text for k in range(400)]
    assert 0.84 < first.count("a") / 400 < 0.95


def test_an_offered_alternative_that_is_meant_is_chosen(engine: Engine) -> None:
    [dialogue] = [engine.first_version(NATIONALITY, FULL)]
    wanted = goal(DIRECTORS_COUNTRY)
    query = wanted.query
    parse_ = Parse(query, decompose(query, LEXICON.mediators), 0.0)
    offer = Offer("predicate", 1, "the director's country", parse_, 1, ())
    shown = replace(dialogue, versions=(replace(dialogue.versions[0], offers=(offer,)),))
    assert SimulatedUser(ORACLE, wanted, LEXICON, "x").reply(shown, 0) == Reply(Choose(1))
    words = SimulatedUser(replace(ORACLE, chooses=0.0), wanted, LEXICON, "x").reply(shown, 0)
    assert words is not None and isinstance(words.feedback, Edit)


def test_what_made_it_worse_is_undone_and_not_tried_again(engine: Engine) -> None:
    user = SimulatedUser(ORACLE, goal(str(SCRIPT[NATIONALITY])), LEXICON, "x")
    dialogue = engine.advance(engine.first_version(NATIONALITY, FULL), Delete(2))
    assert dialogue.at == 2
    assert user.reply(dialogue, 0) == Reply(Undo())
    assert user.reply(engine.advance(dialogue, Undo()), 1) == Reply(Accept())
    never = SimulatedUser(replace(ORACLE, undoes=0.0), user.goal, LEXICON, "x")
    found = never.reply(dialogue, 0)
    assert found is not None and not isinstance(found.feedback, Undo)


def test_whoever_doubts_what_is_right_says_no_where_nothing_can_be_corrected(engine: Engine) -> None:
    record = play(engine, "right", judging(doubts=1.0), NON_INTERACTIVE)
    assert record["status"] == "stopped" and record["end"]["slip"] == "doubts" and not record["official"]


def test_every_choice_left_to_chance_is_kept(engine: Engine) -> None:
    record = play(engine, "superfluous step", judging(accepts_wrong=1.0))
    assert record["decisions"] == [("misreads", False), ("generated.accepts_wrong", True)]


def test_errors_are_named_by_what_is_wrong(engine: Engine) -> None:
    found = {name: [e["category"] for e in play(engine, name)["errors_first"]] for name in GOLD}
    assert found["right"] == [] and found["not understood"] == []
    assert found["wrong step"] == ["wrong predicate"]
    assert found["missing step"] == ["missing step"] and found["superfluous step"] == ["superfluous step"]
    assert found["wrong namesake"] == ["wrong entity"] and found["two things wrong"][-1] == "wrong order"
    shown = play(engine, "two things wrong")["errors_first"][0]["shown"]
    assert "[Robert Zemeckis]" in shown, "by its name, though the goal does not hold it"
    record = play(engine, "wrong step")
    assert record["steps_first"]["f1"] < 1.0 == record["steps_last"]["f1"] and record["errors_last"] == []


@pytest.mark.parametrize("step", [Oftenest(Ref(2)), Count(Ref(2)), Check(Ref(2)), Merge((Ref(1), Ref(2)))])
def test_what_is_said_about_earlier_answers_as_a_whole_is_read_as_it_is_meant(step: Step) -> None:
    """No model learns these few sentences: of the most frequent it made the most populous."""
    before = steps_of(NEXT)
    context = StepInContext((*before, step), 3, str)
    said = [p.text for p in RulePhraser(LEXICON).phrase(context)]
    corrector = TemplateCorrector(LEXICON)
    for text in (*said, *(["which is the most frequent?"] if isinstance(step, Oftenest) else [])):
        [found] = corrector.correct(text, (), Context(before), n=5)
        assert found.step == step, text
    assert len(said) > 1


def test_the_most_frequent_is_asked_for_in_words(engine: Engine) -> None:
    wanted = recompose(Decomposition((*steps_of(str(SCRIPT[CREW])), Oftenest(Ref(2)))))
    row = GoldRow(1, "oftenest", CREW, render(wanted))
    [record] = play_row(engine, Plan((FULL,), ORACLE_IN_WORDS), row, (FULL,))
    assert record["error"] is None and record["required"] == ["insert"], record["error"]
    assert record["exact"][1] and record["edits"] == 1 and record["turns"][1]["source"] == "phraser"


# --- runs ----------------------------------------------------------------------------


def run(engine_or_folder: Engine | str, folder: Path, **more: Any) -> list[Record]:
    plan = more.pop("plan", Plan((FULL, NON_INTERACTIVE), ORACLE))
    rows = more.pop("rows", ROWS)
    settings = more.pop("settings", {"seed": plan.seed})
    if isinstance(engine_or_folder, str):
        opened = partial(reopen, engine_or_folder)
    else:
        unclosed = Engine(engine_or_folder.kb, engine_or_folder.parser)
        unclosed.close = lambda: None  # type: ignore[method-assign]
        opened = lambda: unclosed  # type: ignore[assignment] # noqa: E731
    simulate(rows, plan, opened, folder, settings, **more)
    return list(read_records(folder))


def test_a_run_writes_a_record_for_each_row_and_mode(engine: Engine, tmp_path: Path) -> None:
    records = run(engine, tmp_path / "run")
    assert [(r["id"], r["mode"]) for r in records] == [
        (n, m) for n in GOLD for m in ("full", "non-interactive")
    ]
    assert records[-1]["status"] == "not_understood" and not any(records[-1]["exact"])
    assert records[-1]["f1"] == [0.0] * 6, "no reading of a question with an answer scores nothing"


def test_the_number_of_workers_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    assert engine.kb.folder is not None
    one = run(engine, tmp_path / "one")
    two = run(str(engine.kb.folder), tmp_path / "two", workers=2)
    assert without_times(one) == without_times(two)


def test_a_run_that_was_killed_goes_on_where_it_was(engine: Engine, tmp_path: Path) -> None:
    whole, folder = run(engine, tmp_path / "whole"), tmp_path / "killed"
    run(engine, folder, rows=ROWS[:3])
    file = folder / "dialogues.jsonl"
    file.write_bytes(file.read_bytes()[:-40])
    told: list[int] = []
    again = run(engine, folder, tick=told.append)
    assert without_times(again) == without_times(whole)
    assert sum(told) == len(whole) == 2 * len(ROWS)


def test_a_finished_run_plays_nothing_again(engine: Engine, tmp_path: Path) -> None:
    run(engine, tmp_path / "run")
    before = (tmp_path / "run" / "dialogues.jsonl").read_bytes()
    run(engine, tmp_path / "run")
    assert (tmp_path / "run" / "dialogues.jsonl").read_bytes() == before


def test_a_folder_that_another_process_writes_is_refused(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with (tmp_path / "run" / "dialogues.jsonl").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(InputError, match=r"another process is writing to .*: wait until it is done"):
            run(engine, tmp_path / "run")
    run(engine, tmp_path / "run")
    assert len(list(read_records(tmp_path / "run"))) == 2 * len(ROWS)


def test_a_folder_that_holds_another_run_is_refused(engine: Engine, tmp_path: Path) -> None:
    run(engine, tmp_path / "run", settings={"seed": 0, "user": "oracle"})
    with pytest.raises(InputError, match=r"another run \(user differ\): name a new folder"):
        run(engine, tmp_path / "run", settings={"seed": 0, "user": "human"})
    (tmp_path / "run" / "settings.json").unlink()
    with pytest.raises(InputError, match="unknown run"):
        run(engine, tmp_path / "run")


def test_a_crash_in_one_dialogue_is_one_failed_row(engine: Engine) -> None:
    class Fragile(Engine):
        def advance(self, dialogue: Any, feedback: Any) -> Any:
            if dialogue.question == CREW:
                raise ZeroDivisionError("a defect")
            return super().advance(dialogue, feedback)

    fragile = Fragile(engine.kb, engine.parser)
    plan = Plan((FULL,), ORACLE)
    records = [r for row in ROWS for r in play_row(fragile, plan, row, (FULL,))]
    broken = [r["id"] for r in records if r["error"]]
    assert broken == ["superfluous step"]
    [record] = [r for r in records if r["error"]]
    assert record["error"] == {"type": "InternalError", "message": "ZeroDivisionError: a defect"}
    assert not any(record["exact"]) and record["status"] == "failed"


def test_rows_that_cannot_be_used_are_failed_rows(engine: Engine) -> None:
    plan = Plan((FULL,), ORACLE)
    bad = [
        Unread(1, "line 1", {"type": "InputError", "message": "not JSON"}),
        GoldRow(2, "x", "Who?", "DROP"),
    ]
    found = [play_row(engine, plan, row, (FULL,))[0] for row in bad]
    assert [r["error"]["type"] for r in found] == ["InputError", "QueryError"]
    assert [r["status"] for r in found] == ["failed", "failed"]


def test_rows_are_taken_as_they_are_needed(engine: Engine, tmp_path: Path) -> None:
    taken, most = 0, 0

    def rows() -> Iterator[GoldRow]:
        nonlocal taken
        for row in ROWS:
            taken += 1
            yield row

    def tick(_: int) -> None:
        nonlocal most
        done = len((tmp_path / "run" / "dialogues.jsonl").read_text().splitlines())
        most = max(most, taken - done)

    run(engine, tmp_path / "run", rows=rows(), plan=Plan((FULL,), ORACLE), tick=tick)
    assert taken == len(ROWS) and most <= 1


def test_a_knowledge_base_that_cannot_be_opened_stops_the_run(tmp_path: Path) -> None:
    for workers in (1, 2):
        with pytest.raises(KbqaError, match="no knowledge base"):
            run(str(tmp_path / "nowhere"), tmp_path / f"run{workers}", workers=workers)


# --- the report ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def report(engine: Engine) -> dict[str, Any]:
    plan = Plan((FULL, NON_INTERACTIVE), ORACLE)
    rows = [*ROWS, Unread(99, "line 99", {"type": "InputError", "message": "not <b>JSON</b>"})]
    records = [r for row in rows for r in play_row(engine, plan, row, plan.modes)]
    return make_report(json.loads(json.dumps(records)), {"seed": 0, "user": "oracle", "modes": ["full"]})


def test_the_report_counts_failed_and_not_understood_rows_as_wrong(report: dict[str, Any]) -> None:
    full = report["modes"]["full"]
    assert full["n"] == 8 and report["failed"] == 2
    assert full["exact_match"][0]["value"] == pytest.approx(1 / 8)
    assert full["exact_match"][1]["value"] == pytest.approx(5 / 8)
    assert full["exact_match"][5]["value"] == pytest.approx(6 / 8)
    assert full["officially_correct"]["value"] == pytest.approx(6 / 8)
    assert report["modes"]["non-interactive"]["exact_match"][5]["value"] == pytest.approx(1 / 8)
    right = full["answers_right"]
    assert right[0]["value"] == pytest.approx(2 / 7, abs=1e-4), "two queries, one of them the gold one"
    assert right[5]["value"] == pytest.approx(6 / 7, abs=1e-4) and right[5]["n"] == 7
    assert full["edits"]["value"] == pytest.approx(6 / 8) and full["edits"]["n"] == 8
    assert full["effort"]["value"] == pytest.approx(1.0)
    assert report["by_required_edits"]["2"]["full"]["n"] == 1


def test_the_report_tells_what_the_parts_did(report: dict[str, Any]) -> None:
    """This engine reads templates alone: of the natural words, two that are templates without brackets."""
    full = report["modes"]["full"]
    heard = full["corrector_accuracy"]
    assert heard["n"] > 5 and heard["value"] * heard["n"] == pytest.approx(2, abs=1e-2)
    assert full["template_accuracy"]["value"] == 1.0
    assert full["entity_fidelity"]["value"] == 1.0 and full["entity_fidelity"]["n"] > 10
    assert full["right_or_offered_first"]["value"] >= full["exact_match"][0]["value"]
    for name in ("step_precision", "step_recall", "step_f1", "step_order"):
        assert 0 < full[f"{name}_first"]["value"] <= full[f"{name}_last"]["value"] <= 1, name
    assert full["implied_edits_first"]["value"] > full["implied_edits_last"]["value"]


def test_the_report_says_why_dialogues_failed(report: dict[str, Any]) -> None:
    assert report["why_not"]["full"] == {
        "not understood": {"n": 1, "rows": [7]},
        "failed": {"n": 1, "rows": [99]},
    }
    assert report["why_not"]["non-interactive"]["no corrections are taken"]["n"] == 5
    assert report["first_errors"]["full"] == {"delete": 1, "edit": 3, "insert": 1, "replace": 1}
    assert set(report["by_gold_answers"]) == {"some here", "unknown"}


def test_every_figure_has_its_interval_and_nothing_is_nan(report: dict[str, Any]) -> None:
    json.dumps(report, allow_nan=False)
    for estimate in report["modes"]["full"]["exact_match"]:
        assert estimate["low"] <= estimate["value"] <= estimate["high"]
    nothing = report["modes"]["non-interactive"]["user_deemed_correct"]
    assert nothing == {"value": None, "low": None, "high": None, "n": 0}


def test_modes_are_compared_on_the_same_rows(report: dict[str, Any]) -> None:
    [exact] = [t for t in report["comparisons"] if t["measure"] == "exact match"]
    assert exact["n"] == 8 and exact["difference"] == pytest.approx(5 / 8, abs=1e-4)
    assert exact["p"] == pytest.approx(0.0625), "five rows right in one mode only: 2 * (1/2)**5"
    assert exact["p_holm"] >= exact["p"]
    assert not [t for t in report["comparisons"] if t["measure"] == "effort"], "no edits, no effort"


def test_the_signature_says_every_choice(report: dict[str, Any]) -> None:
    assert report["signature"]["text"] == "seed:0|user:oracle|modes:full"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [v or "" for k, v in attrs if k in ("src", "href")]


def test_the_page_needs_nothing_else_and_trusts_no_text(engine: Engine, report: dict[str, Any]) -> None:
    record = play(engine, "two things wrong", edits=1)
    record["question"] = "<script>alert(1)</script>"
    text = page(report, [json.loads(json.dumps(record))])
    found = _Page()
    found.feed(text)
    assert found.links == [] and "script" not in found.tags and "b" not in found.tags
    assert "@import" not in text and "url(" not in text and "nan" not in text.lower().replace("finance", "")
    assert {"svg", "table", "details"} <= set(found.tags)
    assert "57.75 / 75.00" in text, "Table 1, published beside ours"


# --- the command ---------------------------------------------------------------------


@pytest.fixture
def command(engine: Engine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def opened(kb: str | None = None) -> Engine:
        found = Engine(engine.kb, engine.parser)
        found.close = lambda: None  # type: ignore[method-assign]
        return found

    monkeypatch.setattr(Engine, "open", opened)

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kbqa", "simulate", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return call


def lines(*names: str) -> str:
    rows = [{"id": n, "question": GOLD[n][0], "sparql": GOLD[n][1]} for n in names]
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_the_command_writes_a_report(command: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "rows.jsonl.gz", tmp_path / "run"
    with gzip.open(file, "wt") as rows:
        rows.write(lines(*list(GOLD)[:6]))
    code, said, err = command(
        "--input", file, "--output", out, "--mode", "full,non-interactive", "--workers", 1
    )
    assert (code, err) == (0, "")
    assert "full: exact match 16.7 % at first, 100.0 % at last" in said
    assert sorted(f.name for f in out.iterdir()) == [
        "dialogues.jsonl", "report.html", "report.json", "settings.json",
    ]  # fmt: skip
    signature = json.loads((out / "report.json").read_text())["signature"]
    assert signature["rows"] == 6 and signature["user"] == "oracle" and signature["engine"]
    assert len(signature["data_sha256"]) == 16


def test_a_failed_row_is_exit_code_1(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(lines("right") + "{oops\n" + json.dumps({"id": "q", "question": "Who?"}) + "\n")
    code, _, err = command("--input", file, "--output", tmp_path / "run", "--mode", "full")
    assert code == 1 and "2 dialogues failed" in err
    failures = json.loads((tmp_path / "run" / "report.json").read_text())["failures"]
    assert (
        "line 2: not JSON" in failures[0]["error"]["message"]
        and "'sparql'" in failures[1]["error"]["message"]
    )


def test_another_seed_in_the_same_folder_is_exit_code_2(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(lines("right", "wrong step"))
    call = ("--input", file, "--output", tmp_path / "run", "--mode", "full")
    assert command(*call, "--limit", 1)[0] == 0
    assert len(list(read_records(tmp_path / "run"))) == 1
    code, _, err = command(*call)
    assert code == 2 and "rows differ" in err.replace("data_sha256, ", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--mode", "loud"), "'loud' is none of all, full"),
        (("--user", "robot"), "'robot' is none of oracle, oracle-in-words, human, human-aided"),
        (("--input", "nowhere.jsonl"), "can't read nowhere.jsonl"),
        (("--edits", "-1"), "greater than or equal to 0"),
    ],
)
def test_a_call_that_makes_no_sense_is_exit_code_2(
    command: Any, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(lines("right"))
    code, _, err = command("--input", file, "--output", tmp_path / "run", *words)
    assert code == 2 and said in " ".join(err.replace("│", " ").split())


def test_rows_may_come_from_standard_input(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines("right").encode())))
    assert command("--input", "-", "--output", tmp_path / "run")[0] == 0
    assert len(list(read_records(tmp_path / "run"))) == len(MODES)


def test_gold_entities_must_be_there(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(lines("right"))
    call = ("--input", file, "--output", tmp_path / "run", "--mode", "full", "--gold-entities")
    assert command(*call)[0] == 1
    [record] = read_records(tmp_path / "run")
    assert "--gold-entities needs it" in record["error"]["message"]


def test_what_people_asked_in_inspired_is_what_a_simulated_user_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file in INSPIRED's documented format, imported and simulated, both on the command line."""
    made_by = "ns:m.gump ns:film.film.produced_by ?p . ?p ns:people.person.nationality ?x"
    human = ["Who is the producer of Forrest Gump?", "Where does that one come from?"]
    entry = {
        "id": "WebQTest-1_ab",
        "cwq_question": NATIONALITY,
        "rephrased_question": NATIONALITY,
        "question": NATIONALITY,
        "gold_parse": select(made_by),
        "gold_sub_lfs": [
            "<sparql-header-1> #entity1# ns:film.film.produced_by ?p .",
            "<sparql-header-1> ?p ns:people.person.nationality ?x .",
        ],
        "gold_sub_qs": [
            {"sub_id": n, "sub_question": text, "temp_sub_question": "What is/are", "answer": "-"}
            for n, text in enumerate(human)
        ],
        "feedback": ["No, the producer."],
    }
    source, rows, run = tmp_path / "dataset.jsonl", tmp_path / "rows.jsonl", tmp_path / "run"
    source.write_text(json.dumps(entry) + "\n")
    folder = tmp_path / "films"
    folder.mkdir()
    with film_engine(folder, Worded()) as worded:
        unclosed = Engine(worded.kb, worded.parser, corrector=worded.corrector)
        unclosed.close = lambda: None  # type: ignore[method-assign]
        monkeypatch.setattr(Engine, "open", lambda kb=None: unclosed)
        for words in (
            ("import", "inspired", source, "--output", rows),
            ("simulate", "--input", rows, "--output", run, "--user", "oracle-in-words", "--mode", "full"),
        ):
            monkeypatch.setattr(sys, "argv", ["kbqa", *map(str, words)])
            with pytest.raises(SystemExit) as left:
                main()
            assert not left.value.code, capsys.readouterr().err
    [record] = read_records(run)
    said = record["turns"][1]
    assert (said["feedback"]["kind"], said["feedback"]["text"], said["source"]) == ("edit", human[0], "human")
    assert record["exact"][0] is False and record["exact"][1] is True and record["official"]
    assert record["corrections"] == [["human", True]]


@pytest.mark.slow
def test_memory_hardly_grows_with_the_rows(tmp_path: Path) -> None:
    """From the command's start to its report; a record in memory would be some 20 KiB a dialogue."""

    def peak(n: int) -> int:
        folder = tmp_path / str(n)
        folder.mkdir()
        script = Path(__file__).with_name("memory.py")
        done = subprocess.run(
            [sys.executable, str(script), "simulate", str(n), str(folder)],
            capture_output=True,
            text=True,
            timeout=300,
            cwd=script.parent,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        assert len(list(read_records(folder / "run"))) == 2 * n
        return int(done.stdout.split()[-1])

    few, many = 300, 1500
    assert (peak(many) - peak(few)) / (many - few) < 8, "KiB a row, of two dialogues each"


def test_no_rows_are_nothing_to_simulate(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("\n\n")
    code, _, err = command("--input", file, "--output", tmp_path / "run")
    assert code == 2 and "holds no rows" in err
