"""What a graph holds, as far as wording it goes: classes, predicates, mediators. Kept as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any
from typing import Literal as Choice

from kbqa.types import XSD, Hop, Iri

Value = Choice["entity", "date", "number", "truth", "text"]

_DATES = frozenset(XSD + t for t in ("date", "dateTime", "gYear", "gYearMonth", "dateTimeStamp"))
_NUMBERS = frozenset(
    XSD + t
    for t in (
        "integer decimal double float int long short byte nonNegativeInteger positiveInteger unsignedInt "
        "unsignedLong unsignedShort unsignedByte nonPositiveInteger negativeInteger"
    ).split()
)
LANGUAGE_TAGGED = "@"
"""Stands for the datatype of language-tagged text."""

_MOST = 0.9
"""The share of a predicate's triples that a class must cover to stand for its subjects or objects."""


@dataclass(frozen=True, slots=True)
class ClassInfo:
    """A class: `name` from its label or local name, `named` of its `instances` have a name."""

    iri: Iri
    name: str
    instances: int = 0
    named: int = 0
    parents: tuple[Iri, ...] = ()
    comment: str = ""
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PredicateInfo:
    """A predicate. Counts are of triples: `entities` of those whose object is no literal, `subject_unnamed`
    and `object_unnamed` of those whose subject, or object with triples of its own, has no name. `domains`,
    `ranges`, `datatypes`: which class or datatype how often, most frequent first; `subjects`: distinct."""

    iri: Iri
    triples: int = 0
    subjects: int = 0
    entities: int = 0
    subject_unnamed: int = 0
    object_unnamed: int = 0
    domains: tuple[tuple[Iri, int], ...] = ()
    ranges: tuple[tuple[Iri, int], ...] = ()
    datatypes: tuple[tuple[str, int], ...] = ()
    label: str = ""
    """Stated: rdfs:label, sh:name, skos:prefLabel; '' where there is none."""
    comment: str = ""
    synonyms: tuple[str, ...] = ()
    stated_domains: tuple[Iri, ...] = ()
    stated_ranges: tuple[Iri, ...] = ()
    inverse: Iri | None = None
    parents: tuple[Iri, ...] = ()
    unit: str = ""

    @property
    def value(self) -> Value:
        """What most of its objects are."""
        if 2 * self.entities >= max(1, self.triples):
            return "entity"
        kind = max(self.datatypes, key=lambda row: row[1], default=("", 0))[0]
        if kind in _DATES:
            return "date"
        if kind in _NUMBERS:
            return "number"
        return "truth" if kind == XSD + "boolean" else "text"

    @property
    def single(self) -> bool:
        """Whether (nearly) every subject has one value."""
        return self.triples <= 1.02 * self.subjects


