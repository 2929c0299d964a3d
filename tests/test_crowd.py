"""The crowd task's own logic, without ParlAI, Mephisto or node."""

from __future__ import annotations

import dataclasses
import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import crowd_runs
import pytest
from crowd import episode as episodes
from crowd import shim
from crowd.client import Refused, Server
from crowd.config import Config, is_loopback, read_config
from crowd.episode import ActError, Episode, Rules
from crowd.items import Item, read_item, read_items
from crowd.journal import Journal
from crowd.people import participant_hash, read_salt
from crowd.router import changed
from crowd.trouble import CrowdError
from films import DIRECTOR, NATIONALITY, NOTHING

ITEM = Item("1", NATIONALITY)
SURVEYS = tuple(crowd_runs.survey(stage, n) for stage, n in ((2, 2), (3, 1)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with crowd_runs.film_service(tmp_path_factory.mktemp("films")) as url:
        yield Server(url, patience_s=5)


def said(kind: str, name: str = "t", **more: Any) -> dict[str, Any]:
    return {"update_id": name, "task_data": {"act": {"kind": kind, **more}}}


# --- the dialogue --------------------------------------------------------------------


def begun(server: Server, mode: str = "full", question: str = NATIONALITY, **rules: bool) -> Episode:
    item = Item("1", question, mode)
    return episodes.opened(Episode(item, Rules(**rules)), server.open(question, mode))


def turn(server: Server, now: Episode, data: dict[str, Any]) -> Episode:
    act = episodes.read_act(data, now)
    return episodes.answered(now, act, server.say(now.dialogue_id, act.id, act.feedback()))


def test_a_dialogue_goes_from_judging_by_corrections_to_the_comment_and_the_end(server: Server) -> None:
    now = begun(server)
    assert now.phase == "judge" and now.kinds == ("accept", *episodes.OPERATIONS)
    now = turn(server, now, said("edit", "1", step=1, text=" Who is the producer \n of [Forrest Gump]? "))
    assert now.edits == 1 and now.notice.startswith("You changed step 1")
    shown = episodes.card(now, 5)
    assert shown["answers"] == ["United Kingdom"] and shown["steps"][0]["change"] == "new"
    assert json.loads(json.dumps(shown)) == shown
    assert "Wendy Finerman" in episodes.as_text(shown)
    now = turn(server, now, said("accept", "3"))
    assert now.phase == "comment" and now.kinds == ("comment",)
    now = episodes.commented(now, episodes.read_act(said("comment", text=""), now))
    assert now.phase == "closing" and now.kinds == () and now.how == "finished"


def test_after_five_edits_only_yes_and_no_are_left(server: Server) -> None:
    now = begun(server)
    words = ("Who is the producer of [Forrest Gump]?", "Who is the screenwriter of [Forrest Gump]?")
    for number in range(5):
        assert now.takes_edits
        now = turn(server, now, said("edit", str(number), step=1, text=words[number % 2]))
    assert now.status == "edits_used_up" and now.kinds == ("accept", "stop") and now.edits == 5
    with pytest.raises(ActError, match="No corrections are left"):
        episodes.read_act(said("delete", step=1), now)
    now = turn(server, now, said("stop", "no"))
    assert (now.phase, now.status) == ("comment", "stopped")


def test_without_edits_in_a_mode_it_is_yes_or_no(server: Server) -> None:
    now = begun(server, "non-interactive")
    assert now.kinds == ("accept", "stop") and episodes.card(now, 0)["edits_left"] == 0


def test_what_the_study_did_not_offer_is_offered_when_asked_for(server: Server) -> None:
    now = begun(server, not_sure=True, may_stop=True)
    assert now.kinds == ("accept", "unsure", "stop", *episodes.OPERATIONS)
    now = turn(server, now, said("unsure"))
    assert now.phase == "judge" and "Noted" in now.notice
    with pytest.raises(ActError, match="not possible at this point"):
        episodes.read_act(said("unsure"), begun(server))


def test_a_question_that_is_not_understood_leads_to_the_comment(server: Server) -> None:
    now = begun(server, question="Colourless green ideas?")
    assert (
        now.phase == "comment" and "could not understand" in now.notice and not episodes.card(now, 0)["steps"]
    )


def test_a_step_without_answers_says_so(server: Server) -> None:
    assert "(no answer)" in episodes.as_text(episodes.card(begun(server, question=NOTHING), 5))


def test_what_breaks_ends_the_dialogue_without_telling_the_worker_why() -> None:
    now = episodes.broken(Episode(ITEM), "KeyError: secret")
    shown = episodes.card(now, 0)
    assert (now.phase, now.how) == ("closing", "error")
    assert shown["broke"] and "secret" not in json.dumps(shown) and "not your fault" in shown["notice"]


def test_surveys_follow_the_comment_and_want_every_answer() -> None:
    item = read_item({"id": "1", "question": NATIONALITY, "surveys": SURVEYS}, "here")
    assert read_item(json.loads(json.dumps(item.as_data())), "there") == item
    now = episodes.commented(Episode(item, phase="comment"), "fine")
    assert (now.phase, now.kinds) == ("survey", ("survey",))
    shown = episodes.card(now, 5)
    assert shown["survey"] == SURVEYS[0] and not shown["steps"] and "About stage 2" in episodes.as_text(shown)
    for wrong in ([1], [1, 4], [1, 0], [1, True], [1, "2"], "12", None):
        with pytest.raises(ActError, match="answer each of the questions"):
            episodes.read_act(said("survey", stage=2, answers=wrong), now)
    with pytest.raises(ActError, match="not possible at this point"):
        episodes.read_act(said("survey", stage=3, answers=[1]), now)
    with pytest.raises(ActError, match="at most 500"):
        episodes.read_act(said("survey", stage=2, answers=[1, 3], text="x" * 501), now)
    act = episodes.read_act(said("survey", stage=2, answers=[1, 3], text=" so \n so "), now)
    assert (act.answers, act.text) == ((1, 3), "so so")
    second = episodes.surveyed(now)
    assert second.survey is not None and second.survey.stage == 3
    assert episodes.surveyed(second).phase == "closing"


def test_a_dialogue_that_breaks_is_followed_by_its_surveys_all_the_same() -> None:
    item = read_item({"id": "1", "question": NATIONALITY, "surveys": SURVEYS}, "here")
    now = episodes.broken(Episode(item), "KeyError: secret")
    assert (now.phase, now.how) == ("survey", "error") and "questions below" in now.notice
    assert episodes.surveyed(episodes.surveyed(now)).phase == "closing"
    again = episodes.broken(now, "OSError: disk full")
    assert (again.phase, again.error) == ("closing", "KeyError: secret")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({}, "reload the page"),
        ({"update_id": "1", "task_data": {"act": "edit"}}, "reload the page"),
        ({"task_data": {"act": {"kind": "accept"}}}, "reload the page"),
        (said("dance"), "not possible"),
        (said("comment", text="x"), "not possible"),
        (said("edit", step=0, text="Who?"), "choose the sub-question"),
        (said("edit", step=3, text="Who?"), "choose the sub-question"),
        (said("insert", step=4, text="Who?"), "choose the sub-question"),
        (said("delete", step="1"), "choose the sub-question"),
        (said("delete", step=True), "choose the sub-question"),
        (said("replace", step=1, text=" \n"), "type the sub-question"),
        (said("replace", step=1, text=["Who?"]), "type the sub-question"),
        (said("edit", step=1, text="x" * 501), "501 characters; at most 500"),
    ],
)
def test_what_can_not_be_taken_is_explained(server: Server, data: dict[str, Any], why: str) -> None:
    with pytest.raises(ActError, match=why):
        episodes.read_act(data, begun(server))


