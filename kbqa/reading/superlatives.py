"""The oldest, largest or longest of what a reading finds, as the question says it: 'the oldest member of
Queen' is not all of them, nor the one who joined first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kbqa.answers import collect
from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.measuring import LATEST
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, first_told, instead, told
from kbqa.reading.rule import Run
from kbqa.rewire import Steps, inserted
from kbqa.types import Exists, Find, Iri, Keep, Path, Pick, Ref, Restriction, Step

_ADJECTIVES = dict.fromkeys(
    form
    for m in MEASURES
    for form in (*m.low, *m.high)
    if form.endswith("est") and form not in ("earliest", "latest")
)
_ALSO = {
    "eldest": "oldest", "firstborn": "oldest", "first-born": "oldest", "littlest": "smallest",
    "tiniest": "smallest", "greatest": "largest", "hugest": "largest",
}  # fmt: skip
"""What else is said for an adjective of `MEASURES`."""
_OF_TWO = {re.sub("est$", "er", a): a for a in _ADJECTIVES}
_SUPERLATIVE = re.compile(rf"\b(?P<said>{'|'.join((*_ADJECTIVES, *_ALSO))})\b(?!-)", re.IGNORECASE)
_COMPARATIVE = re.compile(
    rf"\b(?P<said>{'|'.join(_OF_TWO)})\b(?!\s+(?:than|brothers?|sisters?|siblings?|half)\b|-)", re.IGNORECASE
)
"""'Which of the founders of Google is older?'"""
_HEAD = re.compile(
    r"\W*(?:(?:please|so|and|tell me|name|give me|i wonder|do you know|any idea)\W+)*"
    r"(?:(?:who|what|which)(?:['’]s|\s+(?:is|was|are|were))?(?:\s+of\b.*)?\s+)?"
    r"(?:the\s+|[\w.' -]*['’]s?\s+)?\Z",
    re.IGNORECASE,
)
"""What stands before a superlative that is said of the answers themselves."""
_BY = re.compile(r"\b(?:by|in terms of)\s+(?P<noun>[\w ]+)", re.IGNORECASE)
_SIZES = {"size": "area", "people": "population", "inhabitants": "population", "residents": "population",
          "students": "number of undergraduates", "seasons": "number of seasons"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Superlative:
    """What is asked for the most of, and whether it is said of the answers themselves."""

    measures: tuple[tuple[Measure, bool], ...]
    """Each with whether the highest value is meant, the likeliest first."""
    of_answers: bool
    most: int = 10**9
    """Of how many things at most it is said."""


def superlative_of(text: str, mentions: Sequence[Mention]) -> Superlative | None:
    """The one superlative of a question, or its comparative of two: None where there is none or several."""

    def said(words: re.Pattern[str]) -> list[re.Match[str]]:
        return [m for m in words.finditer(text) if not any(n.meets(*m.span()) for n in mentions)]

    found, of_two = said(_SUPERLATIVE), said(_COMPARATIVE)
    if len(found) == 1 and not of_two:
        word = found[0]["said"].lower()
        of_answers = not re.search(r"\w", text[found[0].end() :]) or is_of_answers(text, found[0].start())
        return Superlative(tuple(_measured(_ALSO.get(word, word), text)), of_answers)
    if len(of_two) == 1 and not found:
        word = of_two[0]["said"].lower()
        return Superlative(tuple(_measured(_OF_TWO[word], text, word)), True, 2)
    return None


def is_of_answers(text: str, start: int) -> bool:
    """Whether what stands at this place of a question is said of what it asks for: 'the oldest member of'."""
    return _HEAD.fullmatch(text[:start]) is not None


def has_value(steps: Steps, source: Ref, path: Path, run: Run) -> bool:
    """Whether any of what a step finds has a value there."""
    kept = Keep(source, restrictions=(Restriction("answer", path, (Exists(),)),))
    return told(run, (*steps, kept)) is not None


def _measured(adjective: str, text: str, word: str = "") -> Iterator[tuple[Measure, bool]]:
    """What the adjective says, or the noun behind it or the word in its stead: 'the larger population'."""
    of = re.compile(rf"\b(?:{adjective}|{word or adjective})\s+(?P<noun>population|area)\b", re.IGNORECASE)
    by = _BY.search(text) or of.search(text)
    noun = by["noun"].lower() if by else ""
    named = next((n for said, n in _SIZES.items() if said in noun.split()), noun)
    higher = any(adjective in m.high for m in MEASURES)
    said = [(m, higher) for m in MEASURES if m.noun == named]
    yield from said or ((m, adjective in m.high) for m in MEASURES if adjective in (*m.low, *m.high))


def most_as_said(chosen: Chosen, text: str, mentions: Sequence[Mention], run: Run) -> Chosen:
    """The reading with the most of its things by what the question's superlative says: taken where the
    reading takes none, the right way round, and by such a value. The same otherwise, or where none has it."""
    said = superlative_of(text, mentions)
    if said is None:
        return chosen
    steps = chosen.parse.decomposition.steps
    at = next((i for i in range(len(steps), 0, -1) if _takes_most(steps[i - 1])), 0)
    ways = _amended(steps, at, said, run) if at else _taken(steps, _number(chosen), said, run)
    return instead(chosen, first_told(run, ways))


def _takes_most(step: Step) -> bool:
    return isinstance(step, Pick) and step.path not in LATEST.values()


def _number(chosen: Chosen) -> int:
    """How many things a reading finds."""
    return sum(isinstance(a, Iri) for a in collect(chosen.rows)) if chosen.rows is not None else 0


def _amended(steps: Steps, at: int, said: Superlative, run: Run) -> Iterator[Steps]:
    """The steps with the choice at this number as the question says; nothing where it is so already."""
    pick = steps[at - 1]
    if not isinstance(pick, Pick) or pick.site != "answer":
        return
    at_first = next((i for i, (m, _) in enumerate(said.measures) if m.path == pick.path), None)
    alike = said.measures[at_first : at_first + 1] if at_first is not None else ()
    right_way = bool(alike) and alike[0][1] == pick.descending
    likelier = said.measures[:at_first] if right_way else ()  # the biggest island is not the most populous
    for measure, descending in likelier if right_way else alike or said.measures:
        if has_value(steps[: at - 1], pick.source, measure.path, run):
            right = replace(pick, path=measure.path, descending=descending, kind=measure.kind)
            yield (*steps[: at - 1], right, *steps[at:])


def _taken(steps: Steps, number: int, said: Superlative, run: Run) -> Iterator[Steps]:
    """The steps with the choice among the last one's answers, of which there are so many, or those of an
    earlier one, as the superlative is said of."""
    if not all(isinstance(s, Find | Keep) for s in steps) or (
        said.of_answers and not 1 < number <= said.most
    ):
        return
    for at in (len(steps),) if said.of_answers else range(len(steps) - 1, 0, -1):
        for measure, descending in said.measures:
            if has_value(steps[:at], Ref(at), measure.path, run):
                yield from inserted(
                    steps, at + 1, Pick(Ref(at), "answer", measure.path, descending, measure.kind)
                )
