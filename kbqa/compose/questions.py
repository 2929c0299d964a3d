"""Whole questions: an operation on what a noun phrase speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from kbqa.compose.asking import asked
from kbqa.compose.phrases import Phrases
from kbqa.compose.schema import Property, stems
from kbqa.compose.text import Text
from kbqa.compose.things import Steps, Things
from kbqa.compose.words import (
    AVERAGES,
    DETERMINERS,
    EXTREMES,
    LEADING,
    NUMBERS,
    SUMS,
    TRAILING,
)
from kbqa.types import Amount, Count, Find, Iri, Kind, Oftenest, Path, Pick, Ref, Step, Tally, reverse

Reading: TypeAlias = tuple[float, tuple[Step, ...]]
"""How doubtful a reading is, and its steps."""
_OF = frozenset(("of", "for", "from", "in", "at"))
_EACH = (
    "for each", "for every", "in each", "in every", "of each", "of every", "at each", "at every", "by each",
    "from each", "per", "each", "every", "by",
)  # fmt: skip
_MOST = (
    "the most", "most", "the largest number of", "the highest number of", "the greatest number of",
    "by number of", "by the number of",
)  # fmt: skip
_COUNTING = ("how many", "number of", "count")
_MUCH = LEADING | {"how", "many", "much"}


@dataclass(frozen=True)
class Questions:
    """Reads one question in all ways that leave no word over."""

    phrases: Phrases

    @property
    def text(self) -> Text:
        return self.phrases.text

    def readings(self) -> Iterator[Reading]:
        yield from asked(self.phrases)
        starts = list(self._starts())
        for way in (self._counted, self._tallied, self._most, self._amount, self._valued, self._listed):
            for i in starts:
                yield from way(i)
        yield from self._who()

    def _starts(self) -> Iterator[int]:
        """The places before which nothing but words that lead to a noun phrase stand."""
        yield 0
        for i, word in enumerate(self.text.words):
            if word not in LEADING:
                return
            yield i + 1

    def _ends(self, i: int) -> bool:
        return all(word in TRAILING for word in self.text.words[i:])

    def _wrote(self, things: Things, last: _Make | None = None) -> Reading:
        steps = Steps(self.phrases.schema)
        found = steps.of(things)
        if last is not None:
            steps.add(last(found))
        return things.doubt, tuple(steps.steps)

    # --- lists and counts

    def _listed(self, i: int) -> Iterator[Reading]:
        if i == 0 and self._is_question(self.text.at(0)):
            return
        for things, j in self.phrases.things(i):
            if self._ends(j):
                yield self._wrote(things)

    @staticmethod
    def _is_question(word: str) -> bool:
        """Whether a question that begins so is answered by yes or no."""
        return word in ("is", "are", "was", "were", "do", "does", "did", "has", "have", "had")

    def _who(self) -> Iterator[Reading]:
        """'Who borrowed ...': people, of whichever class the rest is said."""
        if self.text.at(0) not in ("who", "whom"):
            return
        for kind in self.phrases.schema.people:
            for conditions, doubt, j in self.phrases.described(kind, 1):
                if conditions and self._ends(j) and stems(self._said(1, j)):
                    yield self._wrote(Things(kind, conditions, None, doubt + 0.2))

    def _said(self, i: int, j: int) -> list[str]:
        """Words outside of names."""
        taken = {n for start, (end, _) in self.text.names.items() for n in range(start, end)}
        return [w for n, w in enumerate(self.text.words[i:j], i) if n not in taken]

    def _counted(self, i: int) -> Iterator[Reading]:
        for _, start in self.text.one_of(i, _COUNTING):
            for things, j in self.phrases.things(self._past_of(start)):
                if self._ends(j):
                    yield self._wrote(things, Count)

    def _past_of(self, i: int) -> int:
        while self.text.at(i) in ("of", "the", "all"):
            i += 1
        return i

    # --- counts for each thing of a class, and the thing with the highest

    def _tallied(self, i: int) -> Iterator[Reading]:
        for _, start in self.text.one_of(i, (*_COUNTING, "")):
            for things, j in self.phrases.things(self._past_of(start)):
                for k in range(j, min(j + 4, len(self.text))):
                    for marker, place in self.text.one_of(k, _EACH):
                        if start == i and marker not in ("per",):
                            continue
                        for path, doubt in self._groups(things.kind, j, k, place):
                            more, steps = self._wrote(things, _tally(path))
                            yield more + doubt, steps

    def _groups(self, kind: Iri, j: int, k: int, i: int) -> Iterator[tuple[Path, float]]:
        """The paths from things of a class to what they are counted by, which the question ends with."""
        before = self.text.words[j:k]
        for path, after in self.phrases.conditions.ways_to(kind, i):
            for end in range(after, min(after + 4, len(self.text)) + 1):
                said = stems(w for w in (*before, *self.text.words[after:end]) if w not in TRAILING)
                if said <= self.phrases.schema.stems(path) and self._ends(end):
                    yield path, 0.1 * (len(path) - 1)
                    break

    def _most(self, i: int) -> Iterator[Reading]:
        """'Which author wrote the most books', 'the top 3 authors by number of books'"""
        start, limit = self._limit(i)
        for k in range(start, min(start + 8, len(self.text))):
            for phrase, place in self.text.one_of(k, _MOST):
                if phrase == "most" and self.text.at(k - 1) == "the":
                    continue
                for things, after in self.phrases.things(place):
                    if self._ends(after):
                        for path, doubt in self._doers(things.kind, start, k):
                            yield self._oftenest(things, path, limit, doubt)

    def _doers(self, kind: Iri, i: int, k: int) -> Iterator[tuple[Path, float]]:
        """The paths from things of a class to what the words from `i` to `k` name, a noun and a verb."""
        schema = self.phrases.schema
        for j in range(i, k + 1):
            said = stems(self.text.words[j:k])
            for path, after in self.phrases.conditions.ways_to(kind, i, said):
                if after == j:
                    yield path, 0.1 * (len(path) - 1)
        if self.text.at(i) == "who":
            said = stems(self.text.words[i + 1 : k])
            for path in schema.connections(kind, schema.people, said)[:1]:
                yield reverse(path), 0.1

    def _limit(self, i: int) -> tuple[int, int | None]:
        while self.text.at(i) in ("the", "top"):
            i += 1
        word = self.text.at(i)
        number = int(word) if word.isdecimal() and len(word) < 4 else NUMBERS.get(word)
        return (i, None) if number is None else (i + 1, number)

    def _oftenest(self, things: Things, path: Path, limit: int | None, doubt: float) -> Reading:
        steps = Steps(self.phrases.schema)
        found = steps.of(things)
        if limit is not None:
            steps.add(Tally(found, path, limit))
        else:
            steps.add(Oftenest(steps.add(Find(found, path))))
        return things.doubt + doubt, tuple(steps.steps)

    # --- values: 'the average salary of ...', 'the prices of ...', 'Ann's phone'

    def _amount(self, i: int) -> Iterator[Reading]:
        for words, make in ((AVERAGES, _average), (SUMS, _sum)):
            for _, start in self.text.one_of(i, words):
                for things, found in self._values_of(self._past_of(start)):
                    if found.info.value == "number":
                        yield self._wrote(things, make(found.path))
        yield from self._afterwards(i)
        for word, start in self.text.one_of(i, tuple(EXTREMES)):
            for things, found in self._values_of(start):
                if found.info.value in ("number", "date"):
                    yield self._extreme(things, found, EXTREMES[word])

    def _afterwards(self, i: int) -> Iterator[Reading]:
        """'How many pages do the books by Ann have on average?', 'What do all projects cost in total?'"""
        for ending, make in (("on average", _average), ("in total", _sum), ("altogether", _sum)):
            end = len(self.text) - len(ending.split())
            if self.text.says(end, ending) is None:
                continue
            for k in range(i, end):
                for things, j in self.phrases.things(k):
                    said = stems(
                        w for w in (*self.text.words[i:k], *self.text.words[j:end]) if w not in _MUCH
                    )
                    if j > end or not said:
                        continue
                    for found in self.phrases.schema.properties(things.kind):
                        if found.info.value == "number" and said <= found.stems:
                            yield self._wrote(things, make(found.path))
                            break

    def _extreme(self, things: Things, found: Property, highest: bool) -> Reading:
        """The highest of the values themselves."""
        steps = Steps(self.phrases.schema)
        values = steps.add(Find(steps.of(things), found.path))
        kind = Kind.DATE if found.info.value == "date" else Kind.NUMBER
        steps.add(Pick(values, "answer", (), highest, kind))
        return things.doubt, tuple(steps.steps)

    def _valued(self, i: int) -> Iterator[Reading]:
        for things, found in self._values_of(i):
            yield self._wrote(things, _find(found.path))
        yield from self._value_of_one(i)

    def _values_of(self, i: int) -> Iterator[tuple[Things, Property]]:
        """'salary of the employees in Sales', 'salary in Sales', 'employee salary', 'salary'"""
        schema = self.phrases.schema
        for kind in schema.kinds:
            for found, j in self.phrases.conditions.property_at(kind, i):
                if self._ends(j):
                    yield Things(kind, doubt=0.3), found
                if self.text.at(j) in _OF:
                    for things, after in self.phrases.things(j + 1):
                        if things.kind == kind and self._ends(after):
                            yield things, found
                for conditions, doubt, after in self.phrases.described(kind, j):
                    if conditions and self._ends(after):
                        yield Things(kind, conditions, None, doubt + 0.2), found
        for kind, j in self.phrases.conditions.kinds(i):
            for found, after in self.phrases.conditions.property_at(kind, j):
                if self._ends(after):
                    yield Things(kind), found

    def _value_of_one(self, i: int) -> Iterator[Reading]:
        """'phone of Oak Branch', 'Oak Branch's phone'"""
        conditions, names = self.phrases.conditions, self.text.names
        if i in names:
            j, candidates = names[i]
            for candidate in candidates:
                for kind in conditions.ground.types(candidate.entity):
                    for found, after in conditions.property_at(kind, j):
                        if self._ends(after):
                            yield 0.1, (Find(candidate.entity, found.path),)
        for place, (after, candidates) in names.items():
            k = place - 1
            while self.text.at(k) in DETERMINERS:
                k -= 1
            if self.text.at(k) not in _OF or k <= i or not self._ends(after):
                continue
            for candidate in candidates:
                for kind in conditions.ground.types(candidate.entity):
                    for found, end in conditions.property_at(kind, i):
                        if end == k:
                            yield 0.1, (Find(candidate.entity, found.path),)


_Make: TypeAlias = Callable[[Ref], Step]
"""A last step about what was found."""


def _average(path: Path) -> _Make:
    return lambda found: Amount(found, path, "average")


def _sum(path: Path) -> _Make:
    return lambda found: Amount(found, path, "sum")


def _tally(path: Path) -> _Make:
    return lambda found: Tally(found, path)


def _find(path: Path) -> _Make:
    return lambda found: Find(found, path)
