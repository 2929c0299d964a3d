"""`kbqa evaluate`: measures over files of predictions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kbqa.cli import runs
from kbqa.cli.options import Output
from kbqa.cli.rows import Row, digest, optional_text, read_row, reading, text_field, writing
from kbqa.errors import InputError

if TYPE_CHECKING:
    from kbqa.evaluate.predictions import Correction, Predicted

_SAID = (
    "Predictions are matched to gold rows by id. A missing or failed one counts as wrong; their ids are "
    "listed. Shares are 0 to 1, with 95 % bootstrap intervals."
)
group = typer.Typer(
    help="Measures over files of predictions; which questions to ask; people's rates.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=_SAID,
)
Gold = Annotated[
    str, typer.Option("--gold", metavar="F", help="The gold rows: JSON lines, .gz is read as such.")
]
Predictions = Annotated[
    str, typer.Option("--predictions", metavar="F", help="The rows that a command of the same name wrote.")
]


def register(app: typer.Typer) -> None:
    runs.register(group)
    app.add_typer(group, name="evaluate")


@group.command("parse", epilog=_SAID)
def parse(
    gold: Gold,
    predictions: Predictions,
    output: Output = "-",
    kb: Annotated[
        str | None,
        typer.Option("--kb", metavar="KB", help="Compare answers, too, over this knowledge base ('stub')."),
    ] = None,
) -> None:
    """Exact match, recall in the n best, steps point by point, answer F1.

    Gold rows {id, sparql, type?}, predictions {id, parses: [{sparql}]} as `kbqa parse` writes them.
    """
    from kbqa.evaluate.predictions import GoldQuery, score_parses
    from kbqa.kb import open_kb

    def row_of(name: str, row: Row) -> GoldQuery:
        return GoldQuery(name, text_field(row, "sparql"), optional_text(row, "type") or "")

    rows = (row_of(name, row) for name, row in _rows(gold))
    found = {name: _texts(row, "parses", "sparql") for name, row in _rows(predictions)}
    if kb is None:
        report = score_parses(rows, found)
    else:
        with open_kb(kb) as opened:
            report = score_parses(rows, found, opened.store)
            report["kb"] = opened.signature
    _write(report, gold, predictions, output)


@group.command("correct", epilog=_SAID)
def correct(gold: Gold, predictions: Predictions, output: Output = "-") -> None:
    """Accuracy of corrections, and recall in the n best.

    Gold rows {id, template?, sparql?, type?}, predictions {id, templates: [{text, sparql}]} as `kbqa correct`
    writes them.
    """
    from kbqa.evaluate.predictions import GoldStep, score_corrections

    def row_of(name: str, row: Row) -> GoldStep:
        template, sparql = optional_text(row, "template") or "", optional_text(row, "sparql") or ""
        if not template and not sparql:
            raise InputError(f"{gold}, id {name}: 'template' or 'sparql' expected")
        return GoldStep(name, template, sparql, optional_text(row, "type") or "")

    rows = (row_of(name, row) for name, row in _rows(gold))
    found = {name: _readings(row) for name, row in _rows(predictions)}
    _write(score_corrections(rows, found), gold, predictions, output)


@group.command("phrase", epilog=_SAID)
def phrase(
    gold: Gold,
    predictions: Predictions,
    output: Output = "-",
    reconstruct: Annotated[
        bool,
        typer.Option(
            "--reconstruct",
            help="Reconstruction accuracy, too: whether what reads corrections gets the template back.",
        ),
    ] = False,
    kb: Annotated[
        str | None,
        typer.Option("--kb", metavar="KB", help="The knowledge base whose names the listener knows."),
    ] = None,
) -> None:
    """Entity fidelity of natural sub-questions, reconstruction accuracy, and BLEU with sacrebleu.

    Gold rows {id, template, questions?: [text], question?, history?: [..], type?}, predictions {id,
    questions: [{text}]} as `kbqa phrase` writes them.
    """
    from kbqa.cli.rows import texts_field
    from kbqa.evaluate.predictions import GoldPhrase, score_phrasings

    def row_of(name: str, row: Row) -> GoldPhrase:
        return GoldPhrase(
            name,
            text_field(row, "template"),
            texts_field(row, "questions"),
            optional_text(row, "type") or "",
            optional_text(row, "question"),
            texts_field(row, "history"),
        )

    rows = (row_of(name, row) for name, row in _rows(gold))
    found = {name: _texts(row, "questions", "text") for name, row in _rows(predictions)}
    if not reconstruct:
        _write(score_phrasings(rows, found), gold, predictions, output)
        return
    from kbqa.cli.correct import recovers
    from kbqa.engine import Engine

    with Engine.open(kb) as engine:
        report = score_phrasings(rows, found, lambda row, text: recovers(engine, row, text))
        report["listener"] = engine.signature
    _write(report, gold, predictions, output)


# --- rows ----------------------------------------------------------------------------


def _rows(source: str) -> Iterator[tuple[str, Row]]:
    """(id, row). Raises `InputError` naming the file and line of what can't be used."""
    if source == "-":
        raise InputError("--gold and --predictions name files: standard input can't be read twice")
    seen: set[str] = set()
    with reading(source) as lines:
        for number, line in lines:
            try:
                row = read_row(number, line)
            except InputError as e:
                raise InputError(f"{source}: {e}") from None
            if row.get("id") is None:
                raise InputError(f"{source}, line {number}: the field 'id' is missing")
            name = str(row["id"])
            if name in seen:
                raise InputError(f"{source}, line {number}: the id {name!r} is there twice")
            seen.add(name)
            yield name, row


def _texts(row: Row, field: str, key: str) -> Predicted:
    from kbqa.evaluate.predictions import Predicted

    if row.get("error") is not None:
        return Predicted(failed=True)
    return Predicted(tuple(text_field(item, key) for item in _items(row, field)))


def _readings(row: Row) -> Correction:
    from kbqa.evaluate.predictions import Correction

    if row.get("error") is not None:
        return Correction(failed=True)
    items = _items(row, "templates")
    return Correction(
        tuple((optional_text(i, "text") or "", optional_text(i, "sparql") or "") for i in items)
    )


def _items(row: Row, field: str) -> list[Row]:
    items = row.get(field)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InputError(f"prediction {row.get('id')!r}: a list of objects in {field!r} expected, or 'error'")
    return items


def _write(report: dict[str, Any], gold: str, predictions: str, output: str) -> None:
    from kbqa import __version__

    files = {"gold": gold, "predictions": predictions}
    hashes = {name: f"{Path(file).name} {digest(file)[0]}" for name, file in files.items()}
    signed = {**report, "signature": {**hashes, "version": __version__}}
    with writing(output) as out:
        out.write(json.dumps(signed, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
