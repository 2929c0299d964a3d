"""Types that a question's common nouns name: 'city' -> City/Town/Village."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbqa.lexicon.nouns import plural
from kbqa.link import key
from kbqa.parse.source import Entity
from kbqa.types import Iri

Kinds = Mapping[Iri, tuple[str, tuple[str, ...]]]
"""Types: their names and the common nouns for their instances."""


def kinds_named(text: str, kinds: Kinds) -> Iterator[Entity]:
    """The types whose nouns, one or many, stand in a text; without a place in it."""
    words = f" {key(text)} "
    for iri, (name, nouns) in kinds.items():
        if any(f" {form} " in words for noun in nouns for form in (noun, plural(noun))):
            yield Entity(iri, name)
