"""What is fixed for a graph and a lexicon that questions are made from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from kbqa.lexicon import Lexicon
from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.synth.graph import Graph, Node, Walks, date_of, number_of, route_of
from kbqa.synth.words import Wordings, an, sort_wordings
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import FREEBASE, Hop, Iri, Kind, Literal, Path, freebase

_COMMON = re.compile(
    r".*\.(?:profession|genre|basic_title|position|position_s|positions|instruments?|instruments_played|cause_of_death|"
    r"gender|form_of_government|type_of_union|Kind_of_symbol|role|industry|school_type|practices|film_crew_role|"
    r"powers_or_abilities|building_function|colors|special_performance_type|major_field_of_study|art_form|subjects|"
    r"geographic_feature_category|occupation|character_occupation|medium|literary_genre|color)\Z"
)
"""Predicates whose values are common nouns, written small in a sentence."""
_PLACES = {
    "location.location.contains": False,
    "location.location.containedby": True,
    "geography.river.basin_countries": True,
    "location.country.administrative_divisions": False,
    "location.administrative_division.country": True,
}
"""Predicates of what lies in a place, and whether they are walked backwards."""
WINNERS = (
    (Hop(freebase("sports.sports_team.championships"), True),),
    (Hop(freebase("sports.sports_championship_event.champion")),),
)
_EDITIONS = (
    (Hop(freebase("sports.sports_championship.events")),),
    (Hop(freebase("sports.sports_championship_event.championship"), True),),
)


@dataclass
class World:
    """What is fixed for a graph and a lexicon."""

    graph: Graph
    lexicon: Lexicon
    walks: Walks = field(init=False)
    words: dict[Path, Wordings] = field(init=False)
    by_path: list[Wordings] = field(init=False)
    properties: dict[str, list[Measure]] = field(init=False)
    routes: dict[Path, tuple[tuple[str, bool], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.walks = Walks(self.graph, self.lexicon)
        self.words = sort_wordings(self.lexicon)
        self.by_path = [self.words[p] for p in self.walks.paths]
        self.total = list(accumulate(self.walks.weights))
        walks = self.walks
        entity = [i for i in range(len(walks.paths)) if walks.leads[i]]
        self.entity_paths = entity
        self.entity_total = list(accumulate(walks.weights[i] for i in entity))
        self.common = {
            a
            for edges in self.graph.out.values()
            for p, values in edges.items()
            if _COMMON.match(p)
            for a in values
            if isinstance(a, str) and re.match(r"[A-Z][a-z -]+\Z", self.graph.names.get(a, ""))
        }
        spans = [i for i in range(len(walks.paths)) if span_of(mediator_type(walks.paths[i]))]
        self.span_paths = [i for i in spans if walks.leads[i]]
        self.place_paths = [
            i
            for i in entity
            if any(
                h.predicate.mid in _PLACES and h.inverse == _PLACES[h.predicate.mid] for h in walks.paths[i]
            )
        ]
        self.mediator_paths = [i for i in entity if len(walks.routes[i]) == 2]
        self.editions = [i for i in (walks.number.get(p) for p in _EDITIONS) if i is not None]
        if not any(p in walks.number for p in WINNERS):
            self.editions = []
        self.properties = {}
        known = set()
        for prop in MEASURES:
            route = route_of(prop.path)
            self.routes[prop.path] = route
            self.properties.setdefault(route[0][0], []).append(prop)
            known.add(route[0][0])
        self._generic(known)

    def _generic(self, known: set[str]) -> None:
        """Properties that the table of properties does not name."""
        numbers: dict[str, int] = {}
        dates: dict[str, int] = {}
        for s, edges in self.graph.out.items():
            if s not in self.graph.names:
                continue
            for p, values in edges.items():
                if p not in known and isinstance(values[0], Literal):
                    counts = numbers if number_of(values[0]) is not None else dates
                    if counts is numbers or date_of(values[0]):
                        counts[p] = counts.get(p, 0) + 1
        for kind, found in ((Kind.NUMBER, numbers), (Kind.DATE, dates)):
            for p, count in sorted(found.items()):
                if count < 5:
                    continue
                noun = self.called(p)
                sized = (f"with {an(noun)} of {{}}", f"whose {noun} is {{}}", f"that has {an(noun)} of {{}}")
                path = (Hop(Iri(p)),)
                self.routes[path] = route_of(path)
                self.properties[p] = [Measure(path, kind, noun, sized=sized if kind is Kind.NUMBER else ())]

    def called(self, predicate: str) -> str:
        """What a value of a predicate is called: by the lexicon in an own graph, where names may be codes."""
        own = None if predicate.startswith(FREEBASE) else self.lexicon.properties.get((Hop(Iri(predicate)),))
        return own or re.split(r"[./#]", predicate)[-1].replace("_", " ")

    def ends(self, events: Sequence[Node]) -> tuple[Measure, dict[Node, str]] | None:
        """When events ended, or else started."""
        for name in ("time.event.end_date", "time.event.start_date"):
            for prop in self.properties.get(FREEBASE + name, ()):
                dates = {a: max(v) for a in events if (v := [str(k) for k, _ in self.values(a, prop)])}
                if dates:
                    return prop, dates
        return None

    def values(self, node: Node, prop: Measure) -> list[tuple[str | float, Literal]]:
        """Sort keys with their literals."""
        read: Callable[[Node], str | float | None] = date_of if prop.kind is Kind.DATE else number_of
        found = []
        for _, a in self.graph.pairs(node, self.routes[prop.path]):
            key = read(a)
            if key is not None and isinstance(a, Literal):
                found.append((key, a))
        return found
