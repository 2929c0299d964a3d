"""All triples of one predicate of an endpoint, read page by page into a file and given back by subject.

The pages are asked for without an order: a server that has to sort all rows for each page is slow from some
100,000 rows on. That each row came, and came once, is then checked against the endpoint's own count; where
that differs, its order is not always the same and the rows are read again, sorted by the server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from heapq import merge
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from kbqa.errors import StoreTimeout
from kbqa.kb.ontology import pages
from kbqa.protocols import Store
from kbqa.sparql.portable import term
from kbqa.store.terms import BLANK
from kbqa.types import Constant, Iri, Literal

MAX_ROWS = 20_000_000
"""Of one predicate; more are not read."""
PAGE, LEAST_PAGE = 100_000, 1_000
RUN = 500_000
"""Rows that are sorted in memory at once."""
LIMIT_S = 600.0
"""For a query that looks at all triples: a build can wait, and a server that can't has a limit of its own."""

Entry = tuple[str, str, str]
"""Subject, as JSON, by which entries are in order; object; its language."""


@dataclass(frozen=True)
class Listing:
    """Reads lists of one endpoint; `folder` keeps them. All methods raise `StoreError`."""

    store: Store
    folder: Path
    progress: Callable[[str, int], None]

    def entries(self, name: str, predicate: Iri) -> Iterator[Entry]:
        """What stands in the list `name` of a predicate, by subject; blank subjects are left out. It is read
        first where the folder has no such list, from where an earlier reading stopped."""
        file = self.folder / f"{name}.list"
        if not file.exists():
            self._read(name, predicate, file)
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                subject, _, rest = line.partition("\t")
                value, language = json.loads(rest)
                yield subject, value, language

    def cut(self, name: str) -> bool:
        """Whether only the first `MAX_ROWS` rows of a list that was read are in it."""
        return (self.folder / f"{name}.cut").exists()

    def _read(self, name: str, predicate: Iri, file: Path) -> None:
        triple = f"?s {term(predicate)} ?o"
        wanted = self._count(triple)
        part = self.folder / f"{name}.part"
        self._unordered(name, triple, min(wanted, MAX_ROWS), part)
        made = self.folder / f"{name}.sorted"
        every, named = _sorted(part, made)
        if wanted > MAX_ROWS:
            (self.folder / f"{name}.cut").touch()
        elif every != wanted and named != self._distinct(triple):
            part.unlink()
            _sorted(self._ordered(name, triple), made)
        made.rename(file)
        part.unlink(missing_ok=True)

    def _unordered(self, name: str, triple: str, wanted: int, part: Path) -> None:
        done, page = _kept(part), PAGE
        with part.open("a", encoding="utf-8") as out:
            while done < wanted:
                self.progress(f"reading {name}", done)
                query = f"SELECT ?s ?o WHERE {{ {triple} }} LIMIT {page} OFFSET {done}"
                try:
                    rows = self.store.select(query, time_limit_s=LIMIT_S / 5, row_limit=page).rows
                except StoreTimeout:
                    if page <= LEAST_PAGE:
                        raise
                    page //= 10
                    continue
                if not rows:
                    return
                out.writelines(map(_line, rows))
                out.flush()
                done += len(rows)

    def _ordered(self, name: str, triple: str) -> Path:
        part = self.folder / f"{name}.ordered"
        last = _whole(part)
        with part.open("a", encoding="utf-8") as out:
            for number, row in enumerate(pages(self.store, triple, ("s", "o"), after=last)):
                out.write(_line(row))
                if number % 1_000 == 0:
                    self.progress(f"reading {name} in order", number)
        return part

    def _count(self, pattern: str) -> int:
        rows = self.store.select(
            f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}", time_limit_s=LIMIT_S, row_limit=1
        ).rows
        value = rows[0][0] if rows else None
        return int(float(value.lexical)) if isinstance(value, Literal) else 0

    def _distinct(self, triple: str) -> int:
        """Several graphs may hold a triple, and blank nodes are called otherwise on each page."""
        return self._count(f"{{ SELECT DISTINCT ?s ?o WHERE {{ {triple} FILTER (ISIRI(?s)) }} }}")


def _line(row: tuple[Constant | None, ...]) -> str:
    """A tab sorts before all that JSON holds, so that lines are in order where their subjects are."""
    subject, value = row
    name = subject.value if isinstance(subject, Iri) else ""
    text = value.lexical if isinstance(value, Literal) else value.value if value else ""
    tag = value.language if isinstance(value, Literal) else ""
    return f"{_json(name)}\t{_json([text, tag])}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kept(part: Path) -> int:
    """How many whole lines a file has; a line that was being written is cut off."""
    if not part.is_file():
        return 0
    number = end = 0
    with part.open("rb+") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                number, end = number + 1, end + len(line)
        lines.truncate(end)
    return number


def _whole(part: Path) -> str:
    """The last subject whose rows are surely complete; what stands after them is cut off the file."""
    _kept(part)
    if not part.is_file():
        return ""
    end, at, before, last = 0, 0, "", ""
    with part.open("rb+") as lines:
        for line in lines:
            subject = json.loads(line.partition(b"\t")[0])
            if subject != last:
                end, before, last = at, last, subject
            at += len(line)
        lines.truncate(end)
    return before


def _sorted(part: Path, made: Path) -> tuple[int, int]:
    """The lines of a file sorted and each once, without those of blank nodes; how many with and without."""
    every = named = 0
    with TemporaryDirectory(dir=part.parent) as scratch, ExitStack() as open_files:
        runs: list[IO[str]] = []
        with part.open(encoding="utf-8") as lines:
            while some := sorted(islice(lines, RUN)):
                run = open_files.enter_context((Path(scratch) / str(len(runs))).open("w+", encoding="utf-8"))
                run.writelines(some)
                run.seek(0)
                runs.append(run)
        with made.open("w", encoding="utf-8") as out:
            for line, _ in groupby(merge(*runs)):
                every += 1
                if not line.startswith(('"' + BLANK, '""')):
                    named += 1
                    out.write(line)
    return every, named
