"""How a simulated user puts a step into words, well or badly."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from kbqa.errors import TemplateError
from kbqa.kb.names import fallback
from kbqa.lexicon import Lexicon
from kbqa.phrase import RulePhraser, StepInContext
from kbqa.rewire import Steps
from kbqa.templates import Names, write_all
from kbqa.types import Iri

Source = Choice["human", "lexicon", "phraser", "template", "plain template"]
"""Where words come from: people (the data's own sub-questions); the lexicon's wordings, but for the one
that the rule-based phraser puts first; that one; templated English, with and without brackets."""

Copy = Choice["as it is", "without brackets", "never"]
"""How somebody who runs out of words copies templated English."""

_MOST = 20
_TAIL = re.compile(r"(?:,| and | whose | with | that | in | from )[^?]*\?")


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    source: Source


def wordings(
    steps: Steps,
    human: Iterable[str],
    names: Mapping[Iri, str],
    lexicon: Lexicon,
    rng: random.Random,
    *,
    tries: int,
    copy: Copy,
) -> tuple[Said, ...]:
    """What may be said for the last of the steps after the others: at most `tries` wordings as people
    word it, then its template. Which wordings there are does not depend on the system that is spoken to."""

    def label(iri: Iri) -> str:
        return names.get(iri) or fallback(iri)

    context = StepInContext(steps, len(steps), label)
    first, *others = (p.text for p in RulePhraser(lexicon).phrase(context, n=_MOST))
    asked = list(human)
    rng.shuffle(asked)
    rng.shuffle(others)
    natural = [Said(t, "human") for t in asked]
    natural += [Said(t, "lexicon") for t in others] + [Said(first, "phraser")]
    return (*natural[:tries], *_template(steps, names, lexicon, copy))


def _template(steps: Steps, names: Mapping[Iri, str], lexicon: Lexicon, copy: Copy) -> tuple[Said, ...]:
    if copy == "never":
        return ()
    try:
        text = write_all(steps, lexicon, Names(dict(names)))[-1]
    except TemplateError:
        return ()
    if copy == "as it is":
        return (Said(text, "template"),)
    return (Said(re.sub(r"[\[\]]", "", text), "plain template"),)


def vague(text: str, names: Iterable[str], rng: random.Random) -> str:
    """The question with less in it: a pronoun for a name, or without its last condition."""
    named = [n for n in names if n and n in text]
    ways = [text.replace(n, "it") for n in named]
    shorter = _TAIL.sub("?", text)
    if shorter != text and len(shorter.split()) > 3:
        ways.append(shorter)
    ways += [f"What about {n}?" for n in named]
    return rng.choice(ways) if ways else "What about the other one?"
