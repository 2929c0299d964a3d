"""Steps with one more, one fewer, or another: references of the later ones are put right.

Positions count from 1, as steps do. Where a correction can be taken in more than one way, the ways
come likeliest first; which of them has an answer is for the caller to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kbqa.decompose.recompose import recompose, references
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, FeedbackError
from kbqa.types import (
    FREEBASE,
    Among,
    Amount,
    Anchor,
    Check,
    Count,
    Find,
    Iri,
    Is,
    IsNot,
    Keep,
    Lacks,
    Many,
    Merge,
    Oftenest,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Tally,
    Test,
    Than,
    reverse,
)

Steps = tuple[Step, ...]
_Meaning = Callable[[Ref], Anchor | None]
"""What stands for an earlier step; None: nothing does any more."""
_Choosing = Keep | Pick | Oftenest | Count | Check | Amount | Tally
"""Steps about the answers of one earlier step."""
_Term = TypeVar("_Term")


def replaced(steps: Sequence[Step], at: int, new: Step) -> Iterator[Steps]:
    """Ways to put `new` where step `at` is. A step that chose among earlier answers goes on doing so
    where the new one names an entity only."""
    old = _there(steps, at)
    before, after = tuple(steps[: at - 1]), tuple(steps[at:])
    if isinstance(old, _Choosing) and isinstance(new, Find) and new.path and not references(new):
        yield (*before, _among(old.source, new), *after)
    yield (*before, new, *after)


def inserted(steps: Sequence[Step], at: int, new: Step) -> Iterator[Steps]:
    """Ways to ask `new` before step `at` (one more than there are: at the end). What rested on the
    step that the new one asks about rests on the new one."""
    if not 1 <= at <= len(steps) + 1:
        raise FeedbackError(f"a step can be put at 1 to {len(steps) + 1}, not at {at}")
    before, rest = tuple(steps[: at - 1]), tuple(steps[at - 1 :])
    asked = _asked_about(new)
    if asked:
        yield _joined(before, new, rest, asked)
    elif rest:
        yield from _led(before, new, rest)
    else:
        if isinstance(new, Find) and new.path:
            yield (*before, _among(Ref(at - 1), new))
        yield (*before, new)


def _led(before: Steps, new: Step, rest: Steps) -> Iterator[Steps]:
    """A step that asks about none, before one that goes on from it."""
    at = len(before) + 1
    rests_on = _asked_about(rest[0])
    joined = _joined(before, new, rest, ())
    first = joined[at]
    if isinstance(first, Merge):
        yield (*joined[:at], Merge((*first.sources, Ref(at))), *joined[at + 1 :])
    if rests_on and isinstance(new, Find) and new.path:
        yield _joined(before, _among(rests_on[0], new), rest, rests_on[:1])
    if isinstance(first, Find):
        yield (*joined[:at], replace(first, anchor=Ref(at)), *joined[at + 1 :])
        if not isinstance(first.anchor, Ref) and first.path:
            yield (*joined[:at], _among(Ref(at), first), *joined[at + 1 :])
    yield joined


def _asked_about(step: Step) -> tuple[Ref, ...]:
    """The steps whose answers a step goes on from, or puts together; not those it compares with."""
    match step:
        case Find(anchor):
            return (anchor,) if isinstance(anchor, Ref) else ()
        case Keep(source, anchor, path):
            return (source, anchor) if isinstance(anchor, Ref) and not path else (source,)
        case Merge(sources):
            return sources
        case Pick(source) | Oftenest(source) | Count(source) | Check(source) | Amount(source) | Tally(source):
            return (source,)


def _among(source: Ref, step: Find) -> Keep:
    """What the step finds, of the answers of an earlier one."""
    return Keep(source, step.anchor, step.path, step.restrictions)


def _joined(before: Steps, new: Step, rest: Sequence[Step], through: Sequence[Ref]) -> Steps:
    """`rest` moved down by one; what it took from the steps `through` it takes from the new one."""
    at = len(before) + 1
    standing = _Standing([*before, new])
    for number in range(1, at):
        standing.stands[number] = Ref(at if Ref(number) in through else number)
    for number, step in enumerate(rest, at):
        standing.carry(number, step)
    return tuple(standing.out)


def deleted(steps: Sequence[Step], at: int) -> Steps:
    """Without step `at`: what rested on it rests on what it rested on. What compares or puts together
    answers of one kind does without those that are of another kind now, and a choice among answers
    that are gone goes too. Raises `FeedbackError` where nothing would be left."""
    return _without(steps, at)[0]


def taken_along(steps: Sequence[Step], at: int) -> tuple[int, ...]:
    """The other steps that go with step `at`: what they chose among is gone. Raises as `deleted`."""
    return tuple(_without(steps, at)[1].gone)


def turned_elsewhere(steps: Sequence[Step], at: int) -> tuple[int, ...]:
    """The steps, as they are numbered without step `at`, that ask of its starting point what they asked
    of its answers, which were of another kind. Raises as `deleted`."""
    left, standing = _without(steps, at)
    return tuple(
        standing.places[number]
        for number, step in enumerate(steps, 1)
        if number in standing.places and isinstance(left[standing.places[number] - 1], type(step))
        if any(r.step in standing.changed for r in _asked_about(step)) and not isinstance(step, Merge | Count)
    )


def _without(steps: Sequence[Step], at: int) -> tuple[Steps, _Standing]:
    _there(steps, at)
    standing = _Standing([])
    for number, step in enumerate(steps, 1):
        if number == at:
            standing.leave_out(number, step)
        else:
            standing.carry(number, step)
    if not standing.out:
        others = "" if len(steps) == 1 else ", and the others only choose among its answers"
        raise FeedbackError(f"a question needs at least one step{others}: replace this one instead")
    return tuple(standing.out), standing


def _there(steps: Sequence[Step], at: int) -> Step:
    if not 1 <= at <= len(steps):
        known = "there is one step" if len(steps) == 1 else f"the steps are numbered 1 to {len(steps)}"
        raise FeedbackError(f"there is no step {at}: {known}")
    return steps[at - 1]


@dataclass
class _Standing:
    """Steps being laid out anew. `stands`: what stands for a step of the old numbering, None where
    nothing does any more; `changed`: those whose answers are of another kind now."""

    out: list[Step]
    stands: dict[int, Anchor | None] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    gone: list[int] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    """Old number -> new number."""

    def meaning(self, ref: Ref) -> Anchor | None:
        return self.stands.get(ref.step)

    def alike(self, ref: Ref) -> Ref | None:
        """What stands for a step, where it has answers of the same kind."""
        found = self.stands.get(ref.step)
        return found if isinstance(found, Ref) and ref.step not in self.changed else None

    def carry(self, number: int, step: Step) -> None:
        """Takes the step over with its references translated; leaves it out where it can't stand."""
        carried = _carried(step, self.meaning, self.alike)
        if carried is None:
            self.gone.append(number)
            self.leave_out(number, step)
            return
        self.out.append(carried)
        self.stands[number] = Ref(len(self.out))
        self.places[number] = len(self.out)
        if not isinstance(carried, Find) and self._all_changed(step):
            self.changed.add(number)

    def leave_out(self, number: int, step: Step) -> None:
        self.stands[number] = self._before(step)
        if isinstance(step, Find) or self._all_changed(step):
            self.changed.add(number)

    def _before(self, step: Step) -> Anchor | None:
        """What a step that goes rested on: answers of the same kind rather than others."""
        if isinstance(step, Find):
            anchor = step.anchor
            return self.meaning(anchor) if isinstance(anchor, Ref) else _entity(anchor)
        asked = _asked_about(step)
        found = [self.alike(r) for r in asked] + [self.meaning(r) for r in asked]
        if isinstance(step, Keep) and not isinstance(step.anchor, Ref):
            found.append(_entity(step.anchor))
        return next((f for f in found if f is not None), None)

    def _all_changed(self, step: Step) -> bool:
        asked = _asked_about(step)
        return bool(asked) and all(r.step in self.changed for r in asked)


