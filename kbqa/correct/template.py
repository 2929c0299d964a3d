"""A sub-question that is templated English, or says the same in fixed words, is read by rule; a model reads
the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.correct.context import Context, Corrected, Corrector
from kbqa.correct.fixed import in_template
from kbqa.errors import TemplateError
from kbqa.lexicon import Lexicon
from kbqa.protocols import Mention, is_concurrent, signature_of, warm
from kbqa.templates import Names, read

_EARLIER = re.compile(r"\b(?:that [a-z][a-z ]*?|the [a-z][a-z ]*? from step \d+)(?=[?,]|\Z)")

_VALUE = re.compile(r"\b((?:than|least|most|after|before|is) )(\d(?:[\d.,-]*\d)?)")


class TemplateCorrector:
    """Reads templates by rule, with or without their brackets, and what is none by `then` (nothing, where
    there is no model). A name that the dialogue shows means the entity it means there."""

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
        linked = {c.entity: c.label for m in mentions for c in m.candidates[:1] if c.label not in shown}
        names = Names({**linked, **known})
        for asked in (text, _bracketed(text, names), in_template(text)):
            try:
                if asked is not None:
                    step = read(asked, len(context.steps) + 1, self._lexicon, names)
                    return (Corrected(step, 0.0, tuple(mentions)),)
            except TemplateError:
                continue
        return tuple(self._then.correct(text, mentions, context, n=n)) if self._then else ()


def _bracketed(text: str, names: Names) -> str | None:
    """The text with brackets around its names and earlier answers, as templates have them; None where it has
    brackets."""
    if "[" in text:
        return None
    labels = sorted((label for label in names.labels.values() if label), key=len, reverse=True)
    known = "|".join(map(re.escape, labels))
    said = re.sub(rf"(?<!\w)(?:{known})(?!\w)", lambda m: f"[{m[0]}]", text) if known else text
    return _VALUE.sub(r"\1[\2]", _EARLIER.sub(lambda m: f"[{m[0]}]", said))
