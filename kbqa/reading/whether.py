"""Questions for yes or no about two things that are named: 'Was Barack Obama born in Hawaii?'

Nothing in the parser's training asks so. Of the ways that lead on from the first thing those are looked at
whose words the question has: whether one leads to the second thing, or to what lies in it or belongs to it.
It is no where one leads to other things of its sort.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

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
from kbqa.reading.worded import CATEGORIES, WINNERS
from kbqa.types import Check, Find, Hop, Iri, Is, Keep, Path, Ref, Restriction, Step, freebase

_WHETHER = re.compile(
    r"\W*(?:is|are|was|were|does|do|did|has|have|had)\s+(?!there\b)(?:the\s+)?", re.IGNORECASE
)
_ELSE = re.compile(
    r"\b(?:or|than|both|all|any|only|first|last|before|after|more|less|most)\b|\d", re.IGNORECASE
)
"""What asks for more than whether two things are tied."""
_IN = re.compile(r"\b(?:in|part of)\b")
_MEMBERSHIPS = (
    Hop(freebase("organization.organization_member.member_of")),
    Hop(freebase("organization.organization_membership.organization")),
)
_ON = re.compile(r"\bon\b")
_PLAYED_FOR = (
    Hop(freebase("sports.pro_athlete.teams")),
    Hop(freebase("sports.sports_team_roster.team")),
)
_WITHIN = ((CONTAINS,), CATEGORIES)
_WON = frozenset(("win", "won", "wins", "winn"))
_TRIED = 3
_MOST = 20
_LOOKED_AT = 20
_LIMIT_S = 1.0


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
        if _ELSE.search(words):
            return None
        said = frozenset(w[:STEM] for w in re.findall(r"[a-z]+", words) if w not in FUNCTION)
        if not said and not _IN.search(words) and not _ON.search(words):
            return None
        ways = [way for a in namesakes(one)[:_TRIED] for way in self._ways(a, said)]
        things = namesakes(other)[:_TRIED]
        for found, _ in ways:
            for kept in (kept for b in things for kept in _kept(b)):
                if told(self._run, (found, kept)) is not None:
                    return told(self._run, (found, kept, Check(Ref(2))))
        for found, chosen in ways:
            for thing in things:
                if self._alike(chosen, thing):
                    return told(self._run, (found, next(_kept(thing)), Check(Ref(2))))
        return None if ways and _WON.isdisjoint(said) else self._none_won(namesakes(one)[:1], things)

    def _none_won(self, ones: Sequence[Iri], awards: Sequence[Iri]) -> Chosen | None:
        """That someone of whom no award is known is not among the winners of one."""
        for award in awards:
            for start in ((), (Find(award, CATEGORIES),)):
                steps = (*start, Find(Ref(1) if start else award, WINNERS))
                winners = told(self._run, steps)
                if winners is not None and all(self._alike(winners, one) for one in ones):
                    last = Ref(len(steps))
                    kept = Keep(last, restrictions=(Restriction("answer", (), (Is(ones[0]),)),))
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
        for path in self._kb.lexicon.wordings if said else [(CONTAINS.reversed,), _MEMBERSHIPS, _PLAYED_FOR]:
            if path and path[0] in hops:
                worth[path] = len(said & path_stems(path, self._kb.lexicon))
        best = max(worth.values(), default=0)
        ways = sorted((p for p, n in worth.items() if n == best), key=lambda p: (len(p), p))
        steps = (Find(start, path) for path in ways if best or not said)
        tried = ((step, told(self._run, (step,))) for step in steps)
        yield from islice(((step, found) for step, found in tried if found is not None), _MOST)


def _kept(thing: Iri) -> Iterator[Step]:
    """The second step: those of the first one's answers that are the thing, or lie in or belong to it."""
    yield Keep(Ref(1), restrictions=(Restriction("answer", (), (Is(thing),)),))
    for path in _WITHIN:
        yield Keep(Ref(1), thing, path)
