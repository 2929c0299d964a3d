"""Two questions in one: 'Who directed The Godfather and when was it released?', 'When and where was Einstein
born?', 'What is the capital and currency of Peru?'

The parser reads one. Each is read alone, the second with the name that its pronoun stands for. The steps of
the first come first, and a last one finds the answers of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.answers import collect
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.rule import Rule
from kbqa.rewire import continued, with_references
from kbqa.types import Iri, Merge, Ref

_TWO = re.compile(
    r"\W*(?P<one>(?:(?:in|on|at|from|of|by)\s+)?(?P<asks>who|what|when|where|which|how)\b.+?),?\s+and\s+"
    r"(?P<two>(?:(?:in|on|at|from|of|by)\s+)?(?:who|what|when|where|which|how)\b.+)",
    re.IGNORECASE | re.DOTALL,
)
_WH = r"(?:(?:in|on|at|from)\s+)?(?:when|where|(?:what|which)\s+(?:year|day|date|country|city|place))"
_AT_ONCE = re.compile(
    rf"\W*(?P<one>{_WH})\s+and\s+(?P<two>{_WH})\s+(?P<rest>\S.+)", re.IGNORECASE | re.DOTALL
)
_AND_WHEN = re.compile(
    rf"\W*who\s+(?P<did>wrote|\w+ed)\s+(?P<what>\S.*?),?\s+and\s+(?P<two>{_WH})\W*", re.IGNORECASE | re.DOTALL
)
_OF_ONE = re.compile(
    r"\W*(?:what(?:['’]s|\s+(?:is|are|was|were))|name|tell me|give me)\s+(?:both\s+)?the\s+"
    r"(?P<one>(?:\w+\s+){1,3})and\s+(?:the\s+)?(?P<two>(?:\w+\s+){1,3})(?P<whom>(?:of|in|for)\s+\S.+)",
    re.IGNORECASE | re.DOTALL,
)
_GRADED = re.compile(r"\b(?:\w+est|most|least|first|last)\s*\Z", re.IGNORECASE)
"""'The longest and widest river' asks once."""
_AGED = re.compile(
    r"\W*(?:how old was (?P<who>.+?) when (?:he|she|they) (?:died|passed away)"
    r"|(?:at )?(?:what|which) age did (?P<whom>.+?) die(?: at)?)\W*",
    re.IGNORECASE,
)
"""Asks for two dates: no step does sums with them."""
_OFFICE = "president|minister|governor|mayor|chancellor|pope|king|queen"
_YEARS = r"(?:(?:in|during|between|for)\s+)?(?:what|which)\s+years|from when (?:to|until|till) when"
_LASTED = re.compile(
    r"\W*(?:how long did (?P<event>.+?) (?:last|go on)"
    rf"|(?:how long|{_YEARS}) (?:was|did) (?P<who>.+?) (?:serve as |hold office as )?"
    rf"(?P<role>(?:the )?(?:us |vice |prime |british )*(?:{_OFFICE})\b.*?))\W*",
    re.IGNORECASE,
)
"""The same of what began and ended."""
_PLAYED = re.compile(
    rf"\W*(?:how long|{_YEARS})\s+"
    r"(?:did|was|has)\s+(?P<who>\S.*?)\s+(?:play(?:ed|ing)?\s+(?:for|with|at|on)|(?:a\s+member\s+of|with|on|at))\s+(?P<team>\S.*?)\W*",
    re.IGNORECASE,
)
"""The same of who played for a team."""
_IT = re.compile(r"\b(?P<own>its)\b|\bit\b", re.IGNORECASE)
"""Of what the first question names where it asks who: 'he' is the answer then."""
_WHO_IT_IS = re.compile(
    r"\b(?P<own>his|their|her(?=\s+\w))\b|\b(?:he|she|they|him|her|them)\b", re.IGNORECASE
)
_ITS_ROLE = re.compile(r"(?P<role>who\s+(?:is|was|were|are)\s+the\s+(?:\w+\s+)?\w+)\W*", re.IGNORECASE)
_FEW = 5
"""Answers of a first question of which another can be asked."""
_PEOPLE = re.compile(r"\bthey\b", re.IGNORECASE)
"""The same where it asks which thing: 'it' is the answer then."""
_IT_OR_THEY = re.compile(
    r"\b(?P<own>its|his|their|her(?=\s+\w))\b|\b(?:it|he|she|they|him|her|them)\b", re.IGNORECASE
)


class Twofold(Rule):
    """Reads two questions in one."""

    def both(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading of one after the other; None where there are no two questions about one thing that is
        named, or either can't be told."""
        parts = None if self._kb.own else said_apart(text, mentions)
        if parts is None and not self._kb.own:
            return self._of_the_answer(text, mentions)
        found = [self._read(part) for part in parts or ()]
        one, two = found if len(found) == 2 else (None, None)
        if one is None or two is None or not one.told or not two.told:
            return None
        before = one.parse.decomposition.steps
        if before == two.parse.decomposition.steps:
            return None
        after = (
            with_references(step, lambda ref: Ref(ref.step + len(before)))
            for step in two.parse.decomposition.steps
        )
        steps = (*before, *after)
        return told(self._run, (*steps, Merge((Ref(len(before)), Ref(len(steps))))))

    def _of_the_answer(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The same where the second question is about what answers the first one: 'Who wrote Emma and where
        was she born?', 'What is the longest river in France, and how long is it?'"""
        parts = _TWO.fullmatch(text)
        if parts is None or not any(m.end <= parts.end("one") for m in mentions):
            return None
        said = _of_them(parts["asks"].lower(), parts["two"])
        one = self._read(f"{parts['one']}?") if said is not None else None
        them = collect(one.rows) if one is not None and one.told and one.rows is not None else ()
        if said is None or one is None or not 0 < len(them) <= _FEW or not isinstance(them[0], Iri):
            return None
        name = self._kb.names.fetch([them[0]]).get(them[0], "")
        two = self._read(said.format(name)) if name else None
        if two is None or not two.told:
            return None
        before = one.parse.decomposition.steps
        steps = (*before, *continued(two.parse.decomposition.steps, them[0], len(before)))
        return told(self._run, (*steps, Merge((Ref(len(before)), Ref(len(steps))))))


def _of_them(asks: str, question: str) -> str | None:
    """The second question with a place for the name of what answers the first one, which asks so: where its
    pronoun stands, or after a role that someone has in it. None where it has neither."""
    said = (_WHO_IT_IS if asks == "who" else _IT_OR_THEY).search(question)
    plain = question.replace("{", "").replace("}", "")
    if said is not None and plain == question:
        own = "'s" if said.groupdict().get("own") else ""
        return f"{question[: said.start()]}{{}}{own}{question[said.end() :]}"
    role = _ITS_ROLE.fullmatch(plain)
    return None if role is None else f"{role['role']} of {{}}?"


def said_apart(text: str, mentions: Sequence[Mention]) -> tuple[str, str] | None:
    """The two questions, the second with the name in it; None where there are no such."""
    aged = _AGED.fullmatch(text)
    if aged is not None:
        who = aged["who"] or aged["whom"]
        return f"When was {who} born?", f"When did {who} die?"
    lasted = _LASTED.fullmatch(text)
    if lasted is not None and lasted["event"]:
        return f"When did {lasted['event']} start?", f"When did {lasted['event']} end?"
    if lasted is not None:
        return (
            f"When did {lasted['who']} become {lasted['role']}?",
            f"When did {lasted['who']} stop being {lasted['role']}?",
        )
    played = _PLAYED.fullmatch(text)
    if played is not None and len(mentions) == 2:
        return (
            f"When did {played['who']} join {played['team']}?",
            f"When did {played['who']} leave {played['team']}?",
        )
    return _about_one(text, mentions) or _one_after_the_other(text, mentions)


def _about_one(text: str, mentions: Sequence[Mention]) -> tuple[str, str] | None:
    """What is asked of one thing at once; None where a name holds the 'and', or there is none after it."""
    for pattern in (_AT_ONCE, _AND_WHEN, _OF_ONE):
        said = pattern.fullmatch(text)
        if said is None:
            continue
        asks = said.start("two")
        if any(m.start < asks < m.end for m in mentions) or not mentions:
            return None
        if pattern is _AT_ONCE:
            return f"{said['one']} {said['rest']}", f"{said['two']} {said['rest']}"
        if pattern is _AND_WHEN:
            did = "written" if said["did"].lower() == "wrote" else said["did"]
            return f"Who {said['did']} {said['what']}?", f"{said['two']} was {said['what']} {did}?"
        if any(m.start < said.start("whom") for m in mentions) or _GRADED.search(said["one"]):
            return None
        return f"What is the {said['one']}{said['whom']}", f"What is the {said['two']}{said['whom']}"
    return None


def _one_after_the_other(text: str, mentions: Sequence[Mention]) -> tuple[str, str] | None:
    """A question after another, with a pronoun for what the first one names."""
    parts = _TWO.fullmatch(text)
    if parts is None:
        return None
    first = [m for m in mentions if m.end <= parts.end("one")]
    if len(first) != 1 or any(m.start < parts.start("two") < m.end for m in mentions):
        return None
    if any(m.start >= parts.start("two") for m in mentions):
        return None
    asks = parts["asks"].lower()
    pronouns = _PEOPLE if asks in ("what", "which") else _IT if asks == "who" else _IT_OR_THEY
    said = pronouns.search(parts["two"])
    if said is None:
        return None
    name = f"{first[0].text}'s" if said.groupdict().get("own") else first[0].text
    two = f"{parts['two'][: said.start()]}{name}{parts['two'][said.end() :]}"
    return f"{parts['one']}?", two
