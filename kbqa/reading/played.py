"""Names that mean another thing by what is said of it: 'the guy who played Forrest Gump' played no film, what
won the World Cup is no country but its team, 'the chancellors of Germany' held one office, and the school
colors of Kansas are those of its university."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.protocols import Linker, Mention
from kbqa.types import freebase

_PLAYED = re.compile(
    r"\b(?:play(?:s|ed|ing)?|portray(?:s|ed|ing)?)\s+(?:the\s+)?(?:(?:role|part|character)\s+(?:of\s+)?)?\Z",
    re.IGNORECASE,
)
_ITS_ACTOR = re.compile(
    r"(?:['’]?s)?\s+(?:actor|actress|star|lead)\b(?!['’]?s?\s+(?:award|academy|oscar))", re.IGNORECASE
)
"""After who is played: 'Forrest Gump actor'."""
_CHARACTERS = frozenset(
    map(freebase, ("film.film_character", "tv.tv_character", "fictional_universe.fictional_character"))
)
_WON = re.compile(r"\b(?:wo?ns?|win(?:s|ning)?|los[et]|beat|champions?|runners?-up|finals?)\b", re.IGNORECASE)
_WHERE = re.compile(r"\b(?:in|hosted by|from)\s+(?:the\s+)?\Z", re.IGNORECASE)
_DOMAIN = re.compile(r"\.[a-z]|\bdomains?\b|\btlds?\b|\binternet\b|\bweb\w*\b", re.IGNORECASE)
_HOLDERS = re.compile(
    r"\b(?P<office>(?:prime\s+minister|vice\s+president|president|chancellor|monarch|emperor|king|queen|governor))s"
    r"(?P<of>\s+of\s+(?:the\s+)?)",
    re.IGNORECASE,
)
_OFFICE = freebase("government.government_office_or_title")
_COUNTRY = freebase("location.country")
_TEAM = freebase("sports.sports_team")
_PLAYED_FOR = frozenset(map(freebase, ("sports.sports_championship", "sports.sports_championship_event")))


_STATE = freebase("location.us_state")
_SCHOOL = frozenset(map(freebase, ("education.university", "education.educational_institution")))
_OF_SCHOOL = re.compile(
    r"\b(?:(?:school|college|university|student|campus)(?:['’]?s)?\s+(?:colou?rs?|mascots?|(?:news)?papers?)"
    r"|(?:mascot|colou?rs)\s+(?:of\s+the\s+)?(?:college|university))\b",
    re.IGNORECASE,
)


def as_played(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions, of those that are played only the characters of the name, where there are any."""
    found = []
    for mention in mentions:
        roles = [c for c in mention.candidates if c.exact and _CHARACTERS.intersection(c.types)]
        said = _PLAYED.search(text[: mention.start]) or _ITS_ACTOR.match(text, mention.end)
        played = bool(roles) and said is not None
        found.append(replace(mention, candidates=tuple(roles)) if played else mention)
    return tuple(found)


def without_domains(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions without the internet domains '.us' and '.is', where the question spells no dot and speaks
    of none: 'Which US states ...', 'Where is ...'."""
    if _DOMAIN.search(text):
        return tuple(mentions)
    return tuple(kept for m in mentions if (kept := _without_domain(m)).candidates)


def _without_domain(mention: Mention) -> Mention:
    """The mention with what else bears the very name, if a domain does: '.tv' is not to leave a network."""
    if not any(c.label.startswith(".") for c in mention.candidates):
        return mention
    others = (c for c in mention.candidates if c.exact and not c.label.startswith("."))
    return replace(mention, candidates=tuple(others))


def as_offices(text: str, mentions: Sequence[Mention], linker: Linker) -> tuple[Mention, ...]:
    """The mentions, with 'chancellors of Germany' as those of the office, where there is such."""
    found = list(mentions)
    for said in _HOLDERS.finditer(text):
        start = said.start("office")
        starts = (start, said.end())
        whole = next((m for m in found if m.start in starts and m.end > said.end()), None)
        if whole is None:
            continue
        name = f"{said['office']}{said['of']}{text[said.end() : whole.end]}"
        named = (c for m in linker.link(name) if m.text == name for c in m.candidates if c.exact)
        office = tuple(c for c in named if _OFFICE in c.types)
        if office:
            held = replace(whole, start=start, text=text[start : whole.end], candidates=office)
            found = [held if m is whole else m for m in found if m is whole or not m.meets(start, whole.end)]
    return tuple(found)


def as_teams(text: str, mentions: Sequence[Mention], linker: Linker) -> tuple[Mention, ...]:
    """The mentions, of countries that win or lose a championship their national teams, if there are such."""
    if not _WON.search(text) or not any(
        _PLAYED_FOR.intersection(c.types) for m in mentions for c in m.candidates[:1]
    ):
        return tuple(mentions)
    return tuple(m if _WHERE.search(text[: m.start]) else _as_team(m, linker) for m in mentions)


def _as_team(mention: Mention, linker: Linker) -> Mention:
    countries = [c.label for c in mention.candidates[:1] if _COUNTRY in c.types]
    for country in countries:
        name = f"{country} national football team"
        teams = [c for m in linker.link(name) if m.text == name for c in m.candidates if c.exact]
        teams = [c for c in teams if _TEAM in c.types]
        if teams:
            return replace(mention, candidates=tuple(teams))
    return mention


def as_schools(text: str, mentions: Sequence[Mention], linker: Linker) -> tuple[Mention, ...]:
    """The mentions, of a state whose school colours, mascot or student paper is asked for, where nothing else
    is named, the university that bears its name."""
    named = any(_SCHOOL.intersection(c.types) for m in mentions for c in m.candidates[:1])
    if named or len(mentions) != 1 or not _OF_SCHOOL.search(text):
        return tuple(mentions)
    return tuple(m if _WHERE.search(text[: m.start]) else _as_school(m, linker) for m in mentions)


def _as_school(mention: Mention, linker: Linker) -> Mention:
    for state in (c.label for c in mention.candidates[:1] if _STATE in c.types):
        name = f"University of {state}"
        named = (c for m in linker.link(name) if m.text == name for c in m.candidates if c.exact)
        schools = tuple(c for c in named if _SCHOOL.intersection(c.types))
        return replace(mention, candidates=schools) if schools else mention
    return mention
