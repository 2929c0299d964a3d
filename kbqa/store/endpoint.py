"""Any SPARQL 1.1 endpoint, through SPARQLWrapper; made to fail aloud where servers fail quietly.

Virtuoso tells a partial answer only by the header X-SQL-State and a cut one by X-SPARQL-MaxRows;
Oxigraph's server may end a result in the middle with status 200. SPARQLWrapper is imported when a
store is made.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from kbqa.errors import KnowledgeBaseError, QueryError, StoreTimeout, StoreUnavailable
from kbqa.store.guard import Checked, check
from kbqa.store.rewrite import bind, fill, limit, own_limit
from kbqa.store.terms import from_json, truth
from kbqa.store.transport import Response, TooLate, Unreachable, send
from kbqa.types import Constant, Rows

_JSON = re.compile(r"application/(?:[\w.\-]+\+)?json|text/json|text/javascript", re.IGNORECASE)
_LATE = re.compile(
    r"S1TAT|S1T00|timed? ?out|timeout|estimated execution time|TimeoutException", re.IGNORECASE
)
_MALFORMED = re.compile(r"SPARQL compiler|syntax error|MalformedQuery|Parse error", re.IGNORECASE)
_PASSING = frozenset((429, 502, 503))
_ADVICE = {
    401: "check the user name and password",
    403: "check the user name and password",
    404: "check the address of the endpoint",
    405: "the endpoint must take queries by POST",
    429: "ask less often",
}


class EndpointStore:
    """An http(s) URL that answers SPARQL queries by POST. Safe to use from several threads.

    User and password may stand in the URL (sent as Basic authentication, never shown).
    default_graph: IRI of the graph to query, where the endpoint does not choose a fitting one.
    Nothing is sent before the first query. Raises `KnowledgeBaseError` for what is no such URL.
    """

    def __init__(self, url: str, *, default_graph: str | None = None) -> None:
        self._address, self._credentials = _split(url)
        self.shown = _without_secrets(url)
        self._default_graph = default_graph
        self._closed = False

    def __repr__(self) -> str:
        return f"EndpointStore({self.shown!r})"

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        """See `protocols.Store`."""
        if self._closed:
            raise StoreUnavailable("the store is closed: open it again")
        checked = check(query)
        text = bind(limit(checked, row_limit + 1), bindings or {})
        try:
            response = send(self._request(text), time_limit_s)
        except TooLate:
            raise StoreTimeout(
                f"{self.shown} gave no answer within {time_limit_s:g} s: ask for less, or allow more time"
            ) from None
        except Unreachable as error:
            raise StoreUnavailable(f"{self.shown} can't be reached: {error}", passing=True) from None
        self._check(response, query)
        rows = self._read(response, checked, row_limit)
        return fill(rows, bindings) if bindings else rows

    def close(self) -> None:
        """There is no connection to end; later queries are refused."""
        self._closed = True

    def __enter__(self) -> EndpointStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(self, text: str) -> Any:
        from SPARQLWrapper import JSON, POST, SPARQLWrapper

        wrapper = SPARQLWrapper(self._address, agent="kbqa", defaultGraph=self._default_graph)
        wrapper.setReturnFormat(JSON)
        wrapper.setOnlyConneg(True)
        wrapper.setMethod(POST)
        wrapper.setQuery(text)
        if self._credentials:
            wrapper.setCredentials(*self._credentials)
        return wrapper._createRequest()

    def _check(self, response: Response, query: str) -> None:
        """Raises for every response that is no complete SPARQL result."""
        status, reason = response.status, _reason(response)
        if state := response.headers.get("X-SQL-State"):
            if state == "S1TAT" or _LATE.search(reason):
                raise StoreTimeout(f"{self.shown} stopped the query at its own time limit ({state})")
            raise StoreUnavailable(f"{self.shown} answered in part only (X-SQL-State: {state})")
        if status in (408, 504) or (status >= 500 and _LATE.search(reason)):
            raise StoreTimeout(f"{self.shown} stopped the query at its own time limit: {reason}")
        if status == 400 or (status == 500 and _MALFORMED.search(reason)):
            raise QueryError(f"{self.shown} can't read the query: {reason}", query=query)
        if 300 <= status < 400:
            moved = _without_secrets(response.headers.get("Location", "") or "an unnamed place")
            raise StoreUnavailable(f"{self.shown} sends on to {moved}: use the endpoint's own address")
        if status != 200:
            advice = _ADVICE.get(status, "try again later")
            again = response.headers.get("Retry-After")
            wait = f" (it asks to wait {again[:30]} s)" if again else ""
            raise StoreUnavailable(
                f"{self.shown} answered with status {status}: {reason}; {advice}{wait}",
                passing=status in _PASSING,
                retry_after_s=_seconds(again),
            )

    def _read(self, response: Response, checked: Checked, row_limit: int) -> Rows:
        document = self._document(response)
        try:
            if checked.form == "ask":
                return Rows(("ask",), ((truth(_asked(document)),),))
            variables = tuple(document["head"]["vars"])
            found = [
                tuple(from_json(row[name]) if name in row else None for name in variables)
                for row in document["results"]["bindings"][: row_limit + 1]
            ]
            total = len(document["results"]["bindings"])
        except (KeyError, TypeError, AttributeError) as error:
            raise StoreUnavailable(
                f"{self.shown} answered with JSON that is no SPARQL result (at {error})"
            ) from None
        cut = total > row_limit or _cut_by_server(response, checked, total)
        return Rows(variables, tuple(found[:row_limit]), cut)

    def _document(self, response: Response) -> Any:
        kind = response.headers.get("Content-Type", "") or "no content type"
        if not _JSON.match(kind):
            raise StoreUnavailable(
                f"{self.shown} answered with {kind[:60]} in place of SPARQL results: is it the address of a"
                f" SPARQL endpoint? It begins: {_reason(response)[:80]!r}"
            )
        try:
            if not response.complete:
                raise ValueError("it ends early")
            return json.loads(response.body, strict=False)
        except ValueError as error:
            raise StoreUnavailable(
                f"{self.shown} answered with broken JSON ({error}): it may have stopped the query;"
                " ask for less"
            ) from None


def _seconds(retry_after: str | None) -> float | None:
    """A Retry-After header as seconds from now; None where there is none that can be read."""
    if not retry_after:
        return None
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        when = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, when.timestamp() - time.time())


def _split(url: str) -> tuple[str, tuple[str, str] | None]:
    """The URL without credentials, and the credentials."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise KnowledgeBaseError(f"{_without_secrets(url)} is no URL: {error}") from None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise KnowledgeBaseError(
            f"{_without_secrets(url)} is no address of an endpoint: expected http(s)://host/path"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    address = urlunsplit((parts.scheme, host + port, parts.path, parts.query, ""))
    if parts.username is None:
        return address, None
    return address, (unquote(parts.username), unquote(parts.password or ""))


