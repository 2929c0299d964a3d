"""How answers are shown: dates as people write them, numbers with separators, lists cut with a count."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation

from kbqa.types import XSD, Answer, Constant, Iri, Literal, Rows

LONGEST_NAME = 300
"""Characters of a name that are shown."""
SHOWN = 10
"""How many answers a list names before it says 'and 37 more'."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_DATE_TYPES = frozenset(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth", "datetime"))
_WHOLE = (
    "integer int long short byte nonNegativeInteger positiveInteger negativeInteger nonPositiveInteger "
    "unsignedInt unsignedLong unsignedShort unsignedByte decimal double float"
)
_NUMBER_TYPES = frozenset(XSD + name for name in _WHOLE.split())
_DATE = re.compile(
    r"(?P<sign>-?)(?P<year>\d{4,9})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:T(?P<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?)?)?(?P<zone>Z|[+-]\d\d:\d\d)?"
)
MADE_OF = "of"
"""The column that says how many numbers an average or a sum was made of."""
_NONE = Literal("0", XSD + "integer")
_DECIMALS = 4
"""Digits after the point that are shown of a number that has many, as averages do."""
_SPACES = re.compile(r"[\s\x85\u2028\u2029]+")


def show(value: Constant, label: str = "") -> str:
    """A value as text for people. `label`: an entity's name; without one its id stands there."""
    match value:
        case Iri():
            return clean(label) or clean(value.mid)
        case Literal(lexical, datatype, _) if datatype in _DATE_TYPES:
            return clean(show_date(lexical))
        case Literal(lexical, datatype, _) if datatype in _NUMBER_TYPES:
            return clean(show_number(lexical))
        case Literal(lexical, datatype, _) if datatype == XSD + "boolean":
            return {"true": "yes", "1": "yes", "false": "no", "0": "no"}.get(lexical, clean(lexical))
        case Literal(lexical):
            return clean(lexical)


def show_date(lexical: str) -> str:
    """'1980-12-31' -> '31 December 1980', '1980-05' -> 'May 1980', '-0044' -> '44 BC'.

    What is no date stays as it is. A time of midnight is left out, a time zone is kept.
    """
    found = _DATE.fullmatch(lexical.strip())
    if found is None or not 1 <= int(found["month"] or 1) <= 12 or not 1 <= int(found["day"] or 1) <= 31:
        return lexical
    text = str(int(found["year"])) + (" BC" if found["sign"] else "")
    if found["month"]:
        text = f"{_MONTHS[int(found['month']) - 1]} {text}"
    if found["day"]:
        text = f"{int(found['day'])} {text}"
    time = (found["time"] or "").removesuffix(".000").removesuffix(":00")
    if time and time not in ("00", "00:00"):
        text += f", {time}"
    zone = found["zone"]
    return f"{text} (UTC{'' if zone in ('Z', '+00:00', '-00:00') else zone})" if zone else text


def show_number(lexical: str) -> str:
    """'1250000' -> '1,250,000', '3.0E5' -> '300,000'. Four digits stay together: they may be a year."""
    try:
        number = Decimal(lexical.strip())
    except InvalidOperation:
        return lexical
    if not number.is_finite():
        return lexical
    if abs(number.adjusted()) > 30:
        return lexical
    if number == 0:
        return "0"
    text = f"{number:f}"
    if "." in text and len(text.partition(".")[2]) > 6 and abs(number) >= 1:
        text = f"{round(number, _DECIMALS):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    whole, point, rest = text.partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    if len(digits) > 4:
        digits = f"{int(digits):,}"
    return sign + digits + point + rest


def clean(text: str) -> str:
    """One line: white space becomes a blank; characters that would act on the terminal or page are
    shown as symbols (escape as '␛') or, where they are invisible, left out."""
    text = _SPACES.sub(" ", text).strip()
    return text if text.isprintable() else _SPACES.sub(" ", printable(text)).strip()


