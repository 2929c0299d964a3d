"""`kbqa chat`: the whole dialogue in the terminal, or line by line from a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbqa.cli.ask import ShowSparql
from kbqa.cli.options import Kb, ModeName, RecordsFile, mode_named
from kbqa.errors import InputError, RecordsError

if TYPE_CHECKING:
    from kbqa.cli.session import Session
    from kbqa.engine import Engine
    from kbqa.records import Records

_HISTORY = "chat_history"
_REMEMBERED = 1000


def register(app: typer.Typer) -> None:
    app.command()(chat)


def chat(
    mode: ModeName = "full",
    kb: Kb = None,
    sparql: ShowSparql = False,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume", metavar="ID", help="Go on with a dialogue that was kept; 'last' = the last."
        ),
    ] = None,
    records: RecordsFile = None,
    no_records: Annotated[bool, typer.Option("--no-records", help="Keep nothing.")] = False,
) -> None:
    """Questions, each answered step by step and corrected until it is right.

    Say what is wrong in your own words; 'help' lists commands. Ctrl-D ends it. From a pipe each line is
    one utterance.
    """
    from kbqa.cli.session import Session
    from kbqa.cli.show import console
    from kbqa.engine import Engine

    if no_records and resume is not None:
        raise InputError("--resume needs the records; leave --no-records out")
    out = console()
    at_terminal = sys.stdin.isatty()
    with ExitStack() as stack:
        engine = stack.enter_context(closing(Engine.open(kb)))
        kept = None if no_records else _opened(records, engine, needed=bool(records or resume))
        if kept is not None:
            stack.enter_context(kept)
        session = Session(engine, mode_named(mode), out, kept, sparql=sparql)
        session.begin(resume)
        try:
            for line in _typed(session, kept) if at_terminal else _piped(session):
                if not session.hear(line):
                    break
        except KeyboardInterrupt:
            out.print()
        session.end()


def _opened(path: Path | None, engine: Engine, *, needed: bool) -> Records | None:
    """None, and a word about it, where the usual file can't be opened and nobody has asked for one."""
    from kbqa.cli.app import report
    from kbqa.records import Records

    try:
        return Records(path, signature=engine.signature)
    except RecordsError as e:
        if needed:
            raise
        report(e)
        return None


def _piped(session: Session) -> Iterator[str]:
    """Lines of standard input, each repeated before its reply, so that the output can be read alone."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        if line.strip():
            session.repeat(line.strip())
            yield line


def _typed(session: Session, records: Records | None) -> Iterator[str]:
    """What is typed, with arrow keys and the lines of earlier chats."""
    with _history(None if records is None else records.path.with_name(_HISTORY)):
        while True:
            try:
                yield input(session.prompt)
            except EOFError:
                print()
                return


@contextmanager
def _history(file: Path | None) -> Iterator[None]:
    """Lines that were typed before; kept where the dialogues are, if they are."""
    import readline

    if file is None:
        yield
        return
    with suppress(OSError):
        readline.read_history_file(file)
    readline.set_history_length(_REMEMBERED)
    try:
        yield
    finally:
        with suppress(OSError):
            readline.write_history_file(file)
            file.chmod(0o600)
