"""Places of another level than a reading speaks of: the country of the town where someone was born, the towns
of the country where many were.

'What is spoken in the country where Shakira was born?' may be read as what is spoken in her birthplace. Where
the question says of what level a place is meant, and no step of the reading has come to such a place, what
contains it is asked in steps of their own. And who was born in a country was born in a place that lies in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kbqa.answers import collect
from kbqa.decompose import recompose
from kbqa.decompose.recompose import recompose_step
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, FeedbackError, QueryError, StoreTimeout
from kbqa.intake import without_names
from kbqa.kb import KnowledgeBase
from kbqa.lexicon.nouns import INSTANCES
from kbqa.protocols import Mention
from kbqa.reading.ranking import Kinds
from kbqa.rewire import inserted, with_references
from kbqa.sparql import render
from kbqa.sparql.portable import term, values
from kbqa.types import Decomposition, Find, Hop, Iri, Keep, Ref, Step, freebase

_RECURRING = freebase("time.recurring_event")
_EDITIONS = Hop(freebase("time.recurring_event.instances"))
_CONTAINED = Hop(freebase("location.location.containedby"))
CONTAINS = Hop(_CONTAINED.predicate, True)
WITHIN = frozenset(
    Hop(freebase(name.removeprefix("^")), name.startswith("^"))
    for name in (
        "^people.person.place_of_birth", "location.location.people_born_here",
        "^people.deceased_person.place_of_death", "^people.place_lived.location",
        "^sports.sports_team.location", "sports.sports_team_location.teams", "^music.artist.origin",
        "^time.event.locations", "location.location.events", "^location.mailing_address.citytown",
        "^olympics.olympic_games.host_city", "olympics.olympic_host_city.olympics_hosted",
    )
)  # fmt: skip
"""What is true of a town and said of its country, too: that someone was born there."""
_LEVEL = re.compile(
    r"\b(?<!head of )(?P<noun>country|countries|nations?|state|province|continent|city|town)"
    r"(?! (?:music|singers?|songs?|artists?|bands?|stars?|universit|college|school))\b"
)
_SAME = {"nation": "country", "nations": "country", "countries": "country", "town": "city"}
_LIMIT_S = 1.0
_LOOKED_AT = 50


class Levels:
    """Lifts readings over one knowledge base. `kinds`: its types and their nouns."""

    def __init__(self, kb: KnowledgeBase, kinds: Callable[[], Kinds]) -> None:
        self._kb, self._kinds = kb, kinds

    def lifted(self, parse: Parse, text: str, mentions: Sequence[Mention]) -> Iterator[Parse]:
        """The reading with the level that the question speaks of, the last place first; none where it has it,
        or there is no such place."""
        level, several = (None, False) if self._kb.own else self._level(text, mentions)
        steps = parse.decomposition.steps
        if level is None or not all(isinstance(s, Find | Keep) for s in steps):
            return
        found = {i: self._things(parse.decomposition, i) for i in range(1, len(steps) + 1)}
        if any(self._of(things, level) for things in found.values()):
            return
        for at in range(len(steps), 0, -1):
            if not isinstance(steps[at - 1], Find) or not self._lie_in(found[at], level):
                continue
            if several and not _is_of_towns(steps[at - 1]):
                continue
            try:
                for up in inserted(steps, at + 1, Find(Ref(at), (_CONTAINED,))):
                    for kept in inserted(up, at + 2, Keep(Ref(at + 1), level, INSTANCES[0])):
                        whole = replace(parse.decomposition, steps=kept)
                        yield Parse(recompose(whole), whole, parse.logprob)
            except (FeedbackError, DecompositionError):
                continue

    def spread(self, parse: Parse) -> Iterator[Parse]:
        """The reading with the places that one of its places contains in its stead, where what is said of it
        is said of towns: who was born in Hawaii; or with the editions of a recurring event."""
        steps = parse.decomposition.steps
        for at, step in enumerate(steps, 1):
            if not isinstance(step, Find | Keep) or not isinstance(step.anchor, Iri):
                continue
            within = [CONTAINS] if WITHIN & set(step.path[:1]) else []
            recurs = _RECURRING in self._kb.types(step.anchor)
            for hop in (*within, *((_EDITIONS,) if recurs else ())):
                places = Find(step.anchor, (hop,))
                later = _moved(steps[at:], at)
                new = (*steps[: at - 1], places, replace(step, anchor=Ref(at)), *later)
                try:
                    whole = replace(parse.decomposition, steps=new)
                    yield Parse(recompose(whole), whole, parse.logprob)
                except DecompositionError:
                    continue

    def _level(self, text: str, mentions: Sequence[Mention]) -> tuple[Iri | None, bool]:
        """The type of place that a noun of the question names, and whether it speaks of several."""
        said = _LEVEL.search(without_names(text, mentions))
        if said is None:
            return None, False
        noun = _SAME.get(said["noun"], said["noun"])
        level = next((iri for iri, (_, nouns) in self._kinds().items() if noun in nouns), None)
        return level, said["noun"].endswith("s")

    def _things(self, whole: Decomposition, number: int) -> tuple[Iri, ...]:
        try:
            rows = self._kb.store.select(render(recompose_step(whole, number)), time_limit_s=_LIMIT_S)
        except (DecompositionError, QueryError, StoreTimeout):
            return ()
        return tuple(a for a in collect(rows)[:_LOOKED_AT] if isinstance(a, Iri))

    def _of(self, things: Sequence[Iri], level: Iri) -> bool:
        (hop,) = INSTANCES[0]
        return self._is(things, f"?x {term(hop.predicate)} {term(level)}")

    def _lie_in(self, things: Sequence[Iri], level: Iri) -> bool:
        (hop,) = INSTANCES[0]
        up = term(_CONTAINED.predicate)
        return self._is(things, f"?x {up} ?y . ?y {term(hop.predicate)} {term(level)}")

    def _is(self, things: Sequence[Iri], pattern: str) -> bool:
        """Whether any of the things fits."""
        if not things:
            return False
        query = f"SELECT ?x WHERE {{ {values('?x', things)} {pattern} }} LIMIT 1"
        try:
            return bool(self._kb.store.select(query, time_limit_s=_LIMIT_S).rows)
        except (QueryError, StoreTimeout):
            return False


def _is_of_towns(step: Step) -> bool:
    """Whether a step leads from things to places that are said of a town: where they were held."""
    return isinstance(step, Find) and bool(step.path) and step.path[-1].reversed in WITHIN


def _moved(steps: Sequence[Step], at: int) -> list[Step]:
    """Steps after another one was put before step `at`."""
    return [with_references(s, lambda r: r if r.step < at else Ref(r.step + 1)) for s in steps]
