"""The HTTP interface, asked over real sockets of a real uvicorn."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from films import BIRTHPLACE, CREW, DIRECTOR, NATIONALITY, SCRIPT, film_engine

from kbqa.correct import Context, Corrected, TemplateCorrector
from kbqa.dialogue import Parse
from kbqa.document import document
from kbqa.engine import Engine
from kbqa.errors import InputError, StoreTimeout, StoreUnavailable
from kbqa.protocols import Mention
from kbqa.records import Records
from kbqa.scripted import ScriptedParser
from kbqa.server import Limits, make_app
from kbqa.server.address import bound, checked_token, is_loopback
from kbqa.server.connections import patient
from kbqa.server.logs import Lines
from kbqa.server.schema import DialogueDocument

SLOW, BROKEN, LATE, GONE = (
    f"Who directed Cast Away {how}?" for how in ("slowly", "brokenly", "late", "for nobody")
)


class _Parser(ScriptedParser):
    """Waits for `go` on SLOW, and fails on others in the ways that stores and programs fail."""

    def __init__(self) -> None:
        super().__init__({**SCRIPT, SLOW: SCRIPT[DIRECTOR]})
        self.go, self.begun = threading.Event(), threading.Semaphore(0)

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]:
        if question == SLOW:
            self.begun.release()
            assert self.go.wait(20)
        if question == BROKEN:
            raise RuntimeError("a secret of the inside")
        if question == LATE:
            raise StoreTimeout("stopped after 5 seconds")
        if question == GONE:
            raise StoreUnavailable("the endpoint is down")
        return super().parse(question, mentions, n=n, grounded=grounded)


class _Corrector:
    """Reads templates; counts, and waits for `go`."""

    def __init__(self, then: TemplateCorrector) -> None:
        self.then, self.calls = then, 0
        self.go, self.begun = threading.Event(), threading.Semaphore(0)
        self.go.set()

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> Sequence[Corrected]:
        self.calls += 1
        self.begun.release()
        assert self.go.wait(20)
        return self.then.correct(text, mentions, context, n=n)


@dataclass
class Served:
    """A running server and what is behind it."""

    url: str
    client: httpx.Client
    engine: Engine
    records: Records
    parser: _Parser
    corrector: _Corrector

    def ask(self, question: str = NATIONALITY, **more: object) -> dict[str, Any]:
        reply = self.client.post("/dialogues", json={"question": question, **more})
        assert reply.status_code == 201, reply.text
        found: dict[str, Any] = reply.json()
        return found

    def say(self, dialogue_id: str, turn_id: str, kind: str, **more: object) -> httpx.Response:
        return self.client.post(
            f"/dialogues/{dialogue_id}/feedback", json={"kind": kind, "turn_id": turn_id, **more}
        )


@contextmanager
def serving(
    engine: Engine,
    records: Records,
    *,
    limits: Limits | None = None,
    token: str | None = None,
    datasets: Sequence[str] = (),
) -> Iterator[str]:
    """The server on a free port of this machine; its URL."""
    app = make_app(engine, records, limits=limits, token=token, datasets=datasets)
    http = patient(limits or Limits())
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none", http=http))
    listening = bound("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
        assert not thread.is_alive(), "the server does not stop"


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, _Parser, _Corrector]]:
    with film_engine(tmp_path_factory.mktemp("films")) as opened:
        parser, corrector = _Parser(), _Corrector(TemplateCorrector(opened.kb.lexicon))
        yield Engine(opened.kb, parser, corrector=corrector), parser, corrector


@pytest.fixture
def served(behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path) -> Iterator[Served]:
    with _served(behind, tmp_path) as opened:
        yield opened


@contextmanager
def _served(behind: tuple[Engine, _Parser, _Corrector], folder: Path, **options: Any) -> Iterator[Served]:
    engine, parser, corrector = behind
    parser.go.clear()
    parser.begun = threading.Semaphore(0)
    corrector.begun = threading.Semaphore(0)
    with (
        Records(folder / "dialogues.sqlite") as records,
        serving(engine, records, **options) as url,
        httpx.Client(base_url=url, timeout=30) as client,
    ):
        try:
            yield Served(url, client, engine, records, parser, corrector)
        finally:
            parser.go.set()
            corrector.go.set()


def is_problem(reply: httpx.Response, status: int, name: str) -> dict[str, Any]:
    """The problem document of a reply, with all that RFC 9457 and this server put in it."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = reply.json()
    assert found["type"] == f"urn:kbqa:problem:{name}" and found["status"] == status
    assert found["title"] and found["detail"] and found["instance"].isascii()
    assert found["request_id"] == reply.headers["x-request-id"]
    return found


