"""Words that a graph does not use, read as those that it uses for the same: 'films' where it has movies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from kbqa.compose.schema import Schema, stem
from kbqa.compose.text import Text
from kbqa.compose.words import (
    ABSENT,
    ADJECTIVES,
    ASIDE,
    AVERAGES,
    COMPARATIVES,
    COMPARING,
    EACH,
    EXTREMES,
    HIGHER,
    LEADING,
    LOOSE,
    NEGATIONS,
    NOBODY,
    NUMBERS,
    SOONER,
    SUMS,
    TIMELY,
    TRAILING,
)
from kbqa.induce.english import singular

_SHORTEST = 3
_PHRASES = (
    *ADJECTIVES,
    *COMPARATIVES,
    *EXTREMES,
    *HIGHER,
    *SOONER,
    *TIMELY,
    *AVERAGES,
    *SUMS,
    *EACH,
    *ABSENT,
    *LOOSE,
    *(said for said, _ in COMPARING),
)
_OPERATING = frozenset(w for said in _PHRASES for w in said.split())
FUNCTION = ASIDE | LEADING | TRAILING | NEGATIONS | NOBODY | NUMBERS.keys() | _OPERATING
"""Words that no graph has of its own."""


class Likeness(Protocol):
    """Which of some nouns means the same as a word; None where none does."""

    def nearest(self, word: str, among: Sequence[str]) -> str | None: ...


def in_its_words(text: Text, schema: Schema, likeness: Likeness) -> Text:
    """A text with each word that the graph has none of replaced by the noun that means the same, where there
    is one. Names, values and what is quoted stay."""
    spans = (*text.names.items(), *text.values.items(), *text.quoted.items())
    taken = {place for start, (end, _) in spans for place in range(start, end)}
    words = list(text.words)
    for i, word in enumerate(words):
        if i in taken or not word.isalpha() or len(word) < _SHORTEST or word in FUNCTION:
            continue
        if stem(word) in schema.known_stems:
            continue
        found = likeness.nearest(singular(word), schema.plain_nouns)
        if found is not None:
            words[i] = found
    return replace(text, words=tuple(words))
