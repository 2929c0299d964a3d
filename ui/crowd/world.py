"""The ParlAI world: one worker, one target question, one dialogue with `kbqa serve`.

Mephisto's `parlai_chat` blueprint calls `get_world_params` and `make_world`, then `parley` until
`episode_done`. Each card is in Mephisto's log before it is sent, each turn in the server's records before its
card is made.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from mephisto.abstractions.blueprint import AgentState
from mephisto.data_model.exceptions import (
    AgentDisconnectedError,
    AgentReturnedError,
    AgentShutdownError,
    AgentTimeoutError,
)
from parlai.core.worlds import World

from crowd import episode as episodes
from crowd.client import Refused, Server
from crowd.config import Config
from crowd.episode import Act, ActError, Episode, Rules
from crowd.items import Item, read_item
from crowd.journal import Journal
from crowd.people import participant_hash

_LEFT: Mapping[type[BaseException], str] = {
    AgentDisconnectedError: "disconnected",
    AgentReturnedError: "returned",
    AgentTimeoutError: "timed_out",
    AgentShutdownError: "shutdown",
}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Desk:
    """What all worlds of a run share."""

    config: Config
    server: Server
    journal: Journal
    salt: bytes

    def participant(self, worker: Any) -> str:
        """The hash that stands for a Mephisto worker. In a lab study Mephisto itself knows nothing else
        (`crowd.launch`)."""
        name = str(worker.worker_name).removesuffix("_sandbox")  # which Mephisto adds
        return name if self.config.provider.kind == "mock" else participant_hash(name, self.salt)


def get_world_params() -> dict[str, int]:
    return {"agent_count": 1}


def make_world(opt: Mapping[str, Any], agents: list[Any], initialization_data: Any) -> StudyWorld:
    return StudyWorld(opt["desk"], agents[0], read_item(initialization_data.shared, "Mephisto's task data"))


class StudyWorld(World):  # type: ignore[misc]
    """Ends by itself; whatever fails in it ends the episode with the work kept and the worker paid."""

    def __init__(self, desk: Desk, agent: Any, item: Item) -> None:
        super().__init__({"task": "kbqa"}, [agent])
        self._desk, self._agent, self._item = desk, agent, item
        self._participant = desk.participant(agent.mephisto_agent.get_worker())
        task = desk.config.task
        self._now, self._limit = Episode(item, Rules(task.not_sure, task.may_stop)), 0
        self._begun = time.monotonic()
        self._card: dict[str, Any] | None = None
        self._seen: set[str] = set()
        self._written = self._over = False

    def episode_done(self) -> bool:
        return self._over

    def shutdown(self) -> None:
        """Called by Mephisto once or twice, also after `parley` has raised."""

    def parley(self) -> None:
        try:
            if self._card is None:
                self._open()
                self._show()
            elif self._now.phase == "closing":
                self._close()
            else:
                self._turn()
        except tuple(_LEFT) as e:
            self._ended(_LEFT[type(e)])
            raise
        except Exception as e:
            if self._now.phase == "closing":
                raise  # it can't be ended cleanly: Mephisto's own handling of errors is what is left
            _log.exception("item %s: the episode is ended", self._item.id)
            self._now = episodes.broken(self._now, f"{type(e).__name__}: {e}")
            self._go_on()

    # --- the dialogue ----------------------------------------------------------------

    def _open(self) -> None:
        """A new dialogue, or the one that this participant began before something came between."""
        begun = self._desk.journal.unfinished(self._item, self._participant)
        document = self._reopened(begun) if begun else None
        if document is None:
            document = self._desk.server.open(self._item.question, self._item.mode)
            self._write("opened", dialogue_id=document["dialogue_id"])
        self._now = episodes.opened(self._now, document)
        self._limit = int(document["edits_left"]) + self._now.edits
        for row in self._desk.journal.after(self._item, self._participant):
            self._seen.add(row["turn_id"])
            if row["event"] == "surveyed":
                self._now = episodes.surveyed(self._now)
            else:
                self._now = replace(episodes.commented(self._now, row["comment"]), error=row.get("error", ""))
        if self._now.phase == "closing":
            self._ended(self._now.how)

    def _reopened(self, dialogue_id: str) -> Mapping[str, Any] | None:
        """None where the server knows it no more."""
        try:
            return self._desk.server.read(dialogue_id)
        except Refused as e:
            if e.status != 404:
                raise
            return None

    def _turn(self) -> None:
        said = self._agent.act(timeout=60 * self._desk.config.task.idle_minutes)
        if self._is_old(said):
            self._send_again()
            return
        try:
            act = episodes.read_act(said, self._now)
            if act.kind == "comment":
                self._now = episodes.commented(self._now, act.text)
                self._go_on(act.id)
                return
            if act.kind == "survey":
                self._surveyed(act)
                return
            document = self._desk.server.say(self._now.dialogue_id, act.id, act.feedback())
            self._now = episodes.answered(self._now, act, document)
        except ActError as e:
            self._now = episodes.refused(self._now, str(e))
        except Refused as e:
            if e.status not in (409, 422):
                raise
            self._now = episodes.refused(self._now, e.detail)
            if e.status == 409:
                self._now = episodes.opened(self._now, self._desk.server.read(self._now.dialogue_id))
        self._show()

    def _is_old(self, said: Mapping[str, Any]) -> bool:
        """A message that came twice, or a page that asks what it has missed."""
        name = said.get("update_id")
        if name in self._seen or (said.get("task_data") or {}).get("sync"):
            return True
        if name:
            self._seen.add(name)
        return False

    # --- the end ---------------------------------------------------------------------

    def _go_on(self, turn_id: str = "") -> None:
        """After the dialogue: written down first, then shown what comes next."""
        if self._now.phase == "survey":
            self._write("held", turn_id=turn_id, **self._outcome(self._now.how))
        else:
            self._ended(self._now.how)
        self._show()

    def _surveyed(self, act: Act) -> None:
        assert self._now.survey is not None
        said = {"stage": self._now.survey.stage, "answers": list(act.answers), "comment": act.text}
        self._desk.journal.write("surveyed", self._item, self._participant, turn_id=act.id, **said)
        self._now = episodes.surveyed(self._now)
        if self._now.phase == "closing":
            self._ended(self._now.how)
        self._show()

    def _close(self) -> None:
        """Waits until the worker hands the task in. Who never does is paid all the same where the platform
        lets that be."""
        agent, end = self._agent.mephisto_agent, time.monotonic() + 60 * self._desk.config.task.submit_minutes
        while not agent.did_submit.wait(0.5):
            if agent.is_shutdown or agent.get_status() in AgentState.complete():
                break
            if agent.get_live_update() is not None:
                self._send_again()
            if time.monotonic() > end:
                _log.warning("item %s: not handed in; counted as done", self._item.id)
                agent.update_status(AgentState.STATUS_COMPLETED)
        self._over = True

    def _ended(self, how: str) -> None:
        if self._written:
            return
        self._written = True
        self._write("ended", **self._outcome(how))

    def _outcome(self, how: str) -> dict[str, Any]:
        more = {"error": self._now.error} if self._now.error else {}
        return {
            "dialogue_id": self._now.dialogue_id,
            "how": how,
            "status": self._now.status,
            "edits": self._now.edits,
            "seconds": round(time.monotonic() - self._begun, 1),
            "comment": self._now.comment,
            **more,
        }

    def _write(self, event: str, **more: Any) -> None:
        said = {"mode": self._item.mode, "question": self._item.question}
        self._desk.journal.write(event, self._item, self._participant, **said, **more)

    # --- what is shown ---------------------------------------------------------------

    def _show(self) -> None:
        shown = episodes.card(self._now, self._limit)
        self._card = {
            "id": "Agent",
            "update_id": str(uuid4()),
            "text": episodes.as_text(shown),
            "task_data": {"card": shown},
        }
        self._agent.observe(self._card)

    def _send_again(self) -> None:
        """Not kept a second time; the page drops what it has."""
        agent = self._agent.mephisto_agent
        if self._card is not None and agent.agent_in_active_run():
            agent.get_live_run().client_io.send_live_update(agent.get_agent_id(), dict(self._card))
