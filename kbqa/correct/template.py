"""A sub-question that is templated English, or says the same in fixed words, is read by rule; a model reads
the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kbqa.correct.context import Context, Corrected, Corrector
from kbqa.correct.fixed import in_template
from kbqa.errors import TemplateError
from kbqa.intake import constants_of
from kbqa.lexicon import Lexicon
from kbqa.lexicon.nouns import INSTANCES
from kbqa.protocols import Mention, is_concurrent, signature_of, warm
from kbqa.rewire import exchange
from kbqa.templates import Names, read
from kbqa.types import Find, Iri, Keep, Step

_EARLIER = re.compile(r"\b(?:that [a-z][a-z ]*?|the [a-z][a-z ]*? from step \d+)(?=[?,]|\Z)")

_VALUE = re.compile(r"\b((?:than|least|most|after|before|is) )(\d(?:[\d.,-]*\d)?)")


class TemplateCorrector:
    """Reads templates by rule, with or without their brackets, and what is none by `then` (nothing, where
    there is no model). A name means the entity that it means in the dialogue, else the likeliest; after that
    come the others of that name, for the one that is meant has answers."""

    def __init__(self, lexicon: Lexicon, then: Corrector | None = None) -> None:
        self._lexicon, self._then = lexicon, then
        self.concurrent = then is None or is_concurrent(then)
        self.signature = "template" if then is None else f"template/{signature_of(then)}"

    def warm(self) -> None:
        warm(self._then)

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        known = dict(context.entities)
        shown = set(known.values())
        types = {iri: label for iri, label in self._lexicon.types.items() if f"[{label}]" in text}
        linked = {c.entity: c.label for m in mentions for c in m.candidates[:1] if c.label not in shown}
        shown.update(linked.values())
        unnamed = {iri: label for iri, label in types.items() if label not in shown}
        names = Names({**unnamed, **linked, **known})
        alike = {c.entity: c.label for m in mentions for c in m.candidates} | types
        for asked in (text, _bracketed(text, names), in_template(text)):
            try:
                if asked is not None:
                    step = read(asked, len(context.steps) + 1, self._lexicon, names)
                    every = (step, *_of_namesakes(step, names.labels, alike))
                    fitting = sorted(every, key=self._of_no_type)
                    return tuple(Corrected(s, 0.0, tuple(mentions)) for s in fitting[:n])
            except TemplateError:
                continue
        return tuple(self._then.correct(text, mentions, context, n=n)) if self._then else ()

    def _of_no_type(self, step: Step) -> bool:
        """Whether a step asks for the instances of what is none of Freebase's types."""
        match step:
            case Find(Iri() as of, path) | Keep(_, Iri() as of, path) if path == INSTANCES[1]:
                return bool(self._lexicon.types) and of not in self._lexicon.types
        return False


def _of_namesakes(step: Step, labels: Mapping[Iri, str], alike: Mapping[Iri, str]) -> Iterator[Step]:
    """The step of other things of the same name: [Mountain] is a type, and what things are notable as."""
    for entity in dict.fromkeys(c for c in constants_of(step) if isinstance(c, Iri)):
        for other, label in alike.items():
            if other != entity and label == labels.get(entity):
                yield exchange(step, {entity: other})


def _bracketed(text: str, names: Names) -> str | None:
    """The text with brackets around its names and earlier answers, as templates have them; None where it has
    brackets."""
    if "[" in text:
        return None
    labels = sorted((label for label in names.labels.values() if label), key=len, reverse=True)
    known = "|".join(map(re.escape, labels))
    said = re.sub(rf"(?<!\w)(?:{known})(?!\w)", lambda m: f"[{m[0]}]", text) if known else text
    return _VALUE.sub(r"\1[\2]", _EARLIER.sub(lambda m: f"[{m[0]}]", said))
