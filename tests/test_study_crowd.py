"""A study's rehearsal: ten simulated workers over HTTP, two at the crowd task's page, and the analysis."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import browser
import crowd_runs
import pytest
import studies
from servers import free_port

from kbqa.dialogue import MODES
from kbqa.errors import FeedbackError, InputError
from kbqa.feedback import Accept, Edit, Insert, Undo
from kbqa.simulate.profiles import HUMAN
from kbqa.study.crowd_page import PageConductor, chromium
from kbqa.study.crowd_run import CrowdTask, read_task
from kbqa.study.crowd_workers import simulate_at_the_page
from kbqa.study.outcomes import collect
from kbqa.study.places import AtDialogue, AtStart, AtSurvey
from kbqa.study.register import Register
from kbqa.study.remote import RemoteConductor
from kbqa.study.report import write_report
from kbqa.study.simulated import goals_of, simulate_workers
from kbqa.study.tasks import seat, tasks_of

MISSING = crowd_runs.missing() or browser.missing()
RATINGS = {1: 1, 2: 4, 3: 2, 4: 3, 5: 1}
PREFERENCES = {1: 1, 2: 2, 3: 2}
ready = pytest.mark.skipif(bool(MISSING), reason=MISSING or "-")


def _crowd(folder: Path, service: str) -> CrowdTask:
    more = {"task": "may_stop = true", "router": f"port = {free_port()}"}
    return read_task(crowd_runs.task(folder / "crowd", service, (), **more))


@ready
@pytest.mark.slow
def test_twelve_workers_two_of_them_at_the_page_do_a_comparison_each(tmp_path: Path) -> None:
    register, engine = studies.film_study(tmp_path)
    with (
        register,
        engine,
        crowd_runs.film_service(register.folder) as service,
        register.records() as records,
        ThreadPoolExecutor(1) as beside,
    ):
        known = (register.folder, records, goals_of(register, engine), engine.kb.lexicon)
        crowd = _crowd(tmp_path, service)
        shared: dict[str, Any] = {"seed": 3, "most": 1}
        at_page = beside.submit(simulate_at_the_page, *known, crowd, HUMAN, workers=2, **shared)

        def talk_over(held: Register) -> RemoteConductor:
            return RemoteConductor(held, records, service)

        simulate_workers(*known, talk_over, HUMAN, workers=10, **shared)
        at_page.result()
        left = collect(register, records)
        by_worker = {d.participant: d for d in left.dialogues}
        assert len(by_worker) == 12 and len(left.dialogues) == 24
        assert len(left.ratings) == 120 and len(left.preferences) == 36
        ended = crowd_runs.journal(crowd.file.parent, "ended")
        assert [(row["item"].partition("-")[2], row["how"]) for row in ended] == [
            ("1", "finished"),
            ("2", "finished"),
        ] * 2, "a worker's dialogues come in their order"
        assert {row["participant"] for row in ended} <= by_worker.keys()
        assert len(crowd_runs.journal(crowd.file.parent, "paid")) == 4
        simulate_at_the_page(*known, crowd, HUMAN, workers=2, **shared)  # nothing is left to do
        report = write_report(register, records, tmp_path / "report")
    assert report["signature"]["dialogues"] == 24
    assert (tmp_path / "report/report.html").stat().st_size > 10_000


@ready
@pytest.mark.slow
def test_each_correction_and_answer_at_the_page_is_what_the_study_records(tmp_path: Path) -> None:
    """Insert, edit, what the page refuses, what it does not have, yes; and each answer in a survey."""
    register, engine = studies.film_study(tmp_path)
    with register, engine, crowd_runs.film_service(register.folder) as service, register.records() as records:
        crowd = _crowd(tmp_path, service)
        who = dict(zip(crowd.hashes(["ann"]), ["ann"], strict=True))
        assert crowd.write_items(tasks_of(register, seat(register, who))) == 2
        participant = next(iter(who))
        with crowd.running(), chromium() as driver:
            talk = PageConductor(register, records, crowd, "ann", driver)
            for stage in (1, 2):
                place = register.where(participant)
                assert isinstance(place, AtDialogue)
                dialogue = talk.open(place.task)
                if MODES[place.task.condition].edits:
                    with pytest.raises(FeedbackError):
                        talk.say(place.task, dialogue, Edit(1, "Blue the of colourless ideas?"), "")
                    with pytest.raises(InputError, match="has no Undo"):
                        talk.say(place.task, dialogue, Undo(), "")
                    said = Insert(
                        len(dialogue.versions[0].steps) + 1, "Who is the producer of [Forrest Gump]?"
                    )
                    dialogue = talk.say(place.task, dialogue, said, "")
                    assert dialogue.versions[-1].feedback == said
                talk.close(place.task, talk.say(place.task, dialogue, Accept(), ""), "fine")
                assert register.where(participant) == AtSurvey(1, stage)
                talk.answer(1, stage, RATINGS)
            talk.answer(1, 3, PREFERENCES)
            assert register.where(participant) == AtStart(
                (register.tables.rows("SELECT * FROM claims")[0]["code"],)
            )
        tasks = register.tables.rows("SELECT comment, finished, started FROM tasks WHERE claim = 1")
        assert [t["comment"] for t in tasks] == ["fine", "fine"]
        assert all(t["started"] < t["finished"] for t in tasks)
        left = collect(register, records)
        assert {(r.stage, r.question): r.value for r in left.ratings} == {
            (stage, question): value for stage in (1, 2) for question, value in RATINGS.items()
        }
        first, second = (t.condition for t in register.tasks(1))
        assert [p.condition for p in left.preferences] == [first, second, second]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "set may_stop = true"),
        ({"task": "may_stop = 1"}, r"'may_stop' in \[task\] is 1; expected true or false"),
        ({"task": "may_stop = true", "provider": 'kind = "mturk"'}, r"'kind' in \[provider\]"),
    ],
)
def test_a_task_that_simulated_workers_cannot_do_is_told(
    tmp_path: Path, more: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        read_task(crowd_runs.task(tmp_path, "http://127.0.0.1:9", (), **more))