def _until(true: Callable[[], bool]) -> None:
    """Wait for what the server does after its reply has left."""
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def template_of(engine: Engine, question: str, step: int = 1) -> str:
    version = engine.ask(question).current
    assert version is not None
    return version.steps[step - 1].template


# --- a dialogue ----------------------------------------------------------------------


def test_a_question_becomes_a_dialogue_that_takes_feedback_to_its_end(served: Served) -> None:
    reply = served.client.post("/dialogues", json={"question": NATIONALITY, "mode": "templated"})
    made = reply.json()
    assert reply.status_code == 201 and reply.headers["location"] == f"/dialogues/{made['dialogue_id']}"
    assert made["mode"] == "templated" and [a["label"] for a in made["answers"]] == ["United States"]
    key = made["dialogue_id"]
    text = template_of(served.engine, CREW)
    edited = served.say(key, "1", "edit", step=1, text=text).json()
    assert edited["version"] == 2 and edited["edits_left"] == 4 and edited["steps"][0]["template"] == text
    undone = served.say(key, "2", "undo").json()
    assert undone["version"] == 1 and len(undone["versions"]) == 2
    accepted = served.say(key, "3", "accept").json()
    assert accepted["status"] == "accepted"
    assert served.client.get(f"/dialogues/{key}").json() == accepted
    assert document(served.records.load(key)) == accepted
    for found in (made, edited, undone, accepted):
        DialogueDocument.model_validate(found)  # every member as /docs describes it, and no other


def test_a_question_that_is_not_understood_is_a_document(served: Served) -> None:
    made = served.ask("Who is the dearest friend of my aunt?")
    assert made["status"] == "not_understood" and made["error"]["type"] == "NotUnderstood"
    DialogueDocument.model_validate(made)
    problem = is_problem(served.say(made["dialogue_id"], "1", "accept"), 409, "feedback-conflict")
    assert problem["dialogue_status"] == "not_understood"


def test_the_list_is_newest_first_and_delete_removes(served: Served) -> None:
    keys = [served.ask(q)["dialogue_id"] for q in (NATIONALITY, CREW, DIRECTOR)]
    listed = served.client.get("/dialogues").json()["dialogues"]
    assert [d["id"] for d in listed] == keys[::-1]
    assert listed[0]["question"] == DIRECTOR and listed[0]["status"] == "awaiting_feedback"
    assert len(served.client.get("/dialogues?limit=1").json()["dialogues"]) == 1
    gone = served.client.delete(f"/dialogues/{keys[0]}")
    assert gone.status_code == 204 and gone.content == b""
    is_problem(served.client.get(f"/dialogues/{keys[0]}"), 404, "unknown-dialogue")
    is_problem(served.client.delete(f"/dialogues/{keys[0]}"), 404, "unknown-dialogue")
    is_problem(served.say(keys[0], "1", "accept"), 404, "unknown-dialogue")


# --- idempotent turns -----------------------------------------------------------------


def test_a_turn_that_is_sent_again_has_its_first_reply(served: Served) -> None:
    key = served.ask()["dialogue_id"]
    text = template_of(served.engine, CREW)
    first = served.say(key, "1", "edit", step=1, text=text)
    served.say(key, "2", "undo")
    calls = served.corrector.calls
    again = served.say(key, "1", "edit", step=1, text=text)
    assert again.status_code == 200 and again.json() == first.json() and again.json()["version"] == 2
    assert served.corrector.calls == calls
    now = served.client.get(f"/dialogues/{key}").json()
    assert now["version"] == 1 and len(now["versions"]) == 2


def test_a_turn_id_stands_for_one_feedback(served: Served) -> None:
    key = served.ask()["dialogue_id"]
    served.say(key, "1", "unsure")
    problem = is_problem(served.say(key, "1", "accept"), 409, "turn-conflict")
    assert "'1'" in problem["detail"] and "unsure" in problem["detail"]
    assert served.client.get(f"/dialogues/{key}").json()["status"] == "awaiting_feedback"
    other = served.ask()["dialogue_id"]
    assert served.say(other, "1", "accept").status_code == 200  # of another dialogue it is another turn


