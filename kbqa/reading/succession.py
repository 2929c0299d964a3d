"""Who came before or after someone in an office: 'Who was president before Lincoln?', 'Thatcher's successor';
and who was the so-many-th there.

Nothing in the parser's training asks so. When the person took the office is one step; of those who held it,
whoever took it next, or last before, are two more. What is asked of that person is read with their name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from kbqa.answers import collect
from kbqa.errors import QueryError, StoreTimeout
from kbqa.intake import without_names
from kbqa.lexicon.nouns import INSTANCES
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, instead, told
from kbqa.reading.rule import Rule, Run
from kbqa.reading.shorthand import bearers
from kbqa.rewire import continued
from kbqa.sparql.portable import term
from kbqa.types import (
    Find,
    Hop,
    Iri,
    Is,
    Keep,
    Kind,
    Literal,
    Pick,
    Ref,
    Restriction,
    Step,
    Than,
    freebase,
)

_LIMIT_S = 2.0
_TRIED = 8
"""Things of the name that may be the person."""
_HELD = "government.government_position_held"
_HOLDS = freebase("government.politician.government_positions_held")
_HOLDERS = freebase("government.government_office_or_title.office_holders")
_HOLDER, _OFFICE = freebase(f"{_HELD}.office_holder"), freebase(f"{_HELD}.office_position_or_title")
_TITLE, _OF = freebase(f"{_HELD}.basic_title"), freebase(f"{_HELD}.jurisdiction_of_office")
_FROM = freebase(f"{_HELD}.from")
_NOTABLE = freebase("common.topic.notable_types")
_NUMBER = Hop(freebase("government.us_president.presidency_number"))
_NTH = re.compile(r"(\d+)(?:st|nd|rd|th)\b")
_SHORT = {
    "pm": "prime minister", "prez": "president", "gov": "governor", "king": "monarch", "queen": "monarch",
    "tsar": "emperor", "czar": "emperor", "kaiser": "emperor", "empress": "emperor",
}  # fmt: skip
_VERBS = re.compile(r"\b(?:led|leads|leader|ruled|governed|in office|in power|in charge|ran)\b")
_VICE = re.compile(
    r"['’]s?\s+(?:\w+\s+)?vice[\s-]presidents?\b"
    r"|\bwho\b[^?]*\bvice[\s-]presidents?\s+(?:of|under|to|for)\s+(?!who|which|what)\w",
    re.IGNORECASE,
)
_VICE_OF = Hop(freebase("government.us_president.vice_president"))
_PRESIDENT_OF = ((_VICE_OF.reversed,), (Hop(freebase("government.us_vice_president.to_president")),))
_SOON = r"(?:(?:right|just|directly|immediately)\s+)?"
_AS = r"(?:\s+(?:as|in)\s+(?:the\s+)?[^?.!,]+?(?=\s*(?:[?.!,]|\Z)))?"
_ROLE = (
    "president|governor|prime minister|pm|premier|chancellor|king|queen|pope|emperor|tsar|first lady|mayor"
    "|leader|one|person|man|woman|guy"
)
_LEFT = (
    r"(?:had\s+)?(?:left|resigned|stepped down|quit|retired|died"
    r"|was (?:assassinated|killed|shot|ousted|deposed))\b"
)
_CLEAR = (
    rf"(?:the\s+)?{{}}(?:'s|')?\s+(?:immediate\s+)?(?P<which>successor|predecessor)\b{_AS}",
    rf"(?:the\s+)?(?:immediate\s+)?(?P<which>successor|predecessor)\s+(?:of|to)\s+{{}}{_AS}",
    r"(?:(?:\bthe\s+(?:\w+\s+)?\w+(?:\s+of(?:\s+the)?(?:\s+\w+){1,2})?\s+)?\bwho|\b(?:which|what)\s+\w+)\s+"
    r"(?P<which>succeeded|preceded|replaced|followed|took over from|came before|came after)"
    rf"\s+{{}}{_AS}",
    r"\bwho\s+(?:took\s+(?:over|office)(?:\s+(?:as|from|the)\s+[^?.!,]+?)?|became\s+(?:the\s+)?(?:\w+\s+)?\w+)\s+"
    rf"{_SOON}(?P<which>after)\s+{{}}(?:\s+{_LEFT})?",
    r"\bwho\s+(?P<which>handed)\s+[^?.!,]*?\bto\s+{}(?:\s+in\s+\d{4})?",
    rf"\b(?:once|when|after)\s+{{}}\s+{_LEFT}[^,?\d]*?,?\s+who\s+"
    rf"(?P<which>took over|came {_SOON}(?:next|after)|succeeded|replaced|followed)(?:\s+(?:him|her))?",
)
_IN_OFFICE = (
    rf"\bthe\s+(?:\w+\s+)?(?:{_ROLE})(?:\s+of(?:\s+the)?\s+\w+)?\s+{_SOON}(?P<which>before|after)\s+{{}}",
    rf"(?:(?:the|a)\s+(?:\w+\s+)?)?\bwho\b[^?!,:;]*?\b{_SOON}(?P<which>before|after)\s+{{}}"
    r"(?:\s+(?:did|was|left|took over))?",
    rf"\A[^?!,:;]*?\b{_SOON}(?P<which>before|after)\s+{{}}\s*(?=[?.!]*\Z)",
)
"""What the one before or after is called, where {} stands for the person's name: clearly in an office, or
where the question's other words speak of one."""
_BETWEEN = (
    re.compile(r"\b(?:(?:in\s+)?between|(?P<after>after|following))\s+(?:president\s+)?\Z", re.IGNORECASE),
    (
        re.compile(r"\s+and\s+(?:president\s+)?", re.IGNORECASE),
        re.compile(r"\s*,?\s+(?:and|but)\s+before\s+(?:president\s+)?", re.IGNORECASE),
    ),
)
"""What stands before the first of two people, and between them, of whom those in between are asked for."""
_LATER = frozenset(("successor", "succeeded", "replaced", "followed", "took", "after", "next"))
_ASKED = re.compile(
    r"\A\W*(?:(?:who|what|which|name|tell me|was|is|were|the|person|man|woman)\b\W*)*\Z", re.I
)


