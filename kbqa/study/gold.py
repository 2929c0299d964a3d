"""What the items' gold queries mean and find, kept with the study so that the analysis needs no store."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from kbqa.engine import Engine
from kbqa.errors import InputError, QueryError
from kbqa.evaluate.answers import Answers, execute
from kbqa.evaluate.dialogues import Gold
from kbqa.evaluate.forms import form
from kbqa.evaluate.kinds import question_type
from kbqa.records.codec import decode, encode
from kbqa.simulate.goal import goal_of
from kbqa.sparql import canonical, parse
from kbqa.study.items import Item
from kbqa.study.register import Register
from kbqa.types import Decomposition, Query


@dataclass(frozen=True, slots=True)
class GoldItem:
    """An item's gold: `query` in canonical form, `form` of its steps (None where it has none), what a
    dialogue is measured against, and the question's type."""

    query: Query
    form: Query | None
    gold: Gold
    type: str


def keep_gold(
    register: Register, engine: Engine, tick: Callable[[int], None] = lambda _: None
) -> list[tuple[str, str]]:
    """Finds the gold steps and answers of the items that have none yet, on the engine's store. Returns
    (item id, what is the matter) of those whose answers are not to be had. Raises `StoreUnavailable`,
    `InputError` where the study's other items were looked up on another knowledge base."""
    held = register.tables.row("SELECT kb FROM study")
    if held and held["kb"] not in (None, engine.kb.name):
        raise InputError(
            f"this study's gold answers come from the knowledge base {held['kb']!r}, and the one that "
            f"is open is {engine.kb.name!r}: open that one, or give the new study another folder"
        )
    with register.tables.writing():
        register.tables.run("UPDATE study SET kb = ?", engine.kb.name)
    for row in register.tables.rows("SELECT * FROM items WHERE gold IS NULL"):
        found = _gold(Item(row["id"], row["question"], row["type"], row["row"]), engine)
        with register.tables.writing():
            register.tables.run("UPDATE items SET gold = ? WHERE id = ?", found, row["id"])
        tick(1)
    return list(_complaints(register))


def _gold(item: Item, engine: Engine) -> str:
    row = item.gold_row()
    goal = goal_of(row, engine.kb.lexicon)
    steps = goal.ways[0] if goal.ways else ()
    answers = execute(engine.kb.store, goal.query)
    return json.dumps(
        {
            "sparql": row.sparql,
            "steps": encode(Decomposition(steps)),
            "answers": None if answers is None else sorted(map(list, answers)),
            "type": row.type or question_type(steps),
        }
    )


def _complaints(register: Register) -> list[tuple[str, str]]:
    found = []
    for name, item in read_gold(register).items():
        if item.gold.answers is None:
            found.append((name, "its gold query has no answer in time"))
        elif not item.gold.answers:
            found.append((name, "its gold query finds nothing in this knowledge base"))
    return found


def read_gold(register: Register) -> dict[str, GoldItem]:
    """By item id. Raises `InputError` where `keep_gold` has not been done."""
    found = {}
    for row in register.tables.rows("SELECT id, gold FROM items"):
        if row["gold"] is None:
            raise InputError(
                f"the gold answers of {row['id']!r} are not there: 'kbqa study check STUDY.toml' finds them"
            )
        found[row["id"]] = _read(json.loads(row["gold"]))
    return found


def _read(kept: dict[str, object]) -> GoldItem:
    steps = decode(kept["steps"]).steps
    listed = kept["answers"]
    answers: Answers | None = None
    if isinstance(listed, list):
        answers = frozenset((kind, value) for kind, value in listed)
    try:
        query = canonical(parse(str(kept["sparql"])))
    except QueryError as e:
        raise InputError(f"a gold query of this study can't be read: {e}") from None
    return GoldItem(query, form(steps) if steps else None, Gold(steps, answers), str(kept["type"]))
