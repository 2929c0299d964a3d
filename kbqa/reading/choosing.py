"""Which reading of a question is shown: each is run, and what comes of it counts."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from kbqa.answers import collect, tells
from kbqa.decompose import recompose, recompose_step
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, FeedbackError, QueryError, StoreError, StoreTimeout
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.kept import Kept
from kbqa.lexicon.nouns import INSTANCES
from kbqa.link import key
from kbqa.lookups import holds
from kbqa.measuring import comparatives
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Mention
from kbqa.reading.coverage import STEM, asked_noun, path_stems, speaks, tells_other
from kbqa.reading.levels import Levels
from kbqa.reading.ranking import Focus, Ranking, fits, focus
from kbqa.reading.reranker import Reranker, told_of
from kbqa.reading.sense import Sense, takes_year_for_number
from kbqa.rewire import deleted
from kbqa.sparql import render
from kbqa.sparql.portable import triple, values
from kbqa.templates.phrases import mediator_type
from kbqa.types import (
    Constant,
    Count,
    Decomposition,
    Find,
    Guards,
    Hop,
    Iri,
    Keep,
    Kind,
    Literal,
    Many,
    Merge,
    Pick,
    Rows,
    Step,
    freebase,
    reverse,
)

_MENDED = 3
"""Readings without an answer that are looked at once more."""
_CHOICE = re.compile(r"\bor\b|^(?:is|are|was|were|do|does|did|has|have|had|can|could)\b")
_COMPARED = comparatives()
"""Words of a question that asks which of two it is, not for what either is tied to."""
_MEASURED = re.compile(
    r"\W*how (?:tall|high|long|deep|wide|far|fast|heavy|hot|cold|expensive|rich|good|bad|dangerous)\b",
    re.IGNORECASE,
)
"""Asks for no thing."""
_WHO = re.compile(r"\W*who\b", re.IGNORECASE)
_LOOKED_AT, _LOOK_S = 200, 1.0
_GENDER = (Hop(freebase("people.person.gender")),)
_NOTABLE = f"SELECT ?t WHERE {{ ?e <{freebase('common.topic.notable_types').value}> ?t }}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A reading, with its answers where it was executed in time."""

    parse: Parse
    rows: Rows | None = None
    told: bool = False
    """Whether it has an answer."""
    late: bool = False
    left_out: tuple[Parse, int] | None = None
    """The reading as it was, and the number of its step that could not hold of anything."""


def answer_count(chosen: Chosen) -> int:
    """How many things a reading finds, or counts."""
    answers = collect(chosen.rows) if chosen.rows is not None else ()
    match chosen.parse.decomposition.steps[-1], answers:
        case Count(), (Literal(number),) if number.isdigit():
            return int(number)
    return len(answers)


def _is_by_name(chosen: Chosen) -> bool:
    """Whether a reading takes the first or last of things by their names."""
    steps = chosen.parse.decomposition.steps
    by_text = steps and isinstance(steps[-1], Pick) and (steps[-1].path, steps[-1].kind) == ((), Kind.STRING)
    return bool(by_text) and any(isinstance(a, Iri) for a in (collect(chosen.rows) if chosen.rows else ()))


def _is_mixed(chosen: Chosen) -> bool:
    """Whether a reading joins things with dates or numbers, which nobody asks for."""
    if not isinstance(chosen.parse.decomposition.steps[-1], Merge) or chosen.rows is None:
        return False
    return len({isinstance(a, Literal) for a in collect(chosen.rows)}) > 1


def _is_of_own_values(chosen: Chosen) -> bool:
    """Whether all answers of a reading are dates, numbers or texts, and not of what ties two things together,
    where it may mean the other one (`unsaid.who_as_said`)."""
    last = chosen.parse.decomposition.steps[-1]
    if isinstance(last, Find) and mediator_type(last.path) is not None:
        return False
    answers = collect(chosen.rows) if chosen.rows is not None else ()
    return bool(answers) and all(isinstance(a, Literal) for a in answers)


