"""A SPARQL endpoint as a knowledge base: its names are read once, in pages, and kept in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from kbqa.errors import QueryError, StoreTimeout
from kbqa.kb import build
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES, best_names
from kbqa.kb.open import KnowledgeBase
from kbqa.kb.scan import Paths
from kbqa.lexicon import Lexicon, freebase_lexicon
from kbqa.link import EntityLinker, LabelIndex
from kbqa.link.index import Label
from kbqa.protocols import Store
from kbqa.sparql.portable import term
from kbqa.types import Constant, Iri, Literal

PAGE = 5_000
MAX_LABELS = 300_000
"""Beyond this the index holds the first names only: an endpoint of Freebase's size wants a KB folder."""

_LIMIT_S = 20.0
_KEYS = ("?e", "?p", "?n")

Row = tuple[Constant | None, ...]


def open_endpoint(url: str, cache: Path) -> KnowledgeBase:
    """Raises `StoreUnavailable` for an endpoint that is down, refuses or answers with something else."""
    from kbqa.store import open_store

    store = open_store(url)
    try:
        size = _size(store)
        signature = hashlib.sha256(f"{url}\0{size}".encode()).hexdigest()[:16]
        lexicon = freebase_lexicon()
        index = _index(store, cache / f"endpoint-{build.FORMAT}-{signature}")
        paths = _paths(store, lexicon)
    except BaseException:
        store.close()
        raise
    return KnowledgeBase(url, signature, store, index, EntityLinker(index), lexicon, _paths=paths)


def _size(store: Store) -> str:
    """The number of triples, which is all that tells one state of an endpoint from the next."""
    try:
        rows = store.select("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }", time_limit_s=_LIMIT_S).rows
    except StoreTimeout:
        return "large"
    value = rows[0][0] if rows else None
    return value.lexical if isinstance(value, Literal) else "unknown"


def _index(store: Store, folder: Path) -> LabelIndex:
    if (folder / "meta.json").is_file():
        return LabelIndex.open(folder)
    labels = list(_labels(store))
    try:
        return LabelIndex.build(labels, folder)
    except OSError:  # no cache can be written: it is kept in memory
        return LabelIndex.build(labels)


def _labels(store: Store) -> Iterator[Label]:
    rows = list(_pages(store))
    names = best_names(rows)
    for entity, name in names.items():
        yield Label(entity, name)
    for subject, _, alias in rows:
        if not isinstance(subject, Iri) or not isinstance(alias, Literal):
            continue
        if alias.language[:2] in ("en", "") and names.get(subject) != alias.lexical:
            yield Label(subject, alias.lexical, True)


def _pages(store: Store) -> Iterator[Row]:
    every = " ".join(map(term, (*NAME_PREDICATES, *ALIAS_PREDICATES)))
    read = 0
    while read < MAX_LABELS:
        query = (
            f"SELECT ?e ?p ?n WHERE {{ VALUES ?p {{ {every} }} ?e ?p ?n }} "
            f"ORDER BY {' '.join(_KEYS)} LIMIT {PAGE} OFFSET {read}"
        )
        rows = store.select(query, time_limit_s=_LIMIT_S, row_limit=PAGE).rows
        yield from rows
        read += len(rows)
        if not rows:
            return


def _paths(store: Store, lexicon: Lexicon) -> Paths:
    """The predicates; of two-hop paths those that the lexicon words. All of them where asking takes
    too long."""
    pairs = frozenset((path[0], path[1]) for path in lexicon.wordings if len(path) == 2)
    try:
        rows = store.select(
            "SELECT DISTINCT ?p WHERE { ?s ?p ?o }", time_limit_s=_LIMIT_S, row_limit=100_000
        ).rows
    except (StoreTimeout, QueryError):
        every = {hop.predicate for path in lexicon.wordings for hop in path}
        return Paths(frozenset(every), pairs)
    known = frozenset(row[0] for row in rows if isinstance(row[0], Iri))
    return Paths(known, frozenset(p for p in pairs if all(hop.predicate in known for hop in p)))
