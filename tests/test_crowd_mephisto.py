"""Whole dialogues under Mephisto's mock architect, with a real server of dialogues behind them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import crowd_runs
import httpx
import pytest
from crowd_runs import BROKEN, film_service, journal, mock_run, task
from films import DIRECTOR, NATIONALITY

pytestmark = pytest.mark.skipif(bool(crowd_runs.missing()), reason=crowd_runs.missing() or "-")

EDIT = {"step": 1, "text": "Who is the producer of [Forrest Gump]?"}
ITEMS = (
    {"id": "one", "question": NATIONALITY},
    {"id": "one again", "question": NATIONALITY, "mode": "non-interactive"},
    {"id": "broken", "question": BROKEN},
    {"id": "mine", "question": DIRECTOR, "participant": "f" * 32},
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with film_service(tmp_path_factory.mktemp("films")) as url:
        yield url


def test_dialogues_are_held_kept_and_paid_whatever_happens(service: str, tmp_path: Path) -> None:
    """One run, as starting Mephisto takes some seconds: a whole dialogue with messages that come twice and
    that can't be taken; a server that fails; what a worker may not do; ids that are nowhere kept."""
    config = task(tmp_path, service, ITEMS, task="not_sure = true")
    with mock_run(config) as run:
        ann = run.register("ann-the-worker", "registration-1")
        run.do("register", worker="ann-the-worker", registration="registration-1")  # once more, too
        card = run.card(ann, 1)
        assert card["question"] == NATIONALITY and card["phase"] == "judge"
        assert [s["answers"] for s in card["steps"]] == [["Eric Roth"], ["United States"]]
        assert card["kinds"] == ["accept", "unsure", "insert", "delete", "replace", "edit"]
        assert (card["edits_left"], card["limit"]) == (5, 5)

        run.act(ann, "t1", "unsure")
        assert "correct" in run.card(ann, 2)["notice"]
        run.act(ann, "t2", "edit", **EDIT)
        edited = run.card(ann, 3)
        assert edited["answers"] == ["United Kingdom"] and edited["edits_left"] == 4
        run.act(ann, "t2", "edit", **EDIT)  # once more, as networks do
        run.act(ann, "t3", "edit", step=1, text="  ")
        assert run.card(ann, 4)["notice"] == "Please type the sub-question."
        run.act(ann, "t4", "edit", step=1, text="Blue the of colourless ideas?")
        refused = run.card(ann, 5)
        assert refused["notice"] and refused["edits_left"] == 4
        run.act(ann, "t5", "accept")
        assert run.card(ann, 6)["phase"] == "comment"
        run.act(ann, "t6", "comment", text="  The producer\n is meant. ")
        assert run.card(ann, 7)["phase"] == "closing"
        run.do("submit", agent=ann)
        run.until(lambda _: journal(tmp_path, "paid"))

        kept = journal(tmp_path, "ended")[0]
        assert (kept["item"], kept["how"], kept["status"], kept["edits"]) == (
            "one",
            "finished",
            "accepted",
            1,
        )
        assert kept["comment"] == "The producer is meant." and len(kept["participant"]) == 32
        document = httpx.get(f"{service}/dialogues/{kept['dialogue_id']}").json()
        assert [v["feedback"] for v in document["versions"]] == ["", f"edit step 1: {EDIT['text']}"]

        # The second target question of this worker is not the same again: it is the one that breaks.
        ann = run.register("ann-the-worker", "registration-2")
        broken = run.card(ann, 1)
        assert broken["phase"] == "closing" and broken["broke"] and "not your fault" in broken["notice"]
        assert "secret" not in str(broken)
        run.do("submit", agent=ann)
        run.until(lambda _: len(journal(tmp_path, "paid")) == 2)
        assert journal(tmp_path, "ended")[1]["how"] == "error"
        run.do("register", worker="ann-the-worker", registration="registration-3")
        run.until(lambda seen: "no available work" in str(seen["packet"]))

    assert [row["item"] for row in journal(tmp_path, "paid")] == ["one", "broken"]
    for file in tmp_path.rglob("*"):
        if file.is_file() and "films" not in file.name:
            assert b"ann-the-worker" not in file.read_bytes(), file
    _shown_and_erased(config, kept["participant"])


def _shown_and_erased(config: Path, participant: str) -> None:
    """What the task keeps of one participant: in the journal, and in Mephisto's logs."""
    shown = json.loads(_kbqa("export", config, participant))
    assert [row["item"] for row in shown["journal"] if row["event"] == "ended"] == ["one", "broken"]
    assert "is meant. " in json.dumps(shown["mephisto"]), "as it was typed"
    assert _kbqa("erase", config, participant, "--yes") == "erased, with 1 dialogues\n"
    for file in (config.parent / "data").rglob("*"):
        if file.is_file():
            held = file.read_bytes()
            assert participant.encode() not in held and b"is meant" not in held, file
    assert "nothing is kept" in _kbqa("erase", config, participant, "--yes", code=2)


