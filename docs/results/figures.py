"""A run's figures without the texts of its questions, which belong to their data set.

python docs/results/figures.py RUN > docs/results/NAME.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TEXTS = ("worst", "failures", "why_not")


def figures(report: dict[str, Any]) -> dict[str, Any]:
    """A `report.json` without examples."""
    kept = {name: part for name, part in report.items() if name not in TEXTS}
    kept["errors"] = {
        kind: {when: counts for when, counts in found.items() if when != "examples"}
        for kind, found in report["errors"].items()
    }
    return kept


if __name__ == "__main__":
    found = figures(json.loads((Path(sys.argv[1]) / "report.json").read_text(encoding="utf-8")))
    print(json.dumps(found, indent=1))
