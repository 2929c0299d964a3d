"""The folder of an analysis: tables as CSV, everything as JSON, an HTML page and a datasheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from kbqa.errors import InputError
from kbqa.records import Records
from kbqa.simulate.run import replace_file
from kbqa.study.analysis import analyse
from kbqa.study.heds import as_markdown, datasheet
from kbqa.study.inference import Table
from kbqa.study.outcomes import Done, Left, collect
from kbqa.study.page import page
from kbqa.study.register import Register
from kbqa.study.watch import flags

JUDGED = ("dialogue_id", "confirmed", "generation_error")
"""Columns of a file of judgements; 1 or 0."""


def write_report(
    register: Register, records: Records, output: Path, judgements: Path | None = None
) -> dict[str, Any]:
    """Analyses the study and writes the folder; returns the tables and the signature. Raises
    `InputError` where the folder can't be written or the judgements can't be read."""
    study = register.study
    left = collect(register, records)
    if judgements is not None:
        left = judged(left, judgements)
    everybody = collect(register, records, everybody=True)
    found = [asdict(f) for f in flags(everybody.dialogues, study.monitoring)]
    tables: dict[str, Table] = analyse(study, left)
    signature = signature_of(register, left, judgements)
    sheet = datasheet(study, left, tables)
    text = "|".join(f"{k}:{v}" for k, v in signature.items())
    whole = {"signature": signature, "notes": _notes(register, left), "tables": tables, "flags": found}
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name, rows in tables.items():
            replace_file(output / f"{name}.csv", _csv(rows))
        replace_file(output / "dialogues.csv", _csv(_flat(d) for d in left.dialogues))
        replace_file(output / "ratings.csv", _csv(map(asdict, left.ratings)))
        replace_file(output / "preferences_each.csv", _csv(map(asdict, left.preferences)))
        replace_file(output / "flags.csv", _csv(found))
        replace_file(output / "to_judge.csv", _csv(_to_judge(left)))
        replace_file(output / "heds.json", json.dumps(sheet, ensure_ascii=False, indent=1) + "\n")
        replace_file(output / "heds.md", as_markdown(sheet))
        replace_file(
            output / "analysis.json", json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
        )
        replace_file(output / "report.html", page(study.title, text, tables, found))
    except OSError as e:
        raise InputError(f"the report can't be written to {output}: {e.strerror or e}") from None
    return whole


def signature_of(register: Register, left: Left, judgements: Path | None) -> dict[str, Any]:
    """Every choice behind the figures."""
    from kbqa import __version__

    study = register.study
    kept = register.tables.row("SELECT items_hash, kb FROM study") or {}
    return {
        "study": study.title,
        "items_sha256": str(kept.get("items_hash", ""))[:16],
        "kb": kept.get("kb"),
        "participants": len({d.participant for d in left.dialogues}),
        "dialogues": len(left.dialogues),
        "edits": study.edits,
        "seed": study.seed,
        "trials": study.analysis.trials,
        "judgements": "none" if judgements is None else judgements.name,
        "version": __version__,
    }


def _notes(register: Register, left: Left) -> dict[str, Any]:
    forms = register.tables.row("SELECT count(*) AS n FROM forms")
    done = {d.claim for d in left.dialogues}
    gone = register.tables.row("SELECT count(*) AS n FROM participants WHERE excluded IS NOT NULL")
    return {
        "comparisons_done": len(done),
        "comparisons_planned": forms["n"] if forms else 0,
        "participants_excluded": gone["n"] if gone else 0,
    }


# --- judgements ---------------------------------------------------------------------------


def judged(left: Left, path: Path) -> Left:
    """User-deemed correct as a person has judged: `confirmed` counts a dialogue in whose comment the user
    says that it is right, `generation_error` takes one out. Rows of other dialogues are an error."""
    held = {d.dialogue_id for d in left.dialogues}
    found: dict[str, tuple[bool, bool]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines)
            missing = [c for c in JUDGED if c not in (reader.fieldnames or ())]
            if missing:
                raise InputError(f"{path.name} has no column '{missing[0]}'; expected {', '.join(JUDGED)}")
            for row in reader:
                name, marks = row["dialogue_id"], [row[c].strip() or "0" for c in JUDGED[1:]]
                if name not in held or not set(marks) <= {"0", "1"}:
                    raise InputError(
                        f"{path.name}, line {reader.line_num}: a dialogue of this analysis and marks of 0 or "
                        f"1 expected, not {name!r} with {', '.join(marks)}"
                    )
                found[name] = (marks[0] == "1", marks[1] == "1")
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"the judgements {path} can't be read: {e}") from None
    dialogues = tuple(_judged(d, *found.get(d.dialogue_id, (False, False))) for d in left.dialogues)
    return replace(left, dialogues=dialogues)


def _judged(done: Done, confirmed: bool, error: bool) -> Done:
    if done.outcome.deemed is None:
        return done
    deemed = (done.outcome.deemed or confirmed) and not error
    return replace(done, outcome=replace(done.outcome, deemed=deemed))


def _to_judge(left: Left) -> Table:
    """The dialogues that a person should read: those that count as deemed correct only because the user
    stopped early, and those with a comment."""
    return [
        {"dialogue_id": d.dialogue_id, "confirmed": "", "generation_error": "", "comment": d.comment}
        for d in left.dialogues
        if d.outcome.deemed is not None
        and ((d.outcome.deemed and not d.outcome.inferable) or (d.comment and not d.outcome.deemed))
    ]


# --- CSV -----------------------------------------------------------------------------------


def _flat(done: Done) -> dict[str, Any]:
    row = asdict(done)
    found = row.pop("outcome")
    row["corrections"] = " | ".join(row.pop("texts"))
    return {**row, **{k: v for k, v in found.items() if not isinstance(v, list | tuple)}}


def _csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """With a header; a text that a spreadsheet would take for a formula gets an apostrophe."""
    every = list(rows)
    fields = list(dict.fromkeys(key for row in every for key in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, fields, lineterminator="\n")
    writer.writeheader()
    for row in every:
        writer.writerow({k: _cell(v) for k, v in row.items()})
    return out.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value
