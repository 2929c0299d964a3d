"""CWQ, ComplexWebQuestions_{train,dev}.json (Talmor and Berant 2018): an array of objects with ID, question,
sparql, compositionality_type, answers [{answer_id, answer, aliases}], ..."""

from __future__ import annotations

from collections.abc import Iterator

from kbqa.importers.rows import Entry, ImportedRow, Skipped, answers_of, id_of, text_of


def read(entry: Entry) -> Iterator[ImportedRow | Skipped]:
    answers, names = answers_of(entry, "answers", "answer_id", "answer")
    kind = entry.get("compositionality_type")
    yield ImportedRow(
        id=id_of(entry, "ID"),
        question=text_of(entry, "question"),
        sparql=text_of(entry, "sparql"),
        source="cwq",
        names=names,
        type=kind if isinstance(kind, str) and kind.strip() else None,
        answers=answers,
        answer_names=names,
    )
