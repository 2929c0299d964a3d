"""Wordings ranked by speaker and listener (METHODS.md, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kbqa.correct import Context
from kbqa.lexicon import freebase_lexicon
from kbqa.phrase import ListeningPhraser, Phrasing, RememberingPhraser, RulePhraser, StepInContext
from kbqa.phrase.blend import (
    Blend,
    as_spoken,
    equal_preference,
    listener_preference,
    minimum_bayes_risk,
    speaker_preference,
)
from kbqa.types import Find, Hop, Iri, Step, freebase

EGYPT = freebase("m.02k54")
CAPITAL = Find(EGYPT, (Hop(freebase("location.country.capital")),))


@pytest.mark.parametrize(
    ("blend", "listened", "chosen"),
    [
        (listener_preference, [-3.0, -1.0, -2.0, -4.0], 1),  # its first is the speaker's second
        (listener_preference, [-9.0, -8.0, -2.0, -1.0], 2),  # its first is the speaker's fourth: its second
        (listener_preference, [-7.0, -6.0, -5.0, -1.0, -2.0], 3),  # neither: ranks 4 + 1 are the least
        (speaker_preference, [-3.0, -1.0, -2.0, -4.0], 0),  # the speaker's first is the listener's third
        (speaker_preference, [-9.0, -1.0, -2.0, -3.0], 1),  # its first is the listener's fourth: its second
        (equal_preference, [-2.0, -1.0, -3.0], 1),  # 1 + 2 equals 2 + 1: the listener's rank decides
        (equal_preference, [-5.0, -4.0, -1.0, -6.0], 2),
        (as_spoken, [-9.0, -1.0], 0),
    ],
)
def test_each_blend_chooses_as_the_paper_says(blend: Blend, listened: list[float], chosen: int) -> None:
    assert blend([Phrasing(f"{i}?", -1.0, heard) for i, heard in enumerate(listened)]) == chosen


def test_the_least_risk_is_what_is_most_like_the_likely_rest() -> None:
    said = ["who ruled it?", "who led it?", "who led it then?"]
    assert minimum_bayes_risk([Phrasing(t, -1.0, None) for t in said]) == 1
    assert (
        minimum_bayes_risk([Phrasing(t, p, None) for t, p in zip(said, (0.0, -9.0, -9.0), strict=True)]) == 0
    )


class Script:
    """Hears what it is told to, by a word of the text; what it doesn't know it can't read."""

    def __init__(self, heard: dict[str, float]) -> None:
        self.heard, self.contexts = heard, list[Context]()

    def listen(
        self, texts: Sequence[str], step: Step, names: Sequence[tuple[Iri, str]], context: Context
    ) -> list[float]:
        self.contexts.append(context)
        assert names == [(EGYPT, "Egypt")]
        return [next((v for word, v in self.heard.items() if word in text), float("-inf")) for text in texts]


def _context(question: str | None = None) -> StepInContext:
    return StepInContext((CAPITAL,), 1, {EGYPT: "Egypt"}.__getitem__, question, ())


def test_the_wording_that_is_read_back_best_comes_first() -> None:
    speaker = RulePhraser(freebase_lexicon())
    said = [p.text for p in speaker.phrase(_context(), n=10)]
    heard = {text: -5.0 for text in said}
    heard[said[1]] = -0.1
    listener = Script(heard)
    found = ListeningPhraser(speaker, listener, listener_preference).phrase(_context("Which city?"), n=3)
    assert found[0].text == said[1] and found[0].listener_logprob == -0.1 and len(found) == 3
    assert listener.contexts[0].question == "Which city?"


def test_what_cannot_be_read_comes_last_and_nothing_is_lost() -> None:
    speaker = RulePhraser(freebase_lexicon())
    said = [p.text for p in speaker.phrase(_context(), n=10)]
    found = ListeningPhraser(speaker, Script({said[2]: -1.0}), listener_preference).phrase(_context(), n=10)
    assert found[0].text == said[2] and sorted(p.text for p in found) == sorted(said)
    deaf = ListeningPhraser(speaker, Script({})).phrase(_context(), n=10)
    assert [p.text for p in deaf] == said


class Counted:
    """Counts what it is asked to word."""

    concurrent, signature = True, "counted"

    def __init__(self) -> None:
        self.asked = 0

    def phrase(self, step: StepInContext, *, n: int = 10) -> tuple[Phrasing, ...]:
        self.asked += 1
        return (Phrasing(f"Wording {self.asked} of {step.labels(EGYPT)}?", -0.1),)


def test_a_step_in_the_same_context_keeps_its_words_and_is_not_worded_again() -> None:
    counted = Counted()
    phraser = RememberingPhraser(counted)
    assert phraser.phrase(_context("Which?")) == phraser.phrase(_context("Which?"))
    assert counted.asked == 1
    renamed = StepInContext((CAPITAL,), 1, {EGYPT: "Kemet"}.__getitem__, "Which?", ())
    others = [_context("Where?"), renamed, replace(_context("Which?"), history=("Who?",))]
    assert [phraser.phrase(c)[0].text for c in others] == [
        "Wording 2 of Egypt?",
        "Wording 3 of Kemet?",
        "Wording 4 of Egypt?",
    ]
    assert phraser.phrase(_context("Which?"), n=3) and counted.asked == 5
    assert phraser.concurrent and phraser.signature == "counted"


def test_what_was_worded_longest_ago_is_forgotten_first() -> None:
    counted = Counted()
    phraser = RememberingPhraser(counted, most=2)
    for question in ("a", "b", "a", "c", "a"):
        phraser.phrase(_context(question))
    assert counted.asked == 3
    phraser.phrase(_context("b"))
    assert counted.asked == 4
