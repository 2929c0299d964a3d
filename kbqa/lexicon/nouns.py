"""Common nouns: of how many, and of which type of thing."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from kbqa.types import FREEBASE, Hop, Iri, freebase

INSTANCES = tuple((Hop(freebase(p), True),) for p in ("common.topic.notable_types", "type.object.type"))
"""From a type to its instances; what a thing is notable for says more than what else it is."""
WORKING = (Hop(freebase("people.person.profession"), True),)
"""From a profession to those who have it."""
_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women", "series": "series"}
NOTABLE_NOUNS: dict[str, tuple[str, ...]] = {
    "Country": ("country", "country", "nation"),
    "City/Town/Village": ("city", "town"),
    "US State": ("state", "US state"),
    "College/University": ("college", "university"),
    "Film": ("movie", "film"),
    "TV Program": ("tv show", "series"),
    "Musical Artist": ("musician", "artist"),
    "Continent": ("continent",),
    "Mountain": ("mountain", "peak"),
    "Book": ("book",),
    "Film actor": ("actor",),
    "Sports Team": ("team", "club", "franchise"),
    "Professional Sports Team": ("team", "club", "franchise"),
}


@lru_cache(maxsize=1)
def _adjectives() -> dict[str, tuple[str, ...]]:
    """Adjective -> the names of the countries, continents or religions it is said of."""
    lines = (files("kbqa.lexicon") / "demonyms.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {adjective: tuple(places) for adjective, *places in rows}


@lru_cache(maxsize=1)
def demonyms() -> frozenset[str]:
    """Adjectives of countries, continents and religions: 'Brazilian', 'African', 'Sikh'."""
    return frozenset(_adjectives())


@lru_cache(maxsize=1)
def adjectives() -> dict[str, tuple[str, ...]]:
    """Name of a country, continent or religion -> its adjectives."""
    found: dict[str, list[str]] = {}
    for adjective, places in _adjectives().items():
        for place in places:
            found.setdefault(place, []).append(adjective)
    return {place: tuple(words) for place, words in found.items()}


def plural(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    if " of " in noun:
        first, _, rest = noun.partition(" of ")
        return f"{plural(first)} of {rest}"
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("s") and not last.endswith("ss"):
        pass
    elif re.search(r"(?:s|x|z|ch|sh)\Z", last):
        last += "es"
    elif re.search(r"[^aeiou]y\Z", last):
        last = last[:-1] + "ies"
    else:
        last += "s"
    return f"{head} {last}".strip()


_ALSO_CALLED: dict[str, tuple[str, ...]] = {
    "Landlocked Country": ("landlocked country", "landlocked nation", "landlocked state"),
    "Ice Hockey Team": ("ice hockey team", "ice hockey club", "hockey team", "hockey club"),
    "Ice hockey player": ("ice hockey player", "hockey player"),
    "Currency": ("currency", "money"),
    "Company": ("company", "firm", "business"),
    "Tourist attraction": ("tourist attraction", "attraction", "sight", "landmark"),
    "Fictional Character": ("fictional character", "character"),
    "Author": ("author", "writer"),
    "Musical Album": ("album",),
    "Composition": ("composition", "song"),
    "Musical Group": ("musical group", "band", "group"),
    "Human Language": ("human language", "language"),
    "Sports Facility": ("sports facility", "stadium", "arena"),
    "Military Conflict": ("military conflict", "battle", "war"),
    "US President": ("us president", "american president"),
}
"""Nouns of types whose own name is not what people say first."""


def kind_nouns(name: str) -> tuple[str, ...]:
    """Common nouns for the instances of a type of this name; none where it is no common noun."""
    known = NOTABLE_NOUNS.get(name) or _ALSO_CALLED.get(name)
    if known or not re.fullmatch(r"[A-Z][A-Za-z ]+", name):
        return known or ()
    noun = common_noun(name).lower()
    return (noun, f"{noun.removesuffix('team')}club") if noun.endswith(" team") else (noun,)


def common_noun(name: str) -> str:
    """What one instance of a type of this name is called: 'city', 'American football team', 'county of
    Kenya'. Names of peoples, abbreviations and what follows 'of' keep their capitals."""
    known = NOTABLE_NOUNS.get(name)
    if known:
        return known[0].replace("tv ", "TV ")
    head, of, place = name.partition(" of ")
    *first, last = head.split(" ")
    return " ".join([*map(_lowered, first), _lowered(last, last=True)]) + of + place


_PEOPLE = re.compile(r"[A-Z][a-z]+(?:ese|ish|ian|[aiu]can)\Z|(?:French|Greek|Dutch|Argentine|Olympic)\Z")


def _lowered(word: str, *, last: bool = False) -> str:
    return word if word.isupper() or (not last and _PEOPLE.match(word)) else word.lower()


_TYPE = re.compile(r"(?:base\.\w+|[a-z]\w+)\.([a-z]\w*)")


def type_label(iri: Iri) -> str:
    """The name of a Freebase type that has none: 'Lake' of geography.lake; '' for what is no type."""
    found = _TYPE.fullmatch(iri.mid) if iri.value.startswith(FREEBASE) else None
    words = found[1].split("_") if found else []
    text = " ".join("US" if w == "us" else w for w in words if w)
    return text[:1].upper() + text[1:]
