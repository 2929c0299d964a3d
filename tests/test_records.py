"""Records: what is saved is loaded again equal, and no acknowledged turn is ever lost."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from films import BIRTHPLACE, CREW, DIRECTOR, LATEST, NATIONALITY, NOTHING, film_engine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import decompositions, queries

from kbqa.dialogue import MODES, NON_INTERACTIVE, Dialogue
from kbqa.document import document
from kbqa.engine import Engine
from kbqa.errors import FeedbackError, RecordsError, TurnConflict, UnknownDialogue
from kbqa.feedback import Accept, Back, Choose, Delete, Edit, Feedback, Insert, Stop, Undo, Unsure
from kbqa.records import Records, decode, default_path, encode
from kbqa.records import file as records_file
from kbqa.records.codec import dumps, loads
from kbqa.types import Iri, Literal, Mediators

BOB = "Who is the director of [that film]?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with film_engine(tmp_path_factory.mktemp("films")) as opened:
        yield opened


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with Records(tmp_path / "dialogues.sqlite", signature="films+scripted") as opened:
        yield opened


def _swap(engine: Engine, dialogue: Dialogue) -> Edit:
    """An edit that the engine understands: step 1 of the dialogue as another question's template."""
    other = engine.ask(CREW if dialogue.question != CREW else NATIONALITY).current
    assert other is not None
    return Edit(1, other.steps[0].template)


def talk(engine: Engine, question: str = NATIONALITY) -> list[tuple[Feedback | None, Dialogue]]:
    """A dialogue of five turns: each feedback and the dialogue after it."""
    first = engine.ask(question)
    told: list[tuple[Feedback | None, Dialogue]] = [(None, first)]
    for said in (_swap(engine, first), Undo(), Unsure(), Accept()):
        told.append((said, engine.advance(told[-1][1], said)))
    return told


# --- the codec ---------------------------------------------------------------------


def test_what_is_decoded_is_what_was_encoded_for_every_question_and_mode(engine: Engine) -> None:
    questions = (NATIONALITY, LATEST, BIRTHPLACE, DIRECTOR, CREW, NOTHING, "Who is the dearest friend?")
    for question in questions:
        for mode in MODES.values():
            dialogue = engine.ask(question, mode)
            again = loads(dumps(dialogue))
            assert again == dialogue and hash(again) == hash(dialogue)
            assert document(again) == document(dialogue)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_what_is_decoded_goes_on_as_the_original_does(engine: Engine, data: st.DataObject) -> None:
    """Random feedback, half of it nonsense, given to a dialogue and to its decoded twin."""
    dialogue = engine.ask(data.draw(st.sampled_from([NATIONALITY, LATEST, BIRTHPLACE, CREW, NOTHING])))
    templates = [s.template for q in (DIRECTOR, CREW, BIRTHPLACE) for s in engine.ask(q).current.steps]  # type: ignore[union-attr]
    words = st.sampled_from([*templates, BOB, "", "no idea 😀"])
    steps = st.integers(0, 3)
    feedback = st.one_of(
        st.sampled_from([Accept(), Unsure(), Undo(), Stop("why?")]),
        st.builds(Insert, steps, words),
        st.builds(Edit, steps, words),
        st.builds(Delete, steps),
        st.builds(Back, steps),
        st.builds(Choose, steps),
    )
    for said in data.draw(st.lists(feedback, max_size=6)):
        twin = decode(json.loads(json.dumps(encode(dialogue))))
        assert twin == dialogue
        outcome, again = _advanced(engine, dialogue, said), _advanced(engine, twin, said)
        assert outcome == again
        dialogue = outcome if isinstance(outcome, Dialogue) else dialogue


def _advanced(engine: Engine, dialogue: Dialogue, said: Feedback) -> Dialogue | str:
    try:
        return engine.advance(dialogue, said)
    except FeedbackError as e:
        return str(e)


