"""Reading a study file: every value is checked, and a complaint names its line and field."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from kbqa.errors import InputError

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\-]+)\s*\]\]?\s*(?:#.*)?$")
_QUOTES = re.compile(r'"""|\'\'\'')
_NONE: Any = object()


class Fields:
    """One table of a TOML file. Each method takes a field out; `done` complains of those that are left.

    `place`: the table's name with the numbers (from 1) of the arrays it stands in: ('quiz.questions', 2).
    Every method raises `InputError`; without a `default` the field must be there.
    """

    def __init__(
        self, path: Path, text: str, data: Mapping[str, Any], name: str = "", number: int = 1
    ) -> None:
        self._path, self._text, self._data, self._name, self._number = path, text, dict(data), name, number
        self._left, self._known = set(data), set[str]()

    # --- values

    def text(self, key: str, default: Any = _NONE) -> str:
        value = self._take(key, default)
        if not isinstance(value, str) or (not value.strip() and default is _NONE):
            raise self.wrong(key, value, "a text")
        return value.strip()

    def whole(self, key: str, default: Any = _NONE, *, least: int = 0, most: int = 1_000_000) -> int:
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(key, value, f"a whole number from {least} to {most}")
        return value

    def number(self, key: str, default: Any = _NONE, *, least: float = 0, most: float = 1e9) -> float:
        value = self._take(key, default)
        if not isinstance(value, int | float | Decimal) or isinstance(value, bool):
            raise self.wrong(key, value, f"a number from {least:g} to {most:g}")
        if not least <= value <= most:
            raise self.wrong(key, value, f"a number from {least:g} to {most:g}")
        return float(value)

    def money(self, key: str, default: Any = _NONE) -> Decimal:
        """An amount, at least zero, with two decimals at most."""
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self.wrong(key, value, "an amount such as 0.40")
        amount = Decimal(value)
        if not amount.is_finite() or amount < 0 or amount != round(amount, 2):
            raise self.wrong(key, value, "an amount such as 0.40")
        return round(amount, 2)

    def flag(self, key: str, default: Any = _NONE) -> bool:
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def choice(self, key: str, among: Sequence[str], default: Any = _NONE) -> str:
        value = self._take(key, default)
        if value not in among:
            raise self.wrong(key, value, f"one of {', '.join(among)}")
        return str(value)

    def texts(self, key: str, default: Any = _NONE, *, least: int = 1, most: int = 50) -> tuple[str, ...]:
        value = self._take(key, default)
        fits = isinstance(value, list | tuple) and all(isinstance(v, str) and v.strip() for v in value)
        if not fits or not least <= len(value) <= most:
            raise self.wrong(key, value, f"a list of {least} to {most} texts")
        return tuple(v.strip() for v in value)

    def wholes(self, key: str, *, least: int, most: int) -> tuple[int, ...]:
        value = self._take(key, _NONE)
        fits = isinstance(value, list) and all(isinstance(v, int) and not isinstance(v, bool) for v in value)
        if not fits or not value or not all(least <= v <= most for v in value):
            raise self.wrong(key, value, f"a list of whole numbers from {least} to {most}")
        return tuple(value)

    # --- tables

    def table(self, key: str, *, needed: bool = True) -> Fields:
        value = self._take(key, _NONE if needed else {})
        if not isinstance(value, dict):
            raise self.wrong(key, value, f"a table [{self._full(key)}]")
        return Fields(self._path, self._text, value, self._full(key))

    def tables(self, key: str) -> list[Fields]:
        value = self._take(key, _NONE)
        fits = isinstance(value, list) and all(isinstance(v, dict) for v in value)
        if not fits or not value:
            raise self.wrong(key, value, f"one or more tables [[{self._full(key)}]]")
        return [
            Fields(self._path, self._text, v, self._full(key), number) for number, v in enumerate(value, 1)
        ]

    def rest(self) -> dict[str, Any]:
        """Every field that was not taken out."""
        taken = {key: self._data[key] for key in sorted(self._left)}
        self._left.clear()
        return taken

    def done(self) -> None:
        if self._left:
            key = min(self._left)
            raise InputError(f"{self.where(key)} is not known here; known: {', '.join(sorted(self._known))}")

    # --- complaints

    def wrong(self, key: str, value: Any, expected: str) -> InputError:
        said = "is missing" if value is _NONE else f"is {_shown(value)}"
        return InputError(f"{self.where(key)} {said}; expected {expected}")

    def where(self, key: str) -> str:
        """'study.toml, line 12: 'batch' in [pay]'."""
        line = find_line(self._text, self._name, self._number, key)
        at = f", line {line}" if line else ""
        number = f" {self._number}" if self._number > 1 else ""
        inside = f" in [{self._name}]{number}" if self._name else ""
        return f"{self._path.name}{at}: '{key}'{inside}"

    def _take(self, key: str, default: Any) -> Any:
        self._known.add(key)
        self._left.discard(key)
        value = self._data.get(key, default)
        if value is _NONE:
            raise self.wrong(key, _NONE, "it to be given")
        return value

    def _full(self, key: str) -> str:
        return f"{self._name}.{key}" if self._name else key


def open_fields(
    path: Path, kind: str = "study file", hint: str = "'kbqa study new FILE' writes one"
) -> Fields:
    """The top table of a TOML file. Raises `InputError` naming the file and the line; `kind`, `hint`: what
    the file is, and what to do where it is not there."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"there is no {kind} {path}: {hint}") from None
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"the {kind} {path} can't be read: {e}") from None
    try:
        return Fields(path, text, tomllib.loads(text, parse_float=Decimal))
    except tomllib.TOMLDecodeError as e:
        raise InputError(f"{path.name} is no TOML: {e}") from None


def find_line(text: str, name: str, number: int, key: str) -> int | None:
    """The line (from 1) of a field, else of its table's header; None where neither is found."""
    at, seen, quoted, header = "", 0, False, None
    for line_number, line in enumerate(text.splitlines(), 1):
        inside = quoted
        if len(_QUOTES.findall(line)) % 2:
            quoted = not quoted
        if inside:
            continue
        found = _HEADER.match(line)
        if found:
            at = found[2]
            seen += at == name
            header = line_number if at == name and seen == number else header
        elif (
            at == name
            and (not name or seen == number)
            and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line)
        ):
            return line_number
    return header


def _shown(value: Any) -> str:
    said = f"{value}" if isinstance(value, Decimal) else repr(value)
    return said if len(said) <= 60 else said[:57] + "..."