def test_one_turn_sent_ten_times_at_once_is_one_turn(served: Served) -> None:
    key = served.ask()["dialogue_id"]
    text = template_of(served.engine, CREW)
    calls = served.corrector.calls
    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(lambda _: served.say(key, "1", "edit", step=1, text=text), range(10)))
    assert {r.status_code for r in replies} == {200}
    assert all(r.json() == replies[0].json() for r in replies)
    assert served.corrector.calls == calls + 1
    assert len(served.client.get(f"/dialogues/{key}").json()["versions"]) == 2


def test_turns_of_one_dialogue_come_one_after_the_other(served: Served) -> None:
    key = served.ask()["dialogue_id"]
    texts = [template_of(served.engine, q) for q in (CREW, BIRTHPLACE, DIRECTOR)]
    with ThreadPoolExecutor(3) as pool:
        replies = list(pool.map(lambda i: served.say(key, str(i), "edit", step=1, text=texts[i]), range(3)))
    assert {r.status_code for r in replies} <= {200, 422}
    well = [r.json() for r in replies if r.status_code == 200]
    assert sorted(d["version"] for d in well) == list(range(2, 2 + len(well)))
    assert len(served.client.get(f"/dialogues/{key}").json()["versions"]) == 1 + len(well)


# --- what is refused ----------------------------------------------------------------


def test_feedback_that_can_not_be_applied_says_why(served: Served) -> None:
    key = served.ask()["dialogue_id"]
    for kind, more, says in (
        ("dance", {}, "'dance'"),
        ("edit", {"step": 1}, "needs a sub-question"),
        ("edit", {"text": "x"}, "'step'"),
        ("edit", {"step": 9, "text": "Who?"}, "no step 9"),
        ("edit", {"step": 1, "text": "x" * 501}, "501 characters"),
        ("accept", {"step": 1}, "'step'"),
        ("choose", {"offer": 99}, "no alternative 99"),
        ("back", {"version": 7}, "no version 7"),
        ("undo", {}, "nothing to undo"),
    ):
        problem = is_problem(served.say(key, "1", kind, **more), 422, "feedback-error")
        assert says in problem["detail"]
    assert served.say(key, "1", "accept").status_code == 200  # the refused ones used up no turn_id
    is_problem(served.say(key, "2", "accept"), 409, "feedback-conflict")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/question"),
        ({"question": 7}, "/question"),
        ({"question": None}, "/question"),
        ({"question": "Who?", "colour": 1}, "/colour"),
        ({"question": "Who?", "mode": 3}, "/mode"),
    ],
)
def test_a_wrong_member_is_named(served: Served, body: object, pointer: str) -> None:
    problem = is_problem(served.client.post("/dialogues", json=body), 422, "invalid-request")
    assert [e["pointer"] for e in problem["errors"]] == [pointer]


def test_what_is_no_question_is_refused(served: Served) -> None:
    def ask(**body: object) -> httpx.Response:
        return served.client.post("/dialogues", json=body)

    is_problem(ask(question="  "), 422, "input-error")
    problem = is_problem(ask(question="Egypt " * 300), 422, "input-error")
    assert "1,000" in problem["detail"]
    assert "'mad'" in is_problem(ask(question="Who?", mode="mad"), 422, "unknown-mode")["detail"]
    is_problem(ask(question="Who?", kb="other"), 422, "other-knowledge-base")
    assert served.ask(DIRECTOR, kb="kb")["kb"] == "kb"


@pytest.mark.parametrize(
    ("content", "status", "name"),
    [
        (b"", 422, "invalid-request"),
        (b"{", 400, "invalid-json"),
        (b"\xff\xfe", 400, "invalid-json"),
        (b"[]", 422, "invalid-request"),
        (b"[" * 50_000, 400, "bad-request"),
        (b'{"question": "' + b"x" * 70_000 + b'"}', 413, "body-too-large"),
    ],
)
def test_a_body_that_can_not_be_read_is_a_problem(
    served: Served, content: bytes, status: int, name: str
) -> None:
    json_type = {"Content-Type": "application/json"}
    is_problem(served.client.post("/dialogues", content=content, headers=json_type), status, name)
    assert served.ask(DIRECTOR)["answers"]


