"""Synthetic questions over the stub in writers' own words, and sub-questions for their steps.

How they were written: models/README.md.

Rows of `models/paraphrases.jsonl`: {"id", "type", "steps": [template], "entities": {id: name}, "sparql",
"questions"?: [text], "asked"?: the question that was taken apart, "sub_questions"?: [[text] for each step]}.
In a text, {2:the Yankees} stands for 'the Yankees', which mean the row's second entity.
"""

from __future__ import annotations

import json
import random
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha1
from pathlib import Path
from typing import Any

from kbqa.assets import models
from kbqa.decompose import decompose
from kbqa.errors import InputError, KbqaError
from kbqa.lexicon import Lexicon, freebase_lexicon
from kbqa.parse.program import Pointers, ProgramError, from_one, write_program, write_step
from kbqa.parse.source import Entity, Source, correction_source, source
from kbqa.sparql import parse
from kbqa.train.data import Example
from kbqa.train.offered import Offers
from kbqa.types import Decomposition, Iri, freebase

_MENTION = re.compile(r"\{(\d+):([^{}]+)\}")
_HELD_OUT = 10
"""Of so many rows one is not trained on."""


Writer = Callable[[Decomposition, Pointers], tuple[str, ...]]


@dataclass(frozen=True)
class Told:
    """A text, and what it mentions where."""

    text: str
    entities: tuple[Entity, ...]


@dataclass(frozen=True)
class Paraphrased:
    """One row. `sub_questions`: for each step, or nothing."""

    id: str
    type: str
    decomposition: Decomposition
    questions: tuple[Told, ...]
    asked: str
    sub_questions: tuple[tuple[Told, ...], ...]


def shipped() -> Path:
    """The file that this project ships."""
    return models() / "paraphrases.jsonl"


def read(
    file: Path, lexicon: Lexicon, *, held_out: bool, single_steps: bool = False, share: float = 1.0
) -> Iterator[Paraphrased]:
    """The rows to train on, or those held out: about one of ten, by id. `single_steps`: only what was asked
    for one step; `share`: of the rows, by id, too. Raises `InputError` naming file and line of a row that
    can't be used."""
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if single_steps and len(row["steps"]) > 1 and not row.get("sub_questions"):
                    continue
                if is_held_out(row["id"]) == held_out and drawn(row["id"]) < share:
                    yield _row(row, lexicon)
            except (KbqaError, KeyError, IndexError, ValueError, TypeError, AttributeError) as e:
                raise InputError(f"{file.name}, line {number}: no row of paraphrases: {e!r}") from None


def is_held_out(name: str) -> bool:
    """Whether the row of this id is never trained on: about one of ten."""
    return int(sha1(name.encode()).hexdigest(), 16) % _HELD_OUT == 0


def drawn(name: str) -> float:
    """A number in 0..1 that has nothing to do with what is held out."""
    return int(sha1(f"drawn {name}".encode()).hexdigest(), 16) / 16**40


def _row(row: dict[str, Any], lexicon: Lexicon) -> Paraphrased:
    entities = [(Iri(k) if ":" in k else freebase(k), name) for k, name in row["entities"].items()]
    found = decompose(parse(row["sparql"]), lexicon.mediators)
    sub_questions = tuple(tuple(told(t, entities) for t in step) for step in row.get("sub_questions", ()))
    if sub_questions and len(sub_questions) != len(found.steps):
        raise InputError(f"{len(found.steps)} steps, but sub-questions for {len(sub_questions)}")
    questions = tuple(told(t, entities) for t in row.get("questions", ()))
    return Paraphrased(row["id"], row["type"], found, questions, row.get("asked", ""), sub_questions)


def plain(written: str) -> str:
    """A text without the marks of its mentions."""
    return _MENTION.sub(r"\2", written)


def told(written: str, entities: list[tuple[Iri, str]]) -> Told:
    """Read a text with its mentions marked. Raises `InputError` for a number that no entity has."""
    text, found, at = "", [], 0
    for m in _MENTION.finditer(written):
        number = int(m[1])
        if not 1 <= number <= len(entities):
            raise InputError(f"{m[0]!r}: there are {len(entities)} entities")
        text += written[at : m.start()]
        iri, name = entities[number - 1]
        found.append(Entity(iri, name, len(text), len(text) + len(m[2])))
        text, at = text + m[2], m.end()
    return Told(text + written[at:], tuple(found))


# --- training examples ---


def paraphrases(
    copies: int,
    seed: int,
    linked: float = 0.0,
    noise: float = 0.0,
    held_out: bool = False,
    single_steps: bool = False,
    share: float = 1.0,
) -> Iterator[Example]:
    """Questions and sub-questions in writers' own words, each so many times, as it was offered entities and
    context differently; those held out instead where asked for. Questions of one step are learned from
    as corrections, too. `noise`: the share that is typed hastily from the second copy on; `single_steps`,
    `share`: as `read` means them."""
    offers, order = Offers(), random.Random(seed)
    for row in read(shipped(), freebase_lexicon(), held_out=held_out, single_steps=single_steps, share=share):
        for copy in range(copies):
            for told in row.questions:
                typed = hasty(told, order) if copy > 0 and order.random() < noise else told
                text = typed.text
                entities = offers.to(text, list(typed.entities), order, linked)
                yield from _paraphrase(row, source(text, entities), write_program, copy)
                if len(row.decomposition.steps) == 1 and not row.sub_questions:
                    fix = correction_source(text, entities)
                    yield from _paraphrase(row, fix, _step(0), copy)
            for number in range(len(row.sub_questions)):
                yield from _sub_questions(row, number, offers, order, linked, copy)


def _sub_questions(
    row: Paraphrased, number: int, offers: Offers, order: random.Random, linked: float, copy: int
) -> Iterator[Example]:
    """What was written for one step: with what was asked before and the whole question, or alone."""
    earlier = [order.choice(asked).text for asked in row.sub_questions[:number] if asked]
    for told in row.sub_questions[number]:
        entities = list(told.entities)
        if order.random() < linked:
            entities = offers.as_in_use(told.text, entities)
        alone = order.random() < 0.3
        whole = None if alone or order.random() < 0.2 else row.asked
        prepared = correction_source(told.text, entities, () if alone else earlier, whole)

        yield from _paraphrase(row, prepared, _alone(number) if alone else _step(number), copy)


def _paraphrase(
    row: Paraphrased,
    prepared: Source,
    program: Writer,
    copy: int,
) -> Iterator[Example]:
    with suppress(ProgramError):
        written = program(row.decomposition, prepared.pointers)
        yield Example(f"{row.id}-{copy}", "paraphrases", prepared.text, written)


def _step(number: int) -> Writer:
    return lambda steps, pointers: write_step(steps.steps[number], pointers)


def _alone(number: int) -> Writer:
    return lambda steps, pointers: from_one(write_step(steps.steps[number], pointers))


def hasty(told: Told, order: random.Random) -> Told:
    """As typed in a hurry: in lower case, no sign at the end, half of the time without apostrophes."""
    end = max((e.end for e in told.entities), default=0)
    text = (told.text[:end] + told.text[end:].rstrip("?!. ")).lower()
    if order.random() < 0.5:
        return Told(text, told.entities)
    left_out = [i for i, letter in enumerate(text) if letter in "'’"]

    def moved(place: int) -> int:
        return place - bisect_left(left_out, place)

    entities = tuple(replace(e, start=moved(e.start), end=moved(e.end)) for e in told.entities)
    return Told("".join(c for c in text if c not in "'’"), entities)
