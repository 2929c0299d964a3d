"""Step -> templated English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbqa.errors import TemplateError
from kbqa.lexicon import Lexicon
from kbqa.lexicon.numbers import ORDINALS
from kbqa.templates.names import Names, is_date, show_value
from kbqa.templates.phrases import (
    AMOUNTS,
    COMPARISONS,
    MEASURES,
    PARTS,
    QUANTITIES,
    SUPERLATIVES,
    each_of,
    is_verbal,
    mediator_type,
    noun_phrase,
    of_several,
    property_name,
    span_of,
)
from kbqa.templates.read import read
from kbqa.types import (
    XSD,
    Among,
    Amount,
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
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Tally,
    Test,
    Than,
    reverse,
)


def noun_of(steps: Sequence[Step], number: int, lexicon: Lexicon) -> str:
    """What the answers of a step are called ('country')."""
    step = steps[number - 1]
    match step:
        case Find(Iri() as kind, (Hop(inverse=True),), _) if kind in lexicon.kinds:
            return lexicon.kinds[kind][0]
        case Find(_, path, _):
            wording = lexicon.wordings.get(path)
            return wording.noun if wording else "thing"
        case Keep(source=source) | Pick(source=source) | Oftenest(source=source):
            return noun_of(steps, source.step, lexicon)
        case Merge(sources):
            nouns = {noun_of(steps, s.step, lexicon) for s in sources}
            return nouns.pop() if len(nouns) == 1 else "thing"
        case _:
            return "number"


def write(
    step: Step, number: int, lexicon: Lexicon, names: Names, nouns: Mapping[int, str] | None = None
) -> str:
    """One sentence for step `number` (counted from 1). `nouns`: what earlier steps' answers are
    called; it decides how they are mentioned ('that country'), not what is read back.

    Raises `TemplateError` for a step that no sentence holds (a condition without a test, a path of
    none or many hops where one or two are meant). Where a wording would read otherwise, the plain
    chain of property names stands for it.
    """
    for wordings in (lexicon, Lexicon()):
        text = _Writer(number, wordings, names, nouns or {}).step(step)
        try:
            if read(text, number, lexicon, names) == step:
                return text
        except TemplateError:
            continue
    raise TemplateError(f"no template reads back as step {number}; nearest: {text}")


def write_all(steps: Sequence[Step], lexicon: Lexicon, names: Names) -> tuple[str, ...]:
    """The templates of all steps in order."""
    nouns = {i: noun_of(steps, i, lexicon) for i in range(1, len(steps) + 1)}
    return tuple(write(s, i, lexicon, names, nouns) for i, s in enumerate(steps, 1))


@dataclass(frozen=True)
class _Writer:
    number: int
    lexicon: Lexicon
    names: Names
    nouns: Mapping[int, str]

    def value(self, v: object) -> str:
        return show_value(v, self.number, self.nouns, self.names)

    def of(self, source: Ref) -> str:
        return "Of these" if source.step == self.number - 1 else f"Of the answers to step {source.step}"

    def step(self, step: Step) -> str:
        match step:
            case Find(anchor, path, restrictions):
                wording = self.lexicon.wordings.get(path)
                asks = "Who" if wording and wording.asks == "Who" else "What"
                phrase = noun_phrase(path, self.lexicon).replace("{}", self.value(anchor))
                return f"{asks} is {phrase}{self.clauses(restrictions, path)}?"
            case Keep(source, anchor, path, restrictions):
                kept = f"is {self._kept(anchor, path)}"
                if anchor is None and restrictions and (said := self._outright(restrictions[0])):
                    kept, restrictions = said, restrictions[1:]
                return f"{self.of(source)}, which {kept}{self.clauses(restrictions, path)}?"
            case Pick():
                return f"{self.of(step.source)}, {self._picked(step)}?"
            case Merge(sources):
                return f"What is found in {' or '.join(f'step {s.step}' for s in sources)}?"
            case Oftenest(source):
                return f"{self.of(source)}, which is found most often?"
            case Count(source):
                return f"{self.of(source)}, how many are there?"
            case Check(source):
                return f"{self.of(source)}, is there any?"
            case Amount(source, path, function):
                what = self.chain(path, None)
                return f"{self.of(source)}, what is the {AMOUNTS[function]} {what}?"
            case Tally():
                return f"{self.of(step.source)}, {self._tallied(step)}?"

    def _kept(self, anchor: object, path: Path) -> str:
        if anchor is None:
            return "one"
        if not path:
            return f"also {self.value(anchor)}"
        return noun_phrase(path, self.lexicon).replace("{}", self.value(anchor))

    def _tallied(self, t: Tally) -> str:
        what = self.chain(t.value, None) if t.value else ""
        if t.measure == "values":
            return f"what is the {what} of each, if any"
        group = each_of(t.path, self.lexicon) or self.chain(t.path, None)
        asked = "how many are there" if t.measure == "count" else f"what is the {MEASURES[t.measure]} {what}"
        first = "lowest" if t.rising else "highest"
        if t.limit is not None:
            some = "" if t.limit == 1 else f" {t.limit}"
            return f"{asked} for each {group}, the {first}{some} only"
        return f"{asked} for each {group}{', the lowest first' if t.rising else ''}"

    # --- superlatives

    def _picked(self, p: Pick) -> str:
        nth = nth_words(p)
        word = nth + SUPERLATIVES[p.kind, p.descending]
        verb = "has" if p.site == "answer" else "comes with"
        what = f"{verb} the {word} {self.chain(p.path, None)}" if p.path else f"is the {word}"
        tests = f", counting what {self.tests(p.tests)}" if p.tests else ""
        if p.limit is None:
            return f"sorted, which {what}{self._after(p.offset)}{tests}"
        number = "" if p.limit == 1 else f" {p.limit}"
        return f"which{number} {what}{'' if nth else self._after(p.offset)}{tests}"

    def _after(self, offset: int) -> str:
        return f" after the first {offset}" if offset else ""

    def chain(self, path: Path, within: str | None) -> str:
        """'from of the government positions held': the last hop first, unless the whole has a name."""
        if len(path) == 2 and path in self.lexicon.properties:
            return self.lexicon.properties[path]
        words: list[str] = []
        for i, hop in enumerate(path):
            kind = within if i == 0 else None
            backwards = " backwards" if hop.inverse else ""
            words.insert(0, property_name(hop.predicate, self.lexicon, kind) + backwards)
        return " of the ".join(words)

    # --- restrictions

    def clauses(self, restrictions: Sequence[Restriction], path: Path) -> str:
        kind = mediator_type(path)
        out: list[str] = []
        i = 0
        while i < len(restrictions):
            period = self._period(restrictions[i : i + 2], kind)
            out.append(period or self._clause(restrictions[i], kind))
            i += 2 if period else 1
        return "".join(out)

    def _period(self, pair: Sequence[Restriction], kind: str | None) -> str | None:
        """', at some time in [1980]' for the two open bounds of a term."""
        span = span_of(kind)
        if span is None or len(pair) != 2 or any(r.site != "mediator" for r in pair):
            return None
        match pair[0].path, pair[0].tests, pair[1].path, pair[1].tests:
            case (
                (Hop(first, False),),
                (OpenThan("<=", Literal(end, datatype, ""), Kind.DATE),),
                (Hop(last, False),),
                (OpenThan(">=", Literal(start, other, ""), Kind.DATE),),
            ) if (first, last, datatype, other) == (*span, XSD + "date", XSD + "date"):
                if not is_date(start) or not is_date(end):
                    return None
                return f", at some time {show_period(start, end)}"
        return None

    def _clause(self, r: Restriction, kind: str | None) -> str:
        if not r.path:
            return f", which {self.tests(r.tests)}"
        if r.site == "answer" and (said := self._phrased(r)):
            return f", which is {said}"
        word = "where the" if r.site == "mediator" else "whose"
        return f", {word} {self.chain(r.path, kind if r.site == 'mediator' else None)} {self.tests(r.tests)}"

    def _outright(self, r: Restriction) -> str:
        """What is said of the answers themselves: 'is not [1980]', or `_phrased` of no value that is named:
        with one it would be read as what the answers are kept by."""
        if r.site != "answer" or not r.tests:
            return ""
        if not r.path:
            return self.tests(r.tests) if isinstance(r.tests[0], Among | IsNot | Than) else ""
        said = "" if isinstance(r.tests[0], Is) else self._phrased(r)
        return said and f"is {said}"

    def _phrased(self, r: Restriction) -> str:
        """What the answer is to the value, 'the publisher of more than [10]', 'the employee who works in
        nothing'; '' where the value is better said of the answer ('whose ...')."""
        back = reverse(r.path)
        phrase = noun_phrase(back, self.lexicon)
        verbal = is_verbal(back, self.lexicon)
        never = ""
        match r.tests:
            case (Many("=", 0), Is(v)) if not verbal:
                never, said = "never ", self.value(v)
            case (Many() as many, *rest) if not phrase.endswith(" is {}") or len(back) > 1:
                if len(rest) > 1 or not all(isinstance(t, Is) for t in rest):
                    return ""
                of = "".join(f" of {self.value(t.value)}" for t in rest if isinstance(t, Is))
                each = "each of " if phrase.endswith(" is {}") else ""
                said = f"{each}{QUANTITIES[many.operator]} [{many.number}]{of}"
                phrase = of_several(phrase)
            case (Is(v),) if verbal:
                said = self.value(v)
            case (Among(values),) if verbal:
                said = f"one of {' '.join(map(self.value, values))}"
            case (Exists(),) if verbal:
                said = "something"
            case (Lacks(None),) if verbal:
                said = "nothing"
            case (Lacks(v),) if verbal:
                never, said = "never ", self.value(v)
            case _:
                return ""
        return never + phrase.replace("{}", said)

    def tests(self, tests: Sequence[Test]) -> str:
        return " and ".join(map(self.test, tests))

    def test(self, test: Test) -> str:
        match test:
            case Is(v):
                return f"is {self.value(v)}"
            case IsNot(v):
                return f"is not {self.value(v)}"
            case Than(op, v, kind):
                return f"{COMPARISONS[kind, op]} {self.value(v)}"
            case OpenThan(op, v, kind):
                return f"if any {COMPARISONS[kind, op]} {self.value(v)}"
            case Exists():
                return "is given"
            case Lacks(None):
                return "is not given"
            case Lacks(v):
                return f"is never {self.value(v)}"
            case HasText(part, text):
                return f"{PARTS[part]} {self.value(Literal(text))}"
            case Among(values):
                return f"is one of {' '.join(map(self.value, values))}"
            case Many(operator, number):
                return f"is given {QUANTITIES[operator]} [{number}] times"


def show_period(start: str, end: str) -> str:
    """'in [1980]', 'on [2015-08-10]', 'from [...] to [...]'."""
    if start == end:
        return f"on [{start}]"
    if start[:4] == end[:4] and (start[4:], end[4:]) == ("-01-01", "-12-31"):
        return f"in [{start[:4]}]"
    return f"from [{start}] to [{end}]"


def nth_words(pick: Pick) -> str:
    """'third ' before the superlative of a choice of one that is not the first; '' where no word says it."""
    nth = ORDINALS[pick.offset + 1 :][:1] if pick.offset and pick.limit == 1 else ()
    return "".join(f"{word} " for word in nth)
