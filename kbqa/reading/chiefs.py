"""Who runs a company: 'Who is the CEO of Apple?', 'the first chief executive of IBM', 'Who was Microsoft's
CEO before Nadella?'

In the data a company has leaders, each in a role and from one day to another; the parser leaves out the role.
What else is asked of the one who is found is read with the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from kbqa.kb import KnowledgeBase
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, first_told
from kbqa.reading.periods import during
from kbqa.reading.rule import Run
from kbqa.types import Find, Hop, Iri, Is, Kind, Lacks, Literal, Pick, Ref, Restriction, Step, Than, freebase

_LEADERS = freebase("organization.organization.leadership")
_LEADS = Hop(freebase("organization.leadership.organization"))
_PERSON, _ROLE = (
    Hop(freebase("organization.leadership.person")),
    Hop(freebase("organization.leadership.role")),
)
_FROM, _TO = freebase("organization.leadership.from"), freebase("organization.leadership.to")
_PATH = (Hop(_LEADERS), _PERSON)
_LED = Hop(freebase("business.board_member.leader_of"))
_CALLED = {
    "Chief executive officer": r"(?:ceos?|c\.e\.o\.|chief\s+exec(?:utive)?s?(?:\s+officers?)?)",
    "Chairman": r"(?:chair(?:m[ae]n|persons?))(?:\s+of\s+the\s+board)?",
}
_RANK = r"(?:(?P<rank>first|original|last|latest|current|present|former|previous|old|new)\s+)?"
_OF = (
    rf"(?:\bthe\s+|\ba\s+)?{_RANK}(?P<role>{{role}})\s+(?:of|at|for)\s+(?:the\s+company\s+)?{{name}}",
    rf"(?:\bthe\s+)?{{name}}(?:['’]s?)?\s+{_RANK}(?P<role>{{role}})",
)
_BESIDE = re.compile(r"\s+(?:right\s+|just\s+|immediately\s+)?(?P<which>before|after)\s+\Z", re.IGNORECASE)
_YEAR = re.compile(r"\s+(?:back\s+)?(?:in|as\s+of|during)\s+(?P<year>[12]\d{3})\b", re.IGNORECASE)
_WAS = re.compile(r"\b(?:was|were|former|previous|ever|have|has|had|became|all)\b", re.IGNORECASE)


class Chiefs:
    """Reads such questions over one knowledge base. `asked_of`: what the rest of a question, before and after
    them, asks of those that are found."""

    def __init__(self, kb: KnowledgeBase, run: Run, asked_of: Callable[[Chosen, str, str], Chosen]) -> None:
        self._kb, self._run, self._asked_of = kb, run, asked_of

    def chief(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that finds who leads the company; None where none is asked for, or it can't be told."""
        if self._kb.own or _LEADERS not in self._kb.paths.predicates:
            return None
        for mention in mentions:
            for role, words in _CALLED.items():
                for pattern in _OF:
                    said = _said(pattern, words, text, mention)
                    if said is not None:
                        return self._told(role, mention, said, text, mentions)
        return None

    def _told(
        self, role: str, company: Mention, said: re.Match[str], text: str, mentions: Sequence[Mention]
    ) -> Chosen | None:
        end = said.end()
        year = _YEAR.match(text, end)
        end = year.end() if year is not None else end
        other = next((m for m in mentions if m.start >= end and _BESIDE.fullmatch(text, end, m.start)), None)
        which = _BESIDE.fullmatch(text, end, other.start) if other is not None else None
        end = other.end if other is not None else end
        rank = (said["rank"] or "").lower()
        posts = self._kb.linker.link(f'"{role}"')
        of_role = [c.entity for m in posts for c in m.candidates if c.label == role]
        for post in of_role[:1]:
            held = Restriction("mediator", (_ROLE,), (Is(post),))
            for thing in namesakes(company):
                if other is not None and which is not None:
                    ways = _beside(thing, held, other, which["which"].lower() == "after")
                else:
                    spoken = f"{text[: said.start()]} {rank}"
                    ways = _ways(thing, held, rank, year["year"] if year else "", spoken)
                found = first_told(self._run, ways)
                if found is not None:
                    return self._asked_of(found, text[: said.start()], text[end:])
        return None


def _said(pattern: str, words: str, text: str, mention: Mention) -> re.Match[str] | None:
    """Where the text names the role at what is mentioned."""
    there = pattern.replace("{role}", words).replace("{name}", rf"(?P<name>{re.escape(mention.text)})")
    places = re.finditer(rf"{there}(?!\w)", text, re.IGNORECASE)
    return next((m for m in places if m.start("name") == mention.start), None)


def _ways(company: Iri, held: Restriction, rank: str, year: str, spoken: str) -> Iterator[tuple[Step, ...]]:
    """The steps to who has the role, had it in a year, first or last, or at any time."""
    every = Find(company, _PATH, (held,))
    if year:
        first, last = (Literal(f"{year}-{day}") for day in ("01-01", "12-31"))
        yield (Find(company, _PATH, (held, *during((_FROM, _TO), first, last))),)
    elif rank in ("first", "original", "last", "latest"):
        yield (every, Pick(Ref(1), "mediator", (Hop(_FROM),), rank not in ("first", "original"), Kind.DATE))
    elif not _WAS.search(spoken):
        yield (Find(company, _PATH, (held, Restriction("mediator", (Hop(_TO),), (Lacks(),)))),)
    yield (every,)


def _beside(company: Iri, held: Restriction, other: Mention, later: bool) -> Iterator[tuple[Step, ...]]:
    """The steps to who had the role before or after somebody."""
    there = Restriction("mediator", (_LEADS,), (Is(company),))
    took = Restriction("mediator", (Hop(_FROM),), (Than(">" if later else "<", Ref(1), Kind.DATE),))
    for person in namesakes(other):
        yield (
            Find(person, (_LED, Hop(_FROM)), (there, held)),
            Find(company, _PATH, (held, took)),
            Pick(Ref(2), "mediator", (Hop(_FROM),), not later, Kind.DATE),
        )
