"""INSPIRED, dataset.jsonl (Mo et al. 2022): JSON lines with id, cwq_question, question, gold_parse,
gold_sub_lfs, gold_sub_qs [{sub_question, temp_sub_question, ...}], feedback, ... The keys are those that the
authors' README documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kbqa.importers.rows import Entry, ImportedRow, Skipped, id_of, objects_of, text_of

SUB_QUESTIONS, SUB_FORMS = "gold_sub_qs", "gold_sub_lfs"

_PLACE = re.compile(r"#entity(\d+)#", re.IGNORECASE)


def read(entry: Entry) -> Iterator[ImportedRow | Skipped]:
    """The question is the one that the workers settled on (`question`), else CWQ's. The human sub-questions
    are still as the file has them, one list a sub-logical form (`kbqa.importers.align` puts them to the steps
    of the gold query). `more` keeps what people said of the predicted parse, and the final answer."""
    yield ImportedRow(
        id=id_of(entry, "id"),
        question=text_of(entry, "question", otherwise="cwq_question"),
        sparql=text_of(entry, "gold_parse"),
        source="inspired",
        sub_questions=tuple(_asked(sub) for sub in objects_of(entry, SUB_QUESTIONS)),
        more=_kept(entry),
    )


def sub_forms(entry: Entry) -> tuple[str, ...]:
    """The sub-logical forms as text."""
    value = entry.get(SUB_FORMS)
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _asked(sub: Mapping[str, Any]) -> tuple[str, ...]:
    """The human wording; none where it is missing or holds a placeholder of the templates."""
    text = sub.get("sub_question")
    if not isinstance(text, str) or not text.strip() or "<ANS>" in text or _PLACE.search(text):
        return ()
    return (" ".join(text.split()),)


def _kept(entry: Entry) -> dict[str, Any]:
    said = entry.get("feedback")
    feedback = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    kept = {"feedback": [text for text in feedback if isinstance(text, str) and text.strip()]}
    more = {key: entry[key] for key in ("cwq_question", "final_answer", "predicted_parse") if key in entry}
    return {**kept, **more}
