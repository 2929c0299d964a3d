"""A study from its file to the participants' data: register, dialogues, flags, pay, erasure, crashes."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import films
import pytest
import studies

from kbqa.engine import Engine
from kbqa.errors import FeedbackError, InputError
from kbqa.feedback import Accept, Delete, Edit, Stop
from kbqa.study.conduct import Conductor, takes_more
from kbqa.study.config import as_json, from_json, read_study
from kbqa.study.outcomes import Done, collect
from kbqa.study.pay import mark_paid, owed
from kbqa.study.places import (
    AtComparison,
    AtConsent,
    AtDialogue,
    AtEnd,
    AtQuiz,
    AtStart,
    AtSurvey,
    AtTutorial,
    Excluded,
    Waiting,
)
from kbqa.study.privacy import erase, export
from kbqa.study.register import NotInvited, OutOfStep, Register, utc_now
from kbqa.study.tasks import seat, take_results, tasks_of
from kbqa.study.watch import exclude, flags, keep, release


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with studies.film_engine(tmp_path_factory.mktemp("films")) as opened:
        yield opened


@pytest.fixture
def register(tmp_path: Path) -> Iterator[Register]:
    with studies.made(studies.write_study(tmp_path)) as made:
        yield made


@pytest.fixture
def conductor(register: Register, engine: Engine) -> Iterator[Conductor]:
    from kbqa.study.gold import keep_gold

    keep_gold(register, engine)
    with register.records(engine.signature) as records:
        yield Conductor(register, engine, records)


def go_through(conductor: Conductor, participant: str, *, comparisons: int = 1) -> None:
    """Accepts everything at once."""
    register = conductor.register
    while True:
        match register.where(participant):
            case AtStart(before) if len(before) < comparisons:
                register.start(participant)
            case AtDialogue(task):
                dialogue = conductor.open(task)
                if takes_more(dialogue):
                    dialogue = conductor.say(task, dialogue, Accept(), "1")
                conductor.close(task, dialogue)
            case AtSurvey(claim, stage):
                register.answer(claim, stage, dict.fromkeys(range(1, 6), 2), "fine")
            case AtComparison(claim, _):
                register.answer(claim, 3, {1: 1, 2: 2, 3: 1})
            case _:
                return


# --- the study file ------------------------------------------------------------------------


def test_the_template_is_the_published_design() -> None:
    study = read_study(studies.TEMPLATE)
    assert (study.batch, study.edits) == (10, 5)
    assert [tuple(m.name for m in c.conditions) for c in study.comparisons] == [
        ("full", "templated"),
        ("full", "decontextualized"),
        ("full", "non-interactive"),
    ]
    assert (len(study.survey.statements), len(study.survey.comparative), len(study.survey.scale)) == (5, 3, 4)
    assert (study.pay.dialogue, study.pay.survey, study.pay.bonus) == (
        Decimal("0.40"),
        Decimal(1),
        Decimal(5),
    )
    assert study.analysis.trials == 10_000
    kept = from_json(as_json(study), study.folder)
    assert replace(kept, items=study.items) == study


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("edits = 5", "edits = 0", r"line 9: 'edits' is 0; expected a whole number from 1 to 50"),
        ("right = 1\n", "right = 9\n", r"'right' in \[quiz.questions\] 2 is 9; expected .* 1 to 4"),
        ("dialogue = 0.40", "dialogue = 0.405", r"line 101: 'dialogue' in \[pay\] is 0.405"),
        (
            "survey = 1.00",
            "surveys = 1.00",
            r"line 102: 'surveys' in \[pay\] is not known here; known: bonus",
        ),
        ('["full", "templated"]', '["full", "full"]', r"line 14: 'conditions' in \[comparison\]"),
        ('["full", "templated"]', '["fool", "templated"]', "one or two different ones of full"),
        ("batch = 1 ", "batch 1 ", "line 8"),
        ("agree = ", "agreed = ", r"'agree' in \[consent\] is missing"),
        ('title = "Which', 'titel = "Which', "'title' is missing"),
        ("[5, 30, 120, 1440]", "[30, 5]", "waiting times that never get shorter"),
        ("[quiz]", "[[quiz]]", "a table"),
        ('participants = "invited"', 'participants = "all"', "one of invited, open"),
    ],
)
def test_a_mistake_in_the_study_file_is_told_with_line_and_field(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = studies.write_study(tmp_path)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=said):
        read_study(file)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "0-0", "question": "Another?", "sparql": films.SCRIPT[films.CREW]}, "the id 0-0 stands in"),
        (
            {"id": "x", "question": "who directed cast away", "sparql": films.SCRIPT[films.CREW]},
            "question who",
        ),
        ({"id": "x", "question": "Who?", "sparql": "SELECT"}, "line 7"),
        ({"id": "x", "sparql": films.SCRIPT[films.CREW]}, "'question' is missing"),
    ],
)
def test_items_that_cannot_be_used_are_told_with_their_line(
    tmp_path: Path, row: dict[str, str], said: str
) -> None:
    file = studies.write_study(tmp_path)
    with (tmp_path / "items.jsonl").open("a") as out:
        out.write(json.dumps(row) + "\n")
    with pytest.raises(InputError, match=said):
        studies.made(file)


def test_what_binds_participants_cannot_change_once_one_takes_part(tmp_path: Path) -> None:
    file = studies.write_study(tmp_path)
    studies.made(file).close()
    file.write_text(file.read_text().replace("edits = 5", "edits = 4"))
    with studies.made(file) as register:  # nobody has begun
        assert register.study.edits == 4
        register.start(studies.qualified(register))
    file.write_text(file.read_text().replace("edits = 4", "edits = 3"))
    with pytest.raises(InputError, match="edits changed"):
        studies.made(file)
    file.write_text(
        file.read_text().replace("edits = 3", "edits = 4").replace("bonus = 5.00", "bonus = 6.00")
    )
    with studies.made(file) as register:  # what is owed may grow
        assert register.study.pay.bonus == 6


# --- before the dialogues ------------------------------------------------------------------


def test_only_who_is_invited_gets_in_and_only_a_hash_is_kept(register: Register) -> None:
    (name,) = register.invite(1, "lab")
    participant = register.enter(name)
    assert name not in participant
    with pytest.raises(NotInvited):
        register.enter("guessed")
    with pytest.raises(NotInvited):
        register.enter("")
    for file in register.folder.iterdir():
        assert name.encode() not in file.read_bytes()
    assert (register.folder / "key").stat().st_mode & 0o077 == 0


def test_an_open_study_takes_any_id_once(tmp_path: Path) -> None:
    file = studies.write_study(tmp_path, ('participants = "invited"', 'participants = "open"'))
    with studies.made(file) as register:
        assert register.enter("A1WORKER") == register.enter("A1WORKER ") != register.enter("A2")
        assert len(register.tables.rows("SELECT id FROM participants")) == 2


def test_the_wait_before_another_try_grows(tmp_path: Path) -> None:
    ahead = timedelta()
    with studies.made(studies.write_study(tmp_path), now=lambda: utc_now() + ahead) as register:
        (name,) = register.invite(1)
        participant = register.enter(name)
        assert isinstance(register.where(participant), AtConsent)
        register.consent(participant)
        assert isinstance(register.where(participant), AtTutorial)
        register.finish_tutorial(participant)
        for attempt, minutes in enumerate((5, 30, 120, 1440, 1440), 1):
            assert register.where(participant) == AtQuiz(attempt)
            assert not register.take_quiz(participant, (1, 1, 1))
            assert isinstance(register.where(participant), Waiting)
            with pytest.raises(OutOfStep):
                register.take_quiz(participant, studies.RIGHT)
            ahead += timedelta(minutes=minutes - 1)
            assert isinstance(register.where(participant), Waiting)
            ahead += timedelta(minutes=1.1)
        assert register.take_quiz(participant, studies.RIGHT)
        assert register.where(participant) == AtStart()


# --- assignment, with many at once -----------------------------------------------------------


def test_many_who_begin_at_once_never_share_a_form(tmp_path: Path) -> None:
    """Eighteen participants, three connections, eighteen threads."""
    with studies.made(studies.write_study(tmp_path)) as register:
        who = [studies.qualified(register) for _ in range(18)]
        folder = register.folder
    registers = [Register(folder) for _ in range(3)]
    threads = [
        threading.Thread(target=registers[n % 3].start, args=(participant,))
        for n, participant in enumerate(who)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tables = registers[0].tables
    used = Counter(
        (r["comparison"], r["condition"], r["item"])
        for r in tables.rows(
            "SELECT c.comparison, t.condition, t.item FROM tasks t JOIN claims c ON c.id = t.claim"
        )
    )
    twice = tables.rows("SELECT 1 FROM tasks GROUP BY participant, item HAVING count(*) > 1")
    for held in registers:
        held.close()
    assert len(used) == 3 * 2 * 6
    assert set(used.values()) == {1}
    assert not twice


def test_the_file_itself_refuses_an_item_twice_and_a_form_twice(register: Register) -> None:
    participant = studies.qualified(register)
    register.start(participant)
    task = register.tasks(1)[0]
    with closing(sqlite3.connect(register.tables.path)) as raw:
        for sql in (
            f"INSERT INTO tasks (claim, place, stage, participant, item, condition)"
            f" VALUES (9, 1, 1, '{participant}', '{task.item}', 'full')",
            "INSERT INTO claims (participant, form, comparison, code, created)"
            " SELECT 'other', form, 'other', 'x', created FROM claims",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                raw.execute(sql)


def test_a_released_form_goes_to_another_worker(register: Register) -> None:
    first = studies.qualified(register)
    register.start(first)
    form = register.tables.rows("SELECT form FROM claims")[0]["form"]
    release(register, first, "went away")
    second = studies.qualified(register)
    register.start(second)
    held = register.tables.rows("SELECT form FROM claims WHERE participant = ?", second)
    assert held[0]["form"] == form
    again = register.start(first)
    assert isinstance(again, AtDialogue) and again.task.comparison != "full vs templated"


# --- dialogues ------------------------------------------------------------------------------


def test_a_whole_comparison_and_its_pay(conductor: Conductor) -> None:
    register = conductor.register
    participant = studies.qualified(register)
    go_through(conductor, participant)
    place = register.where(participant)
    assert isinstance(place, AtStart) and len(place.before) == 1
    (each,) = owed(register)
    assert (each.dialogues, each.surveys, each.comparisons) == (2, 2, 1)
    assert each.due == Decimal("7.80")  # 2 * 0.40 + 2 * 1 + 5
    assert mark_paid(register, [participant]) == Decimal("7.80")
    assert owed(register)[0].due == 0
    left = collect(register, conductor.records)
    assert len(left.dialogues) == 2
    assert {(r.stage, r.value) for r in left.ratings} == {(1, 2), (2, 2)}
    assert len(left.preferences) == 3
    first, second = (d.condition for d in left.dialogues)
    assert [p.condition for p in left.preferences] == [first, second, first]


def test_the_published_study_pays_fifteen_dollars_for_a_comparison() -> None:
    study = read_study(studies.TEMPLATE)
    assert 20 * study.pay.dialogue + 2 * study.pay.survey + study.pay.bonus == Decimal("15.00")


def _at(conductor: Conductor, question: str) -> AtDialogue:
    """A participant's place at a dialogue about this question, whoever that is."""
    register = conductor.register
    for _ in range(18):
        place = register.start(studies.qualified(register))
        assert isinstance(place, AtDialogue)
        if place.task.question == question and place.task.condition != "non-interactive":
            return place
    raise AssertionError("no form begins with that question")


