"""A SPARQL endpoint as a knowledge base: what it holds and its names are read once, and kept in a folder.

The triples stay where they are. An endpoint of Freebase's vocabulary needs its names only; any other one is
surveyed (`kbqa.kb.remote`) and its wordings are induced, as those of a file are.
"""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from kbqa.errors import KnowledgeBaseError, QueryError, StoreTimeout
from kbqa.induce.profile import Profile
from kbqa.kb import build
from kbqa.kb.meta import Meta, is_kb, write_meta, write_paths
from kbqa.kb.names import ALIAS_PREDICATES, LANGUAGES, NAME_PREDICATES, best_names
from kbqa.kb.ontology import pages
from kbqa.kb.open import KnowledgeBase, open_folder, with_credentials
from kbqa.kb.polite import Polite
from kbqa.kb.scan import Paths
from kbqa.kb.survey import Progress
from kbqa.lexicon import Lexicon, freebase_lexicon
from kbqa.link import LabelIndex
from kbqa.link.index import Label
from kbqa.protocols import Store
from kbqa.sparql.portable import term
from kbqa.types import FREEBASE, Iri, Literal

MAX_LABELS = 300_000
"""Beyond this the index of a Freebase endpoint holds the first names only."""

_LIMIT_S = 20.0
_PAGE = 5_000


def open_endpoint(url: str, cache: Path) -> KnowledgeBase:
    """The endpoint's knowledge base, built in the cache on first use. Raises `StoreUnavailable` for an
    endpoint that is down, refuses or answers with something else."""
    store = Polite(_connected(url), tries=3, deadline=True)
    try:
        stamp = hashlib.sha256(f"{url}\0{_size(store)}".encode()).hexdigest()[:16]
    finally:
        store.close()
    folder = cache / f"endpoint-{build.FORMAT}-{stamp}"
    if not is_kb(folder):
        build_endpoint(url, folder, name=without_credentials(url), signature=stamp)
    return open_folder(folder)


def build_endpoint(
    url: str,
    out: str | Path,
    *,
    name: str = "",
    signature: str = "",
    languages: tuple[str, ...] = LANGUAGES,
    replace: bool = False,
    pause_s: float = 0.0,
    progress: Progress = lambda what, done: None,
) -> Path:
    """Builds the folder `out` for an endpoint and returns it. A busy endpoint is asked again, `pause_s` lie
    between two queries; a build that is cut off goes on, when called again, where it stopped: what was
    read is kept in `.<out>.partial` beside the folder until then.

    `signature`: default, a hash of the URL and of how many triples the endpoint counts. Raises
    `KnowledgeBaseError`, `StoreUnavailable` or `StoreTimeout`.
    """
    target = Path(out)
    build.old_meta(target, replace=replace)
    store = Polite(_connected(url), pause_s=pause_s)
    partial = target.with_name(f".{target.name}.partial")
    try:
        size = _size(store)
        stamp = signature or hashlib.sha256(f"{url}\0{size}".encode()).hexdigest()[:16]
        _begin(partial, f"{stamp} {' '.join(languages)}")
        wanted = Meta(
            name or target.name, stamp, 0, 0, endpoint=without_credentials(url), languages=languages
        )
        with build.beside(target) as scratch:
            made = scratch / "kb"
            made.mkdir()
            known = _freebase_paths(store)
            if known is not None:
                _describe_freebase(store, made, wanted, known, size)
            else:
                _describe_own(store, made, partial, wanted, progress)
            build.put(made, target, replace=replace)
    finally:
        store.close()
    shutil.rmtree(partial, ignore_errors=True)
    return target


def _connected(url: str) -> Store:
    from kbqa.store import open_store

    return open_store(with_credentials(url))