@settings(max_examples=100, deadline=None)
@given(st.one_of(queries(), decompositions()))
def test_every_query_and_step_can_be_written(value: Any) -> None:
    assert loads(dumps(value)) == value


def test_every_type_of_a_dialogue_value_is_known() -> None:
    """The fields of the known types name no dataclass that is not known."""
    from kbqa.records.codec import _known

    known = _known()
    assert {"Dialogue", "Version", "Offer", "Edit", "Iri", "Kind", "Mention"} <= known.keys()
    for kind in known.values():
        if is_dataclass(kind):
            assert all(isinstance(f.name, str) for f in fields(kind)) and hash(kind) is not None


def test_values_that_json_has_not_are_kept() -> None:
    for value in (math.inf, -math.inf, 1, 1.0, 0.1 + 0.2, "\0\ud800\u2028😀", (), (None, True, (1,))):
        again = loads(dumps(value))
        assert again == value and type(again) is type(value)
    set_of = Mediators(frozenset({"a", "b"}), frozenset({Iri("http://e/p")}))
    assert loads(dumps(set_of)) == set_of


@pytest.mark.parametrize("value", [object(), Path("x"), {"a": 1}, [1], b"x", {1}])
def test_what_is_no_dialogue_value_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no type of a dialogue value"):
        encode(value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON"),
        ("[]", "format None"),
        ('{"format":99,"value":1}', "format 99"),
        ('{"format":1,"value":{"$":"Popen","args":"rm"}}', "'Popen'"),
        ('{"format":1,"value":{"$":"builtins.eval"}}', "doesn't know"),
        ('{"format":1,"value":{"$":"Iri"}}', "lacks 'value'"),
        ('{"format":1,"value":{"$":"Iri","value":"a","x":1}}', "unknown field 'x'"),
        ('{"format":1,"value":{"$":"Kind","value":"colour"}}', "'colour'"),
        ('{"format":1,"value":{"no":"type"}}', "type None"),
    ],
)
def test_a_text_of_another_kind_does_not_load(text: str, says: str) -> None:
    with pytest.raises(RecordsError, match=says):
        loads(text)


def test_a_field_that_was_added_since_takes_its_default() -> None:
    assert decode({"$": "Literal", "lexical": "x"}) == Literal("x")


# --- save and load -----------------------------------------------------------------------


def test_every_turn_is_loaded_equal_and_goes_on(engine: Engine, records: Records) -> None:
    for number, (said, dialogue) in enumerate(talk(engine)):
        reply = records.save(dialogue, said, str(number) if said else None)
        assert reply == document(dialogue)
        assert records.load(dialogue.dialogue_id) == dialogue
    resumed = engine.advance(records.load(dialogue.dialogue_id), Undo())
    assert resumed.status == "awaiting_feedback" and len(resumed.versions) == 2


def test_a_question_that_is_not_understood_is_kept_too(engine: Engine, records: Records) -> None:
    dialogue = engine.ask("Who is my dearest friend?")
    assert dialogue.status == "not_understood"
    records.save(dialogue)
    assert records.load(dialogue.dialogue_id) == dialogue


def test_an_unknown_id_is_named(records: Records) -> None:
    for act in (records.load, records.delete):
        with pytest.raises(UnknownDialogue, match="'no-such-id'"):
            act("no-such-id")
    with pytest.raises(UnknownDialogue) as told:
        records.load("x" * 10_000 + "\ud800")
    assert len(str(told.value)) < 200


def test_a_turn_that_is_sent_again_has_its_first_reply_and_changes_nothing(
    engine: Engine, records: Records
) -> None:
    (_, first), (edit, second), (undo, third), *_ = talk(engine)
    records.save(first)
    assert records.turn(first.dialogue_id, "a") is None
    reply = records.save(second, edit, "a")
    records.save(third, undo, "b")
    assert records.turn(first.dialogue_id, "a", edit) == reply == records.save(second, edit, "a")
    assert records.load(first.dialogue_id) == third
    with pytest.raises(TurnConflict, match="'a' of this dialogue is recorded with other feedback"):
        records.turn(first.dialogue_id, "a", Accept())
    with pytest.raises(TurnConflict):
        records.save(replace(third, status="accepted"), Accept(), "a")
    assert records.load(first.dialogue_id) == third


