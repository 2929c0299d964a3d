"""Words for values, properties and conditions, as people say them. Nothing here is read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kbqa.answers import show, show_date
from kbqa.lexicon import Lexicon
from kbqa.lexicon.nouns import common_noun, plural
from kbqa.templates.phrases import (
    COMPARISONS,
    PARTS,
    QUANTITIES,
    SUPERLATIVES,
    is_verbal,
    mediator_type,
    of_several,
    span_of,
)
from kbqa.types import (
    FREEBASE,
    Among,
    Anything,
    Exists,
    HasText,
    Hop,
    Iri,
    Is,
    IsNot,
    Kind,
    Lacks,
    Literal,
    Many,
    OpenThan,
    Path,
    Ref,
    Restriction,
    Test,
    Than,
    freebase,
    reverse,
)

_PROPERTIES = {
    "from": "start date",
    "to": "end date",
    "start": "start date",
    "end": "end date",
    "from_date": "start date",
    "to_date": "end date",
    "number": "figure",
    "notable_types": "kind of thing",
    "basic_title": "title",
    "included_types": "type",
    "spouse_s": "spouse",
    "sibling_s": "sibling",
    "adjoin_s": "border",
    "adjoins": "neighbour",
    "children": "child",
    "height_meters": "height in metres",
    "weight_kg": "weight in kilograms",
    "population_number": "population",
}
_MEASURES = "measurement_unit."
"""The types of Freebase's mediators that hold a figure and when it was taken."""
_FIGURES = frozenset(("number", "amount", "rate", "percentage"))
_QUANTITY = re.compile(r"the (.+) (?:of|in|at|for)(?: the [\w ]+)? \{\}\Z")
_KIND = (Hop(freebase("common.topic.notable_types"), True),)
"""From a type to what is notable as one."""
_PLAIN_COMPARISONS: Mapping[tuple[Kind, str], str] = {
    (Kind.NUMBER, "="): "is",
    (Kind.NUMBER, "!="): "is not",
    (Kind.DATE, "="): "is",
    (Kind.DATE, "!="): "is not",
    (Kind.VALUE, "="): "is",
    (Kind.VALUE, "!="): "is not",
    (Kind.STRING, "="): "is",
    (Kind.STRING, "!="): "is not",
    (Kind.TERM, "="): "is",
    (Kind.TERM, "!="): "is not",
}
_DATED_VALUE = {"<": "is before", "<=": "is on or before", ">": "is after", ">=": "is on or after"}
_DAYS = {"<": "before", "<=": "on or before", ">": "after", ">=": "on or after", "=": "on"}
_LOCAL_NAME = re.compile(r"[^/#:]*\Z")


def property_words(predicate: Iri, lexicon: Lexicon) -> str:
    """'release date' for a predicate."""
    known = lexicon.wordings.get((Hop(predicate),))
    last = predicate.mid.rpartition(".")[2] if predicate.value.startswith(FREEBASE) else ""
    if not last:
        if (Hop(predicate),) in lexicon.properties:
            return lexicon.properties[(Hop(predicate),)]
        found = _LOCAL_NAME.search(predicate.value)
        words = found[0] if found else predicate.value
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", words).replace("_", " ").lower() or predicate.value
    if last in _PROPERTIES:
        return _PROPERTIES[last]
    own = lexicon.properties.get((Hop(predicate),))
    if own is not None:
        return own
    words = last.replace("_", " ")
    if known is not None and words.removesuffix("s") == known.noun:
        return known.noun
    return words


def chain_words(path: Path, lexicon: Lexicon) -> str:
    """'start date of the government positions held': the last hop first; 'population' for the figure
    of a population."""
    if len(path) == 2 and mediator_type(path) and not path[1].inverse:
        own = lexicon.properties.get(path, "")
        return _quantity(path, lexicon) or own or property_words(path[1].predicate, lexicon)
    return " of the ".join(property_words(hop.predicate, lexicon) for hop in reversed(path))


