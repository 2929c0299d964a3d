"""Talks to `kbqa serve` (docs/http.md), patiently: what is lost on the way is sent again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import requests

from crowd.trouble import CrowdError

Document = Mapping[str, Any]
_CONNECT_S, _READ_S = 5, 130
_AGAIN = (502, 503, 504)
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.25, 5.0


class Refused(Exception):
    """The server took the request for wrong and changed nothing; `detail` says why, in words for the
    worker where `status` is 422 or 409."""

    def __init__(self, status: int, kind: str, detail: str) -> None:
        self.status, self.kind, self.detail = status, kind, detail
        super().__init__(f"{status} {kind}: {detail}")


@dataclass(frozen=True)
class Server:
    """The dialogues at `url`. Methods raise `Refused` (4xx, 500) and `CrowdError` where there was no reply
    for `patience_s`. `sleep` and `clock` are seconds, to be replaced in tests."""

    url: str
    token: str = ""
    patience_s: float = 120
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def open(self, question: str, mode: str) -> Document:
        """A new dialogue. Where a reply was lost and the question is sent again, the first dialogue stays in
        the server's records without any feedback."""
        return self._patiently("POST", "/dialogues", {"question": question, "mode": mode})

    def read(self, dialogue_id: str) -> Document:
        return self._patiently("GET", f"/dialogues/{dialogue_id}", None)

    def say(self, dialogue_id: str, turn_id: str, feedback: Mapping[str, Any]) -> Document:
        """One turn; sending the same `turn_id` again has the reply it had the first time."""
        return self._patiently("POST", f"/dialogues/{dialogue_id}/feedback", {**feedback, "turn_id": turn_id})

    def ready(self) -> str:
        """What is wrong with the server; '' if nothing."""
        try:
            reply = self._send("GET", "/readyz", None)
        except requests.RequestException as e:
            return f"no reply from {self.url} ({type(e).__name__}): start it with kbqa serve"
        if not reply.ok:
            return f"{self.url} is not ready ({reply.status_code}): {_problem(reply).detail}"
        if self._send("GET", "/dialogues?limit=1", None).status_code == 401:
            return f"{self.url} wants a token, and none or a wrong one is given"
        return ""

    def _patiently(self, method: str, path: str, body: Any) -> Document:
        end, wait = self.clock() + self.patience_s, _FIRST_WAIT_S
        while True:
            try:
                reply = self._send(method, path, body)
                if reply.ok:
                    document: Document = reply.json()
                    return document
                problem = f"{reply.status_code} {_problem(reply).detail}"
                if reply.status_code not in _AGAIN:
                    raise _problem(reply)
            except (requests.ConnectionError, requests.Timeout) as e:
                problem = type(e).__name__
            if self.clock() + wait > end:
                raise CrowdError(f"no reply from {self.url} for {self.patience_s:g} seconds: {problem}")
            self.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT_S)

    def _send(self, method: str, path: str, body: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return requests.request(
            method, self.url.rstrip("/") + path, json=body, headers=headers, timeout=(_CONNECT_S, _READ_S)
        )


def _problem(reply: requests.Response) -> Refused:
    """From an RFC 9457 problem document, or from whatever else came."""
    try:
        document = reply.json()
        return Refused(reply.status_code, str(document["type"]).rpartition(":")[2], str(document["detail"]))
    except (ValueError, KeyError, TypeError):
        return Refused(reply.status_code, "unknown", reply.reason or "no problem document")
