"""Reading a shipped checkpoint: safetensors in half precision, no code executed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from kbqa.confidence import Calibration
from kbqa.errors import ModelError
from kbqa.models.net import NetConfig, PointerNet
from kbqa.models.tokens import load_tokenizer

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


def load_checkpoint(folder: Path) -> Checkpoint:
    """Raises `ModelError` naming the file that is missing, broken or of another architecture."""
    for name in FILES:
        if not (folder / name).is_file():
            raise ModelError(
                f"no parser checkpoint in {folder}: {name} is missing; train one with "
                "`kbqa train parser --config models/parser/recipe.toml` or install the package again"
            )
    try:
        config = NetConfig(**json.loads((folder / "config.json").read_text(encoding="utf-8")))
        items = tuple(json.loads((folder / "items.json").read_text(encoding="utf-8")))
        state = {k: v.float() for k, v in load_file(folder / "model.safetensors").items()}
        tokenizer = load_tokenizer(folder / "tokenizer.json")
    except (ValueError, TypeError, SafetensorError) as e:
        raise ModelError(f"the parser checkpoint in {folder} is broken: {e}") from None
    pooled, residual = state.pop("items.pooled"), state.pop("items.residual")
    with torch.device("meta"):
        net = PointerNet(config)
    missing = net.load_state_dict(state, strict=False, assign=True)
    if missing.missing_keys or missing.unexpected_keys:
        raise ModelError(
            f"the checkpoint in {folder} is no pointer network: missing {missing.missing_keys[:3]}, "
            f"unexpected {missing.unexpected_keys[:3]}"
        )
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()[:12]
    calibration = Calibration.load(folder)
    return Checkpoint(net.eval(), tokenizer, items, pooled, residual, f"parser-{digest}", calibration)
