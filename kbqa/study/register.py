"""Participants and what they have done: every step is one transaction, on disk before the call returns."""

from __future__ import annotations

import base64
import json
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kbqa.errors import InputError
from kbqa.feedback import LONGEST
from kbqa.records import Records
from kbqa.study.assign import Form, Past
from kbqa.study.config import from_json
from kbqa.study.deal import choose
from kbqa.study.places import (
    COMPARISON_STAGE,
    AtComparison,
    AtConsent,
    AtDialogue,
    AtEnd,
    AtQuiz,
    AtStart,
    AtSurvey,
    AtTutorial,
    Excluded,
    Place,
    Task,
    Waiting,
)
from kbqa.study.questionnaire import questionnaire
from kbqa.study.tables import DIALOGUES, REGISTER, Row, Tables, hashed, read_key

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


class NotInvited(InputError):
    """The link is none that was given out."""


class OutOfStep(InputError):
    """What is sent belongs to another page than the one the participant is at: load the page again."""


class Register:
    """The register of one study. Participants are named by their hash everywhere but in `invite` and
    `enter`; a name is never kept."""

    def __init__(self, folder: Path, *, now: Clock = utc_now) -> None:
        """Of a study that `create` has made. Raises `InputError` where there is none in the folder."""
        if not (folder / REGISTER).is_file():
            raise InputError(f"there is no study in {folder}: 'kbqa study check STUDY.toml' makes one")
        self.folder, self._now = folder, now
        self._key = read_key(folder)
        self.tables = Tables(folder / REGISTER)
        kept = self.tables.row("SELECT config FROM study")
        if kept is None:
            self.tables.close()
            raise InputError(f"the study in {folder} was not made to the end: 'kbqa study check' does that")
        self.study = from_json(kept["config"], folder)
        self._forms = [_form(row) for row in self.tables.rows("SELECT * FROM forms ORDER BY number")]

    def close(self) -> None:
        self.tables.close()

    def __enter__(self) -> Register:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def records(self, signature: str = "") -> Records:
        """The study's dialogues; the caller closes them."""
        return Records(self.folder / DIALOGUES, signature=signature)

    # --- getting in

    def invite(self, number: int, team: str = "") -> list[str]:
        """New links' secrets; they are shown once, and kept as hashes only."""
        names = [secrets.token_urlsafe(12) for _ in range(number)]
        self.admit(names, team)
        return names

    def admit(self, names: Sequence[str], team: str = "") -> list[str]:
        """The hashes of those who may take part under these ids; who does already stays as they are."""
        rows = {hashed(self._key, name): name for name in names}
        with self.tables.writing():
            new = [name for row, name in rows.items() if self._known(row) is None]
            self.tables.insert_all("participants", [self._participant(name, team) for name in new])
        return list(rows)

    def admit_hashes(self, hashes: Iterable[str], team: str = "") -> list[str]:
        """As `admit`, of those whom another program has hashed already. Raises `InputError` for what is
        no hash: 16 to 64 hexadecimal digits."""
        found = list(dict.fromkeys(hashes))
        wrong = [h for h in found if not re.fullmatch(r"[0-9a-f]{16,64}", h)]
        if wrong:
            raise InputError(f"{wrong[0]!r} is no salted hash of an id (16 to 64 hexadecimal digits)")
        with self.tables.writing():
            new = [h for h in found if self._known(h) is None]
            self.tables.insert_all(
                "participants", [{"id": h, "team": team, "created": self.stamp()} for h in new]
            )
        return found

    def enter(self, name: str) -> str:
        """The hash of whoever comes with this link or, where the study is open to all, this id."""
        participant = hashed(self._key, name)
        if self._known(participant) is None:
            if not self.study.open_to_all or not name.strip():
                raise NotInvited("this link is not known here: use the link you were given, as it is")
            with self.tables.writing():
                if self._known(participant) is None:
                    self.tables.insert("participants", self._participant(name, ""))
        return participant

    def find(self, text: str) -> str:
        """The hash of the participant whose hash, completion code or link's secret this is. Raises
        `InputError`."""
        code = self.tables.row("SELECT participant FROM claims WHERE code = ?", text.strip().upper())
        for participant in (text.strip(), str(code["participant"]) if code else "", hashed(self._key, text)):
            if participant and self._known(participant) is not None:
                return participant
        raise InputError(
            f"there is no participant {text!r} in this study; expected the hash that 'kbqa study status' "
            "lists, a completion code, or what stands after ?p= in a link"
        )

    def _participant(self, name: str, team: str) -> Row:
        return {"id": hashed(self._key, name), "team": team, "created": self.stamp()}

    def _known(self, participant: str) -> Row | None:
        return self.tables.row("SELECT * FROM participants WHERE id = ?", participant)

    # --- where somebody is

    def where(self, participant: str) -> Place:
        """Where the participant goes on. Raises `NotInvited`."""
        row = self._known(participant)
        if row is None:
            raise NotInvited(f"there is no participant {participant!r}")
        if row["excluded"]:
            return Excluded(self._codes(participant))
        if not row["consented"]:
            return AtConsent()
        if not row["tutorial"]:
            return AtTutorial()
        if not row["qualified"]:
            return self._at_quiz(participant)
        claim = self._open_claim(participant)
        if claim is not None:
            return self._in_claim(claim)
        codes = self._codes(participant)
        return AtStart(codes) if self._may_begin(participant) else AtEnd(codes)

    def _at_quiz(self, participant: str) -> Place:
        tries = self.tables.rows("SELECT * FROM quiz WHERE participant = ? ORDER BY attempt", participant)
        if not tries:
            return AtQuiz(1)
        waits = self.study.quiz.wait_minutes
        wait = timedelta(minutes=waits[min(len(tries), len(waits)) - 1])
        until = datetime.fromisoformat(tries[-1]["created"]) + wait
        return Waiting(until) if self._now() < until else AtQuiz(len(tries) + 1)

    def _in_claim(self, claim: Row) -> Place:
        answered = self._answered(claim["id"])
        tasks = self.tasks(claim["id"])
        stages = sorted({t.stage for t in tasks})
        for stage in stages:
            left = next((t for t in tasks if t.stage == stage and t.finished is None), None)
            if left is not None:
                return AtDialogue(left)
            if stage not in answered:
                return AtSurvey(claim["id"], stage)
        return AtComparison(claim["id"], self._form(claim["form"]).conditions)

    def tasks(self, claim: int) -> list[Task]:
        rows = self.tables.rows(
            "SELECT t.*, c.comparison, i.question, (SELECT count(*) FROM tasks WHERE claim = t.claim) AS n"
            " FROM tasks t JOIN claims c ON c.id = t.claim JOIN items i ON i.id = t.item"
            " WHERE t.claim = ? ORDER BY t.place",
            claim,
        )
        return [_task(row) for row in rows]

    def surveys_after(self, task: Task) -> list[int]:
        """The stages whose questions follow this dialogue and are not answered yet."""
        claim = self.tables.row("SELECT * FROM claims WHERE id = ?", task.claim)
        assert claim is not None
        places = {t.stage: t.place for t in self.tasks(task.claim)}  # of the last dialogue of each
        answered, last = self._answered(task.claim), max(places.values())
        return [s for s in self._stages(claim) if s not in answered and places.get(s, last) == task.place]

    def _stages(self, claim: Row) -> tuple[int, ...]:
        """In which something is asked."""
        used = len(self._form(claim["form"]).conditions)
        return (1,) if used == 1 else (1, 2, COMPARISON_STAGE)

    def _answered(self, claim: int) -> set[int]:
        return {r["stage"] for r in self.tables.rows("SELECT stage FROM answers WHERE claim = ?", claim)}

    # --- before the dialogues

    def consent(self, participant: str) -> None:
        self._mark(participant, "consented", AtConsent)

    def finish_tutorial(self, participant: str) -> None:
        self._mark(participant, "tutorial", AtTutorial)

    def _mark(self, participant: str, field: str, at: type[Place]) -> None:
        with self.tables.writing():
            if isinstance(self.where(participant), at):
                self.tables.run(
                    f"UPDATE participants SET {field} = ? WHERE id = ?", self.stamp(), participant
                )

    def take_quiz(self, participant: str, given: Sequence[int]) -> bool:
        """`given`: for each question the number of the option (from 1). Whether it was passed. Raises
        `OutOfStep` before the waiting time is over."""
        quiz = self.study.quiz
        if len(given) != len(quiz.questions):
            raise InputError(f"{len(given)} answers to {len(quiz.questions)} questions: answer each of them")
        score = sum(g == q.right for g, q in zip(given, quiz.questions, strict=True))
        passed = score >= quiz.needed
        with self.tables.writing():
            place = self.where(participant)
            if not isinstance(place, AtQuiz):
                raise OutOfStep("the quiz can't be taken now: load the page again")
            row = {"attempt": place.attempt, "score": score, "passed": int(passed), "created": self.stamp()}
            self.tables.insert("quiz", {"participant": participant, **row})
            if passed:
                self.tables.run(
                    "UPDATE participants SET qualified = ? WHERE id = ?", self.stamp(), participant
                )
        return passed

    # --- dialogues

    def start(self, participant: str) -> Place:
        """Begin the next comparison, where the participant is at one."""
        with self.tables.writing():
            place = self.where(participant)
            if isinstance(place, AtStart):
                self._claim(participant)
                place = self.where(participant)
        return place

    def begin(self, task: Task, dialogue_id: str, at: datetime | None = None) -> str:
        """The id under which the task's dialogue is kept: this one, or the one it has already."""
        with self.tables.writing():
            self.tables.run(
                "UPDATE tasks SET dialogue_id = ?, started = ? WHERE claim = ? AND place = ?"
                " AND dialogue_id IS NULL",
                dialogue_id,
                (at or self._now()).isoformat(timespec="milliseconds"),
                task.claim,
                task.place,
            )
            row = self.tables.row(
                "SELECT dialogue_id FROM tasks WHERE claim = ? AND place = ?", task.claim, task.place
            )
        if row is None:
            raise OutOfStep("this task is not there any more: load the page again")
        return str(row["dialogue_id"])

    def finish(self, task: Task, comment: str = "", at: datetime | None = None) -> None:
        """The dialogue is over. Said twice, the first time counts."""
        with self.tables.writing():
            self.tables.run(
                "UPDATE tasks SET finished = ?, comment = ?"
                " WHERE claim = ? AND place = ? AND finished IS NULL",
                (at or self._now()).isoformat(timespec="milliseconds"),
                comment.strip()[:LONGEST],
                task.claim,
                task.place,
            )

    def answer(self, claim: int, stage: int, values: Mapping[int, int], remark: str = "") -> None:
        """The answers of a survey (stage 1, 2) or of the comparison (3): question (from 1) -> number of
        the option. Said twice, the first time counts. Raises `InputError`, `OutOfStep`."""
        questions = questionnaire(self.study, stage).questions
        for number, question in enumerate(questions, 1):
            if not 1 <= values.get(number, 0) <= len(question.options):
                raise InputError(
                    f"there is no answer to '{question.text}': choose one of the {len(question.options)}"
                )
        with self.tables.writing():
            held = self.tables.row("SELECT * FROM claims WHERE id = ? AND released IS NULL", claim)
            if held is None:
                raise OutOfStep("this survey is not open: load the page again")
            if self.tables.row("SELECT 1 FROM answers WHERE claim = ? AND stage = ?", claim, stage):
                return
            place = self._in_claim(held)
            expected = place.stage if isinstance(place, AtSurvey) else COMPARISON_STAGE
            if isinstance(place, AtDialogue) or expected != stage:
                raise OutOfStep("this survey is not open yet: load the page again")
            stamp = self.stamp()
            rows = [
                {"claim": claim, "stage": stage, "question": n, "value": values[n], "created": stamp}
                for n in range(1, len(questions) + 1)
            ]
            self.tables.insert_all("answers", rows)
            if remark.strip():
                self.tables.insert(
                    "remarks", {"claim": claim, "stage": stage, "text": remark.strip()[:LONGEST]}
                )
            if stage == self._stages(held)[-1]:
                self.tables.run("UPDATE claims SET finished = ? WHERE id = ?", stamp, claim)

    # --- forms

    def _claim(self, participant: str) -> None:
        form = self._next_form(participant)
        assert form is not None, "a participant at the start has a form to take"
        row = {"participant": participant, "form": form.number, "comparison": form.comparison}
        self.tables.insert("claims", {**row, "code": _code(), "created": self.stamp()})
        (claim,) = self.tables.rows("SELECT max(id) AS id FROM claims")
        tasks: list[Row] = [
            {"stage": stage, "condition": condition, "item": item["id"]}
            for stage, (condition, block) in enumerate(zip(form.conditions, form.blocks, strict=True), 1)
            for item in self.tables.rows("SELECT id FROM items WHERE block = ? ORDER BY place", block)
        ]
        shared = {"claim": claim["id"], "participant": participant}
        self.tables.insert_all("tasks", [{**t, **shared, "place": n} for n, t in enumerate(tasks, 1)])

    def _next_form(self, participant: str) -> Form | None:
        others = self.tables.rows(
            "SELECT DISTINCT participant FROM claims WHERE participant != ? AND participant IN"
            " (SELECT id FROM participants WHERE excluded IS NULL) ORDER BY participant",
            participant,
        )
        pasts = [self._past(row["participant"]) for row in others]
        return choose(self._forms, self._taken(), self._past(participant), pasts)

    def _may_begin(self, participant: str) -> bool:
        taken, past = self._taken(), self._past(participant)
        return any(f.number not in taken and past.fits(f) for f in self._forms)

    def _taken(self) -> set[int]:
        return {r["form"] for r in self.tables.rows("SELECT form FROM claims WHERE released IS NULL")}

    def _past(self, participant: str) -> Past:
        """What was released counts, too: the questions were met."""
        rows = self.tables.rows("SELECT form FROM claims WHERE participant = ?", participant)
        forms = [self._form(row["form"]) for row in rows]
        return Past(frozenset(b for f in forms for b in f.blocks), frozenset(f.comparison for f in forms))

    def _form(self, number: int) -> Form:
        return self._forms[number - 1]

    def _open_claim(self, participant: str) -> Row | None:
        return self.tables.row(
            "SELECT * FROM claims WHERE participant = ? AND finished IS NULL AND released IS NULL",
            participant,
        )

    def _codes(self, participant: str) -> tuple[str, ...]:
        rows = self.tables.rows(
            "SELECT code FROM claims WHERE participant = ? AND finished IS NOT NULL ORDER BY id", participant
        )
        return tuple(r["code"] for r in rows)

    def stamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")


def _form(row: Row) -> Form:
    return Form(
        row["number"],
        row["comparison"],
        tuple(json.loads(row["conditions"])),
        tuple(json.loads(row["blocks"])),
    )


def _task(row: Row) -> Task:
    return Task(
        row["claim"],
        row["place"],
        row["n"],
        row["stage"],
        row["participant"],
        row["comparison"],
        row["condition"],
        row["item"],
        row["question"],
        row["dialogue_id"],
        row["started"],
        row["finished"],
    )


def _code() -> str:
    """What a participant hands in: 'K7QF-2MZD-X3PA'."""
    text = base64.b32encode(secrets.token_bytes(8)).decode()[:12]
    return "-".join(text[i : i + 4] for i in range(0, 12, 4))
