"""What a person should look at: nobody is excluded, and no work rejected, by a program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median

from kbqa.errors import InputError
from kbqa.study.config import Monitoring
from kbqa.study.outcomes import Done
from kbqa.study.register import Register

_ENOUGH = 5
"""Dialogues from which on a condition has a median to compare with."""


@dataclass(frozen=True, slots=True)
class Flag:
    """`kind`: 'too short', 'no edits in a row', 'same edit at every turn' or 'fast turns'; `dialogues`:
    the ids of those it is about."""

    participant: str
    kind: str
    why: str
    dialogues: tuple[str, ...]


def flags(dialogues: Sequence[Done], limits: Monitoring) -> list[Flag]:
    """Of each participant, in the order of the participants."""
    medians = _medians(dialogues)
    by_worker: dict[str, list[Done]] = defaultdict(list)
    for d in dialogues:
        by_worker[d.participant].append(d)
    return [
        flag
        for _, own in sorted(by_worker.items())
        for flag in _of_one(sorted(own, key=lambda d: d.order), limits, medians)
    ]


def _of_one(own: Sequence[Done], limits: Monitoring, medians: dict[str, float]) -> Iterator[Flag]:
    who = own[0].participant
    for d in own:
        usual = medians.get(d.condition)
        least = max(limits.min_seconds, limits.short_share * usual if usual else 0.0)
        if d.seconds is not None and d.seconds < least:
            beside = f"; the median of {d.condition} is {usual:.0f} s" if usual else ""
            yield Flag(who, "too short", f"{d.seconds:.0f} s{beside}", (d.dialogue_id,))
    editable = [d for d in own if d.edits_possible]
    for unedited, run in groupby(editable, lambda d: d.outcome.edits == 0):
        found = list(run)
        if unedited and len(found) >= limits.no_edit_run:
            why = f"{len(found)} dialogues in a row without a correction"
            yield Flag(who, "no edits in a row", why, tuple(d.dialogue_id for d in found))
    for d in own:
        said = {" ".join(text.casefold().split()) for text in d.texts}
        if len(d.texts) >= limits.same_edit_turns and len(said) == 1 and said != {""}:
            why = f"{len(d.texts)} corrections, all of them '{d.texts[0]}'"
            yield Flag(who, "same edit at every turn", why, (d.dialogue_id,))
    turns = [d.turn_seconds for d in own if d.turn_seconds is not None]
    if turns and median(turns) < limits.min_turn_seconds:
        why = f"the median time to answer what is shown is {median(turns):.1f} s"
        yield Flag(who, "fast turns", why, tuple(d.dialogue_id for d in own))


def _medians(dialogues: Sequence[Done]) -> dict[str, float]:
    times: dict[str, list[float]] = defaultdict(list)
    for d in dialogues:
        if d.seconds is not None:
            times[d.condition].append(d.seconds)
    return {name: median(found) for name, found in times.items() if len(found) >= _ENOUGH}


# --- what a person decides --------------------------------------------------------------


def exclude(register: Register, participant: str, reason: str) -> None:
    """No further tasks, and out of the analysis; the forms become free for others. What was done is
    still paid. Raises `InputError` where there is no such participant or no reason."""
    if not reason.strip():
        raise InputError("say why: an exclusion is kept with its reason")
    with register.tables.writing():
        stamp = _decided(register, participant, "exclude", reason)
        register.tables.run(
            "UPDATE participants SET excluded = ?, reason = ? WHERE id = ?", stamp, reason, participant
        )
        _release(register, participant, stamp, finished_too=True)


def release(register: Register, participant: str, reason: str) -> None:
    """Gives up the participant's unfinished comparison, so that another one can do it. What was done of
    it is paid and kept, and not analysed."""
    with register.tables.writing():
        stamp = _decided(register, participant, "release", reason)
        _release(register, participant, stamp, finished_too=False)


def keep(register: Register, participant: str, reason: str) -> None:
    """Notes that somebody has looked at the flags and found nothing."""
    with register.tables.writing():
        _decided(register, participant, "keep", reason)


def _release(register: Register, participant: str, stamp: str, *, finished_too: bool) -> None:
    only = "" if finished_too else " AND finished IS NULL"
    register.tables.run(
        f"UPDATE claims SET released = ? WHERE participant = ? AND released IS NULL{only}", stamp, participant
    )


def _decided(register: Register, participant: str, decision: str, reason: str) -> str:
    register.find(participant)
    stamp = register.stamp()
    row = {"participant": participant, "decision": decision, "reason": reason.strip(), "created": stamp}
    register.tables.insert("decisions", row)
    return stamp
