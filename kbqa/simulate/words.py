"""How a simulated user puts a step into words, well or badly."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

from kbqa.errors import TemplateError
from kbqa.kb.names import fallback
from kbqa.lexicon import Lexicon
from kbqa.phrase import Phrasing, RulePhraser, StepInContext
from kbqa.rewire import Steps
from kbqa.simulate.paraphrase import paraphrases
from kbqa.templates import Names, write_all
from kbqa.types import Iri

Source = Choice["human", "phraser", "lexicon", "template", "plain template"]
"""Where words come from, in this order: people (the data's own sub-questions); the phraser's n best; the
lexicon's wordings that the phraser leaves unused; templated English, with and without brackets."""

Copy = Choice["as it is", "without brackets", "never"]
"""How somebody who runs out of words copies templated English."""

_N_BEST = 10
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
    word it, then its template. The phraser is the rule-based one, whatever the system that is spoken to has:
    which wordings there are does not depend on it."""

    def label(iri: Iri) -> str:
        return names.get(iri) or fallback(iri)

    context = StepInContext(steps, len(steps), label)
    asked, others = list(human), list(paraphrases(steps, names, lexicon))
    rng.shuffle(asked)
    rng.shuffle(others)
    natural = [Said(t, "human") for t in asked]
    best = RulePhraser(lexicon).phrase(context, n=_N_BEST)
    natural += [Said(p.text, "phraser") for p in sampled(best, rng)]
    natural += [Said(t, "lexicon") for t in others]
    different: dict[str, Said] = {}
    for said in natural:
        different.setdefault(said.text, said)
    return (*list(different.values())[:tries], *_template(steps, names, lexicon, copy))


def sampled(phrasings: Sequence[Phrasing], rng: random.Random) -> list[Phrasing]:
    """All of them in random order, the likelier the earlier (drawn one by one without replacement)."""

    def drawn(p: Phrasing) -> float:
        return p.logprob - math.log(-math.log(rng.random() or 1e-300))

    keyed = [(drawn(p), -k, p) for k, p in enumerate(phrasings)]
    return [p for _, _, p in sorted(keyed, reverse=True, key=lambda found: found[:2])]


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
