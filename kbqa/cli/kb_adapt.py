"""`kbqa kb adapt`: the parser fine-tuned for an own graph."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbqa.cli.rows import Row, entities_field, optional_text, read_row, reading, text_field, texts_field
from kbqa.errors import InputError, KnowledgeBaseError, ModelError
from kbqa.train.figures import Adapted, Figure

if TYPE_CHECKING:
    from kbqa.train.owner import OwnerRow, Said


def adapt(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `kbqa kb build` made.")],
    questions: Annotated[
        str | None,
        typer.Option("--questions", metavar="F", help="Your own: JSON lines {question, sparql, entities?}."),
    ] = None,
    dialogues: Annotated[
        str | None,
        typer.Option(
            "--dialogues", metavar="F", help="Confirmed dialogues: what `kbqa export --training` writes."
        ),
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, help="The most that training takes.")] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Of the questions that are made, and of training.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where the parser is put; default: DIR/parser."),
    ] = None,
) -> None:
    """Fine-tune the parser for your graph: on questions made over it, and on those you confirmed. It is kept,
    and used from then on, where it answers no fewer of the held-out questions rightly than before. A run that
    was stopped goes on when called again."""
    from kbqa.kb.build import is_kb

    if not is_kb(folder):
        raise KnowledgeBaseError(
            f"{folder} is no built knowledge base: expected a folder that `kbqa kb build` made"
        )
    rows = [row for source in (questions, dialogues) if source for row in owner_rows(source)]
    try:
        from kbqa.train.adapt import adapt as made
        from kbqa.train.own_data import Plan
    except ModuleNotFoundError as e:
        raise ModelError(f"fine-tuning needs the package {e.name}: pip install 'kbqa[train]'") from None
    try:
        with _bar() as tick:
            found = made(folder, Plan(minutes=minutes, seed=seed), rows, out=out, report=_report, tick=tick)
    except KeyboardInterrupt:
        _report(f"stopped; {folder} is as it was, and the same command goes on from here")
        raise
    for line in table(found):
        typer.echo(line)
    typer.echo(_outcome(folder, found, out))


def owner_rows(source: str) -> Iterator[OwnerRow]:
    """Raises `InputError` naming the file, the row and what was expected."""
    with reading(source) as lines:
        for number, line in lines:
            where = f"{source}, row {number}"
            try:
                row = read_row(number, line)
                yield _owner_row(where, row)
            except InputError as e:
                raise InputError(
                    f"{where}: {e}; expected {{question, sparql}}, or a row of `kbqa export --training`"
                ) from None


def _owner_row(where: str, row: Row) -> OwnerRow:
    from kbqa.train.owner import OwnerRow

    asked, sparql = text_field(row, "question"), text_field(row, "sparql")
    said = row.get("corrections") or []
    if not isinstance(said, list) or not all(isinstance(c, dict) for c in said):
        raise InputError("the field 'corrections': a list of objects expected")
    entities, kb = entities_field(row), optional_text(row, "kb") or ""
    return OwnerRow(where, asked, sparql, entities, tuple(map(_said, said)), kb)


def _said(row: Row) -> Said:
    from kbqa.train.owner import Said

    return Said(text_field(row, "text"), text_field(row, "template"), texts_field(row, "history"))


def table(found: Adapted) -> Iterator[str]:
    """What was measured, and what is to be told of the rows."""
    yield f"{'right at first try':<34} {'n':>4} {'before':>8} {'after':>8}"
    for f in found.figures:
        yield f"{_named(f):<34} {f.n:>4} {_percent(f.before, f.n):>8} {_percent(f.after, f.n):>8}"
    yield from found.notes


_WAYS = {"as asked": "rules first, as asked", "parser alone": "parser alone"}


def _named(f: Figure) -> str:
    return f"{f.asked}, {_WAYS[f.way]}"


def _percent(right: int, n: int) -> str:
    return f"{100 * right / n:.1f} %" if n else "-"


def _outcome(folder: Path, found: Adapted, out: Path | None) -> str:
    after = f"{found.steps:,} steps"
    if found.kept is None:
        worse = ", ".join(_named(f) for f in found.figures if f.after < f.before)
        return (
            f"after {after} fewer are right ({worse}): nothing is kept, {folder} is as it was; more "
            "--minutes, more confirmed --questions or another --seed may help"
        )
    if out is not None:
        return (
            f"{found.kept}: {found.signature}, {after}; moved to {folder / 'parser'} it is used for {folder}"
        )
    return f"{found.kept}: {found.signature}, {after}; kbqa ask --kb {folder} uses it from now on"


def _report(line: str) -> None:
    typer.echo(line, err=True)


@contextmanager
def _bar() -> Iterator[Callable[[float, float], None]]:
    """A progress bar of the training on stderr, where that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("training"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("loss {task.fields[loss]:.3f}"),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("training", total=1.0, loss=0.0, visible=False)
        yield lambda done, loss: bar.update(task, completed=done, loss=loss, visible=True)


def adapted_line(folder: Path) -> str | None:
    """For a report: that the folder has a parser of its own, and what it was measured to gain."""
    from kbqa.kb.build import ADAPTED, ADAPTED_NOTES

    if not (folder / ADAPTED).is_dir():
        return None
    try:
        notes = json.loads((folder / ADAPTED / ADAPTED_NOTES).read_text(encoding="utf-8"))
        figures = [Figure(**row) for row in notes["figures"]]
    except (OSError, ValueError, KeyError, TypeError) as e:
        return f"\nParser of its own in {folder / ADAPTED}; what it gained can't be read ({e})"
    gains = [
        f"{_named(f)}: {_percent(f.before, f.n)} before, {_percent(f.after, f.n)} since" for f in figures
    ]
    return "\n".join(["", f"Parser of its own ({ADAPTED}), right at first try on held-out questions", *gains])
