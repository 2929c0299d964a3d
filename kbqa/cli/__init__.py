"""The command line: `kbqa COMMAND --help` documents each command.

Exit codes: 0 done, 1 something failed (a row, the store, a model), 2 the input or the call can't be used.
"""

try:
    from kbqa.cli.app import app, main
except (
    ModuleNotFoundError
) as e:  # beside ParlAI (kbqa.parlai) there is no typer: rows can be read all the same
    if e.name != "typer":
        raise

__all__ = ["app", "main"]
