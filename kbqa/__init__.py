"""Ask a knowledge base in English, see how the question was understood, correct it in English.

    engine = kbqa.Engine.open()
    dialogue = engine.ask("What is the capital of Egypt?", kbqa.MODES["full"])

Names are loaded when they are first used: `import kbqa` reads no file and imports no torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kbqa.dialogue import MODES, Dialogue, Mode
    from kbqa.engine import Engine
    from kbqa.errors import InputError, KbqaError, ModelError, StoreError

    __version__: str

__all__ = [
    "MODES",
    "Dialogue",
    "Engine",
    "InputError",
    "KbqaError",
    "Mode",
    "ModelError",
    "StoreError",
    "__version__",
]

_HOMES = {
    "MODES": "kbqa.dialogue",
    "Dialogue": "kbqa.dialogue",
    "Engine": "kbqa.engine",
    "InputError": "kbqa.errors",
    "KbqaError": "kbqa.errors",
    "Mode": "kbqa.dialogue",
    "ModelError": "kbqa.errors",
    "StoreError": "kbqa.errors",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("kbqa")
        except PackageNotFoundError:  # run from a folder that was never installed
            return "0+unknown"
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'kbqa' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
