"""The command line: `kbqa COMMAND --help` documents each command.

Exit codes: 0 done, 1 something failed (a row, the store, a model), 2 the input or the call can't be used.
"""

from kbqa.cli.app import app, main

__all__ = ["app", "main"]
