"""What the knowledge base says of a question: the entities its words name, the hops that leave them, and
so the grammar that its readings follow. Parsers differ in what they search that grammar with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kbqa.confidence import meanings
from kbqa.correct import Context, Corrected
from kbqa.correct.context import spoken_of
from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import KbqaError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import NAME_PREDICATES
from kbqa.kb.scan import TYPE_PREDICATES
from kbqa.lexicon import show_path
from kbqa.lookups import hops_leaving
from kbqa.parse.grammar import Grammar
from kbqa.parse.kinds import CommonNouns, beside
from kbqa.parse.program import ENTITIES, read_program
from kbqa.parse.resolve import demands, resolutions, resolve
from kbqa.parse.source import Entity, Source, correction_source, place, source
from kbqa.protocols import Mention
from kbqa.reading.levels import CONTAINS, WITHIN
from kbqa.sparql import canonical
from kbqa.types import Decomposition, Find, Hop, Iri, Keep, Merge, Path, Pick, Query, Ref, Step

_LIMIT_S = 2.0
_OPTIONS, _SAME_NAME = 5, 0.85
_LEFT_OUT, _SECOND = -2.0, -0.3
"""Log probabilities: of an entity that the reading does not use, of a candidate that is not the best."""


_WORDED = 0.0
"""Log probability of a reading that a natural wording of its path is known for."""

Found = tuple[Sequence[str], float]
"""A program's tokens and its log probability."""


@dataclass(frozen=True)
class Asked:
    """A question as a parser reads it. `options`: what each entity may be, best first; `leaving`: the
    hops that leave those; both are empty where nothing is asked of the knowledge base. `names`: of the
    entities that it may speak of."""

    source: Source
    grammar: Grammar
    options: Mapping[Iri, Sequence[Iri]]
    leaving: Mapping[Iri, frozenset[Hop]]
    candidates: Mapping[Iri, tuple[Iri, ...]]
    names: Mapping[Iri, str]

    def readings(self, found: Iterable[Found], most: int) -> list[Parse]:
        """The programs (likeliest first) as readings, without those that are none, say the same or say
        something twice; at most so many of them are looked at in the knowledge base."""
        out: list[Parse] = []
        seen: set[Query] = set()
        for tokens, logprob in found:
            try:
                steps = read_program(tokens, self.source.pointers)
                query = recompose(steps)
            except KbqaError:
                continue
            form = canonical(query)
            if form not in seen and not says_twice(steps):
                seen.add(form)
                out.append(Parse(query, steps, logprob))
        return self.resolved(out[:most]) if self.options else out[:most]

    def preferring(self, paths: Iterable[Path], parses: Sequence[Parse]) -> tuple[Parse, ...]:
        """The readings, before them those of one step along a path that the question's wording is known
        for, from its entity."""
        anchors = self.source.pointers.entities[:1]
        steps = [Decomposition((Find(anchor, path),)) for anchor in anchors for path in paths]
        known = self.resolved([Parse(recompose(s), s, _WORDED) for s in steps])
        forms = {canonical(p.query) for p in known}
        return (*known, *(p for p in parses if canonical(p.query) not in forms))

    def resolved(self, parses: Iterable[Parse]) -> list[Parse]:
        """With the entities that have what is asked of them, weighed by which entities they speak of; best
        first."""
        named = {c for group in self.candidates.values() for c in group}
        resolved = [
            weighed(Parse(recompose(steps), steps, p.logprob), self.candidates, named)
            for p in parses
            for steps in resolutions(p.decomposition, self.options, self.leaving)
        ]
        return sorted(resolved, key=lambda p: -p.logprob)

    def resolve(self, found: Decomposition) -> Decomposition | None:
        """With the entities that have what is asked of them; None where there are none such."""
        return resolve(found, self.options, self.leaving)


def says_twice(found: Decomposition) -> bool:
    """Whether an either/or has the same on both sides, or an answer is narrowed by the same thing again."""
    steps = found.steps
    if any(isinstance(s, Merge) for s in steps):
        said = tuple(meanings(found))
        for merge in steps:
            if isinstance(merge, Merge) and len({said[r.step - 1] for r in merge.sources}) < len(
                merge.sources
            ):
                return True
    for step in steps:
        conditions = []
        while isinstance(step, Keep):
            conditions.append(replace(step, source=Ref(1)))
            step = steps[step.source.step - 1]
        if len(set(conditions)) < len(conditions):
            return True
    return False


