"""The study file: what is compared, on which questions, with which words, pay and checks (docs/study.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from kbqa.dialogue import MODES, Mode
from kbqa.study.fields import Fields, open_fields


@dataclass(frozen=True, slots=True)
class Comparison:
    """One or two systems that a worker uses one after the other."""

    name: str
    conditions: tuple[Mode, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the tutorial; `text` is Markdown."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """`right`: the number of the right option, from 1."""

    text: str
    options: tuple[str, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Quiz:
    """`needed`: right answers to pass; `wait_minutes`: before the second, third ... try, the last one
    before every later try."""

    questions: tuple[QuizQuestion, ...]
    needed: int
    wait_minutes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """`scale`: from the best to the worst, shown with numbers from 1; `statements` are rated after each
    system, `comparative` asked after both."""

    scale: tuple[str, ...]
    statements: tuple[str, ...]
    comparative: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pay:
    """For a dialogue, for a survey, and once for a whole comparison."""

    currency: str
    dialogue: Decimal
    survey: Decimal
    bonus: Decimal


@dataclass(frozen=True, slots=True)
class Monitoring:
    """What a person should look at. `min_seconds`: of a dialogue; `short_share`: of the median of its
    condition; `no_edit_run`: dialogues in a row without an edit; `same_edit_turns`: corrections that are
    all alike; `min_turn_seconds`: median between what is shown and what is said."""

    min_seconds: float
    short_share: float
    no_edit_run: int
    same_edit_turns: int
    min_turn_seconds: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """`margin`: of equivalence of shares, `survey_margin`: of ratings; `effect`: standardised effect that
    the study should find with probability `power`; `trials`: of approximate randomization."""

    alpha: float
    margin: float
    survey_margin: float
    effect: float
    power: float
    trials: int


@dataclass(frozen=True, slots=True)
class Study:
    """A whole study. `folder` holds what participants leave; `batch`: dialogues in one system."""

    title: str
    folder: Path
    items: Path
    limit: int | None
    seed: int
    batch: int
    edits: int
    replications: int
    open_to_all: bool
    kb: str | None
    comparisons: tuple[Comparison, ...]
    consent: str
    agree: str
    tutorial: tuple[Page, ...]
    quiz: Quiz
    survey: Survey
    pay: Pay
    monitoring: Monitoring
    analysis: Analysis
    heds: Mapping[str, Any]

    def comparison(self, name: str) -> Comparison:
        return next(c for c in self.comparisons if c.name == name)

    def binding(self) -> dict[str, Any]:
        """What may not change once somebody takes part: it says who does what, and what is asked."""
        return {
            "seed": self.seed,
            "batch": self.batch,
            "edits": self.edits,
            "replications": self.replications,
            "comparison": [[c.name, *(m.name for m in c.conditions)] for c in self.comparisons],
            "survey.scale": list(self.survey.scale),
            "survey.statements": list(self.survey.statements),
            "survey.comparative": list(self.survey.comparative),
        }


def read_study(path: Path) -> Study:
    """Raises `InputError` naming the file, the line and the field that is missing, wrong or unknown."""
    top = open_fields(path)
    here = path.resolve().parent
    study = Study(
        title=top.text("title"),
        folder=here / top.text("folder", f"{path.stem}-data"),
        items=here / top.text("items"),
        limit=top.whole("limit", 0) or None,
        seed=top.whole("seed", 0),
        batch=top.whole("batch", 10, least=1, most=100),
        edits=top.whole("edits", 5, least=1, most=50),
        replications=top.whole("replications", 1, least=1, most=100),
        open_to_all=top.choice("participants", ("invited", "open"), "invited") == "open",
        kb=top.text("kb", "") or None,
        comparisons=_comparisons(top),
        **_words(top),
        pay=_pay(top.table("pay", needed=False)),
        monitoring=_monitoring(top.table("monitoring", needed=False)),
        analysis=_analysis(top.table("analysis", needed=False)),
        heds=top.table("heds", needed=False).rest(),
    )
    top.done()
    return study


def _comparisons(top: Fields) -> tuple[Comparison, ...]:
    found: dict[str, Comparison] = {}
    for table in top.tables("comparison"):
        names = table.texts("conditions", least=1, most=2)
        unknown = [n for n in names if n not in MODES]
        if unknown or len(set(names)) < len(names):
            expected = f"one or two different ones of {', '.join(MODES)}"
            raise table.wrong("conditions", list(names), expected)
        name = table.text("name", " vs ".join(names))
        if name in found:
            raise table.wrong("name", name, "a name that no other comparison has")
        table.done()
        found[name] = Comparison(name, tuple(MODES[n] for n in names))
    return tuple(found.values())


def _words(top: Fields) -> dict[str, Any]:
    consent, pages = top.table("consent"), []
    words: dict[str, Any] = {"consent": consent.text("text"), "agree": consent.text("agree")}
    consent.done()
    for table in top.tables("tutorial"):
        pages.append(Page(table.text("title"), table.text("text")))
        table.done()
    return {**words, "tutorial": tuple(pages), "quiz": _quiz(top.table("quiz")), "survey": _survey(top)}


def _quiz(table: Fields) -> Quiz:
    questions = []
    for each in table.tables("questions"):
        options = each.texts("options", least=2, most=10)
        right = each.whole("right", least=1, most=len(options))
        questions.append(QuizQuestion(each.text("text"), options, right))
        each.done()
    needed = table.whole("needed", len(questions), least=1, most=len(questions))
    waits = table.wholes("wait_minutes", least=0, most=100_000)
    if list(waits) != sorted(waits):
        raise table.wrong("wait_minutes", list(waits), "waiting times that never get shorter")
    table.done()
    return Quiz(tuple(questions), needed, waits)


def _survey(top: Fields) -> Survey:
    table = top.table("survey")
    survey = Survey(
        table.texts("scale", least=2, most=11), table.texts("statements"), table.texts("comparative")
    )
    table.done()
    return survey


def _pay(table: Fields) -> Pay:
    pay = Pay(
        table.text("currency", "USD"),
        table.money("dialogue", Decimal("0.40")),
        table.money("survey", Decimal("1.00")),
        table.money("bonus", Decimal("5.00")),
    )
    table.done()
    return pay


def _monitoring(table: Fields) -> Monitoring:
    monitoring = Monitoring(
        table.number("min_seconds", 15),
        table.number("short_share", Decimal("0.33"), most=1),
        table.whole("no_edit_run", 4, least=2),
        table.whole("same_edit_turns", 2, least=2),
        table.number("min_turn_seconds", 3),
    )
    table.done()
    return monitoring


def _analysis(table: Fields) -> Analysis:
    analysis = Analysis(
        table.number("alpha", Decimal("0.05"), least=0.0001, most=0.5),
        table.number("margin", Decimal("0.10"), least=0.001, most=1),
        table.number("survey_margin", Decimal("0.50"), least=0.001, most=10),
        table.number("effect", Decimal("0.2"), least=0.01, most=5),
        table.number("power", Decimal("0.8"), least=0.5, most=0.999),
        table.whole("trials", 10_000, least=100),
    )
    table.done()
    return analysis


def as_json(study: Study) -> str:
    """The whole study file as it was read, for the analysis, without paths of this machine."""

    def plain(value: Any) -> Any:
        if isinstance(value, Decimal):
            return str(value)
        if isinstance(value, Path):
            return value.name
        raise TypeError(type(value).__name__)

    from dataclasses import asdict

    return json.dumps({**asdict(study), "heds": dict(study.heds)}, default=plain, ensure_ascii=False)


def from_json(text: str, folder: Path) -> Study:
    """What `as_json` wrote; `items` is a bare name then."""
    data = json.loads(text)
    comparisons = tuple(
        Comparison(c["name"], tuple(MODES[m["name"]] for m in c["conditions"])) for c in data["comparisons"]
    )
    quiz = data["quiz"]
    questions = tuple(QuizQuestion(q["text"], tuple(q["options"]), q["right"]) for q in quiz["questions"])
    pay = data["pay"]
    amounts = {key: Decimal(pay[key]) for key in ("dialogue", "survey", "bonus")}
    return Study(
        **{
            **data,
            "folder": folder,
            "items": Path(data["items"]),
            "comparisons": comparisons,
            "tutorial": tuple(Page(**p) for p in data["tutorial"]),
            "quiz": Quiz(questions, quiz["needed"], tuple(quiz["wait_minutes"])),
            "survey": Survey(**{key: tuple(value) for key, value in data["survey"].items()}),
            "pay": Pay(currency=pay["currency"], **amounts),
            "monitoring": Monitoring(**data["monitoring"]),
            "analysis": Analysis(**data["analysis"]),
        }
    )
