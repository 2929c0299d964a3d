"""Errors of shown steps by category, with examples to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbqa.simulate.errors import CATEGORIES

EXAMPLES = 4


class Tally:
    """Counts dialogues by the categories of what is wrong at first and at last. Of each category it keeps a
    few examples, however many dialogues there are."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, dict[str, int]]] = {}
        self._examples: dict[str, list[dict[str, Any]]] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        for when in ("first", "last"):
            found = record[f"errors_{when}"]
            for name in {one["category"] for one in found}:
                by_mode = self._counts.setdefault(name, {"first": {}, "last": {}})[when]
                by_mode[record["mode"]] = by_mode.get(record["mode"], 0) + 1
        for one in record["errors_first"]:
            kept = self._examples.setdefault(one["category"], [])
            if len(kept) < EXAMPLES and record["row"] not in [e["row"] for e in kept]:
                kept.append({"row": record["row"], "question": record["question"], **_pair(one)})

    def report(self) -> dict[str, Any]:
        """{category: {first: {mode: dialogues}, last: {mode: dialogues}, examples}}; only what occurs."""
        return {
            name: {**self._counts[name], "examples": self._examples.get(name, [])}
            for name in CATEGORIES
            if name in self._counts
        }


def _pair(one: Mapping[str, str]) -> dict[str, str]:
    return {"wanted": one["wanted"], "shown": one["shown"]}
