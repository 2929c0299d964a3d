"""Numbers and dates that are compared: 'with more than 300 pages', 'published after 1990', 'between'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kbqa.compose.schema import Property, stems
from kbqa.compose.text import Text
from kbqa.compose.things import Valued
from kbqa.compose.words import (
    ADJECTIVES,
    AFTERWARDS,
    COMPARATIVES,
    COMPARING,
    LOOSE,
    MEASURED,
    NEGATIONS,
    NUMBERS,
    QUANTITIES,
    UNITS,
    Dimension,
)
from kbqa.induce.english import is_plural
from kbqa.parse.literals import Value
from kbqa.types import XSD, Kind, Literal, Operator, Test, Than

_BETWEEN = 6
_DATES_ONLY = frozenset(("in", "on", "from", "since", "starting", "following", "until", "prior to"))
_LOOSELY = stems(LOOSE)
_OTHERWISE: dict[Operator, Operator] = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}
"""What a comparison says with 'not' before it."""
_Sizes = tuple[Dimension, ...]
Bounds = tuple[tuple[Operator, int], ...]
"""How many there are: (('>=', 2), ('<=', 5))."""


def quantities(text: Text, i: int) -> Iterator[tuple[Bounds, int]]:
    """'more than 10', 'two or more', 'between 2 and 5' at word `i`, before what is counted."""
    for start, link in (("between", "and"), ("from", "to")):
        place = text.says(i, start)
        low = None if place is None else number_at(text, place)
        if place is not None and low is not None and (after := text.says(place + 1, link)) is not None:
            high = number_at(text, after)
            if high is not None:
                yield ((">=", low), ("<=", high)), after + 1
    for phrase, operator in QUANTITIES:
        place = text.says(i, phrase)
        number = None if place is None else number_at(text, place)
        if place is None or number is None:
            continue
        for words, other in AFTERWARDS:
            after = text.says(place + 1, words)
            if after is not None and operator == "=":
                yield ((other, number),), after
        yield ((operator, number),), place + 1
        break


def number_at(text: Text, i: int) -> int | None:
    """The whole number at a word: '10', 'ten'."""
    word = text.at(i)
    return int(word) if word.isdecimal() and len(word) < 7 else NUMBERS.get(word)


def compared(text: Text, properties: Sequence[Property], i: int) -> Iterator[tuple[Valued, float, int]]:
    """Conditions on numbers and dates, from word `i` on."""
    for k in range(i, min(i + _BETWEEN, len(text))):
        before = text.words[i:k]
        denied = any(w in NEGATIONS for w in before)
        if denied and (before[-1] not in NEGATIONS or any(w in NEGATIONS for w in before[:-1])):
            return
        if not denied:
            yield from _between(text, properties, before, k)
        for phrase, operator in COMPARING:
            j = text.says(k, phrase)
            if j is None or j not in text.values or not (phrase or k == j):
                continue
            if denied and phrase and operator in _OTHERWISE:
                yield from _than(text, properties, before[:-1], phrase, _OTHERWISE[operator], j)
            elif not denied:
                yield from _than(text, properties, before, phrase, operator, j)
        if not denied:
            yield from _by_the_sea(text, properties, before, k)
        if not denied and text.at(k) in ("a", "an"):
            yield from _some(text, properties, before, k + 1)
        elif not denied and stems(before) and is_plural(text.at(k)):
            yield from _some(text, properties, before, k)
        for word, j in text.one_of(k, tuple(COMPARATIVES)):
            place = text.says(j, "than")
            if place is not None and place in text.values:
                sizes = ADJECTIVES[COMPARATIVES[word]]
                operator = ">" if sizes[0][2] else "<"
                if denied:
                    operator, before = _OTHERWISE[operator], before[:-1]
                yield from _than(text, properties, before, word, operator, place, sizes)


def _by_the_sea(
    text: Text, properties: Sequence[Property], before: Sequence[str], i: int
) -> Iterator[tuple[Valued, float, int]]:
    """'below sea level', which is no height at all."""
    sides: tuple[tuple[str, Operator], ...] = (("above", ">"), ("over", ">"), ("below", "<"), ("under", "<"))
    for side, operator in sides:
        j = text.says(i, f"{side} sea level")
        for found in properties if j is not None else ():
            if stems(before) <= found.stems and _measures(found, ADJECTIVES["highest"]):
                test = Than(operator, Literal("0", XSD + "decimal"), Kind.NUMBER)
                yield Valued(found.path, (test,)), 0.0, j or 0


def _some(
    text: Text, properties: Sequence[Property], before: Sequence[str], i: int
) -> Iterator[tuple[Valued, float, int]]:
    """'won an Oscar', 'won Oscars', where it is known how many Oscars were won."""
    for found, doubt, end in _asked(text, properties, before, i, ()):
        if end > i and found.info.value == "number" and any(map(_is_count, found.nouns)):
            yield (
                Valued(found.path, (Than(">=", Literal("1", XSD + "decimal"), Kind.NUMBER),)),
                doubt + 0.1,
                end,
            )


def _is_count(noun: str) -> bool:
    """'number of nominations', 'games played'."""
    return noun.startswith("number of ") or is_plural(noun.split()[0])


def _than(
    text: Text,
    properties: Sequence[Property],
    before: Sequence[str],
    phrase: str,
    operator: Operator,
    j: int,
    sizes: _Sizes = (),
) -> Iterator[tuple[Valued, float, int]]:
    after, value = text.values[j]
    for words, other in AFTERWARDS:
        place = text.says(after, words)
        if place is not None and operator == "=":
            after, operator = place, other
    for found, doubt, end in _asked(text, _as_fine(properties, value), before, after, sizes):
        dated = found.info.value == "date"
        if not dated and phrase in _DATES_ONLY:
            continue
        tests = _tests(value, operator, dated)
        if tests:
            yield Valued(found.path, tests), doubt + (0.1 if not phrase else 0.0), end


def _between(
    text: Text, properties: Sequence[Property], before: Sequence[str], k: int
) -> Iterator[tuple[Valued, float, int]]:
    for start, link in (("between", "and"), ("from", "to")):
        place = text.says(k, start)
        if place is None or place not in text.values:
            continue
        middle, low = text.values[place]
        place = text.says(middle, link)
        if place is None or place not in text.values:
            continue
        after, high = text.values[place]
        for found, doubt, end in _asked(text, _as_fine(properties, low), before, after, ()):
            dated = found.info.value == "date"
            tests = (*_tests(low, ">=", dated), *_tests(high, "<=", dated))
            if len(tests) == 2:
                yield Valued(found.path, tests), doubt, end


def _as_fine(properties: Sequence[Property], value: Value) -> Sequence[Property]:
    """For a day or a month without properties of which no more than the year is known."""
    if not value.first or (value.first.endswith("-01-01") and value.last.endswith("-12-31")):
        return properties
    return [p for p in properties if p.info.datatypes[:1] == () or p.info.datatypes[0][0] != XSD + "gYear"]


def _asked(
    text: Text, properties: Sequence[Property], before: Sequence[str], after: int, sizes: _Sizes
) -> Iterator[tuple[Property, float, int]]:
    """The numbers and dates of which words before and after the value speak; a date may go unnamed."""
    for end in range(after, min(after + 4, len(text)) + 1):
        said = stems(w for w in (*before, *text.words[after:end]) if w not in UNITS)
        unit = next((MEASURED[w] for w in text.words[after:end] if w in MEASURED), "")
        if end > after and not said and text.words[end - 1] not in UNITS:
            continue
        rank = 0
        for found in properties:
            known = said if not unit or unit not in found.units else said - _LOOSELY
            if found.info.value not in ("number", "date") or not known <= found.stems:
                continue
            if sizes and not _measures(found, sizes):
                continue
            if unit and found.units and unit not in found.units:
                continue
            told = found.info.value == "date" or found.main or (unit and found.units)
            if not said and not sizes and not told:
                continue
            yield found, 0.2 * rank, end
            rank += 1


def _measures(found: Property, sizes: _Sizes) -> bool:
    named = stems(w for n in found.nouns for w in n.split())
    return any(found.info.value == sort and stems(words) & named for words, sort, _ in sizes)


def _tests(value: Value, operator: Operator, dated: bool) -> tuple[Test, ...]:
    """A year is all its days: 'after 1990' leaves out 1990, 'in 1990' is any day of it."""
    if not dated:
        number = value.literal(Kind.NUMBER)
        return (Than(operator, number, Kind.NUMBER),) if number is not None else ()
    if not value.first:
        return ()
    first, last = (Literal(day, XSD + "date") for day in (value.first, value.last))
    match operator:
        case ">" | "<=":
            return (Than(operator, last, Kind.DATE),)
        case "<" | ">=":
            return (Than(operator, first, Kind.DATE),)
        case _:
            return (Than(">=", first, Kind.DATE), Than("<=", last, Kind.DATE))