def test_a_turn_is_recorded_before_it_is_shown_and_carried_out_once(conductor: Conductor) -> None:
    task = _at(conductor, films.CREW).task
    dialogue = conductor.open(task)
    assert dialogue.edits_left == 5
    again = conductor.register.tasks(task.claim)[task.place - 1]
    assert conductor.open(again) == dialogue == conductor.open(task)
    after = conductor.say(task, dialogue, Delete(2), "t1")
    assert conductor.records.load(dialogue.dialogue_id) == after
    assert conductor.say(task, dialogue, Delete(2), "t1") == after
    with pytest.raises(FeedbackError):  # nothing that could be read
        conductor.say(task, after, Edit(1, "!?"), "t2")
    with pytest.raises(OutOfStep):
        conductor.close(task, after)
    done = conductor.say(task, after, Stop(), "t3")
    conductor.close(task, done, "too hard")
    kept = conductor.register.tasks(task.claim)[task.place - 1]
    assert kept.finished is not None


def test_another_window_that_lags_behind_changes_nothing(conductor: Conductor) -> None:
    task = _at(conductor, films.CREW).task
    dialogue = conductor.open(task)
    after = conductor.say(task, dialogue, Delete(2), "t1")
    with pytest.raises(OutOfStep, match="not taken"):
        conductor.say(task, dialogue, Stop("too late"), "t2")
    assert conductor.records.load(dialogue.dialogue_id) == after


