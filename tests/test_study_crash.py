"""A study in which the server, the knowledge base's own server, Mephisto's router or the crowd run is killed
(kill -9): what was acknowledged is there afterwards, once, and everybody goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import browser
import crowd_runs
import pytest
import studies
from films import NATIONALITY
from servers import free_port, oxigraph_binary, oxigraph_server

from kbqa.dialogue import Dialogue
from kbqa.evaluate.answers import answer_set, execute
from kbqa.feedback import Accept, Delete, Edit, Feedback
from kbqa.records import Records
from kbqa.simulate.profiles import HUMAN
from kbqa.study.crowd_page import PageConductor, chromium
from kbqa.study.crowd_run import CrowdTask, read_task
from kbqa.study.places import AtDialogue, Task
from kbqa.study.register import Register
from kbqa.study.remote import RemoteConductor
from kbqa.study.report import write_report
from kbqa.study.simulated import goals_of, simulate_workers
from kbqa.study.tasks import seat, tasks_of

MISSING = crowd_runs.missing() or browser.missing()
pytestmark = pytest.mark.slow
Turns = list[tuple[str, str, Feedback, int]]
"""Of each turn: the dialogue's id, its own, the feedback, and how many versions there were after it."""
Hurt = Callable[[], None]


@dataclass
class Acknowledged:
    """Talks as another one does, and keeps every turn of which it was told that it is done."""

    talk: RemoteConductor
    turns: Turns

    def open(self, task: Task) -> Dialogue:
        return self.talk.open(task)

    def say(self, task: Task, dialogue: Dialogue, feedback: Feedback, turn_id: str) -> Dialogue:
        after = self.talk.say(task, dialogue, feedback, turn_id)
        self.turns.append((dialogue.dialogue_id, turn_id, feedback, len(after.versions)))
        return after

    def close(self, task: Task, dialogue: Dialogue, comment: str = "") -> None:
        self.talk.close(task, dialogue, comment)

    def answer(self, claim: int, stage: int, values: Mapping[int, int]) -> None:
        self.talk.answer(claim, stage, values)


class Database:
    """A SPARQL endpoint over the films in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self.start(folder / "films.ttl")

    def start(self, *facts: Path) -> None:
        self._held = oxigraph_server(facts, self._folder, port=self._port)
        self.url = self._held.__enter__()

    def kill(self) -> None:
        """As `kill -9` does."""
        self._held.__exit__(None, None, None)


def _study(register: Register, records: Records, known: tuple[Any, ...], url: str, hurt: Hurt) -> Turns:
    """Six simulated workers do two comparisons each, while `hurt` is done twice; the turns of which they were
    told that they are done."""
    told: Turns = []
    before: list[int] = []

    def talk_over(held: Register) -> Acknowledged:
        return Acknowledged(RemoteConductor(held, records, url, patience_s=600), told)

    def work() -> None:
        for wanted in (2, 4):  # turns that are done before
            end = time.monotonic() + 30
            while len(told) < wanted and time.monotonic() < end:
                time.sleep(0.002)
            before.append(len(told))
            hurt()

    beside = threading.Thread(target=work)
    beside.start()
    simulate_workers(register.folder, records, *known, talk_over, HUMAN, workers=6, seed=5, most=2)
    beside.join()
    assert before[0] < len(told), "it was over before anything was killed"
    return told


def _nothing_is_lost(register: Register, records: Records, told: Turns, folder: Path) -> None:
    for name, turn, feedback, versions in told:
        assert records.turn(name, turn, feedback) is not None, "an acknowledged turn is lost"
        assert len(records.load(name).versions) >= versions
    for name, count in Counter(name for name, *_ in told).items():
        assert len(records.moments(name)) == count + 1, "a turn that was sent again was carried out twice"
    claims = register.tables.rows("SELECT * FROM claims")
    assert claims and all(c["finished"] for c in claims)
    assert register.tables.rows("PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    report = write_report(register, records, folder / "report")
    assert report["signature"]["dialogues"] == 2 * len(claims)


def test_a_server_that_is_killed_in_mid_study_loses_no_acknowledged_turn(tmp_path: Path) -> None:
    register, engine = studies.film_study(tmp_path)
    server = studies.dialogue_server(tmp_path, register.folder / "dialogues.sqlite", tmp_path / "kb")
    with register, engine, register.records() as records, server.running():

        def hurt() -> None:
            server.kill()
            server.start()

        known = (goals_of(register, engine), engine.kb.lexicon)
        told = _study(register, records, known, server.url, hurt)
        _nothing_is_lost(register, records, told, tmp_path)


@pytest.mark.skipif(oxigraph_binary() is None, reason="no oxigraph server: pip install oxigraph")
def test_a_database_that_is_killed_in_mid_study_stops_nobody(tmp_path: Path) -> None:
    """The knowledge base is a SPARQL endpoint; turns that it can't answer are refused and sent again."""
    register, engine = studies.film_study(tmp_path)
    database = Database(tmp_path)
    server = studies.dialogue_server(tmp_path, register.folder / "dialogues.sqlite", database.url)
    with register, engine, register.records() as records, server.running():

        def hurt() -> None:
            database.kill()
            time.sleep(1)
            database.start()

        known = (goals_of(register, engine), engine.kb.lexicon)
        told = _study(register, records, known, server.url, hurt)
        database.kill()
        _nothing_is_lost(register, records, told, tmp_path)
        for version in (v for name, *_ in told for v in records.load(name).versions):
            right = execute(engine.kb.store, version.parse.query)
            assert answer_set(a.value for a in version.steps[-1].answers) == right, "shown, and not so"


