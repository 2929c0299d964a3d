"""Opening a knowledge base: the stub, a built folder, an RDF file or an endpoint."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from kbqa.errors import KnowledgeBaseError
from kbqa.induce import OWNER_FILE, with_owner
from kbqa.kb import build
from kbqa.kb.meta import Meta, is_kb, read_meta, read_paths
from kbqa.kb.names import ALIAS_PREDICATES, LANGUAGES, NAME_PREDICATES, Labels
from kbqa.kb.polite import Polite
from kbqa.kb.scan import TYPE_PREDICATES, Paths
from kbqa.lexicon import Lexicon, freebase_lexicon, load_lexicon
from kbqa.link import EntityLinker, LabelIndex, key
from kbqa.protocols import Linker, Store
from kbqa.sparql.portable import one_of, term
from kbqa.store.build import checked_file, is_store
from kbqa.store.embedded import EmbeddedStore
from kbqa.store.endpoint import EndpointStore
from kbqa.types import NOW, XSD, Iri, Literal

STUB = "stub"
"""The name of the knowledge base that ships with the library."""

WORKERS = 2
"""Queries that a local store answers at once."""

_LIMIT_S = 5.0


@dataclass(frozen=True)
class KnowledgeBase:
    """A knowledge base opened for reading; safe to share between threads. Close it when done.

    `signature` names the data: the same triples, the same signature. `lexicon` words its predicates.
    """

    name: str
    signature: str
    store: Store
    index: LabelIndex
    linker: Linker
    lexicon: Lexicon
    folder: Path | None = None
    scratch: Path | None = None
    """A temporary folder that goes when this is closed."""
    own: bool = False
    """Whether its wordings were induced: what has no name is called by the last part of its IRI."""
    languages: tuple[str, ...] = LANGUAGES
    _known: dict[tuple[str, Iri], object] = field(default_factory=dict, repr=False)
    _paths: Paths | None = None

    @cached_property
    def names(self) -> Labels:
        return Labels(self.store, languages=self.languages, local=self.own)

    @cached_property
    def paths(self) -> Paths:
        """The predicates, and the two-hop paths through mediators, that occur and may be asked for."""
        if self._paths is not None or self.folder is None:
            return self._paths or Paths()
        found, hidden = read_paths(self.folder), self.lexicon.hidden
        if not hidden:
            return found
        pairs = frozenset(p for p in found.pairs if not any(hop.predicate in hidden for hop in p))
        return Paths(found.predicates - hidden, pairs)

    @cached_property
    def kinds(self) -> dict[Iri, tuple[str, tuple[str, ...]]] | None:
        """The classes of an own graph: what each is called, and the nouns for its instances; None for
        Freebase's vocabulary."""
        if not self.own:
            return None
        return {c: (nouns[0], nouns) for c, nouns in self.lexicon.kinds.items() if nouns}

    @property
    def now(self) -> Literal:
        """The day that 'now' means: today; in Freebase's own facts the one that its questions mean."""
        current = self.own or self.name == STUB
        return Literal(date.today().isoformat(), XSD + "date") if current else NOW

    def types(self, iri: Iri) -> tuple[Iri, ...]:
        """The types of an entity, sorted. Raises `StoreError`."""
        found = self._known.get(("types", iri))
        if not isinstance(found, tuple):
            query = f"SELECT DISTINCT ?t WHERE {{ ?e ?p ?t FILTER ({one_of('?p', TYPE_PREDICATES)}) }}"
            rows = self.store.select(query, bindings={"e": iri}, time_limit_s=_LIMIT_S).rows
            found = tuple(sorted(row[0] for row in rows if isinstance(row[0], Iri)))
            self._known["types", iri] = found
        return found

    def degree(self, iri: Iri) -> int:
        """In how many triples, names and types aside, an entity is subject or object. Raises `StoreError`."""
        found = self._known.get(("degree", iri))
        if not isinstance(found, int):
            found = sum(self._count(pattern, iri) for pattern in ("?e ?p ?o", "?s ?p ?e"))
            self._known["degree", iri] = found
        return found

    def _count(self, pattern: str, iri: Iri) -> int:
        aside = ", ".join(map(term, (*NAME_PREDICATES, *ALIAS_PREDICATES, *TYPE_PREDICATES)))
        query = f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} FILTER (?p NOT IN ({aside})) }}"
        rows = self.store.select(query, bindings={"e": iri}, time_limit_s=_LIMIT_S).rows
        value = rows[0][-1] if rows else None
        return int(value.lexical) if isinstance(value, Literal) else 0

    def close(self) -> None:
        self.store.close()
        self.index.close()
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def cache_folder() -> Path:
    """Where built knowledge bases are kept: $KBQA_CACHE, else kbqa in $XDG_CACHE_HOME or ~/.cache."""
    own = os.environ.get("KBQA_CACHE")
    if own:
        return Path(own).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and os.path.isabs(base) else Path("~/.cache").expanduser()) / "kbqa"


