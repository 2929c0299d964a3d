"""Compared with something that is named: 'rivers longer than the Nile', 'albums that came out before Help!'

The parser's training compares with dates and numbers only. What is said of the name is taken out of the
question, the rest is read ('Which albums'), and its answers are compared with the thing by a value that both
have, as the adjectives and verbs say. A date that a reading leaves out is put in, too, where what it finds
has one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from kbqa.errors import QueryError, StoreTimeout
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.lexicon.nouns import INSTANCES, WORKING
from kbqa.link import key
from kbqa.measuring import INHABITANTS, comparatives, latest, measured
from kbqa.parse.bounds import beside
from kbqa.parse.kinds import CommonNouns
from kbqa.parse.literals import Value, find_values
from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, answer_count, reading, told
from kbqa.reading.periods import POINTS, during
from kbqa.reading.rule import Read, Rule, Run
from kbqa.sparql.portable import term
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    XSD,
    Check,
    Count,
    Exists,
    Find,
    Hop,
    Iri,
    Keep,
    Kind,
    Literal,
    Operator,
    Pick,
    Ref,
    Restriction,
    Step,
    Test,
    Than,
    freebase,
)

Steps = tuple[Step, ...]
_LIMIT_S = 2.0
_THAN = re.compile(r"\bthan\s+(?:(?:that|those|the \w+) of\s+)?(?:the\s+)?\Z")
_WHEN = re.compile(r"\b(?:before|after|prior to|following)\s+(?:the\s+)?\Z")
_COMPARATIVE = re.compile(rf"\b(?:{'|'.join(sorted(comparatives()))})\b(?:\s+\S+){{0,3}}?\s+\Z")
"""What is more or less so, before 'than': 'more people', 'larger in area'."""
_PAUSE = re.compile(r"(?<!\b[A-Z])[.:;?!]\s+")
_WITHIN = re.compile(r"\b(?:and|or|with|by|of|from|in|to|than|near)\s+(?:an?|another|some)\s+\S+\Z")
"""Where not what is asked for is compared: 'borders Brazil and a country smaller than Suriname'."""
_LED_TO = re.compile(
    r"(?:\s*\b(?:is|are|was|were|be|been|that|which|who|has|have|had|having|with|whose|a|an|the|came|come|out|got|get"
    r"|released|published|born|founded|established|started|opened|built|died|die|open|start|aired|premiered|goes|go|on"
    r"|lasts?|runs?"
    rf"|{'|'.join(sorted(INHABITANTS | {m.noun for m in MEASURES if m.kind is Kind.NUMBER}))})\b)+\s*\Z"
)
"""Words before a comparison that belong to it: 'that have a population', 'which were born'."""
_BOUND = re.compile(
    r"\b(?:in|during|since|before|after|by|until|from|between|throughout|prior to|later than|earlier than|of)"
    r"(?: the)?"
    r"(?: years?| early| late| mid)?\s*\Z"
    r"|\b(?:the|a)\s+\Z",
    re.IGNORECASE,
)
"""Before a date: 'in 1998', 'the 1953 Pulitzer Prize'."""
_IN: tuple[Operator, ...] = (">=", "<=")
_BEGAN = re.compile(
    r"\b(?:join(?:ed|s)?|came|became|began|started|signed|elected|took|moved|hired|appointed|got)\b"
)
"""Said of what began in a year; what else was so 'in 1998' may have begun before."""
_DONE = re.compile(
    r"\A(?:'s)?(?:\s+(?:did|does|do|was|were|is|are|has|had|came out)\b)?"
    r"(?:,?\s+(?:and|but)\s+(?:(?:also|that|who|which|is|are|was|were)\s+)*)?"
)
_WHETHER = re.compile(r"(?:is|are|was|were|does|do|did|has|have)(?: the)?", re.IGNORECASE)
_ANY = re.compile(r"\A\s*(?:is|are|was|were) there (?:an?|any|some)\b", re.IGNORECASE)
_PLAIN = re.compile(r"\A\W*(?:which|what|name|list|give me|show me|all|the|of|any|me|find|are|is)\s+")
_LIVED = ("born", "died", "started their career", "took office", "left office")
"""When these were is meant only where it is said."""


@dataclass(frozen=True)
class Comparison:
    """A thing that a question compares with, the words that say by what, and the question without them;
    `whether`: what alone is compared with it ('Is Everest higher than K2?')."""

    things: tuple[Iri, ...]
    words: str
    question: str
    whether: tuple[Iri, ...] = ()


def comparisons_of(text: str, mentions: Sequence[Mention]) -> Iterator[Comparison]:
    """What the question compares with, the last first."""
    for mention in sorted(mentions, key=lambda m: -m.start):
        before = text[: mention.start].lower()
        start = _start(before)
        if start is None:
            continue
        led = _LED_TO.search(before[:start])
        cut = led.start() if led is not None else start
        if _WITHIN.search(before[:cut].rstrip()):
            continue
        asked = _ANY.sub("which", _PAUSE.split(text[:cut])[-1])
        rest = _DONE.sub("", text[mention.end :])
        question = re.split(r"[?!]", f"{asked} {rest}")[0]
        yield Comparison(
            namesakes(mention),
            before[cut:],
            " ".join(question.split()).strip(" ,.-"),
            () if rest.strip(" ?.!") else _alone(text[:cut], mentions),
        )


def _alone(text: str, mentions: Sequence[Mention]) -> tuple[Iri, ...]:
    """What a question begins with that asks of it alone: 'Is Everest'."""
    last = [m for m in mentions if not text[m.end :].strip() and _WHETHER.fullmatch(text[: m.start].strip())]
    return namesakes(last[0]) if last else ()


def _start(before: str) -> int | None:
    """Where the comparison begins that these words, which stand before a name, end with."""
    when = _WHEN.search(before)
    if when is not None:
        return when.start()
    than = _THAN.search(before)
    found = _COMPARATIVE.search(before[: than.start()]) if than is not None else None
    return found.start() if found is not None else None


class Comparisons(Rule):
    """Reads what is compared with something that is named."""

    def __init__(self, kb: KnowledgeBase, run: Run, read: Read, nouns: CommonNouns) -> None:
        super().__init__(kb, run, read)
        self._nouns = nouns

    def compared(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that compares with what is named; one that finds nothing where such values are known,
        and none is more. None where nothing is compared, or it can't be told."""
        for said in () if self._kb.own else comparisons_of(text, mentions):
            ways = [
                (thing, measure, descending)
                for measure, descending in _measures(said.words)
                for thing in said.things
                if self._has(thing, measure)
            ]
            for one in said.whether:
                for thing, measure, descending in ways:
                    found = told(self._run, _whether(one, thing, measure, descending))
                    if found is not None and self._has(one, measure):
                        return found
            heads = tuple(self._heads(said.question)) if ways and not said.whether else ()
            for way in ways:
                for steps in heads:
                    found = told(self._run, tuple(_compared(steps, *way)))
                    if found is not None:
                        return found
                for steps in heads:
                    if self._have(steps, way[1]):
                        return self._run(reading(tuple(_compared(steps, *way))))
        return None

    def _have(self, steps: Steps, measure: Measure) -> bool:
        """Whether something that the steps find has such a value."""
        steps = steps[:-1] if isinstance(steps[-1], Count) else steps
        some = Keep(Ref(len(steps)), restrictions=(Restriction("answer", measure.path, (Exists(),)),))
        return told(self._run, (*steps, some)) is not None

    def bounded(self, chosen: Chosen | None, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading with a date that it leaves out, 'in 1998', said of what it finds: of the reading, or of
        that of the question without the date. The same where it leaves out none, or that can't be told."""
        if self._kb.own or (chosen is not None and chosen.late):
            return chosen
        for value in find_values(text):
            if not value.first or any(m.meets(value.start, value.end) for m in mentions):
                continue
            if chosen is not None and holds(chosen, value):
                continue
            found = self._within(chosen, value, text)
            if found is not None:
                return found
        return chosen

    def _within(self, chosen: Chosen | None, value: Value, text: str) -> Chosen | None:
        bounds = beside(value, Kind.DATE, text.lower()) or _IN
        said = _BOUND.search(text[: value.start])
        if said is None and text[value.end :].strip(" ?.!"):  # but for 'best picture winner 1994'
            return None
        cut = value.start if said is None else said.start()
        most = 0 if chosen is None else answer_count(chosen)
        read = [chosen.parse.decomposition.steps] if chosen is not None and chosen.told else []
        for steps in (*read, *self._heads(f"{text[:cut]} {text[value.end :]}")):
            for way in _dated(steps, value, bounds, text.lower(), self._kb.paths.predicates):
                found = told(self._run, way)
                if found is not None and (steps not in read or 0 < answer_count(found) < most):
                    return found
        return None

    def _heads(self, question: str) -> Iterator[Steps]:
        """Steps whose answers the rest of the question asks for: a sort of thing, or what is read."""
        noun = question.lower()
        while (plain := _PLAIN.sub("", noun)) != noun:
            noun = plain
        many = noun.startswith("how many ")
        noun = key(_LED_TO.sub("", noun.removeprefix("how many ")))
        kinds = self._nouns.sorts.get(noun, ())
        finds = [Find(kind, path) for path in INSTANCES for kind in kinds]
        if not kinds:
            finds = [Find(e.iri, WORKING) for e in self._nouns.concepts.get(noun, ())]
        yield from ((find, *((Count(Ref(1)),) if many else ())) for find in finds)
        found = None if kinds else self._read(question)
        steps = found.parse.decomposition.steps if found is not None and found.told else ()
        counted = steps[-1:] if steps and isinstance(steps[-1], Count) else ()
        steps = steps[: len(steps) - len(counted)]
        while steps and isinstance(steps[-1], Pick):
            steps = steps[:-1]
        while steps and isinstance(steps[-1], Find | Keep):
            yield (*steps, *counted)
            last, steps = steps[-1], steps[:-1]
            if not isinstance(last, Find) or last.anchor != Ref(len(steps)):
                return

    def _has(self, thing: Iri, measure: Measure) -> bool:
        along = "/".join(term(hop.predicate) for hop in measure.path)
        try:
            query = f"SELECT ?v WHERE {{ {term(thing)} {along} ?v }} LIMIT 1"
            return bool(self._kb.store.select(query, time_limit_s=_LIMIT_S).rows)
        except (QueryError, StoreTimeout):
            return False


_FOUNDED = (Hop(freebase("location.dated_location.date_founded")),)
"""Of a place, no question means unless it says so."""


def _measures(words: str) -> Iterator[tuple[Measure, bool]]:
    """The values that words compare by, those that they name first, and whether more of it is asked for."""
    found = list(measured(words))
    yield from found
    said = set(words.split())
    sooner, later = bool(said & {"before", "prior", "earlier"}), bool(said & {"after", "following", "later"})
    if not found and sooner != later:
        for measure in MEASURES:
            unsaid = (*_LIVED, "founded")
            if measure.kind is Kind.DATE and not measure.verb.removeprefix("was ").startswith(unsaid):
                yield measure, later


def _compared(steps: Steps, thing: Iri, measure: Measure, descending: bool) -> Iterator[Step]:
    """The steps, of whose answers those are kept that have more (or less) of it than the thing."""
    counted = isinstance(steps[-1], Count)
    yield from steps[:-1] if counted else steps
    found = number = len(steps) - counted
    for step in _value(thing, measure, number + 1):
        yield step
        number += 1
    than = Than(">" if descending else "<", Ref(number), measure.kind)
    yield Keep(Ref(found), restrictions=(Restriction("answer", measure.path, (than,)),))
    if counted:
        yield Count(Ref(number + 1))


def holds(chosen: Chosen, value: Value) -> bool:
    """Whether a reading speaks of that year."""
    constants = (c for s in chosen.parse.decomposition.steps for c in constants_of(s))
    year = value.first[:4]
    return any(isinstance(c, Literal) and c.lexical.startswith(year) for c in constants)


def _dated(
    steps: Steps, value: Value, bounds: Sequence[Operator], text: str, predicates: Collection[Iri]
) -> Iterator[Steps]:
    """Ways to say the date of what a step finds, of the last step first: of what ties it to what it is found
    by, then of itself."""
    said = {m.path: m for m, _ in measured(f"{text} before")}
    began = bounds != _IN or _BEGAN.search(text) is not None
    tests = tuple(_bounded(value, bounds))
    for i in range(len(steps), 0, -1):
        step = steps[i - 1]
        if not isinstance(step, Find | Keep):
            continue
        for restrictions in _tied(step, value, tests, began, predicates):
            yield _with(steps, i, *restrictions)
        for measure in MEASURES:
            lived = measure.verb.removeprefix("was ").startswith(_LIVED) or measure.path == _FOUNDED
            if measure.kind is Kind.DATE and (measure.path in said or not lived):
                yield _with(steps, i, Restriction("answer", measure.path, tests))


def _tied(
    step: Find | Keep, value: Value, tests: tuple[Test, ...], began: bool, predicates: Collection[Iri]
) -> Iterator[tuple[Restriction, ...]]:
    """That the node in between is of that date, began then, or (not `began`) was so at some time then."""
    kind = mediator_type(step.path)
    span = span_of(kind)
    if kind is None or span is None:
        return
    for name in POINTS:
        if freebase(f"{kind}.{name}") in predicates:
            yield (Restriction("mediator", (Hop(freebase(f"{kind}.{name}")),), tests),)
    first, last = span
    if began and first in predicates:
        yield (Restriction("mediator", (Hop(first),), tests),)
    elif last in predicates:
        yield during(span, _day(value.first), _day(value.last))


def _bounded(value: Value, bounds: Sequence[Operator]) -> Iterator[Test]:
    """'After 1970' begins with 1971."""
    days = {">": value.last, "<=": value.last}
    for bound in bounds:
        yield Than(bound, _day(days.get(bound, value.first)), Kind.DATE)


def _day(text: str) -> Literal:
    return Literal(text, XSD + "date")


def _with(steps: Steps, number: int, *restrictions: Restriction) -> Steps:
    step = steps[number - 1]
    assert isinstance(step, Find | Keep)
    narrowed = replace(step, restrictions=(*step.restrictions, *restrictions))
    return (*steps[: number - 1], narrowed, *steps[number:])


def _whether(one: Iri, thing: Iri, measure: Measure, descending: bool) -> Steps:
    """Whether one thing has more (or less) of it than the other."""
    first = tuple(_value(one, measure, 1))
    steps = (*first, *_value(thing, measure, len(first) + 1))
    than = Restriction("answer", (), (Than(">" if descending else "<", Ref(len(steps)), measure.kind),))
    return *steps, Keep(Ref(len(first)), restrictions=(than,)), Check(Ref(len(steps) + 1))


def _value(thing: Iri, measure: Measure, number: int) -> Iterator[Step]:
    """The value of the thing, the latest of several; `number`: of the first step."""
    step = Find(thing, measure.path)
    yield step
    newest = latest(step, number)
    if newest is not None:
        yield newest
