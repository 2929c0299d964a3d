"""Dialogues that `kbqa serve` holds, for a page that loads no model (`kbqa ui --api URL`).

The knowledge base is opened here as well: its names and wordings are shown from it.
"""

from __future__ import annotations

import json
import os
import uuid
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

from kbqa.dialogue import Dialogue, Mode
from kbqa.errors import (
    FeedbackError,
    InputError,
    KbqaError,
    KnowledgeBaseError,
    RecordsError,
    StoreError,
    StoreTimeout,
    StoreUnavailable,
    TurnConflict,
    UnknownDialogue,
)
from kbqa.examples import candidates
from kbqa.feedback import Feedback, feedback_document
from kbqa.kb import KnowledgeBase
from kbqa.records import Summary, decode

PATIENCE_S = 130
"""Longer than the server's own limit."""
_TRIED = 20
_ERRORS: dict[str, type[KbqaError]] = {
    "unknown-dialogue": UnknownDialogue,
    "turn-conflict": TurnConflict,
    "feedback-error": FeedbackError,
    "feedback-conflict": FeedbackError,
    "input-error": InputError,
    "not-understood": InputError,
    "other-knowledge-base": KnowledgeBaseError,
    "store-timeout": StoreTimeout,
    "took-too-long": StoreTimeout,
    "store-unavailable": StoreUnavailable,
    "too-busy": StoreUnavailable,
    "records-error": RecordsError,
}
"""How a problem document's type ends, and what it was in the server."""


class Server:
    """`kbqa serve` at a URL. Methods raise `StoreUnavailable` where it can't be reached, else what the
    server raised. The token, where it asks for one, is that of $KBQA_TOKEN."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._open = build_opener(ProxyHandler({})).open

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Content-Type": "application/json"}
        token = os.environ.get("KBQA_TOKEN")
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        try:
            request = Request(self.url + path, data, headers, method=method)
            try:
                with self._open(request, timeout=PATIENCE_S) as reply:
                    text = reply.read().decode()
            except HTTPError as e:
                raise _of_problem(e) from None
            return json.loads(text) if text else None
        except (OSError, HTTPException, ValueError) as e:  # cut off, in mid-reply or mid-refusal too
            reason = e.reason if isinstance(e, URLError) else e
            raise StoreUnavailable(f"the server {self.url} can't be reached: {reason}") from e

    def dialogue(self, dialogue_id: str) -> Dialogue:
        found: Dialogue = decode(self.call("GET", f"/dialogues/{quote(dialogue_id, safe='')}/value"))
        return found


def _of_problem(error: HTTPError) -> KbqaError:
    try:
        problem = json.loads(error.read())
        name, said = problem["type"].rpartition(":")[2], str(problem["detail"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return KbqaError(f"the server {error.url} gave no reply that could be read (HTTP {error.code})")
    return _ERRORS.get(name, KbqaError)(said)


class Remote:
    """In place of an engine."""

    def __init__(self, server: Server, kb: KnowledgeBase) -> None:
        self._server, self.kb, self.signature = server, kb, server.url

    def close(self) -> None:
        self.kb.close()

    def ask(self, question: str, mode: Mode) -> Dialogue:
        asked = {"question": question, "mode": mode.name, "kb": self.kb.name}
        return self._server.dialogue(self._server.call("POST", "/dialogues", asked)["dialogue_id"])

    def advance(self, dialogue: Dialogue, feedback: Feedback) -> Dialogue:
        if self._server.dialogue(dialogue.dialogue_id) != dialogue:
            raise TurnConflict("this dialogue was continued elsewhere")
        turn = feedback_document(feedback) | {"turn_id": uuid.uuid4().hex}
        self._server.call("POST", f"/dialogues/{dialogue.dialogue_id}/feedback", turn)
        return self._server.dialogue(dialogue.dialogue_id)

    def examples(self, k: int) -> tuple[str, ...]:
        """Questions that the server understands and that find something."""
        found: list[str] = []
        for question, _ in zip(candidates(self.kb), range(_TRIED), strict=False):
            if len(found) == k:
                break
            try:
                query = self._server.call("GET", f"/?{urlencode({'question': question})}")["query"]
                if self.kb.store.select(query, time_limit_s=2.0).rows:
                    found.append(question)
            except (InputError, StoreError):
                continue
        return tuple(found)


class RemoteRecords:
    """In place of the records: the server has written each turn before it replies."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def close(self) -> None:
        pass

    def save(self, dialogue: Dialogue, feedback: Feedback | None = None) -> None:
        pass

    def load(self, dialogue_id: str) -> Dialogue:
        return self._server.dialogue(dialogue_id)

    def recent(self, limit: int) -> list[Summary]:
        return [Summary(**row) for row in self._server.call("GET", f"/dialogues?limit={limit}")["dialogues"]]

    def delete(self, dialogue_id: str) -> None:
        self._server.call("DELETE", f"/dialogues/{quote(dialogue_id, safe='')}")
