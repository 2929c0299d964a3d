"""Line charts as inline SVG: no script, no font, nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT = 460, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 12, 36
_DASHES = ("", "6 3", "2 3", "8 3 2 3")
Point = tuple[float, float, float, float]
"""x, value, low, high; values 0 to 1."""


def line_chart(title: str, x_title: str, series: Mapping[str, Sequence[Point]]) -> str:
    """Shares (0 to 100 %) over a count, with their intervals as bands. Series are told apart by
    colour, dash and label."""
    points = [p for line in series.values() for p in line]
    if not points:
        return ""
    most = max((p[0] for p in points), default=0) or 1

    def x(value: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * value / most

    def y(share: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)

    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}" class="chart">',
        f"<title>{escape(title)}</title>",
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        height = f"{y(share):.1f}"
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{height}" y2="{height}"/>'
            f'<text x="{_LEFT - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{100 * share:.0f} %</text>'
        )
    for value in sorted({p[0] for p in points}):
        parts.append(
            f'<text x="{x(value):.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{value:g}</text>'
        )
    parts.append(
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 4}" text-anchor="middle">'
        f"{escape(x_title)}</text>"
    )
    for k, line in enumerate(series.values()):
        parts.extend(_line(k, [(x(a), y(v), y(low), y(high)) for a, v, low, high in line]))
    parts.append("</svg>")
    return "".join(parts) + legend(list(series))


def _line(k: int, line: Sequence[Point]) -> list[str]:
    band = [f"{a:.1f},{low:.1f}" for a, _, low, _ in line]
    band += [f"{a:.1f},{high:.1f}" for a, _, _, high in reversed(line)]
    path = " ".join(f"{a:.1f},{v:.1f}" for a, v, _, _ in line)
    dots = "".join(f'<circle class="s{k}" cx="{a:.1f}" cy="{v:.1f}" r="3"/>' for a, v, _, _ in line)
    return [
        f'<polygon class="s{k} band" points="{" ".join(band)}"/>',
        f'<polyline class="s{k}" stroke-dasharray="{_DASHES[k % len(_DASHES)]}" points="{path}"/>{dots}',
    ]


def legend(names: Sequence[str]) -> str:
    keys = "".join(f'<span><i class="key k{k}"></i>{escape(name)}</span>' for k, name in enumerate(names))
    return f'<p class="legend">{keys}</p>'


def bar_chart(title: str, rows: Sequence[Mapping[str, int]], parts: Sequence[tuple[str, str]]) -> str:
    """For each number of edits a bar of the dialogues that used so many, and beside it those that
    succeeded. `parts`: (key, label), the largest first."""
    most = max((row[parts[0][0]] for row in rows), default=0) or 1
    width = (_WIDTH - _LEFT - _RIGHT) / max(1, len(rows))
    height, thin = _HEIGHT - _TOP - _BOTTOM, 0.8 / len(parts)
    out = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}" class="chart">',
        f"<title>{escape(title)}</title>",
    ]
    for i, row in enumerate(rows):
        start = _LEFT + i * width
        for k, (key, _) in enumerate(parts):
            part = height * row[key] / most
            out.append(
                f'<rect class="s{k} bar" x="{start + width * (0.1 + k * thin):.1f}" '
                f'y="{_TOP + height - part:.1f}" width="{width * thin:.1f}" height="{part:.1f}"/>'
            )
        top = _TOP + height - height * row[parts[0][0]] / most
        place = f'x="{start + width / 2:.1f}" text-anchor="middle"'
        out.append(
            f'<text {place} y="{max(top - 3, 10):.1f}">{row[parts[0][0]]}</text>'
            f'<text {place} y="{_HEIGHT - _BOTTOM + 16}">{row["edits"]}</text>'
        )
    out.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 4}" text-anchor="middle">edits used</text></svg>')
    return "".join(out) + legend([label for _, label in parts])


def difference_chart(title: str, rows: Sequence[tuple[str, float, float, float]]) -> str:
    """Differences (-1 to 1) with their intervals, one below the other, about a line at 0. Rows: label, value,
    low, high."""
    most = max((abs(v) for row in rows for v in row[1:]), default=0) or 0.01
    left, right, step = 210, 24, 24
    height = _TOP + step * len(rows) + _BOTTOM

    def x(value: float) -> float:
        return left + (_WIDTH - left - right) * (value + most) / (2 * most)

    out = [
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}" class="chart">',
        f"<title>{escape(title)}</title>",
    ]
    for edge in (-most, 0.0, most):
        at, said = f"{x(edge):.1f}", f"{100 * edge:+.0f}" if edge else "0"
        out.append(
            f'<line class="grid" x1="{at}" x2="{at}" y1="{_TOP}" y2="{height - _BOTTOM}"/>'
            f'<text x="{at}" y="{height - _BOTTOM + 16}" text-anchor="middle">{said}</text>'
        )
    for k, (label, value, low, high) in enumerate(rows):
        y = _TOP + step * (k + 0.5)
        out.append(
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>'
            f'<line class="s0" stroke-width="2" x1="{x(low):.1f}" x2="{x(high):.1f}" '
            f'y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<circle class="s0" cx="{x(value):.1f}" cy="{y:.1f}" r="4"/>'
        )
    out.append(f'<text x="{x(0.0):.1f}" y="{height - 4}" text-anchor="middle">points</text></svg>')
    return "".join(out)
