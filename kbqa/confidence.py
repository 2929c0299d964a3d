"""How sure the parser is of each step, from its own n-best list, and how often it is right when so sure."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from kbqa.decompose import recompose_step
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, ModelError
from kbqa.sparql import render
from kbqa.types import Decomposition, Guards


def shared_mass(parse: Parse, parses: Sequence[Parse]) -> tuple[float, ...]:
    """For each step of `parse` the share (0..1) of the n-best probability whose readings hold it.

    Not calibrated: it says how sure the parser is among its own readings (`Calibration`).
    """
    every = list(parses) if parse in parses else [parse, *parses]
    top = max(p.logprob for p in every)
    weights = [math.exp(p.logprob - top) for p in every]
    held = [set(meanings(p.decomposition)) for p in every]
    total = sum(weights)
    return tuple(
        sum(w for w, some in zip(weights, held, strict=True) if meaning in some) / total
        for meaning in meanings(parse.decomposition)
    )


def meanings(decomposition: Decomposition) -> Iterator[str]:
    """Each step's partial query, which doesn't depend on how the steps are numbered."""
    plain = Decomposition(decomposition.steps, Guards(english=False, apart=False))
    for number in range(1, len(plain.steps) + 1):
        try:
            yield render(recompose_step(plain, number))
        except DecompositionError:
            yield repr(plain.steps[:number])


@dataclass(frozen=True, slots=True)
class Calibration:
    """The probability that a step is meant, by logistic regression on the log odds of its share of the
    n-best mass (Platt 1999), on its having an answer, and on the number of steps; fitted on held-out
    questions by `python -m bench.confidence`. The file lies beside the weights that it was fitted for."""

    bias: float
    share: float
    answered: float
    steps: float

    FILE = "confidence.json"

    def __call__(self, share: float, *, answered: bool, steps: int) -> float:
        """`share` 0..1; the result is in 0..1."""
        odds = self.bias + sum(
            w * x for w, x in zip(self.weights, features(share, answered, steps), strict=True)
        )
        return 1 / (1 + math.exp(-odds))

    @property
    def weights(self) -> tuple[float, float, float]:
        return self.share, self.answered, self.steps

    def save(self, folder: Path) -> None:
        text = json.dumps({k: round(v, 4) for k, v in asdict(self).items()})
        (folder / self.FILE).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Calibration | None:
        """None where there is none. Raises `ModelError` for one that can't be read."""
        file = folder / cls.FILE
        if not file.is_file():
            return None
        try:
            return cls(**{k: float(v) for k, v in json.loads(file.read_text(encoding="utf-8")).items()})
        except (ValueError, TypeError, AttributeError) as e:
            raise ModelError(
                f"{file} holds no calibration: {e}; fit one with python -m bench.confidence"
            ) from None


def features(share: float, answered: bool, steps: int) -> tuple[float, float, float]:
    """What the probability of a step is told from: the log odds of its share, at most 99.9 %; whether it
    has an answer; how many steps the reading has beyond one."""
    held = min(max(share, 0.001), 0.999)
    return math.log(held / (1 - held)), float(answered), float(min(steps, 4) - 1)
