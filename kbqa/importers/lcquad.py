"""LC-QuAD 1 (Trivedi et al. 2017), over DBpedia: an array of objects with _id, corrected_question,
intermediary_question, sparql_query, sparql_template_id."""

from __future__ import annotations

from collections.abc import Iterator

from kbqa.importers.rows import Entry, ImportedRow, Skipped, id_of, text_of


def read(entry: Entry) -> Iterator[ImportedRow | Skipped]:
    """No answers are published."""
    template = entry.get("sparql_template_id")
    intermediary = entry.get("intermediary_question")
    yield ImportedRow(
        id=f"lcquad1-{id_of(entry, '_id')}",
        question=text_of(entry, "corrected_question", otherwise="intermediary_question"),
        sparql=text_of(entry, "sparql_query"),
        source="lcquad",
        type=None if template is None else f"template-{template}",
        more={"intermediary_question": intermediary} if isinstance(intermediary, str) else {},
    )