# --- the server of dialogues ---------------------------------------------------------


def test_a_turn_that_is_sent_twice_is_one_turn(server: Server) -> None:
    made = server.open(NATIONALITY, "full")
    feedback = {"kind": "edit", "step": 1, "text": "Who is the producer of [Forrest Gump]?"}
    one = server.say(made["dialogue_id"], "t", feedback)
    assert server.say(made["dialogue_id"], "t", feedback) == one
    assert server.read(made["dialogue_id"])["edits_left"] == 4


def test_refusals_say_why(server: Server) -> None:
    with pytest.raises(Refused, match="404 unknown-dialogue") as refused:
        server.read("nobody's")
    assert refused.value.status == 404
    made = server.open(DIRECTOR, "full")
    with pytest.raises(Refused, match="422 feedback-error"):
        server.say(made["dialogue_id"], "t", {"kind": "delete", "step": 9})
    with pytest.raises(Refused, match="500 internal-error"):
        server.open(crowd_runs.BROKEN, "full")


def test_a_server_that_is_away_is_waited_for_and_then_named(server: Server, tmp_path: Path) -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        now[0] += seconds
        slept.append(seconds)

    away = dataclasses.replace(
        server, url="http://127.0.0.1:9", patience_s=20, sleep=sleep, clock=lambda: now[0]
    )
    with pytest.raises(CrowdError, match=r"no reply from http://127.0.0.1:9 for 20 seconds: ConnectionError"):
        away.read("x")
    assert slept[:3] == [0.25, 0.5, 1.0] and sum(slept) <= 20
    assert "start it with kbqa serve" in away.ready() and server.ready() == ""


