"""Noun phrases: 'the three oldest members of Oak Branch without a phone' -> `Things`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from kbqa.compose.comparing import compared, number_at, quantities
from kbqa.compose.conditions import Conditions, Read
from kbqa.compose.schema import Property, Schema, stems
from kbqa.compose.text import Text
from kbqa.compose.things import Condition, Either, First, Linked, Numbered, Things, Within
from kbqa.compose.words import DETERMINERS, EXTREMES, LOOSE, NEGATIONS, PREPOSITIONS
from kbqa.types import Iri, Kind, Path, reverse

_DEEPEST = 2
_MOST_CONDITIONS = 3
_Noun: TypeAlias = tuple[Iri, tuple[Condition, ...], float, int]
"""A class, what is said before its noun, how doubtful that is, and the place after the noun."""
_BETWEEN = 5
_MOST_BEFORE = 3
_ANYTHING = frozenset(("anything", "something", "things", "everything"))
_ONLY = DETERMINERS | {"only", "top", "best"}


@dataclass(frozen=True)
class Phrases:
    """Reads noun phrases of one question. Every method yields all that can be read from word `i` on, with the
    place after it."""

    conditions: Conditions
    _read: dict[tuple[Iri, int, int], tuple[Read, ...]] = field(default_factory=dict, repr=False)
    """What was read before, by class, word and depth."""

    @property
    def text(self) -> Text:
        return self.conditions.text

    @property
    def schema(self) -> Schema:
        return self.conditions.schema

    def things(self, i: int, depth: int = 0) -> Iterator[tuple[Things, int]]:
        while self.text.at(i) in _ONLY:
            i += 1
        if self.text.at(i) in _ANYTHING and not depth:
            yield from self._anything(i + 1)
        number, i = self._number(i)
        for sorting, place in self._adjective(i):
            for kind, before, doubt, j in self._noun(place):
                first = None
                if sorting:
                    first = next(self.conditions.sorted_by(kind, sorting), None)
                    if first is None:
                        continue
                yield from self._finished(kind, before, first, number, doubt, j, depth)

    def _anything(self, i: int) -> Iterator[tuple[Things, int]]:
        """'anything by Ann', of whichever class that may be said."""
        for kind in self.schema.narrowest(self.schema.kinds):
            for said, doubt, j in self.described(kind, i):
                if said:
                    yield Things(kind, said, None, doubt + 0.3), j

    def _finished(
        self,
        kind: Iri,
        before: tuple[Condition, ...],
        first: First | None,
        number: int | None,
        doubt: float,
        i: int,
        depth: int,
    ) -> Iterator[tuple[Things, int]]:
        for said, doubts, j in self.described(kind, i, depth):
            every = (*before, *said)
            if first is None and not depth:
                yield from self._topmost(Things(kind, every, None, doubt + doubts), number or 1, j)
            for last, more, after in self._sorting(kind, first, number, j):
                found = replace(last, limit=number or 1) if last else None
                if number is None or found is not None:
                    yield Things(kind, every, found, doubt + doubts + more), after

    def _topmost(self, things: Things, number: int, i: int) -> Iterator[tuple[Things, int]]:
        """Those with the highest of what nameless things of theirs tell: 'with the best score by Ann'."""
        for other, back in self.schema.nameless(things.kind):
            for k in range(i, min(i + 4, len(self.text))):
                if stems(self.text.words[i:k]):
                    break
                for word, place in self.text.one_of(k, tuple(EXTREMES)):
                    for found, value, j in self._values_of_nameless(other, place):
                        theirs = (Within(reverse(back), things),) if things.conditions else ()
                        first = First(value.path, EXTREMES[word], Kind.NUMBER, number)
                        most = Things(other, (*found.conditions, *theirs), first)
                        yield Things(things.kind, (Within(back, most),), None, things.doubt + 0.1), j

    def _values_of_nameless(self, kind: Iri, i: int) -> Iterator[tuple[Things, Property, int]]:
        """'critics' score', 'reviews by Ann': which of the nameless things of a class, and their number."""
        for found, j in self.conditions.property_at(kind, i):
            for said, doubt, after in self.described(kind, j, 1) if found.info.value == "number" else ():
                yield Things(kind, said, None, doubt), found, after
        for things, j in self.things(i, 1):
            for found in self.schema.properties(kind) if things.kind == kind else ():
                if found.main:
                    yield things, found, j

    def _of_nameless(self, kind: Iri, i: int) -> Iterator[Read]:
        """'with a score under 30', which is a number of the film's rating."""
        for other, back in self.schema.nameless(kind):
            said = [replace(p, main=False) for p in self.schema.properties(other) if p.info.value == "number"]
            for condition, doubt, j in compared(self.text, said, i):
                yield Within(back, Things(other, (condition,))), doubt + 0.15, j

    def _sorting(
        self, kind: Iri, first: First | None, number: int | None, i: int
    ) -> Iterator[tuple[First | None, float, int]]:
        """The order that was said before the noun, or is said here."""
        yield first, 0.0, i
        if first is not None:
            for found, j in self.conditions.property_at(kind, i + 1) if self.text.at(i) == "by" else ():
                if found.info.value == ("date" if first.kind is Kind.DATE else "number"):
                    yield replace(first, path=found.path), 0.0, j
            return
        yield from self.conditions.extreme(kind, i)
        if number is not None and self.text.at(i) == "by":
            place = i + 1
            while self.text.at(place) in DETERMINERS:
                place += 1
            for found, j in self.conditions.property_at(kind, place):
                if found.info.value in ("number", "date"):
                    way = Kind.NUMBER if found.info.value == "number" else Kind.DATE
                    yield First(found.path, True, way), 0.0, j

    def described(
        self, kind: Iri, i: int, depth: int = 0, left: int = _MOST_CONDITIONS
    ) -> Iterator[tuple[tuple[Condition, ...], float, int]]:
        """None or several conditions on the things of a class."""
        yield (), 0.0, i
        if not left:
            return
        for condition, doubt, j in self._one(kind, i, depth):
            for rest, more, after in self.described(kind, j, depth, left - 1):
                yield (condition, *rest), doubt + more, after
            if self.text.at(j) == "or":
                for other, more, after in self._one(kind, j + 1, depth):
                    yield (Either(condition, other),), doubt + more + 0.1, after

    def _one(self, kind: Iri, i: int, depth: int) -> tuple[Read, ...]:
        if (kind, i, depth) not in self._read:
            of_others = (
                *self._within(kind, i, depth),
                *self._of_nameless(kind, i),
                *self.numbered(kind, i, depth),
            )
            self._read[kind, i, depth] = tuple(dict.fromkeys((*self.conditions.at(kind, i), *of_others)))
        return self._read[kind, i, depth]

    def _within(self, kind: Iri, i: int, depth: int) -> Iterator[Read]:
        """'by authors born in Vessen'"""
        if depth >= _DEEPEST:
            return
        for k in range(i + 1, min(i + _BETWEEN, len(self.text))):
            before = self.text.words[i:k]
            if self.text.at(k - 1) != "one" and number_at(self.text, k - 1) is not None:
                return
            if any(w in NEGATIONS for w in before) or self.text.at(k) in DETERMINERS:
                continue
            for things, j in self.things(k, depth + 1):
                if things.kind == kind and not things.conditions:
                    continue
                paths = self.schema.connections(kind, (things.kind,), stems(before))
                for rank, path in enumerate(self.conditions.one_way(kind, paths, things.kind)[:2]):
                    vague = 0.0 if things.conditions or things.first else 0.3
                    yield Within(path, things), things.doubt + 0.1 + vague + 0.2 * rank, j

    def numbered(self, kind: Iri, i: int, depth: int = 0) -> Iterator[Read]:
        """'with more than 10 books', 'who wrote at least 3 books in German', 'in which 5 employees work'"""
        for k in range(i, min(i + _BETWEEN + 2, len(self.text))):
            before = self.text.words[i:k]
            if any(w in NEGATIONS for w in before):
                return
            if self.text.at(k) in ("no", "without"):
                for path, things, doubt, after in self._of_number(kind, stems(before), k + 1, depth):
                    if things is not None and things.conditions:
                        yield Numbered(path, (("<", 1),), things), doubt, after
            for bounds, j in quantities(self.text, k):
                for path, things, doubt, after in self._of_number(kind, stems(before), j, depth):
                    done = self.schema.does(path, stems(before)) and "by" not in before
                    yield Numbered(path, bounds, things), doubt + (0.3 if done else 0.0), after

    def _of_number(
        self, kind: Iri, words: frozenset[str], i: int, depth: int
    ) -> Iterator[tuple[Path, Things | None, float, int]]:
        """What is counted from word `i` on, and the way there from things of a class. `words`: what was said
        before; a verb may come after."""
        for found, j in self.conditions.property_at(kind, i):
            if found.info.value not in ("number", "date") and words <= found.stems:
                yield found.path, None, 0.0, j
        for things, j in self.things(i, depth + 1) if depth < _DEEPEST else ():
            for after in range(j, min(j + 4, len(self.text)) + 1):
                trail = stems(self.text.words[j:after])
                last = self.text.at(after - 1)
                if after > j and not (trail and (stems((last,)) or last in PREPOSITIONS)):
                    continue
                for rank, path in enumerate(self._ways(kind, things.kind, words | trail)):
                    every = not things.conditions and self.schema.certain(path, things.kind)
                    doubt = things.doubt + 0.2 * rank + 0.1 * (len(path) - 1)
                    yield path, None if every else things, doubt, after

    def _ways(self, kind: Iri, other: Iri, words: frozenset[str]) -> Sequence[Path]:
        """From things of a class to those of another: of the same words, else where they say nothing much."""
        found = self.schema.connections(other, (kind,), words)
        found = found or self.schema.connections(other, (kind,), words - stems(LOOSE))
        return self.conditions.one_way(other, found, kind)[:2]

    # --- values: 'salary of the employees in Sales', 'salary in Sales', 'employee salary', 'salary'

    def values(self, i: int) -> Iterator[tuple[Things, Property, int]]:
        for kind in self.schema.kinds:
            for found, j in self.conditions.property_at(kind, i):
                yield Things(kind, doubt=0.3), found, j
                if self.text.at(j) in ("of", "for", "from", "in", "at"):
                    for things, after in self.things(j + 1):
                        if things.kind == kind:
                            yield things, found, after
                for conditions, doubt, after in self.described(kind, j):
                    if conditions:
                        yield Things(kind, conditions, None, doubt + 0.2), found, after
        for kind, j in self.conditions.kinds(i):
            for found, after in self.conditions.property_at(kind, j):
                yield Things(kind), found, after
        for things, j in self.things(i):
            for found in self.schema.properties(things.kind):
                if found.main:
                    yield replace(things, doubt=things.doubt + 0.1), found, j

    # --- before and at the noun

    def _number(self, i: int) -> tuple[int | None, int]:
        number = number_at(self.text, i)
        return (None, i) if number is None or number > 999 else (number, i + 1)

    def _adjective(self, i: int) -> Iterator[tuple[str, int]]:
        yield "", i
        yield from self.conditions.superlatives(i)

    def _noun(self, i: int, most: int = _MOST_BEFORE) -> Iterator[_Noun]:
        """A class, perhaps with names and what is true of it before it: 'stable isotopes', 'Polish books'."""
        for kind, j in self.conditions.kinds(i):
            yield kind, (), 0.0, j
        if i in self.text.names:
            end = self.text.names[i][0]
            for kind, others, more, j in self._noun(end, most - 1) if most else ():
                for condition, doubt, place in self.conditions.linked(kind, i, least=0):
                    if place == end:
                        yield kind, (condition, *others), doubt + more, j
            yield from self._named(i, end)
        elif most and i < len(self.text):
            for kind, others, more, j in self._noun(i + 1, most - 1):
                for condition, place in self.conditions.true_of(kind, i):
                    if place == i + 1:
                        yield kind, (condition, *others), more, j

    def _named(self, i: int, end: int) -> Iterator[_Noun]:
        """A common name stands for what it is said of: 'halogens', 'dramas'."""
        if not self.text.between(i, end).islower():
            return
        for candidate in self.text.names[i][1]:
            types = self.conditions.ground.types(candidate.entity)
            if not any(kind in self.schema.small_kinds for kind in types):
                continue
            for kind in self.schema.kinds:
                for path in self.schema.connections(kind, types, frozenset())[:1]:
                    if len(path) == 1 and self.conditions.ground.leads(candidate.entity, path):
                        yield kind, (Linked(path, (candidate.entity,)),), 0.35, end
