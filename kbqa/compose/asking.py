"""Questions that are answered by yes or no."""

from __future__ import annotations

from collections.abc import Iterator

from kbqa.compose.comparing import compared
from kbqa.compose.phrases import Phrases
from kbqa.compose.schema import Property, stems
from kbqa.compose.things import Beyond, Linked, Reading, Steps, Things, Valued
from kbqa.compose.words import DETERMINERS, NEGATIONS, TRAILING
from kbqa.types import Among, Check, Exists, Find, Iri, Keep, Lacks, Ref, Restriction, Step, Than, reverse

_ARTICLES = DETERMINERS - {"of"}
_ASKS = ("is", "are", "was", "were", "do", "does", "did", "has", "have", "had")
_ANY = (
    "are there",
    "is there",
    "were there",
    "was there",
    "is there actually",
    "are there actually",
    "does exist",
    "does there exist",
    "do we have",
    "do you have",
    "does the library have",
)


def asked(phrases: Phrases) -> Iterator[Reading]:
    """The readings of a whole question that begins with a form of 'to be', 'to do' or 'to have'."""
    text = phrases.text
    for _, i in text.one_of(0, _ANY):
        for things, j in phrases.things(i):
            if phrases.text.ends(j):
                steps = Steps(phrases.schema)
                steps.add(Check(steps.of(things)))
                yield things.doubt, tuple(steps.steps)
    first = 1 if text.at(0) == "the" and 0 not in text.names else 0
    if first in text.names and text.asked.rstrip().endswith("?"):
        end, candidates = text.names[first]
        yield from _shared(phrases, first)
        for kind in phrases.conditions.ground.types(candidates[0].entity):
            yield from _so(phrases, kind, candidates[0].entity, end)
    if text.at(0) not in _ASKS:
        return
    yield from _of_two(phrases)
    place = (
        2 if 1 not in text.names and text.at(1) == "the" else 1
    )  # 'Is the Nordlys longer than the Seabreeze?'
    if place in text.names:
        yield from _shared(phrases, place)
        end, candidates = text.names[place]
        for rank, candidate in enumerate(candidates):
            every = list(_of_one(phrases, candidate.entity, end))
            which = [reading for reading in every if not isinstance(reading[1][-1], Check)]
            for doubt, found in which or every:
                yield doubt + 0.3 * rank, found
    yield from _of_value(phrases)


def _of_two(phrases: Phrases) -> Iterator[Reading]:
    """'Do they speak German in Chile?', 'Do Oak Street and Elm Street cross?': what joins two names."""
    text, types, schema = phrases.text, phrases.conditions.ground.types, phrases.schema
    if len(text.names) != 2 or text.values or text.quoted:
        return
    (place, (middle, some)), (other, (after, others)) = text.names.items()
    said = (*text.words[1:place], *text.words[middle:other], *text.words[after:])
    words = stems(w for w in said if w not in TRAILING and w != "people")
    if not words or any(w in NEGATIONS for w in said):
        return
    one, two = some[0].entity, others[0].entity
    for first, second, doubt in ((one, two, 0.15), (two, one, 0.2)):
        for kind in types(first):
            for path in schema.connections(kind, types(second), words)[:1]:
                if len(path) == 1 and words <= schema.stems(path):
                    yield doubt, (Find(second, path), *_kept(1, first))


def _of_one(phrases: Phrases, one: Iri, i: int) -> Iterator[Reading]:
    """'Is Ann the manager of Oak Branch?', 'Did Ann write Dune?', 'Is Dune a book in German?'"""
    text, conditions = phrases.text, phrases.conditions
    start = i
    while text.at(start) in DETERMINERS:
        start += 1
    for other, kind, place in _possessors(phrases, start):
        for found, j in conditions.property_at(kind, start):
            if j == place:
                yield 0.0, (Find(other, found.path), *_kept(1, one))
    for things, j in phrases.things(i):
        if phrases.text.ends(j):
            steps = Steps(phrases.schema)
            steps.checked(steps.of(things), one)
            yield things.doubt + 0.1, tuple(steps.steps)
    for kind in conditions.ground.types(one):
        yield from _so(phrases, kind, one, i)
        for condition, doubt, j in conditions.linked(kind, i, least=0):
            if phrases.text.ends(j):
                yield doubt, _steps(phrases, Things(kind, (condition,)), one)


