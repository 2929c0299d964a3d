"""How ready a graph is to be asked: what has no name, can't be told apart, leads nowhere or is never
asked for; sample steps for each class; what to mend first; and a score.

The score (0..100) is the weighted geometric mean of four shares, so that one that is nothing makes the whole
nothing: triples whose predicate reads as English, things that have a name, names that are one thing's,
triples that a question can reach.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kbqa.errors import KnowledgeBaseError, StoreError
from kbqa.induce.english import local_name, spaced
from kbqa.induce.induce import RDF_TYPE
from kbqa.induce.profile import ClassInfo, PredicateInfo, Profile
from kbqa.kb.mediators import SHARE
from kbqa.kb.meta import read_profile
from kbqa.kb.names import fallback
from kbqa.kb.open import KnowledgeBase
from kbqa.link.disk import shared_names
from kbqa.phrase import RulePhraser, StepInContext
from kbqa.sparql.portable import term
from kbqa.templates import Names, write
from kbqa.types import Find, Hop, Iri
from kbqa.types import Path as LexiconPath

WEIGHTS = {"readable": 0.3, "named": 0.25, "distinct": 0.1, "reachable": 0.35}
SAMPLES, SHOWN = 3, 12
_LIMIT_S = 5.0


@dataclass(frozen=True, slots=True)
class Sample:
    """A step that can be asked of an instance of a class, with some of its answers."""

    kind: str
    template: str
    question: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """What to mend; `share` of the graph it holds back (0..1)."""

    share: float
    text: str


@dataclass(frozen=True)
class Report:
    """`shares`: the four parts of the score, 0..1. Lists hold (what, how many triples or things)."""

    name: str
    profile: Profile
    names: int
    shares: dict[str, float]
    unlabelled: tuple[tuple[Iri, int], ...]
    unreadable: tuple[tuple[Iri, int], ...]
    unworded: tuple[Iri, ...]
    ambiguous: tuple[int, tuple[tuple[str, int], ...]]
    nameless_classes: tuple[ClassInfo, ...]
    dead_ends: tuple[tuple[Iri, int], ...]
    never: tuple[tuple[Iri, int], ...]
    hidden: tuple[Iri, ...]
    samples: tuple[Sample, ...]

    @property
    def score(self) -> float:
        """0..100."""
        total = sum(weight * math.log(max(self.shares[part], 1e-6)) for part, weight in WEIGHTS.items())
        return 100 * math.exp(total)

    def advice(self) -> list[Advice]:
        """What holds back most first."""
        out: list[Advice] = []
        total = max(1, sum(p.triples for p in self.profile.predicates.values()))
        if self.unreadable:
            some = _listed(local_name(p) for p, _ in self.unreadable)
            share = sum(n for _, n in self.unreadable) / total
            out.append(
                Advice(share, f"give these predicates an rdfs:label, or a name in lexicon.toml: {some}")
            )
        things = max(1, sum(c.instances for c in self.profile.classes.values()))
        for known in self.nameless_classes[:SHOWN]:
            missing = known.instances - known.named
            text = f"give the instances of {known.name} a name ({missing:,} of {known.instances:,} lack one)"
            out.append(Advice(missing / things, text))
        if self.ambiguous[0]:
            some = _listed(f"{name!r} ({n})" for name, n in self.ambiguous[1])
            text = f"tell things of one name apart, by a longer label or skos:altLabel: {some}"
            out.append(Advice(1 - self.shares["distinct"], text))
        if self.dead_ends:
            some = _listed(local_name(p) for p, _ in self.dead_ends)
            share = sum(n for _, n in self.dead_ends) / total
            out.append(
                Advice(
                    share, f"answers without a name, from which nothing leads on: name what {some} lead to"
                )
            )
        if self.never:
            some = _listed(local_name(p) for p, _ in self.never)
            share = sum(n for _, n in self.never) / total
            out.append(
                Advice(share, f"no question reaches these predicates, as neither end has a name: {some}")
            )
        if self.unworded:
            some = _listed(local_name(p) for p in self.unworded)
            out.append(Advice(0.0, f"these read the same as others: word them in lexicon.toml: {some}"))
        return sorted(out, key=lambda a: -a.share)


def report(kb: KnowledgeBase) -> Report:
    """Of a folder that was built from an own graph. Raises `KnowledgeBaseError` for any other knowledge
    base; what the store can't answer in time is left out of the samples."""
    if kb.folder is None:
        raise KnowledgeBaseError(f"{kb.name} is no folder: build one with `kbqa kb build SOURCE --out DIR`")
    profile = read_profile(kb.folder)
    asked = {p: i for p, i in profile.predicates.items() if p != RDF_TYPE}
    unreadable = _ranked(i for i in asked.values() if not _reads(i, kb))
    never = _ranked(i for i in asked.values() if _never(i, profile))
    dead = _ranked(i for i in asked.values() if _is_dead_end(i, profile) and not _never(i, profile))
    names, shared, examples = shared_names(kb.folder / "labels", SHOWN)
    mediators = _mediator_classes(profile)
    things = [c for c in profile.classes.values() if c.instances and c.iri not in mediators]
    total = max(1, sum(i.triples for i in asked.values()))
    shares = {
        "readable": 1 - sum(n for _, n in unreadable) / total,
        "named": _share(things, kb),
        "distinct": 1 - shared / max(1, names),
        "reachable": 1 - (sum(n for _, n in never) + sum(n for _, n in dead)) / total,
    }
    if not things and not names:
        shares["named"] = 0.0
    hidden = tuple(sorted(kb.lexicon.hidden))
    return Report(
        kb.name,
        profile,
        len(kb.index),
        shares,
        _ranked(i for i in asked.values() if not i.label),
        unreadable,
        tuple(sorted(p for p in asked if (Hop(p),) not in kb.lexicon.wordings)),
        (shared, tuple(examples)),
        tuple(sorted((c for c in things if 2 * c.named < c.instances), key=lambda c: c.named - c.instances)),
        dead,
        never,
        hidden,
        tuple(_samples(kb, profile, things)),
    )


