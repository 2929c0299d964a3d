"""The dialogues of a study: each turn is in the records before anybody sees it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace

from kbqa.dialogue import MODES, Dialogue
from kbqa.engine import Engine
from kbqa.errors import TurnConflict, UnknownDialogue
from kbqa.feedback import Feedback
from kbqa.records import Records
from kbqa.study.places import Task
from kbqa.study.register import OutOfStep, Register


@dataclass(frozen=True, slots=True)
class Conductor:
    """Leads participants through their dialogues. Safe to share between threads."""

    register: Register
    engine: Engine
    records: Records

    def open(self, task: Task) -> Dialogue:
        """The task's dialogue as it stands: the recorded one, else the question asked now. The same
        for whoever asks twice at once. Raises `KbqaError` where it can't be asked or recorded."""
        name = task.dialogue_id or self.register.begin(task, str(uuid.uuid4()))
        try:
            return self.records.load(name)
        except UnknownDialogue:
            pass
        mode = MODES[task.condition]
        asked = self.engine.ask(task.question, mode)
        edits = self.register.study.edits if mode.edits else 0
        dialogue = replace(asked, dialogue_id=name, edits_left=edits)
        try:
            self.records.save(dialogue)
        except TurnConflict:  # another window was first
            return self.records.load(name)
        return dialogue

    def say(self, task: Task, dialogue: Dialogue, feedback: Feedback, turn_id: str) -> Dialogue:
        """The dialogue after the feedback. A turn that is recorded already is not done again.

        Raises `FeedbackError` where the feedback can't be applied, `OutOfStep` where the dialogue has
        gone on in another window; nothing has changed then.
        """
        if self.records.turn(dialogue.dialogue_id, turn_id, feedback) is not None:
            return self.records.load(dialogue.dialogue_id)
        start = time.perf_counter()
        after = self.engine.advance(dialogue, feedback)
        took = 1000 * (time.perf_counter() - start)
        try:
            self.records.save(after, feedback, turn_id, ms=took)
        except TurnConflict as e:
            raise OutOfStep(f"{e}; what you said last was not taken") from None
        return after

    def close(self, task: Task, dialogue: Dialogue, comment: str = "") -> None:
        close_task(self.register, task, dialogue, comment)

    def answer(self, claim: int, stage: int, values: Mapping[int, int]) -> None:
        self.register.answer(claim, stage, values)


def close_task(register: Register, task: Task, dialogue: Dialogue, comment: str = "") -> None:
    """The dialogue is over: the task is done. Raises `OutOfStep` while it is open."""
    if takes_more(dialogue):
        raise OutOfStep("this dialogue is not over yet: say yes or no first")
    register.finish(task, comment)


def takes_more(dialogue: Dialogue) -> bool:
    """Whether the participant has still to judge what is shown."""
    return dialogue.current is not None and dialogue.status in ("awaiting_feedback", "edits_used_up")


def may_correct(dialogue: Dialogue) -> bool:
    return dialogue.mode.edits and dialogue.edits_left > 0 and takes_more(dialogue)
