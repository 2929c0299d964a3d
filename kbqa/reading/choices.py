"""Which of several: 'Which is taller, K2 or Mount Everest?', 'Was it Christie or Doyle who created Poirot?'

Nothing in the parser's training asks so. What is named is put together by its type and compared by a value
that all have, as its adjectives and verbs say; or the question is read without the names, and its answers
are chosen among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from kbqa.answers import collect
from kbqa.errors import FeedbackError, QueryError, StoreTimeout
from kbqa.lexicon.nouns import INSTANCES
from kbqa.measuring import measured
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.rule import Rule
from kbqa.rewire import inserted
from kbqa.sparql.portable import term, values
from kbqa.types import (
    Among,
    Find,
    Iri,
    Keep,
    Oftenest,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
)

_NAMESAKES = 2
_LIMIT_S = 2.0
_OR = re.compile(r"\s*,?\s*\bor\s+(?:the\s+|was it\s+)?", re.IGNORECASE)
_AMONG = re.compile(
    r"(?:\A|[.:;?!,]\s*|\bwh(?:ich|o)\s+)(?:out of|of|between|among)\s+(?:the\s+)?\Z", re.IGNORECASE
)
"""Before names that 'and' joins of which one is asked for: 'Of Mars and Venus, which is larger?'"""
_ANY_OF = re.compile(r"(?<![,:;.])\s(?:either|any of)\b", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:the\s+)?", re.IGNORECASE)
_AND = re.compile(r"\s*,?\s*\band\s+(?:the\s+)?", re.IGNORECASE)
_ASIDE = re.compile(r"(?:[\s,:;(-]|\b(?:of|between|among|out|either|the|these|two|both))*\Z", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?P<verb>won|win|wins|has|have|had|got|directed|wrote|written|made|recorded|released|hosted"
    r"|starred in|appeared in|acted in|composed)\s+more\s+(?!than\b|often\b)",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:(?:is|was|were|are)(?: it)?|did|does|do|has)\s*,?\s*\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Choice:
    """Things of which a question asks which, and what it says before and after their names."""

    things: tuple[Iri, ...]
    before: str
    after: str

    @property
    def words(self) -> str:
        return f"{self.before} {self.after}".lower()

    @property
    def question(self) -> str:
        """What is asked of any: 'was it A or B who wrote X?' asks who wrote X."""
        before = re.split(r"[.:;?!]\s+", self.before)[-1]
        if _IT.fullmatch(before.strip()) or not before.strip():
            opened = re.sub(r"\A\s*(?:who|that|which)\b\s*", "", self.after)
            return f"who {opened}".strip()
        return f"{before.rstrip(' ,:;(-')} {self.after}".strip()


def choices_of(text: str, mentions: Sequence[Mention]) -> Iterator[Choice]:
    """The names that 'or' joins, or 'and' after 'of', with more and fewer of those that commas join to them:
    'The capital of Australia, Sydney or Canberra?' may give a choice of three. None where another 'and' or
    'or' does, or 'either' tells that any will do: 'countries that border either Portugal or Spain'."""
    names = sorted(mentions, key=lambda m: m.start)
    if _ANY_OF.search(text):
        return
    gaps = [text[a.end : b.start] for a, b in pairwise(names)]
    among = bool(names) and _AMONG.search(text[: names[0].start]) is not None
    joining, word = (_AND, "and") if among and not re.search(r"\bor\b", text.lower()) else (_OR, "or")
    last = [i for i, gap in enumerate(gaps, 1) if joining.fullmatch(gap)]
    if len(last) != 1 or len(re.findall(rf"\b{word}\b", text.lower())) != 1:
        return
    end = last[0]
    least = end - 1
    while least and _COMMA.fullmatch(gaps[least - 1]):
        least -= 1
    if least and _AND.fullmatch(gaps[least - 1]):
        return
    for first in range(least, end):
        joined = names[first : end + 1]
        before = _ASIDE.sub("", text[: joined[0].start])
        for things in product(*map(namesakes, joined)):
            if len(set(things)) == len(joined):
                yield Choice(things, before, text[joined[-1].end :].strip(" ?.!,"))


def namesakes(mention: Mention) -> tuple[Iri, ...]:
    """The things that bear the very name, or a part of it where none does, the likeliest first."""
    sure = [c.entity for c in mention.candidates if c.exact]
    return tuple(sure or (c.entity for c in mention.candidates))[:_NAMESAKES]


class Choices(Rule):
    """Tells which of several things is asked for."""

    def chosen(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that tells which it is; None where none is asked for, or it can't be told."""
        for choice in () if self._kb.own else choices_of(text, mentions):
            if len(choice.things) > 2 and not self._kinds(choice, INSTANCES[0]):
                continue
            for steps in self._readings(choice):
                found = told(self._run, steps)
                if found is not None and set(collect(found.rows) if found.rows else ()) < set(choice.things):
                    return found
        return None

    def _readings(self, choice: Choice) -> Iterator[tuple[Step, ...]]:
        for measure, descending in measured(choice.words):
            if self._have(choice, measure.path):
                for things in self._together(choice):
                    yield (*things, Pick(Ref(len(things)), "answer", measure.path, descending, measure.kind))
        asked = _MORE.sub(r"\g<verb> ", choice.question)
        found = self._read(asked)
        if found is not None and found.told:
            for those in _among(found.parse.decomposition.steps, choice):
                yield those if asked == choice.question else (*those, Oftenest(Ref(len(those))))

    def _together(self, choice: Choice) -> Iterator[tuple[Step, ...]]:
        """The things as what is left of the instances of a type that all are of."""
        for path in INSTANCES:
            for kind in self._kinds(choice, path):
                yield Find(kind, path), _one_of(choice, 1)

    def _kinds(self, choice: Choice, path: Path) -> list[Iri]:
        """Types of all; those of fewest things first."""
        (hop,) = path
        of = term(hop.predicate)
        those = " ".join(f"{term(thing)} {of} ?t ." for thing in choice.things)
        query = f"SELECT ?t (COUNT(?x) AS ?n) WHERE {{ {those} ?x {of} ?t }} GROUP BY ?t ORDER BY ?n ?t"
        return [row[0] for row in self._rows(query) if isinstance(row[0], Iri)]

    def _have(self, choice: Choice, path: Path) -> bool:
        """Whether all have such a value."""
        along = "/".join(term(hop.predicate) for hop in path)
        query = f"SELECT DISTINCT ?x WHERE {{ {values('?x', choice.things)} ?x {along} ?v }}"
        return len(self._rows(query)) == len(choice.things)

    def _rows(self, query: str) -> Sequence[Sequence[object]]:
        try:
            return self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return ()


def _one_of(choice: Choice, number: int) -> Keep:
    return Keep(Ref(number), restrictions=(Restriction("answer", (), (Among(choice.things),)),))


def _among(steps: tuple[Step, ...], choice: Choice) -> Iterator[tuple[Step, ...]]:
    """Steps whose answers are chosen among the things, before the largest or first of them is."""
    at = next((i for i in range(len(steps), 0, -1) if isinstance(steps[i - 1], Find | Keep)), 0)
    if at:
        try:
            yield from inserted(steps, at + 1, _one_of(choice, at))
        except FeedbackError:
            return