# --- participants --------------------------------------------------------------------


def test_ids_are_hashed_under_a_salt_that_only_its_owner_reads(tmp_path: Path) -> None:
    file = tmp_path / "salt"
    salt = read_salt(file)
    assert read_salt(file) == salt and stat.S_IMODE(file.stat().st_mode) == 0o600
    # RFC 4231, test case 2, cut to 128 bits.
    assert participant_hash("what do ya want for nothing?", b"Jefe") == "5bdcc146bf60754e6a042426089575c7"
    assert participant_hash("ann", salt) != participant_hash("ann", read_salt(tmp_path / "other"))
    file.write_text("too short")
    with pytest.raises(CrowdError, match="is no salt: expected 64 hexadecimal digits"):
        read_salt(file)


# --- what is written down ------------------------------------------------------------


def test_the_journal_knows_what_is_done_begun_and_allowed(tmp_path: Path) -> None:
    again, hers = Item("2", NATIONALITY.upper(), "templated"), Item("3", DIRECTOR, participant="ann")
    journal = Journal(tmp_path / "new" / "crowd.jsonl")
    assert journal.may_do(ITEM, "ann") and not journal.may_do(hers, "ben") and journal.may_do(hers, "ann")
    journal.write("opened", ITEM, "ann", question=NATIONALITY, dialogue_id="d1")
    journal.write("ended", ITEM, "ann", how="disconnected", dialogue_id="d1")
    assert not journal.may_do(again, "ann") and journal.may_do(again, "ben")
    assert journal.may_do(ITEM, "ann") and journal.unfinished(ITEM, "ann") == "d1"
    assert journal.unfinished(ITEM, "ben") == "" and not journal.done()
    journal.write("held", ITEM, "ann", how="error", comment="", turn_id="t1")
    journal.write("surveyed", ITEM, "ann", stage=1, turn_id="t2")
    assert [row["turn_id"] for row in journal.after(ITEM, "ann")] == ["t1", "t2"] and not journal.done()
    journal.write("ended", ITEM, "ann", how="error", dialogue_id="d1")
    assert not journal.after(ITEM, "ann")
    journal.close()
    reopened = Journal(tmp_path / "new" / "crowd.jsonl")
    assert reopened.done() == {"1"} and reopened.unfinished(ITEM, "ann") == ""
    assert len(reopened.rows()) == 5
    reopened.close()