@dataclass(frozen=True)
class Said:
    """Where a question speaks of the one before or after a person, which, and whether it is clear that an
    office is meant."""

    start: int
    end: int
    later: bool
    clear: bool


def spoken_of(text: str, mention: Mention) -> Said | None:
    """Where the question speaks of the one before or after the person that is named."""
    for pattern in (*_CLEAR, *_IN_OFFICE):
        there = pattern.replace("{}", rf"(?:president\s+)?(?P<name>{re.escape(mention.text)})")
        found = re.search(there, text, re.IGNORECASE)
        if found and found.start("name") == mention.start:
            return Said(found.start(), found.end(), _is_later(found["which"].lower()), pattern in _CLEAR)
    return None


def _is_later(which: str) -> bool:
    """Whether these words say who came after someone."""
    return not _LATER.isdisjoint(which.split())


def by_name(text: str, mentions: Sequence[Mention]) -> str:
    """The text with the names of those it calls by their number in a row, 'the 16th president', where it asks
    something else of them than who they were."""
    if _numbered_alone(text, mentions) is None:
        for m in sorted(mentions, key=lambda m: -m.start):
            if _number(m) and m.candidates and not m.candidates[0].label[0].isdigit():
                before = re.sub(r"\bthe\s+\Z", "", text[: m.start], flags=re.IGNORECASE)
                text = f"{before}{m.candidates[0].label}{text[m.end :]}"
    return text


def _numbered_alone(text: str, mentions: Sequence[Mention]) -> Mention | None:
    """Who is called so, where nothing is asked but who that is."""
    for m in mentions:
        if _number(m) and _ASKED.match(text[: m.start]) and _ASKED.match(text[m.end :]):
            return m
    return None


def _number(mention: Mention) -> str:
    found = _NTH.match(mention.text)
    return found[1] if found else ""