def _entity(anchor: Anchor | None) -> Iri | None:
    return anchor if isinstance(anchor, Iri) else None


def _carried(step: Step, meaning: _Meaning, alike: _Meaning) -> Step | None:
    """The step with its references translated; None where it can't stand. `alike`: what stands for
    answers that others of their kind are compared or put together with."""
    match step:
        case Find(anchor, path, restrictions):
            start = meaning(anchor) if isinstance(anchor, Ref) else anchor
            return None if start is None else Find(start, path, _conditions(restrictions, meaning, alike))
        case Keep(source):
            return _kept(step, meaning(source), meaning, alike)
        case Merge(sources):
            same = [r for s in sources if isinstance(r := alike(s), Ref)]
            left = tuple(dict.fromkeys(same or [r for s in sources if isinstance(r := meaning(s), Ref)]))
            return Merge(left) if len(left) > 1 or (left and _needless(step)) else None
        case Pick(source):
            found = meaning(source)
            tests = tuple(t for test in step.tests if (t := _test(test, alike)) is not None)
            return replace(step, source=found, tests=tests) if isinstance(found, Ref) else None
        case Oftenest(source) | Count(source) | Check(source) | Amount(source) | Tally(source):
            found = meaning(source)
            return replace(step, source=found) if isinstance(found, Ref) else None


