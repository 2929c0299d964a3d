"""`kbqa study`: user studies, from the study file to the analysis."""

from __future__ import annotations

import csv
import json
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from kbqa.cli.options import Input, Output
from kbqa.cli.rows import progress, reading, writing
from kbqa.cli.study_parts import StudyFile, engine_of, kb_of, made, number_of, study_of
from kbqa.cli.study_simulate import simulate
from kbqa.errors import InputError

Participant = Annotated[
    str, typer.Argument(metavar="PARTICIPANT", help="The hash, a completion code, or a link's secret.")
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept.")]

app = typer.Typer(
    help="User studies: links, pages, flags, pay, analysis (docs/study.md).",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(main: typer.Typer) -> None:
    main.add_typer(app, name="study")


@app.command()
def new(file: Annotated[Path, typer.Argument(metavar="STUDY", help="The file to write.")]) -> None:
    """Write a study file to start from: the published study's design, with every field explained."""
    from kbqa import study

    template = Path(study.__file__).with_name("template.toml")
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(template.read_text(encoding="utf-8"))
    except FileExistsError:
        raise InputError(f"{file} is there already: name another file") from None
    except OSError as e:
        raise InputError(f"{file} can't be written: {e.strerror or e}") from None
    typer.echo(f"{file} written: name your items in it, then run kbqa study check {file}")


@app.command()
def check(file: StudyFile) -> None:
    """Read the study file and items, find the gold answers, and say what the study takes."""
    from kbqa.study.gold import keep_gold
    from kbqa.study.inference import power_of_t

    with made(file) as held, engine_of(held.study, file) as engine:
        n = number_of(held, "items")
        with progress("gold answers", lambda: n) as tick:
            wrong = keep_gold(held, engine, tick)
        study = study_of(file)
        per = study.batch * study.pay.dialogue + study.pay.survey
        forms = held.tables.rows("SELECT comparison, count(*) AS n FROM forms GROUP BY comparison")
        for row in forms:
            systems = len(study.comparison(row["comparison"]).conditions)
            cost = row["n"] * (systems * per + study.pay.bonus)
            pairs = n * study.replications
            power = power_of_t(study.analysis.effect, n, study.analysis.alpha)
            typer.echo(
                f"{row['comparison']}: {row['n']} workers, {pairs} dialogues in each system, "
                f"{cost} {study.pay.currency}; power {power:.2f} for an effect of {study.analysis.effect:g}"
            )
    for name, why in wrong:
        typer.echo(f"kbqa: item {name}: {why}", err=True)
    typer.echo(f"ready in {study.folder.name}" + (f"; {len(wrong)} items to look at" if wrong else ""))


@app.command()
def invite(
    file: StudyFile,
    number: Annotated[int, typer.Option("--number", "-n", min=1, max=10_000, help="How many links.")],
    team: Annotated[str, typer.Option("--team", help="A name for this group, analysed by itself.")] = "",
    url: Annotated[
        str, typer.Option("--url", help="Where participants reach the pages.")
    ] = "http://127.0.0.1:8501",
) -> None:
    """Print new participants' links. They are shown once: the study keeps only their hashes."""
    with made(file) as held:
        for name in held.invite(number, team):
            typer.echo(f"{url.rstrip('/')}/?p={name}")


@app.command()
def serve(
    file: StudyFile,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")] = 8501,
) -> None:
    """Serve the participants' pages (Streamlit). Stops with Ctrl-C; what was said goes on afterwards."""
    from kbqa.cli.page import streamlit_call

    with made(file) as held:
        folder = held.folder
    command, environment = streamlit_call(host, port, kb_of(study_of(file), file), "study/app.py")
    command += _looks()
    environment["KBQA_STUDY"] = str(folder)
    sys.stdout.flush()
    os.execve(command[0], command, environment)


def _looks() -> list[str]:
    """The chat page's settings, which Streamlit would look for beside the script: its colours, and no
    details of errors; without the menu, where nothing is for participants."""
    from kbqa import assets

    def flat(table: Mapping[str, Any], name: str = "") -> Iterator[tuple[str, Any]]:
        for key, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{name}{key}.")
            else:
                yield name + key, value

    held = tomllib.loads((assets.ui() / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    settings = {**dict(flat(held)), "client.toolbarMode": "minimal"}
    return [f"--{name}={str(v).lower() if isinstance(v, bool) else v}" for name, v in settings.items()]


@app.command()
def status(file: StudyFile) -> None:
    """How far the study is, and who takes part."""
    with made(file) as held:
        for row in held.tables.rows(
            "SELECT f.comparison, count(*) AS n, sum(c.id IS NOT NULL) AS taken, sum(c.finished IS NOT NULL)"
            " AS done FROM forms f LEFT JOIN claims c ON c.form = f.number AND c.released IS NULL"
            " GROUP BY f.comparison"
        ):
            typer.echo(f"{row['comparison']}: {row['done']} of {row['n']} done, {row['taken']} taken")
        for row in held.tables.rows("SELECT id, team, excluded FROM participants ORDER BY created, id"):
            where = type(held.where(row["id"])).__name__
            typer.echo("\t".join(filter(None, (row["id"], where, row["team"]))))


@app.command()
def watch(file: StudyFile) -> None:
    """List what a person should look at; nothing is done about it."""
    from kbqa.study.outcomes import collect
    from kbqa.study.watch import flags

    with made(file) as held, held.records() as records:
        found = flags(collect(held, records, everybody=True).dialogues, held.study.monitoring)
    for flag in found:
        typer.echo(f"{flag.participant}\t{flag.kind}\t{flag.why}")
    typer.echo(f"{len(found)} flags: 'kbqa study exclude' or 'keep' says what you decided", err=True)


@app.command()
def exclude(file: StudyFile, participant: Participant, reason: Reason) -> None:
    """Leave a participant out of the analysis and of further tasks; the work is paid all the same."""
    from kbqa.study.watch import exclude as do

    with made(file) as held:
        do(held, held.find(participant), reason)


@app.command()
def release(file: StudyFile, participant: Participant, reason: Reason) -> None:
    """Give a participant's unfinished comparison to others."""
    from kbqa.study.watch import release as do

    with made(file) as held:
        do(held, held.find(participant), reason)


@app.command()
def keep(file: StudyFile, participant: Participant, reason: Reason) -> None:
    """Note that you have looked at a participant's flags and found nothing."""
    from kbqa.study.watch import keep as do

    with made(file) as held:
        do(held, held.find(participant), reason)


@app.command()
def pay(
    file: StudyFile,
    output: Output = "-",
    mark_paid: Annotated[
        bool, typer.Option("--mark-paid", help="Note that all of it has been paid.")
    ] = False,
) -> None:
    """What each participant has earned and is owed, as CSV."""
    from kbqa.study.pay import mark_paid as mark
    from kbqa.study.pay import owed

    with made(file) as held:
        found = owed(held)
        with writing(output) as out:
            rows = csv.writer(out, lineterminator="\n")
            rows.writerow(
                (
                    "participant",
                    "codes",
                    "dialogues",
                    "surveys",
                    "comparisons",
                    "earned",
                    "paid",
                    "due",
                    "currency",
                )
            )
            for o in found:
                counts = (o.dialogues, o.surveys, o.comparisons, o.earned, o.paid, o.due)
                rows.writerow((o.participant, " ".join(o.codes), *counts, held.study.pay.currency))
        if mark_paid:
            total = mark(held, {o.participant for o in found})
            typer.echo(f"marked as paid: {total} {held.study.pay.currency}", err=True)


@app.command()
def tasks(
    file: StudyFile,
    participants: Annotated[
        str,
        typer.Option(
            "--participants", metavar="F", help="One salted hash of a worker a line, as the platform has it."
        ),
    ],
    output: Output = "-",
) -> None:
    """Give each of a platform's workers a comparison, and write its dialogues for the crowd task."""
    from kbqa.study.tasks import seat, tasks_of

    with reading(participants) as lines:
        hashes = [text for _, line in lines if (text := line.decode(errors="replace").strip())]
    with made(file) as held:
        seated = seat(held, hashes)
        with writing(output) as out:
            for row in tasks_of(held, seated):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
    if len(seated) < len(set(hashes)):
        typer.echo(f"kbqa: {len(set(hashes)) - len(seated)} workers got nothing: none is free", err=True)


@app.command()
def take(file: StudyFile, input: Input) -> None:
    """Take a platform's results: the crowd task's journal, and rows of survey answers."""
    from kbqa.study.tasks import take_results

    with made(file) as held, held.records() as records, reading(input) as lines:
        found = take_results(held, records, lines)
    typer.echo(f"{found.dialogues} dialogues and {found.surveys} surveys taken")
    for number, why in found.refused:
        typer.echo(f"kbqa: line {number}: {why}", err=True)
    raise typer.Exit(1 if found.refused else 0)


@app.command("export")
def export_(file: StudyFile, participant: Participant, output: Output = "-") -> None:
    """All that is kept about one participant, as JSON."""
    from kbqa.study.privacy import export

    with made(file) as held, held.records() as records:
        found = export(held, records, held.find(participant))
    with writing(output) as out:
        out.write(json.dumps(found, ensure_ascii=False, indent=1) + "\n")


@app.command()
def erase(
    file: StudyFile,
    participant: Participant,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
) -> None:
    """Erase all that is kept about one participant, dialogues included. Pay first: it can't be undone."""
    from kbqa.study.privacy import erase as do

    with made(file) as held, held.records() as records:
        found = held.find(participant)
        if not yes:
            typer.confirm(f"Erase participant {found} with all dialogues?", abort=True)
        typer.echo(f"erased, with {do(held, records, found)} dialogues")


@app.command()
def analyse(
    source: Annotated[
        Path, typer.Argument(metavar="DIR|DB", help="The study's folder, or study.sqlite in it.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the report.")],
    judgements: Annotated[
        Path | None,
        typer.Option("--judgements", metavar="F", help="to_judge.csv of an earlier analysis, filled in."),
    ] = None,
) -> None:
    """The published tables and figures for this study, from its records alone."""
    from kbqa.study.register import Register
    from kbqa.study.report import write_report

    folder = source.parent if source.is_file() else source
    with Register(folder) as held, held.records() as records:
        found = write_report(held, records, output, judgements)
    for row in found["tables"]["success"]:
        if row["measure"] == "inferable" and row["n"]:
            typer.echo(
                f"{row['comparison']}: {row['condition']} {100 * row['value']:.1f} % inferably correct "
                f"({100 * row['low']:.1f} to {100 * row['high']:.1f}, n = {row['n']:g})"
            )
    typer.echo(f"report: {output / 'report.html'}")


app.command()(simulate)
