"""The file of dialogues: save, load, list, delete."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kbqa.dialogue import Dialogue, Status, Version
from kbqa.document import Document, document
from kbqa.errors import RecordsError, TurnConflict, UnknownDialogue
from kbqa.feedback import Feedback, feedback_document
from kbqa.records.codec import dumps, loads
from kbqa.records.rows import dialogue_row, training_row
from kbqa.records.schema import connect, table, transaction

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Summary:
    """A dialogue in a list; `updated` is ISO 8601 in UTC."""

    id: str
    question: str
    status: Status
    mode: str
    kb: str
    updated: str


def default_path() -> Path:
    """dialogues.sqlite in $KBQA_RECORDS, else in kbqa in $XDG_DATA_HOME or ~/.local/share."""
    own = os.environ.get("KBQA_RECORDS")
    if own:
        return Path(own).expanduser() / "dialogues.sqlite"
    base = os.environ.get("XDG_DATA_HOME")
    home = Path(base) if base and os.path.isabs(base) else Path("~/.local/share").expanduser()
    return home / "kbqa" / "dialogues.sqlite"


class Records:
    """One file, shared by threads (and, with others that have it open, by processes).

    Every method raises `RecordsError` where the file fails (a full disk, a broken file).
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, signature: str = "") -> None:
        """`path`: default, `default_path()`; it is made where it is not there. `signature`: the
        engine's; it names the knowledge base and the model, and is kept with each turn and version."""
        self.path = default_path() if path is None else Path(path)
        self._signature = signature
        self._db = connect(self.path)
        self._lock = threading.Lock()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- writing -------------------------------------------------------------------

    def save(
        self,
        dialogue: Dialogue,
        feedback: Feedback | None = None,
        turn_id: str | None = None,
        *,
        ms: float | None = None,
    ) -> Document:
        """Keep the dialogue as it is after `feedback` (None: as it was first shown), and the turn. It is
        on disk when this returns the turn's reply, the dialogue document.

        `turn_id`: a name for the turn; where it is recorded already, its first reply is returned and
        nothing is changed. `ms`: how long the turn took. Raises `TurnConflict` where the id stands for
        other feedback, or where another process has added a version since this dialogue was loaded.
        """
        reply = document(dialogue)
        said = None if feedback is None else _json(feedback_document(feedback))
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        made = {"signature": self._signature, "created": now}
        head = {**_head(dialogue), "updated": now}
        versions = [_version(dialogue.dialogue_id, n, v) for n, v in enumerate(dialogue.versions, 1)]
        with self._writing():
            recorded = self._turn(dialogue.dialogue_id, turn_id, said)
            if recorded is not None:
                return recorded
            is_new = self._row(dialogue.dialogue_id) is None
            if is_new:
                table(self._db, "dialogues").insert({**head, "created": now})
            else:
                table(self._db, "dialogues").update(dialogue.dialogue_id, head)
            self._keep_versions(dialogue.dialogue_id, versions, made)
            if is_new or feedback is not None:
                turn: Row = {
                    "dialogue_id": dialogue.dialogue_id,
                    "turn": self._turns(dialogue.dialogue_id) + 1,
                    "turn_id": turn_id,
                    "feedback": said,
                    "version": dialogue.at,
                    "status": dialogue.status,
                    "ms": dialogue.timing.total if ms is None and is_new else ms,
                    "reply": _json(reply),
                    **made,
                }
                table(self._db, "turns").insert(turn)
        return reply

    def delete(self, dialogue_id: str) -> None:
        """Remove the dialogue with its turns and versions. Raises `UnknownDialogue`."""
        with self._writing():
            if self._row(dialogue_id) is None:
                raise _unknown(dialogue_id)
            for name in ("turns", "versions"):
                table(self._db, name).delete_where("dialogue_id = ?", [dialogue_id])
            table(self._db, "dialogues").delete(dialogue_id)

    # --- reading -------------------------------------------------------------------

    def load(self, dialogue_id: str) -> Dialogue:
        """The dialogue, equal to the one that was saved. Raises `UnknownDialogue` naming the id."""
        with self._reading():
            row = self._row(dialogue_id)
            if row is None:
                raise _unknown(dialogue_id)
            texts = [
                r["value"]
                for r in self._db.query(
                    "SELECT value FROM versions WHERE dialogue_id = ? ORDER BY version", [dialogue_id]
                )
            ]
        return _whole(row["value"], texts)

    def turn(self, dialogue_id: str, turn_id: str, feedback: Feedback | None = None) -> Document | None:
        """The reply to a recorded turn; None where there is none. Raises `TurnConflict` where another
        feedback than `feedback`, if given, is recorded under that id."""
        said = None if feedback is None else _json(feedback_document(feedback))
        with self._reading():
            return self._turn(dialogue_id, turn_id, said)

    def recent(self, limit: int = 20) -> list[Summary]:
        """The dialogues that were touched last, newest first."""
        with self._reading():
            rows = list(
                self._db.query(
                    "SELECT id, question, status, mode, kb, updated FROM dialogues"
                    " ORDER BY updated DESC,"
                    " (SELECT max(rowid) FROM turns WHERE dialogue_id = dialogues.id) DESC LIMIT ?",
                    [limit],
                )
            )
        return [Summary(**row) for row in rows]

    def moments(self, dialogue_id: str) -> list[tuple[str, float | None]]:
        """When each turn was recorded (ISO 8601 in UTC) and how long it took (milliseconds), in order."""
        with self._reading():
            rows = self._db.query(
                "SELECT created, ms FROM turns WHERE dialogue_id = ? ORDER BY turn", [_text(dialogue_id)]
            )
            return [(row["created"], row["ms"]) for row in rows]

    def empty_log(self) -> None:
        """Moves the write-ahead log into the file, so that nothing of what was deleted stands in it."""
        with self._reading():
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def ping(self) -> None:
        """Raises `RecordsError` where the file can't be read any more."""
        with self._reading():
            self._db.execute("SELECT id FROM dialogues LIMIT 1").fetchone()

    # --- export --------------------------------------------------------------------

    def export(self, *, status: Status | None = None) -> Iterator[Row]:
        """Every dialogue, oldest first, as a JSON-serialisable row: its document, and each turn and
        version with time and signature. `status`: only the dialogues that stand so."""
        for key in self._ids(status):
            with suppress(UnknownDialogue):  # deleted meanwhile
                yield self.row(key)

    def row(self, dialogue_id: str) -> Row:
        """The row of one dialogue, as `export` gives it. Raises `UnknownDialogue`."""
        key = _text(dialogue_id)
        with self._reading():
            row = self._row(key)
            turns = list(self._db.query("SELECT * FROM turns WHERE dialogue_id = ? ORDER BY turn", [key]))
            versions = list(
                self._db.query("SELECT * FROM versions WHERE dialogue_id = ? ORDER BY version", [key])
            )
        if row is None:
            raise _unknown(dialogue_id)
        return dialogue_row(_whole(row["value"], [v["value"] for v in versions]), row, turns, versions)

    def training_rows(self) -> Iterator[Row]:
        """The dialogues whose answer was accepted, oldest first; see `kbqa.records.rows`."""
        for key in self._ids("accepted"):
            try:
                dialogue = self.load(key)
            except UnknownDialogue:  # deleted meanwhile
                continue
            if dialogue.status == "accepted":
                yield training_row(dialogue)

    def _ids(self, status: Status | None) -> list[str]:
        where = "" if status is None else " WHERE status = :status"
        with self._reading():
            found = self._db.query(
                f"SELECT id FROM dialogues{where} ORDER BY created, rowid", {"status": status}
            )
            return [row["id"] for row in found]

    # --- inside a transaction ----------------------------------------------------------

    def _row(self, dialogue_id: str) -> Row | None:
        return next(self._db.query("SELECT * FROM dialogues WHERE id = ?", [_text(dialogue_id)]), None)

    def _turn(self, dialogue_id: str, turn_id: str | None, said: str | None) -> Document | None:
        if turn_id is None:
            return None
        found = next(
            self._db.query(
                "SELECT feedback, reply FROM turns WHERE dialogue_id = ? AND turn_id = ?",
                [_text(dialogue_id), _text(turn_id)],
            ),
            None,
        )
        if found is None:
            return None
        if said is not None and found["feedback"] != said:
            raise TurnConflict(
                f"the turn {turn_id!r} of this dialogue is recorded with other feedback: {found['feedback']};"
                " give a new turn another id"
            )
        reply: Document = json.loads(found["reply"])
        return reply

    def _turns(self, dialogue_id: str) -> int:
        return table(self._db, "turns").count_where("dialogue_id = ?", [dialogue_id])

    def _keep_versions(self, dialogue_id: str, rows: Sequence[Row], made: Row) -> None:
        """Add the new ones. Raises `TurnConflict` where one that is recorded is not among `rows`."""
        known = list(
            self._db.query("SELECT * FROM versions WHERE dialogue_id = ? ORDER BY version", [dialogue_id])
        )
        keys = ("parent", "sparql", "feedback")
        if len(rows) < len(known) or any(
            old[k] != row[k] for old, row in zip(known, rows, strict=False) for k in keys
        ):
            raise TurnConflict("this dialogue was continued elsewhere in the meantime: load it again")
        table(self._db, "versions").insert_all({**row, **made} for row in rows[len(known) :])
        for old, row in zip(known, rows, strict=False):
            if old["value"] != row["value"]:  # the same understanding, told in more detail
                table(self._db, "versions").update((dialogue_id, row["version"]), {"value": row["value"]})

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._reading(), transaction(self._db):
            yield

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as e:
                raise RecordsError(f"the records in {self.path} failed: {e}") from e


