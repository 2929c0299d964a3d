"""One pass over a built store: names for the label index, and which predicate paths occur."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbqa.decompose.graph import Mediators
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES, rank
from kbqa.link.index import Label
from kbqa.types import Hop, Iri, Literal, freebase

if TYPE_CHECKING:
    import pyoxigraph

TYPE_PREDICATES = (
    freebase("type.object.type"),
    Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"),
)

_Name = tuple[tuple[int, int, str], str]


@dataclass(frozen=True, slots=True)
class Paths:
    """The predicates of a knowledge base, and the two-hop paths that lead through its mediators."""

    predicates: frozenset[Iri] = frozenset()
    pairs: frozenset[tuple[Hop, Hop]] = frozenset()


@dataclass(slots=True)
class Scan:
    """What one pass found. `labels` are rows for `LabelIndex.build`."""

    triples: int = 0
    predicates: set[Iri] = field(default_factory=set)
    pairs: set[tuple[Hop, Hop]] = field(default_factory=set)
    names: dict[str, _Name] = field(default_factory=dict)
    aliases: dict[str, set[str]] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)
    degrees: dict[str, int] = field(default_factory=dict)

    @property
    def paths(self) -> Paths:
        return Paths(frozenset(self.predicates), frozenset(self.pairs))

    def labels(self) -> Iterator[Label]:
        """Each named entity: its name, then its aliases."""
        for entity, (_, name) in self.names.items():
            iri, degree = Iri(entity), self.degrees.get(entity, 0)
            types = tuple(Iri(t) for t in sorted(self.types.get(entity, ())))
            yield Label(iri, name, False, types, degree)
            for alias in sorted(self.aliases.get(entity, set()) - {name}):
                yield Label(iri, alias, True, types, degree)


def scan(folder: Path, mediators: Mediators) -> Scan:
    """Reads the store in `folder`, which nobody writes to."""
    import pyoxigraph

    store = pyoxigraph.Store.read_only(str(folder))
    found = Scan()
    _read_names(store, found)
    _read_edges(store, found, mediators)
    return found


def _read_names(store: pyoxigraph.Store, found: Scan) -> None:
    import pyoxigraph

    for predicate in (*NAME_PREDICATES, *ALIAS_PREDICATES):
        node = pyoxigraph.NamedNode(predicate.value)
        for quad in store.quads_for_pattern(None, node, None, None):
            subject, value = quad.subject, quad.object
            if not isinstance(subject, pyoxigraph.NamedNode) or not isinstance(value, pyoxigraph.Literal):
                continue
            name = Literal(value.value, language=value.language or "")
            if not name.lexical.strip():
                continue
            if predicate in NAME_PREDICATES:
                ranked = (rank(predicate, name), name.lexical)
                old = found.names.get(subject.value)
                if old is not None and old[1] != name.lexical and name.language[:2] in ("en", ""):
                    found.aliases.setdefault(subject.value, set()).update((old[1], name.lexical))
                if old is None or ranked < old:
                    found.names[subject.value] = ranked
            elif name.language[:2] in ("en", ""):
                found.aliases.setdefault(subject.value, set()).add(name.lexical)


def _read_edges(store: pyoxigraph.Store, found: Scan, mediators: Mediators) -> None:
    import pyoxigraph

    literals = {p.value for p in (*NAME_PREDICATES, *ALIAS_PREDICATES)}
    typing = {p.value for p in TYPE_PREDICATES}
    nodes: dict[Any, tuple[dict[str, int], dict[str, int]]] = {}
    for quad in store.quads_for_pattern(None, None, None, None):
        found.triples += 1
        subject, name, value = quad.subject, quad.predicate.value, quad.object
        found.predicates.add(Iri(name))
        if name in literals:
            continue
        if name in typing:
            if isinstance(subject, pyoxigraph.NamedNode) and isinstance(value, pyoxigraph.NamedNode):
                found.types.setdefault(subject.value, []).append(value.value)
            continue
        for node, side in ((subject, 0), (value, 1)):
            if isinstance(node, pyoxigraph.NamedNode) and node.value in found.names:
                found.degrees[node.value] = found.degrees.get(node.value, 0) + 1
            elif not isinstance(node, pyoxigraph.Literal):
                counts = nodes.setdefault(node, ({}, {}))[side]
                counts[name] = counts.get(name, 0) + 1
    for out, into in nodes.values():
        found.pairs |= _pairs(out, into, mediators)


def _pairs(out: dict[str, int], into: dict[str, int], mediators: Mediators) -> set[tuple[Hop, Hop]]:
    """The ways through one unnamed node, from one of its edges to another. A node that nothing leads
    to and whose predicates name no mediator type is a mere thing without a name."""
    known = mediators.has(map(Iri, out), map(Iri, into))
    if not known and (not into or not out):
        return set()
    exits = [(Hop(Iri(p)), n) for p, n in out.items()] + [(Hop(Iri(p), True), n) for p, n in into.items()]
    return {
        (entry.reversed, leave)
        for entry, count in exits
        for leave, _ in exits
        if entry != leave or count > 1
    }
