"""Noun phrases for paths, words for properties and comparisons: each written and read in one table."""

from __future__ import annotations

import re
from typing import Literal

from kbqa.errors import TemplateError
from kbqa.induce.english import base_of_third, third
from kbqa.lexicon import Lexicon
from kbqa.types import FREEBASE, Hop, Iri, Kind, Measure, Operator, Part, Path, freebase

# --- properties -------------------------------------------------------------


_BRACKETED = re.compile(r"(.*) \(([^()]*)\)\Z", re.DOTALL)
_PROPERTY = r"(<[^<>\s]*>|.+? \([^()]*\))"
_TAKEN = re.compile(
    r" of the |(?:\A| )(?:is|if any|after the first) | for each | of each|"
    r", (?:where the|whose|which|at some time|counting what|the highest|the lowest) |\A |\x00"
)
"""Words of the grammar: a predicate whose words hold them is written as its IRI."""


def property_name(predicate: Iri, lexicon: Lexicon, within: str | None) -> str:
    """'initial release date', or with its type in brackets where several predicates share the name.

    `within`: the type of the node it is said of, which need not be repeated. A predicate whose words
    would not be read back is written '<its IRI>'.
    """
    text = _property_words(predicate, lexicon, within)
    if text is not None and not _TAKEN.search(text) and not text.endswith(" backwards"):
        try:
            if read_property(text, lexicon, within) == predicate:
                return text
        except TemplateError:
            pass
    return f"<{predicate.value}>"


def _property_words(predicate: Iri, lexicon: Lexicon, within: str | None) -> str | None:
    mid = predicate.mid
    if not predicate.value.startswith(FREEBASE) or "." not in mid:
        if (own := lexicon.property_names.get(predicate)) is not None:
            return own
        cut = max(predicate.value.rfind("/"), predicate.value.rfind("#")) + 1
        local, namespace = predicate.value[cut:], predicate.value[:cut]
        return f"{local} ({namespace})" if local and namespace else None
    kind, words = mid.rpartition(".")[0], lexicon.called(predicate)
    if within == kind:
        return words
    if within is None and lexicon.property_names.get(predicate) == words:
        return words
    return f"{words} ({kind.replace('.', ', ').replace('_', ' ')})"


def read_property(text: str, lexicon: Lexicon, within: str | None) -> Iri:
    """Inverse of `property_name`. Raises `TemplateError`."""
    if re.fullmatch(r"<[^<>\s]+>", text):
        return Iri(text[1:-1])
    bracketed = _BRACKETED.match(text)
    if bracketed:
        words, place = bracketed[1], bracketed[2]
        if "/" in place or "#" in place or ":" in place:
            return Iri(place + words)
        return lexicon.predicate(place.replace(", ", ".").replace(" ", "_"), words)
    if within is not None:
        return lexicon.predicate(within, text)
    found = lexicon.predicates_by_name.get(text)
    if found is None:
        raise TemplateError(f"no property is called {text!r}")
    return found


def mediator_type(path: Path) -> str | None:
    """The type of the node in the middle of a two-hop path, as its predicates name it."""
    if len(path) != 2:
        return None
    first, second = path
    speaker = second if not second.inverse else first if first.inverse else None
    if speaker is None or not speaker.predicate.value.startswith(FREEBASE):
        return None
    return speaker.predicate.mid.rpartition(".")[0] or None


def span_of(kind: str | None) -> tuple[Iri, Iri] | None:
    """The predicates that hold a mediator's first and last day."""
    if kind is None:
        return None
    first, last = _SPANS.get(kind, ("from", "to"))
    return freebase(f"{kind}.{first}"), freebase(f"{kind}.{last}")


_DATED = ("start_date", "end_date")
_SPANS = {
    "people.place_lived": _DATED,
    "education.education": _DATED,
    "music.group_membership": ("start", "end"),
    "organization.organization_relationship": ("from", "to"),
    "celebrities.romantic_relationship": _DATED,
    "law.judicial_tenure": ("from_date", "to_date"),
    "religion.religious_organization_leadership": _DATED,
}

# --- paths ------------------------------------------------------------------


def noun_phrase(path: Path, lexicon: Lexicon) -> str:
    """A noun phrase for what the path leads to, with `{}` for where it starts."""
    wording = lexicon.wordings.get(path)
    return wording.template if wording else _chain(path, "{}")


def _chain(path: Path, inner: str) -> str:
    for hop in path:
        name = _full_name(hop.predicate)
        inner = f"the one whose {name} is {inner}" if hop.inverse else f"the {name} of {inner}"
    return inner


def _full_name(predicate: Iri) -> str:
    return property_name(predicate, Lexicon(), None)


def read_phrase(skeleton: str, lexicon: Lexicon) -> Path:
    """Inverse of `noun_phrase`. Raises `TemplateError`."""
    known = lexicon.by_template.get(skeleton)
    if known is not None:
        return known
    hops: list[Hop] = []
    rest = skeleton
    while rest != "{}":
        inverse = re.match(rf"the one whose {_PROPERTY} is (.*)\Z", rest, re.DOTALL)
        forward = re.match(rf"the {_PROPERTY} of (.*)\Z", rest, re.DOTALL)
        found = inverse or forward
        if found is None:
            raise TemplateError(f"no predicate path reads {skeleton!r}")
        hops.insert(0, Hop(read_property(found[1], lexicon, None), inverse is not None))
        rest = found[2]
    return tuple(hops)


# --- verbs ------------------------------------------------------------------

