"""A phraser and a listener over any sequence-to-sequence model. Names stand behind markers on both
sides, so that they are copied, never spelt:

    What is the capital of [unused0]? | [unused0] Egypt   ->   what is [unused0]'s capital?
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from kbqa.correct.context import Context
from kbqa.errors import TemplateError
from kbqa.intake import constants_of
from kbqa.lexicon import Lexicon
from kbqa.models.roles import load_role
from kbqa.parse.marks import MARK, respaced, write_marked
from kbqa.parse.program import ENTITY_MARKS, MAX_ENTITIES, QUESTION_MARK, STEP_MARKS
from kbqa.parse.source import correction_source, place
from kbqa.phrase.rule import Phraser, Phrasing, RulePhraser, StepInContext
from kbqa.protocols import Seq2Seq, is_concurrent, signature_of
from kbqa.types import Iri, Step

LONGEST = 300
"""Characters of a wording."""


def phraser_source(
    template: str, names: Sequence[str], earlier: Sequence[str] = (), question: str | None = None
) -> str:
    """What the phraser reads: a template with markers, the names behind them, the context."""
    parts = [template, *(f"{m} {n}" for m, n in zip(ENTITY_MARKS, names, strict=False))]
    parts += [f"{m} {' '.join(t.split())}" for m, t in zip(STEP_MARKS, earlier, strict=False)]
    parts += [f"{QUESTION_MARK} {' '.join(question.split())}"] if question else []
    return " | ".join(parts)


def entities_of(step: Step) -> tuple[Iri, ...]:
    """The entities of a step in the order of their markers."""
    return tuple(dict.fromkeys(c for c in constants_of(step) if isinstance(c, Iri)))[:MAX_ENTITIES]


def spoken(text: str, names: Sequence[str]) -> str | None:
    """A wording with its names in place; None where a marker is missing, made up or left over, or it is no
    question of one line."""
    wanted = set(ENTITY_MARKS[: len(names)])
    if set(MARK.findall(text)) != wanted or len(text) > LONGEST or not text.strip("? "):
        return None
    by_mark = dict(zip(ENTITY_MARKS, names, strict=False))
    whole = " ".join(MARK.sub(lambda m: by_mark[m[0]], respaced(text)).split())
    return whole[:1].upper() + whole[1:].rstrip("?. ") + "?"


class TextPhraser:
    """The model's wordings that hold every name of the step; where it has none, those of `otherwise`
    (default: by rule)."""

    def __init__(self, model: Seq2Seq, lexicon: Lexicon, otherwise: Phraser | None = None) -> None:
        self._model, self._lexicon = model, lexicon
        self._otherwise: Phraser = otherwise or RulePhraser(lexicon)
        self.signature, self.concurrent = signature_of(model), is_concurrent(model)

    @classmethod
    def load(cls, name: str | Path, lexicon: Lexicon) -> TextPhraser:
        """A checkpoint of `kbqa train phraser`. Raises `ModelError`."""
        return cls(load_role(name, "phraser"), lexicon)

    def phrase(self, step: StepInContext, *, n: int = 10) -> Sequence[Phrasing]:
        entities = entities_of(step.step)
        names = [step.labels(e) for e in entities]
        try:
            template = write_marked(step.step, len(step.history), self._lexicon, entities)
        except TemplateError:
            return self._otherwise.phrase(step, n=n)
        source = phraser_source(template, names, step.history, step.question)
        found: dict[str, float] = {}
        for scored in self._model.generate([source], n=n)[0]:
            text = spoken(scored.text, names)
            if text is not None:
                found.setdefault(text, scored.logprob)
        return tuple(Phrasing(t, p) for t, p in found.items()) or self._otherwise.phrase(step, n=n)


class Scoring(Protocol):
    """The log probability of each target given its source."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]: ...


class TextListener:
    """How likely a model takes a wording for its step's template."""

    def __init__(self, model: Scoring, lexicon: Lexicon) -> None:
        self._model, self._lexicon = model, lexicon
        self.signature, self.concurrent = signature_of(model), is_concurrent(model)

    @classmethod
    def load(cls, name: str | Path, lexicon: Lexicon) -> TextListener:
        """A checkpoint of `kbqa train listener`. Raises `ModelError`."""
        return cls(load_role(name, "listener"), lexicon)

    def listen(
        self, texts: Sequence[str], step: Step, names: Sequence[tuple[Iri, str]], context: Context
    ) -> list[float]:
        """Log probabilities, one per text; -inf where an entity of the step has no name, or it has no
        template."""
        out = [float("-inf")] * len(texts)
        pairs: list[tuple[str, str]] = []
        rows: list[int] = []
        for row, text in enumerate(texts):
            source = correction_source(text, place(text, names), context.shown, context.question)
            if not set(entities_of(step)) <= set(source.pointers.entities):
                continue
            try:
                template = write_marked(step, len(context.shown), self._lexicon, source.pointers.entities)
            except TemplateError:
                continue
            pairs.append((source.text, template))
            rows.append(row)
        for row, logprob in zip(rows, self._model.score(pairs), strict=True):
            out[row] = logprob
        return out
