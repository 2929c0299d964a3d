"""The first or last of somebody's works after or before something happened: 'the first Metallica album after
Jason Newsted joined', 'the last novel that Jane Austen published in her lifetime'.

The works are read alone, then the day on which it happened; of the works those after or before it are
ordered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbqa.answers import collect
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, told
from kbqa.reading.rule import Rule
from kbqa.rewire import continued
from kbqa.types import Keep, Kind, Literal, Pick, Ref, Restriction, Than, freebase

_PERSON, _BAND = freebase("people.person"), freebase("music.musical_group")
_HEAD = r"\W*(?P<head>(?=.*\b(?:first|earliest|last|latest|final|next|debut)\b)\S.*?)"
_AFTER = re.compile(
    rf"{_HEAD},?\s+(?P<when>after|since|once|following|before|prior\s+to)\s+(?:that\s+)?(?P<event>\D\S.*?)\W*",
    re.IGNORECASE | re.DOTALL,
)
_WITH = re.compile(
    rf"{_HEAD},?\s+(?:(?:that|which)\s+(?:features?|featured|had)|with|featuring|including)\s+",
    re.IGNORECASE | re.DOTALL,
)
_ON = re.compile(rf"{_HEAD},?\s+(?:(?:that|which)\s+)?", re.IGNORECASE | re.DOTALL)
_PLAYED_ON = re.compile(
    r"\s+(?:played|plays|sang|sings|appeared|appears|performed|performs|featured|drummed)\s+on\W*", re.I
)
"""'the first record that David Gilmour played on'"""
_AS = re.compile(
    r"(?:\s+(?:(?:as|on)\s+(?:their\s+|the\s+)?(?:new\s+|lead\s+)?\w+|(?:in|aboard)(?:\s+the\s+(?:band|group|line-?up))?"
    r"|singing|drumming|(?:behind|at)\s+the\s+\w+))?\W*",
    re.IGNORECASE,
)
"""'the first record with Stevie Nicks in the band'"""
_LIFETIME = re.compile(
    rf"{_HEAD},?\s+(?:(?:while|when)\s+(?:(?:he|she)\s+(?:was\s+)?)?(?:still\s+)?(?:alive|living|lived)"
    r"|(?:in|during|within)\s+(?:(?:his|her|their)\s+(?:own\s+)?|the\s+(?:author|writer|artist|composer)['’]s\s+)"
    r"(?:lifetime|life)|(?P<of>(?:in|during|within)\s+)(?P<who>\S.*?)['’]s?\s+(?:own\s+)?lifetime)\W*",
    re.IGNORECASE | re.DOTALL,
)
_DIED = re.compile(
    r"\s*(?:['’]?s?\s+death|(?:had\s+)?(?:died|passed\s+away|was\s+(?:killed|shot|murdered)))\s*",
    re.IGNORECASE,
)
_JOINED = re.compile(
    r"\s*(?:had\s+)?(?:joined(?:\s+(?:up|them|the\s+(?:band|group|line-?up)))?|(?:came|got|climbed|jumped)\s+(?:aboard"
    r"|on\s*board|in)|became\s+(?:a\s+member|(?:their|the)\s+(?:new\s+|lead\s+)*\w+)|signed\s+on"
    r"|(?:took|taken)\s+over(?:\s+(?:as\s+(?:the\s+|their\s+)?(?:new\s+|lead\s+)*\w+|(?:on\s+)?(?:lead\s+)?vocals"
    r"|(?:the\s+)?(?:mic\w*|singing)))?)\s*",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\s*(?:had\s+)?(?:left(?:\s+(?:them|the\s+(?:band|group)))?|quit|departed|was\s+(?:fired|sacked|kicked\s+out))\s*",
    re.IGNORECASE,
)
_HE = re.compile(r"(?:(?:he|she)\s+(?:died|passed\s+away)|(?:his|her)\s+death)", re.IGNORECASE)
_SAID = (
    (_DIED, "When did {who} die?"),
    (_JOINED, "When did {who} join {band}?"),
    (_LEFT, "When did {who} leave {band}?"),
)
_LATER = frozenset(("after", "since", "once", "following"))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is ordered, the question for the day, and whether what came after it is meant."""

    head: str
    when: str
    later: bool


class Sequels(Rule):
    """Reads such questions. `read` is to read the works, and when it was, whenever it was."""

    def ordered(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading in steps of when it was, of the works, and of the one that is asked for; None where the
        question asks for no such thing, or it can't be told."""
        for asked in () if self._kb.own else _asked(text, mentions):
            when, works = self._read(asked.when), self._read(f"{asked.head}?")
            if when is None or works is None or not _one_day(when) or not works.told:
                continue
            first, (*rest, pick) = when.parse.decomposition.steps, works.parse.decomposition.steps
            if not rest or not isinstance(pick, Pick) or pick.kind is not Kind.DATE or not pick.path:
                continue
            n, at = len(first), len(first) + len(rest)
            moved = continued(rest, None, n)
            than = Than(">" if asked.later else "<", Ref(n), Kind.DATE)
            kept = Keep(Ref(at), restrictions=(Restriction("answer", pick.path, (than,)),))
            last = Pick(Ref(at + 1), pick.site, pick.path, not asked.later, pick.kind)
            found = told(self._run, (*first, *moved, kept, last))
            if found is not None:
                return found
        return None


def _asked(text: str, mentions: Sequence[Mention]) -> Iterator[_Asked]:
    people = [m for m in mentions if any(_PERSON in c.types for c in m.candidates[:1])]
    life = _LIFETIME.fullmatch(text)
    if life is not None and len(people) == 1:
        head = life["head"] if not life["of"] else f"{life['head']} by {people[0].text}"
        yield _Asked(head, f"When did {people[0].text} die?", False)
    for m in people:
        made = _WITH.fullmatch(text, 0, m.start) if _AS.fullmatch(text, m.end) else None
        if _PLAYED_ON.fullmatch(text, m.end):
            made = _ON.fullmatch(text, 0, m.start)
        bands = [b for b in mentions if made is not None and b.end <= made.end("head")]
        if made is not None and len(bands) == 1 and any(_BAND in c.types for c in bands[0].candidates):
            yield _Asked(made["head"], f"When did {m.text} join {bands[0].text}?", True)
    said = _AFTER.fullmatch(text)
    if said is None:
        return
    later = said["when"].lower() in _LATER
    start, end = said.span("event")
    if _HE.fullmatch(said["event"]) and len(people) == 1:
        yield _Asked(said["head"], f"When did {people[0].text} die?", later)
    for m in mentions:
        if m.start != start:
            continue
        before = [b.text for b in mentions if b.end <= said.end("head")]
        band, head = (before[0], said["head"]) if before else ("a band", f"{said['head']} by {m.text}")
        for words, when in _SAID:
            verb = words.match(text, m.end)
            rest = text[verb.end() : end].strip() if verb is not None else ""
            if verb is not None and (not rest or any(rest == b.text for b in mentions)):
                yield _Asked(head, when.format(who=m.text, band=rest or band), later)


def _one_day(when: Chosen) -> bool:
    answers = collect(when.rows) if when.rows is not None else ()
    return len(answers) == 1 and isinstance(answers[0], Literal)
