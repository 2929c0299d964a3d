"""Small studies over the films graph for tests, and their pages as `kbqa study serve` serves them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import films

import kbqa.study
from kbqa.engine import Engine
from kbqa.study.config import Study, read_study
from kbqa.study.create import create
from kbqa.study.gold import keep_gold
from kbqa.study.items import read_items
from kbqa.study.register import Clock, Register, utc_now

TEMPLATE = Path(kbqa.study.__file__).with_name("template.toml")
RIGHT = (2, 1, 3)
"""The right answers of the template's quiz."""
ANSWERED = (films.NATIONALITY, films.LATEST, films.BIRTHPLACE, films.DIRECTOR, films.CREW, films.NOTHING)
_HOOK = """
import sys
sys.path.append({tests!r})
from pathlib import Path
import films
from kbqa.engine import Engine
from kbqa.kb import open_kb
from kbqa.correct import TemplateCorrector
from kbqa.scripted import ScriptedParser

def _open(kb=None, parser=None):
    opened = open_kb(kb)
    return Engine(opened, ScriptedParser(films.SCRIPT), corrector=TemplateCorrector(opened.lexicon))

Engine.open = _open
"""


def write_study(folder: Path, *changes: tuple[str, str], questions: int = 6, copies: int = 1) -> Path:
    """A study file with these changes to the template, beside items about films; one dialogue a batch.
    `copies`: each question stands there so many times, in other words (the parser knows the first only)."""
    rows = [
        {
            "id": f"{n}-{c}",
            "question": q if not c else f"{q[:-1]}, please ({c})?",
            "sparql": films.SCRIPT[q],
        }
        for c in range(copies)
        for n, q in enumerate(ANSWERED[:questions])
    ]
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = TEMPLATE.read_text(encoding="utf-8").replace("batch = 10", "batch = 1")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file = folder / "study.toml"
    file.write_text(text, encoding="utf-8")
    return file


def made(file: Path, *, now: Clock = utc_now) -> Register:
    study: Study = read_study(file)
    return create(study, read_items(study.items, study.limit), now=now)


def film_engine(folder: Path) -> Engine:
    """With time limits that a busy machine doesn't reach."""
    engine = films.film_engine(folder)
    engine.settings = replace(engine.settings, ranking_s=120, step_s=120, answering_s=240, offers_s=0)
    return engine


def film_study(folder: Path, *changes: tuple[str, str], questions: int = 6) -> tuple[Register, Engine]:
    """The register with its gold answers, and the engine; the caller closes both."""
    register = made(write_study(folder, *changes, questions=questions))
    engine = film_engine(folder)
    keep_gold(register, engine)
    return register, engine


def qualified(register: Register) -> str:
    """A new participant who may begin."""
    (name,) = register.invite(1)
    participant = register.enter(name)
    register.consent(participant)
    register.finish_tutorial(participant)
    assert register.take_quiz(participant, RIGHT)
    return participant


class Served:
    """Pages that can be killed and started again on the same port."""

    def __init__(self, file: Path, kb: Path) -> None:
        folder = file.parent
        hook = folder / "hook"
        hook.mkdir(exist_ok=True)
        (hook / "sitecustomize.py").write_text(_HOOK.format(tests=str(Path(__file__).parent)))
        text = file.read_text(encoding="utf-8")
        file.write_text(f'kb = "{kb}"\n{text}', encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url, self._file, self._folder = f"http://127.0.0.1:{self.port}", file, folder
        self._environment = os.environ | {
            "KBQA_CACHE": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
            "PYTHONPATH": str(hook),
        }

    @property
    def log(self) -> Path:
        return self._folder / "pages.log"

    def start(self) -> None:
        command = [sys.executable, "-m", "kbqa.cli", "study", "serve", str(self._file)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port)],
                cwd=self._folder,
                env=self._environment,
                stdout=log,
                stderr=log,
            )
        end = time.monotonic() + 240
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urlopen(f"{self.url}/_stcore/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.3)
        raise RuntimeError(f"the pages did not start: {self.log.read_text()}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=20)


@contextmanager
def served(file: Path, kb: Path) -> Iterator[Served]:
    pages = Served(file, kb)
    pages.start()
    try:
        yield pages
    finally:
        if pages.process.poll() is None:
            pages.process.terminate()
            try:
                pages.process.wait(timeout=20)
            except subprocess.TimeoutExpired:  # an open browser keeps it
                pages.kill()
