"""The formats, by name, and how one is told from another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kbqa.errors import InputError
from kbqa.importers import cwq, grailqa, inspired, lcquad, mined, webqsp
from kbqa.importers.rows import Entry, ImportedRow, Skipped

Read = Callable[[Entry], Iterator[ImportedRow | Skipped]]


@dataclass(frozen=True, slots=True)
class Format:
    """`marks`: keys that every entry has and no other format's; `holds`: what its file looks like; `mined`:
    keys that only rows have which were made from it."""

    name: str
    title: str
    marks: tuple[str, ...]
    holds: str
    read: Read
    mined: tuple[str, ...] = ()

    def fits(self, entry: Entry) -> bool:
        return all(mark in entry for mark in self.marks)


FORMATS = {
    f.name: f
    for f in (
        Format(
            "cwq",
            "CWQ",
            ("ID",),
            "a JSON array of objects with ID, question and sparql",
            cwq.read,
            ("cwq_id", "silver_sparql"),
        ),
        Format(
            "webqsp",
            "WebQSP",
            ("QuestionId", "Parses"),
            '{"Questions": [...]} with QuestionId, RawQuestion and Parses',
            webqsp.read,
            ("n_parses", "main_entity"),
        ),
        Format(
            "inspired",
            "INSPIRED",
            ("gold_parse", "gold_sub_qs"),
            "JSON lines with id, question, gold_parse, gold_sub_lfs and gold_sub_qs",
            inspired.read,
        ),
        Format(
            "grailqa",
            "GrailQA",
            ("qid",),
            "a JSON array of objects with qid, question and sparql_query",
            grailqa.read,
            ("graph_query", "predicted_s_expression"),
        ),
        Format(
            "lcquad",
            "LC-QuAD 1",
            ("_id", "corrected_question"),
            "a JSON array of objects with _id, corrected_question and sparql_query",
            lcquad.read,
            ("intermediary_question",),
        ),
    )
}
_OTHERS = {
    "LC-QuAD 2, over Wikidata": ("uid", "sparql_wikidata"),
    "a text-to-SQL data set": ("db_id",),
    "INSPIRED-like, but without sub-questions": ("gold_parse",),
}


def looks_like(entry: Entry) -> str | None:
    """The name of the format that an entry is of; None for none, or rows of this project's own shape."""
    fitting = (f for f in FORMATS.values() if f.fits(entry))
    made = (f for f in FORMATS.values() if is_row(entry) and any(key in entry for key in f.mined))
    return next((f.name for f in (*fitting, *made)), None)


def is_row(entry: Entry) -> bool:
    """Whether it has this project's own shape."""
    return all(key in entry for key in mined.KEYS)


def refuse_another(entry: Entry, wanted: Format, path: str) -> None:
    """Raises `InputError` where a file's first entry is of another format than the wanted one, naming it."""
    found = looks_like(entry)
    if found == wanted.name or (found is None and is_row(entry)):
        return
    if found is not None:
        other = FORMATS[found]
        raise InputError(
            f"{path} looks like {other.title}, not {wanted.title}: run 'kbqa import {found} {path}'"
        )
    other_title = next((t for t, marks in _OTHERS.items() if all(m in entry for m in marks)), None)
    seen = f"looks like {other_title}" if other_title else f"has entries with {_keys(entry)}"
    raise InputError(
        f"{path} {seen}, which is none of the formats read; {wanted.title} is {wanted.holds}, or rows with "
        "id, question and sparql"
    )


def read_entry(entry: Entry, wanted: Format) -> Iterator[ImportedRow | Skipped]:
    """Raises `InputError` where the entry as a whole can't be used."""
    if wanted.fits(entry):
        yield from wanted.read(entry)
    elif is_row(entry):
        yield from mined.read(entry)
    else:
        missing = next(mark for mark in wanted.marks if mark not in entry)
        raise InputError(f"no entry of {wanted.title}: the field {missing!r} is missing")


def _keys(entry: Entry) -> str:
    return ", ".join(map(repr, list(entry)[:8])) or "no keys"
