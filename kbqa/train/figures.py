"""What an adaptation gained."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """How many of `n` questions were answered rightly at first try. `asked`: whose they are; `way`: with the
    rules that read a question first, or by the parser alone."""

    asked: str
    way: str
    n: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Adapted:
    """`kept`: where the checkpoint is; None where it did worse than what was in use."""

    figures: tuple[Figure, ...]
    kept: Path | None
    signature: str
    steps: int
    notes: tuple[str, ...]
