"""One dialogue between an engine and a simulated user, as a JSON record."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from kbqa.dialogue import Dialogue, Mode, SubQuestion, Version
from kbqa.errors import InputError, KbqaError
from kbqa.evaluate.answers import Answers, answer_set, execute, f1
from kbqa.evaluate.dialogues import Gold, Seen, outcome
from kbqa.evaluate.forms import form, partial_forms
from kbqa.evaluate.kinds import facets, predicates, question_type
from kbqa.evaluate.pointwise import pointwise
from kbqa.feedback import Back, Feedback, Stop, Undo, feedback_document
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.rewire import Steps
from kbqa.simulate.align import nearest
from kbqa.simulate.errors import errors
from kbqa.simulate.goal import Goal, GoldRow, goal_of, reached
from kbqa.simulate.profiles import Profile
from kbqa.simulate.users import Reply, SimulatedUser
from kbqa.types import Iri

Record = dict[str, Any]
_SAMPLE = 5
"""Answers of a step that a record names."""


class System(Protocol):
    """What the user talks to: `kbqa.engine.Engine`, or what stands for one (`kbqa.parlai.episode`). Its
    knowledge base is the one that the gold query is run on."""

    @property
    def kb(self) -> KnowledgeBase: ...

    def first_version(
        self, question: str, mode: Mode, entities: Mapping[Iri, str] | None = None
    ) -> Dialogue: ...

    def advance(self, dialogue: Dialogue, feedback: Feedback) -> Dialogue: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """How dialogues are played. `edits`: corrections in one; `gold_entities`: the row's entities are
    given instead of linking."""

    modes: tuple[Mode, ...]
    profile: Profile
    seed: int = 0
    edits: int = 5
    gold_entities: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is no row of a data set."""

    number: int
    id: str
    error: dict[str, str]


def play_row(engine: System, plan: Plan, row: GoldRow | Unread, modes: Sequence[Mode]) -> list[Record]:
    """A record for each of the modes. What goes wrong in one dialogue is an error in its record."""
    if isinstance(row, Unread):
        return [failed(row.number, row.id, "", mode, plan, row.error) for mode in modes]
    try:
        goal, gold = _prepared(engine, row)
    except Exception as e:
        return [failed(row.number, row.id, row.question, mode, plan, as_error(e)) for mode in modes]
    records = []
    for mode in modes:
        try:
            records.append(_play(engine, plan, row, goal, gold, mode))
        except Exception as e:  # a defect in one dialogue must not cost the others
            records.append(failed(row.number, row.id, row.question, mode, plan, as_error(e), row.type))
    return records


def as_error(e: Exception) -> dict[str, str]:
    if isinstance(e, KbqaError):
        return e.as_row()
    return {"type": "InternalError", "message": f"{type(e).__name__}: {e}"}


def failed(
    number: int, name: str, question: str, mode: Mode, plan: Plan, error: dict[str, str], kind: str = ""
) -> Record:
    """A dialogue that did not take place counts as wrong at every turn."""
    measures = outcome((), "not_understood", Gold((), None), plan.edits, allowed=mode.edits)
    return {
        "row": number,
        "id": name,
        "mode": mode.name,
        "question": question,
        "type": kind,
        "facets": [],
        "predicates": [],
        "status": "failed",
        "error": error,
        **asdict(measures),
        "required": None,
        "gold_answers": None,
        "steps_first": None,
        "steps_last": None,
        "errors_first": [],
        "errors_last": [],
        "refused": 0,
        "templates": 0,
        "undone": 0,
        "offered": False,
        "corrections": [],
        "misreads": False,
        "decisions": [],
        "turns": [],
        "end": None,
        "seconds": None,
    }


def _prepared(engine: System, row: GoldRow) -> tuple[Goal, Gold]:
    goal = goal_of(row, engine.kb.lexicon)
    constants = [c for way in goal.ways[:1] for s in way for c in constants_of(s) if isinstance(c, Iri)]
    names = {**row.entities, **engine.kb.names.fetch(constants)}
    steps = goal.ways[0] if goal.ways else ()
    return replace(goal, names=names), Gold(steps, execute(engine.kb.store, goal.query))


# --- one dialogue --------------------------------------------------------------------


@dataclass(slots=True)
class _Log:
    """What has happened so far."""

    turns: list[Record]
    seen: list[Seen]
    waiting: list[str]
    """Refusals since the last turn."""
    refused: int = 0
    templates: int = 0
    undone: int = 0
    corrections: list[tuple[str, bool]] = field(default_factory=list)
    """Of each correction in right words: where they come from, and whether they were understood."""

    def said(self, reply: Reply, shown: Steps) -> None:
        if reply.meant is not None and not reply.slip:
            self.corrections.append((reply.source, reply.meant in partial_forms(shown)))

    def refuse(self, message: str) -> None:
        self.waiting.append(message)
        self.refused += 1

    def take(self) -> list[str]:
        taken, self.waiting = self.waiting, []
        return taken


