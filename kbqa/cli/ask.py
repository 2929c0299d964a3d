"""`kbqa ask` and `kbqa chat`: questions in the terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from kbqa.cli.options import Kb, ModeName, mode_named
from kbqa.errors import KbqaError

ShowSparql = Annotated[bool, typer.Option("--sparql", help="Show the SPARQL of each step and of the whole.")]


def register(app: typer.Typer) -> None:
    app.command()(ask)
    app.command()(chat)


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


def chat(mode: ModeName = "full", kb: Kb = None, sparql: ShowSparql = False) -> None:
    """Questions in a loop: each is answered step by step. An empty line or Ctrl-D ends it."""
    from kbqa.cli.app import report
    from kbqa.cli.show import console, show
    from kbqa.engine import Engine

    out = console()
    engine = Engine.open(kb)
    try:
        for question in _questions():
            try:
                show(engine.ask(question, mode_named(mode)), out, sparql=sparql)
            except KbqaError as e:
                report(e)
    except KeyboardInterrupt:
        out.print()
    finally:
        engine.close()


def _questions() -> Iterator[str]:
    """Lines of standard input; a terminal is prompted and may be left with an empty line."""
    at_terminal = sys.stdin.isatty()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if at_terminal:
        import readline  # noqa: F401  (arrow keys and history)

        print("Ask a question in English. An empty line ends the chat.")
    while True:
        try:
            line = input("> ") if at_terminal else sys.stdin.readline()
        except EOFError:
            return
        if not line.strip():
            if at_terminal or not line:
                return
            continue
        yield line.strip()
