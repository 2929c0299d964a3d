"""Reading a shipped checkpoint: safetensors in half precision, no code executed.

The parser's and the phraser's networks have the same word embeddings, which no training changes; the
parser's file holds them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.overrides import TorchFunctionMode

from kbqa.confidence import Calibration
from kbqa.errors import ModelError
from kbqa.models.net import NetConfig, PointerNet
from kbqa.models.tokens import load_tokenizer

WORDS = "encoder.words.weight"
FILES = ("config.json", "items.json", "tokenizer.json", "model.safetensors")


@dataclass(frozen=True)
class Checkpoint:
    """A network ready to run on the CPU, its tokenizer and the items it was trained with.

    `pooled`: (I, D), the items' words as its encoder reads them; `residual`: (I, D), learned.
    """

    net: PointerNet
    tokenizer: Tokenizer
    items: tuple[str, ...]
    pooled: Tensor
    residual: Tensor
    signature: str
    calibration: Calibration | None = None


class Unfilled(TorchFunctionMode):
    """Weights are made without values, for they are read from a file. To draw them on the device 'meta' torch
    loads its compiler: a second of start-up, and 70 MB."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if getattr(func, "__module__", "") == "torch.nn.init":
            return args[0] if args else kwargs["tensor"]
        return func(*args, **(kwargs or {}))


def load_checkpoint(folder: Path, role: str = "parser", words: Tensor | None = None) -> Checkpoint:
    """`words`: the encoder's word embeddings, where the folder is without. Raises `ModelError` naming the
    file that is missing, broken or of another architecture."""
    for name in FILES:
        if not (folder / name).is_file():
            raise ModelError(
                f"no {role} checkpoint in {folder}: {name} is missing; train one with "
                f"`kbqa train {role} --config models/{role}/recipe.toml` or install the package again"
            )
    try:
        config = NetConfig(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
        items = tuple(json.loads((folder / "items.json").read_text(encoding="utf-8")))
        state = {k: v.float() for k, v in load_file(folder / "model.safetensors").items()}
        tokenizer = load_tokenizer(folder / "tokenizer.json")
    except (ValueError, TypeError, SafetensorError) as e:
        raise ModelError(f"the {role} checkpoint in {folder} is broken: {e}") from None
    if words is not None and state.setdefault(WORDS, words) is words:
        _check_words(folder, words)
    pooled, residual = state.pop("items.pooled"), state.pop("items.residual")
    with torch.device("meta"), Unfilled():
        net = PointerNet(config)
    missing = net.load_state_dict(state, strict=False, assign=True)
    if missing.missing_keys or missing.unexpected_keys:
        raise ModelError(
            f"the checkpoint in {folder} is no pointer network: missing {missing.missing_keys[:3]}, "
            f"unexpected {missing.unexpected_keys[:3]}"
        )
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()[:12]
    calibration = Calibration.load(folder)
    return Checkpoint(net.eval(), tokenizer, items, pooled, residual, f"{role}-{digest}", calibration)


def digest_of(words: Tensor) -> str:
    """Tells word embeddings apart, as they are in half precision."""
    return hashlib.sha256(words.detach().half().contiguous().numpy().tobytes()).hexdigest()[:16]


def _check_words(folder: Path, words: Tensor) -> None:
    """Raises `ModelError` where the folder's network was trained with other word embeddings."""
    file = folder / "words.json"
    trained = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None
    if trained != digest_of(words):
        raise ModelError(
            f"the checkpoint in {folder} was trained with other word embeddings than the parser's: train it "
            "again from the same encoder, or keep them in its model.safetensors"
        )
