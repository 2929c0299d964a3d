"""What a corrector is given and gives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kbqa.decompose.recompose import references
from kbqa.protocols import Mention
from kbqa.rewire import with_references
from kbqa.types import Iri, Ref, Step

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Context:
    """The steps before the corrected one, as they were shown, and the whole question.

    `shown` and `question` are what a mode grants (METHODS.md, section 1: a decontextualized
    correction sees the user's sub-question only); `steps`, their `nouns` and `samples` (some answers of
    each) say what 'that film' may mean. `entities`: those of the dialogue so far and their names.
    """

    steps: tuple[Step, ...] = ()
    nouns: tuple[str, ...] = ()
    samples: tuple[tuple[Iri, ...], ...] = ()
    shown: tuple[str, ...] = ()
    question: str | None = None
    entities: tuple[tuple[Iri, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """One reading of a sub-question, its log probability and what was linked in it."""

    step: Step
    logprob: float
    mentions: tuple[Mention, ...] = ()


class Corrector(Protocol):
    """Readings of a sub-question as one step after `context.steps`, best first, at most `n`; none
    where there is none."""

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> Sequence[Corrected]: ...


def spoken_of(step: Step, text: str, nouns: Sequence[str]) -> Step:
    """A step read without context, its first, second .. reference turned to the latest earlier steps
    whose nouns stand in the text ('that film'), else to the latest of all."""
    refs = tuple(dict.fromkeys(references(step)))
    if not refs or not nouns:
        return step
    words = f" {_words(text)} "
    said = [i for i, noun in enumerate(nouns, 1) if noun and f" {_words(noun)} " in words]
    order = [*reversed(said), *(i for i in range(len(nouns), 0, -1) if i not in said)]
    chosen = sorted(order[: len(refs)])
    targets = dict(zip(refs, [*chosen, *[chosen[-1]] * len(refs)], strict=False))
    return with_references(step, lambda ref: Ref(targets[ref]))


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
