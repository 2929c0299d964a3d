"""Awards by other words than their names: 'best director winners', 'Nobel laureates in literature'."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kbqa.protocols import Linker, Mention
from kbqa.types import freebase

_BEST = re.compile(r"\bbest\s+\w|\b\w+\s+(?:medal|trophy|prize|award)s?\b", re.IGNORECASE)
_CATEGORY = freebase("award.award_category")
_AWARDS = frozenset((_CATEGORY, freebase("award.award")))
_WON = re.compile(
    r"\b(?:w[io]n|wins|winning|winners?\s+of|champions?\s+(?:of|at))\s+(?:the\s+)?\Z", re.IGNORECASE
)
_WINNERS_IN = re.compile(
    r"\s+(?:(?P<prize>prize|award)\s+)?(?:(?:laureates?|winners?)\s+(?:in|for)\s+(?P<what>[a-z]+)"
    r"|(?P<kind>[a-z]+)\s+(?:(?:prize|award)\s+)?(?:laureates?|winners?))\b",
    re.IGNORECASE,
)


_IN_BOTH = re.compile(
    r"\s+(?:prizes?\s+)?(?:twice[\s,:–—-]+)?(?:both\s+)?(?:in|for)\s+(?:both\s+)?"
    r"(?:(?:two|2)\s+(?:different\s+)?(?:fields|sciences|categories|disciplines|subjects|areas)[\s,:;(–—-]+)?"
    r"(?P<one>[a-z]+)\s+"
    r"(?:and|as\s+well\s+as|along\s+with|plus|&)\s+(?:(?:also|then|one|another)\s+)*"
    r"(?:(?:in|for)\s+)?(?P<other>[a-z]+)\b",
    re.IGNORECASE,
)
_OF_ONE = re.compile(r"\s+(?:in|for)\s+[a-z]+\Z", re.IGNORECASE)
_ANY = re.compile(r"\b(?:or|either|list|each|respectively)\b", re.IGNORECASE)


def of_two_categories(
    text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]
) -> str:
    """'the Nobel Prize in both physics and chemistry' as both the Nobel Prize in Physics and the Nobel Prize
    in Chemistry, where there are such awards."""
    for m in mentions if not _ANY.search(text) else ():
        prize = _OF_ONE.sub("", m.text)
        said = _IN_BOTH.match(text, m.start + len(prize))
        pairs = (_names(prize, said["one"]), _names(prize, said["other"])) if said is not None else ((), ())
        for names in zip(*pairs, strict=True):
            if said and all(any(_is_award(n) and n.text == name for n in link(name)) for name in names):
                begins = re.sub(r"\b(?:the|a)\s+\Z", "", text[: m.start])
                return f"{begins}both the {names[0]} and the {names[1]}{text[said.end() :]}"
    return text


def of_category(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """'Nobel laureates in literature' as the winners of the Nobel Prize in Literature, where there is such an
    award."""
    said = _WINNERS_IN.search(text)
    ends = (said.start(), said.end("prize")) if said is not None else ()
    prize = next((m for m in mentions if m.end in ends), None)
    if said is None or prize is None:
        return text
    for name in _names(prize.text, said["what"] or said["kind"]):
        whole = f"{text[: prize.start]}winners of the {name}{text[said.end() :]}"
        if any(n.text.lower() == name.lower() and _is_award(n) for n in link(whole)):
            return whole
    return text


def _names(prize: str, what: str) -> tuple[str, ...]:
    """What the award of a prize for something may be called."""
    bare = re.sub(r"\s+prizes?\Z", "", prize, flags=re.IGNORECASE)
    return (
        f"{bare} Prize in {what}",
        f"{bare} Prize for {what}",
        f"{bare} {what} Prize",
        f"{prize} for {what}",
    )


def _is_award(mention: Mention) -> bool:
    return any(_CATEGORY in c.types for c in mention.candidates[:1])


def as_won(text: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions, of what somebody won the award of that very name, where there is one: 'Who won
    Wimbledon?'"""

    def won(mention: Mention) -> Mention:
        awards = [c for c in mention.candidates if c.exact and not _AWARDS.isdisjoint(c.types)]
        if not awards or not _WON.search(text[: mention.start]):
            return mention
        return replace(mention, candidates=tuple(awards))

    return tuple(map(won, mentions))


def with_prizes(text: str, mentions: Sequence[Mention], linker: Linker) -> tuple[Mention, ...]:
    """The mentions (left to right) with those of awards that are called the best of something, or in common
    words ('fields medal'), where nothing else is recognised."""
    found = list(mentions)
    for start, end in linker.bare(text) if _BEST.search(text) else ():
        free = not any(m.meets(start, end) for m in found)
        if free and _BEST.match(text, start):
            named = linker.link(f'"{text[start:end]}"')
            awards = [c for m in named for c in m.candidates if _CATEGORY in c.types]
            if awards and len(named) == 1:
                found.append(replace(named[0], start=start, end=end, candidates=tuple(awards)))
    return tuple(sorted(found, key=lambda m: m.start))
