"""Questions about what is contested put otherwise: 'both the 1997 and 2003 World Series' names two, 'the
coach when they won it in 1998' is that of 1998, and 'teams that never won a Super Bowl' are of its league.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kbqa.errors import QueryError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Mention
from kbqa.sparql.portable import term
from kbqa.types import Iri, freebase

_CHAMPIONSHIP, _EVENT = (freebase(f"sports.sports_championship{of}") for of in ("", "_event"))
_LEAGUE = freebase("sports.sports_championship.league")
_TWO_YEARS = re.compile(r"\b(?P<year>[12]\d{3})\s+(?P<and>and|or)\s+(?:the\s+)?\Z", re.IGNORECASE)
_OF_YEAR = re.compile(r"(?P<year>[12]\d{3})\s+(?P<what>\S.*)")
_PLAYED_THEN = re.compile(
    r"\bwhen\s+(?:they|he|she|it)\s+(?:(?:last|first)\s+)?(?:won|win|took|captured|got|claimed)\b[^,;?!\d]*?"
    r"\s+(?P<when>(?:in|of|back in)\s+(?:the\s+)?(?P<year>[12]\d{3}))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\bwhen\s+(?P<who>they|he|she|it)\s+(?=\w+)", re.IGNORECASE)
_TEAMS = re.compile(
    r"\b(?P<teams>teams?|clubs?|franchises?)\s+(?:(?:that|which|who)\s+)?(?:ha(?:s|ve)n['’]?t|ha(?:s|ve)\s+(?:not|never)"
    r"|(?:did\s+not|didn['’]?t)|never)\b",
    re.IGNORECASE,
)
_HOLDERS = r"(?:champions?|champs?|title\s?holders?|winners?)"
_CHAMPIONS_OF = re.compile(
    rf"(?:\s+(?:championship|title))?\s+{_HOLDERS}(?:\s+(?:in|of|for)\s+(?:the\s+year\s+)?(?P<year>[12]\d{{3}}))?\b",
    re.IGNORECASE,
)
"""What follows the name of a league or championship where its winner is meant."""
_IN_THE = re.compile(r"(?:\bthe\s+)?(?:\b(?P<year>[12]\d{3})\s+)?\Z", re.IGNORECASE)
_WHO_WERE = re.compile(
    r"\W*(?:who|(?:which|what)\s+(?:team|club|side|country|franchise))\s+(?:was|were|are|is|became)\s*",
    re.IGNORECASE,
)
_MORE = re.compile(r"\bmore\b[^,?.!]*?\bthan\s+(?:the\s+)?\Z", re.IGNORECASE)
_MORE_THAN_THEM = re.compile(
    r"\bmore\b[^,?.!]*?\bthan\s+(?:them|they|that|those|it)(?:\s+(?:have|has|had|did|do))?\W*\Z",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:by|through|up\s+to|until|till|as\s+of)\s+(?:the\s+)?(?:end\s+of\s+)?(?:the\s+year\s+)?(?P<year>[12]\d{3})\b",
    re.IGNORECASE,
)
_BEGAN = freebase("time.event.start_date")
_DO = re.compile(
    r"(?:\s+(?:have|has|had|did|do))?(?:\s+won(?:\s+so\s+far)?)?"
    r"(?:,?\s+(?:by|through|up\s+to|until|till|as\s+of)\s+(?:the\s+)?(?:end\s+of\s+)?(?:the\s+year\s+)?\d{4})?\W*",
    re.IGNORECASE,
)
_TEAM, _CHAMPION, _OF = (
    freebase(f"sports.{name}")
    for name in (
        "sports_team",
        "sports_championship_event.champion",
        "sports_championship_event.championship",
    )
)
_LIMIT_S = 1.0


def of_two_years(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """'both the 1997 and 2003 World Series' with the name of both, where there are such things."""
    for mention in mentions:
        said, own = _TWO_YEARS.search(text[: mention.start]), _OF_YEAR.fullmatch(mention.text)
        if said is None or own is None or any(m.meets(*said.span()) for m in mentions):
            continue
        name = f"{said['year']} {own['what']}"
        if any(m.text == name and m.exact for m in link(name)):
            first = f"{text[: said.start()]}{name} {said['and']} the "
            return first + text[mention.start :]
    return text


def of_team_then(text: str, mentions: Sequence[Mention]) -> str:
    """'the coach of the Bulls when they won the title in 1998' as that in 1998, and 'when they won Super Bowl
    XX' by the name."""
    said = _PLAYED_THEN.search(text)
    if said is not None and not any(m.meets(said.start(), said.start("when")) and m.exact for m in mentions):
        return f"{text[: said.start()]}in {said['year']}{text[said.end() :]}"
    told = _PRONOUN.search(text)
    before = [m for m in mentions if told is not None and m.end <= told.start()]
    if told is None or len(before) != 1 or not any(m.start > told.end() for m in mentions):
        return text
    name = before[0]
    article = "the " if re.search(r"\bthe\s+\Z", text[: name.start], re.IGNORECASE) else ""
    return f"{text[: told.start('who')]}{article}{name.text}{text[told.end('who') :]}"


