"""Any endpoint that speaks OpenAI's chat completions as a `Seq2Seq`: a prompt in, texts out.

    KBQA_LLM_URL=http://127.0.0.1:11434/v1 KBQA_LLM_MODEL=qwen3:8b [KBQA_LLM_KEY=...]

Nothing is sent anywhere unless an endpoint is named. Each completion is recorded with its time, tokens
and cost (`Call`).
"""

from __future__ import annotations

import http.client
import json
import os
import re
import time
import urllib.request
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from typing import Literal as Choice
from urllib.parse import urlsplit

from kbqa.errors import InputError, ModelError
from kbqa.protocols import Constraint, Scored
from kbqa.store.transport import Response, TooLate, Unreachable, send

SEPARATOR = "---"
"""The line between one answer and the next best."""

_FIRST, _NEXT = -0.51, -0.92
"""Log probabilities of 0.6 and 0.4: what the first answer gets, and what each further one loses."""
_RETRIED = (408, 409, 425, 429, 500, 502, 503, 504, 529)
_WAIT_S, _MAX_TOKENS = 0.5, 1_000


@dataclass(frozen=True)
class Endpoint:
    """Where the model is and what it may take. `url`: the base, up to and with '/v1'; `time_limit_s`: for
    one completion, all attempts together; prices: per million tokens, in any one currency; `options`: more
    fields of the request, or (None) fields that this endpoint does not take."""

    url: str
    model: str
    key: str = field(default="", repr=False)
    time_limit_s: float = 30.0
    attempts: int = 3
    price_in: float = 0.0
    price_out: float = 0.0
    options: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not self.model:
            raise InputError(
                f"no language model at {self.url!r}: expected the base URL of an OpenAI-compatible endpoint, "
                "such as http://127.0.0.1:11434/v1 (KBQA_LLM_URL), and a model's name (KBQA_LLM_MODEL)"
            )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Endpoint:
        """KBQA_LLM_URL, KBQA_LLM_MODEL, KBQA_LLM_KEY; KBQA_LLM_SECONDS, KBQA_LLM_PRICE_IN and _OUT;
        KBQA_LLM_OPTIONS, a JSON object. Raises `InputError`."""

        def number(name: str, default: float) -> float:
            text = environ.get(name, "")
            try:
                return float(text) if text else default
            except ValueError:
                raise InputError(f"{name} is {text!r}: a number expected") from None

        text = environ.get("KBQA_LLM_OPTIONS") or "{}"
        try:
            options = tuple(json.loads(text).items())
        except (ValueError, AttributeError):
            raise InputError(f"KBQA_LLM_OPTIONS is {text!r}: a JSON object expected") from None
        return cls(
            environ.get("KBQA_LLM_URL", "").rstrip("/"),
            environ.get("KBQA_LLM_MODEL", ""),
            environ.get("KBQA_LLM_KEY", ""),
            time_limit_s=number("KBQA_LLM_SECONDS", cls.time_limit_s),
            price_in=number("KBQA_LLM_PRICE_IN", 0.0),
            price_out=number("KBQA_LLM_PRICE_OUT", 0.0),
            options=options,
        )


Outcome = Choice["answered", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class Call:
    """One completion, its attempts together. `cost` is in the currency of the endpoint's prices; tokens are
    None where the endpoint does not count them."""

    purpose: str
    model: str
    outcome: Outcome
    seconds: float
    attempts: int
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    error: str = ""


def into_file(path: Path) -> Callable[[Call], None]:
    """A recorder that appends JSON lines."""

    def record(call: Call) -> None:
        with path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(call)) + "\n")

    return record