def test_surveys_come_in_their_turn_and_whole(conductor: Conductor) -> None:
    register = conductor.register
    participant = studies.qualified(register)
    place = register.start(participant)
    assert isinstance(place, AtDialogue)
    claim, ratings = place.task.claim, dict.fromkeys(range(1, 6), 1)
    with pytest.raises(OutOfStep):
        register.answer(claim, 1, ratings)
    dialogue = conductor.open(place.task)
    conductor.close(place.task, conductor.say(place.task, dialogue, Stop(), "1"))
    with pytest.raises(InputError, match="there is no answer to 'I felt confident"):
        register.answer(claim, 1, {1: 1, 2: 1, 4: 1, 5: 1})
    with pytest.raises(InputError):
        register.answer(claim, 1, {**ratings, 1: 5})
    register.answer(claim, 1, ratings)
    register.answer(claim, 1, dict.fromkeys(range(1, 6), 4))  # sent twice: the first counts
    assert {r["value"] for r in register.tables.rows("SELECT value FROM answers")} == {1}


# --- flags and exclusion -----------------------------------------------------------------------


def _done(conductor: Conductor) -> Done:
    go_through(conductor, studies.qualified(conductor.register))
    return collect(conductor.register, conductor.records).dialogues[0]


def test_flags_name_what_a_person_should_look_at(conductor: Conductor) -> None:
    one = replace(_done(conductor), condition="full", seconds=60.0, turn_seconds=10.0, texts=())
    limits = conductor.register.study.monitoring

    def row(order: int, **changes: object) -> Done:
        edits = changes.pop("edits", 1)
        changed = replace(one, order=order, dialogue_id=f"d{order}", **changes)
        return replace(changed, outcome=replace(one.outcome, edits=edits))

    fine = [row(n) for n in range(1, 8)]
    assert flags(fine, limits) == []

    def kinds(rows: list[Done]) -> list[str]:
        return [f.kind for f in flags(rows, limits)]

    assert kinds([row(1, seconds=8.0)]) == ["too short"]
    assert kinds([*fine, row(8, seconds=18.0)]) == ["too short"]  # under a third of the median
    assert kinds([row(n, edits=0) for n in range(1, 5)]) == ["no edits in a row"]
    assert kinds([row(n, edits=0) for n in range(1, 4)]) == []
    assert kinds([row(n, edits=int(n == 3)) for n in range(1, 7)]) == []
    assert kinds([row(n, edits=0, condition="non-interactive") for n in range(1, 9)]) == []
    assert kinds([row(1, texts=("Who wrote it?", "who  WROTE it?"))]) == ["same edit at every turn"]
    assert kinds([row(1, texts=("Who wrote it?", "Who made it?"))]) == []
    assert kinds([row(1, texts=("", ""))]) == []
    assert kinds([row(n, turn_seconds=1.0) for n in range(1, 4)]) == ["fast turns"]


