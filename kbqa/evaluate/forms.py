"""Partial logical forms: what a step asks, with all it rests on, apart from how it is written.

Two steps mean the same where their partial forms are equal. The guards of a data set (answers in
English, answer differs from the anchor, DISTINCT) are left out: no step shows them, so no person could
see or correct them.
"""

from __future__ import annotations

from functools import lru_cache

from kbqa.decompose import recompose_step
from kbqa.errors import DecompositionError
from kbqa.sparql import canonical
from kbqa.types import Decomposition, Guards, Query, Step

BARE = Guards(english=False, apart=False)


@lru_cache(maxsize=5_000)  # some 10 KB each; a dialogue asks for a few hundred, again and again
def form(steps: tuple[Step, ...]) -> Query | None:
    """The canonical form of what the last of the steps asks; None where no query can say it."""
    try:
        return canonical(recompose_step(Decomposition(steps, BARE), len(steps)))
    except DecompositionError:
        return None


def partial_forms(steps: tuple[Step, ...]) -> tuple[Query | None, ...]:
    """The form of each step, in order."""
    return tuple(form(steps[:number]) for number in range(1, len(steps) + 1))
