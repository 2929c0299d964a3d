"""A survey of a graph and what its ontology says -> the profile that its lexicon is induced from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from kbqa.induce.profile import ClassInfo, PredicateInfo, Profile
from kbqa.kb.mediators import inverse_pairs, mediating, paths_through
from kbqa.kb.ontology import Ontology, read_ontology
from kbqa.kb.survey import Survey
from kbqa.kb.vocabulary import TYPE, is_thing_class
from kbqa.protocols import Store
from kbqa.types import Iri


@dataclass
class _Tally:
    """Counts of one predicate."""

    triples: int = 0
    entities: int = 0
    subject_unnamed: int = 0
    object_unnamed: int = 0
    domains: Counter[str] = field(default_factory=Counter)
    ranges: Counter[str] = field(default_factory=Counter)
    datatypes: Counter[str] = field(default_factory=Counter)

    def info(self, iri: Iri, subjects: int) -> PredicateInfo:
        return PredicateInfo(
            iri,
            self.triples,
            subjects,
            self.entities,
            self.subject_unnamed,
            self.object_unnamed,
            ranked_classes(self.domains),
            ranked_classes(self.ranges),
            tuple(sorted(self.datatypes.items(), key=lambda row: (-row[1], row[0]))),
        )


def ranked_classes(counts: Mapping[str, int]) -> tuple[tuple[Iri, int], ...]:
    """Classes of things with their counts, most frequent first."""
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return tuple((Iri(c), n) for c, n in rows if is_thing_class(Iri(c)))


def tallied(found: Survey) -> dict[Iri, PredicateInfo]:
    """The predicates of a survey."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    sets = found.nodes.sets
    for (predicate, subject, unnamed, value, bare), count in found.counts.items():
        tally = tallies[predicate]
        tally.triples += count
        tally.subject_unnamed += count if unnamed else 0
        for iri in sets[subject]:
            tally.domains[iri] += count
        if isinstance(value, int):
            tally.entities += count
            tally.object_unnamed += count if bare else 0
            for iri in sets[value]:
                tally.ranges[iri] += count
        else:
            tally.datatypes[value] += count
    return {Iri(p): tally.info(Iri(p), found.subjects[p]) for p, tally in tallies.items()}


def profile_of_survey(found: Survey, store: Store, languages: tuple[str, ...]) -> Profile:
    """The profile of a local graph; `store` is opened on the same triples."""
    every, named = found.instances()
    counts = {Iri(c): (n, named[c]) for c, n in every.items() if is_thing_class(Iri(c))}
    return profile_of(store, found.triples, tallied(found), counts, languages)


def profile_of(
    store: Store,
    triples: int,
    predicates: Mapping[Iri, PredicateInfo],
    instances: Mapping[Iri, tuple[int, int]],
    languages: tuple[str, ...],
    cut: Iterable[str] = (),
) -> Profile:
    """`instances`: of each class how many, and how many of them have a name. Raises `StoreError`."""
    stated = read_ontology(store, predicates, instances, languages)
    described = {p: stated.described(info) for p, info in predicates.items()}
    for a, b in inverse_pairs(store, described).items():
        if described[a].inverse is None:
            described[a] = replace(described[a], inverse=b)
    into, out_of = mediating(described, TYPE)
    pairs, some_left = paths_through(store, described, into, out_of)
    used = {hop.predicate for pair in pairs for hop in pair}
    left_out = [*cut, *(["some paths through nameless nodes were not looked for"] if some_left else [])]
    return Profile(
        triples,
        _classes(stated, instances),
        described,
        pairs,
        into & used,
        frozenset(p for p in out_of & used if p not in into),
        tuple(left_out),
    )


def _classes(stated: Ontology, instances: Mapping[Iri, tuple[int, int]]) -> dict[Iri, ClassInfo]:
    every = sorted(c for c in stated.parents_of(instances) if is_thing_class(c))
    return {c: stated.classed(c, *instances.get(c, (0, 0))) for c in every}
