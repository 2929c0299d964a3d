"""A phraser that words what it has worded before in the same words, without asking again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence

from kbqa.intake import constants_of
from kbqa.phrase.rule import Phraser, Phrasing, StepInContext
from kbqa.protocols import is_concurrent, signature_of, warm
from kbqa.types import Iri

MOST = 4_096
"""Steps in their contexts that are kept, the latest used."""


class RememberingPhraser:
    """The wordings of `phraser`, kept in memory: a step in the same context has the same wordings. Threads
    may share it where they may share `phraser`."""

    def __init__(self, phraser: Phraser, most: int = MOST) -> None:
        self._phraser, self._most = phraser, most
        self._kept: OrderedDict[Hashable, tuple[Phrasing, ...]] = OrderedDict()
        self._lock = threading.Lock()
        self.concurrent, self.signature = is_concurrent(phraser), signature_of(phraser)

    def warm(self) -> None:
        warm(self._phraser)

    def phrase(self, step: StepInContext, *, n: int = 10) -> Sequence[Phrasing]:
        key = _key(step, n)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        found = tuple(self._phraser.phrase(step, n=n))
        with self._lock:
            self._kept[key] = found
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found


def _key(step: StepInContext, n: int) -> Hashable:
    """All that a wording may depend on: the steps up to this one, what names their entities, the context."""
    steps = step.steps[: step.number]
    names = tuple((c, step.labels(c)) for s in steps for c in constants_of(s) if isinstance(c, Iri))
    nouns = tuple(sorted(step.nouns.items()))
    return steps, step.number, names, nouns, step.question, step.history, step.template, n
