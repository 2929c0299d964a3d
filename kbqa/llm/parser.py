"""Question -> prompt -> templated English -> readings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import InputError
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.llm.answers import asked_twice, sentences_of
from kbqa.llm.offered import Offered
from kbqa.llm.prompt import Examples, joined, listed, parser_instruction, phrases_for, shown_examples
from kbqa.models.llm import Call, ChatSeq2Seq, Endpoint
from kbqa.parse.grounding import Asked, Grounding, hops_of
from kbqa.protocols import Mention, Seq2Seq, is_concurrent
from kbqa.templates import Names, read_all
from kbqa.types import Decomposition, Iri


class LlmParser:
    """Stateless between questions. `model` answers prompts; `over` makes it one of an endpoint."""

    def __init__(
        self, model: Seq2Seq, kb: KnowledgeBase, examples: Examples | None = None, *, signature: str = "llm"
    ) -> None:
        self._model, self._kb = model, kb
        self.signature, self.concurrent = signature, is_concurrent(model)
        self._examples = examples or Examples.load()
        self._grounding, self._offered = Grounding(kb), Offered(kb)

    @classmethod
    def over(
        cls,
        endpoint: Endpoint,
        kb: KnowledgeBase,
        examples: Examples | None = None,
        record: Callable[[Call], None] | None = None,
    ) -> LlmParser:
        model = ChatSeq2Seq(endpoint, parser_instruction(), purpose="parse", record=record)
        return cls(model, kb, examples, signature=model.signature)

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> tuple[Parse, ...]:
        """Readings of a question; `grounded` as in `Grounding.asked`. Raises `ModelError` where the
        endpoint fails; a model that refuses, or writes no step twice, has no reading."""
        asked = self._grounding.asked(question, mentions, grounded=grounded)
        if asked is None:
            return ()
        names = Names(asked.names)
        prompt = self._prompt(question, names, asked)
        found = asked_twice(self._model, prompt, n, lambda text: self._reading(text, names, asked, grounded))
        parses = [Parse(recompose(steps), steps, logprob) for steps, logprob in found]
        return tuple(asked.resolved(parses) if grounded else parses)[:n]

    def _prompt(self, question: str, names: Names, asked: Asked) -> str:
        phrases = {names.show(i): lines for i, lines in self._offered.phrases(question, names, asked.leaving)}
        return joined(
            shown_examples(self._examples.like(question)),
            phrases_for(phrases),
            listed("Phrases for the answers of an earlier step", self._offered.further(question)),
            listed("Properties for conditions and orders", self._offered.properties(question)),
            f"Question: {question}",
        )

    def _reading(self, answer: str, names: Names, asked: Asked, grounded: bool) -> Decomposition:
        """Raises `InputError` saying what is wrong."""
        found = Decomposition(read_all(sentences_of(answer), self._kb.lexicon, names))
        for step in found.steps:
            for constant in constants_of(step):
                if isinstance(constant, Iri) and constant not in names.labels:
                    raise InputError(f"[{names.show(constant)}] is none of the names listed")
            if grounded and not self._grounding.holds(step):
                wrong = next(h.predicate for h in hops_of(step) if not self._grounding.has(h))
                raise InputError(f"{wrong.mid} is no property here: take a phrase that is listed")
        if grounded and asked.resolve(found) is None:
            raise InputError("nothing of that kind leaves a name: take phrases that are listed for it")
        recompose(found)
        return found
