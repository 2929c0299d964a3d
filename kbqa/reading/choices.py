"""Which of several: 'Which is taller, K2 or Mount Everest?', 'Was it Christie or Doyle who created Poirot?',
'One of these is not based in Stuttgart: Porsche, BMW, Mercedes-Benz. Which?'

Nothing in the parser's training asks so. What is named is put together by its type and compared by a value
that all have, as its adjectives and verbs say; or the question is read without the names, and its answers
are chosen among them, or those that are no answers where it says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from kbqa.answers import collect
from kbqa.errors import FeedbackError, QueryError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.lexicon.nouns import INSTANCES
from kbqa.measuring import measured
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.rule import Read, Rule, Run
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
_OR = re.compile(r"\s*,?\s*\b(?:or|vs\.?|versus)\s+(?:the\s+|was it\s+)?", re.IGNORECASE)
_AMONG = re.compile(
    r"(?:\A|[.:;?!,]\s*|\bwh(?:ich|o)\s+(?:(?:ones?|two|three)\s+)?)"
    r"(?:out of|of|between|among)\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
"""Before names that 'and' joins of which one is asked for: 'Of Mars and Venus, which is larger?'"""
_WHICH = r"(?:which|who|whose|what)(?:\s+ones?)?"
_THEM = r"(?:(?:these|those|the)\s+(?:two|three|four|five|six)|these|those|them)"
_OF_THEM = re.compile(rf"\b(?:{_WHICH}|one)\s+(?:out\s+)?of\s+{_THEM}\b|\A\W*{_WHICH}\W*\Z", re.IGNORECASE)
"""What asks which of those that a list names, before it or after: 'Which of the three was born last?'"""
_MOST_OF_THEM = re.compile(
    r"\W*[,;:–—-]\s*(?:which\s+(?:one\s+)?(?:is|was)\s+)?(?:the\s+)?\w{2,}est\b[\w ]*\W*"
    r"|\W*(?:the\s+)?\w{2,}est\b[\w ]*(?:\bof\b|[:;–—-])\s*(?:the\s+)?",
    re.IGNORECASE,
)
"""What asks it in a hurry: 'Pluto, Ceres, Eris: largest one?'"""
_WHICH_BARE = re.compile(r"\A\W*(?:which|what|who)(?:\s+ones?)?\s+", re.IGNORECASE)
_WHICH_ALONE = re.compile(rf"[.,;:?!-]\s*{_WHICH}(?:\s+is\s+it)?\W*\Z", re.IGNORECASE)
_NOT = re.compile(
    r"(?P<be>\b(?:is|are|was|were|does|do|did|has|have|had))(?:\s+not|n['’]?t)\b|\bnever\b|\bnot\b",
    re.IGNORECASE,
)
_ANY_OF = re.compile(r"(?<![,:;.])\s(?:either|any of)\b", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:the\s+)?", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:,\s*(?:and|or)?|\b(?:and|or)\b|&|/)\s*(?:the\s+)?", re.IGNORECASE)
_AND = re.compile(r"\s*,?\s*\band\s+(?:the\s+)?", re.IGNORECASE)
_ASIDE = re.compile(r"(?:[\s,:;(-]|\b(?:of|between|among|out|either|the|these|two|both))*\Z", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?P<verb>won|win|wins|has|have|had|got|directed|wrote|written|made|recorded|released|hosted"
    r"|starred in|appeared in|acted in|composed)\s+(?:more|the most)\s+(?!than\b|often\b)",
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
            opened = re.sub(r"\A\s*(?:who|that|which(?: ones?)?)\b\s*", "", self.after)
            return f"who {opened}".strip()
        return f"{before.rstrip(' ,:;(-')} {self.after}".strip()


def choices_of(text: str, mentions: Sequence[Mention]) -> Iterator[Choice]:
    """The names that 'or' joins, or 'and' after 'of', with more and fewer of those that commas join to them:
    'The capital of Australia, Sydney or Canberra?' may give a choice of three. None where another 'and' or
    'or' does, or 'either' tells that any will do: 'countries that border either Portugal or Spain'."""
    names = sorted(mentions, key=lambda m: m.start)
    if _ANY_OF.search(text):
        return
    yield from _listed(text, names)
    gaps = [text[a.end : b.start] for a, b in pairwise(names)]
    among = bool(names) and _AMONG.search(text[: names[0].start]) is not None
    word = "and" if among and not re.search(r"(?<!['’])\bor\b", text.lower()) else "or|vs|versus"
    joining = _AND if word == "and" else _OR
    last = [i for i, gap in enumerate(gaps, 1) if joining.fullmatch(gap)]
    if len(last) != 1 or len(re.findall(rf"\b(?:{word})\b", text.lower())) != 1:
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


def _listed(text: str, names: Sequence[Mention]) -> Iterator[Choice]:
    """The names of a list, where what stands beside it asks which of them."""
    for first in range(len(names)):
        last = first
        while last + 1 < len(names) and _LISTED.fullmatch(text, names[last].end, names[last + 1].start):
            last += 1
        joined = names[first : last + 1]
        if len(joined) < 2 or (first and _LISTED.fullmatch(text, names[first - 1].end, names[first].start)):
            continue
        before, after = text[: joined[0].start], text[joined[-1].end :]
        parts = (part for part in (before, after) if len(joined) > 2 and _MOST_OF_THEM.fullmatch(part))
        hurried = next(parts, None)
        said = hurried or next((part for part in (before, after) if _OF_THEM.search(part)), None)
        if said is None:
            continue
        which = (
            f"which {said}"
            if hurried
            else _WHICH_ALONE.sub("", _OF_THEM.sub("\0which", said, count=1)).partition("\0")[2]
        )
        plain = which.strip(" ?.!,:;-")
        for things in product(*map(namesakes, joined)):
            if len(set(things)) == len(joined):
                yield Choice(things, "", plain)


def namesakes(mention: Mention) -> tuple[Iri, ...]:
    """The things that bear the very name, or a part of it where none does, the likeliest first."""
    sure = [c.entity for c in mention.candidates if c.exact]
    return tuple(sure or (c.entity for c in mention.candidates))[:_NAMESAKES]


class Choices(Rule):
    """Tells which of several things is asked for. `deny` gives the reading of those that some steps find and
    of which it does not hold what a question asks."""

    def __init__(
        self, kb: KnowledgeBase, run: Run, read: Read, deny: Callable[[tuple[Step, ...], str], Chosen | None]
    ) -> None:
        super().__init__(kb, run, read)
        self._deny = deny

    def chosen(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that tells which it is; None where none is asked for, or it can't be told."""
        choices = () if self._kb.own else tuple(choices_of(text, mentions))
        for choice in sorted(choices, key=lambda c: not self._kinds(c, INSTANCES[0])):
            if len(choice.things) > 2 and not self._kinds(choice, INSTANCES[0]):
                continue
            if _NOT.search(choice.question):
                found = self._denied(choice)
                if found is not None:
                    return found
                continue
            for steps in self._readings(choice):
                found = told(self._run, steps)
                if found is not None and set(collect(found.rows) if found.rows else ()) < set(choice.things):
                    return found
        return None

    def _denied(self, choice: Choice) -> Chosen | None:
        """Those of which it is not so."""
        affirmed = _NOT.sub(lambda said: said["be"] or "", choice.question)
        return next((c for those in self._together(choice) if (c := self._deny(those, affirmed))), None)

    def _readings(self, choice: Choice) -> Iterator[tuple[Step, ...]]:
        for measure, descending in measured(choice.words):
            if self._have(choice, measure.path):
                for things in self._together(choice):
                    yield (*things, Pick(Ref(len(things)), "answer", measure.path, descending, measure.kind))
        asked = _MORE.sub(r"\g<verb> ", choice.question)
        found = self._read(asked) or self._read_of_kind(asked, choice)
        if found is not None and found.told:
            for those in _among(found.parse.decomposition.steps, choice):
                yield those if asked == choice.question else (*those, Oftenest(Ref(len(those))))

    def _read_of_kind(self, asked: str, choice: Choice) -> Chosen | None:
        """What is asked of any with what they are: 'which ones use the euro' of countries."""
        kinds = self._kinds(choice, INSTANCES[0])[:1] if _WHICH_BARE.match(asked) else []
        names = self._kb.names.fetch(kinds)
        nouns = (names[kind].split("/")[0].lower() for kind in kinds if kind in names)
        return next((self._read(_WHICH_BARE.sub(f"which {noun} ", asked)) for noun in nouns), None)

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