def test_half_a_surrogate_pair_is_no_trouble(served: Served) -> None:
    said = b'{"question": "\\ud800 Who directed Cast Away?"}'
    reply = served.client.post("/dialogues", content=said, headers={"Content-Type": "application/json"})
    assert reply.status_code == 201 and served.client.get("/dialogues").status_code == 200
    said = b'{"kind": "stop", "text": "\\udc00", "turn_id": "1"}'
    url = f"/dialogues/{served.ask()['dialogue_id']}/feedback"
    for _ in range(2):
        reply = served.client.post(url, content=said, headers={"Content-Type": "application/json"})
        assert reply.status_code == 200 and reply.json()["status"] == "stopped"


def test_a_body_in_pieces_is_counted_too(served: Served) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 1000

    json_type = {"Content-Type": "application/json"}
    is_problem(served.client.post("/dialogues", content=pieces(), headers=json_type), 413, "body-too-large")


def test_a_body_that_does_not_say_it_is_json_is_refused(served: Served) -> None:
    """A page of another site could send it without asking (no CORS preflight for text/plain)."""
    text = json.dumps({"question": DIRECTOR})
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"):
        reply = served.client.post("/dialogues", content=text, headers={"Content-Type": kind})
        is_problem(reply, 415, "unsupported-media-type")
    reply = served.client.options("/dialogues", headers={"Origin": "https://evil.example"})
    assert is_problem(reply, 405, "method-not-allowed") and "POST" in reply.headers["allow"]
    assert not any(name.startswith("access-control") for name in reply.headers)


def test_paths_and_methods_that_are_not_there_are_problems(served: Served) -> None:
    assert is_problem(served.client.get("/no where"), 404, "not-found")["instance"] == "/no%20where"
    is_problem(served.client.put("/dialogues"), 405, "method-not-allowed")
    is_problem(served.client.get("/dialogues/%ff%00%0a"), 404, "unknown-dialogue")
    is_problem(served.client.get("/dialogues?limit=0"), 422, "invalid-request")


