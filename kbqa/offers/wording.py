"""What an offer would ask, in words that tell it from the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kbqa.answers import clean
from kbqa.dialogue import Parse, Version
from kbqa.errors import StoreError
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import fallback
from kbqa.lexicon.nouns import common_noun
from kbqa.phrase import RulePhraser, StepInContext
from kbqa.templates import Names, write_all
from kbqa.types import Iri, freebase

_NOTABLE = freebase("common.topic.notable_types")
_LIMIT_S = 0.2


@dataclass(frozen=True, slots=True)
class Wording:
    """Words what is offered instead of a version by rule, so that no model's time is spent on it.
    `templated`: in templates."""

    kb: KnowledgeBase
    version: Version
    templated: bool

    def distinct(self, readings: Sequence[tuple[int, Parse]]) -> list[str]:
        """For each (step that is changed, 0: several; reading) its sub-question. What would read as
        another offer or as a step that is shown is put in its template."""
        labels = self._labels([self.version.parse, *(parse for _, parse in readings)])
        templates = [self._templates(step, parse, labels) for step, parse in readings]
        if self.templated:
            return templates
        texts = [self._phrased(step, parse, labels) for step, parse in readings]
        taken = Counter(texts)
        taken.update(s.shown for s in self.version.steps)
        return [text if taken[text] == 1 else t for text, t in zip(texts, templates, strict=True)]

    def _labels(self, parses: Iterable[Parse]) -> dict[Iri, str]:
        every = (c for p in parses for s in p.decomposition.steps for c in constants_of(s))
        return self.kb.names.fetch(c for c in every if isinstance(c, Iri))

    def _templates(self, step: int, parse: Parse, labels: Mapping[Iri, str]) -> str:
        texts = write_all(parse.decomposition.steps, self.kb.lexicon, Names(labels))
        return self._gone(step, parse) or _joined([texts[n - 1] for n in self._told(step, parse)])

    def _phrased(self, step: int, parse: Parse, labels: Mapping[Iri, str]) -> str:
        steps, phraser = parse.decomposition.steps, RulePhraser(self.kb.lexicon)
        known = self._labels([self.version.parse])
        used = {name: iri for iri, name in known.items()}

        def label(iri: Iri) -> str:
            """The name; another entity of a name that is used already gets its kind behind it."""
            name = labels.get(iri) or fallback(iri)
            shared = iri not in known and name in used
            return clean(f"{name} ({self._kind(iri, used[name])})" if shared else name)

        asked = [phraser.phrase(StepInContext(steps, n, label), n=1)[0].text for n in self._told(step, parse)]
        return self._gone(step, parse) or _joined(asked)

    def _told(self, step: int, parse: Parse) -> Sequence[int]:
        """The steps that tell what is changed: a new one with the one that goes on from it."""
        count = len(parse.decomposition.steps)
        if not step:
            return range(1, count + 1)
        last = step + 1 if count > len(self.version.steps) else step
        return range(step, min(last, count) + 1)

    def _gone(self, step: int, parse: Parse) -> str:
        """How a reading without a whole step is put; '' for others."""
        gone = step and len(parse.decomposition.steps) < len(self.version.steps)
        return clean(f"Leave out: {self.version.steps[step - 1].shown}") if gone else ""

    def _kind(self, iri: Iri, other: Iri) -> str:
        """'country' for what is notable as one; else a type that the other entity hasn't, else the id."""
        query = "SELECT ?e ?t WHERE { ?e <" + _NOTABLE.value + "> ?t }"
        try:
            rows = self.kb.store.select(query, bindings={"e": iri}, time_limit_s=_LIMIT_S).rows
            names = self.kb.names.fetch(t for (_, t) in rows if isinstance(t, Iri))
            if names:
                return common_noun(min(names.values()))
            kinds = [t for t in self.kb.types(iri) if t not in self.kb.types(other)]
        except StoreError:
            return iri.mid
        return fallback(kinds[0]).rpartition(".")[2].replace("_", " ") if kinds else iri.mid


def _joined(texts: Sequence[str]) -> str:
    return clean(" Then: ".join(texts))
