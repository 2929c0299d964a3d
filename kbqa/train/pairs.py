"""Training examples of the shipped network -> what a text-to-text model of each role reads and writes.

Rows: {"id", "origin", "source", "target"}. The same recipe's data serve all four roles:
    parser      question or sub-question -> program
    phraser     template -> sub-question
    listener    sub-question -> template
    corrector   sub-question -> template
"""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kbqa.errors import InputError, KbqaError
from kbqa.lexicon import Lexicon
from kbqa.models.roles import Role
from kbqa.parse.literals import Value, find_values
from kbqa.parse.marks import MARK, respaced, write_marked
from kbqa.parse.program import (
    CORRECTION_MARK,
    ENTITY_MARKS,
    QUESTION_MARK,
    STEP_MARKS,
    VALUE_MARKS,
    Pointers,
    read_program,
)
from kbqa.parse.text import program_text
from kbqa.phrase.text import entities_of, phraser_source, value_name, values_of
from kbqa.train.data import open_text, read_rows
from kbqa.types import Iri, Literal, freebase

_PART = re.compile(r" \| (?=\[unused\d+\] )")


@dataclass(frozen=True)
class Pair:
    """One training example of a text-to-text model."""

    id: str
    origin: str
    source: str
    target: str


def pairs(role: Role, examples: Iterable[dict[str, Any]], lexicon: Lexicon) -> Iterator[Pair]:
    """Those of the examples (rows of `kbqa.train.data.Example`) that the role learns from."""
    for e in examples:
        if role == "parser":
            yield Pair(e["id"], e["origin"], e["text"], program_text(e["program"]))
        elif e["text"].startswith(CORRECTION_MARK):
            made = _turned(role, e, lexicon)
            if made is not None:
                yield Pair(e["id"], e["origin"], *made)


def _turned(role: Role, e: dict[str, Any], lexicon: Lexicon) -> tuple[str, str] | None:
    """(source, target); None where the step has no template, or a question does not hold its names."""
    asked = read_correction(e["text"])
    before = len(asked.earlier)
    try:
        step = read_program(e["program"], asked.pointers).steps[0]
        if role != "phraser":
            return e["text"], write_marked(step, before, lexicon, asked.pointers.entities)
        entities = entities_of(step)
        template = write_marked(step, before, lexicon, entities)
    except (KbqaError, IndexError):
        return None
    names = [asked.names[asked.pointers.entities.index(i)] for i in entities]
    template, values = values_of(template)
    places = [_place(v, asked.pointers.values) for v in values]
    question = respaced(asked.spoken(entities, places))
    wanted = {*ENTITY_MARKS[: len(names)], *VALUE_MARKS[: len(values)]}
    if not wanted <= set(MARK.findall(question)):
        return None  # it names one otherwise ('Messi'), which a phraser must not learn
    told = [value_name(v) for v in values]
    return phraser_source(template, names, told, asked.earlier, asked.question), question


def _place(value: Literal, among: tuple[Value, ...]) -> int | None:
    """Where a template's value stands among those of a sub-question; None where it does not."""
    mine = {t for v in find_values(value.lexical) for t in (v.first, v.last, v.number) if t}
    return next((i for i, v in enumerate(among) if mine & {v.first, v.last, v.number}), None)


@dataclass(frozen=True)
class Correction:
    """What stands in the corrector's source text."""

    text: str
    names: tuple[str, ...]
    pointers: Pointers
    values: tuple[str, ...]
    earlier: tuple[str, ...]
    question: str | None

    def spoken(self, entities: tuple[Iri, ...], places: Sequence[int | None] = ()) -> str:
        """The sub-question with markers for these entities and for the values at these places, in their
        order, the rest in words."""
        marks = dict(zip(entities, ENTITY_MARKS, strict=False))
        shown = {
            own: marks.get(iri, name)
            for own, iri, name in zip(ENTITY_MARKS, self.pointers.entities, self.names, strict=False)
        }
        shown |= {
            own: VALUE_MARKS[places.index(i)] if i in places else text
            for i, (own, text) in enumerate(zip(VALUE_MARKS, self.values, strict=False))
        }
        return MARK.sub(lambda m: shown.get(m[0], m[0]), self.text)


def read_correction(text: str) -> Correction:
    """Inverse of `kbqa.parse.source.correction_source`, with entities of its own making."""
    first, *parts = _PART.split(text)
    told = [part.split(" ", 1) for part in parts]
    names = tuple(rest for mark, rest in told if mark in ENTITY_MARKS)
    values = tuple(rest for mark, rest in told if mark in VALUE_MARKS)
    found = tuple((*find_values(rest), Value(0, 0, rest))[0] for rest in values)
    entities = tuple(freebase(f"local.e{i}") for i in range(len(names)))
    earlier = tuple(rest for mark, rest in told if mark in STEP_MARKS)
    whole = [rest for mark, rest in told if mark == QUESTION_MARK]
    own = first.removeprefix(CORRECTION_MARK).strip()
    return Correction(own, names, Pointers(entities, found), values, earlier, whole[0] if whole else None)


# --- files ------------------------------------------------------------------


def write_pairs(found: Iterable[Pair], file: Path) -> int:
    """JSON lines, gzipped, whole or not at all; returns how many."""
    part, n = file.with_suffix(".part"), 0
    with gzip.open(part, "wt", encoding="utf-8") as out:
        for pair in found:
            out.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            n += 1
    part.replace(file)
    return n


def read_pairs(file: Path, origin: str) -> list[Pair]:
    """Rows {source, target} of JSON lines. Raises `InputError` naming the file and the row."""
    if not file.is_file():
        raise InputError(f"{file} is not there: expected JSON lines with 'source' and 'target'")
    out: list[Pair] = []
    for number, row in enumerate(read_rows(file), 1):
        source, target = (row.get(k) if isinstance(row, dict) else None for k in ("source", "target"))
        if not (isinstance(source, str) and isinstance(target, str) and source and target):
            raise InputError(f"{file.name}, row {number}: texts 'source' and 'target' expected")
        out.append(Pair(str(row.get("id", number)), origin, source, target))
    return out


def read_toml(path: Path) -> dict[str, Any]:
    """Raises `InputError` naming the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise InputError(f"{path}: {e.strerror}; expected a recipe (TOML)") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise InputError(f"{path}: no TOML: {e}") from None


def examples(file: Path) -> Iterator[dict[str, Any]]:
    """The rows that `kbqa.train.prepare` wrote."""
    with open_text(file) as lines:
        for line in lines:
            yield json.loads(line)
