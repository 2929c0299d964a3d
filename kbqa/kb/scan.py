"""One pass over a built store: names for the label index, and which predicate paths occur."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES, rank
from kbqa.lexicon.nouns import adjectives
from kbqa.link.index import Label
from kbqa.types import Hop, Iri, Literal, Mediators, freebase

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
        """Each named entity: its name, then its aliases, with the adjectives of countries and continents."""
        for entity, (_, name) in self.names.items():
            iri, degree = Iri(entity), self.degrees.get(entity, 0)
            types = tuple(Iri(t) for t in sorted(self.types.get(entity, ())))
            yield Label(iri, name, False, types, degree)
            aliases = self.aliases.get(entity, set()).union(adjectives().get(name, ()))
            for alias in sorted(aliases - {name}):
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
    nodes: dict[Any, dict[tuple[str, bool], set[Any]]] = {}
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
        for node, inverse, other in ((subject, False, value), (value, True, subject)):
            if isinstance(node, pyoxigraph.NamedNode) and node.value in found.names:
                found.degrees[node.value] = found.degrees.get(node.value, 0) + 1
            elif not isinstance(node, pyoxigraph.Literal):
                nodes.setdefault(node, {}).setdefault((name, inverse), set()).add(other)
    for edges in nodes.values():
        _add_pairs(edges, found, mediators)


def _add_pairs(edges: dict[tuple[str, bool], set[Any]], found: Scan, mediators: Mediators) -> None:
    """The ways through one unnamed node to something else than where one came from. A node that
    nothing leads to and whose predicates name no mediator type is a mere thing without a name."""
    out = [Iri(p) for p, inverse in edges if not inverse]
    into = [Iri(p) for p, inverse in edges if inverse]
    if not (out and into) and not mediators.has(out, into):
        return
    hops = [(Hop(Iri(p), inverse), others) for (p, inverse), others in edges.items()]
    for entry, sources in hops:
        for leave, targets in hops:
            if len(sources) > 1 or sources != targets:
                found.pairs.add((entry.reversed, leave))