class Leagues:
    """Tells the league in which a championship is won, over one knowledge base. `link` finds the names in a
    text."""

    def __init__(self, kb: KnowledgeBase, link: Callable[[str], Sequence[Mention]]) -> None:
        self._kb, self._link = kb, link

    def of_champions(self, text: str, mentions: Sequence[Mention]) -> str:
        """'the NBA champions in 2016' and '1996 NBA champs' as the team that won that year's finals, where
        there were such."""
        for mention in mentions:
            before, after = _IN_THE.search(text[: mention.start]), _CHAMPIONS_OF.match(text, mention.end)
            own = _OF_YEAR.fullmatch(mention.text)
            if before is None or after is None or not mention.candidates:
                continue
            year = before["year"] or after["year"] or (own and own["year"])
            event = self._event(mention, year) if year else None
            if event is None:
                continue
            head, rest = text[: before.start()], text[after.end() :]
            if _WHO_WERE.fullmatch(head):
                return f"Who won the {event}{rest}"
            return f"{head}the team that won the {event}{rest}"
        return text

    def _event(self, mention: Mention, year: str) -> str | None:
        """The name of what was won that year in a league, or of a championship."""
        of = mention.candidates[0]
        if _EVENT in of.types:
            return of.label
        series = self._championship(of.entity) if _CHAMPIONSHIP not in of.types else of.label
        name = f"{year} {series}"
        found = (c.label for m in self._link(name) if m.text == name for c in m.candidates)
        return next(found, None) if series is not None else None

    def _championship(self, league: Iri) -> str | None:
        return self._name(f"SELECT ?c WHERE {{ ?c {term(_LEAGUE)} {term(league)} }} LIMIT 1")

    def of_more_than(self, text: str, mentions: Sequence[Mention]) -> str:
        """'teams with more NBA titles than the Warriors' as those that have won it more than seven times."""
        for mention in sorted(mentions, key=lambda m: -m.end):
            them = _MORE_THAN_THEM.search(text, mention.end)
            if them is None and not (
                _MORE.search(text[: mention.start]) and _DO.fullmatch(text, mention.end)
            ):
                continue
            teams = [c.entity for c in mention.candidates if c.exact and _TEAM in c.types]
            year = _BY.search(text)
            until = year["year"] if year is not None else ""
            for other in mentions if teams else ():
                for c in other.candidates[:1] if other is not mention else ():
                    series = c.label if _CHAMPIONSHIP in c.types else self._championship(c.entity)
                    won = (self._times_won(t, c.entity, until) for t in teams) if series else iter(())
                    if times := next(filter(None, won), 0):
                        then = f" by {until}" if until else ""
                        return f"Which teams have won the {series} more than {times} times{then}?"
        return text

    def _times_won(self, team: Iri, of: Iri, until: str) -> int:
        """How often a team won a championship, or that of a league, until the end of a year, if any."""
        won = f"?e {term(_CHAMPION)} {term(team)} . ?e {term(_OF)} ?c"
        if until:
            won += f' . ?e {term(_BEGAN)} ?d FILTER (STR(?d) < "{int(until) + 1}")'
        among = f"{{ {won} FILTER (?c = {term(of)}) }} UNION {{ {won} . ?c {term(_LEAGUE)} {term(of)} }}"
        try:
            rows = self._kb.store.select(
                f"SELECT DISTINCT ?e WHERE {{ {among} }}", time_limit_s=_LIMIT_S
            ).rows
        except (QueryError, StoreTimeout):
            return 0
        return len(rows)

    def of_never_won(self, text: str, mentions: Sequence[Mention]) -> str:
        """'teams that have never won a Super Bowl' as those of its league."""
        teams = _TEAMS.search(text)
        won = [m for m in mentions if teams is not None and m.start >= teams.end()]
        if teams is None or len(won) != 1 or len(mentions) != 1:
            return text
        of = won[0].candidates[0] if won[0].candidates else None
        league = self._league(of.entity) if of is not None and _CHAMPIONSHIP in of.types else None
        return text if league is None else f"{text[: teams.start()]}{league} {text[teams.start() :]}"

    def _league(self, championship: Iri) -> str | None:
        return self._name(f"SELECT ?l WHERE {{ {term(championship)} {term(_LEAGUE)} ?l }} LIMIT 1")

    def _name(self, query: str) -> str | None:
        """The name of what a query finds."""
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return None
        return next(iter(self._kb.names.fetch([r[0] for r in rows if isinstance(r[0], Iri)]).values()), None)
