"""Steps <-> the token sequence a parser writes.

A program is short: one token per keyword, entity, value and predicate, e.g.

    <find> <e0> ^location.country.administrative_divisions
    <find> <s1> location.country.official_language <end>

Entities, values and earlier steps are pointers (<e0>, <v0>, <s1>), so that names and numbers are
copied, never spelt. Law: `read_program(write_program(steps, pointers), pointers) == steps`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kbqa.errors import InputError
from kbqa.lexicon import parse_path, show_path
from kbqa.parse.literals import Value
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    NOW,
    XSD,
    Among,
    Amount,
    Anchor,
    Anything,
    Check,
    Count,
    Decomposition,
    Exists,
    Find,
    Guards,
    HasText,
    Hop,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Merge,
    Oftenest,
    OpenThan,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Tally,
    Test,
    Than,
)

MAX_ENTITIES, MAX_VALUES, MAX_STEPS = 16, 8, 9
ENTITY_MARKS = tuple(f"[unused{i}]" for i in range(MAX_ENTITIES))
VALUE_MARKS = tuple(f"[unused{20 + i}]" for i in range(MAX_VALUES))
STEP_MARKS = tuple(f"[unused{40 + i}]" for i in range(MAX_STEPS))
CORRECTION_MARK, QUESTION_MARK = "[unused60]", "[unused61]"
MARKS = ENTITY_MARKS + VALUE_MARKS + STEP_MARKS + (CORRECTION_MARK, QUESTION_MARK)
"""Unused pieces of BERT's vocabulary: they stand for entities, values and steps in the encoder's
text, and begin a sub-question that corrects a step and the question it is part of."""
_KINDS = ("number", "date", "string", "value")
_OPERATORS = ("=", "!=", "<", "<=", ">", ">=")

STEPS = ("<find>", "<keep>", "<pick>", "<merge>", "<often>", "<count>", "<check>")
ENTITIES = tuple(f"<e{i}>" for i in range(MAX_ENTITIES))
VALUES = tuple(f"<v{i}>" for i in range(MAX_VALUES))
REFS = tuple(f"<s{i}>" for i in range(1, MAX_STEPS + 1))
COMPARE = tuple(f"<{k}{o}>" for k in _KINDS for o in _OPERATORS)
OPEN = tuple(f"<open{o}>" for o in _OPERATORS)
TESTS = ("<is>", "<isnot>", "<exists>", "<lacks>", *COMPARE, *OPEN)
SORTS = tuple(f"<{d}-{k}>" for k in _KINDS for d in ("asc", "desc"))
LIMITS = tuple(f"<n{i}>" for i in range(2, 11))
SKIPS = tuple(f"<skip{i}>" for i in range(1, 6))
GUARDS = ("<noenglish>", "<noapart>")
STRUCTURE = (
    "<pad>", "<start>", "<end>", *STEPS, "<any>", "<now>", *ENTITIES, *VALUES, *REFS, "<at>", "<on>",
    "<during>", *TESTS, *SORTS, *LIMITS, *SKIPS, *GUARDS,
)  # fmt: skip


_KEYWORDS = frozenset(STRUCTURE)


class ProgramError(InputError):
    """Steps that no program can hold, or tokens that are no program."""


@dataclass(frozen=True)
class Pointers:
    """What <e0>.. and <v0>.. stand for in one question."""

    entities: tuple[Iri, ...]
    values: tuple[Value, ...] = ()


# --- writing ----------------------------------------------------------------


def write_program(decomposition: Decomposition, pointers: Pointers) -> tuple[str, ...]:
    """Raises `ProgramError` for an entity or value that the pointers don't hold."""
    out: list[str] = []
    for step in decomposition.steps:
        out.extend(_Writer(pointers).step(step))
    if not decomposition.guards.english:
        out.append("<noenglish>")
    if not decomposition.guards.apart:
        out.append("<noapart>")
    return (*out, "<end>")


