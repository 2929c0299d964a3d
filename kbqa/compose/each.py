"""A number, or values, for each of several: 'books per publisher', 'the average price per genre', 'members
with their email'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from kbqa.compose.comparing import number_at
from kbqa.compose.phrases import Phrases
from kbqa.compose.schema import Property, stems
from kbqa.compose.text import Text
from kbqa.compose.things import Make, Numbered, Reading, Steps, Things, Within, wrote
from kbqa.compose.words import (
    ADJECTIVES,
    ASIDE,
    COUNTING,
    EACH,
    LEADING,
    MEASURING,
    PARTING,
    TRAILING,
    related,
)
from kbqa.induce.induce import RDF_TYPE
from kbqa.types import Count, Find, Hop, Iri, Keep, Kind, Measure, Oftenest, Path, Ref, Step, Tally, reverse

_MOST = (
    "the most", "most", "the largest number of", "the highest number of", "the greatest number of",
    "by number of", "by the number of",
)  # fmt: skip
_FIRST: dict[str, bool] = {
    "highest": False, "largest": False, "biggest": False, "greatest": False, "most": False,
    "lowest": True, "smallest": True, "least": True, "by": False, "by the": False,
}  # fmt: skip
"""Before what is measured for each -> whether the lowest comes first."""
_ALONG = tuple(
    f"{word} {whose}"
    for word in (
        "with",
        "along with",
        "together with",
        "as well as",
        "and",
        "and also",
        "including",
        "and what is",
        "and what are",
    )
    for whose in ("their", "its")
)
_OF_EACH = ("of each", *(f"of each of {which}" for which in ("these", "those", "them")))
_WANTED: dict[str, tuple[str, ...]] = {
    "who": ("entity",), "when": ("date",), "where": ("entity",),
    "what": ("entity", "text", "number", "date"), "which": ("entity", "text"), "how": ("number",),
}  # fmt: skip
"""What a value is that is asked for so."""
_FILLING = frozenset(("each", "many", "much"))
_SUMMED: dict[str, bool] = {
    "the most": False, "most": False, "the highest total": False, "the largest total": False,
    "the fewest": True, "fewest": True, "the least": True, "the lowest total": True,
}  # fmt: skip
"""Before what is added up for each -> whether the lowest comes first."""
_ALTOGETHER = ("in total", "altogether", "all together", "combined", "between them", "in all")
_IF_ANY = (
    "if they have one", "if they have any", "if it has one", "if it has any", "if there is one",
    "if there is any", "if any", "if known", "if given", "if available", "where known", "where available",
    "where given", "when available", "if they have it",
)  # fmt: skip


@dataclass(frozen=True)
class Each:
    """Reads one question in all ways that leave no word over."""

    phrases: Phrases

    @property
    def text(self) -> Text:
        return self.phrases.text

    def readings(self, starts: Sequence[int]) -> Iterator[Reading]:
        for way in (
            self._tallied,
            self._parted,
            self._most,
            self._roles,
            self._summed,
            self._measured,
            self._highest,
            self._table,
        ):
            for i in starts:
                yield from way(i)
        yield from self._before()

    def about(self, kind: Iri, i: int, source: Ref) -> Iterator[tuple[float, Step]]:
        """What is asked from word `i` on of earlier answers: 'what is the average price per genre'."""
        while self.text.at(i) in LEADING | {"their", "its"}:
            i += 1
        for measure, start in self._measures(i):
            for found, j in self.phrases.conditions.property_at(kind, start):
                if found.info.value == "number":
                    for path, doubt in self._grouped(kind, j):
                        yield doubt, Tally(source, path, None, measure, found.path)
        for found, j in self.phrases.conditions.property_at(kind, i):
            for _, after in self.text.one_of(j, _OF_EACH) if found.info.value != "entity" else ():
                if self._ends_if_any(after):
                    yield 0.0, Tally(source, (), None, "values", found.path)

    # --- counts

    def _tallied(self, i: int) -> Iterator[Reading]:
        for _, start in self.text.one_of(i, (*COUNTING, *PARTING, "")):
            for things, j in self.phrases.things(self._past_of(start)):
                for path, doubt in self._grouped(things.kind, j, ("per",) if start == i else EACH):
                    yield self._wrote(things, _tally(path), doubt)

    def _parted(self, i: int) -> Iterator[Reading]:
        """'How many books per branch are in German?': what is counted by stands before the conditions."""
        for _, start in self.text.one_of(i, (*COUNTING, *PARTING)):
            for kind, j in self.phrases.conditions.kinds(self._past_of(start)):
                for _, place in self.text.one_of(j, EACH):
                    for path, after in self.phrases.conditions.ways_to(kind, place):
                        for said, doubt, end in self.phrases.described(kind, after):
                            if said and self.text.ends(end):
                                yield self._wrote(Things(kind, said), _tally(path), doubt)

    def _grouped(self, kind: Iri, j: int, markers: Sequence[str] = EACH) -> Iterator[tuple[Path, float]]:
        """'per publisher' from word `j` on, or after a verb: what things of a class are grouped by."""
        for k in range(j, min(j + 4, len(self.text))):
            for _, place in self.text.one_of(k, markers):
                yield from self._groups(kind, j, k, place)

    def _groups(self, kind: Iri, j: int, k: int, i: int) -> Iterator[tuple[Path, float]]:
        """The paths from things of a class to what they are counted by, which the question ends with."""
        before = self.text.words[j:k]
        for path, after in self.phrases.conditions.ways_to(kind, i):
            for end in range(after, min(after + 4, len(self.text)) + 1):
                said = stems(w for w in (*before, *self.text.words[after:end]) if w not in TRAILING)
                if said <= self.phrases.schema.stems(path) and self.text.ends(end):
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
                    if self.text.ends(after):
                        for path, doubt in self._doers(things.kind, start, k):
                            yield self._oftenest(things, path, limit, doubt, start)
                        yield from self._oftenest_of(things, start, k)
                yield from self._most_linked(start, k, place, limit)

    def _most_linked(self, start: int, k: int, place: int, limit: int | None) -> Iterator[Reading]:
        """'Which employee has the most skills', where a property and no class is called so."""
        for groups, j in self.phrases.things(start):
            if j > k or stems(self.text.words[j:k]) or groups.first is not None:
                continue
            for found, after in self.phrases.conditions.property_at(groups.kind, place):
                if found.info.value != "entity" or not self.text.ends(after):
                    continue
                steps = Steps(self.phrases.schema)
                some = steps.of(groups)
                each = steps.add(Find(steps.add(Find(some, found.path)), reverse(found.path)))
                steps.add(Oftenest(steps.add(Keep(each, some)) if groups.conditions else each))
                if limit is None:
                    yield groups.doubt + 0.15, tuple(steps.steps)

    def _doers(
        self, kind: Iri, i: int, k: int, besides: frozenset[str] = frozenset()
    ) -> Iterator[tuple[Path, float]]:
        """The paths from things of a class to what the words from `i` to `k` name, a noun and a verb.
        `besides`: stems that say something else."""
        schema = self.phrases.schema
        for j in range(i, k + 1):
            said = stems(self.text.words[j:k]) - besides
            for path, after in self.phrases.conditions.ways_to(kind, i, said):
                if after == j:
                    yield path, 0.1 * (len(path) - 1)
        if self.text.at(i) == "who":
            said = stems(self.text.words[i + 1 : k]) - besides
            for path in schema.connections(kind, schema.people, said)[:1]:
                yield reverse(path), 0.1

    def _limit(self, i: int) -> tuple[int, int | None]:
        while self.text.at(i) in ("the", "top"):
            i += 1
        number = number_at(self.text, i)
        return (i, None) if number is None or number > 999 else (i + 1, number)

    def _oftenest(self, things: Things, path: Path, limit: int | None, doubt: float, start: int) -> Reading:
        """The one found most often, of the class that is named at `start`."""
        steps = Steps(self.phrases.schema)
        found = steps.of(things)
        if limit is not None:
            steps.add(Tally(found, path, limit))
        else:
            each = steps.add(Find(found, path))
            named = {kind for kind, _ in self.phrases.conditions.kinds(start)}
            if named and not any(self.phrases.schema.certain(path, kind) for kind in named):
                each = steps.add(Keep(each, min(named), (Hop(RDF_TYPE, True),)))
            steps.add(Oftenest(each))
        return things.doubt + doubt, tuple(steps.steps)

    def _oftenest_of(self, things: Things, start: int, k: int) -> Iterator[Reading]:
        """'Which province of Canada has the most airports': one of a few, of which something is said."""
        schema = self.phrases.schema
        for groups, j in self.phrases.things(start):
            said = stems(self.text.words[j:k])
            if not groups.conditions or j > k:
                continue
            for path in schema.connections(things.kind, (groups.kind,), said)[:1]:
                steps = Steps(schema)
                some = steps.of(groups)
                each = steps.add(Find(steps.of(things), reverse(path)))
                steps.add(Oftenest(steps.add(Keep(each, some))))
                yield things.doubt + groups.doubt + 0.1, tuple(steps.steps)

    def _roles(self, i: int) -> Iterator[Reading]:
        """'Which publishers have more than 10 books', where no class but a property of books is called so."""
        yield from self._role(i, None)
        for _, start in self.text.one_of(i, COUNTING):
            yield from self._role(self._past_of(start), Count)

    def _role(self, i: int, last: Make | None) -> Iterator[Reading]:
        schema = self.phrases.schema
        for kind in schema.kinds:
            for found, j in self.phrases.conditions.property_at(kind, i):
                role, back = schema.led_to(found.path), reverse(found.path)
                if role is None or " ".join(self.text.words[i:j]) in schema.classes:
                    continue
                for counted, doubt, after in self.phrases.numbered(role, j):
                    if isinstance(counted, Numbered) and counted.path == back and self.text.ends(after):
                        conditions = (Within(found.path, Things(kind)), counted)
                        yield self._wrote(Things(role, conditions, None, doubt), last)

    # --- amounts

    def _measured(self, i: int) -> Iterator[Reading]:
        """'the average price of the books per genre'"""
        for measure, things, found, j in self._amounts(i):
            for path, doubt in self._grouped(things.kind, j):
                yield self._wrote(things, _tally(path, None, measure, found.path), doubt)

    def _highest(self, i: int) -> Iterator[Reading]:
        """'Which genre has the highest average price', 'the top 3 departments by average salary'"""
        start, limit = self._limit(i)
        for k in range(start, min(start + 8, len(self.text))):
            for word, place in self.text.one_of(k, tuple(_FIRST)):
                number = limit if limit is not None or word.startswith("by") else 1
                for measure, things, found, after in self._amounts(place):
                    if measure in ("average", "sum") and self.text.ends(after):
                        for path, doubt in self._doers(things.kind, start, k, found.stems):
                            last = _tally(path, number, measure, found.path, _FIRST[word])
                            yield self._wrote(things, last, doubt)
            for adjective, place in self.text.one_of(k, tuple(ADJECTIVES)):
                yield from self._on_average(start, k, place, adjective, limit or 1)

    def _summed(self, i: int) -> Iterator[Reading]:
        """'Which ward has the most beds in total?', where each of its rooms has a number of beds."""
        start, limit = self._limit(i)
        schema, conditions = self.phrases.schema, self.phrases.conditions
        for group, j in conditions.kinds(start):
            for k in range(j, min(j + 4, len(self.text))):
                for word, place in self.text.one_of(k, tuple(_SUMMED)):
                    end = next((e for e in range(place + 1, len(self.text)) if self._altogether(e)), None)
                    tail = self.text.words[place:end]
                    for kind, found in schema.counted(stems(tail), stems((*self.text.words[j:k], *tail))):
                        for path in schema.connections(group, (kind,), frozenset())[:1]:
                            if kind != group and len(path) == 1:
                                last = _tally(path, limit or 1, "sum", found.path, _SUMMED[word])
                                yield self._wrote(Things(kind), last, 0.25)

    def _altogether(self, i: int) -> bool:
        return any(self.text.ends(after) for _, after in self.text.one_of(i, _ALTOGETHER))

    def _on_average(self, i: int, k: int, place: int, adjective: str, limit: int) -> Iterator[Reading]:
        """'Which branch has the cheapest books on average'"""
        for things, j in self.phrases.things(place):
            after = self.text.says(j, "on average")
            first = next(self.phrases.conditions.sorted_by(things.kind, adjective), None)
            if first is None or first.kind is not Kind.NUMBER or after is None or not self.text.ends(after):
                continue
            for path, doubt in self._doers(things.kind, i, k):
                last = _tally(path, limit, "average", first.path, not first.descending)
                yield self._wrote(things, last, doubt)

    def _amounts(self, i: int) -> Iterator[tuple[Measure, Things, Property, int]]:
        """'average price of the books' at word `i`."""
        for measure, start in self._measures(i):
            for things, found, j in self.phrases.values(self._past_of(start)):
                if found.info.value == "number":
                    yield measure, things, found, j

    def _measures(self, i: int) -> Iterator[tuple[Measure, int]]:
        for measure, words in MEASURING.items():
            for _, start in self.text.one_of(i, words):
                yield measure, start

    def _before(self) -> Iterator[Reading]:
        """'For each department, what is the average salary?'"""
        for marker, place in self.text.one_of(0, EACH):
            for k in range(place + 1, min(place + 4, len(self.text)) if marker != "by" else 0):
                i = k
                while self.text.at(i) in LEADING:
                    i += 1
                for measure, things, found, j in self._amounts(i):
                    yield from self._ended(things, j, place, k, measure, found.path)
                for _, start in self.text.one_of(i, COUNTING):
                    for things, j in self.phrases.things(self._past_of(start)):
                        yield from self._ended(things, j, place, k)

    def _ended(
        self, things: Things, j: int, place: int, k: int, measure: Measure = "count", value: Path = ()
    ) -> Iterator[Reading]:
        """What the words from `place` to `k` name is what the question, which ends at `j`, is grouped by."""
        if self.text.ends(j):
            for path, after in self.phrases.conditions.ways_to(things.kind, place):
                if after == k:
                    yield self._wrote(things, _tally(path, None, measure, value), 0.1 * (len(path) - 1))

    # --- values beside what has them

    def _table(self, i: int) -> Iterator[Reading]:
        """'the members with their email if they have one'"""
        for things, j in self.phrases.things(i):
            for _, place in self.text.one_of(j, _ALONG):
                for found, after in self.phrases.conditions.property_at(things.kind, place):
                    if found.info.value != "entity" and self._ends_if_any(after):
                        yield self._wrote(things, _tally((), None, "values", found.path))
            yield from self._asked_besides(things, j)

    def _asked_besides(self, things: Things, i: int) -> Iterator[Reading]:
        """'... and who directed them?', '... and what is its code?'"""
        asking = self.text.at(i + 1)
        if self.text.at(i) != "and" or asking not in _WANTED:
            return
        said = [
            w for w in self.text.words[i + 2 :] if w not in ASIDE and w not in TRAILING and w not in _FILLING
        ]
        for found in self.phrases.schema.properties(things.kind) if said else ():
            wanted = found.info.value in _WANTED[asking]
            if wanted and all(stems((w, *related(w))) & found.stems for w in said):
                yield self._wrote(things, _tally((), None, "values", found.path), 0.1)
                return

    def _ends_if_any(self, i: int) -> bool:
        return self.text.ends(i) or any(self.text.ends(j) for _, j in self.text.one_of(i, _IF_ANY))

    # --- helpers

    def _past_of(self, i: int) -> int:
        while self.text.at(i) in ("of", "the", "all"):
            i += 1
        return i

    def _wrote(self, things: Things, last: Make | None, doubt: float = 0.0) -> Reading:
        return wrote(self.phrases.schema, things, last, doubt)


def _tally(
    path: Path,
    limit: int | None = None,
    measure: Measure | Literal["values"] = "count",
    value: Path = (),
    rising: bool = False,
) -> Make:
    return lambda found: Tally(found, path, limit, measure, value, rising)
