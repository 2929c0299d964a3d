"""A SPARQL endpoint surveyed in small queries: its predicates and classes, and its names page by page.

What was read is kept in a folder beside the one that is built, so that a build that was cut off goes on
where it stopped. Predicates with very many triples are looked at through a sample.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from kbqa.errors import QueryError, StoreTimeout, StoreUnavailable
from kbqa.induce.profile import LANGUAGE_TAGGED, PredicateInfo, Profile
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES, language_rank, local_label, rank
from kbqa.kb.ontology import Row, counted, pages
from kbqa.kb.own import profile_of, ranked_classes
from kbqa.kb.vocabulary import SCHEMA_CLASSES, TYPE, is_askable, is_thing_class
from kbqa.link.index import Label
from kbqa.protocols import Store
from kbqa.sparql.portable import term
from kbqa.types import XSD, Constant, Iri, Literal

SAMPLE_FROM = 200_000
"""Triples of a predicate from which on only a sample of it is looked at."""
SAMPLE = 20_000
MAX_NAMES = 5_000_000
_LIMIT_S = 60.0
_LOOKED_AT = 200
_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_NAMES = " ".join(map(term, NAME_PREDICATES))
_SCHEMA = " ".join(map(term, sorted(SCHEMA_CLASSES)))
Progress = Callable[[str, int], None]


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
            rows = self._rows("SELECT ?p (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p")
        except StoreTimeout:
            rows = [(row[0], None) for row in self._rows("SELECT DISTINCT ?p WHERE { ?s ?p ?o }")]
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
        there = self._rows("SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?s ?p ?o }") if not self.cut else []
        if there and isinstance(there[0][0], Literal) and int(float(there[0][0].lexical)) != len(rows):
            raise StoreUnavailable(
                f"the endpoint lists {len(rows):,} predicates but counts {there[0][0].lexical}: it cuts its"
                " answers; raise its limit of rows, or build from a dump of the graph"
            )
        return [(p, n) for p, n in sorted(found) if is_askable(Iri(p))]

    def _facts(self, predicate: Iri, size: int, has_schema: bool) -> dict[str, Any]:
        """Counts of one predicate, from a sample where it is large."""
        p = term(predicate)
        aside = f"FILTER NOT EXISTS {{ ?s {term(TYPE)} ?k VALUES ?k {{ {_SCHEMA} }} }}" if has_schema else ""
        triple = f"?s {p} ?o {aside}"
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
        bare = f"{pattern} FILTER NOT EXISTS {{ {variable} ?np ?nn VALUES ?np {{ {_NAMES} }} }}"
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
                named = self._number(f"{some} FILTER EXISTS {{ ?s ?np ?nn VALUES ?np {{ {_NAMES} }} }}")
                out.append((iri, n, round(named * n / min(n, SAMPLE)) if n >= SAMPLE_FROM else named))
        return out

    def _number(self, pattern: str) -> int:
        value = self._rows(f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}")[0][0]
        return int(float(value.lexical)) if isinstance(value, Literal) else 0

    def _ask(self, pattern: str) -> bool:
        value = self._rows(f"ASK {{ {pattern} }}")[0][0]
        return isinstance(value, Literal) and value.lexical == "true"

    def _rows(self, query: str) -> list[tuple[Constant | None, ...]]:
        found = self.store.select(query, time_limit_s=_LIMIT_S, row_limit=100_000)
        if found.cut:
            raise StoreUnavailable(
                f"the endpoint gave only {len(found.rows):,} rows of {query}: raise its limit of"
                " rows, or build from a dump of the graph"
            )
        return list(found.rows)

    # --- names ------------------------------------------------------------------

    def labels(self) -> Iterator[Label]:
        """Each thing's best name, then its others; what has none is called by its IRI where that can be."""
        types = self._types()
        seen: set[str] = set()
        every = " ".join(map(term, (*NAME_PREDICATES, *ALIAS_PREDICATES)))
        stream = self._paged("names", f"VALUES ?p {{ {every} }} ?s ?p ?o", ("s", "p", "o"))
        for subject, rows in _grouped(stream):
            seen.add(subject)
            if SCHEMA_NAMES & set(types.get(subject, ())):
                continue
            yield from self._named(subject, rows, types.get(subject, ()))
        for subject, some in types.items():
            if subject not in seen and not SCHEMA_NAMES & set(some) and (name := local_label(Iri(subject))):
                yield Label(Iri(subject), name, False, tuple(map(Iri, some)))

    def _named(self, subject: str, rows: list[list[Any]], types: tuple[str, ...]) -> Iterator[Label]:
        ranked, others = [], []
        for _, predicate, text, tag in rows:
            text = text.strip()
            if not text:
                continue
            if Iri(predicate) in NAME_PREDICATES:
                ranked.append((rank(Iri(predicate), Literal(text, language=tag), self.languages), text))
            if language_rank(tag, self.languages) < len(self.languages):
                others.append(text)
        if not ranked and not others:
            return
        best = min(ranked)[1] if ranked else others[0]
        kinds = tuple(map(Iri, types))
        yield Label(Iri(subject), best, False, kinds)
        for other in sorted(set(others) - {best}):
            yield Label(Iri(subject), other, True, kinds)

    def _types(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for subject, _, value, _ in self._paged("types", f"?s {term(TYPE)} ?o", ("s", "o")):
            found.setdefault(subject, []).append(value)
        return {s: tuple(sorted(some)) for s, some in found.items()}

    def _paged(self, stage: str, pattern: str, variables: tuple[str, ...]) -> Iterator[list[Any]]:
        """Rows [subject, predicate, value, language] of a pattern, kept in a file line by line."""
        file = self.folder / f"{stage}.jsonl"
        done = self.folder / f"{stage}.done"
        if not done.exists():
            last = _trimmed(file)
            with file.open("a", encoding="utf-8") as out:
                for number, row in enumerate(pages(self.store, pattern, variables, after=last)):
                    out.write(json.dumps(_flat(row), ensure_ascii=False) + "\n")
                    if number % 1_000 == 0:
                        self.progress(f"reading {stage}", number)
                    if number >= MAX_NAMES:
                        self.cut.append(f"only the first {MAX_NAMES:,} {stage} were read")
                        break
            done.touch()
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

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


def _flat(row: Row) -> list[str]:
    subject, *middle, value = row
    predicate = middle[0] if middle else None
    text = value.lexical if isinstance(value, Literal) else value.value if value else ""
    tag = value.language if isinstance(value, Literal) else ""
    return [
        subject.value if isinstance(subject, Iri) else "",
        predicate.value if isinstance(predicate, Iri) else "",
        text,
        tag,
    ]


def _grouped(rows: Iterator[list[Any]]) -> Iterator[tuple[str, list[list[Any]]]]:
    """Consecutive rows of one subject."""
    some: list[list[Any]] = []
    for row in rows:
        if some and some[0][0] != row[0]:
            yield some[0][0], some
            some = []
        some.append(row)
    if some:
        yield some[0][0], some


def _trimmed(file: Path) -> str:
    """The last subject whose rows are surely complete; what stands after them is cut off the file."""
    if not file.is_file():
        return ""
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            break
    if not rows:
        file.unlink()
        return ""
    last = rows[-1][0]
    whole = [row for row in rows if row[0] != last]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in whole)
    file.write_text(text, encoding="utf-8")
    return str(whole[-1][0]) if whole else ""
