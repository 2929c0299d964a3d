"""A profile -> wordings of all its predicates that differ from each other -> the lexicon's files.

Where two directions would read the same, the class of their subjects tells them apart ('the title of the
book {}'), then the class of the answers, then the vocabulary ('the dcterms title of {}'). What still
reads the same has no wording of its own: its template is the chain of its IRI, which is no one else's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as File

from kbqa.induce.english import clean, local_name, lowered, many, singular
from kbqa.induce.predicates import FORMS, Draft, Way, draft, predicate_words
from kbqa.induce.profile import ClassInfo, Profile
from kbqa.lexicon import show_path
from kbqa.types import Hop, Iri, Path

RDF_TYPE = Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
KIND_LIKE = "common topic : notable types"
"""How the predicate of types is read to a model: as the one of this meaning that it was trained with."""

_PREFIXES = {
    "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://xmlns.com/foaf/0.1/": "foaf",
    "http://schema.org/": "schema.org",
    "https://schema.org/": "schema.org",
    "http://www.w3.org/2004/02/skos/core#": "skos",
    "http://www.w3.org/2006/vcard/ns#": "vcard",
    "http://www.w3.org/ns/prov#": "prov",
    "http://www.w3.org/ns/org#": "org",
    "http://dbpedia.org/ontology/": "dbo",
    "http://dbpedia.org/property/": "dbp",
}
_FORBIDDEN = ("[", "]", '"', "?", ", where", ", whose", ", which", " (", "\t", "\n")
_TAKEN_NAME = re.compile(r" of the | (?:is|if any|after the first) |\A(?:is|if any) | backwards\Z|[()<>]")


@dataclass(frozen=True)
class Induced:
    """Wordings by path, names of properties, what predicates are called to a model, nouns of classes;
    `unworded`: paths for which no wording of their own was found."""

    ways: Mapping[Path, Way]
    names: Mapping[Iri, str]
    spoken: Mapping[Iri, str]
    kinds: Mapping[Iri, tuple[str, ...]]
    into: frozenset[Iri] = frozenset()
    out_of: frozenset[Iri] = frozenset()
    unworded: tuple[Path, ...] = field(default=())


def induce(profile: Profile) -> Induced:
    """Wordings for every predicate of the profile, and for the paths through its mediators."""
    nouns = {iri: class_noun(known.name) for iri, known in profile.classes.items()}
    drafts = {p: draft(info, profile, nouns) for p, info in profile.predicates.items() if p != RDF_TYPE}
    order = sorted(drafts, key=lambda p: (-profile.predicates[p].triples, p.value))
    ways: dict[Path, Way] = {(Hop(p, back),): way for p in order for back, way in _both(drafts[p])}
    if RDF_TYPE in profile.predicates:
        ways.update(_type_ways())
    single, unworded = told_apart(ways)
    names = _property_names(order, drafts, profile, nouns)
    joined = {pair: _joined(pair, single, names) for pair in _worded(profile.pairs, single)}
    pairs, more = told_apart(joined, single)
    return Induced(
        {**single, **pairs},
        names,
        {p: _spoken(p, profile, nouns) for p in profile.predicates},
        {iri: _class_nouns(known) for iri, known in profile.classes.items() if known.instances},
        profile.into,
        profile.out_of,
        (*unworded, *more),
    )


def class_noun(name: str) -> str:
    """'ScholarlyArticle' -> 'scholarly article', 'Books' -> 'book'."""
    return singular(lowered(clean(name))) or "thing"


def _class_nouns(known: ClassInfo) -> tuple[str, ...]:
    nouns = (class_noun(name) for name in (known.name, *known.synonyms))
    return tuple(dict.fromkeys(noun for noun in nouns if noun != "thing"))


def _both(found: Draft) -> tuple[tuple[bool, Way], tuple[bool, Way]]:
    return (False, found.forward), (True, found.backward)


def _type_ways() -> dict[Path, Way]:
    forward = Way(
        "the type of thing that {} is",
        "type",
        "What",
        natural={
            "question": ("What kind of thing is {}?", "What is {}?"),
            "noun": ("the kind of thing {} is",),
            "clause": ("that {} is one of",),
        },
    )
    backward = Way(
        "the thing that is a {}",
        "thing",
        "What",
        natural={
            "question": ("What is an example of a {}?", "Which things are a {}?"),
            "noun": ("the thing that is a {}",),
            "clause": ("that is a {}",),
        },
    )
    return {(Hop(RDF_TYPE),): forward, (Hop(RDF_TYPE, True),): backward}


# --- telling apart ----------------------------------------------------------


def told_apart(
    ways: Mapping[Path, Way], known: Mapping[Path, Way] | None = None
) -> tuple[dict[Path, Way], tuple[Path, ...]]:
    """The ways with templates of which no two are the same, nor one of `known`; and the paths that are left
    without one. Those that clash all take their next wording; what has none left keeps its last if it
    comes first in order (the most used), else none."""
    taken = {way.template for way in (known or {}).values()}
    level = dict.fromkeys(ways, 0)
    choices = {path: tuple(dict.fromkeys(_choices(path, way))) for path, way in ways.items()}
    while True:
        clashes: dict[str, list[Path]] = defaultdict(list)
        for path, at in level.items():
            clashes[choices[path][at]].append(path)
        moved = False
        for template, paths in clashes.items():
            if len(paths) > 1 or template in taken:
                for path in paths:
                    if level[path] + 1 < len(choices[path]):
                        level[path] += 1
                        moved = True
        if not moved:
            break
    out: dict[Path, Way] = {}
    left: list[Path] = []
    for path, way in ways.items():
        template = choices[path][level[path]]
        if template in taken or any(sign in template for sign in _FORBIDDEN) or template.count("{}") != 1:
            left.append(path)
        else:
            taken.add(template)
            out[path] = replace(way, template=template)
    return out, tuple(left)


def _choices(path: Path, way: Way) -> Iterable[str]:
    yield way.template
    yield from way.qualified
    if len(path) == 1:
        prefix = _prefix(path[0].predicate)
        if prefix:
            head, _, rest = way.template.partition(" ")
            yield f"{head} {prefix} {rest}"
            for other in way.qualified[:1]:
                head, _, rest = other.partition(" ")
                yield f"{head} {prefix} {rest}"


def _prefix(predicate: Iri) -> str:
    """A short name of the predicate's vocabulary."""
    local = local_name(predicate)
    namespace = predicate.value.removesuffix(local)
    if namespace in _PREFIXES:
        return _PREFIXES[namespace]
    parts = [p for p in re.split(r"[/#:.]+", namespace) if re.fullmatch(r"[A-Za-z][\w-]*", p)]
    dull = {"http", "https", "www", "org", "com", "net", "ns", "ontology", "vocab", "schema", "def", "owl"}
    return next((clean(p) for p in reversed(parts) if p.lower() not in dull), "")


