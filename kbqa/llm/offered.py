"""What the lexicon offers a language model: the phrases and properties that may stand in a step, those
first that sound like the question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kbqa.kb import KnowledgeBase
from kbqa.kb.names import ALIAS_PREDICATES, NAME_PREDICATES
from kbqa.kb.scan import TYPE_PREDICATES
from kbqa.templates import Names
from kbqa.templates.names import escape
from kbqa.templates.phrases import mediator_type, noun_phrase, property_name
from kbqa.types import Hop, Iri, Path

PER_ENTITY, FURTHER, PROPERTIES = 30, 30, 25
"""Phrases for each entity, for the answers of earlier steps, and properties in conditions."""

_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    "a an the is are was were of in on at to for from by with and or that this which who whom whose what "
    "where when how many much did do does has have had it its their his her be been one as thing".split()
)
_NEAR = 20
"""The phrases that tell a question's domains."""
_ASIDE = frozenset((*NAME_PREDICATES, *ALIAS_PREDICATES, *TYPE_PREDICATES))


def words_of(text: str) -> frozenset[str]:
    """The telling words of a text, cut to what their forms share."""
    found = (w for w in _WORD.findall(text.casefold()) if w not in _STOP)
    return frozenset(re.sub(r"(?<=\w{3})(?:ies|es|ed|ing|s|e|y)\Z", "", w) for w in found)


_MEASURE = words_of(
    "date year time number population length height width weight area size amount age rate count duration "
    "elevation depth speed temperature distance price cost score rank salary budget gross income"
)


def _domain(path: Path) -> str:
    """'film' for film.film.initial_release_date."""
    return path[0].predicate.mid.partition(".")[0]


class Similarity:
    """How much a question sounds like each of several texts: shared words, rare ones counting more."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._words = [words_of(t) for t in texts]
        counts = Counter(w for words in self._words for w in words)
        self._weights = {w: math.log(1 + len(texts) / n) for w, n in counts.items()}

    def ranked(self, question: str) -> list[int]:
        """All indices, the most similar first; ties stay in order."""
        asked = words_of(question)
        return sorted(range(len(self._words)), key=lambda i: -self._score(asked, self._words[i]))

    def _score(self, asked: frozenset[str], words: frozenset[str]) -> float:
        whole = sum(self._weights[w] for w in words)
        shared = sum(self._weights[w] for w in words & asked)
        return shared / math.sqrt(whole) if whole else 0.0


@dataclass(frozen=True)
class Offered:
    """The phrases of one knowledge base."""

    kb: KnowledgeBase

    def phrases(
        self, question: str, names: Names, leaving: Mapping[Iri, Iterable[Hop]]
    ) -> Iterator[tuple[Iri, list[str]]]:
        """For each entity noun phrases with its name in brackets, of paths that leave it. An entity of
        which nothing is known to leave gets what sounds like the question."""
        order = {path: rank for rank, path in enumerate(self._ranked(question))}
        for iri in names.labels:
            first = leaving.get(iri)
            if first is None:
                found = list(order)
            else:
                hops = frozenset(h for h in first if h.predicate not in _ASIDE)
                found = [p for p in order if p[0] in hops]
                worded = {p[0] for p in found if len(p) == 1}
                found += sorted((h,) for h in hops - worded if not self._leads_on(h))
            shown = sorted(found, key=lambda p: order.get(p, len(order)))[:PER_ENTITY]
            yield iri, [self.phrase(p, names.show(iri)) for p in shown]

    def further(self, question: str) -> list[str]:
        """Phrases for what goes on from the answers of an earlier step."""
        return [self.phrase(p, "that thing") for p in self._ranked(question)[:FURTHER]]

    def properties(self, question: str) -> list[str]:
        """What may stand in a condition ('whose population is ...') or an order: dates and numbers, those
        first that sound like the question, then those of its domains."""
        domains = Counter(_domain(p) for p in self._ranked(question)[:_NEAR])
        ranks = {p: rank for rank, p in enumerate(self._ranked(question))}
        order = sorted(self._measures, key=lambda p: (-domains[_domain(p)], ranks[p]))
        similar = sorted(self._measures, key=ranks.__getitem__)[: PROPERTIES // 2]
        chosen = list(dict.fromkeys([*similar, *order]))[:PROPERTIES]
        return [property_name(p[0].predicate, self.kb.lexicon, None) for p in chosen]

    def phrase(self, path: Path, name: str) -> str:
        """'the capital of [Egypt]', and what else its mediator tells, for conditions."""
        text = noun_phrase(path, self.kb.lexicon).replace("{}", f"[{escape(name)}]")
        told = self._told(path)
        return f"{text}   (may go on: {', '.join(f'where the {t} is ...' for t in told)})" if told else text

    def _told(self, path: Path) -> list[str]:
        kind = mediator_type(path)
        if kind is None:
            return []
        others = (h for h in self._after.get(path[0], ()) if h != path[1] and not h.inverse)
        return sorted(property_name(h.predicate, self.kb.lexicon, kind) for h in others)[:6]

    def _leads_on(self, hop: Hop) -> bool:
        return hop in self._after

    @cached_property
    def _after(self) -> Mapping[Hop, frozenset[Hop]]:
        """What follows a hop through a mediator."""
        found: dict[Hop, set[Hop]] = {}
        for first, second in self.kb.paths.pairs:
            found.setdefault(first, set()).add(second)
        return {k: frozenset(v) for k, v in found.items()}

    @cached_property
    def _worded(self) -> tuple[Path, ...]:
        """The worded paths that occur."""
        known = self.kb.paths.predicates
        return tuple(p for p in self.kb.lexicon.wordings if p and all(h.predicate in known for h in p))

    @cached_property
    def _measures(self) -> tuple[Path, ...]:
        """The worded properties whose values are dates or numbers, as far as their words tell."""
        wordings = self.kb.lexicon.wordings
        return tuple(
            p
            for p in self._worded
            if len(p) == 1
            and not p[0].inverse
            and (wordings[p].asks == "When" or _MEASURE & words_of(wordings[p].noun))
        )

    @cached_property
    def _similarity(self) -> Similarity:
        natural = self.kb.lexicon.natural
        return Similarity(
            [
                " ".join(
                    [noun_phrase(p, self.kb.lexicon), *(w for f in natural.get(p, {}).values() for w in f)]
                )
                for p in self._worded
            ]
        )

    def _ranked(self, question: str) -> list[Path]:
        return [self._worded[i] for i in self._similarity.ranked(question)]
