"""The study elsewhere: tasks for a crowd platform, and its results brought back (docs/study.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from kbqa.errors import InputError, UnknownDialogue
from kbqa.records import Records
from kbqa.study.places import COMPARISON_STAGE, AtComparison, AtDialogue, AtQuiz, AtSurvey, Task
from kbqa.study.questionnaire import questionnaire
from kbqa.study.register import Register

DONE = ("finished", "error")
"""Ways in which a dialogue of the crowd task ends and counts: broken work counts too."""
ENDS = ("held", "ended")
"""Events of the crowd task that tell it; the first, where surveys come between the dialogue and the end."""


def seat(register: Register, hashes: Iterable[str], team: str = "crowd") -> list[str]:
    """Workers of a platform, by the hashes under which it knows them; it asks for their consent and holds
    tutorial and quiz. Each gets a comparison to do, where one is free for them; the hashes of those who
    have one. Raises `InputError` for what is no hash."""
    found = []
    for participant in register.admit_hashes(hashes, team):
        register.consent(participant)
        register.finish_tutorial(participant)
        if isinstance(register.where(participant), AtQuiz):
            register.take_quiz(participant, [q.right for q in register.study.quiz.questions])
        if isinstance(register.start(participant), AtDialogue | AtSurvey | AtComparison):
            found.append(participant)
    return found


def tasks_of(register: Register, participants: Iterable[str]) -> Iterator[dict[str, Any]]:
    """A row {id, question, mode, participant, surveys?} per dialogue that is not done, or whose surveys
    are not, in the order in which they are to be had, as `ui/crowd` reads them. `id` is 'CLAIM-PLACE'
    (`item_id`)."""
    for participant in participants:
        for row in register.tables.rows(
            "SELECT id FROM claims WHERE participant = ? AND released IS NULL ORDER BY id", participant
        ):
            for task in register.tasks(row["id"]):
                surveys = [asdict(questionnaire(register.study, s)) for s in register.surveys_after(task)]
                if task.finished is None or surveys:
                    yield {
                        "id": item_id(task),
                        "question": task.question,
                        "mode": task.condition,
                        "participant": participant,
                        **({"surveys": surveys} if surveys else {}),
                    }


def item_id(task: Task) -> str:
    """The task's name on a platform."""
    return f"{task.claim}-{task.place}"


@dataclass(frozen=True, slots=True)
class Taken:
    """What was brought back: `refused` are (line, why)."""

    dialogues: int
    surveys: int
    refused: tuple[tuple[int, str], ...]


def take_results(register: Register, records: Records, lines: Iterable[tuple[int, bytes]]) -> Taken:
    """The crowd task's journal, and rows {participant, claim, stage, answers: [number, ...], comment?} of
    surveys that were asked elsewhere (stage 3: the comparison).

    Of the journal the ends of dialogues count, {event: 'held' or 'ended', how, item, participant,
    dialogue_id, time, seconds?, comment?}, and surveys, {event: 'surveyed', item, participant, stage,
    answers, comment?}. A row that was taken before does nothing. The dialogues must be in the study's
    own records. A row that can't be taken is told, and the others are taken.
    """
    surveys, dialogues = 0, set()
    refused: list[tuple[int, str]] = []
    for number, line in lines:
        try:
            row = _object(line)
            if "event" not in row:
                _survey(register, _claim(register, row), row)
                surveys += 1
            elif row["event"] == "surveyed":
                _survey(register, _task(register, row).claim, row)
                surveys += 1
            elif row["event"] in ENDS and row.get("how") in DONE:
                _dialogue(register, records, row)
                dialogues.add(row["item"])
        except InputError as e:
            refused.append((number, str(e)))
    return Taken(len(dialogues), surveys, tuple(refused))


def _dialogue(register: Register, records: Records, row: Mapping[str, Any]) -> None:
    task = _task(register, row)
    name = str(row.get("dialogue_id") or "")
    try:
        dialogue = records.load(name)
    except UnknownDialogue:
        raise InputError(
            f"the dialogue {name!r} is not in {records.path}: let the server keep its dialogues there, "
            "with kbqa serve --records"
        ) from None
    if (dialogue.question, dialogue.mode.name) != (task.question, task.condition):
        raise InputError(
            f"the dialogue {name!r} is about '{dialogue.question}' in mode {dialogue.mode.name}, and the "
            f"task asks '{task.question}' in {task.condition}"
        )
    end = _time(row)
    start = end - timedelta(seconds=float(row.get("seconds") or 0))
    held = register.begin(task, name, start)
    if held != name:
        raise InputError(f"the task {row['item']} has the dialogue {held!r} already")
    register.finish(task, str(row.get("comment") or ""), end)


def _task(register: Register, row: Mapping[str, Any]) -> Task:
    """The task of the row's item. Raises `InputError` where it is somebody else's, or none of ours."""
    claim, _, place = str(row.get("item")).partition("-")
    tasks = register.tasks(int(claim)) if claim.isdecimal() else []
    task = next((t for t in tasks if str(t.place) == place), None)
    if task is None:
        raise InputError(f"there is no task {row.get('item')!r} in this study")
    if task.participant != row.get("participant"):
        raise InputError(f"the task {row['item']} is not one of participant {row.get('participant')!r}")
    return task


def _survey(register: Register, claim: int, row: Mapping[str, Any]) -> None:
    stage, given = _whole(row, "stage"), row.get("answers")
    if stage > COMPARISON_STAGE or not isinstance(given, list):
        raise InputError("a row has 'dialogue_id', or 'stage' (1 to 3) and 'answers', a list of numbers")
    if not all(isinstance(v, int) and not isinstance(v, bool) for v in given):
        raise InputError("'answers' holds numbers of options, from 1")
    values = dict(enumerate(given, 1))
    register.answer(claim, stage, values, str(row.get("comment") or ""))


def _claim(register: Register, row: Mapping[str, Any]) -> int:
    claim = _whole(row, "claim")
    held = register.tables.row("SELECT participant FROM claims WHERE id = ?", claim)
    if held is None or held["participant"] != row.get("participant"):
        raise InputError(f"claim {claim} is not one of participant {row.get('participant')!r}")
    return claim


def _object(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as e:
        raise InputError(f"no JSON: {e}") from None
    if not isinstance(row, dict):
        raise InputError("a JSON object expected")
    return row


def _whole(row: Mapping[str, Any], field: str) -> int:
    value = row.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"the field '{field}' is {value!r}; a whole number from 1 expected")
    return value


def _time(row: Mapping[str, Any]) -> datetime:
    try:
        found = datetime.fromisoformat(str(row.get("time")))
    except ValueError:
        found = datetime.min
    if found.tzinfo is None:
        raise InputError(f"'time' is {row.get('time')!r}; one such as 2026-11-21T19:00:00+00:00 expected")
    return found
