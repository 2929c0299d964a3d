"""Other readings of a version, not yet executed, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kbqa.dialogue import Parse, Version
from kbqa.offers.around import Around, Select
from kbqa.offers.changes import Changes, Proposal
from kbqa.offers.fit import Fit, Weights
from kbqa.offers.places import leading_to, places
from kbqa.rewire import Steps
from kbqa.types import Guards, reverse

_READ, _PER_NAT = 0.3, 0.1
"""What being a reading of the parser is worth, and what it loses per unit of log probability."""


def proposals(
    version: Version, parses: Sequence[Parse], words: Weights, around: Around, fit: Fit, select: Select
) -> list[Proposal]:
    """Changes of the broken step and of those that it rests on, and the parser's other readings.
    `words`: the question's, as `fit` weighs them. Raises `StoreUnavailable`."""
    broken = version.broken_at
    if broken is None:
        return []
    steps = version.parse.decomposition.steps
    changes = Changes(version, around, fit, select)
    concerned = leading_to(steps, broken)
    every = [place for number in range(1, len(steps) + 1) for place in places(steps, number)]
    found = [*changes.entities(concerned), *_readings(version, parses)]
    for place in every:
        if place.step in concerned:
            left = fit.besides(words, [p.outward for p in every if p is not place])
            found += changes.at(place, left)
    found += changes.between(broken, fit.besides(words, [p.outward for p in every]))
    found += changes.without_two([p for p in found if p.kind == "without"])
    return sorted(found, key=lambda p: -p.score)


def _readings(version: Version, parses: Sequence[Parse]) -> Iterator[Proposal]:
    if not parses:
        return
    top = max(p.logprob for p in parses)
    for parse in parses:
        if parse.decomposition != version.parse.decomposition:
            step = _step_apart(version.parse.decomposition.steps, parse.decomposition.steps)
            yield Proposal("reading", step, _READ + _PER_NAT * (parse.logprob - top), parse=parse)


def _step_apart(one: Steps, other: Steps) -> int:
    """The only step in which two readings differ; 0 where it is not one."""
    if len(one) != len(other):
        return 0
    apart = [n for n, (a, b) in enumerate(zip(one, other, strict=True), 1) if a != b]
    return apart[0] if len(apart) == 1 else 0


def siblings(version: Version, parses: Sequence[Parse], gap: float) -> list[Proposal]:
    """Readings about as likely that differ in the path of one step ('story by', 'written by').
    `gap`: the difference of log probabilities, in nats, below which two are about as likely."""
    mine = version.parse
    near = [p for p in parses if _habits(p) == _habits(mine)]
    near = [p for p in near if abs(p.logprob - mine.logprob) < gap]
    return [
        Proposal("direction" if turned else "predicate", step, p.logprob - mine.logprob, parse=p)
        for p in sorted(near, key=lambda p: -p.logprob)
        for step, turned in _path_apart(mine.decomposition.steps, p.decomposition.steps)
    ]


def _habits(parse: Parse) -> Guards:
    """The guards, but for one that follows from the paths."""
    return replace(parse.decomposition.guards, each=False)


def _path_apart(one: Steps, other: Steps) -> Iterator[tuple[int, bool]]:
    """The step in which only a path differs, and whether it is the same one turned round."""
    step = _step_apart(one, other)
    if not step or type(one[step - 1]) is not type(other[step - 1]):
        return
    for a, b in zip(places(one, step), places(other, step), strict=False):
        if a.path != b.path and a.put(one, b.outward) == other:
            yield step, b.path == reverse(a.path)
