"""Many dialogues: over rows and modes, on several processes, resumable.

`dialogues.jsonl` holds one record per row and mode, in the order of the rows whatever the number of
workers; each is written as soon as its turn comes, so a run that was stopped goes on where it was.
`settings.json` says which run the folder holds.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TextIO

from kbqa.dialogue import Mode
from kbqa.engine import Engine
from kbqa.errors import InputError, KbqaError
from kbqa.simulate.goal import GoldRow
from kbqa.simulate.play import Plan, Record, Unread, play_row

OpenEngine = Callable[[], Engine]
"""Opens an engine; with several workers it is called in each of them, so it must be picklable."""
Row = GoldRow | Unread
Task = tuple[Row, tuple[Mode, ...]]

SETTINGS, RECORDS = "settings.json", "dialogues.jsonl"
_AHEAD = 4
"""Rows given to each worker before the first is written, so that memory does not grow with the input."""


def simulate(
    rows: Iterable[Row],
    plan: Plan,
    open_engine: OpenEngine,
    folder: Path,
    settings: dict[str, Any],
    *,
    workers: int = 1,
    tick: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Plays what `folder` does not hold yet; returns the run's settings with the engine's signature.

    `tick` is told how many dialogues are done. Raises `InputError` where the folder holds another run or
    somebody else is writing it, `KbqaError` where the engine can't be opened or a worker dies.
    """
    file = _records_file(folder)
    _refuse_another(folder, settings)
    with file.open("a", encoding="utf-8", newline="\n") as out:
        _alone(out, folder)
        done = _whole_lines(file)
        with _players(open_engine, workers) as play:
            settings = {**settings, "engine": play.signature}
            _refuse_another(folder, settings)
            replace_file(folder / SETTINGS, json.dumps(settings, indent=1) + "\n")
            for records in play.all(plan, _left(rows, plan, done, tick)):
                for record in records:
                    out.write(json.dumps(record, ensure_ascii=True, allow_nan=False) + "\n")
                out.flush()
                tick(len(records))
    return settings


def read_records(folder: Path) -> Iterator[Record]:
    """The records of a run, one at a time."""
    with (folder / RECORDS).open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _left(
    rows: Iterable[Row], plan: Plan, done: set[tuple[int, str]], tick: Callable[[int], None]
) -> Iterator[Task]:
    for row in rows:
        modes = tuple(m for m in plan.modes if (row.number, m.name) not in done)
        if len(modes) < len(plan.modes):
            tick(len(plan.modes) - len(modes))
        if modes:
            yield row, modes


# --- the folder ----------------------------------------------------------------------


def _records_file(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / RECORDS
        file.touch()
    except OSError as e:
        raise InputError(f"can't write to {folder}: {e.strerror or e}") from None
    return file


def _alone(records: TextIO, folder: Path) -> None:
    """Raises `InputError` where another process writes the same records; the lock goes with the file."""
    try:
        import fcntl
    except ImportError:  # not on this system: two runs in one folder are up to the user
        return
    try:
        fcntl.flock(records, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(
            f"another process is writing to {folder}: wait until it is done, or name another folder"
        ) from None


def _refuse_another(folder: Path, settings: Mapping[str, Any]) -> None:
    """Raises `InputError` where the folder's settings are others, or are not there beside records."""
    file = folder / SETTINGS
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if (folder / RECORDS).stat().st_size:
            raise InputError(f"{folder} holds dialogues of an unknown run: name a new folder") from None
        return
    except ValueError:
        raise InputError(f"{file} is no JSON: name a new folder, or delete this one") from None
    other = sorted(k for k in settings if not isinstance(held, dict) or held.get(k) != settings[k])
    if other:
        raise InputError(
            f"{folder} holds another run ({', '.join(other)} differ): name a new folder, or delete this one"
        )


def replace_file(file: Path, text: str) -> None:
    """The file appears under its name when it is complete."""
    part = file.with_name(f".{file.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)


def _whole_lines(file: Path) -> set[tuple[int, str]]:
    """The (row, mode) of the records; half a line at the end, of a run that was killed, is cut off."""
    done, end = set(), 0
    with file.open("rb") as lines:
        for line in lines:
            if not line.endswith(b"\n"):
                break
            try:
                record = json.loads(line)
                done.add((record["row"], record["mode"]))
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{file}: what stands at byte {end} is no record: name a new folder"
                ) from None
            end += len(line)
    if end < file.stat().st_size:
        os.truncate(file, end)
    return done


# --- workers -------------------------------------------------------------------------


class _Here:
    """Plays in this process."""

    def __init__(self, open_engine: OpenEngine) -> None:
        self._engine = open_engine()

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.close()

    @property
    def signature(self) -> str:
        return self._engine.signature

    def all(self, plan: Plan, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        for row, modes in tasks:
            yield play_row(self._engine, plan, row, modes)


class _InProcesses:
    """Plays in several, each with an engine of its own; records come in the order of the tasks."""

    def __init__(self, open_engine: OpenEngine, workers: int) -> None:
        self._workers = workers
        self._pool = ProcessPoolExecutor(
            workers, get_context("spawn"), initializer=_open, initargs=(open_engine,)
        )

    def __enter__(self) -> _InProcesses:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def signature(self) -> str:
        signature: str | KbqaError = self._result(self._pool.submit(_signature))
        if isinstance(signature, KbqaError):
            raise signature
        return signature

    def all(self, plan: Plan, tasks: Iterator[Task]) -> Iterator[list[Record]]:
        pending: deque[Future[list[Record]]] = deque()
        for row, modes in tasks:
            pending.append(self._pool.submit(_play_here, plan, row, modes))
            if len(pending) >= _AHEAD * self._workers:
                yield self._result(pending.popleft())
        while pending:
            yield self._result(pending.popleft())

    @staticmethod
    def _result(future: Future[Any]) -> Any:
        try:
            return future.result()
        except BrokenProcessPool:
            raise KbqaError(
                "a worker process died, perhaps for want of memory; what was done is kept: run the same "
                "command again, with fewer workers, to go on"
            ) from None


def _players(open_engine: OpenEngine, workers: int) -> _Here | _InProcesses:
    return _Here(open_engine) if workers < 2 else _InProcesses(open_engine, workers)


_HELD: dict[str, Any] = {}
"""This worker's engine, or the error with which it did not open."""


def _open(open_engine: OpenEngine) -> None:
    import atexit
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _HELD["engine"] = open_engine()
        atexit.register(_HELD["engine"].close)
    except KbqaError as e:
        _HELD["error"] = e


def _signature() -> str | KbqaError:
    error: KbqaError | None = _HELD.get("error")
    return error or str(_HELD["engine"].signature)


def _play_here(plan: Plan, row: Row, modes: tuple[Mode, ...]) -> list[Record]:
    return play_row(_HELD["engine"], plan, row, modes)
