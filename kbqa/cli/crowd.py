"""`kbqa crowd`: the crowd task, which runs in an environment of its own (docs/crowd.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from kbqa.errors import InputError, KbqaError

ENVIRONMENT = ".venv-crowd"
_RUN = "import runpy, sys; sys.path.append(sys.argv.pop(1)); runpy.run_module('crowd', run_name='__main__')"
"""The page's folder comes last on the path, so that none of its modules hides another's."""

crowd = typer.Typer(
    name="crowd",
    help="Dialogues with crowdworkers or in a lab, through ParlAI and Mephisto.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_Environment = Annotated[
    Path | None,
    typer.Option(
        "--environment",
        envvar="KBQA_CROWD",
        metavar="DIR",
        help=f"The crowd environment; default {ENVIRONMENT}, here or in the checkout.",
    ),
]
_Config = Annotated[
    Path, typer.Option("--config", metavar="FILE", help="The task's configuration (TOML; docs/crowd.md).")
]
_Participant = Annotated[
    str, typer.Argument(metavar="PARTICIPANT", help="The hash, as kbqa crowd hash tells it.")
]
_Checked = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Check what this task needs, too.")
]


def register(app: typer.Typer) -> None:
    app.add_typer(crowd)


@crowd.command()
def install(environment: _Environment = None) -> None:
    """Make the crowd environment, or bring it up to date. Needs Python 3.11, node and npm."""
    from kbqa import assets

    target = environment or _default()
    variables = {**os.environ, "PYTHONPATH": str(assets.ui())}
    command = [sys.executable, "-m", "crowd.install", str(target)]
    raise typer.Exit(subprocess.run(command, env=variables, check=False).returncode)


@crowd.command()
def run(config: _Config, environment: _Environment = None) -> None:
    """Offer the dialogues of a task to workers until all are done. Ctrl-C stops it; run again, it goes on."""
    _execute(environment, ["run", "--config", str(config)])


@crowd.command()
def check(config: _Checked = None, environment: _Environment = None) -> None:
    """Say what is there and what is missing; exit code 1 where something is."""
    _execute(environment, ["check", *(["--config", str(config)] if config else [])])


@crowd.command("hash")
def hash_(config: _Config, environment: _Environment = None) -> None:
    """Read workers' ids (in a lab: the names in their links), one a line, and print what stands for each
    in all that the task leaves: what kbqa study tasks asks for."""
    _execute(environment, ["hash", "--config", str(config)])


@crowd.command()
def export(config: _Config, participant: _Participant, environment: _Environment = None) -> None:
    """All that the task keeps of one participant, as JSON."""
    _execute(environment, ["export", "--config", str(config), participant])


@crowd.command()
def erase(
    config: _Config,
    participant: _Participant,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    environment: _Environment = None,
) -> None:
    """Erase what the task keeps of one participant. Not while it runs; pay first: it can't be undone."""
    if not yes:
        typer.confirm(f"Erase what is kept of participant {participant}?", abort=True)
    _execute(environment, ["erase", "--config", str(config), participant])


@crowd.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
def mephisto(
    config: _Config,
    arguments: Annotated[
        list[str] | None, typer.Argument(help="As Mephisto's own command takes them.")
    ] = None,
    environment: _Environment = None,
) -> None:
    """Mephisto's own command, with the folder of this task: to register a requester, to look at work."""
    _execute(environment, ["mephisto", "--config", str(config), *(arguments or [])])


def _execute(environment: Path | None, arguments: list[str]) -> NoReturn:
    """In the place of this process, so that signals reach it."""
    from kbqa import assets

    folder = environment or _default()
    python = folder / "bin" / "python"
    if not python.is_file():
        raise InputError(f"there is no crowd environment in {folder}: run make crowd, or kbqa crowd install")
    if not (assets.ui() / "crowd" / "__main__.py").is_file():
        raise KbqaError(f"there is no crowd task in {assets.ui()}; install kbqa again")
    sys.stdout.flush()
    variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME")}
    os.execve(python, [str(python), "-c", _RUN, str(assets.ui()), *arguments], variables)


def _default() -> Path:
    """Here, or in the checkout that this runs from; where there is none, here."""
    from kbqa import assets

    here, checkout = Path.cwd() / ENVIRONMENT, assets.ui().parent / ENVIRONMENT
    return checkout if checkout.is_dir() and not here.is_dir() else here
