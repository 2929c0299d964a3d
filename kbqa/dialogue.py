"""A dialogue is a value: what was asked, how it was understood, and each version of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice

from kbqa.protocols import Mention
from kbqa.types import Answer, Decomposition, Query


@dataclass(frozen=True, slots=True)
class Mode:
    """One system of the study, as data (METHODS.md, section 1). Nothing compares a mode's name.

    phrasing: which sub-question is shown; context: whether correction and generation see the
    target question and the earlier sub-questions; edits: whether feedback beyond yes/no is taken.
    """

    name: str
    phrasing: Choice["templated", "generated"]
    context: bool
    edits: bool
    explanation: str


FULL = Mode("full", "generated", True, True, "Natural sub-questions; corrections see the whole dialogue.")
TEMPLATED = Mode(
    "templated", "templated", True, True, "Sub-questions in fixed templates; corrections as in full."
)
DECONTEXTUALIZED = Mode(
    "decontextualized", "generated", False, True, "Each sub-question is phrased and corrected on its own."
)
NON_INTERACTIVE = Mode(
    "non-interactive", "generated", True, False, "Shows how it understood; no corrections."
)
MODES = {m.name: m for m in (FULL, TEMPLATED, DECONTEXTUALIZED, NON_INTERACTIVE)}


@dataclass(frozen=True, slots=True)
class Parse:
    """One reading of a question: the logical form, its Steps and the model's log probability."""

    query: Query
    decomposition: Decomposition
    logprob: float


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A step as it is shown. `answers` is cut at the engine's limit; `answer_count` is not.
    `outcome` tells an empty result from one that took too long or was cut."""

    number: int
    template: str
    question: str
    shown: str
    sparql: str
    answers: tuple[Answer, ...]
    answer_count: int
    outcome: Choice["answered", "empty", "timed_out", "cut"]
    confidence: float
    mentions: tuple[Mention, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """One understanding of the question, and the feedback that led to it ('' = the first)."""

    parse: Parse
    sparql: str
    steps: tuple[SubQuestion, ...]
    feedback: str = ""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What was recognised in a question that was not understood."""

    mentions: tuple[Mention, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds per stage."""

    link: float
    parse: float
    phrase: float
    answer: float
    total: float


@dataclass(frozen=True, slots=True)
class Dialogue:
    dialogue_id: str
    question: str
    mode: Mode
    kb: str
    status: Choice["awaiting_feedback", "accepted", "edits_used_up", "stopped", "not_understood"]
    versions: tuple[Version, ...]
    edits_left: int
    timing: Timing
    recognised: Recognised | None = None

    @property
    def current(self) -> Version | None:
        return self.versions[-1] if self.versions else None
