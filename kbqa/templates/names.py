"""What stands in square brackets: entities, literals, earlier steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from kbqa.errors import TemplateError
from kbqa.types import FREEBASE, XSD, Anything, Iri, Literal, Ref

_STEP = re.compile(r"(?:that (?P<noun>[^\[\]]*)|the (?P<other>[^\[\]]*) of step (?P<step>\d+))\Z")
_QUOTED = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"(?:@(?P<tag>[\w-]+)|\^\^<(?P<type>[^<>]*)>)?\Z', re.DOTALL)
_NUMBER = re.compile(r"[+-]?\d+([.]\d*)?([eE][+-]?\d+)?\Z", re.ASCII)
_DATE = re.compile(r"-?\d{4}-\d\d-\d\d\Z", re.ASCII)
_MOST_NAMED = 20
_MID = re.compile(r"[mg]\.\w+\Z")
_BY_ID = re.compile(r" \((?:[mg]\.\w+|local\.[^()\s]+|<[^<>]*>)\)\Z")
"""An id behind a name: an entity, whatever the name looks like."""


@dataclass(frozen=True)
class Names:
    """Names of entities, one each. Where two share a name, or the name could be read as something
    else, the id stands behind it: 'Georgia (m.0d0kn)'."""

    labels: Mapping[Iri, str]

    @cached_property
    def _shown(self) -> dict[Iri, str]:
        counts = Counter(self.labels.values())
        return {
            iri: label if counts[label] == 1 and not _misread(label) else f"{label} ({_id(iri)})"
            for iri, label in self.labels.items()
        }

    @cached_property
    def _entities(self) -> dict[str, Iri]:
        return {shown: iri for iri, shown in self._shown.items()}

    def show(self, iri: Iri) -> str:
        return self._shown.get(iri) or _id(iri)

    def exact(self, text: str) -> Iri | None:
        """The entity that is shown as this very text."""
        return self._entities.get(text)

    def find(self, text: str) -> Iri | None:
        """The entity of this name, or written by its id; None if there is none."""
        known = self._entities.get(text)
        if known is not None:
            return known
        if _MID.match(text) or text.startswith("local."):
            return Iri(FREEBASE + text)
        if text.startswith("<") and text.endswith(">"):
            return Iri(text[1:-1])
        inner = re.search(r" \(([^()\s]+)\)\Z", text)
        return self.find(inner[1]) if inner else None


def _id(iri: Iri) -> str:
    short = iri.mid
    return short if _MID.match(short) or short.startswith("local.") else f"<{iri.value}>"


def _misread(label: str) -> bool:
    """Whether a label looks like a step, a value or an id."""
    patterns = (_STEP, _NUMBER, _DATE, _MID)
    if label in ("", "anything") or label.startswith(('"', "<", "local.")) or label.endswith(")"):
        return True
    return any(p.match(label) for p in patterns)


def is_date(text: str) -> bool:
    """Whether a text is a date as it stands in a template: 1980-12-31."""
    return _DATE.match(text) is not None


def escape(text: str) -> str:
    return re.sub(r"[\\\[\]]", lambda m: "\\" + m[0], text)


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def show_value(value: object, number: int, nouns: Mapping[int, str], names: Names) -> str:
    """The text between brackets, escaped, brackets included."""
    match value:
        case Anything():
            text = "anything"
        case Iri():
            text = names.show(value)
        case Ref(step):
            noun = nouns.get(step, "thing")
            text = f"that {noun}" if step == number - 1 else f"the {noun} of step {step}"
        case Literal(lexical, datatype, language):
            bare = (datatype == XSD + "date" and _DATE.match(lexical)) or (
                datatype == XSD + "decimal" and _NUMBER.match(lexical)
            )
            text = lexical if bare else _quote(lexical, datatype, language)
        case _:
            raise TemplateError(f"{value!r} can't be put in words")
    return f"[{escape(text)}]"


def _quote(lexical: str, datatype: str, language: str) -> str:
    body = lexical.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{body}"' + (f"@{language}" if language else f"^^<{datatype}>" if datatype else "")


def read_value(text: str, number: int, names: Names) -> Iri | Literal | Ref | Anything:
    """Raises `TemplateError` for a name that is not known."""
    text = unescape(text)
    named = names.exact(text)
    if named is not None:
        return named
    step = _STEP.match(text)
    if step and not _BY_ID.search(text):
        return Ref(int(step["step"])) if step["step"] else Ref(number - 1)
    if text == "anything":
        return Anything()
    if _DATE.match(text):
        return Literal(text, XSD + "date")
    if _NUMBER.match(text):
        return Literal(text, XSD + "decimal")
    quoted = _QUOTED.match(text)
    if quoted:
        return Literal(unescape(quoted["text"]), quoted["type"] or "", quoted["tag"] or "")
    found = names.find(text)
    if found is None:
        known = ", ".join(sorted(names.labels.values())[:_MOST_NAMED]) or "none"
        raise TemplateError(f"no entity is named {text!r} here; known: {known}")
    return found
