"""Single changes of steps: another path, direction or entity, a step between two, a condition less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from kbqa.decompose import recompose
from kbqa.dialogue import OfferKind, Parse, Version
from kbqa.errors import DecompositionError, FeedbackError
from kbqa.intake import constants_of
from kbqa.kb.scan import TYPE_PREDICATES
from kbqa.offers.around import Around, Select
from kbqa.offers.fit import Fit, Weights
from kbqa.offers.places import Place
from kbqa.protocols import Candidate
from kbqa.rewire import Steps, deleted, exchange, inserted
from kbqa.sparql.portable import literal_kind
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    FREEBASE,
    Anchor,
    Anything,
    Constant,
    Find,
    Hop,
    Iri,
    Keep,
    Kind,
    Literal,
    OpenThan,
    Path,
    Pick,
    Ref,
    Restriction,
    Than,
    freebase,
    reverse,
)

_OTHER_NAME = 0.5
"""What a candidate's lesser linking score costs."""
_TURNED = 0.1
"""How much likelier the same predicates the other way are than others that fit as well."""
_BOTH = 0.1
"""What it costs to change something else besides."""
_LEFT_OUT = 0.25
"""What leaving out a condition costs besides what it fits the question."""
_BETWEEN = 0.3
"""What a step more costs."""
_KIND_PREDICATES = frozenset((*TYPE_PREDICATES, freebase("common.topic.notable_types")))
_NAMESAKES, _NEAREST = 5, 3
"""Candidates of a name that may stand instead; those of them with other predicates, too."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Steps with a change of step `step` (0: several). `score`: how much better than the steps as
    they are they fit the question's words; `worded`: whether the change has a wording of its own."""

    kind: OfferKind
    step: int
    score: float
    steps: Steps = ()
    parse: Parse | None = None
    worded: bool = True

    def assembled(self, version: Version) -> Parse | None:
        """As a reading; None where no query can say it."""
        if self.parse is not None:
            return self.parse
        whole = replace(version.parse.decomposition, steps=self.steps)
        try:
            return Parse(recompose(whole), whole, version.parse.logprob)
        except DecompositionError:
            return None