@dataclass(frozen=True)
class AskedStep:
    """A sub-question as a corrector reads it."""

    asked: Asked
    text: str
    mentions: tuple[Mention, ...]
    context: Context

    def corrections(self, found: Iterable[Found]) -> tuple[Corrected, ...]:
        """The programs of one step each (likeliest first) as corrections, without those that are none."""
        out: dict[Step, float] = {}
        for tokens, logprob in found:
            try:
                read = read_program(tokens, self.asked.source.pointers)
            except KbqaError:
                continue
            resolved = self.asked.resolve(read)
            if resolved is not None:
                step = resolved.steps[0]
                step = step if self.context.shown else spoken_of(step, self.text, self.context.nouns)
                out.setdefault(step, logprob)
        return tuple(Corrected(step, logprob, self.mentions) for step, logprob in out.items())


class Grounding:
    """`items`, `strings`: predicate tokens that a parser knows beside those of the knowledge base, and the
    quoted texts that it may compare with."""

    def __init__(self, kb: KnowledgeBase, items: Iterable[str] = (), strings: Iterable[str] = ()) -> None:
        self._kb, self._items, self._strings = kb, frozenset(items), frozenset(strings)
        self._nouns = CommonNouns(kb.store, kb.kinds)
        self._naming = frozenset((*NAME_PREDICATES, *(() if kb.own else TYPE_PREDICATES)))

    def asked(self, question: str, mentions: Sequence[Mention], *, grounded: bool = True) -> Asked | None:
        """None for a question about no entity. `grounded`: every predicate occurs in the knowledge base,
        and every first hop leaves the entity it starts from. Otherwise all predicates that are known may
        be used, and the entities need not be in the knowledge base."""
        entities = placed(question, mentions)
        if grounded:
            entities += beside(question, entities, self._nouns)
        prepared = source(question, entities)
        if not prepared.pointers.entities:
            return None
        if not grounded:
            grammar = Grammar(prepared.pointers, self.all_items, self._strings, {}, self._known_pairs)
            return Asked(prepared, grammar, {}, {}, {}, _named(prepared, entities))
        return self._grounded(prepared, entities, mentions, further=WITHIN)

    def asked_step(self, text: str, mentions: Sequence[Mention], context: Context) -> AskedStep:
        """A sub-question that goes on from an earlier step leaves one of that step's answers."""
        entities = placed(text, mentions)
        known = {e.iri for e in entities}
        entities += [e for e in place(text, context.entities) if e.start >= 0 and e.iri not in known]
        entities += beside(text, entities, self._nouns)
        prepared = correction_source(text, entities, context.shown, context.question)
        contextual = bool(context.shown)
        samples: dict[str, frozenset[str]] = {}
        for number, some in enumerate(context.samples if contextual else (), 1):
            hops = self.leaving(some[:3]).values()
            if hops:
                samples[f"<s{number}>"] = frozenset(show_path((h,)) for found in hops for h in found)
        asked = self._grounded(prepared, entities, mentions, samples)
        before = len(context.steps) if contextual else min(2, len(context.steps))
        grammar = replace(asked.grammar, before=before, single=True)
        return AskedStep(replace(asked, grammar=grammar), text, tuple(mentions), context)

    def _grounded(
        self,
        prepared: Source,
        entities: Sequence[Entity],
        mentions: Sequence[Mention],
        samples: Mapping[str, frozenset[str]] | None = None,
        further: frozenset[Hop] = frozenset(),
    ) -> Asked:
        """`samples`: step token -> the hops that leave some of its answers. `further`: the hops that may
        leave a place which others lie in, for they may leave those."""
        candidates = candidates_of(mentions)
        options = {e: candidates.get(e, (e,)) for e in prepared.pointers.entities}
        leaving = {
            e: hops | {h for h in further if self.has(h)} if CONTAINS in hops else hops
            for e, hops in self.leaving({c for group in options.values() for c in group}).items()
        }
        allowed = {
            token: frozenset(show_path((h,)) for c in options[e] for h in leaving[c])
            for token, e in zip(ENTITIES, prepared.pointers.entities, strict=False)
            if all(c in leaving for c in options[e])
        }
        grammar = Grammar(
            prepared.pointers, self.kb_items, self._strings, {**allowed, **(samples or {})}, self._following
        )
        return Asked(prepared, grammar, options, leaving, candidates, _named(prepared, entities))

    def warm(self) -> None:
        """Read beforehand what the first question would read from the store."""
        _ = self._nouns.kinds, self._nouns.titles, self._nouns.concepts, self._following

    # --- entities

    def leaving(self, entities: Iterable[Iri]) -> dict[Iri, frozenset[Hop]]:
        """For each entity the hops that leave it in the store, but for those that only name it; none is named
        where that took too long."""
        out: dict[Iri, frozenset[Hop]] = {}
        for entity in entities:
            try:
                hops = tuple(hops_leaving(self._kb.store, entity, _LIMIT_S))
            except StoreTimeout:
                continue
            out[entity] = frozenset(h for h in hops if h.inverse or h.predicate not in self._naming)
        return out

    # --- predicates

    def holds(self, step: Step) -> bool:
        """Whether every predicate of a step occurs in the knowledge base."""
        return all(map(self.has, hops_of(step)))

    def has(self, hop: Hop) -> bool:
        return hop.predicate in self._kb.paths.predicates

    @cached_property
    def all_items(self) -> frozenset[str]:
        """The hops of the knowledge base, the lexicon and the parser."""
        worded = {show_path((h,)) for p in self._kb.lexicon.wordings for h in p}
        return self.kb_items | self._items | worded

    @cached_property
    def kb_items(self) -> frozenset[str]:
        """The hops of the knowledge base."""
        return frozenset(
            show_path((Hop(p, inverse),)) for p in self._kb.paths.predicates for inverse in (False, True)
        )

    @cached_property
    def _following(self) -> dict[str, frozenset[str]]:
        return _pairs(self._kb.paths.pairs)

    @cached_property
    def _known_pairs(self) -> dict[str, frozenset[str]]:
        """Two-hop paths of the lexicon and of the knowledge base."""
        known = [(p[0], p[1]) for p in self._kb.lexicon.wordings if len(p) == 2]
        return _pairs([*known, *self._kb.paths.pairs])


