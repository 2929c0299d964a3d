"""Crowd tasks for tests: a configuration, and a run that is told what its workers do."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from films import SCRIPT, film_engine
from servers import REPOSITORY, free_port

from kbqa.dialogue import Parse
from kbqa.engine import Engine, Settings
from kbqa.protocols import Mention
from kbqa.records import Records
from kbqa.scripted import ScriptedParser
from kbqa.server import make_app

UI = REPOSITORY / "ui"
ENVIRONMENT = REPOSITORY / ".venv-crowd"
PYTHON = ENVIRONMENT / "bin" / "python"
PATIENCE_S = 120
BROKEN = "Who broke the server?"


_UNHURRIED = Settings(ranking_s=PATIENCE_S, step_s=PATIENCE_S, answering_s=PATIENCE_S)
"""So that a busy machine finds the same answers."""


class _Parser(ScriptedParser):
    """Fails on BROKEN as a program with a mistake does."""

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]:
        if question == BROKEN:
            raise RuntimeError("a secret of the inside")
        return super().parse(question, mentions, n=n, grounded=grounded)


@contextmanager
def film_service(folder: Path) -> Iterator[str]:
    """The URL of a server over the films, with all of `kbqa serve` behind it but for the models."""
    with film_engine(folder) as films, Records(folder / "dialogues.sqlite") as records:
        engine = Engine(films.kb, _Parser(SCRIPT), corrector=films.corrector, settings=_UNHURRIED)
        port = free_port()
        server = uvicorn.Server(
            uvicorn.Config(make_app(engine, records), port=port, log_config=None, ws="none")
        )
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(30)


def missing() -> str:
    """Why nothing can be run under Mephisto here; '' if it can."""
    built = ENVIRONMENT / "share" / "kbqa-crowd" / "webapp" / "build" / "bundle.js"
    return "" if PYTHON.exists() and built.exists() else "no crowd environment: run make crowd"


def task(folder: Path, server: str, items: Sequence[Mapping[str, Any]], **more: str) -> Path:
    """A configuration in `folder`, with its items; `more`: lines for its tables (task='not_sure = true')."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    file = folder / "task.toml"
    file.write_text(
        f'[task]\nname = "test"\nitems = "items.jsonl"\ndata = "data"\n{more.get("task", "")}\n'
        f'[server]\nurl = "{server}"\npatience_s = 20\n{more.get("server", "")}\n'
        f"[router]\n{more.get('router', '')}\n[provider]\n{more.get('provider', '')}\n"
    )
    return file


def survey(stage: int, questions: int) -> dict[str, Any]:
    """As an item names it, with three options for each question."""
    asked = [{"text": f"Question {n}?", "options": ["Yes", "So so", "No"]} for n in range(1, questions + 1)]
    about = {"heading": f"About stage {stage}", "introduction": "Think back.", "remark": "Anything else?"}
    return {"stage": stage, **about, "questions": asked}


def journal(folder: Path, event: str = "") -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "data" / "crowd.jsonl").read_text().splitlines()]
    return [row for row in rows if event in ("", row["event"])]


@dataclass
class MockRun:
    """A study under Mephisto's mock architect."""

    process: subprocess.Popen[str]
    items: Sequence[str]

    def do(self, what: str, **more: Any) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps({"do": what, **more}) + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        assert reply, f"the run ended with {self.process.wait()}"
        return json.loads(reply)

    def until(self, holds: Callable[[Any], Any]) -> Any:
        """What `holds` gives for a look at the run, once that is something."""
        end = time.monotonic() + PATIENCE_S
        while True:
            seen = self.do("look")
            found = holds(seen)
            if found:
                return found
            assert time.monotonic() < end, f"not in {PATIENCE_S} s: {json.dumps(seen)[-3000:]}"

    def register(self, worker: str, registration: str) -> str:
        """The new agent's id."""
        known = set(self.do("look")["agents"])
        self.do("register", worker=worker, registration=registration)
        found: str = self.until(lambda seen: next(iter(set(seen["agents"]) - known), None))
        return found

    def cards(self, agent: str) -> list[dict[str, Any]]:
        messages = self.do("look")["agents"][agent]["messages"]
        return [m["task_data"]["card"] for m in messages if "card" in m.get("task_data", {})]

    def card(self, agent: str, number: int) -> dict[str, Any]:
        """The card of that number (from 1), once it is there."""
        self.until(lambda _: len(self.cards(agent)) >= number)
        return self.cards(agent)[number - 1]

    def act(self, agent: str, name: str, kind: str, **more: Any) -> None:
        self.do(
            "act",
            agent=agent,
            data={"update_id": name, "text": kind, "task_data": {"act": {"kind": kind, **more}}},
        )

    def status(self, agent: str, wanted: str) -> None:
        self.until(lambda seen: seen["agents"][agent]["status"] == wanted)


@contextmanager
def mock_run(config: Path) -> Iterator[MockRun]:
    driver = str(Path(__file__).with_name("crowd_driver.py"))
    command = [str(PYTHON), driver, str(UI), str(config), str(free_port())]
    with (config.parent / "run.log").open("w") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=config.parent
        )
        try:
            assert process.stdin and process.stdout
            first = process.stdout.readline()
            assert first, (config.parent / "run.log").read_text()[-3000:]
            run = MockRun(process, json.loads(first)["items"])
            yield run
            run.do("stop")
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
            process.wait()
