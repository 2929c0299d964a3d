"""What the dialogue needs from its tools; back ends and test doubles have these signatures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from kbqa.types import Constant, Iri, Rows

_EXACT = 0.9
"""Candidates of at least this score bear the very name."""


class Store(Protocol):
    """A read-only triple store.

    `select` runs a SPARQL 1.1 SELECT (or ASK: one row, variable 'ask', xsd:boolean). `bindings`
    fix variables to values without formatting them into the text. Raises `QueryError`
    (malformed or refused), `StoreTimeout` (stopped at the time limit, in seconds) or
    `StoreUnavailable`. More than `row_limit` rows: `Rows.cut` is True.
    """

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a mention may mean. `score` in 0..1, higher is better; `types` are IRIs."""

    entity: Iri
    label: str
    matched: str
    score: float
    types: tuple[Iri, ...] = ()
    degree: int = 0

    @property
    def exact(self) -> bool:
        """Whether it bears the very name that stands in the question."""
        return self.score >= _EXACT


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of the question ([start, end) in characters) with its candidates, best first."""

    start: int
    end: int
    text: str
    candidates: tuple[Candidate, ...]

    @property
    def exact(self) -> bool:
        """Whether something bears the very name."""
        return any(c.exact for c in self.candidates)

    def meets(self, start: int, end: int) -> bool:
        """Whether it shares a character with [start, end)."""
        return self.start < end and start < self.end


class LabelIndex(Protocol):
    """Names and aliases -> entities."""

    def lookup(self, text: str, *, limit: int = 10) -> Sequence[Candidate]: ...


class Linker(Protocol):
    """Finds the entities a question mentions, the names in it that nothing here has, and where common words
    in it are something's name; and tells how its other words are spelt."""

    def link(self, question: str) -> Sequence[Mention]: ...

    def unknown(self, question: str, mentions: Sequence[Mention]) -> Sequence[str]: ...

    def bare(self, question: str) -> Sequence[tuple[int, int]]: ...

    def respelt(self, question: str, mentions: Sequence[Mention], is_word: Callable[[str], bool]) -> str: ...


@dataclass(frozen=True, slots=True)
class Scored:
    """One output of a model: `logprob` is the sum over its tokens, natural logarithm."""

    text: str
    logprob: float


Constraint = Callable[[Sequence[int]], Sequence[int]]
"""Token ids so far -> ids allowed next (empty = stop here is an error)."""


def signature_of(model: object) -> str:
    """What tells a model from another: its `signature`, where it has one, else its class."""
    return str(getattr(model, "signature", type(model).__qualname__))


def is_concurrent(model: object) -> bool:
    """Whether threads may call a model at the same time, as it says of itself (`concurrent`)."""
    return bool(getattr(model, "concurrent", False))


def warm(model: object) -> None:
    """Have a model make beforehand what its first call would wait for, where it makes anything."""
    make = getattr(model, "warm", None)
    if make is not None:
        make()


class Seq2Seq(Protocol):
    """Sources -> for each, an n-best list, best first."""

    def generate(
        self,
        sources: Sequence[str],
        *,
        n: int = 1,
        constraints: Sequence[Constraint | None] | None = None,
    ) -> Sequence[Sequence[Scored]]: ...
