"""Templated English -> Step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kbqa.errors import QueryError, TemplateError
from kbqa.lexicon import Lexicon
from kbqa.lexicon.numbers import ORDINALS
from kbqa.sparql.portable import operand
from kbqa.templates.names import Names, is_date, read_value
from kbqa.templates.phrases import (
    AMOUNT_WORDS,
    COMPARISON_WORDS,
    MEASURE_WORDS,
    PART_WORDS,
    QUANTITY_WORDS,
    SUPERLATIVE_WORDS,
    is_verbal,
    mediator_type,
    read_each,
    read_phrase,
    read_property,
    read_several,
    span_of,
)
from kbqa.types import (
    XSD,
    Among,
    Amount,
    Anything,
    Check,
    Count,
    Exists,
    Find,
    HasText,
    Hop,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Many,
    Merge,
    Oftenest,
    OpenThan,
    Operator,
    Path,
    Pick,
    Ref,
    Restriction,
    Site,
    Step,
    Tally,
    Test,
    Than,
    reverse,
)

_BRACKETS = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]", re.DOTALL)
_SLOT = "\x00"
_OF = re.compile(r"Of (?:these|the answers to step (?P<step>\d+)), (?P<rest>.*)\Z", re.DOTALL)
_NTH = "|".join(ORDINALS[2:])
_PICK = re.compile(
    r"(?P<sorted>sorted, )?which(?: (?P<limit>\d+))? "
    r"(?:(?P<verb>has|comes with) the (?:(?P<nth>%s) )?(?P<word>%s) (?P<chain>.+?)"
    r"|is the (?:(?P<nth_bare>%s) )?(?P<bare>%s))"
    r"(?: after the first (?P<offset>\d+))?(?:, counting what (?P<tests>.*))?\Z"
    % (
        ("|".join(ORDINALS[2:]), "|".join(sorted(map(re.escape, SUPERLATIVE_WORDS), key=len, reverse=True)))
        * 2
    ),
    re.DOTALL,
)
_AMOUNT = re.compile(rf"what is the (?P<word>{'|'.join(AMOUNT_WORDS)}) (?P<chain>.+)\Z", re.DOTALL)
_TALLY = re.compile(
    rf"(?:how many are there|what is the (?P<word>{'|'.join(MEASURE_WORDS)}) (?P<what>.+?)) for each "
    r"(?P<chain>.+?)"
    r"(?:, the (?P<way>highest|lowest)(?P<limit>(?: \d+)?) only|(?P<rising>, the lowest first))?\Z",
    re.DOTALL,
)
_VALUES = re.compile(r"what is the (?P<chain>.+) of each, if any\Z", re.DOTALL)
_QUANTITY = "|".join(map(re.escape, QUANTITY_WORDS))
_FILLED = re.compile(
    rf"(?:each of )?(?P<quantity>{_QUANTITY}) {_SLOT}(?P<of> of {_SLOT})?"
    rf"|(?P<among>one of {_SLOT}(?: {_SLOT})*)|(?P<thing>{_SLOT}|\b(?:nothing|something)\b)"
)
"""What stands in a noun phrase that the answer is: 'the publisher of more than [10]'."""
_TIMES = re.compile(rf"is given (?P<quantity>{_QUANTITY}) {_SLOT} times\Z")
_CLAUSE = re.compile(r", (?=(?:where the|whose|which|at some time) )")


def read(text: str, number: int, lexicon: Lexicon, names: Names) -> Step:
    """The Step that `write` put as `text`. Raises `TemplateError` saying what can't be read."""
    values: list[str] = []

    def cut(m: re.Match[str]) -> str:
        values.append(m[1])
        return _SLOT

    skeleton = _BRACKETS.sub(cut, text.strip())
    if not skeleton.endswith("?"):
        raise TemplateError(f"a templated question ends in '?': {text!r}")
    if skeleton.count(_SLOT) != len(values) or "[" in skeleton or "]" in skeleton:
        raise TemplateError(f"square brackets don't match in {text!r}")
    reader = _Reader(number, lexicon, names, values)
    step = reader.step(skeleton[:-1])
    if reader.values:
        raise TemplateError(f"{text!r} holds more than can be read: [{reader.values[0]}]")
    return step


