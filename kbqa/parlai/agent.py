"""The engine as a ParlAI agent: `parlai interactive -m kbqa`."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

from parlai.core.agents import Agent
from parlai.core.message import Message
from parlai.core.opt import Opt
from parlai.core.params import ParlaiParser
from rich.console import Console

from kbqa.cli.commands import HELP, Command, read_command
from kbqa.cli.show import show_offers, show_version
from kbqa.dialogue import FULL, MODES, Dialogue
from kbqa.engine import Engine
from kbqa.errors import InputError, KbqaError
from kbqa.feedback import Accept, Feedback, Stop, Unsure, read_feedback
from kbqa.freeform import understand
from kbqa.types import Iri

Held = dict[str, Dialogue]
HELD: Held = {}
"""The state of each agent's dialogue, by its id, for a teacher in the same process. A message holds the id:
what it holds has to be JSON."""

_THANKS = "Good. Ask another question."
_STOPPED = "Stopped. Ask another question."


def add_options(parser: ParlaiParser) -> None:
    """What teacher and agent have in common."""
    group = parser.add_argument_group("kbqa")
    group.add_argument("--kbqa-kb", default=None, help="A built knowledge base, RDF file or SPARQL endpoint.")
    group.add_argument("--kbqa-mode", default=FULL.name, choices=list(MODES), help="How steps are shown.")
    group.add_argument("--kbqa-edits", type=int, default=5, help="Corrections in one dialogue.")


class KbqaAgent(Agent):  # type: ignore[misc]
    """Answers a question with its steps, and feedback with the steps after it.

    Feedback is words as in `kbqa chat`, or a message's 'kbqa_feedback' (docs/http.md); 'kbqa_entities'
    beside a question are taken instead of linking. What it says holds 'sparql', 'answers', and
    'kbqa_dialogue', the key of the whole state in `HELD`.
    """

    @classmethod
    def add_cmdline_args(cls, parser: ParlaiParser, partial_opt: Opt | None = None) -> ParlaiParser:
        add_options(parser)
        return parser

    def __init__(self, opt: Opt, shared: dict[str, Any] | None = None) -> None:
        super().__init__(opt, shared)
        self.id = "kbqa"
        self.observation: Message | None = None
        self._mode, self._edits = MODES[opt.get("kbqa_mode") or FULL.name], int(opt.get("kbqa_edits", 5))
        self._engine: Engine = shared["engine"] if shared else Engine.open(opt.get("kbqa_kb"))
        self._owns = shared is None
        self._dialogue: Dialogue | None = None

    def share(self) -> dict[str, Any]:
        return {**super().share(), "engine": self._engine}

    def reset(self) -> None:
        super().reset()
        self._keep(None)

    def shutdown(self) -> None:
        self._keep(None)
        if self._owns:
            self._engine.close()

    def act(self) -> Message:
        heard = self.observation
        self.observation = None
        if not heard or heard.get("batch_padding"):
            return Message(id=self.id, text="", episode_done=False)
        said = self._answer(heard)
        if heard.get("episode_done"):
            self._keep(None)
        return Message(id=self.id, episode_done=False, **said)

    # --- what is said ----------------------------------------------------------------

    def _answer(self, heard: Message) -> dict[str, Any]:
        try:
            text = self._hear(heard)
        except KbqaError as e:
            return {**self._state(), "text": str(e), "kbqa_refused": str(e)}
        return {"text": text, **self._state()}

    def _hear(self, heard: Message) -> str:
        """What is to be said. Raises `KbqaError` where it can't be done."""
        text = str(heard.get("text") or "")
        if heard.get("kbqa_feedback") is not None:
            return self._give(read_feedback(heard["kbqa_feedback"]))
        if self._dialogue is None or self._dialogue.current is None:
            return self._ask(text, heard.get("kbqa_entities"))
        command = read_command(text)
        if isinstance(command, Command):
            return self._do(command)
        if command is not None:
            return self._give(command)
        proposal = understand(text, self._dialogue, self._engine.kb.linker)
        if proposal.feedback is not None:
            said = f"{proposal.said} ('undo' takes it back)\n" if proposal.confirm else ""
            return said + self._give(proposal.feedback)
        return self._ask(proposal.question, None) if proposal.question else proposal.said

    def _ask(self, question: str, entities: Any) -> str:
        given = None if entities is None else {Iri(iri): name for iri, name in entities.items()}
        dialogue = self._engine.first_version(question, self._mode, given)
        self._keep(replace(dialogue, edits_left=self._edits if self._mode.edits else 0))
        return self._shown()

    def _give(self, feedback: Feedback) -> str:
        if self._dialogue is None:
            raise InputError("there is no question that this could be said to: ask one")
        self._keep(self._engine.advance(self._dialogue, feedback))
        match feedback:
            case Accept():
                return _THANKS
            case Stop():
                return _STOPPED
            case Unsure():
                return "Noted. Is this right? (yes / no, or say what is wrong)"
        return self._shown()

    def _do(self, command: Command) -> str:
        match command.name:
            case "show":
                return self._shown()
            case "new":
                self._keep(None)
                return "Ask a new question."
            case "sparql" if self._dialogue and self._dialogue.current:
                return self._dialogue.current.sparql
            case "help":
                return HELP
        raise InputError(
            f"{command.name!r} is a command of 'kbqa chat'; here 'show', 'sparql', 'new', 'help'"
        )

    # --- what is shown ---------------------------------------------------------------

    def _shown(self) -> str:
        assert self._dialogue is not None
        page = io.StringIO()
        out = Console(file=page, width=10_000, highlight=False, markup=False, emoji=False)
        show_version(self._dialogue, out)
        if self._dialogue.current is not None and self._dialogue.edits_left > 0:
            show_offers(self._dialogue.current, out)
        return "\n".join(line.rstrip() for line in page.getvalue().splitlines())

    def _state(self) -> dict[str, Any]:
        dialogue = self._dialogue
        if dialogue is None:
            return {}
        version = dialogue.current
        answers = version.steps[-1].answers if version and version.steps else ()
        return {
            "kbqa_dialogue": dialogue.dialogue_id,
            "sparql": version.sparql if version else "",
            "answers": [a.label for a in answers[:100]],
        }

    def _keep(self, dialogue: Dialogue | None) -> None:
        if self._dialogue is not None:
            HELD.pop(self._dialogue.dialogue_id, None)
        self._dialogue = dialogue
        if dialogue is not None:
            HELD[dialogue.dialogue_id] = dialogue
