"""The parent's side of a worker process: start, ask with a deadline, kill.

A `Worker` belongs to one thread at a time; `embedded.EmbeddedStore` sees to that.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import struct
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_LENGTH = struct.Struct(">Q")
_PIECE = 1 << 20
_SCRIPT = Path(__file__).with_name("worker.py")

Message = tuple[Any, ...]


class Late(Exception):
    """The deadline passed; the worker was killed."""


class Died(Exception):
    """The worker ended by itself; the message says how."""


class Worker:
    """One worker process over a built store; `start()` returns before it is ready to answer."""

    def __init__(self, folder: Path, memory_limit_mb: int | None = None) -> None:
        self._folder, self._memory = folder, memory_limit_mb or 0
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False

    def start(self) -> None:
        """Starts the process unless it lives. It shares no site packages start-up with this one."""
        if self._process is not None and self._process.poll() is None:
            return
        self.kill()
        arguments = [str(self._folder), _library(), str(self._memory)]
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-P", str(_SCRIPT), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        self._ready = False

    def await_ready(self, deadline: float) -> None:
        """Waits for the store to be open. `deadline` as of time.monotonic(). Raises Late, Died."""
        self.start()
        if not self._ready:
            message = self._receive(deadline)
            if message[0] != "ready":
                raise Died(str(message[1]))
            self._ready = True

    def ask(self, request: Message, deadline: float) -> Message:
        """The worker's answer. Whatever is raised, no half-read answer is left behind."""
        try:
            self.await_ready(deadline)
            self._send((*request, max(0.0, deadline - time.monotonic())), deadline)
            return self._receive(deadline)
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """Ends the process under a thread that may be waiting for it, which then gets `Died`."""
        if (process := self._process) is not None:
            process.kill()

    def kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        _close(process)

    def abandon(self) -> None:
        """Forgets a process that a fork inherited: it is the other process's to end."""
        process, self._process = self._process, None
        if process is not None:
            _close(process)
            process.returncode = 0

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def _send(self, message: Message, deadline: float) -> None:
        body = marshal.dumps(message)
        rest = memoryview(_LENGTH.pack(len(body)) + body)
        descriptor = self._pipe(0)
        os.set_blocking(descriptor, False)
        while rest:
            self._await(descriptor, select.POLLOUT, deadline)
            try:
                rest = rest[os.write(descriptor, rest) :]
            except BrokenPipeError:
                raise self._death() from None

    def _receive(self, deadline: float) -> Message:
        head = self._read(_LENGTH.size, deadline)
        message: Message = marshal.loads(self._read(_LENGTH.unpack(head)[0], deadline))
        return message

    def _read(self, size: int, deadline: float) -> bytes:
        pieces = bytearray()
        descriptor = self._pipe(1)
        while len(pieces) < size:
            self._await(descriptor, select.POLLIN, deadline)
            piece = os.read(descriptor, min(_PIECE, size - len(pieces)))
            if not piece:
                raise self._death()
            pieces += piece
        return bytes(pieces)

    def _await(self, descriptor: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise Late

    def _pipe(self, number: int) -> int:
        process = self._process
        pipe = None if process is None else (process.stdin, process.stdout)[number]
        if pipe is None or pipe.closed:
            raise Died("closed")
        return pipe.fileno()

    def _death(self) -> Exception:
        process = self._process
        if process is None:
            return Died("closed")
        try:
            code = process.wait(1)
        except subprocess.TimeoutExpired:
            return Died("closed its output")
        if code == -signal.SIGALRM:
            return Late()
        if code < 0:
            return Died(f"ended by signal {-code} ({signal.strsignal(-code)})")
        return Died(f"ended with code {code}")


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _library() -> str:
    """The folder that holds pyoxigraph, found without importing it."""
    spec = find_spec("pyoxigraph")
    if spec is None or spec.origin is None:
        raise Died("pyoxigraph is not installed")
    return str(Path(spec.origin).parent.parent)
