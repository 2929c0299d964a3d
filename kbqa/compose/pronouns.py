"""Words that stand for what was named before, put back: 'Dune: who wrote it?' is 'who wrote Dune?'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.protocols import Mention

_WORDS = "what|which|who|whose|when|where|how|is|are|was|were|does|do|did|has|have|on which|in which|at which"
_ASKING = re.compile(
    r"(?P<topic>.*[^\s:.!;,])\s*(?P<break>[:.!;]|,(?: so| and| but)?| -)\s+"
    rf"(?P<asked>(?P<link>so |and |but )?(?:{_WORDS})\b[^.!;:]*\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""What is told first, and what is asked then."""
_ASKS = re.compile(r"\s*(?:what|which|who|whose|when|where|how|is|are|does|do|did|in|on|at)\b", re.IGNORECASE)
_ITS = re.compile(r"\b(?:its|his|their|her(?= \w))\b", re.IGNORECASE)
_THERE = re.compile(r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere\b", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|him|her|he|she|they|them)\b", re.IGNORECASE)


def resolved(question: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The question with the one name that stands before it in the place of a pronoun, or all before a colon
    where a name is part of that ('The author of Dune: how old is she?'); as it was where the question names
    something itself, or more than one thing was named. Common words that are found as names are none."""
    m = _ASKING.match(question)
    if m is None or _ASKS.match(question):
        return question, tuple(mentions)
    told = [n for n in mentions if n.end <= m.end("topic")]
    named = [n for n in told if not question[n.start : n.end].islower()] or told
    asked = [n for n in mentions if n.start >= m.start("asked")]
    if len(named) != 1 or any(not question[n.start : n.end].islower() for n in asked):
        return question, tuple(mentions)
    (one,) = named
    start, end = m.span("topic") if m["break"] == ":" else (one.start, one.end)
    for pronoun, before, after in ((_ITS, "", "'s"), (_THERE, "in ", ""), (_IT, "", "")):
        found = pronoun.search(question, m.start("asked"))
        if found is None:
            continue
        first = m.start("asked") + len(m["link"] or "")
        head = f"{question[first : found.start()]}{before}"
        said = f"{head}{question[start:end]}{after}"
        moved = [
            *(_moved(n, -first) for n in asked if first <= n.start and n.end <= found.start()),
            _moved(one, len(head) - start),
            *(_moved(n, len(said) - found.end()) for n in asked if n.start >= found.end()),
        ]
        return said + question[found.end() :], tuple(moved)
    return question, tuple(mentions)


def _moved(mention: Mention, by: int) -> Mention:
    return replace(mention, start=mention.start + by, end=mention.end + by)
