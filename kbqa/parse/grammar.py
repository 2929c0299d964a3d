"""What a program may go on with: every output is well-formed and uses the knowledge base's predicates.

`State` is where a program stands; `State.advance(token)` moves on, `Grammar.allowed(state)` names the
tokens that may come next. Grounding narrows hops to those that leave the chosen entity, or that
follow the hop before through a mediator.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from kbqa.parse.program import (
    COMPARE,
    ENTITIES,
    GUARDS,
    LIMITS,
    MAX_STEPS,
    OPEN,
    REFS,
    SKIPS,
    SORTS,
    STEPS,
    VALUES,
    Pointers,
)
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import Kind, Path

_STRUCTURE = frozenset((*STEPS, *ENTITIES, *VALUES, *REFS, *COMPARE, *OPEN, *SORTS, *LIMITS, *SKIPS, *GUARDS))


@dataclass(frozen=True, slots=True)
class State:
    """`place`: what comes next; `step`: the number of the step being written (1..); `hops`: the hops
    of the path being written, `about`: the anchor token they start from; `path`: the step's own."""

    place: str = "step"
    step: int = 0
    about: str = ""
    hops: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    kind: str = ""

    def advance(self, token: str) -> State:
        """The state after an allowed token."""
        if token == "<end>":
            return replace(self, place="done")
        if token in GUARDS:
            return replace(self, place="guards" if token == "<noenglish>" else "ending")
        if token in STEPS:
            place = {"<find>": "anchor", "<keep>": "keep", "<pick>": "pick", "<merge>": "merge"}.get(
                token, "single"
            )
            return State(place=place, step=self.step + 1)
        if token in ("<at>", "<on>"):
            return replace(self, place="sort" if self.place == "site" else "condition", hops=())
        if token == "<during>":
            return replace(self, place="period")
        return self._inside(token)

    def _inside(self, token: str) -> State:
        match self.place:
            case "anchor":
                return replace(self, place="path", about=token)
            case "keep":
                return replace(self, place="kept", about=token)
            case "kept" if token in ENTITIES or token in REFS or token == "<any>":
                return replace(self, place="path", about=token)
            case "path":
                return replace(self, hops=(*self.hops, token), path=(*self.hops, token))
            case "pick":
                return replace(self, place="site")
            case "sort":
                return (
                    replace(self, place="limit")
                    if token in SORTS
                    else replace(self, hops=(*self.hops, token))
                )
            case "limit" | "skip":
                return replace(self, place="after" if token in SKIPS else "skip")
            case "merge":
                return replace(self, merged=(*self.merged, token))
            case "single":
                return replace(self, place="after")
            case "period":
                return replace(self, place="clause")
            case "condition" | "tests" if token in ("<is>", "<isnot>"):
                return replace(self, place="value", kind="term")
            case "condition" | "tests" if token in ("<exists>", "<lacks>"):
                return replace(self, place="tests")
            case "condition" | "tests" if token in COMPARE or token in OPEN:
                kind = "date" if token in OPEN else token[1:-1].rstrip("<>=!")
                return replace(self, place="value", kind=kind + (" open" if token in OPEN else ""))
            case "condition":
                return replace(self, hops=(*self.hops, token))
            case _:
                return replace(self, place="tests")


