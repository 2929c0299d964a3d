"""What each part of the parser's training gives: short runs from the bare encoder, each without one part.

    python -m bench.lessons --data DATA --out runs/lessons [--steps 800] [--only NAME ...]

Every run has the same number of steps, of batches of 32, and the same seed. Reported is the share of programs
that greedy decoding writes exactly, nothing held to a knowledge base: of `cwq/dev_valid` (gold entities), of
the WebQSP questions that no recipe trains on, and of the held-out questions and sub-questions in writers' own
words. Figures of runs this short compare parts; what ships was trained twenty times as long. A run that is
done is not run again.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kbqa.parse.program import ENTITY_MARKS
from kbqa.train.data import MADE, Example, write_examples
from kbqa.train.fit import Recipe, Trainer, read_examples
from kbqa.train.paraphrases import paraphrases
from kbqa.train.parser import pretrained_encoder
from kbqa.train.prepare import prepare

Examples = list[dict[str, Any]]
HELD_OUT = {"CWQ": "cwq_dev_valid", "WebQSP": "webqsp_train_held_out", "wordings": "paraphrases_held_out"}
"""What is reported on: the origins of the examples."""
TRIED = "held_out"
"""The file of all of them."""
RECIPE = Recipe(
    rows={
        "cwq_dev_train": "cwq/dev_train.jsonl.gz",
        "cwq_train_gold_567": "cwq/train_gold_567.jsonl.gz",
        "cwq_train_silver": "cwq/train_silver.jsonl.gz",
        "webqsp_train": "webqsp/train.jsonl.gz",
        "simplequestions": "simplequestions/val.jsonl.gz",
        "grailqa": "grailqa/dev.jsonl.gz",
        "cwq_dev_valid": "cwq/dev_valid.jsonl.gz",
    },
    valid="cwq_dev_valid",
    held_out={"webqsp_train": 300},
    synth={"n": 12000, "seed": 71, "style": 0.5, "linked": 0.6},
    corrections={"n": 6000, "seed": 73, "linked": 0.6},
    paraphrases={"copies": 1, "seed": 77, "linked": 0.6},
    weights={"cwq_dev_train": 2, "cwq_train_gold_567": 2, "cwq_train_silver": 0.6, "simplequestions": 0.3,
             "grailqa": 0.5, "paraphrases": 0.6},
    batch=32, encoder_lr=1.5e-4, decoder_lr=6e-4, frozen_layers=1, refresh=400, seed=8,
    net={"decoder_layers": 3},
)  # fmt: skip


_NAMES = re.compile(rf" \| (?:{'|'.join(map(re.escape, ENTITY_MARKS))}) [^|]*(?<! )(?= \||$)")


@dataclass(frozen=True)
class Lesson:
    """A run. `without`: origins that are left out; `share`: of the examples that are left; `seen`: what the
    encoder is shown of a text; `pretrained`: whether it starts as the sentence encoder."""

    name: str
    without: tuple[str, ...] = ()
    share: float = 1.0
    seen: Callable[[str], str] = field(default=str)
    pretrained: bool = True


def nameless(text: str) -> str:
    """Without the names that stand behind the markers of entities."""
    return _NAMES.sub("", text)


LESSONS = (
    Lesson("everything"),
    Lesson("half of each", share=0.5),
    Lesson("an eighth of each", share=0.125),
    Lesson("no CWQ, nor its silver", without=("cwq_dev_train", "cwq_train_gold_567", "cwq_train_silver")),
    Lesson("no silver", without=("cwq_train_silver",)),
    Lesson("no questions of other sets", without=("webqsp_train", "simplequestions", "grailqa")),
    Lesson("nothing synthetic", without=MADE),
    Lesson("no writers' wordings", without=("paraphrases",)),
    Lesson("no names behind the markers", seen=nameless),
    Lesson("encoder not pretrained", pretrained=False),
)


class Pupil(Trainer):
    """The parser's trainer over a part of the examples, for so many steps."""

    def __init__(self, lesson: Lesson, steps: int, data: Path, out: Path) -> None:
        self.lesson = lesson
        weights = {**RECIPE.weights, **dict.fromkeys((*lesson.without, RECIPE.valid), 0.0)}
        recipe = replace(RECIPE, valid=TRIED, weights=weights, epochs=1)
        super().__init__(recipe, data, pretrained_encoder(), out, print)
        part = [e for e in self.train if random.Random(e["id"]).random() < lesson.share]
        self.train, self.tried = self._shown(part), self._shown(self.valid)
        self.valid = [e for e in self.tried if e["origin"] == RECIPE.valid]
        self.seen = self._seen()
        more = steps * recipe.batch / len(self._epoch(0))
        self.recipe = replace(
            recipe, weights={e["origin"]: more * weights.get(e["origin"], 1.0) for e in self.train}
        )
        self.epoch_size = len(self._epoch(0))
        self.total = math.ceil(self.epoch_size / recipe.batch)

    def _pretrained(self, encoder: Path) -> None:
        fresh = self.net.encoder.state_dict() if not self.lesson.pretrained else {}
        fresh = {name: weights.clone() for name, weights in fresh.items()}
        super()._pretrained(encoder)
        self.net.encoder.load_state_dict(fresh, strict=False)

    def _shown(self, examples: Examples) -> Examples:
        return [{**e, "text": self.lesson.seen(e["text"])} for e in examples]

    def figures(self) -> dict[str, float]:
        """The share that greedy decoding writes exactly, of each set that is held out."""
        found = {"examples": float(len(self.train))}
        for name in HELD_OUT:
            self.valid = [e for e in self.tried if e["origin"] == HELD_OUT[name]]
            found[name] = self.validate()["exact"]
        return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True, help="the folder of published questions")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--steps", type=int, default=800)
    arguments.add_argument("--only", nargs="+", choices=[lesson.name for lesson in LESSONS])
    args = arguments.parse_args()
    data = args.out / "data"
    prepare(asdict(RECIPE), args.data, data, print)
    keep_apart(data)
    for lesson in LESSONS:
        if args.only and lesson.name not in args.only:
            continue
        done = args.out / f"{lesson.name.replace(' ', '-').replace(',', '')}.json"
        if not done.exists():
            with TemporaryDirectory() as folder:
                pupil = Pupil(lesson, args.steps, data, Path(folder))
                pupil.run()
                done.write_text(json.dumps({"steps": pupil.step, **pupil.figures()}), encoding="utf-8")
        print_row(lesson.name, json.loads(done.read_text(encoding="utf-8")))


def keep_apart(data: Path) -> None:
    """What nothing is trained on, in one file."""
    if (data / f"{TRIED}.jsonl.gz").exists():
        return
    examples = list(paraphrases(1, 79, held_out=True))
    rows = [replace(e, origin=HELD_OUT["wordings"]) for e in examples]
    for name in (HELD_OUT["CWQ"], HELD_OUT["WebQSP"]):
        read = (
            Example(**{**e, "program": tuple(e["program"])}) for e in read_examples(data / f"{name}.jsonl.gz")
        )
        rows += [replace(e, origin=name) for e in read]
    write_examples(rows, data / f"{TRIED}.jsonl.gz")


def print_row(name: str, found: dict[str, float]) -> None:
    shares = "  ".join(f"{k} {100 * found[k]:5.1f} %" for k in HELD_OUT)
    print(f"{name:28} {found['examples']:8.0f} examples  {found['steps']:.0f} steps  {shares}", flush=True)


if __name__ == "__main__":
    main()