@pytest.mark.skipif(bool(MISSING), reason=MISSING or "-")
def test_a_worker_at_the_page_goes_on_after_each_part_was_killed(tmp_path: Path) -> None:
    """Server, router and crowd run, one after the other, in one dialogue: every correction is kept once."""
    register, engine = studies.film_study(tmp_path)
    server = studies.dialogue_server(tmp_path, register.folder / "dialogues.sqlite", tmp_path / "kb")
    with register, engine, register.records() as records, server.running(), chromium() as driver:
        more = {"task": "may_stop = true", "router": f"port = {free_port()}"}
        file = crowd_runs.task(tmp_path / "crowd", server.url, (), **more)
        file.write_text(file.read_text().replace("patience_s = 20", "patience_s = 600"))
        crowd = read_task(file)
        task, name = _seated(register, crowd)
        talk = PageConductor(register, records, crowd, name, driver)
        with crowd.running() as run:
            dialogue = talk.say(task, talk.open(task), _PRODUCER, "")
            server.kill()
            beside = threading.Timer(2, server.start)
            beside.start()
            dialogue = talk.say(task, dialogue, _DIRECTOR, "")
            beside.join()
            found = subprocess.run(["pgrep", "-P", str(run), "node"], capture_output=True, check=True)
            os.kill(int(found.stdout), signal.SIGKILL)
            dialogue = talk.say(task, dialogue, Delete(2), "")
            os.kill(run, signal.SIGKILL)
        with crowd.running():
            again = talk.open(task)
            assert again == dialogue
            assert [v.feedback for v in again.versions[1:]] == [_PRODUCER, _DIRECTOR, Delete(2)]
            talk.close(task, talk.say(task, again, Accept(), ""))
        (kept,) = register.tables.rows("SELECT * FROM tasks WHERE finished IS NOT NULL")
        assert kept["dialogue_id"] == dialogue.dialogue_id
        assert len(records.moments(dialogue.dialogue_id)) == 5


_PRODUCER = Edit(1, "Who is the producer of [Forrest Gump]?")
_DIRECTOR = Edit(1, "Who is the director of [Forrest Gump]?")


def _seated(register: Register, crowd: CrowdTask) -> tuple[Task, str]:
    """The first worker whose comparison begins with a dialogue that has two steps and takes corrections,
    for whom the crowd task has its items; the others never come."""
    for number in range(18):
        (participant,) = crowd.hashes([f"ann-{number}"])
        crowd.write_items(tasks_of(register, seat(register, [participant])))
        place = register.where(participant)
        assert isinstance(place, AtDialogue)
        if place.task.question == NATIONALITY and place.task.condition != "non-interactive":
            return place.task, f"ann-{number}"
    raise AssertionError("no form begins with that question")
