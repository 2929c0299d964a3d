"""One dialogue of a worker as a value, and what can come after it. No network, no Mephisto.

    judge --accept, stop--> comment --comment--> survey --survey--> closing
    judge --insert, delete, replace, edit, unsure--> judge

The interface is the study's (Mo et al. 2022, METHODS.md section 1): the target question, the agent's
sub-questions with answers, yes or no, four operations, at most five edits, a comment at the end. Surveys
follow where the item has some.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from crowd import texts
from crowd.forms import Form
from crowd.items import Item

Document = Mapping[str, Any]
Phase = Literal["judge", "comment", "survey", "closing"]
OPERATIONS = ("insert", "delete", "replace", "edit")
LONGEST = 500
LONGEST_COMMENT = 2000
SHOWN_ANSWERS = 10


class ActError(Exception):
    """What came from the page can't be taken; the message is for the worker."""


@dataclass(frozen=True)
class Rules:
    """What the interface offers beyond the study's: a third answer, and ending with edits left."""

    not_sure: bool = False
    may_stop: bool = False


@dataclass(frozen=True)
class Act:
    """`kind`: accept, unsure, stop, comment, survey or one of `OPERATIONS`; `id`: names it, once and for all;
    `answers`: for each question of a survey the number of the option, from 1."""

    id: str
    kind: str
    step: int = 0
    text: str = ""
    answers: tuple[int, ...] = ()

    def feedback(self) -> dict[str, Any]:
        """As `POST /dialogues/{id}/feedback` takes it, but for the turn's id."""
        found: dict[str, Any] = {"kind": self.kind}
        if self.kind in OPERATIONS:
            found["step"] = self.step
        if self.kind in OPERATIONS and self.kind != "delete":
            found["text"] = self.text
        return found


