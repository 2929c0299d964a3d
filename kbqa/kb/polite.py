"""A store that waits and asks again where an endpoint says it is busy, and never floods one.

Only what may pass is tried again: no connection, 429, 502, 503. A wrong address or password, a query that
can't be read and a time limit are not. The wait is what the endpoint asks for (Retry-After), else doubles.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from kbqa.errors import StoreUnavailable
from kbqa.protocols import Store
from kbqa.types import Constant, Rows

LONGEST_WAIT_S = 120.0
"""An endpoint that asks for more is given up: the caller may go on later."""


class Polite:
    """`store` with up to `tries` attempts at each query, `pause_s` between two queries. `deadline`: no
    attempt begins after the query's own time limit; set False where waiting is no trouble (a build)."""

    def __init__(
        self,
        store: Store,
        *,
        tries: int = 5,
        first_wait_s: float = 1.0,
        pause_s: float = 0.0,
        deadline: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._store, self._tries, self._wait = store, tries, first_wait_s
        self._pause, self._deadline, self._sleep = pause_s, deadline, sleep

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        """See `protocols.Store`."""
        until = time.monotonic() + time_limit_s
        wait = self._wait
        for attempt in range(self._tries):
            left = max(0.01, until - time.monotonic()) if self._deadline else time_limit_s
            try:
                rows = self._store.select(query, bindings=bindings, time_limit_s=left, row_limit=row_limit)
            except StoreUnavailable as error:
                asked = wait if error.retry_after_s is None else max(wait, error.retry_after_s)
                late = self._deadline and time.monotonic() + asked >= until
                if not error.passing or attempt + 1 == self._tries or asked > LONGEST_WAIT_S or late:
                    raise
                self._sleep(asked)
                wait *= 2
            else:
                if self._pause:
                    self._sleep(self._pause)
                return rows
        raise AssertionError("the last attempt raises")

    def close(self) -> None:
        self._store.close()
