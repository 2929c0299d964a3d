"""The file of a study: tables, transactions, and the key that turns a person's id into a hash.

The study's folder holds `study.sqlite` (this file), `dialogues.sqlite` (`kbqa.records`) and `key`.
What is written is on disk before the call returns (write-ahead log, synchronous=FULL).
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from kbqa.errors import InputError, RecordsError
from kbqa.records.schema import connect, transaction

Row = dict[str, Any]
REGISTER, DIALOGUES, KEY = "study.sqlite", "dialogues.sqlite", "key"


class Tables:
    """One study file, shared by threads and processes. Every method raises `RecordsError` where the file
    fails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect(path, MIGRATIONS)
        self._lock = threading.RLock()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def rows(self, sql: str, *given: Any) -> list[Row]:
        with self._failing():
            return list(self._db.query(sql, given))

    def row(self, sql: str, *given: Any) -> Row | None:
        return next(iter(self.rows(sql, *given)), None)

    def insert(self, table: str, row: Row) -> None:
        with self._failing():
            self._db.table(table).insert(row)

    def insert_all(self, table: str, rows: Sequence[Row]) -> None:
        with self._failing():
            self._db.table(table).insert_all(rows)

    def run(self, sql: str, *given: Any) -> int:
        """The number of rows that were changed."""
        with self._failing():
            return int(self._db.conn.execute(sql, given).rowcount)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All or nothing; nobody else writes meanwhile."""
        with self._failing(), transaction(self._db):
            yield

    @contextmanager
    def _failing(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as e:
                raise RecordsError(f"the study file {self.path} failed: {e}") from e


def read_key(folder: Path) -> bytes:
    """The folder's secret, made where there is none; only its owner may read it."""
    file = folder / KEY
    try:
        if not file.exists():
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f".{KEY}.{secrets.token_hex(4)}"
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                out.write(secrets.token_hex(32))
            try:
                os.link(part, file)  # fails where another process was first
            except FileExistsError:
                pass
            finally:
                part.unlink()
        return bytes.fromhex(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as e:
        raise InputError(f"the study's key {file} can't be read: {e}") from None


def hashed(key: bytes, name: str) -> str:
    """A person's id as it is kept: 32 hexadecimal digits that can't be turned back without the key."""
    return hmac.new(key, name.strip().encode(errors="replace"), hashlib.sha256).hexdigest()[:32]


def _first_tables(db: Database) -> None:
    """Times are ISO 8601 in UTC. `stage`: 1 and 2 a system and its survey, 3 the comparison."""
    for statement in _FIRST:
        db.execute(statement)


_FIRST = (
    "CREATE TABLE study (id INTEGER PRIMARY KEY CHECK (id = 1), config TEXT NOT NULL, binding TEXT NOT NULL,"
    " items_hash TEXT NOT NULL, kb TEXT, created TEXT NOT NULL)",
    "CREATE TABLE items (id TEXT PRIMARY KEY, question TEXT NOT NULL, type TEXT NOT NULL, row TEXT NOT NULL,"
    " block INTEGER NOT NULL, place INTEGER NOT NULL, gold TEXT)",
    "CREATE TABLE forms (number INTEGER PRIMARY KEY, comparison TEXT NOT NULL, conditions TEXT NOT NULL,"
    " blocks TEXT NOT NULL)",
    "CREATE TABLE participants (id TEXT PRIMARY KEY, team TEXT NOT NULL, created TEXT NOT NULL,"
    " consented TEXT, tutorial TEXT, qualified TEXT, excluded TEXT, reason TEXT)",
    "CREATE TABLE quiz (participant TEXT NOT NULL, attempt INTEGER NOT NULL, score INTEGER NOT NULL,"
    " passed INTEGER NOT NULL, created TEXT NOT NULL, PRIMARY KEY (participant, attempt))",
    "CREATE TABLE claims (id INTEGER PRIMARY KEY AUTOINCREMENT, participant TEXT NOT NULL,"
    " form INTEGER NOT NULL, comparison TEXT NOT NULL, code TEXT NOT NULL,"
    " created TEXT NOT NULL, finished TEXT, released TEXT)",
    "CREATE UNIQUE INDEX one_worker_a_form ON claims (form) WHERE released IS NULL",
    "CREATE UNIQUE INDEX one_form_a_comparison ON claims (participant, comparison)",
    "CREATE TABLE tasks (claim INTEGER NOT NULL, place INTEGER NOT NULL, stage INTEGER NOT NULL,"
    " participant TEXT NOT NULL, item TEXT NOT NULL, condition TEXT NOT NULL, dialogue_id TEXT, started TEXT,"
    " finished TEXT, comment TEXT NOT NULL DEFAULT '', PRIMARY KEY (claim, place))",
    "CREATE UNIQUE INDEX no_item_twice ON tasks (participant, item)",
    "CREATE TABLE answers (claim INTEGER NOT NULL, stage INTEGER NOT NULL, question INTEGER NOT NULL,"
    " value INTEGER NOT NULL, created TEXT NOT NULL, PRIMARY KEY (claim, stage, question))",
    "CREATE TABLE remarks (claim INTEGER NOT NULL, stage INTEGER NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (claim, stage))",
    "CREATE TABLE decisions (id INTEGER PRIMARY KEY AUTOINCREMENT, participant TEXT NOT NULL,"
    " decision TEXT NOT NULL, reason TEXT NOT NULL, created TEXT NOT NULL)",
    "CREATE TABLE payments (id INTEGER PRIMARY KEY AUTOINCREMENT, participant TEXT NOT NULL,"
    " amount TEXT NOT NULL, created TEXT NOT NULL)",
)
MIGRATIONS: tuple[Callable[[Database], None], ...] = (_first_tables,)
