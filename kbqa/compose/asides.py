"""What people say around a question: greetings, requests, where they think the answer lies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.protocols import Mention

_ASKING = r"(?:please )?(?:tell|show|give|list|name|find|help|say)(?: (?:me|us))?"
_BEFORE = (
    "hi", "hi there", "hey", "hey there", "hello", "hello there", "ok", "okay", "so", "well", "um+", "uh",
    "and", "also", "please", "pls", "just out of curiosity", "out of curiosity", "just curious",
    "just wondering", "quick question", "question", rf"(?:can|could|would|will) (?:you|u) {_ASKING}",
    "(?:do|would) you (?:happen to )?know", "i(?:'d| would) (?:like|love) to (?:know|see|find out)",
    "i (?:want|need|wish) to (?:know|see|find out)", "i(?:'m| am) (?:wondering|curious)", "i wonder(?:ed)?",
    "i was wondering", "(?:tell|show|give|get) (?:me|us)", "(?:any|some)body knows?", "remind me",
)  # fmt: skip
_AFTER = (
    "please", "pls", "plz", "thanks", "thank you", "cheers", "anyway", "then", "though", "again", "exactly",
    "actually", "(?:that )?(?:you|we) (?:know of|know about|have|hold|got|know)",
    "in (?:the|this|your|our) (?:world|data|list|graph|register)",
    "in (?:(?:the|this|your|our) )?(?:catalogue|catalog|database)",
    "in (?:the|this|your|our) (?:files?|dataset|data set|knowledge base|collection|records?)",
    "on record", "in all", "overall", "of all", "of all time", "at all", "in there", "on file",
)  # fmt: skip
_BEGINS = re.compile(rf"[\s,]*(?:{'|'.join(_BEFORE)})\b[\s,:]*", re.IGNORECASE)
_ENDS = re.compile(rf"[\s,]*\b(?:{'|'.join(_AFTER)})[\s?.!,]*\Z", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?=\S)[^.!?]*)*[.!?]*")
_LEAST = 3
"""Letters of a question."""


def core(question: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The question without what is said around it, and the mentions in it. Where it has several sentences,
    one of which asks, that one, unless another names something."""
    start, end = _sentence(question, mentions)
    while (m := _BEGINS.match(question, start, end)) and not _touched(start, m.end(), mentions):
        start = m.end()
    while (m := _ENDS.search(question, start, end)) and not _touched(m.start(), end, mentions):
        end = m.start()
    if end - start < _LEAST:
        return question, tuple(mentions)
    inside = [m for m in mentions if start <= m.start and m.end <= end]
    return question[start:end], tuple(replace(m, start=m.start - start, end=m.end - start) for m in inside)


def _sentence(question: str, mentions: Sequence[Mention]) -> tuple[int, int]:
    spans = [m.span() for m in _SENTENCE.finditer(question) if m[0].strip()]
    asking = [span for span in spans if question[slice(*span)].rstrip().endswith("?")]
    rest = [span for span in spans if span not in asking]
    if len(asking) != 1 or any(_touched(*span, mentions) for span in rest):
        return 0, len(question)
    return asking[0]


def _touched(start: int, end: int, mentions: Sequence[Mention]) -> bool:
    return any(m.start < end and start < m.end for m in mentions)
