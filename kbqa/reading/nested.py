"""What is asked of something that is described in a clause of its own: 'the largest city in the state where
Mount Rushmore is', 'Where was the president during the Korean War born?'

The parser may leave out a part of either. What is described is read alone, and the rest of the question with
its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kbqa.answers import collect
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.moments import end_of_event
from kbqa.reading.rule import Read, Rule, Run
from kbqa.reading.superlatives import superlative_of
from kbqa.rewire import continued
from kbqa.types import Iri

_PLACE = re.compile(
    r"\bthe\s+(?:[\w-]+\s+)?(?:country|nation|state|province|region|city|town|continent|island|river|lake|county)\s+"
    r"(?:(?:where|in\s+which|on\s+which|through\s+which|that|which|whose)\s+.+?"
    r"|\S.*?\s+(?:is|was|lies|stands|comes)\s+(?:\w+\s+)?(?:in|from|on))(?=\W*\Z)",
    re.IGNORECASE,
)
_OFFICE = (
    r"president|prime\s+minister|chancellor|king|queen|monarch|governor|mayor|pope|emperor|premier|leader"
)
_HOLDER = re.compile(
    r".*(?P<who>\bthe)\s+(?:(?:man|woman|person|one|guy|politician)\s+who\s+(?:was|served\s+as)\s+(?:the\s+)?)?"
    rf"(?P<role>(?:[\w.]+\s+)?(?:{_OFFICE})(?:\s+of(?:\s+the)?\s+[\w ]+?)?)\s+"
    r"(?:(?:who|that)\s+(?:was|were|served|ruled|reigned|governed|led)\s+(?:in\s+(?:office|power)\s+)?)?"
    r"(?P<when>(?:during|at\s+the\s+time\s+of|when)\s+(?:the\s+)?)\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What stands before an event during which someone was in office."""
