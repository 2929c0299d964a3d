"""`kbqa parse`, `kbqa decompose`, `kbqa phrase`: rows in, rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kbqa.cli.options import Input, Kb, ModeName, Output, mode_named
from kbqa.cli.rows import Row, Work, entities_field, optional_text, run_batch, text_field, texts_field
from kbqa.errors import InputError

if TYPE_CHECKING:
    from kbqa.engine import Engine

ROWS = (
    "One row is written per input row, in the same order. A row that fails has "
    '"error": {"type", "message"} instead, the run goes on, and the exit code is 1.'
)
Nbest = typer.Option("--n", min=1, max=100, help="How many at most, best first.")


def register(app: typer.Typer) -> None:
    app.command(epilog=ROWS)(parse)
    app.command(epilog=ROWS)(decompose)
    app.command(epilog=ROWS)(phrase)


def parse(
    input: Input,
    output: Output = "-",
    n: Annotated[int, Nbest] = 5,
    gold_entities: Annotated[
        bool,
        typer.Option("--gold-entities", help="Take the row's entities; look for none in the question."),
    ] = False,
    kb: Kb = None,
) -> None:
    """Questions to SPARQL.

    Rows {id, question, entities?: {iri or mid: name}} -> {id, parses: [{sparql, logprob}]}, best first.
    """
    from kbqa.sparql import render

    def work(engine: Engine, row: Row) -> dict[str, Any]:
        question = text_field(row, "question")
        if gold_entities and row.get("entities") is None:
            raise InputError("the field 'entities' is missing; --gold-entities needs it")
        entities = entities_field(row) if gold_entities else None
        found = engine.parse(question, entities, n)
        return {"parses": [{"sparql": render(p.query), "logprob": p.logprob} for p in found]}

    raise typer.Exit(run_batch(input, output, with_engine(kb, work)))


def decompose(input: Input, output: Output = "-") -> None:
    """SPARQL queries to steps in templated English.

    Rows {id, sparql, entities?: {iri or mid: name}} -> {id, steps: [{template, sparql}], recomposed}.
    An entity without a name is shown by its id.
    """
    raise typer.Exit(run_batch(input, output, nullcontext(decompose_row), workers=2))


def decompose_row(row: Row) -> dict[str, Any]:
    """A function of the module, so that it can be sent to another process."""
    from kbqa.decompose import decompose, recompose, recompose_step
    from kbqa.lexicon import freebase_lexicon
    from kbqa.sparql import parse, render
    from kbqa.templates import Names, write_all

    lexicon = freebase_lexicon()
    query = parse(text_field(row, "sparql"))
    names = Names(entities_field(row))
    found = decompose(query, lexicon.mediators)
    templates = write_all(found.steps, lexicon, names)
    steps = [
        {"template": template, "sparql": render(recompose_step(found, number))}
        for number, template in enumerate(templates, 1)
    ]
    return {"steps": steps, "recomposed": render(recompose(found))}


def phrase(
    input: Input,
    output: Output = "-",
    mode: ModeName = "full",
    n: Annotated[int, Nbest] = 10,
    kb: Kb = None,
) -> None:
    """Templated sub-questions to natural ones.

    Rows {id, template, question?, history?: [..]} -> {id, questions: [{text, logprob, listener_logprob}]},
    best first. `question` is the whole question, `history` the sub-questions before this one.
    `listener_logprob` is null where no listener read the text.
    """
    chosen = mode_named(mode)

    def work(engine: Engine, row: Row) -> dict[str, Any]:
        template = text_field(row, "template")
        question, history = optional_text(row, "question"), texts_field(row, "history")
        found = engine.phrase(template, question, history, chosen, n)
        return {
            "questions": [
                {"text": p.text, "logprob": p.logprob, "listener_logprob": p.listener_logprob} for p in found
            ]
        }

    raise typer.Exit(run_batch(input, output, with_engine(kb, work)))


@contextmanager
def with_engine(kb: str | None, work: Callable[[Engine, Row], dict[str, Any]]) -> Iterator[Work]:
    """The work of every row, on one engine that is closed in the end."""
    from kbqa.engine import Engine

    engine = Engine.open(kb)
    try:
        yield lambda row: work(engine, row)
    finally:
        engine.close()
