"""Where the crowd environment keeps what `make crowd` builds."""

from __future__ import annotations

import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
PARLAI, MEPHISTO = "1.7.2", "1.1.1"


def share(environment: Path | None = None) -> Path:
    """Of that environment; default: the one that runs this."""
    return Path(environment or sys.prefix) / "share" / "kbqa-crowd"


def page(environment: Path | None = None) -> Path:
    """A copy of `webapp`, with `build/bundle.js` and what Mephisto looks for beside it."""
    return share(environment) / "webapp"


def router(environment: Path | None = None) -> Path:
    """The changed copy of Mephisto's node router."""
    return share(environment) / "router"