def write_step(step: Step, pointers: Pointers) -> tuple[str, ...]:
    """One step alone, its references as they stand in its dialogue. Raises `ProgramError`."""
    return (*_Writer(pointers).step(step), "<end>")


def from_one(program: tuple[str, ...]) -> tuple[str, ...]:
    """References numbered as they come up: alone, 'that film' says not which step it means."""
    refs = list(dict.fromkeys(t for t in program if t in REFS))
    return tuple(REFS[refs.index(t)] if t in refs else t for t in program)


@dataclass(frozen=True)
class _Writer:
    pointers: Pointers

    def step(self, step: Step) -> list[str]:
        match step:
            case Find(anchor, path, restrictions):
                return ["<find>", self.anchor(anchor), *hops(path), *self.restrictions(restrictions, path)]
            case Keep(source, None, (), restrictions):
                return ["<keep>", _ref(source), *self.restrictions(restrictions, ())]
            case Keep(source, anchor, path, restrictions):
                assert anchor is not None
                tail = self.restrictions(restrictions, path)
                return ["<keep>", _ref(source), self.anchor(anchor), *hops(path), *tail]
            case Pick():
                return self.pick(step)
            case Merge(sources):
                return ["<merge>", *map(_ref, sources)]
            case Oftenest(source):
                return ["<often>", _ref(source)]
            case Count(source):
                return ["<count>", _ref(source)]
            case Check(source):
                return ["<check>", _ref(source)]
            case Amount() | Tally():
                raise ProgramError("an average, a sum and a tally have no program")

    def pick(self, p: Pick) -> list[str]:
        if p.limit is None or p.tests or p.kind is Kind.TERM:
            raise ProgramError("sorting without a limit, or with conditions, has no program")
        direction = "desc" if p.descending else "asc"
        out = ["<pick>", _ref(p.source), "<on>" if p.site == "mediator" else "<at>", *hops(p.path)]
        out.append(f"<{direction}-{p.kind.value}>")
        if p.limit > 1:
            out.append(_known(f"<n{p.limit}>", LIMITS))
        if p.offset:
            out.append(_known(f"<skip{p.offset}>", SKIPS))
        return out

    def anchor(self, a: Anchor) -> str:
        match a:
            case Ref():
                return _ref(a)
            case Anything():
                return "<any>"
            case Iri():
                if a not in self.pointers.entities[:MAX_ENTITIES]:
                    raise ProgramError(f"{a.mid} is none of the question's entities")
                return ENTITIES[self.pointers.entities.index(a)]
            case Literal():
                raise ProgramError("a literal as a starting point has no program")

    def restrictions(self, rs: Sequence[Restriction], path: Path) -> list[str]:
        out: list[str] = []
        i = 0
        while i < len(rs):
            period = self.period(rs[i : i + 2], path)
            out += period or self.restriction(rs[i])
            i += 2 if period else 1
        return out

    def period(self, pair: Sequence[Restriction], path: Path) -> list[str] | None:
        span = span_of(mediator_type(path))
        if span is None or len(pair) != 2 or any(r.site != "mediator" for r in pair):
            return None
        match pair[0].path, pair[0].tests, pair[1].path, pair[1].tests:
            case (
                (Hop(first, False),), (OpenThan("<=", end, Kind.DATE),),
                (Hop(last, False),), (OpenThan(">=", start, Kind.DATE),),
            ) if (first, last) == span:  # fmt: skip
                if start == end == NOW:
                    return ["<during>", "<now>"]
                for token, v in zip(VALUES, self.pointers.values, strict=False):
                    if (v.first, v.last) == (start.lexical, end.lexical):
                        return ["<during>", token]
        return None

    def restriction(self, r: Restriction) -> list[str]:
        head = ["<on>" if r.site == "mediator" else "<at>", *hops(r.path)]
        return head + [t for test in r.tests for t in self.test(test)]

    def test(self, test: Test) -> list[str]:
        match test:
            case Is(Literal(lexical, "", "")):
                return ["<string=>", self.value(Literal(lexical), Kind.STRING)]
            case Is(v) if not isinstance(v, Literal):
                return ["<is>", self.anchor(v)]
            case IsNot(v) if not isinstance(v, Literal):
                return ["<isnot>", self.anchor(v)]
            case Than(op, Ref() as ref, kind) if kind is not Kind.TERM:
                return [f"<{kind.value}{op}>", _ref(ref)]
            case Than(op, Literal() as v, kind) if kind is not Kind.TERM:
                return [f"<{kind.value}{op}>", self.value(v, kind)]
            case OpenThan(op, v, Kind.DATE):
                return [f"<open{op}>", self.value(v, Kind.DATE)]
            case Exists():
                return ["<exists>"]
            case Lacks(None):
                return ["<lacks>"]
            case Among() | HasText() | _:
                raise ProgramError(f"no program for {test}")

    def value(self, v: Literal, kind: Kind) -> str:
        if v == NOW:
            return "<now>"
        for token, found in zip(VALUES, self.pointers.values, strict=False):
            if _alike(found.literal(kind), v, kind):
                return token
        if kind is Kind.STRING and v.lexical.isalpha():
            return f'"{v.lexical}"'
        raise ProgramError(f"{v.lexical!r} is none of the question's dates and numbers")


