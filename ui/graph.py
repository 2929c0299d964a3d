"""A query as a graph: for each step what it takes, along which path, and what was found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kbqa.answers import clean
from kbqa.dialogue import SubQuestion, Version
from kbqa.lexicon import Lexicon
from kbqa.templates.write import noun_of, nth_words
from kbqa.types import (
    Among,
    Amount,
    Anchor,
    Anything,
    Check,
    Constant,
    Count,
    Exists,
    Find,
    HasText,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Many,
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
    reverse,
)

NameOf = Callable[[Constant], str]
"""An entity's or literal's name."""


@dataclass(frozen=True, slots=True)
class Input:
    """What a step takes: the answers of an earlier step, or something named; and along which path.

    `to_step`, `to_source`: whether the line's last predicate leads to the step, its first one to the
    source.
    """

    source: int | str
    label: str = ""
    to_step: bool = True
    to_source: bool = False

    @property
    def said(self) -> str:
        """The label as one says it from the source: 'capital of', where the line leads there only."""
        back = self.to_source and not self.to_step and self.label
        return f"{self.label} of" if back and not self.label.endswith((" by", " of")) else self.label


@dataclass(frozen=True, slots=True)
class Node:
    """A step: its title, what it takes, what was found."""

    number: int
    title: str
    inputs: tuple[Input, ...]
    found: str

    @property
    def named(self) -> list[Input]:
        return [i for i in self.inputs if isinstance(i.source, str)]


def nodes(version: Version, lexicon: Lexicon, names: NameOf) -> list[Node]:
    """One for each step, in order."""
    steps = version.parse.decomposition.steps
    return [
        Node(
            sub.number,
            _title(steps, sub.number, lexicon),
            tuple(_inputs(steps[sub.number - 1], names)),
            _found(sub),
        )
        for sub in version.steps
    ]


def _title(steps: Sequence[Step], number: int, lexicon: Lexicon) -> str:
    noun = noun_of(steps, number, lexicon)
    match steps[number - 1]:
        case Find():
            return noun if noun != "thing" else "answers"
        case Keep():
            return f"of these: {noun}" if noun != "thing" else "of these"
        case Pick(path=path, descending=descending, kind=kind, limit=limit) as pick:
            word = ("latest" if descending else "earliest") if kind is Kind.DATE else _most(descending)
            some = "" if limit in (None, 1) else f" {limit}"
            return f"{nth_words(pick)}{word}{some}{f' by {path_words(path)}' if path else ''}"
        case Merge():
            return "any of both"
        case Oftenest():
            return "found most often"
        case Count():
            return "how many"
        case Check():
            return "is there any?"
        case Amount(path=path, function=function):
            return f"{'average' if function == 'average' else 'total'} {path_words(path)}"
        case Tally(measure="values", value=value):
            return f"{path_words(value)} of each"
        case Tally(path=path, measure="count"):
            return f"how many for each {path_words(path)}"
        case Tally(path=path, measure=measure, value=value):
            word = "total" if measure == "sum" else measure
            return f"{word} {path_words(value)} for each {path_words(path)}"


def _most(descending: bool) -> str:
    return "highest" if descending else "lowest"


def _inputs(step: Step, names: NameOf) -> Iterator[Input]:
    match step:
        case Find(anchor, path, restrictions):
            yield from _anchor(anchor, path, names)
            yield from _conditions(restrictions, names)
        case Keep(source, anchor, path, restrictions):
            yield Input(source.step)
            if anchor is not None:
                yield from _anchor(anchor, path, names)
            yield from _conditions(restrictions, names)
        case Pick(source=source):
            yield Input(source.step)
        case Merge(sources):
            yield from (Input(s.step) for s in sources)
        case Oftenest(source) | Count(source) | Check(source) | Amount(source) | Tally(source):
            yield Input(source.step)


def _anchor(anchor: Anchor, path: Path, names: NameOf) -> Iterator[Input]:
    match anchor:
        case Ref(number):
            yield _along(number, path)
        case Anything():
            return
        case _:
            yield _along(names(anchor), path)


def _along(source: int | str, path: Path, how: str = "") -> Input:
    label = f"{path_words(path)} {how}".strip()
    return Input(source, label, not path or not path[-1].inverse, bool(path) and path[0].inverse)


def _conditions(restrictions: Sequence[Restriction], names: NameOf) -> Iterator[Input]:
    """The paths of restrictions lead away from the answer."""
    for r in restrictions:
        match r.tests:
            case (Many(operator, number), Is(value)):
                how = "not" if (operator, number) == ("=", 0) else f"{_signs(operator)} {number}"
                yield _compared(value, reverse(r.path), names, how)
            case tests:
                for test in tests:
                    yield _condition(test, reverse(r.path), names)


def _condition(test: Test, path: Path, names: NameOf) -> Input:
    match test:
        case Is(value):
            return _compared(value, path, names)
        case IsNot(value):
            return _compared(value, path, names, "not")
        case Than(operator, value) | OpenThan(operator, value):
            return _compared(value, path, names, _signs(operator))
        case Exists():
            return _along("known", path)
        case Lacks(value):
            return _along("none", path) if value is None else _compared(value, path, names, "not")
        case Among(values):
            return _along(" or ".join(map(names, values)), path)
        case HasText(part, text):
            return _along(f"{part} {names(Literal(text))}", path)
        case Many(operator, number):
            return _along(f"{_signs(operator)} {number}", path)


def _compared(value: Constant | Ref, path: Path, names: NameOf, how: str = "") -> Input:
    if isinstance(value, Ref):
        return _along(value.step, path, how)
    return _along(f"{how} {names(value)}".strip(), path)


def _signs(operator: str) -> str:
    return {"<=": "≤", ">=": "≥", "!=": "≠"}.get(operator, operator)


def path_words(path: Path) -> str:
    """'official language'; two predicates with a point between, unless one says no more than the other:
    'adjoins' for 'adjoin', 'adjoins', 'population' for 'population', 'number'."""
    words = list(dict.fromkeys(predicate_words(hop.predicate) for hop in path))
    said = [w for w in words if not any(o != w and o.startswith(w) for o in words)]
    telling = [w for w in said if w not in ("amount", "number")]
    return " · ".join(telling or said)


def predicate_words(predicate: Iri) -> str:
    """The last part of a predicate as words."""
    last = re.split(r"[/#.:]", predicate.value.rstrip("/#"))[-1]
    words = clean(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", last.replace("_", " ")).lower())
    return words.removesuffix(" s")  # Freebase's 'spouse_s': one or more


def _found(step: SubQuestion) -> str:
    match step.outcome:
        case "empty":
            return "nothing found"
        case "timed_out":
            return "no answer in time"
        case "answered" | "cut":
            labels = ", ".join(a.label for a in step.answers[:3])
            more = step.answer_count - 3
            return f"{labels} + {more:,} more" if more > 0 else labels


def in_words(drawn: Sequence[Node]) -> str:
    """The drawing for those who don't see it."""
    return "Drawing of the query. " + " ".join(_sentence(node) for node in drawn)


def _sentence(node: Node) -> str:
    taken = [
        (f"step {i.source}" if isinstance(i.source, int) else clean(i.source))
        + (f" ({i.said})" if i.said else "")
        for i in node.inputs
    ]
    given = f" from {' and '.join(taken)}" if taken else ""
    return f"Step {node.number}, {node.title}{given}: {clean(node.found)}."
