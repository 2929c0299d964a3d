"""`kbqa study` as a researcher types it, over a small study about films."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
import studies
from test_cli import Kbqa, kbqa  # noqa: F401  (a fixture)

from kbqa.engine import Engine
from kbqa.simulate.profiles import HUMAN
from kbqa.study.conduct import Conductor
from kbqa.study.simulated import goals_of, simulate_workers

Study = Callable[..., Any]


@pytest.fixture
def study(kbqa: Kbqa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:  # noqa: F811
    """`study('check', ...)` runs `kbqa study check study.toml ...` beside six items, one dialogue a batch."""
    studies.write_study(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Engine, "open", lambda *_: studies.film_engine(Path(mkdtemp(dir=tmp_path))))

    def run(command: str, *words: str, stdin: str = "") -> Any:
        return kbqa("study", command, "study.toml", *words, stdin=stdin)

    return run


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that three simulated workers have gone through, one comparison each."""
    folder = tmp_path_factory.mktemp("done")
    register, engine = studies.film_study(folder)
    with register, engine, register.records(engine.signature) as records:
        goals = goals_of(register, engine)
        simulate_workers(
            register.folder,
            records,
            goals,
            engine.kb.lexicon,
            lambda held: Conductor(held, engine, records),
            HUMAN,
            workers=3,
            most=1,
        )
    return register.folder


@pytest.fixture
def workers(study: Study, made_once: Path, tmp_path: Path) -> list[str]:
    """The hashes of those who have left their data in a copy of that folder."""
    shutil.copytree(made_once, tmp_path / "study-data")
    listed = study("status").out.splitlines()
    return [line.split("\t")[0] for line in listed if line.endswith("\tsimulated")]


def test_new_writes_a_study_file_once(kbqa: Kbqa, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "mine.toml"
    assert "kbqa study check" in kbqa("study", "new", str(file)).out
    assert file.read_bytes() == studies.TEMPLATE.read_bytes()
    again = kbqa("study", "new", str(file))
    assert again.code == 2 and "is there already" in again.err


def test_a_study_file_that_is_not_there_is_told(kbqa: Kbqa, tmp_path: Path) -> None:  # noqa: F811
    ran = kbqa("study", "status", str(tmp_path / "none.toml"))
    assert ran.code == 2 and "'kbqa study new" in ran.err


def test_check_says_what_it_takes_and_which_items_find_nothing(study: Study) -> None:
    ran = study("check")
    assert ran.code == 0
    # Six forms: each two dialogues, two surveys and the bonus.
    assert "full vs templated: 6 workers, 6 dialogues in each system, 46.80 USD; power 0." in ran.out
    assert "item 5-0: its gold query finds nothing" in ran.err
    assert ran.out.endswith("ready in study-data; 1 items to look at\n")


def test_gold_answers_of_another_knowledge_base_are_not_mixed_in(study: Study, tmp_path: Path) -> None:
    study("check")
    with studies.made(tmp_path / "study.toml") as register, register.tables.writing():
        register.tables.run("UPDATE study SET kb = 'another'")
    ran = study("check")
    assert ran.code == 2 and "come from the knowledge base 'another'" in ran.err


def test_links_are_shown_once_and_the_status_shows_hashes(study: Study) -> None:
    links = study("invite", "-n", "2", "--team", "lab", "--url", "https://study.example.org/").out.split()
    assert [link.partition("?p=")[0] for link in links] == ["https://study.example.org/"] * 2
    shown = study("status").out
    assert "full vs templated: 0 of 6 done, 0 taken" in shown
    assert shown.count("\tAtConsent\tlab") == 2
    assert not any(link.partition("=")[2] in shown for link in links)


def test_workers_are_simulated(study: Study) -> None:
    ran = study("simulate", "--workers", "1", "--comparisons", "1", "--user", "oracle")
    assert ran.code == 0 and ran.out.startswith("1 comparisons of 18 are done\n")
    assert "full vs templated: 1 of 6 done, 1 taken" in study("status").out


def test_what_workers_left_is_watched_and_paid(study: Study, workers: list[str]) -> None:
    watched = study("watch")
    assert all(line.split("\t")[0] in workers for line in watched.out.splitlines())
    assert "flags: 'kbqa study exclude'" in watched.err
    owed = list(csv.DictReader(io.StringIO(study("pay").out)))
    assert {row["participant"] for row in owed} == set(workers)
    assert {(row["dialogues"], row["surveys"], row["due"]) for row in owed} == {("2", "2", "7.80")}
    assert "marked as paid: 23.40 USD" in study("pay", "--mark-paid").err
    assert {row["due"] for row in csv.DictReader(io.StringIO(study("pay").out))} == {"0.00"}


def test_the_folder_alone_is_analysed(
    kbqa: Kbqa,  # noqa: F811
    workers: list[str],
    tmp_path: Path,
) -> None:
    for source, report in (("study-data", "one"), ("study-data/study.sqlite", "two")):
        ran = kbqa("study", "analyse", source, "--output", report)
        assert ran.code == 0 and "full vs templated: full " in ran.out and "n = 1" in ran.out
    assert (tmp_path / "one/success.csv").read_bytes() == (tmp_path / "two/success.csv").read_bytes()
    judged = kbqa("study", "analyse", "study-data", "-o", "three", "--judgements", "one/none.csv")
    assert judged.code == 2 and "none.csv" in judged.err
    nothing = kbqa("study", "analyse", str(tmp_path), "-o", "four")
    assert nothing.code == 2 and "there is no study in" in nothing.err


def test_a_person_decides_and_says_why(study: Study, workers: list[str]) -> None:
    first, second, _ = workers
    assert study("keep", first, "--reason", "looked at").code == 0
    assert study("exclude", second, "--reason", "the same words everywhere").code == 0
    assert f"{second}\tExcluded" in study("status").out
    assert study("status").out.count("0 of 6 done") == 1
    assert study("release", first, "--reason", "went away").code == 0  # nothing unfinished to give up
    assert study("exclude", "nobody", "--reason", "x").code == 2
    assert study("exclude", second).code == 2  # no reason


def test_tasks_go_out_and_what_comes_back_is_taken(study: Study, tmp_path: Path) -> None:
    (tmp_path / "hashes.txt").write_text("0123456789abcdef\n\nfedcba9876543210\n")
    out = study("tasks", "--participants", "hashes.txt").out
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["id"] for row in rows] == ["1-1", "1-2", "2-1", "2-2"]
    survey = {"participant": "0123456789abcdef", "claim": 1, "stage": 1, "answers": [1, 2, 1, 2, 1]}
    ran = study("take", "--input", "-", stdin=json.dumps(survey) + "\nnonsense\n")
    assert ran.code == 1 and ran.out == "0 dialogues and 0 surveys taken\n"
    assert "line 1: this survey is not open yet" in ran.err and "line 2: no JSON" in ran.err