def _play(engine: System, plan: Plan, row: GoldRow, goal: Goal, gold: Gold, mode: Mode) -> Record:
    started = time.perf_counter()
    dialogue = engine.first_version(row.question, mode, dict(row.entities) if plan.gold_entities else None)
    dialogue = replace(dialogue, edits_left=plan.edits if mode.edits else 0)
    user = SimulatedUser(plan.profile, goal, engine.kb.lexicon, f"{plan.seed}/{row.id}")
    log = _Log([], [], [])
    _look(engine, goal, gold, dialogue, None, log, time.perf_counter() - started)
    dialogue, end = _talk(engine, plan, goal, gold, dialogue, user, log)
    measures = outcome(log.seen, dialogue.status, gold, plan.edits, allowed=mode.edits)
    first = dialogue.versions[0] if dialogue.versions else None
    return {
        "row": row.number,
        "id": row.id,
        "mode": mode.name,
        "question": row.question,
        "type": row.type or question_type(gold.steps),
        "facets": list(facets(gold.steps)),
        "predicates": sorted(p.mid for p in predicates(goal.query)),
        "status": dialogue.status,
        "error": None,
        **asdict(measures),
        "required": None if first is None else required(goal, first),
        "gold_answers": None if gold.answers is None else len(gold.answers),
        **_apart(engine, goal, dialogue),
        "refused": log.refused,
        "templates": log.templates,
        "undone": log.undone,
        "offered": first is not None
        and any(reached(goal, o.parse.decomposition.steps, o.parse.query) for o in first.offers),
        "corrections": log.corrections,
        "misreads": user.misreads,
        "decisions": user.decisions,
        "turns": log.turns,
        "end": end,
        "seconds": round(time.perf_counter() - started, 3),
    }


def _apart(engine: System, goal: Goal, dialogue: Dialogue) -> Record:
    """How far the first and the last version are from the goal: step by step, and by categories. Null and
    empty where nothing was understood or the goal has no steps."""
    out: Record = {}
    first = dialogue.versions[0] if dialogue.versions else None
    for when, version in (("first", first), ("last", dialogue.current)):
        steps = version.parse.decomposition.steps if version else ()
        there = version is not None and reached(goal, steps, version.parse.query)
        points = pointwise(goal.ways[0], goal.ways[0] if there else steps) if goal.ways else None
        out[f"steps_{when}"] = (
            None
            if points is None
            else {
                "precision": round(points.precision, 4),
                "recall": round(points.recall, 4),
                "f1": round(points.f1, 4),
                "order": round(points.order, 4),
                "implied_edits": points.implied_edits,
            }
        )
        wrong = version is not None and not there
        held = [c for s in steps for c in constants_of(s) if isinstance(c, Iri)] if wrong else []
        named = replace(goal, names={**engine.kb.names.fetch(held), **goal.names})
        out[f"errors_{when}"] = errors(named, steps, engine.kb.lexicon) if wrong else []
    return out


def required(goal: Goal, version: Version) -> list[str] | None:
    """The operations between a version and the goal; None where the goal has no steps to correct by."""
    steps = version.parse.decomposition.steps
    if reached(goal, steps, version.parse.query):
        return []
    return [o.kind for o in nearest(goal.ways, steps).operations] if goal.ways else None


def _talk(
    engine: System,
    plan: Plan,
    goal: Goal,
    gold: Gold,
    dialogue: Dialogue,
    user: SimulatedUser,
    log: _Log,
) -> tuple[Dialogue, Record | None]:
    """Looks and replies in turn, until it is accepted, given up or nothing more can be said."""
    look = 0
    while dialogue.current is not None and dialogue.status in ("awaiting_feedback", "edits_used_up"):
        reply = user.reply(dialogue, look)
        look += 1
        if reply is None:
            break
        started = time.perf_counter()
        try:
            after = engine.advance(dialogue, reply.feedback)
        except InputError as e:
            user.refused(dialogue, reply)
            log.said(reply, ())
            log.refuse(str(e))
            if len(log.waiting) < plan.profile.patience:
                continue
            reply = Reply(Stop())
            after = engine.advance(dialogue, reply.feedback)
        dialogue, before = after, dialogue
        if dialogue.at != before.at:
            log.templates += reply.source == "template"
            log.undone += isinstance(reply.feedback, Undo | Back)
            if dialogue.current is not None:
                log.said(reply, dialogue.current.parse.decomposition.steps)
            _look(engine, goal, gold, dialogue, reply, log, time.perf_counter() - started)
        else:
            return dialogue, {**_said(reply), "refused": log.take()}
    return dialogue, None


def _look(
    engine: System,
    goal: Goal,
    gold: Gold,
    dialogue: Dialogue,
    reply: Reply | None,
    log: _Log,
    seconds: float,
) -> None:
    """Notes what is shown now."""
    version = dialogue.current
    if version is None:
        return
    steps = version.parse.decomposition.steps
    found = _answers(engine, version)
    score = round(f1(gold.answers, found or frozenset()), 4) if gold.answers else None
    turn = len(dialogue.versions) - 1
    seen = Seen(reached(goal, steps, version.parse.query), score, found, form(steps), turn)
    log.seen.append(seen)
    log.turns.append(
        {
            "turn": turn,
            **_said(reply),
            "refused": log.take(),
            "sparql": version.sparql,
            "steps": [_step(s) for s in version.steps],
            "exact": seen.exact,
            "f1": score,
            "seconds": round(seconds, 3),
        }
    )


def _answers(engine: System, version: Version) -> Answers | None:
    """All answers of a version; those kept for showing, where they are all."""
    last = version.steps[-1]
    if last.outcome == "timed_out":
        return None
    if last.answer_count > len(last.answers):
        return execute(engine.kb.store, version.sparql)
    return answer_set(a.value for a in last.answers)


def _said(reply: Reply | None) -> Record:
    if reply is None:
        return {"feedback": None, "source": "", "slip": ""}
    return {"feedback": feedback_document(reply.feedback), "source": reply.source, "slip": reply.slip}


def _step(step: SubQuestion) -> Record:
    return {
        "shown": step.shown,
        "template": step.template,
        "answers": [a.label for a in step.answers[:_SAMPLE]],
        "answer_count": step.answer_count,
        "outcome": step.outcome,
    }
