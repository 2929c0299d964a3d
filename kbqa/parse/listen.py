"""How likely a step is, read from each of several wordings: the parser's network, under teacher forcing."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch.nn import functional as F

from kbqa.correct.context import Context, Corrector
from kbqa.intake import given
from kbqa.models.tokens import PAD, START, encode
from kbqa.parse.bounds import step_as_said
from kbqa.parse.neural import NeuralParser
from kbqa.parse.program import ProgramError, from_one, write_step
from kbqa.parse.source import correction_source, place
from kbqa.rewire import with_references
from kbqa.types import Iri, Ref, Step


class NeuralListener:
    """Reads sub-questions as the corrector does, all wordings of a step at once. `by_rule`: what reads some
    sub-questions before the network does."""

    concurrent = True

    def __init__(self, parser: NeuralParser, by_rule: Corrector | None = None) -> None:
        self._parser, self._by_rule = parser, by_rule
        self.signature = parser.signature

    def warm(self) -> None:
        self._parser.warm()

    @torch.inference_mode()
    def listen(
        self, texts: Sequence[str], step: Step, names: Sequence[tuple[Iri, str]], context: Context
    ) -> list[float]:
        """Log probabilities (natural), one per text; -inf where a text lacks what the step needs, or
        the step has no program."""
        out = [float("-inf")] * len(texts)
        sources, written, rows = [], [], []
        for row, text in enumerate(texts):
            prepared = correction_source(text, place(text, names), context.shown, context.question)
            try:
                program = write_step(step, prepared.pointers)
            except ProgramError:
                continue
            sources.append(prepared.text)
            written.append(program if context.shown else from_one(program))
            rows.append(row)
        if not rows:
            return out
        vocabulary, table = self._parser.vocabulary_for({t for program in written for t in program})
        programs = [vocabulary.encode(program) for program in written]
        checkpoint = self._parser.checkpoint
        ids_, mask = encode(checkpoint.tokenizer, sources)
        target = torch.full((len(rows), max(map(len, programs))), PAD)
        for i, p in enumerate(programs):
            target[i, : len(p)] = torch.tensor(p)
        inputs = torch.cat((torch.full((len(rows), 1), START), target[:, :-1]), 1)
        logits = checkpoint.net(ids_, mask, inputs, table)
        losses = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="none")
        for row, loss in zip(rows, losses.view(target.shape).sum(1).tolist(), strict=True):
            out[row] = -loss
        return out

    def understands(self, text: str, step: Step, names: Sequence[tuple[Iri, str]], context: Context) -> bool:
        """Whether the step is what is read out of a wording, as a correction in these words would be. Which
        earlier step is spoken of is not asked: alone a sub-question can't tell."""
        mentions = given(text, dict(names))
        found = self._by_rule.correct(text, mentions, context, n=1) if self._by_rule is not None else ()
        found = found or self._parser.correct(text, mentions, context, n=1)
        return any(_anywhere(step_as_said(c.step, text)) == _anywhere(step) for c in found)


def _anywhere(step: Step) -> Step:
    return with_references(step, lambda _: Ref(1))