def _property_names(
    order: Iterable[Iri], drafts: Mapping[Iri, Draft], profile: Profile, nouns: Mapping[Iri, str]
) -> dict[Iri, str]:
    """'publication date' for each predicate, or 'book title' where several share a name. What stays
    ambiguous, or holds words of the templates' grammar, has none."""
    choices: dict[Iri, list[str]] = {}
    for predicate in order:
        name = drafts[predicate].name
        subject = profile.subject_class(profile.predicates[predicate])
        noun = nouns.get(subject, "") if subject is not None else ""
        choices[predicate] = [name, *([f"{noun} {name}"] if noun else [])]
        if prefix := _prefix(predicate):
            choices[predicate].append(f"{prefix} {name}")
    level = dict.fromkeys(choices, 0)
    while True:
        clashes: dict[str, list[Iri]] = defaultdict(list)
        for predicate, at in level.items():
            clashes[choices[predicate][at]].append(predicate)
        movable = [
            p for same in clashes.values() if len(same) > 1 for p in same if level[p] + 1 < len(choices[p])
        ]
        if not movable:
            break
        for predicate in movable:
            level[predicate] += 1
    named = {same[0]: name for name, same in clashes.items() if len(same) == 1}
    return {p: n for p, n in named.items() if not _TAKEN_NAME.search(f"{n}")}


