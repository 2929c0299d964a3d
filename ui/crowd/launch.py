"""Starts a run of the task under Mephisto, and ends it cleanly.

    with Study(config) as study:
        study.launch()
        study.wait()

`crowd.shim.prepare` must come before this module is imported.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from mephisto.abstractions.blueprints.parlai_chat import parlai_chat_task_builder
from mephisto.abstractions.blueprints.parlai_chat.parlai_chat_blueprint import (
    ParlAIChatBlueprintArgs,
    SharedParlAITaskState,
)
from mephisto.abstractions.databases.local_database import LocalMephistoDB
from mephisto.abstractions.providers.mock import mock_unit
from mephisto.data_model.task_run import TaskRunArgs
from mephisto.operations import operator as operators
from mephisto.operations.hydra_config import MephistoConfig
from mephisto.operations.registry import get_crowd_provider_from_type
from mephisto.operations.worker_pool import WorkerPool
from omegaconf import OmegaConf

from crowd import layout, world
from crowd.architect import StudyArchitectArgs
from crowd.client import Server
from crowd.config import Config
from crowd.items import Item, read_item, read_items
from crowd.journal import Journal
from crowd.people import participant_hash, read_salt
from crowd.trouble import CrowdError

_PAY_WAITS_S = (0, 5, 15, 60, 180, 600)
"""A platform may know of a submission later than we do: then paying is tried again."""
_LOOK_S = 1
"""How often it is looked whether the router is there."""
_log = logging.getLogger(__name__)


class Study:
    """One run: the items that are not done yet, offered to workers. `home`: `crowd.shim.prepare`'s."""

    def __init__(self, config: Config, home: Path, *, architect: Any = None) -> None:
        self._config, self._home, self._architect = config, home, architect
        task = config.task
        self.journal = Journal(task.data / "crowd.jsonl")
        token = os.environ.get(config.server.token_variable, "")
        server = Server(config.server.url, token, config.server.patience_s)
        self.desk = world.Desk(config, server, self.journal, read_salt(task.data / "salt"))
        done = self.journal.done()
        self.items = tuple(i for i in read_items(task.items) if i.id not in done)
        self.database = LocalMephistoDB(str(_database(home)))
        self.operator: Any = None
        self._stopped = False

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # --- begin -----------------------------------------------------------------------

    def launch(self) -> str:
        """Returns Mephisto's id of the run. Raises `CrowdError` where nothing is left to do."""
        if not self.items:
            raise CrowdError(f"every dialogue in {self._config.task.items} is done: nothing to run")
        parlai_chat_task_builder.FRONTEND_SOURCE_DIR = str(layout.page())
        parlai_chat_task_builder.FRONTEND_BUILD_DIR = str(layout.page() / "build")
        _register_once(self.desk)
        # Its metrics would open a port on every interface.
        operators.start_metrics_server = lambda: None
        operators.launch_prometheus_server = lambda: False
        self.operator = operators.Operator(self.database)
        state = SharedParlAITaskState(
            world_module=world,
            world_opt={"desk": self.desk},
            worker_can_do_unit=self._can_do,
            on_unit_submitted=self._pay,
            task_config={"frame_height": 0, "block_mobile": False},
        )
        state.mturk_specific_qualifications = _qualifications(self._config)
        mock_unit.print = lambda *_: None  # it names an address that is not ours
        run: str = self.operator.launch_task_run_or_die(self._settings(), state)
        return run

    def _settings(self) -> Any:
        task, provider = self._config.task, self._config.provider
        data = self._home / "task-data.jsonl"
        data.write_text("".join(json.dumps(i.as_data()) + "\n" for i in self.items), encoding="utf-8")
        settings = MephistoConfig(
            log_level="warning",
            provider=get_crowd_provider_from_type(provider.kind).ArgsClass(
                requester_name=provider.requester or "MOCK_REQUESTER"
            ),
            blueprint=ParlAIChatBlueprintArgs(
                context_jsonl=str(data),
                task_description_file=str(layout.SOURCE / "webapp" / "static" / "task.html"),
                extra_source_dir=str(layout.page() / "build"),
            ),
            architect=self._architect or self._router(),
            task=TaskRunArgs(
                task_name=task.name,
                task_title=task.title,
                task_description=task.description,
                task_reward=task.reward_usd,
                task_tags=",".join(task.keywords),
                task_lifetime_in_seconds=3600 * task.lifetime_hours,
                assignment_duration_in_seconds=60 * task.minutes,
                no_submission_patience=3600 * task.lifetime_hours,
                submission_timeout=60 * task.submit_minutes,
                # A lab's next task begins before Mephisto knows that the last one has ended.
                allowed_concurrent=0 if provider.kind == "mock" else 1,
                maximum_units_per_worker=task.units_per_worker,
                max_num_concurrent_units=task.concurrent_units,
            ),
        )
        return OmegaConf.structured(settings)

    def _router(self) -> StudyArchitectArgs:
        config = self._config
        lab = layout.SOURCE / "webapp" / "static" / "lab.js"
        return StudyArchitectArgs(
            hostname=config.router.host,
            port=str(config.router.port),
            server_source_path=str(layout.router()),
            public_url=config.address,
            folder=str(self._home),
            lab_script=str(lab) if config.provider.kind == "mock" else "",
        )

    # --- while it runs ---------------------------------------------------------------

    def wait(self, until: Callable[[], bool] = lambda: False) -> bool:
        """Until all is done (True), or SIGINT or SIGTERM came, or `until` holds (False)."""
        stop: list[int] = []
        kept = {s: signal.signal(s, lambda n, _: stop.append(n)) for s in (signal.SIGINT, signal.SIGTERM)}
        try:
            while self.operator.get_running_task_runs():
                if stop or until():
                    return False
                self._revive_router()
                self.operator._run_loop_until(
                    lambda: bool(stop) or until() or not self.operator.get_running_task_runs(), _LOOK_S
                )
            return True
        finally:
            for number, handler in kept.items():
                signal.signal(number, handler)

    def _revive_router(self) -> None:
        for run in self.operator.get_running_task_runs().values():
            revive = getattr(run.architect, "revive", None)  # the mock architect has none
            if revive is not None and revive():
                _log.error("the router had ended by itself; it was started again")

    def _can_do(self, worker: Any, unit: Any) -> bool:
        """A participant's own items come in their order: those of one system before those of the next."""
        item, participant = _item(unit), self.desk.participant(worker)
        if item.participant and item.id != self._first_left_of(item.participant):
            return False
        return self.journal.may_do(item, participant)

    def _first_left_of(self, participant: str) -> str:
        done = self.journal.done()
        return next((i.id for i in self.items if i.participant == participant and i.id not in done), "")

    def _pay(self, unit: Any) -> None:
        """Whoever came to the end is paid, also where something broke or 'Finish' was never pressed. Nobody
        is ever rejected."""
        agent, item = unit.get_assigned_agent(), _item(unit)
        if agent is not None and self._config.provider.approve and item.id in self.journal.done():
            self._approve(agent, item)
        unit.get_status()  # so that Mephisto's database knows

    def _approve(self, agent: Any, item: Item) -> None:
        participant = self.desk.participant(agent.get_worker())
        problem = ""
        for wait in _PAY_WAITS_S if self._config.provider.kind != "mock" else (0,):
            time.sleep(wait)
            try:
                agent.approve_work()
            except Exception as e:  # whatever the platform's client raises
                problem = f"{type(e).__name__}: {e}"
                continue
            self.journal.write("paid", item, participant)
            return
        _log.error("item %s: could not be paid: %s", item.id, problem)
        self.journal.write("unpaid", item, participant, error=problem)

    # --- the end ---------------------------------------------------------------------

    def stop(self) -> None:
        """Ends dialogues under way (each can be gone on with in a later run), withdraws what nobody has
        taken, and ends the router. May be called again."""
        if self._stopped:
            return
        self._stopped = True
        if self.operator is not None:
            for run in self.operator.get_running_task_runs().values():
                for part in (run.task_launcher.shutdown, run.task_launcher.expire_units, run.shutdown,
                             run.architect.shutdown):  # fmt: skip
                    try:
                        part()
                    except Exception:
                        _log.exception("while stopping")
            self.operator._task_runs_tracked.clear()
            self.operator.is_shutdown = True
        self.database.shutdown()
        self.journal.close()


