"""Question -> logical forms: a pointer network decoded under a grammar of the knowledge base."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbqa.kb import KnowledgeBase
    from kbqa.parse.neural import NeuralParser


def load_parser(kb: KnowledgeBase) -> NeuralParser:
    """The checkpoint in the folder of `kb` (`kbqa kb adapt`), else the one that ships, grounded in `kb`.
    Imports torch, and sets it to one thread: the matrices of one question are too small to share, and on
    a busy machine threads that wait for each other made a question take seconds. Raises `ModelError`."""
    import torch

    from kbqa.assets import models
    from kbqa.errors import ModelError
    from kbqa.kb.build import ADAPTED
    from kbqa.parse.neural import NeuralParser

    torch.set_num_threads(1)
    adapted = kb.folder / ADAPTED if kb.folder else None
    if adapted is None or not adapted.is_dir():
        return NeuralParser.load(models() / "parser", kb)
    try:
        return NeuralParser.load(adapted, kb)
    except ModelError as e:
        raise ModelError(
            f"{e}; `kbqa kb adapt {kb.folder}` makes it anew, without the folder {adapted} the parser that "
            "ships is used"
        ) from None


__all__ = ["load_parser"]
