"""Readings that make no sense, whatever is asked: with a step that nothing goes on from, or with things
compared as if they were dates or numbers."""

from __future__ import annotations

import re

from kbqa.errors import StoreError
from kbqa.lookups import holds
from kbqa.protocols import Store
from kbqa.rewire import loose
from kbqa.sparql.portable import term
from kbqa.types import Decomposition, Find, Hop, Iri, Keep, Kind, Literal, Path, Pick, Than

_LIMIT_S = 0.5
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_AMOUNT = r"(?:than|over|above|under|below|least|most|exactly|to|exceed\w*|top\w*)"


class Sense:
    """Tells such readings over one store. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[Iri, bool] = {}

    def makes(self, read: Decomposition) -> bool:
        """Whether the last step rests on all the others, and only values are compared with values."""
        return not loose(read.steps) and all(map(self._leads_to_values, _compared(read)))

    def _leads_to_values(self, path: Path) -> bool:
        """Whether a path may lead to dates, numbers or texts: so it may where the store can't tell."""
        last: Hop = path[-1]
        if last.inverse:
            return False
        if last.predicate not in self._known:
            led = f"?s {term(last.predicate)} ?v"
            try:
                to_values = self._holds(f"{led} FILTER (ISLITERAL(?v))")
                self._known[last.predicate] = to_values or not self._holds(led)
            except StoreError:
                return True
        return self._known[last.predicate]

    def _holds(self, pattern: str) -> bool:
        return holds(self._store, pattern, _LIMIT_S)


def takes_year_for_number(read: Decomposition, text: str) -> bool:
    """Whether a reading compares a number with what stands as a year in the text: 'the least populated
    country 2023'."""
    tests = (t for s in read.steps if isinstance(s, Find | Keep) for r in s.restrictions for t in r.tests)
    numbers = {
        t.value.lexical
        for t in tests
        if isinstance(t, Than) and t.kind is Kind.NUMBER and isinstance(t.value, Literal)
    }
    return any(
        _YEAR.fullmatch(number)
        and re.search(rf"\b{number}\W*\Z|\b(?:in|by|of|for|as of|since|until) {number}\b(?!\s+\w+s\b)", text)
        and not re.search(rf"{_AMOUNT}\s+{number}\b", text, re.IGNORECASE)
        for number in numbers
    )


def _compared(read: Decomposition) -> list[Path]:
    """Paths whose values are compared with a date or number, or ordered as such."""
    restrictions = (r for s in read.steps if isinstance(s, Find | Keep) for r in s.restrictions if r.path)
    compared = [r.path for r in restrictions if any(_is_bound(t) for t in r.tests)]
    return compared + [s.path for s in read.steps if isinstance(s, Pick) and s.path]


def _is_bound(test: object) -> bool:
    return isinstance(test, Than) and isinstance(test.value, Literal)