@dataclass(frozen=True, slots=True)
class Changes:
    """Of one version, as far as the knowledge base may answer them. Each may raise
    `StoreUnavailable`."""

    version: Version
    around: Around
    fit: Fit
    select: Select

    @property
    def steps(self) -> Steps:
        return self.version.parse.decomposition.steps

    def at(self, place: Place, words: Weights) -> Iterator[Proposal]:
        """`words`: those of the question that the other paths don't account for."""
        yield from self._other_paths(place, words)
        yield from self._namesakes_paths(place, words)
        yield from self._left_out(place, words)

    def entities(self, numbers: Sequence[int]) -> Iterator[Proposal]:
        """Other entities of the names in these steps."""
        for number in sorted(numbers):
            for mention in self.version.steps[number - 1].mentions:
                taken, *others = mention.candidates
                for other in others[:_NAMESAKES]:
                    cost = _OTHER_NAME * (taken.score - other.score)
                    yield Proposal("entity", number, -cost, self._exchanged(taken, other))

    def between(self, number: int, words: Weights) -> Iterator[Proposal]:
        """A step between the broken one and the answers that it goes on from: 'the country of that
        city' before 'the capital of that country'."""
        step = self.steps[number - 1]
        if not isinstance(step, Find) or not isinstance(step.anchor, Ref):
            return
        for way in self.around.leaving(self._values(step.anchor), self.select):
            score = self.fit.score(way, words) - _BETWEEN
            for steps in inserted(self.steps, number, Find(step.anchor, way)):
                yield Proposal("insert", number, score, steps, worded=self.fit.worded(way))

    def without_two(self, single: Sequence[Proposal]) -> Iterator[Proposal]:
        """Without two of the steps that can go alone."""
        whole = {p.step: p.score for p in single if len(p.steps) < len(self.steps)}
        for first, second in combinations(sorted(whole), 2):
            try:
                less = deleted(deleted(self.steps, second), first)
            except FeedbackError:
                continue
            if not _about_something(less):
                continue
            yield Proposal("without", 0, whole[first] + whole[second] - _LEFT_OUT, less)

    # --- paths

    def _other_paths(self, place: Place, words: Weights) -> Iterator[Proposal]:
        now = self.fit.score(place.outward, words)
        turned = reverse(place.outward)
        sorts = isinstance(self.steps[place.step - 1], Pick) or self._compared(place) is not None
        for way in dict.fromkeys((*(() if sorts else (turned,)), *self._ways(place))):
            if way != place.outward:
                steps, lost = self._put(self.steps, place, way)
                score = self.fit.score(way, words) - now - lost
                kind: OfferKind = "direction" if way == turned else "predicate"
                score += _TURNED if way == turned else 0.0
                yield Proposal(kind, place.step, score, steps, worded=self.fit.worded(way))

    def _namesakes_paths(self, place: Place, words: Weights) -> Iterator[Proposal]:
        """Another entity of the name at a place, with the predicates that leave that one."""
        now = self.fit.score(place.outward, words)
        for taken, other in self._namesakes(place):
            exchanged = self._exchanged(taken, other)
            cost = _BOTH + _OTHER_NAME * (taken.score - other.score)
            for way in self.around.leaving((other.entity,), self.select, self._ends(place)):
                if way != place.outward:
                    steps, lost = self._put(exchanged, place, way)
                    score = self.fit.score(way, words) - now - cost - lost
                    yield Proposal("entity", place.step, score, steps, worded=self.fit.worded(way))

    def _namesakes(self, place: Place) -> Iterator[tuple[Candidate, Candidate]]:
        """(the entity that a place starts from, another of its name)"""
        for mention in self.version.steps[place.step - 1].mentions:
            taken, *others = mention.candidates
            if taken.entity == place.start:
                yield from ((taken, other) for other in others[:_NEAREST])

    def _ways(self, place: Place) -> tuple[Path, ...]:
        """The paths that may stand at a place instead."""
        step = self.steps[place.step - 1]
        values = self._values(place.start)
        if isinstance(step, Pick):
            return self.around.figures(values, step.kind, self.select)
        kind = self._compared(place)
        if kind is not None and values:
            return self.around.figures(values, kind, self.select)
        if values:
            return self.around.leaving(values, self.select, self._ends(place))
        siblings = self.around.siblings(place.path, place.kind)
        return siblings if kind is None else self.around.ending(siblings, kind, self.select)

    def _compared(self, place: Place) -> Kind | None:
        """As what the values at a condition's place are compared with a literal; None: not so."""
        step = self.steps[place.step - 1]
        if place.restriction is None or isinstance(step, Pick) or not isinstance(step, Find | Keep):
            return None
        for test in step.restrictions[place.restriction].tests:
            if isinstance(test, Than | OpenThan) and isinstance(test.value, Literal):
                return literal_kind(test.value) or Kind.VALUE
        return None

    def _ends(self, place: Place) -> tuple[Constant, ...]:
        """The answers that a path must arrive at: those that a condition chooses among. A path from
        a mediator, and a condition on other things than terms, arrive at none."""
        step = self.steps[place.step - 1]
        if isinstance(step, Keep) and (place.restriction is None or place.backwards):
            return self._values(step.source)
        return ()

    def _values(self, start: Anchor | None) -> tuple[Constant, ...]:
        match start:
            case Iri() | Literal():
                return (start,)
            case Ref(step):
                return tuple(a.value for a in self.version.steps[step - 1].answers)
            case _:
                return ()

    # --- steps

    def _exchanged(self, taken: Candidate, other: Candidate) -> Steps:
        return tuple(exchange(s, {taken.entity: other.entity}) for s in self.steps)

    def _put(self, steps: Steps, place: Place, way: Path) -> tuple[Steps, float]:
        """The steps with that path, and what is lost by it: conditions on a mediator that the new path
        hasn't go, but for a period, which is said of the new one."""
        changed = place.put(steps, way)
        step = changed[place.step - 1]
        if place.restriction is not None or not isinstance(step, Find | Keep):
            return changed, 0.0
        kind = mediator_type(step.path)
        kept = tuple(r for r in (self._moved(r, kind) for r in step.restrictions) if r is not None)
        if kept == step.restrictions:
            return changed, 0.0
        fitting = (*changed[: place.step - 1], replace(step, restrictions=kept), *changed[place.step :])
        return fitting, _BOTH * (len(step.restrictions) - len(kept))

    def _moved(self, r: Restriction, kind: str | None) -> Restriction | None:
        """A condition, said of a mediator of that type; None where it can't be."""
        if r.site == "answer" or not r.path:
            return r
        first = r.path[0].predicate
        own = first.mid.rpartition(".")[0]
        if own == kind or not first.value.startswith(FREEBASE):
            return r
        there = span_of(kind)
        if there is None or first not in (span_of(own) or ()) or not self.around.knows(there):
            return None
        return replace(r, path=(Hop(there[(span_of(own) or ()).index(first)]),))

    def _left_out(self, place: Place, words: Weights) -> Iterator[Proposal]:
        """Without the condition that a place belongs to."""
        steps, number = self.steps, place.step
        step = steps[number - 1]
        score = -self.fit.score(place.outward, words) - _LEFT_OUT
        if place.restriction is not None and isinstance(step, Find | Keep) and _stands_without(step):
            kept = tuple(r for i, r in enumerate(step.restrictions) if i != place.restriction)
            less = replace(step, restrictions=kept)
            yield Proposal("without", number, score, (*steps[: number - 1], less, *steps[number:]))
        elif isinstance(step, Keep | Pick) or _chosen_among(steps, number):
            try:
                less_one = deleted(steps, number)
            except FeedbackError:
                return
            if _about_something(less_one):
                yield Proposal("without", number, score, less_one)


def _about_something(steps: Steps) -> bool:
    """Whether they name more than a kind of thing."""
    for step in steps:
        if isinstance(step, Find | Keep):
            kept = [r for r in step.restrictions if not _says_kind(r.path)]
            plain = replace(step, restrictions=tuple(kept))
            if _says_kind(step.path) and isinstance(step.anchor, Iri):
                plain = replace(plain, anchor=Anything())
            if any(isinstance(c, Iri) for c in constants_of(plain)):
                return True
    return False


def _says_kind(path: Path) -> bool:
    return any(hop.predicate in _KIND_PREDICATES for hop in path)


def _chosen_among(steps: Steps, number: int) -> bool:
    """Whether a later condition stands for the step where that one goes: 'films by A, of these those
    with B' is, without the first, 'films with B'."""
    later = (s for s in steps if isinstance(s, Keep) and s.source == Ref(number))
    return any(isinstance(s.anchor, Iri) and s.path for s in later)


def _stands_without(step: Find | Keep) -> bool:
    """Whether something is asked still when one of the restrictions goes."""
    return bool(step.path) or len(step.restrictions) > 1
