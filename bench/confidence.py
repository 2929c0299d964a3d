"""How often a step is right when the parser says how sure it is of it, before and after calibration.

    python -m bench.confidence [--n 400] [--save]

Questions in writers' own words over the stub that nothing was trained on (as `bench.paraphrases`), own
entity linking. A step is right where its answers are those of a step of the gold query, or the last step's
are those of the whole. The logistic curve is fitted on one half of the questions, drawn by a fixed seed, and
measured on the other; `--save` writes the curve beside the weights. Brier score, and expected calibration
error over ten bins of equal size.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from bench.paraphrases import drawn
from kbqa.answers import collect
from kbqa.assets import models
from kbqa.confidence import Calibration, features, shared_mass
from kbqa.decompose import recompose_step
from kbqa.engine import EMPTY_CAP, TOP_CAP, Engine
from kbqa.errors import KbqaError
from kbqa.sparql import render
from kbqa.types import Constant, Decomposition

BINS = 10
PENALTY = 0.01


@dataclass(frozen=True)
class Shown:
    """One step that was shown: its share of the n-best mass, whether it had an answer, of how many steps
    it was one, and whether it was meant."""

    share: float
    answered: bool
    steps: int
    right: bool


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=400)
    arguments.add_argument("--save", action="store_true", help="write the curve beside the shipped weights")
    args = arguments.parse_args()
    with Engine.open() as engine:
        found = [shown(engine, question, row.decomposition) for question, row in drawn(args.n, 8)]
        signature = engine.signature
    half = len(found) // 2
    fitted_on, measured_on = ([s for steps in part for s in steps] for part in (found[:half], found[half:]))
    curve = fitted(fitted_on)
    right = np.array([s.right for s in measured_on], float)
    before = np.array([min(s.share, TOP_CAP if s.answered else EMPTY_CAP) for s in measured_on])
    after = np.array([curve(s.share, answered=s.answered, steps=s.steps) for s in measured_on])
    print(f"steps: fitted on {len(fitted_on)}, measured on {len(measured_on)}, right {right.mean():.3f}")
    for name, said in (("share of the n-best mass", before), ("calibrated", after)):
        print(f"{name:25} Brier {np.mean((said - right) ** 2):.3f}  ECE {ece(said, right):.3f}")
    print(curve, signature)
    if args.save:
        curve.save(models() / "parser")


def shown(engine: Engine, question: str, gold: Decomposition) -> list[Shown]:
    """The steps of what is shown for a question; none where it is not understood."""
    mentions = tuple(engine.kb.linker.link(question))
    version = engine.first_version(question).current
    if version is None:
        return []
    shares = shared_mass(version.parse, engine.readings(question, mentions))
    wanted = [answers(engine, gold, n) for n in range(1, len(gold.steps) + 1)]
    found = [answers(engine, version.parse.decomposition, n) for n in range(1, len(shares) + 1)]
    meant = [found[-1] == wanted[-1] or answer in wanted for answer in found]
    return [
        Shown(share, sub.outcome != "empty", len(shares), right)
        for share, sub, right in zip(shares, version.steps, meant, strict=True)
    ]


def answers(engine: Engine, steps: Decomposition, number: int) -> frozenset[Constant]:
    """Of the step so numbered; none where that can't be told."""
    try:
        sparql = render(recompose_step(steps, number))
        return frozenset(collect(engine.kb.store.select(sparql, time_limit_s=20)))
    except KbqaError:
        return frozenset()


def fitted(steps: Sequence[Shown]) -> Calibration:
    """The curve of greatest likelihood, its weights drawn a little towards nothing."""
    x = np.array([(1.0, *features(s.share, s.answered, s.steps)) for s in steps])
    y = np.where([s.right for s in steps], 1.0, -1.0)

    def loss(weights: np.ndarray) -> float:
        return float(np.logaddexp(0, -y * (x @ weights)).mean() + PENALTY * (weights[1:] ** 2).sum())

    return Calibration(*map(float, minimize(loss, np.zeros(x.shape[1])).x))


def ece(said: Sequence[float] | np.ndarray, right: Sequence[float] | np.ndarray) -> float:
    """The mean distance between what was said and what was right, over bins of equally many."""
    said, right = np.asarray(said), np.asarray(right)
    order = np.argsort(said, kind="stable")
    parts = np.array_split(order, BINS)
    return float(sum(len(p) * abs(said[p].mean() - right[p].mean()) for p in parts) / len(said))


if __name__ == "__main__":
    main()
