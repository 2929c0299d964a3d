"""Which of two named things: 'Which is longer, Dune or Emma?', 'Who wrote more books, Ann or Bob?'"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbqa.compose.phrases import Phrases
from kbqa.compose.schema import Property, stems
from kbqa.compose.things import Linked, Reading, Steps, Things
from kbqa.compose.words import COMPARATIVES, DETERMINERS, HIGHER, SOONER
from kbqa.types import Among, Find, Iri, Keep, Kind, Oftenest, Path, Pick, Restriction, reverse

_LINKS = ("or", "and")
_ABOUT = ("on", "of", "for", "in", "about", "called")
"""After 'the one', which stands for the noun before the first of two names."""
_FILLING = DETERMINERS | frozenset(
    "which who what whose where is are was were be has have had do does did it of two them between than and "
    "or in at to got there".split()
)


@dataclass(frozen=True)
class Pair:
    """Two named things of a class, and the words around them."""

    kind: Iri
    both: tuple[Iri, Iri]
    rest: tuple[str, ...]
    doubt: float


def of_two(phrases: Phrases) -> Iterator[Reading]:
    """The readings of a whole question that asks which of two it is."""
    for pair in _pairs(phrases):
        for found, highest in _ordered(phrases, pair):
            steps = Steps(phrases.schema)
            two = steps.add(Keep(steps.of(Things(pair.kind)), restrictions=(_among(pair),)))
            kind = Kind.DATE if found.info.value == "date" else Kind.NUMBER
            steps.add(Pick(two, "answer", found.path, highest, kind))
            yield pair.doubt, tuple(steps.steps)
        for true in _true(phrases, pair):
            steps = Steps(phrases.schema)
            two = steps.add(Keep(steps.of(Things(pair.kind)), restrictions=(_among(pair),)))
            steps.of_earlier(two, pair.kind, true)
            yield pair.doubt, tuple(steps.steps)
        for counted, path in _counted(phrases, pair):
            steps = Steps(phrases.schema)
            things = steps.of(Things(counted, (Linked(path, pair.both),)))
            each = steps.add(Find(things, reverse(path)))
            steps.add(Oftenest(steps.add(Keep(each, restrictions=(_among(pair),)))))
            yield pair.doubt + 0.1, tuple(steps.steps)


def _among(pair: Pair) -> Restriction:
    return Restriction("answer", (), (Among(pair.both),))


def _pairs(phrases: Phrases) -> Iterator[Pair]:
    text, types = phrases.text, phrases.conditions.ground.types
    for place, (middle, candidates) in text.names.items():
        if text.at(middle) not in _LINKS:
            continue
        other = middle + 1
        while other not in text.names and (
            text.at(other) in DETERMINERS or (text.at(other) in _ABOUT and text.at(other - 1) == "one")
        ):
            other += 1
        if other not in text.names:
            continue
        after, others = text.names[other]
        rest = (*text.words[:place], *text.words[after:])
        for rank, one in enumerate(candidates):
            for more, two in enumerate(others):
                shared = phrases.schema.shared(types(one.entity), types(two.entity))
                for kind in shared if one.entity != two.entity else ():
                    yield Pair(kind, (one.entity, two.entity), rest, 0.3 * (rank + more))


def _without(words: Sequence[str], phrase: str) -> tuple[str, ...] | None:
    """The words that say something besides a phrase; None where the phrase is not among them."""
    said = phrase.split()
    for i in range(len(words) - len(said) + 1):
        if list(words[i : i + len(said)]) == said:
            rest = (*words[:i], *words[i + len(said) :])
            return tuple(w for w in rest if w not in _FILLING)
    return None


def _ordered(phrases: Phrases, pair: Pair) -> Iterator[tuple[Property, bool]]:
    """The properties that the two are compared by, and whether the higher value is asked for."""
    schema = phrases.schema
    properties = [p for p in schema.properties(pair.kind) if p.info.value in ("number", "date")]
    own = stems(w for noun in schema.nouns(pair.kind) for w in noun.split())
    for comparative in phrases.conditions.comparatives(pair.rest):
        rest = _without(pair.rest, comparative) or ()
        adjective = COMPARATIVES.get(comparative, comparative)
        for first in phrases.conditions.sorted_by(pair.kind, adjective):
            for found in properties:
                if found.path == first.path and stems(rest) - own <= found.stems:
                    yield found, first.descending
    for table, sort in ((HIGHER, "number"), (SOONER, "date")):
        for word, highest in table.items():
            said = stems(_without(pair.rest, word) or ()) - own
            meant = [p for p in properties if said and said <= p.stems and p.info.value == sort]
            for found in sorted(meant, key=lambda p: not any(stems(n.split()) <= said for n in p.nouns))[:1]:
                yield found, highest


def _true(phrases: Phrases, pair: Pair) -> Iterator[Linked]:
    """'Which one is billable, Dune or Emma?'"""
    said = [w for w in pair.rest if w not in _FILLING]
    for found in phrases.schema.properties(pair.kind):
        if found.info.value == "truth" and " ".join(said) in found.nouns:
            values = phrases.conditions.ground.spelt(found.path, "true")
            yield Linked(reverse(found.path), tuple(values))


def _counted(phrases: Phrases, pair: Pair) -> Iterator[tuple[Iri, Path]]:
    """What there is more of for one of the two: a class, and the path to its things from the two."""
    schema = phrases.schema
    for word in ("more", "most"):
        rest = _without(pair.rest, word)
        for noun, kinds in schema.classes.items() if rest else ():
            said = _without(rest or (), noun)
            for kind in kinds if said is not None else ():
                for path in schema.connections(kind, (pair.kind,), stems(said or ()))[:1]:
                    yield kind, path
