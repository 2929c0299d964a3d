"""Nouns that mean the same, by the parser's encoder."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from kbqa.models.checkpoint import Checkpoint
from kbqa.models.tokens import encode

_SAME = 0.8
"""The least cosine of two nouns that mean the same: 'film' and 'movie' 0.95, 'town' and 'city' 0.84;
'airline' and 'airport' have 0.77, 'firm' and 'organization' 0.63."""


class Encoded:
    """`kbqa.compose.alike.Likeness` by the cosine of what the encoder makes of a word."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._known: dict[str, Tensor] = {}

    def nearest(self, word: str, among: Sequence[str]) -> str | None:
        if not among:
            return None
        self._read([word, *among])
        likeness = torch.stack([self._known[n] for n in among]) @ self._known[word]
        best = int(likeness.argmax())
        return among[best] if float(likeness[best]) >= _SAME else None

    @torch.inference_mode()
    def _read(self, words: Sequence[str]) -> None:
        new = [w for w in dict.fromkeys(words) if w not in self._known]
        for start in range(0, len(new), 256):
            part = new[start : start + 256]
            ids, mask = encode(self._checkpoint.tokenizer, part)
            states = F.normalize(self._checkpoint.net.encoder.pooled(ids, mask), dim=1)
            self._known.update(zip(part, states, strict=True))
