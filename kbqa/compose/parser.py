"""A parser that reads by rule what it can, and leaves the rest to another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Protocol

from kbqa.compose.alike import Likeness, in_its_words
from kbqa.compose.asides import core
from kbqa.compose.conditions import Conditions
from kbqa.compose.counting import ends_in, led_back, uncounted
from kbqa.compose.fitting import fits
from kbqa.compose.phrases import Phrases
from kbqa.compose.pronouns import resolved
from kbqa.compose.questions import Questions
from kbqa.compose.schema import MOST_NAMED, Schema
from kbqa.compose.spelling import counted_people, respelt
from kbqa.compose.text import text_of
from kbqa.compose.vocabulary import best_known, by_company, in_apposition, with_names, without_terms
from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, StoreError, StoreTimeout
from kbqa.induce.induce import RDF_TYPE
from kbqa.induce.match import Matcher
from kbqa.kb import KnowledgeBase
from kbqa.kb.meta import read_profile
from kbqa.kb.names import NAME_PREDICATES
from kbqa.link import key
from kbqa.lookups import holds
from kbqa.protocols import Candidate, Mention, is_concurrent, signature_of, warm
from kbqa.sparql import canonical
from kbqa.sparql.portable import quote, term
from kbqa.types import Decomposition, Guards, Hop, Iri, Literal, Path, Query

_SECOND = -4.0
"""Log probability of each reading after the first, which is taken at its word: less than what all of a
question's words in a reading weigh (`kbqa.reading.ranking`), for each reading by rule has a part for each of
them."""
_DOUBTFUL = 0.3
"""A reading that is so much more doubtful than the best is none."""
_MOST_TRIED = 2_000
_MOST_WORDS = 40
_LIMIT_S = 2.0
_MOST_VALUES = 5
_WHO = re.compile(r"\s*who(?:se|m|'s|s)?\b", re.IGNORECASE)


class Parser(Protocol):
    """What reads the questions that no rule reads (`kbqa.engine.Parser`)."""

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]: ...


class ComposingParser:
    """Reads by rule over one own graph; `then` reads what the rules don't, and what is one of the lexicon's
    own wordings around a name. `likeness` tells which of the graph's nouns a word means that it has not."""

    def __init__(self, kb: KnowledgeBase, then: Parser, likeness: Likeness | None = None) -> None:
        self._kb, self._then, self._likeness = kb, then, likeness
        self._namings: dict[Iri, Path | None] = {}
        self._joined: dict[tuple[Iri, Path, Iri | None, Iri | None], bool] = {}
        self.concurrent = is_concurrent(then)
        self.signature = f"rules/{signature_of(then)}"

    def warm(self) -> None:
        warm(self._then)
        _ = self._schema

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]:
        """Readings by rule, where there are any that leave no word over; the first has log probability 0."""
        if not grounded:
            return self._then.parse(question, mentions, n=n, grounded=False)
        question, mentions = core(*resolved(question, self._likeliest(mentions)))
        worded: Sequence[Parse] = ()
        if self._matcher.worded(question, mentions):
            worded = self._then.parse(question, mentions, n=n)
            if any(p.logprob == 0.0 for p in worded):
                return worded
        found = self.composed(question, mentions)
        if found:
            return found[:n]
        read = worded or self._then.parse(question, mentions, n=n)
        possible = [p for p in read if not led_back(p.decomposition.steps, self._is_value)]
        if _WHO.match(question):
            possible = [p for p in possible if not ends_in(p.decomposition.steps, self._is_amount)]
        fitting = [p for p in possible if self._fits(p)]
        return tuple(uncounted(question, fitting or possible, self._is_number))

    def _fits(self, parse: Parse) -> bool:
        if self._schema is None:
            return True
        try:
            return fits(parse.decomposition.steps, self._schema, self._kb.types)
        except StoreError:
            return True

    def _is_value(self, hop: Hop) -> bool:
        schema = self._schema
        return schema is not None and schema.is_value(hop.predicate)

    def _is_amount(self, hop: Hop) -> bool:
        """Whether numbers or dates are at its end, which are no one."""
        schema = self._schema
        return schema is not None and not hop.inverse and schema.is_amount(hop.predicate)

    def _is_number(self, hop: Hop) -> bool:
        schema = self._schema
        return schema is not None and not hop.inverse and schema.is_number(hop.predicate)

    def composed(self, question: str, mentions: Sequence[Mention]) -> tuple[Parse, ...]:
        """The readings by rule alone, the least doubtful first."""
        phrases = self.phrases(question, self._likeliest(mentions))
        if phrases is None:
            return ()
        try:
            found = list(islice(Questions(phrases).readings(), _MOST_TRIED))
        except StoreError:
            return ()
        queries: dict[Query, Parse] = {}
        least = min((doubt for doubt, _ in found), default=0.0)
        for _, steps in sorted((r for r in found if r[0] <= least + _DOUBTFUL), key=lambda r: r[0]):
            decomposition = Decomposition(steps, self._guards)
            try:
                query = recompose(decomposition)
            except DecompositionError:
                continue
            queries.setdefault(canonical(query), Parse(query, decomposition, _SECOND * len(queries)))
        return tuple(queries.values())

    def phrases(self, text: str, mentions: Sequence[Mention]) -> Phrases | None:
        """What reads the phrases of a text; None for one that is too long, or a graph without a profile."""
        said = text_of(text, mentions)
        if self._schema is None or not 0 < len(said) <= _MOST_WORDS:
            return None
        said = respelt(without_terms(said, self._schema), self._schema)
        said = with_names(counted_people(said, self._schema), self._schema, self._vocabulary)
        said = in_apposition(said, self._schema, self.types)
        if self._likeness is not None:
            said = in_its_words(said, self._schema, self._likeness)
        return Phrases(
            Conditions(said, self._schema, _Data(self._kb, self._schema, {}, self._namings, {}, self._joined))
        )

    def _likeliest(self, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """The mentions, of things of one name the likeliest first."""
        return by_company(best_known(mentions, self._said_of), self._linked)

    def _linked(self, one: Iri, other: Iri) -> bool:
        """Whether the graph says something of the two; not where the store doesn't tell."""
        a, b = term(one), term(other)
        try:
            return holds(self._kb.store, f"{{ {a} ?p {b} }} UNION {{ {b} ?p {a} }}", _LIMIT_S)
        except StoreError:
            return False

    def _said_of(self, entity: Iri) -> int:
        """How many triples the graph has of a thing; 0 where the store doesn't tell."""
        query = f"SELECT (COUNT(*) AS ?n) WHERE {{ {term(entity)} ?p ?o }}"
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except StoreError:
            return 0
        return int(rows[0][0].lexical) if rows and isinstance(rows[0][0], Literal) else 0

    def types(self, entity: Iri) -> Sequence[Iri]:
        """The classes of a thing. Raises `StoreError`."""
        return self._kb.types(entity)

    @property
    def _guards(self) -> Guards:
        """Literals of other languages are left out where English ones are to be shown."""
        return Guards(english=self._kb.languages[:1] == ("en",), apart=False)

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(self._kb.lexicon)

    @cached_property
    def _vocabulary(self) -> Mapping[str, Sequence[Candidate]]:
        """The names of the things of small classes, in their normal form, that the store tells in time."""
        found: dict[str, list[Candidate]] = {}
        for kind in self._schema.small_kinds if self._schema else ():
            query = f"SELECT DISTINCT ?x WHERE {{ ?x <{RDF_TYPE.value}> {term(kind)} }}"
            try:
                rows = self._kb.store.select(query, time_limit_s=_LIMIT_S, row_limit=MOST_NAMED).rows
                named = self._kb.names.fetch([row[0] for row in rows if isinstance(row[0], Iri)])
            except StoreTimeout:
                continue
            for iri, name in named.items():
                candidates = found.setdefault(key(name), [])
                if all(c.entity != iri for c in candidates):
                    candidates.append(Candidate(iri, name, name, 1.0))
        return found

    @cached_property
    def _schema(self) -> Schema | None:
        """None for a graph that was not profiled."""
        folder = self._kb.folder
        return None if folder is None else Schema(read_profile(folder), self._kb.lexicon)


@dataclass(frozen=True)
class _Data:
    """One knowledge base as the rules ask it; see `kbqa.compose.conditions.Ground`."""

    kb: KnowledgeBase
    schema: Schema
    texts: dict[tuple[Path, str], Sequence[Literal]]
    namings: dict[Iri, Path | None]
    led: dict[tuple[Iri, Path], bool]
    joined: dict[tuple[Iri, Path, Iri | None, Iri | None], bool]
    """What was asked before: texts of this question, names of classes, what leads somewhere."""

    def types(self, entity: Iri) -> Sequence[Iri]:
        return self.schema.narrowest(self.kb.types(entity))

    def spelt(self, path: Path, text: str) -> Sequence[Literal]:
        if (path, text) not in self.texts:
            self.texts[path, text] = self._spelt(path, text)
        return self.texts[path, text]

    def _spelt(self, path: Path, text: str) -> Sequence[Literal]:
        predicate, said = term(path[0].predicate), quote(text.lower())
        query = f"SELECT DISTINCT ?v WHERE {{ ?x {predicate} ?v FILTER (LCASE(STR(?v)) = {said}) }}"
        rows = self.kb.store.select(query, time_limit_s=_LIMIT_S, row_limit=_MOST_VALUES).rows
        return [row[0] for row in rows if isinstance(row[0], Literal)]

    def leads(self, entity: Iri, path: Path) -> bool:
        if (entity, path) not in self.led:
            self.led[entity, path] = self._leads(entity, path)
        return self.led[entity, path]

    def _leads(self, entity: Iri, path: Path) -> bool:
        steps = "/".join(("^" if hop.inverse else "") + term(hop.predicate) for hop in path)
        return holds(self.kb.store, f"{term(entity)} {steps} ?x", _LIMIT_S)

    def joins(self, kind: Iri, path: Path, other: Iri | None, one: Iri | None = None) -> bool:
        asked = kind, path, other, one
        if asked not in self.joined:
            self.joined[asked] = self._joins(kind, path, other, one)
        return self.joined[asked]

    def _joins(self, kind: Iri, path: Path, other: Iri | None, one: Iri | None) -> bool:
        steps = "/".join(("^" if hop.inverse else "") + term(hop.predicate) for hop in path)
        start = "?s" if one is None else term(one)
        kinds = "" if other is None else f"{start} <{RDF_TYPE.value}> {term(other)} . "
        try:
            return holds(
                self.kb.store, f"{kinds}{start} {steps} ?x . ?x <{RDF_TYPE.value}> {term(kind)}", _LIMIT_S
            )
        except StoreError:
            return True

    def naming(self, kind: Iri) -> Path | None:
        if kind not in self.namings:
            self.namings[kind] = self._naming(kind)
        return self.namings[kind]

    def _naming(self, kind: Iri) -> Path | None:
        for predicate in NAME_PREDICATES:
            if holds(
                self.kb.store, f"?x <{RDF_TYPE.value}> {term(kind)} ; {term(predicate)} ?name", _LIMIT_S
            ):
                return (Hop(predicate),)
        return None
