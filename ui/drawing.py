"""A query as SVG: its steps from top to bottom, each with what it starts from and what was found.

    drawing = draw(nodes(version, lexicon, names))
    drawing.svg, drawing.alt

On a screen names stand beside the steps, on a phone (`NARROW`) in them. Lengths are pixels. Text is
measured by guess: the browser's font is not known here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from graph import Input, Node, in_words

from kbqa.answers import clean


@dataclass(frozen=True, slots=True)
class Frame:
    """Where things stand: the boxes of the steps at `box_x`, `box` wide; names `beside` or in them."""

    width: int
    box_x: int
    box: int
    beside: bool

    def box_height(self, node: Node) -> int:
        return _BOX_H if self.beside else _BOX_H + len(node.named) * _INSIDE

    def height(self, node: Node) -> int:
        return max(_BOX_H, len(node.named) * _ROW) if self.beside else self.box_height(node)


WIDE, NARROW = Frame(620, 318, 272, True), Frame(300, 1, 274, False)
_LEFT = 190
"""The width of names that stand beside."""
_BOX_H, _PILL_H, _ROW, _INSIDE, _GAP, _TOP = 54, 30, 44, 34, 38, 8
_ROUND = 22
"""How far the line of a reference that skips steps swings out to the right."""


_LIGHT = {
    "ink": "#1f2937",
    "muted": "#5b6472",
    "line": "#8a94a3",
    "box": "#ffffff",
    "pill": "#eef2f7",
    "accent": "#1f5fbf",
    "final": "#e8eef8",
}
_DARK = {
    "ink": "#f3f4f6",
    "muted": "#b6bdc8",
    "line": "#7d8794",
    "box": "#1b2029",
    "pill": "#2a313c",
    "accent": "#7fb0ff",
    "final": "#1e2b40",
}
"""Colours on a light and on a dark page; in an image `prefers-color-scheme` is that of the page around it."""
_STYLE = (
    "text{fill:var(--ink)}.muted{fill:var(--muted)}rect,.line{stroke:var(--line)}.line{fill:none;stroke-width:1.5}"
    "#tip path{fill:var(--line)}.box{fill:var(--box)}.pill{fill:var(--pill)}"
    ".final{fill:var(--final);stroke:var(--accent);stroke-width:2}"
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """`svg`: a whole document; `alt`: the same in words."""

    svg: str
    alt: str
    width: int
    height: int


def draw(drawn: Sequence[Node], frame: Frame = WIDE) -> Drawing:
    """At least one step."""
    tops = _tops(drawn, frame)
    height = tops[-1] + frame.height(drawn[-1]) + _TOP
    parts: list[str] = []
    for node, top in zip(drawn, tops, strict=True):
        parts += _lines(node, drawn, tops, frame)
        parts += _box(node, top, frame, final=node is drawn[-1])
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{frame.width}" height="{height}" '
        f'viewBox="0 0 {frame.width} {height}" font-family="system-ui, sans-serif">'
        f"<style>{_colours()}{_STYLE}</style>"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>'
        f"{''.join(parts)}</svg>"
    )
    return Drawing(svg, in_words(drawn), frame.width, height)


def _colours() -> str:
    light, dark = (
        "svg{" + "".join(f"--{name}:{colour};" for name, colour in colours.items()) + "}"
        for colours in (_LIGHT, _DARK)
    )
    return f"{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _tops(drawn: Sequence[Node], frame: Frame) -> list[int]:
    tops, y = [], _TOP
    for node in drawn:
        tops.append(y)
        y += frame.height(node) + _GAP
    return tops


# --- a step ----------------------------------------------------------------------


def _box(node: Node, top: int, frame: Frame, *, final: bool) -> Iterator[str]:
    """What doesn't fit is cut off at its edge."""
    high = frame.box_height(node)
    y = top + (frame.height(node) - high) // 2
    kind = "final" if final else "box"
    yield f'<rect class="{kind}" x="{frame.box_x}" y="{y}" width="{frame.box}" height="{high}" rx="8"/>'
    yield f'<svg x="{frame.box_x}" y="{y}" width="{frame.box - 8}" height="{high}">'
    yield _text(14, 21, f"{node.number} · {cut(node.title, 28)}", 13, muted=True)
    if not frame.beside:
        for row, taken in enumerate(node.named):
            yield from _inside(taken, 30 + row * _INSIDE)
    yield _text(14, high - 12, cut(node.found, 23), 14, bold=True)
    yield "</svg>"