def test_who_has_an_old_copy_can_not_overwrite_a_version(engine: Engine, records: Records) -> None:
    (_, first), (edit, second), *_ = talk(engine)
    records.save(first)
    records.save(second, edit)
    with pytest.raises(TurnConflict, match="continued elsewhere"):
        records.save(replace(first, status="accepted"), Accept())
    assert second.current is not None
    other = replace(second, versions=(second.versions[0], replace(second.versions[1], sparql="ASK {}")))
    with pytest.raises(TurnConflict):
        records.save(other, edit)
    assert records.load(first.dialogue_id) == second


@pytest.mark.parametrize("clock", ["runs", "stands"])
def test_the_newest_come_first_and_what_is_deleted_is_gone(
    engine: Engine, records: Records, clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if clock == "stands":  # two turns within one millisecond
        monkeypatch.setattr(records_file, "datetime", Mock(now=lambda _: datetime(2026, 11, 21, tzinfo=UTC)))
    asked = [engine.ask(q, MODES["templated"]) for q in (NATIONALITY, DIRECTOR, CREW)]
    for dialogue in asked:
        records.save(dialogue)
    records.save(engine.advance(asked[0], Accept()), Accept(), "1")
    found = records.recent(10)
    assert [s.id for s in found] == [asked[i].dialogue_id for i in (0, 2, 1)]
    assert found[0].status == "accepted" and found[0].question == NATIONALITY
    assert found[0].mode == "templated" and found[0].kb == "kb" and found[0].updated >= found[1].updated
    assert len(records.recent(1)) == 1
    records.delete(asked[0].dialogue_id)
    assert [s.id for s in records.recent()] == [asked[i].dialogue_id for i in (2, 1)]
    assert records.turn(asked[0].dialogue_id, "1") is None
    content = b"".join(p.read_bytes() for p in records.path.parent.iterdir())
    records.close()  # the log is folded into the file
    assert asked[0].dialogue_id.encode() in content
    assert asked[0].dialogue_id.encode() not in records.path.read_bytes()


def test_half_a_surrogate_pair_is_kept_in_the_value(engine: Engine, records: Records) -> None:
    dialogue = replace(engine.ask(DIRECTOR), question="\ud800 who?", kb="k\ud800")
    records.save(dialogue)
    assert records.load(dialogue.dialogue_id) == dialogue
    assert records.recent()[0].question == "? who?"


# --- the file -------------------------------------------------------------------------------


def test_the_file_lies_where_it_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBQA_RECORDS", str(tmp_path / "own"))
    assert default_path() == tmp_path / "own" / "dialogues.sqlite"
    with Records() as made:
        assert made.path.is_file()
    monkeypatch.delenv("KBQA_RECORDS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_path() == tmp_path / "data" / "kbqa" / "dialogues.sqlite"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_path() == Path.home() / ".local" / "share" / "kbqa" / "dialogues.sqlite"


def test_it_is_written_ahead_and_synced(records: Records) -> None:
    db = records._db
    assert db.journal_mode == "wal" and db.conn.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_broken_a_newer_and_an_impossible_file_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_text("This is no database, but it is long enough to be taken for one." * 20)
    newer = tmp_path / "newer.sqlite"
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version=99")
    (tmp_path / "file").write_text("")
    for path in (broken, newer, tmp_path / "file" / "x.sqlite", tmp_path, Path("bad\0name")):
        with pytest.raises(RecordsError, match=str(path).replace("\0", ".")):
            Records(path)
    assert broken.read_text().startswith("This is no database")


def test_a_value_that_does_not_load_is_an_error_of_that_dialogue_only(
    engine: Engine, records: Records
) -> None:
    one, two = engine.ask(DIRECTOR), engine.ask(CREW)
    records.save(one)
    records.save(two)
    records._db.execute("UPDATE dialogues SET value = 'x' WHERE id = ?", [one.dialogue_id])
    with pytest.raises(RecordsError, match="no JSON"):
        records.load(one.dialogue_id)
    assert records.load(two.dialogue_id) == two and len(records.recent()) == 2


def test_threads_and_a_second_opener_share_the_file(engine: Engine, records: Records) -> None:
    told = talk(engine)

    def one(number: int) -> bool:
        with Records(records.path) if number % 4 == 0 else _left_open(records) as own:
            for turn, (said, dialogue) in enumerate(told):
                mine = replace(dialogue, dialogue_id=f"d{number}")
                own.save(mine, said, str(turn))
            return own.load(f"d{number}") == mine

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(24)))
    assert len(records.recent(100)) == 24


