"""`kbqa simulate`: dialogues with simulated users, and their report."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kbqa.cli.gold import gold_rows
from kbqa.cli.options import Input, Kb
from kbqa.cli.rows import digest, progress, read_row, reading, text_field
from kbqa.dialogue import MODES, Mode
from kbqa.errors import InputError

if TYPE_CHECKING:
    from kbqa.simulate.play import Plan

_ROWS = (
    "Rows {id, question, sparql, entities?: {iri or mid: name}, type?, steps?: [template], sub_questions?: "
    "[[wording]]}. The folder gets dialogues.jsonl (one row per dialogue and mode, appended), report.json, "
    "report.html and settings.json. A run that was stopped goes on when the same command is given again. "
    "The exit code is 1 if a dialogue failed; it counts as wrong."
)
ROWS_PER_WORKER = 10
"""Fewer rows are not worth another process."""


def register(app: typer.Typer) -> None:
    app.command(epilog=_ROWS)(simulate)


def simulate(
    input: Input,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the run.")],
    mode: Annotated[
        str, typer.Option("--mode", metavar="MODE", help=f"all, or one or more of {', '.join(MODES)}.")
    ] = "all",
    user: Annotated[
        str,
        typer.Option(
            "--user",
            metavar="USER",
            help="oracle (always right), oracle-in-words (as oracle, but never copies templated English), "
            "human (misreads, slips, gives up, accepts what is wrong), human-aided (and undoes and takes "
            "alternatives), or a file of rates that 'kbqa evaluate calibrate' wrote.",
        ),
    ] = "oracle",
    edits: Annotated[int, typer.Option("--edits", min=0, max=50, help="Corrections in one dialogue.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same dialogues.")] = 0,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N rows.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, show_default="the cores", help="Processes."),
    ] = None,
    gold_entities: Annotated[
        bool,
        typer.Option("--gold-entities", help="Take the row's entities; look for none in the question."),
    ] = False,
    training_rows: Annotated[
        str | None,
        typer.Option(
            "--training-rows",
            metavar="F",
            help="Rows of training queries: a predicate in at most three of them counts as sparse.",
        ),
    ] = None,
    kb: Kb = None,
) -> None:
    """Play dialogues with a simulated user who holds the gold query, and report how they went."""
    from kbqa.engine import Engine
    from kbqa.simulate.play import Plan
    from kbqa.simulate.profiles import find_profile
    from kbqa.simulate.run import simulate as run

    modes = _modes(mode)
    plan = Plan(modes, find_profile(user), seed, edits, gold_entities)
    common = common_of(training_rows) if training_rows else None
    with _rereadable(input) as source:
        hashed, n = digest(source, limit)
        if not n:
            raise InputError(f"{input} holds no rows: JSON lines with id, question and sparql expected")
        settings = _settings(plan, input, hashed, n)
        processes = workers or max(1, min(os.cpu_count() or 1, n // ROWS_PER_WORKER))
        with progress("dialogues", lambda: n * len(modes)) as tick:
            rows = gold_rows(source, limit, gold_entities)
            opened = partial(Engine.open, kb)
            settings = run(rows, plan, opened, output, settings, workers=processes, tick=tick)
    raise typer.Exit(_report(output, settings, common))


def _modes(text: str) -> tuple[Mode, ...]:
    if text == "all":
        return tuple(MODES.values())
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in MODES]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is none of all, {', '.join(MODES)}", param_hint="--mode")
    return tuple(MODES[name] for name in dict.fromkeys(names))


def _settings(plan: Plan, source: str, hashed: str, n: int) -> dict[str, Any]:
    from kbqa import __version__
    from kbqa.simulate.profiles import rates_of

    return {
        "data": Path(source).name,
        "data_sha256": hashed,
        "rows": n,
        "modes": [m.name for m in plan.modes],
        "user": plan.profile.name,
        "profile": hashlib.sha256(repr(plan.profile).encode()).hexdigest()[:12],
        "rates": rates_of(plan.profile),
        "seed": plan.seed,
        "edits": plan.edits,
        "entities": "gold" if plan.gold_entities else "own linking",
        "version": __version__,
    }


# --- rows ----------------------------------------------------------------------------


@contextmanager
def _rereadable(source: str) -> Iterator[str]:
    """A file that can be read twice; standard input is copied to one."""
    if source != "-":
        yield source
        return
    with tempfile.NamedTemporaryFile(prefix="kbqa-rows-", suffix=".jsonl") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        yield copy.name


def common_of(source: str) -> frozenset[str]:
    """The predicates of the training rows that are not sparse; rows without a readable query are passed
    over."""
    from kbqa.errors import QueryError
    from kbqa.evaluate.kinds import common_predicates
    from kbqa.sparql import parse
    from kbqa.types import Query

    def queries() -> Iterator[Query]:
        with reading(source) as lines:
            for number, line in lines:
                try:
                    yield parse(text_field(read_row(number, line), "sparql"))
                except QueryError:
                    continue

    return common_predicates(queries())


# --- report --------------------------------------------------------------------------


def _report(folder: Path, settings: dict[str, Any], common: frozenset[str] | None) -> int:
    """Writes report.json and report.html, says the figures; the exit code."""
    from kbqa.simulate.page import page
    from kbqa.simulate.report import make_report
    from kbqa.simulate.run import read_records, replace_file

    report = make_report(read_records(folder), settings, common)
    worst = [tuple(w) for w in report["worst"]]
    chosen = {(r["row"], r["mode"]): r for r in read_records(folder) if (r["row"], r["mode"]) in worst}
    text = json.dumps(report, ensure_ascii=False, allow_nan=False, indent=1)
    replace_file(folder / "report.json", text + "\n")
    replace_file(folder / "report.html", page(report, [chosen[w] for w in worst]))
    for name, m in report["modes"].items():
        first, last = m["exact_match"][0]["value"], m["exact_match"][-1]["value"]
        typer.echo(
            f"{name}: exact match {100 * first:.1f} % at first, {100 * last:.1f} % at last, "
            f"{100 * m['officially_correct']['value']:.1f} % officially correct, "
            f"{m['edits']['value']:.2f} edits a dialogue (n = {m['n']:,})"
        )
    typer.echo(f"report: {folder / 'report.html'}")
    if report["failed"]:
        typer.echo(f"kbqa: {report['failed']:,} dialogues failed; the report says why", err=True)
    return 1 if report["failed"] else 0
