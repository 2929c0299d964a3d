"""The chat's dialogue: what is said goes in, what is shown comes out. Knows no keyboard."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console

from kbqa.cli.app import report
from kbqa.cli.commands import HELP, Command, read_command
from kbqa.cli.show import say, show_answers, show_code, show_offers, show_version
from kbqa.dialogue import Dialogue, Mode, SubQuestion, Version
from kbqa.engine import Engine
from kbqa.errors import FeedbackError, InputError, KbqaError, RecordsError, UnknownDialogue
from kbqa.feedback import Accept, Feedback, Link, Stop, Unsure
from kbqa.freeform import Proposal, described, understand
from kbqa.protocols import Candidate, Mention
from kbqa.records import Records

_T = TypeVar("_T")
_GREETING = "Ask a question in English. 'help' says what else you can say; Ctrl-D ends the chat."


class Session:
    """One person's chat: one dialogue at a time, each turn kept before it is shown.

    `records`: None where nothing is to be kept."""

    def __init__(
        self, engine: Engine, mode: Mode, out: Console, records: Records | None, *, sparql: bool = False
    ) -> None:
        self._engine, self._mode, self._out, self._records = engine, mode, out, records
        self._sparql = sparql
        self._dialogue: Dialogue | None = None
        self._waiting: Proposal | None = None
        self._kept: str | None = None

    @property
    def prompt(self) -> str:
        return "[y/n] > " if self._waiting else "> "

    @property
    def dialogue(self) -> Dialogue | None:
        return self._dialogue

    def begin(self, resume: str | None) -> None:
        """A greeting, or the dialogue that is gone on with. Raises `UnknownDialogue`, `InputError`."""
        if resume is None:
            if self._out.is_terminal:
                say(self._out, _GREETING, "dim")
            return
        dialogue = self._loaded(resume)
        self._dialogue, self._kept = dialogue, dialogue.dialogue_id
        say(self._out, dialogue.question, "bold")
        self._show(dialogue)

    def hear(self, text: str) -> bool:
        """One utterance; whether the chat goes on. Errors are told, and it does."""
        text = text.strip()
        try:
            return self._hear(text) if text else True
        except FeedbackError as e:
            say(self._out, _sentence(str(e)), "yellow")
        except KbqaError as e:
            report(e)
        return True

    def repeat(self, text: str) -> None:
        say(self._out, f"{self.prompt}{text}", "bold")

    def end(self) -> None:
        """How to go on another time."""
        if self._kept is not None:
            say(self._out, f"To go on with the last question: kbqa chat --resume {self._kept}", "dim")

    # --- what was said ---------------------------------------------------------

    def _hear(self, text: str) -> bool:
        waiting, self._waiting = self._waiting, None
        command = read_command(text)
        if isinstance(command, Command):
            self._waiting = waiting if command.name == "help" else None
            return self._do(command)
        if command is not None and self._is_open:
            self._give(command)
        elif command is not None and waiting is None and not text.endswith("?"):
            raise FeedbackError("there is no question that this could be said to: ask one")
        elif waiting is not None and _is_yes(text):
            self._carry_out(waiting)
        elif waiting is not None and _is_no(text):
            self._refused(waiting)
        else:
            if waiting is not None:
                say(self._out, "Left as it was.", "dim")
            self._understand(text)
        return True

    def _refused(self, waiting: Proposal) -> None:
        if waiting.feedback is not None and waiting.question:
            other = Proposal(None, f"Ask as a new question: {waiting.question}", True, waiting.question)
            self._propose(other)
        else:
            say(self._out, "Then say it in other words; 'help' lists the commands.")

    @property
    def _is_open(self) -> bool:
        return self._dialogue is not None and self._dialogue.current is not None

    def _understand(self, text: str) -> None:
        if self._dialogue is None or self._dialogue.current is None:
            self._ask(text)
            return
        proposal = understand(text, self._dialogue, self._engine.kb.linker)
        if proposal.confirm and self._takes_corrections(self._dialogue):
            self._propose(proposal)
        else:
            self._carry_out(proposal)

    def _takes_corrections(self, dialogue: Dialogue) -> bool:
        """Else there is nothing to wait for: what can't be applied is told at once."""
        return dialogue.mode.edits and dialogue.status == "awaiting_feedback"

    def _propose(self, proposal: Proposal) -> None:
        self._waiting = proposal
        say(self._out, f"{proposal.said} - right? (yes / no)", "bold")

    def _carry_out(self, proposal: Proposal) -> None:
        if proposal.feedback is not None:
            self._give(proposal.feedback)
        elif proposal.question:
            self._ask(proposal.question)
        else:
            say(self._out, proposal.said, "yellow")

    def _ask(self, question: str) -> None:
        dialogue = self._working(lambda: self._engine.ask(question, self._mode))
        self._keep(dialogue, None, None)
        show_before = dialogue.current is None and self._is_open
        if not show_before:
            self._dialogue = dialogue
        self._show(dialogue)
        if show_before:
            say(self._out, "The question before stays; 'show' shows it again.", "dim")

    def _give(self, feedback: Feedback) -> None:
        before = self._dialogue
        assert before is not None
        start = time.perf_counter()
        dialogue = self._working(lambda: self._engine.advance(before, feedback))
        self._keep(dialogue, feedback, 1000 * (time.perf_counter() - start))
        self._dialogue = dialogue
        match feedback:
            case Accept():
                say(self._out, f"Good. Ask another question{_or_undo(dialogue)}.", "green")
            case Stop():
                say(self._out, f"Stopped. Ask another question{_or_undo(dialogue)}.")
            case Unsure():
                say(self._out, f"Noted: you are not sure. You may still say {_still(dialogue)}.")
            case _:
                self._show(dialogue)

    @contextmanager
    def _busy(self) -> Iterator[None]:
        if not self._out.is_terminal:
            yield
            return
        with self._out.status("looking it up"):
            yield

    def _working(self, work: Callable[[], _T]) -> _T:
        with self._busy():
            return work()

    # --- what is looked at -----------------------------------------------------

    def _do(self, command: Command) -> bool:
        match command.name:
            case "quit":
                return False
            case "help":
                for line in HELP.splitlines():
                    say(self._out, line)
            case "new":
                self._dialogue = None
                say(self._out, "Ask a new question.")
            case "show":
                self._show(self._looked_at)
            case "link":
                self._link(self._version, command.number)
            case "answers":
                show_answers(self._step(command.number), self._out)
            case "sparql" if command.number is None:
                show_code(self._version.sparql, self._out, "")
            case "sparql":
                show_code(self._step(command.number).sparql, self._out, "")
        return True

    @property
    def _looked_at(self) -> Dialogue:
        if self._dialogue is None:
            raise FeedbackError("there is no question yet: ask one")
        return self._dialogue

    @property
    def _version(self) -> Version:
        version = self._looked_at.current
        assert version is not None
        return version

    def _step(self, number: int | None) -> SubQuestion:
        steps = self._version.steps
        number = len(steps) if number is None else number
        if not 1 <= number <= len(steps):
            raise FeedbackError(f"there is no step {number}: the steps are numbered 1 to {len(steps)}")
        return steps[number - 1]

    def _link(self, version: Version, number: int | None) -> None:
        """The entities that names stand for and may stand for, numbered; or the one of that number."""
        choice = list(_candidates(version))
        if number is not None:
            if not 1 <= number <= len(choice):
                raise FeedbackError(f"there is no entity {number}: 'link' lists those there are")
            _, now, other = choice[number - 1]
            self._give(Link(now.entity.value, other.entity.value))
            return
        if not choice:
            say(self._out, "No name in these steps may stand for something else that I know of.")
        spoken = ""
        for place, (mention, now, other) in enumerate(choice, 1):
            if mention.text != spoken:
                spoken = mention.text
                say(self._out, f"'{spoken}' is {described(now, mention.candidates)}; it may also be")
            say(self._out, f"{place:>3}) {described(other, mention.candidates)}", "cyan")
        if choice and self._looked_at.mode.edits:
            say(self._out, "     'link 1' takes the first.", "dim")

    def _show(self, dialogue: Dialogue) -> None:
        show_version(dialogue, self._out, sparql=self._sparql)
        if dialogue.current is None:
            return
        if dialogue.mode.edits and dialogue.edits_left > 0 and dialogue.status == "awaiting_feedback":
            show_offers(dialogue.current, self._out)
        say(self._out, _asked_for(dialogue), "bold")

    # --- records ---------------------------------------------------------------

    def _keep(self, dialogue: Dialogue, feedback: Feedback | None, ms: float | None) -> None:
        if self._records is None:
            return
        try:
            self._records.save(dialogue, feedback, ms=ms)
            self._kept = dialogue.dialogue_id if dialogue.current else self._kept
        except RecordsError as e:
            report(e)
            say(self._out, "From here on nothing is kept.", "yellow")
            self._records = None

    def _loaded(self, name: str) -> Dialogue:
        assert self._records is not None
        if name == "last":
            recent = self._records.recent(1)
            if not recent:
                raise UnknownDialogue(f"no dialogue is kept in {self._records.path} yet")
            name = recent[0].id
        dialogue = self._records.load(name)
        if dialogue.kb != self._engine.kb.name:
            raise InputError(
                f"that dialogue is about the knowledge base {dialogue.kb!r}, and {self._engine.kb.name!r} is "
                "open: name it with --kb"
            )
        return dialogue


