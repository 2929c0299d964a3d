"""What people say around a question: greetings, requests, where they think the answer lies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.parse.literals import find_values
from kbqa.protocols import Mention

_ASKING = r"(?:please )?(?:tell|show|give|list|name|find|help|say)(?: (?:me|us))?"
_SOMEBODY = r"(?:i|we|they|some(?:one|body)|(?:my|our|his|her|a|the) [a-z]+)"
_CLAIMING = (
    r"(?:says?|said|claims?|claimed|insists?|insisted|thinks?|thought|reckons?|believes?|swears?|swore|heard|"
    r"guess|assume|told me|suspects?)"
)
_OPENINGS = (
    "hi", "hi there", "hey", "hey there", "hello", "hello there", "hiya", "yo",
    "good (?:morning|afternoon|evening|day)", "excuse me", "ok", "okay", "so", "well", "um+", "uh", "hm+",
    "and", "also", "please", "pls", "just out of curiosity", "out of curiosity", "just curious",
    "just wondering", "(?:a )?quick (?:question|one)", "question",
    rf"(?:can|could|would|will) (?:you|u) {_ASKING}", "(?:do|would) you (?:happen to )?know",
    "i(?:'d| would) (?:like|love) to (?:know|see|find out)",
    "i (?:want|need|wish) to (?:know|see|find out)", "i(?:'m| am) (?:wondering|curious)", "i wonder(?:ed)?",
    "i was wondering", "(?:tell|show|give|get) (?:me|us)", "(?:any|some)(?:body|one) knows?", "remind me",
    "now", "right", "kindly", "(?:do )?(?:you|u) know", "i(?:'m| am) (?:after|looking for|interested in)",
    "(?:dear|my dear|love|mate|guys)(?=,)", "for (?:a|my) [a-z]+(?=,)", "i(?:'d| would) be glad to know",
    "(?:i(?:'m| am) )?not sure (?:whether|if)", "i (?:don't|do not) know (?:whether|if)",
    "i(?:'m| am) trying to (?:find out|work out|find|remember)", "by the way", "btw", "out of interest",
    "just checking", "let me know", "any idea",
)  # fmt: skip
_BEFORE = (
    *_OPENINGS,
    "what do (?:they|you|people|we) call", "what(?: is|'s|s) the name of",
    rf"{_SOMEBODY} {_CLAIMING}(?:,? that)?",
)  # fmt: skip
_AFTER = (
    "please", "pls", "plz", "thanks", "thank you", "thx", "ty", "cheers", "yes or no", "anyway", "then",
    "though",
    "again", "exactly", "actually", "(?:that )?(?:you|we) (?:know of|know about|have|hold|got|know)",
    "in (?:the|this|your|our) (?:world|data|list|graph|register)",
    "in (?:(?:the|this|your|our) )?(?:catalogue|catalog|database)",
    "in (?:the|this|your|our) (?:files?|dataset|data set|knowledge base|collection|records?)",
    "(?:do|would) you (?:happen to )?know", "(?<=, )(?:love|dear|mate|guys|right)", "or not", "really",
    "if (?:you|u) (?:know|can|could)", "if i may ask", "in (?:here|this one)", "nowadays", "these days",
    "according to (?:this|you)", "i wonder", "i was wondering", "by any chance", "roughly",
    "approximately", "more or less",
    "of (?:them|those|these) all", "on (?:earth|the planet)", "on record", "in all", "overall",
    "of all", "of all time", "at all", "in there", "on file", "(?<=, )because [^?]*",
)  # fmt: skip
_BEGINS = re.compile(rf"[\s,]*(?:{'|'.join(_BEFORE)})\b[\s,:]*", re.IGNORECASE)
_OPENS = re.compile(rf"[\s,]*(?:{'|'.join(_OPENINGS)})\b[\s,:!]*", re.IGNORECASE)
_LEADING_UP = re.compile(
    r"[\s,.;:]*\b(?:i(?:'d| would) (?:like|love) to know|i (?:want|need) to know|tell (?:me|us)|"
    r"i(?:'m| am| was) wondering|i wonder|do you know|"
    r"(?:so|and|but)(?=,? (?:which|what|who|how|do|does|is|are)\b))\b[\s,:]*",
    re.IGNORECASE,
)
"""What a longer story before the question ends with."""
_ENDS = re.compile(rf"[\s,]*\b(?:{'|'.join(_AFTER)})[\s?.!,]*\Z", re.IGNORECASE)
_TAG = re.compile(
    r"\s*[,.;:-]\s*"
    r"(?:(?:is|am|are|was|were) (?:he|she|it|that|this|they|i|we) (?:right|true|correct|so|wrong)|"
    r"(?:is|are|was|were|do|does|did|isn't|wasn't|aren't|doesn't|don't|didn't|hasn't) "
    r"(?:it|that|he|she|they)|"
    r"(?:is that )?(?:true|right|correct|true or false))\s*\?\s*\Z",
    re.IGNORECASE,
)
"""Asks whether it is so, after it was said."""
_THE_WHOLE = re.compile(
    r" (?:in|of|from|within) (?:the|this|your|our) (?:catalogue|catalog|database|classification|register|"
    r"directory|data ?set|data|knowledge (?:base|graph)|encyclopa?edia|gazetteer)"
    r"(?=\W*\Z|,| (?:has|have|had|is|are|was|were|do|does|did|with|that|which|by|and|there)\b)",
    re.IGNORECASE,
)
"""Says no more than that it is asked here."""
_INTRODUCING = re.compile(r"[^:?]*[a-z][^:?]*: +", re.IGNORECASE)
"""What stands before a question and names nothing: 'I always mix them up: ...'."""
_ABOUT_SOMEBODY = re.compile(
    r"(?=[^:?]*\b(?:i|i['’]?m|me|my|we|our|us)\b)(?![^:?]*\b(?:which|what|who|whose|where|when|how|one|these)\b)"
    r"[^:?]*: +",
    re.IGNORECASE,
)
"""The same, where no choice of what is named after it can be meant: 'for my quiz tomorrow: ...'."""
_ASKED_BEFORE = re.compile(r"\bhow (?:many|much|long|old|far|tall)\b", re.IGNORECASE)
"""'How many people do you know who ...' asks before what is left out."""
_TODAY = re.compile(
    r"\b(?:now|nowadays|today|these days|currently|at the moment|at present|as we speak)\b", re.IGNORECASE
)
_NAMES_OF = re.compile(r"\Athe names? of (?=the\s)", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?=\S)[^.!?]*)*[.!?]*")
_LIKELY = 0.75
"""A name that matches less is none, where it stands in what is said around a question."""
_LEAST = 3
"""Letters of a question."""


def core(question: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The question without what is said around it, and the mentions in it. Where it has several sentences,
    one of which asks, that one, unless another names something."""
    question, mentions = _without_the_whole(question, mentions)
    every, mentions = mentions, [m for m in mentions if m.candidates and m.candidates[0].score >= _LIKELY]
    tag = _TAG.search(question)
    if tag and not _touched(*tag.span(), mentions):
        question = f"{question[: tag.start()]}?"
    return _within(question, mentions, every, _INTRODUCING, _BEGINS)


