"""Questions for yes or no about two things that are named: 'Was Barack Obama born in Hawaii?'

Nothing in the parser's training asks so. Of the ways that lead on from the first thing those are looked at
whose words the question has: whether one leads to the second thing, or to what lies in it or belongs to it.
It is no where one leads to other things of its sort.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from kbqa.answers import collect
from kbqa.dialogue import Parse
from kbqa.errors import StoreTimeout
from kbqa.intake import without_names
from kbqa.kb import KnowledgeBase
from kbqa.link.words import FUNCTION
from kbqa.lookups import hops_leaving
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.coverage import STEM, path_stems
from kbqa.reading.levels import CONTAINS
from kbqa.reading.ranking import unused
from kbqa.reading.worded import CATEGORIES, WINNERS
from kbqa.types import (
    Check,
    Exists,
    Find,
    Hop,
    Iri,
    Is,
    Keep,
    Path,
    Ref,
    Restriction,
    Step,
    freebase,
    reverse,
)

_WHETHER = re.compile(
    r"\W*(?:is|are|was|were|does|do|did|has|have|had)\s+(?!there\b)(?:the\s+)?", re.IGNORECASE
)
_ELSE = re.compile(
    r"\b(?:or|than|both|all|any|only|first|last|before|after|more|less|most)\b|\d", re.IGNORECASE
)
"""What asks for more than whether two things are tied."""
_THE_OF = re.compile(r"\s+(?:the|an?)\s+\w[\w\s'-]*\s+of\s+(?:the\s+)?", re.IGNORECASE)
_IN = re.compile(r"\b(?:in|on|part of)\b")
_AND = re.compile(r"\band(?:\s+also)?\b")
_BOTH = re.compile(r"\bboth\b")
_MEMBERSHIPS = (
    Hop(freebase("organization.organization_member.member_of")),
    Hop(freebase("organization.organization_membership.organization")),
)
_PLAYED_FOR = (
    Hop(freebase("sports.pro_athlete.teams")),
    Hop(freebase("sports.sports_team_roster.team")),
)
_APPEARANCES = tuple(
    (Hop(freebase(one)), Hop(freebase(other)))
    for one, other in (
        ("film.actor.film", "film.performance.film"),
        ("tv.tv_actor.starring_roles", "tv.regular_tv_appearance.series"),
    )
)
_TO_WHERE = ((CONTAINS.reversed,), _MEMBERSHIPS, _PLAYED_FOR, *_APPEARANCES)
"""From a thing to what it is in."""
_WITHIN = ((CONTAINS,), CATEGORIES)
_COUNTRY, _NATIONALITY = freebase("location.country"), (Hop(freebase("people.person.nationality")),)
_OF_OTHERS = re.compile(r"\b(?:any|or|who|whom|whose|which|what|when|where|how|there)\b", re.IGNORECASE)
"""What asks for more than yes or no."""
_WON = frozenset(("win", "won", "wins", "winn"))
_TRIED = 3
_MOST = 20
_LOOKED_AT = 20
_LIMIT_S = 1.0


def answered_so(
    chosen: Chosen,
    parses: Sequence[Parse],
    text: str,
    mentions: Sequence[Mention],
    run: Callable[[Parse], Chosen | None],
) -> Chosen:
    """The reading that keeps what the question says of somebody with yes or no, where the question asks for
    that: 'Was the composer of Carmen Spanish?' Of the other readings the first that has all names and can be
    denied, where it leaves out one. The same otherwise."""
    if not _WHETHER.match(text) or _OF_OTHERS.search(text) or chosen.late or chosen.left_out is not None:
        return chosen
    steps = chosen.parse.decomposition.steps
    if not unused(mentions, chosen.parse.decomposition):
        found = told(run, (*steps, Check(Ref(len(steps))))) if _is_kept(steps) else None
        return found or chosen
    for parse in parses[:_MOST] if len(mentions) > 1 else ():
        match parse.decomposition.steps:
            case (*before, Keep(source, Iri(), path)) if _is_kept(parse.decomposition.steps):
                known = Keep(source, restrictions=(Restriction("answer", reverse(path), (Exists(),)),))
                if not unused(mentions, parse.decomposition) and told(run, (*before, known)) is not None:
                    whole = (*parse.decomposition.steps, Check(Ref(len(before) + 1)))
                    return told(run, whole) or chosen
    return chosen


def _is_kept(steps: Sequence[Step]) -> bool:
    """Whether the last step says something of what those before it find."""
    finds = len(steps) > 1 and all(isinstance(s, Find | Keep) for s in steps)
    return finds and isinstance(steps[-1], Keep)


class Whether:
    """Reads such questions over one knowledge base. `run` gives a reading with its answers."""

    def __init__(self, kb: KnowledgeBase, run: Callable[[Parse], Chosen | None]) -> None:
        self._kb, self._run = kb, run

    def checked(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that says yes or no; None where the question is no such, or it can't be told."""
        if self._kb.own or len(mentions) != 2:
            return None
        one, other = sorted(mentions, key=lambda m: m.start)
        if not _WHETHER.fullmatch(text, 0, one.start) or any(map(str.isalnum, text[other.end :])):
            return None
        words = without_names(text, mentions)
        twice = [_said(part) for part in _AND.split(words)]
        if len(twice) == 2 and all(twice) and not _ELSE.search(_BOTH.sub("", words)):
            return self._both(namesakes(one)[0], namesakes(other)[0], *twice)
        if _ELSE.search(words):
            return None
        said = _said(words)
        if not said and not _IN.search(words):
            return self._is_from(namesakes(one)[:_TRIED], other)
        ones, things = namesakes(one)[:_TRIED], namesakes(other)[:_TRIED]
        if _THE_OF.fullmatch(text, one.end, other.start):
            return self._is_the(ones, things, said)
        ways = [way for a in ones for way in self._ways(a, said)]
        for found, _ in ways:
            for kept in (kept for b in things for kept in _kept(b)):
                if told(self._run, (found, kept)) is not None:
                    return told(self._run, (found, kept, Check(Ref(2))))
        for found, chosen in ways:
            for thing in things:
                if self._alike(chosen, thing):
                    return told(self._run, (found, next(_kept(thing)), Check(Ref(2))))
        return None if ways and _WON.isdisjoint(said) else self._none_won(namesakes(one)[:1], things)

    def _is_the(self, ones: Sequence[Iri], things: Sequence[Iri], said: frozenset[str]) -> Chosen | None:
        """Whether one is what a thing has: 'Is Sydney the capital of Australia?' is about Australia's."""
        ways = [way for thing in things for way in self._ways(thing, said)]
        for found, _ in ways:
            for one in ones:
                if told(self._run, (found, _is(one))) is not None:
                    return told(self._run, (found, _is(one), Check(Ref(2))))
        alike = ((found, one) for found, chosen in ways for one in ones if self._alike(chosen, one))
        return next((told(self._run, (found, _is(one), Check(Ref(2)))) for found, one in alike), None)

    def _both(self, one: Iri, other: Iri, said: frozenset[str], too: frozenset[str]) -> Chosen | None:
        """Whether two things are tied in two ways: 'Did Eastwood both direct and star in Unforgiven?'"""
        for found, chosen in self._ways(one, said):
            for way, also in self._ways(one, too):
                if way.path != found.path and self._alike(chosen, other) and self._alike(also, other):
                    of_both = (found, Keep(Ref(1), one, way.path), replace(_is(other), source=Ref(2)))
                    return told(self._run, (*of_both, Check(Ref(3))))
        return None

    def _is_from(self, people: Sequence[Iri], other: Mention) -> Chosen | None:
        """Whether someone is of that country: 'Was Mozart Austrian?'"""
        known = {c.entity for c in other.candidates if _COUNTRY in c.types}
        for person, country in product(people, filter(known.__contains__, namesakes(other))):
            of, kept = Find(person, _NATIONALITY), next(_kept(country))
            if told(self._run, (of,)) is not None:
                return told(self._run, (of, kept, Check(Ref(2))))
        return None

    def _none_won(self, ones: Sequence[Iri], awards: Sequence[Iri]) -> Chosen | None:
        """That someone of whom no award is known is not among the winners of one."""
        for award in awards:
            for start in ((), (Find(award, CATEGORIES),)):
                steps = (*start, Find(Ref(1) if start else award, WINNERS))
                winners = told(self._run, steps)
                if winners is not None and all(self._alike(winners, one) for one in ones):
                    last = Ref(len(steps))
                    kept = replace(_is(ones[0]), source=last)
                    return told(self._run, (*steps, kept, Check(Ref(last.step + 1))))
        return None

    def _alike(self, found: Chosen, thing: Iri) -> bool:
        """Whether some of what was found is of a sort that the thing is of, too."""
        answers = collect(found.rows)[:_LOOKED_AT] if found.rows is not None else ()
        sorts = set(self._kb.types(thing))
        return any(sorts.intersection(self._kb.types(a)) for a in answers if isinstance(a, Iri))

    def _ways(self, start: Iri, said: frozenset[str]) -> Iterator[tuple[Find, Chosen]]:
        """The steps by worded paths that leave a thing and lead to something, with what they find: those with
        most of the words that were said; where none was said the one to where it is."""
        try:
            hops = frozenset(hops_leaving(self._kb.store, start, _LIMIT_S))
        except StoreTimeout:
            return
        worth: dict[Path, int] = {}
        for path in self._kb.lexicon.wordings if said else _TO_WHERE:
            if path and path[0] in hops:
                worth[path] = len(said & path_stems(path, self._kb.lexicon))
        best = max(worth.values(), default=0)
        ways = sorted((p for p, n in worth.items() if n == best), key=lambda p: (len(p), p))
        steps = (Find(start, path) for path in ways if best or not said)
        tried = ((step, told(self._run, (step,))) for step in steps)
        yield from islice(((step, found) for step, found in tried if found is not None), _MOST)


def _said(words: str) -> frozenset[str]:
    return frozenset(w[:STEM] for w in re.findall(r"[a-z]+", words) if w not in FUNCTION)


def _is(thing: Iri) -> Keep:
    return Keep(Ref(1), restrictions=(Restriction("answer", (), (Is(thing),)),))


def _kept(thing: Iri) -> Iterator[Step]:
    """The second step: those of the first one's answers that are the thing, or lie in or belong to it."""
    yield _is(thing)
    for path in _WITHIN:
        yield Keep(Ref(1), thing, path)
