"""What several test files share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from kbqa.engine import Engine

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def checkout() -> Path:
    return CHECKOUT


@pytest.fixture(scope="session")
def shipped() -> Iterator[Engine]:
    """The stub and the models that ship. Nothing of it is changed by asking."""
    from kbqa.engine import Engine

    with Engine.open() as opened:
        yield opened


@pytest.fixture(scope="session")
def data() -> Path:
    """The development data; tests that need it are skipped where it is not."""
    folder = Path(os.environ.get("KBQA_DATA") or CHECKOUT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no development data in {folder}; set KBQA_DATA to its folder")
    return folder


@pytest.fixture(scope="session")
def data_file(data: Path) -> Callable[[str], Path]:
    """`data_file('cwq/dev.jsonl.gz')`: its path, or a skip that names it."""

    def find(name: str) -> Path:
        path = data / name
        if not path.is_file():
            pytest.skip(f"no {name} in {data}; KBQA_DATA names another folder")
        return path

    return find
