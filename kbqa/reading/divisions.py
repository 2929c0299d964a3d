"""The states, provinces or territories that a question says, of all the parts of a country, and capitals of
all cities: eight parts of India are union territories, and a state of Australia is no US state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kbqa.lexicon.nouns import INSTANCES
from kbqa.parse.kinds import Kinds
from kbqa.reading.choosing import Chosen, answer_count, first_told, instead, told
from kbqa.reading.rule import Run
from kbqa.rewire import Steps, inserted
from kbqa.types import Exists, Find, Hop, Iri, Keep, Ref, Restriction, freebase, reverse

_SAID = re.compile(
    r"\b(?:(?P<one>state|province|region|prefecture|canton|department|emirate)s?"
    r"|(?P<stem>territor|count|municipalit|autonomous communit|union territor)(?:y|ies))\b",
    re.IGNORECASE,
)
_PARTS = frozenset(
    (
        *(
            Hop(freebase(f"location.country.{p}"))
            for p in ("first_level_divisions", "administrative_divisions")
        ),
        *(
            Hop(freebase(f"location.administrative_division.{p}"), inverse=True)
            for p in ("country", "first_level_division_of")
        ),
    )
)
_WITHIN = (Hop(freebase("location.location.containedby")),)
_OF_LEVEL = re.compile(
    r"\bthe\s+(?:\w+\s+)?(?P<noun>country|nation|state|province|city|town|continent)\s+"
    r"(?:where|in\s+which|that|which|whose|with|\S.*?\s+(?:is|was|lies|stands)\s+(?:\w+\s+)?in\b)",
    re.IGNORECASE,
)
SAME = {"nation": "country", "countries": "country", "town": "city"}
_NOTABLE = INSTANCES[0]
_CAPITALS = re.compile(
    r"(?:\b(?:which|what|how many|name|list|all|the)\s+(?:\w+\s+)?|\A\W*(?:national\s+)?)"
    r"(?<!\bstate )capitals?(?:\s+(?:city|cities))?\b(?!\s+(?:of|for)\b)",
    re.IGNORECASE,
)
_CAPITAL = (Hop(freebase("location.country.capital")),)
_ON_RIVER, _BASIN = ((Hop(freebase(f"geography.river.{p}")),) for p in ("cities", "basin_countries"))


def divisions_as_said(chosen: Chosen, text: str, kinds: Kinds, run: Run) -> Chosen:
    """The reading with those parts of a country alone that are of the sort that the question names; the same
    where none or all are. `kinds`: sorts of things, with their names."""
    said = _SAID.search(text)
    if said is None:
        return chosen
    noun = (said["one"] or f"{said['stem']}y").lower()
    sorts = [kind for kind, (name, _) in kinds.items() if is_called(name.lower(), noun)]
    ways = _among_parts(chosen, sorts, run) if chosen.told else _otherwise(chosen, sorts)
    return instead(chosen, first_told(run, ways))


def is_called(name: str, noun: str) -> bool:
    """'Indian state', 'State of Austria'; no federal state of another word."""
    return name == noun or name.endswith(f" {noun}") or name.startswith(f"{noun} of ")


def _among_parts(chosen: Chosen, sorts: list[Iri], run: Run) -> Iterator[Steps]:
    """The steps with a choice among what is found to be parts of a country, where some but not all are so."""
    steps = chosen.parse.decomposition.steps
    for at, step in enumerate(steps, 1):
        if not isinstance(step, Find) or _PARTS.isdisjoint(step.path):
            continue
        every = told(run, steps[:at])
        for sort in sorts if every is not None else ():
            keep = Keep(Ref(at), sort, _NOTABLE)
            some = told(run, (*steps[:at], keep))
            if some is not None and every is not None and answer_count(some) < answer_count(every):
                yield from inserted(steps, at + 1, keep)


def _otherwise(chosen: Chosen, sorts: list[Iri]) -> Iterator[Steps]:
    """The steps that keep things of one such sort with another of these."""
    steps = chosen.parse.decomposition.steps
    for at, step in enumerate(steps):
        if isinstance(step, Keep) and step.anchor in sorts:
            for sort in sorts:
                yield (*steps[:at], replace(step, anchor=sort), *steps[at + 1 :])


def level_as_said(chosen: Chosen, text: str, kinds: Kinds, run: Run) -> Chosen:
    """The reading that goes on from all the places that something lies in with that one of the sort which the
    question says: 'the country where the Taj Mahal is' is no state. The same otherwise."""
    said, steps = _OF_LEVEL.search(text), chosen.parse.decomposition.steps
    if said is None or not chosen.told:
        return chosen
    noun = SAME.get(said["noun"].lower(), said["noun"].lower())
    sorts = [kind for kind, (_, nouns) in kinds.items() if noun in nouns]
    for at, step in enumerate(steps[:-1], 1):
        if not isinstance(step, Find) or isinstance(steps[at], Keep):
            continue
        every = told(run, steps[:at])
        for sort in sorts if every is not None and step.path[-1:] == _WITHIN else ():
            some = told(run, (*steps[:at], keep := Keep(Ref(at), sort, _NOTABLE)))
            if some is not None and every is not None and answer_count(some) < answer_count(every):
                return instead(chosen, first_told(run, inserted(steps, at + 1, keep)))
    return chosen


def capitals_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with those alone of the cities it finds that are capitals of countries, where the question
    asks for capitals; of a river's countries not each one's capital, but those on it. The same otherwise."""
    if _CAPITALS.search(text) is None or not chosen.told:
        return chosen
    match chosen.parse.decomposition.steps:
        case (Find(Iri() as river, path, ()), Find(Ref(1), last, ())) if path == _BASIN and last == _CAPITAL:
            steps: Steps = (Find(river, _ON_RIVER),)
        case (*cities, Find(Ref(), path, ())) if cities and path == reverse(_CAPITAL):
            steps = tuple(cities)
        case (*_, Find(_, path)) as steps if not {*path} & {*_CAPITAL, *reverse(_CAPITAL)}:
            pass
        case _:
            return chosen
    every = told(run, tuple(steps))
    kept = Keep(Ref(len(steps)), restrictions=(Restriction("answer", reverse(_CAPITAL), (Exists(),)),))
    found = told(run, (*steps, kept)) if every is not None and answer_count(every) > 1 else None
    return instead(chosen, found)
