"""Dialogue values as JSON and back, without pickle: `decode(encode(value)) == value`.

    encode(Iri("http://e/a"))  ->  {"$": "Iri", "value": "http://e/a"}

Every frozen dataclass and enumeration of the modules in `_MODULES` can be written, and nothing else;
a text that names another type does not load. A field that was added since, with a default, may be
missing; `FORMAT` goes up when what was written before would no longer load.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from kbqa import dialogue, feedback, protocols, types
from kbqa.errors import RecordsError

FORMAT = 1
"""Number of the format, written with every value."""

_MODULES = (types, feedback, protocols, dialogue)
_TYPE, _FLOAT, _SET = "$", "float", "frozenset"


@cache
def _known() -> dict[str, type[Any]]:
    """Name -> type, of all that may be written."""
    found: dict[str, type[Any]] = {}
    for module in _MODULES:
        for name, kind in vars(module).items():
            if not isinstance(kind, type) or kind.__module__ != module.__name__:
                continue
            if not (is_dataclass(kind) or issubclass(kind, Enum)):
                continue
            if name in found or name in (_FLOAT, _SET):
                raise TypeError(f"two types of dialogue values are named {name}")
            found[name] = kind
    return found


@cache
def _fields(name: str) -> tuple[tuple[str, bool], ...]:
    """The names of a known dataclass's fields, and which of them must be there."""
    every = fields(_known()[name])
    return tuple((f.name, f.default is MISSING and f.default_factory is MISSING) for f in every)


def dumps(value: Any) -> str:
    """One line of ASCII JSON, the format's number with it. Raises `TypeError` for what is no dialogue
    value."""
    return json.dumps({"format": FORMAT, "value": encode(value)}, separators=(",", ":"), allow_nan=False)


def loads(text: str) -> Any:
    """The value. Raises `RecordsError` for a text that `dumps` of this version didn't write."""
    try:
        whole = json.loads(text)
    except ValueError as e:
        raise RecordsError(f"a recorded value is no JSON: {e}") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        number = whole.get("format") if isinstance(whole, dict) else None
        raise RecordsError(f"a recorded value has format {number!r}; this version reads {FORMAT}")
    return decode(whole.get("value"))


def encode(value: Any) -> Any:
    """As JSON's own types. Raises `TypeError` for what is no dialogue value."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {_TYPE: _FLOAT, "value": repr(value)}
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, frozenset):
        items = [encode(item) for item in value]
        return {_TYPE: _SET, "items": sorted(items, key=lambda item: json.dumps(item, sort_keys=True))}
    kind = type(value)
    if _known().get(kind.__name__) is not kind:
        raise TypeError(f"{kind.__module__}.{kind.__qualname__} is no type of a dialogue value")
    if isinstance(value, Enum):
        return {_TYPE: kind.__name__, "value": value.value}
    return {
        _TYPE: kind.__name__,
        **{name: encode(getattr(value, name)) for name, _ in _fields(kind.__name__)},
    }


def decode(data: Any) -> Any:
    """What `encode` was given. Raises `RecordsError` naming the type or field that is not known."""
    if isinstance(data, list):
        return tuple(decode(item) for item in data)
    if not isinstance(data, dict):
        return data
    name = data.get(_TYPE)
    if name == _FLOAT:
        return float(data["value"])
    if name == _SET:
        return frozenset(decode(item) for item in data["items"])
    kind = _known().get(name) if isinstance(name, str) else None
    if kind is None:
        raise RecordsError(f"a recorded value has the type {name!r}, which this version doesn't know")
    if issubclass(kind, Enum):
        return _enumerated(kind, data)
    return _dataclass(kind, data)


def _enumerated(kind: type[Enum], data: Mapping[str, Any]) -> Enum:
    try:
        return kind(data.get("value"))
    except ValueError:
        raise RecordsError(f"a recorded {kind.__name__} is {data.get('value')!r}") from None


def _dataclass(kind: type[Any], data: Mapping[str, Any]) -> Any:
    known = _fields(kind.__name__)
    strange = data.keys() - {name for name, _ in known} - {_TYPE}
    missing = [name for name, needed in known if needed and name not in data]
    if strange or missing:
        wrong = f"lacks {missing[0]!r}" if missing else f"has an unknown field {min(strange)!r}"
        raise RecordsError(f"a recorded {kind.__name__} {wrong}")
    return kind(**{name: decode(data[name]) for name, _ in known if name in data})