def _alike(a: Literal | None, b: Literal, kind: Kind) -> bool:
    if a is None:
        return False
    if kind in (Kind.NUMBER, Kind.STRING):
        try:
            return float(a.lexical) == float(b.lexical)
        except ValueError:
            return a.lexical == b.lexical
    return a == b


def _known(token: str, among: tuple[str, ...]) -> str:
    if token not in among:
        raise ProgramError(f"{token} is out of range")
    return token


def _ref(ref: Ref) -> str:
    return _known(f"<s{ref.step}>", REFS)


def hops(path: Path) -> list[str]:
    """The tokens of a path: `film.actor.film`, `^people.person.children`."""
    return show_path(path).split()


# --- reading ----------------------------------------------------------------


def read_program(tokens: Sequence[str], pointers: Pointers) -> Decomposition:
    """Raises `ProgramError` where the tokens are no program."""
    reader = _Reader(list(tokens), pointers)
    steps: list[Step] = []
    while reader.peek() in STEPS:
        steps.append(reader.step())
    flags = [reader.take() for _ in range(2) if reader.peek() in GUARDS]
    if reader.peek() not in ("<end>", None) or not steps:
        raise ProgramError(f"a program can't go on with {reader.peek()!r}")
    guards = Guards(english="<noenglish>" not in flags, apart="<noapart>" not in flags)
    return Decomposition(tuple(steps), guards)


