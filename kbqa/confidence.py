"""How sure the parser is of each step, from its own n-best list."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kbqa.decompose import recompose_step
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError
from kbqa.sparql import render
from kbqa.types import Decomposition, Guards


def shared_mass(parse: Parse, parses: Sequence[Parse]) -> tuple[float, ...]:
    """For each step of `parse` the share (0..1) of the n-best probability whose readings hold it.

    Not calibrated: it says how sure the parser is among its own readings.
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
