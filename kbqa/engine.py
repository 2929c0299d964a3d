"""From a question to a dialogue's first version: link, parse, rank, decompose, phrase, answer.

with Engine.open() as engine:
    dialogue = engine.ask("What is the capital of Egypt?")
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Literal as Choice
from typing import Protocol, TypeAlias

from kbqa.advance import advance
from kbqa.answers import clean, collect, label_all, tallied, tells, with_numbers
from kbqa.confidence import Calibration, shared_mass
from kbqa.correct import Context, Corrected, Corrector, TemplateCorrector
from kbqa.decompose import recompose_step
from kbqa.decompose.recompose import references
from kbqa.dialogue import FULL, Dialogue, Mode, Parse, Recognised, SubQuestion, Timing, Version
from kbqa.errors import StoreTimeout
from kbqa.feedback import Feedback
from kbqa.freeform.proposal import described
from kbqa.intake import checked_question, constants_of, given, grounded, is_about, out_of_scope
from kbqa.kb import KnowledgeBase, open_kb
from kbqa.kb.names import fallback
from kbqa.kb.records import record_names
from kbqa.kept import Kept
from kbqa.lexicon.nouns import INSTANCES
from kbqa.offers import Limits, Offering
from kbqa.parse.bounds import step_as_said
from kbqa.phrase import Phraser, Phrasing, RulePhraser, StepInContext, phrase_template
from kbqa.protocols import Mention, is_concurrent, signature_of, warm
from kbqa.reading.choosing import Choosing, Chosen
from kbqa.reading.negation import ignores
from kbqa.reading.periods import unchecked
from kbqa.reading.reader import Reader, Reading
from kbqa.reading.reranker import Reranker
from kbqa.reading.shorthand import spelt_out
from kbqa.sparql import render
from kbqa.templates import Names, write_all
from kbqa.templates.write import noun_of
from kbqa.types import Answer, Check, Constant, Decomposition, Iri, Is, Keep, Merge, Ref, Rows, Step


class Parser(Protocol):
    """Readings of a question, best first, at most `n`; none where it has no reading.

    `kbqa.scripted.ScriptedParser` is the double. An attribute `signature` (str), where there is one,
    tells one model from another; `calibration` (`kbqa.confidence.Calibration`) turns shares of the n-best
    mass into probabilities. One whose attribute `concurrent` is true is called from several threads at once,
    any other from one at a time; so are phrasers and correctors.
    """

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]: ...


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits of one ask. Times are seconds."""

    readings: int = 10
    """Parses asked for."""
    further: int = 40
    """Parses asked for where none of those answers with all that the question names."""
    tried: int = 10
    """Parses executed to find one that has an answer."""
    reread: int = 20
    """Parses asked for, and executed, where a reranker tells which of them to take."""
    ranking_s: float = 6.0
    step_s: float = 5.0
    answering_s: float = 15.0
    """For all steps together."""
    row_limit: int = 10_000
    answers_kept: int = 1_000
    """Answers in a sub-question; its `answer_count` is not cut."""
    least_logprob: float = -20.0
    """A reading less likely than this is none."""
    edits: int = 5
    """Corrections a dialogue takes, where its mode takes any."""
    offers_s: float = 1.5
    """For all alternatives to a version without an answer; 0: none are offered."""
    sibling_gap: float = 0.7
    """Readings whose log probabilities differ by less are about as likely: at most 2 to 1."""


Outcome: TypeAlias = Choice["answered", "empty", "timed_out", "cut"]

EMPTY_CAP, TOP_CAP = 0.3, 0.95
"""The most confidence in a step without, and with, an answer, where the parser is not calibrated."""

_CLOSE = 0.04
"""Candidates whose scores differ by less are worth a warning."""
_DENIED = "the question says that something is not so, and none of these steps does"