def placed(question: str, mentions: Sequence[Mention]) -> list[Entity]:
    """The best candidate of each mention; one without a span is looked for in the question."""
    best = [(m, m.candidates[0]) for m in mentions if m.candidates]
    loose = iter(place(question, [(c.entity, c.label) for m, c in best if m.end <= m.start]))
    return [Entity(c.entity, c.label, m.start, m.end) if m.end > m.start else next(loose) for m, c in best]


def hops_of(step: Step) -> tuple[Hop, ...]:
    """Every hop of a step, those of its conditions too."""
    match step:
        case Find(_, path, restrictions) | Keep(_, _, path, restrictions):
            return (*path, *(hop for r in restrictions for hop in r.path))
        case Pick(path=path):
            return path
        case _:
            return ()


def _named(prepared: Source, entities: Sequence[Entity]) -> dict[Iri, str]:
    return {e.iri: e.name for e in entities if e.iri in prepared.pointers.entities}


def candidates_of(mentions: Sequence[Mention]) -> dict[Iri, tuple[Iri, ...]]:
    """Each mention's best entity -> the entities it may be, best first."""
    return {
        m.candidates[0].entity: tuple(
            c.entity for c in m.candidates[:_OPTIONS] if c.score >= _SAME_NAME * m.candidates[0].score
        )
        for m in mentions
        if m.candidates
    }


def weighed(parse: Parse, candidates: Mapping[Iri, tuple[Iri, ...]], named: set[Iri]) -> Parse:
    """A reading that leaves a recognised entity out is less likely; so is one that needs another
    than the best candidate."""
    used = {e for e, _ in demands(parse.decomposition.steps)}
    left_out = sum(not used & set(group) for group in candidates.values())
    second = len((used & named) - set(candidates))
    return replace(parse, logprob=parse.logprob + _LEFT_OUT * left_out + _SECOND * second)


def _pairs(pairs: Iterable[tuple[Hop, Hop]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for a, b in pairs:
        found[show_path((a,))].add(show_path((b,)))
    return {k: frozenset(v) for k, v in found.items()}
