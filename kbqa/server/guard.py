"""What stands before the routes: request ids and logs, the token, sizes and time limits.

Pure ASGI: `Guard(app, ...)` is an application around another.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kbqa.server.address import is_loopback
from kbqa.server.limits import Limits
from kbqa.server.logs import NAME
from kbqa.server.problems import Problem

OPEN_PATHS = frozenset({"/healthz", "/readyz", "/docs", "/openapi.json"})
"""Read without a token: they tell nothing of questions or data."""
_REQUEST_ID = re.compile(r"[\w.\-]{1,64}", re.ASCII)
_log = logging.getLogger(NAME)


class Guard:
    """Around `app`. `token`: None = everybody on this machine may ask (and no page of another site:
    the Host must be this machine's, and a body must say that it is JSON)."""

    def __init__(self, app: ASGIApp, limits: Limits, token: str | None) -> None:
        self._app, self._limits, self._token = app, limits, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        reply = _Reply(send, request_id)
        start = time.perf_counter()
        limits = self._limits
        whole = asyncio.timeout(limits.body_s + limits.request_s + limits.sending_s)
        try:
            self._check(scope["method"], scope["path"], headers)
            async with whole:
                await self._app(scope, _Body(receive, limits), reply)
        except Problem as problem:
            await problem.response(scope["path"], request_id)(scope, receive, reply)
        except Exception:  # the application has told the client, where it still listens
            said = "the client did not take its reply" if whole.expired() else "internal error"
            _log.exception(said, extra={"about": {"request_id": request_id}})
        finally:
            about = {
                "request_id": request_id,
                "method": scope["method"],
                "path": scope["path"],
                "status": reply.status,
                "ms": round(1000 * (time.perf_counter() - start), 1),
            }
            _log.info("request", extra={"about": about})

    def _check(self, method: str, path: str, headers: Headers) -> None:
        """Raises `Problem` for what is refused unread."""
        if self._token is None:
            host = headers.get("host", "localhost")
            if not is_loopback(re.sub(r":\d*$", "", host)):
                raise Problem(421, "misdirected-request", f"this server is localhost, not {host!r}")
        elif path not in OPEN_PATHS:
            self._check_token(headers.get("authorization", ""), self._token)
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._limits.body_bytes:
            raise _too_large(self._limits)
        if method == "POST":
            kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
            if kind != "application/json":
                said = f"the Content-Type is {kind!r}; expected application/json"
                raise Problem(415, "unsupported-media-type", said)

    @staticmethod
    def _check_token(given: str, token: str) -> None:
        scheme, _, value = given.partition(" ")
        same = hmac.compare_digest(value.strip().encode(), token.encode())
        if scheme.casefold() != "bearer" or not same:
            said = "this server needs its token: send the header 'Authorization: Bearer TOKEN'"
            raise Problem(401, "unauthorized", said, headers={"WWW-Authenticate": "Bearer"})


def _too_large(limits: Limits) -> Problem:
    return Problem(413, "body-too-large", f"a body has at most {limits.body_bytes:,} bytes")


class _Body:
    """`receive` that counts and doesn't wait for ever."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive, self._limits = receive, limits
        self._deadline = time.monotonic() + limits.body_s
        self._size, self._more = 0, True

    async def __call__(self) -> Message:
        if not self._more:  # what comes now is the end of the connection
            return await self._receive()
        try:
            async with asyncio.timeout(self._deadline - time.monotonic()):
                message = await self._receive()
        except TimeoutError:
            said = f"the body did not come within {self._limits.body_s:g} seconds"
            raise Problem(408, "request-timeout", said) from None
        self._size += len(message.get("body", b""))
        self._more = message.get("more_body", False)
        if self._size > self._limits.body_bytes:
            raise _too_large(self._limits)
        return message


class _Reply:
    """`send` that knows the status and adds the headers of every reply."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send, self._request_id = send, request_id
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-ID"] = self._request_id
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Cache-Control"] = "no-store"
        await self._send(message)
