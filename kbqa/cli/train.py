"""`kbqa train` and `kbqa synth`: making models and their data."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kbqa.models.roles import Role

group = typer.Typer(help="Train a model by a recipe.", no_args_is_help=True, rich_markup_mode=None)

Config = Annotated[
    Path,
    typer.Option(
        "--config",
        help='The recipe (TOML), such as models/parser/recipe.toml; with a line base = "google-t5/t5-base" '
        "(a hub id or a folder) that T5 or BART checkpoint is fine-tuned.",
    ),
]
Data = Annotated[Path, typer.Option("--data", help="The folder of published rows that the recipe names.")]
Out = Annotated[Path, typer.Option("--out", help="The folder of the checkpoint; an interrupted run goes on.")]


@group.callback()
def _train() -> None:
    """Train a model by a recipe."""


@group.command("parser")
def parser(
    config: Config,
    data: Data,
    out: Out,
    encoder: Annotated[
        Path | None, typer.Option("--encoder", help="A folder with a BERT-like encoder; default: MiniLM-L6.")
    ] = None,
) -> None:
    """Train the parser (question -> query); needs the extra 'train'. Resumable, seeded; a GPU is used
    where there is one."""
    if "base" in _settings(config):
        _tune("parser", config, data, out)
        return
    from kbqa.train.parser import train_parser

    figures = train_parser(config, data, out, encoder, _report)
    typer.echo(json.dumps(figures))


@group.command("phraser")
def phraser(config: Config, data: Data, out: Out) -> None:
    """Train the phraser (template -> sub-question), or fine-tune one from the recipe's base. Needs the extra
    'train'."""
    if "base" in _settings(config):
        _tune("phraser", config, data, out)
        return
    from kbqa.train.phraser import train_phraser

    figures = train_phraser(config, data, out, None, _report)
    typer.echo(json.dumps(figures))


@group.command("reranker")
def reranker(config: Config, out: Out) -> None:
    """Train the reranker (question and readings -> the right one) upon the shipped parser, from what this
    project ships. Resumable, seeded; a GPU is used where there is one."""
    from kbqa.train.reranker import train_reranker

    figures = train_reranker(config, out, _report)
    typer.echo(json.dumps(figures))


@group.command("listener")
def listener(config: Config, data: Data, out: Out) -> None:
    """Fine-tune a listener (sub-question -> template) from the recipe's base. Needs the extra 'train'."""
    _tune("listener", config, data, out)


@group.command("corrector")
def corrector(config: Config, data: Data, out: Out) -> None:
    """Fine-tune a corrector (sub-question -> template) from the recipe's base. Needs the extra 'train'."""
    _tune("corrector", config, data, out)


def _tune(role: Role, config: Path, data: Path, out: Path) -> None:
    from kbqa.errors import InputError, ModelError

    if "base" not in _settings(config):
        raise InputError(
            f'{config}: a {role} of its own is fine-tuned from a checkpoint: add base = "google-t5/t5-base" '
            "(a hub id or a folder); the shipped corrector is trained with the parser (kbqa train parser)"
        )
    try:
        from kbqa.train.seq2seq import tune
    except ModuleNotFoundError as e:
        raise ModelError(f"fine-tuning needs the package {e.name}: pip install 'kbqa[train]'") from None
    with _bar(role) as tick:
        figures = tune(role, config, data, out, _report, tick)
    typer.echo(json.dumps(figures))


def _settings(config: Path) -> dict[str, object]:
    from kbqa.train.pairs import read_toml

    return read_toml(config)


def _report(line: str) -> None:
    typer.echo(line, err=True)


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int, float], None]]:
    """A progress bar with the loss on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("loss {task.fields[loss]:.3f}"),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None, loss=0.0)
        yield lambda step, total, loss: bar.update(task, completed=step, total=total, loss=loss)


def synth(
    n: Annotated[int, typer.Option("--n", min=1, help="How many questions.")],
    output: Annotated[str, typer.Option("--output", help="The file to write; '-' is standard output.")],
    kb: Annotated[
        str | None,
        typer.Option(
            "--kb", help="A folder of `kbqa kb build`, an RDF file or an endpoint; default: the stub."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same questions.")] = 0,
    noise: Annotated[
        float, typer.Option("--noise", min=0, max=1, help="Share of questions with a slip of the pen.")
    ] = 0.1,
    style: Annotated[
        float, typer.Option("--style", min=0, max=1, help="Share that is terse, chatty or in two sentences.")
    ] = 0.0,
) -> None:
    """Synthetic questions with their query, steps and sub-questions.

    Rows: {id, question, type, entities: {id: name}, sparql, steps: [template], sub_questions: [[wording]]}
    """
    from kbqa.cli.rows import writing
    from kbqa.synth.rows import opened, rows

    graph, lexicon = opened(kb)
    gc.freeze()  # the graph stays; to look it through for garbage again and again takes a tenth of the time
    with writing(output) as out:
        for row in rows(graph, lexicon, n, seed, noise, style):
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="train")
    app.command()(synth)
