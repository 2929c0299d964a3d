"""What is asked of something that is described and not named: 'When was the author of Dune born?', 'How long
are the books by Ann?', 'Who is the boss of Ann's boss?'"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbqa.compose.phrases import Phrases
from kbqa.compose.schema import Property, stems
from kbqa.compose.text import Text
from kbqa.compose.things import Reading, Steps, Things
from kbqa.compose.words import ASIDE, DETERMINERS, JOINING, LEADING, POSITIVES, PREPOSITIONS, related
from kbqa.induce.tables import AGENTS
from kbqa.types import Amount, Find, Iri, Path, Ref, Step

_DEEPEST = 2
_DOUBT = 0.5
"""So that what is read otherwise comes first, and alone."""
_OF = frozenset(("of", "for", "from", "in", "at", "to"))
_ASKING = ("when", "what", "who", "whom", "how", "where", "which")
_SPARE = DETERMINERS | JOINING | PREPOSITIONS
_MUCH = LEADING | {"how", "many", "much", "up"}
_ARTICLES = DETERMINERS - {"of"}
_BEFORE = _SPARE | LEADING | POSITIVES.keys() | {"how", "much", "many", "average"}
"""Words that a description may come after."""
_ON_AVERAGE = "on average"


@dataclass(frozen=True)
class Described:
    """What some words describe, of class `kind`: a named thing, or what steps find last. `doubt`: as of
    `Things`."""

    kind: Iri
    anchor: Iri | None
    steps: tuple[Step, ...]
    doubt: float

    def led(self, path: Path, kind: Iri, doubt: float = 0.0) -> Described:
        """What a path leads to from it."""
        start = Ref(len(self.steps)) if self.anchor is None else self.anchor
        return Described(kind, None, (*self.steps, Find(start, path)), self.doubt + doubt)


@dataclass(frozen=True)
class Descriptions:
    """Reads one question in all ways that leave no word over."""

    phrases: Phrases

    @property
    def text(self) -> Text:
        return self.phrases.text

    def readings(self) -> Iterator[Reading]:
        text, average = self.text, self._average
        asking = next((w for w in text.words if w in _ASKING), "what")
        for i in range(len(text)):
            if (i and text.at(i - 1) not in _BEFORE) or text.at(i - 1) in _ARTICLES:
                continue
            for found, j in self._described(i):
                over = DETERMINERS.intersection(text.words[j:])  # 'which books is Ann the author of'
                if found.anchor is not None or i <= average < j or over:
                    continue
                said = [
                    w
                    for n, w in enumerate(text.words)
                    if not i <= n < j and not average <= n < average + len(_ON_AVERAGE.split())
                ]
                yield from self._asked(asking, said, found, average < len(text))

    @property
    def _average(self) -> int:
        """The place of 'on average'; the end where it is not said."""
        text = self.text
        return next((i for i in range(len(text)) if text.says(i, _ON_AVERAGE) is not None), len(text))

    def _asked(self, asking: str, said: Sequence[str], found: Described, average: bool) -> Iterator[Reading]:
        for value in self._sized(said, found) if asking == "how" else self._said(asking, said, found):
            steps = found.led(value.path, found.kind).steps
            if not average:
                yield found.doubt + _DOUBT, steps
            elif value.info.value == "number":
                start = Ref(len(found.steps))
                yield found.doubt + _DOUBT, (*found.steps, Amount(start, value.path, "average"))

    def _said(self, asking: str, said: Sequence[str], found: Described) -> Iterator[Property]:
        """The property that the words speak of; not all words may be of its class."""
        words = [w for w in said if w not in _SPARE and w not in LEADING and w not in ASIDE and w != asking]
        for value in self.phrases.schema.properties(found.kind) if words else ():
            if value.info.value == self._wanted(asking, value) and all(value.says(w) for w in words):
                yield value
                return

    @staticmethod
    def _wanted(asking: str, value: Property) -> str:
        match asking:
            case "when":
                return "date"
            case "who" | "whom" | "where":
                return "entity"
        return value.info.value

    def _sized(self, said: Sequence[str], found: Described) -> Iterator[Property]:
        """'how long are ...', 'how many pages have ...'"""
        words = [w for w in said if w not in _MUCH and w not in ASIDE]
        if not words:
            return
        first = next(self.phrases.conditions.sorted_by(found.kind, POSITIVES.get(words[0], "")), None)
        for value in self.phrases.schema.properties(found.kind):
            if first is not None and value.path == first.path and stems(words[1:]) <= value.stems:
                yield value
                return
        for value in self.phrases.schema.properties(found.kind):
            if value.info.value == "number" and all(value.says(w) for w in words):
                yield value
                return

    # --- descriptions

    def _described(self, i: int, depth: int = 0) -> Iterator[tuple[Described, int]]:
        """What the words from `i` on describe: a name, 'the author of Dune', 'Dune's author', 'the books
        by Ann'."""
        while self.text.at(i) in DETERMINERS and i not in self.text.names:
            i += 1
        if i in self.text.names:
            j, candidates = self.text.names[i]
            for rank, candidate in enumerate(candidates):
                for kind in self.phrases.conditions.ground.types(candidate.entity):
                    named = Described(kind, candidate.entity, (), 0.3 * rank)
                    yield named, j
                    yield from self._possessed(named, j, depth)
        if depth < _DEEPEST:
            yield from self._of(i, depth)
        if not depth:
            for things, j in self.phrases.things(i):
                if things.conditions or things.first is not None or self._average < len(self.text):
                    yield self._of_class(things), j

    def _of_class(self, things: Things) -> Described:
        steps = Steps(self.phrases.schema)
        steps.of(things)
        return Described(things.kind, None, tuple(steps.steps), things.doubt)

    def _possessed(self, owner: Described, i: int, depth: int) -> Iterator[tuple[Described, int]]:
        """'Ann's boss', 'Ann's boss's boss'"""
        for value, j in self._role(owner.kind, i) if depth < _DEEPEST else ():
            kind = self.phrases.schema.led_to(value.path)
            if kind is not None:
                led = owner.led(value.path, kind)
                yield led, j
                yield from self._possessed(led, j, depth + 1)

    def _of(self, i: int, depth: int) -> Iterator[tuple[Described, int]]:
        """'the author of Dune', where it is a property of what follows."""
        for k in range(i + 1, min(i + 5, len(self.text))):
            if self.text.at(k) not in _OF:
                continue
            for owner, j in self._described(k + 1, depth + 1):
                for value, end in self._role(owner.kind, i):
                    kind = self.phrases.schema.led_to(value.path)
                    if end == k and kind is not None:
                        yield owner.led(value.path, kind), j

    def _role(self, kind: Iri, i: int) -> Iterator[tuple[Property, int]]:
        """A property by its noun at word `i`, or by who does it: the 'boss' of who is supervised, the
        'creator' of what is created by somebody."""
        named = list(self.phrases.conditions.property_at(kind, i))
        yield from named
        word = self.text.at(i)
        forms = AGENTS.get(word, (word,) if related(word) else ())
        for value in self.phrases.schema.properties(kind) if not named else ():
            if stems(forms) & value.stems and value.info.value == "entity":
                yield value, i + 1
                return
