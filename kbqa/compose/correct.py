"""Sub-questions about earlier answers ('Which of these have more than 300 pages?'), read by rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kbqa.compose.each import Each
from kbqa.compose.parser import ComposingParser
from kbqa.compose.phrases import Phrases
from kbqa.compose.things import First, Steps
from kbqa.correct import Context, Corrected, Corrector
from kbqa.errors import StoreError
from kbqa.protocols import Mention, is_concurrent, signature_of, warm
from kbqa.types import Iri, Keep, Pick, Ref, Step

_OF = re.compile(
    r"(?:which|who|what)? ?(?:ones? )?of (?:these|those|them|the answers (?:to|of) step (?P<step>\d+)),? ?",
    re.IGNORECASE,
)
_EACH = re.compile(r"\bof each of (?:these|those|them)\b", re.IGNORECASE)


class ComposingCorrector:
    """Reads what is said of earlier answers by the rules that read questions; `then` reads the rest."""

    def __init__(self, rules: ComposingParser, then: Corrector) -> None:
        self._rules, self._then = rules, then
        self.concurrent = is_concurrent(then)
        self.signature = f"rules/{signature_of(then)}"

    def warm(self) -> None:
        warm(self._then)

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> Sequence[Corrected]:
        found = self._read(text, mentions, context)
        if found:
            return tuple(Corrected(step, 0.0, tuple(mentions)) for step in found[:n])
        return self._then.correct(text, mentions, context, n=n)

    def _read(self, text: str, mentions: Sequence[Mention], context: Context) -> tuple[Step, ...]:
        about = _OF.match(text) or _EACH.search(text)
        if about is None or not context.steps:
            return ()
        late = about.re is _EACH
        source = len(context.steps) if late else int(about["step"] or len(context.steps))
        if not 1 <= source <= len(context.steps):
            return ()
        try:
            phrases = self._rules.phrases(text, mentions)
            kinds = self._kinds(context.samples[source - 1] if source <= len(context.samples) else ())
        except StoreError:
            return ()
        if phrases is None:
            return ()
        start = 0 if late else sum(t.start < about.end() for t in phrases.text.tokens)
        read = sorted(
            ((doubt, step) for kind in kinds for doubt, step in _steps(phrases, kind, start, source)),
            key=lambda pair: pair[0],
        )
        return tuple(dict.fromkeys(step for _, step in read))

    def _kinds(self, some: Sequence[Iri]) -> list[Iri]:
        """The classes of earlier answers, the most frequent first."""
        counts = Counter(kind for one in some for kind in self._rules.types(one))
        return [kind for kind, _ in counts.most_common()]


def _steps(phrases: Phrases, kind: Iri, i: int, source: int) -> Iterator[tuple[float, Step]]:
    """The single steps that the words from `i` to the end say of the answers of a step."""
    end = len(phrases.text)
    yield from Each(phrases).about(kind, i, Ref(source))
    for first, doubt, j in phrases.conditions.extreme(kind, i):
        if j == end:
            yield doubt, _picked(first, source)
    for conditions, doubt, j in phrases.described(kind, i):
        if j == end and len(conditions) == 1:
            writing = Steps(phrases.schema)
            writing.of_earlier(Ref(source), kind, conditions[0])
            match writing.steps:
                case [Keep() as step]:
                    yield doubt, step


def _picked(first: First, source: int) -> Pick:
    return Pick(Ref(source), "answer", first.path, first.descending, first.kind, first.limit)
