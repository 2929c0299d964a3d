"""`kbqa train reranker`: from questions with gold queries over the stub to the network that chooses among the
parser's readings.

Each question is read by the shipped parser; the readings that find what the gold query finds are right, all
others wrong, and the network learns to tell the right ones among those of its question (a softmax over them).
Two files of this project's own are learned from, the parts that the parser was trained on: what people asked
(`kbqa.train.asked`) and writers' wordings (`kbqa.train.paraphrases`).
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional as F

from kbqa.assets import models
from kbqa.decompose import decompose, recompose
from kbqa.engine import Engine
from kbqa.errors import InputError, KbqaError
from kbqa.evaluate.answers import answer_set, execute
from kbqa.lexicon import Lexicon
from kbqa.models.checkpoint import Checkpoint, load_checkpoint
from kbqa.models.reranker import RerankerNet
from kbqa.models.tokens import encode
from kbqa.sparql import parse
from kbqa.train import asked, paraphrases
from kbqa.train.data import read_rows
from kbqa.train.pairs import read_toml
from kbqa.train.schedule import rate
from kbqa.types import Query

_SHOWN = 50
"""A line is reported every so many steps."""


@dataclass(frozen=True)
class RerankerRecipe:
    """`paraphrases`: how many of their rows; `single`: the share kept of those of one step; `readings`: of
    each question. `shared`: lower layers of the parser that are left as they are. `asked_copies`: how often a
    pass holds what people asked. `wrong`: wrong readings of a question in a batch of `batch` questions.
    `binary`: the weight of each reading's own loss beside the softmax's; `hasty`: the share of questions that
    are put in lower case without their last sign."""

    paraphrases: int = 5000
    single: float = 0.35
    readings: int = 20
    shared: int = 2
    asked_copies: int = 3
    wrong: int = 4
    batch: int = 8
    steps: int = 1000
    encoder_lr: float = 8e-5
    head_lr: float = 5e-4
    warmup: float = 0.1
    binary: float = 0.2
    hasty: float = 0.25
    save_every: int = 200
    seed: int = 1

    @classmethod
    def load(cls, path: Path) -> RerankerRecipe:
        """Raises `InputError` naming the file and what is wrong in it."""
        try:
            return cls(**read_toml(path))
        except TypeError as e:
            raise InputError(f"{path}: no recipe of a reranker: {e}") from None


def train_reranker(config: Path, out: Path, report: Callable[[str], None]) -> dict[str, float]:
    """Train, or go on where an interrupted run stopped. The checkpoint lies in `out` afterwards. Returns the
    last loss and, on what is held out, how often the best reading is right (`right`) and any is (`any`).
    Raises `InputError` or `ModelError`."""
    recipe = RerankerRecipe.load(config)
    out.mkdir(parents=True, exist_ok=True)
    made = out / "candidates.jsonl"
    write_candidates(recipe, made, report)
    rows = list(read_rows(made))
    trainer = RerankerTrainer(recipe, load_checkpoint(models() / "parser"), rows, out, report)
    return trainer.run()


# --- data ---


def write_candidates(recipe: RerankerRecipe, file: Path, report: Callable[[str], None]) -> None:
    """Rows {"id", "held_out", "asked", "readings": [[text, is right]]}; those that are there already are
    not made again, a line that was cut off is."""
    if file.exists():
        whole, end, _ = file.read_bytes().rpartition(b"\n")
        file.write_bytes(whole + end)
    done = {row["id"] for row in read_rows(file)} if file.exists() else set()
    with Engine.open() as engine, file.open("a", encoding="utf-8") as lines:
        engine.reader.chooser.reranker = None
        for number, (row, question, gold) in enumerate(_questions(recipe, engine.kb.lexicon), 1):
            if row["id"] in done:
                continue
            readings = list(_judged(engine, question, gold, recipe.readings))
            made = {"id": row["id"], "held_out": row["held_out"], "asked": row["asked"], "readings": readings}
            lines.write(json.dumps(made, ensure_ascii=False) + "\n")
            lines.flush()
            if number % 500 == 0:
                report(f"{number} questions read")


def _questions(recipe: RerankerRecipe, lexicon: Lexicon) -> Iterator[tuple[dict[str, Any], str, Query]]:
    """What is known of a question, the question and its gold query."""
    order = random.Random(recipe.seed)
    for row in read_rows(asked.shipped()):
        known = {"id": row["id"], "asked": True, "held_out": asked.is_held_out(row)}
        yield known, row["question"], parse(row["sparql"])
    for held_out, most in ((False, recipe.paraphrases), (True, recipe.paraphrases // 8)):
        drawn = [r for r in read_rows(paraphrases.shipped()) if _is_drawn(r, held_out, recipe.single)]
        order.shuffle(drawn)
        for row in drawn[:most]:
            told = paraphrases.plain(order.choice(row["questions"]))
            with suppress(KbqaError):
                gold = recompose(decompose(parse(row["sparql"]), lexicon.mediators))
                yield {"id": row["id"], "asked": False, "held_out": held_out}, told, gold


def _is_drawn(row: dict[str, Any], held_out: bool, single: float) -> bool:
    if not row.get("questions") or paraphrases.is_held_out(row["id"]) != held_out:
        return False
    return len(row["steps"]) > 1 or paraphrases.drawn(row["id"]) < single


def _judged(engine: Engine, question: str, gold: Query, n: int) -> Iterator[tuple[str, bool]]:
    """What the reranker reads of each reading, and whether that finds what the gold query finds."""
    wanted = execute(engine.kb.store, gold)
    for values, text in engine.reader.candidates(question, n):
        yield text, answer_set(values) == wanted


# --- training ---


class RerankerTrainer:
    """One run. A checkpoint holds all that matters: the order of questions is a function of seed and step."""

    def __init__(
        self,
        recipe: RerankerRecipe,
        parser: Checkpoint,
        rows: Sequence[dict[str, Any]],
        out: Path,
        report: Callable[[str], None],
    ) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe, self.out, self.report = recipe, out, report
        self.tokenizer, self.upon = parser.tokenizer, parser.signature
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.halves = self.device.type == "cuda" or torch.cpu._is_avx512_bf16_supported()
        config = parser.net.config
        net = RerankerNet(parser.net.encoder, config, recipe.shared)
        for own, pretrained in zip(net.layers, parser.net.encoder.layers[recipe.shared :], strict=True):
            own.load_state_dict(deepcopy(pretrained.state_dict()))
        net.below.requires_grad_(False)
        self.net = net.to(self.device)
        learned = [r for r in rows if not r["held_out"] and any(map(_is_right, r["readings"]))]
        learned = [r for r in learned if not all(map(_is_right, r["readings"]))]
        self.rows = [r for r in learned for _ in range(recipe.asked_copies if r["asked"] else 1)]
        self.held_out = [r for r in rows if r["held_out"] and r["readings"]]
        if not self.rows:
            raise InputError("no question has right and wrong readings: nothing can be learned from these")
        head = [*net.hidden.parameters(), *net.out.parameters()]
        groups = [
            {"params": list(net.layers.parameters()), "lr": recipe.encoder_lr},
            {"params": head, "lr": recipe.head_lr},
        ]
        self.optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda step: rate(step, recipe.steps, recipe.warmup)
        )
        self.step = 0
        self._resume()

    def run(self) -> dict[str, float]:
        loss, started = math.nan, time.monotonic()
        self.net.train()
        while self.step < self.recipe.steps:
            loss = self._learn(self._batch())
            if self.step % _SHOWN == 0:
                self.report(f"step {self.step}: loss {loss:.3f}, {time.monotonic() - started:.0f} s")
            if self.step % self.recipe.save_every == 0:
                self._save()
        self._save()
        return {"loss": loss, **self._validate()}

    def _batch(self) -> list[tuple[str, bool, int]]:
        """(text, is right, which question) of some questions."""
        size = self.recipe.batch
        a_pass = len(self.rows) // size or 1
        order = random.Random(f"{self.recipe.seed} {self.step // a_pass}").sample(
            range(len(self.rows)), len(self.rows)
        )
        rng = random.Random(f"{self.recipe.seed} step {self.step}")
        at = self.step % a_pass * size
        out = []
        for number, i in enumerate(order[at : at + size]):
            for text, is_right in self._drawn(self.rows[i]["readings"], rng):
                out.append((text, is_right, number))
        return out

    def _drawn(self, readings: Sequence[tuple[str, bool]], rng: random.Random) -> list[tuple[str, bool]]:
        """A right reading, and wrong ones: the likeliest but for the last, which is any."""
        right = [r for r in readings if r[1]]
        wrong = [r for r in readings if not r[1]]
        near, far = wrong[: self.recipe.wrong - 1], wrong[self.recipe.wrong - 1 :]
        chosen = [rng.choice(right), *near, *(rng.sample(far, 1) if far else ())]
        hasty = rng.random() < self.recipe.hasty
        return [(_hasty(text) if hasty else text, is_right) for text, is_right in chosen]

    def _learn(self, batch: Sequence[tuple[str, bool, int]]) -> float:
        scores = self._scores([text for text, _, _ in batch])
        right = torch.tensor([is_right for _, is_right, _ in batch], device=self.device)
        question = torch.tensor([number for _, _, number in batch], device=self.device)
        own = F.binary_cross_entropy_with_logits(scores, right.float(), reduction="none")
        losses = []
        for number in range(batch[-1][2] + 1):
            mine = question == number
            among = torch.logsumexp(scores[mine], 0) - torch.logsumexp(scores[mine & right], 0)
            losses.append(among + self.recipe.binary * own[mine].mean())
        loss = torch.stack(losses).mean()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()
        self.scheduler.step()
        self.step += 1
        return float(loss.detach())

    def _scores(self, texts: Sequence[str]) -> Tensor:
        ids, mask = encode(self.tokenizer, texts)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.halves):
            scores: Tensor = self.net(ids.to(self.device), mask.to(self.device))
        return scores.float()

    @torch.inference_mode()
    def _validate(self) -> dict[str, float]:
        self.net.eval()
        best = 0
        for row in self.held_out:
            scores = self._scores([text for text, _ in row["readings"]])
            best += row["readings"][int(scores.argmax())][1]
        n = max(1, len(self.held_out))
        among = sum(any(map(_is_right, r["readings"])) for r in self.held_out)
        return {"n": len(self.held_out), "right": best / n, "any": among / n}

    def _ship(self) -> None:
        """The own weights in half precision."""
        own = {k: v.half().contiguous().cpu() for k, v in self.net.own().items()}
        save_file(own, self.out / "model.safetensors.part")
        (self.out / "model.safetensors.part").replace(self.out / "model.safetensors")
        config = {"shared": self.recipe.shared, "parser": self.upon}
        (self.out / "config.json").write_text(json.dumps(config), encoding="utf-8")

    def _save(self) -> None:
        """The resumable state, and the weights as they ship."""
        self._ship()
        state = {
            "net": self.net.own(),
            "optimiser": self.optimiser.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "step": self.step,
            "random": torch.get_rng_state(),
        }
        torch.save(state, self.out / "state.part")
        (self.out / "state.part").replace(self.out / "state.pt")

    def _resume(self) -> None:
        file = self.out / "state.pt"
        if not file.exists():
            return
        state = torch.load(file, map_location=self.device, weights_only=True)
        self.net.load_state_dict(state["net"], strict=False)
        self.optimiser.load_state_dict(state["optimiser"])
        self.scheduler.load_state_dict(state["scheduler"])
        self.step = state["step"]
        torch.set_rng_state(state["random"].cpu())
        self.report(f"going on at step {self.step} of {self.recipe.steps}")


def _is_right(reading: tuple[str, bool]) -> bool:
    return reading[1]


def _hasty(text: str) -> str:
    """The question of such a text in lower case, without its last sign."""
    question, rest = text.split(" [SEP] ", 1)
    return f"{question.lower().rstrip('?!. ')} [SEP] {rest}"