# --- what is wrong --------------------------------------------------------------


def _ranked(infos: Iterable[PredicateInfo]) -> tuple[tuple[Iri, int], ...]:
    return tuple(sorted(((i.iri, i.triples) for i in infos), key=lambda row: (-row[1], row[0])))


def _reads(info: PredicateInfo, kb: KnowledgeBase) -> bool:
    """Whether a predicate reads as words: a label, the owner's name, or a local name that is no code."""
    if info.label:
        return any(map(str.isalpha, info.label))
    owned = (Hop(info.iri),) in kb.lexicon.extra
    return owned or any(len(word) > 1 and word.isalpha() for word in spaced(local_name(info.iri)).split())


def _nameless_subjects(info: PredicateInfo) -> bool:
    return info.subject_unnamed >= SHARE * info.triples


def _never(info: PredicateInfo, profile: Profile) -> bool:
    """Whether nothing with a name is at either end, nor at the other end of a path through a mediator."""
    in_pairs = any(hop.predicate == info.iri for pair in profile.pairs for hop in pair)
    return (
        _nameless_subjects(info) and not in_pairs and info.entities - info.object_unnamed < 0.2 * info.triples
    )


def _is_dead_end(info: PredicateInfo, profile: Profile) -> bool:
    """Whether answers have no name, and no path leads on from them."""
    nameless = info.entities > 0 and info.object_unnamed >= SHARE * info.triples
    return nameless and not any(a.predicate == info.iri or b.predicate == info.iri for a, b in profile.pairs)


def _mediator_classes(profile: Profile) -> frozenset[Iri]:
    """The classes whose instances are mediators."""
    classes = {c for p in profile.out_of for c, _ in profile.predicates[p].domains}
    classes |= {c for p in profile.into for c, _ in profile.predicates[p].ranges}
    return frozenset(c for c in classes if c in profile.classes and not profile.classes[c].named)


def _share(things: Sequence[ClassInfo], kb: KnowledgeBase) -> float:
    """Of the instances, those that can be called by a name, stated or in their IRIs."""
    every = sum(c.instances for c in things)
    if not every:
        return 1.0 if len(kb.index) else 0.0
    named = sum(c.named for c in things)
    if named < every:
        named = max(named, min(every, sum(_called(kb, c) for c in things)))
    return named / every


def _called(kb: KnowledgeBase, known: ClassInfo) -> int:
    """How many instances have a name or an IRI that holds one: the latter by the first hundred."""
    if known.named == known.instances:
        return known.named
    query = f"SELECT ?e WHERE {{ ?e {term(RDF_TYPE)} {term(known.iri)} }}"
    try:
        rows = kb.store.select(query, time_limit_s=_LIMIT_S, row_limit=100).rows
    except StoreError:
        return known.named
    some = [row[0] for row in rows if isinstance(row[0], Iri)]
    called = sum(iri in kb.names for iri in some)
    return round(known.instances * called / max(1, len(rows)))


# --- samples --------------------------------------------------------------------


def _samples(kb: KnowledgeBase, profile: Profile, things: Sequence[ClassInfo]) -> Iterator[Sample]:
    """Up to `SAMPLES` steps for each class, the most used predicates first."""
    order = sorted(profile.predicates.values(), key=lambda i: (-i.triples, i.iri))
    for known in sorted(things, key=lambda c: (-c.instances, c.iri))[:SHOWN]:
        paths: list[LexiconPath] = [
            (Hop(i.iri),)
            for i in order
            if i.iri != RDF_TYPE
            and any(c == known.iri for c, _ in i.domains)
            and i.iri not in kb.lexicon.hidden
        ]
        made = 0
        for path in paths:
            if made == SAMPLES:
                break
            sample = _sample(kb, known, path)
            if sample is not None:
                made += 1
                yield sample


def _sample(kb: KnowledgeBase, known: ClassInfo, path: LexiconPath) -> Sample | None:
    query = f"SELECT ?e ?v WHERE {{ ?e {term(RDF_TYPE)} {term(known.iri)} ; {term(path[0].predicate)} ?v }}"
    try:
        rows = kb.store.select(query, time_limit_s=_LIMIT_S, row_limit=20).rows
        entities = [row[0] for row in rows if isinstance(row[0], Iri) and not row[0].value.startswith("_:")]
        names = kb.names.fetch(dict.fromkeys(entities))
        entity = next((e for e in entities if e in names), None)
        if entity is None:
            return None
        values = [row[1] for row in rows if row[0] == entity and row[1] is not None]
        known_names = kb.names.fetch([v for v in values if isinstance(v, Iri)])
    except StoreError:
        return None
    step = Find(entity, path)
    template = write(step, 1, kb.lexicon, Names({entity: names[entity]}))
    context = StepInContext((step,), 1, lambda iri: names.get(iri) or fallback(iri))
    question = RulePhraser(kb.lexicon).phrase(context, n=1)[0].text
    shown = [known_names.get(v) or fallback(v) if isinstance(v, Iri) else v.lexical for v in values[:3]]
    return Sample(known.name, template, question, tuple(shown))


def _listed(names: Iterable[str]) -> str:
    some = list(names)
    more = len(some) - SHOWN
    return ", ".join(some[:SHOWN]) + (f" and {more} more" if more > 0 else "")
