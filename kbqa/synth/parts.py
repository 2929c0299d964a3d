"""Questions made in parts by several processes. A part is the same whichever of them makes it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator
from contextlib import suppress
from itertools import count
from multiprocessing.connection import Connection
from typing import TypeAlias, TypeVar

from kbqa.errors import KbqaError

T = TypeVar("T")
Make: TypeAlias = Callable[[int], list[T]]
"""Makes the part of a number."""


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parts(make: Make[T], processes: int) -> Generator[list[T], None, None]:
    """The parts 0, 1, 2 and so on, without end. Each process holds what this one holds when the first part
    is asked for. This one makes them all where there is to be only one, or none can be forked. Raises
    `KbqaError` where a process ends before its time."""
    if processes < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(make, count())
        return
    context = multiprocessing.get_context("fork")
    readers: list[Connection] = []
    workers = []
    try:
        for first in range(processes):
            reader, writer = context.Pipe(duplex=False)
            readers.append(reader)
            worker = context.Process(
                target=_work, args=(make, range(first, 2**62, processes), writer, readers), daemon=True
            )
            worker.start()
            workers.append(worker)
            writer.close()
        for number in count():
            try:
                yield readers[number % processes].recv()
            except EOFError:
                raise KbqaError(
                    f"the process that was to make part {number} of the questions ended before it had; where "
                    "memory is short, close what needs it and try again"
                ) from None
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _work(make: Make[T], numbers: range, writer: Connection, readers: list[Connection]) -> None:
    """Makes these parts until nobody reads them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what is shared stays, and is not copied by being looked through for garbage
    for reader in readers:
        reader.close()
    with suppress(BrokenPipeError):
        for number in numbers:
            writer.send(make(number))
