"""Makes Mephisto 1.1.1 importable on Python 3.11, and keeps what it writes in one folder.

`prepare` comes before the first import of Mephisto: it reads its configuration while it is imported.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import warnings
from pathlib import Path
from typing import Any

_dataclass = dataclasses.dataclass


def prepare(data: Path) -> Path:
    """Mephisto's home, configuration and database then lie in `data`/mephisto; returns that folder."""
    home = data.resolve() / "mephisto"
    settings, kept = home / ".mephisto", home / "data"
    for folder in (settings, kept):
        folder.mkdir(parents=True, exist_ok=True)
    home.chmod(0o700)
    os.environ["HOME"] = str(home)
    file = settings / "config.yml"
    if not file.exists():
        file.write_text(f"core:\n  main_data_directory: {str(kept)!r}\n", encoding="utf-8")
    os.environ.setdefault("WANDB_DISABLED", "true")
    warnings.filterwarnings("ignore", message="pkg_resources is deprecated")
    dataclasses.dataclass = dataclass  # type: ignore[assignment]
    return home


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    """As `dataclasses.dataclass` until Python 3.10: a dataclass instance may be a default. Python 3.11
    refuses every default that can't be hashed; here each object gets its own copy of it."""
    if cls is None:
        return lambda it: dataclass(it, **options)
    for name in inspect.get_annotations(cls):
        default = cls.__dict__.get(name)
        if _is_unhashable_instance(default):
            setattr(cls, name, dataclasses.field(default_factory=_copier(default)))
        elif isinstance(default, dataclasses.Field) and _is_unhashable_instance(default.default):
            default.default_factory = _copier(default.default)
            default.default = dataclasses.MISSING
    return _dataclass(cls, **options)


def _is_unhashable_instance(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type) and type(value).__hash__ is None


def _copier(value: Any) -> Any:
    return lambda: dataclasses.replace(value)