def open_kb(source: str | os.PathLike[str] | None = None) -> KnowledgeBase:
    """Opens `source`: None or 'stub' (what ships with the library), a folder that `build_kb` made, an
    RDF file, or the http(s) URL of a SPARQL endpoint.

    The stub and RDF files are built in the cache on first use. Raises `KnowledgeBaseError`, or
    `StoreUnavailable` for an endpoint that doesn't answer.
    """
    text = STUB if source is None else os.fspath(source)
    if text == STUB and not Path(text).exists():
        return _open_cached(f"stub-{_stub_hash()}", lambda folder: _build_stub(folder))
    if text.startswith(("http://", "https://")):
        from kbqa.kb.endpoint import open_endpoint

        return open_endpoint(text, cache_folder())
    path = Path(text).expanduser()
    if not text.strip() or "\0" in text or not path.exists():
        raise KnowledgeBaseError(
            f"no knowledge base at {text!r}: expected a folder that `kbqa kb build` made, an RDF file "
            "(.ttl, .nt, ...) or the URL of a SPARQL endpoint"
        )
    if path.is_dir():
        return open_folder(path)
    file = checked_file(path)
    return _open_cached(
        f"{file.name}-{_file_stamp(file)}", lambda folder: build.build_kb([file], folder, name=file.name)
    )


def open_folder(path: Path, scratch: Path | None = None) -> KnowledgeBase:
    """A folder that a build completed. Raises `KnowledgeBaseError` or `LexiconError`."""
    if not is_kb(path):
        hint = "a bare triple store; " if is_store(path) else ""
        raise KnowledgeBaseError(
            f"{path} is no knowledge base ({hint}kb.json is missing): "
            "build one with `kbqa kb build FILE --out DIR`"
        )
    meta = read_meta(path)
    index = LabelIndex.open(path / "labels")
    try:
        lexicon = with_owner(_lexicon(path), path / OWNER_FILE)
        store = _store(path, meta)
    except BaseException:
        index.close()
        raise
    linker = EntityLinker(index, properties=_property_names(lexicon) if meta.own else frozenset())
    return KnowledgeBase(
        meta.name, _signed(path, meta), store, index, linker, lexicon, path, scratch, meta.own, meta.languages
    )


def _property_names(lexicon: Lexicon) -> frozenset[str]:
    """Names of several words, in their normal form."""
    return frozenset(key(name) for name in lexicon.properties.values() if " " in name)


def _signed(path: Path, meta: Meta) -> str:
    """The data's signature, with the owner's words where there are any."""
    try:
        words = (path / OWNER_FILE).read_bytes()
    except OSError:
        return meta.signature
    return f"{meta.signature}.{hashlib.sha256(words).hexdigest()[:8]}"


def _lexicon(path: Path) -> Lexicon:
    own = path / "lexicon"
    return load_lexicon(own) if (own / "paths").is_dir() else freebase_lexicon()


def _store(path: Path, meta: Meta) -> Store:
    """The folder's own store, or the endpoint that has its triples: user and password, which no folder
    holds, are read from $KBQA_ENDPOINT_AUTH ('user:password')."""
    if not meta.endpoint:
        return EmbeddedStore(path / "store", workers=WORKERS)
    return Polite(EndpointStore(with_credentials(meta.endpoint)), tries=3, deadline=True)


def with_credentials(url: str) -> str:
    """The URL with the user and password of $KBQA_ENDPOINT_AUTH, where that is set and it has none."""
    secret = os.environ.get("KBQA_ENDPOINT_AUTH", "")
    scheme, mark, rest = url.partition("://")
    if not secret or "@" in rest.partition("/")[0]:
        return url
    user, _, password = secret.partition(":")
    return f"{scheme}{mark}{quote(user, safe='')}:{quote(password, safe='')}@{rest}"


def _open_cached(name: str, make: Callable[[Path], object]) -> KnowledgeBase:
    """From the cache, where it is built on first use; in a temporary folder where there is no cache."""
    folder = cache_folder() / name
    if is_kb(folder):
        return open_folder(folder)
    scratch: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder.parent):
            pass
    except OSError:
        scratch = Path(tempfile.mkdtemp(prefix="kbqa-kb-"))
        folder = scratch / name
    try:
        with _BUILDING:
            if not is_kb(folder):
                _clear(folder)
                _made(folder, make)
        return open_folder(folder, scratch)
    except BaseException:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)
        raise


def _made(folder: Path, make: Callable[[Path], object]) -> None:
    try:
        make(folder)
    except KnowledgeBaseError:
        if not is_kb(folder):  # else another process was quicker
            raise


_BUILDING = threading.Lock()


def _clear(folder: Path) -> None:
    """Folders appear complete or not at all; one without kb.json was tampered with."""
    if folder.is_dir():
        shutil.rmtree(folder, ignore_errors=True)


def _build_stub(folder: Path) -> None:
    from freebase_stub import build as compile_stub
    from freebase_stub import ntriples

    with tempfile.TemporaryDirectory(prefix="kbqa-stub-") as scratch:
        file = Path(scratch) / "stub.nt"
        with file.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(ntriples(compile_stub()))
        build.build_kb([file], folder, name=STUB)


def _stub_hash() -> str:
    """Of the tables and of the code that turns them into a folder."""
    from freebase_stub.tables import TABLES

    here = Path(__file__).parent
    code = [*TABLES.parent.glob("*.py"), *(here / f"{n}.py" for n in ("build", "meta", "scan", "names"))]
    code += (here.parent / "link").glob("*.py")
    total = hashlib.sha256(f"{build.FORMAT}".encode())
    for file in sorted(code) + sorted(f for f in TABLES.rglob("*") if f.suffix in (".csv", ".toml")):
        total.update(f"\0{file.name}\0".encode())
        total.update(file.read_bytes())
    return total.hexdigest()[:16]


def _file_stamp(file: Path) -> str:
    status = file.stat()
    text = f"{build.FORMAT}\0{file.resolve()}\0{status.st_size}\0{status.st_mtime_ns}"
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]
