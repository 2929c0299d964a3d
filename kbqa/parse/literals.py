"""Dates and numbers in a question, as the values a query compares with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbqa.lexicon.numbers import CARDINALS
from kbqa.types import XSD, Kind, Literal

_MONTHS = "january february march april may june july august september october november december".split()
_WORDS = {
    "half a": 0.5, "a quarter of a": 0.25, "a quarter": 0.25, "one and a half": 1.5, "a couple of": 2.0,
    "a hundred": 100.0, "one hundred": 100.0, "a": 1.0,
    **{word: float(n) for n, word in enumerate(CARDINALS) if n},
    "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0,
}  # fmt: skip
_MONTH = "|".join(f"{m}|{m[:3]}\\.?" for m in _MONTHS)
_DECADES = "nought - twent thirt fort fift sixt sevent eight ninet".split()
_CENTURIES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()
_OWN = r"(?<!\bhis )(?<!\bher )(?<!\btheir )(?<!\bmy )"
"""A person 'in her thirties' is so old."""
_UNIT = r"(?!\s*(?:m|km|kilomet\w+|met(?:re|er)s?|feet|ft|miles?|people|inhabitants|seats|students|pages)\b)"
_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d+(?:[.]\d+)?)(?: (thousand|million|billion))?"
_MANY = r"\d{1,3}(?:,\d{3})+|\d+(?:[.]\d+)?"
_COUNTS = tuple(word for word, n in _WORDS.items() if " " not in word and word != "a" and n == int(n))
_UNITS = (
    (r"hours?|hrs?", 60), (r"feet|foot|ft", 0.3048), (r"square miles?|sq\.? ?mi(?:les?)?", 2.589988),
    (r"miles?", 1.609344),
)  # fmt: skip
"""How many minutes, metres, square kilometres and kilometres they are."""
_SPANS = (
    ("years", re.compile(rf"(?<=between )([12]\d{{3}}) and ([12]\d{{3}})\b{_UNIT}", re.I)),
    ("years", re.compile(
        rf"(?<![\w.,$-])([12]\d{{3}}) ?(?:-|–|to|till|until|through|thru) ?([12]\d{{3}})\b(?!-){_UNIT}", re.I
    )),
    ("range", re.compile(rf"(?<=between ){_NUMBER} and {_NUMBER}(?![\w-])", re.I)),
    ("range", re.compile(rf"(?<=from ){_NUMBER} to {_NUMBER}(?![\w-])", re.I)),
    ("unit", re.compile(
        rf"(?<![\w.])({_MANY}|an?|{'|'.join(_WORDS)})( and a half)?[ -]?"
        rf"({'|'.join(unit for unit, _ in _UNITS)})\b( and a half)?", re.I
    )),
    ("number", re.compile(rf"(?<![\w.])({_MANY})(?=(?:m|km|km2|km²|kms)\b)")),
    ("number", re.compile(r"(?<![\w.,])(\d{1,3}(?: \d{3})+)(?![\w,.])")),
    ("count", re.compile(
        rf"(?:at least|at most|(?:more|less|fewer) than|over|under|exactly) ({'|'.join(_COUNTS)})\b"
        r"(?![ -](?:thousand|million|billion|hundred))", re.I
    )),
)  # fmt: skip
"""What takes several words: two values that bound one, and amounts in units that Freebase has not."""
_PATTERNS = (
    ("iso", re.compile(r"(?<![\w-])(\d{4})-(\d\d)-(\d\d)(?![\w-])")),
    ("mdy", re.compile(rf"\b({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.I)),
    ("dmy", re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+({_MONTH}),?\s+(\d{{4}})\b", re.I)),
    ("slash", re.compile(r"(?<![\w/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\w/])")),
    ("my", re.compile(rf"\b({_MONTH}),?\s+(?:of\s+)?(\d{{4}})\b", re.I)),
    ("ym", re.compile(r"(?<![\w-])(\d{4})-(\d\d)(?![\w-])")),
    (
        "century",
        re.compile(
            rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)|({'|'.join(_CENTURIES)})|(this)|(last))[ -]century\b", re.I
        ),
    ),
    ("decade", re.compile(r"\b(\d{3}0)['’]?s\b")),
    ("decade", re.compile(rf"{_OWN}(?<![\w.])['’]?([0-9]0)['’]?s\b")),
    ("decade", re.compile(rf"{_OWN}\b({'|'.join(_DECADES)})(?:ie|y|y')s\b", re.I)),
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
    (both YYYY-MM-DD, inclusive); a number is `number`, the least of those up to `most` where that is told
    ('between 5 and 10 million'). A bare year may be either."""

    start: int
    end: int
    text: str
    first: str = ""
    last: str = ""
    number: str = ""
    most: str = ""

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


