"""What reads by rule a kind of question that the parser has no words for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from kbqa.dialogue import Parse
from kbqa.kb import KnowledgeBase
from kbqa.reading.choosing import Chosen

Run: TypeAlias = Callable[[Parse], Chosen | None]
"""Gives a reading with its answers."""
Read: TypeAlias = Callable[[str], Chosen | None]
"""Gives the best reading of a question."""


class Rule:
    """Reads such questions over one knowledge base."""

    def __init__(self, kb: KnowledgeBase, run: Run, read: Read) -> None:
        self._kb, self._run, self._read = kb, run, read
