"""Wordings of the lexicon that the rule-based phraser leaves unused: noun phrases made questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbqa.kb.names import fallback
from kbqa.lexicon import Lexicon
from kbqa.phrase.words import Words
from kbqa.rewire import Steps
from kbqa.templates.write import noun_of
from kbqa.types import Anything, Find, Iri, Keep


def paraphrases(steps: Steps, names: Mapping[Iri, str], lexicon: Lexicon) -> tuple[str, ...]:
    """Other questions for the last of the steps, from the lexicon's nouns and clauses; none where it is
    no step along a path, or its answers have conditions of their own."""
    step = steps[-1]
    if not isinstance(step, Find | Keep) or not step.path or step.anchor is None:
        return ()
    nouns = {i: noun_of(steps, i, lexicon) for i in range(1, len(steps) + 1)}
    words = Words(len(steps), nouns, lambda iri: names.get(iri) or fallback(iri), lexicon)
    way, answer = words.conditions(step.restrictions, step.path)
    if answer or isinstance(step.anchor, Anything):
        return ()
    tail = "".join(f" {part}" for part in way)
    return tuple(dict.fromkeys(f"{text}{tail}?" for text in _texts(step, words, lexicon)))


def _texts(step: Find | Keep, words: Words, lexicon: Lexicon) -> Iterator[str]:
    forms, wording = lexicon.natural.get(step.path, {}), lexicon.wordings.get(step.path)
    asks = "Who" if wording and wording.asks == "Who" else "What"
    for noun in forms.get("noun", ()):
        named = words.fill(_definite(noun), step.anchor, step.path)
        yield f"Of these, which is {named}" if isinstance(step, Keep) else f"{asks} is {named}"
    if isinstance(step, Find) and wording is not None:
        for clause in forms.get("clause", ()):
            if not clause.startswith("{}"):
                yield f"{asks} is the {wording.noun} {words.fill(clause, step.anchor, step.path)}"


def _definite(noun: str) -> str:
    """'a film {} acted in' -> 'the film {} acted in'."""
    for article in ("a ", "an "):
        if noun.startswith(article) and not noun.startswith(article + "{}"):
            return "the " + noun.removeprefix(article)
    return noun
