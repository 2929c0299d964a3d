"""Dates and numbers in a question, as the values a query compares with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbqa.types import XSD, Kind, Literal

_MONTHS = "january february march april may june july august september october november december".split()
_WORDS = {
    "half a": 0.5, "a quarter of a": 0.25, "a quarter": 0.25, "one and a half": 1.5, "a couple of": 2.0,
    "a hundred": 100.0, "one hundred": 100.0, "a": 1.0,
    **{word: float(n) for n, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), 1)},
    "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0,
}  # fmt: skip
_MONTH = "|".join(f"{m}|{m[:3]}\\.?" for m in _MONTHS)
_PATTERNS = (
    ("iso", re.compile(r"(?<![\w-])(\d{4})-(\d\d)-(\d\d)(?![\w-])")),
    ("mdy", re.compile(rf"\b({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.I)),
    ("dmy", re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+({_MONTH}),?\s+(\d{{4}})\b", re.I)),
    ("slash", re.compile(r"(?<![\w/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\w/])")),
    ("my", re.compile(rf"\b({_MONTH}),?\s+(?:of\s+)?(\d{{4}})\b", re.I)),
    ("ym", re.compile(r"(?<![\w-])(\d{4})-(\d\d)(?![\w-])")),
    ("decade", re.compile(r"\b(\d{3}0)'?s\b")),
    ("year", re.compile(r"(?<![\w.,$-])([12]\d{3})(?![\w]|[.,]\d|-\d)")),
    (
        "scaled",
        re.compile(rf"(?<![\w.])(\d+(?:[.]\d+)?|{'|'.join(_WORDS)})[\s-]*(thousand|million|billion)\b", re.I),
    ),
    ("number", re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:[.]\d+)?|\d+(?:[.]\d+)?)(?![\w]|,\d{3})")),
)
_SCALE = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Value:
    """A date or number at [start, end) of the question. A date is the period `first`..`last`
    (both YYYY-MM-DD, inclusive); a number is `number`. A bare year may be either."""

    start: int
    end: int
    text: str
    first: str = ""
    last: str = ""
    number: str = ""

    def literal(self, kind: Kind) -> Literal | None:
        """The value as it is compared as `kind`; None if it is no such thing."""
        match kind:
            case Kind.DATE if self.first:
                return Literal(self.first, XSD + "date")
            case Kind.NUMBER if self.number:
                return Literal(self.number, XSD + "decimal")
            case Kind.STRING:
                return Literal(self.number or self.first)
        return None


def _month(text: str) -> int:
    return next(i for i, m in enumerate(_MONTHS, 1) if m.startswith(text.lower().rstrip(".")[:3]))


def _last_day(year: int, month: int) -> int:
    leap = month == 2 and ((year % 4 == 0 and year % 100 != 0) or year % 400 == 0)
    return 29 if leap else _DAYS[month - 1]


def _period(kind: str, g: tuple[str, ...]) -> tuple[str, str] | None:
    match kind:
        case "iso":
            y, m, d = int(g[0]), int(g[1]), int(g[2])
        case "mdy":
            y, m, d = int(g[2]), _month(g[0]), int(g[1])
        case "dmy":
            y, m, d = int(g[2]), _month(g[1]), int(g[0])
        case "slash":
            y, m, d = int(g[2]), int(g[0]), int(g[1])
        case "my":
            y, m, d = int(g[1]), _month(g[0]), 0
        case "ym":
            y, m, d = int(g[0]), int(g[1]), 0
        case "decade":
            return f"{g[0]}-01-01", f"{int(g[0]) + 9}-12-31"
        case "year":
            return f"{g[0]}-01-01", f"{g[0]}-12-31"
        case _:
            return None
    if not 1 <= m <= 12 or d > _last_day(y, m):
        return None
    if d == 0:
        return f"{y:04d}-{m:02d}-01", f"{y:04d}-{m:02d}-{_last_day(y, m):02d}"
    return (f"{y:04d}-{m:02d}-{d:02d}",) * 2


def find_values(question: str) -> tuple[Value, ...]:
    """Dates and numbers, left to right, without overlaps; longer forms win."""
    found: list[Value] = []
    for kind, pattern in _PATTERNS:
        for m in pattern.finditer(question):
            if any(m.start() < v.end and v.start < m.end() for v in found):
                continue
            value = _value(kind, m)
            if value is not None:
                found.append(value)
    return tuple(sorted(found, key=lambda v: v.start))


def _value(kind: str, m: re.Match[str]) -> Value | None:
    span = (m.start(), m.end(), m[0])
    if kind == "scaled":
        many = _WORDS.get(" ".join(m[1].lower().split())) or float(m[1])
        return Value(*span, number=f"{many * _SCALE[m[2].lower()]:.0f}")
    if kind == "number":
        return Value(*span, number=m[1].replace(",", "").lstrip("0") or "0")
    period = _period(kind, m.groups())
    if period is None:
        return None
    return Value(*span, *period, number=m[1] if kind == "year" else "")
