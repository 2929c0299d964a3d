"""An utterance in its dialogue, as every rule gets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from kbqa.dialogue import Dialogue, SubQuestion, Version
from kbqa.feedback import Feedback
from kbqa.freeform import cues, places
from kbqa.freeform.proposal import Proposal
from kbqa.protocols import Linker

EDGES = " \t\n.!,;:-'\""


@dataclass(frozen=True)
class Heard:
    """`text`: on one line, as it was said; `version`: what it is about; `linker`: finds names that are
    not in the dialogue yet."""

    text: str
    dialogue: Dialogue
    version: Version
    linker: Linker | None

    @cached_property
    def plain(self) -> str:
        """Without courtesies, complaints, and approval of other steps."""
        text = places.APPROVED_STEP.sub("", cues.APPROVED.sub("", self.text, count=1)) or self.text
        for pattern in (cues.COMPLAINT, cues.POLITE, cues.COMPLAINT, cues.THANKS):
            text = pattern.sub("", text, count=1)
        return text.strip()

    @cached_property
    def bare(self) -> str:
        """Without what stands around a short utterance."""
        return self.plain.strip(EDGES + "?")

    @property
    def denied(self) -> bool:
        return bool(cues.DENIAL.match(self.text) or cues.COMPLAINT.match(self.text))

    @property
    def count(self) -> int:
        return len(self.version.steps)

    def step(self, number: int) -> SubQuestion | None:
        return self.version.steps[number - 1] if 1 <= number <= self.count else None


Rule: TypeAlias = Callable[[Heard], Feedback | Proposal | None]
"""None: the utterance is nothing of the kind."""
