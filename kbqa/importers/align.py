"""Which step of a gold query a human sub-question of INSPIRED belongs to.

INSPIRED's sub-logical forms are stretches of the query's triples in its own order. Of the orders in which the
gold query's steps can be asked, the one counts in which they follow INSPIRED's most closely; a step and a
sub-logical form belong together by the predicates that they share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kbqa.errors import TemplateError
from kbqa.importers.rows import ImportedRow
from kbqa.lexicon import Lexicon
from kbqa.parse.grounding import hops_of
from kbqa.rewire import Steps
from kbqa.simulate.goal import GoldRow, goal_of
from kbqa.templates import Names, write_all
from kbqa.types import Pick, Step, freebase

LEAST = 0.5
"""The share of common predicates, of those of either, from which on a step and a form belong together."""

_PREDICATE = re.compile(r"\b[a-z]\w*\.\w+\.\w+(?:\.\w+)*")
_ORDER = "order by"
Marks = frozenset[str]
Wordings = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Aligned:
    """Templated English of each step, what people asked for it (none where no sub-question belongs to it),
    and how many sub-questions found a step."""

    steps: tuple[str, ...] = ()
    wordings: Wordings = ()
    placed: int = 0


def align(row: ImportedRow, sub_forms: Sequence[str], lexicon: Lexicon) -> Aligned:
    """`row.sub_questions`: one for each of `sub_forms`. Nothing where the query can't be put as steps.
    Raises `QueryError` for a query that can't be read."""
    entities = {freebase(mid): name for mid, name in row.names.items() if name}
    ways = goal_of(GoldRow(0, row.id, row.question, row.sparql, entities), lexicon).ways
    if not ways or not row.sub_questions:
        return Aligned()
    steps, pairs = _best(ways, sub_forms, len(row.sub_questions))
    wordings = tuple(row.sub_questions[pairs[i]] if i in pairs else () for i in range(len(steps)))
    try:
        templates = tuple(write_all(steps, lexicon, Names(entities)))
    except TemplateError:
        return Aligned()
    placed = sum(bool(texts) for texts in wordings)
    return Aligned(templates, wordings, placed) if placed else Aligned()


def _best(ways: Sequence[Steps], sub_forms: Sequence[str], asked: int) -> tuple[Steps, dict[int, int]]:
    """The order of steps and the pairs (step, sub-question), both from 0. Where there is not one form for
    each sub-question, as many steps as sub-questions are taken in order."""
    if len(sub_forms) != asked:
        return ways[0], {i: i for i in range(asked)} if asked == len(ways[0]) else {}
    forms = [_marks_of_form(text) for text in sub_forms]
    found = [_paired([_marks_of_step(step) for step in way], forms) for way in ways]
    best = max(range(len(ways)), key=lambda at: (found[at][0], -at))
    return ways[best], found[best][1]


def _marks_of_form(text: str) -> Marks:
    """Its predicates, and whether it orders. The published forms are in small letters."""
    small = text.lower()
    return frozenset(_PREDICATE.findall(small)) | ({_ORDER} if _ORDER in small else frozenset())


def _marks_of_step(step: Step) -> Marks:
    marks = frozenset(hop.predicate.mid.lower() for hop in hops_of(step))
    return marks | {_ORDER} if isinstance(step, Pick) else marks


def _paired(steps: Sequence[Marks], forms: Sequence[Marks]) -> tuple[float, dict[int, int]]:
    """The best monotone one-to-one pairing: its sum of shares, and for each paired step its form. Of equal
    ones that with the later forms: an ordering's own form stands after that of the value it orders by."""
    table: list[list[tuple[float, dict[int, int]]]] = [[(0.0, {})] * (len(forms) + 1)]
    for i, step in enumerate(steps):
        row = [table[-1][0]]
        for j, form in enumerate(forms):
            share = len(step & form) / len(step | form) if step | form else 0.0
            options = [row[-1], table[-1][j + 1]]
            if share >= LEAST:
                total, pairs = table[-1][j]
                options.append((total + share, {**pairs, i: j}))
            row.append(max(reversed(options), key=lambda option: option[0]))
        table.append(row)
    return table[-1][-1]