_OF_WHOM = re.compile(
    r"(?:\b(?:after|before|succeeded|preceded|replaced|followed|(?:success|predecess)or\s+(?:of|to))"
    r"|\b(?:title|titular)\s+(?:role|character)\s+(?:in|of))\s+(?P<the>the)\s+"
    r"(?P<noun>(?:(?:us|american|british|french)\s+)?[\w-]+)\s+(?P<clause>(?:who|that|which|whose)\s+\S.+?)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What is read with a name alone: who came after someone, and who has the title role in a film."""
_CLAUSE = re.compile(
    r"(?P<head>\W*(?:who|what|when|where|which|whose|how|in\s+(?:what|which))\b.*?\s)(?P<the>the)\s+"
    r"(?P<noun>(?:\w+\s+)?\w+)\s+(?P<clause>(?:(?:for|in|on|by|at|with|from)\s+which|that|which|who|whose|where)\s"
    r"+\S.+?)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_LED = re.compile(r"(?P<by>for|in|on|by|at|with|from)\s+which\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL)
_OF_FIRST = re.compile(
    r".*\b(?:husband|wife|spouse|father|mother|parents?|child|children|kids?|sons?|daughters?|brothers?|sisters?"
    r"|siblings|birthplace|hometown|nationality|religion|author|director|capital|alma\s+mater)\s+of\s+(?P<the>the\s+"
    r"(?:first|last|youngest|oldest|only|richest|tallest|largest|longest|smallest)\s+(?P<noun>[\w-]+)\s+"
    r"(?:to|who|that|which|in|of|with)\s+\S.+?)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What is asked of the first, or most, of some."""
_PEOPLE = frozenset(("woman", "man", "person", "president", "actor", "actress", "king", "queen", "astronaut"))
_ROLE = re.compile(rf"\b(?:{_OFFICE})\b", re.IGNORECASE)
_ONE = frozenset(("one", "man", "woman", "person", "guy", "politician"))
_LIES_IN = re.compile(
    r"\Athe\s+(?P<noun>\w+)\s+(?:that|which)\s+(?P<what>\S.*?)\s+(?P<lies>is|are|was|were)\s+(?:located\s+)?in(?=\W*\Z)",
    re.IGNORECASE,
)
"""'the state that the Grand Canyon is in'"""
_OF_PLACE = re.compile(
    r"\b(?:(?:main|major|majority|most\s+common|primary|dominant)\s+(?:religion|language|faith)"
    r"|(?:state|official|national)\s+(?:bird|flower|tree|song|motto|nickname|animal|fish|anthem|insect|gem\w*))\b",
    re.IGNORECASE,
)
"""What is asked of a place in words of several parts."""
_OWN_FIRST = re.compile(
    r".*?(?P<the>\b[A-Z][\w.’'-]*?['’]s\s+first\s+(?:female|woman|black|catholic)\s+(?:vice\s+)?"
    rf"(?:{_OFFICE})\b(?:\s+of\s+\w+)?)",
    re.DOTALL,
)
_IS_ASKED = re.compile(
    r"\W*(?:(?:who|what|which|tell me|name)\b\W*(?:(?:is|was|were|are)\b)?)?\W*", re.IGNORECASE
)


class Nested(Rule):
    """Reads such questions. `read` is to read them whole, `then` what was so at a time, and `next_to` who
    came before or after someone."""

    def __init__(self, kb: KnowledgeBase, run: Run, read: Read, then: Read, next_to: Read) -> None:
        super().__init__(kb, run, read)
        self._then, self._next_to = then, next_to

    def asked(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading of what is described, and of what is asked of it; None where the question has no such
        clause, or either can't be told."""
        for found, before, after in () if self._kb.own else self._described(text, mentions):
            whole = self._asked_of(found, before, after)
            if whole is not None:
                return whole
        return None

    def instead(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading of what a clause at the end describes, and of what is asked of it, for a question that
        is not understood otherwise; None where it has no such clause, or either can't be told."""
        said = None if self._kb.own else _CLAUSE.match(text)
        if said is None or not any(m.start >= said.start("clause") for m in mentions):
            return None
        led = _LED.match(said["clause"])
        of = f"{led['by']} which {said['noun']} {led['rest']}" if led else None
        found = self._read(f"{of or 'Which ' + said['noun'] + ' ' + _asking(said['clause'])}?")
        return None if found is None else self._asked_of(found, text[: said.start("the")], "")

    def _described(self, text: str, mentions: Sequence[Mention]) -> Iterator[tuple[Chosen, str, str]]:
        """What is described, and what the question says before and after that."""
        for question, start, end in _clauses(text, mentions):
            found = self._read(question)
            if found is not None:
                yield found, text[:start], text[end:]
        for m in mentions:
            holder, end = _HOLDER.match(text[: m.start]), end_of_event(text, m)
            if holder is None or _IS_ASKED.fullmatch(text[: holder.start("who")] + text[end:]):
                continue
            of = " of England" if holder["role"].lower() in ("king", "queen") else ""
            found = self._then(f"Who was the {holder['role']}{of} {holder['when']}{text[m.start : end]}?")
            if found is not None:
                yield found, text[: holder.start("who")], text[end:]

    def _asked_of(self, found: Chosen, before: str, after: str) -> Chosen | None:
        """What the question asks of the one thing that was found, read with its name."""
        them = collect(found.rows) if found.told and found.rows is not None else ()
        match them:
            case (Iri() as thing,):
                name = self._kb.names.fetch([thing]).get(thing, "")
            case _:
                return None
        question = f"{before.rstrip()} {name} {after.lstrip()}".strip()
        asked = (self._next_to(question) or self._read(question)) if name else None
        if asked is None or not asked.told:
            return None
        steps, rest = found.parse.decomposition.steps, asked.parse.decomposition.steps
        return told(self._run, (*steps, *continued(rest, thing, len(steps))))


def _clauses(text: str, mentions: Sequence[Mention]) -> Iterator[tuple[str, int, int]]:
    """The questions for what the text describes, and where it does."""
    place = _PLACE.search(text)
    if place is not None:
        before = [m for m in mentions if m.end <= place.start()]
        head = text[: place.start()]
        if superlative_of(head, before) is not None or _OF_PLACE.search(head):
            yield _LIES_IN.sub(r"Which \g<noun> \g<lies> \g<what> in", f"{place[0]}?"), *place.span()
    whom = _OF_WHOM.search(text)
    if whom is not None and any(m.start >= whom.start("clause") for m in mentions):
        role = _ROLE.search(text[: whom.start()]) if whom["noun"].lower() in _ONE else None
        asked = f"Which {role[0] if role else whom['noun']} {_asking(whom['clause'])}?"
        yield asked, whom.start("the"), len(text)
    own = _OWN_FIRST.match(text)
    if own is not None and not _IS_ASKED.fullmatch(text[: own.start("the")] + text[own.end("the") :]):
        yield f"Who was {own['the']}?", *own.span("the")
    first = _OF_FIRST.match(text)
    if first is not None and any(m.start >= first.start("the") for m in mentions):
        who = "Who" if first["noun"].lower() in _PEOPLE else "What"
        yield f"{who} is {first['the']}?", first.start("the"), len(text)


def _asking(clause: str) -> str:
    """What a clause says, as a question after the noun says it."""
    return re.sub(r"\A(?:who|that|which)\s+", "", clause, flags=re.IGNORECASE)
