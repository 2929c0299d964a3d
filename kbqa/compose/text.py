"""A question as words, and where in it names, numbers, dates and quoted texts stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kbqa.compose.words import NUMBERS, SCALES, TRAILING
from kbqa.link.normalise import Token, tokens
from kbqa.parse.literals import Value, find_values
from kbqa.protocols import Candidate, Mention

_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»\n]{1,200})[\"“”»]|(?<!\w)['‘]([^'‘’\n]{1,100})['’](?!\w)")
_SAME_NAME = 0.85
_COMPARING = frozenset("than least most over under exactly".split())
"""Words before a number that is compared, spelt out or not."""


@dataclass(frozen=True)
class Text:
    """`words` in their normal form. What begins at a word, by the word's number: (the number after its last
    word, what it is)."""

    words: tuple[str, ...]
    tokens: tuple[Token, ...]
    asked: str
    names: Mapping[int, tuple[int, tuple[Candidate, ...]]]
    values: Mapping[int, tuple[int, Value]]
    quoted: Mapping[int, tuple[int, str]]

    def __len__(self) -> int:
        return len(self.words)

    def at(self, i: int) -> str:
        return self.words[i] if 0 <= i < len(self.words) else ""

    def says(self, i: int, phrase: str) -> int | None:
        """The place after a phrase that stands at `i`; None where another does."""
        said = phrase.split()
        return i + len(said) if self.words[i : i + len(said)] == tuple(said) else None

    def one_of(self, i: int, phrases: Sequence[str]) -> Iterator[tuple[str, int]]:
        """Those of the phrases that stand at `i`, and the places after them."""
        for phrase in phrases:
            after = self.says(i, phrase)
            if after is not None:
                yield phrase, after

    def ends(self, i: int) -> bool:
        """Whether nothing that says anything comes from `i` on."""
        return all(word in TRAILING for word in self.words[i:])

    def between(self, i: int, j: int) -> str:
        """The very text of some words."""
        return self.asked[self.tokens[i].start : self.tokens[j - 1].end] if i < j else ""


def text_of(question: str, mentions: Sequence[Mention]) -> Text:
    found = tokens(question)
    quoted: dict[int, tuple[int, str]] = {}
    for m in _QUOTED.finditer(question):
        span = _span(found, m.start(), m.end())
        if span:
            quoted[span[0]] = span[1], m[1] or m[2]
    names: dict[int, tuple[int, tuple[Candidate, ...]]] = {}
    for mention in mentions:
        span = _span(found, mention.start, mention.end)
        if span and mention.candidates:
            best = mention.candidates[0].score
            same = tuple(c for c in mention.candidates[:5] if c.score >= _SAME_NAME * best)
            names[span[0]] = span[1], same
    values: dict[int, tuple[int, Value]] = {}
    for value in find_values(question, apart=True):
        span = _span(found, value.start, value.end)
        if span:
            values[span[0]] = span[1], value
    for start, end, number in _amounts([t.word for t in found]):
        if start not in values:
            span = found[start].start, found[end - 1].end
            values[start] = end, Value(*span, question[slice(*span)], number=number)
    for i, token in enumerate(found):
        if i not in values and token.word in NUMBERS and found[i - 1].word in _COMPARING:
            number = str(NUMBERS[token.word])
            values[i] = i + 1, Value(token.start, token.end, token.word, number=number)
    _scaled([t.word for t in found], values)
    _of_that_year(question, found, values)
    return Text(tuple(t.word for t in found), tuple(found), question, names, values, quoted)


def _scaled(words: Sequence[str], values: dict[int, tuple[int, Value]]) -> None:
    """'between 1 and 2 million': the first is of millions, too."""
    for i, (end, low) in tuple(values.items()):
        scale = SCALES.get(words[values[end + 1][0] - 1], 0) if end + 1 in values else 0
        linked = words[i - 1] in ("between", "from") and words[end] in ("and", "to") if scale else False
        if linked and words[i:end] == [low.number]:
            values[i] = end, replace(low, number=str(int(low.number) * scale))


def _of_that_year(question: str, found: Sequence[Token], values: dict[int, tuple[int, Value]]) -> None:
    """'between 1 June and 15 June 2012': the first is of that year, too."""
    words = [t.word for t in found]
    for i, (_, high) in tuple(values.items()):
        for start in (i - 3, i - 2) if high.first and words[i - 1] in ("and", "to") else ():
            if start < 1 or words[start - 1] not in ("between", "from"):
                continue
            span = found[start].start, found[i - 2].end
            said = question[slice(*span)]
            whole = [v for v in find_values(f"{said} {high.last[:4]}") if v.start == 0 and v.end > len(said)]
            for low in whole:
                for place in range(start, i - 1):
                    values.pop(place, None)
                values[start] = i - 1, replace(low, start=span[0], end=span[1], text=said)


def _amounts(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Numbers that are written out: 'a billion', 'half a million', 'two thousand'."""
    for i, word in enumerate(words):
        if word not in SCALES:
            continue
        many: Sequence[tuple[tuple[str, ...], float]] = (
            (("half", "a"), 0.5), (("a",), 1), (("one",), 1), *(((w,), n) for w, n in NUMBERS.items()),
        )  # fmt: skip
        for before, times in many:
            if tuple(words[max(0, i - len(before)) : i]) == before:
                yield i - len(before), i + 1, f"{times * SCALES[word]:.0f}"
                break


def _span(found: Sequence[Token], start: int, end: int) -> tuple[int, int] | None:
    """The words that lie in [start, end) of the question."""
    inside = [i for i, t in enumerate(found) if t.start >= start and t.end <= end]
    return (inside[0], inside[-1] + 1) if inside else None
