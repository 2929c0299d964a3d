"""One participant's data in a crowd task: the journal's rows and Mephisto's logs, shown or erased.

The dialogues themselves are in the records of `kbqa serve`. `crowd.shim.prepare` must come before this
module is imported; no run may be under way.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from mephisto.abstractions.databases.local_database import LocalMephistoDB

from crowd.config import Config
from crowd.journal import Journal
from crowd.people import participant_hash, read_salt
from crowd.trouble import CrowdError

_GONE = "erased"
_DATABASE = Path("data") / "database.db"


def export(config: Config, home: Path, participant: str) -> dict[str, Any]:
    """{participant, journal: rows, mephisto: what is logged of each dialogue}. Raises `CrowdError` where
    nothing is kept of such a participant."""
    rows = _rows(config, participant)
    with _database(home) as database:
        logged = [a.state.get_data() for w in _workers(config, database, participant) for a in _agents(w)]
    if not rows and not logged:
        raise CrowdError(_unknown(participant))
    return {"participant": participant, "journal": rows, "mephisto": logged}


def erase(config: Config, home: Path, participant: str) -> int:
    """Removes it; the number of dialogues that were. Their items become free for others, but for those that
    are this participant's own. Done twice, it removes what the first time left over. What a platform keeps
    is not touched. Raises `CrowdError` as `export` does."""
    rows = _rows(config, participant)
    with _database(home) as database:
        workers = _workers(config, database, participant)
        if not rows and not workers:
            raise CrowdError(_unknown(participant))
        for worker in workers:
            for agent in _agents(worker):
                shutil.rmtree(agent.get_data_dir(), ignore_errors=True)
    _forget(home, [worker.db_id for worker in workers])
    for file in home.rglob("*.json*"):  # items that name whose they are
        text = file.read_text(encoding="utf-8")
        if participant in text:
            _replace(file, text.replace(participant, _GONE))
    journal = config.task.data / "crowd.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    _replace(journal, "".join(line for line in lines if json.loads(line)["participant"] != participant))
    return sum(row["event"] == "opened" for row in rows)


def _rows(config: Config, participant: str) -> list[dict[str, Any]]:
    journal = Journal(config.task.data / "crowd.jsonl")
    journal.close()
    return [dict(row) for row in journal.rows() if row["participant"] == participant]


def _forget(home: Path, workers: list[str]) -> None:
    """Takes their names out of Mephisto's database, which has no call for that."""
    with closing(sqlite3.connect(home / _DATABASE)) as database:
        database.execute("PRAGMA secure_delete = ON")
        for worker in workers:
            name = f"{_GONE}-{worker}"
            database.execute("UPDATE workers SET worker_name = ? WHERE worker_id = ?", (name, worker))
        database.commit()
        database.execute("VACUUM")


@contextmanager
def _database(home: Path) -> Iterator[Any]:
    database = LocalMephistoDB(str(home / _DATABASE))
    try:
        yield database
    finally:
        database.shutdown()


def _workers(config: Config, database: Any, participant: str) -> list[Any]:
    """In a lab study Mephisto knows the hash only (`crowd.launch`); a platform's ids are hashed here."""
    salt = read_salt(config.task.data / "salt")

    def known(worker: Any) -> str:
        name = str(worker.worker_name).removesuffix("_sandbox")
        return name if config.provider.kind == "mock" else participant_hash(name, salt)

    return [worker for worker in database.find_workers() if known(worker) == participant]


def _agents(worker: Any) -> list[Any]:
    found: list[Any] = worker.db.find_agents(worker_id=worker.db_id)
    return found


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f".{file.name}.part")
    part.touch(mode=0o600)
    with part.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    part.chmod(file.stat().st_mode)
    part.replace(file)


def _unknown(participant: str) -> str:
    return (
        f"nothing is kept of a participant {participant!r}: name the hash that stands in crowd.jsonl, or "
        "that kbqa crowd hash tells"
    )
