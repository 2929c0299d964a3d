"""What a graph's classes are called, what leads from one to another, and with which words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kbqa.compose.words import ASIDE, MEASURED, related
from kbqa.induce.english import agent_in, local_name, many, singular, spaced
from kbqa.induce.induce import RDF_TYPE
from kbqa.induce.profile import PredicateInfo, Profile
from kbqa.induce.tables import AGENTS, IRREGULAR, MAKERS, PEOPLE
from kbqa.lexicon import Lexicon
from kbqa.link import key
from kbqa.types import Hop, Iri, Path, reverse

_STEM = 5
LITERAL = Iri("http://www.w3.org/2000/01/rdf-schema#Literal")
"""The class of what is no thing: numbers, dates, texts."""
MOST_NAMED = 200
"""Things of a class whose names may stand as common words."""
_ROLES = {word: n for n, maker in enumerate(MAKERS) for word in (AGENTS[maker][2], maker)}
_LAST = len(MAKERS) - 1
"""A screenwriter comes after those who are called by one of the words."""
MAKING = frozenset(("make", "made", "makin"))
"""Stems of what makers do; who only acted in a film made it, too, in a way."""
_PAIRS = ("neighbour neighbor", "colour color", "harbour harbor", "labour labor", "flavour flavor",
          "centre center", "metre meter", "theatre theater", "programme program", "licence license",
          "catalogue catalog", "organisation organization")  # fmt: skip
_OTHERWISE = {a: b for pair in _PAIRS for a, b in (pair.split(), pair.split()[::-1])}
_SPELT = re.compile("|".join(sorted(_OTHERWISE, key=len, reverse=True)), re.IGNORECASE)
_AMOUNTS = ("value", "amount", "quantity", "figure", "score", "level")
_OR = re.compile(r"\A(\w+) or \w+\Z")
_FORMS = {base: participle for participle, base in IRREGULAR.items()} | dict(IRREGULAR)


def stem(word: str) -> str:
    form = singular(word)[:_STEM]
    return form[:-2] if len(form) == _STEM and form.endswith("ed") and not form.endswith("eed") else form


def stems(words: Iterable[str]) -> frozenset[str]:
    """The stems of the words that say something."""
    return frozenset(stem(w) for w in words if w not in ASIDE and len(w) > 1)


def spellings(*nouns: str) -> tuple[str, ...]:
    """The nouns, in British and American spelling."""
    return tuple(dict.fromkeys(n for noun in nouns for n in (noun, *(_SPELT.sub(_otherwise, noun),))))


def _otherwise(found: re.Match[str]) -> str:
    return _OTHERWISE[found[0].lower()]


def _all_stems(texts: Iterable[str]) -> frozenset[str]:
    """With the other forms of irregular verbs, and words that say the same of dates and prices."""
    words = {w for text in texts for w in key(text.replace("{}", " ")).split()}
    words |= {_FORMS[w] for w in words if w in _FORMS}
    return stems(words | {r for w in words for r in related(w)})


@dataclass(frozen=True)
class Property:
    """A predicate whose values are asked for: `nouns` in their normal form, one and many."""

    path: Path
    info: PredicateInfo
    nouns: frozenset[str]
    stems: frozenset[str]
    units: frozenset[str] = frozenset()
    """Units that the name of a number tells."""

    def says(self, word: str) -> bool:
        """Whether its wordings hold the word, or one that says the same."""
        return bool(stems((word, *related(word))) & self.stems)

    main: bool = False
    """Whether it is what a class of nameless things is about: the value of a rating."""


class Schema:
    """One graph's classes and paths, by their words."""

    def __init__(self, profile: Profile, lexicon: Lexicon) -> None:
        self._profile, self._lexicon = profile, lexicon

    # --- classes

    @cached_property
    def classes(self) -> Mapping[str, tuple[Iri, ...]]:
        """Normal form of a noun, one or many -> the classes of which it is said; the last word of a longer
        noun, and the first of 'state or province', serve where no other class has them."""
        found: dict[str, list[Iri]] = defaultdict(list)
        heads: dict[str, list[Iri]] = defaultdict(list)
        for iri, nouns in self._lexicon.kinds.items():
            if iri in self._lexicon.hidden:
                continue
            for noun in nouns:
                for form in spellings(noun, many(noun)):
                    found[key(form)].append(iri)
                    heads[key(form).rpartition(" ")[2]].append(iri)
                for other in _OR.findall(noun):
                    for form in spellings(other, many(other)):
                        heads[key(form)].append(iri)
        for head, some in heads.items():
            if head not in found and len(set(some)) == 1:
                found[head] = some[:1]
        for iri, nouns in self._lexicon.kinds.items():
            alike = {w for noun in nouns for w in related(key(noun).rpartition(" ")[2])}
            for noun in alike if not self.is_named(iri) and iri not in self._lexicon.hidden else ():
                if many(noun) in alike:
                    found.setdefault(noun, [iri])
                    found.setdefault(many(noun), [iri])
        for noun in ("people", "person"):
            found.setdefault(noun, list(self.people))
        return {noun: tuple(dict.fromkeys(some)) for noun, some in found.items()}

    @cached_property
    def kinds(self) -> tuple[Iri, ...]:
        """The classes that may be asked for, the most instances first."""
        known = [k for k in self._lexicon.kinds if k not in self._lexicon.hidden]
        return tuple(sorted(known, key=lambda k: (-self._instances(k), k.value)))

    def _instances(self, kind: Iri) -> int:
        known = self._profile.classes.get(kind)
        return known.instances if known else 0

    @cached_property
    def small_kinds(self) -> tuple[Iri, ...]:
        """The classes with so few things that their names may stand as common words."""
        return tuple(k for k in self.kinds if 0 < self._instances(k) <= MOST_NAMED)

    def is_named(self, kind: Iri) -> bool:
        """Whether its things have names."""
        known = self._profile.classes.get(kind)
        return known is None or known.named > 0

    def nameless(self, kind: Iri) -> Sequence[tuple[Iri, Path]]:
        """The classes without names whose things those of a class lead to in one hop, such as its ratings,
        and the way back from them."""
        if kind not in self._nameless:
            some = [k for k in self.kinds if not self.is_named(k) and k not in self._above(kind)]
            ways = ((k, self.connections(kind, (k,), frozenset())) for k in some)
            self._nameless[kind] = [(k, found[0]) for k, found in ways if found and len(found[0]) == 1]
        return self._nameless[kind]

    @cached_property
    def _nameless(self) -> dict[Iri, Sequence[tuple[Iri, Path]]]:
        return {}

    def is_term(self, iri: Iri) -> bool:
        """Whether it is a predicate or class, not a thing."""
        return iri in self._profile.predicates or iri in self._profile.classes

    @cached_property
    def longest_noun(self) -> int:
        return max((len(noun.split()) for noun in self.classes), default=1)

    @cached_property
    def people(self) -> tuple[Iri, ...]:
        """The classes of people, the wider first."""
        found = [
            iri
            for iri, nouns in self._lexicon.kinds.items()
            if any(n.split()[-1] in PEOPLE for n in nouns)
            or any(key(self._name(up)) in PEOPLE for up in self._above(iri))
        ]
        return tuple(sorted(found, key=lambda kind: len(self._above(kind))))

    def nouns(self, kind: Iri) -> tuple[str, ...]:
        return self._lexicon.kinds.get(kind, ())

    def _name(self, kind: Iri) -> str:
        known = self._profile.classes.get(kind)
        return known.name if known else ""

    def _above(self, kind: Iri) -> frozenset[Iri]:
        return self._profile.ancestors.get(kind, frozenset((kind,)))

    def narrowest(self, kinds: Sequence[Iri]) -> Sequence[Iri]:
        """The classes that are above none of the others."""
        return [k for k in kinds if not any(k != other and k in self._above(other) for other in kinds)]

    def shared(self, kinds: Sequence[Iri], others: Sequence[Iri]) -> Sequence[Iri]:
        """The narrowest classes that are among, or above, both."""
        wide = {up for other in others for up in self._above(other)}
        return self.narrowest(tuple(dict.fromkeys(u for k in kinds for u in self._above(k) if u in wide)))

    def is_one(self, types: Iterable[Iri], kinds: Sequence[Iri]) -> bool:
        """Whether what is of these types is of one of the classes."""
        return any(kind in self._above(t) for t in types for kind in kinds)

    def akin(self, kinds: Iterable[Iri]) -> frozenset[Iri]:
        """The classes above and below the narrowest of these."""
        said = frozenset(kinds)
        if said not in self._kin:
            narrow = self.narrowest(tuple(said))
            below = (k for k in self._profile.classes if any(n in self._above(k) for n in narrow))
            self._kin[said] = frozenset(below).union(*(self._above(n) for n in narrow))
        return self._kin[said]

    @cached_property
    def _kin(self) -> dict[frozenset[Iri], frozenset[Iri]]:
        return {}

    @cached_property
    def plain_nouns(self) -> tuple[str, ...]:
        """Nouns of one word that classes and properties are called by, in a fixed order."""
        of_classes = {noun for nouns in self._lexicon.kinds.values() for noun in nouns}
        of_values = {noun for some in self._properties.values() for p in some for noun in p.nouns}
        return tuple(sorted({singular(n) for n in map(key, of_classes | of_values) if n.isalpha()}))

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """The words of all nouns and wordings, in a fixed order."""
        nouns = {w for noun in (*self.classes, *self.plain_nouns) for w in noun.split()}
        nouns |= {w for some in self._properties.values() for p in some for n in p.nouns for w in n.split()}
        said = (t for p in self._asked for back in (False, True) for t in self._texts((Hop(p, back),)))
        nouns |= {w for text in said for w in key(text.replace("{}", " ")).split()}
        return tuple(sorted(w for w in nouns if w.isalpha()))

    @cached_property
    def counts_people(self) -> bool:
        """Whether a number is called population, inhabitants or the like."""
        counted = stems(("population", "inhabitants", "residents"))
        return any(
            p.info.value == "number" and counted & stems(w for n in p.nouns for w in n.split())
            for some in self._properties.values()
            for p in some
        )

    @cached_property
    def known_stems(self) -> frozenset[str]:
        """The stems of all nouns and wordings."""
        nouns = stems(w for noun in (*self.classes, *self.plain_nouns) for w in noun.split())
        return nouns.union(*(self.stems((Hop(p),)) for p in self._asked))

    # --- from one class to another

    def connections(
        self, kind: Iri, others: Iterable[Iri], words: frozenset[str], made: bool = False
    ) -> Sequence[Path]:
        """The paths from something of the classes `others` to something of class `kind` whose wordings hold
        these stems: single hops before paths through a node in between, the most used first. `made`: who made
        it comes first, as in 'films by Ann'; 'made' itself means no other."""
        every = frozenset(others)
        if words & MAKING:
            by_them = self._connected(kind, every, words - MAKING, True)
            if any(self._role(p) < len(MAKERS) for p in by_them):
                return [p for p in by_them if self._role(p) < len(MAKERS)]
        return self._connected(kind, every, words, made)

    def _connected(self, kind: Iri, every: frozenset[Iri], words: frozenset[str], made: bool) -> list[Path]:
        named = self._noun_stems(every)
        wanted, akin = words - named, self.akin(every)
        found = [
            path
            for path, (start, end) in self._ends.items()
            if start & akin and kind in self._wide(end) and wanted <= self.stems(path)
        ]
        exact = [p for p in found if words <= self.stems(p)] or found
        return sorted(exact, key=lambda p: (len(p), made and self._role(p), -self._use(p), repr(p)))

    def _role(self, path: Path) -> int:
        """The place among `MAKERS` of what a predicate is called: 'director', 'directed by'."""
        name = self._lexicon.properties.get((Hop(path[-1].predicate),), "").split()
        said = (*name[-1:], *(name[:1] if name[1:] == ["by"] else ()))
        called = [_ROLES.get(w, _LAST) for w in said if agent_in(w) in _ROLES]
        return min(called, default=len(MAKERS))

    def does(self, path: Path, words: frozenset[str]) -> bool:
        """Whether what a path leads to is what does it: 'who supervises {}' of the way to the supervisor."""
        for clause in self._lexicon.natural.get(path, {}).get("clause", ()):
            match clause.split(" "):
                case ["who" | "that", verb, "{}"] if stem(verb) in words:
                    return True
        return False

    def doing(self, kind: Iri, words: frozenset[str]) -> Sequence[Path]:
        """What may lead from things of a class to other things, whose own wordings hold these stems, which
        are not those of a class."""
        akin = self.akin((kind,))
        found = [
            path
            for path, (start, end) in self._ends.items()
            if len(path) == 1
            and start & akin
            and words <= self.stems(path) - self._noun_stems((*start, *end))
        ]
        return sorted(found, key=lambda p: (-self._use(p), repr(p)))

    def leaving(self, kind: Iri, words: frozenset[str]) -> Sequence[Path]:
        """What may lead from things of a class to what these stems speak of: a property by its very noun
        first, then what the wordings of a hop and the nouns of the class at its end hold."""
        named = [p for p in self.properties(kind) if any(stems(n.split()) == words for n in p.nouns)]
        akin = self.akin((kind,))
        found = [
            path
            for path, (start, end) in self._ends.items()
            if start & akin and words <= self.stems(path) | self._noun_stems(end)
        ]
        found.sort(key=lambda p: (not words & self.stems(p), len(p), -self._use(p), repr(p)))
        rest = [p.path for p in self.properties(kind) if words <= p.stems]
        return tuple(dict.fromkeys((*(p.path for p in named), *found, *rest)))

    def _noun_stems(self, kinds: Iterable[Iri]) -> frozenset[str]:
        return stems(w for kind in kinds for noun in self.nouns(kind) for w in noun.split())

    def certain(self, path: Path, kind: Iri) -> bool:
        """Whether all that a path leads to is of this class."""
        hop = path[-1]
        info = self._profile.predicates[hop.predicate]
        found = self._profile.subject_class(info) if hop.inverse else self._profile.object_class(info)
        return found is not None and kind in self._above(found)

    def led_to(self, path: Path) -> Iri | None:
        """The class of what a predicate leads to."""
        info = self._profile.predicates[path[-1].predicate]
        return self._profile.object_class(info) if info.value == "entity" else None

    @cached_property
    def _ends(self) -> Mapping[Path, tuple[frozenset[Iri], frozenset[Iri]]]:
        """Each path with the narrowest classes at its start and end."""
        singles: dict[Path, tuple[frozenset[Iri], frozenset[Iri]]] = {}
        for predicate, info in self._asked.items():
            if info.value == "entity":
                ends = self._narrow(info.domains), self._narrow(info.ranges)
                singles[(Hop(predicate),)] = ends
                singles[(Hop(predicate, True),)] = ends[::-1]
        pairs: dict[Path, tuple[frozenset[Iri], frozenset[Iri]]] = {
            pair: (singles[pair[:1]][0], singles[pair[1:]][1])
            for pair in self._profile.pairs
            if pair[:1] in singles and pair[1:] in singles
        }
        return {**singles, **pairs}

    def ends(self, hop: Hop) -> tuple[frozenset[Iri], frozenset[Iri]]:
        """The narrowest classes where a hop starts and where it ends; none where they are not known."""
        info = self._asked.get(hop.predicate)
        if info is None:
            return frozenset(), frozenset()
        start, end = self._narrow(info.domains), self._narrow(info.ranges)
        if self.is_value(hop.predicate):
            end = frozenset((LITERAL,))
        return (end, start) if hop.inverse else (start, end)

    def _wide(self, kinds: Iterable[Iri]) -> frozenset[Iri]:
        return frozenset(up for kind in kinds for up in self._above(kind))

    def _narrow(self, counted: Iterable[tuple[Iri, int]]) -> frozenset[Iri]:
        """Without the classes that are only there as those above others."""
        often = dict(counted)
        below = {k: [o for o in often if o != k and k in self._above(o)] for k in often}
        return frozenset(
            k for k, n in often.items() if not below[k] or n > sum(often[o] for o in self._topmost(below[k]))
        )

    def _topmost(self, kinds: Sequence[Iri]) -> Sequence[Iri]:
        return [k for k in kinds if not any(k != other and other in self._above(k) for other in kinds)]

    def _use(self, path: Path) -> int:
        return min(self._profile.predicates[hop.predicate].triples for hop in path)

    @cached_property
    def _asked(self) -> Mapping[Iri, PredicateInfo]:
        hidden = self._lexicon.hidden
        return {p: i for p, i in self._profile.predicates.items() if p not in hidden and p != RDF_TYPE}

    # --- words of paths

    def stems(self, path: Path) -> frozenset[str]:
        """The stems of a path's wordings, in both directions; of a path through a node those of its hops."""
        if path not in self._stems:
            if len(path) > 1:
                found = frozenset(s for hop in path for s in self.stems((hop,)))
            else:
                found = _all_stems(t for way in (path, reverse(path)) for t in self._texts(way))
            self._stems[path] = found
        return self._stems[path]

    @cached_property
    def _stems(self) -> dict[Path, frozenset[str]]:
        return {}

    def ordered(self, path: Path, before: frozenset[str], after: frozenset[str]) -> bool:
        """Whether a wording has these stems before its name, and those after it: 'part of {}'."""
        halves = (text.partition("{}") for text in self._texts(path))
        return any(
            before <= _all_stems((left,)) and after <= _all_stems((right,)) for left, _, right in halves
        )

    def _texts(self, path: Path) -> Iterable[str]:
        wording = self._lexicon.wordings.get(path)
        if wording:
            yield wording.template
        for some in self._lexicon.natural.get(path, {}).values():
            yield from some
        yield self._lexicon.properties.get(path, "")

    # --- properties

    def properties(self, kind: Iri) -> Sequence[Property]:
        """What things of a class have, the most used first."""
        return self._properties.get(kind, ())

    @cached_property
    def _properties(self) -> Mapping[Iri, Sequence[Property]]:
        found: dict[Iri, list[Property]] = defaultdict(list)
        for predicate, info in sorted(self._asked.items(), key=lambda row: (-row[1].triples, row[0].value)):
            path = (Hop(predicate),)
            named = (*spaced(local_name(predicate)).split(), *key(info.label).split(), info.unit)
            units = frozenset(MEASURED[w] for w in named if w in MEASURED and len(w) > 1)
            entry = Property(path, info, self._nouns(path), self.stems(path), units)
            for kind in self._wide(iri for iri, _ in info.domains):
                found[kind].append(replace(entry, main=self._is_main(kind, entry)))
        return found

    def _is_main(self, kind: Iri, value: Property) -> bool:
        own = self._noun_stems((kind,)) | stems(_AMOUNTS)
        return (
            value.info.value == "number"
            and not self.is_named(kind)
            and any(stems(noun.split()) <= own for noun in value.nouns)
        )

    def counted(self, named: frozenset[str], said: frozenset[str]) -> Iterator[tuple[Iri, Property]]:
        """The narrowest classes with a number of which some stems are the name, and its wordings hold others:
        'Oscars' of 'Oscars won'."""
        for kind in self.narrowest(self.kinds):
            for found in self.properties(kind) if named else ():
                words = stems(w for noun in found.nouns for w in noun.split())
                if found.info.value == "number" and named <= words and said <= found.stems:
                    yield kind, found
                    break

    def is_value(self, predicate: Iri) -> bool:
        """Whether nothing but numbers, dates and texts are at its end."""
        info = self._asked.get(predicate)
        return info is not None and info.triples > 0 and info.entities == 0

    def is_amount(self, predicate: Iri) -> bool:
        info = self._asked.get(predicate)
        return info is not None and info.value in ("number", "date")

    def is_number(self, predicate: Iri) -> bool:
        info = self._asked.get(predicate)
        return info is not None and info.value == "number"

    def _nouns(self, path: Path) -> frozenset[str]:
        """'number of pages', 'pages', 'page count': what a value is called, one and many."""
        nouns = {self._lexicon.properties.get(path, "")}
        forms = self._lexicon.natural.get(path, {})
        for wording in forms.get("noun", ()):
            if wording.startswith("the ") and wording.endswith(" of {}"):
                nouns.add(wording.removeprefix("the ").removesuffix(" of {}"))
        for wording in forms.get("question", ()):
            if wording.startswith("How many ") and wording.endswith(" does {} have?"):
                nouns.add(wording.removeprefix("How many ").removesuffix(" does {} have?"))
        for noun in tuple(nouns):
            plain, _, unit = noun.rpartition(" in ")
            if plain and unit in MEASURED:
                nouns.add(plain)
        return frozenset(
            key(form) for noun in nouns if noun for form in spellings(noun, many(noun), singular(noun))
        )