@dataclass(frozen=True)
class Profile:
    """A graph. `pairs`: the two-hop paths through its mediators; `into`, `out_of`: the predicates that lead
    to mediators, and from them. `cut`: what was left out, in words; `triples` 0: unknown."""

    triples: int = 0
    classes: Mapping[Iri, ClassInfo] = field(default_factory=dict)
    predicates: Mapping[Iri, PredicateInfo] = field(default_factory=dict)
    pairs: frozenset[tuple[Hop, Hop]] = frozenset()
    into: frozenset[Iri] = frozenset()
    out_of: frozenset[Iri] = frozenset()
    cut: tuple[str, ...] = ()

    @cached_property
    def ancestors(self) -> Mapping[Iri, frozenset[Iri]]:
        """Each class with itself and all above it."""
        found: dict[Iri, frozenset[Iri]] = {}
        for iri in self.classes:
            seen, waiting = {iri}, [iri]
            while waiting:
                known = self.classes.get(waiting.pop())
                for parent in known.parents if known else ():
                    if parent not in seen:
                        seen.add(parent)
                        waiting.append(parent)
            found[iri] = frozenset(seen)
        return found

    def subject_class(self, predicate: PredicateInfo) -> Iri | None:
        """The most specific class that (nearly) all subjects have; else the one that is stated."""
        return self._class(predicate.domains, predicate.triples, predicate.stated_domains)

    def object_class(self, predicate: PredicateInfo) -> Iri | None:
        """As `subject_class`, of the objects that are entities."""
        return self._class(predicate.ranges, predicate.entities, predicate.stated_ranges)

    def _class(self, seen: tuple[tuple[Iri, int], ...], total: int, stated: tuple[Iri, ...]) -> Iri | None:
        above: dict[Iri, int] = {}
        for iri, count in seen:
            for one in self.ancestors.get(iri, frozenset((iri,))):
                above[one] = above.get(one, 0) + count
        covering = [c for c, n in above.items() if n >= _MOST * max(1, total) and c in self.classes]
        if covering:
            size = {c: (self._instances.get(c, 0), c.value) for c in covering}
            return min(covering, key=lambda c: size[c])
        known = [c for c in stated if c in self.classes]
        return known[0] if known else None

    @cached_property
    def _instances(self) -> Mapping[Iri, int]:
        """Instances of each class, those of its subclasses included."""
        found: dict[Iri, int] = {}
        for iri, known in self.classes.items():
            for one in self.ancestors[iri]:
                found[one] = found.get(one, 0) + known.instances
        return found

    # --- JSON ---------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        return {
            "triples": self.triples,
            "classes": [_plain(asdict(c)) for _, c in sorted(self.classes.items())],
            "predicates": [_plain(asdict(p)) for _, p in sorted(self.predicates.items())],
            "pairs": sorted([_hop(a), _hop(b)] for a, b in self.pairs),
            "into": sorted(p.value for p in self.into),
            "out_of": sorted(p.value for p in self.out_of),
            "cut": list(self.cut),
        }

    @staticmethod
    def from_json(found: Mapping[str, Any]) -> Profile:
        """Raises `KeyError`, `TypeError` or `ValueError` for what `to_json` didn't write."""
        classes = [_class_info(row) for row in found["classes"]]
        predicates = [_predicate_info(row) for row in found["predicates"]]
        return Profile(
            int(found["triples"]),
            {c.iri: c for c in classes},
            {p.iri: p for p in predicates},
            frozenset((_read_hop(a), _read_hop(b)) for a, b in found["pairs"]),
            frozenset(map(Iri, found["into"])),
            frozenset(map(Iri, found["out_of"])),
            tuple(found["cut"]),
        )


def _plain(value: Any) -> Any:
    """Dataclasses as JSON holds them: an Iri is its text."""
    if isinstance(value, dict):
        return value["value"] if set(value) == {"value"} else {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def _hop(hop: Hop) -> str:
    return ("^" if hop.inverse else "") + hop.predicate.value


def _read_hop(text: str) -> Hop:
    return Hop(Iri(text.removeprefix("^")), text.startswith("^"))


def _iris(values: list[str]) -> tuple[Iri, ...]:
    return tuple(map(Iri, values))


def _class_info(row: Mapping[str, Any]) -> ClassInfo:
    fields = {
        **row,
        "iri": Iri(row["iri"]),
        "parents": _iris(row["parents"]),
        "synonyms": tuple(row.get("synonyms", ())),
    }
    return ClassInfo(**fields)


def _predicate_info(row: Mapping[str, Any]) -> PredicateInfo:
    fields = {
        **row,
        "iri": Iri(row["iri"]),
        "domains": tuple((Iri(c), int(n)) for c, n in row["domains"]),
        "ranges": tuple((Iri(c), int(n)) for c, n in row["ranges"]),
        "datatypes": tuple((str(d), int(n)) for d, n in row["datatypes"]),
        "synonyms": tuple(row["synonyms"]),
        "stated_domains": _iris(row["stated_domains"]),
        "stated_ranges": _iris(row["stated_ranges"]),
        "parents": _iris(row["parents"]),
        "inverse": Iri(row["inverse"]) if row["inverse"] else None,
    }
    return PredicateInfo(**fields)
