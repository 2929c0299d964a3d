"""What a graph's ontology and SHACL shapes say of its predicates and classes, asked of any store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kbqa.errors import StoreUnavailable
from kbqa.induce.profile import ClassInfo, PredicateInfo
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES, language_rank, local_label, rank
from kbqa.kb.vocabulary import DEFINING, OWL, RDFS, SCHEMAS, SHACL, SKOS
from kbqa.protocols import Store
from kbqa.sparql.portable import one_of, term, values
from kbqa.types import Constant, Iri, Literal

BATCH = 60
"""IRIs in one query."""
PAGE = 2_000
_LIMIT_S = 30.0
_COMMENTS = tuple(
    Iri(name)
    for name in (
        RDFS + "comment",
        SKOS + "definition",
        "http://purl.org/dc/terms/description",
        SHACL + "description",
        *(s + "description" for s in SCHEMAS),
    )
)
_SHAPE_NAME = Iri(SHACL + "name")
_SHAPE_DESCRIPTION = Iri(SHACL + "description")
_UNITS = tuple(
    Iri(name)
    for name in (
        "http://qudt.org/schema/qudt/unit",
        "http://qudt.org/schema/qudt/hasUnit",
        *(s + "unitText" for s in SCHEMAS),
    )
)

Row = tuple[Constant | None, ...]


@dataclass
class Ontology:
    """Statements by predicate, then subject; SHACL's under the path that they are about."""

    statements: dict[Iri, dict[Iri, list[Constant]]] = field(default_factory=dict)
    languages: tuple[str, ...] = ("en", "")

    def objects(self, subject: Iri, *predicates: Iri) -> Iterator[Constant]:
        for predicate in predicates:
            yield from self.statements.get(predicate, {}).get(subject, ())

    def add(self, subject: Iri, predicate: Iri, value: Constant) -> None:
        values = self.statements.setdefault(predicate, {}).setdefault(subject, [])
        if value not in values:
            values.append(value)

    def described(self, info: PredicateInfo) -> PredicateInfo:
        """The predicate with what is said of it."""
        iri = info.iri
        shaped = [v.lexical for v in self.objects(iri, _SHAPE_NAME) if isinstance(v, Literal)]
        labels = [*self._names(iri, NAME_PREDICATES), *shaped]
        others = [*labels[1:], *self._names(iri, ALIAS_PREDICATES)]
        inverse = next((v for v in self._inverses(iri)), None)
        units = [v for v in self.objects(iri, *_UNITS)]
        return replace(
            info,
            label=labels[0] if labels else "",
            synonyms=tuple(dict.fromkeys(o for o in others if o != (labels[0] if labels else ""))),
            comment=self._text(iri),
            stated_domains=self._iris(iri, RDFS + "domain", *(s + "domainIncludes" for s in SCHEMAS)),
            stated_ranges=self._iris(iri, RDFS + "range", *(s + "rangeIncludes" for s in SCHEMAS)),
            parents=self._iris(iri, RDFS + "subPropertyOf"),
            inverse=inverse,
            unit=_unit(units[0]) if units else "",
        )

    def classed(self, iri: Iri, instances: int, named: int) -> ClassInfo:
        """A class with its name and what is above it."""
        labels = self._names(iri, NAME_PREDICATES)
        name = labels[0] if labels else (local_label(iri) or iri.value)
        parents = self._iris(iri, RDFS + "subClassOf")
        others = dict.fromkeys((*labels[1:], *self._names(iri, ALIAS_PREDICATES)))
        synonyms = tuple(other for other in others if other != name)
        return ClassInfo(iri, name, instances, named, parents, self._text(iri), synonyms)

    def parents_of(self, classes: Iterable[Iri]) -> set[Iri]:
        """The classes and all that are stated above them."""
        found = set(classes)
        waiting = list(found)
        while waiting:
            for parent in self._iris(waiting.pop(), RDFS + "subClassOf"):
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return found

    def _names(self, iri: Iri, predicates: Sequence[Iri]) -> list[str]:
        """Names in the chosen languages, best first."""
        found = [
            ((rank(p, v, self.languages) if p in NAME_PREDICATES else (0, 0, v.lexical)), v.lexical.strip())
            for p in predicates
            for v in self.objects(iri, p)
            if isinstance(v, Literal)
            and v.lexical.strip()
            and language_rank(v.language, self.languages) < len(self.languages)
        ]
        return [name for _, name in sorted(found)]

    def _text(self, iri: Iri) -> str:
        texts = [v for v in self.objects(iri, *_COMMENTS) if isinstance(v, Literal)]
        known = [v for v in texts if language_rank(v.language, self.languages) < len(self.languages)]
        return min((v.lexical.strip() for v in known), default="")

    def _iris(self, iri: Iri, *predicates: str) -> tuple[Iri, ...]:
        found = self.objects(iri, *map(Iri, predicates))
        return tuple(sorted({v for v in found if isinstance(v, Iri) and not v.value.startswith("_:")}))

    def _inverses(self, iri: Iri) -> Iterator[Iri]:
        names = (OWL + "inverseOf", *(s + "inverseOf" for s in SCHEMAS))
        yield from self._iris(iri, *names)
        for name in names:
            for subject, stated in self.statements.get(Iri(name), {}).items():
                if iri in stated:
                    yield subject


