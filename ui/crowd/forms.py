"""A survey that follows a dialogue, in the words of whoever made the items (`kbqa study tasks`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from crowd.trouble import CrowdError


@dataclass(frozen=True)
class Question:
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """`stage`: its number in the worker's comparison; `remark`: what the box for anything else asks."""

    stage: int
    heading: str
    introduction: str
    questions: tuple[Question, ...]
    remark: str

    def as_data(self) -> dict[str, Any]:
        """As JSON; `read_forms([form.as_data()], ...)` gives it back."""
        questions = [{"text": q.text, "options": list(q.options)} for q in self.questions]
        return {**asdict(self), "questions": questions}


def read_forms(rows: Any, where: str) -> tuple[Form, ...]:
    """From {stage, heading, introduction, questions: [{text, options: [text, ...]}, ...], remark}. Raises
    `CrowdError` naming `where`."""
    try:
        return tuple(_form(row) for row in rows)
    except (AssertionError, AttributeError, KeyError, TypeError):
        raise CrowdError(
            f"{where}: 'surveys' is {rows!r}; expected a list of {{stage, heading, introduction, questions, "
            "remark}, as kbqa study tasks writes it"
        ) from None


def _form(row: Mapping[str, Any]) -> Form:
    assert isinstance(row["stage"], int) and row["questions"]
    words = {key: _text(row[key]) for key in ("heading", "introduction", "remark")}
    questions = tuple(Question(_text(q["text"]), tuple(map(_text, q["options"]))) for q in row["questions"])
    return Form(stage=row["stage"], questions=questions, **words)


def _text(value: Any) -> str:
    assert isinstance(value, str)
    return value
