"""The tables of the records and how an older file becomes a current one.

`PRAGMA user_version` counts the migrations a file has had; each runs in the transaction that counts
it, so that two processes may open a new file at once.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.db import Table

from kbqa.errors import RecordsError

Migration = Callable[[Database], None]
BUSY_S = 30.0
"""How long a statement waits for another process's write."""


def connect(path: Path, migrations: Sequence[Migration] | None = None) -> Database:
    """The file with its tables as this version wants them. Raises `RecordsError` naming the file.

    `migrations`: of another file than the dialogues', which is kept in the same way.

    In write-ahead-log mode readers wait for nobody; synchronous=FULL: what is committed survives the
    loss of power too.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(str(path), timeout=BUSY_S, check_same_thread=False)
    except (OSError, sqlite3.Error, ValueError) as e:
        raise RecordsError(f"the dialogues can't be kept in {path}: {e}") from None
    try:
        db = Database(connection, execute_plugins=False)
        _write_ahead(db)
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA secure_delete=ON")
        _migrate(db, path, MIGRATIONS if migrations is None else migrations)
    except sqlite3.Error as e:
        connection.close()
        raise RecordsError(f"the dialogues can't be kept in {path}: {e}") from None
    except BaseException:
        connection.close()
        raise
    return db


def table(db: Database, name: str) -> Table:
    return db.table(name)


def _write_ahead(db: Database) -> None:
    """SQLite doesn't wait for another process where it changes the journal's mode, so this does."""
    deadline = time.monotonic() + BUSY_S
    while True:
        try:
            db.enable_wal()
            return
        except sqlite3.OperationalError as e:
            if "locked" not in str(e) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextmanager
def transaction(db: Database) -> Iterator[None]:
    """All or nothing; nobody else writes meanwhile."""
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.conn.commit()
    except BaseException:
        db.conn.rollback()
        raise


def _migrate(db: Database, path: Path, migrations: Sequence[Migration]) -> None:
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        (at,) = db.conn.execute("PRAGMA user_version").fetchone()
        if at > len(migrations):
            raise RecordsError(
                f"{path} was written by a newer kbqa (its tables are at {at}, this version knows"
                f" {len(migrations)}): use that one, or another file"
            )
        for number, step in enumerate(migrations[at:], at + 1):
            step(db)
            db.conn.execute(f"PRAGMA user_version={number}")
    except BaseException:
        db.conn.rollback()
        raise
    db.conn.commit()


def _first_tables(db: Database) -> None:
    """Times are ISO 8601 in UTC; `value` is a text of `kbqa.records.codec`, of the dialogue without
    its versions; `ms`: milliseconds that the turn took."""
    table(db, "dialogues").create(
        {
            "id": str,
            "question": str,
            "mode": str,
            "kb": str,
            "status": str,
            "at": int,
            "created": str,
            "updated": str,
            "value": str,
        },
        pk="id",
        not_null={"question", "mode", "kb", "status", "at", "created", "updated", "value"},
    ).create_index(["updated"])
    table(db, "versions").create(
        {
            "dialogue_id": str,
            "version": int,
            "parent": int,
            "sparql": str,
            "feedback": str,
            "signature": str,
            "created": str,
            "value": str,
        },
        pk=("dialogue_id", "version"),
        not_null={"sparql", "created", "value"},
    )
    table(db, "turns").create(
        {
            "dialogue_id": str,
            "turn": int,
            "turn_id": str,
            "feedback": str,
            "version": int,
            "status": str,
            "signature": str,
            "ms": float,
            "created": str,
            "reply": str,
        },
        pk=("dialogue_id", "turn"),
        not_null={"version", "status", "created", "reply"},
    ).create_index(["dialogue_id", "turn_id"], unique=True)


MIGRATIONS: tuple[Migration, ...] = (_first_tables,)
