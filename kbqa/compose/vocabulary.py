"""Words that are names of few things, written as common nouns and adjectives: 'dramas', 'animated films'."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from kbqa.compose.alike import FUNCTION
from kbqa.compose.schema import Schema, stem
from kbqa.compose.text import Text
from kbqa.induce.english import singular
from kbqa.link import key
from kbqa.protocols import Candidate, Mention
from kbqa.types import Iri

_BEFORE_NOUN = frozenset(("the", "in", "of", "by", "for", "from"))
_LONGEST = 3
_SHORTEST = 4
_AS_GOOD = 0.005
"""Two names match as well where their scores differ by less."""
_NAMESAKES = 5
"""Things of one name that are looked at."""
_INFLECTED = 6
"""Letters that a word shares with the name whose other form it is: 'animated' of 'Animation'."""


def with_names(text: Text, schema: Schema, named: Mapping[str, Sequence[Candidate]]) -> Text:
    """The text with the names that nobody wrote with a capital letter. What is a name or value stays."""
    names = dict(text.names)
    stemmed: dict[str, list[Candidate]] = {}
    for name, candidates in named.items():
        if " " not in name and len(name) >= _INFLECTED:
            stemmed.setdefault(name[:_INFLECTED], []).extend(candidates)
    taken = {n for start, (end, _) in (*text.names.items(), *text.quoted.items()) for n in range(start, end)}
    i = 0
    while i < len(text):
        end, found = _at(text, i, taken, schema, named, stemmed)
        if found:
            names[i] = end, tuple(found)
        i = end
    return replace(text, names=dict(sorted(names.items())))


def without_terms(text: Text, schema: Schema) -> Text:
    """The text without names of predicates and classes, which are words for what is asked and no things, and
    without common words that classes are called by, unless written as a name."""
    names = {
        i: (j, kept)
        for i, (j, some) in text.names.items()
        if (kept := tuple(c for c in some if not schema.is_term(c.entity)))
        and not (j == i + 1 and text.between(i, j).islower() and text.words[i] in schema.classes)
    }
    return replace(text, names=names)


def best_known(mentions: Sequence[Mention], said_of: Callable[[Iri], int]) -> tuple[Mention, ...]:
    """The mentions; of things that bear the very same name, those of which the graph says more come first."""
    return tuple(replace(m, candidates=_by_use(m.candidates, said_of)) for m in mentions)


def _by_use(candidates: tuple[Candidate, ...], said_of: Callable[[Iri], int]) -> tuple[Candidate, ...]:
    first = candidates[:1]
    alike = [c for c in candidates if any(key(c.label) == key(f.label) and _as_good(c, f) for f in first)]
    if len(alike) < 2:
        return candidates
    alike.sort(key=lambda c: -said_of(c.entity))
    return (*alike, *(c for c in candidates if c not in alike))


def by_company(mentions: Sequence[Mention], linked: Callable[[Iri, Iri], bool]) -> tuple[Mention, ...]:
    """The mentions; of things that bear the very same name, those that are linked to what another mention
    names come first: the Georgetown of 'Georgetown, Texas'."""

    def closer(mention: Mention) -> Mention:
        first = mention.candidates[:1]
        alike = [c for c in mention.candidates if any(key(c.label) == key(f.label) for f in first)][
            :_NAMESAKES
        ]
        others = [m.candidates[0].entity for m in mentions if m is not mention and m.candidates]
        if len(alike) < 2 or not others:
            return mention
        near = [c for c in alike if any(linked(c.entity, other) for other in others)]
        return replace(mention, candidates=(*near, *(c for c in mention.candidates if c not in near)))

    return tuple(map(closer, mentions))


def _as_good(candidate: Candidate, first: Candidate) -> bool:
    return first.score - candidate.score < _AS_GOOD


def in_apposition(text: Text, schema: Schema, types: Callable[[Iri], Sequence[Iri]]) -> Text:
    """'the author Ann', 'the city of Oslo', 'the chapter on Poetry': one name, of a thing of that class."""
    names = dict(text.names)
    for place, (end, candidates) in text.names.items():
        for i, kinds in _nouns_before(text, place, schema):
            kept = tuple(c for c in candidates if schema.is_one(types(c.entity), kinds))
            if kept:
                del names[place]
                names[i] = end, kept
                break
    return replace(text, names=dict(sorted(names.items())))


def _nouns_before(text: Text, place: int, schema: Schema) -> Iterator[tuple[int, Sequence[Iri]]]:
    """The nouns for one thing that 'the' or a preposition stands before: their places and classes."""
    after = place
    while text.at(after - 1) in ("the", "of", "on", "called", "named"):
        after -= 1
    for i in range(max(1, after - schema.longest_noun), after):
        noun = " ".join(text.words[i:after])
        if noun in schema.classes and noun == singular(noun) and text.at(i - 1) in _BEFORE_NOUN:
            yield i, schema.classes[noun]


def _at(
    text: Text,
    i: int,
    taken: set[int],
    schema: Schema,
    named: Mapping[str, Sequence[Candidate]],
    stemmed: Mapping[str, Sequence[Candidate]],
) -> tuple[int, Sequence[Candidate]]:
    for size in range(min(_LONGEST, len(text) - i), 0, -1):
        words = text.words[i : i + size]
        if any(n in taken for n in range(i, i + size)):
            continue
        said = " ".join(words)
        if size == 1 and (said in FUNCTION or len(said) < _SHORTEST or stem(said) in schema.known_stems):
            continue
        found = named.get(said) or named.get(" ".join((*words[:-1], singular(words[-1]))), ())
        if not found and size == 1 and len(said) >= _INFLECTED:
            found = stemmed.get(said[:_INFLECTED], ())
            found = found if len(found) == 1 else ()
        if found:
            return i + size, found
    return i + 1, ()
