"""Which reading of a question is shown: each is run, and what comes of it counts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kbqa.answers import collect, tells
from kbqa.coverage import speaks
from kbqa.decompose import recompose_step
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, QueryError, StoreError, StoreTimeout
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.kept import Kept
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Mention
from kbqa.ranking import Focus, Ranking, fits, focus
from kbqa.sparql import render
from kbqa.types import Iri, Rows, freebase

_NOTABLE = f"SELECT ?t WHERE {{ ?e <{freebase('common.topic.notable_types').value}> ?t }}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A reading, with its answers where it was executed in time."""

    parse: Parse
    rows: Rows | None = None
    told: bool = False
    """Whether it has an answer."""
    late: bool = False


@dataclass(frozen=True)
class Choosing:
    """How many readings are run, for how long (seconds), and what they are worth."""

    tried: int = 10
    ranking_s: float = 6.0
    step_s: float = 5.0
    row_limit: int = 10_000
    ranking: Ranking = field(default_factory=Ranking)


class Chooser:
    """Runs readings over one knowledge base."""

    def __init__(self, kb: KnowledgeBase, limits: Choosing) -> None:
        self._kb, self.limits = kb, limits

    def warm(self) -> None:
        """Read beforehand what the first choice would read from the store."""
        _ = self.nouns.kinds

    def best(self, parses: Sequence[Parse], text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """Of the readings that speak of what the question speaks of the one that is worth most once it has
        been run; one that took too long, or has no answer, only where no other has one. None where there
        is no such reading."""
        names = names_in(self._kb, parses)
        wanted = focus(text, self.nouns.kinds)
        worth = [self.limits.ranking.before(p, text, mentions, self._kb.lexicon, names) for p in parses]
        deadline = time.monotonic() + self.limits.ranking_s
        best: tuple[float, Chosen] | None = None
        rest: list[Chosen] = []
        order = sorted(range(len(parses)), key=lambda i: -worth[i])
        for i in order[: self.limits.tried]:
            if best is not None and best[0] >= worth[i] + self.limits.ranking.fit:
                break
            ran = self._ran(parses[i], Kept(), deadline)
            if ran is None or not self._understood(ran, wanted, text, mentions, names):
                continue
            if not ran.told:
                rest.append(ran)
                continue
            answers = collect(ran.rows)[:5] if ran.rows else ()
            value = self.limits.ranking.after(worth[i], wanted, answers, self._types)
            if best is None or value > best[0]:
                best = value, ran
        return best[1] if best else min(rest, key=lambda c: not c.late, default=None)

    def _understood(
        self,
        found: Chosen,
        wanted: Focus | None,
        text: str,
        mentions: Sequence[Mention],
        names: Mapping[Iri, str],
    ) -> bool:
        """Whether a reading speaks of what the question speaks of, by its words (`kbqa.coverage`); or has
        answers that join several things which the question names, or that are of the kind it names.
        What was read by rule (log probability 0) is taken at its word."""
        if found.parse.logprob == 0.0:
            return True
        read = found.parse.decomposition
        if speaks(text, mentions, read, self._kb.lexicon, names):
            return True
        used = {c for s in read.steps for c in constants_of(s) if isinstance(c, Iri)}
        joined = sum(any(c.entity in used for c in m.candidates) for m in mentions)
        if not found.told or joined > 1:
            return found.told
        answers = collect(found.rows)[:5] if found.rows else ()
        return wanted is not None and wanted.sort == "kind" and fits(wanted, answers, self._types) is True

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


def names_in(kb: KnowledgeBase, parses: Sequence[Parse]) -> dict[Iri, str]:
    """The names of the entities that the readings use."""
    steps = [s for p in parses for s in p.decomposition.steps]
    return kb.names.fetch([c for s in steps for c in constants_of(s) if isinstance(c, Iri)])
