"""Fine-tuning any T5 or BART checkpoint on pairs of texts: resumable after a kill at any moment, seeded,
on a CPU or a GPU unchanged.

The folder of a run holds the checkpoint as Hugging Face writes it, `kbqa.json` (what it was trained as),
`metrics.jsonl` and `metrics.svg`, and `state.pt`, from which an interrupted run goes on.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from transformers import AddedToken

from kbqa.errors import InputError, ModelError
from kbqa.lexicon import freebase_lexicon
from kbqa.models.hub import HubSeq2Seq
from kbqa.models.pretrained import META, load_pair, quiet
from kbqa.models.roles import Role
from kbqa.parse.program import MARKS, STRUCTURE
from kbqa.parse.text import END, program_tokens
from kbqa.train.data import MADE
from kbqa.train.pairs import Pair, examples, pairs, read_pairs, read_toml, write_pairs
from kbqa.train.plot import write_plot
from kbqa.train.prepare import prepare
from kbqa.train.schedule import batches, epoch_order, rate

Report = Callable[[str], None]
Tick = Callable[[int, int, float], None]
"""Called after each step with steps done, steps in all and the loss."""

_SIGNS = '^<>"._'
"""What a program may hold beside letters."""
_CHECKED = 500
"""Targets that are tried on the tokenizer before training."""


@dataclass(frozen=True)
class Tuning:
    """A run's settings. `base`: a checkpoint folder or a hub id. Its examples come from `rows`, `synth`,
    `corrections`, `paraphrases`, `asked`, `held_out` and `styles`, which mean what they do in a recipe of the
    shipped network (`kbqa.train.fit.Recipe`), and from `pairs` (name -> file of rows {source, target}
    under the data
    folder). `valid`: the name that is only validated on, 'NAME_held_out' for what was held out of NAME.

    lr: the highest rate; warmup: the share of steps up to it; smoothing: of labels; max_source,
    max_target: tokens; save_every: steps; valid_rows: for exact match, which is slow to find.
    """

    base: str
    rows: dict[str, str] = field(default_factory=dict)
    valid: str = ""
    synth: dict[str, Any] = field(default_factory=dict)
    corrections: dict[str, Any] = field(default_factory=dict)
    paraphrases: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    held_out: dict[str, int] = field(default_factory=dict)
    styles: dict[str, float] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    pairs: dict[str, str] = field(default_factory=dict)
    epochs: int = 3
    batch: int = 32
    lr: float = 1e-4
    warmup: float = 0.05
    smoothing: float = 0.0
    max_source: int = 256
    max_target: int = 128
    save_every: int = 200
    valid_rows: int = 200
    seed: int = 0

    @classmethod
    def load(cls, path: Path) -> Tuning:
        """Raises `InputError` naming the file and what is wrong in it."""
        try:
            found = cls(**read_toml(path))
        except TypeError as e:
            raise InputError(f"{path}: no settings for fine-tuning: {e}") from None
        if not (found.rows or found.pairs or any(getattr(found, k) for k in MADE)):
            raise InputError(
                f"{path}: nothing to train on: [rows], [pairs] or one of {', '.join(MADE)} expected"
            )
        return found


# --- data -------------------------------------------------------------------


def data_of(
    role: Role, tuning: Tuning, data: Path, out: Path, report: Report
) -> tuple[list[Pair], list[Pair]]:
    """Training and validation pairs; what is made of other rows is written to `out` once. Raises
    `InputError` for a file that is missing or no rows."""
    lexicon = freebase_lexicon()
    prepare(asdict(tuning), data, out / "data", report)
    made: list[Pair] = []
    held: list[Pair] = []
    names = [*tuning.rows, *(k for k in MADE if getattr(tuning, k))]
    for name in dict.fromkeys([*names, *([tuning.valid] if tuning.valid else [])]):
        if name in tuning.pairs:
            continue
        source, file = out / "data" / f"{name}.jsonl.gz", out / f"{role}-{name}.jsonl.gz"
        if not source.is_file():
            raise InputError(f"valid = {name!r} is none of the recipe's rows: {', '.join(names)}")
        if not file.exists():
            report(f"{name}: {write_pairs(pairs(role, examples(source), lexicon), file)} pairs")
        (held if name == tuning.valid else made).extend(read_pairs(file, name))
    for name, own in tuning.pairs.items():
        (held if name == tuning.valid else made).extend(read_pairs(data / own, name))
    made = [p for p in made if tuning.weights.get(p.origin, 1.0) > 0]
    if not made:
        raise InputError(f"no example of a {role} in {', '.join([*names, *tuning.pairs])}")
    return made, held


# --- the run ----------------------------------------------------------------


class Tuner:
    """One run. `step`: optimiser steps done; `epoch`: epochs done and validated. `state.pt` holds all that
    matters, so that a run that is killed and resumed ends with the very weights of one that is not."""

    def __init__(
        self,
        role: Role,
        tuning: Tuning,
        train: Sequence[Pair],
        valid: Sequence[Pair],
        out: Path,
        report: Report,
    ) -> None:
        self.role, self.tuning, self.out, self.report = role, tuning, out, report
        torch.manual_seed(tuning.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        model, self.tokenizer, _ = load_pair(tuning.base)
        self._extend(model, [*train, *valid])
        self.model = model.to(self.device)
        self._check(train)
        self.train, self.valid = self._fitting(train), list(valid)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=tuning.lr, weight_decay=0.01)
        self.per_epoch = math.ceil(len(self._order(0)) / tuning.batch)
        self.total = tuning.epochs * self.per_epoch
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda step: rate(step, self.total, tuning.warmup)
        )
        self.step = self.epoch = self.seen = 0
        self.summed = 0.0
        rows = json.dumps([asdict(p) for p in (*self.train, *self.valid)], ensure_ascii=False)
        self.key = hashlib.sha256((role + repr(tuning) + rows).encode()).hexdigest()

    def _extend(self, model: Any, rows: Sequence[Pair]) -> None:
        """Give the tokenizer markers, programs' words and the characters that it has no token for."""
        words = [*MARKS, *(STRUCTURE if self.role == "parser" else ())]
        known, unknown = set(self.tokenizer.get_vocab()), self.tokenizer.unk_token_id
        used = {c for p in rows for c in p.source + p.target if not c.isspace()}
        characters = sorted(used | set(_SIGNS) if self.role == "parser" else used)
        if unknown is not None:
            words += [
                c for c in characters if unknown in self.tokenizer(c, add_special_tokens=False).input_ids
            ]
        new = [AddedToken(w, lstrip=True, normalized=False) for w in words if w not in known]
        self.tokenizer.add_tokens(new)
        if len(self.tokenizer) > model.get_input_embeddings().weight.shape[0]:
            with quiet():
                model.resize_token_embeddings(len(self.tokenizer))

    def _check(self, rows: Sequence[Pair]) -> None:
        """Raises `ModelError` where the tokenizer doesn't give back what it is given."""
        targets = list(dict.fromkeys(p.target for p in rows))[:_CHECKED]
        ids = self.tokenizer(targets).input_ids
        back = self.tokenizer.batch_decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        wrong = [(t, b) for t, b in zip(targets, back, strict=True) if _bare(t) != _bare(b)]
        if 10 * len(wrong) > len(targets):
            raise ModelError(
                f"the tokenizer of {self.tuning.base} can't write {len(wrong)} of {len(targets)} targets: "
                f"{wrong[0][0]!r} comes back as {wrong[0][1]!r}; take a cased checkpoint"
            )

    def _fitting(self, rows: Sequence[Pair]) -> list[Pair]:
        """Without the pairs whose target is too long to be written."""
        lengths = [len(i) for i in self.tokenizer([p.target for p in rows]).input_ids]
        kept = [p for p, n in zip(rows, lengths, strict=True) if n <= self.tuning.max_target]
        if len(kept) < len(rows):
            self.report(
                f"{len(rows) - len(kept)} pairs left out: targets longer than {self.tuning.max_target}"
            )
        if not kept:
            raise InputError(f"every target is longer than max_target = {self.tuning.max_target} tokens")
        return kept

    # --- steps

    def _order(self, epoch: int) -> list[int]:
        return epoch_order([p.origin for p in self.train], self.tuning.weights, self.tuning.seed, epoch)

    def _batches(self, epoch: int) -> Iterator[list[Pair]]:
        lengths = [len(p.source) for p in self.train]
        for rows in batches(self._order(epoch), lengths, self.tuning.batch, self.tuning.seed, epoch):
            yield [self.train[i] for i in rows]

    def _encoded(self, texts: Sequence[str], longest: int) -> tuple[Tensor, Tensor]:
        """(ids, mask), both (B, S)."""
        found = self.tokenizer(
            list(texts), padding=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        return found["input_ids"].to(self.device), found["attention_mask"].to(self.device)

    def loss(self, rows: Sequence[Pair], smoothing: float = 0.0) -> Tensor:
        """Mean cross entropy per token."""
        ids, mask = self._encoded([p.source for p in rows], self.tuning.max_source)
        targets, written = self._encoded([p.target for p in rows], self.tuning.max_target)
        labels = targets.masked_fill(written == 0, -100)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits = self.model(input_ids=ids, attention_mask=mask, labels=labels).logits
        return F.cross_entropy(
            logits.float().flatten(0, 1), labels.flatten(), ignore_index=-100, label_smoothing=smoothing
        )

    def _learn(self, rows: Sequence[Pair]) -> float:
        loss = self.loss(rows, self.tuning.smoothing)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.scheduler.step()
        self.step += 1
        return float(loss.detach())

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Loss, and the share of outputs that are the target, white space aside; nothing where nothing is
        held out."""
        if not self.valid:
            return {}
        self.model.eval()
        size = self.tuning.batch
        parts = [self.valid[i : i + size] for i in range(0, len(self.valid), size)]
        loss = sum(float(self.loss(part)) * len(part) for part in parts) / len(self.valid)
        some = self.valid[: self.tuning.valid_rows]
        model = HubSeq2Seq(self.model, self.tokenizer, name="", meta=self._meta(), width=2)
        found = model.generate([p.source for p in some])
        right = sum(_bare(f[0].text) == _bare(p.target) for f, p in zip(found, some, strict=True) if f)
        self.model.train()
        return {"valid_loss": loss, "exact": right / len(some)}

    def run(self, tick: Tick = lambda step, total, loss: None) -> dict[str, float]:
        """Train to the end; returns the last figures. Nothing is chosen by them."""
        started, figures = time.monotonic(), self._last()
        self.model.train()
        for epoch in range(self.epoch, self.tuning.epochs):
            for i, rows in enumerate(self._batches(epoch)):
                if epoch * self.per_epoch + i < self.step:
                    continue
                loss = self._learn(rows)
                self.seen, self.summed = self.seen + 1, self.summed + loss
                tick(self.step, self.total, loss)
                if self.step % self.tuning.save_every == 0:
                    self.save()
            figures = {"epoch": epoch + 1, "step": self.step, "train_loss": self.summed / max(1, self.seen)}
            figures |= self.validate()
            self.epoch, self.seen, self.summed = epoch + 1, 0, 0.0
            self._log(figures | {"seconds": round(time.monotonic() - started, 1)})
            self.ship()
            self.save()
        return figures

    # --- files

    def _log(self, row: dict[str, float]) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        with (self.out / "metrics.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(row) + "\n")
        write_plot(self.out / "metrics.jsonl", ("train_loss", "valid_loss", "exact"))
        self.report(json.dumps(row))

    def _last(self) -> dict[str, float]:
        """The figures of the last epoch done."""
        log = self.out / "metrics.jsonl"
        rows = log.read_text(encoding="utf-8").splitlines() if self.epoch and log.exists() else []
        return dict(json.loads(rows[-1])) if rows else {}

    def _meta(self) -> dict[str, Any]:
        programs = (program_tokens(p.target) for p in self.train) if self.role == "parser" else ()
        items = sorted({t for program in programs for t in program} - {*STRUCTURE, END})
        return {
            "role": self.role,
            "base": self.tuning.base,
            "max_source": self.tuning.max_source,
            "max_target": self.tuning.max_target,
            "items": items,
        }

    def ship(self) -> None:
        """The checkpoint, each file whole or not at all."""
        part = self.out / "part"
        with quiet():
            self.model.save_pretrained(part)
            self.tokenizer.save_pretrained(part)
        (part / META).write_text(json.dumps(self._meta()), encoding="utf-8")
        for file in part.iterdir():
            file.replace(self.out / file.name)
        shutil.rmtree(part)

    def save(self) -> None:
        """The resumable state."""
        self.out.mkdir(parents=True, exist_ok=True)
        state = {
            "key": self.key,
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "counts": (self.step, self.epoch, self.seen, self.summed),
            "random": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state() if self.device.type == "cuda" else None,
        }
        torch.save(state, self.out / "state.part")
        (self.out / "state.part").replace(self.out / "state.pt")

    def resume(self) -> bool:
        """Go on from the last state, if there is one. Raises `InputError` where it is another run's."""
        file = self.out / "state.pt"
        if not file.exists():
            return False
        state = torch.load(file, map_location=self.device, weights_only=True)
        if state["key"] != self.key:
            raise InputError(
                f"{self.out} holds a run with other settings or data; name another folder with --out, or "
                f"delete {file.name} there to begin anew"
            )
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.step, self.epoch, self.seen, self.summed = state["counts"]
        torch.set_rng_state(state["random"].cpu())
        if state["cuda"] is not None and self.device.type == "cuda":
            torch.cuda.set_rng_state(state["cuda"].cpu())
        self._forget_later()
        return True

    def _forget_later(self) -> None:
        """Metrics that were written after the state: they will be written again."""
        log = self.out / "metrics.jsonl"
        if log.exists():
            rows = log.read_text(encoding="utf-8").splitlines(keepends=True)[: self.epoch]
            log.write_text("".join(rows), encoding="utf-8")


def _bare(text: str) -> str:
    return "".join(text.split())


def tune(
    role: Role, config: Path, data: Path, out: Path, report: Report, tick: Tick = lambda *_: None
) -> dict[str, float]:
    """Fine-tune, or go on where an interrupted run stopped; returns the last figures. The checkpoint lies
    in `out` afterwards. Raises `InputError` or `ModelError`."""
    tuning = Tuning.load(config)
    train, valid = data_of(role, tuning, data, out, report)
    tuner = Tuner(role, tuning, train, valid, out, report)
    if tuner.resume():
        report(f"going on at step {tuner.step} of {tuner.total}")
    return tuner.run(tick)
