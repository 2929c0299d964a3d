"""`kbqa correct`: a person's sub-questions to templated English and SPARQL, rows in, rows out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kbqa.cli.batch import ROWS, Nbest, with_engine
from kbqa.cli.options import Input, Kb, ModeName, Output, mode_named
from kbqa.cli.rows import Row, optional_text, run_batch, text_field, texts_field
from kbqa.dialogue import FULL, Mode
from kbqa.errors import DecompositionError, InputError, StoreError, TemplateError

if TYPE_CHECKING:
    from kbqa.correct import Context, Corrected
    from kbqa.engine import Engine
    from kbqa.evaluate.predictions import GoldPhrase
    from kbqa.types import Iri, Step

_SAMPLE, _SAMPLE_S = 5, 5.0
"""Answers of an earlier step that are looked at, and the seconds spent on finding them."""


def register(app: typer.Typer) -> None:
    app.command(epilog=ROWS)(correct)


def correct(
    input: Input,
    output: Output = "-",
    mode: ModeName = "full",
    n: Annotated[int, Nbest] = 5,
    kb: Kb = None,
) -> None:
    """A person's sub-questions to templated English.

    Rows {id, feedback, question?, history?: [..]} -> {id, templates: [{text, logprob, sparql}]}, best first;
    none where the feedback is not understood. `feedback` is the sub-question, `question` the whole
    question, `history` the sub-questions or templates before this one, to which 'that film' may refer.
    """
    chosen = mode_named(mode)
    if not chosen.edits:
        raise InputError(f"the mode '{mode}' takes no corrections; choose another one with --mode")

    def work(engine: Engine, row: Row) -> dict[str, Any]:
        feedback = text_field(row, "feedback")
        context = context_of(engine, optional_text(row, "question"), texts_field(row, "history"), chosen)
        found = engine.correct_in(feedback, context, n=n)
        return {"templates": [t for c in found if (t := _template(engine, context, c)) is not None]}

    raise typer.Exit(run_batch(input, output, with_engine(kb, work)))


def context_of(engine: Engine, question: str | None, history: Sequence[str], mode: Mode) -> Context:
    """The earlier sub-questions, each read to a step after those before it, with what the mode grants.

    Raises `InputError` naming the one that can't be read.
    """
    from kbqa.correct import Context

    context = Context(question=question if mode.context else None)
    for number, shown in enumerate(history, 1):
        found = engine.correct_in(shown, context, n=1)
        if not found:
            raise InputError(
                f"the field 'history': sub-question {number}, {shown!r}, was not understood; give it as a "
                "template, as `kbqa decompose` writes them"
            )
        context = _after(engine, context, found[0].step, shown if mode.context else None)
    return context


def recovers(engine: Engine, row: GoldPhrase, text: str) -> bool | None:
    """Whether a question is read back as its template's step, in the same context; None where the
    template or what was asked before it can't be read here."""
    from kbqa.correct import TemplateCorrector

    try:
        context = context_of(engine, row.question, row.history, FULL)
    except InputError:
        return None
    mentions = tuple(engine.kb.linker.link(row.template))
    wanted = TemplateCorrector(engine.kb.lexicon).correct(row.template, mentions, context, n=1)
    if not wanted:
        return None
    try:
        found = engine.correct_in(text, context, n=1) if text else ()
    except InputError:
        return False
    return bool(found) and found[0].step == wanted[0].step


def _after(engine: Engine, context: Context, step: Step, shown: str | None) -> Context:
    from kbqa.correct import Context
    from kbqa.templates.write import noun_of

    steps = (*context.steps, step)
    return Context(
        steps,
        (*context.nouns, noun_of(steps, len(steps), engine.kb.lexicon)),
        (*context.samples, _sample(engine, steps)),
        context.shown if shown is None else (*context.shown, shown),
        context.question,
        tuple(_names(engine, steps).items()),
    )


def _sample(engine: Engine, steps: tuple[Step, ...]) -> tuple[Iri, ...]:
    """Some answers of the last step; none where the store has none in time."""
    from kbqa.answers import collect
    from kbqa.types import Iri

    try:
        rows = engine.kb.store.select(_sparql(steps), time_limit_s=_SAMPLE_S, row_limit=_SAMPLE)
    except StoreError:
        return ()
    return tuple(v for v in collect(rows) if isinstance(v, Iri))


def _template(engine: Engine, context: Context, corrected: Corrected) -> dict[str, Any] | None:
    """One reading as it is written; None for one that no sentence or query can say."""
    from kbqa.templates import Names, write

    steps = (*context.steps, corrected.step)
    nouns = dict(enumerate(context.nouns, 1))
    try:
        names = Names(_names(engine, steps))
        text = write(corrected.step, len(steps), engine.kb.lexicon, names, nouns)
        return {"text": text, "logprob": corrected.logprob, "sparql": _sparql(steps)}
    except (TemplateError, DecompositionError):
        return None


def _sparql(steps: tuple[Step, ...]) -> str:
    from kbqa.decompose import recompose_step
    from kbqa.sparql import render
    from kbqa.types import Decomposition

    return render(recompose_step(Decomposition(steps), len(steps)))


def _names(engine: Engine, steps: Sequence[Step]) -> dict[Iri, str]:
    from kbqa.intake import constants_of
    from kbqa.types import Iri

    return engine.kb.names.fetch([c for s in steps for c in constants_of(s) if isinstance(c, Iri)])