def test_one_participants_data_is_shown_and_erased(study: Study, workers: list[str]) -> None:
    first, second, _ = workers
    shown = json.loads(study("export", first).out)
    assert shown["participant"]["id"] == first and len(shown["dialogues"]) == 2
    assert study("erase", first, stdin="n\n").code != 0
    assert first in study("status").out
    assert study("erase", first, "--yes").out == "erased, with 2 dialogues\n"
    assert first not in study("status").out and second in study("status").out
    assert study("export", first).code == 2


def test_the_pages_get_the_study_and_its_knowledge_base(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("streamlit", reason="streamlit is not installed (extra `ui`)")
    (tmp_path / "graph.ttl").write_text("")
    studies.write_study(tmp_path, ('# kb = "graph.ttl"', 'kb = "graph.ttl"'))
    called: list[Any] = []
    monkeypatch.setattr(os, "execve", lambda *given: called.append(given))
    assert study("serve", "--port", "8777").code == 0
    ((_, command, environment),) = called
    assert "8777" in command and "127.0.0.1" in command
    assert "--theme.light.primaryColor=#1f5fbf" in command, "the chat page's colour"
    assert "--client.showErrorDetails=none" in command and "--client.toolbarMode=minimal" in command
    assert environment["KBQA_STUDY"] == str(tmp_path / "study-data")
    assert environment["KBQA_KB"] == str(tmp_path / "graph.ttl")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--user", "nobody"), "'nobody' is none of oracle"),
        (("--crowd", "task.toml"), "--crowd needs --url"),
        (("--crowd", "task.toml", "--url", "http://127.0.0.1:9", "--workers", "1"), "there are 1 workers"),
        (("--crowd", "none.toml", "--url", "http://127.0.0.1:9"), "there is no crowd task none.toml"),
        (("--crowd", "task.toml", "--url", "http://127.0.0.1:9"), "set may_stop = true"),
    ],
)
def test_workers_who_cannot_be_played_are_told(
    study: Study, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "task.toml").write_text('[task]\nname = "t"\nitems = "i.jsonl"\ndata = "d"\n')
    ran = study("simulate", *words)
    assert ran.code == 2 and said in ran.err


def test_items_that_do_not_come_out_even_are_told(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(file.read_text().replace("batch = 1 ", "batch = 4 "))
    ran = study("check")
    assert ran.code == 2 and "set limit = 4" in ran.err