@dataclass(frozen=True)
class Grammar:
    """The tokens of one question over one knowledge base.

    items: hop tokens that may be written at all; leaving: entity token -> hops that leave it (None:
    unknown, all may); following: hop -> hops that follow it through a mediator (None: all).
    """

    pointers: Pointers
    items: frozenset[str]
    strings: frozenset[str] = frozenset()
    leaving: Mapping[str, Set[str]] = field(default_factory=dict)
    following: Mapping[str, Set[str]] | None = None
    longest: int = MAX_STEPS
    before: int = 0
    single: bool = False
    """One step is written, after so many (`before`) that are there already."""

    def allowed(self, s: State) -> frozenset[str]:
        """The tokens that may follow; never empty before '<end>'."""
        match s.place:
            case "step":
                return self._first(s)
            case "anchor":
                return self._anchors(s)
            case "keep" | "pick" | "single":
                return self._refs(s)
            case "kept":
                return self._anchors(s) | {"<at>"} | self._rest(s)
            case "path":
                return self._hops(s) | (self._conditions(s) | self._rest(s) if s.hops else frozenset())
            case "site":
                return frozenset({"<at>", "<on>"})
            case "sort":
                return frozenset(SORTS) | (self.items if len(s.hops) < 2 else frozenset())
            case "limit":
                return frozenset((*LIMITS, *SKIPS)) | self._rest(s)
            case "skip":
                return frozenset(SKIPS) | self._rest(s)
            case "merge":
                free = frozenset(r for r in self._refs(s) if r not in s.merged)
                return free if len(s.merged) < 2 else free | self._rest(s)
            case "period":
                return self._dates() | {"<now>"}
            case "condition":
                tests = self._tests(s)
                return tests | (self.items if len(s.hops) < 2 else frozenset())
            case "value":
                return self._values(s.kind, s)
            case "tests":
                return self._tests(s) | self._conditions(s) | self._rest(s)
            case "clause":
                return self._conditions(s) | self._rest(s)
            case "guards":
                return frozenset({"<end>", "<noapart>"})
            case "after":
                return self._rest(s)
        return frozenset({"<end>"})

    @property
    def start(self) -> State:
        return State(step=self.before)

    def _first(self, s: State) -> frozenset[str]:
        if s.step == 0:
            return frozenset({"<find>"})
        return frozenset(STEPS) - (frozenset({"<merge>"}) if s.step < 2 else frozenset())

    def _rest(self, s: State) -> frozenset[str]:
        """The next step, or the end."""
        if self.single:
            return frozenset({"<end>"})
        more = frozenset(STEPS) if s.step < self.longest else frozenset()
        if s.step < 2:
            more -= {"<merge>"}
        return more | {"<end>", *GUARDS}

    def _refs(self, s: State) -> frozenset[str]:
        return frozenset(REFS[: s.step - 1])

    def _entities(self) -> frozenset[str]:
        return frozenset(ENTITIES[: len(self.pointers.entities)])

    def _anchors(self, s: State) -> frozenset[str]:
        found = self._entities() | self._refs(s)
        return frozenset(a for a in found if self.leaving.get(a, True)) or frozenset({"<any>"})

    def _hops(self, s: State) -> frozenset[str]:
        match s.hops:
            case ():
                known = self.leaving.get(s.about)
                return self.items if known is None else self.items & known or self.items
            case (first,):
                if self.following is None:
                    return self.items
                return self.items & self.following.get(first, frozenset())
        return frozenset()

    def _conditions(self, s: State) -> frozenset[str]:
        span = span_of(mediator_type(_path(s.path)))
        period = {"<during>"} if span is not None and len(s.path) == 2 else set()
        return frozenset({"<at>"} | ({"<on>"} if len(s.path) == 2 else set()) | period)

    def _dates(self) -> frozenset[str]:
        return self._of_kind(Kind.DATE)

    def _of_kind(self, kind: Kind) -> frozenset[str]:
        pairs = zip(VALUES, self.pointers.values, strict=False)
        return frozenset(token for token, value in pairs if value.literal(kind) is not None)

    def _tests(self, s: State) -> frozenset[str]:
        """Tests that something in the question, or an earlier step, can stand in."""
        found = {t for t in COMPARE if self._values(t[1:-1].rstrip("<>=!"), s)}
        if self._values("term", s):
            found |= {"<is>", "<isnot>"}
        if len(s.hops) == 1:
            found |= set(OPEN)
        if s.hops:
            found |= {"<exists>", "<lacks>"}
        return frozenset(found)

    def _values(self, kind: str, s: State) -> frozenset[str]:
        """What a test of this kind ('term', 'date', 'date open' ...) may compare with."""
        match kind:
            case "term":
                return self._entities() | self._refs(s)
            case "date":
                return self._of_kind(Kind.DATE) | self._refs(s) | {"<now>"}
            case "date open":
                return self._of_kind(Kind.DATE) | {"<now>"}
            case "number":
                return self._of_kind(Kind.NUMBER) | self._refs(s)
            case "string":
                return self._of_kind(Kind.STRING) | self._refs(s) | self.strings
        return self._refs(s)


def _path(hops: tuple[str, ...]) -> Path:
    from kbqa.lexicon import parse_path

    return parse_path(" ".join(hops))
