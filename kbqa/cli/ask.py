"""`kbqa ask`: one question in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from kbqa.cli.options import Kb, ModeName, mode_named

ShowSparql = Annotated[bool, typer.Option("--sparql", help="Show the SPARQL of each step and of the whole.")]


def register(app: typer.Typer) -> None:
    app.command()(ask)


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In English, in quotation marks.")],
    mode: ModeName = "full",
    kb: Kb = None,
    json: Annotated[
        bool, typer.Option("--json", help="Write the dialogue document instead: one JSON object.")
    ] = False,
    sparql: ShowSparql = False,
) -> None:
    """One question: how it was understood, step by step, and the answers."""
    from kbqa.engine import Engine

    question = question.encode(errors="surrogateescape").decode(errors="replace")
    engine = Engine.open(kb)
    try:
        dialogue = engine.ask(question, mode_named(mode))
    finally:
        engine.close()
    if json:
        from json import dumps

        from kbqa.document import document

        typer.echo(dumps(document(dialogue), ensure_ascii=False, indent=2))
    else:
        from kbqa.cli.show import console, show

        show(dialogue, console(), sparql=sparql)
