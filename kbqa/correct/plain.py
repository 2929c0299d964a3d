"""Sub-questions that only list or choose: 'Which mountains are there?', 'Of these, which is K2 or Kailash?'

No model is trained with such steps; they are said in few ways, so read by rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kbqa.correct.context import Context, Corrected, Corrector
from kbqa.lexicon.nouns import INSTANCES, plural
from kbqa.link import key
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Mention, is_concurrent, signature_of, warm
from kbqa.types import Among, Find, Iri, IsNot, Keep, Ref, Restriction, Step, Test

_LISTS = re.compile(
    r"(?:(?:which|what) (?P<one>.+?) are there|(?:what are|name|list)(?: all)?(?: the)? (?P<other>.+?))"
    r"[?.! ]*",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"(?:(?:which|who|what)(?: ones?)? )?of (?:these|those|them|the answers to step (?P<step>\d+)),? "
    r"(?:(?:which|who|what)(?: ones?)? )?(?:is|are) (?P<no>not )?(?:one of )?",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|,?\s*\b(?:or|nor|and)\b)\s*(?:the )?", re.IGNORECASE)


class PlainCorrector:
    """Reads these by rule over a knowledge base whose types these `nouns` name; the rest by `then`."""

    def __init__(self, nouns: CommonNouns, then: Corrector) -> None:
        self._nouns, self._then = nouns, then
        self.concurrent, self.signature = is_concurrent(then), f"plain/{signature_of(then)}"

    def warm(self) -> None:
        warm(self._then)

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> Sequence[Corrected]:
        step = next(self._read(text, mentions, context), None)
        if step is not None:
            return (Corrected(step, 0.0, tuple(mentions)),)
        return self._then.correct(text, mentions, context, n=n)

    def _read(self, text: str, mentions: Sequence[Mention], context: Context) -> Iterator[Step]:
        lists = _LISTS.fullmatch(text.strip())
        if lists:
            said = key(lists["one"] or lists["other"])
            for kind, (_, nouns) in self._nouns.kinds.items():
                if any(said in (key(noun), key(plural(noun))) for noun in nouns):
                    yield Find(kind, INSTANCES[0])
        chooses = _CHOOSES.match(text)
        if chooses:
            source = int(chooses["step"] or len(context.steps))
            named = _all_named(text, chooses.end(), mentions)
            if named and 1 <= source <= len(context.steps):
                tests: tuple[Test, ...] = tuple(map(IsNot, named)) if chooses["no"] else (Among(named),)
                yield Keep(Ref(source), restrictions=(Restriction("answer", (), tests),))


def _all_named(text: str, start: int, mentions: Sequence[Mention]) -> tuple[Iri, ...]:
    """What is named from there on, where it is names and what joins them, and nothing else."""
    found: list[Iri] = []
    for m in sorted(mentions, key=lambda m: m.start):
        if m.start < start:
            continue
        between = text[start : m.start]
        if not (_JOINED.fullmatch(between) if found else between.lower() in ("", "the ")) or not m.candidates:
            return ()
        found.append(m.candidates[0].entity)
        start = m.end
    return tuple(dict.fromkeys(found)) if not text[start:].strip(" ?.!") else ()
