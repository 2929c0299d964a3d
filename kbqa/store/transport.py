"""One HTTP request of SPARQLWrapper's, with a deadline that holds and nothing followed or hidden.

SPARQLWrapper builds the request; sending is done here because its own way waits forever for a
server that trickles, follows redirects with the credentials, and drops the headers of errors.
"""

from __future__ import annotations

import http.client
import queue
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

MAX_BYTES = 512 << 20
_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Response:
    """What the server sent, of whatever status. `complete` is False for a body cut short."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    complete: bool = True

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


class TooLate(Exception):
    """The deadline passed."""


class Unreachable(Exception):
    """No connection, or one that broke before an answer; the message is the reason."""


def send(request: urllib.request.Request, seconds: float) -> Response:
    """The response to the request, or `TooLate` within `seconds` and a little.

    The request runs in a thread of its own, since neither name look-up nor a trickling header can
    be interrupted; a late thread ends at its socket's time-out.
    """
    outcome: queue.SimpleQueue[Response | Exception] = queue.SimpleQueue()
    deadline = time.monotonic() + seconds

    def work() -> None:
        try:
            outcome.put(_exchange(request, deadline))
        except Exception as error:
            outcome.put(error)

    threading.Thread(target=work, name="kbqa-endpoint", daemon=True).start()
    try:
        result = outcome.get(timeout=max(0.001, seconds))
    except queue.Empty:
        raise TooLate from None
    if isinstance(result, Response):
        return result
    raise _translated(result) from None


def _exchange(request: urllib.request.Request, deadline: float) -> Response:
    with _opener().open(request, timeout=max(0.001, deadline - time.monotonic())) as response:
        body = bytearray()
        try:
            while piece := response.read1(_PIECE):
                body += piece
                if time.monotonic() > deadline:
                    raise TooLate
                if len(body) > MAX_BYTES:
                    raise Unreachable(f"the answer is larger than {MAX_BYTES >> 20} MiB")
        except http.client.IncompleteRead as error:
            return Response(response.status, response.headers, bytes(body + error.partial), False)
        return Response(response.status, response.headers, bytes(body), not response.length)


@lru_cache(maxsize=1)
def _opener() -> urllib.request.OpenerDirector:
    """HTTP, HTTPS and the environment's proxies; no redirects, no files, no errors raised.

    Made once: loading the certificates takes 3 ms.
    """
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _translated(error: Exception) -> Exception:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TimeoutError):
        return TooLate()
    if isinstance(error, TooLate | Unreachable):
        return error
    if isinstance(error, OSError | http.client.HTTPException):
        return Unreachable(str(reason) or type(reason).__name__)
    return error
