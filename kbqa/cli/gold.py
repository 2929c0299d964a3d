"""Rows with gold queries, as simulated users are given them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from kbqa.cli.rows import (
    Row,
    entities_field,
    optional_text,
    read_row,
    reading,
    text_field,
    texts_field,
)
from kbqa.errors import InputError

if TYPE_CHECKING:
    from kbqa.simulate.goal import GoldRow
    from kbqa.simulate.play import Unread


def gold_rows(
    source: str, limit: int | None = None, gold_entities: bool = False
) -> Iterator[GoldRow | Unread]:
    """One at a time. `gold_entities`: a row without 'entities' can't be used."""
    with reading(source) as lines:
        for number, line in islice(lines, limit):
            yield _row(number, line, gold_entities)


def _row(number: int, line: bytes, gold_entities: bool) -> GoldRow | Unread:
    from kbqa.simulate.play import Unread

    name = f"line {number}"
    try:
        row = read_row(number, line)
        name = str(row.get("id") or name)
        if gold_entities and row.get("entities") is None:
            raise InputError("the field 'entities' is missing; --gold-entities needs it")
        return gold_row(number, name, row)
    except InputError as e:
        return Unread(number, name, e.as_row())


def gold_row(number: int, name: str, row: Row) -> GoldRow:
    """Raises `InputError` naming the field that is missing or wrong."""
    from kbqa.simulate.goal import GoldRow

    return GoldRow(
        number,
        name,
        text_field(row, "question"),
        text_field(row, "sparql"),
        entities_field(row),
        optional_text(row, "type") or "",
        texts_field(row, "steps"),
        _wordings(row),
    )


def _wordings(row: Row) -> tuple[tuple[str, ...], ...]:
    """`sub_questions`: for each step one wording or a list of them."""
    value = row.get("sub_questions")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InputError("the field 'sub_questions': a list with the wordings of each step expected")
    each = [[v] if isinstance(v, str) else v for v in value]
    if not all(isinstance(v, list) and all(isinstance(text, str) for text in v) for v in each):
        raise InputError("the field 'sub_questions': texts, or lists of texts, expected for each step")
    return tuple(tuple(text for text in v if text.strip()) for v in each)
