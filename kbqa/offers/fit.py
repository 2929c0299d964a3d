"""How well the words of a path fit the words of a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from kbqa.lexicon import Lexicon
from kbqa.link.normalise import tokens
from kbqa.phrase.words import chain_words
from kbqa.types import Path

Weights: TypeAlias = Mapping[str, float]
"""Stem -> how much it tells, in nats."""

_UNSAID = 0.35
"""What a word of the wording that the question lacks costs, against what a shared one gains."""
_EXPLAINED = 0.25
"""What is left of a word's weight where another step accounts for it."""
_ENDINGS = re.compile(r"(?:ations?|ators?|ings?|ions?|[eo]rs?|ed|es|s|e)\Z")
_SHORTEST = 3
_UNWORDED = 0.3
"""What a path costs that the lexicon has no wording of: people seldom ask along it."""


def stems(text: str) -> tuple[str, ...]:
    """The words of a text without endings: 'directed by' -> ('direct', 'by')."""
    return tuple(_stem(token.word) for token in tokens(text.replace("{}", " ")))


def _stem(word: str) -> str:
    found = _ENDINGS.search(word)
    if found and found.start() >= _SHORTEST:
        word = word[: found.start()]
    return word[:-1] + "i" if word.endswith("y") and len(word) > _SHORTEST else word


class Fit:
    """Scores of paths by one lexicon's wordings; rare words tell more than common ones (inverse
    document frequency over the lexicon's paths)."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: dict[Path, tuple[frozenset[str], ...]] = {}

    def warm(self) -> None:
        """Weigh the words beforehand."""
        _ = self._spread

    def question(self, text: str, names: Iterable[str]) -> dict[str, float]:
        """The stems of a question without the names in it, and what each tells."""
        for name in sorted(names, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
        return {stem: self.weight(stem) for stem in stems(text)}

    def weight(self, stem: str) -> float:
        return math.log(1 + self._size / (1 + self._spread.get(stem, 0)))

    def besides(self, question: Weights, others: Sequence[Path]) -> dict[str, float]:
        """The question's words, less those that the paths of its other steps account for."""
        explained = {stem for path in others for stem in self._best(path, question)[1] & question.keys()}
        return {s: w * (_EXPLAINED if s in explained else 1.0) for s, w in question.items()}

    def score(self, path: Path, question: Weights) -> float:
        """At most 1, where a wording says all that the question says; negative where it says much else."""
        fit = self._best(path, question)[0] / (sum(question.values()) or 1.0)
        return fit if self.worded(path) else fit - _UNWORDED

    def worded(self, path: Path) -> bool:
        """Whether the lexicon says the path in words of its own."""
        return path in self._lexicon.wordings

    def _best(self, path: Path, question: Weights) -> tuple[float, frozenset[str]]:
        return max(
            ((self._shared(wording, question), wording) for wording in self._wordings(path)),
            key=lambda found: found[0],
        )

    def _shared(self, wording: frozenset[str], question: Weights) -> float:
        said = sum(question[s] for s in wording if s in question)
        return said - _UNSAID * sum(self.weight(s) for s in wording if s not in question)

    def _wordings(self, path: Path) -> tuple[frozenset[str], ...]:
        """Each wording of a path as a bag of stems; the predicates' own words where it has none."""
        found = self._known.get(path)
        if found is None:
            texts = [w for forms in self._lexicon.natural.get(path, {}).values() for w in forms]
            wording = self._lexicon.wordings.get(path)
            if wording:
                texts += [f"{wording.asks} is {wording.template}", f"{wording.asks} {wording.noun}"]
            texts.append(chain_words(path, self._lexicon))
            found = self._known[path] = tuple({frozenset(stems(t)): None for t in texts})
        return found

    @cached_property
    def _spread(self) -> Counter[str]:
        """In how many paths' wordings each stem stands."""
        every = Counter[str]()
        for path in self._lexicon.wordings:
            every.update(frozenset().union(*self._wordings(path)))
        return every

    @property
    def _size(self) -> int:
        return max(1, len(self._lexicon.wordings))
