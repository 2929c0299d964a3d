"""What is not so: 'languages spoken in Switzerland but not in Germany', 'presidents who never married',
'Which Beatles are still alive?'

Nothing in the parser's training asks so. What is asked about is read alone, and the whole as if it were so;
the step that says it is turned round, or what has none of something is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from kbqa.answers import collect
from kbqa.dialogue import Parse
from kbqa.errors import FeedbackError
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, answer_count, told
from kbqa.reading.rule import Read, Rule, Run
from kbqa.rewire import inserted, line_of, none_of, turned_round, with_references
from kbqa.types import (
    Constant,
    Exists,
    Find,
    Hop,
    Iri,
    Is,
    IsNot,
    Keep,
    Lacks,
    Many,
    Pick,
    Ref,
    Restriction,
    Step,
    Test,
    freebase,
    reverse,
)

Steps = tuple[Step, ...]
_AUX = r"(?:is|are|was|were|do|does|did|has|have|had)"
_BUT = re.compile(
    rf",?\s+(?:but|and|yet)\s+(?:(?:who|which|that)\s+)?(?:{_AUX}\s*)?(?:not|n['’]t|never)\s+", re.IGNORECASE
)
"""Between what is so and what is not."""
_WITHOUT = re.compile(
    r"\s+(?:without|(?:(?:that|who|which)\s+)?(?:with|has|have|had)\s+no)\s+(?:(?:any|an?|the)\s+)?",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\s+(?:(?:do|does|did)(?:\s+not|n['’]?t)|(?<!can )(?<!could )never)\s+(?:ever\s+)?"
    r"(?!(?:have\s+(?:a|any)\s+(?:clue|idea)|know|remember|recall|matter)\b)"
    r"|(?P<kept>\s+(?:is|are|was|were|has|have|had))(?:\s+not|n['’]?t|\s+never)\s+(?:ever\s+)?"
    r"|\s+not\s+(?=(?:in|from|by|of|directed|written|produced|born|located|based|made|owned|(?!including|counting|being)\w{2,}ing)\b)",
    re.IGNORECASE,
)
"""Turns round what follows it."""
_SUBJECT = re.compile(rf"\s+{_AUX}\s+(?:the\s+)?\Z", re.IGNORECASE)
_OF_SUBJECT = re.compile(r"\s+not\b", re.IGNORECASE)
"""Around who something is not said of: 'Which Tarantino films is Samuel L. Jackson not in?'"""
_ASKS = re.compile(r"\b(?:who|what|which|when|where|why|how|whose|whether|if)\b", re.IGNORECASE)
_WHO = r"\s+(?:(?:who|that|which)\s+)?"
_NO = (
    rf"(?:{_WHO}(?:(?:have|has|had)\s+no|(?:do|does|did)(?:\s+not|n['’]?t)\s+have|never\s+had)|\s+without)"
    r"\s+(?:any\s+|an?\s+)?"
)
_LACKING = {
    "people.deceased_person.date_of_death": rf"{_WHO}(?:(?:are|is)\s+(?:still\s+)?(?:alive|living)"
    r"|(?:are|is|have|has)(?:\s+not|n['’]?t)\s+(?:dead|died))(?:\s+(?:yet|today|now))?",
    "people.person.spouse_s": rf"{_WHO}(?:never\s+(?:got\s+)?married"
    r"|(?:did\s+not|didn['’]?t)\s+(?:ever\s+)?marry"
    r"|(?:is|are|was|were)(?:\s+not|\s+never|n['’]?t)\s+(?:ever\s+)?married|(?:is|are)\s+(?:single|unmarried))"
    rf"|{_NO}(?:spouse|wife|husband|partner)s?",
    "people.person.children": rf"{_NO}(?:children|kids|child)|{_WHO}(?:are|were)\s+childless",
}
"""Predicates, and how it is said that somebody has none of it."""
_DEAD = (
    rf"{_WHO}(?:(?:are|is)\s+(?:already\s+|now\s+)?(?:dead|deceased|(?:no\s+longer|not)\s+(?:alive|living))"
    r"|(?:have|has)\s+(?:already\s+)?died)(?:\s+(?:already|by now|today|now))?"
)
_SAYS: tuple[tuple[str, re.Pattern[str], Test], ...] = (
    ("people.deceased_person.date_of_death", re.compile(rf"(?:{_DEAD})\W*\Z", re.IGNORECASE), Exists()),
    *(
        (predicate, re.compile(rf"(?:{said})\W*\Z", re.IGNORECASE), Lacks())
        for predicate, said in _LACKING.items()
    ),
)
_TAG = re.compile(
    r",?\s+(?:is|was|are|were|do|does|did|has|have|had)n['’]?t\s+(?:it|he|she|they)\W*\Z", re.IGNORECASE
)


@dataclass(frozen=True)
class Denial:
    """What a question asks about, the questions for that of which, and for all of which, it is so what the
    question denies, and what that is about: any of these; nothing where it names nothing."""

    asked: str
    affirmed: tuple[str, ...]
    about: frozenset[Constant]


def denial_of(text: str, mentions: Sequence[Mention]) -> Denial | None:
    """What a question denies; None where it denies nothing, or asks for something after that."""
    for m in mentions:
        inverted, no = _SUBJECT.search(text[: m.start]), _OF_SUBJECT.match(text, m.end)
        if inverted is not None and no is not None and inverted.start():
            return Denial(text[: inverted.start()], (text[: m.end] + text[no.end() :],), _meant(m))
    for pattern, so in ((_BUT, " and "), (_WITHOUT, " with "), (_NOT, " ")):
        said = next((m for m in pattern.finditer(text) if m.start()), None)
        if said is None or _ASKS.search(text, said.end()):
            continue
        if any(m.meets(*said.span()) for m in mentions):
            continue
        later = [m for m in mentions if m.start >= said.end()]
        if pattern is _WITHOUT and not any(m.start == said.end() for m in later):
            continue
        asked, so = text[: said.start()], (said.groupdict().get("kept") or "") + so
        affirmed = tuple(f"{of}{so}{text[said.end() :]}" for of in (asked, "Who"))
        first = min(later, key=lambda m: m.start, default=None)
        return Denial(asked, affirmed, _meant(first) if first else frozenset())
    return None


def ignores(parse: Parse, text: str, mentions: Sequence[Mention]) -> bool:
    """Whether a question denies something and its reading nothing; 'isn't it?' at its end denies nothing."""
    text = _TAG.sub("", text)
    steps = parse.decomposition.steps
    tests = (t for s in steps if isinstance(s, Find | Keep) for r in s.restrictions for t in r.tests)
    return denial_of(text, mentions) is not None and not any(
        isinstance(t, IsNot | Lacks | Many) for t in tests
    )