def read_ontology(
    store: Store, predicates: Iterable[Iri], classes: Iterable[Iri], languages: tuple[str, ...]
) -> Ontology:
    """What the store says of these predicates and classes. Raises `StoreError`."""
    found = Ontology(languages=languages)
    for predicate in DEFINING:
        for subject, value in pages(store, f"?s {term(predicate)} ?o", ("s", "o")):
            if isinstance(subject, Iri) and value is not None:
                found.add(subject, predicate, value)
    wanted = sorted(set(predicates) | found.parents_of(classes))
    said = (*NAME_PREDICATES, *ALIAS_PREDICATES, *_COMMENTS, *_UNITS)
    for row in _about(store, wanted, said):
        match row:
            case (Iri() as subject, Iri() as predicate, (Iri() | Literal()) as value):
                found.add(subject, predicate, value)
    _read_shapes(store, found)
    return found


def _read_shapes(store: Store, found: Ontology) -> None:
    """sh:name and sh:description of property shapes, said of the predicates that they are about."""
    for predicate in (_SHAPE_NAME, _SHAPE_DESCRIPTION):
        pattern = f"?x {term(Iri(SHACL + 'path'))} ?s ; {term(predicate)} ?o FILTER (ISIRI(?s))"
        for subject, value in pages(store, pattern, ("s", "o")):
            if isinstance(subject, Iri) and isinstance(value, Literal):
                found.add(subject, predicate, value)


def _about(store: Store, subjects: Sequence[Iri], predicates: Sequence[Iri]) -> Iterator[Row]:
    named = one_of("?p", predicates)
    for at in range(0, len(subjects), BATCH):
        some = values("?s", subjects[at : at + BATCH])
        query = f"SELECT ?s ?p ?o WHERE {{ {some} ?s ?p ?o FILTER ({named}) }}"
        yield from store.select(query, time_limit_s=_LIMIT_S, row_limit=20_000).rows


def pages(
    store: Store, pattern: str, variables: tuple[str, ...], page: int = PAGE, after: str = ""
) -> Iterator[Row]:
    """All rows of a pattern, page by page, by the order of ?s as text: the next page begins after the last
    subject that is complete, so that no engine has to skip rows. Blank subjects are left out; `after`: so is
    every subject up to this one. Only an empty page is the end: an endpoint may give fewer rows than
    asked for."""
    names = " ".join(f"?{v}" for v in variables)
    last = after
    while True:
        begin = f"FILTER (STR(?s) > {term(Literal(last))})" if last else ""
        query = (
            f"SELECT DISTINCT {names} WHERE {{ {pattern} FILTER (ISIRI(?s)) {begin} }} "
            f"ORDER BY STR(?s) LIMIT {page}"
        )
        rows = store.select(query, time_limit_s=_LIMIT_S, row_limit=page).rows
        if not rows:
            return
        end = rows[-1][0]
        whole = [row for row in rows if row[0] != end]
        if not whole:
            whole = list(_of_one(store, pattern, names, end))
        yield from whole
        tail = whole[-1][0]
        if not isinstance(tail, Iri) or tail.value <= last:
            raise StoreUnavailable(f"the endpoint does not keep its own order: {tail} came after {last!r}")
        last = tail.value


def _of_one(store: Store, pattern: str, names: str, subject: Constant | None) -> Sequence[Row]:
    """All rows of the one subject that fills a page."""
    if not isinstance(subject, Iri):
        raise StoreUnavailable(f"the endpoint lists {subject} where IRIs were asked for")
    query = f"SELECT DISTINCT {names} WHERE {{ VALUES ?s {{ {term(subject)} }} {pattern} }}"
    found = store.select(query, time_limit_s=_LIMIT_S, row_limit=100_000).rows
    return found or [(subject, *(None for _ in names.split()[1:]))]


def _unit(value: Constant) -> str:
    return value.lexical if isinstance(value, Literal) else local_label(value).lower()


def counted(rows: Iterable[Row]) -> Mapping[Constant, int]:
    """Rows of (value, number) as a mapping."""
    found: dict[Constant, int] = defaultdict(int)
    for value, number in rows:
        if value is not None and isinstance(number, Literal):
            found[value] += int(float(number.lexical))
    return found
