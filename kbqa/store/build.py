"""RDF files to a store on disk, all or nothing: loaded in a folder beside it, then renamed."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from kbqa.errors import KnowledgeBaseError

if TYPE_CHECKING:
    import pyoxigraph

FORMATS = {
    ".nt": "N_TRIPLES",
    ".ttl": "TURTLE",
    ".nq": "N_QUADS",
    ".trig": "TRIG",
    ".n3": "N3",
    ".rdf": "RDF_XML",
    ".xml": "RDF_XML",
    ".owl": "RDF_XML",
    ".jsonld": "JSON_LD",
}
"""Ending -> name of pyoxigraph's RdfFormat; each also with `.gz` after it."""

_MARK = "CURRENT"
_VERSION = "1"

_PAUSES_S = (0.02, 0.1, 0.5, 1.0)
"""Between the tries to remove a folder."""


def is_store(folder: Path) -> bool:
    """Whether the folder is a built store (RocksDB's CURRENT file is in it)."""
    return (folder / _MARK).is_file()


def format_name(path: Path) -> str | None:
    """pyoxigraph's name of the format that a file's ending tells; None for no RDF ending."""
    endings = [ending.lower() for ending in path.suffixes]
    if endings and endings[-1] == ".gz":
        endings.pop()
    return FORMATS.get(endings[-1]) if endings else None


def build_store(
    files: Sequence[str | Path],
    out_dir: str | Path,
    *,
    replace: bool = False,
    before: Callable[[Path], None] | None = None,
) -> Path:
    """Bulk-loads the files into a new store at `out_dir`, which it returns.

    Blank nodes of different files stay different. `replace`: a store that stands there is replaced
    once the new one is complete. `before` is told of each file before it is loaded. Raises
    `KnowledgeBaseError`; then `out_dir` is as it was.
    """
    paths, target = [checked_file(file) for file in files], Path(out_dir)
    if not paths:
        raise KnowledgeBaseError(f"no RDF file to build {target} from: name at least one")
    _check_target(target, replace=replace)
    target.parent.mkdir(parents=True, exist_ok=True)
    with _scratch(target) as scratch:
        _load_all(paths, scratch, before)
        _move(scratch, target)
    return target


def extend_store(
    files: Sequence[str | Path], folder: Path, *, before: Callable[[Path], None] | None = None
) -> None:
    """Loads more files into a store that nobody else has open. Raises `KnowledgeBaseError`; then the store
    may hold a part of them."""
    if not is_store(folder):
        raise KnowledgeBaseError(f"{folder} is not a built store: build one with `kbqa kb build`")
    _load_all([checked_file(file) for file in files], folder, before)


def cached_store(files: Sequence[str | Path], cache: Path) -> Path:
    """A store of the files as they are now: built in `cache` on first use, then found there."""
    paths = [checked_file(file).resolve() for file in files]
    stamp = hashlib.sha256(_VERSION.encode())
    for path in paths:
        status = path.stat()
        stamp.update(f"\0{path}\0{status.st_size}\0{status.st_mtime_ns}".encode(errors="surrogateescape"))
    target = cache / f"{paths[0].name}-{stamp.hexdigest()[:16]}"
    if not is_store(target):
        try:
            build_store(paths, target)
        except KnowledgeBaseError:
            if not is_store(target):  # else another process built it meanwhile
                raise
    return target


def checked_file(file: str | Path) -> Path:
    """The path of a readable RDF file; raises `KnowledgeBaseError` otherwise."""
    path = Path(file)
    if not path.is_file():
        found = "is a folder" if path.is_dir() else "does not exist"
        raise KnowledgeBaseError(f"{path} {found}: expected an RDF file")
    if format_name(path) is None:
        raise KnowledgeBaseError(
            f"{path} has no ending of an RDF file: expected one of {', '.join(FORMATS)} (each also .gz)"
        )
    return path


def _check_target(target: Path, *, replace: bool) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise KnowledgeBaseError(f"{target} is a file: name a folder to build the store in")
    if any(target.iterdir()) and not (replace and is_store(target)):
        advice = "name another, or ask for it to be replaced" if is_store(target) else "name another"
        raise KnowledgeBaseError(f"the folder {target} is not empty: {advice}")


@contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield folder / "store"
    finally:
        sweep(folder)


def sweep(folder: Path) -> None:
    """Removes a folder in which a store was; RocksDB's threads may write in it for a moment longer."""
    for pause in _PAUSES_S:
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(pause)


def _move(scratch: Path, target: Path) -> None:
    """Renames the new store into place; an old one is moved beside the new one and goes with it."""
    try:
        if is_store(target):
            os.rename(target, scratch.with_name("old"))
        os.rename(scratch, target)
    except OSError as error:
        raise KnowledgeBaseError(f"can't put the store at {target}: {error}") from error


def _load_all(paths: Sequence[Path], folder: Path, before: Callable[[Path], None] | None = None) -> None:
    import pyoxigraph

    try:
        store = pyoxigraph.Store(folder)
    except OSError as error:
        raise KnowledgeBaseError(f"can't build a store at {folder}: {error}") from error
    for path in paths:
        if before is not None:
            before(path)
        _load(store, path, getattr(pyoxigraph.RdfFormat, format_name(path) or ""))
    store.optimize()
    store.flush()


def _load(store: pyoxigraph.Store, path: Path, rdf_format: Any) -> None:
    try:
        if path.suffix.lower() == ".gz":
            with gzip.open(path, "rb") as stream:
                store.bulk_load(cast("IO[bytes]", stream), rdf_format)
        else:
            store.bulk_load(path=path, format=rdf_format)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        column = f", column {error.offset}" if error.offset else ""
        raise KnowledgeBaseError(
            f"{path}{line}{column}: {error.msg}; expected {_shown(rdf_format)}: correct the file and try"
            " again (nothing was written)"
        ) from error
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise KnowledgeBaseError(
            f"{path} can't be read as {_shown(rdf_format)}: {error} (nothing was written)"
        ) from error


def _shown(rdf_format: Any) -> str:
    return str(rdf_format.name)
