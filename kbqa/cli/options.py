"""Options that several commands share, and their checks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kbqa.dialogue import MODES, Mode

_modes = " ".join(f"{m.name} ({m.explanation.rstrip('.')})." for m in MODES.values())


def _known_mode(name: str) -> str:
    if name not in MODES:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(MODES)}")
    return name


def mode_named(name: str) -> Mode:
    return MODES[name]


ModeName = Annotated[str, typer.Option("--mode", metavar="MODE", callback=_known_mode, help=_modes)]
Kb = Annotated[
    str | None,
    typer.Option(
        "--kb",
        metavar="KB",
        show_default="the stub that comes with kbqa",
        help="The knowledge base: a built KB folder, an RDF file, or the URL of a SPARQL endpoint.",
    ),
]
Input = Annotated[
    str,
    typer.Option(
        "--input",
        "-i",
        metavar="F",
        help="JSON lines; - = standard input; .gz is read as such.",
    ),
]
Output = Annotated[
    str,
    typer.Option("--output", "-o", metavar="F", help="JSON lines in the same order; - = standard output."),
]
RecordsFile = Annotated[
    Path | None,
    typer.Option(
        "--records",
        metavar="FILE",
        help="Where dialogues are kept.",
        show_default="dialogues.sqlite in $KBQA_RECORDS, else in ~/.local/share/kbqa",
    ),
]
