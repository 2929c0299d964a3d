"""`kbqa crowd run | check | hash | export | erase | mephisto`, as it runs in the crowd environment."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from crowd.check import as_lines, findings
from crowd.config import Config, read_config
from crowd.people import participant_hash, read_salt
from crowd.shim import prepare
from crowd.trouble import CrowdError

_STOPPED, _WRONG, _UNUSABLE = 130, 1, 2


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="kbqa crowd")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("run", "check", "hash", "export", "erase", "mephisto"):
        command = commands.add_parser(name)
        command.add_argument("--config", type=Path, required=name != "check")
        if name in ("export", "erase"):
            command.add_argument("participant")
        if name == "mephisto":
            command.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    try:
        if given.command == "check":
            return check(given.config)
        config = read_config(given.config)
        if given.command == "hash":
            return hashes(config, sys.stdin)
        if given.command in ("export", "erase"):
            return privacy(config, given.command, given.participant)
        return run(config) if given.command == "run" else mephisto(config, given.arguments)
    except CrowdError as e:
        print(f"kbqa crowd: {' '.join(str(e).split())}", file=sys.stderr)
        return _UNUSABLE


def check(file: Path | None) -> int:
    right = True
    for fine, line in as_lines(findings(file)):
        right &= fine
        print(line, flush=True)
    return 0 if right else _WRONG


def run(config: Config) -> int:
    """Until every item is done (0), or it is stopped (130)."""
    wrong = [line for fine, line in as_lines(findings(None)) if not fine]
    if wrong:
        raise CrowdError("; ".join(wrong))
    _log_to_stderr()
    home = prepare(config.task.data)
    from crowd.launch import Study

    with Study(config, home) as study:
        problem = study.desk.server.ready()
        if problem:
            raise CrowdError(problem)
        study.launch()
        print(f"{len(study.items)} dialogues to be held at {config.address}", flush=True)
        if config.provider.kind == "mock":
            print(f"A participant's link: {config.address}/?worker_id=NAME", flush=True)
        done = study.wait()
    print("All dialogues are done." if done else "Stopped; run it again to go on.", flush=True)
    return 0 if done else _STOPPED


def hashes(config: Config, names: Iterable[str]) -> int:
    """What stands for each worker's id, one a line; the salt is made where there is none yet."""
    config.task.data.mkdir(parents=True, exist_ok=True)
    salt = read_salt(config.task.data / "salt")
    for name in filter(None, map(str.strip, names)):
        print(participant_hash(name, salt))
    return 0


def privacy(config: Config, what: str, participant: str) -> int:
    """All that the task keeps of one participant: shown as JSON, or erased."""
    home = prepare(config.task.data)
    from crowd.privacy import erase, export

    if what == "export":
        print(json.dumps(export(config, home, participant), ensure_ascii=False, indent=1))
    else:
        print(f"erased, with {erase(config, home, participant)} dialogues")
    return 0


def _log_to_stderr() -> None:
    """What this package says; Mephisto has its own way."""
    said = logging.StreamHandler()
    said.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    own = logging.getLogger("crowd")
    own.addHandler(said)
    own.setLevel(logging.INFO)
    own.propagate = False


def mephisto(config: Config, arguments: list[str]) -> int:
    """Mephisto's own command, with this study's folder."""
    prepare(config.task.data)
    from mephisto.client.cli import cli

    sys.argv = ["mephisto", *arguments]
    result = cli(standalone_mode=False)
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Mephisto's threads would keep the process
