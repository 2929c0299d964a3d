"""Two questions in one: 'Who directed The Godfather and when was it released?', 'When was Einstein born, and
where did he die?'

The parser reads one. Each is read alone, the second with the name that its pronoun stands for. The steps of
the first come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kbqa.choosing import Chosen, told
from kbqa.dialogue import Parse
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Mention
from kbqa.rewire import with_references
from kbqa.types import Ref

_TWO = re.compile(
    r"\W*(?P<one>(?:(?:in|on|at|from|of|by)\s+)?(?P<asks>who|what|when|where|which|how)\b.+?),?\s+and\s+"
    r"(?P<two>(?:(?:in|on|at|from|of|by)\s+)?(?:who|what|when|where|which|how)\b.+)",
    re.IGNORECASE | re.DOTALL,
)
_AGED = re.compile(
    r"\W*(?:how old was (?P<who>.+?) when (?:he|she|they) (?:died|passed away)"
    r"|(?:at )?(?:what|which) age did (?P<whom>.+?) die(?: at)?)\W*",
    re.IGNORECASE,
)
"""Asks for two dates: no step does sums with them."""
_IT = re.compile(r"\b(?P<own>its)\b|\bit\b", re.IGNORECASE)
"""Of what the first question names where it asks who: 'he' is the answer then."""
_PEOPLE = re.compile(r"\bthey\b", re.IGNORECASE)
"""The same where it asks which thing: 'it' is the answer then."""
_IT_OR_THEY = re.compile(
    r"\b(?P<own>its|his|their|her(?=\s+\w))\b|\b(?:it|he|she|they|him|her|them)\b", re.IGNORECASE
)


class Twofold:
    """Reads such questions over one knowledge base. `run` gives a reading with its answers, `read` the best
    reading of a question."""

    def __init__(
        self,
        kb: KnowledgeBase,
        run: Callable[[Parse], Chosen | None],
        read: Callable[[str], Chosen | None],
    ) -> None:
        self._kb, self._run, self._read = kb, run, read

    def both(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading of one after the other; None where there are no two questions about one thing that is
        named, or either can't be told."""
        parts = None if self._kb.own else said_apart(text, mentions)
        found = [self._read(part) for part in parts or ()]
        one, two = found if len(found) == 2 else (None, None)
        if one is None or two is None or not one.told or not two.told:
            return None
        before = one.parse.decomposition.steps
        after = (
            with_references(step, lambda ref: Ref(ref.step + len(before)))
            for step in two.parse.decomposition.steps
        )
        return told(self._run, (*before, *after))


def said_apart(text: str, mentions: Sequence[Mention]) -> tuple[str, str] | None:
    """The two questions, the second with the name in it; None where there are no such."""
    aged = _AGED.fullmatch(text)
    if aged is not None:
        who = aged["who"] or aged["whom"]
        return f"When was {who} born?", f"When did {who} die?"
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
