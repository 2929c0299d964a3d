"""Rows of published data sets and synthetic questions -> training examples of the parser."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from kbqa.decompose import decompose
from kbqa.errors import InputError, KbqaError
from kbqa.lexicon import Lexicon
from kbqa.parse.literals import find_values
from kbqa.parse.program import write_program, write_step
from kbqa.parse.source import correction_source, place, source
from kbqa.sparql import parse
from kbqa.synth.generate import held_out_wordings, normal
from kbqa.types import Decomposition, Guards, Iri, freebase


@dataclass(frozen=True)
class Example:
    """One training example: the encoder's text and the program's tokens."""

    id: str
    origin: str
    text: str
    program: tuple[str, ...]


def open_text(path: Path) -> TextIO:
    """A text file, unpacked if its name ends in .gz."""
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """JSON lines. Raises `InputError` naming file and line."""
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError as e:
                raise InputError(f"{path.name}, line {number}: not JSON ({e.msg})") from None


def named(entities: dict[str, str | None]) -> list[tuple[Iri, str]]:
    """{mid or IRI: name} -> pairs; a missing name is the id."""
    return [(Iri(k) if ":" in k else freebase(k), v or k) for k, v in entities.items()]


def example(row: dict[str, Any], decomposition: Decomposition, origin: str) -> Example:
    """Raises `ProgramError` where the question doesn't hold what the query needs."""
    prepared = source(row["question"], place(row["question"], named(row["entities"])))
    program = write_program(decomposition, prepared.pointers)
    return Example(row["id"], origin, prepared.text, program)


def correction(row: dict[str, Any], decomposition: Decomposition, origin: str) -> Example:
    """A question of one step as a sub-question that corrects one, without context."""
    prepared = correction_source(row["question"], place(row["question"], named(row["entities"])))
    return Example(
        row["id"] + "-fix", origin, prepared.text, write_step(decomposition.steps[0], prepared.pointers)
    )


MADE = ("synth", "corrections", "paraphrases", "asked")
"""Origins whose examples are made from the stub, the lexicon and what this project ships."""
SUB_QUESTIONS = ("webqsp_train", "simplequestions")
"""Origins whose questions of one step people would ask as sub-questions, too."""
TRIVIA = ("freebaseqa",)
"""Origins whose questions say more than their queries do where they name several things."""
_COMPARES = re.compile(
    r"\b(first|last|latest|earliest|largest|smallest|most|least|highest|lowest|biggest|oldest|youngest|before"
    r"|after|than|newest|fewest|longest|shortest|tallest|greatest)\b",
    re.IGNORECASE,
)


def from_rows(rows: Iterable[dict[str, Any]], lexicon: Lexicon, origin: str) -> Iterator[Example | str]:
    """Examples, or the reason why a row gave none. Queries without filters get the usual guards, silver
    ones for questions that speak of dates, numbers or comparisons are left out (theirs are lost);
    of several queries for one question the first is taken; the wordings that the papers' questions
    are tried with are left out."""
    seen: set[str] = set()
    known: dict[str, Decomposition] = {}  # rows in another style have the query of the row they are of
    for row in rows:
        if normal(row["question"]) in held_out_wordings():
            yield "a held-out wording"
            continue
        asked = row.get("question_id") or row["id"]
        if asked in seen:
            yield "another query for the same question"
            continue
        seen.add(asked)
        if row.get("has_unknown"):
            yield "silver query with unknown parts"
            continue
        if "silver_sparql" in row and (_COMPARES.search(row["question"]) or find_values(row["question"])):
            yield "silver query that may lack a comparison"
            continue
        if origin in TRIVIA and (len(row["entities"]) != 1 or find_values(row["question"])):
            yield "says more than its query"
            continue
        if not all(row["entities"].values()):
            yield "an entity without a name"
            continue
        try:
            sparql = without_types(row["sparql"])
            if sparql not in known:
                known[sparql] = decompose(parse(sparql), lexicon.mediators)
            found = known[sparql]
            if "FILTER" not in sparql:
                found = Decomposition(found.steps, Guards())
            yield example(row, found, origin)
            if origin in SUB_QUESTIONS and len(found.steps) == 1:
                yield correction(row, found, origin)
        except KbqaError as e:
            yield f"{e.type}: {e}"


_TYPED = re.compile(r"^\S+ ns:type\.object\.type \S+ \.\n", re.MULTILINE)
_GIVEN = re.compile(r"^VALUES (\?\w+) \{ (\S+) \}\n", re.MULTILINE)
_UNLIKE = re.compile(r"^FILTER \( \?\w+ != .*\)\n", re.MULTILINE)
_NESTED = re.compile(
    r"SELECT \((COUNT\()?\?(\w+)\)? AS \?value\) WHERE \{\nSELECT DISTINCT \?\2  WHERE \{\n(.*)\}\n\}\s*\Z",
    re.DOTALL,
)


def without_types(sparql: str) -> str:
    """A query in GrailQA's manner, with its constants in place and the class of each variable left
    out, which its words name and its predicates imply; other queries as they are."""
    nested = _NESTED.search(sparql)
    if nested is None:
        return sparql
    counted, variable, body = nested.groups()
    body = _UNLIKE.sub("", _TYPED.sub("", body))
    for name, value in _GIVEN.findall(body):
        body = re.sub(rf"{re.escape(name)}(?!\w)", value, body)
    body = re.sub(r"^VALUES .*\n", "", body, flags=re.MULTILINE)
    head = f"(COUNT(DISTINCT ?{variable}) AS ?value)" if counted else f"DISTINCT ?{variable}"
    return f"{sparql[: nested.start()]}SELECT {head} WHERE {{\n{body}}}"


def write_examples(examples: Iterable[Example], path: Path) -> int:
    """JSON lines, gzipped; returns how many."""
    n = 0
    with gzip.open(path, "wt", encoding="utf-8") as out:
        for e in examples:
            out.write(json.dumps(asdict(e), ensure_ascii=False) + "\n")
            n += 1
    return n
