"""A phraser and a listener over any sequence-to-sequence model. Names, dates and numbers stand behind
markers on both sides, so that they are copied, never spelt:

    What is the capital of [unused0]? | [unused0] Egypt   ->   what is [unused0]'s capital?
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Protocol

from kbqa.answers import show
from kbqa.correct.context import Context
from kbqa.errors import TemplateError
from kbqa.intake import constants_of
from kbqa.lexicon import Lexicon
from kbqa.lexicon.nouns import INSTANCES
from kbqa.measuring import LATEST
from kbqa.models.roles import load_role
from kbqa.parse.marks import MARK, respaced, write_marked
from kbqa.parse.program import ENTITY_MARKS, MAX_ENTITIES, MAX_VALUES, QUESTION_MARK, STEP_MARKS, VALUE_MARKS
from kbqa.parse.source import correction_source, place
from kbqa.phrase.rule import Phraser, Phrasing, RulePhraser, StepInContext, beyond_models
from kbqa.phrase.words import with_article
from kbqa.protocols import Seq2Seq, is_concurrent, signature_of, warm
from kbqa.templates import Names
from kbqa.templates.names import read_value
from kbqa.types import Among, Find, Iri, IsNot, Keep, Literal, Pick, Ref, Step, Test, Than

LONGEST = 300
"""Characters of a wording."""
_ILL_PUT = re.compile(
    r"^how (?!(?:many|much|long|high|tall|big|large|old|young|deep|far|often|wide|small|come"
    r"|is|are|was|were|do|does|did|has|have|had|can)\b)"
    r"|^how many (?!(?:people|children|men|women|of|is|are|was|were)\b)\S*[^s\W]\s"
    r"|^how many \S+ (?:is|are|was|were)\s+(?!(?:there|in|at|on|of)\b)"
    r"|^(?:when|where|how|who) (?:is|was|are|were)\b.*\b(?:came out|took place|began|went|wrote)\s*\??$"
    r"|^when did\b.*\b(?:found|release|publish|establish|create|invent|bear|born)\s*\??$"
    rf"|^(?:how (?:is|are|was|were)|(?:what|who) (?:are|were))(?: the)? (?:{MARK.pattern})\s*\??$",
    re.IGNORECASE,
)
"""Openings that are no English, of which the network knows no better: 'How many population is Peru?', 'What
are the Nobel Prize?'"""
_CALLED = re.compile(
    r"(?:^|\b(?:of|in|by|from|to|with|for|on|at|is|was|are|were|did|does|do|has|have|had|which|when|where|how)\s)"
    r"(?:that|this|those|these) (\w+)(?: (\w+))?",
    re.IGNORECASE,
)
"""An earlier answer by the name of its kind, and not 'that' before a clause."""
_ARTICLE = re.compile(rf"\ban? ({MARK.pattern}|[a-z][\w-]*)")
_EARLIER = re.compile(r"\bstep (\d+)\b")
_KIN = re.compile(
    r"\b(?:father|mother|dad|mom|son|daughter|brother|sister|husband|wife|boy|girl)s?\b|\bthe person\b",
    re.IGNORECASE,
)
"""What says more than 'parent', 'child', 'sibling' or 'spouse', and than 'member', which may be a country."""
_PRONOUN = re.compile(r"\b(he|she|him|his|her|hers)\b", re.IGNORECASE)
_VAGUE = frozenset(("person", "people", "place", "thing", "one"))


_VALUE = re.compile(r'\[(-?\d[^\[\]\\]*|"(?:[^\[\]\\]|\\.)*"[^\[\]]*)\]')
"""A date, number or text that stands in a template in brackets."""


def values_of(template: str) -> tuple[str, tuple[Literal, ...]]:
    """A template with markers for its values, and the values in the order of their markers."""
    found: list[Literal] = []

    def marked(m: re.Match[str]) -> str:
        value = read_value(m[1], 1, Names({}))
        if not isinstance(value, Literal) or (value not in found and len(found) == MAX_VALUES):
            return m[0]
        if value not in found:
            found.append(value)
        return VALUE_MARKS[found.index(value)]

    return _VALUE.sub(marked, template), tuple(found)


def value_name(value: Literal) -> str:
    """What a value is called in a sub-question."""
    return show(value) if value.datatype else f'"{value.lexical}"'


def phraser_source(
    template: str,
    names: Sequence[str],
    values: Sequence[str] = (),
    earlier: Sequence[str] = (),
    question: str | None = None,
) -> str:
    """What the phraser reads: a template with markers, the names behind them, the context."""
    parts = [template, *(f"{m} {n}" for m, n in zip(ENTITY_MARKS, names, strict=False))]
    parts += [f"{m} {v}" for m, v in zip(VALUE_MARKS, values, strict=False)]
    parts += [f"{m} {' '.join(t.split())}" for m, t in zip(STEP_MARKS, earlier, strict=False)]
    parts += [f"{QUESTION_MARK} {' '.join(question.split())}"] if question else []
    return " | ".join(parts)