def _candidates(version: Version) -> Iterator[tuple[Mention, Candidate, Candidate]]:
    """(mention, what it is taken for, what else it may be), each once."""
    seen = set()
    for step in version.steps:
        for mention in step.mentions:
            now, *others = mention.candidates or (None,)
            for other in others:
                if now is not None and (now.entity, other.entity) not in seen:
                    seen.add((now.entity, other.entity))
                    yield mention, now, other


def _asked_for(dialogue: Dialogue) -> str:
    """What may be said now."""
    match dialogue.status:
        case "accepted":
            return f"You have accepted this answer{_takes_back(dialogue)}."
        case "stopped":
            return f"You have stopped here{_takes_back(dialogue)}."
        case "edits_used_up":
            undo = " / undo" if dialogue.current is not None and dialogue.current.parent else ""
            return f"Is this right? (yes / not sure{undo} / stop; no corrections are left)"
        case _ if not dialogue.mode.edits:
            return "Is this right? (yes / not sure / stop)"
        case _:
            left = f"{dialogue.edits_left} correction{'' if dialogue.edits_left == 1 else 's'} left"
            return f"Is this right? (yes / no / not sure, or say what is wrong; {left})"


def _takes_back(dialogue: Dialogue) -> str:
    return "; 'undo' takes that back" if dialogue.mode.edits else ""


def _or_undo(dialogue: Dialogue) -> str:
    return ", or 'undo' to go on with this one" if dialogue.mode.edits else ""


def _still(dialogue: Dialogue) -> str:
    """What may be said after 'not sure'."""
    return "yes, or what is wrong" if dialogue.mode.edits and dialogue.edits_left > 0 else "yes, or stop"


def _is_yes(text: str) -> bool:
    return text.casefold().strip(" .!") in _YES


def _is_no(text: str) -> bool:
    return text.casefold().strip(" .!") in _NO


_YES = frozenset("y yes yep yeah yup ok okay right correct sure".split()) | {
    "do it",
    "yes please",
    "that's right",
}
_NO = frozenset("n no nope nah wrong cancel".split()) | {"no thanks", "not that"}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"
