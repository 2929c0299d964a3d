"""JSON lines in, JSON lines out: what every batch command has in common.

One row is written per input row, in the same order. A row that fails is written as
`{"id", "error": {"type", "message"}}` and the run goes on. An output file appears under its name
when it is complete, never before.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import shutil
import stat
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from kbqa.errors import InputError, KbqaError
from kbqa.types import FREEBASE, Iri

Row = Mapping[str, Any]
Work = Callable[[Row], dict[str, Any]]
"""An input row -> the output row without its id. Raises `KbqaError` where the row fails."""
Done = tuple[str, bool]
"""An output line, and whether its row went well."""

_SERIAL = 50  # rows done in this process before others are started
_AHEAD = 64  # rows given out and not yet written, so that memory does not grow with the input


def run_batch(source: str, target: str, prepared: AbstractContextManager[Work], *, workers: int = 1) -> int:
    """Read `source`, write `target`; the exit code: 1 if any row failed. Raises `InputError`.

    `prepared` gives the work; it is entered after the files are open, so that a wrong path is told
    before models are loaded. With several workers the work must be a function of a module.
    """
    failed = 0
    with (
        reading(source) as lines,
        writing(target) as out,
        prepared as work,
        progress("rows", lambda: _count(source)) as tick,
    ):
        for text, well in results(work, lines, workers):
            out.write(text + "\n")
            if target == "-":
                out.flush()
            failed += not well
            tick(1)
    if failed:
        rows = "row" if failed == 1 else "rows"
        print(f'kbqa: {failed} {rows} failed; "error" in the output says why', file=sys.stderr)
    return 1 if failed else 0


# --- one row ---------------------------------------------------------------------------------------


def do_line(work: Work, numbered: tuple[int, bytes]) -> Done:
    """One line of input to one line of output; no exception gets out but an interrupt."""
    number, line = numbered
    name: Any = None
    try:
        row = read_row(number, line)
        name = row.get("id")
        return _line({"id": name, **work(row)}), True
    except KbqaError as e:
        return _line({"id": name, "error": e.as_row()}), False
    except Exception as e:  # a defect here must not cost the other rows
        error = {"type": "InternalError", "message": f"{type(e).__name__}: {e}"}
        return _line({"id": name, "error": error}), False


def read_row(number: int, line: bytes) -> Row:
    try:
        row = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as e:
        raise InputError(f"line {number}: not UTF-8 at byte {e.start + 1}") from None
    except ValueError as e:
        raise InputError(f"line {number}: not JSON: {e}") from None
    except RecursionError:
        raise InputError(f"line {number}: JSON nested too deeply") from None
    if not isinstance(row, dict):
        raise InputError(f"line {number}: a JSON object expected, found {type(row).__name__}")
    return row


def _line(row: dict[str, Any]) -> str:
    text = json.dumps(row, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can say and UTF-8 can't
        text = json.dumps(row, allow_nan=False)
    return text


# --- fields of a row -------------------------------------------------------------------------------


def text_field(row: Row, field: str) -> str:
    """A field that must be there and be text."""
    value = row.get(field)
    if not isinstance(value, str):
        found = "is missing" if field not in row else f"is {json.dumps(value)[:80]}"
        raise InputError(f"the field {field!r} {found}; text expected")
    return value


def optional_text(row: Row, field: str) -> str | None:
    return None if row.get(field) is None else text_field(row, field)


def texts_field(row: Row, field: str) -> tuple[str, ...]:
    """A list of texts; missing or null is an empty one."""
    value = row.get(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise InputError(f"the field {field!r}: a list of texts expected")
    return tuple(value)


def entities_field(row: Row) -> dict[Iri, str]:
    """`entities`: {mid or IRI: name or null}. Null and empty names are left out."""
    value = row.get("entities")
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InputError("the field 'entities': an object {id: name} expected")
    found: dict[Iri, str] = {}
    for key, name in value.items():
        if name is not None and not isinstance(name, str):
            raise InputError(f"the field 'entities': the name of {key!r} is neither text nor null")
        if name and name.strip():
            found[entity(key)] = name
    return found


def entity(key: str) -> Iri:
    """`m.02mjmr`, `ns:m.02mjmr`, `<http://...>` or `http://...`."""
    bare = key.strip().removeprefix("<").removesuffix(">")
    if "://" in bare or bare.startswith("urn:"):
        return Iri(bare)
    return Iri(FREEBASE + bare.removeprefix("ns:").removeprefix("fb:").removeprefix(":"))


# --- all rows --------------------------------------------------------------------------------------


def results(work: Work, lines: Iterator[tuple[int, bytes]], workers: int) -> Iterator[Done]:
    """In the order of the input. The first rows are done here: most files are short, and what is
    asked interactively is answered at once."""
    if workers < 2:
        yield from (do_line(work, line) for line in lines)
        return
    yield from (do_line(work, line) for line in islice(lines, _SERIAL))
    first = next(lines, None)
    if first is not None:
        yield from _in_processes(work, chain((first,), lines), workers)


def _in_processes(work: Work, lines: Iterator[tuple[int, bytes]], workers: int) -> Iterator[Done]:
    pending: deque[Future[Done]] = deque()
    pool = ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent)
    try:
        for line in lines:
            pending.append(pool.submit(do_line, work, line))
            if len(pending) >= _AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except BrokenProcessPool:
        raise KbqaError(
            "a worker process died, perhaps for want of memory; no output file was written"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


# --- files -----------------------------------------------------------------------------------------


@contextmanager
def reading(source: str) -> Iterator[Iterator[tuple[int, bytes]]]:
    """Numbered lines that are not blank."""
    with opened(source) as file:
        yield _numbered(file, "standard input" if source == "-" else source)


@contextmanager
def opened(source: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked where its name ends in .gz, or of standard input."""
    if source == "-":
        yield sys.stdin.buffer
        return
    try:
        file: Any = gzip.open(source, "rb") if source.endswith(".gz") else open(source, "rb")  # noqa: SIM115
    except OSError as e:
        raise InputError(f"can't read {source}: {e.strerror or e}") from None
    with file:
        yield file