def _database(home: Path) -> Path:
    return home / "data" / "database.db"


def _item(unit: Any) -> Item:
    return read_item(unit.get_assignment().get_assignment_data().shared, "Mephisto's task data")


def _register_once(desk: world.Desk) -> None:
    """A request for work that comes again while the first is under way waits for it, and gets the same
    agent; as it comes, Mephisto gives out a second dialogue. In a lab study Mephisto never sees a
    participant's id; a crowd platform's ids it needs, to pay."""
    registered = WorkerPool.__dict__["register_worker"]
    original = getattr(registered, "original", registered)
    under_way: dict[str, asyncio.Lock] = {}
    lab = desk.config.provider.kind == "mock"

    async def register_worker(self: Any, crowd_data: dict[str, Any], request_id: str) -> None:
        name = crowd_data["agent_registration_id"]
        async with under_way.setdefault(name, asyncio.Lock()):
            agent = self.get_live_run().client_io.agents_by_registration_id.get(name)
            if agent is not None:
                await self.reconnect_agent(agent, request_id)
                return
            worker = str(crowd_data["worker_name"])
            known = {"worker_name": participant_hash(worker, desk.salt)} if lab else {}
            await original(self, crowd_data | known, request_id)

    register_worker.original = original  # type: ignore[attr-defined]
    WorkerPool.register_worker = register_worker


def _qualifications(config: Config) -> list[dict[str, Any]]:
    """MTurk's own, under the ids that its documentation gives."""
    provider = config.provider
    numbers = (
        ("00000000000000000040", provider.min_approved),
        ("000000000000000000L0", provider.min_approval_percent),
    )
    found: list[dict[str, Any]] = [
        {
            "QualificationTypeId": kind,
            "Comparator": "GreaterThanOrEqualTo",
            "IntegerValues": [least],
            "ActionsGuarded": "DiscoverPreviewAndAccept",
        }
        for kind, least in numbers
        if least
    ]
    if provider.locales:
        found.append(
            {
                "QualificationTypeId": "00000000000000000071",
                "Comparator": "In",
                "LocaleValues": [{"Country": country} for country in provider.locales],
                "ActionsGuarded": "DiscoverPreviewAndAccept",
            }
        )
    return found