def printable(line: str) -> str:
    """A line whose blanks are meant: as `clean`, but they stay."""
    return line if line.isprintable() else "".join(map(_visible, line))


def shown_name(text: str) -> str:
    """A name as it is shown: `clean`, and cut after `LONGEST_NAME` characters."""
    text = clean(text)
    return text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME].rstrip() + "…"


def _visible(char: str) -> str:
    if ord(char) < 32:
        return chr(0x2400 + ord(char))
    kind = unicodedata.category(char)
    if char == "\x7f":
        return "\u2421"
    if kind == "Cf":
        return char if char == "\u200d" else ""
    return {"Cc": "", "Cs": "\ufffd"}.get(kind, char)


def collect(rows: Rows) -> tuple[Constant, ...]:
    """The distinct values of the first column, in the store's order; none of a number that was made of no
    numbers."""
    if rows.variables[1:] == (MADE_OF,) and all(row[1] == _NONE for row in rows.rows):
        return ()
    return tuple(dict.fromkeys(row[0] for row in rows.rows if row and row[0] is not None))


def tallied(rows: Rows) -> dict[Constant, str]:
    """How many each answer of a tally counts, as it is shown; nothing for other rows."""
    if len(rows.variables) != 2 or rows.variables[1] != "count":
        return {}
    return {row[0]: show(row[1]) for row in rows.rows if row[0] is not None and row[1] is not None}


def with_numbers(answers: Iterable[Answer], numbers: Mapping[Constant, str]) -> tuple[Answer, ...]:
    """The answers of a tally with their numbers: 'Oak Branch: 12'."""
    return tuple(
        Answer(a.value, f"{a.label}: {numbers[a.value]}") if a.value in numbers else a for a in answers
    )


def tells(rows: Rows) -> bool:
    """Whether there is an answer; a count of zero is none."""
    values = collect(rows)
    if len(values) == 1 and rows.variables == ("count",):
        value = values[0]
        return not (isinstance(value, Literal) and value.lexical == "0")
    return bool(values)


def label_all(values: Iterable[Constant], labels: Mapping[Iri, str]) -> tuple[Answer, ...]:
    """Answers as they are shown, each once. Literals that read the same, but for case, are one answer; so
    are an entity and its name. Entities that share a name stay two, told apart by their ids."""
    shown = [Answer(v, show(v, labels.get(v, "") if isinstance(v, Iri) else "")) for v in values]
    names = Counter(a.label for a in dict.fromkeys(shown) if isinstance(a.value, Iri))
    named = set(map(_folded, names))
    answers: dict[tuple[str, str], Answer] = {}
    for answer in shown:
        value, label = answer.value, _folded(answer.label)
        if isinstance(value, Iri):
            answers.setdefault(("entity", value.value), answer)
        elif label not in named:
            answers.setdefault(("literal", label), answer)
    return tuple(_told_apart(a, names) for a in answers.values())


def _folded(label: str) -> str:
    return unicodedata.normalize("NFKC", label).casefold()


def _told_apart(answer: Answer, names: Mapping[str, int]) -> Answer:
    value = answer.value
    if isinstance(value, Iri) and names[answer.label] > 1 and value.mid != answer.label:
        return Answer(value, f"{answer.label} ({value.mid})")
    return answer


def listing(
    answers: Sequence[Answer], *, count: int | None = None, limit: int = SHOWN, at_least: bool = False
) -> str:
    """'a, b, c and 37 more'; '' if there are none. `count`: how many there are in all, where `answers` is
    only the first of them; `at_least`: there may be more than that. Labels that hold commas are separated
    by semicolons."""
    total = max(len(answers), count or 0)
    shown = [answer.label for answer in answers[:limit]]
    text = ("; " if any("," in label for label in shown) else ", ").join(shown)
    more = total - len(shown)
    return f"{text} and {'at least ' if at_least else ''}{more:,} more" if more > 0 else text
