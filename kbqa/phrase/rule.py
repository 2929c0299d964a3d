"""Sub-questions by rule, from the lexicon's natural wordings, with the template's words as the fallback."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from kbqa.decompose.recompose import references
from kbqa.lexicon import Lexicon
from kbqa.lexicon.measures import value_noun
from kbqa.lexicon.nouns import INSTANCES, common_noun, plural
from kbqa.measuring import LATEST
from kbqa.phrase.words import Words, chain_words, superlative_words, with_article
from kbqa.templates.phrases import AMOUNTS, MEASURES, each_of, noun_phrase
from kbqa.templates.write import noun_of, nth_words
from kbqa.types import (
    Amount,
    Anchor,
    Anything,
    Check,
    Count,
    Exists,
    Find,
    Iri,
    Keep,
    Kind,
    Lacks,
    Many,
    Merge,
    Oftenest,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Tally,
    Than,
)

_NO_VERBS = frozenset(
    [
        "the",
        "a",
        "an",
        "one",
        "people",
        "someone",
        "they",
        "it",
        "he",
        "she",
        "we",
        "you",
        "your",
        "its",
        "their",
        "more",
        "fewer",
        "at",
        "exactly",
        "any",
        "no",
        "some",
    ]
)


@dataclass(frozen=True, slots=True)
class Phrasing:
    """One wording of a sub-question. `logprob`: the speaker's, natural logarithm; `listener_logprob`:
    that of the template given the question, None where no listener was asked."""

    text: str
    logprob: float
    listener_logprob: float | None = None


@dataclass(frozen=True)
class StepInContext:
    """Step `number` (from 1) with the steps before it and what names its entities.

    `question` and `history` (the sub-questions before it) are the context that a mode grants;
    `nouns` says what earlier answers are called where `steps` doesn't hold those steps."""

    steps: tuple[Step, ...]
    number: int
    labels: Callable[[Iri], str]
    question: str | None = None
    history: tuple[str, ...] = ()
    template: str = ""
    nouns: Mapping[int, str] = field(default_factory=dict)

    @property
    def step(self) -> Step:
        return self.steps[min(self.number, len(self.steps)) - 1]

    def earlier_nouns(self, lexicon: Lexicon) -> tuple[str, ...]:
        """What the answers that the step goes on from are called."""
        numbers = sorted({ref.step for ref in references(self.step)})
        known = [n for n in numbers if n in self.nouns or n <= len(self.steps)]
        return tuple(self.nouns.get(n) or noun_of(self.steps, n, lexicon) for n in known)


class Phraser(Protocol):
    """Words a step as a natural question: up to `n` wordings, best first, never none."""

    def phrase(self, step: StepInContext, *, n: int = 10) -> Sequence[Phrasing]: ...


class RulePhraser:
    """Wordings by rule. Deterministic; the probabilities are shares: each wording is as likely."""

    concurrent = True
    signature = "rule"

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def phrase(self, step: StepInContext, *, n: int = 10) -> tuple[Phrasing, ...]:
        nouns = dict(step.nouns) or {
            i: noun_of(step.steps, i, self._lexicon) for i in range(1, len(step.steps) + 1)
        }
        words = Words(step.number, nouns, step.labels, self._lexicon)
        wording = _Wording(words, self._lexicon)
        texts = list(dict.fromkeys(wording.all(step.step)))
        texts = [text for text in texts if not _is_of_one_sex(text)] or texts
        if isinstance(step.step, Find):
            said = {next(wording.all(s)) for s in step.steps[: step.number - 1] if _like(s, step.step)}
            texts.sort(key=lambda text: text in said)
        logprob = -math.log(len(texts))
        return tuple(Phrasing(text, logprob) for text in texts[: max(1, n)])


_KIN = re.compile(r"\b(father|mother|son|daughter|brother|sister|husband|wife)s?\b", re.IGNORECASE)


def _is_of_one_sex(text: str) -> bool:
    """Whether it says 'brother' where a brother or sister is meant."""
    return len({word.lower() for word in _KIN.findall(text)}) == 1


