"""Any of several: 'films directed by James Cameron or Kathryn Bigelow', 'people who died of a stroke or a
heart attack in Paris'.

The parser may join the second name alone, without what else the question says. The question is read with the
first name only, and its steps are repeated with each of the others in that one's stead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbqa.decompose.recompose import references
from kbqa.intake import constants_of
from kbqa.measuring import comparatives
from kbqa.parse.literals import find_values
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.comparisons import holds
from kbqa.reading.ranking import unused
from kbqa.reading.rule import Rule
from kbqa.rewire import exchange, with_references
from kbqa.types import Find, Iri, Keep, Merge, Ref, Step

Steps = tuple[Step, ...]
_OR = re.compile(
    r",?\s+(?:and/)?or\s+(?:(?:in|by|from|at|of|on|with|for|to)\s+)?"
    r"(?:(?:the|an?)\s+|(?:the|his|her|their)\s+[\w-]+\s+)?",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s*", re.IGNORECASE)
_CHOICE = re.compile(
    rf"\A\W*(?:is|are|was|were|do|does|did|has|have|had)\b|\b(?:{'|'.join(sorted(comparatives()))})\b",
    re.IGNORECASE,
)
"""Questions that ask which of the two."""
_EITHER = re.compile(r"\beither\s+((?:\w+\s+)?)\Z", re.IGNORECASE)
_ASIDE = re.compile(r"[,:;(]\s*\Z|\b(?:between|among|out of)\s+(?:the\s+)?\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Alternatives:
    """Names any of which will do, and what the question says before and after them."""

    names: tuple[Mention, ...]
    before: str
    after: str


def alternatives_of(text: str, mentions: Sequence[Mention]) -> Alternatives | None:
    """The names that 'or' joins, with those that commas join to them; None where there are none, or the
    question asks which of them."""
    if _CHOICE.search(text) or len(re.findall(r"(?<!['’])\bor\b", text.lower())) != 1:
        return None
    names = sorted(mentions, key=lambda m: m.start)
    for at in range(1, len(names)):
        if not _OR.fullmatch(text, names[at - 1].end, names[at].start):
            continue
        first = at - 1
        while first and _COMMA.fullmatch(text, names[first - 1].end, names[first].start):
            first -= 1
        before = text[: names[first].start]
        if _ASIDE.search(before):
            return None
        return Alternatives(tuple(names[first : at + 1]), _EITHER.sub(r"\1", before), text[names[at].end :])
    return None


class Either(Rule):
    """Reads what is asked of any of several names."""

    def any_of(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading of what is so of any of the names; None where the question has no such names, or with
        none of them alone can be read."""
        said = None if self._kb.own else alternatives_of(text, mentions)
        if said is None or self._is_read_so(text, mentions, said.names):
            return None
        beside = [m for m in mentions if m not in said.names]
        for name in said.names:
            found = self._read(f"{said.before}{name.text}{said.after}")
            if found is None or not found.told or unused(beside, found.parse.decomposition):
                continue
            steps = found.parse.decomposition.steps
            if any(isinstance(step, Merge) for step in steps):
                continue
            used = {c for step in steps for c in constants_of(step)}
            first = next((c.entity for c in name.candidates if c.entity in used), None)
            if first is not None:
                things = [self._meant(m, first, steps) for m in said.names]
                return told(self._run, joined(steps, first, things))
        return None

    def _is_read_so(self, text: str, mentions: Sequence[Mention], names: Sequence[Mention]) -> bool:
        """Whether the reading of the whole question asks the same of each of the names, and has all that the
        question names, and its years."""
        found = self._read(text)
        steps = found.parse.decomposition.steps if found is not None and found.told else ()
        if found is None or unused(mentions, found.parse.decomposition):
            return False
        if not all(holds(found, value) for value in find_values(text) if value.first):
            return False
        same = {c.entity: names[0].candidates[0].entity for m in names for c in m.candidates}
        for step in steps:
            if isinstance(step, Merge) and len(step.sources) == len(names):
                return len({_shape(steps, ref.step, same) for ref in step.sources}) == 1
        return False

    def _meant(self, mention: Mention, first: Iri, steps: Steps) -> Iri:
        """Which of the things of that name the steps have an answer for, in the first one's stead; the
        likeliest where they have none."""
        things = namesakes(mention)
        if first in things:
            return first
        ways = ((thing, tuple(exchange(step, {first: thing}) for step in steps)) for thing in things)
        return next((thing for thing, way in ways if told(self._run, way) is not None), things[0])


def _shape(steps: Steps, number: int, same: Mapping[Iri, Iri]) -> tuple[object, ...]:
    """What a step and those before it on which it builds say, alike for things that are the `same`."""
    step = steps[number - 1]
    alike = with_references(exchange(step, same), lambda ref: Ref(0))
    return alike, tuple(_shape(steps, ref.step, same) for ref in references(step))


def joined(steps: Steps, first: Iri, things: Sequence[Iri]) -> Steps:
    """Steps that are about one of the things, the first, repeated with each of them in its stead, joined;
    what counts their answers or takes the first of them comes after that."""
    end = max(i for i, step in enumerate(steps, 1) if isinstance(step, Find | Keep))
    whole: list[Step] = []
    ends = []
    for thing in things:
        place: dict[int, int] = {}
        for number, step in enumerate(steps[:end], 1):
            moved = _moved(exchange(step, {first: thing}), place)
            if moved not in whole:
                whole.append(moved)
            place[number] = whole.index(moved) + 1
        ends.append(Ref(place[end]))
    whole.append(Merge(tuple(ends)))
    place = {n: n - end + len(whole) for n in range(end, len(steps) + 1)}
    return (*whole, *(_moved(step, place) for step in steps[end:]))


def _moved(step: Step, place: Mapping[int, int]) -> Step:
    """The step where those that it refers to have other numbers."""
    return with_references(step, lambda ref: Ref(place.get(ref.step, ref.step)))
