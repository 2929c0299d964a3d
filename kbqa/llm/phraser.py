"""Template -> prompt -> natural wordings, each with every name of the step as it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kbqa.errors import InputError, ModelError, TemplateError
from kbqa.lexicon import Lexicon
from kbqa.llm.answers import asked_twice, lines_of
from kbqa.llm.prompt import PHRASER_INSTRUCTION, joined
from kbqa.models.llm import Call, ChatSeq2Seq, Endpoint
from kbqa.phrase.rule import Phraser, Phrasing, RulePhraser, StepInContext
from kbqa.phrase.text import LONGEST, entities_of
from kbqa.protocols import Seq2Seq, is_concurrent, signature_of
from kbqa.templates import Names, write
from kbqa.templates.write import noun_of


class LlmPhraser:
    """The model's wordings; those of `otherwise` (default: by rule) where it has none, refuses, or can't be
    had: a dialogue never waits for a wording in vain."""

    def __init__(self, model: Seq2Seq, lexicon: Lexicon, otherwise: Phraser | None = None) -> None:
        self._model, self._lexicon = model, lexicon
        self._otherwise: Phraser = otherwise or RulePhraser(lexicon)
        self.signature, self.concurrent = signature_of(model), is_concurrent(model)

    @classmethod
    def over(
        cls,
        endpoint: Endpoint,
        lexicon: Lexicon,
        otherwise: Phraser | None = None,
        record: Callable[[Call], None] | None = None,
    ) -> LlmPhraser:
        model = ChatSeq2Seq(endpoint, PHRASER_INSTRUCTION, purpose="phrase", record=record)
        return cls(model, lexicon, otherwise)

    def phrase(self, step: StepInContext, *, n: int = 10) -> Sequence[Phrasing]:
        names = [step.labels(e) for e in entities_of(step.step)]
        try:
            prompt = self._prompt(step)
            found = asked_twice(self._model, prompt, n, lambda answer: wording(answer, names))
        except (ModelError, TemplateError):
            found = []
        return tuple(Phrasing(text, p) for text, p in found)[:n] or self._otherwise.phrase(step, n=n)

    def _prompt(self, step: StepInContext) -> str:
        labels = Names({e: step.labels(e) for e in entities_of(step.step)})
        count = range(1, len(step.steps) + 1)
        nouns = dict(step.nouns) or {i: noun_of(step.steps, i, self._lexicon) for i in count}
        template = step.template or write(step.step, step.number, self._lexicon, labels, nouns)
        earlier = [f"{number}. {text}" for number, text in enumerate(step.history, 1)]
        return joined(
            f"The whole question: {step.question}" if step.question else "",
            "Earlier sub-questions:\n" + "\n".join(earlier) if earlier else "",
            f"Sub-question: {template}",
        )


def wording(answer: str, names: Sequence[str]) -> str:
    """The question in an answer. Raises `InputError` where it is none, or a name is not in it as written."""
    lines = list(lines_of(answer))
    if len(lines) != 1 or len(lines[0]) > LONGEST:
        raise InputError(f"one question of at most {LONGEST} characters expected, and nothing else")
    text = " ".join(lines[0].split())
    if not text.endswith("?"):
        raise InputError("a question ends in '?'")
    missing = [name for name in names if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    if missing:
        raise InputError(f"the name {missing[0]!r} is missing, or written otherwise")
    bare = text
    for name in names:
        bare = bare.replace(name, "")
    if re.search(r"[\[\]{}<>]", bare):
        raise InputError("brackets don't belong in a natural question")
    return text