@dataclass(frozen=True)
class _Wording:
    words: Words
    lexicon: Lexicon

    def all(self, step: Step) -> Iterator[str]:
        match step:
            case Find(anchor, path, restrictions):
                yield from self._find(anchor, path, restrictions)
            case Keep():
                yield from self._keep(step)
            case Pick():
                yield from self._pick(step)
            case Merge(sources):
                some = _either([f"step {s.step}" for s in sources])
                yield f"What was found in {some}?"
                yield f"Which answers come from {some}?"
            case Oftenest(source):
                yield f"{self._of(source)}, which comes up most often?"
                yield f"{self._of(source)}, which is the most frequent?"
            case Count(source):
                yield f"{self._of(source)}, how many are there?"
                yield f"How many {self._answers(source)} are there?"
            case Check(source):
                yield f"{self._of(source)}, is there at least one?"
                yield f"Are there any {self._answers(source)}?"
            case Amount(source, path, function):
                word, what = AMOUNTS[function], chain_words(path, self.lexicon)
                yield f"{self._of(source)}, what is the {word} {what}?"
                yield f"What is the {word} {what} {self._answers(source)}?"
            case Tally(source, measure="values", value=value):
                what = chain_words(value, self.lexicon)
                yield f"{self._of(source)}, what is the {what} of each, if any?"
                yield f"What is the {what} of each {self._answers(source)}, if any?"
            case Tally():
                yield from self._tally(step)

    def _tally(self, step: Tally) -> Iterator[str]:
        noun = self._noun(step.path)
        named = noun == "thing" or step.path in self.lexicon.properties
        each = each_of(step.path, self.lexicon) or (chain_words(step.path, self.lexicon) if named else noun)
        first = ""
        if step.limit is not None:
            some = "" if step.limit == 1 else f" {step.limit}"
            first = f", the {'lowest' if step.rising else 'highest'}{some} only"
        elif step.rising:
            first = ", the lowest first"
        if step.measure == "count":
            yield f"{self._of(step.source)}, how many are there for each {each}{first}?"
        elif step.measure != "values":
            what = f"{MEASURES[step.measure]} {chain_words(step.value, self.lexicon)}"
            yield f"{self._of(step.source)}, what is the {what} for each {each}{first}?"

    def _of(self, source: Ref) -> str:
        return "Of these" if source.step == self.words.number - 1 else f"Of the answers to step {source.step}"

    def _answers(self, source: Ref) -> str:
        return "of these" if source.step == self.words.number - 1 else f"answers to step {source.step}"

    # --- find

    def _find(self, anchor: Anchor, path: Path, restrictions: Sequence[Restriction]) -> Iterator[str]:
        way, answer = self.words.conditions(restrictions, path)
        noun = self._noun(path)
        if isinstance(anchor, Iri) and not restrictions and (things := self._instances(anchor, path)):
            yield from (f"Which {things} are there?", f"What are all the {things}?")
            return
        natural = {} if isinstance(anchor, Anything) else self.lexicon.natural.get(path, {})
        questions = [self.words.fill(w, anchor, path) for w in natural.get("question", ())]
        clauses = [
            self.words.fill(w, anchor, path) for w in natural.get("clause", ()) if not w.startswith("{}")
        ]
        if not answer:
            for question in questions:
                yield _append(question, way)
        else:
            for clause in clauses[:3]:
                yield f"What is the {noun} {' '.join([clause, *way])} and {_list(answer)}?"
            for question in questions:
                yield f"{_append(question, way)[:-1]}, counting only those {_list(answer)}?"
        if isinstance(anchor, Anything) and (way or answer):
            yield f"Which {_plural(noun)} are there {' '.join([*way, _list(answer)]).strip()}?"
        yield self._fallback(anchor, path, way, answer)

    def _instances(self, anchor: Iri, path: Path) -> str:
        """What all instances of a type are called; '' where it is none, or something else is asked of it."""
        if anchor in self.lexicon.kinds:
            return _plural(self.lexicon.kinds[anchor][0])
        return plural(common_noun(self.words.value(anchor))) if path in INSTANCES else ""

    def _noun(self, path: Path) -> str:
        wording = self.lexicon.wordings.get(path)
        return wording.noun if wording else "thing"

    def _fallback(self, anchor: Anchor, path: Path, way: list[str], answer: list[str]) -> str:
        wording = self.lexicon.wordings.get(path)
        asks = "Who" if wording and wording.asks == "Who" else "What"
        text = _append(f"{asks} is {self._phrase(path, anchor)}?", way)
        return text if not answer else f"{text[:-1]}, counting only those {_list(answer)}?"

    def _phrase(self, path: Path, anchor: object) -> str:
        """The template's noun phrase; without a wording of its own: 'the calling code of Egypt'."""
        if path in self.lexicon.wordings:
            return self.words.fill(noun_phrase(path, self.lexicon), anchor, path)
        text = self.words.value(anchor)
        for hop in path:
            name = chain_words((hop,), self.lexicon)
            text = f"whatever has {text} as {name}" if hop.inverse else f"the {name} of {text}"
        return text

    # --- keep

    def _keep(self, step: Keep) -> Iterator[str]:
        of = self._of(step.source)
        way, answer = self.words.conditions(step.restrictions, step.path)
        if step.anchor is None:
            yield from self._compared(of, step.restrictions)
            yield from self._restricted(of, step.source, way, answer)
            return
        if not step.path:
            also = self.words.value(step.anchor)
            if isinstance(step.anchor, Ref):
                yield f"{of}, which are also among the answers to step {step.anchor.step}?"
            yield f"{of}, which is also {also}?"
            return
        tail = "".join(f" {w}" for w in way) + (f" and {_list(answer)}" if answer else "")
        noun = self._noun(step.path)
        wordings = self.lexicon.natural.get(step.path, {}).get("clause", ())
        for wording in wordings:
            if wording.startswith("{}"):
                continue
            clause = self.words.fill(wording, step.anchor, step.path)
            if _subject_relative(wording):
                yield f"{of}, which {clause.partition(' ')[2]}{tail}?"
            else:
                yield f"{of}, which is the {noun if noun != 'thing' else 'one'} {clause}{tail}?"
        yield f"{of}, which is {self._phrase(step.path, step.anchor)}{tail}?"

    def _compared(self, of: str, restrictions: Sequence[Restriction]) -> Iterator[str]:
        """'Of these, which has a larger population than that?'"""
        match restrictions:
            case (Restriction("answer", path, (Than("<" | ">" as operator, Ref(step), kind),)),):
                more, less = ("later", "earlier") if kind is Kind.DATE else ("larger", "smaller")
                how = with_article(more if operator == ">" else less)
                that = "that" if step == self.words.number - 1 else self.words.value(Ref(step))
                noun = value_noun(path)
                if noun:
                    yield f"{of}, which has {how} {noun} than {that}?"

    def _restricted(self, of: str, source: Ref, way: list[str], answer: list[str]) -> Iterator[str]:
        every = [*way, *answer]
        noun = self.words.nouns.get(source.step, "thing")
        if len(every) == 1 and _subject_relative(every[0]):
            yield f"{of}, which {every[0].partition(' ')[2]}?"
        yield f"{of}, which is {'one' if noun == 'thing' else with_article(noun)} {_list(every)}?"
        yield f"Which of {'these' if of == 'Of these' else of.removeprefix('Of ')} is one {_list(every)}?"

    # --- superlatives

    def _pick(self, step: Pick) -> Iterator[str]:
        of = self._of(step.source)
        which = "Which of these" if of == "Of these" else f"Which of {of.removeprefix('Of ')}"
        word = self._superlative(step)
        number = "" if step.limit in (1, None) else f" {step.limit}"
        nth = nth_words(step)
        word = nth + word
        tail = f" after the first {step.offset}" if step.offset and not nth else ""
        tail += f", counting only values that {self.words.tests(step.tests)}" if step.tests else ""
        key = chain_words(step.path, self.lexicon) if step.path else "value"
        if step.limit is None:
            yield f"{of}, what is the order, from the {word} {key} on{tail}?"
            return
        be, have = ("are", "have") if number else ("is", "has")
        few = f", {number.strip()} of them," if number else ""
        if step.path in LATEST.values() and step.limit == 1 and step.descending and not tail:
            yield f"{of}, which figure is the most recent?"
        if not step.path:
            yield f"{of}, which{number} {be} the {word}{tail}?"
            yield f"{which}{few} {be} the {word}{tail}?"
            return
        if word == "latest":
            yield f"{of}, which{number} {have} the most recent {key}{tail}?"
        yield f"{of}, which{number} {have} the {word} {key}{tail}?"
        yield f"{which}{few} {have} the {word} {key}{tail}?"

    def _superlative(self, step: Pick) -> str:
        wording = self.lexicon.wordings.get(step.path[-1:])
        dated = (wording is not None and wording.asks == "When") or (
            bool(step.path) and "date" in chain_words(step.path[-1:], self.lexicon)
        )
        kind = Kind.DATE if dated and step.kind in (Kind.VALUE, Kind.STRING) else step.kind
        return superlative_words(kind, step.descending)