class _left_open:
    def __init__(self, records: Records) -> None:
        self.records = records

    def __enter__(self) -> Records:
        return self.records

    def __exit__(self, *_: object) -> None:
        pass


def test_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    code = f"from kbqa.records import Records; Records({str(tmp_path / 'new.sqlite')!r}).recent()"
    running = [_python(code) for _ in range(6)]
    assert [(p.communicate(timeout=60)[1], p.returncode) for p in running] == [("", 0)] * 6


def _python(code: str, *args: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", code, *args]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True)


_WRITER = """
import sys, threading
from dataclasses import replace
from pathlib import Path
from kbqa.records import Records
from kbqa.records.codec import loads

round_, path, values = sys.argv[1:]
told = [loads(line) for line in Path(values).read_text().splitlines()]
records = Records(path)

def talk(thread):
    number = 0
    while True:
        key = f"{round_}-{thread}-{number}"
        for turn, (said, dialogue) in enumerate(told):
            records.save(replace(dialogue, dialogue_id=key), said, str(turn))
            sys.stdout.write(f"{key} {turn}\\n")
            sys.stdout.flush()
        number += 1

for thread in range(3):
    threading.Thread(target=talk, args=(thread,)).start()
"""


def test_a_killed_process_loses_no_acknowledged_turn(engine: Engine, tmp_path: Path) -> None:
    """Ten times: three threads write turns and say so after each; the process is killed after a
    random number of them, and everything it said is there, whole, and goes on."""
    told = talk(engine)
    (tmp_path / "values").write_text("\n".join(dumps(pair) for pair in told))
    path = tmp_path / "dialogues.sqlite"
    chance = random.Random(0)
    acknowledged: dict[str, int] = {}
    for number in range(10):
        writer = _python(_WRITER, str(number), str(path), str(tmp_path / "values"))
        assert writer.stdout is not None
        said = "".join(writer.stdout.readline() for _ in range(chance.randint(1, 60)))
        writer.send_signal(signal.SIGKILL)
        said += writer.communicate()[0]
        for line in said.splitlines(keepends=True):
            if line.endswith("\n"):
                key, turn = line.split()
                acknowledged[key] = max(acknowledged.get(key, 0), int(turn))
    assert len(acknowledged) > 30
    with Records(path) as records:
        for key, last in acknowledged.items():
            for earlier in range(last + 1):
                reply = records.turn(key, str(earlier))
                assert reply is not None and reply["status"] == told[earlier][1].status
            found = records.load(key)
            at = [replace(dialogue, dialogue_id=key) for _, dialogue in told]
            assert found in at[last:]  # the turn after the last one said may be written and not yet told
            if found.status == "awaiting_feedback":
                assert engine.advance(found, Accept()).status == "accepted"


# --- export -----------------------------------------------------------------------------------


def test_the_export_tells_every_turn_and_version(engine: Engine, records: Records) -> None:
    told = talk(engine)
    for number, (said, dialogue) in enumerate(told):
        records.save(dialogue, said, str(number) if said else None, ms=12.5 if said else None)
    records.save(engine.ask(CREW))
    rows = [json.loads(json.dumps(row)) for row in records.export()]
    assert [r["question"] for r in rows] == [NATIONALITY, CREW]
    (row,) = records.export(status="accepted")
    assert [t["feedback"] and t["feedback"]["kind"] for t in row["turns"]] == [
        None, "edit", "undo", "unsure", "accept",
    ]  # fmt: skip
    assert [t["version"] for t in row["turns"]] == [1, 2, 1, 1, 1] and row["unsure"] == [1]
    assert row["turns"][0]["ms"] == told[0][1].timing.total and row["turns"][1]["ms"] == 12.5
    assert [v["version"] for v in row["versions"]] == [1, 2]
    assert row["versions"][1]["feedback"]["kind"] == "edit" and row["versions"][1]["parent"] == 1
    assert {v["signature"] for v in row["versions"] + row["turns"]} == {"films+scripted"}


def test_accepted_dialogues_are_examples_to_train_on(engine: Engine, records: Records) -> None:
    first = engine.ask(NATIONALITY)
    edit = _swap(engine, first)
    second = engine.advance(first, edit)
    accepted = engine.advance(second, Accept())
    for dialogue, said in ((first, None), (second, edit), (accepted, Accept())):
        records.save(dialogue, said)
    records.save(engine.ask(CREW))
    stopped = engine.ask(DIRECTOR)
    records.save(engine.advance(stopped, Stop("no")), Stop("no"))
    (row,) = records.training_rows()
    assert json.loads(json.dumps(row)) == row
    assert first.current is not None and second.current is not None
    assert row["question"] == NATIONALITY and row["sparql"] == second.current.sparql
    assert [s["template"] for s in row["steps"]] == [s.template for s in second.current.steps]
    assert [s["question"] for s in row["steps"]] == [s.question for s in second.current.steps]
    assert row["steps"][0]["feedback"] == [{"kind": "edit", "step": 1, "text": edit.text}]
    assert all(s["feedback"] == [] for s in row["steps"][1:])
    assert row["corrections"] == [
        {
            "kind": "edit",
            "step": 1,
            "text": edit.text,
            "stood": first.current.steps[0].shown,
            "template": second.current.steps[0].template,
            "question": NATIONALITY,
            "history": [],
        }
    ]
    assert row["entities"]["http://rdf.freebase.com/ns/m.tom"] == "Tom Hanks"


def test_what_was_undone_teaches_nothing(engine: Engine, records: Records) -> None:
    for said, dialogue in talk(engine):
        records.save(dialogue, said)
    (row,) = records.training_rows()
    assert row["corrections"] == [] and row["sparql"] == dialogue.versions[0].sparql


def test_a_dialogue_without_edits_is_an_example_as_well(engine: Engine, records: Records) -> None:
    dialogue = engine.advance(engine.ask(LATEST, NON_INTERACTIVE), Accept())
    records.save(dialogue)
    (row,) = records.training_rows()
    assert row["mode"] == "non-interactive" and len(row["steps"]) == len(_steps(dialogue))


def _steps(dialogue: Dialogue) -> Sequence[object]:
    assert dialogue.current is not None
    return dialogue.current.steps


def test_the_command_line_exports_to_json_lines(engine: Engine, records: Records, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from kbqa.cli.app import app

    for said, dialogue in talk(engine):
        records.save(dialogue, said)
    records.save(engine.ask(CREW))
    options = ["export", "--records", str(records.path), "--output"]
    assert CliRunner().invoke(app, [*options, str(tmp_path / "all.jsonl")]).exit_code == 0
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert rows == [json.loads(json.dumps(row)) for row in records.export()] and len(rows) == 2
    told = CliRunner().invoke(app, [*options, "-", "--training"])
    assert [json.loads(line) for line in told.stdout.splitlines()] == list(records.training_rows())
    nowhere = CliRunner().invoke(app, ["export", "--records", str(tmp_path / "typo"), "--output", "-"])
    assert "typo" in str(nowhere.exception) and not (tmp_path / "typo").exists()
