"""A phraser that listens to itself: wordings are ranked by how well their step is read back from them.

Rational speech acts as in METHODS.md, section 2: the speaker offers up to ten wordings, the listener
reads each, a blend of both rankings decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from kbqa.correct.context import Context
from kbqa.intake import constants_of
from kbqa.phrase.rule import Phraser, Phrasing, StepInContext
from kbqa.protocols import is_concurrent, signature_of, warm
from kbqa.types import Iri, Step


class Listener(Protocol):
    """Log probability (natural) of a step given each of several wordings of it."""

    def listen(
        self, texts: Sequence[str], step: Step, names: Sequence[tuple[Iri, str]], context: Context
    ) -> Sequence[float]: ...


Blend = Callable[[Sequence[float]], int]
"""Listener's log probabilities, in the speaker's order -> the index chosen."""


def _ranks(listened: Sequence[float]) -> list[int]:
    """Indices in the listener's order; ties keep the speaker's."""
    return sorted(range(len(listened)), key=lambda i: -listened[i])


def _smallest_sum(order: Sequence[int], among: Sequence[int]) -> int:
    place = {index: rank for rank, index in enumerate(order)}
    return min(among, key=lambda i: (place[i] + i, place[i]))


def listener_preference(listened: Sequence[float]) -> int:
    """Listener's first if the speaker has it among its three best, else its second likewise, else of
    its five best the one with the smallest sum of ranks."""
    order = _ranks(listened)
    for index in order[:2]:
        if index < 3:
            return index
    return _smallest_sum(order, order[:5])


def speaker_preference(listened: Sequence[float]) -> int:
    """The mirror of `listener_preference`."""
    order = _ranks(listened)
    for index in range(min(2, len(listened))):
        if index in order[:3]:
            return index
    return _smallest_sum(order, range(min(5, len(listened))))


def equal_preference(listened: Sequence[float]) -> int:
    """The smallest sum of ranks."""
    return _smallest_sum(_ranks(listened), range(len(listened)))


class ListeningPhraser:
    """The speaker's wordings, the blend's choice first, then in the listener's order.

    What the listener can't read at all (-inf) comes last, in the speaker's order."""

    def __init__(self, speaker: Phraser, listener: Listener, blend: Blend = listener_preference) -> None:
        self._speaker, self._listener, self._blend = speaker, listener, blend
        self.concurrent = is_concurrent(speaker) and is_concurrent(listener)
        self.signature = f"{signature_of(speaker)}/{signature_of(listener)}"

    def warm(self) -> None:
        warm(self._speaker)
        warm(self._listener)

    def phrase(self, step: StepInContext, *, n: int = 10) -> tuple[Phrasing, ...]:
        offered = tuple(self._speaker.phrase(step, n=10))
        heard = self._heard(step, [p.text for p in offered])
        found = [replace(p, listener_logprob=h) for p, h in zip(offered, heard, strict=True)]
        if not found or max(heard) == float("-inf"):
            return tuple(found[: max(1, n)])
        first = self._blend(heard)
        rest = [i for i in _ranks(heard) if i != first]
        return tuple(found[i] for i in [first, *rest][: max(1, n)])

    def _heard(self, step: StepInContext, texts: Sequence[str]) -> Sequence[float]:
        context = Context(steps=step.steps[: step.number - 1], shown=step.history, question=step.question)
        names = [(c, step.labels(c)) for c in constants_of(step.step) if isinstance(c, Iri)]
        return self._listener.listen(texts, step.step, names, context)
