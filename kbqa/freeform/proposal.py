"""What an utterance is taken for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbqa.dialogue import Version
from kbqa.errors import FeedbackError
from kbqa.feedback import (
    Accept,
    Back,
    Choose,
    Delete,
    Edit,
    Feedback,
    Insert,
    Link,
    Replace,
    Stop,
    Undo,
    Unsure,
)
from kbqa.protocols import Candidate
from kbqa.rewire import taken_along


@dataclass(frozen=True, slots=True)
class Proposal:
    """`feedback`: the operation; None for a new question, or where `said` asks back. `said`: one sentence
    to show; `confirm`: whether to wait for a yes. `question`: the new question; beside an operation the
    one that may have been meant instead."""

    feedback: Feedback | None
    said: str
    confirm: bool = False
    question: str = ""


def asking(question: str) -> Proposal:
    return Proposal(None, f"Ask as a new question: {question}", False, question)


def proposed(feedback: Feedback, version: Version) -> Proposal:
    """The operation shown back. What changes the understanding, or ends the dialogue with a comment,
    waits for a yes; what is free or can't be misheard doesn't."""
    confirm = isinstance(feedback, Insert | Replace | Edit | Delete | Link | Choose) or (
        isinstance(feedback, Stop) and bool(feedback.text)
    )
    return Proposal(feedback, _said(feedback, version), confirm)


def _said(feedback: Feedback, version: Version) -> str:
    match feedback:
        case Accept():
            return "Right."
        case Unsure():
            return "Noted: you are not sure."
        case Insert(step, text):
            return f"Insert as step {step}: {text}"
        case Replace(step, text):
            return f"Replace step {step} by: {text}"
        case Edit(step, text):
            return f"Edit step {step} to: {text}"
        case Delete(step):
            return f"Delete step {step}{_shown(version, step)}{_along(version, step)}"
        case Link(entity, other):
            return f"Take {_named(version, other)} instead of {_named(version, entity)}"
        case Choose(offer):
            known = 1 <= offer <= len(version.offers)
            return f"Take alternative {offer}" + (f": {version.offers[offer - 1].text}" if known else "")
        case Undo():
            return "Back to the version before."
        case Back(number):
            return f"Back to version {number}."
        case Stop(text):
            return f"Stop, with the comment: {text}" if text else "Stop."


def _shown(version: Version, step: int) -> str:
    if not 1 <= step <= len(version.steps):
        return ""
    return f": {version.steps[step - 1].shown}"


def _along(version: Version, step: int) -> str:
    """Which other steps go with it."""
    try:
        others = [str(n) for n in taken_along(version.parse.decomposition.steps, step)]
    except FeedbackError:
        return ""
    if not others:
        return ""
    many = len(others) > 1
    named = f"s {', '.join(others)}, which choose" if many else f" {others[0]}, which chooses"
    return f" (and step{named} among its answers)"


def _named(version: Version, entity: str) -> str:
    """'Georgia (us state)'"""
    for step in version.steps:
        for mention in step.mentions:
            for candidate in mention.candidates:
                if candidate.entity.value == entity:
                    return described(candidate, mention.candidates)
    return entity.rpartition("/")[2]


def described(candidate: Candidate, among: Sequence[Candidate]) -> str:
    """'Georgia (us state)': the label with what kind of thing it is and the others are not, or with its
    id where they are of the same kinds."""
    others = {kind for other in among if other.entity != candidate.entity for kind in type_words(other)}
    kinds = [kind for kind in type_words(candidate) if kind not in others]
    return f"{candidate.label} ({kinds[0] if kinds else candidate.entity.mid})"


def type_words(candidate: Candidate) -> list[str]:
    """The names of its types in words: 'us state'."""
    return [
        t.value.replace("#", "/").rpartition("/")[2].rpartition(".")[2].replace("_", " ")
        for t in candidate.types
    ]
