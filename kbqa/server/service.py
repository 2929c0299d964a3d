"""What the server does, without HTTP: every reply is recorded before it is given."""

from __future__ import annotations

import time
from dataclasses import dataclass

from kbqa.dialogue import Mode, Recognised
from kbqa.document import Document, document, not_understood
from kbqa.engine import Engine
from kbqa.errors import FeedbackError
from kbqa.feedback import Feedback
from kbqa.records import Records
from kbqa.server.problems import Problem

_READY_S = 5.0


@dataclass(frozen=True, slots=True)
class Service:
    """An engine and its records. The methods block; those that write are to be called by one at a time
    per dialogue."""

    engine: Engine
    records: Records

    def ask(self, question: str, mode: Mode) -> Document:
        return self.records.save(self.engine.ask(question, mode))

    def feedback(self, dialogue_id: str, turn_id: str, said: Feedback) -> Document:
        """The document after the turn; of a turn that is recorded already, the reply it had. Raises
        `Problem` 409 where the dialogue's status is against it."""
        recorded = self.records.turn(dialogue_id, turn_id, said)
        if recorded is not None:
            return recorded
        start = time.perf_counter()
        dialogue = self.records.load(dialogue_id)
        if dialogue.kb != self.engine.kb.name:
            here = f"it is about the knowledge base {dialogue.kb!r}; this server has {self.engine.kb.name!r}"
            raise Problem(409, "other-knowledge-base", f"this dialogue can't go on here: {here}")
        try:
            after = self.engine.advance(dialogue, said)
        except FeedbackError as e:
            if dialogue.status == "awaiting_feedback":
                raise
            raise Problem(409, "feedback-conflict", str(e), dialogue_status=dialogue.status) from None
        took = 1000 * (time.perf_counter() - start)
        return self.records.save(after, said, turn_id, ms=took)

    def get(self, dialogue_id: str) -> Document:
        return document(self.records.load(dialogue_id))

    def query(self, question: str) -> str:
        """The question's SPARQL. Raises `Problem` 422 where it isn't understood."""
        dialogue = self.engine.first_version(question)
        if dialogue.current is None:
            recognised = dialogue.recognised or Recognised(dialogue.mentions, ())
            raise Problem(422, "not-understood", not_understood(recognised))
        return dialogue.current.sparql

    def ready(self) -> None:
        """Raises `KbqaError` where the records or the store don't answer."""
        self.records.ping()
        self.engine.kb.store.select("ASK { ?s ?p ?o }", time_limit_s=_READY_S)
