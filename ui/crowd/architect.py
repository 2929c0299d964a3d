"""Mephisto's local architect with the changed router: it listens where it is told, speaks to Mephisto under a
key, ends with this process, and runs in the study's own folder."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests
from mephisto.abstractions.architects.local_architect import LocalArchitect, LocalArchitectArgs
from mephisto.operations.registry import register_mephisto_abstraction

from crowd.trouble import CrowdError

ARCHITECT_TYPE = "kbqa_local"
_START_S = 20
_STOP_S = 5


@dataclass
class StudyArchitectArgs(LocalArchitectArgs):
    """`public_url`: what workers are sent to; `folder`: where the running copy lies; `lab_script`: the file
    that stands in for the crowd platform's script, or ''."""

    _architect_type: str = ARCHITECT_TYPE
    public_url: str = field(default="", metadata={"help": "The address workers are sent to"})
    folder: str = field(default="", metadata={"help": "Where the running router lies"})
    lab_script: str = field(default="", metadata={"help": "Replaces the provider's script"})


@register_mephisto_abstraction()
class StudyArchitect(LocalArchitect):  # type: ignore[misc]
    ArgsClass = StudyArchitectArgs
    ARCHITECT_TYPE = ARCHITECT_TYPE

    def __init__(self, db: Any, args: Any, shared_state: Any, task_run: Any, build_dir_root: str) -> None:
        super().__init__(db, args, shared_state, task_run, build_dir_root)
        self._public_url: str = args.architect.public_url
        self._lab_script: str = args.architect.lab_script
        self._folder = Path(args.architect.folder)
        self._key = secrets.token_urlsafe(24)

    def _get_socket_urls(self) -> list[str]:
        return [f"ws://{_bracketed(self.hostname)}:{self.port}/?key={self._key}"]

    def prepare(self) -> str:
        prepared: str = super().prepare()
        if self._lab_script:
            shutil.copy2(self._lab_script, Path(prepared) / "static" / "wrap_crowd_source.js")
        return prepared

    def deploy(self) -> str:
        """Raises `CrowdError` where the router does not come up."""
        running = self._folder / f"router-{self.task_run_id}"
        shutil.rmtree(running, ignore_errors=True)
        shutil.copytree(self.server_dir, running, symlinks=True)
        self.running_dir = str(running)
        self._start()
        return self._public_url

    def revive(self) -> bool:
        """Whether the router had ended by itself, and has been started again."""
        if self.running_dir is None or self.server_process is None or self.server_process.poll() is None:
            return False
        self._start()
        return True

    def _start(self) -> None:
        environment = {"PORT": str(self.port), "HOST": self.hostname, "SYSTEM_KEY": self._key}
        with (self._folder / "router.log").open("ab") as log:
            self.server_process = subprocess.Popen(
                ["node", "server.js"],
                cwd=self.running_dir,
                env=os.environ | environment,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.server_process_pid = self.server_process.pid
        self._await()

    def _await(self) -> None:
        end = time.monotonic() + _START_S
        while time.monotonic() < end and self.server_process.poll() is None:
            try:
                if requests.get(f"http://{_bracketed(self.hostname)}:{self.port}/is_alive", timeout=2).ok:
                    break
            except requests.RequestException:
                time.sleep(0.1)
        time.sleep(0.1)  # where the port is another's, ours has ended by now
        if self.server_process.poll() is not None or time.monotonic() >= end:
            self.server_process.kill()
            raise CrowdError(
                f"the router did not come up on {self.hostname} port {self.port}: is the port free? "
                f"See {self._folder / 'router.log'}"
            )

    def shutdown(self) -> None:
        """May be called again."""
        process = self.server_process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self.running_dir:
            shutil.rmtree(self.running_dir, ignore_errors=True)
            self.running_dir = None


def _bracketed(host: str) -> str:
    """As it stands in a URL. Where the router listens everywhere, this machine reaches it by loopback."""
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
