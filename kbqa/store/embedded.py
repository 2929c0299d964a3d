"""The default store: pyoxigraph in worker processes that are killed at the time limit.

pyoxigraph can't be stopped inside this process, and a store in memory would be lost with a killed
worker: so every source is a store on disk, which a new worker opens read-only in some 20 ms.
"""

from __future__ import annotations

import os
import queue
import re
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from kbqa.errors import KnowledgeBaseError, QueryError, StoreTimeout, StoreUnavailable
from kbqa.store.build import build_store, cached_store, is_store
from kbqa.store.guard import Checked, check
from kbqa.store.process import Died, Late, Worker
from kbqa.store.rewrite import bind, check_names, fill
from kbqa.store.terms import BLANK, literal, truth
from kbqa.types import Constant, Iri, Rows

_START_LIMIT_S = 30.0
_PLACE = re.compile(r"error at (\d+):(\d+): ")


class EmbeddedStore:
    """A built store folder, opened read-only. Safe to use from several threads and after a fork.

    workers: how many queries run at once (others wait, within their time limit). memory_limit_mb: by
    how many MiB one worker may grow (Linux); a query that wants more ends as `StoreUnavailable`.
    Named graphs, where there are any, are queried as one with the default graph. Raises
    `KnowledgeBaseError` where the folder is no store.
    """

    def __init__(self, folder: str | Path, *, workers: int = 1, memory_limit_mb: int | None = None) -> None:
        if workers < 1:
            raise ValueError(f"workers={workers}: at least one is needed")
        self.folder = Path(folder)
        if not is_store(self.folder):
            raise KnowledgeBaseError(f"{self.folder} is not a built store: build one with `kbqa kb build`")
        self._workers = [Worker(self.folder.resolve(), memory_limit_mb) for _ in range(workers)]
        self._closed = False
        self._fork_lock = threading.Lock()
        self._pid = 0
        self._adopt()
        self._finalizer = weakref.finalize(self, _dispose, self._workers, None, os.getpid())
        self._probe()

    @classmethod
    def from_files(
        cls,
        files: Iterable[str | Path],
        *,
        cache: Path | None = None,
        workers: int = 1,
        memory_limit_mb: int | None = None,
    ) -> EmbeddedStore:
        """A store of RDF files. `cache`: folder in which it is kept and found again while the files
        stay as they are; None: a temporary folder that goes when the store is closed."""
        if cache is not None:
            folder = cached_store(list(files), cache)
            return cls(folder, workers=workers, memory_limit_mb=memory_limit_mb)
        temporary = Path(tempfile.mkdtemp(prefix="kbqa-store-"))
        try:
            folder = build_store(list(files), temporary / "store")
            store = cls(folder, workers=workers, memory_limit_mb=memory_limit_mb)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        store._finalizer.detach()
        store._finalizer = weakref.finalize(store, _dispose, store._workers, temporary, os.getpid())
        return store

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        """See `protocols.Store`. The limit covers waiting for a free worker too."""
        deadline = time.monotonic() + time_limit_s
        checked = check(query)
        text, blanks = _bound(checked, bindings or {})
        message = self._ask((text, blanks, row_limit), deadline, query, time_limit_s)
        rows = _rows(message, query, unchanged=text == query)
        return fill(rows, bindings) if bindings else rows

    def close(self) -> None:
        """Ends the workers, running queries included; a second call does nothing."""
        self._closed = True
        for worker in self._workers:
            worker.stop()
        self._drain()
        self._finalizer()

    def __enter__(self) -> EmbeddedStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(
        self, request: tuple[Any, ...], deadline: float, query: str, time_limit_s: float
    ) -> tuple[Any, ...]:
        worker = self._take(deadline, time_limit_s)
        try:
            if self._closed:
                raise Died
            return worker.ask(request, deadline)
        except Late:
            raise StoreTimeout(
                f"stopped after {time_limit_s:g} s: {_shown(query)}; ask for less, or allow more time"
            ) from None
        except Died as death:
            if self._closed:
                raise StoreUnavailable("the store is closed") from None
            raise StoreUnavailable(f"the worker {death} on {_shown(query)}: simplify the query") from None
        finally:
            self._put(worker)

    def _put(self, worker: Worker) -> None:
        """A killed worker's successor starts at once, to be ready for the next query."""
        with suppress(OSError):
            worker.start()
        self._idle.put(worker)
        if self._closed:
            self._drain()

    def _drain(self) -> None:
        idle = []
        with suppress(queue.Empty):
            while True:
                idle.append(self._idle.get_nowait())
        for worker in idle:
            worker.kill()
            self._idle.put(worker)

    def _take(self, deadline: float, time_limit_s: float) -> Worker:
        if self._pid != os.getpid():
            self._adopt()
        if self._closed:
            raise StoreUnavailable("the store is closed: open it again")
        try:
            return self._idle.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise StoreTimeout(
                f"no worker was free within {time_limit_s:g} s: allow more time, or open the store with"
                " more workers"
            ) from None

    def _adopt(self) -> None:
        """Makes the workers this process's own; in a forked child the inherited ones are let go."""
        with self._fork_lock:
            if self._pid == os.getpid():
                return
            idle: queue.LifoQueue[Worker] = queue.LifoQueue()
            for worker in reversed(self._workers):
                worker.abandon()
                idle.put(worker)
            if self._pid:
                self._finalizer.detach()
                self._finalizer = weakref.finalize(self, _dispose, self._workers, None, os.getpid())
            self._idle, self._pid = idle, os.getpid()

    def _probe(self) -> None:
        """Opens the store once, so that a broken one is found here and not at the first query."""
        try:
            self._workers[0].await_ready(time.monotonic() + _START_LIMIT_S)
        except (Died, Late) as error:
            self.close()
            reason = str(error) or f"not open within {_START_LIMIT_S:g} s"
            raise KnowledgeBaseError(
                f"the store {self.folder} can't be opened ({reason}): build it again with `kbqa kb build`"
            ) from None