class Engine:
    """Answers questions over one knowledge base. Safe to share between threads."""

    def __init__(
        self,
        kb: KnowledgeBase,
        parser: Parser,
        *,
        phraser: Phraser | None = None,
        corrector: Corrector | None = None,
        reranker: Reranker | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.kb = kb
        self.parser = parser
        self.phraser: Phraser = phraser or RulePhraser(kb.lexicon)
        self.corrector: Corrector = corrector or TemplateCorrector(kb.lexicon)
        self.reranker = reranker
        self.settings = settings or Settings()
        limits = Limits(
            self.settings.offers_s, row_limit=self.settings.row_limit, gap=self.settings.sibling_gap
        )
        self._model = threading.Lock()
        self.reader = Reader(
            kb,
            self._parsed,
            Choosing(
                self.settings.tried,
                self.settings.reread,
                self.settings.ranking_s,
                self.settings.step_s,
                self.settings.row_limit,
            ),
            Reading(
                self.settings.readings,
                self.settings.reread,
                self.settings.further,
                self.settings.least_logprob,
            ),
            reranker,
            getattr(parser, "is_word", None),
        )
        self._offering = Offering(kb, limits, self.reader.returning)

    @classmethod
    def open(cls, kb: str | None = None, parser: Parser | None = None) -> Engine:
        """Over a knowledge base (see `kbqa.kb.open_kb`); default: the checkpoints that ship, or what the
        environment names (`kbqa.backends`).

        Raises `KnowledgeBaseError`, `StoreUnavailable`, `ModelError`, or `InputError` for settings.
        """
        opened = open_kb(kb)
        corrector: Corrector | None = None
        phraser: Phraser | None = None
        reranker: Reranker | None = None
        try:
            if parser is None:
                from kbqa.backends import Backends

                models = Backends(opened)
                parser, corrector, phraser = models.parser, models.corrector, models.phraser
                reranker = models.reranker
        except BaseException:
            opened.close()
            raise
        return cls(opened, parser, phraser=phraser, corrector=corrector, reranker=reranker)

    def close(self) -> None:
        self.kb.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def signature(self) -> str:
        """Names the data and the models: the same signature, the same dialogues."""
        others: dict[str, object] = {"corrector": self.corrector, "phraser": self.phraser}
        others |= {"reranker": self.reranker} if self.reranker is not None else {}
        named = "".join(f"+{role}:{signature_of(model)}" for role, model in others.items())
        return f"{self.kb.signature}+{signature_of(self.parser)}{named}"

    def warm(self) -> None:
        """Make beforehand what the first question would wait for. Raises `StoreUnavailable`."""
        for model in (self.parser, self.corrector, self.phraser):
            warm(model)
        _ = self.kb.lexicon.natural
        self.reader.chooser.warm()
        self._offering.warm()

    def _turn(self, model: object) -> AbstractContextManager[object]:
        """Held while a model is called that threads may not share."""
        return nullcontext() if is_concurrent(model) else self._model

    def _parsed(self, text: str, mentions: Sequence[Mention], n: int) -> Sequence[Parse]:
        with self._turn(self.parser):
            return self.parser.parse(text, mentions, n=n)

    # --- what it does ------------------------------------------------------

    def ask(self, question: str, mode: Mode = FULL, entities: Mapping[Iri, str] | None = None) -> Dialogue:
        """The dialogue's first version, or one whose status is 'not_understood'. `entities` (IRI ->
        name): the ones the question is about, instead of linking.

        Raises `InputError` for an empty or overlong question, `StoreUnavailable` where the store is
        gone. What takes too long is an outcome of its step, not an exception.
        """
        dialogue = self.first_version(question, mode, entities)
        if dialogue.recognised is None:
            return dialogue
        from kbqa.examples import working_examples

        examples = working_examples(self, 3)
        return replace(dialogue, recognised=replace(dialogue.recognised, examples=examples))

    def first_version(
        self, question: str, mode: Mode = FULL, entities: Mapping[Iri, str] | None = None
    ) -> Dialogue:
        """As `ask`, but a question that is not understood gets no examples."""
        text = checked_question(question)
        clock = _Clock()
        with clock.stage("link"):
            mentions = self.reader.link(text) if entities is None else given(text, entities)
            unknown = tuple(self.kb.linker.unknown(text, mentions))
        chosen, parses = self.reader.first(text, mentions, entities is None, clock.stage)
        if chosen is not None and unknown and not self.kb.own:
            chosen = chosen if is_about(chosen.parse.decomposition, mentions) else None
        version = None
        if chosen is not None:
            shown = self._version(chosen, parses, text, mentions, mode, clock, Kept())
            denied = () if self.kb.own or not ignores(chosen.parse, text, mentions) else (_DENIED,)
            version = _telling((*_unknown_names(unknown), *denied, *self._left_out(chosen)), shown)
        return Dialogue(
            dialogue_id=str(uuid.uuid4()),
            question=text,
            mode=mode,
            kb=self.kb.name,
            status="awaiting_feedback" if version else "not_understood",
            versions=(version,) if version else (),
            edits_left=self.settings.edits if mode.edits else 0,
            timing=clock.timing(),
            recognised=None if version else Recognised(mentions, (), unknown),
            at=1 if version else 0,
            mentions=mentions,
        )

    # --- the dialogue's tools ----------------------------------------------

    def advance(self, dialogue: Dialogue, feedback: Feedback) -> Dialogue:
        """The dialogue after the feedback. Raises `FeedbackError`; see `kbqa.advance`."""
        return advance(dialogue, feedback, self)

    def correct(
        self, text: str, version: Version, before: int, dialogue: Dialogue, n: int
    ) -> tuple[Corrected, ...]:
        """Readings of a sub-question that stands where step `before` is, with the context that the
        dialogue's mode grants. Raises `InputError` for one that is empty or overlong."""
        earlier = version.steps[: before - 1]
        steps = version.parse.decomposition.steps[: before - 1]
        granted = dialogue.mode.context
        context = Context(
            steps,
            tuple(noun_of(steps, i, self.kb.lexicon) for i in range(1, len(steps) + 1)),
            tuple(tuple(a.value for a in s.answers[:5] if isinstance(a.value, Iri)) for s in earlier),
            tuple(s.shown for s in earlier) if granted else (),
            dialogue.question if granted else None,
            tuple(_with_names_of(dialogue.mentions, self._labels(version.parse)).items()),
        )
        return self.correct_in(text, context, n=n)

    def correct_in(self, text: str, context: Context, *, n: int) -> tuple[Corrected, ...]:
        """As `correct`, in a context of the caller's making. What is no English is read by rule only:
        names in templated English may be anything."""
        asked = checked_question(text)
        asked, mentions = spelt_out(asked, self.reader.link(asked))
        by_rule = TemplateCorrector(self.kb.lexicon)
        corrector = by_rule if out_of_scope(asked, mentions) else self.corrector
        with self._turn(corrector):
            found = corrector.correct(asked, mentions, context, n=n)
        about = (c for c in found if self._speaks_of(c, asked, mentions))
        return tuple(c if c.logprob == 0.0 else replace(c, step=step_as_said(c.step, asked)) for c in about)

    def _speaks_of(self, corrected: Corrected, text: str, mentions: Sequence[Mention]) -> bool:
        """Whether a correction is about something that its words name, or about earlier answers.
        Templated English is taken at its word."""
        if corrected.logprob == 0.0:
            return True
        read = Decomposition((corrected.step,))
        constants = [c for c in constants_of(corrected.step) if isinstance(c, Iri)]
        names = self.kb.names.fetch(constants)
        return bool(references(corrected.step)) or grounded(read, text, mentions, names)

    def next_version(
        self,
        parses: Sequence[Parse],
        question: str,
        mode: Mode,
        mentions: Sequence[Mention],
        previous: Version,
    ) -> Version:
        """The likeliest reading that has an answer, what has changed in it marked. A step that is as
        it was keeps its answers, wording and confidence."""
        kept = Kept(previous)
        parses = list(map(self.reader.fitted, parses))
        chosen = self.reader.chooser.first(parses, kept) or Chosen(parses[0])
        version = self._version(chosen, tuple(parses), question, mentions, mode, _Clock(), kept)
        return replace(version, steps=kept.marked(version.steps, version.parse.decomposition))

    def parse(
        self, question: str, entities: Mapping[Iri, str] | None = None, n: int = 5
    ) -> tuple[Parse, ...]:
        """Up to `n` readings, best first. `entities` (IRI -> name): the ones the question is about,
        instead of linking; they and the predicates need not be in this knowledge base. Raises
        `InputError` as `ask` does."""
        text = checked_question(question)
        mentions = self.reader.link(text) if entities is None else given(text, entities)
        with self._turn(self.parser):
            return tuple(self.parser.parse(text, mentions, n=n, grounded=entities is None))[:n]

    def phrase(
        self,
        template: str,
        question: str | None = None,
        history: Sequence[str] = (),
        mode: Mode = FULL,
        n: int = 10,
    ) -> tuple[Phrasing, ...]:
        """Natural wordings of one templated sentence. Raises `TemplateError`."""
        context = (question, tuple(history)) if mode.context else (None, ())
        with self._turn(self.phraser):
            return phrase_template(
                template,
                self.kb.lexicon,
                question=context[0],
                history=context[1],
                phraser=self.phraser,
                n=n,
            )

    def _select(self, sparql: str, limit_s: float) -> Rows:
        return self.kb.store.select(sparql, time_limit_s=limit_s, row_limit=self.settings.row_limit)

    def readings(self, text: str, mentions: Sequence[Mention], n: int | None = None) -> tuple[Parse, ...]:
        """See `kbqa.reading.reader.Reader.readings`."""
        return self.reader.readings(text, mentions, n)

    # --- showing -----------------------------------------------------------

    def _version(
        self,
        chosen: Chosen,
        parses: Sequence[Parse],
        question: str,
        mentions: Sequence[Mention],
        mode: Mode,
        clock: _Clock,
        kept: Kept,
    ) -> Version:
        parse = chosen.parse
        steps = parse.decomposition.steps
        same = kept.same(parse.decomposition)
        with clock.stage("answer"):
            results = self._answer(chosen, kept)
        shares = [
            s.confidence if s else share for s, share in zip(same, shared_mass(parse, parses), strict=True)
        ]
        with clock.stage("phrase"):
            labels = self._labels(parse)
            templates = write_all(steps, self.kb.lexicon, Names(labels))
            worded = [
                s.question if s and s.template == t else None for s, t in zip(same, templates, strict=True)
            ]
            questions = self._phrase(parse, templates, labels, question, mode, worded)
        shown = templates if mode.phrasing == "templated" else questions
        subs = tuple(
            SubQuestion(
                number=i + 1,
                template=templates[i],
                question=questions[i],
                shown=shown[i],
                sparql=result.sparql,
                answers=result.answers[: self.settings.answers_kept],
                answer_count=result.count,
                outcome=result.outcome,
                confidence=self._confidence(shares[i], result.tells, len(results)),
                mentions=(named := _mentions_in(_named_by(steps[i]), mentions)),
                warnings=(
                    *result.warnings,
                    *self._unchecked(steps[i]),
                    *_untold(steps, i, result),
                    *_ambiguous(named),
                ),
            )
            for i, result in enumerate(results)
        )
        version = Version(parse, render(parse.query), subs)
        with clock.stage("answer"):
            return self._offering.added(version, parses, question, mode)

    def _confidence(self, share: float, tells: bool, steps: int) -> float:
        """How sure a step is that holds this share of the n-best mass: calibrated, where the parser is."""
        calibration: Calibration | None = getattr(self.parser, "calibration", None)
        if calibration is None:
            return min(share, TOP_CAP if tells else EMPTY_CAP)
        return calibration(share, answered=tells, steps=steps)

    def _left_out(self, chosen: Chosen) -> tuple[str, ...]:
        """What is told of a step that the reading had and is shown without."""
        if chosen.left_out is None:
            return ()
        whole, number = chosen.left_out
        templates = write_all(whole.decomposition.steps, self.kb.lexicon, Names(self._labels(whole)))
        return (f"left out, as it can be said of none of these: {templates[number - 1]}",)

    def _unchecked(self, step: Step) -> tuple[str, ...]:
        if not unchecked(step, self.kb.paths.predicates):
            return ()
        return ("nothing here says when: the period is not checked",)

    def _labels(self, parse: Parse) -> dict[Iri, str]:
        iris = [c for s in parse.decomposition.steps for c in constants_of(s) if isinstance(c, Iri)]
        return self.kb.names.fetch(iris)

    def _phrase(
        self,
        parse: Parse,
        templates: Sequence[str],
        labels: Mapping[Iri, str],
        question: str,
        mode: Mode,
        worded: Sequence[str | None],
    ) -> tuple[str, ...]:
        """The sub-questions; `worded`: the wording that a step has already."""

        def label(iri: Iri) -> str:
            return labels.get(iri) or fallback(iri)

        asked: list[str] = []
        for number, template in enumerate(templates, 1):
            known = worded[number - 1]
            if known is not None:
                asked.append(known)
                continue
            context = StepInContext(
                parse.decomposition.steps,
                number,
                label,
                question if mode.context else None,
                tuple(asked) if mode.context else (),
                template,
            )
            with self._turn(self.phraser):
                asked.append(clean(self.phraser.phrase(context, n=1)[0].text))
        return tuple(asked)

    def _answer(self, chosen: Chosen, kept: Kept) -> tuple[_Result, ...]:
        """Every step's answers; the last one's are known where ranking has asked for them, others
        where they were asked for before."""
        decomposition, last = chosen.parse.decomposition, len(chosen.parse.decomposition.steps)
        deadline = time.monotonic() + self.settings.answering_s
        found = []
        for number in range(1, last + 1):
            sparql = render(recompose_step(decomposition, number))
            before = kept.answered(sparql)
            if before is not None:
                found.append(_again(before, bool(kept.tells(sparql))))
                continue
            known = chosen.rows if number == last else None
            result = self._result(sparql, known, deadline)
            match decomposition.steps[number - 1]:
                case Merge(sources):
                    result = _in_order(result, [found[r.step - 1] for r in sources])
            found.append(result)
        return tuple(found)

    def _result(self, sparql: str, known: Rows | None, deadline: float) -> _Result:
        limit = min(self.settings.step_s, deadline - time.monotonic())
        try:
            if known is None and limit <= 0:
                raise StoreTimeout("no time is left for this step")
            rows = self._select(sparql, limit) if known is None else known
            values = collect(rows)
            labels = self._answer_labels(values)
        except StoreTimeout:
            return _Result(
                sparql, (), 0, "timed_out", (f"no answer within {self.settings.step_s:g} seconds",)
            )
        answers = with_numbers(label_all(values, labels), tallied(rows))
        outcome: Outcome = "cut" if rows.cut else "answered" if answers else "empty"
        told = rows.cut or tells(rows)
        return _Result(sparql, answers, len(answers), outcome, _remarks(outcome, len(answers)), told)

    def _answer_labels(self, values: Sequence[Constant]) -> dict[Iri, str]:
        """The names of the answers that are kept; for another stands what it ties together, or its id."""
        iris = [v for v in values[: self.settings.answers_kept] if isinstance(v, Iri)]
        labels = self.kb.names.fetch(iris)
        labels |= record_names(self.kb.store, self.kb.names, [iri for iri in iris if iri not in labels])
        return {iri: labels.get(iri) or fallback(iri) for iri in iris}


@dataclass(frozen=True, slots=True)
class _Result:
    """`count`: of the answers, which may be more than are listed."""

    sparql: str
    answers: tuple[Answer, ...]
    count: int
    outcome: Outcome
    warnings: tuple[str, ...] = ()
    tells: bool = False
    """Whether there is an answer, a count of zero being none."""


class _Clock:
    """Milliseconds per stage since it was made."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._spent = {"link": 0.0, "parse": 0.0, "phrase": 0.0, "answer": 0.0}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self._spent[name] += 1000 * (time.perf_counter() - start)

    def timing(self) -> Timing:
        return Timing(**self._spent, total=1000 * (time.perf_counter() - self._start))


def _again(step: SubQuestion, told: bool) -> _Result:
    """What a step has found before."""
    remarks = _remarks(step.outcome, step.answer_count)
    return _Result(step.sparql, step.answers, step.answer_count, step.outcome, remarks, told)


def _in_order(joined: _Result, of: Sequence[_Result]) -> _Result:
    """What several steps found, in their order."""
    place = {a.value: i for i, a in enumerate(a for result in of for a in result.answers)}
    answers = sorted(joined.answers, key=lambda a: place.get(a.value, len(place)))
    return replace(joined, answers=tuple(answers))


def _remarks(outcome: Outcome, count: int) -> tuple[str, ...]:
    match outcome:
        case "cut":
            return (f"only the first {count:,} answers were read",)
        case "empty":
            return ("nothing was found",)
    return ()


def _unknown_names(names: Sequence[str]) -> Iterator[str]:
    """What is told of names that the reading can't speak of."""
    return (f"nothing here is called '{name}'" for name in names)


def _untold(steps: Sequence[Step], at: int, result: _Result) -> tuple[str, ...]:
    """Said of a 'no' where two things are not tied here: the data may not hold all."""
    match steps[at]:
        case Check(Ref(source)) if [a.label for a in result.answers] == ["no"]:
            kept = steps[source - 1]
            if isinstance(kept, Keep) and (kept.anchor or _names(kept)):
                return ("'no' is all that can be told from what is known here",)
    return ()


def _names(step: Keep) -> bool:
    """Whether one of its conditions is to be a thing that is named."""
    return any(isinstance(test, Is) for r in step.restrictions for test in r.tests)


def _telling(told: Sequence[str], version: Version) -> Version:
    """With these warnings at the last step."""
    *steps, last = version.steps
    return replace(version, steps=(*steps, replace(last, warnings=(*last.warnings, *told))))


def _named_by(step: Step) -> Sequence[Constant]:
    """What a step is about, but for the sort of things that it keeps: 'Australia' is no Australian state."""
    sort = step.anchor if isinstance(step, Keep) and step.path in INSTANCES else None
    return [c for c in constants_of(step) if c != sort]


def _mentions_in(constants: Sequence[Constant], mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The mentions a step is about, one for each entity, which stands first among the candidates."""
    held = {c for c in constants if isinstance(c, Iri)}
    found: dict[Iri, Mention] = {}
    for mention in mentions:
        taken = next((c for c in mention.candidates if c.entity in held), None)
        if taken is not None:
            others = tuple(c for c in mention.candidates if c is not taken)
            found.setdefault(taken.entity, replace(mention, candidates=(taken, *others)))
    return tuple(found.values())


def _with_names_of(mentions: Sequence[Mention], labels: Mapping[Iri, str]) -> dict[Iri, str]:
    """The entities of a reading and their names, with what else was recognised under other names."""
    taken = set(labels.values())
    recognised = [c for m in mentions for c in m.candidates[:1]]
    return {c.entity: c.label for c in recognised if c.label not in taken} | dict(labels)


def _ambiguous(mentions: Sequence[Mention]) -> Iterator[str]:
    for mention in mentions:
        taken, *others = mention.candidates
        if others and others[0].score > taken.score - _CLOSE:
            other = others[0]
            named = other.label != taken.label
            name = other.label if named else described(other, mention.candidates)
            yield f"'{mention.text}' was read as {taken.label}; it may also be {name}"
