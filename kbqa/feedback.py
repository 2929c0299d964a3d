"""What a person may say to a shown understanding, as values.

    {"kind": "edit", "step": 2, "text": "Who directed that film?"}  <->  Edit(2, "Who directed that film?")

The operations are the study's (Mo et al. 2022: insert, delete, replace, edit), and those that need no
words: accept, not sure, undo, back, another entity, an offered alternative, stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, get_type_hints

from kbqa.answers import clean
from kbqa.errors import FeedbackError


@dataclass(frozen=True, slots=True)
class Accept:
    """'Yes, this is right.'"""


@dataclass(frozen=True, slots=True)
class Unsure:
    """'I can't tell whether this is right.' Nothing changes; it is kept."""


@dataclass(frozen=True, slots=True)
class Insert:
    """A new sub-question that becomes step `step` (from 1; one more than there are: at the end)."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Without step `step`."""

    step: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Another sub-question instead of step `step`."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Step `step` in other words."""

    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """In all steps the entity `other` instead of `entity` (both IRIs)."""

    entity: str
    other: str


@dataclass(frozen=True, slots=True)
class Choose:
    """The offered alternative of this number (from 1)."""

    offer: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Back to the version this one was made from; after 'accept' or 'stop' back into the dialogue."""


@dataclass(frozen=True, slots=True)
class Back:
    """Back to version `version` (from 1)."""

    version: int


@dataclass(frozen=True, slots=True)
class Stop:
    """The end without an accepted answer; `text` may say why."""

    text: str = ""


Feedback = Accept | Unsure | Insert | Delete | Replace | Edit | Link | Choose | Undo | Back | Stop
Correction = Insert | Delete | Replace | Edit | Link | Choose
"""Feedback that makes a new version, and uses up an edit."""

KINDS: Mapping[str, type[Feedback]] = {
    "accept": Accept,
    "unsure": Unsure,
    "insert": Insert,
    "delete": Delete,
    "replace": Replace,
    "edit": Edit,
    "link": Link,
    "choose": Choose,
    "undo": Undo,
    "back": Back,
    "stop": Stop,
}
_NAMES = {kind: name for name, kind in KINDS.items()}
LONGEST = 500
"""Characters of a sub-question or comment."""


def read_feedback(document: Mapping[str, Any]) -> Feedback:
    """`{"kind", ...}` -> feedback. Raises `FeedbackError` naming the key that is wrong, missing or
    unknown; `turn_id` belongs to the transport and is passed over."""
    name = document.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise FeedbackError(f"'kind' is {name!r}; expected one of {', '.join(KINDS)}")
    kind = KINDS[name]
    types = get_type_hints(kind)
    given = {k: v for k, v in document.items() if k not in ("kind", "turn_id") and v is not None}
    unknown = given.keys() - types.keys()
    if unknown:
        takes = ", ".join(types) or "nothing else"
        raise FeedbackError(f"{sorted(unknown)[0]!r} is no part of '{name}', which takes {takes}")
    for key, value in given.items():
        if not isinstance(value, types[key]) or isinstance(value, bool):
            what = "a whole number" if types[key] is int else "a text"
            raise FeedbackError(f"{key!r} of '{name}' is {value!r}; expected {what}")
    for f in fields(kind):
        if f.name == "text":
            given.setdefault("text", "")
        elif f.name not in given:
            raise FeedbackError(f"'{name}' needs {f.name!r}")
    return checked(kind(**given))


def checked(feedback: Feedback) -> Feedback:
    """With its text on one line and without characters that would act on a page or terminal. Raises
    `FeedbackError` where a sub-question is missing or a text is too long."""
    if not isinstance(feedback, Insert | Replace | Edit | Stop):
        return feedback
    if len(feedback.text) > LONGEST:
        raise FeedbackError(f"'text' has {len(feedback.text):,} characters, at most {LONGEST} are read")
    text = clean(feedback.text)
    if not text and not isinstance(feedback, Stop):
        name = _NAMES[type(feedback)]
        raise FeedbackError(f"'{name}' needs a sub-question in 'text', such as 'Who directed that film?'")
    return replace(feedback, text=text)


def feedback_document(feedback: Feedback) -> dict[str, Any]:
    """The JSON form; `read_feedback(feedback_document(f)) == f`."""
    kind = type(feedback)
    return {"kind": _NAMES[kind], **{f.name: getattr(feedback, f.name) for f in fields(kind)}}


def say(feedback: Feedback) -> str:
    """In words, as a version names what led to it."""
    match feedback:
        case Insert(step, text):
            return f"insert before step {step}: {text}"
        case Delete(step):
            return f"delete step {step}"
        case Replace(step, text):
            return f"replace step {step}: {text}"
        case Edit(step, text):
            return f"edit step {step}: {text}"
        case Link(_, other):
            return f"another entity: {other.rpartition('/')[2]}"
        case Choose(offer):
            return f"alternative {offer}"
        case Back(version):
            return f"back to version {version}"
        case Stop(text):
            return f"stop: {text}" if text else "stop"
        case _:
            return _NAMES[type(feedback)]
