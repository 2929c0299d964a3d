"""RDF files -> a knowledge base folder, all or nothing.

store/            the triples (kbqa.store); not there where an endpoint has them
labels/           names and aliases (kbqa.link)
lexicon/          wordings, induced from the graph (kbqa.induce); not there for Freebase's vocabulary
paths.json        the predicates, and the two-hop paths through mediators
profile.json      classes and predicates with their figures, of an own graph
lexicon.toml      optional: the owner's own words; kept when the folder is built again
parser/           optional: a parser that was fine-tuned for the graph (kbqa.train.adapt); kept likewise
kb.json           format, name, signature, number of triples and names; written last
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from kbqa.errors import KnowledgeBaseError
from kbqa.induce import OWNER_FILE, Profile, induce, write_lexicon
from kbqa.kb.inferred import infer_types
from kbqa.kb.meta import FORMAT, Meta, is_kb, read_meta, write_meta, write_paths, write_profile
from kbqa.kb.names import LANGUAGES
from kbqa.kb.own import profile_of_survey
from kbqa.kb.scan import Paths, scan
from kbqa.kb.survey import Progress, survey, uses_freebase
from kbqa.lexicon import freebase_lexicon
from kbqa.link import LabelIndex
from kbqa.store.build import FORMATS, build_store, checked_file, extend_store, format_name, sweep
from kbqa.types import Mediators

__all__ = ["ADAPTED", "ADAPTED_NOTES", "FORMAT", "build_kb", "expanded", "is_kb"]

ADAPTED, ADAPTED_NOTES = "parser", "adapted.json"
"""The folder of the adapted parser in that of a knowledge base, and what in it says how it was measured."""


def _silent(what: str, done: int) -> None:
    pass


def build_kb(
    files: Sequence[str | Path],
    out: str | Path,
    *,
    name: str = "",
    signature: str = "",
    mediators: Mediators | None = None,
    languages: tuple[str, ...] = LANGUAGES,
    replace: bool = False,
    progress: Progress = _silent,
) -> Path:
    """Builds the folder `out` from RDF files, or folders of them, and returns it; where that fails, nothing
    is left, and what stood there stays.

    `signature`: default, a hash of the files' contents. `mediators`: default, those of the lexicon
    that ships with the library; only for Freebase's vocabulary. `languages` of names, best first, '' for
    those without a tag. `replace`: a knowledge base that stands there is replaced; it stays as it is where
    neither files nor languages have changed, and its store is taken over where files were only added.
    Raises `KnowledgeBaseError`.
    """
    paths, target = expanded(files), Path(out)
    old = old_meta(target, replace=replace)
    sources = tuple((path.name, file_hash(path)) for path in paths)
    stamp = signature or _together(sources)
    if old is not None and (old.sources, old.languages, old.signature) == (sources, languages, stamp):
        return target
    with beside(target) as scratch:
        made = scratch / "kb"
        made.mkdir()
        _fill_store(paths, sources, made / "store", target / "store", old, progress)
        wanted = Meta(name or target.name, stamp, 0, 0, languages=languages, sources=sources)
        if uses_freebase(made / "store"):
            _describe_freebase(made, wanted, paths, mediators)
        else:
            progress("adding the wider classes of things", 0)
            infer_types(made / "store")
            _describe_own(made, scratch, wanted, paths, progress)
        put(made, target, replace=replace)
    return target


def expanded(files: Sequence[str | Path]) -> list[Path]:
    """The files, with the RDF files of each folder instead of it. Raises `KnowledgeBaseError`."""
    out: list[Path] = []
    for file in map(Path, files):
        if file.is_dir():
            inside = sorted(
                f for f in file.rglob("*") if f.is_file() and format_name(f) and f.suffix != ".xml"
            )
            if not inside:
                raise KnowledgeBaseError(
                    f"the folder {file} holds no RDF file: expected files that end in {', '.join(FORMATS)}"
                    " (each also .gz)"
                )
            out += inside
        else:
            out.append(checked_file(file))
    if not out:
        raise KnowledgeBaseError("no RDF file to build from: name at least one")
    return list(dict.fromkeys(out))


# --- the folder ---------------------------------------------------------------


def old_meta(target: Path, *, replace: bool) -> Meta | None:
    """What stands at the target, where it may be replaced. Raises `KnowledgeBaseError` for anything else."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return None
    if not replace or not target.is_dir() or not is_kb(target):
        hint = "name a new folder" if not is_kb(target) else "name a new folder, or ask for it to be replaced"
        raise KnowledgeBaseError(f"{target} is there already: {hint}")
    with suppress(KnowledgeBaseError):  # one of an older format is built anew
        return read_meta(target)
    return None


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """A scratch folder on the target's disk, gone afterwards."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise KnowledgeBaseError(f"can't build a knowledge base at {target}: {error}") from error
    try:
        yield scratch
    finally:
        sweep(scratch)


def put(made: Path, target: Path, *, replace: bool) -> None:
    """Renames into place. `replace`: what stands there goes once that is done, the owner's lexicon.toml and
    the adapted parser are kept; otherwise a process that was faster has made the same, and others may have
    opened it."""
    old = made.with_name("old")
    try:
        if replace and is_kb(target):
            if (target / OWNER_FILE).is_file():
                shutil.copy2(target / OWNER_FILE, made / OWNER_FILE)
            if (target / ADAPTED).is_dir():
                shutil.copytree(target / ADAPTED, made / ADAPTED, copy_function=_linked)
            os.rename(target, old)
        os.rename(made, target)
    except OSError as error:
        if old.exists() and not target.exists():
            os.rename(old, target)
        if not is_kb(target):
            raise KnowledgeBaseError(f"can't put the knowledge base at {target}: {error}") from error


def _fill_store(
    paths: list[Path],
    sources: tuple[tuple[str, str], ...],
    store: Path,
    known: Path,
    old: Meta | None,
    progress: Progress,
) -> None:
    """The store of the files: what is there already is taken over where files were only added."""
    had = list(old.sources) if old is not None else []
    if had and known.is_dir() and all(row in sources for row in had):
        added = [path for path, row in zip(paths, sources, strict=True) if row not in had]
        progress(f"taking over the triples of {len(had)} files", 0)
        shutil.copytree(known, store, copy_function=_linked)
        if added:
            extend_store(added, store, before=lambda path: progress(f"loading {path.name}", 0))
        return
    build_store(paths, store, before=lambda path: progress(f"loading {path.name}", 0))


def _linked(source: str, target: str) -> str:
    """RocksDB never changes a table file once it is written, nor does anyone a checkpoint's weights: those
    are linked, the rest copied."""
    if source.endswith((".sst", ".safetensors")):
        with suppress(OSError):
            os.link(source, target)
            return target
    return shutil.copy2(source, target)


# --- what is in it ------------------------------------------------------------


def _describe_freebase(made: Path, wanted: Meta, paths: list[Path], mediators: Mediators | None) -> None:
    found = scan(made / "store", mediators or freebase_lexicon().mediators)
    _some(found.triples, paths)
    labels = _index(LabelIndex.build(found.labels(), made / "labels"))
    write_paths(made, found.paths)
    meta = Meta(
        wanted.name,
        wanted.signature,
        found.triples,
        labels,
        languages=wanted.languages,
        sources=wanted.sources,
    )
    write_meta(made, meta)


def _describe_own(made: Path, scratch: Path, wanted: Meta, paths: list[Path], progress: Progress) -> None:
    from kbqa.store.embedded import EmbeddedStore

    found = survey(made / "store", scratch, languages=wanted.languages, progress=progress)
    _some(found.triples, paths)
    progress("reading the ontology", found.triples)
    with EmbeddedStore(made / "store") as store:
        profile = profile_of_survey(found, store, wanted.languages)
    progress("indexing names", found.triples)
    labels = _index(LabelIndex.build(found.labels(), made / "labels"))
    describe(made, profile, wanted, labels)


def describe(made: Path, profile: Profile, wanted: Meta, labels: int) -> None:
    """Writes the induced lexicon and what the folder holds; kb.json last."""
    write_lexicon(induce(profile), made / "lexicon")
    write_profile(made, profile)
    write_paths(made, Paths(frozenset(profile.predicates), profile.pairs))
    meta = Meta(
        wanted.name,
        wanted.signature,
        profile.triples,
        labels,
        True,
        wanted.endpoint,
        wanted.languages,
        wanted.sources,
    )
    write_meta(made, meta)


def _index(index: LabelIndex) -> int:
    labels = len(index)
    index.close()
    return labels


def _some(triples: int, paths: list[Path]) -> None:
    if not triples:
        raise KnowledgeBaseError(f"{paths[0]} holds no triples: a knowledge base needs some")


# --- hashes -------------------------------------------------------------------


def file_hash(path: Path) -> str:
    """Of a file's contents."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise KnowledgeBaseError(f"{path} can't be read: {error}") from error


def _together(sources: Sequence[tuple[str, str]]) -> str:
    """The same data have the same signature wherever they lie."""
    total = hashlib.sha256()
    for _, stamp in sources:
        total.update(bytes.fromhex(stamp))
    return total.hexdigest()[:16]
