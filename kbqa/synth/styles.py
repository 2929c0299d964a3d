"""The same question as other people would put it: in few words, or in many.

Texts hold names and values as private characters (`kbqa.synth.recipes`), so that nothing here touches
them. All frames are this project's own words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_ASKING = re.compile(
    r"(?:(?:what|who|which)(?: (?:is|are|was|were)|'s)|name|tell me|give me|list|find)"
    r" (?:all )?(?:the |a |an )?",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:what|which) (?=[a-z])", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:the|a|an) (?=[a-z])")
_SHORTER = (
    (re.compile(r"\b(?:that|which) (?:has|have) (?:the |a |an )?"), "with "),
    (re.compile(r"\b(?:that|which|who) (?:is|are|was|were) (?=in |from |by |\w+ed )"), ""),
    (re.compile(r"\b(?:that|which) borders?\b"), "bordering"),
    (re.compile(r"\b(?:that|which) contains?\b"), "containing"),
    (re.compile(r"\b(?:that|which|who) (?:stars|starred)\b"), "starring"),
    (re.compile(r"\b(?:that|which|who) (?:speaks?)\b"), "speaking"),
    (re.compile(r"\bwhere you can find\b"), "with"),
)
_OF = re.compile(r"([a-z]+(?: [a-z]+)?) of ([\ue000-\ue7ff])\Z")

_BEFORE = (
    "I was wondering, {}", "do you know {}", "can you tell me {}", "could you tell me {}", "any idea {}",
    "I'd love to know {}", "I would like to know {}", "help me out here: {}", "quick question, {}",
    "for a quiz tonight: {}", "I can't remember {}", "I forgot {}", "my daughter asked me {}", "hi! {}",
    "hello, {}", "please tell me {}", "I need to find out {}", "I keep asking myself {}", "so, {}",
    "ok, {}", "one more: {}", "we were arguing about this at dinner: {}", "I'm curious {}",
    "this is for my homework: {}", "I'm trying to work out {}", "I have always wanted to know {}",
    "somebody asked me today {}", "remind me, {}",
)  # fmt: skip
_AFTER = (
    "{} I can't remember.", "{} Any idea?", "{} Thanks!", "{} Do you know?", "{} Please.", "{} I forgot.",
    "{} I should know this.", "{} It's on the tip of my tongue.", "{} Somebody must know.",
    "{} Just curious.",
)  # fmt: skip
_LED = re.compile(r"(?:in|on|at|for|of|by|from|with|to) ", re.IGNORECASE)
_STATED = re.compile(r"(what|who) (is|was|are|were) (the .*)\?\Z", re.IGNORECASE)
_KNOWN = ("I'd like to know {} {} {}.", "tell me {} {} {}", "do you know {} {} {}?", "I wonder {} {} {}")

_AUXILIARY = frozenset("is are was were did does do has have had can will would".split())
_OPENED = (
    "There is {a} that {said}. {then}", "There's this {noun} that {said}. {then}",
    "I read about {a} that {said}. {then}", "You know the {noun} that {said}? {then}",
    "I'm thinking of the {noun} that {said}. {then}", "Take the {noun} that {said}. {then}",
    "I know which {noun} {said}, but {later}", "I saw something about the {noun} that {said}. {then}",
    "A friend told me about {a} that {said}. {then}",
)  # fmt: skip
_BOTH = (
    "I'm looking for {a} that {said} and also {more}.", "I'm after the {noun} that {said} and {more}.",
    "There must be {a} that {said} and that {more}. Which one?",
    "Is there {a} that {said} and that {more}? Which?", "{Noun} that {said} and {more}?",
)  # fmt: skip
_KEPT = re.compile(r"(?:of these, which (?:is the [a-z ]+? (?:that|who|which) |is one that )?"
                   r"|which of these )(?P<said>[a-z].*)\?\Z", re.IGNORECASE)  # fmt: skip
_SEVERAL = {"does": "do", "is": "are", "was": "were", "has": "have"}
_PEOPLE = frozenset(
    "person actor director writer author artist musician player leader politician man woman".split()
)


def restyled(text: str, subs: Sequence[Sequence[str]], noun: str, rng: random.Random) -> str:
    """The question in another style: terse, framed, or told in two sentences made of the wordings of
    its two sub-questions (where it has just two); `noun`: what the first one asks for."""
    roll = rng.random()
    if roll < 0.45 and not _LED.match(text):
        return terse(text, rng)
    if roll < 0.8 and len(subs) == 2:
        told = in_two(rng.choice(subs[0]), rng.choice(subs[1]), noun, rng)
        if told:
            return told
    return framed(text, rng)


def terse(text: str, rng: random.Random) -> str:
    """'capital of country with X': as typed into a search box."""
    out = text.strip().rstrip("?.").strip()
    found = _ASKING.match(out)
    out = out[found.end() :] if found else _BARE.sub("", out, count=1)
    for pattern, short in _SHORTER:
        if rng.random() < 0.6:
            out = pattern.sub(short, out)
    if rng.random() < 0.85:
        out = _ARTICLE.sub("", out)
    if rng.random() < 0.5:
        out = _OF.sub(r"\2 \1", out)
    return out.lower() if rng.random() < 0.8 else out


def framed(text: str, rng: random.Random) -> str:
    """With what people say before and after a question."""
    stated = _STATED.match(text)
    if stated and rng.random() < 0.4:
        asked = rng.choice(_KNOWN).format(stated[1].lower(), stated[3], stated[2])
    elif rng.random() < 0.75:
        asked = rng.choice(_BEFORE).format(text[:1].lower() + text[1:])
    else:
        return rng.choice(_AFTER).format(text)
    return asked[:1].upper() + asked[1:]


def in_two(first: str, second: str, noun: str, rng: random.Random) -> str | None:
    """A first step told, the second asked: 'There's this team that ... . What city do they play in?'"""
    subject = re.match(
        rf"(?:who|(?:which|what) {re.escape(noun)}) (?P<said>[a-z].*)\?\Z", first, re.IGNORECASE
    )
    if subject is None or subject["said"].split()[0] in _AUXILIARY - {"is", "was", "has", "are", "were"}:
        return None
    said = subject["said"]
    if re.match(r"(?:is|was|are|were|has|have) (?:the )?[\ue000-\uefff]", said):
        return None
    a = ("an " if noun[:1].lower() in "aeiou" else "a ") + noun
    kept = _KEPT.match(second)
    if kept:
        frame = rng.choice(_BOTH)
        return frame.format(a=a, noun=noun, Noun=noun.capitalize(), said=said, more=kept["said"])
    that = re.compile(rf"\bthat ({re.escape(noun)}|[a-z]+)(?=[ ?'.,]|\Z)")
    if not that.search(second):
        return None
    then = _spoken_of(second, that, rng) if rng.random() < 0.7 else second
    return rng.choice(_OPENED).format(a=a, noun=noun, said=said, then=then, later=then[:1].lower() + then[1:])


def _spoken_of(question: str, that: re.Pattern[str], rng: random.Random) -> str:
    """'that team' as 'they', 'it', 'he' ..."""
    match = that.search(question)
    if match is None:
        return question
    person = match[1].split()[-1] in _PEOPLE
    rest = question[match.end() :]
    if rest.startswith("'s"):
        pronoun, rest = rng.choice(("his", "her", "their") if person else ("its", "their")), rest[2:]
    elif re.search(r"(?:\A|\b(?:did|does|do|is|was|has) )\Z", question[: match.start()], re.IGNORECASE):
        pronoun = rng.choice(("he", "she", "they") if person else ("it", "they"))
    else:
        pronoun = rng.choice(("him", "her", "them") if person else ("it", "them"))
    led = question[: match.start()]
    if pronoun == "they":
        led = re.sub(
            r"\b(does|is|was|has) \Z", lambda m: _SEVERAL[m[1].lower()] + " ", led, flags=re.IGNORECASE
        )
    out = led + pronoun + rest
    return out[:1].upper() + out[1:]
