"""The configuration file of a crowd task (TOML); docs/crowd.md explains every field."""

from __future__ import annotations

import ipaddress
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import urlsplit

from crowd.trouble import CrowdError

PROVIDERS = ("mock", "mturk_sandbox", "mturk")


@dataclass(frozen=True)
class Task:
    """`data` takes everything that the study leaves here; `items`: `crowd.items.read_items`."""

    name: str
    items: Path
    data: Path
    title: str = "Check how a question was understood"
    description: str = "Read how a computer understood a question, and correct it in English."
    keywords: tuple[str, ...] = ("question answering", "chat", "English")
    reward_usd: float = 0.40
    minutes: int = 30
    idle_minutes: int = 15
    submit_minutes: int = 10
    lifetime_hours: int = 72
    concurrent_units: int = 0
    units_per_worker: int = 0
    not_sure: bool = False
    may_stop: bool = False


@dataclass(frozen=True)
class Server:
    """`kbqa serve`. The token is read from the environment variable named here, never from the file."""

    url: str = "http://127.0.0.1:8000"
    token_variable: str = "KBQA_TOKEN"
    patience_s: int = 120


@dataclass(frozen=True)
class Router:
    """What browsers connect to. `public_url`: under which they reach it; default: where it listens."""

    host: str = "127.0.0.1"
    port: int = 3000
    public_url: str = ""


@dataclass(frozen=True)
class Provider:
    """Whence the workers come: `mock` is a lab study with participants' links."""

    kind: str = "mock"
    requester: str = ""
    approve: bool = True
    min_approved: int = 0
    min_approval_percent: int = 0
    locales: tuple[str, ...] = ()


@dataclass(frozen=True)
class Config:
    task: Task
    server: Server = field(default_factory=Server)
    router: Router = field(default_factory=Router)
    provider: Provider = field(default_factory=Provider)

    @property
    def address(self) -> str:
        """Under which browsers reach the task."""
        host = f"[{self.router.host}]" if ":" in self.router.host else self.router.host
        return self.router.public_url.rstrip("/") or f"http://{host}:{self.router.port}"


_TABLES: Mapping[str, type] = {"task": Task, "server": Server, "router": Router, "provider": Provider}


def read_config(file: Path) -> Config:
    """Paths are taken relative to the file. Raises `CrowdError` naming the file and the field."""
    try:
        with file.open("rb") as opened:
            document = tomllib.load(opened)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise CrowdError(f"the configuration {file} can't be read: {e}") from None
    unknown = sorted(document.keys() - _TABLES.keys())
    if unknown:
        raise CrowdError(f"{file}: unknown table [{unknown[0]}]; known are {', '.join(_TABLES)}")
    tables = {name: _table(file, name, kind, document.get(name, {})) for name, kind in _TABLES.items()}
    task: Task = tables["task"]
    here = file.resolve().parent
    tables["task"] = replace(task, items=here / task.items, data=here / task.data)
    config = Config(**tables)
    _check(file, config)
    return config


def _table(file: Path, name: str, kind: type, given: Any) -> Any:
    if not isinstance(given, Mapping):
        raise CrowdError(f"{file}: {name!r} is {given!r}; expected a table [{name}]")
    known = {f.name: f for f in fields(kind)}
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        raise CrowdError(f"{file}: unknown field {unknown[0]!r} in [{name}]; known are {', '.join(known)}")
    missing = [n for n, f in known.items() if f.default is MISSING and n not in given]
    if missing:
        raise CrowdError(f"{file}: {missing[0]!r} is missing in [{name}]")
    hints = get_type_hints(kind)
    return kind(**{k: _value(f"{file}: {k!r} in [{name}]", hints[k], v) for k, v in given.items()})


def _value(where: str, kind: Any, value: Any) -> Any:
    if kind is Path and isinstance(value, str) and value:
        return Path(value)
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind == tuple[str, ...] and isinstance(value, list) and all(isinstance(v, str) for v in value):
        return tuple(value)
    if kind in (str, int, bool) and type(value) is kind:
        return value
    names = {Path: "a path", float: "a number", int: "a whole number", str: "a text", bool: "true or false"}
    raise CrowdError(f"{where} is {value!r}; expected {names.get(kind, 'a list of texts')}")


def _check(file: Path, config: Config) -> None:
    task, router, provider = config.task, config.router, config.provider
    server = urlsplit(config.server.url)
    secure = router.public_url.startswith("https://")
    abroad = not is_loopback(router.host)
    crowd = provider.kind != "mock"
    rules = (
        (bool(task.name.strip()), "'name' in [task] is empty"),
        (task.reward_usd >= 0, f"'reward_usd' in [task] is {task.reward_usd}; expected 0 or more"),
        (
            min(task.minutes, task.idle_minutes, task.submit_minutes, task.lifetime_hours) > 0,
            "the times in [task] must be 1 or more",
        ),
        (
            min(task.concurrent_units, task.units_per_worker) >= 0,
            "the numbers of units in [task] must be 0 (any) or more",
        ),
        (
            server.scheme in ("http", "https") and bool(server.hostname),
            f"'url' in [server] is {config.server.url!r}; expected such as http://127.0.0.1:8000",
        ),
        (1 <= router.port <= 65535, f"'port' in [router] is {router.port}; expected 1 to 65535"),
        (
            provider.kind in PROVIDERS,
            f"'kind' in [provider] is {provider.kind!r}; expected one of {', '.join(PROVIDERS)}",
        ),
        (
            not crowd or bool(provider.requester),
            f"{provider.kind} needs 'requester' in [provider]: the name under which it was registered "
            "(kbqa crowd mephisto register ...)",
        ),
        (
            not crowd or secure,
            f"{provider.kind} needs 'public_url' in [router], beginning with https://: it shows the task in "
            "a frame of an https page",
        ),
        (
            not abroad or secure,
            f"'host' in [router] is {router.host!r}, which others can reach: put a proxy with https before "
            "it and name its address as 'public_url', or leave 'host' at 127.0.0.1",
        ),
    )
    for fine, what in rules:
        if not fine:
            raise CrowdError(f"{file}: {what}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to that address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
