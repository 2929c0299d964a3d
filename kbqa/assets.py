"""Where the chat page and the shipped checkpoints lie: in the wheel, or beside the library in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Literal as Choice

from kbqa.errors import KbqaError


def assets(name: Choice["ui", "models"]) -> Path:
    """The folder `ui` or `models`. Raises `KbqaError` naming the places that were looked at."""
    package = Path(__file__).resolve().parent
    places = (package.parent / name, package / "_assets" / name)
    in_checkout, in_wheel = places
    if in_wheel.is_dir():
        return in_wheel
    if in_checkout.is_dir() and (package.parent / "pyproject.toml").is_file():
        return in_checkout
    looked = " and ".join(map(str, places))
    raise KbqaError(f"no folder {name!r} with this installation (looked at {looked}); install kbqa again")


def ui() -> Path:
    """The folder of the chat page (`app.py`)."""
    return assets("ui")


def models() -> Path:
    """The folder of the shipped checkpoints."""
    return assets("models")
