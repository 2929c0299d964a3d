"""Words that are names of few things, written as common nouns and adjectives: 'dramas', 'animated films'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kbqa.compose.alike import FUNCTION
from kbqa.compose.schema import Schema, stem
from kbqa.compose.text import Text
from kbqa.induce.english import singular
from kbqa.protocols import Candidate

_LONGEST = 3
_SHORTEST = 4
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
    """The text without names of predicates and classes, which are words for what is asked and no things."""
    names = {
        i: (j, kept)
        for i, (j, some) in text.names.items()
        if (kept := tuple(c for c in some if not schema.is_term(c.entity)))
    }
    return replace(text, names=names)


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
