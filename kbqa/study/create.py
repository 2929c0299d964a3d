"""Making a study's register from its study file and items."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence

from kbqa.errors import InputError
from kbqa.study.assign import Form, make_forms
from kbqa.study.config import Study, as_json
from kbqa.study.items import Item, blocks
from kbqa.study.register import Clock, Register, utc_now
from kbqa.study.tables import REGISTER, Row, Tables


def create(study: Study, items: Sequence[Item], *, now: Clock = utc_now) -> Register:
    """The study's register, made where it is not there. Raises `InputError` where the items don't come
    out even, or where somebody takes part already and what binds them has changed."""
    dealt = blocks(items, study.batch, study.seed)
    forms = make_forms(study.comparisons, len(dealt), study.replications, study.seed)
    text = "\n".join(f"{i.id}\t{i.row}" for i in items)
    row: Row = {
        "id": 1,
        "config": as_json(study),
        "binding": json.dumps(study.binding(), sort_keys=True),
        "items_hash": hashlib.sha256(text.encode()).hexdigest(),
        "created": now().isoformat(timespec="milliseconds"),
    }
    try:
        study.folder.mkdir(parents=True, exist_ok=True)
        os.chmod(study.folder, 0o700)
    except OSError as e:
        raise InputError(f"the study's folder {study.folder} can't be made: {e.strerror or e}") from None
    tables = Tables(study.folder / REGISTER)
    try:
        with tables.writing():
            held = tables.row("SELECT * FROM study")
            changed = [] if held is None else _changed(held, row)
            if changed and tables.row("SELECT 1 FROM claims"):
                raise InputError(
                    f"people take part in this study already, and {', '.join(changed)} changed: take it "
                    "back, or give the new study another folder"
                )
            if held is None or changed:
                _fill(tables, row, dealt, forms)
            else:
                tables.run("UPDATE study SET config = ?", row["config"])
    finally:
        tables.close()
    return Register(study.folder, now=now)


def _changed(held: Row, row: Row) -> list[str]:
    """What binds those who take part and is not as it was."""
    was, now = json.loads(held["binding"]), json.loads(row["binding"])
    changed = [key for key in now if was.get(key) != now[key]]
    return changed + (["items"] if held["items_hash"] != row["items_hash"] else [])


def _fill(tables: Tables, row: Row, dealt: Sequence[Sequence[Item]], forms: Sequence[Form]) -> None:
    for name in ("study", "items", "forms"):
        tables.run(f"DELETE FROM {name}")
    tables.insert("study", row)
    tables.insert_all(
        "items",
        [
            {"id": i.id, "question": i.question, "type": i.type, "row": i.row, "block": b, "place": p}
            for b, block in enumerate(dealt)
            for p, i in enumerate(block)
        ],
    )
    tables.insert_all(
        "forms",
        [
            {
                "number": f.number,
                "comparison": f.comparison,
                "conditions": json.dumps(f.conditions),
                "blocks": json.dumps(f.blocks),
            }
            for f in forms
        ],
    )
