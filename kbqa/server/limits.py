"""What a server takes and for how long."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Times are seconds."""

    body_bytes: int = 64 * 1024
    """Of a request; a question has at most 1,000 characters (`kbqa.intake.LONGEST`)."""
    headers_s: float = 10.0
    """Until the headers of a request have come; the connection is closed where they don't."""
    body_s: float = 10.0
    """Until the whole body has come."""
    request_s: float = 120.0
    """Until a turn is answered, its wait included. What runs longer goes on, and is recorded."""
    sending_s: float = 30.0
    """For a client to take the reply, beyond the times above."""
    threads: int = 4
    """Turns that are worked on at once; a model that they may not share is called by one at a time."""
    waiting: int = 256
    """Turns that may wait for a thread or for their dialogue; more are turned away."""
