"""Which paths leave an entity, or the answers of a step, in a knowledge base."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from kbqa.errors import StoreError, StoreUnavailable
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES
from kbqa.kb.scan import TYPE_PREDICATES
from kbqa.sparql.portable import DATED, call, is_plain_number, show, term, text
from kbqa.types import Constant, Hop, Iri, Kind, Path, Rows, Var

Select = Callable[[str], Rows]
"""Runs a query within the time that is left. Raises `StoreError`."""

_ASIDE = frozenset((*NAME_PREDICATES, *ALIAS_PREDICATES, *TYPE_PREDICATES))
_END = Var("o")
_SORTED = {
    Kind.NUMBER: is_plain_number(_END),
    Kind.DATE: call("regex", call("str", call("datatype", ("term", _END))), text(DATED)),
}
"""What holds of a literal that can be sorted as the kind."""
_LOOKED_AT = 10
"""Answers of a step that are asked what leaves them."""
_ENDS = 200
"""Answers that a path is asked to arrive at; more are taken to be reached by any."""


class Around:
    """Paths as one knowledge base has them: one hop, or two through a mediator."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb

    def leaving(
        self, values: Sequence[Constant], select: Select, to: Sequence[Constant] = ()
    ) -> tuple[Path, ...]:
        """The paths that leave some of the values, and whose last hop arrives at some of `to`, if given;
        none where the store takes too long.

        The second hop of a pair follows the first somewhere in the knowledge base, not necessarily
        from these values. Raises `StoreUnavailable`."""
        paths = self._from(self._hops(values, _LOOKED_AT, select))
        if not 0 < len(to) <= _ENDS:
            return tuple(paths)
        ends = self._hops(to, _ENDS, select)
        return tuple(p for p in paths if p[-1].reversed in ends)

    def _hops(self, values: Sequence[Constant], most: int, select: Select) -> tuple[Hop, ...]:
        """What leaves the first `most` of the values."""
        among = _among(values, most)
        if not among:
            return ()
        out = self._rows(f"SELECT DISTINCT ?p WHERE {{ {among} ?e ?p ?o }}", select)
        into = self._rows(f"SELECT DISTINCT ?p WHERE {{ {among} ?s ?p ?e }}", select)
        hops = [*(Hop(p) for (p,) in out), *(Hop(p, True) for (p,) in into)]
        return tuple(h for h in hops if h.predicate not in _ASIDE)

    def figures(self, values: Sequence[Constant], kind: Kind, select: Select) -> tuple[Path, ...]:
        """As `leaving`, but only what leads to literals that can be sorted as `kind`."""
        among = _among(values, _LOOKED_AT)
        if not among:
            return ()
        ends = _ends(kind)
        single = self._rows(f"SELECT DISTINCT ?p WHERE {{ {among} ?e ?p ?o {ends} }}", select)
        double = self._rows(f"SELECT DISTINCT ?p ?q WHERE {{ {among} ?e ?p ?m . ?m ?q ?o {ends} }}", select)
        paths = [tuple(map(Hop, row)) for row in (*single, *double)]
        return tuple(p for p in paths if p[0].predicate not in _ASIDE and (len(p) == 1 or p in self._pairs))

    def ending(self, paths: Sequence[Path], kind: Kind, select: Select) -> tuple[Path, ...]:
        """Those of the paths whose last predicate leads to literals that can be sorted as `kind`."""
        forward = {p[-1].predicate for p in paths if not p[-1].inverse}
        among = f"VALUES ?p {{ {' '.join(map(term, sorted(forward)))} }}"
        rows = self._rows(f"SELECT DISTINCT ?p WHERE {{ {among} ?e ?p ?o {_ends(kind)} }}", select)
        known = {p for (p,) in rows}
        return tuple(p for p in paths if p[-1].predicate in known and not p[-1].inverse)

    def knows(self, predicates: Iterable[Iri]) -> bool:
        """Whether all of these predicates occur."""
        return set(predicates) <= self._kb.paths.predicates

    def siblings(self, path: Path, kind: str | None = None) -> tuple[Path, ...]:
        """Paths that differ in the last predicate, which is another of the same type (Freebase's
        names: `film.film.written_by`, `film.film.story_by`). `kind`: the single predicates of that
        type, whatever the path is."""
        if kind is not None:
            return tuple((Hop(p),) for p in self._kin.get(kind, ()))
        last = path[-1]
        return tuple((*path[:-1], Hop(p, last.inverse)) for p in self._kin.get(_kind(last.predicate), ()))

    def _from(self, hops: Iterable[Hop]) -> Iterable[Path]:
        for hop in hops:
            onward = self._onward.get(hop, ())
            if not onward or (hop,) in self._kb.lexicon.wordings:
                yield (hop,)
            yield from ((hop, second) for second in onward)

    def _rows(self, query: str, select: Select) -> list[tuple[Iri, ...]]:
        try:
            rows = select(query).rows
        except StoreUnavailable:
            raise
        except StoreError:
            return []
        return [tuple(p for p in row if isinstance(p, Iri)) for row in rows]

    @property
    def _pairs(self) -> frozenset[Path]:
        return self._kb.paths.pairs

    @cached_property
    def _onward(self) -> Mapping[Hop, tuple[Hop, ...]]:
        """First hop of a path through a mediator -> its second hops."""
        found: dict[Hop, list[Hop]] = {}
        for first, second in sorted(self._kb.paths.pairs):
            found.setdefault(first, []).append(second)
        return {first: tuple(seconds) for first, seconds in found.items()}

    @cached_property
    def _kin(self) -> Mapping[str, tuple[Iri, ...]]:
        found: dict[str, list[Iri]] = {}
        for predicate in sorted(self._kb.paths.predicates - _ASIDE):
            if kind := _kind(predicate):
                found.setdefault(kind, []).append(predicate)
        return {kind: tuple(predicates) for kind, predicates in found.items()}


def _ends(kind: Kind) -> str:
    """The condition on ?o as a literal that can be sorted so."""
    return f"FILTER ({show(_SORTED.get(kind, call('isliteral', ('term', _END))))})"


def _among(values: Sequence[Constant], most: int) -> str:
    """The first of the values as those of ?e; '' where there are none that can be named."""
    asked = [v for v in values if not (isinstance(v, Iri) and v.value.startswith("_:"))][:most]
    return f"VALUES ?e {{ {' '.join(map(term, asked))} }}" if asked else ""


def _kind(predicate: Iri) -> str:
    """The type that a Freebase predicate names; '' for others."""
    return predicate.mid.rpartition(".")[0] if predicate.mid != predicate.value else ""
