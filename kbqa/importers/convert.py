"""One entry of a published file -> rows, and what is to be told of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kbqa.decompose import decompose
from kbqa.errors import DecompositionError, InputError
from kbqa.importers import inspired
from kbqa.importers.align import align
from kbqa.importers.formats import FORMATS, Format, read_entry
from kbqa.importers.queries import entities_of, standard
from kbqa.importers.rows import Entry, ImportedRow, Skipped
from kbqa.kb.names import fallback
from kbqa.lexicon import freebase_lexicon
from kbqa.sparql import parse
from kbqa.types import Iri

Told = dict[str, Any]
"""`{"id", "status": "skipped" or "noted", "type", "message"}`: a row that was not made, or one that was and
about which something should be known."""


def convert(name: str, entry: Entry) -> dict[str, Any]:
    """`{"rows": [row], "told": [Told]}` of an entry of the format of this name."""
    wanted = FORMATS[name]
    rows: list[dict[str, Any]] = []
    told: list[Told] = []
    try:
        for found in read_entry(entry, wanted):
            if isinstance(found, Skipped):
                told.append(_told(found.id, "skipped", InputError(found.reason)))
                continue
            try:
                rows.append(_finished(found, entry, wanted, told))
            except InputError as e:
                told.append(_told(found.id, "skipped", e))
    except InputError as e:
        told.append(_told(_id(entry, wanted), "skipped", e))
    return {"rows": rows, "told": told}


def _finished(row: ImportedRow, entry: Entry, wanted: Format, told: list[Told]) -> dict[str, Any]:
    """The row as it is written. Raises `QueryError` where its query can't be read."""
    row = replace(row, sparql=standard(row.sparql), source=row.source or wanted.name)
    query = parse(row.sparql)
    lexicon = freebase_lexicon()
    try:
        decompose(query, lexicon.mediators)
    except DecompositionError as e:
        told.append(_told(row.id, "noted", e))
    if row.source == "inspired" and inspired.SUB_QUESTIONS in entry:
        row = _with_sub_questions(row, entry, told)
    entities = tuple(dict.fromkeys((*entities_of(query), *_listed(entry))))
    made = {e: fallback(Iri(e)) for e in entities if "://" in e}
    return replace(row, names={**made, **_known(row)}).document(entities)


def _known(row: ImportedRow) -> dict[str, str]:
    return {key: name for key, name in row.names.items() if isinstance(name, str) and name.strip()}


def _listed(entry: Entry) -> tuple[str, ...]:
    """The entities that a row of this project's own shape lists."""
    listed = entry.get("entities")
    return tuple(listed) if isinstance(listed, dict) else ()


def _with_sub_questions(row: ImportedRow, entry: Entry, told: list[Told]) -> ImportedRow:
    found = align(row, inspired.sub_forms(entry), freebase_lexicon())
    given = sum(bool(texts) for texts in row.sub_questions)
    if found.placed < given:
        left = InputError(f"{given - found.placed} of {given} human sub-questions belong to no step")
        told.append(_told(row.id, "noted", left))
    return replace(row, steps=found.steps, sub_questions=found.wordings)


def _told(name: str, status: str, error: InputError) -> Told:
    return {"id": name, "status": status, **error.as_row()}


def _id(entry: Entry, wanted: Format) -> str:
    """What the entry calls itself, as far as that can be told."""
    keys = (*wanted.marks, "id", "ID", "qid", "_id", "QuestionId")
    return next((str(entry[k]) for k in keys if isinstance(entry.get(k), str | int)), "")
