"""What the commands of `kbqa study` share: the study file's register, knowledge base and engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kbqa.engine import Engine
    from kbqa.study.config import Study
    from kbqa.study.register import Register

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="The study file (TOML).")]


def study_of(file: Path) -> Study:
    from kbqa.study.config import read_study

    return read_study(file)


@contextmanager
def made(file: Path) -> Iterator[Register]:
    """The register of the study, which is made where it is not there."""
    from kbqa.study.create import create
    from kbqa.study.items import read_items

    study = study_of(file)
    with create(study, read_items(study.items, study.limit)) as held:
        yield held


def kb_of(study: Study, file: Path) -> str | None:
    """The study's knowledge base; a file is named relative to the study file."""
    beside = file.resolve().parent / (study.kb or "")
    return str(beside) if study.kb and beside.exists() else study.kb


@contextmanager
def engine_of(study: Study, file: Path) -> Iterator[Engine]:
    from kbqa.engine import Engine

    with Engine.open(kb_of(study, file)) as engine:
        yield engine


def number_of(held: Register, table: str) -> int:
    row = held.tables.row(f"SELECT count(*) AS n FROM {table}")
    return int(row["n"]) if row else 0