def without_asides(question: str, mentions: Sequence[Mention]) -> str:
    """The question without greetings, requests, thanks and a story that names nothing, no date and no
    number. A name of which only a part is said, in a greeting, is none: 'yo' of Kim Yo-jong."""
    named = [m for m in mentions if any(c.exact for c in m.candidates) or not _OPENS.fullmatch(m.text)]
    plain = _within(question, named, named, _ABOUT_SOMEBODY, _OPENS)[0].strip()
    before, _, after = question.partition(plain)
    if len(find_values(plain)) < len(find_values(question)):
        return question
    if _ASKED_BEFORE.search(before) or _TODAY.search(after):
        return question
    return _NAMES_OF.sub("", plain)


def _within(
    question: str,
    mentions: Sequence[Mention],
    every: Sequence[Mention],
    introducing: re.Pattern[str],
    begins: re.Pattern[str],
) -> tuple[str, tuple[Mention, ...]]:
    """The question that the text asks among its sentences, without what stands around it, and those of
    `every` mention in it."""
    start, end = _sentence(question, mentions)
    m = introducing.match(question, start, end)
    if m and not _touched(*m.span(), mentions):
        start = m.end()
    m = _LEADING_UP.search(question, start, end)
    if m and not _touched(start, m.start(), mentions) and not _straddled(m.end(), mentions):
        start = m.end()
    while (m := begins.match(question, start, end)) and not _named(m, mentions):
        start = m.end()
    while (m := _ENDS.search(question, start, end)) and not _touched(m.start(), end, mentions):
        end = m.start()
    if end - start < _LEAST:
        return question, tuple(every)
    inside = [m for m in every if start <= m.start and m.end <= end]
    return question[start:end], tuple(replace(m, start=m.start - start, end=m.end - start) for m in inside)


def _without_the_whole(question: str, mentions: Sequence[Mention]) -> tuple[str, Sequence[Mention]]:
    m = _THE_WHOLE.search(question)
    if m is None or not m.start() or _touched(*m.span(), mentions):
        return question, mentions
    size = m.end() - m.start()
    moved = [
        replace(n, start=n.start - size, end=n.end - size) if n.start >= m.end() else n for n in mentions
    ]
    return question[: m.start()] + question[m.end() :], moved


def _sentence(question: str, mentions: Sequence[Mention]) -> tuple[int, int]:
    spans = [m.span() for m in _SENTENCE.finditer(question) if m[0].strip()]
    asking = [span for span in spans if question[slice(*span)].rstrip().endswith("?")]
    rest = [span for span in spans if span not in asking]
    if len(asking) != 1 or any(_touched(*span, mentions) for span in rest):
        return 0, len(question)
    return asking[0]


def _named(said: re.Match[str], mentions: Sequence[Mention]) -> bool:
    """Whether a name begins in the words; 'I'd' of 'I'd like to' is none."""
    if " " in said[0].strip():
        return _straddled(said.end(), mentions)
    return _touched(*said.span(), mentions)


def _straddled(place: int, mentions: Sequence[Mention]) -> bool:
    return any(m.start < place < m.end for m in mentions)


def _touched(start: int, end: int, mentions: Sequence[Mention]) -> bool:
    return any(m.meets(start, end) for m in mentions)
