"""Text -> token ids for the encoder; programs -> ids for the decoder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from kbqa.parse.program import MARKS, STRUCTURE

MAX_SOURCE = 192
STRINGS = ('"Country"', '"State"', '"Province"', '"City"', '"Region"')
KEYWORDS = (*STRUCTURE, *STRINGS)
PAD, START, END = (KEYWORDS.index(t) for t in ("<pad>", "<start>", "<end>"))
_KEYWORD_IDS = {t: i for i, t in enumerate(KEYWORDS)}


def load_tokenizer(file: Path) -> Tokenizer:
    """A fast WordPiece tokenizer that keeps the markers whole."""
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.add_special_tokens(list(MARKS))
    tokenizer.enable_truncation(MAX_SOURCE)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    return tokenizer


def encode(tokenizer: Tokenizer, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
    """(ids, mask), both (B, S)."""
    found = tokenizer.encode_batch(list(texts))
    ids = torch.tensor([e.ids for e in found])
    return ids, torch.tensor([e.attention_mask for e in found])


def item_text(item: str) -> str:
    """The words of a predicate and direction: '^film.actor.film' -> 'reverse film actor : film'."""
    backwards = item.startswith("^")
    kind, _, last = item.removeprefix("^").rpartition(".")
    words = f"{kind.replace('.', ' ').replace('_', ' ')} : {last.replace('_', ' ')}"
    return ("reverse " if backwards else "") + words


class Vocabulary:
    """Keywords and the items of one knowledge base or training set, numbered."""

    def __init__(self, items: Iterable[str]) -> None:
        self.items = tuple(items)
        self.tokens = (*KEYWORDS, *self.items)
        self.ids = {**_KEYWORD_IDS, **{t: i for i, t in enumerate(self.items, len(KEYWORDS))}}

    def encode(self, program: Iterable[str]) -> list[int]:
        """Raises KeyError for a token that is neither keyword nor item."""
        return [self.ids[t] for t in program]

    def decode(self, ids: Iterable[int]) -> list[str]:
        return [self.tokens[i] for i in ids]