def reading(steps: tuple[Step, ...]) -> Parse:
    """Steps that were put together by rule, as a reading in which nobody is their own spouse; what doesn't
    border Brazil isn't Brazil either. Raises `DecompositionError`."""
    tests = (t for s in steps if isinstance(s, Find | Keep) for r in s.restrictions for t in r.tests)
    whole = Decomposition(steps, Guards(each=not any(isinstance(t, Many) for t in tests)))
    return Parse(recompose(whole), whole, 0.0)


def told(run: Callable[[Parse], Chosen | None], steps: tuple[Step, ...]) -> Chosen | None:
    """The steps as a reading that was run, where they can be put together and have an answer."""
    try:
        found = run(reading(steps))
    except DecompositionError:
        return None
    return found if found is not None and found.told else None


def first_told(run: Callable[[Parse], Chosen | None], ways: Iterable[tuple[Step, ...]]) -> Chosen | None:
    """The first of these ways that has an answer."""
    return next((found for steps in ways if (found := told(run, steps)) is not None), None)


def instead(chosen: Chosen, found: Chosen | None) -> Chosen:
    """What a rule found in place of a reading, with what was left out of that; the reading where it found
    nothing."""
    return chosen if found is None else replace(found, left_out=chosen.left_out)


@dataclass(frozen=True)
class Choosing:
    """How many readings are run, for how long (seconds), and what they are worth."""

    tried: int = 10
    reread: int = 20
    """As many where a reranker tells which to take; those beyond the `tried` likeliest count only beside
    one of those that has an answer, or where they fit."""
    ranking_s: float = 6.0
    step_s: float = 5.0
    row_limit: int = 10_000
    ranking: Ranking = field(default_factory=Ranking)


