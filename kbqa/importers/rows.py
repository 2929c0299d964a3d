"""The row that every importer makes, and what is told of what gave none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kbqa.errors import InputError

Entry = Mapping[str, Any]
"""One entry of a published file."""


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One question with its gold query, as this project reads it.

    `sparql`: as published, but for counts (`queries.standard`); `names`: what the file calls entities
    (id -> name), those of the query and perhaps others; `answers`: mids, IRIs or literal values, None where
    unknown; `steps`: templated English; `sub_questions`: for each step what people asked; `more`: fields of
    the source that are kept as they are.
    """

    id: str
    question: str
    sparql: str
    source: str
    names: Mapping[str, str | None] = field(default_factory=dict)
    type: str | None = None
    answers: tuple[str, ...] | None = None
    answer_names: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    sub_questions: tuple[tuple[str, ...], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def document(self, entities: Sequence[str]) -> dict[str, Any]:
        """As it is written. `entities`: the ids of the query's entities."""
        named = {key: self.names.get(key) for key in entities}
        row: dict[str, Any] = {
            "id": self.id,
            "question": self.question,
            "sparql": self.sparql,
            "entities": named,
            "type": self.type,
            "answers": None if self.answers is None else list(self.answers),
            "answer_names": dict(self.answer_names),
        }
        if self.steps:
            row["steps"] = list(self.steps)
        if self.sub_questions:
            row["sub_questions"] = [list(texts) for texts in self.sub_questions]
        return {**row, **self.more, "source": self.source}


@dataclass(frozen=True, slots=True)
class Skipped:
    """Part of an entry that gave no row, and why."""

    id: str
    reason: str


def named(pairs: Iterable[tuple[object, object]]) -> dict[str, str]:
    """id -> name, of the pairs that have both."""
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str) and v.strip()}


# --- fields of an entry ----------------------------------------------------------------------------


def text_of(entry: Entry, key: str, *, otherwise: str = "") -> str:
    """A text that must be there; `otherwise`: a second key, read where the first is empty. Raises
    `InputError`."""
    value = entry.get(key)
    if otherwise and not (isinstance(value, str) and value.strip()):
        key, value = otherwise, entry.get(otherwise)
    if not isinstance(value, str):
        found = "is missing" if key not in entry else f"is {value!r:.60}"
        raise InputError(f"the field {key!r} {found}; text expected")
    if not value.strip():
        raise InputError(f"the field {key!r} is empty")
    return value


def id_of(entry: Entry, key: str) -> str:
    """An id, which may be a number. Raises `InputError`."""
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise InputError(f"the field {key!r} {'is missing' if value is None else f'is {value!r:.60}'}")
    return str(value).strip()


def objects_of(entry: Entry, key: str) -> list[Entry]:
    """A list of objects; missing or null is an empty one. Raises `InputError`."""
    value = entry.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise InputError(f"the field {key!r}: a list of objects expected")
    return value


def answers_of(
    entry: Entry, key: str, value: str, name: str
) -> tuple[tuple[str, ...] | None, dict[str, str]]:
    """(answers, their names) from a list of objects with these keys; (None, {}) where there is no list."""
    if entry.get(key) is None:
        return None, {}
    found = [a for a in objects_of(entry, key) if a.get(value) is not None]
    names = named((str(a[value]), a.get(name)) for a in found)
    return tuple(dict.fromkeys(str(a[value]) for a in found)), names