def _head(dialogue: Dialogue) -> Row:
    return {
        "id": dialogue.dialogue_id,
        "question": _text(dialogue.question),
        "mode": dialogue.mode.name,
        "kb": _text(dialogue.kb),
        "status": dialogue.status,
        "at": dialogue.at,
        "value": dumps(replace(dialogue, versions=())),
    }


def _version(dialogue_id: str, number: int, version: Version) -> Row:
    return {
        "dialogue_id": dialogue_id,
        "version": number,
        "parent": version.parent,
        "sparql": _text(version.sparql),
        "feedback": None if version.feedback is None else _json(feedback_document(version.feedback)),
        "value": dumps(version),
    }


def _whole(value: str, versions: list[str]) -> Dialogue:
    found = loads(value)
    if not isinstance(found, Dialogue):
        raise RecordsError(f"a {type(found).__name__} is recorded where a dialogue should be")
    return replace(found, versions=tuple(loads(text) for text in versions))


def _unknown(dialogue_id: str) -> UnknownDialogue:
    shown = dialogue_id if len(dialogue_id) <= 80 else dialogue_id[:80] + "..."
    return UnknownDialogue(f"there is no dialogue {shown!r} in the records: ask the question anew")


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), allow_nan=False)


def _text(text: str) -> str:
    """What SQLite can keep: half a surrogate pair becomes a question mark. `value` keeps it as it is."""
    return text.encode(errors="replace").decode()
