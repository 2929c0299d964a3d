"""Errors as problem documents (RFC 9457): {type, title, status, detail, instance, request_id}."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from kbqa.errors import (
    FeedbackError,
    InputError,
    KbqaError,
    RecordsError,
    StoreTimeout,
    StoreUnavailable,
    TurnConflict,
    UnknownDialogue,
)

MEDIA_TYPE = "application/problem+json"


class Problem(HTTPException):
    """An error with its HTTP status. `name` ends the document's `type` (`urn:kbqa:problem:NAME`) and is
    stable; `more` are further members of the document."""

    def __init__(
        self,
        status: int,
        name: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.name, self.more = name, more

    def response(self, path: str, request_id: str) -> JSONResponse:
        document = {
            "type": f"urn:kbqa:problem:{self.name}",
            "title": self.name.replace("-", " ").capitalize(),
            "status": self.status_code,
            "detail": self.detail,
            "instance": quote(path),
            "request_id": request_id,
            **self.more,
        }
        return JSONResponse(document, self.status_code, self.headers, MEDIA_TYPE)


_STATUS: tuple[tuple[type[KbqaError], int], ...] = (
    (UnknownDialogue, 404),
    (TurnConflict, 409),
    (FeedbackError, 422),
    (InputError, 422),
    (StoreTimeout, 504),
    (StoreUnavailable, 503),
    (RecordsError, 503),
    (KbqaError, 500),
)
"""The first that fits."""
RETRY = {"Retry-After": "5"}


def of_error(error: KbqaError) -> Problem:
    """What went wrong in the library, under the error's own name (`StoreTimeout` -> store-timeout)."""
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    return Problem(status, _dashed(error.type), str(error), headers=RETRY if status == 503 else None)


def of_validation(errors: Sequence[Mapping[str, Any]]) -> Problem:
    """What is wrong with a request, member by member. `errors`: as pydantic lists them."""
    if any(e["type"] == "json_invalid" for e in errors):
        return Problem(400, "invalid-json", f"the body is no JSON: {errors[0].get('ctx', {}).get('error')}")
    found = [{"pointer": _pointer(e["loc"]), "detail": e["msg"]} for e in errors]
    said = "; ".join(f"{f['pointer']}: {f['detail']}" for f in found)
    return Problem(422, "invalid-request", said, errors=found)


def of_refusal(refusal: HTTPException) -> Problem:
    """What the framework refuses: no such path, no such method."""
    if isinstance(refusal, Problem):
        return refusal
    name = HTTPStatus(refusal.status_code).phrase.casefold().replace(" ", "-")
    return Problem(refusal.status_code, name, refusal.detail, headers=refusal.headers)


def respond(problem: Problem, request: Request) -> JSONResponse:
    return problem.response(request.scope["path"], request.state.request_id)


def _pointer(place: Sequence[Any]) -> str:
    where, *rest = place
    return "".join(f"/{part}" for part in rest) if where == "body" and rest else str(place[-1])


def _dashed(name: str) -> str:
    """'StoreTimeout' -> 'store-timeout'."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).casefold()