def _kbqa(command: str, config: Path, *words: str, code: int = 0) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "kbqa.cli", "crowd", command, "--config", str(config), *words],
        env=os.environ | {"KBQA_CROWD": str(crowd_runs.ENVIRONMENT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code, ran.stderr
    return ran.stderr if code else ran.stdout


def test_whoever_was_cut_off_goes_on_with_the_same_dialogue(service: str, tmp_path: Path) -> None:
    """After a lost connection, and after a whole new run over the same folder."""
    items = (
        {"id": "a", "question": NATIONALITY},
        {"id": "b", "question": DIRECTOR, "mode": "non-interactive"},
    )
    config = task(tmp_path, service, items)
    with mock_run(config) as run:
        assert run.items == ["a", "b"]
        first = run.register("ben", "1")
        run.card(first, 1)
        run.act(first, "t1", "edit", **EDIT)
        assert run.card(first, 2)["edits_left"] == 4
        run.do("disconnect", agent=first)
        run.status(first, "disconnect")
        again = run.register("ben", "2")
        card = run.card(again, 1)
        assert card["question"] == NATIONALITY and (card["edits"], card["edits_left"]) == (1, 4)
        other = run.register("eve", "3")
        yes_or_no = run.card(other, 1)
        assert yes_or_no["kinds"] == ["accept", "stop"] and yes_or_no["limit"] == 0
        run.act(other, "x1", "stop")
        run.card(other, 2)
        run.act(other, "x2", "comment", text="")
        run.card(other, 3)
        run.do("submit", agent=other)
        run.until(lambda _: journal(tmp_path, "paid"))
    assert [row["how"] for row in journal(tmp_path, "ended")] == ["disconnected", "finished", "shutdown"]

    with mock_run(config) as run:
        assert run.items == ["a"]
        back = run.register("ben", "4")
        assert run.card(back, 1)["edits_left"] == 4
        run.act(back, "t9", "accept")
        assert run.card(back, 2)["phase"] == "comment"
    opened = journal(tmp_path, "opened")
    assert [row["item"] for row in opened] == ["a", "b"], "no second dialogue was begun"


def test_surveys_are_kept_before_the_next_step_and_gone_on_with(service: str, tmp_path: Path) -> None:
    """Two surveys after a dialogue: answers that are missing, that come twice, a cut, a whole new run."""
    surveys = [crowd_runs.survey(2, 2), crowd_runs.survey(3, 1)]
    config = task(tmp_path, service, [{"id": "a", "question": DIRECTOR, "surveys": surveys}])
    answers = {"stage": 2, "answers": [1, 3], "text": " as expected "}
    with mock_run(config) as run:
        first = run.register("ben", "1")
        run.card(first, 1)
        run.act(first, "t1", "accept")
        run.card(first, 2)
        run.act(first, "t2", "comment", text="fine")
        assert run.card(first, 3)["survey"] == surveys[0]
        held = journal(tmp_path, "held")
        assert [(r["how"], r["status"], r["comment"]) for r in held] == [("finished", "accepted", "fine")]
        run.act(first, "t3", "survey", stage=2, answers=[1])
        assert run.card(first, 4)["notice"] == "Please answer each of the questions."
        run.do("disconnect", agent=first)
        run.status(first, "disconnect")
        again = run.register("ben", "2")
        assert run.card(again, 1)["survey"] == surveys[0], "the comment is not asked again"
        run.act(again, "t4", "survey", **answers)
        assert run.card(again, 2)["survey"] == surveys[1]
        run.act(again, "t4", "survey", **answers)  # once more, as networks do
    assert [r["how"] for r in journal(tmp_path, "ended")] == ["disconnected", "shutdown"]

    with mock_run(config) as run:
        back = run.register("ben", "3")
        assert run.card(back, 1)["survey"] == surveys[1]
        run.act(back, "t4", "survey", **answers)  # and once more, in another run
        run.act(back, "t5", "survey", stage=3, answers=[2])
        last = run.card(back, 2)
        assert last["phase"] == "closing" and not last["notice"]
        run.do("submit", agent=back)
        run.until(lambda _: journal(tmp_path, "paid"))
    kept = [(r["stage"], r["answers"], r["comment"]) for r in journal(tmp_path, "surveyed")]
    assert kept == [(2, [1, 3], "as expected"), (3, [2], "")]
    assert [r["how"] for r in journal(tmp_path, "ended")][-1] == "finished"
    assert len(journal(tmp_path, "opened")) == 1