class Succession(Rule):
    """Tells who came before or after someone, and who has a number in the row."""

    def next_to(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that finds who came before or after; None where that isn't asked, or can't be told."""
        if self._kb.own or _HOLDS not in self._kb.paths.predicates:
            return None
        for mention in sorted(mentions, key=lambda m: -m.start):
            said = spoken_of(text, mention)
            if said is None:
                continue
            words = without_names(text, [mention])
            tried = (*mention.candidates[:_TRIED], *bearers(mention))
            for person in dict.fromkeys(c.entity for c in tried):
                office = self._office(person, words, said.clear)
                found = told(self._run, _steps(person, office, said.later)) if office else None
                if found is not None:
                    return self.asked_of(found, text[: said.start], text[said.end :])
        return None

    def between(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that finds who was in an office after one and before another; None where that isn't
        asked, or can't be told."""
        if self._kb.own or _HOLDS not in self._kb.paths.predicates:
            return None
        for one, other in pairwise(sorted(mentions, key=lambda m: m.start)):
            led = _BETWEEN[0].search(text[: one.start])
            if led is None or not _BETWEEN[1][led["after"] is not None].fullmatch(text, one.end, other.start):
                continue
            words = without_names(text, [one, other])
            firsts, lasts = ((*namesakes(m), *(c.entity for c in bearers(m)))[:_TRIED] for m in (one, other))
            for first, last in product(firsts, lasts):
                office = self._office(first, words, False)
                if office is None or first == last:
                    continue
                while_there = (Than(">", Ref(1), Kind.DATE), Than("<", Ref(2), Kind.DATE))
                since = Restriction("mediator", (Hop(_FROM),), while_there)
                found = told(
                    self._run,
                    (
                        _took_office(first, office),
                        _took_office(last, office),
                        Find(office, (Hop(_HOLDERS), Hop(_HOLDER)), (since,)),
                    ),
                )
                if found is not None:
                    return found
        return None

    def numbered(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that finds who has a number in the row ('Who was the 16th president?'), where nothing
        else is asked; None otherwise."""
        alone = _numbered_alone(text, mentions)
        if alone is None or self._kb.own or _NUMBER.predicate not in self._kb.paths.predicates:
            return None
        is_it = Than("=", Literal(_number(alone)), Kind.NUMBER)
        kept = Keep(Ref(1), restrictions=(Restriction("answer", (_NUMBER,), (is_it,)),))
        for person in namesakes(alone):
            for kind in self._values(f"SELECT ?t WHERE {{ {term(person)} {term(_NOTABLE)} ?t }}"):
                return told(self._run, (Find(kind, INSTANCES[0]), kept))
        return None

    def _values(self, query: str) -> list[Iri]:
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return []
        return [row[0] for row in rows if isinstance(row[0], Iri)]

    def _office(self, person: Iri, words: str, clear: bool) -> Iri | None:
        """The office of the person that the words speak of, the last one where they speak of several."""
        query = (
            f"SELECT ?o ?t ?j ?d WHERE {{ {term(person)} {term(_HOLDS)} ?m . "
            f"?m {term(_OFFICE)} ?o ; {term(_FROM)} ?d . "
            f"OPTIONAL {{ ?m {term(_TITLE)} ?t }} OPTIONAL {{ ?m {term(_OF)} ?j }} }}"
        )
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return None
        said = {_SHORT.get(w, w) for w in re.findall(r"\w+", words)}
        spoken = f" {' '.join(re.findall(r'[a-z]+', ' '.join(_SHORT.get(w, w) for w in words.split())))} "
        best: tuple[int, str, Iri] | None = None
        for office, title, place, since in rows:
            if not isinstance(office, Iri):
                continue
            named = self._kb.names.fetch([i for i in (office, title, place) if isinstance(i, Iri)])
            spoken = f"{spoken} {re.sub(r's ', ' ', spoken)}"
            titles = (named[i].lower() for i in (office, title) if isinstance(i, Iri) and i in named)
            of_title = any(f" {known} " in spoken for known in titles)
            of_place = isinstance(place, Iri) and bool(set(named.get(place, "").lower().split()) & said)
            worth = 2 * of_title + of_place
            if not (clear or of_title or (of_place and _VERBS.search(words))):
                continue
            key = worth, getattr(since, "lexical", ""), office
            best = max(best, key) if best is not None else key
        return best[2] if best is not None else None

    def asked_of(self, found: Chosen, before: str, after: str) -> Chosen:
        """What the rest of the question asks of them, read with the name; themselves, where nothing is."""
        them = [a for a in collect(found.rows) if isinstance(a, Iri)] if found.rows is not None else []
        if len(them) != 1 or (_ASKED.match(before) and not after.strip(" ?.!")):
            return found
        name = self._kb.names.fetch(them).get(them[0], "")
        asked = self._read(f"{before.rstrip()} {name} {after.lstrip()}".strip()) if name else None
        steps = found.parse.decomposition.steps
        if asked is None or not asked.told:
            return found
        rest = tuple(continued(asked.parse.decomposition.steps, them[0], len(steps)))
        return told(self._run, (*steps, *rest)) or found


def vice_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading of 'Truman's vice president' with who that was, where it takes whose vice president Truman
    was. The same otherwise."""
    steps = chosen.parse.decomposition.steps
    for at, step in enumerate(steps) if _VICE.search(text) else ():
        if isinstance(step, Find) and isinstance(step.anchor, Iri) and step.path in _PRESIDENT_OF:
            turned = replace(step, path=(_VICE_OF,))
            return instead(chosen, told(run, (*steps[:at], turned, *steps[at + 1 :])))
    return chosen


def _took_office(person: Iri, office: Iri) -> Find:
    """When somebody took an office."""
    held = Restriction("mediator", (Hop(_OFFICE),), (Is(office),))
    return Find(person, (Hop(_HOLDS), Hop(_FROM)), (held,))


def _steps(person: Iri, office: Iri, later: bool) -> tuple[Step, ...]:
    took = Than(">" if later else "<", Ref(1), Kind.DATE)
    return (
        _took_office(person, office),
        Find(office, (Hop(_HOLDERS), Hop(_HOLDER)), (Restriction("mediator", (Hop(_FROM),), (took,)),)),
        Pick(Ref(2), "mediator", (Hop(_FROM),), not later, Kind.DATE),
    )
