"""RDF files -> a knowledge base folder, all or nothing.

store/            the triples (kbqa.store)
labels/           names and aliases (kbqa.link)
paths.json        the predicates, and the two-hop paths through mediators
kb.json           format, name, signature, number of triples and names; written last
lexicon/          optional, the owner's own wordings (kbqa.lexicon)
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kbqa.errors import KnowledgeBaseError
from kbqa.kb.scan import Paths, scan
from kbqa.lexicon import freebase_lexicon
from kbqa.lexicon.load import parse_path, show_path
from kbqa.link import LabelIndex
from kbqa.store.build import build_store, checked_file
from kbqa.types import Iri, Mediators

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Meta:
    """What kb.json says."""

    name: str
    signature: str
    triples: int
    labels: int


def build_kb(
    files: Sequence[str | Path],
    out: str | Path,
    *,
    name: str = "",
    signature: str = "",
    mediators: Mediators | None = None,
) -> Path:
    """Builds the folder `out` from RDF files and returns it; nothing is left where that fails.

    `signature`: default, a hash of the files' contents. `mediators`: default, those of the lexicon
    that ships with the library. Raises `KnowledgeBaseError`.
    """
    paths, target = [checked_file(file) for file in files], Path(out)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise KnowledgeBaseError(f"{target} is there already: name a new folder")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise KnowledgeBaseError(f"can't build a knowledge base at {target}: {error}") from error
    try:
        made = scratch / "kb"
        made.mkdir()
        _fill(paths, made, name or target.name, signature or contents_hash(paths), mediators)
        _put(made, target)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def _fill(paths: list[Path], made: Path, name: str, signature: str, mediators: Mediators | None) -> None:
    build_store(paths, made / "store")
    found = scan(made / "store", mediators or freebase_lexicon().mediators)
    if not found.triples:
        raise KnowledgeBaseError(f"{paths[0]} holds no triples: a knowledge base needs some")
    index = LabelIndex.build(found.labels(), made / "labels")
    labels = len(index)
    index.close()
    (made / "paths.json").write_text(dump_paths(found.paths), encoding="utf-8")
    meta = {
        "format": FORMAT,
        "name": name,
        "signature": signature,
        "triples": found.triples,
        "labels": labels,
    }
    (made / "kb.json").write_text(json.dumps(meta) + "\n", encoding="utf-8")


def _put(made: Path, target: Path) -> None:
    """Renames into place; a process that was faster has made the same."""
    try:
        os.rename(made, target)
    except OSError as error:
        if not is_kb(target):
            raise KnowledgeBaseError(f"can't put the knowledge base at {target}: {error}") from error


def is_kb(folder: Path) -> bool:
    """Whether `build_kb` completed this folder."""
    return (folder / "kb.json").is_file()


def read_meta(folder: Path) -> Meta:
    """Raises `KnowledgeBaseError` for a folder of another format or a broken one."""
    try:
        found = json.loads((folder / "kb.json").read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {found['format']!r}, not {FORMAT}")
        return Meta(str(found["name"]), str(found["signature"]), int(found["triples"]), int(found["labels"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{folder / 'kb.json'} can't be read ({error}): build the knowledge base again"
        raise KnowledgeBaseError(message) from error


def dump_paths(paths: Paths) -> str:
    rows = sorted(show_path(pair) for pair in paths.pairs)
    return json.dumps({"predicates": sorted(p.value for p in paths.predicates), "pairs": rows})


def read_paths(folder: Path) -> Paths:
    """Raises `KnowledgeBaseError`."""
    try:
        found = json.loads((folder / "paths.json").read_text(encoding="utf-8"))
        pairs = [parse_path(row) for row in found["pairs"]]
        return Paths(frozenset(map(Iri, found["predicates"])), frozenset((a, b) for a, b in pairs))
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{folder / 'paths.json'} can't be read ({error}): build the knowledge base again"
        raise KnowledgeBaseError(message) from error


def contents_hash(paths: Sequence[Path]) -> str:
    """Of the files' contents in order: the same data have the same signature wherever they lie."""
    total = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as file:
                one = hashlib.file_digest(file, "sha256")
        except OSError as error:
            raise KnowledgeBaseError(f"{path} can't be read: {error}") from error
        total.update(one.digest())
    return total.hexdigest()[:16]