def beyond_models(step: Step) -> bool:
    """Whether a step keeps what has so many of something, or none, or any through a node in between or
    backwards: nothing that models are trained with says so."""
    return isinstance(step, Keep) and any(
        isinstance(test, Lacks | Many)
        or (isinstance(test, Exists) and (len(r.path) > 1 or any(hop.inverse for hop in r.path)))
        for r in step.restrictions
        for test in r.tests
    )


def _like(step: Step, other: Find) -> bool:
    """Whether a step asks of the same thing along another path: its inverse may be worded alike."""
    return isinstance(step, Find) and step.anchor == other.anchor and step.path != other.path


def _subject_relative(clause: str) -> bool:
    """'that borders {}', in which the answer is the subject, and not 'that {} acted in'."""
    pronoun, second, *_ = [*clause.split(" ", 2), ""]
    return (
        pronoun in ("that", "which", "who")
        and bool(second)
        and second not in _NO_VERBS
        and not second.startswith("{}")
    )


def _plural(noun: str) -> str:
    if noun == "person":
        return "people"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def _append(question: str, parts: Sequence[str]) -> str:
    return question.removesuffix("?") + "".join(f" {p}" for p in parts) + "?" if parts else question


def _list(parts: Sequence[str]) -> str:
    return " and ".join(parts)


def _either(parts: Sequence[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} or {last}" if most else last
