"""Tables of the report as HTML, and how a figure stands in a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any


def table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", texts: int = 1) -> str:
    """`texts`: how many of the first columns hold text."""

    def line(cells: Sequence[str], tag: str) -> str:
        opened = [f'<{tag} class="text">' if k < texts else f"<{tag}>" for k in range(len(cells))]
        return "".join(f"{o}{escape(c)}</{tag}>" for o, c in zip(opened, cells, strict=True))

    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    top = f"<thead><tr>{line(head, 'th')}</tr></thead>"
    return f'<div class="wide"><table>{said}{top}<tbody>{body}</tbody></table></div>'


def percent(e: Mapping[str, Any]) -> str:
    if e["value"] is None:
        return "-"
    return f"{100 * e['value']:.1f} ({100 * e['low']:.1f} to {100 * e['high']:.1f})"


def plain(e: Mapping[str, Any]) -> str:
    return "-" if e["value"] is None else f"{e['value']:.2f} ({e['low']:.2f} to {e['high']:.2f})"
