"""The values that words compare by: 'taller', 'was born first', 'has the larger population'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.templates.phrases import mediator_type
from kbqa.types import Find, Hop, Kind, Pick, Ref, Step, freebase

_HIGHER = frozenset("more larger greater higher bigger longer most largest greatest highest biggest".split())
_LOWER = frozenset("less fewer smaller lower shorter least fewest smallest lowest".split())
_SOONER = frozenset("first earlier earliest sooner before".split())
_LATER = frozenset("later last latest recently after".split())
INHABITANTS = frozenset("people inhabitants residents citizens populous folks".split())
_VERBS = {
    "was released": ("came out", "come out", "hit theaters"),
    "was published": ("came out", "come out"),
    "was founded": ("established", "started", "set up"),
    "died": ("die", "passed away"),
    "first aired": ("aired", "started", "premiered"),
    "took office": ("in office", "became president"),
    "started": ("began", "happened", "happen", "took place", "occurred", "broke out", "fought", "came"),
}
"""What else is said for the verbs of `MEASURES`."""
LATEST = {
    f"measurement_unit.{kind}": (Hop(freebase(f"measurement_unit.{kind}.{when}")),)
    for kind, when in (
        ("dated_integer", "year"), ("dated_float", "date"), ("dated_percentage", "date"),
        ("dated_money_value", "valid_date"),
    )
}  # fmt: skip
"""Nodes that hold a figure, and the way to when it was measured."""


_KINDS = {m.path: m.kind for m in MEASURES}


def sorted_by_kind(step: Step) -> Step:
    """The step with a value that has a kind sorted by it, not as a string: the youngest is not the one with
    the alphabetically last date of birth."""
    if not isinstance(step, Pick) or step.kind is not Kind.STRING:
        return step
    return replace(step, kind=_KINDS.get(step.path, Kind.STRING))


def measured(words: str) -> Iterator[tuple[Measure, bool]]:
    """The values that words compare by, and whether the higher is asked for: 'taller', 'was born first',
    'has the larger population'."""
    said = set(re.findall(r"[a-z]+", words))
    higher, lower = bool(said & _HIGHER), bool(said & _LOWER)
    sooner, later = bool(said & _SOONER), bool(said & _LATER)
    numbers = named_measures(words)
    for measure in MEASURES:
        named = measure in numbers or set(measure.noun.split()) <= said
        if measure.kind is Kind.NUMBER and named and higher != lower:
            yield measure, higher
        verbs = (measure.verb.removeprefix("was "), *_VERBS.get(measure.verb, ()))
        done = any(f" {verb} " in f" {words} " for verb in verbs if verb)
        if measure.kind is Kind.DATE and (named or done) and sooner != later:
            yield measure, later
    for measure in MEASURES:
        for adjectives, descending in ((measure.low, False), (measure.high, True)):
            if any(f" {form} " in f" {words} " for form in _comparatives(adjectives)):
                yield measure, descending


def named_measures(words: str) -> tuple[Measure, ...]:
    """The numbers that words name: 'population', 'people'."""
    said = set(re.findall(r"[a-z]+", words))
    nouns = said | ({"population"} if said & INHABITANTS else set())
    numbers = (m for m in MEASURES if m.kind is Kind.NUMBER)
    return tuple(m for m in numbers if set(m.noun.removeprefix("number of ").split()) <= nouns)


def _comparatives(adjectives: Sequence[str]) -> Iterator[str]:
    """Of two: 'taller' and 'tallest'. 'First' and 'last' alone say nothing of what."""
    for adjective in adjectives:
        if adjective.endswith("est") and " " not in adjective and adjective not in ("earliest", "latest"):
            yield adjective
            yield adjective.removesuffix("est") + "er"
        elif adjective.startswith(("most ", "least ")) and "recent" not in adjective:
            yield adjective
            yield adjective.replace("most ", "more ").replace("least ", "less ")


def comparatives() -> frozenset[str]:
    """Words that stand before 'than' and a name: 'older', 'more', 'less populous', 'earlier'."""
    adjectives = (form for m in MEASURES for form in (*_comparatives(m.low), *_comparatives(m.high)))
    words = frozenset((*adjectives, *_HIGHER, *_LOWER, *_SOONER, *_LATER))
    return frozenset(w for w in words if w.endswith("er") or w.startswith(("more", "less"))) - {"after"}


def latest(step: Step, number: int) -> Pick | None:
    """What takes the latest of the figures that the step with this number finds, where they are dated."""
    when = LATEST.get(mediator_type(step.path) or "") if isinstance(step, Find) else None
    return None if when is None else Pick(Ref(number), "mediator", when, True, Kind.DATE)
