"""Blocking work off the event loop: so much at once, one at a time per dialogue, with a time limit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from kbqa.server.limits import Limits
from kbqa.server.problems import RETRY, Problem

T = TypeVar("T")
_QUICK = 2
"""Threads for what is quick."""


class Workers:
    """Threads with a waiting room. Used from one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads + _QUICK, thread_name_prefix="turn")
        self._free = asyncio.Semaphore(limits.threads)
        self._free_for_quick = asyncio.Semaphore(_QUICK)
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}
        self._tasks: dict[asyncio.Task[object], asyncio.Event] = {}

    async def run(self, work: Callable[[], T], *, key: str | None = None, quick: bool = False) -> T:
        """`work()`, alone among those of the same `key`. `quick`: it needs neither model nor store, and
        doesn't wait for what does.

        Once begun it runs to its end, whatever becomes of the caller: a turn is recorded whether or
        not somebody waits for it. Raises what it raises, `Problem` 503 where too many wait, 504 at
        the time limit.
        """
        if len(self._tasks) >= self._limits.threads + self._limits.waiting:
            raise Problem(503, "too-busy", "too many questions are waiting: try again", headers=RETRY)
        begun = asyncio.Event()
        task = asyncio.create_task(self._do(work, key, quick, begun))
        self._tasks[task] = begun
        task.add_done_callback(self._gone)
        await asyncio.wait({task}, timeout=self._limits.request_s)
        if task.done():
            return task.result()
        if begun.is_set():
            said = "it goes on and will be recorded: send the same turn_id again to have its reply"
        else:
            task.cancel()
            said = "it had not been begun and is dropped: try again"
        limit = f"no reply within {self._limits.request_s:g} seconds"
        raise Problem(504, "took-too-long", f"{limit}; {said}", begun=begun.is_set())

    async def close(self) -> None:
        """Drop what waits, and wait for what has begun."""
        for task, begun in self._tasks.items():
            if not begun.is_set():
                task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._pool.shutdown()

    async def _do(self, work: Callable[[], T], key: str | None, quick: bool, begun: asyncio.Event) -> T:
        async with self._alone(key), self._free_for_quick if quick else self._free:
            begun.set()
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    @asynccontextmanager
    async def _alone(self, key: str | None) -> AsyncIterator[None]:
        """A lock per key, kept while somebody holds it or waits for it."""
        if key is None:
            yield
            return
        lock, users = self._locks.get(key, (asyncio.Lock(), 0))
        self._locks[key] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks[key]
            if users > 1:
                self._locks[key] = (lock, users - 1)
            else:
                del self._locks[key]

    def _gone(self, task: asyncio.Task[object]) -> None:
        del self._tasks[task]
        if not task.cancelled():
            task.exception()  # nobody may be left to hear of it; the caller, if any, has it from the result
