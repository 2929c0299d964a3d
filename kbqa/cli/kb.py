"""`kbqa kb build`, `kbqa kb report` and `kbqa kb adapt`: from an RDF graph to something that can be asked."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from kbqa.cli.kb_adapt import adapt, adapted_line

app = typer.Typer(
    name="kb", help="Your own graph: build it, see how ready it is, adapt the parser.", no_args_is_help=True
)


def register(main: typer.Typer) -> None:
    app.command()(adapt)
    main.add_typer(app)


@app.command()
def build(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="RDF files (.ttl .nt .nq .trig .rdf .owl .jsonld, each also .gz), folders of them, or the "
            "URL of one SPARQL endpoint.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="DIR", help="The folder to build; one that was built before is renewed."
        ),
    ],
    languages: Annotated[
        str,
        typer.Option(
            "--languages",
            metavar="L,...",
            help="Languages of names, best first; names without a language tag come after them.",
        ),
    ] = "en",
    name: Annotated[str, typer.Option("--name", help="What the knowledge base is called.")] = "",
    pause: Annotated[
        float, typer.Option("--pause", min=0.0, help="Seconds between two queries to an endpoint.")
    ] = 0.1,
) -> None:
    """Build a knowledge base folder for --kb: store, names, wordings. Nothing half-written is left; what has
    not changed since the last build is not built again."""
    from kbqa.kb import build_endpoint, build_kb
    from kbqa.kb.meta import read_meta

    chosen = chosen_languages(languages)
    urls = [s for s in sources if s.startswith(("http://", "https://"))]
    if urls and len(sources) > 1:
        raise typer.BadParameter(f"an endpoint is built alone: {urls[0]} stands beside other sources")
    start, progress = time.monotonic(), Progress()
    if urls:
        local = urls[0].partition("://")[2].startswith(("127.", "localhost", "[::1]"))
        build_endpoint(
            urls[0],
            out,
            name=name,
            languages=chosen,
            replace=True,
            pause_s=0.0 if local else pause,
            progress=progress,
        )
    else:
        build_kb(sources, out, name=name, languages=chosen, replace=True, progress=progress)
    progress.done()
    meta = read_meta(out)
    seconds = time.monotonic() - start
    typer.echo(f"{out}: {meta.triples:,} triples, {meta.labels:,} names, {seconds:.1f} s")
    if meta.own:
        typer.echo(f"kbqa ask --kb {out} QUESTION asks it; kbqa kb report {out} says how ready it is")


def chosen_languages(text: str) -> tuple[str, ...]:
    """'de,en' -> ('de', 'en', '')."""
    found = [part.strip().lower().partition("-")[0] for part in text.split(",") if part.strip()]
    if not found or not all(part.isalpha() and len(part) <= 8 for part in found):
        raise typer.BadParameter(f"{text!r}: language tags such as en,de expected")
    return (*dict.fromkeys(found), "")


class Progress:
    """One line on stderr that is written over on a terminal; else a line for each thing that is done."""

    def __init__(self) -> None:
        self._last, self._told, self._tty = "", 0.0, sys.stderr.isatty()

    def __call__(self, what: str, done: int) -> None:
        if what == self._last and time.monotonic() - self._told < (0.2 if self._tty else 10.0):
            return
        new = what != self._last
        self._last, self._told = what, time.monotonic()
        text = f"{what}: {done:,}" if done else what
        if self._tty:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif new or done:
            print(text, file=sys.stderr, flush=True)

    def done(self) -> None:
        if self._tty and self._last:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `kbqa kb build` made.")],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="F", help="Write the report as a page instead.")
    ] = None,
) -> None:
    """How ready a graph is to be asked, what to mend first, and a score of 100."""
    from kbqa.errors import KnowledgeBaseError
    from kbqa.kb import open_kb
    from kbqa.kb.report import report as made
    from kbqa.kb.report_text import as_html, as_text

    if not folder.is_dir():
        raise KnowledgeBaseError(f"{folder} is no folder: expected one that `kbqa kb build` made")
    with open_kb(folder) as kb:
        found = made(kb)
    if html is None:
        typer.echo(as_text(found), nl=False)
        if line := adapted_line(folder):
            typer.echo(line)
        return
    try:
        html.write_text(as_html(found), encoding="utf-8")
    except OSError as error:
        raise KnowledgeBaseError(f"the report can't be written to {html}: {error}") from error
    typer.echo(f"{html}: {found.score:.0f} of 100")
