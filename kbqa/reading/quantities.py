"""How many there are of something: 'Which countries border more than five countries?', 'Which president had
the most children?', 'Which presidents were married twice?'

Nothing in the parser's training asks so. What is asked about is read alone; of the ways that lead on from it
the one is taken whose words the question has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from kbqa.answers import collect
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.lexicon.nouns import INSTANCES, plural
from kbqa.lexicon.numbers import CARDINALS
from kbqa.link import key
from kbqa.link.words import FUNCTION
from kbqa.lookups import hops_leaving
from kbqa.measuring import INHABITANTS
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, reading, told
from kbqa.reading.coverage import STEM, path_stems
from kbqa.reading.honours import HONOUR, OF_AWARD, OF_WINNER
from kbqa.reading.rule import Read, Rule, Run
from kbqa.rewire import with_references
from kbqa.templates.phrases import mediator_type
from kbqa.types import (
    XSD,
    Exists,
    Find,
    Hop,
    Iri,
    Is,
    Keep,
    Kind,
    Literal,
    Many,
    Oftenest,
    Operator,
    Path,
    Ref,
    Restriction,
    Step,
    Than,
    freebase,
    reverse,
)

_OPERATORS: dict[str, Operator] = {
    "more than": ">", "over": ">", "at least": ">=", "no fewer than": ">=", "fewer than": "<",
    "less than": "<", "under": "<", "at most": "<=", "no more than": "<=", "exactly": "=", "only": "=",
    "just": "=", "": "=",
}  # fmt: skip
_SAID = "|".join(sorted(filter(None, _OPERATORS), key=len, reverse=True))
_MANY = re.compile(
    rf"\b(?:(?P<than>{_SAID})\s+)?(?:(?P<number>\d{{1,2}}|{'|'.join(CARDINALS)})|(?P<some>multiple|several))\s+"
    r"(?:different\s+|other\s+)?(?P<noun>[a-z]+(?:\s+[a-z]+)?)\W*\Z",
    re.IGNORECASE,
)
_MOST = re.compile(r"\b(?:the\s+)?most\s+(?P<noun>[a-z]+(?:\s+[a-z]+)?)\W*\Z", re.IGNORECASE)
_SO_OFTEN = (
    rf"(?:(?P<than>{_SAID})\s+)?(?:(?P<twice>twice)|(?P<once>once)|(?P<number>\d{{1,2}}|{'|'.join(CARDINALS)})"
    r"(?P<least>\s+or\s+more|\+)?\s+times)\W*\Z"
)
_MARRIED = re.compile(rf"\b(?:(?:was|were|got|has been|have been)\s+)?married\s+{_SO_OFTEN}", re.IGNORECASE)
_TIMES = re.compile(rf"\s{_SO_OFTEN}", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?:\A\W*|,?\s+)(?:by|through|up\s+to|up\s+until|until|till|as\s+of|before)\s+(?:the\s+)?(?:end\s+of\s+)?(?:the\s+year\s+)?"
    r"(?P<year>[12]\d{3})\b(?:,\s*)?",
    re.IGNORECASE,
)
_BEGAN = Hop(freebase("time.event.start_date"))
_ASKED = re.compile(
    r"\A\W*(?:which|what|who (?:is|was) the|the|name (?:the|all)?|list (?:the|all)?)\s+(?:of the\s+)?"
    r"(?P<noun>(?:us\s+|prime\s+)?[a-z]+)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"(?:s|children|men|women)\Z")
_MEASURED = INHABITANTS | frozenset(
    "year years day days month months hour hours minute minutes second seconds mile miles metre metres meter"
    " meters feet foot km kilometres kilometers acres square percent dollars euros million billion"
    " thousand time times term terms".split()
)
"""Nouns of figures, not of things that are counted."""
_SAME = {"movie": "film", "movies": "films", "kids": "children", "wives": "spouse", "husbands": "spouse"}
_TIED = {"neighbors": "borders", "neighbours": "borders", "neighboring countries": "borders"}
"""Nouns that say how things are tied."""
_SAMPLE, _MOST_THINGS = 12, 5_000
_LIMIT_S = 1.0


@dataclass(frozen=True)
class Quantity:
    """What a question asks about, the words for what is counted, and how many of it there are; None: the
    most."""

    asked: str
    words: str
    noun: str
    many: Many | None


def quantity_of(text: str, mentions: Sequence[Mention]) -> Quantity | None:
    """The quantity that a question ends in; None where it ends in none."""
    asked = _ASKED.match(text)
    times, many, most = _MARRIED.search(text), _MANY.search(text), _MOST.search(text)
    said = times or many or most
    if asked is None or said is None or any(m.end > said.start() for m in mentions):
        return None
    ends = max([asked.end("noun"), *(m.end for m in mentions)])
    if ends > said.start():
        return None
    if times is not None:
        return Quantity(text[:ends], "married spouse", "spouse", _how_many(times))
    noun = said["noun"].lower()
    if _MEASURED.intersection(noun.split()) or (said is most and not _SEVERAL.search(noun)):
        return None
    words = f"{text[ends : said.start()]} {_TIED.get(noun, '')} {noun}".lower()
    return Quantity(text[:ends], words, noun, _how_many(said) if said is many else None)


def _how_many(said: re.Match[str]) -> Many:
    groups = said.groupdict()
    if groups.get("some"):
        return Many(">", 1)
    word = "two" if groups.get("twice") else (groups.get("number") or "one").lower()
    count = int(word) if word.isdigit() else CARDINALS.index(word)
    if groups.get("least"):
        return Many(">=", count)
    operator = _OPERATORS[re.sub(r"\s+", " ", (groups.get("than") or "").lower())]
    return Many(operator, count)


class Quantities(Rule):
    """Reads how many there are of something. `fitted` gives a reading as the data can answer it."""

    def __init__(
        self, kb: KnowledgeBase, run: Run, read: Read, nouns: CommonNouns, fitted: Callable[[Parse], Parse]
    ) -> None:
        super().__init__(kb, run, read)
        self._nouns, self._fitted = nouns, fitted

    def counted(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading with those that have so many, or the most; None where the question asks for no such
        thing, or it can't be told."""
        if self._kb.own:
            return None
        quantity = quantity_of(text, mentions)
        if quantity is None:
            return self._so_often(text, mentions)
        asked = self._read(f"{quantity.asked}?") or self._all(quantity.asked)
        if asked is None or asked.rows is None or not asked.told:
            return None
        things = [a for a in collect(asked.rows) if isinstance(a, Iri)]
        if not 1 < len(things) <= _MOST_THINGS:
            return None
        steps = asked.parse.decomposition.steps
        for path in self._ways(things, quantity):
            with suppress(DecompositionError):
                found = self._run(self._fitted(reading(_with(steps, path, quantity.many))))
                if found is not None and found.told:
                    return found
        return None

    def _so_often(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading with those found so often: 'Which teams won the Super Bowl more than twice?'"""
        until = _UNTIL.search(text)
        said = _TIMES.search(text if until is None else f"{text[: until.start()]}{text[until.end() :]}")
        if said is None or any(m.text in said[0] for m in mentions):
            return None
        asked = self._read(f"{said.string[: said.start()]}?")
        steps = asked.parse.decomposition.steps if asked is not None and asked.told else ()
        for number, step in reversed([*enumerate(steps, 1)]):
            match step:
                case Find(Ref() as of, path, ()) | Keep(_, Ref() as of, path, ()):
                    then = steps if until is None else tuple(_until(steps, of.step, until["year"]))
                    each = Restriction("answer", reverse(path), (_how_many(said), Is(of)))
                    return told(self._run, (*then, Keep(Ref(len(steps)), restrictions=(each,))))
                case Find(Iri() as award, path, ()) if number == 1 and mediator_type(path) == HONOUR:
                    apart = (Find(award, OF_AWARD), Find(Ref(1), reverse(OF_WINNER)))
                    each = Restriction("answer", OF_WINNER, (_how_many(said), Is(Ref(1))))
                    rest = tuple(with_references(s, _next) for s in steps[1:])
                    whole = (*apart, *rest, Keep(Ref(len(steps) + 1), restrictions=(each,)))
                    return told(self._run, whole)
        return None

    def _all(self, asked: str) -> Chosen | None:
        """All things of the sort that the last word names."""
        kinds = self._nouns.sorts.get(key(asked.split()[-1]), ())
        found = (told(self._run, (Find(kind, INSTANCES[0]),)) for kind in kinds)
        return next(filter(None, found), None)

    def _ways(self, things: Sequence[Iri], quantity: Quantity) -> Iterator[Path]:
        """Worded paths to things that leave some of these, by what is said: the verb first of all, then the
        noun."""
        words = [w[:STEM] for w in re.findall(r"[a-z]+", quantity.words) if w not in FUNCTION]
        noun = {_SAME.get(w, w)[:STEM] for w in quantity.noun.split()}
        verbs = set(words) - {w[:STEM] for w in quantity.noun.split()}
        hops: set[Hop] = set()
        try:
            for thing in things[:: max(1, len(things) // _SAMPLE)]:
                hops.update(hops_leaving(self._kb.store, thing, _LIMIT_S))
        except StoreTimeout:
            return
        worth: dict[Path, int] = {}
        for path, wording in self._kb.lexicon.wordings.items():
            if path and path[0] in hops and reverse(path) in self._kb.lexicon.wordings:
                said = path_stems(path, self._kb.lexicon)
                called = sum(w[:STEM] in noun for w in (*wording.noun.split(), plural(wording.noun)))
                if verbs & said or (not verbs and called):
                    worth[path] = 2 * len(verbs & said) + called + len(noun & said)
        best = max(worth.values(), default=0)
        yield from sorted((p for p, n in worth.items() if n == best), key=_plainest)


def _until(steps: Sequence[Step], number: int, year: str) -> Iterator[Step]:
    """The steps with those events of that one that were until the end of a year."""
    for at, step in enumerate(steps, 1):
        if at == number and isinstance(step, Find | Keep):
            last = Than("<=", Literal(f"{year}-12-31", XSD + "date"), Kind.DATE)
            step = replace(step, restrictions=(*step.restrictions, Restriction("answer", (_BEGAN,), (last,))))
        yield step


def _next(ref: Ref) -> Ref:
    return Ref(ref.step + 1)


def _plainest(path: Path) -> tuple[int, int, Path]:
    """Short paths first, of these those that go forward."""
    return len(path), sum(hop.inverse for hop in path), path


def _with(steps: tuple[Step, ...], path: Path, many: Many | None) -> tuple[Step, ...]:
    """The steps with those of what they find that have so many of what a path leads to, or the most."""
    last = Ref(len(steps))
    if many is not None:
        return (*steps, Keep(last, restrictions=(Restriction("answer", path, (many,)),)))
    has = Keep(last, restrictions=(Restriction("answer", path, (Exists(),)),))
    return (*steps, has, Oftenest(Ref(last.step + 1)))
