"""`kbqa ui`: the chat page in a browser."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from kbqa.cli.options import Kb
from kbqa.errors import InputError


def register(app: typer.Typer) -> None:
    app.command()(ui)


def ui(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")] = 8501,
    kb: Kb = None,
    api: Annotated[
        str | None,
        typer.Option(
            "--api",
            metavar="URL",
            help="Ask through this `kbqa serve`, which has the models and keeps the dialogues. Both get the "
            "same --kb; a token is taken from KBQA_TOKEN.",
            show_default="in this process",
        ),
    ] = None,
) -> None:
    """The chat page in a browser (Streamlit). Stops with Ctrl-C."""
    if api is not None and not api.startswith(("http://", "https://")):
        raise InputError(f"--api {api!r} is no URL: expected one such as http://127.0.0.1:8000")
    command, environment = streamlit_call(host, port, kb)
    if api is not None:
        environment["KBQA_API"] = api
    sys.stdout.flush()
    os.execve(command[0], command, environment)


def streamlit_call(
    host: str, port: int, kb: str | None, script: str = "app.py"
) -> tuple[list[str], dict[str, str]]:
    """The command and environment that run the page. Nothing is reported to anybody, and no address
    is looked up: Streamlit does that where `server.address` is not given."""
    from importlib.util import find_spec

    from kbqa import assets

    if find_spec("streamlit") is None:
        raise InputError("the chat page needs Streamlit: pip install 'kbqa[ui]'")
    page = assets.ui() / script
    if not page.is_file():
        raise InputError(f"there is no chat page at {page}; install kbqa again")
    options = {
        "server.headless": "true",
        "browser.gatherUsageStats": "false",
        "server.address": host,
        "server.port": str(port),
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", value)]
    environment = dict(os.environ)
    if kb is not None:
        environment["KBQA_KB"] = kb
    return [sys.executable, "-m", "streamlit", "run", str(page), *flags], environment
