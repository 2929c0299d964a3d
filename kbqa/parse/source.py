"""What the parser reads: the question with its entities and values behind markers.

    what language is used in the country where [e0] was created ? | [e0] Faxe Premium

Markers stand for spans, so that names and numbers are copied by pointer and come back exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from kbqa.link.normalise import key
from kbqa.parse.literals import Value, find_values
from kbqa.parse.program import (
    CORRECTION_MARK,
    ENTITY_MARKS,
    MAX_ENTITIES,
    MAX_VALUES,
    QUESTION_MARK,
    STEP_MARKS,
    VALUE_MARKS,
    Pointers,
)
from kbqa.types import Iri

_FUZZY = 82.0


@dataclass(frozen=True)
class Entity:
    """An entity offered to the parser; [start, end) is its mention, (-1, -1) if it has none."""

    iri: Iri
    name: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True)
class Source:
    """The text for the encoder and what its markers point to."""

    text: str
    pointers: Pointers


def source(question: str, entities: Sequence[Entity], values: Sequence[Value] | None = None) -> Source:
    """Mark the spans. Entities with a mention come first, in the question's order."""
    found = sorted((e for e in entities if e.start >= 0), key=lambda e: e.start)
    loose = [e for e in entities if e.start < 0]
    chosen = (found + loose)[:MAX_ENTITIES]
    spans = [(e.start, e.end, ENTITY_MARKS[i]) for i, e in enumerate(chosen) if e.start >= 0]
    all_values = find_values(question) if values is None else values
    kept = [v for v in all_values if not any(v.start < e and s < v.end for s, e, _ in spans)][:MAX_VALUES]
    spans += [(v.start, v.end, VALUE_MARKS[i]) for i, v in enumerate(kept)]
    out, at = [], 0
    for start, end, mark in sorted(spans):
        out += [question[at:start], f" {mark} "]
        at = end
    out.append(question[at:])
    names = [f"{ENTITY_MARKS[i]} {e.name}" for i, e in enumerate(chosen)]
    numbers = [f"{VALUE_MARKS[i]} {v.text}" for i, v in enumerate(kept)]
    text = " | ".join([" ".join("".join(out).split()), *names, *numbers])
    return Source(text, Pointers(tuple(e.iri for e in chosen), tuple(kept)))


def correction_source(
    text: str,
    entities: Sequence[Entity],
    earlier: Sequence[str] = (),
    question: str | None = None,
) -> Source:
    """What the corrector reads: a sub-question, the sub-questions before it and the whole question.

        [fix] who leads that country ? | [e0] France | [s1] what country has Paris ? | [q] ...

    Without `earlier` and `question` it is decontextualized. Entities that only the earlier steps
    name may be offered too, unplaced.
    """
    own = source(text, entities)
    steps = [f"{m} {' '.join(t.split())}" for m, t in zip(STEP_MARKS, earlier, strict=False)]
    whole = [f"{QUESTION_MARK} {' '.join(question.split())}"] if question else []
    return Source(" | ".join([f"{CORRECTION_MARK} {own.text}", *steps, *whole]), own.pointers)


def place(question: str, entities: Sequence[tuple[Iri, str]]) -> list[Entity]:
    """Find where each named entity is mentioned: exactly, else the most similar run of words."""
    words = _words(question)
    taken: list[tuple[int, int]] = []
    out: dict[Iri, Entity] = {}
    for iri, name in sorted(entities, key=lambda e: -len(e[1])):
        start, end = _span(question, words, name, taken)
        if start >= 0:
            taken.append((start, end))
        out[iri] = Entity(iri, name, start, end)
    return [out[iri] for iri, _ in entities]


def _words(question: str) -> list[tuple[int, int]]:
    out, start = [], -1
    for i, c in enumerate(question + " "):
        if c.isalnum():
            start = i if start < 0 else start
        elif start >= 0:
            out.append((start, i))
            start = -1
    return out


def _span(
    question: str, words: list[tuple[int, int]], name: str, taken: list[tuple[int, int]]
) -> tuple[int, int]:
    wanted = key(name)
    if not wanted:
        return -1, -1
    length = len(wanted.split())
    best, where = _FUZZY, (-1, -1)
    for size in sorted({length, length + 1, max(1, length - 1), length + 2}):
        for i in range(len(words) - size + 1):
            span = words[i][0], words[i + size - 1][1]
            if any(span[0] < e and s < span[1] for s, e in taken):
                continue
            score = fuzz.ratio(wanted, key(question[span[0] : span[1]]))
            if score > best:
                best, where = score, span
    return where
