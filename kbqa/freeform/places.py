"""How steps are named, and places among them: 'step 2', 'the last one', 'between step 1 and 2'."""

from __future__ import annotations

import re
from collections.abc import Mapping

_COUNTED = "one two three four five six seven eight nine ten".split()
_ORDERED = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_SHORT = "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split()
_NUMBERS: Mapping[str, int] = {
    word: number for words in (_COUNTED, _ORDERED, _SHORT) for number, word in enumerate(words, 1)
}
CARDINAL = rf"\d+|{'|'.join(_COUNTED)}"
ORDINAL = rf"{'|'.join(_ORDERED + _SHORT)}|last|final|previous"
_STEPS = r"(?:sub-?)?(?:steps?|questions?|parts?|lines?|points?|numbers?)"


def _reference(group: str) -> str:
    """A step named by number; the number is in the group of that name with `o` (ordinal) or `c`."""
    return (
        rf"(?:the )?(?:(?P<{group}o>{ORDINAL}) (?:{_STEPS}|one)\b"
        rf"|(?:{_STEPS}|no\.|#) ?(?:number |no\. ?|# ?)?(?P<{group}c>{CARDINAL}))(?!\w)"
    )


_STEP = re.compile(rf"(?:\b(?:in|at|of|for|from|with|to|into|on) )?\b{_reference('s')}", re.I)
_BY_NUMBER = re.compile(
    r"(?:\b(?:in|at|of|for|from|with|to|into|on) )?\b(?:the )?(?:sub-?)?(?:step|question)s? ?"
    rf"(?:number |no\. ?|# ?)?(?P<sc>{CARDINAL})(?!\w)",
    re.I,
)
"""Said so, it is meant, whatever else is counted: 'the last part of step 1'."""
_NUMBERED = re.compile(rf"^(?P<sc>{CARDINAL}) ?(?:[:.)] |(?=(?:is|was|should|must|needs|has)\b))", re.I)
"""'2: who wrote it', '2 is wrong'."""
_BETWEEN = re.compile(
    rf"\bbetween (?:the )?(?:{_STEPS} )?\w+ and (?:the )?(?:{_STEPS} )?"
    rf"(?P<sc>{CARDINAL}|{ORDINAL})(?: {_STEPS})?\b",
    re.I,
)
_BEFORE = re.compile(rf"\bbefore {_reference('s')}", re.I)
_AFTER = re.compile(rf"\b(?:after|behind|following) {_reference('s')}", re.I)
_AS = re.compile(rf"\bas {_reference('s')}|^(?:add|insert) {_reference('t')}", re.I)
_AT_START = re.compile(r"\b(?:at|in|to) the (?:start|beginning|top|front)\b|^first of all\b", re.I)
_AT_END = re.compile(r"\b(?:at|to) the (?:end|bottom)\b", re.I)
INTO = re.compile(rf"\b(?:in|to|into|of|on) {_reference('s')}", re.I)
"""'add the year to step 2': a place inside of one."""
APPROVED_STEP = re.compile(
    rf"{_reference('s')} (?:is|are|looks?|seems?|was) (?:all )?(?:right|fine|ok|okay|correct|good|perfect)"
    r"(?:[,;. ]|\bbut\b|\band\b)*",
    re.I,
)
"""'step 1 is fine, but ...'"""


def number(word: str, count: int) -> int:
    """'2', 'two', 'second', '2nd', 'last' -> the number; `count`: how many there are. Raises `KeyError`."""
    low = word.casefold()
    if low in ("last", "final"):
        return count
    if low == "previous":
        return max(1, count - 1)
    return int(low) if low.isdecimal() else _NUMBERS[low]


def is_number(word: str) -> bool:
    return word.isdecimal() or word.casefold() in _NUMBERS


def named(text: str, count: int) -> tuple[int, str] | None:
    """'step 2 should be who wrote it' -> 2, 'should be who wrote it'. The number may be of no step."""
    found = _NUMBERED.search(text) or _BY_NUMBER.search(text) or _STEP.search(text)
    if found is None:
        return None
    return _number_in(found, count), f"{text[: found.start()]} {text[found.end() :]}".strip()


def position(text: str, count: int, *, adds: bool) -> tuple[int, str] | None:
    """Where something is to be put in, and the text without that. `adds`: the text says that something
    is added, so that 'at the end' is a place and no part of what is asked."""
    for pattern, shift in ((_BETWEEN, 0), (_BEFORE, 0), (_AFTER, 1), (_AS, 0)):
        found = pattern.search(text)
        if found:
            return _number_in(found, count) + shift, _cut(text, found)
    for pattern, step in ((_AT_START, 1), (_AT_END, count + 1)):
        found = pattern.search(text)
        if found and (adds or not found.start()):
            return step, _cut(text, found)
    return None


def _number_in(found: re.Match[str], count: int) -> int:
    return number(next(word for word in found.groupdict().values() if word), count)


def _cut(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}".strip(" .!,;:-'\"")
