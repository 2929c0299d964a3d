"""The task-data list: which target question is asked in which mode, and of whom."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crowd.forms import Form, read_forms
from crowd.trouble import CrowdError

_TEXTS = {"id", "question", "mode", "participant"}
_KEYS = _TEXTS | {"surveys"}


@dataclass(frozen=True)
class Item:
    """One dialogue to be held. `participant`: whose it is (a salted hash), or '' for anybody's; `surveys`:
    what is asked after it."""

    id: str
    question: str
    mode: str = "full"
    participant: str = ""
    surveys: tuple[Form, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """As Mephisto keeps it; `read_item(item.as_data(), ...)` gives it back."""
        said = {"id": self.id, "question": self.question, "mode": self.mode, "participant": self.participant}
        return {**said, "surveys": [form.as_data() for form in self.surveys]}


def read_items(file: Path) -> tuple[Item, ...]:
    """From JSON lines {id, question, mode?, participant?, surveys?}; ids must differ. Raises `CrowdError`
    naming the line."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise CrowdError(f"the items file {file} can't be read: {e}") from None
    items: dict[str, Item] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{file}, line {number}"
        try:
            row = json.loads(line)
        except ValueError:
            raise CrowdError(f"{where}: no JSON object; one {{id, question, mode?}} a line is read") from None
        item = read_item(row, where)
        if item.id in items:
            raise CrowdError(f"{where}: the id {item.id!r} stands there twice; give each dialogue its own")
        items[item.id] = item
    if not items:
        raise CrowdError(f"the items file {file} is empty; write rows {{id, question, mode?}} into it")
    return tuple(items.values())


def read_item(row: Any, where: str) -> Item:
    """Raises `CrowdError` naming `where` and the member that is wrong."""
    if not isinstance(row, Mapping):
        raise CrowdError(f"{where}: no JSON object; expected {{id, question, mode?, participant?, surveys?}}")
    unknown = sorted(row.keys() - _KEYS)
    if unknown:
        raise CrowdError(f"{where}: unknown member {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}")
    values: dict[str, str] = {}
    for key in _TEXTS & row.keys():
        value = row[key]
        if key == "id" and isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str) or (key != "participant" and not value.strip()):
            raise CrowdError(f"{where}: {key!r} is {value!r}; expected a text")
        values[key] = value.strip()
    missing = sorted({"id", "question"} - values.keys())
    if missing:
        raise CrowdError(f"{where}: {missing[0]!r} is missing")
    return Item(**values, surveys=read_forms(row.get("surveys", ()), where))


def bare(question: str) -> str:
    """Without capitals, spaces and the closing mark: the same for the same target question."""
    return " ".join(question.casefold().split()).rstrip(" ?.!")
