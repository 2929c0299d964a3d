"""A SPARQL endpoint surveyed in small queries: its predicates and classes, and its names list by list.

What was read is kept in a folder beside the one that is built, so that a build that was cut off goes on
where it stopped. Predicates with very many triples are looked at through a sample.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from kbqa.errors import QueryError, StoreTimeout, StoreUnavailable
from kbqa.induce.profile import LANGUAGE_TAGGED, PredicateInfo, Profile
from kbqa.kb.listing import LIMIT_S, MAX_ROWS, Entry, Listing
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES, language_rank, local_label, rank
from kbqa.kb.ontology import counted
from kbqa.kb.own import profile_of, ranked_classes
from kbqa.kb.vocabulary import SCHEMA_CLASSES, TYPE, is_askable, is_thing_class
from kbqa.link.index import Label
from kbqa.protocols import Store
from kbqa.sparql.portable import term
from kbqa.types import XSD, Constant, Iri, Literal

SAMPLE_FROM = 200_000
"""Triples of a predicate from which on only a sample of it is looked at."""
SAMPLE = 20_000
_LIMIT_S = 60.0
_LOOKED_AT = 200
_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_SCHEMA = " ".join(map(term, sorted(SCHEMA_CLASSES)))
Progress = Callable[[str, int], None]
_Said = tuple[str, Iri, str, str]
"""Subject as JSON, predicate, value, language."""


@dataclass
class RemoteSurvey:
    """Reads one endpoint; `folder` keeps what was read. All methods raise `StoreError`."""

    store: Store
    folder: Path
    languages: tuple[str, ...]
    progress: Progress = lambda what, done: None
    cut: list[str] = field(default_factory=list)

    def profile(self) -> Profile:
        """What the endpoint holds."""
        sizes = self._sizes()
        has_schema = self._ask(f"?x {term(TYPE)} ?k VALUES ?k {{ {_SCHEMA} }}")
        infos = {}
        for number, (predicate, size) in enumerate(sorted(sizes.items()), 1):
            self.progress("asking about predicates", number)
            known = self._kept(
                f"predicate {predicate.value}", partial(self._facts, predicate, size, has_schema)
            )
            if known["triples"]:
                infos[predicate] = _info(predicate, known)
        instances = {Iri(c): (int(n), int(named)) for c, n, named in self._kept("classes", self._classes)}
        return profile_of(self.store, sum(sizes.values()), infos, instances, self.languages, self.cut)

    # --- predicates and classes ------------------------------------------------

    def _sizes(self) -> dict[Iri, int]:
        """The askable predicates and how many triples each has."""
        return {Iri(p): int(n) for p, n in self._kept("sizes", self._read_sizes)}

    def _read_sizes(self) -> list[tuple[str, int]]:
        try:
            rows = self._rows("SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p", LIMIT_S)
        except StoreTimeout:
            rows = [(row[0], None) for row in self._rows("SELECT DISTINCT ?p WHERE { ?s ?p ?o }", LIMIT_S)]
            self.cut.append("the endpoint could not count its triples in time: shares come from samples")
        found = [
            (p.value, int(n.lexical) if isinstance(n, Literal) else SAMPLE_FROM)
            for p, n in rows
            if isinstance(p, Iri)
        ]
        if not found:
            raise StoreUnavailable(
                "the endpoint holds no triples that can be read: name its graph, or another endpoint"
            )
        counted_them = "SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?s ?p ?o }"
        there = self._rows(counted_them, LIMIT_S) if not self.cut else []
        if there and isinstance(there[0][0], Literal) and int(float(there[0][0].lexical)) != len(rows):
            raise StoreUnavailable(
                f"the endpoint lists {len(rows):,} predicates but counts {there[0][0].lexical}: it cuts its"
                " answers; raise its limit of rows, or build from a dump of the graph"
            )
        return [(p, n) for p, n in sorted(found) if is_askable(Iri(p))]

    @cached_property
    def _naming(self) -> str:
        """The predicates of names that occur, as terms: each more is looked up for every row."""
        some = self._kept(
            "naming", lambda: [p.value for p in NAME_PREDICATES if self._ask(f"?s {term(p)} ?o")]
        )
        return " ".join(term(Iri(p)) for p in some) or term(NAME_PREDICATES[0])

    def _facts(self, predicate: Iri, size: int, has_schema: bool) -> dict[str, Any]:
        """Counts of one predicate, from a sample where it is large."""
        p = term(predicate)
        of_schema = f"?s {term(TYPE)} ?k VALUES ?k {{ {_SCHEMA} }}"
        mixed = has_schema and self._ask(f"?s {p} ?o . {of_schema}")
        triple = f"?s {p} ?o ." + (f" FILTER NOT EXISTS {{ {of_schema} }}" if mixed else "")
        if size >= SAMPLE_FROM:
            triple = f"{{ SELECT ?s ?o WHERE {{ {triple} }} LIMIT {SAMPLE} }}"
        totals = self._rows(f"SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?m) WHERE {{ {triple} }}")
        triples, subjects = (int(float(v.lexical)) if isinstance(v, Literal) else 0 for v in totals[0])
        entities = self._number(f"{triple} FILTER (!ISLITERAL(?o))") if triples else 0
        types = predicate == TYPE
        return {
            "triples": triples,
            "subjects": subjects,
            "entities": entities,
            "domains": self._by(f"{triple} ?s {term(TYPE)} ?c", "?c"),
            "ranges": [] if types or not entities else self._by(f"{triple} ?o {term(TYPE)} ?c", "?c"),
            "datatypes": [] if entities == triples else self._datatypes(triple),
            "subject_unnamed": self._unnamed(triple, "?s"),
            "object_unnamed": 0
            if types or not entities
            else self._unnamed(f"{triple} FILTER (!ISLITERAL(?o))", "?o"),
        }

    def _by(self, pattern: str, variable: str) -> list[tuple[str, int]]:
        found = counted(
            self._rows(f"SELECT {variable} (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY {variable}")
        )
        rows = [(c.value, n) for c, n in found.items() if isinstance(c, Iri)]
        return [(c, n) for c, n in sorted(rows, key=lambda row: (-row[1], row[0]))]

    def _datatypes(self, triple: str) -> list[tuple[str, int]]:
        rows = self._by(f"{triple} FILTER (ISLITERAL(?o)) BIND (DATATYPE(?o) AS ?c)", "?c")
        named = {_LANG_STRING: LANGUAGE_TAGGED, XSD + "string": ""}
        return [(named.get(d, d), n) for d, n in rows]

    def _unnamed(self, pattern: str, variable: str) -> int:
        """How many rows have a `variable` without a name, stated or in its IRI; the latter by a sample."""
        bare = f"{pattern} FILTER NOT EXISTS {{ {variable} ?np ?nn VALUES ?np {{ {self._naming} }} }}"
        number = self._number(bare)
        if not number:
            return 0
        rows = self._rows(f"SELECT {variable} WHERE {{ {bare} }} LIMIT {_LOOKED_AT}")
        nameless = sum(not local_label(row[0]) for row in rows if isinstance(row[0], Iri))
        return round(number * nameless / max(1, len(rows)))

    def _classes(self) -> list[tuple[str, int, int]]:
        found = self._by(f"?s {term(TYPE)} ?c", "?c")
        out = []
        for iri, n in found:
            if is_thing_class(Iri(iri)):
                some = f"?s {term(TYPE)} {term(Iri(iri))}"
                if n >= SAMPLE_FROM:
                    some = f"{{ SELECT ?s WHERE {{ {some} }} LIMIT {SAMPLE} }}"
                named = self._number(f"{some} FILTER EXISTS {{ ?s ?np ?nn VALUES ?np {{ {self._naming} }} }}")
                out.append((iri, n, round(named * n / min(n, SAMPLE)) if n >= SAMPLE_FROM else named))
        return out

    def _number(self, pattern: str) -> int:
        value = self._rows(f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}")[0][0]
        return int(float(value.lexical)) if isinstance(value, Literal) else 0

    def _ask(self, pattern: str) -> bool:
        value = self._rows(f"ASK {{ {pattern} }}")[0][0]
        return isinstance(value, Literal) and value.lexical == "true"

    def _rows(self, query: str, limit_s: float = _LIMIT_S) -> list[tuple[Constant | None, ...]]:
        found = self.store.select(query, time_limit_s=limit_s, row_limit=100_000)
        if found.cut:
            raise StoreUnavailable(
                f"the endpoint gave only {len(found.rows):,} rows of {query}: raise its limit of"
                " rows, or build from a dump of the graph"
            )
        return list(found.rows)

    # --- names ------------------------------------------------------------------

    def labels(self) -> Iterator[Label]:
        """Each thing's best name, then its others; what has none is called by its IRI where that can be."""
        listing = Listing(self.store, self.folder, self.progress)
        lists = {"types": TYPE}
        lists |= {f"names-{k}": p for k, p in enumerate((*NAME_PREDICATES, *ALIAS_PREDICATES))}
        streams = [_said(listing.entries(name, p), p) for name, p in lists.items()]
        for subject, rows in groupby(merge(*streams, key=itemgetter(0)), key=itemgetter(0)):
            yield from self._called(json.loads(subject), list(rows))
        some = [p.value for name, p in lists.items() if listing.cut(name)]
        self.cut += [f"only the first {MAX_ROWS:,} triples of {p} were read for names" for p in some]

    def _called(self, subject: str, rows: list[_Said]) -> Iterator[Label]:
        types = tuple(value for _, predicate, value, _ in rows if predicate == TYPE)
        if SCHEMA_NAMES & set(types):
            return
        names = [row for row in rows if row[1] != TYPE]
        if names:
            yield from self._named(subject, names, types)
        elif name := local_label(Iri(subject)):
            yield Label(Iri(subject), name, False, tuple(map(Iri, types)))

    def _named(self, subject: str, rows: list[_Said], types: tuple[str, ...]) -> Iterator[Label]:
        ranked, others = [], []
        for _, predicate, text, tag in rows:
            text = text.strip()
            if not text:
                continue
            if predicate in NAME_PREDICATES:
                ranked.append((rank(predicate, Literal(text, language=tag), self.languages), text))
            if language_rank(tag, self.languages) < len(self.languages):
                others.append(text)
        if not ranked and not others:
            return
        best = min(ranked)[1] if ranked else others[0]
        kinds = tuple(map(Iri, types))
        yield Label(Iri(subject), best, False, kinds)
        for other in sorted(set(others) - {best}):
            yield Label(Iri(subject), other, True, kinds)

    def _kept(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` gives, as JSON holds it; from the file of an earlier run where it is there."""
        file = self.folder / "facts.jsonl"
        if not hasattr(self, "_facts_kept"):
            self._facts_kept: dict[str, Any] = {}
            if file.is_file():
                for line in file.read_text(encoding="utf-8").splitlines():
                    try:
                        key, value = json.loads(line)
                    except ValueError:  # the line that was being written when the build was cut off
                        continue
                    self._facts_kept[key] = value
        if name not in self._facts_kept:
            try:
                self._facts_kept[name] = json.loads(json.dumps(make()))
            except (StoreTimeout, QueryError) as error:
                raise StoreUnavailable(
                    f"the endpoint could not answer about {name}: {error}; try again when it is less busy"
                    " (what was read is kept), or build from a dump of the graph"
                ) from error
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps([name, self._facts_kept[name]], ensure_ascii=False) + "\n")
        return self._facts_kept[name]


SCHEMA_NAMES = frozenset(c.value for c in SCHEMA_CLASSES)


def _info(iri: Iri, known: dict[str, Any]) -> PredicateInfo:
    return PredicateInfo(
        iri,
        known["triples"],
        known["subjects"],
        known["entities"],
        known["subject_unnamed"],
        known["object_unnamed"],
        ranked_classes(Counter(dict(map(tuple, known["domains"])))),
        ranked_classes(Counter(dict(map(tuple, known["ranges"])))),
        tuple((d, n) for d, n in known["datatypes"]),
    )


def _said(entries: Iterator[Entry], predicate: Iri) -> Iterator[_Said]:
    for subject, value, language in entries:
        yield subject, predicate, value, language
