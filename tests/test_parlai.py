"""The simulated user as a ParlAI teacher, the engine as its agent. What needs ParlAI runs its own commands
in the crowd environment (`make crowd`)."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from films import DIRECTOR, NATIONALITY, NS, SCRIPT, film_engine
from servers import REPOSITORY
from test_simulate import BY_NAME, GOLD, ROWS, without_times

from kbqa.dialogue import FULL, NON_INTERACTIVE, Dialogue, Mode
from kbqa.engine import Engine
from kbqa.errors import InputError
from kbqa.feedback import Accept, Feedback, Stop
from kbqa.parlai.episode import Answered, Episode, Said
from kbqa.simulate.play import Plan, Record, Unread, play_row
from kbqa.simulate.profiles import HUMAN, ORACLE

SITE = REPOSITORY / ".venv-crowd" / "lib" / "python3.11" / "site-packages"
PARLAI = REPOSITORY / ".venv-crowd" / "bin" / "parlai"
needs_parlai = pytest.mark.skipif(
    not (PARLAI.is_file() and (SITE / "kbqa").exists() and (SITE / "pyoxigraph").exists()),
    reason="ParlAI with the engine beside it is missing: run make crowd",
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with film_engine(tmp_path_factory.mktemp("films")) as opened:
        yield opened


# --- episodes --------------------------------------------------------------------------


class Student:
    """Holds the dialogue with an engine, as the agent does."""

    def __init__(self, engine: Engine, mode: Mode) -> None:
        self._engine, self._mode = engine, mode
        self._dialogue: Dialogue | None = None

    def __call__(self, said: Said) -> Answered:
        try:
            if said.feedback is None:
                self._dialogue = self._engine.first_version(said.text, self._mode)
            else:
                assert self._dialogue is not None
                self._dialogue = self._engine.advance(self._dialogue, said.feedback)
        except InputError as e:
            return Answered(refused=str(e))
        return Answered(dialogue=self._dialogue)


def hold(
    engine: Engine, plan: Plan, row: Any, mode: Mode, student: Callable[[Said], Answered]
) -> tuple[Record, list[Said]]:
    episode = Episode(engine.kb, plan, row, mode)
    told = [episode.first()]
    while not told[-1].over:
        told.append(episode.hear(student(told[-1])))
    assert episode.record is not None
    return episode.record, told


@pytest.mark.parametrize("profile", [ORACLE, HUMAN], ids=lambda p: p.name)
def test_an_episode_is_the_dialogue_that_kbqa_simulate_plays(engine: Engine, profile: Any) -> None:
    for mode in (FULL, NON_INTERACTIVE):
        plan = Plan((mode,), profile, seed=3)
        for row in ROWS:
            [played] = play_row(engine, plan, row, (mode,))
            held, told = hold(engine, plan, row, mode, Student(engine, mode))
            assert without_times([held]) == without_times([played]), row.id
            assert told[0] == Said(row.question) and told[-1].over


def feedback_of(told: list[Said]) -> list[type[Feedback] | None]:
    return [type(said.feedback) if said.feedback else None for said in told]


def test_whoever_says_the_gold_query_is_right(engine: Engine) -> None:
    for name in ("wrong step", "two things wrong"):
        gold = Answered(GOLD[name][1])
        record, told = hold(engine, Plan((FULL,), ORACLE), BY_NAME[name], FULL, lambda _, gold=gold: gold)
        assert record["exact"] == (True,) * 6 and record["official"] and record["f1"][0] == 1.0
        assert feedback_of(told) == [None, Accept]


def test_a_student_who_learns_from_feedback_is_right_after_one_edit(engine: Engine) -> None:
    question, gold = GOLD["wrong step"]
    heard: list[str] = []

    def student(said: Said) -> Answered:
        heard.append(said.text)
        return Answered(str(SCRIPT[question]) if len(heard) == 1 else gold)

    record, _ = hold(engine, Plan((FULL,), ORACLE), BY_NAME["wrong step"], FULL, student)
    assert record["exact"] == (False, *(True,) * 5) and record["edits"] == 1
    assert heard[0] == question and heard[1].startswith("edit step 1: ")
    assert [len(t["steps"]) for t in record["turns"]] == [2, 2]


def test_what_is_no_sparql_is_not_understood_or_refused(engine: Engine) -> None:
    record, told = hold(
        engine, Plan((FULL,), ORACLE), BY_NAME["wrong step"], FULL, lambda _: Answered("Robert Zemeckis")
    )
    assert record["status"] == "not_understood" and not any(record["exact"])
    assert feedback_of(told) == [None, Stop]
    said: list[str] = []

    def forgets(heard: Said) -> Answered:
        said.append(heard.text)
        return Answered(str(SCRIPT[NATIONALITY]) if len(said) == 1 else "well")

    record, _ = hold(engine, Plan((FULL,), ORACLE), BY_NAME["wrong step"], FULL, forgets)
    assert record["refused"] > 0 and record["edits"] == 0 and not record["official"]


def test_a_query_without_steps_can_still_be_the_gold_one(engine: Engine) -> None:
    cyclic = f"{NS} SELECT ?x WHERE {{ ?x ns:film.film.directed_by ?y . ?y ns:film.director.film ?x }}"
    row = type(ROWS[0])(1, "cyclic", DIRECTOR, cyclic)
    record, _ = hold(engine, Plan((FULL,), ORACLE), row, FULL, lambda _: Answered(cyclic))
    assert record["error"] is None and record["exact"] == (True,) * 6


def test_a_row_that_cannot_be_used_is_an_episode_of_one_word(engine: Engine) -> None:
    row = Unread(1, "line 1", {"type": "InputError", "message": "not JSON"})
    record, told = hold(engine, Plan((FULL,), ORACLE), row, FULL, lambda _: Answered())
    assert record["error"] is not None and len(told) == 1 and told[0].over


def test_an_abandoned_episode_leaves_no_thread(engine: Engine) -> None:
    before = threading.active_count()
    episode = Episode(engine.kb, Plan((FULL,), ORACLE), BY_NAME["right"], FULL)
    episode.first()
    assert threading.active_count() == before + 1
    episode.abandon()
    assert threading.active_count() == before and episode.record is None


# --- ParlAI's own commands -------------------------------------------------------------

EGYPT = "PREFIX ns: <http://rdf.freebase.com/ns/> SELECT DISTINCT ?x WHERE { ns:m.02k54 %s ?x }"
ASKED = [
    {
        "id": "right",
        "question": "What is the capital of Egypt?",
        "sparql": EGYPT % "ns:location.country.capital",
    },
    {
        "id": "meant otherwise",
        "question": "What is the capital of Egypt?",
        "sparql": EGYPT % "ns:location.country.official_language",
    },
    {"id": "no query", "question": "Who?", "sparql": "DROP"},
]


@pytest.fixture
def parlai(tmp_path: Path) -> Callable[..., str]:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ASKED))

    def call(command: str, *words: str, said: str = "", task: bool = True) -> str:
        about = ["-t", "kbqa", "--kbqa-rows", str(rows)] if task else []
        variables = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        done = subprocess.run(
            [str(PARLAI), command, *about, *words],
            input=said,
            capture_output=True,
            text=True,
            timeout=300,
            cwd=tmp_path,
            env=variables,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    return call


def reported(said: str) -> dict[str, float]:
    found: dict[str, float] = json.loads(said.strip().splitlines()[-1])
    return found


@needs_parlai
def test_display_data_shows_questions_and_gold_queries(parlai: Callable[..., str]) -> None:
    said = parlai("display_data", "-n", "20")
    assert said.count("NEW EPISODE") == len(ASKED)
    assert "What is the capital of Egypt?" in said and "location.country.official_language" in said


@needs_parlai
def test_eval_model_measures_the_engine_over_whole_dialogues(parlai: Callable[..., str]) -> None:
    """Right, right after an edit, and a row that can't be used, which counts as wrong; also in batches."""
    one, two = (reported(parlai("eval_model", "-m", "kbqa", "-dt", "valid", "-bs", n)) for n in ("1", "2"))
    assert one == two
    assert one["exact_match"] == pytest.approx(2 / 3, abs=1e-3)
    assert one["exact_match_first"] == pytest.approx(1 / 3, abs=1e-3) == one["edits"]
    assert one["answer_f1"] == pytest.approx(1.0) and one["answer_f1_first"] == pytest.approx(0.5)
    assert one["failed"] == pytest.approx(1 / 3, abs=1e-3) and one["exs"] == 2 + 3 + 1


@needs_parlai
def test_any_agent_whose_text_is_sparql_can_be_evaluated(parlai: Callable[..., str]) -> None:
    right = reported(parlai("eval_model", "-m", "repeat_label", "-dt", "valid"))
    assert right["exact_match"] == pytest.approx(2 / 3, abs=1e-3) == right["exact_match_first"]
    mute = reported(parlai("eval_model", "-m", "fixed_response", "--fixed-response", "Cairo", "-dt", "valid"))
    assert mute["exact_match"] == 0.0 == mute["answer_f1"]


@needs_parlai
def test_a_person_talks_to_the_agent(parlai: Callable[..., str]) -> None:
    words = "What is the capital of Egypt?\nno, I meant the official language\nundo\nyes\n[EXIT]\n"
    said = parlai("interactive", "-m", "kbqa.parlai.agent:KbqaAgent", said=words, task=False)
    shown = [line.strip() for line in said.splitlines() if line.startswith("Answer: ")]
    assert shown == ["Answer: Cairo", "Answer: Arabic", "Answer: Cairo"]
    assert "Good." in said
