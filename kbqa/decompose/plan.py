"""`Query` -> Steps, in an order in which a person would ask them.

From the answer variable the planner walks towards the constants: what it finds at the far end is
asked first ('the country that contains ...'), then what hangs on it, up to the answer. Further
links of a node narrow it ('Of these, which ...'); sorting comes last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from kbqa.decompose.graph import Graph, Link, chain_of, constant_test, turned
from kbqa.decompose.recompose import recompose, references
from kbqa.errors import DecompositionError
from kbqa.sparql import same
from kbqa.sparql.canonical import inlined
from kbqa.sparql.walk import variables
from kbqa.types import (
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
    Find,
    Guards,
    InEnglish,
    Is,
    IsNot,
    Keep,
    Many,
    Maybe,
    Mediators,
    Merge,
    MostFrequent,
    Oftenest,
    Order,
    Path,
    Pick,
    Query,
    Ref,
    Restriction,
    Site,
    Step,
    Tally,
    Term,
    Test,
    Than,
    Triple,
    Union,
    Var,
    reverse,
)

_MOST_PARTS = 100


def decompose(query: Query, mediators: Mediators = Mediators()) -> Decomposition:
    """Steps whose recomposition is the query again, up to variable names and order.

    Raises `DecompositionError` with the reason where that can't be reached.
    """
    if len(query.body) > _MOST_PARTS:
        raise DecompositionError(f"{len(query.body)} patterns and filters, more than {_MOST_PARTS}")
    reasons: list[str] = []
    for vocabulary in (mediators, Mediators()) if mediators != Mediators() else (mediators,):
        try:
            found = _attempt(inlined(query), vocabulary)
            if same(recompose(found), query):
                return _habitual(found, query, vocabulary)
        except DecompositionError as e:
            reasons.append(str(e))
            continue
        except RecursionError:
            reasons.append("the patterns are nested too deeply")
            continue
        reasons.append("the steps do not hold every part of the query")
    raise DecompositionError(reasons[0])


def _habitual(found: Decomposition, query: Query, mediators: Mediators) -> Decomposition:
    """The same without steps that only keep apart what the guard `each` keeps apart."""
    if not any(isinstance(e, Differ) for e in query.body) or "IsNot(" not in repr(found.steps):
        return found
    plain = replace(query, body=tuple(e for e in query.body if not isinstance(e, Differ)))
    try:
        steps = _attempt(inlined(plain), mediators).steps
    except DecompositionError:
        return found
    for apart in (True, False):
        other = Decomposition(steps, replace(found.guards, apart=apart, each=True))
        if same(recompose(other), query):
            return other
    return found


def _attempt(query: Query, mediators: Mediators) -> Decomposition:
    if query.limit is not None and query.form != "tally":
        raise DecompositionError("LIMIT without ORDER BY picks answers at random")
    english = InEnglish(query.select)
    body = tuple(e for e in query.body if e != english and not isinstance(e, Maybe))
    for e in body:
        if isinstance(e, InEnglish):
            raise DecompositionError(
                f"a language filter on ?{e.var.name}, which is not the plain one on the answer"
            )
    if query.value is None or query.form == "table":
        plan = _Plan(body, query.select, query.order, mediators)
    elif query.form == "tally":
        keys = (query.select, *((query.number,) if query.number else ()))
        plan = _Plan(body, query.value, None, mediators, keys=keys)
    else:
        plan = _Plan(body, query.select, None, mediators, keys=(query.value,))
    steps = plan.run()
    last = Ref(len(steps))
    match query.form:
        case "count":
            steps = (*steps, Count(last))
        case "ask":
            steps = (*steps, Check(last))
        case "average" | "sum":
            assert query.value is not None
            steps = (*steps, Amount(last, plan.path_to(query.value), query.form))
        case "tally":
            value = plan.path_to(query.number) if query.number else ()
            group = plan.path_to(query.select)
            steps = (*steps, Tally(last, group, query.limit, query.measure, value, query.rising))
        case "table":
            steps = (*steps, Tally(last, (), None, "values", _beside(query)))
        case "select":
            pass
    return Decomposition(steps, Guards(english in query.body, plan.apart, query.distinct))


def _beside(query: Query) -> Path:
    """What is shown beside the answers of a table."""
    assert query.value is not None
    (maybe,) = (e for e in query.body if isinstance(e, Maybe))
    path = chain_of(tuple(e for e in maybe.body if e != InEnglish(query.value)), query.select, query.value)
    if path is None:
        raise DecompositionError("an OPTIONAL that is more than one or two predicates from the answer")
    return path


class _Plan:
    """One walk over one query (or branch of a union). `known` variables were asked before."""

    def __init__(
        self,
        body: Body,
        select: Var,
        order: Order | None,
        mediators: Mediators,
        known: dict[Var, Ref] | None = None,
        steps: list[Step] | None = None,
        *,
        keys: tuple[Var, ...] = (),
    ) -> None:
        self.select, self.order, self.vocabulary = select, order, mediators
        self.keys = (order.var,) if order else keys
        self.steps: list[Step] = [] if steps is None else steps
        self.known: dict[Var, Ref] = dict(known or {})
        self.unions = [e for e in body if isinstance(e, Union)]
        self.parts = [e for e in body if isinstance(e, MostFrequent | Query)]
        self.counts = [e for e in body if isinstance(e, Counted)]
        inside = {v for e in (*self.unions, *self.parts) for v in _interface(e)}
        proper = {select} | set(self.known) | (inside & _outer(body)) | {e.var for e in self.counts}
        self.graph = Graph.of(body, mediators, select, proper, self.keys)
        self.graph.refs = self.known
        self.done: set[tuple[Term, Path, Term, Var | None]] = set()
        self.walking: set[Term] = set()
        self.apart = False
        self.drops = True
        self._differs = [e for e in body if isinstance(e, Differ)]
        self._pairs = [e for e in body if isinstance(e, Compare) and isinstance(e.right, Var)]

    def run(self, apart: bool = True) -> tuple[Step, ...]:
        """`apart`: whether a filter that leaves the anchor out is a habit and not asked about."""
        self.drops = apart
        habit = self._anchor_left_out() if apart else None
        if habit is not None:
            self.graph.filters[habit.left].remove(habit)
            self._differs.remove(habit)
            self.apart = True
        self.solve(self.select)
        for node in self.graph.nodes():
            if node not in self.known and not self._is_ordered_value(node):
                self.solve(node)
        self._close_loops()
        self._pairwise()
        for node in self.graph.nodes():
            self._connect(node)
        if self.order:
            self._pick(self.order)
        elif self._last() != self.select:
            self._add(Keep(self.known[self.select]), self.select)
        return tuple(self.steps)

    # --- helpers

    def _add(self, step: Step, about: Var) -> Ref:
        self.steps.append(step)
        ref = Ref(len(self.steps))
        self.known[about] = ref
        self._latest = about
        return ref

    def _last(self) -> Var | None:
        return getattr(self, "_latest", None)

    def _is_ordered_value(self, node: Var) -> bool:
        return node in self.keys

    def _skipped(self) -> frozenset[Var]:
        return frozenset(self.keys)

    def _anchor_left_out(self) -> Differ | None:
        """FILTER (?answer != its anchor), where there is one."""
        links = self._ordered_links(self.select, frozenset())
        anchor = links[0].there if links else None
        for f in self._differs:
            ends = {f.left, f.right}
            if self.select in ends and anchor in ends and anchor != self.select:
                return f
        return None

    def _leaves_anchor_out(self) -> bool:
        """Whether it does so itself, or each branch of the union that finds the answer."""
        if self._anchor_left_out():
            return True
        unions = [u for u in self.unions if self.select in _interface(u)]
        return len(unions) == 1 and all(
            p._leaves_anchor_out() for p in self._branches(unions[0], self.select, self.known)
        )

    def _branches(self, union: Union, v: Var, known: dict[Var, Ref]) -> list[_Plan]:
        return [_Plan(b, v, None, self.vocabulary, known, self.steps) for b in union.branches]

    # --- walking

    def _reaches_constant(self, start: Term, blocked: Collection[Term]) -> bool:
        """Whether some way from `start`, past nothing blocked, leads to something known."""
        seen, waiting = set(blocked), [start]
        while waiting:
            t = waiting.pop()
            if not isinstance(t, Var) or t in self.known:
                return True
            if any(t in _interface(e) for e in (*self.unions, *self.parts)):
                return True
            seen.add(t)
            waiting += [link.there for link in self.graph.links(t) if link.there not in seen]
        return False

    def _ordered_links(self, v: Var, blocked: frozenset[Term]) -> list[Link]:
        """Links that lead to something known, the one to sort by first, else in text order."""
        found = [
            link
            for link in self.graph.links(v)
            if link.key not in self.done and link.there not in blocked
            if self._reaches_constant(link.there, blocked | {v})
        ]
        return sorted(found, key=lambda link: not self._holds_key(link))

    def _holds_key(self, link: Link) -> bool:
        edges = self.graph.edges.get(link.mediator, []) if link.mediator else []
        return any(e.other in self.keys for e in edges)

    def solve(self, v: Var) -> Ref:
        """Ask for `v`, and before it for all it hangs on."""
        if v in self.known:
            return self.known[v]
        self.walking.add(v)
        started = self._start(v)
        for link in self._ordered_links(v, frozenset(self.walking)):
            if link.key in self.done:
                continue
            self._wait(v, link)
            self._walk(v, link, started)
            started = True
        if not started:
            self._wait(v)
            self._start_anywhere(v)
        self._narrow(v)
        self.walking.discard(v)
        return self.known[v]

    def _wait(self, v: Var, link: Link | None = None) -> None:
        """Ask first for what values on this node or link are compared with."""
        on_link = self.graph.awaited(link.mediator) if link and link.mediator else []
        for w in [*on_link, *self.graph.awaited(v)]:
            if w not in self.walking:
                self.solve(w)

    def _walk(self, v: Var, link: Link, started: bool) -> None:
        there = link.there
        anchor: Anchor = self.solve(there) if isinstance(there, Var) else there
        self.done.add(link.key)
        path = reverse(link.path)
        restrictions = tuple(self.graph.on_mediator(link, self._skipped()))
        if started:
            self._add(Keep(self.known[v], anchor, path, restrictions), v)
        else:
            self._add(Find(anchor, path, restrictions), v)

    def _start(self, v: Var) -> bool:
        """Start from a nested part that yields `v`, if there is one."""
        for part in [p for p in self.parts if v in _interface(p)]:
            self.parts.remove(part)
            self._part(v, part)
        for union in [u for u in self.unions if v in _interface(u)]:
            others = [w for w in _interface(union) if w != v and w in _outer_of(self)]
            if union not in self.unions or any(w in self.walking for w in others):
                continue
            self.unions.remove(union)
            self._union(v, union, others)
        return v in self.known

    def _part(self, v: Var, part: MostFrequent | Query) -> None:
        if isinstance(part, MostFrequent):
            plan = _Plan(part.body, part.var, None, self.vocabulary, steps=self.steps)
        else:
            if part.form != "select" or part.limit is not None:
                raise DecompositionError("a nested SELECT that counts or has a LIMIT without ORDER BY")
            plan = _Plan(part.body, part.select, part.order, self.vocabulary, steps=self.steps)
        plan.run()
        last = Ref(len(self.steps))
        if isinstance(part, MostFrequent):
            last = self._append(Oftenest(last))
        self._meet(v, last)

    def _append(self, step: Step) -> Ref:
        self.steps.append(step)
        return Ref(len(self.steps))

    def _meet(self, v: Var, ref: Ref) -> None:
        """`v` is what `ref` found; if it was known already, what both found."""
        if v in self.known:
            self._add(Keep(self.known[v], ref), v)
        else:
            self.known[v], self._latest = ref, v

    def _union(self, v: Var, union: Union, others: list[Var]) -> None:
        known = {w: self.solve(w) for w in others}
        ends: list[Ref] = []
        plans = self._branches(union, v, known)
        apart = self.drops and v == self.select and all(p._leaves_anchor_out() for p in plans)
        for plan in plans:
            plan.run(apart)
            ends.append(Ref(len(self.steps)))
        self.apart = self.apart or apart
        self._meet(v, self._append(Merge(tuple(ends))))

    def _start_anywhere(self, v: Var) -> None:
        """No constant leads here: from an open link, or from any value it has."""
        for link in self.graph.links(v):
            if link.there in self.walking and link.there in self.known and link.key not in self.done:
                self._walk(v, link, False)
                return
        for e in self.graph.edges.get(v, ()):
            value = self.graph.spelt_out(e.other) if e.other not in self._skipped() else None
            if value is not None:
                self.graph.edges[v].remove(e)
                self._add(Find(value, (e.hop.reversed,)), v)
                return
        for e in self.graph.edges.get(v, ()):
            if e.other not in self.walking:
                self._add(Find(Anything(), (e.hop.reversed,)), v)
                return
        raise DecompositionError(f"nothing says what ?{v.name} is")

    def _narrow(self, v: Var) -> None:
        """Conditions on values that hang on `v`: said with the step where short, else of their own."""
        self.graph.refs = self.known
        found = self.graph.on_node(v, self._skipped())
        if found:
            self._say(v, tuple(found))
        for count in [e for e in self.counts if e.var == v]:
            self.counts.remove(count)
            restriction = self._many(count)
            self._add(Keep(self.known[v], restrictions=(restriction,)), v)

    def _say(self, v: Var, found: tuple[Restriction, ...]) -> None:
        last = self.steps[-1]
        if isinstance(last, Find) and self.known[v] == Ref(len(self.steps)) and all(map(_is_short, found)):
            self.steps[-1] = replace(last, restrictions=last.restrictions + found)
        else:
            self._add(Keep(self.known[v], restrictions=found), v)

    def _many(self, count: Counted) -> Restriction:
        """So many of what a path leads to, of those of them of which tests hold, or that steps of their own
        find first."""
        many = Many(count.operator, count.number)
        said = tuple(e for e in count.body if not isinstance(e, Triple))
        tests = tuple(t for e in said if (t := constant_test(e)) is not None)
        path = chain_of(tuple(e for e in count.body if isinstance(e, Triple)), count.var, count.value)
        if path is not None and len(tests) == len(said) and {*variables(said)} <= {count.value}:
            return Restriction("answer", path, (many, *tests))
        steps = list(self.steps)
        plan = _Plan(count.body, count.value, None, self.vocabulary, steps=steps, keys=(count.var,))
        plan.run()
        asked = steps[len(self.steps) :]
        if len(asked) == 1 and asked[0] in self.steps:
            found = Ref(self.steps.index(asked[0]) + 1)
        else:
            self.steps[:] = steps
            found = Ref(len(steps))
        return Restriction("answer", reverse(plan.path_to(count.var)), (many, Is(found)))

    # --- what is left

    def _rests_on(self, ref: Ref) -> set[int]:
        """The steps that a step's answers depend on, itself among them."""
        out: set[int] = set()
        waiting = [ref.step]
        while waiting:
            number = waiting.pop()
            if number not in out:
                out.add(number)
                waiting += [r.step for r in references(self.steps[number - 1])]
        return out

    def _connect(self, node: Var) -> None:
        """What was found about `node` last must bear on the answer: carry it there link by link."""
        if node not in self.known or self.known[node].step in self._rests_on(self.known[self.select]):
            return
        for link in self._way_to_answer(node):
            here, there = link.here, link.there
            assert isinstance(here, Var) and isinstance(there, Var)
            self._add(Keep(self.known[there], self.known[here], link.path), there)

    def _way_to_answer(self, node: Var) -> list[Link]:
        """Links from `node` over known ones to the answer, the shortest way; [] if there is none."""
        ways: dict[Term, list[Link]] = {node: []}
        for v in _growing(ways):
            if v == self.select:
                return ways[v]
            for link in self.graph.links(v):
                if isinstance(link.there, Var) and link.there in self.known:
                    ways.setdefault(link.there, [*ways[v], link])
        return []

    def _close_loops(self) -> None:
        """Links between nodes that are both known by now."""
        for v in self.graph.nodes():
            for link in self.graph.links(v):
                if link.key in self.done or self._is_ordered_value(v):
                    continue
                about, other = (v, link.there) if v == self.select else (link.there, v)
                if isinstance(about, Var) and about in self.known and other in self.known:
                    path = reverse(link.path) if about == v else link.path
                    flip = link if about == v else Link(link.there, reverse(link.path), v, link.mediator)
                    restrictions = tuple(self.graph.on_mediator(flip, self._skipped()))
                    self.done.add(link.key)
                    self._add(Keep(self.known[about], self.known[other], path, restrictions), about)

    def _pairwise(self) -> None:
        """Filters between two variables that both have steps: said of the one nearer to the answer."""
        pairs: list[Compare | Differ] = [*self._differs, *self._pairs]
        for f in pairs:
            b = f.right
            if not isinstance(b, Var) or {f.left, b} & self.graph.leaves:
                continue
            if b == self.select:
                f, b = turned(f, b), f.left
            ref = self._known(b)
            test = IsNot(ref) if isinstance(f, Differ) else Than(f.operator, ref, f.kind)
            self._known(f.left)
            narrower = Keep(self.known[f.left], restrictions=(Restriction("answer", (), (test,)),))
            self._add(narrower, f.left)

    def _known(self, v: Var) -> Ref:
        if v not in self.known:
            raise DecompositionError(f"?{v.name} is compared but no step finds it")
        return self.known[v]

    # --- sorting

    def _pick(self, order: Order) -> None:
        source = self.known[self.select]
        site, path, tests = self._key(order.var)
        pick = Pick(source, site, path, order.descending, order.kind, order.limit, order.offset, tests)
        self._add(pick, self.select)

    def path_to(self, key: Var) -> Path:
        """From the answer to a value that is added up or counted by. Raises `DecompositionError`."""
        site, path, tests = self._key(key)
        if site != "answer" or not path or tests:
            raise DecompositionError(f"?{key.name} is not reached from the answers alone")
        return path

    def _key(self, key: Var) -> tuple[Site, Path, tuple[Test, ...]]:
        """Where the value to sort by hangs: on the answer, on its mediator, or on one of its own."""
        if key == self.select:
            return "answer", (), ()
        tests = self.graph.tests(key)
        for e in self.graph.edges.get(key, ()):
            node = e.other
            hop = e.hop.reversed
            if node == self.select:
                return "answer", (hop,), tests
            if isinstance(node, Var) and node in self.graph.mediators:
                for up in self.graph.edges[node]:
                    if up.other == self.select and self._is_dangling(node, key):
                        return "answer", (up.hop.reversed, hop), tests
                return "mediator", (hop,), tests
        raise DecompositionError(f"sorted by ?{key.name}, which hangs on an earlier step")

    def _is_dangling(self, mediator: Var, key: Var) -> bool:
        return all(e.other in (self.select, key) for e in self.graph.edges[mediator])