class Chooser:
    """Runs readings over one knowledge base."""

    def __init__(self, kb: KnowledgeBase, limits: Choosing, reranker: Reranker | None = None) -> None:
        self._kb, self.limits, self.reranker = kb, limits, reranker
        self._levels = Levels(kb, lambda: self.nouns.kinds)
        self._sense = Sense(kb.store)

    def warm(self) -> None:
        """Read beforehand what the first choice would read from the store."""
        _ = self.nouns.kinds

    def best(
        self,
        parses: Sequence[Parse],
        text: str,
        mentions: Sequence[Mention],
        tried: int | None = None,
        *,
        reread: bool = False,
    ) -> Chosen | None:
        """Of the readings that speak of what the question speaks of the one that is worth most once it has
        been run; one that took too long, or has no answer, only where no other has one. None where there
        is no such reading."""
        names = names_in(self._kb, parses)
        wanted = focus(text, self.nouns.kinds)
        worth = [self.limits.ranking.before(p, text, mentions, self._kb.lexicon, names) for p in parses]
        deadline = time.monotonic() + self.limits.ranking_s
        found: list[tuple[float, Chosen]] = []
        rest: list[Chosen] = []
        order = sorted(range(len(parses)), key=lambda i: -worth[i])
        reranker = self.reranker if reread else None
        margin = self.limits.ranking.fit + (self.limits.ranking.reread_gap if reranker else 0.0)
        sure = False
        for i in order[: tried or (self.limits.tried if reranker is None else self.limits.reread)]:
            if found and max(value for value, _ in found) >= worth[i] + margin:
                break
            ran = self._ran(parses[i], Kept(), deadline)
            if ran is None or not self._understood(ran, wanted, text, mentions, names):
                continue
            likely = tried is not None or i < self.limits.tried
            if not ran.told and not ran.late:
                ran = self._spread(self.lifted(ran, text, mentions, deadline), deadline)
            answers = collect(ran.rows)[:5] if ran.rows else ()
            if not ran.told or _repeats(answers, parses[i], text):
                rest += [ran] if likely else []
                continue
            value = self.limits.ranking.after(worth[i], wanted, answers, self._types)
            found.append((value, ran))
            sure = sure or likely
        if reranker is not None and found and not sure:
            scores = reranker.scores([self._told_of(ran, text, names) for _, ran in found])
            found = [pair for pair, score in zip(found, scores, strict=True) if score > 0]
        if found:
            return self._fittest(found, text, names, reranker)
        empty = [c for c in rest if not c.late][:_MENDED]
        mended = (m for c in empty for m in self._without_idle_steps(c, wanted, deadline))
        fitting = (m for m in mended if self._understood(m, wanted, text, mentions, names))
        return next(fitting, None) or min(rest, key=lambda c: not c.late, default=None)

    def candidates(self, parses: Sequence[Parse], text: str) -> Iterator[tuple[Sequence[Constant], str]]:
        """Of readings those that can be run, each with its answers and what the reranker reads of it."""
        names = names_in(self._kb, parses)
        for parse in parses:
            ran = self.run(parse)
            if ran is not None and ran.rows is not None:
                yield collect(ran.rows), self._told_of(ran, text, names)

    def _fittest(
        self,
        found: Sequence[tuple[float, Chosen]],
        text: str,
        names: Mapping[Iri, str],
        reranker: Reranker | None,
    ) -> Chosen:
        """The one of readings that have answers which is worth most; where they differ in their answers, the
        best one with each of these is read once more, and another is taken only if it fits. What was read by
        rule (log probability 0) is taken at its word."""
        found = sorted(found, key=lambda pair: -pair[0])
        by_rule = any(ran.parse.logprob == 0.0 for _, ran in found)
        different: dict[frozenset[Constant], tuple[float, Chosen]] = {}
        for value, ran in found:
            answers = frozenset(collect(ran.rows)) if ran.rows is not None else frozenset()
            different.setdefault(answers, (value, ran))
        if reranker is None or by_rule or len(different) == 1:
            return found[0][1]
        read = list(different.values())
        scores = reranker.scores([self._told_of(ran, text, names) for _, ran in read])
        weight = self.limits.ranking.reread
        every = [(value + weight * s, s, ran) for (value, ran), s in zip(read, scores, strict=True)]
        return max((r for i, r in enumerate(every) if i == 0 or r[1] > 0), key=lambda r: r[0])[2]

    def _told_of(self, ran: Chosen, text: str, names: Mapping[Iri, str]) -> str:
        """What the reranker reads."""
        values = collect(ran.rows) if ran.rows is not None else ()
        first = values[0] if values else None
        types = self._types(first) if isinstance(first, Iri) else ()
        return told_of(self._kb, text, ran.parse.decomposition, values, names, types)

    def lifted(
        self, chosen: Chosen, text: str, mentions: Sequence[Mention], deadline: float | None = None
    ) -> Chosen:
        """The reading with the level of places that the question speaks of, where it then has an answer, in
        time (`time.monotonic`; default: `ranking_s` from now)."""
        deadline = time.monotonic() + self.limits.ranking_s if deadline is None else deadline
        found = self._first_told(self._levels.lifted(chosen.parse, text, mentions), deadline)
        return instead(chosen, found)

    def _spread(self, chosen: Chosen, deadline: float) -> Chosen:
        """The reading over what its places contain, where it has no answer else."""
        return (
            chosen if chosen.told else self._first_told(self._levels.spread(chosen.parse), deadline) or chosen
        )

    def _first_told(self, parses: Iterable[Parse], deadline: float) -> Chosen | None:
        ran = (self._ran(parse, Kept(), deadline) for parse in parses)
        return next((c for c in ran if c is not None and c.told), None)

    def _without_idle_steps(self, empty: Chosen, wanted: Focus | None, deadline: float) -> Iterator[Chosen]:
        """A reading that has no answer without a condition that could hold of none of the things found
        (people that lie in Kentucky), where what is left has answers, and none of another sort
        than is wanted."""
        whole = empty.parse.decomposition
        if self._kb.own or len(whole.steps) < 2:
            return
        for at in range(len(whole.steps), 1, -1):
            step = whole.steps[at - 1]
            if not isinstance(step, Keep) or not self._is_idle(whole, step):
                continue
            try:
                left = replace(whole, steps=deleted(whole.steps, at))
                ran = self._ran(Parse(recompose(left), left, empty.parse.logprob), Kept(), deadline)
            except (FeedbackError, DecompositionError):
                continue
            if ran is None or not ran.told or ran.rows is None:
                continue
            fitting = None if wanted is None else fits(wanted, collect(ran.rows)[:5], self._types)
            if fitting is not False:
                yield replace(ran, left_out=(empty.parse, at))

    def _is_idle(self, whole: Decomposition, step: Keep) -> bool:
        """Whether none of the things that the step chooses among has anything along its path."""
        path = reverse(step.path)
        if not path:
            return False
        if path == _GENDER:  # 'the husband of the woman who': said of another step's answers
            return True
        try:
            found = self._kb.store.select(
                render(recompose_step(whole, step.source.step)), time_limit_s=_LOOK_S
            )
            things = [a for a in collect(found) if isinstance(a, Iri)][:_LOOKED_AT]
            if not things:
                return False
            nodes = [f"?n{i}" for i in range(len(path) + 1)]
            triples = (triple(h, *pair) for h, pair in zip(path, pairwise(nodes), strict=True))
            along = f"{values('?n0', things)} {' . '.join(triples)}"
            return not holds(self._kb.store, along, _LOOK_S)
        except (QueryError, DecompositionError, StoreTimeout):
            return False

    def _understood(
        self,
        found: Chosen,
        wanted: Focus | None,
        text: str,
        mentions: Sequence[Mention],
        names: Mapping[Iri, str],
    ) -> bool:
        """Whether a reading speaks of what the question speaks of, by its words (`coverage`); or has
        answers that join several things which the question names, or that are of the kind it names. What was
        read by rule (log probability 0) is taken at its word."""
        if found.parse.logprob == 0.0:
            return True
        read = found.parse.decomposition
        if _is_by_name(found) and "alphabet" not in text.lower():
            return False
        if not self._sense.makes(read) or (_WHO.match(text) and _is_of_own_values(found)):
            return False
        if takes_year_for_number(read, text) or _is_mixed(found):
            return False
        if tells_other(text, mentions, read, self._kb.lexicon, names, self.nouns.sorts):
            return False
        if (
            found.rows is not None
            and _MEASURED.match(text)
            and all(isinstance(a, Iri) for a in collect(found.rows))
        ):
            return False
        if speaks(text, mentions, read, self._kb.lexicon, names):
            return True
        if any(isinstance(s, Find | Keep) and s.path == _GENDER for s in read.steps):
            return False
        if isinstance(read.steps[-1], Merge) and not _COMPARED.isdisjoint(re.findall("[a-z]+", text.lower())):
            return False
        used = {c for s in read.steps for c in constants_of(s) if isinstance(c, Iri)}
        joined = sum(any(c.entity in used for c in m.candidates) for m in mentions)
        if not found.told or joined > 1:
            return found.told
        match read.steps:
            case (Find(_, path),) if path in INSTANCES:  # nothing of what is said of them
                return False
        answers = collect(found.rows)[:5] if found.rows else ()
        return wanted is not None and wanted.sort == "kind" and fits(wanted, answers, self._types) is True

    def answers_what_is_asked(self, chosen: Chosen, text: str) -> bool | None:
        """Whether a reading finds what the question asks for, by its sort; None where that can't be told."""
        wanted = focus(text, self.nouns.kinds)
        answers = collect(chosen.rows)[:5] if chosen.rows is not None else ()
        return None if wanted is None or not answers else fits(wanted, answers, self._types)

    def is_asked(
        self, text: str, mentions: Sequence[Mention]
    ) -> Callable[[Find | Keep, Sequence[Constant]], bool | None]:
        """What tells whether a step, with these answers, finds what the noun after 'which' or 'what' says: by
        their sort, or where it is of none, by whether the step is worded so. None: it can't be told."""
        noun = asked_noun(text, mentions, self.nouns.sorts)
        sorts = frozenset(self.nouns.sorts.get(noun, ()))
        called = frozenset(form for kind in sorts for form in self.nouns.kinds[kind][1])

        def tell(step: Find | Keep, answers: Sequence[Constant]) -> bool | None:
            if sorts:
                return fits(Focus("kind", sorts, called), answers, self._types)
            return noun[:STEM] in path_stems(step.path, self._kb.lexicon) if noun else None

        return tell

    def named(self, text: str, mentions: Sequence[Mention]) -> Callable[[Sequence[Constant]], Sequence[Iri]]:
        """What tells which of some answers the question names, the surest first."""
        linked = [c.entity for m in mentions for c in m.candidates if c.exact]
        words = f" {key(text)} "

        def tell(answers: Sequence[Constant]) -> Sequence[Iri]:
            found = [a for a in answers if isinstance(a, Iri)]
            names = self._kb.names.fetch(found)
            said = [a for a in found if (name := key(names.get(a, ""))) and f" {name} " in words]
            return tuple(dict.fromkeys((*(e for e in linked if e in found), *said)))

        return tell

    def _types(self, entity: Iri) -> Sequence[Iri]:
        """What it is, and what it is notable for."""
        try:
            types = self._kb.types(entity)
            rows = self._kb.store.select(_NOTABLE, bindings={"e": entity}, time_limit_s=1.0).rows
        except StoreError:
            return ()
        return (*types, *(row[0] for row in rows if isinstance(row[0], Iri)))

    @cached_property
    def nouns(self) -> CommonNouns:
        """What common words name here."""
        return CommonNouns(self._kb.store, self._kb.kinds)

    def first(self, parses: Sequence[Parse], kept: Kept) -> Chosen | None:
        """The likeliest reading that has an answer; else one that took too long; else the likeliest."""
        deadline = time.monotonic() + self.limits.ranking_s
        rest: list[Chosen] = []
        for parse in parses[: self.limits.tried]:
            ran = self._ran(parse, kept, deadline)
            if ran is not None and ran.told:
                return ran
            rest += [ran] if ran else []
        return min(rest, key=lambda c: not c.late, default=None)

    def run(self, parse: Parse) -> Chosen | None:
        """A reading with its answers; None where it can't be run."""
        return self._ran(parse, Kept(), time.monotonic() + self.limits.step_s)

    def _ran(self, parse: Parse, kept: Kept, deadline: float) -> Chosen | None:
        """A reading with what its query gives; None where it can't be run, or no time is left for it."""
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        try:
            sparql = render(recompose_step(parse.decomposition, len(parse.decomposition.steps)))
            told, rows = kept.tells(sparql), None
            if told is None:
                rows = self._kb.store.select(
                    sparql, time_limit_s=min(self.limits.step_s, left), row_limit=self.limits.row_limit
                )
                told = tells(rows)
        except StoreTimeout:
            return Chosen(parse, late=True)
        except (QueryError, DecompositionError):
            return None
        return Chosen(parse, rows, told)


def _repeats(answers: Sequence[Constant], parse: Parse, text: str) -> bool:
    """Whether a reading answers with what it was given, where the question gave no choice ('or') and is none
    of yes and no: X's mascot, and the team that has it, leads back to X."""
    used = {c for s in parse.decomposition.steps for c in constants_of(s)}
    return bool(answers) and not _CHOICE.search(text.lower()) and used.issuperset(answers)


def names_in(kb: KnowledgeBase, parses: Sequence[Parse]) -> dict[Iri, str]:
    """The names of the entities that the readings use."""
    steps = [s for p in parses for s in p.decomposition.steps]
    return kb.names.fetch([c for s in steps for c in constants_of(s) if isinstance(c, Iri)])
