"""Triples as plain dictionaries, and the lexicon's paths walked on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as File
from typing import TypeAlias

from kbqa.lexicon import Lexicon
from kbqa.lexicon.nouns import demonyms, kind_nouns
from kbqa.types import FREEBASE, Iri, Literal, Path

Node: TypeAlias = str | Literal
"""The IRI of an entity or mediator, or a literal."""
Route: TypeAlias = tuple[tuple[str, bool], ...]
"""A path as (predicate, inverse) pairs."""

NAME = FREEBASE + "type.object.name"
ALIAS = FREEBASE + "common.topic.alias"
TYPE = FREEBASE + "type.object.type"
NOTABLE = FREEBASE + "common.topic.notable_types"

_LINE = re.compile(r'(?:<([^>]*)>|(_:\S+)) <([^>]*)> (?:<([^>]*)>|(_:\S+)|"((?:[^"\\]|\\.)*)"(\S*)) \.\s*\Z')
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda m: _PLAIN.get(m[3], m[3]) if m[3] else chr(int(m[1] or m[2], 16)), text)


@dataclass
class Graph:
    """Adjacency in both directions; names, aliases and types lie apart."""

    out: dict[str, dict[str, list[Node]]] = field(default_factory=dict)
    into: dict[Node, dict[str, list[str]]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    typing: str = NOTABLE
    """The predicate that says what a thing is."""
    nouns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Classes of an own graph: the common nouns for an instance."""

    @classmethod
    def read(cls, source: File | str | Iterable[str]) -> Graph:
        """From an N-Triples file, or its lines."""
        graph = cls()
        if isinstance(source, File | str):
            with open(source, encoding="utf-8") as lines:
                graph._take(lines)
        else:
            graph._take(source)
        return graph

    def _take(self, lines: Iterable[str]) -> None:
        seen: dict[Literal, Literal] = {}
        for line in lines:
            m = _LINE.match(line)
            if m is None:
                continue
            iri, blank, predicate, to, to_blank, text, tail = m.groups()
            subject = iri or blank
            if text is None:
                value: Node = to or to_blank
            else:
                datatype = tail[3:-1] if tail.startswith("^^<") else ""
                literal = Literal(_unescape(text), datatype, tail[1:] if tail.startswith("@") else "")
                value = seen.setdefault(literal, literal)
            self.add(subject, predicate, value)

    def add(self, subject: str, predicate: str, value: Node) -> None:
        if predicate == NAME and isinstance(value, Literal):
            if value.language in ("", "en"):
                self.names.setdefault(subject, value.lexical)
        elif predicate == ALIAS and isinstance(value, Literal):
            if value.language in ("", "en"):
                self.aliases.setdefault(subject, []).append(value.lexical)
        elif predicate != TYPE:
            self.out.setdefault(subject, {}).setdefault(predicate, []).append(value)
            self.into.setdefault(value, {}).setdefault(predicate, []).append(subject)

    def step(self, node: Node, hop: tuple[str, bool]) -> list[Node]:
        if hop[1]:
            return self.into.get(node, {}).get(hop[0], [])  # type: ignore[return-value]
        return self.out.get(node, {}).get(hop[0], []) if isinstance(node, str) else []

    def pairs(self, node: Node, route: Route) -> list[tuple[Node | None, Node]]:
        """(mediator or None, answer) for what the route leads to."""
        if len(route) == 1:
            return [(None, a) for a in self.step(node, route[0])]
        return [(m, a) for m in self.step(node, route[0]) for a in self.step(m, route[1])]

    def answers(self, node: Node, route: Route) -> list[Node]:
        """Distinct, without the start itself."""
        if len(route) == 1:
            found = self.step(node, route[0])
            return [a for a in found if a != node] if node in found else found
        return [a for a in dict.fromkeys(a for _, a in self.pairs(node, route)) if a != node]

    def shown(self, node: Node) -> bool:
        """Whether it is something one may ask about or answer with."""
        return node in self.names if isinstance(node, str) else node.language in ("", "en")

    def kind_of(self, node: Node) -> str:
        """The common noun for it by what it is notable for; empty where there is none."""
        nouns = map(self.nouns_of, self.notable(node))
        return next((found[0] for found in nouns if found), "")

    def nouns_of(self, kind: str) -> tuple[str, ...]:
        """The common nouns for an instance of a class."""
        return self.nouns[kind] if self.nouns else kind_nouns(self.names.get(kind, ""))

    def adjectives(self, node: str) -> list[str]:
        """'Brazilian' for Brazil."""
        return [a for a in self.aliases.get(node, ()) if a in demonyms()]

    def notable(self, node: Node) -> list[str]:
        found = self.out.get(node, {}).get(self.typing, []) if isinstance(node, str) else []
        return [n for n in found if isinstance(n, str)]


