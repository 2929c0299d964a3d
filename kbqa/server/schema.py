"""The documents that come in and go out, as models for OpenAPI and for checking what comes in.

`DialogueDocument` is DESIGN.md, section 7, as `kbqa.document.document` writes it; tests/test_server.py
checks replies against it.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kbqa.dialogue import MODES
from kbqa.feedback import KINDS
from kbqa.feedback import LONGEST as LONGEST_TEXT
from kbqa.intake import LONGEST


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


# --- in -----------------------------------------------------------------------------


class QuestionIn(_Strict):
    """A question."""

    question: str = Field(
        description=f"In English, at most {LONGEST:,} characters.", examples=["What is the capital of Egypt?"]
    )
    mode: str = Field("full", description=f"One of {', '.join(MODES)}.")
    kb: str | None = Field(
        None, description="The knowledge base's name; where given it must be the one that is served."
    )


class FeedbackIn(_Strict):
    """One turn. Which members a kind takes: insert, replace, edit: `step`, `text`; delete: `step`;
    back: `version`; link: `entity`, `other`; choose: `offer`; stop: `text`, if any; the others none."""

    kind: str = Field(description=f"One of {', '.join(KINDS)}.", examples=["edit"])
    turn_id: str = Field(
        min_length=1,
        max_length=200,
        description="A name for this turn, of the client's making. The same turn sent again changes "
        "nothing and has the same reply.",
        examples=["1"],
    )
    step: int | None = Field(None, description="From 1.", examples=[1])
    text: str | None = Field(
        None,
        description=f"A sub-question or comment, at most {LONGEST_TEXT} characters.",
        examples=["Who directed that film?"],
    )
    version: int | None = Field(None, description="From 1.")
    entity: str | None = Field(None, description="The IRI that stands in the steps.")
    other: str | None = Field(None, description="The IRI that is meant instead.")
    offer: int | None = Field(None, description="From 1.")


# --- out ----------------------------------------------------------------------------


class AnswerDocument(_Strict):
    value: str = Field(description="An IRI, or a literal's text.")
    label: str = Field(description="As it is shown.")


class EntityDocument(AnswerDocument):
    text: str = Field(description="The words of the question.")
    alternatives: list[AnswerDocument]


class StepDocument(_Strict):
    id: int
    template: str
    question: str
    shown: str = Field(description="`template` or `question`, as the mode says.")
    sparql: str
    answers: list[AnswerDocument]
    answer_count: int
    entities: list[EntityDocument]
    confidence: float = Field(ge=0, le=1)
    warnings: list[str]
    outcome: Literal["answered", "empty", "timed_out", "cut"]
    change: Literal["", "new", "answers"] = Field(description="Against the version before.")


class VersionDocument(_Strict):
    version: int
    sparql: str
    feedback: str = Field(description="What led to it, in words.")
    parent: int | None


class OfferDocument(_Strict):
    offer: int
    kind: str
    step: int = Field(description="The step it changes; 0: it reads the whole question otherwise.")
    text: str
    answer_count: int
    sample: list[AnswerDocument]


class TimingDocument(_Strict):
    """Milliseconds, of the first version."""

    link: float
    parse: float
    phrase: float
    answer: float
    total: float


class ErrorDocument(_Strict):
    type: str
    message: str


class DialogueDocument(_Strict):
    dialogue_id: str
    question: str
    mode: str
    kb: str
    version: int
    status: Literal["awaiting_feedback", "accepted", "edits_used_up", "stopped", "not_understood"]
    sparql: str | None
    answers: list[AnswerDocument]
    edits_left: int
    steps: list[StepDocument]
    versions: list[VersionDocument]
    offers: list[OfferDocument]
    broken_at: int | None
    least_sure: int | None
    timing_ms: TimingDocument
    error: ErrorDocument | None


class SummaryDocument(_Strict):
    id: str
    question: str
    status: str
    mode: str
    kb: str
    updated: str = Field(description="ISO 8601 in UTC.")


class ListDocument(_Strict):
    dialogues: list[SummaryDocument]


class QueryDocument(_Strict):
    """TEXT2SPARQL's reply."""

    dataset: str
    question: str
    query: str


class StatusDocument(_Strict):
    status: Literal["ok", "ready"]


class ProblemDocument(BaseModel):
    """RFC 9457."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    instance: str
    request_id: str


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For `responses=`: these statuses have a problem document."""
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
    return {status: {"description": "A problem document.", "content": content} for status in statuses}
