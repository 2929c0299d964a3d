"""The query as a graph: proper variables and constants joined by links.

Mediators (CVTs, reified nodes) and values that are only compared are no nodes of their own: a
mediator lies inside a link, a value hangs on the node or mediator that has it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kbqa.sparql.portable import literal_kind
from kbqa.types import (
    Absent,
    Among,
    Body,
    Compare,
    Differ,
    Exists,
    HasText,
    Hop,
    Iri,
    Is,
    IsNot,
    Lacks,
    Literal,
    Mediators,
    OneOf,
    OpenBound,
    OpenThan,
    Operator,
    Path,
    Ref,
    Restriction,
    Site,
    Spelt,
    Term,
    Test,
    Than,
    Triple,
    Var,
    reverse,
)


@dataclass(frozen=True, slots=True)
class Edge:
    """One triple seen from `node`: `hop` leads from it to `other`."""

    node: Term
    hop: Hop
    other: Term


@dataclass(frozen=True, slots=True)
class Link:
    """`path` leads from `here` to `there`, directly or through `mediator`."""

    here: Term
    path: Path
    there: Term
    mediator: Var | None = None

    @property
    def key(self) -> tuple[Term, Path, Term, Var | None]:
        """The same for both directions of one link."""
        if repr(self.here) <= repr(self.there):
            return self.here, self.path, self.there, self.mediator
        return self.there, reverse(self.path), self.here, self.mediator


@dataclass
class Graph:
    """A body's triples and filters, sorted by what they are about."""

    edges: dict[Term, list[Edge]] = field(default_factory=dict)
    filters: dict[Var, list[Compare | Differ | OneOf | OpenBound | Absent | Spelt]] = field(
        default_factory=dict
    )
    mediators: set[Var] = field(default_factory=set)
    leaves: set[Var] = field(default_factory=set)
    refs: dict[Var, Ref] = field(default_factory=dict)

    @classmethod
    def of(
        cls, body: Body, mediators: Mediators, answer: Var, proper: set[Var], keys: tuple[Var, ...]
    ) -> Graph:
        """`proper` variables stay nodes whatever they look like; `keys` are sorted or grouped by."""
        g = cls()
        for e in body:
            match e:
                case Triple(s, p, o):
                    g.edges.setdefault(s, []).append(Edge(s, Hop(p), o))
                    g.edges.setdefault(o, []).append(Edge(o, Hop(p, True), s))
                case Compare(left=v) | Differ(left=v) | OneOf(var=v) | Spelt(var=v):
                    g.filters.setdefault(v, []).append(e)
                case OpenBound(subject=v) | Absent(subject=v):
                    g.filters.setdefault(v, []).append(e)
                case _:
                    pass
        g.leaves = {v for v in g.variables() if v not in proper and g._is_value(v)}
        paired = g._settle_pairs(answer, keys)
        g._find_mediators(mediators, proper | paired, keys)
        g._demote()
        return g

    def _is_value(self, v: Var) -> bool:
        """Whether a variable is nothing but the object of one triple."""
        edges = self.edges[v]
        return len(edges) == 1 and edges[0].hop.inverse

    def _settle_pairs(self, answer: Var, keys: tuple[Var, ...]) -> set[Var]:
        """Of two values that are compared, one becomes a node with a step of its own: the one that
        lies further from the answer (never a sort key). The comparison is kept at the other.
        Returns all compared variables that are nodes."""
        distance = self._distances(answer)
        far = len(self.edges) + 1
        pairs = [
            (f, f.right)
            for fs in self.filters.values()
            for f in fs
            if isinstance(f, Compare | Differ) and isinstance(f.right, Var)
        ]
        for f, right in pairs:
            a, b = sorted((right, f.left), key=lambda v: -1 if v in keys else distance.get(v, far))
            if a in self.leaves and (b == answer or distance.get(b, far) < distance.get(a, far)):
                a, b = b, a
            self.leaves.discard(b)
            if right in self.leaves and f.left not in self.leaves:
                self.filters[f.left].remove(f)
                self.filters.setdefault(right, []).append(turned(f, right))
        ends = {v for f, right in pairs for v in (f.left, right)}
        return ends - self.leaves

    def _distances(self, start: Var) -> dict[Term, int]:
        """How many triples lie between `start` and the other variables, constants being no way."""
        found: dict[Term, int] = {start: 0}
        waiting: list[Term] = [start]
        for t in waiting:
            for e in self.edges.get(t, ()):
                if isinstance(e.other, Var) and e.other not in found:
                    found[e.other] = found[t] + 1
                    waiting.append(e.other)
        return found

    def _find_mediators(self, mediators: Mediators, nodes: set[Var], keys: tuple[Var, ...]) -> None:
        for v in self.variables():
            if v in nodes or v in self.leaves or v in keys:
                continue
            out = [e.hop.predicate for e in self.edges[v] if not e.hop.inverse]
            into = [e.hop.predicate for e in self.edges[v] if e.hop.inverse]
            filters = self.filters.get(v, ())
            leads_to_key = len(out) == len(into) == 1 and any(e.other in keys for e in self.edges[v])
            only_terms = all(isinstance(f, OpenBound | Absent) for f in filters)
            if (only_terms and mediators.has(out, into)) or (leads_to_key and not filters):
                self.mediators.add(v)

    def _demote(self) -> None:
        """A mediator that ties three variables, one inside another, and one that is found from a
        constant and has two values with steps of their own become nodes."""
        for m in sorted(self.mediators):
            others = [e.other for e in self.edges[m]]
            nodes = [o for o in others if isinstance(o, Var) and o not in self.leaves]
            loose = [o for o in others if isinstance(o, Var) and o in self.leaves]
            constants = [o for o in others if not isinstance(o, Var)]
            dangling = len(nodes) == 1 and not constants and len(loose) + len(self.filters.get(m, ())) != 1
            inside = any(o in self.mediators for o in nodes)
            forked = bool(constants) and sum(isinstance(o, Var) and self._is_value(o) for o in nodes) > 1
            if forked or len(nodes) > 2 or len(set(nodes)) < len(nodes) or not nodes or inside or dangling:
                self.mediators.discard(m)

    def variables(self) -> list[Var]:
        return [v for v in self.edges if isinstance(v, Var)]

    def nodes(self) -> list[Var]:
        return [v for v in self.variables() if v not in self.mediators and v not in self.leaves]

    # --- links

    def links(self, v: Term) -> list[Link]:
        """The links of a node, in the order of the query text."""
        out: list[Link] = []
        for e in self.edges.get(v, ()):
            if e.other in self.leaves:
                continue
            if e.other in self.mediators:
                far = self._across(e)
                if far is not None:
                    out.append(far)
            else:
                out.append(Link(v, (e.hop,), e.other))
        return out

    def _across(self, e: Edge) -> Link | None:
        m = e.other
        assert isinstance(m, Var)
        rest = [f for f in self.edges[m] if f.other != e.node and f.other not in self.leaves]
        variables = [f for f in rest if isinstance(f.other, Var)]
        constants = sorted(
            (f for f in rest if not isinstance(f.other, Var)),
            key=lambda f: (not f.hop.inverse, not isinstance(f.other, Iri)),
        )
        chosen = variables or constants
        return Link(e.node, (e.hop, chosen[0].hop), chosen[0].other, m) if chosen else None

    def spelt_out(self, t: Term) -> Literal | None:
        """The literal that a value is, if all that is said of it is that it equals that literal."""
        match self.filters.get(t) if isinstance(t, Var) and t in self.leaves else None:
            case [Compare(_, "=", Literal() as value, kind)] if literal_kind(value) is kind:
                return value
        return None

    # --- restrictions

    def tests(self, v: Var) -> tuple[Test, ...]:
        """What a value's own filters say, against constants and against steps already asked."""
        return tuple(t for f in self.filters.get(v, ()) if (t := self._test(f)) is not None)

    def _test(self, f: object) -> Test | None:
        match f:
            case Compare(_, op, Var() as right, kind) if right in self.refs:
                return Than(op, self.refs[right], kind)
            case Differ(_, Var() as right) if right in self.refs:
                return IsNot(self.refs[right])
        return constant_test(f)

    def awaited(self, v: Var) -> list[Var]:
        """Variables that must be known before the values hanging on `v` can be tested."""
        hanging = [e.other for e in self.edges.get(v, ()) if e.other in self.leaves]
        return [
            f.right
            for leaf in hanging
            for f in self.filters.get(leaf, ())
            if isinstance(f, Compare | Differ) and isinstance(f.right, Var) and f.right not in self.refs
        ]

    def on_mediator(self, link: Link, skip: frozenset[Var]) -> list[Restriction]:
        """Conditions on a link's mediator, beside its two ends. `skip`: values used elsewhere."""
        m = link.mediator
        if m is None:
            return []
        ends = {link.here, link.there}
        out = [
            Restriction("mediator", (e.hop,), self._value(e.other))
            for e in self.edges[m]
            if e.other not in ends and e.other not in skip
        ]
        return out + self._terms(m, "mediator")

    def on_node(self, v: Var, skip: frozenset[Var]) -> list[Restriction]:
        """Conditions on values that hang on a node, directly or on a dangling mediator."""
        out: list[Restriction] = []
        for e in self.edges.get(v, ()):
            if e.other in self.leaves and e.other not in skip:
                out.append(Restriction("answer", (e.hop,), self._value(e.other)))
            elif e.other in self.mediators and self._across(e) is None:
                out.extend(self._dangling(e, skip))
        own = tuple(t for f in self.filters.get(v, ()) if (t := constant_test(f)) is not None)
        out += [Restriction("answer", (), (t,)) for t in own]
        return out + self._terms(v, "answer")

    def _dangling(self, e: Edge, skip: frozenset[Var]) -> list[Restriction]:
        assert isinstance(e.other, Var)
        out = [
            Restriction("answer", (e.hop, f.hop), self._value(f.other))
            for f in self.edges[e.other]
            if f.other != e.node and f.other not in skip
        ]
        for r in self._terms(e.other, "answer"):
            out.append(Restriction("answer", (e.hop, *r.path), r.tests))
        return out

    def _value(self, t: Term) -> tuple[Test, ...]:
        if isinstance(t, Var):
            return self.tests(t) or (Exists(),)
        return (Is(t),)

    def _terms(self, v: Var, site: Site) -> list[Restriction]:
        out: list[Restriction] = []
        for f in self.filters.get(v, ()):
            match f:
                case OpenBound(_, p, op, bound, kind):
                    out.append(Restriction(site, (Hop(p),), (OpenThan(op, bound, kind),)))
                case Absent(_, p, value, inverse):
                    out.append(Restriction(site, (Hop(p, inverse),), (Lacks(value),)))
                case _:
                    pass
        return out