def digest(source: str, limit: int | None = None) -> tuple[str, int]:
    """A hash of the lines that are read, and how many they are."""
    total, n = hashlib.sha256(), 0
    with reading(source) as lines:
        for _, line in islice(lines, limit):
            total.update(line.strip() + b"\n")
            n += 1
    return total.hexdigest()[:16], n


def _numbered(file: Iterable[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    number = 0
    try:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line
    except (OSError, EOFError, zlib.error) as e:
        raise InputError(f"can't read {name} after line {number}: {e}") from None


@contextmanager
def writing(target: str) -> Iterator[IO[str]]:
    """A text file that replaces `target` when the block ends well, and leaves no trace otherwise."""
    if target == "-":
        out = sys.stdout
        if isinstance(out, io.TextIOWrapper):
            out.reconfigure(encoding="utf-8", newline="\n")
        yield out
        return
    whole = not _special(target)
    path = Path(os.path.realpath(target)) if whole else Path(target)
    part = path.with_name(f".{path.name}.{os.getpid()}.part") if whole else path
    try:
        raw = part.open("wb")
    except OSError as e:
        raise InputError(f"can't write {target}: {e.strerror or e}") from None
    try:
        with raw, _packed(raw, target) as packed, io.TextIOWrapper(packed, "utf-8", newline="\n") as out:
            yield out
        if whole:
            if path.exists():
                shutil.copymode(path, part)
            part.replace(path)
    except OSError as e:
        raise KbqaError(f"can't write {target}: {e.strerror or e}") from None
    finally:
        if whole:
            part.unlink(missing_ok=True)


def _special(target: str) -> bool:
    """A device, pipe or folder, which is not to be replaced by a file."""
    try:
        return not stat.S_ISREG(os.stat(target).st_mode)
    except OSError:
        return False


@contextmanager
def _packed(raw: IO[bytes], target: str) -> Iterator[IO[bytes]]:
    if not target.endswith(".gz"):
        yield raw
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        yield packed  # type: ignore[misc]


# --- progress --------------------------------------------------------------------------------------


@contextmanager
def progress(what: str, total: Callable[[], int | None]) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, only where somebody looks at it; it is told how many more are done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total())
        yield lambda done: bar.advance(task, done)


def _count(source: str) -> int | None:
    """How many lines, where that can be told without unpacking."""
    if source == "-" or source.endswith(".gz") or not Path(source).is_file():
        return None
    with open(source, "rb") as file:
        return sum(1 for line in file if line.strip())
