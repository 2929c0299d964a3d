"""What is different in a version from the one it was made from, and feedback in a person's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from kbqa.dialogue import Dialogue, SubQuestion, Version
from kbqa.feedback import (
    Accept,
    Back,
    Choose,
    Delete,
    Edit,
    Feedback,
    Insert,
    Link,
    Replace,
    Stop,
    Undo,
    Unsure,
)
from kbqa.protocols import Candidate
from kbqa.rewire import as_said
from kbqa.types import Step

_ALIKE = 0.5
"""Two sub-questions whose words agree less than this are shown as different, not as one reworded."""


_PLAIN = re.compile(r"(?:base|common|type|user)\.")
_SAYS_LITTLE = re.compile(
    r"(?:(?:winning|nominated) work|founder|jurisdiction|location|nominee|object|subject|winner|"
    r"administrative division|statistical region|travel destination)\Z"
)
"""Types in Freebase that don't tell what a thing is: none at all ('topic'), or less than others."""
_RENAMED = {"citytown": "city or town", "human language": "language"}
"""Types in Freebase whose names are not how one says it."""
_NATIONS = {
    "ar": "Argentine",
    "br": "Brazilian",
    "ca": "Canadian",
    "cn": "Chinese",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "in": "Indian",
    "it": "Italian",
    "jp": "Japanese",
    "mx": "Mexican",
    "nl": "Dutch",
    "ru": "Russian",
    "uk": "UK",
    "us": "US",
}
"""How a type in Freebase begins that is one country's, such as `de_state`."""


@dataclass(frozen=True, slots=True)
class Change:
    """One step against the version before: `badge` says how, `was` is the sub-question it took the
    place of ('' where there is none)."""

    badge: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """`steps`: by number, only those that changed; `gone`: sub-questions that nothing took the place of."""

    steps: Mapping[int, Change]
    gone: tuple[str, ...] = ()


def compare(version: Version, before: Version) -> Changes:
    """What is asked anew, with what it took the place of, and what is asked no more."""
    left = _said(version)
    lost = [s for s, said in zip(before.steps, _said(before), strict=True) if said not in left]
    new = [s for s in version.steps if s.change == "new"]
    pairs = dict(_pairs(new, lost))
    found = {s.number: _change(s, pairs.get(s.number)) for s in version.steps if s.change}
    taken = {s.number for s in pairs.values()}
    return Changes(found, tuple(s.shown for s in lost if s.number not in taken))


def _said(version: Version) -> list[Step]:
    """The steps as they are asked, whatever number they have."""
    steps = version.parse.decomposition.steps
    return [as_said(steps, number) for number in range(1, len(steps) + 1)]


def _pairs(new: Sequence[SubQuestion], lost: Sequence[SubQuestion]) -> Iterator[tuple[int, SubQuestion]]:
    """The number of each new step and the one that it took the place of: in order where there are as
    many of both, else the most alike."""
    if len(new) == len(lost):
        yield from zip((s.number for s in new), lost, strict=True)
        return
    left = list(lost)
    for step in new:
        best = max(left, key=lambda s: _match(step.shown, s.shown).ratio(), default=None)
        if best is not None and _match(step.shown, best.shown).ratio() >= _ALIKE:
            left.remove(best)
            yield step.number, best


def _change(step: SubQuestion, was: SubQuestion | None) -> Change:
    if step.change == "answers":
        return Change("other answers")
    return Change("new") if was is None else Change("changed", was.shown)


def new_words(text: str, was: str) -> list[tuple[str, bool]]:
    """The words of `text`, and whether each is new against `was`; none are where the two hardly agree."""
    words, match = text.split(), _match(text, was)
    if match.ratio() < _ALIKE:
        return [(word, False) for word in words]
    kept = {i for block in match.get_matching_blocks() for i in range(block.b, block.b + block.size)}
    return [(word, i not in kept) for i, word in enumerate(words)]


def _match(text: str, was: str) -> SequenceMatcher[str]:
    """Of the words."""
    return SequenceMatcher(a=was.casefold().split(), b=text.casefold().split(), autojunk=False)


def lineage(dialogue: Dialogue) -> list[int]:
    """The numbers of the versions that led to the current one, the first version first."""
    chain: list[int] = []
    at: int | None = dialogue.at or None
    while at is not None:
        chain.append(at)
        at = dialogue.versions[at - 1].parent
    return chain[::-1]


