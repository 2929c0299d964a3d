"""Steps -> `Query`: the patterns of all steps the last one rests on, put together again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kbqa.errors import DecompositionError, QueryError
from kbqa.sparql.portable import equals, operand, pattern
from kbqa.sparql.walk import rename_query, variables
from kbqa.types import (
    Absent,
    Among,
    Amount,
    Anchor,
    Anything,
    Body,
    Check,
    Compare,
    Count,
    Counted,
    Decomposition,
    Differ,
    Element,
    Exists,
    Find,
    Guards,
    HasText,
    Hop,
    InEnglish,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Many,
    Maybe,
    Merge,
    MostFrequent,
    Oftenest,
    OneOf,
    OpenBound,
    OpenThan,
    Order,
    Path,
    Pick,
    Query,
    Ref,
    Restriction,
    Spelt,
    Step,
    Tally,
    Term,
    Test,
    Than,
    Union,
    Var,
    reverse,
)


def recompose(decomposition: Decomposition) -> Query:
    """The query whose answers are those of the last step.

    Raises `DecompositionError` where a step refers to itself, to a later step or to a count, or says
    what no query can (a condition on a node that the path has not, a number that is none).
    """
    return _query(decomposition.steps, decomposition.guards)


def recompose_step(decomposition: Decomposition, number: int) -> Query:
    """The partial query of one step (counted from 1).

    The last one is the query. What an earlier step shows leaves out the anchor it was found from,
    where the query does so for its answer: nobody counts Spain among Spain's neighbours.
    """
    steps = decomposition.steps
    if not 1 <= number <= len(steps):
        raise DecompositionError(f"there is no step {number}: the steps are numbered 1 to {len(steps)}")
    if number == len(steps):
        return recompose(decomposition)
    return _query(steps[:number], replace(decomposition.guards, english=False, distinct=True))


def references(step: Step) -> tuple[Ref, ...]:
    """The earlier steps a step rests on, in order of mention."""
    match step:
        case Find(anchor, _, restrictions):
            found = [anchor] if isinstance(anchor, Ref) else []
        case Keep(source, anchor, _, restrictions):
            found = [source] + ([anchor] if isinstance(anchor, Ref) else [])
        case Pick(source=source):
            return (source, *_test_refs(step.tests))
        case Merge(sources):
            return sources
        case Oftenest(source) | Count(source) | Check(source) | Amount(source) | Tally(source):
            return (source,)
    for r in restrictions:
        found.extend(_test_refs(r.tests))
    return tuple(found)


def _test_refs(tests: tuple[Test, ...]) -> list[Ref]:
    return [t.value for t in tests if isinstance(t, Is | IsNot | Than) and isinstance(t.value, Ref)]


def _query(steps: tuple[Step, ...], guards: Guards) -> Query:
    try:
        return _written(steps, guards)
    except QueryError as e:
        raise DecompositionError(e.reason) from None
    except RecursionError:
        raise DecompositionError(f"{len(steps)} steps rest on each other too deeply") from None


def _written(steps: tuple[Step, ...], guards: Guards) -> Query:
    if not steps:
        raise DecompositionError("there are no steps to put together")
    for i, step in enumerate(steps, 1):
        for ref in references(step):
            if not 1 <= ref.step < i:
                raise DecompositionError(f"step {i} refers to step {ref.step}, which does not come before it")
    last = steps[-1]
    builder = _Builder(steps, each=guards.each)
    order: Order | None = None
    key: Var | None = None
    match last:
        case Pick():
            select, order = builder.picked(last)
        case Tally():
            return _tallied(last, builder, guards)
        case Amount(source, path):
            select, key = builder.measured(source, path)
        case Count(source) | Check(source):
            select = builder.answer(source.step)
        case _:
            select = builder.answer(len(steps))
    if guards.apart:
        builder.keep_apart(select)
    if guards.english:
        builder.add(InEnglish(select))
    body = builder.written()
    match last:
        case Check():
            return Query(next(variables(body)), body, form="ask")
        case Count():
            return Query(select, body, form="count", distinct=guards.distinct)
        case Amount(function=function):
            return Query(select, body, form=function, value=key)
    return Query(select, body, order, distinct=guards.distinct)


def _tallied(step: Tally, builder: _Builder, guards: Guards) -> Query:
    """A tally or, with the values themselves, a table."""
    measured = step.measure not in ("count", "values")
    if bool(step.value) != (step.measure != "count") or (step.rising and not measured):
        raise DecompositionError("a tally counts, or measures what a path leads to, in order of that only")
    if step.measure == "values":
        if step.path or step.limit is not None:
            raise DecompositionError("values stand beside every answer, not beside some other thing")
        select, key = builder.answer(step.source.step), None
    else:
        select, key = builder.measured(step.source, step.path)
    if guards.apart:
        builder.keep_apart(select)
    if guards.english:
        builder.add(InEnglish(key or select))
    if key is None:
        value, maybe = builder.maybe(select, step.value, guards.english)
        return Query(select, (*builder.written(), maybe), form="table", value=value)
    if step.measure == "count" or step.measure == "values":
        return Query(key, builder.written(), form="tally", limit=step.limit, value=select)
    _, number = builder.measured(step.source, step.value)
    return Query(
        key, builder.written(), form="tally", limit=step.limit, value=select,
        measure=step.measure, number=number, rising=step.rising,
    )  # fmt: skip


@dataclass
class _Names:
    count: int = 0

    def fresh(self) -> Var:
        self.count += 1
        return Var("x" if self.count == 1 else f"x{self.count}")


@dataclass
class _Builder:
    """One group graph pattern being written. `outer`: the group around it, whose steps it sees."""

    steps: tuple[Step, ...]
    names: _Names = field(default_factory=_Names)
    outer: _Builder | None = None
    body: list[Element] = field(default_factory=list)
    done: dict[int, Var] = field(default_factory=dict)
    mediators: dict[Var, Var] = field(default_factory=dict)
    found_from: dict[Var, Term] = field(default_factory=dict)
    merged: dict[Var, tuple[Union, list[_Builder]]] = field(default_factory=dict)
    links: set[tuple[Term, Path, Term]] = field(default_factory=set)
    open_ends: dict[tuple[Var, Path], Var] = field(default_factory=dict)
    """What a step that starts from anything starts from, by its answer and the path back."""
    each: bool = False

    def add(self, e: Element) -> None:
        if e not in self.body:
            self.body.append(e)

    def written(self) -> Body:
        """What was added; what is counted stands last."""
        return tuple(sorted(self.body, key=lambda e: isinstance(e, Counted)))

    def inner(self, sees_outer: bool) -> _Builder:
        return _Builder(self.steps, self.names, self if sees_outer else None, each=self.each)

    def seen(self, number: int) -> Var | None:
        return self.done.get(number) or (self.outer.seen(number) if self.outer else None)

    def mediator_of(self, v: Var) -> Var | None:
        return self.mediators.get(v) or (self.outer.mediator_of(v) if self.outer else None)

    def keep_apart(self, var: Var) -> None:
        """Leave out what `var` was found from; where that is either of several, in the branch of each."""
        root = self.found_from.get(var)
        if isinstance(root, Var | Iri):
            self.add(Differ(var, root))
        elif root is None and var in self.merged:
            union, groups = self.merged[var]
            for group in groups:
                group.keep_apart(var)
            self.body[self.body.index(union)] = Union(tuple(g.written() for g in groups))

    # --- steps

    def answer(self, number: int, into: Var | None = None) -> Var:
        """The variable of a step's answers; writes its patterns if they are not there yet."""
        known = self.seen(number)
        if known is not None and into is None:
            return known
        var = self._write(self.steps[number - 1], into)
        self.done[number] = var
        return var

    def _write(self, step: Step, into: Var | None) -> Var:
        match step:
            case Find(anchor, path, restrictions):
                if not path:
                    raise DecompositionError("a step that starts somewhere needs a path to its answers")
                if isinstance(anchor, Anything):
                    var = into or self.names.fresh()
                    start: Term = self._open(path, var)
                else:
                    start = self._term(anchor)
                    var = into or self._opened(start, path) or self.names.fresh()
                mediator = self._link(start, path, var)
                if mediator is not None:
                    self.mediators[var] = mediator
                if not isinstance(anchor, Anything):
                    self.found_from.setdefault(var, start)
                self._restrict(var, mediator, restrictions)
                return var
            case Keep(source, anchor, path, restrictions):
                return self._keep(source, anchor, path, restrictions, into)
            case Merge(sources):
                return self._merge(sources, into)
            case Oftenest(source):
                var = into or self.names.fresh()
                group = self.inner(False)
                group.answer(source.step, var)
                self.add(MostFrequent(var, group.written()))
                return var
            case Pick():
                return self._nested(step, into)
            case Count() | Check() | Amount() | Tally():
                raise DecompositionError("a number of answers, or yes and no, has no further steps")

    def _term(self, anchor: Iri | Literal | Ref) -> Term:
        return self.answer(anchor.step) if isinstance(anchor, Ref) else anchor

    def _open(self, path: Path, var: Var) -> Var:
        """A start that may be anything; what is said of the way back first is said of it."""
        start = self.names.fresh()
        self.open_ends[var, reverse(path)] = start
        return start

    def _opened(self, node: Term, path: Path) -> Var | None:
        return self.open_ends.pop((node, path), None) if isinstance(node, Var) else None

    def _keep(
        self,
        source: Ref,
        anchor: Anchor | None,
        path: Path,
        restrictions: tuple[Restriction, ...],
        into: Var | None,
    ) -> Var:
        var = self.answer(source.step, into)
        mediator = None
        match anchor:
            case None:
                if path:
                    raise DecompositionError("a path without a start")
            case Anything() if path:
                mediator = self._link(self._open(path, var), path, var)
            case Iri() | Literal() | Ref() if path:
                mediator = self._link(self._term(anchor), path, var)
            case Ref(step):
                self._same(var, step)
            case Iri() | Literal():
                self.add(equals(var, anchor))
            case Anything():
                raise DecompositionError("[anything] without a path")
        self._restrict(var, mediator or self.mediator_of(var), restrictions)
        return var

    def _same(self, var: Var, number: int) -> None:
        """The answers of another step under this variable."""
        if self.seen(number) is not None:
            raise DecompositionError(f"step {number} is compared with what was found from it")
        self.answer(number, var)

    def _link(self, start: Term, path: Path, end: Term) -> Var | None:
        key = (start, path, end)
        if key in self.links or (end, tuple(h.reversed for h in reversed(path)), start) in self.links:
            return None
        self.links.add(key)
        mediator = self._chain(start, path, end)
        self._no_return(start, path, end)
        return mediator

    def _no_return(self, start: Term, path: Path, end: Term) -> None:
        """Keep the two ends of a path through a node in between apart, where all are to be."""
        if not self.each or len(path) < 2 or start == end:
            return
        if isinstance(end, Var) and not isinstance(start, Literal):
            self.add(Differ(end, start))
        elif isinstance(start, Var) and isinstance(end, Iri):
            self.add(Differ(start, end))

    def _chain(self, start: Term, path: Path, end: Term) -> Var | None:
        """The triples from `start` along `path` to `end`; returns the node in between."""
        points: list[Term] = [start, *(self.names.fresh() for _ in path[1:]), end]
        for hop, a, b in zip(path, points, points[1:], strict=False):
            self._triple(hop, a, b)
        middle = points[1] if len(path) > 1 else None
        return middle if isinstance(middle, Var) else None

    def _merge(self, sources: tuple[Ref, ...], into: Var | None) -> Var:
        if not sources:
            raise DecompositionError("the answers of any of no steps")
        if len(sources) == 1:
            return self.answer(sources[0].step, into)
        var = into or self.names.fresh()
        shared = set.intersection(*(self._closure(s.step) for s in sources)) - {s.step for s in sources}
        for number in sorted(shared):
            self.answer(number)
        groups = [self.inner(True) for _ in sources]
        for s, group in zip(sources, groups, strict=True):
            group.answer(s.step, var)
        union = Union(tuple(g.written() for g in groups))
        self.merged[var] = union, groups
        self.add(union)
        return var

    def _closure(self, number: int) -> set[int]:
        out = {number}
        for ref in references(self.steps[number - 1]):
            out |= self._closure(ref.step)
        return out

    # --- superlatives

    def measured(self, source: Ref, path: Path) -> tuple[Var, Var]:
        """The answer variable and what the path leads to from it."""
        if not path:
            raise DecompositionError("a number of values, or a tally, needs a path to them")
        var = self.answer(source.step)
        return var, self._value_of(var, path)

    def _value_of(self, node: Var, path: Path) -> Var:
        """What a path leads to: what a step that starts from anything starts from, else a new variable."""
        opened = self._opened(node, path)
        value = opened or self.names.fresh()
        if opened is None:
            self._chain(node, path, value)
        return value

    def picked(self, pick: Pick) -> tuple[Var, Order]:
        """The answer variable and the sort key, with the key's patterns written here."""
        var = self.answer(pick.source.step)
        start = var
        if pick.site == "mediator":
            found = self.mediator_of(var)
            if found is None:
                raise DecompositionError("sorted by a value of a node in between, but the path has none")
            start = found
        key = self._value_of(start, pick.path) if pick.path else var
        for test in pick.tests:
            self._test(key, test)
        kind = Kind.STRING if pick.kind is Kind.TERM else pick.kind
        return var, Order(key, pick.descending, kind, pick.limit, pick.offset)

    def _nested(self, pick: Pick, into: Var | None) -> Var:
        group = self.inner(False)
        select, order = group.picked(pick)
        query = Query(select, group.written(), order)
        if into is None:
            self.add(query)
            return select
        target = into
        self.add(rename_query(query, lambda v: target if v == select else v))
        return target

    # --- restrictions

    def _restrict(self, var: Var, mediator: Var | None, restrictions: tuple[Restriction, ...]) -> None:
        for r in restrictions:
            if r.site == "mediator" and mediator is None:
                raise DecompositionError("a condition on a node in between, but the path has none")
            node = var if r.site == "answer" else mediator
            assert node is not None
            self._condition(node, r)

    def maybe(self, node: Var, path: Path, english: bool) -> tuple[Var, Maybe]:
        """What a path may lead to."""
        group, value = self.inner(False), self.names.fresh()
        group._chain(node, path, value)
        if english:
            group.add(InEnglish(value))
        return value, Maybe(group.written())

    def _many(self, node: Var, r: Restriction) -> None:
        """So many of what the path leads to, counted in a group of its own."""
        group = self.inner(False)
        match r.tests:
            case (Many(operator, number), Is(Ref(step)), *others):
                value = group.answer(step)
            case (Many(operator, number), *others):
                value = self.names.fresh()
            case _:
                raise DecompositionError("how many there are is said first, then of which")
        if not r.path or number < 0:
            raise DecompositionError("how many there are, none or more, is said of what a path leads to")
        group._link(node, r.path, value)
        for test in others:
            group._test(value, test)
        self.add(Counted(node, operator, number, value, group.written()))

    def _condition(self, node: Var, r: Restriction) -> None:
        if any(isinstance(t, Many) for t in r.tests):
            self._many(node, r)
            return
        first = node
        *way, last = r.path or (None,)
        for hop in way:
            assert hop is not None
            step = self.names.fresh()
            self._triple(hop, node, step)
            node = step
        if not r.tests:
            raise DecompositionError("a condition that asks for nothing")
        match last, r.tests:
            case None, tests:
                for test in tests:
                    self._test(node, test)
            case Hop() as hop, (Is(value),):
                end = self._term(value)
                self._triple(hop, node, end)
                self._no_return(first, r.path, end)
            case Hop(predicate, False), (OpenThan(op, bound, kind),):
                self.add(OpenBound(node, predicate, op, operand(bound, kind), kind))
            case Hop(_, True), (Lacks(Literal()),):
                raise DecompositionError("a number, date or text leads nowhere")
            case Hop(predicate, inverse), (Lacks(value),):
                self.add(Absent(node, predicate, value, inverse))
            case Hop() as hop, tests:
                opened = self._opened(node, r.path)
                value_of = opened or self.names.fresh()
                if opened is None:
                    self._triple(hop, node, value_of)
                for test in tests:
                    self._test(value_of, test)

    def _test(self, v: Var, test: Test) -> None:
        match test:
            case Is(Ref() as ref):
                self.add(Compare(v, "=", self._other(v, ref), Kind.VALUE))
            case Is((Iri() | Literal()) as value):
                self.add(equals(v, value))
            case IsNot(Ref() as ref):
                self.add(Differ(v, self._other(v, ref)))
            case IsNot((Iri() | Literal()) as value):
                self.add(equals(v, value, "!="))
            case Than():
                self._than(v, test)
            case Among(values):
                if not values:
                    raise DecompositionError("one of nothing")
                self.add(OneOf(v, tuple(sorted(set(values), key=repr))))
            case HasText(part, text):
                self.add(Spelt(v, part, text.lower()))
            case Exists():
                pass
            case OpenThan() | Lacks() | Many():
                raise DecompositionError(
                    "an open bound, a lack or a number is said of a predicate's own values"
                )

    def _than(self, v: Var, test: Than) -> None:
        match test.value, test.kind:
            case Ref() as ref, Kind.TERM | Kind.VALUE:
                other = self._other(v, ref)
                differ = test.operator == "!="
                self.add(Differ(v, other) if differ else Compare(v, test.operator, other, Kind.VALUE))
            case Ref() as ref, kind:
                self.add(Compare(v, test.operator, self._other(v, ref), kind))
            case Literal() as value, Kind.TERM | Kind.VALUE:
                self.add(equals(v, value, test.operator))
            case Literal() as value, kind:
                self.add(Compare(v, test.operator, operand(value, kind), kind))

    def _other(self, v: Var, ref: Ref) -> Var:
        found = self.answer(ref.step)
        if found == v:
            raise DecompositionError(f"the answers of step {ref.step} are compared with themselves")
        return found

    def _triple(self, hop: Hop, a: Term, b: Term) -> None:
        s, o = (b, a) if hop.inverse else (a, b)
        for e in pattern(s, hop.predicate, o, self.names.fresh):
            self.add(e)
