"""Who is meant by a part of a name, told by what else is named: 'Kramer' beside Seinfeld is Cosmo Kramer,
'ripley' beside the film Alien is no town but Ellen Ripley, and 'Gates' alone is the best known one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.errors import QueryError, StoreTimeout
from kbqa.link import key
from kbqa.protocols import Candidate, Mention, Store
from kbqa.sparql.portable import term, values
from kbqa.types import Iri, freebase

_NAME = term(freebase("type.object.name"))
_NAMELESS = f"FILTER NOT EXISTS {{ ?m {_NAME} ?n }}"
_TIED = ("?x ?p ?y", "?y ?p ?x", f"?x ?p ?m . ?m ?q ?y {_NAMELESS}", f"?y ?p ?m . ?m ?q ?x {_NAMELESS}")
"""One hop either way, or two through a node without a name."""
_DIVISION = re.compile(
    r"\b(?:states?|provinces?|regions?|municipalit\w+|cantons?|prefectures?|districts?|count(?:y|ies)|l[aä]nd(?:er)?"
    r"|governorates?|territor\w+|divisions?|governors?)\b",
    re.IGNORECASE,
)
_CITY, _PROVINCE = freebase("location.citytown"), freebase("location.administrative_division")
_KNOWN_AS_STATES = frozenset(map(freebase, ("location.us_state", "location.australian_state")))
_LIMIT_S = 0.5
_SURE = 0.9
"""The score of who bears a part of the name and is tied to what is named beside."""
_LITTLE_KNOWN = 10
"""Triples about what a word in lower case hardly names, where somebody of that name is tied to the rest."""


class Company:
    """Orders what names may mean over one store. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self, text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """The mentions, of parts of names those first that are tied to another thing named in full, then the
        best known; of a city and the province around it the city, or the province where the text speaks of
        one."""
        cities = _DIVISION.search(text) is None
        found = tuple(_best_known_first(_city_first(m) if cities else _province_first(m)) for m in mentions)
        named = [c.entity for m in found for c in m.candidates if c.exact and not _is_doubtful(m)]
        return tuple(
            self._tied_first(m, named) if _is_doubtful(m) else self._tied_alone(m, named) for m in found
        )

    def _tied_alone(self, mention: Mention, named: Sequence[Iri]) -> Mention:
        """The mention without what bears the very name and is neither tied to what else is named nor as well
        known as what is: 'ABBA' beside an album of theirs is the band."""
        first, *rest = sorted((c for c in mention.candidates if c.exact), key=lambda c: -c.degree)
        rest = [c for c in rest if key(c.label) == key(first.label)]  # 'French' is a language beside 'German'
        others = [e for e in dict.fromkeys(named) if all(e != c.entity for c in mention.candidates)]
        if not rest or not others or first.entity not in self._tied([first.entity], others):
            return mention
        tied = self._tied([c.entity for c in rest], others)
        kept = [c for c in mention.candidates if c is first or c not in rest or c.entity in tied]
        return replace(mention, candidates=tuple(sorted(kept, key=lambda c: c is not first)))

    def _tied_first(self, mention: Mention, named: Sequence[Iri]) -> Mention:
        bearers = [c for c in mention.candidates if _is_part(mention, c)]
        others = [e for e in dict.fromkeys(named) if e not in {c.entity for c in mention.candidates}]
        asked = [c for c in mention.candidates if c.exact or c in bearers]
        tied = self._tied([c.entity for c in asked], others) if bearers and others else frozenset()
        if any(c.exact and c.entity in tied for c in asked):
            return mention
        first = [replace(c, score=max(c.score, _SURE)) for c in bearers if c.entity in tied]
        rest = [c for c in mention.candidates if c.entity not in tied or c not in bearers]
        return replace(mention, candidates=(*first, *rest))

    def _tied(self, things: Sequence[Iri], others: Sequence[Iri]) -> frozenset[Iri]:
        among = f"{values('?x', things)} {values('?y', others)}"
        ways = " UNION ".join(f"{{ {among} {way} }}" for way in _TIED)
        query = f"SELECT DISTINCT ?x WHERE {{ {ways} }}"
        try:
            rows = self._store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return frozenset()
        return frozenset(row[0] for row in rows if isinstance(row[0], Iri))


def _city_first(mention: Mention) -> Mention:
    """The mention, where a province bears the very name of a city, too, with the city first: 'São Paulo'."""
    province = any(
        _PROVINCE in c.types and _KNOWN_AS_STATES.isdisjoint(c.types) for c in mention.candidates[:1]
    )
    return _namesake_first(mention, _CITY) if province else mention


def _province_first(mention: Mention) -> Mention:
    """The same with the province first, where the city is."""
    city = any(_CITY in c.types and c.exact for c in mention.candidates[:1])
    return _namesake_first(mention, _PROVINCE) if city else mention


def _namesake_first(mention: Mention, kind: Iri) -> Mention:
    """The mention with what is of that kind first, if it bears the very name of what is first."""
    first, *rest = mention.candidates
    same = (c for c in rest if c.exact and kind in c.types and key(c.label) == key(first.label))
    found = next(same, None)
    if found is None:
        return mention
    return replace(mention, candidates=(found, *(c for c in mention.candidates if c is not found)))


def _is_doubtful(mention: Mention) -> bool:
    """Whether nothing bears the very name, or only what is little known and a word in lower case may not
    mean."""
    exact = [c for c in mention.candidates if c.exact]
    if not mention.text.islower():
        return not exact
    return all(c.degree <= _LITTLE_KNOWN for c in exact)


def _is_part(mention: Mention, candidate: Candidate) -> bool:
    """Whether the mention is the first or the last of the words of the name."""
    said, name = key(mention.text).split(), key(candidate.matched).split()
    size = len(said)
    return 0 < size < len(name) and said in (name[:size], name[-size:])


def _best_known_first(mention: Mention) -> Mention:
    """The mention, where nothing bears the very name, with those whose last name it is by how well they are
    known."""
    if mention.exact:
        return mention
    said = f" {key(mention.text)}"
    bearers = [c for c in mention.candidates if key(c.matched).endswith(said)]
    if len(bearers) < 2 or bearers[0] is not mention.candidates[0]:
        return mention
    bearers.sort(key=lambda c: -c.degree)
    return replace(mention, candidates=(*bearers, *(c for c in mention.candidates if c not in bearers)))