def test_the_excluded_are_paid_not_analysed_and_their_forms_done_by_others(conductor: Conductor) -> None:
    register = conductor.register
    participant = studies.qualified(register)
    go_through(conductor, participant)
    keep(register, participant, "looked fine")
    assert len(collect(register, conductor.records).dialogues) == 2
    with pytest.raises(InputError, match="say why"):
        exclude(register, participant, " ")
    exclude(register, participant, "the same words everywhere")
    assert isinstance(register.where(participant), Excluded)
    assert collect(register, conductor.records).dialogues == ()
    assert len(collect(register, conductor.records, everybody=True).dialogues) == 2
    assert owed(register)[0].due == Decimal("7.80")
    other = studies.qualified(register)
    register.start(other)
    forms = [r["form"] for r in register.tables.rows("SELECT form FROM claims ORDER BY id")]
    assert forms[0] == forms[1]
    with pytest.raises(InputError, match="no participant"):
        exclude(register, "nobody", "why not")


# --- one participant's data ----------------------------------------------------------------------


def test_export_shows_all_and_erasure_leaves_nothing(conductor: Conductor) -> None:
    register, records = conductor.register, conductor.records
    participant = studies.qualified(register)
    place = register.start(participant)
    assert isinstance(place, AtDialogue)
    dialogue = conductor.open(place.task)
    secret = "my name is Ottoline"
    stopped = conductor.say(place.task, dialogue, Stop(secret), "1")
    conductor.close(place.task, stopped, secret)
    go_through(conductor, participant)
    other = studies.qualified(register)
    go_through(conductor, other)
    shown = export(register, records, participant)
    assert len(shown["dialogues"]) == 2 and len(shown["answers"]) == 13
    assert secret in json.dumps(shown)
    code = shown["claims"][0]["code"]
    assert register.find(code) == register.find(participant) == participant
    assert erase(register, records, participant) == 2
    assert len(collect(register, records).dialogues) == 2  # the other's
    with pytest.raises(InputError):
        export(register, records, participant)
    for file in register.folder.iterdir():
        held = file.read_bytes()
        assert secret.encode() not in held and participant.encode() not in held, file.name


