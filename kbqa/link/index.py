"""Names and aliases -> entities: the exact name first, then what is spelled or worded like it.

`LabelIndex.build(labels)` keeps everything in memory (a few tens of thousands of labels);
`LabelIndex.build(labels, folder)` writes a folder that `LabelIndex.open(folder)` opens at once,
whatever its size. Both answer alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from kbqa.answers import shown_name
from kbqa.errors import KnowledgeBaseError
from kbqa.link.match import LEAST, likeness
from kbqa.link.normalise import key, tokens
from kbqa.protocols import Candidate
from kbqa.types import Iri

POOL = 80
"""How many labels are fetched for reranking."""

_NAMESAKE = 0.66
"""The greatest score of an entity of which nothing but a name (and what it is) is known."""

LONGEST = 200
"""Characters beyond which a name is found only when it is exact."""


class Label(NamedTuple):
    """One name of an entity. Types and degree are read from an entity's first row, the label
    shown is its first that is no alias."""

    entity: Iri
    label: str
    is_alias: bool = False
    types: tuple[Iri, ...] = ()
    degree: int = 0


class Row(NamedTuple):
    """A name as a backend keeps it: its number, normal form, and its entity's degree."""

    number: int
    key: str
    degree: int


class Entry(NamedTuple):
    """A name in full."""

    entity: Iri
    label: str
    name: str
    is_alias: bool
    types: tuple[Iri, ...]
    degree: int


class Backend(Protocol):
    """Where the names are."""

    def __len__(self) -> int: ...

    @property
    def greatest_degree(self) -> int: ...

    def named(self, keys: Sequence[str]) -> dict[str, list[int]]:
        """For each normal form that is somebody's name: its rows, highest degree first."""
        ...

    def similar(self, words: Sequence[str], weights: Sequence[float], limit: int) -> list[Row]:
        """The rows that look most like these words (normal form), in no binding order."""
        ...

    def holders(self, word: str) -> int:
        """How many names hold the word."""
        ...

    def entries(self, numbers: Sequence[int]) -> list[Entry]: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate with what its score was made of: `match` 0..1 without the entity's degree."""

    candidate: Candidate
    match: float
    is_alias: bool


