"""Simulated workers: they go through a whole study as people do, so that its data and analysis can be
looked at before anybody is paid.

What they say in dialogues is said by the simulated user of `kbqa.simulate`. What they answer in surveys
follows from how their dialogues went and from chance, by a rule that is made up and says nothing about
people. They need no time: what is measured in seconds means nothing.
"""

from __future__ import annotations

import random
import threading
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from kbqa.dialogue import Dialogue
from kbqa.engine import Engine
from kbqa.errors import InputError
from kbqa.feedback import Feedback, Stop
from kbqa.intake import constants_of
from kbqa.lexicon import Lexicon
from kbqa.records import Records
from kbqa.simulate.goal import Goal, goal_of
from kbqa.simulate.profiles import Profile
from kbqa.simulate.users import Reply, SimulatedUser
from kbqa.study.conduct import takes_more
from kbqa.study.items import Item
from kbqa.study.places import (
    COMPARISON_STAGE,
    AtComparison,
    AtConsent,
    AtDialogue,
    AtQuiz,
    AtStart,
    AtSurvey,
    AtTutorial,
    Task,
    Waiting,
)
from kbqa.study.register import Register, utc_now
from kbqa.types import Iri

TEAM = "simulated"
_KNOWS = 0.9
"""The chance to know the answer to a quiz question."""


class Talk(Protocol):
    """How dialogues are had, and surveys answered: in this process, with a server, or at a page."""

    def open(self, task: Task) -> Dialogue: ...

    def say(self, task: Task, dialogue: Dialogue, feedback: Feedback, turn_id: str) -> Dialogue: ...

    def close(self, task: Task, dialogue: Dialogue, comment: str = "") -> None: ...

    def answer(self, claim: int, stage: int, values: Mapping[int, int]) -> None: ...


class SkippingClock(threading.local):
    """The time of day, with the waits of the worker whom this thread plays left out."""

    ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


def simulate_workers(
    folder: Path,
    records: Records,
    goals: Mapping[str, Goal],
    lexicon: Lexicon,
    talk_over: Callable[[Register], Talk],
    profile: Profile,
    *,
    workers: int,
    seed: int = 0,
    most: int | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> None:
    """Each worker does at most `most` comparisons (None: all there are), all of them at the same time.
    Stopped and started again with the same seed, they go on where they were. Raises what goes wrong with
    one of them."""

    def one(number: int) -> None:
        clock.ahead = timedelta()
        (participant,) = register.admit([f"{TEAM}-{seed}-{number}"], TEAM)
        user = User(goals, lexicon, profile, f"{seed}/{number}")
        Worker(register, records, talk, user, participant).take_part(clock, most, tick)

    clock = SkippingClock()
    with Register(folder, now=clock) as register, ThreadPoolExecutor(workers) as pool:
        talk = talk_over(register)
        for future in [pool.submit(one, number) for number in range(1, workers + 1)]:
            future.result()


def goals_of(register: Register, engine: Engine) -> dict[str, Goal]:
    """What each item's question wants, by item id."""
    found = {}
    for row in register.tables.rows("SELECT * FROM items"):
        item = Item(row["id"], row["question"], row["type"], row["row"]).gold_row()
        goal = goal_of(item, engine.kb.lexicon)
        held = [c for way in goal.ways[:1] for s in way for c in constants_of(s) if isinstance(c, Iri)]
        names = {**item.entities, **engine.kb.names.fetch(held)}
        found[row["id"]] = replace(goal, names=names)
    return found


@dataclass(frozen=True, slots=True)
class User:
    """What a simulated user needs to begin a dialogue."""

    goals: Mapping[str, Goal]
    lexicon: Lexicon
    profile: Profile
    seed: str

    def about(self, item: str) -> SimulatedUser:
        return SimulatedUser(self.profile, self.goals[item], self.lexicon, f"{self.seed}/{item}")


class Worker:
    def __init__(
        self, register: Register, records: Records, talk: Talk, user: User, participant: str
    ) -> None:
        self._register, self._records, self._talk = register, records, talk
        self._user, self._participant = user, participant

    def take_part(self, clock: SkippingClock, most: int | None, tick: Callable[[int], None]) -> None:
        register, who = self._register, self._participant
        while True:
            match register.where(who):
                case AtConsent():
                    register.consent(who)
                case AtTutorial():
                    register.finish_tutorial(who)
                case AtQuiz(attempt):
                    register.take_quiz(who, self._guesses(attempt))
                case Waiting(until):
                    clock.ahead += until - clock()
                case AtStart(before) if most is None or len(before) < most:
                    register.start(who)
                case AtDialogue(task):
                    self._dialogue(task)
                    tick(1)
                case AtSurvey(claim, stage):
                    self._talk.answer(claim, stage, self._ratings(claim, stage))
                case AtComparison(claim, _):
                    self._talk.answer(claim, COMPARISON_STAGE, self._preferences(claim))
                case _:
                    return

    def _guesses(self, attempt: int) -> list[int]:
        rng = self._rng("quiz", attempt)
        return [
            q.right if rng.random() < _KNOWS else rng.randint(1, len(q.options))
            for q in self._register.study.quiz.questions
        ]

    # --- dialogues

    def _dialogue(self, task: Task) -> None:
        dialogue = self._talk.open(task)
        user = self._user.about(task.item)
        look = refused = 0
        while takes_more(dialogue):
            reply = user.reply(dialogue, look) or Reply(Stop())
            look += 1
            if refused >= self._user.profile.patience:
                reply = Reply(Stop())
            try:
                dialogue = self._talk.say(task, dialogue, reply.feedback, str(uuid.uuid4()))
                refused = 0
            except InputError:
                if isinstance(reply.feedback, Stop):
                    raise
                user.refused(dialogue, reply)
                refused += 1
        self._talk.close(task, dialogue)

    # --- surveys

    def _pleased(self, claim: int) -> dict[int, float]:
        """By stage, 0 to 1: how many dialogues were accepted, less something for each correction."""
        scores: dict[int, list[float]] = defaultdict(list)
        for task in self._register.tasks(claim):
            if task.dialogue_id is not None:
                dialogue = self._records.load(task.dialogue_id)
                worth = float(dialogue.status == "accepted") - 0.05 * max(0, len(dialogue.versions) - 1)
                scores[task.stage].append(max(0.0, worth))
        return {stage: sum(found) / len(found) for stage, found in scores.items()}

    def _ratings(self, claim: int, stage: int) -> dict[int, int]:
        survey, pleased = self._register.study.survey, self._pleased(claim)[stage]
        worst = len(survey.scale)
        found = {}
        for number in range(1, len(survey.statements) + 1):
            felt = 1 + (1 - pleased) * (worst - 1) + self._rng("survey", claim, stage, number).gauss(0, 0.7)
            found[number] = min(worst, max(1, round(felt)))
        return found

    def _preferences(self, claim: int) -> dict[int, int]:
        pleased = self._pleased(claim)
        found = {}
        for number in range(1, len(self._register.study.survey.comparative) + 1):
            leaning = pleased[1] - pleased[2] + self._rng("comparison", claim, number).gauss(0, 0.15)
            found[number] = 1 if leaning > 0 else 2
        return found

    def _rng(self, *names: object) -> random.Random:
        return random.Random("/".join(map(str, (self._user.seed, *names))))
