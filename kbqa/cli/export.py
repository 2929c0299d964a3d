"""`kbqa export`: recorded dialogues as JSON lines."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from kbqa.cli.options import Output, RecordsFile
from kbqa.errors import InputError


def register(app: typer.Typer) -> None:
    app.command()(export)


def export(
    output: Output,
    training: Annotated[
        bool,
        typer.Option(
            "--training",
            help="Only accepted dialogues, as rows to train on: question, final SPARQL, steps, corrections.",
        ),
    ] = False,
    records: RecordsFile = None,
) -> None:
    """Recorded dialogues, oldest first, with every turn and version."""
    from kbqa.cli.rows import writing
    from kbqa.records import Records, default_path

    path = records or default_path()
    if not path.is_file():
        raise InputError(f"there are no recorded dialogues: no file {path}")
    with Records(path) as kept, writing(output) as out:
        for row in kept.training_rows() if training else kept.export():
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
