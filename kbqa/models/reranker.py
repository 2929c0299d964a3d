"""The reranker's network: a question and one of its readings, read together, and how well they fit.

Its encoder is the parser's, whose word embeddings and lower layers it has in common with it; the layers above
and a small head are its own. Shapes: B texts, D width.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from kbqa.errors import ModelError
from kbqa.models.checkpoint import Checkpoint, Unfilled
from kbqa.models.net import Encoder, EncoderLayer, NetConfig
from kbqa.models.quantise import is_supported, quantise
from kbqa.models.tokens import encode

FILES = ("config.json", "model.safetensors")


class RerankerNet(nn.Module):
    """`encoder`: the parser's; `shared`: how many of its layers are left as they are. The layers above them
    are copies of its own."""

    def __init__(self, encoder: Encoder, config: NetConfig, shared: int) -> None:
        super().__init__()
        self.below = encoder
        self.shared = shared
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers - shared))
        self.hidden = nn.Linear(config.width, config.width)
        self.out = nn.Linear(config.width, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Token ids and mask (B, S) -> logits (B,)."""
        pooled = self.below.pooled(ids, mask, (*self.below.layers[: self.shared], *self.layers))
        found: Tensor = self.out(torch.tanh(self.hidden(pooled))).squeeze(-1)
        return found

    def own(self) -> dict[str, Tensor]:
        """The weights that it has not in common with the parser."""
        return {k: v for k, v in self.state_dict().items() if not k.startswith("below.")}


class NeuralReranker:
    """`kbqa.reading.reranker.Reranker`, on the CPU."""

    concurrent = True

    def __init__(self, net: RerankerNet, tokenizer: Tokenizer, signature: str) -> None:
        self._net, self._tokenizer, self.signature = net, tokenizer, signature

    @classmethod
    def load(cls, folder: Path, parser: Checkpoint) -> NeuralReranker:
        """`parser`: the checkpoint that it was trained upon. Raises `ModelError`."""
        for name in FILES:
            if not (folder / name).is_file():
                raise ModelError(
                    f"no reranker checkpoint in {folder}: {name} is missing; install the package again, or "
                    "do without: KBQA_RERANKER=none"
                )
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            shared, trained_upon = int(config["shared"]), str(config["parser"])
            state = {k: v.float() for k, v in load_file(folder / "model.safetensors").items()}
        except (ValueError, TypeError, KeyError, SafetensorError) as e:
            raise ModelError(f"the reranker checkpoint in {folder} is broken: {e!r}") from None
        if not parser.signature.startswith(trained_upon):
            raise ModelError(
                f"the reranker in {folder} was trained upon {trained_upon}, this is {parser.signature}: "
                "train it again with `kbqa train reranker`, or do without: KBQA_RERANKER=none"
            )
        with torch.device("meta"), Unfilled():
            net = RerankerNet(parser.net.encoder, parser.net.config, shared)
        missing = net.load_state_dict(state, strict=False, assign=True)
        if missing.unexpected_keys or any(not k.startswith("below.") for k in missing.missing_keys):
            raise ModelError(f"the checkpoint in {folder} is no reranker: {missing.unexpected_keys[:3]}")
        digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()[:12]
        name = f"reranker-{digest}"
        if is_supported():
            quantise(net.layers)
            name += "-int8"
        return cls(net.eval(), parser.tokenizer, name)

    @torch.inference_mode()
    def scores(self, texts: Sequence[str]) -> Sequence[float]:
        """Logits, one per text."""
        found: list[float] = self._net(*encode(self._tokenizer, texts)).tolist()
        return found
