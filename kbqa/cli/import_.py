"""`kbqa import`: published data sets to this project's rows."""

from __future__ import annotations

import json
import sys
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from kbqa.cli.options import Output
from kbqa.cli.rows import Row, entity, opened, progress, read_row, results, writing
from kbqa.errors import InputError

if TYPE_CHECKING:
    from kbqa.importers.files import Entry
    from kbqa.kb import KnowledgeBase
    from kbqa.types import Iri

FORMATS = ("cwq", "webqsp", "inspired", "grailqa", "lcquad")
_SHOWN = 5
"""Reasons that are told on stderr where no report is written."""
_LOST = "the id is there twice; the first row is kept"
_SAID = (
    "What gives no row is left out and told: its entry, id and reason are a line of --report, their number "
    "stands on stderr. The exit code is 1 if anything was left out."
)


def register(app: typer.Typer) -> None:
    app.command("import", epilog=_SAID)(import_)


def _known(name: str) -> str:
    if name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}")
    return name


def import_(
    format: Annotated[
        str,
        typer.Argument(metavar="FORMAT", callback=_known, help=f"What the file is: {', '.join(FORMATS)}."),
    ],
    path: Annotated[
        str,
        typer.Argument(metavar="PATH", help="The published file; - = standard input; .gz is read as such."),
    ],
    output: Output = "-",
    report: Annotated[
        str | None,
        typer.Option("--report", metavar="F", help="JSON lines: what was left out, row by row, and why."),
    ] = None,
    kb: Annotated[
        str | None,
        typer.Option(
            "--kb",
            metavar="KB",
            help="Name entities that the file does not name, from this knowledge base.",
            show_default="they stay without a name",
        ),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", metavar="N", min=1, help="Processes.")] = 2,
) -> None:
    """Rows {id, question, sparql, entities, type, answers, ...} from a published data set.

    `kbqa simulate`, `kbqa parse`, `kbqa decompose` and `kbqa train` read them. INSPIRED's human sub-questions
    become 'sub_questions', one list for each of 'steps', which simulated users say.
    """
    from kbqa.importers import convert

    with ExitStack() as stack:
        out = stack.enter_context(writing(output))
        log = stack.enter_context(writing(report)) if report else None
        given = _Numbered(stack.enter_context(_checked(format, path)))
        names = _Names(stack.enter_context(_opened(kb)))
        tick = stack.enter_context(progress("entries", lambda: None))
        summary = _Summary(format, log)
        for line, _ in results(partial(convert, format), given, workers):
            summary.take(given.number(), json.loads(line), names, out)
            tick(1)
    summary.tell(report)
    raise typer.Exit(1 if summary.skipped else 0)


# --- what is read ----------------------------------------------------------------------------------


@contextmanager
def _checked(format: str, path: str) -> Iterator[Iterator[Entry]]:
    """The entries. Raises `InputError` where the first shows that it is another format's file."""
    from kbqa.importers import FORMATS as KNOWN
    from kbqa.importers import entries, refuse_another

    name = "standard input" if path == "-" else path
    with opened(path) as file:
        found = entries(file, name)
        first = next(found, None)
        if first is None:
            raise InputError(f"{name} holds no entries: {KNOWN[format].holds} expected")
        refuse_another(read_row(*first), KNOWN[format], path)
        yield chain((first,), found)


class _Numbered:
    """Remembers the numbers of the entries that were given out, in order."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries, self._numbers = entries, deque[int]()

    def __iter__(self) -> Iterator[Entry]:
        return self

    def __next__(self) -> Entry:
        entry = next(self._entries)
        self._numbers.append(entry[0])
        return entry

    def number(self) -> int:
        """Of the oldest one not asked for yet."""
        return self._numbers.popleft()


# --- what is written -------------------------------------------------------------------------------


@contextmanager
def _opened(kb: str | None) -> Iterator[KnowledgeBase | None]:
    if kb is None:
        yield None
        return
    from kbqa.kb import open_kb

    with open_kb(kb) as found:
        yield found


class _Names:
    """Names of entities from a knowledge base, where there is one."""

    def __init__(self, kb: KnowledgeBase | None) -> None:
        self._kb = kb

    def fill(self, row: dict[str, Any]) -> None:
        if self._kb is None:
            return
        missing: dict[Iri, str] = {entity(key): key for key, name in row["entities"].items() if not name}
        for iri, name in self._kb.names.fetch(missing).items():
            row["entities"][missing[iri]] = name


@dataclass
class _Summary:
    """Counts, and the lines of the report."""

    format: str
    log: IO[str] | None
    written: int = 0
    skipped: int = 0
    noted: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    first: list[str] = field(default_factory=list)
    _ids: set[str] = field(default_factory=set)

    def take(self, number: int, found: Row, names: _Names, out: IO[str]) -> None:
        """Write the rows of an entry, and what is told of it."""
        if "error" in found:
            self._tell(number, {"id": found.get("id"), "status": "skipped", **found["error"]})
            return
        lost = {row["id"] for row in found["rows"] if row["id"] in self._ids}
        for row in found["rows"]:
            if row["id"] in lost:
                told = {"id": row["id"], "status": "skipped", "type": "InputError", "message": _LOST}
                self._tell(number, told)
                continue
            self._ids.add(row["id"])
            names.fill(row)
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            self.written += 1
        for told in found["told"]:
            if told["id"] not in lost:
                self._tell(number, told)

    def _tell(self, number: int, told: dict[str, Any]) -> None:
        if told["status"] == "skipped":
            self.skipped += 1
            self.reasons[told["type"]] += 1
            if len(self.first) < _SHOWN:
                self.first.append(f"entry {number} ({told['id'] or 'no id'}): {told['message']}")
        else:
            self.noted += 1
        if self.log is not None:
            self.log.write(json.dumps({"entry": number, **told}, ensure_ascii=False) + "\n")

    def tell(self, report: str | None) -> None:
        why = ", ".join(f"{kind} {n:,}" for kind, n in self.reasons.most_common())
        noted = f"; {self.noted:,} notes on rows that were written" if self.noted else ""
        print(
            f"kbqa: {self.format}: {self.written:,} rows written, {self.skipped:,} left out"
            + (f" ({why})" if why else "")
            + noted,
            file=sys.stderr,
        )
        if report is None:
            for line in self.first:
                print(f"kbqa: left out: {line}", file=sys.stderr)
            if self.skipped or self.noted:
                print("kbqa: --report F tells of each row", file=sys.stderr)
