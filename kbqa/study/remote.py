"""The dialogues of a study with a server (`kbqa serve`) that keeps them in the study's folder."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from kbqa.dialogue import MODES, Dialogue
from kbqa.errors import FeedbackError, InputError, KbqaError, UnknownDialogue
from kbqa.feedback import Feedback, feedback_document
from kbqa.records import Records
from kbqa.study.conduct import close_task
from kbqa.study.places import Task
from kbqa.study.register import Register

_REPLY_S = 120.0
_AGAIN = (502, 503, 504)
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.25, 5.0


class _Away(Exception):
    """The server, or what it asks, can't be reached just now."""


@dataclass(frozen=True, slots=True)
class RemoteConductor:
    """As `Conductor`, through HTTP. `records`: the study's, which the server writes; `token`: what the
    server asks for, '' for none; `patience_s`: how long a server that is away is waited for. Methods raise
    `KbqaError` after that."""

    register: Register
    records: Records
    url: str
    token: str = ""
    patience_s: float = 120.0

    def open(self, task: Task) -> Dialogue:
        """Raises `InputError` where the server keeps its dialogues elsewhere, or allows another number
        of edits. Where its reply was lost on the way, a first dialogue stays in its records without
        feedback."""
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
        if task.dialogue_id is None:
            same_edits(self.register, task, dialogue, f"the server at {self.url}")
        return dialogue

    def say(self, task: Task, dialogue: Dialogue, feedback: Feedback, turn_id: str) -> Dialogue:
        path = f"dialogues/{quote(dialogue.dialogue_id, safe='')}/feedback"
        self._post(path, {**feedback_document(feedback), "turn_id": turn_id})
        return self.records.load(dialogue.dialogue_id)

    def close(self, task: Task, dialogue: Dialogue, comment: str = "") -> None:
        close_task(self.register, task, dialogue, comment)

    def answer(self, claim: int, stage: int, values: Mapping[int, int]) -> None:
        self.register.answer(claim, stage, values)

    def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Sent again while the server is away: a turn has its id, and is carried out once."""
        end, wait = time.monotonic() + self.patience_s, _FIRST_WAIT_S
        while True:
            try:
                return self._send(path, body)
            except _Away as e:
                if time.monotonic() + wait > end:
                    raise KbqaError(f"no reply from {self.url} for {self.patience_s:g} s: {e}") from None
            time.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT_S)

    def _send(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        head = {"Content-Type": "application/json"}
        if self.token:
            head["Authorization"] = f"Bearer {self.token}"
        url = f"{self.url.rstrip('/')}/{path}"
        request = Request(url, json.dumps(body).encode(), head, method="POST")
        try:
            try:
                with urlopen(request, timeout=_REPLY_S) as reply:
                    found: dict[str, Any] = json.load(reply)
                    return found
            except HTTPError as e:
                raise self._refusal(e.code, _detail(e)) from None
        except (OSError, HTTPException, ValueError) as e:  # cut off, in mid-reply or mid-refusal too
            raise _Away(str(e) or type(e).__name__) from None

    def _refusal(self, code: int, said: str) -> Exception:
        if code in _AGAIN:
            return _Away(f"{code} {said}")
        if 400 <= code < 500:
            return FeedbackError(said)
        return KbqaError(f"the server at {self.url} failed ({code}): {said}")


def same_edits(register: Register, task: Task, dialogue: Dialogue, server: str) -> None:
    """Raises `InputError` where a new dialogue allows another number of edits than the study."""
    allowed = register.study.edits if MODES[task.condition].edits else 0
    made = len(dialogue.versions) - 1
    if dialogue.current is not None and dialogue.edits_left + max(0, made) != allowed:
        raise InputError(
            f"{server} allows {dialogue.edits_left + made} edits and the study file {allowed}: let them agree"
        )


def _detail(error: HTTPError) -> str:
    try:
        problem = json.load(error)
    except ValueError:
        return error.reason
    return str(problem.get("detail") or problem.get("title") or error.reason)