def _dispose(workers: list[Worker], temporary: Path | None, owner: int) -> None:
    if os.getpid() != owner:
        return
    for worker in workers:
        worker.stop()
    if temporary is not None:
        shutil.rmtree(temporary, ignore_errors=True)


def _bound(checked: Checked, bindings: Mapping[str, Constant]) -> tuple[str, dict[str, str]]:
    """The text with all bindings but blank nodes, which go to the engine as substitutions: there is
    no text for them. Their variables must be in SELECT."""
    blanks = {
        name: term.value.removeprefix(BLANK)
        for name, term in bindings.items()
        if isinstance(term, Iri) and term.value.startswith(BLANK)
    }
    check_names(checked, bindings)
    return bind(checked, {name: term for name, term in bindings.items() if name not in blanks}), blanks


def _rows(message: tuple[Any, ...], query: str, *, unchanged: bool) -> Rows:
    """The worker's answer as values, or the exception it stands for."""
    if message[0] == "rows":
        _, variables, rows, cut = message
        return Rows(variables, tuple(tuple(map(_term, row)) for row in rows), cut)
    if message[0] == "ask":
        return Rows(("ask",), ((truth(message[1]),),))
    if message[0] == "query":
        raise _query_error(message[1], query, unchanged=unchanged)
    raise StoreUnavailable(f"the store failed: {message[1]} on {_shown(query)}")


def _query_error(reason: str, query: str, *, unchanged: bool) -> QueryError:
    """The engine's place is the caller's where the text was sent as it came; else the line is."""
    match = _PLACE.match(reason)
    place = ""
    if match:
        place = f"line {match[1]}" + (f", column {match[2]}" if unchanged else "")
    shown = " ".join(reason[match.end() if match else 0 :].split())
    return QueryError(shown if len(shown) <= 200 else shown[:197] + "...", query=query, place=place)


def _term(term: tuple[Any, ...] | None) -> Constant | None:
    if term is None:
        return None
    if len(term) == 1:
        return Iri(term[0])
    if len(term) == 2:
        return Iri(BLANK + term[1])
    return literal(*term)


def _shown(query: str) -> str:
    text = " ".join(query.split())
    return text if len(text) <= 200 else text[:197] + "..."
