"""Question -> logical forms: a pointer network decoded under a grammar of the knowledge base."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbqa.kb import KnowledgeBase
    from kbqa.parse.neural import NeuralParser


def load_parser(kb: KnowledgeBase) -> NeuralParser:
    """The checkpoint that ships, grounded in `kb`. Imports torch. Raises `ModelError`."""
    from kbqa.assets import models
    from kbqa.parse.neural import NeuralParser

    return NeuralParser.load(models() / "parser", kb)


__all__ = ["load_parser"]