# --- a crowd platform ------------------------------------------------------------------------------


def test_tasks_go_to_a_platform_and_its_results_come_back(conductor: Conductor) -> None:
    register, records = conductor.register, conductor.records
    worker = "0123456789abcdef"
    assert seat(register, [worker, worker]) == [worker]
    rows = list(tasks_of(register, [worker]))
    assert [r["mode"] for r in rows] == [t.condition for t in register.tasks(1)]
    assert [[s["stage"] for s in r.pop("surveys")] for r in rows] == [[1], [2, 3]]
    assert all(r.keys() == {"id", "question", "mode", "participant"} for r in rows)
    lines: list[dict[str, Any]] = []
    for row in rows:
        dialogue = replace(conductor.engine.ask(row["question"], _mode(row["mode"])), edits_left=0)
        records.save(dialogue)
        records.save(conductor.engine.advance(dialogue, Accept()), Accept())
        ended = {"event": "ended", "how": "finished", "item": row["id"], "participant": worker}
        told = {"dialogue_id": dialogue.dialogue_id, "time": "2026-11-21T19:00:00+00:00", "seconds": 70}
        lines.append({**ended, **told, "comment": "ok"})
    survey = {"participant": worker, "claim": 1}
    lines += [{**survey, "stage": n, "answers": [1, 2, 3, 4, 1]} for n in (1, 2)]
    lines += [{**survey, "stage": 3, "answers": [1, 2, 1]}]
    lines.insert(0, {"event": "opened", "item": rows[0]["id"]})
    wrong = [{**lines[1], "participant": "ffff"}, {**lines[1], "dialogue_id": "gone"}, {**survey, "stage": 7}]
    numbered = [(n, json.dumps(row).encode()) for n, row in enumerate([*lines, *wrong], 1)]
    found = take_results(register, records, numbered)
    assert (found.dialogues, found.surveys) == (2, 3)
    assert [n for n, _ in found.refused] == [7, 8, 9]
    again = take_results(register, records, numbered[: len(lines)])
    assert not again.refused
    left = collect(register, records)
    assert [d.seconds for d in left.dialogues] == [70.0, 70.0]
    assert len(left.ratings) == 10 and len(left.preferences) == 3
    assert not list(tasks_of(register, [worker]))


