"""Small studies over the films graph for tests, and their pages as `kbqa study serve` serves them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import films
from servers import free_port

import kbqa.study
from kbqa.correct import TemplateCorrector
from kbqa.engine import Engine, Settings
from kbqa.kb import open_kb
from kbqa.scripted import ScriptedParser
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
import studies
from kbqa.engine import Engine
Engine.open = lambda kb=None, parser=None: studies.scripted_engine(kb)
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


def scripted_engine(kb: str | None) -> Engine:
    """Over any knowledge base with the films' facts, with time limits that a busy machine doesn't reach."""
    opened = open_kb(kb)
    settings = Settings(ranking_s=120, step_s=120, answering_s=240, offers_s=0)
    corrector = TemplateCorrector(opened.lexicon)
    return Engine(opened, ScriptedParser(films.SCRIPT), corrector=corrector, settings=settings)


def film_engine(folder: Path) -> Engine:
    """Over the films' graph, which is built in the folder."""
    films.film_engine(folder).close()
    return scripted_engine(str(folder / "kb"))


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


class Killable:
    """A `kbqa` command that listens, with the films' scripted parser in the place of the models, and can
    be killed and started again on the same port. `words`: after 'kbqa'; `health`: a path of its own."""

    def __init__(self, folder: Path, words: Sequence[str], health: str) -> None:
        hook = folder / "hook"
        hook.mkdir(exist_ok=True)
        (hook / "sitecustomize.py").write_text(_HOOK.format(tests=str(Path(__file__).parent)))
        self.port = free_port()
        self.url, self._folder, self._health = f"http://127.0.0.1:{self.port}", folder, health
        self._command = [sys.executable, "-m", "kbqa.cli", *words, "--port", str(self.port)]
        self._environment = os.environ | {
            "KBQA_CACHE": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
            "PYTHONPATH": str(hook),
        }
        self.log = folder / f"{words[0]}.log"

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, cwd=self._folder, env=self._environment, stdout=log, stderr=log
            )
        end = time.monotonic() + 240
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urlopen(self.url + self._health, timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"it did not start: {self.log.read_text()}")

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.kill()
        self.process.wait(timeout=20)

    @contextmanager
    def running(self) -> Iterator[Killable]:
        self.start()
        try:
            yield self
        finally:
            if self.process.poll() is None:
                self.process.terminate()
                try:
                    self.process.wait(timeout=20)
                except subprocess.TimeoutExpired:  # an open browser keeps it
                    self.kill()


def served(file: Path, kb: Path) -> Killable:
    """The pages of the study, whose knowledge base is this folder."""
    text = file.read_text(encoding="utf-8")
    file.write_text(f'kb = "{kb}"\n{text}', encoding="utf-8")
    return Killable(file.parent, ("study", "serve", str(file)), "/_stcore/health")


def dialogue_server(folder: Path, records: Path, kb: Path | str) -> Killable:
    """`kbqa serve` over this knowledge base."""
    return Killable(folder, ("serve", "--records", str(records), "--kb", str(kb)), "/readyz")
