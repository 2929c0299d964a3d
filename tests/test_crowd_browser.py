"""A real local run: `kbqa crowd run`, Mephisto's router, the built page, a worker in headless Chromium."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import browser
import crowd_runs
import pytest
from browser import Visitor, chromium
from crowd_runs import film_service, journal, task
from films import DIRECTOR, NATIONALITY
from servers import free_port

_MISSING = crowd_runs.missing() or browser.missing()
pytestmark = [pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "-"), pytest.mark.slow]

CUT_S = 30


class Wire:
    """A connection between a browser and the router that can be cut."""

    def __init__(self, port: int) -> None:
        self.port, self._target = free_port(), port
        self._open: list[socket.socket] = []
        self._listening: socket.socket | None = None
        self.mend()

    def mend(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", self.port), reuse_port=False)
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        assert self._listening
        for end in (self._listening, *self._open):
            with closing(end), suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                near, _ = listening.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(source, target), daemon=True).start()


def _carry(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


@contextmanager
def crowd_run(config: Path) -> Iterator[subprocess.Popen[str]]:
    """`kbqa crowd run`, once it says that it is up."""
    command = [sys.executable, "-m", "kbqa.cli", "crowd", "run", "--config", str(config)]
    variables = os.environ | {"KBQA_CROWD": str(crowd_runs.ENVIRONMENT)}
    with (config.parent / "run.log").open("w") as log:
        process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert process.stdout
            said = ""
            while "participant's link" not in said:
                said = process.stdout.readline()
                assert said, (config.parent / "run.log").read_text()[-3000:]
            yield process
        finally:
            process.kill()
            process.wait()


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def choose(visitor: Visitor, name: str, value: str) -> None:
    visitor.find(f'input[type="radio"][name="{name}"][value="{value}"]').click()


def retype(visitor: Visitor, text: str) -> None:
    from selenium.webdriver import Keys

    visitor.find("#words").send_keys(Keys.CONTROL + "a" + Keys.NULL, text)


def go(visitor: Visitor, label: str = "Send") -> None:
    visitor.find(".response button:not([disabled])", label).click()


def test_a_worker_gets_through_reloads_and_a_cut_of_30_seconds(tmp_path: Path) -> None:
    items = [{"id": str(n), "question": q} for n, q in enumerate((NATIONALITY, DIRECTOR))]
    port = free_port()
    with film_service(tmp_path) as service, chromium() as visitor:
        config = task(tmp_path, service, items, router=f"port = {port}")
        with crowd_run(config) as run:
            _first(visitor, Wire(port), tmp_path)
            _second(visitor, run, port)
        assert run.wait(crowd_runs.PATIENCE_S) == 130
        assert journal(tmp_path, "ended")[-1]["how"] == "shutdown"
        with crowd_run(config) as run:
            visitor.driver.get(f"http://127.0.0.1:{port}/?worker_id=ann&assignment_id=9")
            visitor.find("#target-question", DIRECTOR)
            visitor.find(".left", "4 of 5")
            run.kill()
            run.wait()
            end = time.monotonic() + crowd_runs.PATIENCE_S
            while is_open(port):
                assert time.monotonic() < end, "the router outlives the run that started it"
                time.sleep(0.2)
    assert [row["item"] for row in journal(tmp_path, "opened")] == ["0", "1"], (
        "it went on with the same dialogue"
    )


def _first(visitor: Visitor, wire: Wire, folder: Path) -> None:
    """A correction, a reload with something typed, a cut with a turn under way, the comment, the end."""
    visitor.driver.get(f"http://127.0.0.1:{wire.port}/?worker_id=ann")
    visitor.find(".card.latest .answers", "United States")
    assert visitor.find("#target-question").text == NATIONALITY
    choose(visitor, "right", "no")
    choose(visitor, "operation", "edit")
    choose(visitor, "step", "1")
    assert visitor.find("#words").get_attribute("value") == "Who wrote Forrest Gump?"
    retype(visitor, "Who is the producer of [Forrest Gump]?")
    visitor.driver.refresh()
    visitor.find(".card.latest .answers", "United States")
    assert visitor.find("#words").get_attribute("value") == "Who is the producer of [Forrest Gump]?"
    go(visitor)
    visitor.find(".card.latest .answers", "United Kingdom")
    visitor.find(".left", "4 of 5")

    wire.cut()
    choose(visitor, "right", "accept")
    go(visitor)
    visitor.find(".away", "The connection is lost")
    time.sleep(CUT_S)
    wire.mend()
    visitor.find("#comment")
    visitor.gone(".away")
    visitor.find("#comment").send_keys("The producer is meant.")
    visitor.driver.refresh()
    assert visitor.find("#comment").get_attribute("value") == "The producer is meant."
    go(visitor)
    go(visitor, "Finish")
    visitor.find("#handed-in")
    visitor.gone(".away")
    ended = journal(folder, "ended")
    assert [(r["how"], r["status"], r["edits"], r["comment"]) for r in ended] == [
        ("finished", "accepted", 1, "The producer is meant.")
    ]
    external = [r for r in visitor.requested() if not r.startswith(f"127.0.0.1:{wire.port}")]
    assert not external, "the page asks nobody else for anything"


def _second(visitor: Visitor, run: subprocess.Popen[str], port: int) -> None:
    """The next question of the same worker: the router is killed, and comes back; the run is stopped."""
    following = visitor.find(".button", "Next question").get_attribute("href")
    visitor.driver.get(f"http://127.0.0.1:{port}/?{following.partition('?')[2]}")
    visitor.find("#target-question", DIRECTOR)
    choose(visitor, "right", "no")
    found = subprocess.run(["pgrep", "-P", str(run.pid), "node"], capture_output=True, text=True, check=True)
    os.kill(int(found.stdout), signal.SIGKILL)
    choose(visitor, "operation", "edit")
    choose(visitor, "step", "1")
    retype(visitor, "Who is the screenwriter of [Cast Away]?")
    go(visitor)
    visitor.find(".card.latest .answers", "William Broyles")
    assert is_open(port)
    run.send_signal(signal.SIGTERM)
    run.wait(crowd_runs.PATIENCE_S)
    assert not is_open(port)
