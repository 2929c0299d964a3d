"""`kbqa serve`: the HTTP interface."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from typing import Annotated

import typer

from kbqa.cli.options import Kb, RecordsFile

_GRACE_S = 30


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0: any free one.")] = 8000,
    kb: Kb = None,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar="KBQA_TOKEN",
            metavar="TOKEN",
            help="What requests must bear (Authorization: Bearer TOKEN). Needed where --host is not this "
            "machine only. Better in the environment, where other users don't see it.",
        ),
    ] = None,
    records: RecordsFile = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option(
            "--dataset",
            metavar="IRI",
            help="A dataset of TEXT2SPARQL's convention that this knowledge base is; may be given more than "
            "once. Without it every dataset is taken for this one.",
        ),
    ] = None,
) -> None:
    """The HTTP interface, described at /docs. Logs are JSON lines on stderr. Stops with Ctrl-C."""
    from kbqa.server.address import bound, checked_token

    checked_token(host, token)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that what is open is closed
    with bound(host, port) as listening:
        import uvicorn

        from kbqa.engine import Engine
        from kbqa.records import Records
        from kbqa.server import make_app
        from kbqa.server.connections import patient
        from kbqa.server.limits import Limits
        from kbqa.server.logs import log_config

        with Engine.open(kb) as engine, Records(records, signature=engine.signature) as kept:
            engine.warm()
            limits = Limits()
            app = make_app(engine, kept, limits=limits, token=token, datasets=dataset or ())
            config = uvicorn.Config(
                app,
                log_config=log_config(),
                access_log=False,
                server_header=False,
                ws="none",
                http=patient(limits),
                timeout_graceful_shutdown=_GRACE_S,
            )
            with suppress(KeyboardInterrupt):
                uvicorn.Server(config).run(sockets=[listening])