def _quantity(path: Path, lexicon: Lexicon) -> str:
    """What a figure is the figure of, from the lexicon's noun phrases; '' for what is no figure."""
    last = path[-1].predicate.mid
    if not last.startswith(_MEASURES) or last.rpartition(".")[2] not in _FIGURES:
        return ""
    known = lexicon.wordings.get(path)
    phrases = (*lexicon.natural.get(path, {}).get("noun", ()), known.template if known else "")
    found = next((m[1] for phrase in phrases if (m := _QUANTITY.match(phrase))), None)
    return found or property_words(path[0].predicate, lexicon)


def with_article(noun: str) -> str:
    return f"{'an' if _SPOKEN_VOWEL.match(noun.lstrip('[')) else 'a'} {noun}"


_SPOKEN_VOWEL = re.compile(r"(?!uni[^mn]|us|uk\b|eu|ut[ei]|one)[aeiou]|hour|hono|heir", re.IGNORECASE)


@dataclass(frozen=True)
class Words:
    """Wording of what stands in step `number`. `label` names an entity, exactly as it is inserted."""

    number: int
    nouns: Mapping[int, str]
    label: Callable[[Iri], str]
    lexicon: Lexicon

    def value(self, v: object) -> str:
        match v:
            case Iri():
                return self.label(v)
            case Ref(step):
                noun = self.nouns.get(step, "thing")
                if step == self.number - 1:
                    return "that" if noun == "thing" else f"that {noun}"
                return f"the {'answer' if noun == 'thing' else noun} from step {step}"
            case Literal(_, datatype, _):
                text = show(v)
                return text if datatype else f'"{text}"'
            case Anything():
                return "anything"
        raise AssertionError(f"no value: {v!r}")

    # --- conditions

    def conditions(self, restrictions: Sequence[Restriction], path: Path) -> tuple[list[str], list[str]]:
        """(on the way: 'in 1980', 'with the title Governor'), (on the answer: 'whose area is ...')."""
        way: list[str] = []
        answer: list[str] = []
        left = list(restrictions)
        while left:
            period = self._period(left[:2], path)
            if period:
                way.append(period)
                del left[:2]
                continue
            r = left.pop(0)
            (way if r.site == "mediator" else answer).append(self._condition(r))
        return way, answer

    def _period(self, pair: Sequence[Restriction], path: Path) -> str:
        span = span_of(mediator_type(path))
        if span is None or len(pair) != 2 or any(r.site != "mediator" for r in pair):
            return ""
        for one, other in (pair, reversed(pair)):
            match one.path, one.tests, other.path, other.tests:
                case (
                    (Hop(first, False),),
                    (OpenThan("<=", Literal() as end, Kind.DATE),),
                    (Hop(last, False),),
                    (OpenThan(">=", Literal() as start, Kind.DATE),),
                ) if (first, last) == span:
                    return period_words(start.lexical, end.lexical)
        return ""

    def _condition(self, r: Restriction) -> str:
        if not r.path:
            return "that " + self.tests(r.tests)
        if r.site == "answer" and len(r.tests) == 1 and isinstance(r.tests[0], Is):
            clause = self.clause(reverse(r.path), r.tests[0].value)
            if clause:
                return clause
        what = chain_words(r.path, self.lexicon)
        if r.site == "answer":
            match r.tests:
                case (Many("=", 0), Is(v)) if said := self.clause(reverse(r.path), v):
                    return f"that is not one {said}"
                case (Many() as many, *rest):
                    return self._many(r.path, many, rest)
                case (Than(kind=Kind.DATE), *_) if said := self._event(r):
                    return said
                case (test,) if said := self._verb(r.path, test):
                    return said
                case (Exists(),) if r.path[-1].inverse and (said := self._is_some(r.path)):
                    return said
                case (Exists(),):
                    return f"with a known {what}"
                case (Lacks(value),) if r.path[-1].inverse:
                    return self._unreached(r.path[-1].predicate, value)
                case (Lacks(None),):
                    return f"with no known {what}"
            return f"whose {what} {self.tests(r.tests)}"
        match r.tests:
            case (Is(v),):
                return f"with the {what} {self.value(v)}"
            case (Lacks(None),):
                return f"with no {what}"
            case (Exists(),):
                return f"with {with_article(what)}"
        return f"where the {what} {self.tests(r.tests)}"

    def _is_some(self, path: Path) -> str:
        """'that is the capital city of some country'; '' where the path has no such words."""
        known = self.lexicon.wordings
        of, some = known.get(reverse(path)), known.get(path)
        if (
            of is None
            or some is None
            or not of.template.startswith("the ")
            or not of.template.endswith(" {}")
        ):
            return ""
        return f"that is {of.template.replace('{}', f'some {some.noun}')}"

    def _many(self, path: Path, many: Many, rest: Sequence[Test]) -> str:
        """'that published more than 10 books', 'with at least 3 skills', 'who wrote at most 1 of those'."""
        back = reverse(path)
        some = f"{QUANTITIES[many.operator]} {many.number}"
        match rest:
            case [Is(Ref(step))]:
                noun = plural(self.nouns.get(step, "thing"))
                other = "answers" if noun == "things" else noun
                some += (
                    f" of those {noun}" if step == self.number - 1 else f" of the {other} from step {step}"
                )
            case _:
                noun = self._counted(path)
                some += f" {noun if many.number == 1 else plural(noun)}"
                some += f" that {self.tests(rest)}" if rest else ""
        if len(path) == 1 and path[0].inverse:
            known = self.lexicon.natural.get(back, {}).get("clause", ())
            clause = next((w for w in known if not w.startswith("{}")), "")
            name = property_words(path[0].predicate, self.lexicon)
            said = clause or f"that are the {name} of {{}}"
            return (said if many.number == 1 else of_several(said)).replace("{}", some)
        return f"with {some}"

    def _verb(self, path: Path, test: Test) -> str:
        """'who never works in Sales', 'that no employee works in'; '' where the path is worded by no verb."""
        back = reverse(path)
        if not is_verbal(back, self.lexicon):
            return ""
        clause = next(iter(self.lexicon.natural.get(back, {}).get("clause", ())), "")
        pronoun, _, rest = clause.partition(" ")
        wording = self.lexicon.wordings.get(path)
        noun = wording.noun if wording else "thing"
        match test:
            case Lacks(None):
                return clause.replace("{}", f"no {noun}")
            case Exists():
                return clause.replace("{}", f"some {noun}")
            case Lacks(v) if rest.endswith("{}"):
                first, _, tail = rest.partition(" ")
                said = f"is never {tail}" if first == "is" else f"never {rest}"
                return f"{pronoun} {said}".replace("{}", self.value(v))
            case Among(values):
                *most, last = map(self.value, values)
                return clause.replace("{}", f"{', '.join(most)} or {last}" if most else last)
        return ""

    def _counted(self, path: Path) -> str:
        """What one of the things is called that a path leads to."""
        wording = self.lexicon.wordings.get(path)
        if wording is not None and (path[-1].inverse or is_verbal(path, self.lexicon)):
            return wording.noun
        return property_words(path[-1].predicate, self.lexicon)

    def _event(self, r: Restriction) -> str:
        """'published after 31 December 1990', where the date is that of something that happened."""
        clauses = self.lexicon.natural.get(reverse(r.path), {}).get("clause", ())
        happened = next((c.removesuffix(" on {}") for c in clauses if c.endswith(" on {}")), "")
        if not happened or len(r.path) != 1 or r.path[0].predicate.value.startswith(FREEBASE):
            return ""
        when = self._when(r.tests)
        return f"{happened} {when}" if when else ""

    def _when(self, tests: Sequence[Test]) -> str:
        """'after 1990', 'in 1990', 'on or before 5 May 1990'; '' for what is no such period."""
        match tests:
            case (Than(">=", Literal(first)), Than("<=", Literal(last))) if _year(first, last):
                return f"in {first[:4]}" if first[:4] == last[:4] else f"from {first[:4]} to {last[:4]}"
            case (Than(">", Literal(day)),) if day.endswith("-12-31"):
                return f"after {day[:4]}"
            case (Than("<", Literal(day)),) if day.endswith("-01-01"):
                return f"before {day[:4]}"
        said = [
            t for t in tests if isinstance(t, Than) and isinstance(t.value, Literal) and t.operator in _DAYS
        ]
        days = [f"{_DAYS[t.operator]} {self.value(t.value)}" for t in said]
        return " and ".join(days) if len(said) == len(tests) else ""

    def _unreached(self, predicate: Iri, value: object) -> str:
        """'that are the borrowed book of no loan': nothing, or not this thing, leads to the answer."""
        name = property_words(predicate, self.lexicon)
        wording = self.lexicon.wordings.get((Hop(predicate, True),))
        noun = wording.noun if wording else "thing"
        return (
            f"that are the {name} of {f'no {noun}' if value is None else f'anything but {self.value(value)}'}"
        )

    def clause(self, path: Path, anchor: object) -> str:
        """'that borders Egypt', from the lexicon; '' without one that can follow a noun."""
        for wording in self.lexicon.natural.get(path, {}).get("clause", ()):
            if not wording.startswith("{}"):
                return self.fill(wording, anchor, path)
        return ""

    def fill(self, wording: str, anchor: object, path: Path) -> str:
        """A wording of the path with its anchor. A type is said as a common noun: 'an example of a city'."""
        before, _, after = wording.partition("{}")
        if path == _KIND and isinstance(anchor, Iri):
            noun = common_noun(self.label(anchor))
            if before.endswith(" a "):
                return before.removesuffix("a ") + with_article(noun) + after
            return before + noun + after
        text = self.value(anchor)
        if isinstance(anchor, Iri) and before.endswith(" a "):
            return before.removesuffix("a ") + with_article(text) + after
        if isinstance(anchor, Ref) and not before:
            text = text[:1].upper() + text[1:]
        if isinstance(anchor, Ref):
            before = before.removesuffix(f"the {self.nouns.get(anchor.step, '')} ").removesuffix("the ")
        return before + text + after

    def tests(self, tests: Sequence[Test]) -> str:
        match tests:
            case (Than(">=", Literal(first), Kind.DATE), Than("<=", Literal(last), Kind.DATE)):
                if _year(first, last) and first[:4] == last[:4]:
                    return f"is in {first[:4]}"
                if _year(first, last) and first[:3] == last[:3] and first[3] + last[3] == "09":
                    return f"is in the {first[:4]}s"
        return " and ".join(map(self._test, tests))

    def _test(self, test: Test) -> str:
        match test:
            case Is(v):
                return f"is {self.value(v)}"
            case IsNot(v):
                return f"is not {self.value(v)}"
            case Than(operator, v, kind):
                return f"{_comparison(kind, operator, v)} {self.value(v)}"
            case OpenThan(operator, v, kind):
                return f"{_comparison(kind, operator, v)} {self.value(v)} or is not known"
            case Exists():
                return "is known"
            case Lacks(None):
                return "is not known"
            case Lacks(v):
                return f"is not {self.value(v)}"
            case Among(values):
                *most, last = map(self.value, values)
                return f"is {', '.join(most)} or {last}" if most else f"is {last}"
            case HasText(part, text):
                return f"{PARTS[part]} {self.value(Literal(text))}"
            case Many(operator, number):
                return f"is given {QUANTITIES[operator]} {number} times"


def _comparison(kind: Kind, operator: str, value: object) -> str:
    dated = isinstance(value, Literal) and value.datatype.endswith(
        ("date", "dateTime", "gYear", "gYearMonth")
    )
    if dated and kind is Kind.VALUE and operator in _DATED_VALUE:
        return _DATED_VALUE[operator]
    return _PLAIN_COMPARISONS.get((kind, operator)) or COMPARISONS[kind, operator]  # type: ignore[index]


def _year(first: str, last: str) -> bool:
    """Whether two days are the first and the last one of years."""
    return len(first) == len(last) == 10 and (first[4:], last[4:]) == ("-01-01", "-12-31")


def period_words(start: str, end: str) -> str:
    """'in 1980', 'as of 10 August 2015', 'at some time from ... to ...'."""
    if start == end:
        return f"as of {show_date(start)}"
    if start[:4] == end[:4] and _year(start, end):
        return f"in {start[:4]}"
    return f"at some time from {show_date(start)} to {show_date(end)}"


def superlative_words(kind: Kind, descending: bool) -> str:
    return SUPERLATIVES[kind, descending]