def entities_of(step: Step) -> tuple[Iri, ...]:
    """The entities of a step in the order of their markers."""
    return tuple(dict.fromkeys(c for c in constants_of(step) if isinstance(c, Iri)))[:MAX_ENTITIES]


def spoken(text: str, names: Sequence[str], values: Sequence[str] = ()) -> str | None:
    """A wording with its names and values in place; None where a marker is missing, made up or left over,
    or it is no question of one line."""
    by_mark = dict(zip(ENTITY_MARKS, names, strict=False)) | dict(zip(VALUE_MARKS, values, strict=False))
    if set(MARK.findall(text)) != by_mark.keys() or len(text) > LONGEST or not text.strip("? "):
        return None
    said = _ARTICLE.sub(lambda m: with_article(by_mark.get(m[1], m[1])), respaced(text).rstrip("?. "))
    whole = " ".join(MARK.sub(lambda m: by_mark[m[0]], said).split())
    return whole[:1].upper() + whole[1:] + "?"


class TextPhraser:
    """The model's wordings that hold every name of the step; where it has none, and of a step that lists a
    type's instances or says which they are, those of `otherwise` (default: by rule)."""

    def __init__(self, model: Seq2Seq, lexicon: Lexicon, otherwise: Phraser | None = None) -> None:
        self._model, self._lexicon = model, lexicon
        self._otherwise: Phraser = otherwise or RulePhraser(lexicon)
        self.signature, self.concurrent = signature_of(model), is_concurrent(model)

    @classmethod
    def load(cls, name: str | Path, lexicon: Lexicon) -> TextPhraser:
        """A checkpoint of `kbqa train phraser`. Raises `ModelError`."""
        return cls(load_role(name, "phraser"), lexicon)

    def warm(self) -> None:
        warm(self._model)

    def phrase(self, step: StepInContext, *, n: int = 10) -> Sequence[Phrasing]:
        if _is_plain(step.step):
            return self._otherwise.phrase(step, n=n)
        entities = entities_of(step.step)
        names = [step.labels(e) for e in entities]
        try:
            template = write_marked(step.step, len(step.history), self._lexicon, entities)
        except TemplateError:
            return self._otherwise.phrase(step, n=n)
        template, held = values_of(template)
        values = [value_name(v) for v in held]
        known = {w.lower() for noun in step.earlier_nouns(self._lexicon) for w in noun.split()}
        source = phraser_source(template, names, values, step.history, step.question)
        found: dict[str, float] = {}
        for scored in self._model.generate([source], n=n)[0]:
            text = spoken(scored.text, names, values)
            if _EARLIER.findall(scored.text) != _EARLIER.findall(
                template
            ):  # 'Which from step 1 is from step 1?'
                continue
            if not set(_KIN.findall(scored.text)) <= set(_KIN.findall(template)):
                continue
            if text is not None and not _ILL_PUT.search(scored.text) and not self._strays(scored.text, known):
                found.setdefault(text, scored.logprob)
        return tuple(Phrasing(t, p) for t, p in found.items()) or self._otherwise.phrase(step, n=n)

    @staticmethod
    def _strays(text: str, known: Set[str]) -> bool:
        """Whether an earlier answer is called what it is not, or may not be: 'that husband' for a creator,
        'he' for anyone."""
        if _PRONOUN.search(text):
            return True
        called = [{w.lower() for w in m.groups() if w} for m in _CALLED.finditer(text)]
        return any(not words & (known | _VAGUE) for words in called)


def _is_plain(step: Step) -> bool:
    """'Which mountains are there?', 'Of these, which is not [Jaws]?', '... which is not one that borders
    [Brazil]?', 'Of these, which has a larger area than that?', 'Of these, which figure is the most recent?':
    nothing that a model is trained with asks so; the rules say it as people do."""
    match step:
        case Find(path=path, restrictions=()):
            return path in INSTANCES
        case Keep(restrictions=restrictions):
            return beyond_models(step) or any(
                _is_plainly_said(t, bool(r.path)) for r in restrictions for t in r.tests
            )
        case Pick(path=path):
            return path in LATEST.values()
    return False


def _is_plainly_said(test: Test, of_a_value: bool) -> bool:
    match test:
        case IsNot() | Among():
            return not of_a_value
        case Than(value=value):
            return isinstance(value, Ref)
    return False


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
