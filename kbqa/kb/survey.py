"""One built store -> what it holds and what its things are called, in memory bounded by its entities.

Oxigraph keeps triples sorted by subject, so that the full scan brings all triples of one subject at a time.
Entities are held as numbers (a hash of the term, an index into arrays): some 150 bytes each. Their names
are spooled to a file and read back once the degrees are known.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kbqa.induce.profile import LANGUAGE_TAGGED
from kbqa.kb.names import (
    ALIAS_PREDICATES,
    LANGUAGES,
    NAME_PREDICATES,
    language_rank,
    local_label,
    rank,
)
from kbqa.kb.vocabulary import DEFINING, SCHEMA_CLASSES, TYPE, is_askable
from kbqa.link.index import Label
from kbqa.types import FREEBASE, XSD, Iri, Literal

if TYPE_CHECKING:
    import pyoxigraph

Progress = Callable[[str, int], None]
"""Called now and then with what is being done and how many triples are done."""

_NAMED, _SCHEMA, _SPOOLED, _LOCAL = 1, 2, 4, 8
"""A thing has a stated name; belongs to the ontology; was looked at for a name; is called by its IRI."""
_CALLED = _NAMED | _LOCAL
_EVERY = 250_000
_STRING = XSD + "string"
_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_NO_CLASSES = 0

Key = tuple[str, int, bool, int | str, bool]
"""Predicate, class set of the subject, whether the subject is unnamed; class set of the object (or the
datatype of a literal), whether the object is an entity without a name."""


@dataclass
class Nodes:
    """Entities by hash: class set, flags and degree."""

    rows: dict[int, int] = field(default_factory=dict)
    classes: array[int] = field(default_factory=lambda: array("I"))
    flags: array[int] = field(default_factory=lambda: array("B"))
    degrees: array[int] = field(default_factory=lambda: array("I"))
    sets: list[frozenset[str]] = field(default_factory=lambda: [frozenset()])
    _numbers: dict[frozenset[str], int] = field(default_factory=lambda: {frozenset(): 0})

    def row(self, term: object) -> int:
        number = hash(term)
        found = self.rows.get(number)
        if found is None:
            found = self.rows[number] = len(self.flags)
            self.classes.append(_NO_CLASSES)
            self.flags.append(0)
            self.degrees.append(0)
        return found

    def add_class(self, row: int, iri: str) -> None:
        wanted = self.sets[self.classes[row]] | {iri}
        number = self._numbers.get(wanted)
        if number is None:
            number = self._numbers[wanted] = len(self.sets)
            self.sets.append(wanted)
        self.classes[row] = number


@dataclass
class Survey:
    """What was found. `counts`: how many triples of each kind; `subjects`: of each predicate."""

    nodes: Nodes
    names: Path
    triples: int = 0
    counts: Counter[Key] = field(default_factory=Counter)
    subjects: Counter[str] = field(default_factory=Counter)

    def labels(self) -> Iterator[Label]:
        """Each named thing: its name, then its other names."""
        with self.names.open(encoding="utf-8") as lines:
            for line in lines:
                entity, number, *names = json.loads(line)
                iri, degree = Iri(entity), self.nodes.degrees[number]
                types = tuple(Iri(c) for c in sorted(self.nodes.sets[self.nodes.classes[number]]))
                yield Label(iri, names[0], False, types, degree)
                for other in names[1:]:
                    yield Label(iri, other, True, types, degree)

    def instances(self) -> tuple[Counter[str], Counter[str]]:
        """How many instances each class has, and how many of them have a name."""
        every: Counter[int] = Counter()
        named: Counter[int] = Counter()
        for number, flags in zip(self.nodes.classes, self.nodes.flags, strict=True):
            every[number] += 1
            named[number] += flags & _NAMED
        by_class: Counter[str] = Counter()
        named_by_class: Counter[str] = Counter()
        for number, some in enumerate(self.nodes.sets):
            for iri in some:
                by_class[iri] += every[number]
                named_by_class[iri] += named[number]
        return by_class, named_by_class


def uses_freebase(folder: Path, sample: int = 5_000) -> bool:
    """Whether most predicates of a store's first triples are Freebase's."""
    import itertools

    import pyoxigraph

    store = pyoxigraph.Store.read_only(str(folder))
    some = itertools.islice(store.quads_for_pattern(None, None, None, None), sample)
    known = [quad.predicate.value.startswith(FREEBASE) for quad in some]
    return 2 * sum(known) > len(known)


def survey(
    folder: Path,
    scratch: Path,
    *,
    languages: tuple[str, ...] = LANGUAGES,
    progress: Progress = lambda what, done: None,
) -> Survey:
    """Reads the store in `folder`, which nobody writes to; names are spooled to the folder `scratch`."""
    import pyoxigraph

    store = pyoxigraph.Store.read_only(str(folder))
    found = Survey(Nodes(), scratch / "names.jsonl")
    _classes_and_flags(store, found.nodes)
    with found.names.open("w", encoding="utf-8") as spool:
        _Scan(found, spool, languages, progress).read(store)
    return found


def _classes_and_flags(store: pyoxigraph.Store, nodes: Nodes) -> None:
    import pyoxigraph

    def triples_of(predicate: Iri) -> Iterator[Any]:
        return store.quads_for_pattern(None, pyoxigraph.NamedNode(predicate.value), None, None)

    for quad in triples_of(TYPE):
        if isinstance(quad.object, pyoxigraph.NamedNode):
            row = nodes.row(quad.subject)
            if Iri(quad.object.value) in SCHEMA_CLASSES:
                nodes.flags[row] |= _SCHEMA
            else:
                nodes.add_class(row, quad.object.value)
    for predicate in DEFINING:
        for quad in triples_of(predicate):
            nodes.flags[nodes.row(quad.subject)] |= _SCHEMA
    for predicate in NAME_PREDICATES:
        for quad in triples_of(predicate):
            if isinstance(quad.object, pyoxigraph.Literal) and quad.object.value.strip():
                nodes.flags[nodes.row(quad.subject)] |= _NAMED


class _Scan:
    """The pass over all triples, one subject after the other."""

    def __init__(self, found: Survey, spool: IO[str], languages: tuple[str, ...], progress: Progress) -> None:
        self._found, self._spool, self._languages, self._progress = found, spool, languages, progress
        self._nodes = found.nodes
        self._naming = {p.value: p for p in NAME_PREDICATES}
        self._aliases = {p.value for p in ALIAS_PREDICATES}
        self._askable: dict[str, bool] = {}

    def read(self, store: pyoxigraph.Store) -> None:
        """Counts every triple and spools every name."""
        import pyoxigraph

        named_node, literal = pyoxigraph.NamedNode, pyoxigraph.Literal
        last: Any = None
        row, unnamed, schema, last_predicate = 0, False, False, ""
        names: list[tuple[Any, str]] = []
        for quad in store.quads_for_pattern(None, None, None, None):
            self._found.triples += 1
            if self._found.triples % _EVERY == 0:
                self._progress("reading", self._found.triples)
            subject, predicate, value = quad.subject, quad.predicate.value, quad.object
            if subject != last:
                self._name(last, row, names)
                names, last, last_predicate = [], subject, ""
                row = self._nodes.row(subject)
                if type(subject) is named_node and not self._nodes.flags[row] & (
                    _CALLED | _SPOOLED | _SCHEMA
                ):
                    self._spool_local(subject, row)
                flags = self._nodes.flags[row]
                unnamed, schema = not flags & _CALLED, bool(flags & _SCHEMA)
            kind = type(value)
            if kind is literal and (predicate in self._naming or predicate in self._aliases):
                names.append((value, predicate))
            if schema or not self._asked(predicate):
                continue
            if predicate != last_predicate:
                self._found.subjects[predicate] += 1
                last_predicate = predicate
            key: Key
            if isinstance(value, literal):
                datatype = value.datatype.value
                said = (
                    LANGUAGE_TAGGED if datatype == _LANG_STRING else "" if datatype == _STRING else datatype
                )
                key = (predicate, self._nodes.classes[row], unnamed, said, False)
            else:
                key = self._edge(predicate, row, unnamed, value, kind is named_node)
            self._found.counts[key] += 1
        self._name(last, row, names)

    def _asked(self, predicate: str) -> bool:
        known = self._askable.get(predicate)
        if known is None:
            known = self._askable[predicate] = is_askable(Iri(predicate))
        return known

    def _edge(self, predicate: str, row: int, unnamed: bool, value: Any, is_iri: bool) -> Key:
        nodes = self._nodes
        if predicate == TYPE.value:
            return (predicate, nodes.classes[row], unnamed, _NO_CLASSES, False)
        other = nodes.row(value)
        nodes.degrees[row] += 1
        nodes.degrees[other] += 1
        if is_iri and not nodes.flags[other] & (_CALLED | _SPOOLED | _SCHEMA):
            self._spool_local(value, other)
        bare = not nodes.flags[other] & (_CALLED | _SCHEMA)
        return (predicate, nodes.classes[row], unnamed, nodes.classes[other], bare)

    # --- names

    def _name(self, subject: Any, row: int, names: list[tuple[Any, str]]) -> None:
        """Spools what a subject is called: the best name, then the others in the chosen languages."""
        import pyoxigraph

        nodes = self._nodes
        if not isinstance(subject, pyoxigraph.NamedNode) or nodes.flags[row] & _SCHEMA:
            return
        if not names:
            return
        ranked: list[tuple[tuple[int, int, str], str]] = []
        others: list[str] = []
        for value, predicate in names:
            text, tag = value.value.strip(), value.language or ""
            if not text:
                continue
            if predicate in self._naming:
                name = Literal(text, language=tag)
                ranked.append((rank(self._naming[predicate], name, self._languages), text))
            if language_rank(tag, self._languages) < len(self._languages):
                others.append(text)
        if ranked or others:
            best = min(ranked)[1] if ranked else others[0]
            self._write(subject.value, row, [best, *sorted(set(others) - {best})])

    def _spool_local(self, node: Any, row: int) -> None:
        """A thing without a name is called by its IRI's last part, where that looks like a name."""
        self._nodes.flags[row] |= _SPOOLED
        name = local_label(Iri(node.value))
        if name:
            self._nodes.flags[row] |= _LOCAL
            self._write(node.value, row, [name])

    def _write(self, iri: str, row: int, names: list[str]) -> None:
        self._nodes.flags[row] |= _SPOOLED
        self._spool.write(json.dumps([iri, row, *names], ensure_ascii=False) + "\n")
