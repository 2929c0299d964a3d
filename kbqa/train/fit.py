"""Training the parser's network: resumable, seeded, on a CPU or a GPU unchanged.

python -m kbqa.train.fit --config models/parser/recipe.toml --data DIR --encoder DIR --out DIR
"""

from __future__ import annotations

import gzip
import json
import math
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional as F

from kbqa.errors import InputError
from kbqa.models.net import NetConfig, PointerNet, from_bert
from kbqa.models.tokens import KEYWORDS, PAD, START, Vocabulary, encode, item_text, load_tokenizer
from kbqa.train.data import MADE
from kbqa.train.schedule import batches, epoch_order, rate


@dataclass(frozen=True)
class Recipe:
    """A run's settings. `rows`: name -> file of published rows, under the data folder; `valid`: the
    name that is only validated on; `synth`, `corrections`, `paraphrases`, `asked`: what `kbqa.train.prepare`
    makes these with (how many, seed, shares); `held_out`: name -> how many of
    its questions are not trained on; `styles`: name -> the share of its rows that is seen in another
    style, too; `weights`: how often a name's examples are seen per epoch (default 1); `finetune`: a
    checkpoint folder to start from; `begin`: one of another role, whose items are not kept; `average`: the
    share of its weights in those that ship (weights of one start lie near each other, and their mean
    forgets less than either; Wortsman et al. 2022, model soups);
    `stop_after`: end after so many of the epochs; `minutes`: end after so many at the latest, the rate fallen
    to nothing by then (0: whenever the epochs are done)."""

    rows: dict[str, str]
    valid: str
    synth: dict[str, Any] = field(default_factory=dict)
    corrections: dict[str, Any] = field(default_factory=dict)
    paraphrases: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    held_out: dict[str, int] = field(default_factory=dict)
    styles: dict[str, float] = field(default_factory=dict)
    epochs: int = 20
    batch: int = 192
    encoder_lr: float = 1e-4
    decoder_lr: float = 5e-4
    warmup: float = 0.05
    smoothing: float = 0.05
    item_dropout: float = 0.3
    frozen_layers: int = 0
    refresh: int = 200
    save_every: int = 500
    seed: int = 0
    weights: dict[str, float] = field(default_factory=dict)
    net: dict[str, Any] = field(default_factory=dict)
    finetune: str = ""
    begin: str = ""
    average: float = 0.0
    stop_after: int = 1_000_000
    minutes: float = 0.0

    @classmethod
    def load(cls, path: Path) -> Self:
        """Raises `InputError` naming the file and what is wrong in it."""
        try:
            return cls(**tomllib.loads(path.read_text(encoding="utf-8")))
        except OSError as e:
            raise InputError(
                f"{path}: {e.strerror}; expected a recipe such as models/parser/recipe.toml"
            ) from None
        except (tomllib.TOMLDecodeError, TypeError) as e:
            raise InputError(f"{path}: no recipe: {e}") from None


