"""The dialogues of a study with a server (`kbqa serve`) that keeps them in the study's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from kbqa.dialogue import MODES, Dialogue
from kbqa.errors import FeedbackError, InputError, KbqaError, UnknownDialogue
from kbqa.feedback import Feedback, feedback_document
from kbqa.records import Records
from kbqa.study.conduct import close_task
from kbqa.study.places import Task
from kbqa.study.register import Register

_PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class RemoteConductor:
    """As `Conductor`, through HTTP. `records`: the study's, which the server writes; `token`: what the
    server asks for, '' for none."""

    register: Register
    records: Records
    url: str
    token: str = ""

    def open(self, task: Task) -> Dialogue:
        """Raises `InputError` where the server keeps its dialogues elsewhere, or allows another number
        of edits."""
        name = task.dialogue_id
        if name is None:
            asked = self._post("dialogues", {"question": task.question, "mode": task.condition})
            name = self.register.begin(task, str(asked["dialogue_id"]))
        try:
            dialogue = self.records.load(name)
        except UnknownDialogue:
            raise InputError(
                f"the server at {self.url} keeps its dialogues elsewhere; start it with "
                f"kbqa serve --records {self.records.path}"
            ) from None
        allowed = self.register.study.edits if MODES[task.condition].edits else 0
        if task.dialogue_id is None and dialogue.edits_left != allowed:
            raise InputError(
                f"the server at {self.url} allows {dialogue.edits_left} edits and the study file {allowed}: "
                "let them agree"
            )
        return dialogue

    def say(self, task: Task, dialogue: Dialogue, feedback: Feedback, turn_id: str) -> Dialogue:
        path = f"dialogues/{quote(dialogue.dialogue_id, safe='')}/feedback"
        self._post(path, {**feedback_document(feedback), "turn_id": turn_id})
        return self.records.load(dialogue.dialogue_id)

    def close(self, task: Task, dialogue: Dialogue, comment: str = "") -> None:
        close_task(self.register, task, dialogue, comment)

    def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        head = {"Content-Type": "application/json"}
        if self.token:
            head["Authorization"] = f"Bearer {self.token}"
        url = f"{self.url.rstrip('/')}/{path}"
        request = Request(url, json.dumps(body).encode(), head, method="POST")
        try:
            with urlopen(request, timeout=_PATIENCE_S) as reply:
                found: dict[str, Any] = json.load(reply)
                return found
        except HTTPError as e:
            said = _detail(e)
            if 400 <= e.code < 500:
                raise FeedbackError(said) from None
            raise KbqaError(f"the server at {self.url} failed ({e.code}): {said}") from None
        except (URLError, TimeoutError, ValueError) as e:
            raise KbqaError(f"the server at {self.url} can't be reached: {e}") from None


def _detail(error: HTTPError) -> str:
    try:
        problem = json.load(error)
    except ValueError:
        return error.reason
    return str(problem.get("detail") or problem.get("title") or error.reason)
