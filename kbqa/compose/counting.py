"""Readings by a model that count what the question does not ask to count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError
from kbqa.types import Count, Decomposition, Find, Hop, Step

_COUNTS = re.compile(r"\b(how many|how much|number|count|total|altogether)\b", re.IGNORECASE)


def uncounted(question: str, parses: Iterable[Parse], is_number: Callable[[Hop], bool]) -> Iterator[Parse]:
    """The readings; one that ends in a count is what it counts, where the question speaks of no count, or
    numbers are counted ('How many pages has X?' asks for a number that the graph holds)."""
    for parse in parses:
        steps = parse.decomposition.steps
        if isinstance(steps[-1], Count) and (not _COUNTS.search(question) or _numbers(steps, is_number)):
            shorter = Decomposition(steps[:-1], parse.decomposition.guards)
            try:
                yield replace(parse, query=recompose(shorter), decomposition=shorter)
                continue
            except DecompositionError:
                pass
        yield parse


def _numbers(steps: tuple[Step, ...], is_number: Callable[[Hop], bool]) -> bool:
    last = steps[-1]
    counted = steps[last.source.step - 1] if isinstance(last, Count) else last
    return isinstance(counted, Find) and bool(counted.path) and is_number(counted.path[-1])
