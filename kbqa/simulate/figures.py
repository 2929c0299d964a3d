"""What of a record goes into the report, and why a dialogue did not reach the gold query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kbqa.evaluate.predictions import names_kept

Same = Callable[[Any], Any]
POINTS = ("precision", "recall", "f1", "order", "implied_edits")
"""How shown steps compare with the gold ones, point by point (`kbqa.evaluate.pointwise`)."""
Points = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """What the report needs of one record. `steps`: the `POINTS` at first and at last; None where the gold
    query has no steps. `wordless`: corrections by another
    entity or an offered alternative. `offered`: the gold query stood among the alternatives at first.
    `corrections`: (all, understood) of those in natural words, then of copied templates. `names`: shown
    sub-questions, and how many of them hold every name of their template."""

    row: int
    type: str
    facets: tuple[str, ...]
    required: tuple[str, ...] | None
    answers: int | None
    status: str
    exact: tuple[bool, ...]
    f1: tuple[float | None, ...]
    edits: int
    turns: int | None
    official: bool
    inferable: bool
    deemed: bool | None
    false_accept: bool
    went_on: bool
    refused: int
    templates: int
    undone: int
    wordless: int
    offered: bool
    corrections: tuple[tuple[int, int], tuple[int, int]]
    names: tuple[int, int]
    steps: tuple[Points, Points] | None
    ended: bool
    why_not: str
    times: tuple[float, ...]

    @classmethod
    def of(cls, record: Mapping[str, Any], common: frozenset[str] | None, same: Same) -> Figures:
        """`same`: what equal values share, so that many figures need little room."""
        sparse = common is not None and any(p not in common for p in record["predicates"])
        return cls(
            record["row"],
            same(record["type"] or "unknown"),
            same((*record["facets"], *(("sparse predicate",) if sparse else ()))),
            same(None if record["required"] is None else tuple(record["required"])),
            record["gold_answers"],
            same(record["status"]),
            same(tuple(record["exact"])),
            same(tuple(record["f1"])),
            record["edits"],
            record["turns_to_success"],
            record["official"],
            record["inferable"],
            record["deemed"],
            record["false_accept"],
            record["went_on"],
            record["refused"],
            record["templates"],
            record["undone"],
            sum((t["feedback"] or {}).get("kind") in ("link", "choose") for t in record["turns"]),
            bool(record.get("offered")),
            same(_corrections(record)),
            same(_names(record)),
            same(_steps(record)),
            record["end"] is not None,
            same(why_not(record)),
            tuple(t["seconds"] for t in record["turns"]),
        )


Group = Sequence[Figures]


def sharing() -> Same:
    """A function that gives equal values of the same types as one object."""
    held: dict[Any, Any] = {}

    def same(value: Any) -> Any:
        first = value[0] if isinstance(value, tuple) and value else None
        return held.setdefault((type(value), type(first), value), value)  # False == 0.0, but is no F1

    return same


def _corrections(record: Mapping[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    """None in the records of older versions."""
    parts: tuple[list[bool], list[bool]] = [], []
    for source, understood in record.get("corrections", ()):
        parts["template" in source].append(understood)
    return (len(parts[0]), sum(parts[0])), (len(parts[1]), sum(parts[1]))


def _names(record: Mapping[str, Any]) -> tuple[int, int]:
    shown = [step for turn in record["turns"] for step in turn["steps"]]
    return len(shown), sum(names_kept(step["template"], step["shown"]) for step in shown)


def _steps(record: Mapping[str, Any]) -> tuple[Points, Points] | None:
    first, last = record["steps_first"], record["steps_last"]
    if first is None or last is None:
        return None
    return tuple(float(first[k]) for k in POINTS), tuple(float(last[k]) for k in POINTS)


def why_not(record: Mapping[str, Any]) -> str:
    """Why the gold query is not what the dialogue ended with; '' where it is."""
    if record["exact"][-1]:
        return ""
    end = record["end"]
    if record["status"] == "accepted":
        if end["slip"]:
            return f"{end['slip']}{'; the answer is right' if record['official'] else ''}"
        return "the question was misread"
    if end is None:
        return str(record["status"]).replace("_", " ")
    if end["slip"]:
        return str(end["slip"])
    if end["refused"]:
        return "the corrections were refused"
    return "no corrections are taken" if record["deemed"] is None else "nothing was left to say"
