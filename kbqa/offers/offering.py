"""What may be chosen instead of a version, already executed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kbqa.answers import collect, label_all, listing, tells
from kbqa.decompose import recompose_step
from kbqa.dialogue import Mode, Offer, Parse, SubQuestion, Version
from kbqa.errors import DecompositionError, QueryError, StoreError, StoreTimeout, StoreUnavailable
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import fallback
from kbqa.offers.around import Around
from kbqa.offers.changes import Proposal
from kbqa.offers.fit import Fit
from kbqa.offers.propose import proposals, siblings
from kbqa.offers.wording import Wording
from kbqa.reading.returning import Returning
from kbqa.sparql import canonical, render
from kbqa.types import FREEBASE, Amount, Answer, Check, Constant, Count, Iri, Query, Rows, Tally


@dataclass(frozen=True, slots=True)
class Limits:
    """Times are seconds."""

    total_s: float = 1.5
    """For all offers of an empty version; 0: none are made."""
    query_s: float = 0.5
    answered_s: float = 0.3
    """For the siblings of a version that has answers."""
    offers: int = 5
    tried: int = 60
    """Readings executed; those that leave a condition out, beyond that, where few are found."""
    behind: float = 0.4
    """Readings whose fit is worse by more than that of the best are offered only where there are fewer
    than `few` others."""
    few: int = 3
    sample: int = 3
    row_limit: int = 10_000
    gap: float = 0.7
    """Readings whose log probabilities differ by less are about as likely: at most 2 to 1."""


class Offering:
    """Finds other readings over one knowledge base. Safe to share between threads.

    A store that fails or is slow costs offers, never the version."""

    def __init__(self, kb: KnowledgeBase, limits: Limits, returning: Returning | None = None) -> None:
        self._kb, self._limits = kb, limits
        self._returning = returning or Returning(kb.store)
        self._around, self._fit = Around(kb), Fit(kb.lexicon)

    def warm(self) -> None:
        """Make beforehand what the first question without an answer would wait for."""
        self._fit.warm()

    def added(self, version: Version, parses: Sequence[Parse], question: str, mode: Mode) -> Version:
        """The version with its offers: for one without answers the readings that have some, best
        first; for one with answers those that are about as likely, each with a warning on its step.
        `parses`: all readings of the question or correction. A mode without edits gets none."""
        if not mode.edits or not version.steps or self._limits.total_s <= 0:
            return version
        try:
            if version.broken_at is not None:
                return self._instead(version, parses, question, mode)
            if version.steps[-1].outcome == "answered":
                return self._besides(version, parses, mode)
        except StoreError:
            pass
        return version

    def _instead(self, version: Version, parses: Sequence[Parse], question: str, mode: Mode) -> Version:
        words = self._fit.question(question, [m.text for s in version.steps for m in s.mentions])
        run = _Run(self._kb, self._limits, self._limits.total_s, self._returning)
        proposed = proposals(version, parses, words, self._around, self._fit, run.select)
        found = run.executed(proposed, version, self._limits.offers)
        found.sort(key=lambda f: (-round(f.proposal.score, 2), -len(f.values)))
        return replace(version, offers=self._offers(found[: self._limits.offers], version, mode))

    def _besides(self, version: Version, parses: Sequence[Parse], mode: Mode) -> Version:
        near = siblings(version, parses, self._limits.gap)
        run = _Run(self._kb, self._limits, self._limits.answered_s, self._returning)
        mine = {a.value for a in version.steps[-1].answers}
        found = [f for f in run.executed(near, version, 2) if set(f.values) != mine]
        offers = self._offers(found, version, mode)
        return replace(version, offers=offers, steps=tuple(_warned(version, offers)))

    def _offers(self, found: Sequence[_Found], version: Version, mode: Mode) -> tuple[Offer, ...]:
        self._kb.names.fetch(v for f in found for v in f.values[: self._limits.sample] if isinstance(v, Iri))
        wording = Wording(self._kb, version, mode.phrasing == "templated")
        texts = wording.distinct([(f.proposal.step, f.parse) for f in found])
        out: dict[tuple[str, tuple[Answer, ...], int], Offer] = {}
        for f, text in zip(found, texts, strict=True):
            count = len(label_all(f.values, {}))
            offer = Offer(f.proposal.kind, f.proposal.step, text, f.parse, count, self._sample(f.values))
            out.setdefault((text, offer.sample, count), offer)
        return tuple(out.values())

    def _sample(self, values: Sequence[Constant]) -> tuple[Answer, ...]:
        some = values[: self._limits.sample]
        iris = [v for v in some if isinstance(v, Iri)]
        names = self._kb.names.fetch(iris)
        return label_all(some, {iri: names.get(iri) or fallback(iri) for iri in iris})


@dataclass(frozen=True, slots=True)
class _Found:
    """A proposal that has answers."""

    proposal: Proposal
    parse: Parse
    values: tuple[Constant, ...]


class _Run:
    """Queries against one deadline."""

    def __init__(self, kb: KnowledgeBase, limits: Limits, total_s: float, returning: Returning) -> None:
        self._kb, self._limits, self._returning = kb, limits, returning
        self._deadline = time.monotonic() + total_s
        self._known: dict[str, Rows] = {}

    def select(self, query: str) -> Rows:
        """Each query once. Raises `StoreError`: `StoreTimeout` too where no time is left."""
        if query in self._known:
            return self._known[query]
        limit = min(self._limits.query_s, self._deadline - time.monotonic())
        if limit <= 0:
            raise StoreTimeout("no time is left for offers")
        rows = self._kb.store.select(query, time_limit_s=limit, row_limit=self._limits.row_limit)
        self._known[query] = rows
        return rows

    def executed(self, proposed: Iterable[Proposal], version: Version, most: int) -> list[_Found]:
        """Those that have answers a person can read, in their order, until `most` are found; of those that
        find the same the likeliest. The first proposal is the best."""
        meant: set[Query] = {canonical(version.parse.query)}
        answers: set[frozenset[Constant]] = set()
        found: list[_Found] = []
        for proposal in proposed:
            few = len(answers) < self._limits.few
            behind = bool(found) and proposal.score < found[0].proposal.score - self._limits.behind
            if len(answers) >= most or (behind and not few) or self._late:
                break
            if len(meant) > self._limits.tried and not (few and proposal.kind == "without"):
                continue
            plain = proposal.assembled(version)
            if plain is None:
                continue
            try:
                parse = self._returning.apart(plain)
                if (form := canonical(parse.query)) in meant:
                    continue
                meant.add(form)
                rows = self.select(render(parse.query))
                told = frozenset(self._counted(parse) or collect(rows))
            except StoreUnavailable:
                break
            except (StoreTimeout, QueryError, DecompositionError):
                continue
            if tells(rows) and self._named(values := collect(rows)) and told not in answers:
                found.append(_Found(proposal, parse, values))
                answers.add(told)
        return found

    def _counted(self, parse: Parse) -> tuple[Constant, ...]:
        """What a reading counts or asks for at all: that two numbers are equal says little. Raises
        `StoreError`."""
        whole = parse.decomposition
        match whole.steps[-1]:
            case Count(source) | Check(source) | Amount(source) | Tally(source):
                return collect(self.select(render(recompose_step(whole, source.step))))
        return ()

    def _named(self, values: Sequence[Constant]) -> bool:
        """Whether a sample of the values tells a person something: a literal, or a name. A node that only
        ties others together has none."""
        some = values[: self._limits.sample]
        iris = [v for v in some if isinstance(v, Iri)]
        if len(iris) < len(some):
            return True
        names = self._kb.names.fetch(iris)
        return any(_speaks(iri, names) for iri in iris)

    @property
    def _late(self) -> bool:
        return time.monotonic() >= self._deadline


def _speaks(iri: Iri, names: Mapping[Iri, str]) -> bool:
    """Whether an entity is shown by more than an id."""
    return iri in names or not iri.value.startswith((FREEBASE, "_:"))


def _warned(version: Version, offers: Sequence[Offer]) -> Iterator[SubQuestion]:
    for step in version.steps:
        near = [o for o in offers if o.step == step.number]
        told = tuple(f"about as likely: {o.text} ({listing(o.sample, count=o.answer_count)})" for o in near)
        yield replace(step, warnings=(*step.warnings, *told)) if told else step
