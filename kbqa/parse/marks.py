"""Templates with markers for names, as models read and write them: 'What is the capital of [unused0]?'

A marker stands in a template as a name does, so that `write` and `read` are `kbqa.templates`' own, and a
name is never spelt by a model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.decompose.recompose import references
from kbqa.lexicon import Lexicon
from kbqa.parse.program import ENTITY_MARKS
from kbqa.rewire import with_references
from kbqa.templates import Names, read, write
from kbqa.types import Iri, Ref, Step

MARK = re.compile(r"\[unused\d+\]")
_OTHER_STEP = re.compile(r"\bstep \d")


def marked_names(entities: Sequence[Iri]) -> Names:
    """The first entity is called by the first marker, and so on."""
    return Names({iri: mark[1:-1] for iri, mark in zip(entities, ENTITY_MARKS, strict=False)})


def respaced(text: str) -> str:
    """With the spaces around markers that a tokenizer may have lost or added put right."""
    apart = MARK.sub(lambda m: f" {m[0]} ", text)
    return re.sub(r" ('s\b|[?.,;:!])", r"\1", " ".join(apart.split()))


def write_marked(step: Step, before: int, lexicon: Lexicon, entities: Sequence[Iri]) -> str:
    """The template of a step after `before` sub-questions that are told with it. Where none are, its
    references are numbered as they come up. Raises `TemplateError`."""
    number = before + 1
    if not before:
        refs = list(dict.fromkeys(references(step)))
        step = with_references(step, lambda ref: Ref(refs.index(ref) + 1))
        number = len(refs) + 1
    return write(step, number, lexicon, marked_names(entities))


def read_marked(text: str, before: int, lexicon: Lexicon, entities: Sequence[Iri]) -> Step:
    """Inverse of `write_marked`. Raises `TemplateError`."""
    number = before + 1 if before else 3 if _OTHER_STEP.search(text) else 2
    return read(respaced(text), number, lexicon, marked_names(entities))