def _kept(step: Keep, source: Anchor | None, meaning: _Meaning, alike: _Meaning) -> Step | None:
    restrictions = _conditions(step.restrictions, meaning, alike)
    anchor = step.anchor
    if isinstance(anchor, Ref):
        anchor = meaning(anchor) if step.path else alike(anchor)
    if step.anchor is not None and anchor is None:
        said = tuple(r for r in restrictions if r.site == "answer") if step.path else restrictions
        return Keep(source, None, (), said) if isinstance(source, Ref) and said else None
    if isinstance(source, Ref):
        kept = Keep(source, anchor, step.path, restrictions)
        return None if _needless(kept) and not _needless(step) else kept
    return Find(anchor, step.path, restrictions) if anchor is not None and step.path else None


def _needless(step: Step) -> bool:
    """An either/or of one, a choice of all: left out where it has become so, not where it was said."""
    match step:
        case Merge(sources):
            return len(set(sources)) < 2
        case Keep(source, anchor, (), ()):
            return anchor in (None, source)
    return False


def _conditions(
    restrictions: Sequence[Restriction], meaning: _Meaning, alike: _Meaning
) -> tuple[Restriction, ...]:
    """Tests against answers that are gone go."""
    out = []
    for r in restrictions:
        stands = meaning if r.path else alike
        tests = tuple(
            t
            for test in r.tests
            if (t := _test(test, alike if isinstance(test, Than) else stands)) is not None
        )
        if tests:
            out.append(replace(r, tests=tests))
    return tuple(out)


def _test(test: Test, meaning: _Meaning) -> Test | None:
    match test:
        case Is(Ref() as ref) | IsNot(Ref() as ref):
            found = meaning(ref)
            return replace(test, value=found) if isinstance(found, Ref | Iri) else None
        case Than(_, Ref() as ref):
            found = meaning(ref)
            return replace(test, value=found) if isinstance(found, Ref) else None
        case _:
            return test


def with_references(step: Step, meaning: Callable[[Ref], Ref]) -> Step:
    """The step with every reference replaced by another."""
    carried = _carried(step, meaning, meaning)
    return step if carried is None else carried