def _inside(taken: Input, y: int) -> Iterator[str]:
    """A name in a step's box, and in words how the line would lead."""
    name = cut(str(taken.source), 16)
    wide = round(measure(name) * 8.4) + 24
    yield f'<rect class="pill" x="14" y="{y}" width="{wide}" height="26" rx="13"/>'
    yield _text(14 + wide // 2, y + 18, name, 14, middle=True)
    signs = ("←" if taken.to_source else "") + ("→" if taken.to_step else "")
    label = cut(f"{signs} {taken.label}" if taken.label else "", (236 - wide) / 7)
    yield _text(22 + wide, y + 18, label, 12, muted=True)


# --- what it takes ------------------------------------------------------------------


def _lines(node: Node, drawn: Sequence[Node], tops: Sequence[int], frame: Frame) -> Iterator[str]:
    top = tops[node.number - 1]
    middle = top + frame.height(node) // 2
    first = middle - (len(node.named) - 1) * _ROW // 2
    if frame.beside:
        for row, taken in enumerate(node.named):
            yield from _beside(taken, first + row * _ROW, middle, frame)
    for taken in node.inputs:
        if isinstance(taken.source, int):
            yield from _from_step(taken, taken.source, node, drawn, tops, frame)


def _from_step(
    taken: Input, source: int, node: Node, drawn: Sequence[Node], tops: Sequence[int], frame: Frame
) -> Iterator[str]:
    """Straight down from the step before, round the right edge from an earlier one."""
    above, top = drawn[source - 1], tops[node.number - 1]
    bottom = tops[source - 1] + (frame.height(above) + frame.box_height(above)) // 2
    box_top = top + (frame.height(node) - frame.box_height(node)) // 2
    if source == node.number - 1:
        x = frame.box_x + 40
        yield _arrow(f"M{x} {bottom}V{box_top}", taken)
        yield _text(x + 12, (bottom + box_top) // 2 + 4, cut(taken.label, 30), 12, muted=True)
        return
    right, start = frame.box_x + frame.box, tops[source - 1] + frame.height(above) // 2
    end = top + frame.height(node) // 2
    yield _arrow(
        f"M{right} {start}c{_ROUND} 0 {_ROUND} 24 {_ROUND} 24V{end - 24}c0 24 {-_ROUND} 24 {-_ROUND} 24",
        taken,
    )
    yield _text(right - 8, box_top - 8, cut(taken.label, 24), 12, muted=True, end=True)


def _beside(taken: Input, y: int, target: int, frame: Frame) -> Iterator[str]:
    """A name to the left of the step, with its line."""
    top, round_ = y - _PILL_H // 2, _PILL_H // 2
    yield f'<rect class="pill" x="2" y="{top}" width="{_LEFT}" height="{_PILL_H}" rx="{round_}"/>'
    yield _text(2 + _LEFT // 2, y + 5, cut(str(taken.source), 20), 14, middle=True)
    bend = f"H{frame.box_x - 24}L{frame.box_x} {target}" if y != target else f"H{frame.box_x}"
    yield _arrow(f"M{_LEFT + 2} {y}{bend}", taken)
    for row, words in enumerate(_two_lines(taken.label)):
        yield _text(_LEFT + 12, y - 6 + row * 19, words, 12, muted=True)


def _arrow(path: str, taken: Input) -> str:
    heads = (' marker-start="url(#tip)"' if taken.to_source else "") + (
        ' marker-end="url(#tip)"' if taken.to_step else ""
    )
    return f'<path class="line" d="{path}"{heads}/>'


# --- text ------------------------------------------------------------------------


def _text(
    x: int, y: int, words: str, size: int, *, muted: bool = False, bold: bool = False, middle: bool = False,
    end: bool = False,
) -> str:  # fmt: skip
    """Its direction stays its own: it stands between marks that isolate it. No words, no text."""
    if not words:
        return ""
    anchor = ' text-anchor="middle"' if middle else ' text-anchor="end"' if end else ""
    weight = ' font-weight="600"' if bold else ""
    kind = ' class="muted"' if muted else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}"{kind}{weight}{anchor}>'
        f"\u2068{escape(clean(words))}\u2069</text>"
    )


def _two_lines(label: str) -> list[str]:
    """A label over and under its line."""
    room = 18
    if measure(label) <= room:
        return [label] if label else []
    head = ""
    words = label.split()
    while words and measure(f"{head} {words[0]}".strip()) <= room:
        head = f"{head} {words.pop(0)}".strip()
    return [head, cut(" ".join(words), room)] if head else [cut(label, room)]


def measure(words: str) -> float:
    """About how many letters wide."""
    return sum(_letter(c) for c in words)


def _letter(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.8
    return 0.5 if char in "iljtfI.,:;'| ()[]" else 1.4 if char in "mwMW@%" else 1.0


def cut(words: str, room: float) -> str:
    """The words, with an ellipsis where they don't fit into `room` letters."""
    words = clean(words)
    if measure(words) <= room:
        return words
    used, kept = 1.0, ""
    for char in words:
        used += _letter(char)
        if used > room:
            break
        kept += char
    return kept.rstrip() + "…"
