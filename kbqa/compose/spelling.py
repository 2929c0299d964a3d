"""Words for the graph's own: slips of the pen, and people where inhabitants are counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kbqa.compose.alike import FUNCTION
from kbqa.compose.schema import Schema, stem
from kbqa.compose.text import Text
from kbqa.compose.words import COMPARATIVES, HIGHER
from kbqa.induce.english import singular
from kbqa.link.words import COMMON, EVERYDAY
from kbqa.link.words import FUNCTION as PLAIN
from kbqa.protocols import Candidate

_HARDLY = 0.75
_SHORTEST = 3
_LONG = 8
"""Letters from which on a word may have two slips."""
_ASKING = tuple(sorted(w for w in FUNCTION if len(w) > _SHORTEST and w.isalpha()))
_COMPARED = COMPARATIVES.keys() | HIGHER.keys()
_KNOWN = FUNCTION | PLAIN | COMMON | EVERYDAY


_OFTEN = {
    "teh": "the", "hte": "the", "adn": "and", "taht": "that", "wich": "which", "whcih": "which",
    "wat": "what", "waht": "what", "thier": "their", "fo": "of",
}  # fmt: skip
"""Slips that are too short to be told by their letters."""


def respelt(text: Text, schema: Schema) -> Text:
    """The text with each word that neither English nor the graph has read as the one of the graph's, or of
    questions', that is a slip or two away. Names, values and what is quoted stay."""
    text = replace(text, names={i: n for i, n in text.names.items() if not _is_slip(text, i, n, schema)})
    words = list(text.words)
    for i in _free(text):
        word = words[i]
        if word in _OFTEN and word not in schema.vocabulary:
            words[i] = _OFTEN[word]
            continue
        if word == "then" and words[i - 1] in _COMPARED:
            words[i] = "than"
            continue
        if len(word) < _SHORTEST or word in _KNOWN or {word, singular(word)} & set(schema.vocabulary):
            continue
        known = stem(word) in schema.known_stems
        words[i] = next((w for w in _near(word, schema) if not known or _same_ends(w, word)), word)
    return replace(text, words=tuple(words))


def _is_slip(text: Text, i: int, name: tuple[int, Sequence[Candidate]], schema: Schema) -> bool:
    """Whether a name that hardly matches is rather a word with a slip: 'biger' is no 'Niger'."""
    end, candidates = name
    written = text.between(i, end)
    if written in _OFTEN:
        return True
    return (
        end == i + 1
        and written.islower()
        and candidates[0].score < _HARDLY
        and text.words[i] not in _KNOWN
        and any(_near(text.words[i], schema))
    )


def _near(word: str, schema: Schema) -> Iterator[str]:
    slips = 1 if len(word) < _LONG else 2
    among = (*schema.vocabulary, *_ASKING) if len(word) > _SHORTEST else _ASKING
    found = process.extract(word, among, scorer=OSA.distance, score_cutoff=slips, limit=3)
    return (said for said, _, _ in found if said[0] == word[0])


def _same_ends(one: str, other: str) -> bool:
    """Whether two words are as long and end alike, as no two forms of one word do."""
    return len(one) == len(other) and one[-1] == other[-1]


def counted_people(text: Text, schema: Schema) -> Text:
    """'more than 5 million people' is said of inhabitants where the graph has no people but their number."""
    if schema.people or not schema.counts_people:
        return text
    free = set(_free(text))
    said = ("inhabitants" if w == "people" and i in free else w for i, w in enumerate(text.words))
    return replace(text, words=tuple(said))


def _free(text: Text) -> Iterator[int]:
    spans = (*text.names.items(), *text.values.items(), *text.quoted.items())
    taken = {place for start, (end, _) in spans for place in range(start, end)}
    return (i for i, word in enumerate(text.words) if i not in taken and word.isalpha())