def without_credentials(url: str) -> str:
    """The URL without user and password."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"


def _begin(partial: Path, stamp: str) -> None:
    """The folder of what was read, empty where it belongs to another state of the endpoint."""
    mark = partial / "of.txt"
    try:
        if partial.is_dir() and (not mark.is_file() or mark.read_text(encoding="utf-8") != stamp):
            shutil.rmtree(partial)
        partial.mkdir(parents=True, exist_ok=True)
        mark.write_text(stamp, encoding="utf-8")
    except OSError as error:
        raise KnowledgeBaseError(f"can't keep what is read of the endpoint in {partial}: {error}") from error


def _describe_own(store: Store, made: Path, partial: Path, wanted: Meta, progress: Progress) -> None:
    from kbqa.kb.remote import RemoteSurvey

    found = RemoteSurvey(store, partial, wanted.languages, progress)
    profile: Profile = found.profile()
    index = LabelIndex.build(found.labels(), made / "labels")
    labels = len(index)
    index.close()
    cut = tuple(dict.fromkeys((*profile.cut, *found.cut)))
    build.describe(made, dataclasses.replace(profile, cut=cut), wanted, labels)


# --- Freebase's vocabulary ------------------------------------------------------


def _describe_freebase(store: Store, made: Path, wanted: Meta, paths: Paths, size: str) -> None:
    index = LabelIndex.build(_labels(store), made / "labels")
    labels = len(index)
    index.close()
    write_paths(made, paths)
    triples = int(size) if size.isdecimal() else 0
    meta = Meta(
        wanted.name,
        wanted.signature,
        triples,
        labels,
        endpoint=wanted.endpoint,
        languages=wanted.languages,
    )
    write_meta(made, meta)


def _size(store: Store) -> str:
    """The number of triples, which is all that tells one state of an endpoint from the next."""
    try:
        rows = store.select("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }", time_limit_s=_LIMIT_S).rows
    except (StoreTimeout, QueryError):
        return "large"
    value = rows[0][0] if rows else None
    return value.lexical if isinstance(value, Literal) else "unknown"


def _labels(store: Store) -> Iterator[Label]:
    every = " ".join(map(term, (*NAME_PREDICATES, *ALIAS_PREDICATES)))
    rows = []
    for row in pages(store, f"VALUES ?p {{ {every} }} ?s ?p ?o", ("s", "p", "o"), _PAGE):
        rows.append(row)
        if len(rows) >= MAX_LABELS:
            break
    names = best_names(rows)
    for entity, name in names.items():
        yield Label(entity, name)
    for subject, _, alias in rows:
        if not isinstance(subject, Iri) or not isinstance(alias, Literal):
            continue
        if alias.language[:2] in ("en", "") and names.get(subject) != alias.lexical:
            yield Label(subject, alias.lexical, True)


def _freebase_paths(store: Store) -> Paths | None:
    """The predicates of an endpoint of Freebase's vocabulary, and of two-hop paths those that the lexicon
    words; None for another vocabulary. One so large that it can't list its predicates is asked for a name
    in Freebase's way."""
    lexicon = freebase_lexicon()
    pairs = frozenset((path[0], path[1]) for path in lexicon.wordings if len(path) == 2)
    try:
        rows = store.select(
            "SELECT DISTINCT ?p WHERE { ?s ?p ?o }", time_limit_s=_LIMIT_S, row_limit=100_000
        ).rows
    except (StoreTimeout, QueryError):
        return _all_paths(lexicon) if _has_freebase_names(store) else None
    known = frozenset(row[0] for row in rows if isinstance(row[0], Iri))
    if 2 * sum(p.value.startswith(FREEBASE) for p in known) <= len(known):
        return None
    return Paths(known, frozenset(p for p in pairs if all(hop.predicate in known for hop in p)))


def _has_freebase_names(store: Store) -> bool:
    try:
        query = f"ASK {{ ?e {term(NAME_PREDICATES[0])} ?n }}"
        value = store.select(query, time_limit_s=_LIMIT_S).rows[0][0]
    except (StoreTimeout, QueryError):
        return False
    return isinstance(value, Literal) and value.lexical == "true"


def _all_paths(lexicon: Lexicon) -> Paths:
    pairs = frozenset((path[0], path[1]) for path in lexicon.wordings if len(path) == 2)
    return Paths(frozenset(hop.predicate for path in lexicon.wordings for hop in path), pairs)
