"""Readings by a model that count what the question does not ask to count, or lead nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError
from kbqa.types import Count, Decomposition, Find, Hop, Iri, Keep, Pick, Ref, Step

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


def led_back(steps: tuple[Step, ...], is_value: Callable[[Hop], bool]) -> bool:
    """Whether a step goes from things backwards along what leads to numbers, dates or texts, or what is found
    has values that lead there: it can have no answer."""
    for step in steps:
        match step:
            case Find(Iri() | Ref(), (hop, *_)) | Keep(_, Iri() | Ref(), (hop, *_)) if _back(hop, is_value):
                return True
            case Pick(_, "answer", (hop, *_)) if _back(hop, is_value):
                return True
        tests = step.restrictions if isinstance(step, Find | Keep) else ()
        if any(r.site == "answer" and r.path and _back(r.path[0], is_value) for r in tests):
            return True
    return False


def ends_in(steps: tuple[Step, ...], is_so: Callable[[Hop], bool]) -> bool:
    """Whether what is found last is at the end of such a hop."""
    for step in reversed(steps):
        match step:
            case Find(_, (*_, hop)):
                return is_so(hop)
            case Keep() | Pick():
                continue
        return False
    return False


def _back(hop: Hop, is_value: Callable[[Hop], bool]) -> bool:
    return hop.inverse and is_value(hop.reversed)


def _numbers(steps: tuple[Step, ...], is_number: Callable[[Hop], bool]) -> bool:
    last = steps[-1]
    counted = steps[last.source.step - 1] if isinstance(last, Count) else last
    return isinstance(counted, Find) and bool(counted.path) and is_number(counted.path[-1])