class ChatSeq2Seq:
    """Completions under one instruction. `calls`: the latest thousand; `record` is told each. Safe to share
    between threads."""

    concurrent = True

    def __init__(
        self,
        endpoint: Endpoint,
        instruction: str,
        *,
        purpose: str = "",
        record: Callable[[Call], None] | None = None,
    ) -> None:
        self.endpoint, self.instruction, self.purpose = endpoint, instruction, purpose
        self.calls: deque[Call] = deque(maxlen=1_000)
        self._record = record
        self.signature = f"{endpoint.model}@{urlsplit(endpoint.url).hostname}"

    def generate(
        self,
        sources: Sequence[str],
        *,
        n: int = 1,
        constraints: Sequence[Constraint | None] | None = None,
    ) -> list[list[Scored]]:
        """For each prompt up to `n` different answers from one completion; none where the model refused.

        Log probabilities say the order only: an endpoint tells no probability of a whole answer. Tokens
        can't be constrained: what reads the answers has to check them. Raises `ModelError` where
        the endpoint can't be had, fails or takes too long.
        """
        if constraints and any(constraints):
            raise ModelError("an endpoint's tokens can't be constrained: leave `constraints` out")
        return [self._answers(source, n) for source in sources]

    def _answers(self, source: str, n: int) -> list[Scored]:
        wanted = (
            f"{source}\n\nGive up to {n} different answers, the best first, with a line {SEPARATOR} between "
            "one and the next. Give fewer where fewer make sense."
            if n > 1
            else source
        )
        messages = [{"role": "system", "content": self.instruction}, {"role": "user", "content": wanted}]
        text = self._complete(messages)
        found = dict.fromkeys(a.strip() for a in re.split(r"^\s*-{3,}\s*$", text, flags=re.MULTILINE))
        return [Scored(a, _FIRST + k * _NEXT) for k, a in enumerate(a for a in found if a)][:n]

    def _complete(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The text of one completion; '' for a refusal."""
        started, deadline = time.monotonic(), time.monotonic() + self.endpoint.time_limit_s
        call = Call(self.purpose, self.endpoint.model, "failed", 0.0, 0)
        request = self._request(messages)
        reason = ""
        try:
            for attempt in range(1, self.endpoint.attempts + 1):
                call = replace(call, attempts=attempt)
                try:
                    reply = _read(_sent(request, deadline, self.endpoint.time_limit_s))
                except _Failed as e:
                    reason = str(e)
                    wait = _WAIT_S * 2 ** (attempt - 1) if e.wait is None else e.wait
                    late = time.monotonic() + wait >= deadline
                    if not e.again or late or attempt == self.endpoint.attempts:
                        raise ModelError(self._complaint(reason, attempt)) from None
                    time.sleep(wait)
                    continue
                reason = reply.refusal
                call = self._counted(call, reply)
                return reply.text
            raise AssertionError("at least one attempt is made")
        finally:
            self._keep(replace(call, seconds=round(time.monotonic() - started, 3), error=reason))

    def _complaint(self, reason: str, attempts: int) -> str:
        tried = f" after {attempts} attempts" if attempts > 1 else ""
        return (
            f"the language model {self.endpoint.model} at {self.endpoint.url} did not answer{tried}: "
            f"{reason}; check KBQA_LLM_URL, KBQA_LLM_MODEL and KBQA_LLM_KEY, or go on without"
        )

    def _request(self, messages: Sequence[Mapping[str, str]]) -> urllib.request.Request:
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": _MAX_TOKENS,
            **dict(self.endpoint.options),
        }
        body = {k: v for k, v in body.items() if v is not None}
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "kbqa"}
        if self.endpoint.key:
            headers["Authorization"] = f"Bearer {self.endpoint.key}"
        url = f"{self.endpoint.url}/chat/completions"
        return urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")

    def _counted(self, call: Call, reply: _Reply) -> Call:
        cost = None
        if reply.tokens_in is not None and reply.tokens_out is not None:
            cost = reply.tokens_in * self.endpoint.price_in + reply.tokens_out * self.endpoint.price_out
        return replace(
            call,
            outcome="refused" if reply.refusal else "answered",
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost=None if cost is None else cost / 1e6,
        )

    def _keep(self, call: Call) -> None:
        self.calls.append(call)
        if self._record is not None:
            self._record(call)


# --- the protocol -----------------------------------------------------------


class _Failed(Exception):
    """No completion. `again`: whether another attempt may help; `wait`: seconds that the server asks for."""

    def __init__(self, reason: str, *, again: bool = True, wait: float | None = None) -> None:
        self.again, self.wait = again, wait
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class _Reply:
    """`refusal`: why there is no text."""

    text: str
    refusal: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


def _sent(request: urllib.request.Request, deadline: float, limit_s: float) -> Response:
    try:
        response = send(request, max(0.001, deadline - time.monotonic()))
    except TooLate:
        raise _Failed(f"no reply within {limit_s:g} seconds", again=False) from None
    except Unreachable as e:
        raise _Failed(f"it can't be reached ({e})") from None
    except (http.client.InvalidURL, ValueError) as e:
        raise _Failed(str(e), again=False) from None
    if response.status != 200:
        said = _message_of(response.text)
        again = response.status in _RETRIED
        raise _Failed(f"HTTP {response.status}, {said}", again=again, wait=_asked_wait(response.headers))
    return response


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds in Retry-After; a date there is not waited for."""
    asked = headers.get("Retry-After", "")
    return min(float(asked), 60.0) if re.fullmatch(r"\d+(?:\.\d+)?", asked) else None


def _message_of(body: str) -> str:
    """The error's message in an OpenAI-like error, else the beginning of the body."""
    try:
        found = json.loads(body)["error"]
        text = found["message"] if isinstance(found, dict) else str(found)
    except (ValueError, KeyError, TypeError):
        text = body
    return " ".join(str(text).split())[:200] or "no reason given"


def _read(response: Response) -> _Reply:
    """Raises `_Failed` for what is no completion."""
    try:
        found = json.loads(response.text)
        choice = found["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        shown = " ".join(response.text.split())[:120]
        raise _Failed(f"its reply is no chat completion: {shown!r}") from None
    counted = tuple(_count(found.get("usage"), k) for k in ("prompt_tokens", "completion_tokens"))
    if refusal or choice.get("finish_reason") == "content_filter":
        return _Reply("", str(refusal or "the content filter stopped it"), *counted)
    if isinstance(text, list):  # parts, as some servers send them
        text = "".join(str(p.get("text", "")) for p in text if isinstance(p, dict))
    if not isinstance(text, str) or not text.strip():
        raise _Failed("its reply is empty")
    return _Reply(_without_thought(text), "", *counted)


def _count(usage: Any, key: str) -> int | None:
    found = usage.get(key) if isinstance(usage, dict) else None
    return found if isinstance(found, int) else None


def _without_thought(text: str) -> str:
    """Without what a reasoning model thinks aloud."""
    return re.sub(r"<think>.*?(?:</think>|\Z)", "", text, flags=re.DOTALL).strip() or text.strip()
