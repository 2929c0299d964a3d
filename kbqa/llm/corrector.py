"""Sub-question -> prompt -> one line of templated English -> step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kbqa.correct.context import Context, Corrected, spoken_of
from kbqa.decompose.recompose import references
from kbqa.errors import InputError
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.llm.answers import asked_twice, sentences_of
from kbqa.llm.offered import Offered
from kbqa.llm.prompt import corrector_instruction, joined, listed, phrases_for
from kbqa.models.llm import Call, ChatSeq2Seq, Endpoint
from kbqa.parse.grounding import Asked, Grounding
from kbqa.protocols import Mention, Seq2Seq, is_concurrent, signature_of
from kbqa.templates import Names, read
from kbqa.types import Decomposition, Iri, Step


class LlmCorrector:
    """Stateless between sub-questions. What a mode withholds (`context.shown`, `context.question`) the model
    isn't told; what 'that country' means is then found by its noun."""

    def __init__(self, model: Seq2Seq, kb: KnowledgeBase) -> None:
        self._model, self._kb = model, kb
        self.signature, self.concurrent = signature_of(model), is_concurrent(model)
        self._grounding, self._offered = Grounding(kb), Offered(kb)

    @classmethod
    def over(
        cls, endpoint: Endpoint, kb: KnowledgeBase, record: Callable[[Call], None] | None = None
    ) -> LlmCorrector:
        return cls(ChatSeq2Seq(endpoint, corrector_instruction(), purpose="correct", record=record), kb)

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        """Raises `ModelError` where the endpoint fails."""
        asked = self._grounding.asked_step(text, mentions, context).asked
        names = Names({**asked.names, **dict(context.entities)})
        found = asked_twice(
            self._model,
            self._prompt(text, names, asked, context),
            n,
            lambda answer: self._step(answer, text, names, asked, context),
        )
        return tuple(Corrected(step, logprob, tuple(mentions)) for step, logprob in found)[:n]

    def _prompt(self, text: str, names: Names, asked: Asked, context: Context) -> str:
        own = Names({i: n for i, n in names.labels.items() if i in asked.names})
        phrases = {names.show(i): lines for i, lines in self._offered.phrases(text, own, asked.leaving)}
        earlier = [f"{number}. {shown}" for number, shown in enumerate(context.shown, 1)]
        others = sorted(names.show(i) for i in names.labels if i not in asked.names)
        return joined(
            f"The whole question: {context.question}" if context.question else "",
            "Earlier sub-questions:\n" + "\n".join(earlier) if earlier else "",
            phrases_for(phrases),
            listed("Names that were spoken of before", [f"[{name}]" for name in others]) if earlier else "",
            listed("Phrases for the answers of an earlier step", self._offered.further(text)),
            listed("Properties for conditions and orders", self._offered.properties(text)),
            f"Sub-question: {text}",
        )

    def _step(self, answer: str, text: str, names: Names, asked: Asked, context: Context) -> Step:
        """Raises `InputError` saying what is wrong."""
        sentences = sentences_of(answer)
        if len(sentences) > 1:
            raise InputError(f"{len(sentences)} lines where one is meant")
        step = read(sentences[0], len(context.steps) + 1, self._kb.lexicon, names)
        strangers = [c for c in constants_of(step) if isinstance(c, Iri) and c not in names.labels]
        if strangers:
            raise InputError(f"[{names.show(strangers[0])}] is none of the names listed")
        if not self._grounding.holds(step):
            raise InputError("a property that is not there: take a phrase that is listed")
        if not all(1 <= r.step <= len(context.steps) for r in references(step)):
            raise InputError(f"there are {len(context.steps)} earlier steps, and the line speaks of another")
        resolved = asked.resolve(Decomposition((step,)))
        if resolved is None:
            raise InputError("nothing of that kind leaves the name: take a phrase that is listed for it")
        step = resolved.steps[0]
        return step if context.shown else spoken_of(step, text, context.nouns)
