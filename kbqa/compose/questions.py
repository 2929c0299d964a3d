"""Whole questions: an operation on what a noun phrase speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbqa.compose.asking import asked
from kbqa.compose.comparing import compared
from kbqa.compose.descriptions import Descriptions
from kbqa.compose.each import Each
from kbqa.compose.phrases import Phrases
from kbqa.compose.schema import Property, stems
from kbqa.compose.text import Text
from kbqa.compose.things import Linked, Make, Reading, Steps, Things, wrote
from kbqa.compose.versus import of_two
from kbqa.compose.words import (
    ASIDE,
    AVERAGES,
    COUNTING,
    DETERMINERS,
    EXTREMES,
    JOINING,
    LEADING,
    POSITIVES,
    PREPOSITIONS,
    SUMS,
    VAGUE,
)
from kbqa.protocols import Candidate
from kbqa.types import Amount, Count, Find, Iri, Keep, Kind, Path, Pick, Ref, Than, reverse

_ARTICLES = DETERMINERS - {"of"}
_OF = frozenset(("of", "for", "from", "in", "at", "to"))
_MEANING = frozenset("is does do mean means meaning stand stands for represent represents".split())
_SPARE = DETERMINERS | JOINING | PREPOSITIONS
_BEING = DETERMINERS | {"is", "are", "was", "were"}
_MUCH = LEADING | {"how", "many", "much", "in", "total", "altogether"}


@dataclass(frozen=True)
class Questions:
    """Reads one question in all ways that leave no word over."""

    phrases: Phrases

    @property
    def text(self) -> Text:
        return self.phrases.text

    def readings(self) -> Iterator[Reading]:
        yield from asked(self.phrases)
        yield from of_two(self.phrases)
        starts = list(self._starts())
        for i in starts:
            yield from self._counted(i)
        yield from Each(self.phrases).readings(starts)
        for way in (self._amount, self._valued, self._listed):
            for i in starts:
                yield from way(i)
        yield from self._who()
        yield from self._happened()
        yield from self._done_with_one()
        yield from self._in_both()
        yield from self._having_value()
        yield from self._whose()
        yield from Descriptions(self.phrases).readings()

    def _starts(self) -> Iterator[int]:
        """The places before which nothing but words that lead to a noun phrase stand."""
        yield 0
        for i, word in enumerate(self.text.words):
            if i == 0 and word in PREPOSITIONS and self.text.at(1) in ("which", "what"):
                continue
            named = self.text.at(i - 1) in ("which", "what") and word in self.phrases.schema.classes
            if word not in LEADING or named:
                return
            yield i + 1

    def _wrote(self, things: Things, last: Make | None = None) -> Reading:
        return wrote(self.phrases.schema, things, last)

    # --- lists and counts

    def _listed(self, i: int) -> Iterator[Reading]:
        if i == 0 and self._is_question(self.text.at(0)):
            return
        for things, j in self.phrases.things(i):
            if self.text.ends(j):
                yield self._wrote(things)

    @staticmethod
    def _is_question(word: str) -> bool:
        """Whether a question that begins so is answered by yes or no."""
        return word in ("is", "are", "was", "were", "do", "does", "did", "has", "have", "had")

    def _happened(self) -> Iterator[Reading]:
        """'What was discovered in 1898?': things of whichever class that is a date of."""
        if self.text.at(0) != "what" or self.text.at(1) not in ("was", "were"):
            return
        for kind in self.phrases.schema.kinds:
            for found, doubt, j in compared(self.text, self.phrases.schema.properties(kind), 1):
                dated = any(isinstance(test, Than) and test.kind is Kind.DATE for test in found.tests)
                if dated and self.text.ends(j) and stems(self._said(1, j)):
                    yield self._wrote(Things(kind, (found,), None, doubt + 0.3))

    def _who(self) -> Iterator[Reading]:
        """'Who borrowed ...': people, of whichever class the rest is said."""
        if self.text.at(0) not in ("who", "whom"):
            return
        for kind in self.phrases.schema.people:
            for conditions, doubt, j in self.phrases.described(kind, 1):
                if conditions and self.text.ends(j) and stems(self._said(1, j)):
                    yield self._wrote(Things(kind, conditions, None, doubt + 0.2))

    def _done_with_one(self) -> Iterator[Reading]:
        """'When did Dune come out?', 'What is Dune rated?', 'Who found Dune?'"""
        names, asking = self.text.names, self.text.at(0)
        if len(names) != 1 or asking not in ("when", "what", "who", "how"):
            return
        ((place, (after, candidates)),) = names.items()
        said = [w for w in (*self.text.words[1:place], *self.text.words[after:]) if w not in _SPARE]
        if asking == "how":
            yield from self._sized(candidates, [w for w in said if w not in _MUCH and w not in ASIDE])
            return
        twice = len(set(said)) < len(said)  # 'the boss of Ann's boss'
        for rank, candidate in enumerate(candidates if said and not twice else ()):
            for kind in self.phrases.conditions.ground.types(candidate.entity):
                for found in self.phrases.schema.properties(kind):
                    if self._asked_by(asking, found) and all(found.says(w) for w in said):
                        path = self._way_round(found.path, place, after)
                        yield 0.3 + 0.3 * rank, (Find(candidate.entity, path),)
                        break

    def _way_round(self, path: Path, place: int, after: int) -> Path:
        """A path, or its reverse where the words around the name say that: 'What is part of Dune?'"""
        schema, around = self.phrases.schema, (self.text.words[1:place], self.text.words[after:])
        before, trail = map(stems, around)
        turned = schema.ordered(reverse(path), before, trail) and not schema.ordered(path, before, trail)
        return reverse(path) if turned else path

    def _sized(self, candidates: Sequence[Candidate], said: Sequence[str]) -> Iterator[Reading]:
        """'How big is Oak Branch?', 'How many inhabitants are there in Oslo?', 'How long does Dune last?'"""
        conditions = self.phrases.conditions
        for rank, candidate in enumerate(candidates if said else ()):
            for kind in conditions.ground.types(candidate.entity):
                first = next(conditions.sorted_by(kind, POSITIVES.get(said[0], "")), None)
                if first is not None and stems(said[1:]) <= self.phrases.schema.stems(first.path):
                    yield 0.2 + 0.3 * rank, (Find(candidate.entity, first.path),)
                    continue
                for found in self.phrases.schema.properties(kind):
                    if found.info.value == "number" and all(found.says(w) for w in said):
                        yield 0.3 + 0.3 * rank, (Find(candidate.entity, found.path),)
                        break
                else:
                    yield from self._summed(candidate.entity, kind, stems(said), 0.45 + 0.3 * rank)

    def _summed(self, one: Iri, kind: Iri, said: frozenset[str], doubt: float) -> Iterator[Reading]:
        """'How many beds does Cardiology have?', where the beds are counted of each of its wards."""
        schema = self.phrases.schema
        for other, found in schema.counted(said, said) if "many" in self.text.words else ():
            for path in schema.connections(other, (kind,), frozenset(), made=True)[:1]:
                if other != kind and len(path) == 1 and self.phrases.conditions.ground.leads(one, path):
                    yield self._wrote(Things(other, (Linked(path, (one,)),), None, doubt), _sum(found.path))

    def _asked_by(self, asking: str, found: Property) -> bool:
        schema = self.phrases.schema
        match asking:
            case "when":
                return found.info.value == "date"
            case "who":
                return found.info.value == "entity"
        led = schema.led_to(found.path)
        return found.info.value != "date" and (led is None or schema.is_named(led))

    def _having_value(self) -> Iterator[Reading]:
        """'What does the code E11 mean?', 'What is code E11?'"""
        if self.text.at(0) not in ("what", "whats", "which", "who"):
            return
        conditions, end = self.phrases.conditions, len(self.text)
        while self.text.at(end - 1) in _MEANING:
            end -= 1
        i = 1
        while self.text.at(i) in _MEANING | DETERMINERS:
            i += 1
        for kind in self.phrases.schema.kinds:
            for found, j in conditions.property_at(kind, i):
                if (
                    found.info.value == "text"
                    and j < end
                    and (values := conditions.value(found.path, j, end))
                ):
                    yield 0.4, (Find(values[0], reverse(found.path)),)

    def _whose(self) -> Iterator[Reading]:
        """'Whose currency is the Pound Sterling?', 'Whose boss was Ann?'"""
        if self.text.at(0) != "whose":
            return
        for kind in self.phrases.schema.kinds:
            for found, j in self.phrases.conditions.property_at(kind, 1):
                while self.text.at(j) in _BEING:
                    j += 1
                after, candidates = self.text.names.get(j, (0, ()))
                back = reverse(found.path)
                if self.text.ends(after) and self.phrases.conditions.ground.leads(candidates[0].entity, back):
                    yield 0.2, (Find(candidates[0].entity, back),)

    def _in_both(self) -> Iterator[Reading]:
        """'the actors who were in both Dune and Emma': a property of the two, which no class is called by."""
        names, conditions = self.text.names, self.phrases.conditions
        for place, (middle, candidates) in names.items():
            if self.text.at(middle) != "and" or middle + 1 not in names or self.text.at(place - 1) != "both":
                continue
            after, others = names[middle + 1]
            for i in self._starts():
                for kind in conditions.ground.types(candidates[0].entity):
                    for found, j in conditions.property_at(kind, i):
                        between = [w for w in self.text.words[j:place] if w not in _SPARE and w != "both"]
                        if self.text.ends(after) and all(found.says(w) for w in between):
                            first = Find(candidates[0].entity, found.path)
                            yield 0.1, (first, Keep(Ref(1), others[0].entity, found.path))

    def _said(self, i: int, j: int) -> list[str]:
        """Words outside of names."""
        taken = {n for start, (end, _) in self.text.names.items() for n in range(start, end)}
        return [w for n, w in enumerate(self.text.words[i:j], i) if n not in taken]

    def _counted(self, i: int) -> Iterator[Reading]:
        for _, start in self.text.one_of(i, (*COUNTING, "how much")):
            for things, j in self.phrases.things(self._past_of(start)):
                if self.text.ends(j):
                    yield self._wrote(things, Count)

    def _past_of(self, i: int) -> int:
        while self.text.at(i) in ("of", "the", "all", "different", "distinct"):
            i += 1
        return i

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
        for things, found, after in self.phrases.values(i):
            if self.text.ends(after):
                yield things, found

    def _value_of_one(self, i: int) -> Iterator[Reading]:
        """'phone of Oak Branch', 'Oak Branch's phone'"""
        conditions, names = self.phrases.conditions, self.text.names
        if i in names:
            j, candidates = names[i]
            for candidate in candidates:
                for kind in conditions.ground.types(candidate.entity):
                    for found, after in conditions.property_at(kind, j):
                        if self.text.ends(after):
                            yield 0.1, (Find(candidate.entity, found.path),)
        for place, (after, candidates) in names.items():
            k = place - 1
            while self.text.at(k) in _ARTICLES:
                k -= 1
            if self.text.at(k) not in _OF or k <= i or not self.text.ends(after):
                continue
            for candidate in candidates:
                for kind in conditions.ground.types(candidate.entity):
                    for found, end in conditions.property_at(kind, i):
                        if end <= k and all(w in VAGUE for w in self.text.words[end:k]):
                            yield 0.1, (Find(candidate.entity, found.path),)


def _average(path: Path) -> Make:
    return lambda found: Amount(found, path, "average")


def _sum(path: Path) -> Make:
    return lambda found: Amount(found, path, "sum")


def _find(path: Path) -> Make:
    return lambda found: Find(found, path)
