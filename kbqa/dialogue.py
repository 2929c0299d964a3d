"""A dialogue is a value: what was asked, how it was understood, and each version of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice
from typing import TypeAlias

from kbqa.feedback import Feedback
from kbqa.protocols import Mention
from kbqa.types import Answer, Count, Decomposition, Query


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


Change: TypeAlias = Choice["", "new", "answers"]


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A step as it is shown. `answers` is cut at the engine's limit; `answer_count` is not.
    `outcome` tells an empty result from one that took too long or was cut. `change` against the
    version before: 'new' if it wasn't asked there, 'answers' if what it rests on has changed."""

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
    change: Change = ""


OfferKind: TypeAlias = Choice["reading", "predicate", "direction", "entity", "insert", "without"]
"""Why something is offered: the parser reads it so too; another predicate, the same one turned round,
another entity of the name (with the predicates that it has); a step more before it; a condition left out."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Another reading, already executed: what it would ask instead, and what it would find.

    `step`: the step it changes, 0 where it reads the whole question otherwise; `kind`: why it is
    offered; `sample`: the first of its `answer_count` answers."""

    kind: OfferKind
    step: int
    text: str
    parse: Parse
    answer_count: int
    sample: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Version:
    """One understanding of the question, and the feedback that led to it (None: the first).

    `parent`: the number (from 1) of the version it was made from; `offers`: what may be chosen
    instead, best first."""

    parse: Parse
    sparql: str
    steps: tuple[SubQuestion, ...]
    feedback: Feedback | None = None
    parent: int | None = None
    offers: tuple[Offer, ...] = ()

    @property
    def broken_at(self) -> int | None:
        """The first step that came back empty, where the last one did or counts nothing."""
        if not self.steps:
            return None
        counts = isinstance(self.parse.decomposition.steps[-1], Count)
        if self.steps[-1].outcome != "empty" and not counts:
            return None
        return next((s.number for s in self.steps if s.outcome == "empty"), None)

    @property
    def least_sure(self) -> int | None:
        """The step to look at first; None where there is only one."""
        if len(self.steps) < 2:
            return None
        return min(self.steps, key=lambda s: s.confidence).number


@dataclass(frozen=True, slots=True)
class Recognised:
    """What was recognised in a question that was not understood; `unknown`: names in it that nothing
    here has."""

    mentions: tuple[Mention, ...]
    examples: tuple[str, ...]
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds per stage."""

    link: float
    parse: float
    phrase: float
    answer: float
    total: float


Status: TypeAlias = Choice["awaiting_feedback", "accepted", "edits_used_up", "stopped", "not_understood"]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A question and every version of its understanding. `at`: the current version's number (from 1,
    0 where there is none); `mentions`: what the question and its corrections were linked to;
    `comment`: what was said at the end; `unsure`: the versions about which 'not sure' was said."""

    dialogue_id: str
    question: str
    mode: Mode
    kb: str
    status: Status
    versions: tuple[Version, ...]
    edits_left: int
    timing: Timing
    recognised: Recognised | None = None
    at: int = 0
    mentions: tuple[Mention, ...] = ()
    unsure: tuple[int, ...] = ()
    comment: str = ""

    @property
    def current(self) -> Version | None:
        return self.versions[self.at - 1] if self.at else None
