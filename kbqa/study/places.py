"""Where a participant is, and what they do there, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Task:
    """One dialogue of one worker. `place`: from 1 in the claim, of `of`; `stage`: 1 or 2; `dialogue_id`:
    None before it has begun; `started`, `finished`: ISO 8601 in UTC."""

    claim: int
    place: int
    of: int
    stage: int
    participant: str
    comparison: str
    condition: str
    item: str
    question: str
    dialogue_id: str | None = None
    started: str | None = None
    finished: str | None = None


@dataclass(frozen=True, slots=True)
class AtConsent:
    """Has not agreed yet."""


@dataclass(frozen=True, slots=True)
class AtTutorial:
    """Has not read the tutorial to its end."""


@dataclass(frozen=True, slots=True)
class AtQuiz:
    """Takes the quiz for the `attempt`-th time (from 1)."""

    attempt: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """May not take the quiz again before `until`."""

    until: datetime


@dataclass(frozen=True, slots=True)
class AtStart:
    """May begin a comparison; `before`: codes of those that are finished."""

    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AtDialogue:
    task: Task


@dataclass(frozen=True, slots=True)
class AtSurvey:
    """After the dialogues of a stage (1 or 2)."""

    claim: int
    stage: int


@dataclass(frozen=True, slots=True)
class AtComparison:
    """After both systems; `conditions` in the order in which they were used."""

    claim: int
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AtEnd:
    """Nothing is left to do. `codes`: of what is finished."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Excluded:
    """A person has decided so; what was done is paid."""

    codes: tuple[str, ...]


Place = (
    AtConsent
    | AtTutorial
    | AtQuiz
    | Waiting
    | AtStart
    | AtDialogue
    | AtSurvey
    | AtComparison
    | AtEnd
    | Excluded
)
COMPARISON_STAGE = 3
QUESTION = "Are the above sub-questions accurate in relation to the target question?"
"""What a dialogue asks about what is shown, as in the published interface (Lewis et al., figure 1)."""
