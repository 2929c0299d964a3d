"""Sub-questions that only list, choose or compare earlier answers, or say what is not so: 'Which mountains
are there?', 'Of these, which is K2 or Kailash?', 'Which of these is longer than that?', 'Which figure is the
most recent?', 'Which of these don't border Brazil?'

No model is trained with such steps; they are said in few ways, so read by rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from kbqa.correct.context import Context, Corrected, Corrector
from kbqa.decompose.recompose import references
from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.lexicon.nouns import INSTANCES, plural
from kbqa.link import key
from kbqa.measuring import latest, measured
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Mention, is_concurrent, signature_of, warm
from kbqa.rewire import turned_round
from kbqa.types import (
    Among,
    Find,
    Iri,
    IsNot,
    Keep,
    Kind,
    Operator,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Test,
    Than,
)

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
_COMPARES = re.compile(
    r"(?:(?:which|who|what)(?: ones?)? )?(?:of (?:these|those|them|the answers to step (?P<step>\d+)),? )?"
    r"(?:which|who|what)?(?: ones?)?(?P<how> .*(?:than|before|after)) "
    r"(?:that|this|it|(?:that|this|the) (?!of ).*?(?:step (?P<value>\d+))?)[?.! ]*",
    re.IGNORECASE,
)
_IS_MORE = re.compile(
    r"of the answers to step (?P<step>\d+), which is (?P<how>(?:more|less) than|before|after) "
    r"(?:that(?: .+?)?|the .+? from step (?P<value>\d+))[?.! ]*",
    re.IGNORECASE,
)
_HAS_MORE = re.compile(r" has an? (?P<more>larger|later|smaller|earlier) (?P<noun>.+) than")
_NEWEST = re.compile(
    r"(?:of (?:these|those|them|the answers to step (?P<step>\d+)),? )?which (?:figure|number|one) is the "
    r"(?:most recent|latest|newest)[?.! ]*",
    re.IGNORECASE,
)
_THAN: dict[str, tuple[Operator, Kind]] = {
    "more than": (">", Kind.NUMBER),
    "less than": ("<", Kind.NUMBER),
    "after": (">", Kind.DATE),
    "before": ("<", Kind.DATE),
}
_DENIES = re.compile(
    r"\b(?:is|are|was|were)\s+not\s+(?:one|any|those)(?:\s+(?:that|who|which))?\s+"
    r"|\b(?:do|does|did)(?:\s+not|n['’]?t)\s+|\bnever\s+|(?<=\bis )not\s+|(?<=\bare )not\s+"
    r"|(?<=\bwas )not\s+|(?<=\bwere )not\s+",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:,|,?\s*\b(?:or|nor|and)\b)\s*(?:the )?", re.IGNORECASE)


class PlainCorrector:
    """Reads these by rule over a knowledge base whose types these `nouns` name; the rest by `then`, nothing
    where there is none."""

    def __init__(self, nouns: CommonNouns, then: Corrector | None = None) -> None:
        self._nouns, self._then = nouns, then
        self.concurrent = then is None or is_concurrent(then)
        self.signature = "plain" if then is None else f"plain/{signature_of(then)}"

    def warm(self) -> None:
        warm(self._then)

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> Sequence[Corrected]:
        step = next(self._read(text, mentions, context), None)
        if step is not None:
            return (Corrected(step, 0.0, tuple(mentions)),)
        if self._then is None:
            return ()
        denied = self._denied(self._then, text, mentions, context, n)
        return denied or self._then.correct(text, mentions, context, n=n)

    @staticmethod
    def _denied(
        then: Corrector, text: str, mentions: Sequence[Mention], context: Context, n: int
    ) -> Sequence[Corrected]:
        """What a sub-question denies, read as if it were so and turned round; nothing where it denies
        nothing."""
        denies = _DENIES.search(text)
        if denies is None or any(m.meets(*denies.span()) for m in mentions):
            return ()
        less = denies.end() - denies.start()
        moved = [
            replace(m, start=m.start - less, end=m.end - less) if m.start >= denies.end() else m
            for m in mentions
        ]
        affirmed = text[: denies.start()] + text[denies.end() :]
        read = then.correct(affirmed, moved, context, n=n)
        steps = ((c, turned_round(c.step, len(context.steps))) for c in read)
        return tuple(replace(c, step=step, mentions=tuple(mentions)) for c, step in steps if step is not None)

    def _read(self, text: str, mentions: Sequence[Mention], context: Context) -> Iterator[Step]:
        lists = _LISTS.fullmatch(text.strip())
        if lists:
            said = key(lists["one"] or lists["other"])
            for kind, (_, nouns) in self._nouns.kinds.items():
                if any(said in (key(noun), key(plural(noun))) for noun in nouns):
                    yield Find(kind, INSTANCES[0])
        steps = context.steps
        yield from _chosen(text, mentions, steps)
        yield from _newest(text, steps)
        yield from _more(text, steps)
        compares = _COMPARES.fullmatch(text)
        if compares and not mentions:
            yield from _compared(compares, steps)


def _chosen(text: str, mentions: Sequence[Mention], steps: Sequence[Step]) -> Iterator[Step]:
    """Those of an earlier step that are, or are not, among what is named."""
    said = _CHOOSES.match(text)
    source = int(said["step"] or len(steps)) if said else 0
    named = _all_named(text, said.end(), mentions) if said else ()
    if said and named and 1 <= source <= len(steps):
        tests: tuple[Test, ...] = tuple(map(IsNot, named)) if said["no"] else (Among(named),)
        yield Keep(Ref(source), restrictions=(Restriction("answer", (), tests),))


def _newest(text: str, steps: Sequence[Step]) -> Iterator[Step]:
    """The latest of an earlier step's figures."""
    said = _NEWEST.fullmatch(text)
    source = int(said["step"] or len(steps)) if said else 0
    found = latest(steps[source - 1], source) if 1 <= source <= len(steps) else None
    yield from () if found is None else (found,)


