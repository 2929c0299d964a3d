"""What one browser session holds: its dialogues, and what was said in them and is not yet carried out.

Nothing here draws. A click writes down what was said (`give`); the next run of the page carries it out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import streamlit as st
import trouble

from kbqa.dialogue import MODES, Dialogue, Mode, Version
from kbqa.engine import Engine
from kbqa.errors import KbqaError, TurnConflict
from kbqa.feedback import Accept, Edit, Feedback, Insert, Replace, Stop
from kbqa.freeform import Proposal, understand
from kbqa.protocols import Linker
from kbqa.records import Records

Worded = Literal["edit", "replace", "insert"]
"""The corrections that need a sub-question."""
Operation = Worded | Literal["delete"]


@dataclass(frozen=True)
class Box:
    """An open text box: for what, at which step (`insert`: the number the new step gets), and under which
    step it stands (0: under all)."""

    kind: Worded
    step: int
    under: int = 0

    def feedback(self, text: str) -> Feedback:
        match self.kind:
            case "edit":
                return Edit(self.step, text)
            case "replace":
                return Replace(self.step, text)
            case "insert":
                return Insert(self.step, text)


@dataclass(frozen=True)
class Heard:
    """What was typed at the bottom of the page about the dialogue that is open, and for what it was
    taken."""

    text: str
    proposal: Proposal


@dataclass
class Turn:
    """A question and, once it was asked, the dialogue or the reason why there is none."""

    question: str
    mode: Mode
    source: str | None
    """The knowledge base that is asked."""
    dialogue: Dialogue | None = None
    error: str = ""
    said: Feedback | None = None
    """What waits to be carried out."""
    problem: str = ""
    """Why what was said last could not be carried out."""
    failed: Feedback | None = None
    """What may be carried out when it is tried again."""
    note: str = ""
    doubted: bool = False
    """'No' was said of this version."""
    box: Box | None = None
    heard: Heard | None = None
    acts: int = 0
    """How often something was said; tells the widgets of one act from those of the next."""

    @property
    def waiting(self) -> bool:
        return self.dialogue is None and not self.error

    @property
    def version(self) -> Version | None:
        return self.dialogue.current if self.dialogue else None

    @property
    def is_open(self) -> bool:
        """Whether feedback is taken."""
        return self.dialogue is not None and self.dialogue.status in ("awaiting_feedback", "edits_used_up")

    @property
    def takes_corrections(self) -> bool:
        return self.is_open and self.dialogue is not None and self.dialogue.edits_left > 0


@dataclass
class Session:
    """`active`: the place of the turn that is gone on with, -1 where there is none."""

    turns: list[Turn] = field(default_factory=list)
    active: int = -1
    source: str | None = None
    note: str = ""

    @property
    def turn(self) -> Turn | None:
        return self.turns[self.active] if 0 <= self.active < len(self.turns) else None

    def ask(self, question: str) -> None:
        """Put a question to the end of the chat; it is answered when the page is drawn."""
        self.note = ""
        self.turns.append(Turn(question, MODES[st.session_state.mode], self.source))
        self.active = len(self.turns) - 1

    def show(self, dialogue: Dialogue, source: str | None) -> None:
        """Go on with a dialogue, which is put to the end of the chat unless it stands there."""
        self.note = ""
        for place, turn in enumerate(self.turns):
            if turn.dialogue is not None and turn.dialogue.dialogue_id == dialogue.dialogue_id:
                self.active = place
                return
        self.turns.append(Turn(dialogue.question, dialogue.mode, source, dialogue))
        self.active = len(self.turns) - 1

    def go_on(self, place: int) -> None:
        self.active = place

    def clear(self) -> None:
        self.turns.clear()
        self.active, self.note = -1, ""

    def drop(self, dialogue_id: str) -> None:
        """Without a dialogue."""
        self.turns = [t for t in self.turns if not t.dialogue or t.dialogue.dialogue_id != dialogue_id]
        self.active = len(self.turns) - 1


def current() -> Session:
    """This browser session's."""
    found: Session = st.session_state.setdefault("session", Session())
    return found


# --- what is clicked -------------------------------------------------------------


def give(turn: Turn, feedback: Feedback) -> None:
    turn.said, turn.problem, turn.note, turn.heard, turn.failed = feedback, "", "", None, None


def hear(held: Session, text: str, linker: Linker) -> None:
    """A text typed at the bottom: about the dialogue that is gone on with, or a new question. What
    would change something waits for a yes."""
    turn = held.turn
    if turn is None or turn.dialogue is None or turn.version is None or text == turn.question:
        held.ask(text)
        return
    proposal = understand(text, turn.dialogue, linker)
    if proposal.question:
        held.ask(proposal.question)
    elif proposal.feedback is not None and not proposal.confirm:
        give(turn, proposal.feedback)
    else:
        turn.heard, turn.problem = Heard(text, proposal), ""


def ask_instead(held: Session, turn: Turn, text: str) -> None:
    """What was typed was meant as a new question."""
    turn.heard = None
    held.ask(text)


def never_mind(turn: Turn) -> None:
    turn.heard = None


def doubt(turn: Turn) -> None:
    turn.doubted, turn.problem, turn.note, turn.heard, turn.failed = True, "", "", None, None


def open_box(turn: Turn, box: Box | None) -> None:
    turn.box, turn.problem, turn.failed = box, "", None


def ask_again(turn: Turn) -> None:
    turn.error = ""


# --- what is carried out ----------------------------------------------------------


def answer(turn: Turn, engine: Engine, records: Records) -> None:
    """Asks the question. A failure becomes the turn's error."""
    try:
        turn.dialogue = engine.ask(turn.question, turn.mode)
    except Exception as e:
        turn.error = trouble.explained(e)
        return
    _keep(turn, records, None)


def carry_out(turn: Turn, engine: Engine, records: Records) -> None:
    """Applies what was said. What can't be applied is told, and everything stays as it was."""
    feedback, turn.said = turn.said, None
    if feedback is None or turn.dialogue is None:
        return
    before = turn.dialogue
    try:
        turn.dialogue = engine.advance(before, feedback)
        _keep(turn, records, feedback)
    except TurnConflict:
        turn.dialogue = before
        _take_over(turn, records)
        return
    except Exception as e:
        turn.problem = trouble.explained(e)
        turn.failed = feedback if trouble.may_pass(e) else None
        return
    turn.acts += 1
    if turn.dialogue.at != before.at or isinstance(feedback, Accept | Stop):
        turn.box, turn.doubted = None, False


def _take_over(turn: Turn, records: Records) -> None:
    """The dialogue as it stands in the records, where another window has gone on with it."""
    assert turn.dialogue is not None
    try:
        turn.dialogue = records.load(turn.dialogue.dialogue_id)
    except KbqaError as e:
        turn.problem = trouble.explained(e)
        return
    turn.problem = (
        "This dialogue was continued in another window. Here is how it stands there; what you said last "
        "was not taken."
    )


def _keep(turn: Turn, records: Records, feedback: Feedback | None) -> None:
    """Into the records; the dialogue goes on where they fail."""
    assert turn.dialogue is not None
    try:
        records.save(turn.dialogue, feedback)
    except TurnConflict:
        raise
    except KbqaError as e:
        turn.note = trouble.explained(e)
