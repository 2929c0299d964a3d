"""The parser that ships: link, mark, search, read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor

from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import KbqaError, StoreError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.lexicon import show_path
from kbqa.models.checkpoint import Checkpoint, load_checkpoint
from kbqa.models.tokens import KEYWORDS, STRINGS, Vocabulary, encode, item_text
from kbqa.parse.beam import search
from kbqa.parse.grammar import Grammar
from kbqa.parse.program import ENTITIES, MAX_ENTITIES, read_program
from kbqa.parse.resolve import demands, resolve
from kbqa.parse.source import Entity, Source, place, source
from kbqa.protocols import Mention
from kbqa.sparql import canonical
from kbqa.types import Hop, Iri, Literal, Query, freebase

KINDS = tuple(
    freebase(t)
    for t in (
        "government.government_office_category",
        "government.government_office_or_title",
        "education.educational_degree",
        "people.gender",
    )
)
"""Types whose instances are named by common words ('president'), which no linker may pick alone."""

_LIMIT_S = 2.0
_OPTIONS, _SAME_NAME = 5, 0.85
_LEFT_OUT, _SECOND = -2.0, -0.3
"""Log probabilities: of an entity that the reading does not use, of a candidate that is not the best."""


class NeuralParser:
    """Reads questions over one knowledge base with one checkpoint. Stateless between questions."""

    def __init__(self, checkpoint: Checkpoint, kb: KnowledgeBase, *, width: int = 10) -> None:
        self.checkpoint, self.kb, self.width = checkpoint, kb, width
        self.signature = checkpoint.signature

    @classmethod
    def load(cls, folder: Path, kb: KnowledgeBase) -> NeuralParser:
        return cls(load_checkpoint(folder), kb)

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]:
        """Readings of a question. `grounded`: every predicate occurs in the knowledge base, and
        every first hop leaves the entity it starts from. Otherwise all predicates of the checkpoint
        and the lexicon may be used, and the entities need not be in the knowledge base."""
        entities = _placed(question, mentions)
        if grounded:
            entities += self._common_words(question, entities)
        prepared = source(question, entities)
        if not prepared.pointers.entities:
            return ()
        strings = frozenset(STRINGS)
        if not grounded:
            grammar = Grammar(prepared.pointers, self._all_items, strings, {}, self._known_pairs)
            return self._read(prepared, grammar, self._all_vocabulary, self._all_table, n)
        candidates = _candidates(mentions)
        options = {e: candidates.get(e, (e,)) for e in prepared.pointers.entities}
        leaving = self._leaving({c for group in options.values() for c in group})
        allowed = {
            token: frozenset(show_path((h,)) for c in options[e] for h in leaving[c])
            for token, e in zip(ENTITIES, prepared.pointers.entities, strict=False)
            if all(c in leaving for c in options[e])
        }
        grammar = Grammar(prepared.pointers, self._kb_items, strings, allowed, self._following)
        found = self._read(prepared, grammar, self._kb_vocabulary, self._kb_table, 2 * n)
        named = {c for group in candidates.values() for c in group}
        resolved = [
            _weighed(Parse(recompose(steps), steps, p.logprob), candidates, named)
            for p in found
            if (steps := resolve(p.decomposition, options, leaving)) is not None
        ]
        return sorted(resolved, key=lambda p: -p.logprob)[:n]

    def _read(
        self, prepared: Source, grammar: Grammar, vocabulary: Vocabulary, table: Tensor, n: int
    ) -> tuple[Parse, ...]:
        ids, mask = encode(self.checkpoint.tokenizer, [prepared.text])
        found = search(self.checkpoint.net, table, vocabulary, ids, mask, grammar, width=max(self.width, n))
        out: list[Parse] = []
        seen: set[Query] = set()
        for program in found:
            try:
                steps = read_program(program.tokens, prepared.pointers)
                query = recompose(steps)
            except KbqaError:
                continue
            form = canonical(query)
            if form not in seen:
                seen.add(form)
                out.append(Parse(query, steps, program.logprob))
        return tuple(out[:n])

    # --- entities

    def _common_words(self, question: str, entities: Sequence[Entity]) -> Iterator[Entity]:
        """Titles, degrees and the like that common words name, beside the linked entities."""
        words = [w.strip(".,;:!?\"'()") for w in question.split()]
        taken = {e.iri for e in entities}
        offered = [" ".join(words[i : i + k]) for k in (3, 2, 1) for i in range(len(words) - k + 1)]
        for text in offered:
            if len(text) < 4 or len(taken) >= MAX_ENTITIES:
                continue
            for c in self._titles.get(text.lower(), ()):
                if c not in taken:
                    taken.add(c)
                    start = question.lower().find(text.lower())
                    end = start + len(text)
                    if any(start < e.end and e.start < end for e in entities):
                        start = end = -1
                    yield Entity(c, text, start, end)

    @cached_property
    def _titles(self) -> Mapping[str, tuple[Iri, ...]]:
        """Lower-case name -> entities of `KINDS`."""
        found: dict[str, list[Iri]] = defaultdict(list)
        kinds = " ".join(f"<{k.value}>" for k in KINDS)
        kind, name = freebase("type.object.type").value, freebase("type.object.name").value
        query = f"SELECT DISTINCT ?e ?n WHERE {{ VALUES ?t {{ {kinds} }} ?e <{kind}> ?t . ?e <{name}> ?n }}"
        try:
            rows = self.kb.store.select(query, time_limit_s=_LIMIT_S, row_limit=5_000).rows
        except StoreError:
            return {}
        for entity, label in rows:
            if isinstance(entity, Iri) and isinstance(label, Literal):
                found[label.lexical.lower()].append(entity)
        return {k: tuple(v) for k, v in found.items()}

    def _leaving(self, entities: Iterable[Iri]) -> dict[Iri, frozenset[Hop]]:
        """For each entity the hops that leave it in the store; none is named where that took too long."""
        out: dict[Iri, frozenset[Hop]] = {}
        for entity in entities:
            try:
                forward = self._predicates("SELECT DISTINCT ?p WHERE { ?e ?p ?o }", entity)
                backward = self._predicates("SELECT DISTINCT ?p WHERE { ?s ?p ?e }", entity)
            except StoreTimeout:
                continue
            out[entity] = frozenset([Hop(p) for p in forward] + [Hop(p, True) for p in backward])
        return out

    def _predicates(self, query: str, entity: Iri) -> list[Iri]:
        rows = self.kb.store.select(query, bindings={"e": entity}, time_limit_s=_LIMIT_S)
        column = rows.variables.index("p")
        return [p for row in rows.rows if isinstance(p := row[column], Iri)]

    # --- vocabulary

    @cached_property
    def _kb_items(self) -> frozenset[str]:
        return frozenset(
            show_path((Hop(p, inverse),)) for p in self.kb.paths.predicates for inverse in (False, True)
        )

    @cached_property
    def _following(self) -> dict[str, frozenset[str]]:
        return _pairs(self.kb.paths.pairs)

    @cached_property
    def _known_pairs(self) -> dict[str, frozenset[str]]:
        """Two-hop paths of the lexicon and of the knowledge base."""
        known = [(p[0], p[1]) for p in self.kb.lexicon.wordings if len(p) == 2]
        return _pairs([*known, *self.kb.paths.pairs])

    @cached_property
    def _all_items(self) -> frozenset[str]:
        worded = {show_path((h,)) for p in self.kb.lexicon.wordings for h in p}
        return self._kb_items | frozenset(self.checkpoint.items) | worded

    @cached_property
    def _kb_vocabulary(self) -> Vocabulary:
        return Vocabulary(sorted(self._kb_items))

    @cached_property
    def _all_vocabulary(self) -> Vocabulary:
        return Vocabulary(sorted(self._all_items))

    @cached_property
    def _kb_table(self) -> Tensor:
        return self._table(self._kb_vocabulary)

    @cached_property
    def _all_table(self) -> Tensor:
        return self._table(self._all_vocabulary)

    @torch.inference_mode()
    def _table(self, vocabulary: Vocabulary) -> Tensor:
        """Output embeddings (V, D); items the checkpoint doesn't know are read from their words."""
        c = self.checkpoint
        where = {t: i for i, t in enumerate(c.items)}
        pooled = torch.zeros(len(vocabulary.items), c.net.config.width)
        residual = torch.zeros_like(pooled)
        new = [i for i, t in enumerate(vocabulary.items) if t not in where]
        for i, t in enumerate(vocabulary.items):
            if t in where:
                pooled[i], residual[i] = c.pooled[where[t]], c.residual[where[t]]
        for start in range(0, len(new), 256):
            part = new[start : start + 256]
            ids, mask = encode(c.tokenizer, [item_text(vocabulary.items[i]) for i in part])
            pooled[part] = c.net.encoder.pooled(ids, mask)
        assert len(KEYWORDS) == c.net.config.keywords
        return c.net.table(c.net.item(pooled) + residual)


def _placed(question: str, mentions: Sequence[Mention]) -> list[Entity]:
    """The best candidate of each mention; one without a span is looked for in the question."""
    best = [(m, m.candidates[0]) for m in mentions if m.candidates]
    loose = iter(place(question, [(c.entity, c.label) for m, c in best if m.end <= m.start]))
    return [Entity(c.entity, c.label, m.start, m.end) if m.end > m.start else next(loose) for m, c in best]


def _candidates(mentions: Sequence[Mention]) -> dict[Iri, tuple[Iri, ...]]:
    """Each mention's best entity -> the entities it may be, best first."""
    return {
        m.candidates[0].entity: tuple(
            c.entity for c in m.candidates[:_OPTIONS] if c.score >= _SAME_NAME * m.candidates[0].score
        )
        for m in mentions
        if m.candidates
    }


def _weighed(parse: Parse, candidates: Mapping[Iri, tuple[Iri, ...]], named: set[Iri]) -> Parse:
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
