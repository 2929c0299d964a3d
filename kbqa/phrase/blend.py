"""A phraser that listens to itself: wordings are ranked by how well their step is read back from them.

Rational speech acts as in METHODS.md, section 2: the speaker offers up to ten wordings, the listener
reads each, a blend of both rankings decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rapidfuzz import fuzz

from kbqa.correct.context import Context
from kbqa.intake import constants_of
from kbqa.phrase.rule import Phraser, Phrasing, StepInContext, beyond_models
from kbqa.protocols import is_concurrent, signature_of, warm
from kbqa.types import Iri, Step


class Listener(Protocol):
    """Log probability (natural) of a step given each of several wordings of it. One that can tell has a
    method `understands(text, step, names, context)`, too: whether it reads that step out of that text."""

    def listen(
        self, texts: Sequence[str], step: Step, names: Sequence[tuple[Iri, str]], context: Context
    ) -> Sequence[float]: ...


Blend = Callable[[Sequence[Phrasing]], int]
"""Wordings in the speaker's order, with the listener's log probabilities -> the index chosen."""


def _heard(offered: Sequence[Phrasing]) -> list[int]:
    """Indices in the listener's order; ties keep the speaker's."""
    nothing = float("-inf")
    heard = [nothing if p.listener_logprob is None else p.listener_logprob for p in offered]
    return sorted(range(len(heard)), key=lambda i: -heard[i])


def _smallest_sum(order: Sequence[int], among: Sequence[int]) -> int:
    place = {index: rank for rank, index in enumerate(order)}
    return min(among, key=lambda i: (place[i] + i, place[i]))


def listener_preference(offered: Sequence[Phrasing]) -> int:
    """Listener's first if the speaker has it among its three best, else its second likewise, else of
    its five best the one with the smallest sum of ranks."""
    order = _heard(offered)
    for index in order[:2]:
        if index < 3:
            return index
    return _smallest_sum(order, order[:5])


def speaker_preference(offered: Sequence[Phrasing]) -> int:
    """The mirror of `listener_preference`."""
    order = _heard(offered)
    for index in range(min(2, len(offered))):
        if index in order[:3]:
            return index
    return _smallest_sum(order, range(min(5, len(offered))))


def equal_preference(offered: Sequence[Phrasing]) -> int:
    """The smallest sum of ranks."""
    return _smallest_sum(_heard(offered), range(len(offered)))


def as_spoken(offered: Sequence[Phrasing]) -> int:
    """The speaker's first: the listener only tells near misses."""
    return 0


def minimum_bayes_risk(offered: Sequence[Phrasing]) -> int:
    """The wording that is most like all others, each as much as the speaker finds it likely (METHODS.md,
    section 2); the likeness is that of their letters. The listener is not asked."""
    best = max(p.logprob for p in offered)
    weights = [math.exp(p.logprob - best) for p in offered]

    def expected(text: str) -> float:
        return sum(w * fuzz.ratio(text, p.text) for w, p in zip(weights, offered, strict=True))

    return max(range(len(offered)), key=lambda i: (expected(offered[i].text), -i))


BLENDS: dict[str, Blend] = {
    "spoken": as_spoken,
    "speaker": speaker_preference,
    "equal": equal_preference,
    "listener": listener_preference,
    "risk": minimum_bayes_risk,
}

_SURE = math.log(0.5)
"""A step that is likelier than this is what the listener reads: no other can be as likely."""
_READ = 3
"""Wordings that are read before the template stands for all of them."""


class ListeningPhraser:
    """The speaker's wordings, the blend's choice first, then in the listener's order.

    A wording that the listener reads as another step is a near miss: the next is taken, and where the best
    three are, the template, unless it has to spell a name otherwise ('[x]'). What the listener can't read at
    all (-inf) comes last, in the speaker's order. Of how many there are, or none, no listener was told."""

    def __init__(self, speaker: Phraser, listener: Listener, blend: Blend = as_spoken) -> None:
        self._speaker, self._listener, self._blend = speaker, listener, blend
        self.concurrent = is_concurrent(speaker) and is_concurrent(listener)
        self.signature = f"{signature_of(speaker)}/{signature_of(listener)}"

    def warm(self) -> None:
        warm(self._speaker)
        warm(self._listener)

    def phrase(self, step: StepInContext, *, n: int = 10) -> tuple[Phrasing, ...]:
        offered = tuple(self._speaker.phrase(step, n=10))
        if beyond_models(step.step):
            return offered[: max(1, n)]
        context = Context(steps=step.steps[: step.number - 1], shown=step.history, question=step.question)
        asked = _Asked(
            step, [(c, step.labels(c)) for c in constants_of(step.step) if isinstance(c, Iri)], context
        )
        if (
            n == 1 and self._blend is as_spoken
        ):  # most often the first is understood: only that is listened to
            said = self._heard(offered[0], asked)
            if self._reads(said, asked):
                return (said,)
        order = self._ordered(offered, asked)
        if all(p.listener_logprob == float("-inf") for p in order):
            return tuple(order[: max(1, n)])
        read = next((i for i, said in enumerate(order[:_READ]) if self._reads(said, asked)), None)
        if read is not None:
            order.insert(0, order.pop(read))
        elif step.template and all(name in step.template for _, name in asked.names):
            bare = self._heard(Phrasing(step.template.replace("[", "").replace("]", ""), 0.0), asked)
            order.insert(0, bare if self._reads(bare, asked) else Phrasing(step.template, 0.0))
        return tuple(order[: max(1, n)])

    def _ordered(self, offered: Sequence[Phrasing], asked: _Asked) -> list[Phrasing]:
        """As the listener hears them: the blend's choice first, the rest in the listener's order."""
        heard = self._listener.listen([p.text for p in offered], asked.step.step, asked.names, asked.context)
        found = [replace(p, listener_logprob=h) for p, h in zip(offered, heard, strict=True)]
        if not found or max(heard) == float("-inf"):
            return found
        first = self._blend(found)
        return [found[i] for i in (first, *(i for i in _heard(found) if i != first))]

    def _heard(self, said: Phrasing, asked: _Asked) -> Phrasing:
        """With the listener's log probability."""
        heard = self._listener.listen([said.text], asked.step.step, asked.names, asked.context)
        return replace(said, listener_logprob=heard[0])

    def _reads(self, said: Phrasing, asked: _Asked) -> bool:
        """Whether the listener reads the step that was meant."""
        understands = getattr(self._listener, "understands", None)
        if understands is None or (said.listener_logprob or 0.0) > _SURE:
            return True
        return bool(understands(said.text, asked.step.step, asked.names, asked.context))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A step, its names, and what the listener knows beside them."""

    step: StepInContext
    names: Sequence[tuple[Iri, str]]
    context: Context
