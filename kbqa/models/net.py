"""The parser's network: a pretrained sentence encoder and a small decoder that points at schema items.

The decoder's vocabulary is a fixed list of keywords plus the predicates ("items") of whatever
knowledge base it is used with. An item's embedding is computed from its words by the same encoder,
so that predicates never seen in training can be written too; a learned residual is added for those
that were. Shapes: B batch, S source tokens, T target tokens, D width, V keywords + items.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

MARKS = 100
"""Ids below are a BERT vocabulary's padding (0) and unused pieces: [unused0] is 1."""


@dataclass(frozen=True)
class NetConfig:
    """Sizes. The encoder's are those of BERT-like checkpoints such as MiniLM-L6."""

    vocabulary: int = 30522
    width: int = 384
    encoder_layers: int = 6
    heads: int = 12
    encoder_inner: int = 1536
    positions: int = 512
    decoder_layers: int = 4
    decoder_heads: int = 6
    decoder_inner: int = 1024
    keywords: int = 128
    max_target: int = 64
    dropout: float = 0.1

    def as_dict(self) -> dict[str, int | float]:
        return asdict(self)


class EncoderLayer(nn.Module):
    """A post-norm BERT layer."""

    def __init__(self, c: NetConfig) -> None:
        super().__init__()
        self.heads, self.dropout = c.heads, c.dropout
        self.qkv = nn.Linear(c.width, 3 * c.width)
        self.out = nn.Linear(c.width, c.width)
        self.norm1 = nn.LayerNorm(c.width, eps=1e-12)
        self.up = nn.Linear(c.width, c.encoder_inner)
        self.down = nn.Linear(c.encoder_inner, c.width)
        self.norm2 = nn.LayerNorm(c.width, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        b, s, d = x.shape
        q, k, v = (t.view(b, s, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        p = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        x = self.norm1(x + F.dropout(self.out(y.transpose(1, 2).reshape(b, s, d)), p))
        y = F.dropout(self.down(F.gelu(self.up(x))), p)
        found: Tensor = self.norm2(x + y)
        return found


class Encoder(nn.Module):
    """Token ids (B, S) and their mask (B, S, 1 = real) -> states (B, S, D).

    `marks` tells the unused pieces of the vocabulary apart: pretraining has left them all but alike
    (mean cosine 0.82 in MiniLM-L6), and they stand for entities, values and steps here.
    """

    def __init__(self, c: NetConfig) -> None:
        super().__init__()
        self.words = nn.Embedding(c.vocabulary, c.width)
        self.marks = nn.Embedding(MARKS, c.width, padding_idx=0)
        self.positions = nn.Embedding(c.positions, c.width)
        self.norm = nn.LayerNorm(c.width, eps=1e-12)
        self.layers = nn.ModuleList(EncoderLayer(c) for _ in range(c.encoder_layers))
        self.dropout = c.dropout

    def forward(self, ids: Tensor, mask: Tensor, layers: Iterable[nn.Module] | None = None) -> Tensor:
        """`layers`: others in place of its own."""
        marks = self.marks(torch.where(ids < MARKS, ids, 0))
        x: Tensor = self.words(ids) + marks + self.positions.weight[: ids.shape[1]]
        x = F.dropout(self.norm(x), self.dropout if self.training else 0.0)
        attend = mask[:, None, None, :].bool()
        for layer in self.layers if layers is None else layers:
            x = layer(x, attend)
        return x

    def pooled(self, ids: Tensor, mask: Tensor, layers: Iterable[nn.Module] | None = None) -> Tensor:
        """Mean over real tokens: (B, D)."""
        states = self(ids, mask, layers)
        weight = mask[:, :, None].to(states.dtype)
        found: Tensor = (states * weight).sum(1) / weight.sum(1).clamp(min=1)
        return found


class DecoderLayer(nn.Module):
    """A pre-norm decoder layer. `past` holds keys and values of earlier positions."""

    def __init__(self, c: NetConfig) -> None:
        super().__init__()
        self.heads, self.dropout = c.decoder_heads, c.dropout
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(c.width) for _ in range(3))
        self.qkv, self.out = nn.Linear(c.width, 3 * c.width), nn.Linear(c.width, c.width)
        self.query, self.cross = nn.Linear(c.width, c.width), nn.Linear(c.width, c.width)
        self.memory = nn.Linear(c.width, 2 * c.width)
        self.up, self.down = nn.Linear(c.width, c.decoder_inner), nn.Linear(c.decoder_inner, c.width)

    def _split(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def remember(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of the source, computed once per source."""
        k, v = self.memory(states).chunk(2, -1)
        return self._split(k), self._split(v)

    def forward(
        self,
        x: Tensor,
        memory: tuple[Tensor, Tensor],
        mask: Tensor,
        past: tuple[Tensor, Tensor] | None = None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        b, t, d = x.shape
        p = self.dropout if self.training else 0.0
        q, k, v = (self._split(y) for y in self.qkv(self.norm1(x)).chunk(3, -1))
        if past is not None:
            k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=past is None and t > 1, dropout_p=p)
        x = x + F.dropout(self.out(y.transpose(1, 2).reshape(b, t, d)), p)
        q = self._split(self.query(self.norm2(x)))
        y = F.scaled_dot_product_attention(q, memory[0], memory[1], attn_mask=mask, dropout_p=p)
        x = x + F.dropout(self.cross(y.transpose(1, 2).reshape(b, t, d)), p)
        x = x + F.dropout(self.down(F.gelu(self.up(self.norm3(x)))), p)
        return x, (k, v)


class PointerNet(nn.Module):
    """Encoder, decoder and the embeddings of keywords and items."""

    def __init__(self, c: NetConfig) -> None:
        super().__init__()
        self.config = c
        self.encoder = Encoder(c)
        self.layers = nn.ModuleList(DecoderLayer(c) for _ in range(c.decoder_layers))
        self.norm = nn.LayerNorm(c.width)
        self.keywords = nn.Embedding(c.keywords, c.width)
        self.targets = nn.Embedding(c.max_target, c.width)
        self.item = nn.Sequential(nn.Linear(c.width, c.width), nn.GELU(), nn.Linear(c.width, c.width))
        self.scale = nn.Parameter(torch.tensor(1.0))
        nn.init.normal_(self.encoder.marks.weight[1:], std=0.05)
        nn.init.normal_(self.keywords.weight, std=0.05)
        nn.init.normal_(self.targets.weight, std=0.02)

    def items(self, ids: Tensor, mask: Tensor, residual: Tensor | None = None) -> Tensor:
        """Embeddings (I, D) of items from their words (I, S)."""
        found: Tensor = self.item(self.encoder.pooled(ids, mask))
        return found if residual is None else found + residual

    def table(self, items: Tensor) -> Tensor:
        """All output embeddings (V, D): keywords first, then items."""
        return torch.cat((self.keywords.weight.to(items.dtype), items), 0)

    def decode(
        self,
        tokens: Tensor,
        table: Tensor,
        memory: list[tuple[Tensor, Tensor]],
        mask: Tensor,
        past: list[tuple[Tensor, Tensor]] | None = None,
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """Next-token logits (B, T, V) for tokens (B, T) after `past` positions."""
        start = past[0][0].shape[2] if past else 0
        x: Tensor = F.embedding(tokens, table) + self.targets.weight[start : start + tokens.shape[1]]
        x = F.dropout(x, self.config.dropout if self.training else 0.0)
        attend = mask[:, None, None, :].bool()
        kept = []
        for i, layer in enumerate(self.layers):
            x, kv = layer(x, memory[i], attend, past[i] if past else None)
            kept.append(kv)
        return self.scale * (self.norm(x) @ table.T), kept

    def memory(self, states: Tensor) -> list[tuple[Tensor, Tensor]]:
        return [layer.remember(states) for layer in self.layers]  # type: ignore[operator]

    def forward(self, ids: Tensor, mask: Tensor, tokens: Tensor, table: Tensor) -> Tensor:
        """Logits (B, T, V) under teacher forcing."""
        states = self.encoder(ids, mask)
        return self.decode(tokens, table, self.memory(states), mask)[0]


def from_bert(state: Mapping[str, Tensor], net: PointerNet) -> None:
    """Copy a BERT-like checkpoint's weights (as Hugging Face names them) into the encoder.

    Token types are folded into the word embeddings. Raises KeyError for another architecture.
    """
    given = {k.removeprefix("bert."): v.float() for k, v in state.items()}
    types = given["embeddings.token_type_embeddings.weight"][0]
    own = {
        "marks.weight": net.encoder.marks.weight.detach(),
        "words.weight": given["embeddings.word_embeddings.weight"] + types,
        "positions.weight": given["embeddings.position_embeddings.weight"],
    }
    for kind in ("weight", "bias"):
        own[f"norm.{kind}"] = given[f"embeddings.LayerNorm.{kind}"]
        for i in range(net.config.encoder_layers):
            theirs, ours = f"encoder.layer.{i}.", f"layers.{i}."
            parts = [given[f"{theirs}attention.self.{n}.{kind}"] for n in ("query", "key", "value")]
            own[f"{ours}qkv.{kind}"] = torch.cat(parts)
            for name, other in _BERT_NAMES.items():
                own[f"{ours}{name}.{kind}"] = given[f"{theirs}{other}.{kind}"]
    net.encoder.load_state_dict(own)


_BERT_NAMES = {
    "out": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}
