"""Who came before or after someone in a band, with a team or among the winners of an award: 'Who replaced
Cliff Burton in Metallica?', 'Who won the Booker Prize after Margaret Atwood?'

Nothing in the parser's training asks so. When the person joined, left or won is one step; of those who did
the same, whoever did so next, or last before, are two more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from kbqa.answers import collect
from kbqa.errors import QueryError, StoreTimeout
from kbqa.intake import without_names
from kbqa.kb import KnowledgeBase
from kbqa.link import key
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.rule import Read, Rule, Run
from kbqa.reading.succession import Said, spoken_of
from kbqa.sparql.portable import term
from kbqa.templates.phrases import span_of
from kbqa.types import Find, Hop, Iri, Is, Kind, Operator, Pick, Ref, Restriction, Step, Than, freebase

_LIMIT_S = 2.0
_TRIED = 4
_SEVERAL = re.compile(
    r"\b(?:which|what)\s+(?:(?!(?:was|is)\b)\w+\s+)?(?!(?:was|is|does|has|his|its)\b)\w+s\b(?!\W+s\b)"
    r"|\ball\b|\bwho\s+were\b",
    re.IGNORECASE,
)
"""Words of a question for all that came before or after."""
_COUNTED = re.compile(r"\bhow many\b", re.IGNORECASE)
_LED = re.compile(r"\b(?:coach\w*|manage\w*)\b", re.IGNORECASE)
_LED_TO = r"(?:\b(?:in|of|for|at|from|as|with)\s+)?(?:the\s+)?"
_WON = re.compile(r"\b(?:w[io]n(?:s|ner|ners)?|received|awarded|got|recipient|laureate)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Row:
    """People in a row: how a node in between is tied to a person and to what they are in a row of. `part`:
    what they did there; `words`: with which a question speaks of the row where no part is said."""

    kind: str
    of_person: Iri
    thing: Iri
    of_thing: Iri
    person: Iri
    words: re.Pattern[str]
    part: Iri | None = None

    @property
    def dates(self) -> tuple[Iri, Iri | None]:
        """When it began and ended; when it was, and nothing."""
        first, last = span_of(self.kind) or (None, None)
        if self.words is _WON or first is None:
            return freebase(f"{self.kind}.year"), None
        return first, last


def _row(kind: str, of_person: str, thing: str, of_thing: str, person: str, part: str = "") -> _Row:
    return _Row(
        kind,
        freebase(of_person),
        freebase(f"{kind}.{thing}"),
        freebase(of_thing),
        freebase(f"{kind}.{person}"),
        _WON if kind == "award.award_honor" else _LED,
        freebase(f"{kind}.{part}") if part else None,
    )


_ROWS = (
    _row(
        "music.group_membership",
        "music.group_member.membership",
        "group",
        "music.musical_group.member",
        "member",
        "role",
    ),
    _row(
        "sports.sports_team_coach_tenure",
        "sports.sports_team_coach.teams_coached",
        "team",
        "sports.sports_team.coaches",
        "coach",
    ),
    _row(
        "basketball.basketball_historical_coach_position",
        "basketball.basketball_coach.previous_teams",
        "team",
        "basketball.basketball_team.previous_coaches",
        "coach",
    ),
    _row(
        "american_football.football_historical_coach_position",
        "american_football.football_coach.coaching_history",
        "team",
        "american_football.football_team.historical_coaching_staff",
        "coach",
    ),
    _row(
        "baseball.baseball_historical_managerial_position",
        "baseball.baseball_manager.former_teams_managed",
        "team",
        "baseball.baseball_team.historical_managers",
        "manager",
    ),
    _row(
        "award.award_honor",
        "award.award_winner.awards_won",
        "award",
        "award.award_category.winners",
        "award_winner",
    ),
    _row(
        "award.award_honor",
        "award.award_winning_work.awards_won",
        "award",
        "award.award_category.winners",
        "honored_for",
    ),
)


class Turns(Rule):
    """Tells who came before or after someone in a row. `asked_of` gives what the question asks of them, from
    its words before and after those that call them so."""

    def __init__(
        self,
        kb: KnowledgeBase,
        run: Run,
        read: Read,
        nouns: CommonNouns,
        asked_of: Callable[[Chosen, str, str], Chosen],
    ) -> None:
        super().__init__(kb, run, read)
        self._nouns, self._asked_of = nouns, asked_of

    def next_to(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that finds who came before or after; None where that isn't asked, or can't be told."""
        if self._kb.own or len(mentions) < 2 or _COUNTED.search(text):
            return None
        for one in sorted(mentions, key=lambda m: -m.start):
            said = spoken_of(text, one)
            for other in mentions if said is not None else ():
                if said is None or other is one:
                    continue
                found = self._in_row(one, other, text, said)
                if found is not None:
                    there = re.compile(rf"{_LED_TO}{re.escape(other.text)}(?:['’]s?)?", re.IGNORECASE)
                    end = other.end if one.end < other.end < said.end else said.end
                    return self._asked_of(found, there.sub("", text[: said.start]), there.sub("", text[end:]))
        return None

    def _in_row(self, one: Mention, other: Mention, text: str, said: Said) -> Chosen | None:
        people = [c.entity for c in one.candidates[:_TRIED]]
        several = _SEVERAL.search(text) is not None
        called = self._parts(without_names(text, [one, other]))
        for row in _ROWS:
            spoken = called if row.part is not None else row.words.search(text)
            if row.of_person not in self._kb.paths.predicates or not (spoken or said.clear):
                continue
            for person, thing in product(people, namesakes(other)):
                parts = (*called, *self._parts_of(row, person, thing)) if row.part is not None else (None,)
                for part in parts:
                    for steps in _steps(row, person, thing, part, said.later, several):
                        found = told(self._run, steps)
                        if found is not None and found.rows is not None and person not in collect(found.rows):
                            return found
        return None

    def _parts(self, words: str) -> list[Iri]:
        """What the words may call the part of somebody: 'drummer'."""
        concepts = self._nouns.concepts
        return [e.iri for word in re.findall(r"[a-z]+", words.lower()) for e in concepts.get(key(word), ())]

    def _parts_of(self, row: _Row, person: Iri, thing: Iri) -> list[Iri]:
        part = term(row.part) if row.part is not None else ""
        query = (
            f"SELECT DISTINCT ?r WHERE {{ {term(person)} {term(row.of_person)} ?m . "
            f"?m {term(row.thing)} {term(thing)} ; {part} ?r }} ORDER BY ?r"
        )
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return []
        return [row[0] for row in rows if isinstance(row[0], Iri)]


def _steps(
    row: _Row, person: Iri, thing: Iri, part: Iri | None, later: bool, several: bool
) -> Iterator[tuple[Step, ...]]:
    """Ways to find the next one or the last before, or `several`: after the end of somebody's time where it
    is known, else after its beginning."""
    there = Restriction("mediator", (Hop(row.thing),), (Is(thing),))
    did = (
        () if part is None or row.part is None else (Restriction("mediator", (Hop(row.part),), (Is(part),)),)
    )
    first, last = row.dates
    ways: list[tuple[Iri, Operator]] = [(first, ">" if later else "<")]
    if later and last is not None:
        ways.insert(0, (last, ">="))
    for date, bound in ways:
        when = Restriction("mediator", (Hop(first),), (Than(bound, Ref(1), Kind.DATE),))
        began = Find(person, (Hop(row.of_person), Hop(date)), (there, *did))
        others = Find(thing, (Hop(row.of_thing), Hop(row.person)), (*did, when))
        nearest = Pick(Ref(2), "mediator", (Hop(first),), not later, Kind.DATE)
        yield (began, others) if several else (began, others, nearest)
