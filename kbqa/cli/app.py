"""All commands together, and the one place where an exception becomes a message and an exit code."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from kbqa.cli import (
    ask,
    batch,
    chat,
    correct,
    crowd,
    evaluate,
    export,
    import_,
    kb,
    page,
    serve,
    simulate,
    study,
    train,
)
from kbqa.errors import InputError, KbqaError

app = typer.Typer(
    name="kbqa",
    help="Ask a knowledge base in English, see how each question was understood, correct it in English.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 something failed; 2 the input or the call can't be used.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from kbqa import __version__

        typer.echo(f"kbqa {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


for _module in (
    ask,
    chat,
    page,
    serve,
    export,
    batch,
    correct,
    simulate,
    evaluate,
    import_,
    kb,
    train,
    study,
    crowd,
):
    _module.register(app)


def main() -> None:
    """Run the command line of this process; never shows a traceback unless KBQA_DEBUG is set."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without these letters is no reason to fail
    try:
        app(prog_name="kbqa")
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as e:
        if os.environ.get("KBQA_DEBUG"):
            raise
        sys.exit(report(e))


def report(error: Exception) -> int:
    """Say on stderr in one line what went wrong; the exit code for it."""
    text = " ".join(str(error).split())
    if isinstance(error, KbqaError):
        print(f"kbqa: {text}", file=sys.stderr)
        return 2 if isinstance(error, InputError) else 1
    name = type(error).__name__
    print(f"kbqa: internal error, {name}: {text} (KBQA_DEBUG=1 shows where)", file=sys.stderr)
    return 1