def _more(text: str, steps: Sequence[Step]) -> Iterator[Step]:
    """Those of an earlier step's values that are more, or less, than another's."""
    said = _IS_MORE.fullmatch(text)
    if said is None:
        return
    source, other = int(said["step"]), int(said["value"] or len(steps))
    if source != other and {source, other} <= set(range(1, len(steps) + 1)):
        operator, kind = _THAN[said["how"].lower()]
        yield Keep(
            Ref(source), restrictions=(Restriction("answer", (), (Than(operator, Ref(other), kind),)),)
        )


def _compared(said: re.Match[str], steps: Sequence[Step]) -> Iterator[Step]:
    """Those of an earlier step that have more, or less, of what a later one found of something: of the last
    that it may be, where no step is named."""
    values = [int(said["value"])] if said["value"] else range(len(steps), 0, -1)
    for measure, descending in _measures(said["how"].lower()):
        for at in values:
            if not (0 < at <= len(steps)) or _found_by(steps, at) != measure.path:
                continue
            others = (n for n in range(at - 1, 0, -1) if not references(steps[at - 1]).count(Ref(n)))
            source = int(said["step"]) if said["step"] else next(others, 0)
            if 1 <= source <= len(steps):
                than = Than(">" if descending else "<", Ref(at), measure.kind)
                yield Keep(Ref(source), restrictions=(Restriction("answer", measure.path, (than,)),))


def _measures(words: str) -> Iterator[tuple[Measure, bool]]:
    """What words compare by; in the phraser's own wording the noun tells it, whatever is in it."""
    worded = _HAS_MORE.fullmatch(words)
    if worded is None:
        yield from measured(words)
        return
    for measure in MEASURES:
        if measure.noun.lower() == worded["noun"]:
            yield measure, worded["more"] in ("larger", "later")


def _found_by(steps: Sequence[Step], number: int) -> Path:
    """The path that leads to a step's answers, which it may choose among."""
    match steps[number - 1]:
        case Find(path=path):
            return path
        case Pick(Ref(source)):
            return _found_by(steps, source)
    return ()


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
