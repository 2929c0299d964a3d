"""A corrector over any `Seq2Seq` that writes templates:

[unused60] who leads [unused0] ? | [unused0] France   ->   Who is the head of state of [unused0]?
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kbqa.correct.context import Context, Corrected, spoken_of
from kbqa.decompose.recompose import references
from kbqa.errors import TemplateError
from kbqa.kb import KnowledgeBase
from kbqa.models.roles import load_role
from kbqa.parse.grounding import AskedStep, Grounding
from kbqa.parse.marks import read_marked
from kbqa.protocols import Mention, Seq2Seq, is_concurrent, signature_of
from kbqa.types import Decomposition, Step


class TextCorrector:
    """Readings of what the model writes; a template that can't be read, or speaks of what the knowledge base
    does not hold, is none."""

    def __init__(self, model: Seq2Seq, kb: KnowledgeBase) -> None:
        self._model, self._kb, self._grounding = model, kb, Grounding(kb)
        self.signature, self.concurrent = signature_of(model), is_concurrent(model)

    @classmethod
    def load(cls, name: str | Path, kb: KnowledgeBase) -> TextCorrector:
        """A checkpoint of `kbqa train corrector`. Raises `ModelError`."""
        return cls(load_role(name, "corrector"), kb)

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        asked = self._grounding.asked_step(text, mentions, context)
        found: dict[Step, float] = {}
        for scored in self._model.generate([asked.asked.source.text], n=2 * n)[0]:
            step = self._step(scored.text, asked, text, context)
            if step is not None:
                found.setdefault(step, scored.logprob)
        return tuple(Corrected(step, logprob, tuple(mentions)) for step, logprob in found.items())[:n]

    def _step(self, template: str, asked: AskedStep, text: str, context: Context) -> Step | None:
        entities = asked.asked.source.pointers.entities
        try:
            step = read_marked(template, len(context.shown), self._kb.lexicon, entities)
        except TemplateError:
            return None
        if not self._grounding.holds(step):
            return None
        resolved = asked.asked.resolve(Decomposition((step,)))
        if resolved is None:
            return None
        step = resolved.steps[0] if context.shown else spoken_of(resolved.steps[0], text, context.nouns)
        return step if all(1 <= r.step <= len(context.steps) for r in references(step)) else None
