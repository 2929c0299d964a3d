"""A dialogue of `kbqa.simulate` that is held with somebody else: each thing that the user says is handed
out, and what is answered is handed in. It is played in a thread, which waits in between."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Thread

from kbqa.advance import advance
from kbqa.dialogue import Dialogue, Mode, Status, Timing, Version
from kbqa.errors import InputError, QueryError
from kbqa.feedback import Accept, Back, Feedback, Stop, Undo, Unsure, say
from kbqa.kb import KnowledgeBase
from kbqa.parlai.reading import version_of
from kbqa.simulate.goal import GoldRow
from kbqa.simulate.play import Plan, Record, Unread, play_row
from kbqa.types import Iri


@dataclass(frozen=True, slots=True)
class Said:
    """What the user says: the question (then `feedback` is None), feedback, or the last word, after which
    there is nothing to answer (`over`)."""

    text: str
    feedback: Feedback | None = None
    over: bool = False
    entities: Mapping[Iri, str] | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """What is answered: the state of an engine's dialogue, or a text, read as SPARQL. `refused`: why what
    was said could not be done."""

    text: str = ""
    dialogue: Dialogue | None = None
    refused: str = ""


class Episode:
    """One row in one mode. `first()`, then `hear()` until what is said is `over`; then `record` is there,
    as `play_row` makes it."""

    def __init__(self, kb: KnowledgeBase, plan: Plan, row: GoldRow | Unread, mode: Mode) -> None:
        self.record: Record | None = None
        self._out: SimpleQueue[Said] = SimpleQueue()
        self._in: SimpleQueue[Answered | None] = SimpleQueue()
        self._thread = Thread(target=self._play, args=(kb, plan, row, mode), daemon=True)

    def first(self) -> Said:
        self._thread.start()
        return self._out.get()

    def hear(self, answered: Answered) -> Said:
        self._in.put(answered)
        return self._out.get()

    def abandon(self) -> None:
        """Ends the thread, wherever it is."""
        if self._thread.is_alive():
            self._in.put(None)
            self._thread.join()

    def _play(self, kb: KnowledgeBase, plan: Plan, row: GoldRow | Unread, mode: Mode) -> None:
        student = _Student(kb, self._ask, plan.edits)
        try:
            [self.record] = play_row(student, plan, row, (mode,))
        except _Abandoned:
            return
        last = student.last or Stop()
        self._out.put(Said(say(last), last, over=True))

    def _ask(self, said: Said) -> Answered:
        self._out.put(said)
        answered = self._in.get()
        if answered is None:
            raise _Abandoned
        return answered


class _Abandoned(BaseException):
    """No defect of a dialogue: nothing on the way may take it for one."""


class _Student:
    """Stands for an engine: what the user says goes to `ask`. Yes, no and the end need no answer."""

    def __init__(self, kb: KnowledgeBase, ask: Callable[[Said], Answered], edits: int) -> None:
        self.kb, self._ask, self._edits = kb, ask, edits
        self.last: Feedback | None = None

    def first_version(self, question: str, mode: Mode, entities: Mapping[Iri, str] | None = None) -> Dialogue:
        answered = self._ask(Said(question, entities=entities))
        if answered.dialogue is not None:
            return answered.dialogue
        if answered.refused:
            raise InputError(answered.refused)
        try:
            versions: tuple[Version, ...] = (version_of(answered.text, self.kb),)
        except QueryError:
            versions = ()
        status: Status = "awaiting_feedback" if versions else "not_understood"
        nothing = Timing(0.0, 0.0, 0.0, 0.0, 0.0)
        edits = self._edits if mode.edits else 0
        return Dialogue(
            str(uuid.uuid4()),
            question,
            mode,
            self.kb.name,
            status,
            versions,
            edits,
            nothing,
            None,
            len(versions),
        )

    def advance(self, dialogue: Dialogue, feedback: Feedback) -> Dialogue:
        if isinstance(feedback, Accept | Unsure | Stop):
            self.last = feedback
            return advance(dialogue, feedback, _NO_TOOLS)
        answered = self._ask(Said(say(feedback), feedback))
        if answered.dialogue is not None:
            return answered.dialogue
        if answered.refused:
            raise InputError(answered.refused)
        return self._restated(dialogue, feedback, answered.text)

    def _restated(self, dialogue: Dialogue, feedback: Feedback, sparql: str) -> Dialogue:
        """The dialogue after somebody who keeps none has said a query."""
        if isinstance(feedback, Undo | Back):
            return advance(dialogue, feedback, _NO_TOOLS)
        try:
            version = version_of(sparql, self.kb, feedback, dialogue.at)
        except QueryError as e:
            raise InputError(f"the answer is no SPARQL that can be read: {e}") from None
        left = dialogue.edits_left - 1
        return replace(
            dialogue,
            versions=(*dialogue.versions, version),
            at=len(dialogue.versions) + 1,
            edits_left=left,
            status="awaiting_feedback" if left else "edits_used_up",
        )


class _NoTools:
    """Feedback that makes no version needs none."""

    def correct(self, *_: object) -> tuple[()]:
        return ()

    def next_version(self, *_: object) -> Version:
        raise AssertionError("no version is made here")


_NO_TOOLS = _NoTools()