def _decade(text: str) -> int:
    """1960 of '1960', '60' and 'sixt' (ies)."""
    many = 10 * _DECADES.index(text) if text in _DECADES else int(text)
    return many if many > 99 else 2000 + many if many < 20 else 1900 + many


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
        case "years":
            first, last = (y for y in g if y)
            return (f"{first}-01-01", f"{last}-12-31") if first < last else None
        case "century":
            count = int(g[0] or 0) or (_CENTURIES.index(g[1].lower()) + 1 if g[1] else 21 if g[2] else 20)
            return (f"{100 * count - 99:04d}-01-01", f"{100 * count:04d}-12-31") if count <= 21 else None
        case "decade":
            year = _decade(g[0].lower())
            long = 99 if year % 100 == 0 and year < 2000 else 9  # 'the 1800s' are the century
            return f"{year}-01-01", f"{year + long}-12-31"
        case "year":
            return f"{g[0]}-01-01", f"{g[0]}-12-31"
        case _:
            return None
    if not 1 <= m <= 12 or d > _last_day(y, m):
        return None
    if d == 0:
        return f"{y:04d}-{m:02d}-01", f"{y:04d}-{m:02d}-{_last_day(y, m):02d}"
    return (f"{y:04d}-{m:02d}-{d:02d}",) * 2


def find_values(question: str, apart: bool = False) -> tuple[Value, ...]:
    """Dates and numbers, left to right, without overlaps; longer forms win. `apart`: without `_SPANS`:
    'between 1950 and 1960' is two of them."""
    found: list[Value] = []
    for kind, pattern in (*(() if apart else _SPANS), *_PATTERNS):
        for m in pattern.finditer(question):
            if any(m.start() < v.end and v.start < m.end() for v in found):
                continue
            value = _value(kind, m)
            if value is not None:
                found.append(value)
    return tuple(sorted(found, key=lambda v: v.start))


def _number(digits: str, scale: str | None) -> str:
    """'5 million' as it is written out."""
    many = re.sub(r"[, ]", "", digits).lstrip("0") or "0"
    return f"{float(many) * _SCALE[scale.lower()]:.0f}" if scale else many


def _value(kind: str, m: re.Match[str]) -> Value | None:
    span = (m.start(), m.end(), m[0])
    if kind == "scaled":
        many = _WORDS.get(" ".join(m[1].lower().split())) or float(m[1])
        return Value(*span, number=f"{many * _SCALE[m[2].lower()]:.0f}")
    if kind == "range":
        least, most = _number(m[1], m[2] or m[4]), _number(m[3], m[4])
        return Value(*span, number=least, most=most) if float(least) < float(most) else None
    if kind == "unit":
        many = _WORDS.get(m[1].lower()) or (1.0 if m[1].lower() == "an" else float(m[1].replace(",", "")))
        many += 0.5 * bool(m[2] or m[4])
        times = next(times for unit, times in _UNITS if re.fullmatch(unit, m[3], re.IGNORECASE))
        return Value(*span, number=f"{many * times:.{0 if many * times > 99 else 4}f}".removesuffix(".0000"))
    if kind == "count":
        return Value(m.start(1), m.end(1), m[1], number=f"{_WORDS[m[1].lower()]:.0f}")
    if kind == "number":
        return Value(*span, number=_number(m[1], None))
    period = _period(kind, m.groups())
    if period is None:
        return None
    return Value(*span, *period, number=m[1] if kind == "year" else "")
