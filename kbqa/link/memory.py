"""Names in memory: postings by word, spelling mistakes found by scanning words and names of like length."""

from __future__ import annotations

import heapq
import math
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kbqa.link.index import Entry, Label, Row
from kbqa.link.match import typos
from kbqa.link.normalise import key
from kbqa.types import Iri


class MemoryBackend:
    """30,000 names: 0.4 s to build, 3.5 ms for a misspelled one (`bench/link.py index --memory`)."""

    def __init__(self, labels: Iterable[Label]) -> None:
        self._shown: dict[Iri, tuple[str, bool]] = {}
        self._about: dict[Iri, tuple[tuple[Iri, ...], int]] = {}
        self._rows: list[tuple[Iri, str, bool, str, int]] = []
        self._by_key: dict[str, list[int]] = {}
        self._postings: dict[str, array[int]] = {}
        for label in labels:
            self._add(label)
        self.greatest_degree = max((degree for _, degree in self._about.values()), default=0)
        for rows in self._by_key.values():
            if len(rows) > 1:
                rows.sort(key=lambda row: -self._degree(row))
        self._keys = _by_length(self._by_key)
        self._words = _by_length(self._postings)
        self._near_words = lru_cache(maxsize=20_000)(self._scan_words)

    def _add(self, label: Label) -> None:
        shown = self._shown.get(label.entity)
        if shown is None:
            self._about[label.entity] = (label.types, label.degree)
        if shown is None or (shown[1] and not label.is_alias):
            self._shown[label.entity] = (label.label, label.is_alias)
        form = key(label.label)
        rows = self._by_key.setdefault(form, [])
        if not form or any(self._rows[row][0] == label.entity for row in rows):
            return
        number = len(self._rows)
        words = form.split()
        self._rows.append((label.entity, label.label, label.is_alias, form, len(words)))
        rows.append(number)
        for word in set(words):
            held = self._postings.get(word)
            if held is None:
                self._postings[word] = array("I", (number,))
            else:
                held.append(number)

    def __len__(self) -> int:
        return len(self._rows)

    def _degree(self, row: int) -> int:
        return self._about[self._rows[row][0]][1]

    def named(self, keys: Sequence[str]) -> dict[str, list[int]]:
        found = {}
        for form in keys:
            rows = self._by_key.get(form)
            if rows:
                found[form] = rows
        return found

    def holders(self, word: str) -> int:
        return len(self._postings.get(word, ()))

    def similar(self, words: Sequence[str], weights: Sequence[float], limit: int) -> list[Row]:
        form = " ".join(words)
        points: dict[int, float] = {}
        edits = 2 if len(form) > 5 else typos(form)
        if len(words) > 1 and all(word in self._postings and len(word) > 3 for word in words):
            edits = 0  # the words below find as much, faster
        for name in _near(form, self._keys, edits):
            for row in self._by_key[name]:
                points[row] = points.get(row, 0.0) + 2.0
        ranked = sorted(zip(weights, words, strict=True), reverse=True)
        for place, (weight, word) in enumerate(ranked):
            near = (word, *self._near_words(word))
            only_known = place > 0 and weight < 0.35
            for other in near:
                worth = weight * (1.0 if other == word else 0.8)
                for row in self._postings.get(other, ()):
                    if not only_known or row in points:
                        points[row] = points.get(row, 0.0) + worth
        best = heapq.nlargest(limit, points, key=lambda row: points[row] + self._prior(row))
        return [Row(row, self._rows[row][3], self._degree(row)) for row in best]

    def _prior(self, row: int) -> float:
        """Short names before long ones, well-linked entities before others."""
        fame = math.log1p(self._degree(row)) / math.log1p(max(1, self.greatest_degree))
        return 0.15 * fame - 0.04 * self._rows[row][4]

    def _scan_words(self, word: str) -> list[str]:
        return _near(word, self._words, typos(word))

    def entries(self, numbers: Sequence[int]) -> list[Entry]:
        found = []
        for number in numbers:
            entity, name, is_alias, _, _ = self._rows[number]
            types, degree = self._about[entity]
            found.append(Entry(entity, self._shown[entity][0], name, is_alias, types, degree))
        return found

    def close(self) -> None:
        """Nothing is held open."""


def _by_length(texts: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for text in texts:
        found.setdefault(len(text), []).append(text)
    return found


def _near(text: str, by_length: dict[int, list[str]], edits: int) -> list[str]:
    """The other texts within so many edits."""
    if not edits:
        return []
    found = []
    for length in range(len(text) - edits, len(text) + edits + 1):
        choices = by_length.get(length)
        if choices:
            close = process.extract(text, choices, scorer=OSA.distance, score_cutoff=edits, limit=20)
            found += [name for name, _, _ in close if name != text]
    return found