_SHORT_PREDICATES = {
    "common.topic.notable_types",
    "people.person.gender",
    "base.biblioness.bibs_location.loc_type",
    "education.educational_institution.school_type",
    "freebase.type_hints.included_types",
}


def _is_short(r: Restriction) -> bool:
    """A mere kind of thing ('whose type is ...'), said in the same breath."""
    return bool(r.path) and r.path[-1].predicate.mid in _SHORT_PREDICATES


def _interface(e: Union | MostFrequent | Counted | Query) -> set[Var]:
    """The variables that a nested part shares with the group around it."""
    match e:
        case MostFrequent(var, _) | Counted(var=var) | Query(select=var):
            return {var}
        case Union(branches):
            return {v for b in branches for v in variables(b)}


def _outer(body: Body) -> set[Var]:
    """Variables that stand outside of nested parts, or in several of them."""
    out: set[Var] = set()
    for e in body:
        if isinstance(e, Union | MostFrequent | Counted | Query):
            out.update(_interface(e))
        else:
            out.update(variables((e,)))
    return out


def _growing(ways: dict[Term, list[Link]]) -> Iterator[Term]:
    """The keys in order of insertion, those that come in meanwhile included."""
    done = 0
    while done < len(ways):
        yield list(ways)[done]
        done += 1


def _outer_of(plan: _Plan) -> Iterator[Var]:
    return iter(plan.graph.nodes())