def _without_secrets(url: str) -> str:
    """The URL as it may be shown: no user, password, query or fragment."""
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url.partition("?")[0][:200]
    rest = re.split(r"[?#]", rest, maxsplit=1)[0]
    host, slash, path = rest.rpartition("@")[2].partition("/")
    return f"{scheme}://{host}{slash}{path}"[:200]


def _reason(response: Response) -> str:
    """The server's own words, without markup and without the query it repeats."""
    text = response.text[:5000]
    if "html" in response.headers.get("Content-Type", "").lower():
        text = re.sub(r"(?s)<(script|style|head).*?</\1>|<[^>]*>", " ", text)
    text = " ".join(text.partition("SPARQL query:")[0].split())
    return (text if len(text) <= 300 else text[:297] + "...") or "no reason given"


def _asked(document: Any) -> bool:
    """An ASK's answer; Virtuoso writes a column that is 1, or no row, where 'boolean' belongs."""
    if "boolean" in document:
        value = document["boolean"]
        if not isinstance(value, bool):
            raise TypeError("boolean")
        return value
    rows = document["results"]["bindings"]
    return any(term["value"] not in ("0", "false") for row in rows for term in row.values())


def _cut_by_server(response: Response, checked: Checked, total: int) -> bool:
    """Whether the server's own row limit, and not the query's LIMIT, ended the rows."""
    most = response.headers.get("X-SPARQL-MaxRows", "")
    if not most.isdecimal() or total < int(most):
        return False
    asked = own_limit(checked)
    return asked is None or asked > total
