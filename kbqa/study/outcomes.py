"""What the participants left, as one row per dialogue and per survey answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median

from kbqa.dialogue import MODES, Dialogue, Version
from kbqa.errors import UnknownDialogue
from kbqa.evaluate.answers import answer_set, f1
from kbqa.evaluate.dialogues import Outcome, Seen, outcome
from kbqa.evaluate.forms import form
from kbqa.feedback import Edit, Insert, Replace
from kbqa.records import Records
from kbqa.sparql import canonical
from kbqa.study.gold import GoldItem, read_gold
from kbqa.study.register import Register
from kbqa.study.tables import Row


@dataclass(frozen=True, slots=True)
class Done:
    """One finished dialogue. `order`: the worker's how-manieth in this study (from 1); `texts`: the words
    of each correction ('' where it has none); `seconds`: from the question to the end; `turn_seconds`:
    the median between what was shown and what was said (None where nothing was said); `edited_after`:
    the right query was shown and edited further."""

    participant: str
    team: str
    claim: int
    comparison: str
    stage: int
    order: int
    condition: str
    item: str
    type: str
    dialogue_id: str
    status: str
    outcome: Outcome
    texts: tuple[str, ...]
    seconds: float | None
    turn_seconds: float | None
    comment: str
    finished: str

    @property
    def edits_possible(self) -> bool:
        return MODES[self.condition].edits

    def success(self, measure: str) -> float | None:
        """1 or 0 by 'official', 'inferable' or 'deemed'; None where the measure is none of the mode's."""
        value = getattr(self.outcome, measure)
        return None if value is None else float(value)


@dataclass(frozen=True, slots=True)
class Rating:
    """One answer to a survey statement: `value` from 1, the best."""

    participant: str
    team: str
    claim: int
    comparison: str
    stage: int
    condition: str
    question: int
    value: int


@dataclass(frozen=True, slots=True)
class Preference:
    """One answer to a comparative question: the system that was named, and the other one."""

    participant: str
    team: str
    claim: int
    comparison: str
    question: int
    condition: str
    other: str


@dataclass(frozen=True, slots=True)
class Left:
    """All that is analysed, or looked at for flags."""

    dialogues: tuple[Done, ...]
    ratings: tuple[Rating, ...]
    preferences: tuple[Preference, ...]


def collect(register: Register, records: Records, *, everybody: bool = False) -> Left:
    """Of finished comparisons of those who are not excluded; `everybody`: of all, as far as they came."""
    only = "" if everybody else " AND c.finished IS NOT NULL AND c.released IS NULL AND p.excluded IS NULL"
    gold = read_gold(register)
    dialogues = _dialogues(register, records, gold, only)
    answers = register.tables.rows(
        "SELECT a.*, c.participant, c.comparison, c.form, p.team FROM answers a"
        " JOIN claims c ON c.id = a.claim JOIN participants p ON p.id = c.participant"
        f" WHERE 1{only} ORDER BY a.claim, a.stage, a.question"
    )
    orders = {
        (r["claim"], r["stage"]): r["condition"]
        for r in register.tables.rows("SELECT DISTINCT claim, stage, condition FROM tasks")
    }
    ratings, preferences = [], []
    for row in answers:
        who = (row["participant"], row["team"], row["claim"], row["comparison"])
        if (row["claim"], row["stage"]) in orders:
            condition = orders[row["claim"], row["stage"]]
            ratings.append(Rating(*who, row["stage"], condition, row["question"], row["value"]))
        else:
            first, second = orders[row["claim"], 1], orders[row["claim"], 2]
            named, other = (first, second) if row["value"] == 1 else (second, first)
            preferences.append(Preference(*who, row["question"], named, other))
    return Left(dialogues, tuple(ratings), tuple(preferences))


def _dialogues(
    register: Register, records: Records, gold: dict[str, GoldItem], only: str
) -> tuple[Done, ...]:
    rows = register.tables.rows(
        "SELECT t.*, c.comparison, p.team FROM tasks t JOIN claims c ON c.id = t.claim"
        " JOIN participants p ON p.id = t.participant"
        f" WHERE t.finished IS NOT NULL AND t.dialogue_id IS NOT NULL{only} ORDER BY t.claim, t.place"
    )
    counts: dict[str, int] = {}
    found = []
    for row in rows:
        counts[row["participant"]] = counts.get(row["participant"], 0) + 1
        try:
            dialogue = records.load(row["dialogue_id"])
        except UnknownDialogue:  # erased meanwhile
            continue
        shown = records.moments(dialogue.dialogue_id)
        found.append(
            _done(row, dialogue, shown, gold[row["item"]], register.study.edits, counts[row["participant"]])
        )
    return tuple(found)


def _done(
    row: Row,
    dialogue: Dialogue,
    moments: Iterable[tuple[str, float | None]],
    item: GoldItem,
    edits: int,
    order: int,
) -> Done:
    said = [v.feedback for v in dialogue.versions[1:]]
    return Done(
        row["participant"],
        row["team"],
        row["claim"],
        row["comparison"],
        row["stage"],
        order,
        row["condition"],
        row["item"],
        item.type,
        dialogue.dialogue_id,
        dialogue.status,
        measured(dialogue, item, edits),
        tuple(f.text if isinstance(f, Insert | Replace | Edit) else "" for f in said),
        _between(row["started"], row["finished"]),
        _thinking(moments),
        row["comment"] or dialogue.comment,
        row["finished"],
    )


def measured(dialogue: Dialogue, item: GoldItem, edits: int) -> Outcome:
    """The success measures (METHODS.md, section 1). Where an earlier version was gone back to, it stands
    last."""
    seen = [_seen(v, item) for v in dialogue.versions]
    if dialogue.at and dialogue.at < len(seen):
        seen.append(seen.pop(dialogue.at - 1))
    return outcome(seen, dialogue.status, item.gold, edits, allowed=dialogue.mode.edits)


def _seen(version: Version, item: GoldItem) -> Seen:
    steps = version.parse.decomposition.steps
    shown = form(steps)
    exact = (item.form is not None and shown == item.form) or canonical(version.parse.query) == item.query
    last = version.steps[-1]
    whole = last.outcome != "timed_out" and last.answer_count <= len(last.answers)
    answers = answer_set(a.value for a in last.answers) if whole else None
    score = f1(item.gold.answers, answers or frozenset()) if item.gold.answers else None
    return Seen(exact, score, answers, shown)


def _between(start: str | None, end: str | None) -> float | None:
    if not start or not end:
        return None
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def _thinking(moments: Iterable[tuple[str, float | None]]) -> float | None:
    """The median time in seconds from one turn's reply to the next turn's feedback, without the time in
    which the system worked."""
    turns = [(datetime.fromisoformat(created), ms) for created, ms in moments]
    waits = [(now - before).total_seconds() - (ms or 0) / 1000 for (before, _), (now, ms) in pairwise(turns)]
    return max(0.0, median(waits)) if waits else None
