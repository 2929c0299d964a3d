"""Question -> logical forms: a pointer network decoded under a grammar of the knowledge base."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbqa.kb import KnowledgeBase
    from kbqa.parse.neural import NeuralParser


def load_parser(kb: KnowledgeBase) -> NeuralParser:
    """The checkpoint that ships, grounded in `kb`. Imports torch, and sets it to one thread: the
    matrices of one question are too small to share, and on a busy machine threads that wait for
    each other made a question take seconds. Raises `ModelError`."""
    import torch

    from kbqa.assets import models
    from kbqa.parse.neural import NeuralParser

    torch.set_num_threads(1)
    return NeuralParser.load(models() / "parser", kb)


__all__ = ["load_parser"]
