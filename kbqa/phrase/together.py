"""Two speakers' wordings as one list."""

from __future__ import annotations

from collections.abc import Sequence

from kbqa.phrase.rule import Phraser, Phrasing, StepInContext
from kbqa.protocols import is_concurrent, signature_of, warm


class TogetherPhraser:
    """The first one's likeliest wordings, then the second one's; each text once."""

    def __init__(self, first: Phraser, second: Phraser) -> None:
        self._first, self._second = first, second
        self.concurrent = is_concurrent(first) and is_concurrent(second)
        self.signature = f"{signature_of(first)}&{signature_of(second)}"

    def warm(self) -> None:
        warm(self._first)
        warm(self._second)

    def phrase(self, step: StepInContext, *, n: int = 10) -> Sequence[Phrasing]:
        first = self._first.phrase(step, n=max(1, (n + 1) // 2))
        found = {p.text: p for p in (*self._second.phrase(step, n=n), *first)}
        texts = dict.fromkeys([*(p.text for p in first), *found])
        return tuple(found[t] for t in texts)[: max(1, n)]
