"""`kbqa train` and `kbqa synth`: making models and their data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

group = typer.Typer(help="Train a model by a recipe.", no_args_is_help=True, rich_markup_mode=None)


@group.callback()
def _train() -> None:
    """Train a model by a recipe."""


@group.command("parser")
def parser(
    config: Annotated[
        Path, typer.Option("--config", help="The recipe (TOML), such as models/parser/recipe.toml.")
    ],
    data: Annotated[Path, typer.Option("--data", help="The folder of published rows that the recipe names.")],
    out: Annotated[
        Path, typer.Option("--out", help="The folder of the checkpoint; an interrupted run goes on.")
    ],
    encoder: Annotated[
        Path | None, typer.Option("--encoder", help="A folder with a BERT-like encoder; default: MiniLM-L6.")
    ] = None,
) -> None:
    """Train the parser; needs the extra 'train'. Resumable, seeded; a GPU is used where there is one."""
    from kbqa.train.parser import train_parser

    figures = train_parser(config, data, out, encoder, lambda line: typer.echo(line, err=True))
    typer.echo(json.dumps(figures))


def synth(
    n: Annotated[int, typer.Option("--n", min=1, help="How many questions.")],
    output: Annotated[str, typer.Option("--output", help="The file to write; '-' is standard output.")],
    kb: Annotated[
        str | None, typer.Option("--kb", help="An N-Triples file (.nt); default: the stub.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same questions.")] = 0,
    noise: Annotated[
        float, typer.Option("--noise", min=0, max=1, help="Share of questions with a slip of the pen.")
    ] = 0.1,
) -> None:
    """Synthetic questions with their query, steps and sub-questions.

    Rows: {id, question, type, entities: {id: name}, sparql, steps: [template], sub_questions: [[wording]]}
    """
    from kbqa.cli.rows import writing
    from kbqa.lexicon import freebase_lexicon
    from kbqa.synth.rows import open_graph, rows

    graph = open_graph(kb)
    with writing(output) as out:
        for row in rows(graph, freebase_lexicon(), n, seed, noise):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="train")
    app.command()(synth)
