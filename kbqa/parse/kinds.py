"""Entities that a question's common nouns name: 'city' -> City/Town/Village, 'drummer' -> Drums."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar

from kbqa.errors import StoreError
from kbqa.lexicon.nouns import kind_nouns, plural
from kbqa.link import key
from kbqa.parse.program import MAX_ENTITIES
from kbqa.parse.source import Entity
from kbqa.protocols import Store
from kbqa.types import Iri, Literal, freebase

Kinds = Mapping[Iri, tuple[str, tuple[str, ...]]]
"""Types: their names and the common nouns for their instances."""
TITLES = (
    "government.government_office_category",
    "government.government_office_or_title",
    "education.educational_degree",
    "people.gender",
)
"""Types whose instances are named by common words ('president'), which no linker may pick alone."""
STYLES = (
    "music.genre",
    "music.instrument",
    "sports.sport",
    "visual_art.color",
    "business.industry",
    "government.form_of_government",
    "people.cause_of_death",
)
"""Types whose instances say what a thing is like: 'punk bands', 'teams that play basketball'."""
CONCEPTS = (
    *TITLES,
    "people.profession",
    "sports.sports_position",
    "baseball.baseball_position",
    "basketball.basketball_position",
    "soccer.football_position",
    "ice_hockey.hockey_position",
    "music.performance_role",
    "music.instrument",
    "location.offical_symbol_variety",
    "film.film_genre",
    "tv.tv_genre",
    "medicine.disease",
    "government.form_of_government",
)
"""Types whose instances people name by common nouns of another form, too ('drummer', 'animated')."""
_ENGLISH = 'FILTER (LANG(?n) = "" || LANGMATCHES(LANG(?n), "en"))'
_LIMIT_S = 5.0
_PAUSE_S = 60.0
_Key = TypeVar("_Key")
_Found = TypeVar("_Found")


def kinds_named(text: str, kinds: Kinds) -> Iterator[Entity]:
    """The types whose nouns, one or many, stand in a text; without a place in it."""
    words = f" {key(text)} "
    for iri, (name, nouns) in kinds.items():
        if any(f" {form} " in words for noun in nouns for form in (noun, plural(noun))):
            yield Entity(iri, name)


class CommonNouns:
    """The types, titles, professions and the like of a store that common words name. What the store
    could not say in time is empty until it is asked again, a minute later. `own`: the classes of a
    graph that doesn't speak Freebase's vocabulary."""

    def __init__(self, store: Store, own: Kinds | None = None) -> None:
        self._store, self._own = store, own
        self._known: dict[str, Mapping[Any, Any]] = {}
        self._again: dict[str, float] = {}

    def named(self, question: str) -> Iterator[Entity]:
        """Titles where they stand in the question, then what else its nouns name, without a place;
        some may come twice."""
        words = [w.strip(".,;:!?\"'()") for w in question.split()]
        runs = [" ".join(words[i : i + k]).lower() for k in (3, 2, 1) for i in range(len(words) - k + 1)]
        for text in runs:
            start = question.lower().find(text) if len(text) >= 4 else -1
            for title in self.titles.get(text, ()) if start >= 0 else ():
                yield Entity(title, question[start : start + len(text)], start, start + len(text))
        for text in dict.fromkeys(key(run) for run in runs):
            yield from self.concepts.get(text, ())
        yield from kinds_named(question, self.kinds)

    @property
    def kinds(self) -> Kinds:
        """The types that things are notable for, with their common nouns."""
        return self._own if self._own is not None else self._read("kinds", self._read_kinds)

    @property
    def sorts(self) -> Mapping[str, tuple[Iri, ...]]:
        """A common noun, one or many -> the types (`kinds`) of whose instances it is said."""
        if "sorts" not in self._known and self.kinds:
            found: dict[str, dict[Iri, None]] = defaultdict(dict)
            for kind, (_, nouns) in self.kinds.items():
                for form in (form for noun in nouns for form in (noun, plural(noun))):
                    found[form][kind] = None
            self._known["sorts"] = {form: tuple(kinds) for form, kinds in found.items()}
        return self._known.get("sorts", {})

    @property
    def titles(self) -> Mapping[str, tuple[Iri, ...]]:
        """Name in lower case -> entities of `TITLES`."""
        return self._read("titles", self._read_titles)

    @property
    def concepts(self) -> Mapping[str, tuple[Entity, ...]]:
        """Normal form of a noun -> entities of `CONCEPTS` that it may mean, by name, plural or synonym."""
        return self._read("concepts", lambda: self._forms(CONCEPTS))

    @property
    def styles(self) -> Mapping[str, tuple[Entity, ...]]:
        """The same of `STYLES`, but for what is a sort of thing, too ('country')."""
        return self._read("styles", self._read_styles)

    def _read(self, name: str, read: Callable[[], Mapping[_Key, _Found]]) -> Mapping[_Key, _Found]:
        """A table, read once; nothing where the store fails."""
        if name in self._known:
            return self._known[name]
        if self._own is not None or time.monotonic() < self._again.get(name, 0.0):
            return {}
        try:
            self._known[name] = found = read()
        except StoreError:
            self._again[name] = time.monotonic() + _PAUSE_S
            return {}
        return found

    def _read_kinds(self) -> Kinds:
        notable, name = (freebase(p).value for p in ("common.topic.notable_types", "type.object.name"))
        rows = self._pairs(f"SELECT DISTINCT ?t ?n WHERE {{ ?e <{notable}> ?t . ?t <{name}> ?n {_ENGLISH} }}")
        return {t: (n, nouns) for t, n in rows if (nouns := kind_nouns(n))}

    def _read_titles(self) -> Mapping[str, tuple[Iri, ...]]:
        found: dict[str, list[Iri]] = defaultdict(list)
        for entity, name in self._instances(TITLES):
            found[name.lower()].append(entity)
        return {k: tuple(v) for k, v in found.items()}

    def _read_styles(self) -> Mapping[str, tuple[Entity, ...]]:
        return {form: found for form, found in self._forms(STYLES).items() if form not in self.sorts}

    def _forms(self, types: tuple[str, ...]) -> Mapping[str, tuple[Entity, ...]]:
        found: dict[str, dict[Iri, Entity]] = defaultdict(dict)
        for entity, name in self._instances(types):
            for noun in (name.lower().removesuffix(" music"), *synonyms().get(key(name), ())):
                for form in (noun, plural(noun)):
                    found[key(form)][entity] = Entity(entity, name)
        return {k: tuple(v.values()) for k, v in found.items()}

    def _instances(self, types: tuple[str, ...]) -> list[tuple[Iri, str]]:
        wanted = " ".join(f"<{freebase(t).value}>" for t in types)
        kind, name = freebase("type.object.type").value, freebase("type.object.name").value
        pattern = f"VALUES ?t {{ {wanted} }} ?e <{kind}> ?t . ?e <{name}> ?n {_ENGLISH}"
        return self._pairs(f"SELECT DISTINCT ?e ?n WHERE {{ {pattern} }}")

    def _pairs(self, query: str) -> list[tuple[Iri, str]]:
        rows = self._store.select(query, time_limit_s=_LIMIT_S, row_limit=5_000).rows
        return [(e, n.lexical) for e, n in rows if isinstance(e, Iri) and isinstance(n, Literal)]


def beside(question: str, entities: Sequence[Entity], nouns: CommonNouns) -> list[Entity]:
    """What is offered to a parser beside these entities: what the question's common nouns name."""
    taken = {e.iri for e in entities}
    out: list[Entity] = []
    for found in nouns.named(question):
        if found.iri in taken or len(taken) >= MAX_ENTITIES:
            continue
        taken.add(found.iri)
        over = any(found.start < e.end and e.start < found.end for e in (*entities, *out))
        out.append(replace(found, start=-1, end=-1) if over else found)
    return out


@lru_cache(maxsize=1)
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Normal form of a name -> what else it is called (`kbqa/lexicon/common_nouns.tsv`)."""
    found = {}
    for line in (files("kbqa.lexicon") / "common_nouns.tsv").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, words = line.partition("\t")
            found[key(name)] = tuple(w.strip() for w in words.split(",") if w.strip())
    return found