class LabelIndex:
    """The names of a knowledge base."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._top = math.log1p(max(1, backend.greatest_degree))
        self._size = math.log(len(backend) + 2)
        self.rarity = lru_cache(maxsize=100_000)(self._rarity)
        self.fame = lru_cache(maxsize=100_000)(self._row_fame)

    @staticmethod
    def build(
        labels: Iterable[tuple[Iri, str, bool, tuple[Iri, ...], int]], folder: Path | None = None
    ) -> LabelIndex:
        """An index of (entity, label, is_alias, types, degree) rows.

        With a folder it is written there: an index already there is replaced when the new one is
        complete; anything else there is refused (KnowledgeBaseError).
        """
        if folder is None:
            from kbqa.link.memory import MemoryBackend

            return LabelIndex(MemoryBackend(Label(*row) for row in labels))
        from kbqa.link.disk import build

        build((Label(*row) for row in labels), folder)
        return LabelIndex.open(folder)

    @staticmethod
    def open(folder: Path) -> LabelIndex:
        """The index in `folder`. Raises KnowledgeBaseError when there is none."""
        from kbqa.link.disk import DiskBackend

        return LabelIndex(DiskBackend(folder))

    def __len__(self) -> int:
        """How many names it holds."""
        return len(self._backend)

    def close(self) -> None:
        self._backend.close()

    def _rarity(self, word: str) -> float:
        """1 for a word that no name or one holds, towards 0 for one that many do."""
        return 1.0 - math.log(self._backend.holders(word) + 1) / self._size

    def knows(self, word: str) -> bool:
        """Whether some name holds the folded word."""
        return self._backend.holders(word) > 0

    def named(self, keys: Sequence[str]) -> dict[str, list[int]]:
        """Which of these normal forms are names: their rows, highest degree first."""
        return self._backend.named(keys)

    def _row_fame(self, row: int) -> float:
        """0..1: how well known, by its degree, the entity is that a row names."""
        return self._fame(self._backend.entries([row])[0].degree)

    def lookup(self, text: str, *, limit: int = 10) -> Sequence[Candidate]:
        """Up to `limit` entities: those named `text` by degree, then those named much like it."""
        return [hit.candidate for hit in self.hits(text, limit=limit)]

    def hits(self, text: str, *, limit: int = 10, fuzzy: bool = True) -> list[Hit]:
        """As `lookup`, with how well each name matched; `fuzzy=False`: exact names only. Of whom nothing but
        a name is known stands behind those who have part of it and are known."""
        wanted = key(text)
        if limit < 1 or not wanted:
            return []
        exact = self._backend.named([wanted]).get(wanted, [])
        found = self._exact(text, exact[: max(limit, POOL)])
        known = sum(hit.candidate.score > _NAMESAKE for hit in found)
        if fuzzy and known < limit:
            same = {hit.candidate.entity for hit in found}
            found += [hit for hit in self._fuzzy(wanted, limit + 10) if hit.candidate.entity not in same]
            if known < len(same):
                found.sort(key=lambda hit: -hit.candidate.score)
        return found[:limit]

    def _exact(self, text: str, rows: Sequence[int]) -> list[Hit]:
        hits: dict[Iri, Hit] = {}
        spelled = " ".join(text.split())
        for entry in self._backend.entries(rows):
            bonus = 0.01 * (entry.name == spelled) + 0.01 * (not entry.is_alias)
            score = 0.91 + 0.07 * self._fame(entry.degree) + bonus
            if not entry.degree and self._backend.greatest_degree:
                score = _NAMESAKE - 0.02 + bonus
            hit = Hit(_candidate(entry, score), 1.0, entry.is_alias)
            old = hits.get(entry.entity)
            if old is None or old.candidate.score < score:
                hits[entry.entity] = hit
        return sorted(hits.values(), key=_order)

    def _fuzzy(self, wanted: str, limit: int) -> list[Hit]:
        if len(wanted) > LONGEST:
            return []
        words = wanted.split()[:12]
        rows = self._backend.similar(words, [self.rarity(word) for word in words], POOL)
        scored = []
        for row in rows:
            match = likeness(wanted, row.key, self.weigh)
            if LEAST <= match < 1.0:
                scored.append((match * (0.79 + 0.11 * self._fame(row.degree)), match, row.number))
        scored.sort(key=lambda item: (-item[0], item[2]))
        scored = scored[: 2 * limit]
        hits: dict[Iri, Hit] = {}
        entries = self._backend.entries([number for _, _, number in scored])
        for entry, (score, match, _) in zip(entries, scored, strict=True):
            hits.setdefault(entry.entity, Hit(_candidate(entry, score), match, entry.is_alias))
        return list(hits.values())

    def weigh(self, word: str) -> float:
        return 0.15 + 0.85 * self.rarity(word)

    def _fame(self, degree: int) -> float:
        return min(1.0, math.log1p(max(0, degree)) / self._top)


def _candidate(entry: Entry, score: float) -> Candidate:
    label = shown_name(entry.label)
    return Candidate(entry.entity, label, entry.name, min(1.0, score), entry.types, entry.degree)


def _order(hit: Hit) -> tuple[float, str, str]:
    return (-hit.candidate.score, hit.candidate.label, hit.candidate.entity.value)


def key_words(label: str) -> tuple[str, list[str]]:
    """The normal form of a label and its distinct words (none for '!!!')."""
    form = key(label)
    return form, list(dict.fromkeys(form.split())) if tokens(form) else []


def broken(folder: Path, reason: str) -> KnowledgeBaseError:
    return KnowledgeBaseError(
        f"no label index in {folder}: {reason}; build it with LabelIndex.build(labels, folder)"
    )
