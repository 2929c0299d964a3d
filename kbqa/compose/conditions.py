"""What may be said of the things of a class, read from a place in a question on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from kbqa.compose.comparing import compared
from kbqa.compose.schema import MAKING, Property, Schema, stem, stems
from kbqa.compose.text import Text
from kbqa.compose.things import Beyond, Both, Condition, Either, First, Linked, Same, Valued
from kbqa.compose.words import (
    ABSENT,
    ADJECTIVES,
    ASIDE,
    COMPARATIVES,
    DETERMINERS,
    EXTREMES,
    HIGHER,
    JOINING,
    LOOSE,
    NEGATIONS,
    NOBODY,
    PREPOSITIONS,
    PRESENT,
    TIMELY,
    UNITS,
    VAGUE,
)
from kbqa.induce.english import singular
from kbqa.types import XSD, Exists, HasText, Iri, Kind, Lacks, Literal, Part, Path, Than, reverse

Read: TypeAlias = tuple[Condition, float, int]
"""A condition, how doubtful it is, and the place after it."""
_BETWEEN = 6
"""Words before what a condition names."""
_HAVING = ("with", "have", "has", "having", "had")
_COMING = frozenset(("come", "comes", "came"))
_LACKING = ("without", "lack", "lacks", "lacking", "missing")
_HOLDING = ("with", "have", "has", "having", "contain", "contains", "containing", "include", "includes",
            "including", "mention", "mentions", "mentioning")  # fmt: skip
_PARTS: dict[str, Part] = {
    "starts with": "starts", "start with": "starts", "starting with": "starts", "begins with": "starts",
    "begin with": "starts", "beginning with": "starts", "ends with": "ends", "end with": "ends",
    "ending with": "ends", "ends in": "ends", "ending in": "ends",
}  # fmt: skip
_SOONER = {"before": False, "earlier than": False, "prior to": False, "after": True, "later than": True}
_LONG, _BASE = 6, 4
"""Letters of an adjective that is in no table, and of the stem that it shares with a property."""
_SIGNS = ".+#@-/"
_NAMES = frozenset("name names title titles label labels".split())
_SPARE = DETERMINERS | JOINING | PREPOSITIONS
_MAKERS = frozenset(("by", "of", "from"))
_PLACING = frozenset(("where", "which", "that", "is", "are", "was", "were", "do", "does", "did"))
_PLACED = frozenset(("is", "are", "was", "lies", "in", "on", "at", "from", "belongs", "belong", "to", "of"))
"""'the branch where Ann is', 'the branch that Ann is in': before the name, and after it."""
_LOOSELY = stems(LOOSE)
_SOMEBODY = frozenset("somebody someone anybody anyone something anything somewhere anywhere ever".split())
_ANYONE = frozenset("anyone anybody anything ever yet at all been by".split())


class Ground(Protocol):
    """What the rules ask of the data."""

    def types(self, entity: Iri) -> Sequence[Iri]:
        """Its narrowest classes."""
        ...

    def spelt(self, path: Path, text: str) -> Sequence[Literal]:
        """The values at the end of a path that are this text, small and capital letters being alike."""
        ...

    def leads(self, entity: Iri, path: Path) -> bool:
        """Whether the path leads anywhere from it."""
        ...

    def joins(self, kind: Iri, path: Path, other: Iri | None, one: Iri | None = None) -> bool:
        """Whether the path leads to something of class `kind` from one thing, or any of class `other`."""
        ...

    def naming(self, kind: Iri) -> Path | None:
        """What gives the things of a class their names."""
        ...


@dataclass(frozen=True)
class Conditions:
    """Reads conditions on the things of a class. Every method yields all that can be read at a place."""

    text: Text
    schema: Schema
    ground: Ground

    def at(self, kind: Iri, i: int) -> Iterator[Read]:
        yield from self.linked(kind, i)
        yield from self._linked_both(kind, i)
        yield from self._compared(kind, i)
        yield from self._having(kind, i)
        yield from self._done(kind, i)
        yield from self._none(kind, i)
        yield from self._lacking(kind, i)
        yield from self._given(kind, i)
        yield from self._beyond(kind, i)
        yield from self._true(kind, i)
        yield from self._same(kind, i)
        yield from self._spelt(kind, i)
        yield from self._valued(kind, i)

    def _compared(self, kind: Iri, i: int) -> Iterator[Read]:
        """Without 'more than 10 books', where books are things and no number: they are counted."""
        properties = self.schema.properties(kind)
        nouns = {p.path: p.nouns for p in properties}
        for condition, doubt, j in compared(self.text, properties, i):
            said = {
                " ".join(self.text.words[j - size : j]) for size in range(1, self.schema.longest_noun + 1)
            }
            if not (said & self.schema.classes.keys()) - nouns[condition.path] - UNITS:
                yield condition, doubt, j

    # --- names: 'written by Ann', 'that Ann wrote', 'in German or French', 'not in Oslo'

    def linked(self, kind: Iri, i: int, least: int = 1) -> Iterator[Read]:
        """`least`: words before the name, where no verb follows it ('books Ann wrote')."""
        for k in range(i, min(i + _BETWEEN, len(self.text))):
            before = self.text.words[i:k]
            negated = any(w in NEGATIONS for w in before)
            for names, each, j in self._names(k):
                for after in range(j, min(j + 4, len(self.text) + 1)):
                    trail = self.text.words[j:after]
                    if any(w in NEGATIONS for w in trail):
                        break
                    if k < i + least and not stems(trail):
                        continue
                    words = stems(w for w in (*before, *trail) if w not in NEGATIONS)
                    placed = trail and trail[-1] in _PLACED and bool(_PLACING.intersection(before))
                    content = [stem(w) for w in (*before, *trail) if w not in ASIDE]
                    if len(set(content)) < len(content):  # 'the boss of Ann's boss'
                        continue
                    if trail and not (words or placed or trail[-1] in ("have", "has", "had", "got")):
                        continue
                    made = not words and (not before or bool(_MAKERS.intersection(before)))
                    first = stems(w for w in before if w not in NEGATIONS)
                    for condition, doubt in self._linked_by(kind, names, words, negated, made):
                        turned = 0.25 if self._turned(kind, condition, names[0], first, stems(trail)) else 0.0
                        yield condition, doubt + turned + (0.5 if each else 0.0), after

    def _linked_both(self, kind: Iri, i: int) -> Iterator[Read]:
        """'in both Dune and Emma', 'in Hawaii or Guam' where different properties lead to the two."""
        for k in range(i + 1, min(i + _BETWEEN, len(self.text))):
            before = self.text.words[i:k]
            place = k + 1 if self.text.at(k) == "both" else k
            if place not in self.text.names or any(w in NEGATIONS for w in before):
                continue
            middle, _ = self.text.names[place]
            link = self.text.at(middle)
            other = middle + 1
            while self.text.at(other) in ("in", "by", "at", "the", "from", "of", "with"):
                other += 1
            if other not in self.text.names or link not in ("and", "or") or (link == "and") != (place > k):
                continue
            each = [self._by_one(kind, n, stems(before)) for n in (place, other)]
            for first, doubt in each[0]:
                for second, more in each[1]:
                    if link == "or" and first.path == second.path:
                        continue
                    made = Both if link == "and" else Either
                    yield made(first, second), doubt + more + 0.1, self.text.names[other][0]

    def _by_one(self, kind: Iri, place: int, words: frozenset[str]) -> list[tuple[Linked, float]]:
        """What leads to one named thing, the likeliest only."""
        for rank, candidate in enumerate(self.text.names[place][1]):
            for path in self.schema.connections(kind, self.ground.types(candidate.entity), words)[:1]:
                return [(Linked(path, (candidate.entity,)), 0.3 * rank)]
        return []

    def _linked_by(
        self,
        kind: Iri,
        names: Sequence[Iri],
        words: frozenset[str],
        negated: bool,
        made: bool,
    ) -> Iterator[tuple[Linked, float]]:
        paths = self.schema.connections(kind, self.ground.types(names[0]), words, made)
        if words & MAKING and not any(self.ground.leads(names[0], p) for p in paths):
            paths = self.schema.connections(kind, self.ground.types(names[0]), words - MAKING, made)
        if len(paths) > 1:
            paths = self.one_way(kind, self._had(names[0], paths), None, names[0])
        loosely = 0.0
        if not paths and words & _LOOSELY:
            paths = self.schema.connections(kind, self.ground.types(names[0]), words - _LOOSELY, True)
            paths, loosely = self._had(names[0], paths)[:1], 0.2
        for rank, path in enumerate(p for p in paths if not (negated and len(p) > 1)):
            doubt = 0.2 * rank + 0.1 * (len(path) - 1) + (0.05 if not words else 0.0) + loosely
            yield Linked(path, tuple(names), negated), doubt

    def _turned(
        self, kind: Iri, condition: Linked, name: Iri, before: frozenset[str], after: frozenset[str]
    ) -> bool:
        """Whether the words say it the other way round: 'that are part of Dune', 'that Dune is part of'."""
        path, back, schema = condition.path, reverse(condition.path), self.schema
        if (not before and not after) or schema.ordered(path, before, after):
            return False
        return schema.ordered(back, before, after) and back in schema.connections(
            kind, self.ground.types(name), before | after
        )

    def _had(self, name: Iri, paths: Sequence[Path]) -> Sequence[Path]:
        """Without properties that nothing has with this value, where other properties have it."""
        own = [p for p in paths if len(p) == 1 and p[0].inverse]
        unused = [p for p in own if not self.ground.leads(name, p)] if len(own) > 1 else []
        return paths if len(unused) == len(own) else [p for p in paths if p not in unused]

    def one_way(
        self, kind: Iri, paths: Sequence[Path], other: Iri | None, one: Iri | None = None
    ) -> Sequence[Path]:
        """Without a path that leads to nothing of the class, where its reverse is another: 'blocks of the
        chapter' go one way from chapters to blocks."""
        there = set(paths)
        both = [p for p in paths if reverse(p) in there and reverse(p) != p]
        wrong = [p for p in both if not self.ground.joins(kind, p, other, one)]
        return paths if len(wrong) == len(paths) else [p for p in paths if p not in wrong]

    def _names(self, k: int) -> Iterator[tuple[Sequence[Iri], bool, int]]:
        """One name, or several of a class with 'or' between them. (names, whether a rarer meaning is taken,
        place)"""
        if k not in self.text.names:
            return
        j, candidates = self.text.names[k]
        for rank, candidate in enumerate(candidates):
            yield (candidate.entity,), rank > 0, j
        several, types = [candidates[0].entity], self.ground.types(candidates[0].entity)
        said_or = False
        while True:
            link = self.text.at(j) == "or"
            place = j + 1 if link else j
            while self.text.at(place) in ("in", "by", "at", "the", "from", "of"):
                place += 1
            if place not in self.text.names:
                return
            said_or = said_or or link
            j, more = self.text.names[place]
            alike = [c.entity for c in more if self.schema.shared(types, self.ground.types(c.entity))]
            if not alike:
                return
            several.append(alike[0])
            if said_or:
                yield tuple(several), False, j

    # --- what is true of it: 'that are radioactive', 'not stable'

    def true_of(self, kind: Iri, i: int) -> Iterator[tuple[Linked, int]]:
        for found, j in self.property_at(kind, i):
            if found.info.value == "truth" and (values := self.ground.spelt(found.path, "true")):
                yield Linked(reverse(found.path), tuple(values)), j

    def _true(self, kind: Iri, i: int) -> Iterator[Read]:
        for k in self._past(i, JOINING | NEGATIONS):
            for linked, j in self.true_of(kind, k) if k > i else ():
                negated = any(w in NEGATIONS for w in self.text.words[i:k])
                yield replace(linked, negated=negated), 0.0, j

    # --- 'higher than Oak Hill', 'released before Dune'

    def _beyond(self, kind: Iri, i: int) -> Iterator[Read]:
        for k in range(i, min(i + 4, len(self.text))):
            before = self.text.words[i:k]
            said = stems(before)
            for word, j in self._comparative(k):
                place = self._named(self.text.says(j, "than"))
                first = next(self.sorted_by(kind, COMPARATIVES.get(word, word)), None)
                if place is None or first is None or not said <= self.schema.stems(first.path):
                    continue
                yield self._past_that(first.path, first.descending, first.kind, place)
            for word, j in self.text.one_of(k, tuple(_SOONER)):
                place = self._named(j)
                dated = [p for p in self._sortable(kind, said) if p.info.value == "date"] if said else []
                if place is not None and dated:
                    yield self._past_that(dated[0].path, _SOONER[word], Kind.DATE, place)
            for word, j in self.text.one_of(k, tuple(HIGHER)):
                for than in range(j, min(j + 4, len(self.text))):
                    place = self._named(self.text.says(than, "than"))
                    meant = stems((*before, *self.text.words[j:than])) - MAKING
                    sized = [p for p in self._sortable(kind, meant) if p.info.value == "number"]
                    if place is not None and meant and sized:
                        yield self._past_that(sized[0].path, HIGHER[word], Kind.NUMBER, place)

    def _past_that(self, path: Path, highest: bool, kind: Kind, place: int) -> Read:
        after, candidates = self.text.names[place]
        return Beyond(path, ">" if highest else "<", kind, candidates[0].entity), 0.0, after

    def _named(self, i: int | None) -> int | None:
        """The place of a name from `i` on."""
        while i is not None and i not in self.text.names and self.text.at(i) in DETERMINERS:
            i += 1
        return i if i in self.text.names else None

    def _comparative(self, i: int) -> Iterator[tuple[str, int]]:
        yield from self.text.one_of(i, tuple(COMPARATIVES))
        word = self.text.at(i)
        if word == "more" and len(self.text.at(i + 1)) >= _LONG:
            yield f"more {self.text.at(i + 1)}", i + 2
        elif word.endswith("er") and len(word) >= _LONG and word not in COMPARATIVES:
            yield word, i + 1

    def comparatives(self, words: Sequence[str]) -> Iterator[str]:
        """Those of some words that compare two things."""
        said = f" {' '.join(words)} "
        yield from (word for word in COMPARATIVES if f" {word} " in said)
        for before, word in zip(("", *words), words, strict=False):
            if before == "more" and len(word) >= _LONG:
                yield f"more {word}"
            elif word.endswith("er") and len(word) >= _LONG and word not in COMPARATIVES:
                yield word

    def superlatives(self, i: int) -> Iterator[tuple[str, int]]:
        """'oldest', 'most recent', and what a property's own stem tells: 'densest'."""
        yield from self.text.one_of(i, tuple(ADJECTIVES))
        word = self.text.at(i)
        if word == "most" and len(self.text.at(i + 1)) >= _LONG:
            yield f"most {self.text.at(i + 1)}", i + 2
        elif word.endswith("est") and len(word) >= _LONG and word not in ADJECTIVES:
            yield word, i + 1

    # --- what there is and is not: 'with a phone', 'without a phone', 'that nobody borrowed'

    def _having(self, kind: Iri, i: int) -> Iterator[Read]:
        for k in self._past(i, JOINING - set(_HAVING)):
            if self.text.at(k) in _HAVING and self.text.at(k + 1) in ("a", "an", "any", "some"):
                for found, j in self.property_at(kind, k + 2):
                    yield Valued(found.path, (Exists(),)), 0.1, j

    def _done(self, kind: Iri, i: int) -> Iterator[Read]:
        """'that are used', 'that somebody borrowed', at the end: something leads to them, whatever it is."""
        for k in self._past(i, JOINING | _SOMEBODY | {"in"}):
            words = stems(self.text.words[k : k + 1])
            if k == i or not words or not self.text.ends(k + 1) or k in (*self.text.names, *self.text.values):
                continue
            for path in self.schema.doing(kind, words)[:1]:
                yield Valued(path, (Exists(),)), 0.3, k + 1

    def _none(self, kind: Iri, i: int) -> Iterator[Read]:
        """'won none', where it is known how many prizes were won."""
        for k in range(i + 1, min(i + 5, len(self.text))):
            words = stems(self.text.words[i:k])
            if self.text.at(k) in ("none", "nothing") and words:
                for found in self._sortable(kind, words):
                    if found.info.value == "number":
                        below = Than("<", Literal("1", XSD + "decimal"), Kind.NUMBER)
                        yield Either(Valued(found.path, (Lacks(),)), Valued(found.path, (below,))), 0.1, k + 1
                        break

    def _lacking(self, kind: Iri, i: int) -> Iterator[Read]:
        for k in range(i, min(i + 5, len(self.text))):
            if any(w not in JOINING | _COMING for w in self.text.words[i:k]):
                break
            word = self.text.at(k)
            if word in (*_LACKING, *NEGATIONS, *NOBODY):
                yield from self._lacked(kind, k + 1)
                break
            if word in _HAVING and self.text.at(k + 1) in ("no", *NEGATIONS):
                yield from self._lacked(kind, k + 2)
            elif word not in JOINING and self.text.at(k + 1) == "no":
                yield from self._lacked(kind, k + 2, stems((word,)))
                break

    def _lacked(self, kind: Iri, i: int, done: frozenset[str] = frozenset()) -> Iterator[Read]:
        """What is lacked: a property, things of a class, or that something has happened. `done`: a verb."""
        for j in range(i + 1, min(i + 7, len(self.text)) + 1):
            said = self.text.words[i:j]
            words = stems(w for w in said if w not in _ANYONE and w not in NEGATIONS)
            if not words or any(i <= n < j for n in (*self.text.names, *self.text.values)):
                continue
            for rank, path in enumerate(self.schema.leaving(kind, words | done)):
                yield Valued(path[:1], (Lacks(),)), 0.1 + 0.2 * rank, j

    def _given(self, kind: Iri, i: int) -> Iterator[Read]:
        """'whose phone is not known', 'with a phone that is absent', 'with a missing phone'"""
        for k in self._past(i, JOINING | DETERMINERS | {"with"}):
            for _, place in self.text.one_of(k, ABSENT):
                for found, j in self.property_at(kind, place):
                    yield Valued(found.path, (Lacks(),)), 0.0, j
            for found, j in self.property_at(kind, k):
                for place in self._past(j, JOINING):
                    for _, after in self.text.one_of(place, ABSENT):
                        yield Valued(found.path, (Lacks(),)), 0.0, after
                    for _, after in self.text.one_of(place, PRESENT) if place > j else ():
                        yield Valued(found.path, (Exists(),)), 0.0, after

    # --- 'in the same branch as Ann'

    def _same(self, kind: Iri, i: int) -> Iterator[Read]:
        for k in range(i, min(i + _BETWEEN, len(self.text))):
            start = self.text.says(k, "the same") or self.text.says(k, "same")
            if start is None:
                continue
            before = stems(self.text.words[i:k])
            for path, j in self.ways_to(kind, start, before):
                place = self.text.says(j, "as") or self.text.says(j, "like")
                if place is not None and place in self.text.names:
                    after, candidates = self.text.names[place]
                    yield Same(path, candidates[0].entity), 0.0, after
            return

    def ways_to(self, kind: Iri, i: int, words: frozenset[str] = frozenset()) -> Iterator[tuple[Path, int]]:
        """The paths from things of a class to what a noun at `i` names: a class or a property."""
        for other, j in self.kinds(i):
            paths = self.schema.connections(kind, (other,), words)
            paths = paths or self.schema.connections(kind, (other,), words - _LOOSELY)
            for path in self.one_way(kind, paths, other)[:1]:
                yield reverse(path), j
        for found, j in self.property_at(kind, i):
            if words <= found.stems:
                yield found.path, j

    def kinds(self, i: int) -> Iterator[tuple[Iri, int]]:
        """The classes that a noun at `i` names, the longest noun first."""
        for size in range(self.schema.longest_noun, 0, -1):
            if i + size <= len(self.text):
                noun = " ".join(self.text.words[i : i + size])
                for kind in self.schema.classes.get(noun) or self.schema.classes.get(singular(noun), ()):
                    yield kind, i + size

    def property_at(self, kind: Iri, i: int) -> Iterator[tuple[Property, int]]:
        """The properties that a noun at `i` names, the longest noun first."""
        for j in range(min(i + 5, len(self.text)), i, -1):
            noun = " ".join(w for n, w in enumerate(self.text.words[i:j]) if not n or w != "the")
            for found in self.schema.properties(kind):
                if noun in found.nouns:
                    yield found, j

    # --- texts: 'with "iron" in the title', 'whose title starts with "The"', 'with the job title analyst'

    def _spelt(self, kind: Iri, i: int) -> Iterator[Read]:
        for k in self._past(i, JOINING - {"has", "have", "having"}):
            if self.text.at(k) in _HOLDING:
                for said, j in (*self._said(k + 1), *self._unquoted(k + 1)):
                    yield from self._in_value(kind, said, j)
            for path, j in self._text_at(kind, k):
                j = next((n for w in ("do", "does", "that", "which") if (n := self.text.says(j, w))), j)
                if self.text.at(j) in _HOLDING:
                    for said, after in self._said(j + 1):
                        yield Valued(path, (HasText("contains", said),)), 0.0, after
                yield from self._part(path, j)
            named = self.ground.naming(kind)
            if named is not None:
                yield from self._part(named, k)

    def _part(self, path: Path, i: int) -> Iterator[Read]:
        for phrase, place in self.text.one_of(i, tuple(_PARTS)):
            for said, after in self._said(place):
                yield Valued(path, (HasText(_PARTS[phrase], said),)), 0.0, after

    def _in_value(self, kind: Iri, said: str, j: int) -> Iterator[Read]:
        named = self.ground.naming(kind)
        if named is not None and self.text.at(j) != "in":
            yield Valued(named, (HasText("contains", said),)), 0.2, j
        if self.text.at(j) in ("in", "as"):
            for path, after in self._text_at(kind, j + 1):
                yield Valued(path, (HasText("contains", said),)), 0.0, after

    def _said(self, i: int) -> Iterator[tuple[str, int]]:
        """A quoted text, or the one word after 'the word'."""
        for phrase in ("the word", "the text", "the words", "the letters", "the phrase", ""):
            place = self.text.says(i, phrase)
            if place is None:
                continue
            if place in self.text.quoted:
                after, said = self.text.quoted[place]
                yield said, after
            elif phrase and place < len(self.text):
                yield self.text.between(place, place + 1), place + 1

    def _unquoted(self, i: int) -> Iterator[tuple[str, int]]:
        """A word or two before 'in the title'."""
        for j in (i + 1, i + 2):
            if self.text.at(j) == "in" and self.text.at(j - 1) not in _SPARE:
                yield self.text.between(i, j), j

    def _text_at(self, kind: Iri, i: int) -> Iterator[tuple[Path, int]]:
        for k in self._past(i, DETERMINERS | {"whose"}):
            for found, j in self.property_at(kind, k):
                if found.info.value == "text":
                    yield found.path, j
            named = self.ground.naming(kind)
            if self.text.at(k) in _NAMES and named is not None:
                yield named, k + 1

    def _valued(self, kind: Iri, i: int) -> Iterator[Read]:
        for k in self._past(i, _SPARE | VAGUE):
            for found, j in (*self.property_at(kind, k), *self._headed(kind, k)):
                if found.info.value != "text":
                    continue
                start = next((n for w in ("is", "of", "was") if (n := self.text.says(j, w))), j)
                for after in range(min(start + 5, len(self.text)), start, -1):
                    values = self.value(found.path, start, after)
                    if values:
                        yield Linked(reverse(found.path), tuple(values)), 0.0, after
                        break

    def _headed(self, kind: Iri, i: int) -> Iterator[tuple[Property, int]]:
        """'code' for any of several codes, where the value tells which."""
        for found in self.schema.properties(kind):
            if any(noun.endswith(f" {self.text.at(i)}") for noun in found.nouns):
                yield found, i + 1

    def value(self, path: Path, i: int, j: int) -> Sequence[Literal]:
        """The values that are spelt as some words, or with the sign before them: '.tv', '+44'."""
        values = self.ground.spelt(path, self.text.between(i, j))
        start = self.text.tokens[i].start
        if not values and start and self.text.asked[start - 1] in _SIGNS:
            values = self.ground.spelt(path, self.text.asked[start - 1 : self.text.tokens[j - 1].end])
        return values

    # --- superlatives after the noun: 'with the most pages', 'is the cheapest', 'was published first'

    def extreme(self, kind: Iri, i: int) -> Iterator[tuple[First, float, int]]:
        for k in range(i, min(i + 5, len(self.text))):
            before = self.text.words[i:k]
            for adjective, j in self.superlatives(k):
                for first in self.sorted_by(kind, adjective):
                    if stems(before) <= self.schema.stems(first.path):
                        yield first, 0.1, j
            for word, j in self.text.one_of(k, tuple(EXTREMES)) if self.text.at(k - 1) != "at" else ():
                yield from self._extreme_of(kind, before, EXTREMES[word], j)
            for word, j in self.text.one_of(k, tuple(TIMELY)):
                if said := stems(before):
                    for found in self._sortable(kind, said):
                        if found.info.value == "date":
                            yield First(found.path, TIMELY[word], Kind.DATE), 0.0, j

    def _extreme_of(
        self, kind: Iri, before: Sequence[str], highest: bool, j: int
    ) -> Iterator[tuple[First, float, int]]:
        for after in range(min(j + 4, len(self.text)), j - 1, -1):
            said = stems((*before, *self.text.words[j:after]))
            if said and (stems(before) or after > j):
                for rank, found in enumerate(self._sortable(kind, said)):
                    yield First(found.path, highest, _kind(found)), 0.2 * rank, after

    def _sortable(self, kind: Iri, said: frozenset[str]) -> list[Property]:
        """Numbers and dates whose wordings hold these stems, those with nothing else in their name first."""
        found = [
            p for p in self.schema.properties(kind) if p.info.value in ("number", "date") and said <= p.stems
        ]
        return sorted(found, key=lambda p: not any(stems(n.split()) <= said for n in p.nouns))

    def sorted_by(self, kind: Iri, adjective: str) -> Iterator[First]:
        """What an adjective sorts the things of a class by: the first property of its kind that they have."""
        if adjective not in ADJECTIVES:
            yield from self._by_stem(kind, adjective)
        for words, sort, highest in ADJECTIVES.get(adjective, ()):
            for word in words:
                for found in self.schema.properties(kind):
                    if found.info.value == sort and stems((word,)) <= stems(
                        w for n in found.nouns for w in n.split()
                    ):
                        yield First(found.path, highest, _kind(found))
                        return

    def _by_stem(self, kind: Iri, adjective: str) -> Iterator[First]:
        """'densest' by the density, 'more electronegative' by the electronegativity."""
        last = adjective.rpartition(" ")[2]
        base = last[:-2] if " " in adjective else last.removesuffix("est").removesuffix("er")
        for found in self.schema.properties(kind) if len(base) >= _BASE else ():
            words = {w for noun in found.nouns for w in noun.split()}
            if found.info.value == "number" and any(w.startswith(base) for w in words):
                yield First(found.path, True, Kind.NUMBER)
                return

    # --- helpers

    def _past(self, i: int, spare: frozenset[str] | set[str]) -> Iterator[int]:
        """The places from `i` on that only spare words come before."""
        yield i
        while self.text.at(i) in spare and i - 1 < len(self.text):
            i += 1
            yield i


def _kind(found: Property) -> Kind:
    return Kind.DATE if found.info.value == "date" else Kind.NUMBER