@dataclass(frozen=True)
class Episode:
    """`document`: the dialogue as the server last had it; `comment`: the worker's at the end; `answered`: how
    many of the item's surveys; `error`: what broke, for the journal only."""

    item: Item
    rules: Rules = Rules()
    document: Document | None = None
    phase: Phase = "judge"
    notice: str = ""
    comment: str = ""
    answered: int = 0
    error: str = ""

    @property
    def survey(self) -> Form | None:
        """The one that is asked now."""
        return self.item.surveys[self.answered] if self.phase == "survey" else None

    @property
    def dialogue_id(self) -> str:
        return str(self.document["dialogue_id"]) if self.document else ""

    @property
    def status(self) -> str:
        return str(self.document["status"]) if self.document else ""

    @property
    def edits(self) -> int:
        """Corrections made: versions but the first."""
        return max(0, len(self.document["versions"]) - 1) if self.document else 0

    @property
    def takes_edits(self) -> bool:
        left = self.document["edits_left"] if self.document else 0
        return self.status == "awaiting_feedback" and left > 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of acts that can come now."""
        if self.phase != "judge":
            return (self.phase,) if self.phase in ("comment", "survey") else ()
        edits = OPERATIONS if self.takes_edits else ()
        stop = ("stop",) if self.rules.may_stop or not self.takes_edits else ()
        return ("accept", *(("unsure",) if self.rules.not_sure else ()), *stop, *edits)

    @property
    def how(self) -> str:
        return "error" if self.error else "finished"


# --- what comes in -------------------------------------------------------------------


def read_act(data: Mapping[str, Any], episode: Episode) -> Act:
    """From `{"update_id", "task_data": {"act": {"kind", "step"?, "text"?, "stage"?, "answers"?}}}`. Raises
    `ActError` with what the worker should do."""
    given = (data.get("task_data") or {}).get("act")
    if not isinstance(given, Mapping) or not data.get("update_id"):
        raise ActError(texts.NOT_UNDERSTOOD_ACT)
    kind, text = given.get("kind"), given.get("text", "")
    text = " ".join(text.split()) if isinstance(text, str) else ""
    if kind not in episode.kinds:
        raise ActError(texts.NO_EDITS if kind in OPERATIONS and episode.phase == "judge" else texts.NOT_NOW)
    act = Act(str(data["update_id"])[:200], str(kind), 0, text)
    if kind == "comment" and len(text) > LONGEST_COMMENT:
        raise ActError(texts.too_long(len(text), LONGEST_COMMENT))
    if episode.survey is not None:
        return _survey(act, given, episode.survey)
    return _operation(act, given, episode) if kind in OPERATIONS else act


def _operation(act: Act, given: Mapping[str, Any], episode: Episode) -> Act:
    count, step = len(_steps(episode)), given.get("step")
    last = count + 1 if act.kind == "insert" else count
    if not isinstance(step, int) or isinstance(step, bool) or not 1 <= step <= last:
        raise ActError(texts.NO_STEP)
    if act.kind != "delete" and not act.text:
        raise ActError(texts.NO_TEXT)
    if len(act.text) > LONGEST:
        raise ActError(texts.too_long(len(act.text), LONGEST))
    return replace(act, step=step)


def _survey(act: Act, given: Mapping[str, Any], form: Form) -> Act:
    answers = given.get("answers")
    if given.get("stage") != form.stage:
        raise ActError(texts.NOT_NOW)
    if not isinstance(answers, list) or len(answers) != len(form.questions):
        raise ActError(texts.NO_ANSWERS)
    for value, question in zip(answers, form.questions, strict=True):
        if type(value) is not int or not 1 <= value <= len(question.options):
            raise ActError(texts.NO_ANSWERS)
    if len(act.text) > LONGEST:
        raise ActError(texts.too_long(len(act.text), LONGEST))
    return replace(act, answers=tuple(answers))


# --- what comes of it ----------------------------------------------------------------


def opened(episode: Episode, document: Document) -> Episode:
    """A new dialogue, or one that is gone on with."""
    return _at(episode, document)


def answered(episode: Episode, act: Act, document: Document) -> Episode:
    """After feedback that the server took."""
    after = _at(replace(episode, notice=""), document)
    if after.phase != "judge":
        return after
    if act.kind == "unsure":
        return replace(after, notice=texts.UNSURE_EDITS if after.takes_edits else texts.UNSURE)
    return replace(after, notice=texts.done(act.kind, act.step))


def refused(episode: Episode, why: str) -> Episode:
    """Nothing changed; the worker is told why."""
    return replace(episode, notice=texts.refused(why))


def commented(episode: Episode, comment: str) -> Episode:
    return _after_dialogue(replace(episode, comment=comment, notice=""))


def surveyed(episode: Episode) -> Episode:
    """The survey that was asked is answered."""
    return _after_dialogue(replace(episode, answered=episode.answered + 1, notice=""))


def broken(episode: Episode, error: str) -> Episode:
    """Something failed that is not the worker's fault: the end, with what there is. What is asked after a
    dialogue is asked all the same."""
    over = replace(episode, error=episode.error or error)
    after = replace(over, phase="closing") if episode.phase == "survey" else _after_dialogue(over)
    asked = texts.FINISH if after.phase == "closing" else texts.ASKED
    return replace(after, notice=f"{texts.BROKEN} {asked}")


def _after_dialogue(episode: Episode) -> Episode:
    left = episode.answered < len(episode.item.surveys)
    return replace(episode, phase="survey" if left else "closing")


def _at(episode: Episode, document: Document) -> Episode:
    phase: Phase = "judge" if document["status"] in ("awaiting_feedback", "edits_used_up") else "comment"
    notice = texts.NOT_UNDERSTOOD if document["status"] == "not_understood" else episode.notice
    return replace(episode, document=document, phase=phase, notice=notice)


# --- what is shown -------------------------------------------------------------------


def card(episode: Episode, limit: int) -> dict[str, Any]:
    """What the page draws, as JSON; `limit`: the edits that a dialogue may have."""
    document = episode.document or {}
    over = episode.phase == "survey" or episode.answered > 0
    return {
        "phase": episode.phase,
        "notice": episode.notice,
        "question": episode.item.question,
        "steps": [_shown(step) for step in _steps(episode) if not over],
        "answers": [a["label"] for a in document.get("answers", ())[:SHOWN_ANSWERS]],
        "kinds": list(episode.kinds),
        "edits": episode.edits,
        "edits_left": document.get("edits_left", 0),
        "limit": limit,
        "version": document.get("version"),
        "broke": bool(episode.error),
        "survey": episode.survey.as_data() if episode.survey else None,
    }


def _steps(episode: Episode) -> list[Mapping[str, Any]]:
    return list(episode.document["steps"]) if episode.document else []


def _shown(step: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": step["id"],
        "text": step["shown"],
        "answers": [a["label"] for a in step["answers"][:SHOWN_ANSWERS]],
        "count": step["answer_count"],
        "change": step.get("change", ""),
    }


def as_text(shown: Mapping[str, Any]) -> str:
    """A card in words: what stands in Mephisto's own log of the chat."""
    lines = [shown["notice"]] if shown["notice"] else []
    for step in shown["steps"]:
        lines.append(f"{step['id']}. {step['text']} {'; '.join(step['answers']) or texts.NO_ANSWER}")
    if shown["survey"]:
        return "\n".join([*lines, shown["survey"]["heading"]])
    asked = {"judge": texts.IS_IT_RIGHT, "comment": texts.COMMENT, "closing": texts.THANKS}
    return "\n".join([*lines, asked[shown["phase"]]])