def route_of(path: Path) -> Route:
    return tuple((h.predicate.value, h.inverse) for h in path)


def back(route: Route) -> Route:
    return tuple((p, not inverse) for p, inverse in reversed(route))


def date_of(node: Node) -> str | None:
    """YYYY-MM-DD, padded; None for what is no date."""
    if isinstance(node, str) or ("date" not in node.datatype.lower() and "#g" not in node.datatype):
        return None
    m = _DATE.match(node.lexical)
    return f"{m[1]}-{m[2] or '01'}-{m[3] or '01'}" if m else None


def number_of(node: Node) -> float | None:
    if isinstance(node, str) or not _NUMERIC.search(node.datatype):
        return None
    try:
        return float(node.lexical)
    except ValueError:
        return None


_NUMERIC = re.compile(
    r"#(?:integer|int|long|decimal|double|float|nonNegativeInteger|positiveInteger|short)\Z"
)


@dataclass
class Walks:
    """Which lexicon paths occur in the graph, from where and to where; a path that says what another
    one says is left out, for a question can't tell them apart."""

    graph: Graph
    lexicon: Lexicon
    skip: frozenset[str] = frozenset(
        FREEBASE + p
        for p in (
            "common.topic.notable_types",
            "common.topic.image",
            "kg.object_profile.prominent_type",
            "common.topic.alias",
            "type.object.type",
        )
    )
    paths: list[Path] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    starts: list[list[str]] = field(default_factory=list)
    """Named entities from which the path leads somewhere."""
    weights: list[float] = field(default_factory=list)
    leads: list[bool] = field(default_factory=list)
    """Whether the path leads to entities (not to literals)."""
    into: dict[str, list[int]] = field(default_factory=dict)
    """Entity -> the paths that lead to it from some named entity."""
    onward: dict[str, list[int]] = field(default_factory=dict)
    """Entity -> the paths that lead on from it."""

    _reached: dict[tuple[int, Node], list[Node]] = field(default_factory=dict)

    def reached(self, number: int, start: Node) -> list[Node]:
        """What a path leads to from there and one may answer with; kept, for the same start comes again."""
        found = self._reached.get((number, start))
        if found is None:
            found = [a for a in self.graph.answers(start, self.routes[number]) if self.graph.shown(a)]
            self._reached[number, start] = found
        return found

    _sources: dict[tuple[int, str], list[str]] = field(default_factory=dict)

    def sources(self, number: int, end: str) -> list[str]:
        """The named entities from which a path leads there; kept likewise."""
        found = self._sources.get((number, end))
        if found is None:
            names, way = self.graph.names, back(self.routes[number])
            found = [s for s in self.graph.answers(end, way) if isinstance(s, str) and s in names]
            self._sources[number, end] = found
        return found

    def __post_init__(self) -> None:
        for path in self.lexicon.wordings:
            if path not in self.lexicon.natural or path in self.lexicon.twins:
                continue
            if any(h.predicate.value in self.skip or h.predicate.value == self.graph.typing for h in path):
                continue
            self._index(path, route_of(path))

    def _index(self, path: Path, route: Route) -> None:
        graph, number = self.graph, len(self.paths)
        starts: list[str] = []
        ends: dict[str, None] = {}
        pairs = 0
        literal = 0
        for s in self._subjects.get(route[0], ()):
            if s not in graph.names:
                continue
            found = [a for a in graph.answers(s, route) if graph.shown(a)]
            if not found:
                continue
            starts.append(s)
            pairs += len(found)
            for a in found:
                if isinstance(a, str):
                    ends[a] = None
                else:
                    literal += 1
        if not starts:
            return
        self.paths.append(path)
        self.routes.append(route)
        self.starts.append(starts)
        self.leads.append(literal * 2 < pairs)
        self.weights.append(pairs**0.3 * (0.3 if literal * 2 >= pairs else 1.0))
        for s in starts:
            self.onward.setdefault(s, []).append(number)
        for e in ends:
            self.into.setdefault(e, []).append(number)

    @cached_property
    def _subjects(self) -> dict[tuple[str, bool], list[str]]:
        found: dict[tuple[str, bool], list[str]] = {}
        for s, edges in self.graph.out.items():
            for p in edges:
                found.setdefault((p, False), []).append(s)
        for o, ways in self.graph.into.items():
            if isinstance(o, str):
                for p in ways:
                    found.setdefault((p, True), []).append(o)
        return found

    @cached_property
    def number(self) -> dict[Path, int]:
        return {p: i for i, p in enumerate(self.paths)}


def iri_of(node: Node) -> Iri:
    assert isinstance(node, str)
    return Iri(node)
