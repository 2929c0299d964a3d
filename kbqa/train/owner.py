"""What the owner of a graph has confirmed: questions with their queries, and words that corrected a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from kbqa.decompose import decompose
from kbqa.errors import DecompositionError, InputError, QueryError, TemplateError
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.parse.program import ProgramError, write_step
from kbqa.parse.source import correction_source, place
from kbqa.sparql import parse
from kbqa.templates import Names, read
from kbqa.train.data import Example
from kbqa.train.offered import Offers
from kbqa.train.prepare import as_example
from kbqa.types import Decomposition, Guards, Iri, Query


@dataclass(frozen=True, slots=True)
class Said:
    """A person's words for one step: the step as it was then read, and what had been asked before."""

    text: str
    template: str
    history: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnerRow:
    """One question. `where`: its file and row, for messages; `entities`: names, where the row has any; `kb`:
    what it was asked of, where the row says so."""

    where: str
    question: str
    sparql: str
    entities: Mapping[Iri, str]
    corrections: tuple[Said, ...] = ()
    kb: str = ""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A row read. `steps`: None where its query can't be put as steps; `names`: of what it speaks of."""

    row: OwnerRow
    query: Query
    steps: Decomposition | None
    names: Mapping[Iri, str]


def confirmed(row: OwnerRow, kb: KnowledgeBase) -> Confirmed:
    """Raises `InputError` naming the row whose query can't be read."""
    try:
        query = parse(row.sparql)
    except QueryError as e:
        raise InputError(f"{row.where}: the field 'sparql': a SPARQL query expected: {e}") from None
    steps = None
    with suppress(DecompositionError):
        steps = decompose(query, kb.lexicon.mediators)
        if "FILTER" not in row.sparql:
            steps = Decomposition(steps.steps, Guards())
    constants = [c for s in steps.steps for c in constants_of(s) if isinstance(c, Iri)] if steps else []
    return Confirmed(row, query, steps, {**kb.names.fetch(constants), **row.entities})


def examples(found: Confirmed, kb: KnowledgeBase, offers: Offers) -> Iterator[Example]:
    """The question, and what was said of its steps, as the parser is given them in use; nothing where no
    program can say it."""
    row, names = found.row, tuple(found.names.items())
    if found.steps is not None:
        entities = offers.as_in_use(row.question, place(row.question, names))
        yield from as_example(row.where, "owner", row.question, entities, found.steps)
    for said in row.corrections:
        with suppress(TemplateError, ProgramError):
            step = read(said.template, len(said.history) + 1, kb.lexicon, Names(dict(names)))
            entities = offers.as_in_use(said.text, place(said.text, names))
            prepared = correction_source(said.text, entities, said.history, row.question)
            yield Example(row.where, "owner", prepared.text, write_step(step, prepared.pointers))
