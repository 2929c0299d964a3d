"""Labels in the past tense: who does it to whom? 'managed' of a person and a club, of a club and a person.

Such a name alone doesn't say whether the subject acts or is acted upon. The classes at both ends and the verb
do: people and groups act, works are made, nobody bears himself.
"""

from __future__ import annotations

from typing import Literal as Choice

from kbqa.induce.english import Named, base_of_past, is_participle
from kbqa.induce.tables import (
    AGENTS,
    APPOINTED,
    ENGAGED,
    GROUPS,
    INTRANSITIVE,
    IRREGULAR,
    MADE,
    NO_PARTICIPLES,
    PASSIVE,
    PAST,
    PEOPLE,
    PERFORMED,
    PLACED,
    PLACES,
    PREPOSITIONS,
    SEATED,
    SHOWN,
)

Role = Choice["person", "group", "place", "thing", ""]
"""What stands at an end of a predicate; '' where no class is known."""


def role_of(noun: str) -> Role:
    """What things are that a class is called by: 'baseball player', 'club', 'town'; '' for 'thing'."""
    head = noun.split()[-1]
    if head in PEOPLE or head in AGENTS:
        return "person"
    if head in GROUPS:
        return "group"
    return "place" if head in PLACES else "" if head == "thing" else "thing"


def in_past(words: str, subject: Role, value: Role) -> Named | None:
    """A name that is a past tense or participle, alone or with a preposition, as the verb that it is; None
    for any other, and for participles of which it makes no difference ('published by', 'located in')."""
    first, *rest = words.split()
    base = base_of_past(first)
    if base is None or (first in NO_PARTICIPLES and subject not in ("person", "group")):
        return None
    if not rest:
        return _alone(first, base, subject, value)
    if rest[-1] not in PREPOSITIONS or rest[-1] in ("by", "of"):
        return None
    if base in PERFORMED:
        acts = subject in ("person", "group", "")
    else:
        acts = base in INTRANSITIVE or _only_past(first)
    return _active(words, " ".join((base, *rest))) if acts else None


def _only_past(word: str) -> bool:
    """'wrote', 'knew'; 'managed' and 'led' are participles, too."""
    return word in PAST and not is_participle(word)


def _alone(first: str, base: str, subject: Role, value: Role) -> Named:
    if base in INTRANSITIVE:
        at = INTRANSITIVE[base] if value in ("place", "group") else ""
        return _active(f"{first} {at}".strip(), f"{base} {at}".strip())
    if _only_past(first):
        return _active(first, base)
    if base in PASSIVE:
        return _passive(first, "in" if value == "place" else PASSIVE[base])
    if _acts(first, base, subject, value):
        return _active(first, base)
    if value == "place":
        return _passive(first, "in")
    return _passive(first, APPOINTED.get(base, "by") if subject == "person" else "by")


def _acts(first: str, base: str, subject: Role, value: Role) -> bool:
    """Whether the subject does it, of a verb that may be said of what acts and of what is acted upon."""
    if first in IRREGULAR and first not in PAST:
        return False
    match subject, value:
        case "person", "group" | "place":
            return base not in APPOINTED
        case "person", _:
            return True
        case "group", "person":
            return base in ENGAGED or base in SHOWN
        case "group", "place":
            return base not in SEATED
        case "group" | "", "group" | "thing" | "":
            return True
        case _, "person" | "group":
            return base in SHOWN
        case _, "place":
            return base not in PLACED
        case _, "thing":
            return True
    return base not in MADE


def _active(words: str, base: str) -> Named:
    return Named("verb", words, base, past=True)


def _passive(first: str, preposition: str) -> Named:
    return Named("verb", f"is {first} {preposition}", f"{first} {preposition}")