def _meant(mention: Mention) -> frozenset[Constant]:
    return frozenset(c.entity for c in mention.candidates)


class Negation(Rule):
    """Reads what is not so. `worded` gives a step by a path that has words."""

    def __init__(self, kb: KnowledgeBase, run: Run, read: Read, worded: Callable[[Step], Step]) -> None:
        super().__init__(kb, run, read)
        self._worded = worded

    def denied(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading of what is not so; None where the question says nothing such, or it can't be told."""
        if self._kb.own:
            return None
        return self._lacking(text, mentions) or self._turned_round(text, mentions)

    def _lacking(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """Those who have none of something, or are said to have it."""
        for predicate, says, test in _SAYS:
            said = says.search(text)
            if said is None or not said.start() or any(m.end > said.start() for m in mentions):
                continue
            found = self._read(text[: said.start()] + "?")
            if found is not None and found.told:
                known = Restriction("answer", (Hop(freebase(predicate)),), (test,))
                return self._kept(found.parse.decomposition.steps, (), known)
        return None

    def _turned_round(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """Those of which something does not hold, where it holds of some."""
        denial = denial_of(text, mentions)
        asked = self._read(f"{denial.asked}?") if denial is not None else None
        if denial is None or asked is None or not asked.told:
            return None
        for question in denial.affirmed:
            denied = self._denied_of(asked, question, denial.about)
            if denied is not None:
                return denied
        return None

    def of(self, steps: Steps, question: str) -> Chosen | None:
        """Those that the steps find and of which it does not hold what the question asks, where it holds of
        others."""
        asked = told(self._run, steps)
        return None if asked is None else self._denied_of(asked, question, frozenset())

    def _denied_of(self, asked: Chosen, question: str, about: frozenset[Constant]) -> Chosen | None:
        """What was asked about without that of which the question holds. `about`: what the question denies is
        about any of these; where there are none, about what nothing else is."""
        before = asked.parse.decomposition.steps
        known = {c for step in before for c in constants_of(step)}
        found = self._read(question)
        steps = found.parse.decomposition.steps if found is not None and found.told else ()
        at = 0
        for number, step in enumerate(steps, 1):
            said = set(constants_of(step))
            if said & about if about else said - known:
                at = number
        denied = self._without(before, steps, at) if at else self._having_none(before, steps)
        return denied if denied is not None and _leaves_out(denied, asked) else None

    def _having_none(self, asked: Steps, steps: Steps) -> Chosen | None:
        """The things asked about that have none of what one more step leads to: 'teams that never won a
        championship'."""
        match steps[len(asked) :]:
            case (Find(Ref(source), path),) if steps[: len(asked)] == asked and source == len(asked):
                return self._kept(asked, (), Restriction("answer", path, (Lacks(),)))
        return None

    def _without(self, asked: Steps, steps: Steps, at: int) -> Chosen | None:
        """The reading with what step `at` says denied, or what goes on from it to the answers. `asked`: the
        steps of what is asked about."""
        line = line_of(steps)
        while at not in line:
            after = [i for i, step in enumerate(steps, 1) if Ref(at) == _goes_by(step)]
            if len(after) != 1:
                return None
            at = after[0]
        says = _whenever(steps[at - 1])
        if not isinstance(says, Find | Keep) or not says.path:
            return None
        if says.restrictions:
            return self._part(steps, at)
        if not isinstance(says.anchor, Iri | Ref):
            return None
        if isinstance(says, Keep):
            kept = turned_round(says, at)
            return None if kept is None else told(self._run, (*steps[: at - 1], kept, *steps[at:]))
        chain = [with_references(s, lambda ref: Ref(ref.step + len(asked))) for s in steps[: at - 1]]
        anchor = Ref(says.anchor.step + len(asked)) if isinstance(says.anchor, Ref) else says.anchor
        return self._kept(asked, chain, none_of(reverse(says.path), anchor))

    def _part(self, steps: Steps, at: int) -> Chosen | None:
        """The reading with the one part denied that a node in between has: a role, an office."""
        step = steps[at - 1]
        match step:
            case Find(path=path, restrictions=(Restriction("mediator", part, (Is(Iri() as thing),)),)):
                whole = (*steps[: at - 1], replace(step, restrictions=()), *steps[at:])
                has = self._worded(Find(thing, (*reverse(part), path[-1])))
                if isinstance(has, Find):
                    return self._kept(whole, (), none_of(reverse(has.path), thing))
        return None

    def _kept(self, steps: Steps, chain: Sequence[Step], condition: Restriction) -> Chosen | None:
        """Those of what the steps find of which the condition holds, with the steps that it goes back to.
        What only chooses among things, or counts them, comes after it."""
        at = max((i for i, step in enumerate(steps, 1) if isinstance(step, Find | Keep)), default=0)
        with suppress(FeedbackError):
            kept = Keep(Ref(at), restrictions=(condition,))
            for whole in inserted(steps, at + 1, kept) if not chain else [(*steps, *chain, kept)]:
                found = told(self._run, whole)
                if found is not None:
                    return found
        return None


def _leaves_out(denied: Chosen, asked: Chosen) -> bool:
    """Whether fewer are left, or another is the first of those that are left."""
    if answer_count(denied) < answer_count(asked):
        return True
    picked = isinstance(asked.parse.decomposition.steps[-1], Pick)
    return (
        picked
        and denied.told
        and (denied.rows and collect(denied.rows)) != (asked.rows and collect(asked.rows))
    )


def _whenever(step: Step) -> Step:
    """The step without its being so still: who 'never was president' was none at any time."""
    if not isinstance(step, Find | Keep):
        return step
    lasting = [r for r in step.restrictions if r.site == "mediator" and r.tests == (Lacks(),)]
    return replace(step, restrictions=tuple(r for r in step.restrictions if r not in lasting))


def _goes_by(step: Step) -> Ref | None:
    """The step whose answers a step starts from."""
    match step:
        case Find(Ref() as anchor) | Keep(_, Ref() as anchor) | Keep(anchor):
            return anchor
    return None
