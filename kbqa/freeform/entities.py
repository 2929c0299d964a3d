"""Rules for names: another entity of that name, and whether what is wanted is a name at all."""

from __future__ import annotations

import re

from kbqa.feedback import Feedback, Link
from kbqa.freeform.heard import Heard
from kbqa.freeform.proposal import type_words
from kbqa.freeform.which import stems
from kbqa.protocols import Candidate, Mention

_NOT = re.compile(r"\bnot ([^,;]+?)(?= ?(?:[,;]|\bbut\b|$))", re.I)
_OTHER = re.compile(r"\b(?:wrong|other|another|different|not (?:that|this))\b", re.I)
_SAME_WORD = {"usa": "us", "u.s": "us", "american": "us", "america": "us", "british": "uk"}
_LITTLE = frozenset("the of a in not and".split())


def link(heard: Heard) -> Feedback | None:
    """'not Georgia the country, the US state', 'the other Georgia'"""
    text = heard.text.casefold()
    denied = " ".join(_NOT.findall(text))
    wanted = _NOT.sub(" ", text)
    for mention in _ambiguous(heard):
        current, *others = mention.candidates
        name = current.label.casefold()
        spoken = [n for n in (mention.text.casefold(), name) if re.search(rf"\b{re.escape(n)}\b", text)]
        if not spoken and not denied:
            continue
        score = {c.entity: _fits(wanted, c, name) - _fits(denied, c, name) for c in mention.candidates}
        best = max(others, key=lambda c: score[c.entity])
        if score[best.entity] > score[current.entity] or (spoken and _merely_other(text, spoken)):
            return Link(current.entity.value, best.entity.value)
    return None


def _ambiguous(heard: Heard) -> list[Mention]:
    return [m for step in heard.version.steps for m in step.mentions if len(m.candidates) > 1]


def _merely_other(text: str, names: list[str]) -> bool:
    """'wrong Georgia!!', with nothing that says which."""
    left = _OTHER.sub(" ", text)
    for name in names:
        left = left.replace(name, " ")
    return _OTHER.search(text) is not None and not stems(left)


def _fits(text: str, candidate: Candidate, name: str) -> int:
    """How many words say what kind of thing the candidate is, or what it is called beside `name`."""
    kinds = " ".join([candidate.label, candidate.matched, *type_words(candidate)])
    return len((_kind_words(text) & _kind_words(kinds)) - _kind_words(name))


def _kind_words(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+(?:\.[^\W_]+)*", text.casefold())
    return {_SAME_WORD.get(w, w) for w in words} - _LITTLE


def named_entity(heard: Heard, text: str) -> Candidate | str | None:
    """What is wanted, where it is a name: known to the linker, or written as one."""
    bare = re.sub(r"^(?:the|a|an) ", "", text.strip(), flags=re.I)
    if heard.linker is not None and bare:
        for mention in heard.linker.link(bare):
            if mention.candidates and len(mention.text) >= len(bare) - 1:
                return mention.candidates[0]
    words = [w for w in re.findall(r"\w+", bare) if w not in ("of", "the", "and", "de", "van", "von")]
    return bare if words and all(w[0].isupper() for w in words) else None


def step_of_kind(heard: Heard, name: Candidate | str) -> int | None:
    """The step whose name is to be another: one that holds an entity of a kind with it, the least sure."""
    holding = [s for s in heard.version.steps if any(m.candidates for m in s.mentions)]
    if isinstance(name, Candidate):
        kinds = set(name.types)
        alike = [
            s for s in holding if any(kinds & set(c.types) for m in s.mentions for c in m.candidates[:1])
        ]
        holding = alike or holding
    return min(holding, key=lambda s: s.confidence).number if holding else None
