"""Rows of this project's own shape, {id, question, sparql, entities, ...}, as other tools write them. All
their fields are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kbqa.errors import InputError
from kbqa.importers.rows import Entry, ImportedRow, Skipped, id_of, text_of

KEYS = ("id", "question", "sparql")
_OWN = {*KEYS, "entities", "type", "answers", "answer_names", "source", "steps", "sub_questions"}


def read(entry: Entry) -> Iterator[ImportedRow | Skipped]:
    entities = entry.get("entities") or {}
    if not isinstance(entities, dict):
        raise InputError("the field 'entities': an object {id: name} expected")
    answers, names = entry.get("answers"), entry.get("answer_names") or {}
    if answers is not None and not isinstance(answers, list):
        raise InputError("the field 'answers': a list expected")
    kind = entry.get("type")
    yield ImportedRow(
        id=id_of(entry, "id"),
        question=text_of(entry, "question"),
        sparql=text_of(entry, "sparql"),
        source=str(entry.get("source") or ""),
        names={**(names if isinstance(names, dict) else {}), **entities},
        type=kind if isinstance(kind, str) else None,
        answers=None if answers is None else tuple(map(str, answers)),
        answer_names=names if isinstance(names, dict) else {},
        steps=_texts(entry, "steps"),
        sub_questions=tuple(_wordings(v) for v in entry.get("sub_questions") or ()),
        more=_rest(entry),
    )


def _rest(entry: Entry) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in _OWN}


def _texts(entry: Entry, key: str) -> tuple[str, ...]:
    value = entry.get(key) or []
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise InputError(f"the field {key!r}: a list of texts expected")
    return tuple(value)


def _wordings(value: object) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(v, str) for v in texts):
        raise InputError("the field 'sub_questions': a text, or a list of texts, expected for each step")
    return tuple(texts)
