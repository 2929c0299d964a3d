"""Connections that don't get to a request are closed: a client may not hold one for nothing."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from kbqa.server.limits import Limits


def patient(limits: Limits) -> type[asyncio.Protocol]:
    """uvicorn's protocol, which waits `limits.headers_s` for the headers of a request. (Between two requests
    on one connection uvicorn's `timeout_keep_alive` counts, for a body `limits.body_s`.)"""

    class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        _waits: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._expect()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._relax()
            elif self._waits is None:
                self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._relax()
            super().connection_lost(exc)

        def _expect(self) -> None:
            self._waits = asyncio.get_running_loop().call_later(limits.headers_s, self._give_up)

        def _give_up(self) -> None:
            self._waits = None
            if self.cycle is None or self.cycle.response_complete:
                self.transport.close()

        def _relax(self) -> None:
            if self._waits is not None:
                self._waits.cancel()
                self._waits = None

    return Patient