_VERBAL = re.compile(r" (?:who|that) (?:\{\} |[^{}]+ \{\}\Z)")
_DOING = re.compile(r"(?P<before>(?:the (?P<noun>.+) )?that \{\} )(?P<verb>.+)\Z")
_THEY = re.compile(r"(?P<noun>.+) that they (?P<verb>.+)\Z")


def is_verbal(path: Path, lexicon: Lexicon) -> bool:
    """Whether one predicate of an own graph is worded by a verb: 'the employee who works in {}'."""
    wording = lexicon.wordings.get(path)
    own = len(path) == 1 and not path[0].predicate.value.startswith(FREEBASE)
    return own and wording is not None and _VERBAL.search(wording.template) is not None


def of_several(phrase: str) -> str:
    """'the department that {} works in' as it is said of several: 'the department that {} work in'."""
    found = _DOING.match(phrase)
    return found["before"] + several(found["verb"]) if found else phrase


def read_several(skeleton: str, lexicon: Lexicon) -> Path:
    """Inverse of `of_several` on a noun phrase. Raises `TemplateError`."""
    found = _DOING.match(skeleton)
    if found is None or skeleton in lexicon.by_template:
        return read_phrase(skeleton, lexicon)
    return read_phrase(found["before"] + _of_one(found["verb"]), lexicon)


def each_of(path: Path, lexicon: Lexicon) -> str | None:
    """'department that they work in', where the path is worded by a verb; None for any other."""
    found = _DOING.match(lexicon.wordings[path].template) if is_verbal(path, lexicon) else None
    return f"{found['noun']} that they {several(found['verb'])}" if found else None


def read_each(text: str, lexicon: Lexicon) -> Path | None:
    """Inverse of `each_of`; None for what is no such phrase."""
    found = _THEY.match(text)
    try:
        return read_several(f"the {found['noun']} that {{}} {found['verb']}", lexicon) if found else None
    except TemplateError:
        return None


def several(verb: str) -> str:
    """'works in' -> 'work in', 'is held by' -> 'are held by'."""
    first, _, rest = verb.partition(" ")
    return f"{_SEVERAL.get(first) or base_of_third(first) or first} {rest}".strip()


def _of_one(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{_ONE.get(first) or third(first)} {rest}".strip()


_SEVERAL = {"is": "are", "was": "were"}
_ONE = {"are": "is", "were": "was", "have": "has"}

# --- comparisons ------------------------------------------------------------

COMPARISONS: dict[tuple[Kind, Operator], str] = {
    (Kind.NUMBER, "="): "equals",
    (Kind.NUMBER, "!="): "does not equal",
    (Kind.NUMBER, "<"): "is less than",
    (Kind.NUMBER, "<="): "is at most",
    (Kind.NUMBER, ">"): "is more than",
    (Kind.NUMBER, ">="): "is at least",
    (Kind.DATE, "="): "is on",
    (Kind.DATE, "!="): "is not on",
    (Kind.DATE, "<"): "is before",
    (Kind.DATE, "<="): "is on or before",
    (Kind.DATE, ">"): "is after",
    (Kind.DATE, ">="): "is on or after",
    (Kind.STRING, "="): "is spelt",
    (Kind.STRING, "!="): "is not spelt",
    (Kind.STRING, "<"): "is spelt before",
    (Kind.STRING, "<="): "is spelt up to",
    (Kind.STRING, ">"): "is spelt after",
    (Kind.STRING, ">="): "is spelt from",
    (Kind.VALUE, "="): "has the value of",
    (Kind.VALUE, "!="): "has another value than",
    (Kind.VALUE, "<"): "is lower than",
    (Kind.VALUE, "<="): "is no higher than",
    (Kind.VALUE, ">"): "is higher than",
    (Kind.VALUE, ">="): "is no lower than",
    (Kind.TERM, "="): "is the very",
    (Kind.TERM, "!="): "is any but the very",
    (Kind.TERM, "<"): "sorts before",
    (Kind.TERM, "<="): "sorts up to",
    (Kind.TERM, ">"): "sorts after",
    (Kind.TERM, ">="): "sorts from",
}
COMPARISON_WORDS = {words: key for key, words in COMPARISONS.items()}

PARTS: dict[Part, str] = {"contains": "contains", "starts": "starts with", "ends": "ends with"}
PART_WORDS = {words: part for part, words in PARTS.items()}

AMOUNTS: dict[Literal["average", "sum"], str] = {"average": "average", "sum": "total"}
AMOUNT_WORDS = {word: function for function, word in AMOUNTS.items()}

MEASURES: dict[Measure, str] = {
    "average": AMOUNTS["average"],
    "sum": AMOUNTS["sum"],
    "highest": "highest",
    "lowest": "lowest",
}
MEASURE_WORDS = {word: measure for measure, word in MEASURES.items()}

QUANTITIES: dict[Operator, str] = {
    ">": "more than",
    ">=": "at least",
    "<": "fewer than",
    "<=": "at most",
    "=": "exactly",
    "!=": "any number but",
}
QUANTITY_WORDS = {words: operator for operator, words in QUANTITIES.items()}

SUPERLATIVES: dict[tuple[Kind, bool], str] = {
    (Kind.DATE, False): "earliest",
    (Kind.DATE, True): "latest",
    (Kind.NUMBER, False): "smallest",
    (Kind.NUMBER, True): "largest",
    (Kind.VALUE, False): "lowest",
    (Kind.VALUE, True): "highest",
    (Kind.STRING, False): "alphabetically first",
    (Kind.STRING, True): "alphabetically last",
    (Kind.TERM, False): "first-sorting",
    (Kind.TERM, True): "last-sorting",
}
SUPERLATIVE_WORDS = {words: key for key, words in SUPERLATIVES.items()}
