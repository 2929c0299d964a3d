"""The season of which an award is told, where a question says the year or the final instead: 'NBA MVP in
2003' is that of the 2002-03 season, 'the MVP of Super Bowl XX' that of the season which it ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from kbqa.errors import QueryError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Mention
from kbqa.sparql.portable import term
from kbqa.types import Iri, freebase

_AWARD = freebase("sports.sports_award_type")
_EVENT = freebase("sports.sports_championship_event")
_OF_AWARD = (freebase("sports.sports_award_type.winners"), freebase("sports.sports_award.season"))
_OF_EVENT = (freebase("sports.sports_championship_event.season"),)
_YEARS = r"(?P<year>[12]\d{3})(?:\s*[-–/]\s*(?P<to>\d{4}|\d\d))?"
_AFTER = re.compile(
    rf"(?P<kept>(?:\s+(?:award|title|trophy|winner))?)(?:\s+(?:in|for|of|from|during)(?:\s+the)?)?\s+{_YEARS}"
    r"(?:\s+season)?(?=\W*(?:\Z|\s))",
    re.IGNORECASE,
)
_BEFORE = re.compile(rf"\b{_YEARS}\s+(?:season\s+)?(?:['’]s\s+)?\Z", re.IGNORECASE)
_LABEL = re.compile(r"(?P<year>[12]\d{3})(?:[-–](?P<to>\d{4}|\d\d))?\s+(?P<what>.+)")
_BEST = r"(?:mvp|most\s+valuable\s+player)"
_BEST_AFTER = re.compile(rf"(?:['’]s)?\s+{_BEST}\b(?P<kept>(?:\s+(?:award|winner))?)", re.IGNORECASE)
_BEST_BEFORE = re.compile(
    rf"\b{_BEST}\s+(?P<kept>award\s+)?(?:of|in|at|for|from)\s+(?:the\s+)?\Z", re.IGNORECASE
)
_MOST_VALUABLE = " Most Valuable Player Award"
_LIMIT_S = 1.0


class Seasons:
    """Puts questions about the awards of a season otherwise. `link` finds the names in a text."""

    def __init__(self, kb: KnowledgeBase, link: Callable[[str], Sequence[Mention]]) -> None:
        self._kb, self._link = kb, link

    def of_season(self, text: str, mentions: Sequence[Mention]) -> str:
        """The text with the season that is meant; the same where it means none that is known."""
        for mention in mentions:
            kinds = mention.candidates[0].types if mention.candidates else ()
            if _AWARD in kinds and mention.candidates[0].exact:
                whole = self._of_award(text, mention)
            elif _EVENT in kinds:
                whole = self._of_event(text, mention)
            else:
                continue
            if whole != text:
                return whole
        return text

    def _of_award(self, text: str, award: Mention) -> str:
        """'NBA MVP 2003' as 'NBA MVP of the 2002-03 NBA season'."""
        before, after = _BEFORE.search(text[: award.start]), _AFTER.match(text, award.end)
        said = before or after
        season = None if said is None else self._in_year(award, said["year"], said["to"])
        if said is None or season is None:
            return text
        start = said.start() if said is before else award.start
        end = award.end if said is before else said.end()
        name = award.candidates[0].label
        kept = "" if said is before else said["kept"]
        whole = season if season.endswith(f" {name}") else f"{award.text}{kept} of the {season}"
        return f"{text[:start]}{whole}{text[end:]}"

    def _of_event(self, text: str, event: Mention) -> str:
        """'Super Bowl XX MVP' as 'Super Bowl MVP of the 1985 NFL season'."""
        before, after = _BEST_BEFORE.search(text[: event.start]), _BEST_AFTER.match(text, event.end)
        said = before or after
        season = next(iter(self._seasons(event.candidates[0].entity, _OF_EVENT)), None)
        series = re.sub(r"\s+\S+\Z", "", event.candidates[0].label)
        award = f"{series}{_MOST_VALUABLE}"
        if said is None or season is None or not any(m.text == award for m in self._link(award)):
            return text
        start = said.start() if said is before else event.start
        end = event.end if said is before else said.end()
        return f"{text[:start]}{series} MVP{(said['kept'] or '').rstrip()} of the {season}{text[end:]}"

    def _in_year(self, award: Mention, year: str, to: str | None) -> str | None:
        """The award's season that is called by a year, or two: a final's by the year in which it was, else
        that of the year, or which ended in it."""
        name = award.candidates[0].label
        series = name.removesuffix(_MOST_VALUABLE)
        if series != name and to is None:
            final = next((m for m in self._link(f"{year} {series}") if m.text == f"{year} {series}"), None)
            finals = [c.entity for c in final.candidates if c.exact and _EVENT in c.types] if final else []
            found = next((s for f in finals for s in self._seasons(f, _OF_EVENT)), None)
            if found is not None:
                return found
        for season in self._seasons(award.candidates[0].entity, _OF_AWARD):
            label = _LABEL.fullmatch(season)
            if label is None:
                continue
            first, last = int(label["year"]), int(label["year"]) + (label["to"] is not None)
            if int(year) == (last if to is None else first) and (to is None or to[-2:] == str(last)[-2:]):
                return season
        return None

    def _seasons(self, thing: Iri, path: Sequence[Iri]) -> Iterator[str]:
        """The names of the seasons that a path leads to."""
        along = "/".join(map(term, path))
        query = f"SELECT DISTINCT ?s WHERE {{ {term(thing)} {along} ?s }}"
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return
        found = [row[0] for row in rows if isinstance(row[0], Iri)]
        yield from self._kb.names.fetch(found).values()
