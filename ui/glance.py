"""What stands behind an answer, as HTML: the drawing, the bars, the SPARQL, the fixed wording."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence

from show import attribute, block, text

from kbqa.dialogue import SubQuestion
from kbqa.types import FREEBASE


def heading(number: int, words: str) -> str:
    return block(f"<p>{number}. {text(words)}</p>", "heading")


_NAMED = re.compile(rf'("(?:[^"\\]|\\.)*")|<{re.escape(FREEBASE)}([A-Za-z](?:[\w.]*\w)?)>', re.ASCII)


def sparql(query: str) -> str:
    """The same query for people: each line as deep as its braces, Freebase's names by their prefix."""
    short = _NAMED.sub(lambda found: found[1] or f"ns:{found[2]}", query)
    depth, lines = 0, []
    for line in short.splitlines():
        bare = line.strip()
        lines.append("  " * max(depth - bare.startswith("}"), 0) + bare)
        depth += bare.count("{") - bare.count("}")
    if short != query:
        lines.insert(0, f"PREFIX ns: <{FREEBASE}>")
    return "\n".join(lines)


def templates(subquestions: Sequence[SubQuestion]) -> str:
    """The fixed wording of each step."""
    items = "".join(f"<li>{text(step.template)}</li>" for step in subquestions)
    return block(f'<ol class="templates">{items}</ol>')


def picture(wide: str, narrow: str, alt: str) -> str:
    """A drawing as SVG for a screen and for a phone; of the two the one that fits is shown (page.css), in
    its own size."""
    images = "".join(
        f'<img class="{kind}" alt="{attribute(alt)}" src="data:image/svg+xml;base64,'
        f'{b64encode(svg.encode(errors="replace")).decode("ascii")}">'
        for kind, svg in (("on-screen", wide), ("on-phone", narrow))
    )
    return block(images, "drawing", 'role="region" tabindex="0" aria-label="Drawing of the query"')


def narrowing(subquestions: Sequence[SubQuestion]) -> str:
    """How many answers each step has, as bars: the longest is the step that has most."""
    most = max((s.answer_count for s in subquestions), default=0)
    bars = "".join(_bar(s, most) for s in subquestions)
    return block(f'<p class="note">Answers of each step</p><ol class="narrowing">{bars}</ol>')


def _bar(sub: SubQuestion, most: int) -> str:
    bar = f'<span class="bar" style="width: {_share(sub.answer_count, most)}%"></span>'
    track = f'<span class="track" aria-hidden="true">{bar}</span>'
    return f'<li><span class="count">{_count(sub)}</span>{track}</li>'


def _count(sub: SubQuestion) -> str:
    least = "at least " if sub.outcome == "cut" else ""
    return f"{least}{sub.answer_count:,} answer{'' if sub.answer_count == 1 else 's'}"


def _share(count: int, most: int) -> int:
    """Per cent of the width, by the root, so that one of a thousand can still be seen."""
    return round(100 * (count / most) ** 0.5) if most else 0
