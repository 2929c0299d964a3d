"""What a cell's text means: dates, numbers, slugs. No file is read here."""

from __future__ import annotations

import calendar
import math
import re
import unicodedata
from typing import Literal as Choice
from typing import get_args

from kbqa.types import XSD, Literal

ValueKind = Choice["date", "integer", "float", "string", "text"]
VALUE_KINDS: tuple[str, ...] = get_args(ValueKind)

Day = tuple[int, int, int]
"""Year, month, day; negative years are BC as XSD writes them."""

_DATE = re.compile(r"(-?\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_INTEGER = re.compile(r"-?(?:0|[1-9]\d*)")
_FLOAT = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_INTEGER_LIMIT = 2**63
_LETTERS = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "ı": "i", "æ": "ae", "Æ": "Ae"}
    | {"œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D", "ə": "e", "Ə": "E", "&": " and "}
    | {"'": "", "’": "", "ʻ": "", "`": "", "$": "s", "+": " plus ", "#": " sharp "}
)


def slug(text: str) -> str:
    """ASCII letters, digits and single underscores: 'São Tomé' -> 'sao_tome'; '' if nothing is left."""
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")


def date_span(text: str) -> tuple[Day, Day]:
    """First and last day that a date text may mean: '1980-05' -> (1980, 5, 1), (1980, 5, 31).

    Raises ValueError with the reason.
    """
    match = _DATE.fullmatch(text)
    if not match:
        raise ValueError("is no date: write 1980, 1980-05, 1980-05-01 or -0044-03-15")
    year = int(match[1])
    if year == 0:
        raise ValueError("is no date: there is no year 0000")
    month, day = (int(part) if part else None for part in match.groups()[1:])
    if month is not None and not 1 <= month <= 12:
        raise ValueError(f"is no date: no month {month:02}")
    last = month or 12
    leap = calendar.isleap(year if year > 0 else year + 1)
    days = 29 if last == 2 and leap else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[last - 1]
    if day is not None and not 1 <= day <= days:
        raise ValueError(f"is no date: month {last:02} of {year} has {days} days")
    return (year, month or 1, day or 1), (year, last, day or days)


def literal(text: str, kind: ValueKind, minimum: float | None, maximum: float | None) -> Literal:
    """The typed literal a cell's text stands for. Raises ValueError with the reason."""
    match kind:
        case "date":
            date_span(text)
            datatype = ("gYear", "gYearMonth", "date")[text.removeprefix("-").count("-")]
            return Literal(text, XSD + datatype)
        case "integer":
            if not _INTEGER.fullmatch(text):
                raise ValueError("is no whole number: write digits only, such as 1250000")
            if abs(int(text)) >= _INTEGER_LIMIT:
                raise ValueError("does not fit into 64 bits")
            _within(float(int(text)), minimum, maximum)
            return Literal(text, XSD + "integer")
        case "float":
            if not _FLOAT.fullmatch(text) or not math.isfinite(float(text)):
                raise ValueError("is no number: write it as 377975 or 0.44")
            _within(float(text), minimum, maximum)
            return Literal(text, XSD + "double")
        case "string":
            return Literal(text)
        case "text":
            return Literal(text, language="en")


def _within(number: float, minimum: float | None, maximum: float | None) -> None:
    if minimum is not None and number < minimum:
        raise ValueError(f"is less than {minimum:g}, the column's `min`")
    if maximum is not None and number > maximum:
        raise ValueError(f"is more than {maximum:g}, the column's `max`")
