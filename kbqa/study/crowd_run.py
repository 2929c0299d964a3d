"""A crowd task (`kbqa crowd`, docs/crowd.md) over a study's dialogues, run on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbqa.errors import InputError, KbqaError
from kbqa.study.fields import open_fields

_CALL = (sys.executable, "-m", "kbqa.cli", "crowd")
_STOPS_S = 60


@dataclass(frozen=True, slots=True)
class CrowdTask:
    """What a crowd task's file says, as far as it matters here. `items` is written, `data` read; `address`:
    where its pages are."""

    file: Path
    items: Path
    data: Path
    address: str

    def hashes(self, names: Sequence[str]) -> list[str]:
        """What stands for these workers in all that the task leaves. Raises `KbqaError`."""
        done = subprocess.run(
            [*_CALL, "hash", "--config", str(self.file)],
            input="\n".join(names),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise KbqaError(f"kbqa crowd hash failed: {done.stderr.strip()}")
        return done.stdout.split()

    def write_items(self, rows: Iterable[Mapping[str, str]]) -> int:
        """The dialogues to be held, as `kbqa.study.tasks.tasks_of` gives them; how many."""
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        self.items.write_text("".join(lines), encoding="utf-8")
        return len(lines)

    def journal(self) -> list[tuple[int, bytes]]:
        """The lines of the task's journal with their numbers, but for one that is being written."""
        file = self.data / "crowd.jsonl"
        written = file.read_bytes() if file.exists() else b""
        return list(enumerate(written[: written.rfind(b"\n") + 1].splitlines(), 1))

    def opened(self, item: str, participant: str) -> str:
        """The dialogue that was begun last about this item by this participant. Raises `KbqaError`."""
        found = ""
        for _, line in self.journal():
            row: Mapping[str, Any] = json.loads(line)
            if (row["event"], row["item"], row["participant"]) == ("opened", item, participant):
                found = str(row["dialogue_id"])
        if not found:
            raise KbqaError(f"the crowd task has begun no dialogue about its item {item!r}")
        return found

    @contextmanager
    def running(self) -> Iterator[int]:
        """While `kbqa crowd run` offers the items: its process id. It ends with the block at the latest.
        Raises `KbqaError` where it does not start."""
        log = self.data / "run.log"
        with log.open("a", encoding="utf-8") as errors:
            process = subprocess.Popen(
                [*_CALL, "run", "--config", str(self.file)],
                env=os.environ,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
            try:
                assert process.stdout is not None
                if not any("participant's link" in line for line in process.stdout):
                    raise KbqaError(
                        f"the crowd task did not start: see {log}, and kbqa crowd check --config FILE"
                    )
                yield process.pid
                with suppress(subprocess.TimeoutExpired):  # it ends by itself where all is done
                    process.wait(_STOPS_S)
            finally:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(_STOPS_S)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def read_task(file: Path) -> CrowdTask:
    """Raises `InputError` naming the field, also where simulated workers can't do the task: it must be a
    lab's (no platform), and let workers stop."""
    top, here = open_fields(file, "crowd task", "docs/crowd.md shows one"), file.resolve().parent
    task = top.table("task")
    router, provider = top.table("router", needed=False), top.table("provider", needed=False)
    if not task.flag("may_stop", False):
        raise InputError(f"{file}: simulated workers may give up: set may_stop = true in [task]")
    provider.choice("kind", ("mock",), "mock")
    host, port = router.text("host", "127.0.0.1"), router.whole("port", 3000, least=1, most=65535)
    address = router.text("public_url", "").rstrip("/") or f"http://{host}:{port}"
    return CrowdTask(file, here / task.text("items"), here / task.text("data"), address)