def _spoken(predicate: Iri, profile: Profile, nouns: Mapping[Iri, str]) -> str:
    """'book : author', as Freebase's predicates are read to the models ('film film : directed by')."""
    if predicate == RDF_TYPE:
        return KIND_LIKE
    info = profile.predicates[predicate]
    subject = profile.subject_class(info)
    noun = nouns.get(subject, "thing") if subject is not None else "thing"
    return f"{noun} : {predicate_words(info)[0]}"


# --- paths through mediators -------------------------------------------------


def _worded(pairs: Iterable[tuple[Hop, Hop]], single: Mapping[Path, Way]) -> list[Path]:
    """The pairs of which both hops have wordings, in a fixed order."""
    return sorted((a, b) for a, b in pairs if (a,) in single and (b,) in single)


def _joined(pair: Path, single: Mapping[Path, Way], names: Mapping[Iri, str]) -> Way:
    """'the organization of the membership of {}': one wording inside the other. In natural wordings the node
    between them goes unsaid: 'the organization of {}', 'the employees with the organization {}'."""
    first, second = single[pair[:1]], single[pair[1:]]
    template = second.template.replace("{}", first.template)
    word = "Who" if second.asks == "Who" else "What"
    questions, nouns, clauses = [f"{word} is {template}?"], [template], [f"that is {template}"]
    start, end = (names.get(hop.predicate, "") for hop in pair)
    match pair[0].inverse, pair[1].inverse:
        case (False, False) if end:
            questions[:0] = [f"{word} is the {end} of {{}}?"]
            nouns[:0] = [f"the {end} of {{}}"]
            clauses[:0] = [f"that is the {end} of {{}}"]
        case (True, True) if start:
            questions[:0] = [f"Which {many(second.noun)} have the {start} {{}}?"]
            nouns[:0] = [f"the {second.noun} with the {start} {{}}"]
            clauses[:0] = [f"with the {start} {{}}"]
        case (True, False) if start and end:
            questions[:0] = [f"{word} is the {end} that goes with the {start} {{}}?"]
            nouns[:0] = [f"the {end} that goes with the {start} {{}}"]
            clauses[:0] = [f"that goes with the {start} {{}}"]
    natural = {"question": tuple(questions), "noun": tuple(nouns), "clause": tuple(clauses)}
    return Way(template, second.noun, second.asks, natural=natural)


# --- files ------------------------------------------------------------------


def write_lexicon(found: Induced, folder: File) -> None:
    """The lexicon's files in a new folder; see `kbqa.lexicon` for their columns."""
    for part in ("paths", "wordings"):
        (folder / part).mkdir(parents=True)
    rows = sorted(found.ways.items(), key=lambda row: show_path(row[0]))
    paths = [(show_path(path), w.template, w.noun, w.asks) for path, w in rows]
    _table(folder / "paths" / "induced.tsv", ("path", "template", "noun", "asks"), paths)
    wordings = [
        (show_path(path), form, wording)
        for path, way in rows
        for form in FORMS
        for wording in way.natural.get(form, ())
        if wording.count("{}") == 1
    ]
    _table(folder / "wordings" / "induced.tsv", ("path", "form", "wording"), wordings)
    names = [(show_path((Hop(p),)), name) for p, name in sorted(found.names.items())]
    _table(folder / "properties.tsv", ("path", "name"), names)
    mediators = [("predicate", show_path((Hop(p),))) for p in sorted(found.into)]
    mediators += [("source", show_path((Hop(p),))) for p in sorted(found.out_of)]
    _table(folder / "mediators.tsv", ("kind", "name"), mediators)
    spoken = [(show_path((Hop(p),)), words) for p, words in sorted(found.spoken.items())]
    _table(folder / "spoken.tsv", ("path", "words"), spoken)
    kinds = [(f"<{c.value}>", noun) for c, some in sorted(found.kinds.items()) for noun in some]
    _table(folder / "classes.tsv", ("class", "noun"), kinds)


def _table(file: File, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    lines = ["\t".join(columns), *("\t".join(row) for row in rows)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