def continued(steps: Sequence[Step], entity: Iri | None, number: int) -> Iterator[Step]:
    """The steps after that many others, asked of what the last of those found instead of an entity."""
    for step in steps:
        moved = with_references(step, lambda ref: Ref(ref.step + number))
        if entity is not None and isinstance(moved, Find | Keep) and moved.anchor == entity:
            moved = replace(moved, anchor=Ref(number))
        yield moved


def none_of(path: Path, thing: Iri | Ref) -> Restriction:
    """That a path from the answer leads to other things only, if to any."""
    return Restriction("answer", path, (Many("=", 0), Is(thing)))


def turned_round(step: Step, before: int) -> Keep | None:
    """Those of an earlier step of which it does not hold what a step says; None where it says too much, or
    nothing comes before it. `before`: how many steps do."""
    match step:
        case Find(Iri() as anchor, path, ()) if before:
            source = Ref(before)
        case Keep(source, Iri() | Ref() as anchor, path, ()) if path:
            pass
        case _:
            return None
    if not path[0].predicate.value.startswith(FREEBASE):
        return None
    return Keep(source, restrictions=(none_of(reverse(path), anchor),))


def line_of(steps: Sequence[Step]) -> tuple[int, ...]:
    """The numbers of the steps whose answers the last one's are among, the last one first."""
    line = [len(steps)]
    while isinstance(step := steps[line[-1] - 1], Keep | Pick | Count):
        line.append(step.source.step)
    return tuple(line)


def as_said(steps: Sequence[Step], number: int) -> Step:
    """A step as its sub-question says it: the one before it is 'that film', wherever both stand."""
    return with_references(steps[number - 1], lambda ref: Ref(0) if ref.step == number - 1 else ref)


def loose(steps: Sequence[Step]) -> tuple[int, ...]:
    """The numbers of the steps that the last one does not rest on."""
    needed = {len(steps)}
    for number in range(len(steps), 0, -1):
        if number in needed:
            needed |= {r.step for r in references(steps[number - 1])}
    return tuple(n for n in range(1, len(steps) + 1) if n not in needed)


def exchange(step: Step, entities: Mapping[Iri, Iri]) -> Step:
    """The step with entities replaced."""
    match step:
        case Find(anchor, path, restrictions):
            return Find(_other(anchor, entities), path, _exchanged(restrictions, entities))
        case Keep(source, anchor, path, restrictions):
            other = None if anchor is None else _other(anchor, entities)
            return Keep(source, other, path, _exchanged(restrictions, entities))
        case Pick():
            return replace(step, tests=tuple(_exchanged_test(t, entities) for t in step.tests))
        case Merge() | Oftenest() | Count() | Check() | Amount() | Tally():
            return step


def _other(term: _Term, entities: Mapping[Iri, Iri]) -> _Term | Iri:
    return entities.get(term, term) if isinstance(term, Iri) else term


def _exchanged(rs: Sequence[Restriction], entities: Mapping[Iri, Iri]) -> tuple[Restriction, ...]:
    return tuple(replace(r, tests=tuple(_exchanged_test(t, entities) for t in r.tests)) for r in rs)


def _exchanged_test(test: Test, entities: Mapping[Iri, Iri]) -> Test:
    match test:
        case Is(value) | IsNot(value):
            return replace(test, value=_other(value, entities))
        case Lacks(Iri() as value):
            return Lacks(_other(value, entities))
        case Among(values):
            return Among(tuple(dict.fromkeys(_other(v, entities) for v in values)))
        case _:
            return test


def reread(parse: Parse, change: Callable[[Step], Step]) -> Parse:
    """A reading with each step changed; the same where none is, or they can't be put together then."""
    whole = parse.decomposition
    steps = tuple(map(change, whole.steps))
    if steps == whole.steps:
        return parse
    changed = replace(whole, steps=steps)
    try:
        return Parse(recompose(changed), changed, parse.logprob)
    except DecompositionError:
        return parse
