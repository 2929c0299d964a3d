"""The target questions of a study, and how they are dealt into blocks."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from kbqa.errors import InputError
from kbqa.simulate.goal import GoldRow


@dataclass(frozen=True, slots=True)
class Item:
    """`row`: the line it was read from, as JSON, with its gold query; participants never see that."""

    id: str
    question: str
    type: str
    row: str

    def gold_row(self) -> GoldRow:
        from kbqa.cli.gold import gold_row

        return gold_row(1, self.id, json.loads(self.row))


def read_items(path: Path, limit: int | None) -> tuple[Item, ...]:
    """Rows {id, question, sparql, entities?, type?, steps?, sub_questions?}, one JSON object a line.

    Raises `InputError` naming the line where one can't be read, or where an id or a question stands
    twice (a worker must not meet the same target question twice).
    """
    from kbqa.cli.rows import read_row, reading

    found: list[Item] = []
    lines: dict[str, int] = {}
    with reading(str(path)) as numbered:
        for number, line in islice(numbered, limit):
            try:
                item = _item(read_row(number, line))
            except InputError as e:
                raise InputError(f"{path.name}, line {number}: {e}") from None
            for key in (f"id {item.id}", _same(item.question)):
                if key in lines:
                    raise InputError(
                        f"{path.name}, line {number}: the {key} stands in line {lines[key]} too; each "
                        "target question must stand there once, so that no worker meets one twice"
                    )
                lines[key] = number
            found.append(item)
    return tuple(found)


def _item(row: Mapping[str, Any]) -> Item:
    from kbqa.cli.gold import gold_row
    from kbqa.sparql import parse

    name = row.get("id")
    if not isinstance(name, str | int) or not str(name).strip():
        raise InputError("the field 'id' is missing")
    gold = gold_row(0, str(name), row)
    parse(gold.sparql)
    return Item(str(name), gold.question.strip(), gold.type, json.dumps(row, ensure_ascii=False))


def _same(question: str) -> str:
    return "question " + " ".join(question.casefold().split()).rstrip(" ?.!")


def blocks(items: Sequence[Item], size: int, seed: int) -> tuple[tuple[Item, ...], ...]:
    """The items in blocks of `size`, each type spread over the blocks as evenly as it can be;
    deterministic. Raises `InputError` where they don't come out even."""
    if not items or len(items) % size:
        even = len(items) - len(items) % size
        raise InputError(
            f"there are {len(items)} target questions and {size} dialogues in a batch, so that each item "
            f"can't be used equally often; set limit = {even} in the study file, or add rows"
            if even
            else f"there are {len(items)} target questions; a batch alone needs {size}: add rows"
        )
    rng = random.Random(f"{seed}/blocks")
    by_type: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        by_type[item.type].append(item)
    order: list[Item] = []
    for kind in sorted(by_type):
        rng.shuffle(by_type[kind])
        order.extend(by_type[kind])
    count = len(items) // size
    dealt = [order[start::count] for start in range(count)]
    for block in dealt:
        rng.shuffle(block)
    rng.shuffle(dealt)
    return tuple(map(tuple, dealt))