def read_all(texts: Sequence[str], lexicon: Lexicon, names: Names) -> tuple[Step, ...]:
    return tuple(read(t, i, lexicon, names) for i, t in enumerate(texts, 1))


@dataclass
class _Reader:
    number: int
    lexicon: Lexicon
    names: Names
    values: list[str]
    """What stood in brackets and is not read yet, in order."""

    def value(self) -> Iri | Literal | Ref | Anything:
        return read_value(self._raw(), self.number, self.names)

    def _raw(self) -> str:
        if not self.values:
            raise TemplateError("a value in square brackets is missing")
        return self.values.pop(0)

    def term(self) -> Iri | Literal | Ref:
        found = self.value()
        if isinstance(found, Anything):
            raise TemplateError("[anything] can't be compared with")
        return found

    def literal(self) -> Literal:
        found = self.value()
        if not isinstance(found, Literal):
            raise TemplateError("a number, date or text in brackets expected")
        return found

    # --- sentences

    def step(self, text: str) -> Step:
        merged = re.match(r"What is found in (step \d+(?: or step \d+)*)\Z", text)
        if merged:
            return Merge(tuple(Ref(int(n)) for n in re.findall(r"\d+", merged[1])))
        of = _OF.match(text)
        if of:
            source = Ref(int(of["step"])) if of["step"] else Ref(self.number - 1)
            return self._about(source, of["rest"])
        asked = re.match(r"(?:What|Who) is (.*)\Z", text, re.DOTALL)
        if asked is None:
            raise TemplateError(f"no template begins like {text[:60]!r}")
        phrase, *clauses = _CLAUSE.split(asked[1])
        path = self.phrase(phrase)
        anchor = self.value()
        return Find(anchor, path, self.clauses(clauses, path))

    def _about(self, source: Ref, text: str) -> Step:
        match text:
            case "which is found most often":
                return Oftenest(source)
            case "how many are there":
                return Count(source)
            case "is there any":
                return Check(source)
        values = _VALUES.match(text)
        if values:
            return Tally(source, (), None, "values", self.chain(values["chain"], None))
        tally = _TALLY.match(text)
        if tally:
            return self._tally(source, tally)
        amount = _AMOUNT.match(text)
        if amount:
            return Amount(source, self.chain(amount["chain"], None), AMOUNT_WORDS[amount["word"]])
        picked = _PICK.match(text)
        if picked:
            return self._pick(source, picked)
        if _OUTRIGHT.match(text):
            said, *clauses = _CLAUSE.split(text.removeprefix("which "))
            first = Restriction("answer", (), self.tests(said))
            return Keep(source, None, (), (first, *self.clauses(clauses, ())))
        kept = re.match(r"which is (.*)\Z", text, re.DOTALL)
        if kept is None:
            raise TemplateError(f"no template goes on like {text[:60]!r}")
        phrase, *clauses = _CLAUSE.split(kept[1])
        if phrase == "one":
            return Keep(source, None, (), self.clauses(clauses, ()))
        if said := self._phrased(f"is {phrase}", named=False):
            return Keep(source, None, (), (said, *self.clauses(clauses, ())))
        if phrase == f"also {_SLOT}":
            return Keep(source, self.value(), (), self.clauses(clauses, ()))
        path = self.phrase(phrase)
        anchor = self.value()
        return Keep(source, anchor, path, self.clauses(clauses, path))

    def phrase(self, text: str) -> Path:
        if text.count(_SLOT) != 1:
            raise TemplateError(f"one name in brackets expected in {text.replace(_SLOT, '[...]')!r}")
        path = read_phrase(text.replace(_SLOT, "{}"), self.lexicon)
        if not path:
            raise TemplateError(f"no predicate in {text.replace(_SLOT, '[...]')!r}")
        return path

    def _pick(self, source: Ref, m: re.Match[str]) -> Pick:
        kind, descending = SUPERLATIVE_WORDS[m["word"] or m["bare"]]
        site: Site = "mediator" if m["verb"] == "comes with" else "answer"
        limit = None if m["sorted"] else int(m["limit"] or 1)
        path = self.chain(m["chain"], None) if m["chain"] else ()
        tests = self.tests(m["tests"]) if m["tests"] else ()
        nth = m["nth"] or m["nth_bare"]
        offset = ORDINALS.index(nth) - 1 if nth else int(m["offset"] or 0)
        return Pick(source, site, path, descending, kind, limit, offset, tests)

    def _tally(self, source: Ref, m: re.Match[str]) -> Tally:
        path = read_each(m["chain"], self.lexicon) or self.chain(m["chain"], None)
        limit = int(m["limit"] or 1) if m["way"] else None
        measure = MEASURE_WORDS[m["word"]] if m["word"] else "count"
        value = self.chain(m["what"], None) if m["what"] else ()
        return Tally(source, path, limit, measure, value, m["way"] == "lowest" or m["rising"] is not None)

    def chain(self, text: str, within: str | None) -> Path:
        named = self.lexicon.chains_by_name.get(text)
        if named is not None:
            return named
        *late, first = text.split(" of the ")
        if not late:
            return (self._hop(first, within),)
        hop = self._hop(first, within)
        if len(late) > 1:
            raise TemplateError(f"more than two properties in {text!r}")
        return (hop, self._hop(late[0], None))

    def _hop(self, text: str, within: str | None) -> Hop:
        inverse = text.endswith(" backwards")
        return Hop(read_property(text.removesuffix(" backwards"), self.lexicon, within), inverse)

    # --- restrictions

    def clauses(self, texts: Sequence[str], path: Path) -> tuple[Restriction, ...]:
        kind = mediator_type(path)
        out: list[Restriction] = []
        for text in texts:
            out.extend(self._clause(text, kind))
        return tuple(out)

    def _clause(self, text: str, kind: str | None) -> Sequence[Restriction]:
        if text.startswith("at some time "):
            return self._period(text, kind)
        if text.startswith("which "):
            said = text.removeprefix("which ")
            return [self._phrased(said) or Restriction("answer", (), self.tests(said))]
        mediator = text.startswith("where the ")
        rest = text.removeprefix("where the " if mediator else "whose ")
        chain, tests = self._split(rest)
        site: Site = "mediator" if mediator else "answer"
        return [Restriction(site, self.chain(chain, kind if mediator else None), self.tests(tests))]

    def _phrased(self, text: str, named: bool = True) -> Restriction | None:
        """What the answer is to a value: 'is the publisher of more than [10]'; None for any other clause.
        `named`: whether the value may be one that is named."""
        said = text.removeprefix("is ").removeprefix("never ")
        found = _FILLED.search(said)
        if found is None or not text.startswith("is ") or found[0] == said:
            return None
        plain = text == f"is {said}" and (
            found["thing"] == _SLOT or said.replace(_SLOT, "{}") in self.lexicon.by_template
        )
        if plain and not named:
            return None
        skeleton = f"{said[: found.start()]}{{}}{said[found.end() :]}"
        try:
            reading = read_several if found["quantity"] else read_phrase
            path = reverse(reading(skeleton, self.lexicon))
        except TemplateError:
            return None
        return Restriction("answer", path, self._filled(found, text.startswith("is never "), path))

    def _filled(self, m: re.Match[str], never: bool, path: Path) -> tuple[Test, ...]:
        if m["quantity"]:
            many = Many(QUANTITY_WORDS[m["quantity"]], self._number())
            return (many, Is(self.term())) if m["of"] else (many,)
        if m["among"]:
            return (Among(tuple(self._constant() for _ in range(m["among"].count(_SLOT)))),)
        if m["thing"] in ("nothing", "something"):
            return (Lacks() if m["thing"] == "nothing" else Exists(),)
        if not never:
            return (Is(self.term()),)
        if is_verbal(reverse(path), self.lexicon):
            return (Lacks(self._constant()),)
        return Many("=", 0), Is(self.term())

    def _number(self) -> int:
        said = self._raw()
        if not said.isdecimal():
            raise TemplateError(f"a whole number expected, found [{said}]")
        return int(said)

    def _split(self, text: str) -> tuple[str, str]:
        """The property and the first test's words."""
        found = [m for m in _TEST_START.finditer(text)]
        if not found:
            raise TemplateError(f"no comparison in {text.replace(_SLOT, '[...]')!r}")
        return text[: found[0].start()], text[found[0].start() + 1 :]

    def _period(self, text: str, kind: str | None) -> Sequence[Restriction]:
        span = span_of(kind)
        if span is None:
            raise TemplateError("a period is said of a path through a term that has none")
        said = text.removeprefix("at some time ")
        raw = [self._raw() for _ in range(said.count(_SLOT))]
        match said.replace(_SLOT, "[]"), raw:
            case "in []", [year] if re.fullmatch(r"\d{4}", year):
                start, end = f"{year}-01-01", f"{year}-12-31"
            case "on []", [day] if is_date(day):
                start = end = day
            case "from [] to []", [start, end] if is_date(start) and is_date(end):
                pass
            case _:
                raise TemplateError(f"no period reads {said.replace(_SLOT, '[...]')!r}: {', '.join(raw)}")
        ends: tuple[tuple[Iri, Operator, str], ...] = ((span[0], "<=", end), (span[1], ">=", start))
        return [
            Restriction("mediator", (Hop(p),), (OpenThan(op, Literal(day, XSD + "date"), Kind.DATE),))
            for p, op, day in ends
        ]

    def tests(self, text: str) -> tuple[Test, ...]:
        return tuple(self.test(part) for part in text.split(" and "))

    def test(self, text: str) -> Test:
        times = _TIMES.match(text)
        if times:
            return Many(QUANTITY_WORDS[times["quantity"]], self._number())
        if not text.endswith(f" {_SLOT}"):
            match text:
                case "is given":
                    return Exists()
                case "is not given":
                    return Lacks()
            raise TemplateError(f"no comparison reads {text!r}")
        if re.fullmatch(f"is one of(?: {_SLOT})+", text):
            return Among(tuple(self._constant() for _ in range(text.count(_SLOT))))
        return self._comparison(text.removesuffix(f" {_SLOT}"))

    def _comparison(self, words: str) -> Test:
        match words:
            case "is":
                return Is(self.term())
            case "is not":
                return IsNot(self.term())
            case "is never":
                return Lacks(self._constant())
            case _ if words in PART_WORDS:
                return HasText(PART_WORDS[words], self._text())
        opened = words.startswith("if any ")
        key = COMPARISON_WORDS.get(words.removeprefix("if any "))
        if key is None:
            raise TemplateError(f"no comparison reads {words!r}")
        kind, operator = key
        value = self.literal() if opened else self.term()
        if isinstance(value, Iri):
            raise TemplateError(f"{words!r} is said of a number, a date, a text or a step")
        if isinstance(value, Literal):
            self._check(value, kind)
        if opened:
            assert isinstance(value, Literal)
            return OpenThan(operator, value, kind)
        return Than(operator, value, kind)

    def _text(self) -> str:
        found = self.literal()
        if found.datatype or found.language:
            raise TemplateError("a text in quotation marks expected")
        return found.lexical

    @staticmethod
    def _check(value: Literal, kind: Kind) -> None:
        """A number where a number is compared, a date where a date is."""
        try:
            operand(value, kind)
        except QueryError as e:
            raise TemplateError(e.reason) from None

    def _constant(self) -> Iri | Literal:
        found = self.term()
        if isinstance(found, Ref):
            raise TemplateError("an earlier step can't stand here: a name or a value expected")
        return found


_STARTS = [f"(?:if any )?{re.escape(w)} {_SLOT}" for w in COMPARISON_WORDS]
_STARTS += [
    f"is {_SLOT}",
    f"is not {_SLOT}",
    "is given",
    "is not given",
    f"is never {_SLOT}",
    f"is one of {_SLOT}",
    *(f"is given {words} {_SLOT} times" for words in QUANTITY_WORDS),
    *(f"{words} {_SLOT}" for words in PART_WORDS),
]
_OUTRIGHT = re.compile(
    f"which (?:{'|'.join(map(re.escape, (*COMPARISON_WORDS, 'is not', 'is one of')))}) {_SLOT}"
)
_TEST_START = re.compile(" (?=(?:" + "|".join(sorted(_STARTS, key=len, reverse=True)) + "))")