def chain_of(body: Body, start: Var, end: Var) -> Path | None:
    """The path from `start` to `end`, where a body says nothing else; None where it does."""
    left = [e for e in body if isinstance(e, Triple)]
    if len(left) < len(body):
        return None
    here: Term = start
    path: list[Hop] = []
    while left:
        ways = [(t, Hop(t.predicate, t.object == here)) for t in left if here in (t.subject, t.object)]
        if len(ways) != 1:
            return None
        t, hop = ways[0]
        left.remove(t)
        here = t.subject if hop.inverse else t.object
        path.append(hop)
        if not isinstance(here, Var) or (here == end) != (not left):
            return None
    return tuple(path) if 0 < len(path) < 3 else None


MIRROR: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def turned(f: Compare | Differ, left: Var) -> Compare | Differ:
    """The same condition with its right-hand variable on the left."""
    if isinstance(f, Differ):
        return Differ(left, f.left)
    return Compare(left, MIRROR[f.operator], f.left, f.kind)


def constant_test(f: object) -> Test | None:
    """A filter of a variable against a constant, as a test of its value."""
    match f:
        case Compare(_, op, Literal() as value, kind):
            return Than(op, value, kind)
        case Compare(_, "=", Iri() as value, _):
            return Is(value)
        case Differ(_, (Iri() | Literal()) as value):
            return IsNot(value)
        case OneOf(_, values):
            return Among(values)
        case Spelt(_, part, text):
            return HasText(part, text)
    return None