def test_failures_behind_the_server_are_problems(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    def ask(question: str) -> httpx.Response:
        return served.client.post("/dialogues", json={"question": question})

    is_problem(ask(LATE), 504, "store-timeout")
    reply = ask(GONE)
    assert is_problem(reply, 503, "store-unavailable") and reply.headers["retry-after"]
    with caplog.at_level(logging.ERROR):
        problem = is_problem(ask(BROKEN), 500, "internal-error")
        _until(lambda: "a secret of the inside" in caplog.text)
    assert "secret" not in json.dumps(problem)
    assert served.ask(DIRECTOR)["answers"]


def test_a_dialogue_of_another_knowledge_base_is_shown_and_not_continued(served: Served) -> None:
    from dataclasses import replace

    foreign = replace(served.engine.ask(DIRECTOR), kb="other.ttl")
    served.records.save(foreign)
    assert served.client.get(f"/dialogues/{foreign.dialogue_id}").json()["kb"] == "other.ttl"
    problem = is_problem(served.say(foreign.dialogue_id, "1", "accept"), 409, "other-knowledge-base")
    assert "other.ttl" in problem["detail"]


# --- who may ask ----------------------------------------------------------------------


def test_a_token_is_asked_for_where_one_is_set(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    with _served(behind, tmp_path, token="correct horse".replace(" ", "-")) as served:
        for header in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic correct-horse"}):
            for call in ("/dialogues", "/?question=x", "/dialogues/x"):
                reply = served.client.get(call, headers=header)
                assert (
                    is_problem(reply, 401, "unauthorized") and reply.headers["www-authenticate"] == "Bearer"
                )
        for path in ("/healthz", "/readyz", "/docs", "/openapi.json"):
            assert served.client.get(path).status_code == 200
        served.client.headers["Authorization"] = "bearer correct-horse"
        assert served.ask(DIRECTOR)["answers"]
        assert served.client.get("/dialogues", headers={"Host": "kbqa.example"}).status_code == 200


def test_without_a_token_the_host_must_be_this_machine(served: Served) -> None:
    """A page of another site whose name was pointed at 127.0.0.1 sends its own name."""
    is_problem(served.client.get("/dialogues", headers={"Host": "evil.example"}), 421, "misdirected-request")
    for host in ("localhost", "localhost:9000", "127.0.0.1:8000", "[::1]:8000"):
        assert served.client.get("/dialogues", headers={"Host": host}).status_code == 200


def test_others_may_be_served_with_a_token_only() -> None:
    for host in ("0.0.0.0", "192.168.1.5", "::", "example.org", ""):
        with pytest.raises(InputError, match="KBQA_TOKEN"):
            checked_token(host, None)
        checked_token(host, "a-long-secret")
    for host in ("127.0.0.1", "localhost", "::1", "127.1.2.3"):
        assert is_loopback(host)
        checked_token(host, None)
    for token in ("", "short", "with space in it", "ünïcodé-secret"):
        with pytest.raises(InputError, match="at least 8"):
            checked_token("127.0.0.1", token)


# --- time, load and clients that go away ----------------------------------------------


def test_a_turn_that_takes_too_long_goes_on_and_is_recorded(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    with _served(behind, tmp_path, limits=Limits(request_s=0.3)) as served:
        reply = served.client.post("/dialogues", json={"question": SLOW})
        assert is_problem(reply, 504, "took-too-long")["begun"] is True
        assert served.client.get("/dialogues").json()["dialogues"] == []
        served.parser.go.set()
        _until(lambda: bool(served.client.get("/dialogues").json()["dialogues"]))
        assert [d["question"] for d in served.client.get("/dialogues").json()["dialogues"]] == [SLOW]


def test_too_many_that_wait_are_turned_away_and_the_rest_is_served(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    with _served(behind, tmp_path, limits=Limits(threads=1, waiting=0)) as served:
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(served.ask, SLOW)
            assert served.parser.begun.acquire(timeout=10)
            reply = served.client.post("/dialogues", json={"question": DIRECTOR})
            assert is_problem(reply, 503, "too-busy") and reply.headers["retry-after"]
            assert served.client.get("/healthz").status_code == 200
            assert served.client.get("/dialogues").status_code == 200
            served.parser.go.set()
            assert first.result(20)["answers"]
        assert served.ask(DIRECTOR)["answers"]


def test_a_slow_dialogue_holds_up_its_own_turns_only(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    """Ten turns wait for one slow dialogue, and take no thread from the others."""
    with _served(behind, tmp_path, limits=Limits(threads=2)) as served:
        slow, quick = served.ask(NATIONALITY)["dialogue_id"], served.ask(NATIONALITY)["dialogue_id"]
        text = template_of(served.engine, CREW)
        served.corrector.go.clear()
        with ThreadPoolExecutor(10) as pool:
            stuck = [pool.submit(served.say, slow, "1", "edit", step=1, text=text)]
            assert served.corrector.begun.acquire(timeout=10)
            stuck += [pool.submit(served.say, slow, str(i), "unsure") for i in range(2, 11)]
            assert served.say(quick, "1", "accept").json()["status"] == "accepted"
            assert not any(f.done() for f in stuck)
            served.corrector.go.set()
            assert [f.result(20).status_code for f in stuck] == [200] * 10


def test_what_needs_no_model_does_not_wait_for_it(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    with _served(behind, tmp_path, limits=Limits(threads=1)) as served:
        keys = [served.ask(NATIONALITY)["dialogue_id"] for _ in range(2)]
        with ThreadPoolExecutor(2) as pool:
            slow = pool.submit(served.ask, SLOW)
            assert served.parser.begun.acquire(timeout=10)
            waits = pool.submit(served.ask, DIRECTOR)
            assert served.say(keys[0], "1", "unsure").status_code == 200
            assert served.say(keys[0], "2", "accept").json()["status"] == "accepted"
            assert served.client.delete(f"/dialogues/{keys[1]}").status_code == 204
            assert not slow.done() and not waits.done()
            served.parser.go.set()
            assert slow.result(20)["answers"] and waits.result(20)["answers"]


def test_clients_that_hang_or_drop_harm_nobody(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    """Connections that say nothing, stop in the header, stop in the body, or leave before the reply."""
    with _served(behind, tmp_path, limits=Limits(body_s=0.5)) as served:
        address = served.url.removeprefix("http://").split(":")
        head = b"POST /dialogues HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        body = json.dumps({"question": DIRECTOR}).encode()
        whole = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
        hanging = []
        for sent in (b"", head, head + b"Content-Length: 40\r\n\r\n{", whole[:-1], whole, b"\x16\x03\x01"):
            for _ in range(10):
                connection = socket.create_connection((address[0], int(address[1])), timeout=10)
                connection.sendall(sent)
                hanging.append((sent, connection))
        dropped = [c for i, (_, c) in enumerate(hanging) if i % 2]
        for connection in dropped:
            connection.close()
        assert served.ask(NATIONALITY)["answers"]  # before the client's own time-out
        stalled = next(c for s, c in hanging if s.endswith(b"{") and c not in dropped)
        assert b" 408 " in stalled.recv(4096).splitlines()[0]
        for _, connection in hanging:
            connection.close()
        assert served.ask(CREW)["answers"] and served.client.get("/readyz").status_code == 200


@pytest.mark.parametrize("sent", [b"", b"\x16\x03\x01", b"GET /healthz HTTP/1.1\r\nHost: local"])
@pytest.mark.parametrize("before", [0, 1])
def test_a_connection_without_a_whole_request_is_closed(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path, sent: bytes, before: int
) -> None:
    """One that says nothing, no HTTP, or half a header, byte by byte; also after a served request."""
    with _served(behind, tmp_path, limits=Limits(headers_s=0.5)) as served:
        host, port = served.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            for _ in range(before):
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                reply = b""
                while not reply.endswith(b'{"status":"ok"}'):
                    reply += connection.recv(4096) or pytest.fail("closed before the reply")
            with suppress(ConnectionError):  # what is no HTTP is refused, and the rest not read
                for byte in sent:
                    connection.sendall(bytes([byte]))
                while connection.recv(4096):  # until the server closes it
                    pass
        key = served.ask()["dialogue_id"]  # its connection has waited longer than that, too
        time.sleep(0.6)
        assert served.client.get(f"/dialogues/{key}").status_code == 200


def test_a_reply_that_takes_longer_than_headers_may_is_given(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    with _served(behind, tmp_path, limits=Limits(headers_s=0.2)) as served, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(served.ask, SLOW)
        assert served.parser.begun.acquire(timeout=10)
        time.sleep(0.4)
        served.parser.go.set()
        assert slow.result(20)["answers"]


def test_a_client_that_leaves_finds_its_turn_recorded(served: Served) -> None:
    key = served.ask()["dialogue_id"]
    said = {"kind": "edit", "step": 1, "text": template_of(served.engine, CREW), "turn_id": "1"}
    calls = served.corrector.calls
    served.corrector.go.clear()
    with pytest.raises(httpx.TimeoutException):
        served.client.post(f"/dialogues/{key}/feedback", json=said, timeout=0.5)
    served.corrector.go.set()
    _until(lambda: served.client.get(f"/dialogues/{key}").json()["version"] == 2)
    reply = served.client.post(f"/dialogues/{key}/feedback", json=said)
    assert reply.status_code == 200 and reply.json()["version"] == 2
    assert served.corrector.calls == calls + 1


def test_thirty_dialogues_at_once_lose_no_turn(served: Served) -> None:
    text = template_of(served.engine, CREW)

    def talk(number: int) -> str:
        with httpx.Client(base_url=served.url, timeout=60) as client:
            made = client.post("/dialogues", json={"question": NATIONALITY})
            assert made.status_code == 201
            key: str = made.json()["dialogue_id"]
            for turn, said in enumerate(
                ({"kind": "edit", "step": 1, "text": text}, {"kind": "undo"}, {"kind": "accept"})
            ):
                reply = client.post(f"/dialogues/{key}/feedback", json={**said, "turn_id": str(turn)})
                assert reply.status_code == 200, reply.text
            return key

    with ThreadPoolExecutor(30) as pool:
        keys = list(pool.map(talk, range(30)))
    assert len(set(keys)) == 30
    for row in served.records.export():
        assert [t["status"] for t in row["turns"]] == ["awaiting_feedback"] * 3 + ["accepted"]


# --- the rest of the interface ---------------------------------------------------------


def test_text2sparql_gets_a_query_and_leaves_no_dialogue(served: Served) -> None:
    iri = "https://text2sparql.aksw.org/2025/dbpedia/"
    reply = served.client.get("/", params={"question": DIRECTOR, "dataset": iri})
    found = reply.json()
    assert found.keys() == {"dataset", "question", "query"}
    assert found["dataset"] == iri and found["question"] == DIRECTOR
    assert "film.film.directed_by" in found["query"]
    rows = served.engine.kb.store.select(found["query"]).rows
    assert len(rows) == 1
    problem = is_problem(served.client.get("/?question=Who+is+my+aunt?"), 422, "not-understood")
    assert "Recognised in it" in problem["detail"]
    is_problem(served.client.get("/?question="), 422, "input-error")
    is_problem(served.client.get("/?question=%ff%fe"), 422, "not-understood")
    assert served.client.get("/dialogues").json()["dialogues"] == []
    assert served.client.get("/").headers["location"] == "/docs"


def test_a_dataset_that_is_not_served_is_a_problem(
    behind: tuple[Engine, _Parser, _Corrector], tmp_path: Path
) -> None:
    with _served(behind, tmp_path, datasets=["urn:films"]) as served:
        query = {"question": DIRECTOR, "dataset": "urn:films"}
        assert served.client.get("/", params=query).status_code == 200
        problem = is_problem(
            served.client.get("/", params={**query, "dataset": "urn:x"}), 404, "unknown-dataset"
        )
        assert "urn:films" in problem["detail"]


def test_readiness_tells_a_store_and_records_that_are_gone(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert served.client.get("/readyz").json() == {"status": "ready"}
    served.records.close()
    assert "dialogues.sqlite" in is_problem(served.client.get("/readyz"), 503, "not-ready")["detail"]
    is_problem(served.client.get("/dialogues"), 503, "records-error")
    is_problem(served.client.post("/dialogues", json={"question": DIRECTOR}), 503, "records-error")
    assert served.client.get("/healthz").json() == {"status": "ok"}


def test_the_description_is_complete_and_asks_nobody_else(served: Served) -> None:
    schema = served.client.get("/openapi.json").json()
    assert set(schema["paths"]) == {
        "/", "/dialogues", "/dialogues/{dialogue_id}", "/dialogues/{dialogue_id}/feedback",
        "/dialogues/{dialogue_id}/value", "/healthz", "/readyz",
    }  # fmt: skip
    names = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(schema)))
    assert names <= schema["components"]["schemas"].keys()
    assert "HTTPValidationError" not in json.dumps(schema["paths"])
    page = served.client.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<script" not in page.text and "src=" not in page.text
    assert not re.search(r"https?://(?!localhost)", page.text)
    for path in schema["paths"]:
        assert f"</span>{path}</code>" in page.text
    for anchor in re.findall(r"href='#(\w+)'", page.text):
        assert f"id='{anchor}'" in page.text
    for name in ("/docs/oauth2-redirect", "/redoc"):
        assert served.client.get(name).status_code == 404


def test_each_request_is_one_line_with_its_id_and_without_its_question(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="kbqa.server"):
        mine = served.client.get("/?question=Who+is+my+aunt?", headers={"X-Request-ID": "mine-1"})
        strange = served.client.get("/healthz", headers={"X-Request-ID": 'x"\t{}'})
        _until(lambda: len([r for r in caplog.records if r.getMessage() == "request"]) == 2)
    assert mine.headers["x-request-id"] == "mine-1" and len(strange.headers["x-request-id"]) == 32
    lines = [Lines().format(r) for r in caplog.records if r.name == "kbqa.server"]
    rows = [json.loads(line) for line in lines]
    assert rows[0]["event"] == "request" and rows[0]["request_id"] == "mine-1"
    assert rows[0]["method"] == "GET" and rows[0]["path"] == "/" and rows[0]["status"] == 422
    assert rows[0]["ms"] > 0 and rows[1]["request_id"] == strange.headers["x-request-id"]
    assert "aunt" not in "".join(lines)


# --- the process -----------------------------------------------------------------------

_SERVER = """
import sys
from pathlib import Path
import uvicorn
sys.path.insert(0, sys.argv[3])
from films import film_engine
from kbqa.server.address import bound
from kbqa.records import Records
from kbqa.server import make_app
Path(sys.argv[2]).mkdir(exist_ok=True)
engine = film_engine(Path(sys.argv[2]))
app = make_app(engine, Records(sys.argv[1]))
listening = bound("127.0.0.1", 0)
print(listening.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_config=None, ws="none")).run(sockets=[listening])
"""


@contextmanager
def _process(records: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    here = Path(__file__).parent
    environment = {**os.environ, "PYTHONPATH": str(here.parent)}
    command = [sys.executable, "-c", _SERVER, str(records), str(folder), str(here)]
    running = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        port = int(running.stdout.readline())
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            while True:
                try:
                    client.get("/healthz")
                    break
                except httpx.ConnectError:
                    time.sleep(0.02)
            yield running, client
    finally:
        running.kill()
        running.communicate()


def test_a_killed_server_goes_on_with_every_acknowledged_turn(tmp_path: Path, behind: Any) -> None:
    text = template_of(behind[0], CREW)
    turns: tuple[dict[str, Any], ...] = (
        {"kind": "edit", "step": 1, "text": text, "turn_id": "0"},
        {"kind": "undo", "turn_id": "1"},
        {"kind": "unsure", "turn_id": "2"},
    )
    told: dict[str, list[dict[str, Any]]] = {}

    def talk(base: str) -> None:
        try:
            with httpx.Client(base_url=base, timeout=30) as client:
                while True:
                    made = client.post("/dialogues", json={"question": NATIONALITY}).json()
                    mine = told.setdefault(made["dialogue_id"], [])
                    for said in turns:
                        url = f"/dialogues/{made['dialogue_id']}/feedback"
                        mine.append(client.post(url, json=said).json())
        except httpx.TransportError:
            pass

    path = tmp_path / "dialogues.sqlite"
    with _process(path, tmp_path / "one") as (running, client):
        base = str(client.base_url)
        with ThreadPoolExecutor(6) as pool:
            talking = [pool.submit(talk, base) for _ in range(6)]
            while sum(map(len, told.values())) < 20:
                time.sleep(0.01)
            running.send_signal(signal.SIGKILL)
            for future in talking:
                future.result(30)
    assert len(told) >= 6
    with _process(path, tmp_path / "two") as (_, client):
        for key, replies in told.items():
            for said, reply in zip(turns, replies, strict=False):
                again = client.post(f"/dialogues/{key}/feedback", json=said)
                assert again.json() == reply
            done = client.post(f"/dialogues/{key}/feedback", json={"kind": "accept", "turn_id": "end"})
            assert done.json()["status"] == "accepted"


@pytest.mark.slow
def test_serve_answers_with_the_engine_that_ships_and_stops_when_told(tmp_path: Path) -> None:
    with bound("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kbqa.cli", "serve", "--port", str(port)]
    running = subprocess.Popen(
        command, env={**os.environ, "KBQA_RECORDS": str(tmp_path)}, cwd=Path(__file__).parents[1],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            for _ in range(600):
                try:
                    assert client.get("/readyz").status_code == 200
                    break
                except httpx.ConnectError:
                    assert running.poll() is None
                    time.sleep(0.1)
            asked = {"question": "Where was the author of Pride and Prejudice born?"}
            assert client.post("/dialogues", json=asked).json()["answers"]
        running.terminate()
        logged = running.communicate(timeout=60)[1]
    finally:
        running.kill()
        running.wait()
    assert running.returncode == 0
    lines = [json.loads(line) for line in logged.splitlines()]
    assert [row["status"] for row in lines if row.get("path") == "/dialogues"] == [201]
    with Records(tmp_path / "dialogues.sqlite") as records:
        assert len(records.recent()) == 1
        (row,) = records.export()
    assert all(turn["signature"] for turn in row["turns"])


def test_what_can_not_be_had_is_told_before_anything_is_loaded() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: Address already in use; try another"):
            bound("127.0.0.1", port)
    with pytest.raises(InputError, match=r"no-such-host\.invalid"):
        bound("no-such-host.invalid", 0)
    environment = {k: v for k, v in os.environ.items() if k != "KBQA_TOKEN"}
    command = [sys.executable, "-m", "kbqa.cli", "serve", "--host", "0.0.0.0"]
    here = Path(__file__).parents[1]
    refused = subprocess.run(command, env=environment, cwd=here, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert "KBQA_TOKEN" in refused.stderr and refused.stderr.count("\n") == 1