def read_examples(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _items(folder: Path) -> list[str]:
    """The items that a checkpoint was trained with."""
    return list(json.loads((folder / "items.json").read_text(encoding="utf-8")))


def averaged(own: dict[str, Tensor], items: list[str], start: Path, share: float) -> dict[str, Tensor]:
    """Weights of a run between those of the checkpoint it began with, which have so great a share, and its
    own. Items that the checkpoint has not are as the run left them."""
    old = load_file(start / "model.safetensors")
    where = {t: i for i, t in enumerate(_items(start))}
    both = [(i, where[t]) for i, t in enumerate(items) if t in where]
    out = {}
    for name, weights in own.items():
        mixed = weights.float()
        if name.startswith("items."):
            here, there = (list(side) for side in zip(*both, strict=True))
            mixed[here] = torch.lerp(mixed[here], old[name][there].float(), share)
        elif name in old:
            mixed = torch.lerp(mixed, old[name].float(), share)
        out[name] = mixed.half().contiguous()
    return out


class Trainer:
    """One run. `step` is the number of optimiser steps done; a checkpoint holds all that matters."""

    tick: Callable[[float, float], None] = staticmethod(lambda done, loss: None)
    """Told after each step: the share of the run that is done, and the mean loss of this pass."""
    made: tuple[str, ...] = ()
    """Settings of the recipe that name origins beside those of every recipe."""
    apart: frozenset[str] = frozenset()
    """Weights that do not ship, as another checkpoint has the same."""

    @staticmethod
    def words_of(item: str) -> str:
        """What the encoder reads an item as."""
        return item_text(item)

    def __init__(
        self, recipe: Recipe, data: Path, encoder: Path, out: Path, report: Callable[[str], None]
    ) -> None:
        self.recipe, self.out, self.report = recipe, out, report
        torch.manual_seed(recipe.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.halves = self.device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
        self.tokenizer = load_tokenizer(encoder / "tokenizer.json")
        names = [*recipe.rows, *(k for k in (*MADE, *self.made) if getattr(recipe, k))]
        trained = [n for n in names if n != recipe.valid and recipe.weights.get(n, 1.0) > 0]
        self.train = [e for n in trained for e in read_examples(data / f"{n}.jsonl.gz")]
        self.valid = read_examples(data / f"{recipe.valid}.jsonl.gz")
        self.seen = self._seen()
        if recipe.finetune:  # what was learned before is not forgotten for want of examples
            self.seen |= set(_items(Path(recipe.finetune)))
        used = {t for e in (*self.train, *self.valid) for t in e["program"]}
        items = sorted((self.seen | used) - set(KEYWORDS))
        self.vocabulary = Vocabulary(items)
        self.net = PointerNet(NetConfig(keywords=len(KEYWORDS), **recipe.net)).to(self.device)
        self._pretrained(encoder)
        for part in (self.net.encoder.words, *self.net.encoder.layers[: recipe.frozen_layers]):
            part.requires_grad_(False)
        self.residual = torch.nn.Parameter(torch.zeros(len(items), self.net.config.width, device=self.device))
        for start in filter(None, (recipe.begin, recipe.finetune)):
            self._start_from(Path(start))
        ids, mask = encode(self.tokenizer, [self.words_of(t) for t in items])
        self.item_ids, self.item_mask = ids.to(self.device), mask.to(self.device)
        encoder_weights = [p for p in self.net.encoder.parameters() if p.requires_grad]
        known = {id(p) for p in self.net.encoder.parameters()}
        rest = [p for p in self.net.parameters() if id(p) not in known] + [self.residual]
        self.optimiser = torch.optim.AdamW(
            [{"params": encoder_weights, "lr": recipe.encoder_lr}, {"params": rest, "lr": recipe.decoder_lr}],
            weight_decay=0.01,
            betas=(0.9, 0.98),
            fused=True,
        )
        self.epoch_size = len(self._epoch(0))
        self.total = recipe.epochs * math.ceil(self.epoch_size / recipe.batch)
        self.step, self.spent_s = 0, 0.0
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimiser, self._rate)

    def _seen(self) -> set[str]:
        """The items that are trained well enough to ship."""
        return {t for e in self.train for t in e["program"]} - set(KEYWORDS)

    def _pretrained(self, encoder: Path) -> None:
        """The encoder as it is before any training."""
        from_bert(load_file(encoder / "model.safetensors"), self.net)

    def _start_from(self, folder: Path) -> None:
        state = load_file(folder / "model.safetensors")
        own = {k: v.float() for k, v in state.items() if not k.startswith("items.")}
        self.net.load_state_dict(own, strict=False)
        where = {t: i for i, t in enumerate(_items(folder))}
        with torch.no_grad():
            for i, t in enumerate(self.vocabulary.items):
                if t in where:
                    self.residual[i] = state["items.residual"][where[t]].float()

    def _rate(self, step: int) -> float:
        return rate(max(step, int(self.total * self._time_used())), self.total, self.recipe.warmup)

    def _time_used(self) -> float:
        """The share of the minutes that is used up; 0 where there is no limit."""
        return self.spent_s / (60 * self.recipe.minutes) if self.recipe.minutes else 0.0

    def _epoch(self, epoch: int) -> list[int]:
        """Indices of one epoch."""
        origins = [e["origin"] for e in self.train]
        return epoch_order(origins, self.recipe.weights, self.recipe.seed, epoch)

    def _batches(self, epoch: int) -> Iterator[list[dict[str, Any]]]:
        lengths = [len(e["text"]) for e in self.train]
        for batch in batches(self._epoch(epoch), lengths, self.recipe.batch, self.recipe.seed, epoch):
            yield [self.train[j] for j in batch]

    def tensors(self, batch: list[dict[str, Any]]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Source ids and mask (B, S), decoder input and target (B, T)."""
        ids, mask = encode(self.tokenizer, [e["text"] for e in batch])
        programs = [self.vocabulary.encode(e["program"])[: self.net.config.max_target] for e in batch]
        length = max(map(len, programs))
        target = torch.full((len(batch), length), PAD)
        for i, p in enumerate(programs):
            target[i, : len(p)] = torch.tensor(p)
        inputs = torch.cat((torch.full((len(batch), 1), START), target[:, :-1]), 1)
        return tuple(t.to(self.device) for t in (ids, mask, inputs, target))  # type: ignore[return-value]

    @torch.no_grad()
    def read_items(self) -> None:
        """Encode the items' words anew. They are read without gradient, now and then: reading
        2,000 items at every step would cost ten times the step."""
        training = self.net.training
        self.net.eval()
        parts = zip(torch.split(self.item_ids, 256), torch.split(self.item_mask, 256), strict=True)
        self.pooled = torch.cat([self.net.encoder.pooled(i, m) for i, m in parts])
        self.net.train(training)

    def table(self) -> Tensor:
        residual: Tensor = self.residual
        if self.net.training:
            keep = torch.rand(len(residual), 1, device=self.device) >= self.recipe.item_dropout
            residual = residual * keep
        return self.net.table(self.net.item(self.pooled) + residual)

    def loss(self, batch: list[dict[str, Any]]) -> Tensor:
        ids, mask, inputs, target = self.tensors(batch)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.halves):
            logits = self.net(ids, mask, inputs, self.table())
        return F.cross_entropy(
            logits.float().flatten(0, 1),
            target.flatten(),
            ignore_index=PAD,
            label_smoothing=self.recipe.smoothing if self.net.training else 0.0,
        )

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Greedy exact match of the token sequence, and the loss, on the validation examples."""
        self.net.eval()
        self.read_items()
        table, right, total = self.table(), 0, 0.0
        for i in range(0, len(self.valid), 128):
            batch = self.valid[i : i + 128]
            total += float(self.loss(batch)) * len(batch)
            ids, mask, _, target = self.tensors(batch)
            memory = self.net.memory(self.net.encoder(ids, mask))
            tokens, past = torch.full((len(batch), 1), START, device=self.device), None
            out = []
            for _ in range(target.shape[1]):
                logits, past = self.net.decode(tokens, table, memory, mask, past)
                tokens = logits[:, -1:].argmax(-1)
                out.append(tokens)
            found = torch.cat(out, 1)
            right += int(((found == target) | (target == PAD)).all(1).sum())
        self.net.train()
        return {"loss": total / len(self.valid), "exact": right / len(self.valid)}

    def ship(self) -> None:
        """The weights as they ship, in half precision, with the items that training has seen."""
        self.out.mkdir(parents=True, exist_ok=True)
        weights = self.net.state_dict()
        own = {k: v.half().contiguous().cpu() for k, v in weights.items() if k not in self.apart}
        kept = [i for i, t in enumerate(self.vocabulary.items) if t in self.seen]
        names = [self.vocabulary.items[i] for i in kept]
        own["items.residual"] = self.residual.detach()[kept].half().cpu()
        own["items.pooled"] = self.pooled[kept].half().cpu()
        if self.recipe.average:
            own = averaged(own, names, Path(self.recipe.finetune), self.recipe.average)
        save_file(own, self.out / "model.safetensors.part")
        (self.out / "model.safetensors.part").replace(self.out / "model.safetensors")
        (self.out / "items.json").write_text(json.dumps(names), encoding="utf-8")
        (self.out / "config.json").write_text(json.dumps(self.net.config.as_dict()), encoding="utf-8")

    def save(self) -> None:
        """The resumable state."""
        self.out.mkdir(parents=True, exist_ok=True)
        state = {
            "net": self.net.state_dict(),
            "residual": self.residual,
            "optimiser": self.optimiser.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "step": self.step,
            "spent_s": self.spent_s,
            "random": torch.get_rng_state(),
        }
        torch.save(state, self.out / "state.part")
        (self.out / "state.part").replace(self.out / "state.pt")

    def resume(self) -> bool:
        """Go on from the last checkpoint, if there is one."""
        file = self.out / "state.pt"
        if not file.exists():
            return False
        state = torch.load(file, map_location=self.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        with torch.no_grad():
            self.residual.copy_(state["residual"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.step, self.spent_s = state["step"], state.get("spent_s", 0.0)
        torch.set_rng_state(state["random"].cpu())
        return True

    def run(self) -> dict[str, float]:
        """Train to the end (or the time limit); returns the last validation figures. Nothing is
        chosen by them: what they are measured on may be reported on."""
        started, figures = time.monotonic(), {"exact": -1.0}
        before_s = self.spent_s
        self.read_items()
        per_epoch = math.ceil(self.epoch_size / self.recipe.batch)
        self.net.train()
        for epoch in range(self.step // per_epoch, self.recipe.epochs):
            seen, summed = 0, 0.0
            for i, batch in enumerate(self._batches(epoch)):
                if epoch * per_epoch + i < self.step:
                    continue
                if self._time_used() >= 1:
                    break
                if self.step % self.recipe.refresh == 0:
                    self.read_items()
                loss = self.loss(batch)
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.optimiser.step()
                self.spent_s = before_s + time.monotonic() - started
                self.scheduler.step()
                self.step += 1
                if self.step % self.recipe.save_every == 0 and self.step % per_epoch:
                    self.save()
                seen, summed = seen + 1, summed + float(loss.detach())
                self.tick(max(self.step / self.total, self._time_used()), summed / seen)
            figures = self.validate()
            row = {"epoch": epoch + 1, "step": self.step, "train_loss": summed / max(1, seen), **figures}
            row["seconds"] = round(time.monotonic() - started, 1)
            self.out.mkdir(parents=True, exist_ok=True)
            with (self.out / "metrics.jsonl").open("a", encoding="utf-8") as log:
                log.write(json.dumps(row) + "\n")
            self.report(json.dumps(row))
            self.ship()
            self.save()
            if epoch + 1 >= self.recipe.stop_after or self._time_used() >= 1:
                break
        return figures
