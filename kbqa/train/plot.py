"""A run's figures as a picture: metrics.jsonl -> metrics.svg, without a plotting library."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

_WIDTH, _HEIGHT, _EDGE = 520, 280, 44
_COLOURS = ("#1f6feb", "#b35900", "#1a7f37", "#8250df")


def plot(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], x: str = "step") -> str:
    """One line for each of `keys`, each to its own scale (its ends stand in the legend), over `x`."""
    most = max((float(r[x]) for r in rows), default=0.0) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="white"/>'
        f'<path d="M{_EDGE} {_EDGE}V{_HEIGHT - _EDGE}H{_WIDTH - 8}" fill="none" stroke="#888"/>'
        f'<text x="{_WIDTH - 8}" y="{_HEIGHT - 12}" text-anchor="end">{escape(x)} {most:g}</text>'
    ]
    for number, (key, colour) in enumerate(zip(keys, _COLOURS, strict=False)):
        points = [(float(r[x]), float(r[key])) for r in rows if key in r]
        if not points:
            continue
        values = [v for _, v in points]
        low, high = min(values), max(values)
        spread = (high - low) or 1.0
        where = " ".join(
            f"{_EDGE + (_WIDTH - _EDGE - 8) * a / most:.1f},"
            f"{_HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * (v - low) / spread:.1f}"
            for a, v in points
        )
        parts.append(f'<polyline points="{where}" fill="none" stroke="{colour}" stroke-width="2"/>')
        label = f"{key} {values[0]:.3g} to {values[-1]:.3g} (from {low:.3g} to {high:.3g})"
        parts.append(f'<text x="{_EDGE}" y="{14 * (number + 1)}" fill="{colour}">{escape(label)}</text>')
    return "".join([*parts, "</svg>\n"])


def write_plot(metrics: Path, keys: Sequence[str]) -> None:
    """`metrics.svg` beside the file of metrics."""
    rows = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    metrics.with_suffix(".svg").write_text(plot(rows, keys), encoding="utf-8")
