"""What a run does in which order: a function of its seed, so that a resumed run goes on as it would have."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence

_CHUNK = 50
"""Batches whose examples are sorted by length together."""


def epoch_order(origins: Sequence[str], weights: Mapping[str, float], seed: int, epoch: int) -> list[int]:
    """Indices of one epoch: origins repeated or thinned by their weight (default 1), then shuffled."""
    rng = random.Random(f"{seed} {epoch}")
    out: list[int] = []
    for i, origin in enumerate(origins):
        weight = weights.get(origin, 1.0)
        out += [i] * (int(weight) + (rng.random() < weight % 1))
    rng.shuffle(out)
    return out


def batches(
    order: Sequence[int], lengths: Sequence[int], size: int, seed: int, epoch: int
) -> Iterator[list[int]]:
    """The epoch in batches of examples of about one length, in no order of length."""
    rng = random.Random(f"{seed} batches {epoch}")
    for start in range(0, len(order), _CHUNK * size):
        chunk = sorted(order[start : start + _CHUNK * size], key=lambda j: lengths[j])
        found = [chunk[i : i + size] for i in range(0, len(chunk), size)]
        rng.shuffle(found)
        yield from found


def rate(step: int, total: int, warmup: float) -> float:
    """The share of the learning rate: up to all of it in the first `warmup` (a share) of the steps, then
    down to none along a cosine."""
    warm = max(1, int(warmup * total))
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (step - warm) / max(1, total - warm))))
