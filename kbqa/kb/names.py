"""Entity -> the one name it is shown by, read from the store in batches and kept."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote

from kbqa.answers import shown_name
from kbqa.lexicon.nouns import type_label
from kbqa.protocols import Store
from kbqa.sparql.portable import one_of, values
from kbqa.types import FREEBASE, Constant, Iri, Literal, freebase

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
NAME_PREDICATES = (
    freebase("type.object.name"),
    Iri(_RDFS + "label"),
    Iri(_SKOS + "prefLabel"),
    Iri("http://schema.org/name"),
    Iri("https://schema.org/name"),
    Iri("http://xmlns.com/foaf/0.1/name"),
    Iri("http://purl.org/dc/terms/title"),
    Iri("http://purl.org/dc/elements/1.1/title"),
)
"""What names an entity, the first that it has."""

ALIAS_PREDICATES = (
    freebase("common.topic.alias"),
    Iri(_SKOS + "altLabel"),
    Iri("http://schema.org/alternateName"),
    Iri("https://schema.org/alternateName"),
)

BATCH = 200
LANGUAGES = ("en", "")
"""Of names, best first; '' stands for names without a language tag."""
_RANKS = {predicate: number for number, predicate in enumerate(NAME_PREDICATES)}


def rank(predicate: Iri, name: Literal, languages: tuple[str, ...] = LANGUAGES) -> tuple[int, int, str]:
    """Lower is the better name: by language (default: English before untagged before others), then by
    predicate."""
    return (language_rank(name.language, languages), _RANKS[predicate], name.lexical)


def language_rank(tag: str, languages: tuple[str, ...] = LANGUAGES) -> int:
    """The place of a language tag among the chosen languages; behind them all where it is none."""
    language = tag.lower().partition("-")[0]
    return languages.index(language) if language in languages else len(languages)


_NAMELIKE = re.compile(r"[^\W\d_]{3,}")


def local_label(iri: Iri) -> str:
    """A name made of the last part of an IRI, 'Bob Smith' of .../Bob_Smith; '' where that is no name but a
    number, a code or a file."""
    if iri.value.startswith((FREEBASE, "_:")):
        return ""
    last = unquote(re.split(r"[/#:]", iri.value.rstrip("/#"))[-1])
    text = " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", last.replace("_", " ")).split())
    digits = sum(map(str.isdigit, text))
    if (
        not _NAMELIKE.search(text)
        or 3 * digits > len(text)
        or re.search(r"[=?&%{}<>]|[^\W\d]\d|\.\w+\Z", last)
    ):
        return ""
    return shown_name(text)


def fallback(iri: Iri) -> str:
    """What an entity without a name is shown by: 'Bob Smith' for .../Bob_Smith, Freebase's id as it is."""
    if iri.value.startswith((FREEBASE, "_:")):
        return iri.mid
    last = re.search(r"[^/#]*\Z", iri.value.rstrip("/#"))
    return shown_name(unquote(last[0]).replace("_", " ") if last else "") or shown_name(iri.value)


class Labels(Mapping[Iri, str]):
    """Names of entities; what has none is not in it (`show` falls back to the id).

    Safe to share between threads. Iterating lists the names read so far. `fetch` reads many at once.
    `languages`: best first; `local`: what has no name is called by the last part of its IRI.
    """

    def __init__(
        self,
        store: Store,
        *,
        time_limit_s: float = 5.0,
        languages: tuple[str, ...] = LANGUAGES,
        local: bool = False,
    ) -> None:
        self._store, self._limit = store, time_limit_s
        self._languages, self._local = languages, local
        self._known: dict[Iri, str | None] = {}
        self._lock = threading.Lock()

    def __getitem__(self, iri: Iri) -> str:
        found = self.fetch((iri,)).get(iri)
        if found is None:
            raise KeyError(iri)
        return found

    def __iter__(self) -> Iterator[Iri]:
        with self._lock:
            return iter([iri for iri, name in self._known.items() if name is not None])

    def __len__(self) -> int:
        with self._lock:
            return sum(name is not None for name in self._known.values())

    def show(self, iri: Iri) -> str:
        return self.get(iri) or fallback(iri)

    def fetch(self, iris: Iterable[Iri]) -> dict[Iri, str]:
        """The names of those that have one. Raises `StoreError` as the store does."""
        wanted = list(dict.fromkeys(iris))
        with self._lock:
            missing = [iri for iri in wanted if iri not in self._known]
        askable = [iri for iri in missing if not iri.value.startswith("_:")]
        found: dict[Iri, str | None] = dict.fromkeys(missing)
        for at in range(0, len(askable), BATCH):
            found.update(self._read(askable[at : at + BATCH]))
        found.update({iri: type_label(iri) or None for iri, name in found.items() if name is None})
        if self._local:
            found.update({iri: local_label(iri) or None for iri, name in found.items() if name is None})
        with self._lock:
            self._known.update(found)
            return {iri: name for iri in wanted if (name := self._known.get(iri)) is not None}

    def _read(self, some: list[Iri]) -> dict[Iri, str]:
        query = (
            "SELECT ?e ?p ?n WHERE {\n"
            f"{values('?e', some)}\n?e ?p ?n\nFILTER ({one_of('?p', NAME_PREDICATES)})\n}}"
        )
        rows = self._store.select(query, time_limit_s=self._limit, row_limit=100_000).rows
        return best_names(rows, self._languages)


def best_names(
    rows: Iterable[tuple[Constant | None, ...]], languages: tuple[str, ...] = LANGUAGES
) -> dict[Iri, str]:
    """The best name of each entity in rows (entity, predicate, name), as it is shown."""
    best: dict[Iri, tuple[tuple[int, int, str], str]] = {}
    for entity, predicate, name in rows:
        if isinstance(entity, Iri) and isinstance(predicate, Iri) and isinstance(name, Literal):
            shown = shown_name(name.lexical)
            if predicate not in NAME_PREDICATES or not shown:
                continue
            ranked = (rank(predicate, name, languages), shown)
            if entity not in best or ranked < best[entity]:
                best[entity] = ranked
    return {entity: name for entity, (_, name) in best.items()}
