"""The phraser that ships: a pointer network whose items are words.

What the parser's network does with predicates it does here with words: each is embedded from its letters
by the encoder, so a word of the template that was in no training question can be written too. Names and
values are written as markers, each as often as the template needs it: once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import torch
from torch import Tensor

from kbqa.models.checkpoint import Checkpoint, load_checkpoint
from kbqa.models.quantise import for_running
from kbqa.models.tokens import Vocabulary, encode
from kbqa.parse.beam import search
from kbqa.phrase.tokens import MARK_TOKENS, join, split
from kbqa.protocols import Scored

_CONTEXT = " | "
_GAP = 1.6
"""What is less likely than the likeliest by more (natural logarithm) is often no good English."""
_KEPT = 2_000
"""Words beyond the vocabulary whose embeddings are kept."""


@dataclass(frozen=True)
class Saying:
    """Where a sub-question stands: the markers that it has still to name, whether it is complete."""

    left: frozenset[str]
    asked: bool = False

    def advance(self, token: str) -> Saying:
        return Saying(self.left - {token}, self.asked or token == "?")


@dataclass
class Spelling:
    """What may be written next: words, each marker once, a question mark when all are written, the end."""

    words: frozenset[str]
    start: Saying
    _allowed: dict[Saying, frozenset[str]] = field(default_factory=dict)

    def allowed(self, state: Saying) -> frozenset[str]:
        if state not in self._allowed:
            last = {"<end>"} if state.asked else self.words | (state.left or {"?"})
            self._allowed[state] = frozenset(last)
        return self._allowed[state]


class Speaker:
    """`Seq2Seq` from `kbqa.phrase.text.phraser_source` to a sub-question with its markers."""

    concurrent = True

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint, self.signature = checkpoint, checkpoint.signature
        self._embedded = lru_cache(_KEPT)(self._embed)

    @classmethod
    def load(cls, folder: Path, words: Tensor) -> Speaker:
        """`words`: the encoder's word embeddings, which the folder shares with the parser's. Raises
        `ModelError`."""
        return cls(for_running(load_checkpoint(folder, "phraser", words)))

    def warm(self) -> None:
        _ = self._table

    def generate(
        self, sources: Sequence[str], *, n: int = 1, constraints: object = None
    ) -> list[list[Scored]]:
        """Up to `n` sub-questions for each source, best first: fewer, where few are well put."""
        return [self._said(source, n) for source in sources]

    @torch.inference_mode()
    def _said(self, source: str, n: int) -> list[Scored]:
        checkpoint = self._checkpoint
        template = split(source.partition(_CONTEXT)[0])
        marks = frozenset(template) & MARK_TOKENS
        vocabulary, table = self._with({w for w in template[1:] if w.isalnum()})
        words = frozenset(w for w in vocabulary.items if w != "?" and _fits(w, template))
        ids, mask = encode(checkpoint.tokenizer, [source])
        found = search(
            checkpoint.net, table, vocabulary, ids, mask, Spelling(words, Saying(marks)), width=n, longest=40
        )
        least = found[0].logprob - _GAP if found else 0.0
        return [Scored(join(f.tokens), f.logprob) for f in found if f.logprob >= least][:n]

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._checkpoint.items)

    @cached_property
    def _table(self) -> Tensor:
        """(V, D)"""
        c = self._checkpoint
        with torch.inference_mode():
            return c.net.table(c.net.item(c.pooled) + c.residual)

    def _with(self, template: Iterable[str]) -> tuple[Vocabulary, Tensor]:
        """The vocabulary and its embeddings, and the template's own words that are not among them."""
        further = sorted(set(template) - self._vocabulary.ids.keys())
        if not further:
            return self._vocabulary, self._table
        vocabulary = Vocabulary((*self._vocabulary.items, *further))
        return vocabulary, torch.cat((self._table, torch.stack([self._embedded(w) for w in further])))

    def _embed(self, word: str) -> Tensor:
        c = self._checkpoint
        ids, mask = encode(c.tokenizer, [word])
        found: Tensor = c.net.item(c.net.encoder.pooled(ids, mask))[0]
        return found


def _fits(word: str, template: Sequence[str]) -> bool:
    """Numbers are the template's own: none is made up."""
    return word in template or not any(c.isdigit() for c in word)
