"""What a run needs, and whether it is there."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from crowd import layout
from crowd.client import Server
from crowd.config import Config, read_config
from crowd.items import read_items
from crowd.journal import Journal
from crowd.trouble import CrowdError

Finding = tuple[str, str]
"""What was looked at, and what is wrong with it ('': nothing)."""


def findings(file: Path | None) -> Iterator[Finding]:
    """In the order in which they should be mended."""
    yield f"ParlAI {layout.PARLAI}", _package("parlai", layout.PARLAI)
    yield f"Mephisto {layout.MEPHISTO}", _package("mephisto", layout.MEPHISTO)
    yield "node", "" if shutil.which("node") else "missing; on Debian and Ubuntu: apt install nodejs"
    yield "the page", _file(layout.page() / "build" / "bundle.js")
    yield "the router", _file(layout.router() / "node_modules" / "ws" / "package.json")
    if file is None:
        return
    try:
        config = read_config(file)
    except CrowdError as e:
        yield str(file), str(e)
        return
    yield str(file), ""
    yield from _study(config)


def _study(config: Config) -> Iterator[Finding]:
    yield "the items", _problem(lambda: read_items(config.task.items))
    yield "the journal", _problem(lambda: _look(config.task.data / "crowd.jsonl"))
    token = os.environ.get(config.server.token_variable, "")
    yield f"kbqa serve at {config.server.url}", Server(config.server.url, token).ready()
    yield f"port {config.router.port}", _free(config.router.host, config.router.port)
    if config.provider.kind != "mock":
        yield f"the requester {config.provider.requester}", _requester(config)


def _package(name: str, wanted: str) -> str:
    try:
        found = version(name)
    except PackageNotFoundError:
        return "missing; run make crowd"
    return "" if found == wanted else f"{found} is installed; run make crowd"


def _file(path: Path) -> str:
    return "" if path.is_file() else f"{path} is missing; run make crowd"


def _problem(look: Callable[[], object]) -> str:
    try:
        look()
    except CrowdError as e:
        return str(e)
    return ""


def _look(file: Path) -> None:
    if file.exists():
        Journal(file).close()


def _free(host: str, port: int) -> str:
    try:
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as e:
        return f"can't listen there ({e.strerror}); choose another 'port' in [router]"
    return ""


def _requester(config: Config) -> str:
    """Whether Mephisto knows it, and Amazon's keys are there; no connection is made."""
    from crowd.shim import prepare

    home = prepare(config.task.data)
    from mephisto.abstractions.databases.local_database import LocalMephistoDB

    database = LocalMephistoDB(str(home / "data" / "database.db"))
    try:
        found = database.find_requesters(requester_name=config.provider.requester)
        how = f"kbqa crowd mephisto --config FILE register {config.provider.kind}"
        if not found:
            return f"not registered; run {how} (docs/crowd.md)"
        if found[0].provider_type != config.provider.kind:
            return f"registered for {found[0].provider_type}; run {how}"
        return "" if found[0].is_registered() else f"its keys are missing; run {how}"
    finally:
        database.shutdown()


def as_lines(found: Iterator[Finding]) -> Iterator[tuple[bool, str]]:
    for what, wrong in found:
        yield not wrong, f"ok    {what}" if not wrong else f"WRONG {what}: {' '.join(wrong.split())}"
