"""Who does what: forms, and what a worker has had of them. Which one comes next: `kbqa.study.deal`.

Law: when all forms of a comparison are done, each item was used `replications` times in each of its
conditions, as often first as second (one more or less where the forms are odd in number), and no worker
has met a target question twice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class Past:
    """What a worker has had: blocks that they have met, and comparisons in which they have taken part."""

    blocks: frozenset[int] = frozenset()
    comparisons: frozenset[str] = frozenset()

    def fits(self, form: Form) -> bool:
        return form.comparison not in self.comparisons and self.blocks.isdisjoint(form.blocks)


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
