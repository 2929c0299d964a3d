"""Olympic medals, each time one was won: 'How many gold medals did Usain Bolt win?', 'How many medals did
Carl Lewis win at the 1984 Summer Olympics?'

Somebody who won eight gold medals has one kind of medal eight times; what is counted is the times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kbqa.kb import KnowledgeBase
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, first_told
from kbqa.reading.rule import Run
from kbqa.types import Count, Find, Hop, Iri, Is, Keep, Ref, Restriction, Step, freebase

_WON = Hop(freebase("olympics.olympic_athlete.medals_won"))
_MEDAL, _GAMES = (
    Hop(freebase("olympics.olympic_medal_honor.medal")),
    Hop(freebase("olympics.olympic_medal_honor.olympics")),
)
_ATHLETE, _OLYMPICS = freebase("olympics.olympic_athlete"), freebase("olympics.olympic_games")
_COUNTED = re.compile(
    r"\bhow\s+many\s+(?:summer\s+|winter\s+)?(?:olympic\s+)?(?:(?P<kind>gold|silver|bronze)s?\b\s*)?(?:olympic\s+)?"
    r"(?:medals?|golds?|silvers?|bronzes?)?\b|\bnumber\s+of\s+(?:olympic\s+)?(?:(?P<of>gold|silver|bronze)\s+)?medals\b",
    re.IGNORECASE,
)
_OF_MEDALS = re.compile(r"\b(?:medals?|golds?|silvers?|bronzes?)\b", re.IGNORECASE)


class Medals:
    """Counts medals over one knowledge base."""

    def __init__(self, kb: KnowledgeBase, run: Run) -> None:
        self._kb, self._run = kb, run

    def counted(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that counts the medals of the athlete who is named, of the kind and at the games that
        are; None where that isn't asked, or can't be told."""
        said = _COUNTED.search(text)
        if said is None or self._kb.own or not _OF_MEDALS.search(text):
            return None
        kind = (said["kind"] or said["of"] or "").lower()
        athletes = [m for m in mentions if any(_ATHLETE in c.types for c in m.candidates)]
        games = [c.entity for m in mentions for c in m.candidates[:1] if _OLYMPICS in c.types]
        if len(athletes) != 1:
            return None
        return first_told(self._run, self._ways(athletes[0], kind, games[:1]))

    def _ways(self, athlete: Mention, kind: str, games: Sequence[Iri]) -> Iterator[tuple[Step, ...]]:
        metal = self._kb.linker.link(f'"{kind.capitalize()} medal"') if kind else ()
        medals = [c.entity for m in metal for c in m.candidates[:1]]
        kept = (
            *(Restriction("answer", (_MEDAL,), (Is(medal),)) for medal in medals[:1]),
            *(Restriction("answer", (_GAMES,), (Is(one),)) for one in games),
        )
        narrowed: tuple[Step, ...] = (Keep(Ref(1), restrictions=kept),) if kept else ()
        for person in namesakes(athlete):
            steps: tuple[Step, ...] = (Find(person, (_WON,)), *narrowed)
            yield (*steps, Count(Ref(len(steps))))
