"""Who does what: forms, and which one a worker gets next.

Law: when all forms of a comparison are done, each item was used `replications` times in each of its
conditions, as often first as second (one more or less where the forms are odd in number), and no worker
has met a target question twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from kbqa.errors import InputError
from kbqa.study.config import Comparison


@dataclass(frozen=True, slots=True)
class Form:
    """One worker's way through one comparison: `conditions` in the order in which they are used, each
    with the block (from 0) of the same place."""

    number: int
    comparison: str
    conditions: tuple[str, ...]
    blocks: tuple[int, ...]


def make_forms(
    comparisons: Sequence[Comparison], count: int, replications: int, seed: int
) -> tuple[Form, ...]:
    """`count`: of blocks. In each round every block is used once in each condition, by two workers who
    meet it with different neighbours each round as long as there are any."""
    widest = max(len(c.conditions) for c in comparisons)
    if count < widest:
        raise InputError(
            f"there is {count} block of target questions and there are {widest} conditions in a comparison: "
            "a worker would meet the same questions twice; add rows, or make 'batch' smaller"
        )
    found: list[Form] = []
    for comparison in comparisons:
        names = tuple(m.name for m in comparison.conditions)
        rng = random.Random(f"{seed}/{comparison.name}")
        for round_ in range(replications):
            order = list(range(count))
            rng.shuffle(order)
            shift = 1 + round_ % max(1, count - 1)
            for place, block in enumerate(order):
                used = (block, (block + shift) % count)[: len(names)]
                swapped = (place + round_) % 2 == 1
                found.append(
                    Form(
                        len(found) + 1,
                        comparison.name,
                        names[::-1] if swapped else names,
                        used[::-1] if swapped else used,
                    )
                )
    return tuple(found)


def choose(
    forms: Iterable[Form], taken: Collection[int], met: Collection[int], done: Collection[str]
) -> Form | None:
    """The next form for a worker who has met these blocks and taken part in these comparisons: of the
    comparison of which the smallest share is taken, its first free form. None where there is none."""
    every = list(forms)
    sizes, used = (
        Counter(f.comparison for f in every),
        Counter(f.comparison for f in every if f.number in taken),
    )
    free = [
        f
        for f in every
        if f.number not in taken and f.comparison not in done and not set(f.blocks) & set(met)
    ]
    return min(free, key=lambda f: (used[f.comparison] / sizes[f.comparison], f.number), default=None)
