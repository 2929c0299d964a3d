"""Names of predicates as English: 'birthDate' -> 'birth date'; noun, verb phrase or participle."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as Choice
from urllib.parse import unquote

from kbqa.induce.tables import (
    AGENTS,
    APPOINTED,
    ENGAGED,
    INTRANSITIVE,
    IRREGULAR,
    NO_PARTICIPLES,
    PASSIVE,
    PAST,
    PERFORMED,
    PLACED,
    PREPOSITIONS,
    SHOWN,
    VERBS,
)
from kbqa.lexicon.nouns import plural
from kbqa.types import Iri

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=[0-9]+(?:[A-Z]|\Z))")
_UNIT = re.compile(
    r"(?:\s|\A)(?:in\s)?[\[(]?((?:(?:square|sq|cubic) )?(?:cm|mm|km|m|m2|km2|kg|g|mg|t|lb|ft|mi|s|sec|"
    r"seconds|min|minutes|hours|days|years|usd|eur|gbp|euro|euros|dollars|percent|%|°c|celsius|mw|kw|kwh|mb|gb|"
    r"metres|meters|kilometres|kilometers|kilograms))"
    r"[\])]?\Z",
    re.IGNORECASE,
)
_UNSAFE = re.compile(r"[\[\]\"?{}<>\t\n\\]|\(.*?\)|, (?:where|whose|which)\b")
LONGEST = 60
_COMPOUND = re.compile(rf"(?:co-?|[a-z-]{{3,}}?)(?P<agent>{'|'.join(AGENTS)})")
_KNOWN = (
    VERBS | INTRANSITIVE.keys() | PASSIVE.keys() | APPOINTED.keys() | ENGAGED | PERFORMED | PLACED | SHOWN
)
_MUTE = re.compile(
    r"(?:[cvzu]|[^s]s|[^eo]at|[aeiourd]g|ang|[^aeioulrw]l|(?<![aeo])ir|ur|(?:\A[^aeiou]+|gn|pl|st)or|(?<![ao])i[dmn])\Z"
)
"""Ends of verbs that are written with an e: 'produc', 'manag', 'nominat', 'scor'."""


def local_name(iri: Iri) -> str:
    """What stands after the last '/', '#' or ':', decoded."""
    return unquote(re.split(r"[/#:]", iri.value.rstrip("/#"))[-1])


def spaced(name: str) -> str:
    """'birthDate', 'birth_date', 'P_birth-date' -> words; abbreviations keep their capitals."""
    words = _CAMEL.sub(" ", re.sub(r"[_\-.+]+", " ", name)).split()
    return " ".join(w if _is_abbreviation(w) else w.lower() for w in words)


def _is_abbreviation(word: str) -> bool:
    return len(word) > 1 and word.upper() == word and any(map(str.isalpha, word))


def clean(text: str) -> str:
    """A label as it may stand inside a template: one line, no brackets or quotation marks."""
    text = " ".join(_UNSAFE.sub(" ", text).split()).strip(" .,;:-")
    return text if len(text) <= LONGEST else text[:LONGEST].rsplit(" ", 1)[0]


def lowered(label: str) -> str:
    """A label in running text: 'Date of birth' -> 'date of birth'; 'ISBN', 'DNA sequence' stay."""
    words = label.split()
    if " " not in label and re.search(r"[a-z][A-Z]|_", label):
        return spaced(label)
    return " ".join(w if _is_abbreviation(w) or re.search(r"[a-z][A-Z]", w) else w.lower() for w in words)


def without_unit(words: str) -> tuple[str, str]:
    """('height', 'cm') of 'height cm' or 'height (cm)'."""
    found = _UNIT.search(words)
    if found is None or not words[: found.start()].strip():
        return words, ""
    return words[: found.start()].strip(), found[1].lower()


Form = Choice["noun", "verb", "participle"]


@dataclass(frozen=True, slots=True)
class Named:
    """A predicate's name as English.

    noun: `words` is a noun phrase for the object ('birth date'). verb: `words` says what the subject does
    with the object, third person ('works for', 'is part of', 'is published by'); `base` the same after
    'does' or, of forms of 'to be', after the subject ('work for', 'part of'). participle: 'published',
    of which no object is said. `past`: a verb that tells what the subject did ('managed', 'played for').
    """

    form: Form
    words: str
    base: str = ""
    past: bool = False

    @property
    def is_be(self) -> bool:
        return self.form == "verb" and self.words.startswith("is ")


def read_name(words: str) -> Named:
    """Which form a name has, by its first and last words."""
    parts = words.split()
    first, rest = parts[0], parts[1:]
    last = parts[-1]
    if first in ("has", "have", "had") and rest:
        if rest[-1] == "of" and len(rest) > 1:
            return Named("verb", f"has {' '.join(rest)}", f"have {' '.join(rest)}")
        return read_name(" ".join(rest)) if rest[0] not in PREPOSITIONS else Named("noun", words)
    if first in ("is", "was", "are", "were", "be") and rest:
        return _being(rest)
    if first in PREPOSITIONS and rest:
        return Named("noun", " ".join(rest))
    if len(parts) > 1 and last in PREPOSITIONS and last != "of":
        return _with_preposition(parts)
    if len(parts) > 1 and last == "of":
        return Named("verb", f"is {with_determiner(parts[:-1])} of", f"{with_determiner(parts[:-1])} of")
    if (base := base_of_third(first)) is not None:
        return Named("verb", words, " ".join([base, *rest]))
    if len(parts) == 1 and is_participle(first):
        return Named("participle", first)
    return Named("noun", words)


def _being(rest: list[str]) -> Named:
    """'is part of', 'is located in', 'is author' (a truth, or a noun)."""
    if rest[-1] == "of" and len(rest) > 1:
        said = with_determiner(rest[:-1])
        return Named("verb", f"is {said} of", f"{said} of")
    if rest[-1] in PREPOSITIONS or is_participle(rest[0]):
        return Named("verb", f"is {' '.join(rest)}", " ".join(rest))
    return Named("noun", " ".join(rest))


def _with_preposition(parts: list[str]) -> Named:
    base = base_of_third(parts[0])
    if base is not None:
        return Named("verb", " ".join(parts), " ".join([base, *parts[1:]]))
    if parts[0] in VERBS and not is_participle(parts[0]):
        return Named("verb", " ".join([third(parts[0]), *parts[1:]]), " ".join(parts))
    said = " ".join(parts)
    return Named("verb", f"is {said}", said)


def agent_in(noun: str) -> str:
    """'writer' of 'screenwriter', 'founder' of 'co-founder'; any other noun itself."""
    found = _COMPOUND.fullmatch(noun)
    return found["agent"] if found else noun


def says_what_is_done(words: str) -> bool:
    """'uses', 'lies on', 'won', 'is located in'; not 'has', 'is', 'in'."""
    first, *rest = words.split()
    if first in ("is", "was"):
        return bool(rest) and rest[-1] in PREPOSITIONS
    if first == "has" or (rest and rest[-1] not in PREPOSITIONS):
        return False
    return base_of_third(first) is not None or base_of_past(first) is not None


def with_determiner(noun: list[str]) -> str:
    """'part', 'head', 'capital' as they follow 'is': 'the author', but 'part'."""
    text = " ".join(noun)
    if noun[0] in ("part", "the", "a", "an") or is_participle(noun[0]) or noun[-1] in ("type", "kind"):
        return text
    return f"{'a' if text[0] not in 'aeiou' else 'an'} {text}"


def base_of_third(word: str) -> str | None:
    """'works' -> 'work', 'carries' -> 'carry'; None for what is no third person of a known verb."""
    if word == "has":
        return "have"
    for ending, instead in (("ies", "y"), ("es", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and word.removesuffix(ending) + instead in VERBS:
            return word.removesuffix(ending) + instead
    return None


def base_of_past(word: str) -> str | None:
    """'managed' -> 'manage', 'wrote' -> 'write', 'born' -> 'bear'; None for what is no past tense or
    participle."""
    if word in PAST or not is_participle(word):
        return PAST.get(word)
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith(("ied", "eed")):
        return word[:-3] + "y" if word.endswith("ied") else word[:-1]
    whole = word[:-2]
    once = whole[:-1] if whole[-1] == whole[-2] else whole
    if found := next((base for base in (word[:-1], whole, once) if base in _KNOWN), None):
        return found
    if once != whole:
        return whole if whole[-1] in "slfz" else once
    return word[:-1] if _MUTE.search(whole) else whole


def third(base: str) -> str:
    """'work' -> 'works', 'teach' -> 'teaches', 'carry' -> 'carries'."""
    head, _, tail = base.partition(" ")
    if re.search(r"(?:s|x|z|ch|sh|o)\Z", head):
        head += "es"
    elif re.search(r"[^aeiou]y\Z", head):
        head = head[:-1] + "ies"
    else:
        head += "s"
    return f"{head} {tail}".strip()


def is_participle(word: str) -> bool:
    """'published', 'written'; not 'seed', 'speed'."""
    if word in NO_PARTICIPLES:
        return False
    return word in IRREGULAR or (word.endswith("ed") and len(word) > 4)


def is_plural(noun: str) -> bool:
    """Whether a noun is a plural: 'keywords', 'categories', 'people'; not 'address', 'status', 'series'."""
    last = noun.partition(" of ")[0].rpartition(" ")[2]
    if last in ("people", "children", "men", "women"):
        return True
    if re.search(
        r"(?:ss|us|is|series|species|news|sis|means|headquarters|premises|gas|bias)\Z", last
    ) or not last.endswith("s"):
        return False
    return len(last) > 3 and not last.isupper()


def singular(noun: str) -> str:
    """'keywords' -> 'keyword', 'categories' -> 'category'; what is no plural stays."""
    if not is_plural(noun):
        return noun
    if " of " in noun:
        first, _, rest = noun.partition(" of ")
        return f"{singular(first)} of {rest}"
    head, _, last = noun.rpartition(" ")
    known = {"people": "person", "children": "child", "men": "man", "women": "woman"}
    if last in known:
        one = known[last]
    elif last.endswith("ies"):
        one = last[:-3] + "y"
    elif re.search(r"(?:ss|x|ch|sh)es\Z", last):
        one = last[:-2]
    else:
        one = last[:-1]
    return f"{head} {one}".strip()


def many(noun: str) -> str:
    """The plural, of what is one already itself."""
    return noun if is_plural(noun) else plural(noun)