def in_words(feedback: Feedback, version: Version) -> str:
    """What was said about a version, as the person might have put it."""
    match feedback:
        case Edit(step, text):
            return f"Step {step} should ask: {text}"
        case Replace(step, text):
            return f"Instead of step {step}, ask: {text}"
        case Insert(step, text) if step > len(version.steps):
            return f"At the end, ask: {text}"
        case Insert(step, text):
            return f"Before step {step}, ask: {text}"
        case Delete(step):
            gone = [s.shown for s in version.steps if s.number == step]
            return f"Leave out step {step}" + (f": {gone[0]}" if gone else "")
        case Link(entity, other):
            return f"I mean {name_of(version, other)}" + _not(version, entity, other)
        case Choose(number):
            offers = version.offers[number - 1 : number]
            return f"I meant: {offers[0].text}" if offers else f"I meant alternative {number}"
        case Accept():
            return "Yes, that is right."
        case Unsure():
            return "I am not sure whether that is right."
        case Undo():
            return "Undo that."
        case Back(number):
            return f"Back to version {number}."
        case Stop(text):
            return f"Stop: {text}" if text else "Stop."


def would(feedback: Feedback, version: Version) -> tuple[str, str, str]:
    """What carrying out would do, as it is shown back before that: 'I would edit step 2', the words that
    are there, the words that would come ('' where there are none)."""
    was = {s.number: s.shown for s in version.steps}
    match feedback:
        case Edit(step, text):
            return f"I would edit step {step}", was.get(step, ""), text
        case Replace(step, text):
            return f"I would replace step {step}", was.get(step, ""), text
        case Insert(step, text) if step > len(version.steps):
            return "I would ask at the end", "", text
        case Insert(step, text):
            return f"I would ask before step {step}", "", text
        case Delete(step):
            return f"I would delete step {step}", was.get(step, ""), ""
        case Link(entity, other):
            return "I would take another meaning", name_of(version, entity), name_of(version, other)
        case Choose(number):
            offers = version.offers[number - 1 : number]
            return "I would take the other reading", "", offers[0].text if offers else f"number {number}"
        case Stop(text):
            return "I would stop here, with your comment", "", text
        case Accept() | Unsure() | Undo() | Back():
            return f"I would do this: {in_words(feedback, version)}", "", ""


def _not(version: Version, entity: str, other: str) -> str:
    """', not Georgia (country)', where the names tell the two apart."""
    was, now = name_of(version, entity), name_of(version, other)
    return f", not {was}" if was != now else ""


def name_of(version: Version, entity: str) -> str:
    """An entity by its name and kind, as the chips name it."""
    for step in version.steps:
        for mention in step.mentions:
            for candidate in mention.candidates:
                if candidate.entity.value == entity:
                    return called(candidate, mention.candidates)
    return entity.rpartition("/")[2]


def called(candidate: Candidate, among: Sequence[Candidate]) -> str:
    """An entity by its name and kind: 'Georgia (country)'. Among others of the same name by a kind that
    they are not of, and where there is none by its id."""
    namesakes = [c for c in among if c.label == candidate.label and c.entity != candidate.entity]
    shared = {kind for c in namesakes for kind in kinds(c)}
    own = [kind for kind in kinds(candidate) if kind not in shared]
    if own:
        return f"{candidate.label} ({own[0]})"
    return f"{candidate.label} ({candidate.entity.mid})" if namesakes else candidate.label


def kinds(candidate: Candidate) -> list[str]:
    """Its types in words ('country' for `location.country`): those that say little last, before them
    those of many words ('beer country region')."""
    types = sorted(t.mid.rstrip("/#").replace("#", "/") for t in candidate.types if not _PLAIN.match(t.mid))
    words = [t.rpartition("/")[2].rpartition(".")[2].replace("_", " ") for t in types]
    words.sort(key=lambda kind: (bool(_SAYS_LITTLE.search(kind)), kind.count(" ")))
    return [_in_words(kind) for kind in dict.fromkeys(words)]


def _in_words(kind: str) -> str:
    nation, _, rest = kind.partition(" ")
    return f"{_NATIONS[nation]} {rest}" if rest and nation in _NATIONS else _RENAMED.get(kind, kind)