@dataclass
class _Reader:
    tokens: list[str]
    pointers: Pointers
    at: int = 0

    def peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self) -> str:
        token = self.peek()
        if token is None:
            raise ProgramError("the program ends too early")
        self.at += 1
        return token

    def step(self) -> Step:
        match self.take():
            case "<find>":
                anchor, path = self.anchor(), self.path()
                if not path:
                    raise ProgramError("a step without a predicate")
                return Find(anchor, path, self.restrictions(path))
            case "<keep>":
                source = self.ref()
                if self.peek() not in (*ENTITIES, *REFS, "<any>"):
                    return Keep(source, None, (), self.restrictions(()))
                anchor, path = self.anchor(), self.path()
                return Keep(source, anchor, path, self.restrictions(path))
            case "<pick>":
                return self.pick()
            case "<merge>":
                refs = [self.ref()]
                while self.peek() in REFS:
                    refs.append(self.ref())
                return Merge(tuple(refs))
            case "<often>":
                return Oftenest(self.ref())
            case "<count>":
                return Count(self.ref())
            case _:
                return Check(self.ref())

    def pick(self) -> Pick:
        source = self.ref()
        site = "mediator" if self.take() == "<on>" else "answer"
        path = self.path()
        token = self.take()
        if token not in SORTS:
            raise ProgramError(f"{token!r} is no order")
        direction, kind = token[1:-1].split("-")
        limit = int(self.take()[2:-1]) if self.peek() in LIMITS else 1
        offset = int(self.take()[5:-1]) if self.peek() in SKIPS else 0
        return Pick(source, site, path, direction == "desc", Kind(kind), limit, offset)  # type: ignore[arg-type]

    def ref(self) -> Ref:
        token = self.take()
        if token not in REFS:
            raise ProgramError(f"a step expected, found {token!r}")
        return Ref(int(token[2:-1]))

    def anchor(self) -> Iri | Ref | Anything:
        token = self.peek()
        if token == "<any>":
            self.take()
            return Anything()
        if token in ENTITIES:
            index = ENTITIES.index(self.take())
            if index >= len(self.pointers.entities):
                raise ProgramError(f"there is no entity {index}")
            return self.pointers.entities[index]
        return self.ref()

    def path(self) -> Path:
        found: list[str] = []
        while (token := self.peek()) is not None and token not in _KEYWORDS and token[0] != '"':
            found.append(self.take())
        return parse_path(" ".join(found))

    def restrictions(self, path: Path) -> tuple[Restriction, ...]:
        out: list[Restriction] = []
        while self.peek() in ("<at>", "<on>", "<during>"):
            if self.take() == "<during>":
                out += self.period(path)
                continue
            site = "mediator" if self.tokens[self.at - 1] == "<on>" else "answer"
            hop = self.path()
            tests: list[Test] = []
            while self.peek() in TESTS:
                tests.append(self.test())
            if not tests:
                raise ProgramError("a condition without a test")
            out.append(Restriction(site, hop, tuple(tests)))  # type: ignore[arg-type]
        return tuple(out)

    def period(self, path: Path) -> list[Restriction]:
        span = span_of(mediator_type(path))
        if span is None:
            raise ProgramError("a period without a term")
        token = self.take()
        if token == "<now>":
            first = last = NOW.lexical
        else:
            value = self._value(token)
            first, last = value.first, value.last
            if not first:
                raise ProgramError("a period that is no date")
        return [
            Restriction("mediator", (Hop(p),), (OpenThan(op, Literal(v, XSD + "date"), Kind.DATE),))  # type: ignore[arg-type]
            for p, op, v in ((span[0], "<=", last), (span[1], ">=", first))
        ]

    def test(self) -> Test:
        token = self.take()
        match token:
            case "<is>" | "<isnot>":
                anchor = self.anchor()
                if isinstance(anchor, Anything):
                    raise ProgramError("<any> can't be compared with")
                return Is(anchor) if token == "<is>" else IsNot(anchor)
            case "<exists>":
                return Exists()
            case "<lacks>":
                return Lacks()
        if token in OPEN:
            return OpenThan(token[5:-1], self.literal(Kind.DATE), Kind.DATE)  # type: ignore[arg-type]
        name = token[1:-1].rstrip("<>=!")
        operator = token[1 + len(name) : -1]
        kind = Kind(name)
        if self.peek() in REFS:
            return Than(operator, self.ref(), kind)  # type: ignore[arg-type]
        return Than(operator, self.literal(kind), kind)  # type: ignore[arg-type]

    def _value(self, token: str) -> Value:
        if token not in VALUES or VALUES.index(token) >= len(self.pointers.values):
            raise ProgramError(f"{token!r} is none of the question's dates and numbers")
        return self.pointers.values[VALUES.index(token)]

    def literal(self, kind: Kind) -> Literal:
        token = self.take()
        if token == "<now>":
            return NOW
        if token.startswith('"'):
            return Literal(token.strip('"'))
        found = self._value(token).literal(kind)
        if found is None:
            raise ProgramError(f"{token} is no {kind.value}")
        return found