def test_a_killed_process_leaves_a_journal_that_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "crowd.jsonl"
    with_one = Journal(file)
    with_one.write("opened", ITEM, "ann", question=NATIONALITY, dialogue_id="d1")
    with_one.close()
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"event": "ended", "it')
    journal = Journal(file)
    assert len(journal.rows()) == 1 and file.read_bytes() == whole
    threads = [
        threading.Thread(target=journal.write, args=("paid", Item(str(n), "q"), "p")) for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    journal.close()
    assert len([json.loads(line) for line in file.read_text().splitlines()]) == 21
    file.write_text("hello\n")
    with pytest.raises(CrowdError, match="line 1 is no row of a journal"):
        Journal(file)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("[1]\n", "line 1: no JSON object"),
        ('{"id": "1"}\n', "'question' is missing"),
        ('{"id": "1", "question": " "}\n', "'question' is ' '"),
        ('{"id": true, "question": "Who?"}\n', "'id' is True"),
        ('{"id": "1", "question": "Who?", "gold": 1}\n', "unknown member 'gold'"),
        ('{"id": "1", "question": "Who?", "surveys": 1}\n', "'surveys' is 1; expected a list"),
        ('{"id": "1", "question": "Who?", "surveys": [{"stage": 1}]}\n', "as kbqa study tasks writes it"),
        (
            '{"id": "1", "question": "Who?"}\n\n{"id": 1, "question": "Why?"}\n',
            "line 3: the id '1' stands there twice",
        ),
        ("nonsense\n", "line 1: no JSON object"),
    ],
)
def test_items_that_can_not_be_used_are_named(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text(text)
    with pytest.raises(CrowdError, match=why):
        read_items(file)


# --- the configuration ---------------------------------------------------------------

LAB = '[task]\nname = "x"\nitems = "items.jsonl"\ndata = "data"\n'
MTURK = '[router]\npublic_url = "https://example.org"\n[provider]\nkind = "mturk_sandbox"\nrequester = "me"\n'


def written(folder: Path, text: str) -> Config:
    (folder / "task.toml").write_text(text)
    return read_config(folder / "task.toml")


def test_a_configuration_has_the_studys_defaults_and_stays_on_this_machine(tmp_path: Path) -> None:
    config = written(tmp_path, LAB)
    assert config.task.items == tmp_path / "items.jsonl" and config.task.data == tmp_path / "data"
    assert config.task.reward_usd == 0.40 and not config.task.not_sure and not config.task.may_stop
    assert config.address == "http://127.0.0.1:3000" and config.provider.kind == "mock"
    assert written(tmp_path, LAB + MTURK).address == "https://example.org"
    assert [is_loopback(h) for h in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")] == [
        *(True, True, True, False, False)
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[task", "can't be read"),
        ("[study]\n", r"unknown table \[study\]"),
        ('[task]\nname = "x"\n', r"'items' is missing in \[task\]"),
        (LAB + "reward = 1\n", "unknown field 'reward'"),
        (LAB + 'reward_usd = "much"\n', "expected a number"),
        (LAB + "minutes = 0\n", "must be 1 or more"),
        (LAB + "not_sure = 1\n", "expected true or false"),
        (LAB + 'keywords = "a"\n', "expected a list of texts"),
        (LAB + '[server]\nurl = "localhost:8000"\n', "expected such as http"),
        (LAB + "[router]\nport = 70000\n", "expected 1 to 65535"),
        (LAB + '[router]\nhost = "0.0.0.0"\n', "put a proxy with https"),
        (LAB + '[provider]\nkind = "prolific"\n', "expected one of mock, mturk_sandbox, mturk"),
        (LAB + '[provider]\nkind = "mturk"\n', "needs 'requester'"),
        (LAB + MTURK.replace("https", "http"), "beginning with https"),
        ("task = 1\n", r"expected a table \[task\]"),
    ],
)
def test_a_configuration_that_can_not_be_used_is_explained(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(CrowdError, match=why):
        written(tmp_path, text)


# --- what makes the old packages work ------------------------------------------------


def test_the_start_up_shim_gives_each_object_its_own_default() -> None:
    @dataclasses.dataclass
    class Inner:
        words: list[str] = dataclasses.field(default_factory=list)

    with pytest.raises(ValueError, match="mutable default"):

        @dataclasses.dataclass
        class Refused:
            inner: Inner = Inner()  # noqa: RUF009

    @shim.dataclass
    class Outer:
        inner: Inner = Inner()
        named: Inner = dataclasses.field(default=Inner(["a"]), metadata={"help": "x"})
        number: int = 3

    @shim.dataclass(frozen=True)
    class Other:
        inner: Inner = Inner()

    one, two = Outer(), Outer()
    assert one.inner == two.inner and one.inner is not two.inner and one.named.words == ["a"]
    assert Outer(number=4).number == 4 and Other().inner == Inner()


def test_a_router_of_another_version_is_not_changed_by_guess() -> None:
    with pytest.raises(CrowdError, match=r"0 places with 'const FAILED_RECONNECT_TIME"):
        changed("const FAILED_PING_TIME = 15000;")


@pytest.mark.skipif(bool(crowd_runs.missing()), reason=crowd_runs.missing() or "-")
def test_the_installed_router_listens_here_waits_and_serves_no_files() -> None:
    code = (crowd_runs.ENVIRONMENT / "share/kbqa-crowd/router/server.js").read_text()
    assert 'process.env.HOST || "127.0.0.1"' in code and "FAILED_PING_TIME = 120000;" in code
    assert "upload.any()" not in code and "return res.status(404).end();" in code


# --- the command ---------------------------------------------------------------------


def kbqa(*arguments: str, given: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kbqa.cli", "crowd", *arguments],
        input=given,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_without_the_environment_the_command_says_how_to_make_it(tmp_path: Path) -> None:
    done = kbqa("check", KBQA_CROWD=str(tmp_path))
    assert done.returncode == 2 and "run make crowd, or kbqa crowd install" in done.stderr


@pytest.mark.skipif(bool(crowd_runs.missing()), reason=crowd_runs.missing() or "-")
def test_check_says_what_is_there_and_what_is_not(server: Server, tmp_path: Path) -> None:
    variables = {"KBQA_CROWD": str(crowd_runs.ENVIRONMENT)}
    file = crowd_runs.task(tmp_path, server.url, [{"id": "1", "question": NATIONALITY}])
    fine = kbqa("check", "--config", str(file), **variables)
    assert fine.returncode == 0, fine.stdout + fine.stderr
    assert "ok    ParlAI 1.7.2" in fine.stdout and f"ok    kbqa serve at {server.url}" in fine.stdout
    file = crowd_runs.task(tmp_path, "http://127.0.0.1:9", [])
    wrong = kbqa("check", "--config", str(file), **variables)
    assert wrong.returncode == 1
    assert "WRONG the items: " in wrong.stdout and "WRONG kbqa serve at http://127.0.0.1:9" in wrong.stdout
    unusable = kbqa("run", "--config", str(tmp_path / "none.toml"), **variables)
    assert unusable.returncode == 2 and "none.toml can't be read" in unusable.stderr


@pytest.mark.skipif(bool(crowd_runs.missing()), reason=crowd_runs.missing() or "-")
def test_hashes_of_workers_are_told_before_they_come(tmp_path: Path) -> None:
    variables = {"KBQA_CROWD": str(crowd_runs.ENVIRONMENT)}
    file = crowd_runs.task(tmp_path, "http://127.0.0.1:9", [])
    told = kbqa("hash", "--config", str(file), given="ann\n\n ben \n", **variables)
    assert told.returncode == 0, told.stderr
    salt = read_salt(tmp_path / "data" / "salt")
    assert told.stdout.split() == [participant_hash("ann", salt), participant_hash("ben", salt)]