def test_a_survey_on_the_platforms_page_is_the_one_of_our_pages(conductor: Conductor) -> None:
    """In words, and in what comes of it; a dialogue whose survey is missing is offered again."""
    register, records, worker = conductor.register, conductor.records, "0123456789abcdef"
    seat(register, [worker])
    first, second = tasks_of(register, [worker])
    survey = register.study.survey
    rating, comparing = second["surveys"]
    assert [q["text"] for q in rating["questions"]] == list(survey.statements)
    assert {tuple(q["options"]) for q in rating["questions"]} == {survey.scale}
    assert [q["text"] for q in comparing["questions"]] == list(survey.comparative)
    lines: list[dict[str, Any]] = []
    for row, event in ((first, "held"), (second, "held"), (second, "ended")):
        task = next(t for t in register.tasks(1) if f"1-{t.place}" == row["id"])
        dialogue = conductor.open(task)
        if takes_more(dialogue):
            conductor.say(task, dialogue, Accept(), "1")
        who = {"item": row["id"], "participant": worker}
        told = {"how": "finished", "dialogue_id": dialogue.dialogue_id, "seconds": 70}
        lines.append({"event": event, **who, **told, "time": "2026-11-21T19:00:00+00:00", "comment": "ok"})
        if event == "held":
            lines += [
                {"event": "surveyed", **who, "stage": s["stage"], "answers": [2] * len(s["questions"])}
                for s in row["surveys"]
            ]
    lines[1]["comment"] = "I liked it"
    numbered = [(n, json.dumps(line).encode()) for n, line in enumerate(lines, 1)]
    take_results(register, records, numbered[:1])
    waiting = [(r["id"], [s["stage"] for s in r["surveys"]]) for r in tasks_of(register, [worker])]
    assert waiting == [("1-1", [1]), ("1-2", [2, 3])]
    found = take_results(register, records, numbered)
    assert (found.dialogues, found.surveys, found.refused) == (2, 3, ())
    assert isinstance(register.where(worker), AtStart) and not list(tasks_of(register, [worker]))
    left = collect(register, records)
    assert len(left.ratings) == 10 and len(left.preferences) == 3
    assert register.tables.rows("SELECT stage, text FROM remarks") == [{"stage": 1, "text": "I liked it"}]
    stolen = [(1, json.dumps({**lines[1], "participant": "ffff"}).encode())]
    assert "is not one of participant 'ffff'" in take_results(register, records, stolen).refused[0][1]


def _mode(name: str) -> object:
    from kbqa.dialogue import MODES

    return MODES[name]


# --- crashes -----------------------------------------------------------------------------------------

_WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import studies
from kbqa.study.register import Register
with Register(Path({folder!r})) as register:
    for number in range(1000):
        (name,) = register.invite(1)
        participant = register.enter(name)
        register.consent(participant)
        register.finish_tutorial(participant)
        register.take_quiz(participant, studies.RIGHT)
        print(participant, flush=True)
"""


def test_killed_in_mid_write_nothing_acknowledged_is_lost(register: Register) -> None:
    code = _WRITER.format(tests=str(Path(__file__).parent), folder=str(register.folder))
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            acknowledged = [process.stdout.readline().strip() for _ in range(5)]
            os.kill(process.pid, signal.SIGKILL)
            acknowledged += [line.strip() for line in process.stdout if line.endswith("\n")]
        for participant in acknowledged:
            assert register.where(participant) == AtStart()
    assert register.tables.rows("PRAGMA integrity_check")[0]["integrity_check"] == "ok"


def test_a_killed_server_goes_on_with_the_turn_that_was_recorded(
    conductor: Conductor, tmp_path: Path
) -> None:
    """The process dies after the turn is on disk: who comes back sees it, and it is not done again."""
    task = _at(conductor, films.CREW).task
    dialogue = conductor.open(task)
    code = (
        "import sys, os; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "import studies\n"
        "from kbqa.feedback import Delete\n"
        "from kbqa.study.conduct import Conductor\n"
        "from kbqa.study.register import Register\n"
        "register = Register(Path(sys.argv[2]))\n"
        "engine = studies.film_engine(Path(sys.argv[3]))\n"
        "conductor = Conductor(register, engine, register.records())\n"
        "task = register.tasks(int(sys.argv[4]))[int(sys.argv[5]) - 1]\n"
        "conductor.say(task, conductor.open(task), Delete(2), 'turn')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    given = [
        str(Path(__file__).parent),
        str(conductor.register.folder),
        str(tmp_path),
        task.claim,
        task.place,
    ]
    ended = subprocess.run([sys.executable, "-c", code, *map(str, given)], capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    after = conductor.open(task)
    assert len(after.versions) == 2 and len(dialogue.versions) == 1
    assert conductor.say(task, dialogue, Delete(2), "turn") == after


def test_everything_done_is_the_end(conductor: Conductor) -> None:
    participant = studies.qualified(conductor.register)
    go_through(conductor, participant, comparisons=9)
    place = conductor.register.where(participant)
    assert isinstance(place, AtEnd) and len(place.codes) == 3
