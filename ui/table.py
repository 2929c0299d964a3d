"""Answers as a table and as CSV. Names come from a graph that is not trusted."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import show

from kbqa.types import Answer, Iri

_NUMBER = re.compile(r"[+-]?[\d.,]+\Z")


def html(answers: Sequence[Answer], title: str) -> str:
    """A table that scrolls in itself; `title` names it for those who hear it."""
    rows = "".join(
        f"<tr><td>{number:,}</td><td>{show.text(a.label)}</td><td>{show.text(_id(a))}</td></tr>"
        for number, a in enumerate(answers, 1)
    )
    head = "<tr><th scope='col'>No.</th><th scope='col'>Answer</th><th scope='col'>Id or value</th></tr>"
    inside = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    return (
        f'<div class="kbqa table" role="region" tabindex="0" aria-label="{show.attribute(title)}">'
        f"{inside}</div>"
    )


def to_csv(answers: Sequence[Answer]) -> bytes:
    """Columns answer and value, UTF-8 with the mark by which spreadsheets know it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("answer", "value"))
    writer.writerows((_harmless(a.label), _harmless(_id(a))) for a in answers)
    return out.getvalue().encode("utf-8-sig", errors="replace")


def _harmless(cell: str) -> str:
    """A spreadsheet would run what begins like a formula; a quotation mark before it makes it text."""
    return f"'{cell}" if cell[:1] in tuple("=+-@\t\r") and not _NUMBER.match(cell) else cell


def _id(answer: Answer) -> str:
    return answer.value.mid if isinstance(answer.value, Iri) else answer.value.lexical
