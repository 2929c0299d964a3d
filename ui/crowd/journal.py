"""What came of every dialogue: one JSON line per event, on the disk before anything goes on.

    {"event": "opened", "time", "item", "participant", "mode", "question", "dialogue_id"}
    {"event": "held", ..., "turn_id"}    as "ended": the dialogue is over, and its surveys follow
    {"event": "surveyed", "time", "item", "participant", "turn_id", "stage", "answers", "comment"}
    {"event": "ended", "time", "item", "participant", "mode", "question", "dialogue_id", "how", "status",
     "edits", "seconds", "comment"}
    {"event": "paid", "time", "item", "participant"}

`how`: finished | error (something broke; the work counts) | disconnected | timed_out | returned | shutdown.
`status`: the dialogue's (docs/http.md). `edits`: corrections used. The turns are in the server's records.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crowd.items import Item, bare
from crowd.trouble import CrowdError

DONE = ("finished", "error")
"""Ways of ending after which an item is not offered again."""


_NEEDED = {
    "opened": ("question", "dialogue_id"),
    "held": ("comment", "turn_id"),
    "surveyed": ("turn_id",),
    "ended": ("how",),
}


class Journal:
    """An append-only file; safe with many threads of one process. A half-written last line, left by a
    killed process, is cut off when it is opened. Raises `CrowdError` where another line can't be read."""

    def __init__(self, file: Path) -> None:
        self._lock = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._rows: list[Mapping[str, Any]] = []
            self._done: set[str] = set()
            self._begun: dict[tuple[str, str], str] = {}
            self._after: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
            self._met: dict[str, dict[str, str]] = {}
            for row in _read(file):
                self._take(row)
            self._file = file.open("a", encoding="utf-8")
        except OSError as e:
            raise CrowdError(f"the journal {file} can't be written: {e}") from None

    def close(self) -> None:
        self._file.close()

    def rows(self) -> tuple[Mapping[str, Any], ...]:
        with self._lock:
            return tuple(self._rows)

    def write(self, event: str, item: Item, participant: str, **more: Any) -> None:
        """Returns once the row is on the disk."""
        row = {
            "event": event,
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "item": item.id,
            "participant": participant,
            **more,
        }
        with self._lock:
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())
            self._take(row)

    def done(self) -> frozenset[str]:
        """The ids of items that need not be done again."""
        with self._lock:
            return frozenset(self._done)

    def unfinished(self, item: Item, participant: str) -> str:
        """The dialogue of this item that this participant has begun and not ended; '' if none."""
        with self._lock:
            return self._begun.get((item.id, participant), "")

    def after(self, item: Item, participant: str) -> tuple[Mapping[str, Any], ...]:
        """What came after the dialogue that `unfinished` tells: the rows "held" and "surveyed"."""
        with self._lock:
            return tuple(self._after.get((item.id, participant), ()))

    def may_do(self, item: Item, participant: str) -> bool:
        """Whether it is this participant's, and no target question that they have met before; an item
        of their own that they have not ended they may go on with."""
        if item.participant and item.participant != participant:
            return False
        with self._lock:
            return self._met.get(participant, {}).get(bare(item.question), item.id) == item.id

    def _take(self, row: Mapping[str, Any]) -> None:
        self._rows.append(row)
        key = (row["item"], row["participant"])
        if row["event"] == "opened":
            self._begun[key] = row["dialogue_id"]
            self._after[key] = []
            self._met.setdefault(row["participant"], {})[bare(row["question"])] = row["item"]
        elif row["event"] in ("held", "surveyed"):
            self._after.setdefault(key, []).append(row)
        elif row["event"] == "ended" and row["how"] in DONE:
            self._done.add(row["item"])
            self._begun.pop(key, None)
            self._after.pop(key, None)


def _read(file: Path) -> Iterator[Mapping[str, Any]]:
    if not file.exists():
        return
    whole = file.read_bytes()
    end = whole.rfind(b"\n") + 1
    if end < len(whole):
        with file.open("r+b") as out:
            out.truncate(end)
    for number, line in enumerate(whole[:end].splitlines(), 1):
        try:
            row = json.loads(line)
            needed = _NEEDED.get(row["event"], ())
            assert all(isinstance(row[key], str) for key in ("item", "participant", *needed))
        except (ValueError, KeyError, TypeError, AssertionError):
            raise CrowdError(
                f"{file}, line {number} is no row of a journal; take the line out, or begin with another "
                "folder ([task] data)"
            ) from None
        yield row