def _so(phrases: Phrases, kind: Iri, one: Iri, i: int) -> Iterator[Reading]:
    """Whether what is said from word `i` on is so of one thing."""
    for said, doubt, j in phrases.described(kind, i):
        if said and phrases.text.ends(j):
            yield doubt, _steps(phrases, Things(kind, said), one)


def _shared(phrases: Phrases, i: int) -> Iterator[Reading]:
    """'Do Ann and Bob have the same boss?', from the first name on."""
    text, conditions = phrases.text, phrases.conditions
    middle, candidates = text.names[i]
    if text.at(middle) != "and" or middle + 1 not in text.names:
        return
    after, others = text.names[middle + 1]
    for k in range(after, min(after + 4, len(text))):
        start = text.says(k, "the same") or text.says(k, "same")
        for kind in conditions.ground.types(candidates[0].entity) if start is not None else ():
            for path, j in conditions.ways_to(kind, start or 0, stems(text.words[after:k])):
                if text.ends(j):
                    found = Find(candidates[0].entity, path), Keep(Ref(1), others[0].entity, path)
                    yield 0.0, (*found, Check(Ref(2)))


def _steps(phrases: Phrases, things: Things, one: Iri) -> tuple[Step, ...]:
    """A single condition on a value is asked of the thing itself, not of all of its class; of several things
    ('in France or in Spain?') which it is."""
    match things.conditions:
        case (Valued(path, (Exists(),)),):
            return Find(one, path), Check(Ref(1))
        case (Valued(path, tests),) if not any(isinstance(t, Lacks) for t in tests):
            kept = Keep(Ref(1), restrictions=(Restriction("answer", (), tests),))
            return Find(one, path), kept, Check(Ref(2))
        case (Beyond(path, operator, kind, other),):
            than = Restriction("answer", (), (Than(operator, Ref(2), kind),))
            return Find(one, path), Find(other, path), Keep(Ref(1), restrictions=(than,)), Check(Ref(3))
        case (Linked(path, (_, _, *_) as anchors, False),):
            among = Restriction("answer", (), (Among(anchors),))
            return Find(one, reverse(path)), Keep(Ref(1), restrictions=(among,))
    steps = Steps(phrases.schema)
    steps.checked(steps.of(things), one)
    return tuple(steps.steps)


def _kept(number: int, one: Iri) -> tuple[Step, ...]:
    return Keep(Ref(number), one), Check(Ref(number + 1))


def _possessors(phrases: Phrases, i: int) -> Iterator[tuple[Iri, Iri, int]]:
    """Names at the end that 'of' stands before: (thing, its class, the place of 'of')."""
    text = phrases.text
    for place, (after, candidates) in text.names.items():
        k = place - 1
        while text.at(k) in _ARTICLES:
            k -= 1
        if k > i and text.at(k) in ("of", "for", "at") and phrases.text.ends(after):
            for candidate in candidates:
                for kind in phrases.conditions.ground.types(candidate.entity):
                    yield candidate.entity, kind, k


def _of_value(phrases: Phrases) -> Iterator[Reading]:
    """'Is the salary of Ann more than 50000?', 'Is the manager of Oak Branch Ann?'"""
    text, conditions = phrases.text, phrases.conditions
    start = 1
    while text.at(start) in DETERMINERS:
        start += 1
    for place, (after, candidates) in text.names.items():
        if text.at(place - 1) not in ("of", "for") or place - 1 <= start:
            continue
        for candidate in candidates:
            for kind in conditions.ground.types(candidate.entity):
                for found, j in conditions.property_at(kind, start):
                    if j == place - 1:
                        yield from _is_that(phrases, candidate.entity, found, after)


def _is_that(phrases: Phrases, owner: Iri, found: Property, i: int) -> Iterator[Reading]:
    text = phrases.text
    first = Find(owner, found.path)
    if i in text.names and phrases.text.ends(text.names[i][0]):
        yield 0.0, (first, *_kept(1, text.names[i][1][0].entity))
    for condition, doubt, j in compared(text, (found,), i):
        if phrases.text.ends(j):
            kept = Keep(Ref(1), restrictions=(Restriction("answer", (), condition.tests),))
            yield doubt, (first, kept, Check(Ref(2)))
