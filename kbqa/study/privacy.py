"""One participant's data: all of it shown, or all of it erased."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from kbqa.errors import UnknownDialogue
from kbqa.records import Records
from kbqa.study.register import Register

_OWN = ("quiz", "decisions", "payments")


def export(register: Register, records: Records, participant: str) -> dict[str, Any]:
    """Everything that is kept about the participant, JSON-serialisable. Raises `InputError`."""
    tables = register.tables
    register.find(participant)
    claims = tables.rows("SELECT * FROM claims WHERE participant = ? ORDER BY id", participant)
    numbers = [c["id"] for c in claims]
    marks = ",".join("?" * len(numbers))
    tasks = tables.rows("SELECT * FROM tasks WHERE participant = ? ORDER BY claim, place", participant)
    return {
        "participant": tables.row("SELECT * FROM participants WHERE id = ?", participant),
        **{name: tables.rows(f"SELECT * FROM {name} WHERE participant = ?", participant) for name in _OWN},
        "claims": claims,
        "tasks": tasks,
        "answers": tables.rows(f"SELECT * FROM answers WHERE claim IN ({marks})", *numbers),
        "remarks": tables.rows(f"SELECT * FROM remarks WHERE claim IN ({marks})", *numbers),
        "dialogues": [row for t in tasks if t["dialogue_id"] for row in _dialogue(records, t["dialogue_id"])],
    }


def _dialogue(records: Records, name: str) -> list[dict[str, Any]]:
    try:
        return [records.row(name)]
    except UnknownDialogue:
        return []


def erase(register: Register, records: Records, participant: str) -> int:
    """Removes the participant with all that is kept, dialogues included; the number of dialogues. The
    forms become free for others. Done twice, it removes what the first time left over. SQLite overwrites
    what is deleted (secure_delete), and the write-ahead logs are emptied; backups are not touched."""
    tables = register.tables
    register.find(participant)
    names = [
        t["dialogue_id"]
        for t in tables.rows(
            "SELECT dialogue_id FROM tasks WHERE participant = ? AND dialogue_id IS NOT NULL", participant
        )
    ]
    for name in names:  # first, so that they can be found again if this is cut off
        with suppress(UnknownDialogue):
            records.delete(name)
    with tables.writing():
        for name in ("answers", "remarks"):
            tables.run(
                f"DELETE FROM {name} WHERE claim IN (SELECT id FROM claims WHERE participant = ?)",
                participant,
            )
        for name in (*_OWN, "tasks", "claims"):
            tables.run(f"DELETE FROM {name} WHERE participant = ?", participant)
        tables.run("DELETE FROM participants WHERE id = ?", participant)
    tables.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    records.empty_log()
    return len(names)
