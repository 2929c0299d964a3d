"""Simulated users: what one of them says to what is shown."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from kbqa.decompose.recompose import references
from kbqa.dialogue import Dialogue, Version
from kbqa.evaluate.forms import form
from kbqa.feedback import Accept, Delete, Edit, Feedback, Insert, Link, Replace, Stop
from kbqa.intake import constants_of
from kbqa.lexicon import Lexicon
from kbqa.rewire import Steps, exchange, with_references
from kbqa.simulate.align import Operation, Script, alone, nearest
from kbqa.simulate.goal import Goal, misread, reached
from kbqa.simulate.profiles import Judgement, Profile
from kbqa.simulate.words import Said, vague, wordings
from kbqa.synth.noise import typo
from kbqa.types import Iri, Query, Ref, Step

Slip = Choice[
    "", "accepts wrong", "goes on", "stops", "wrong step", "wrong operation", "vague wording", "misspelt"
]


@dataclass(frozen=True, slots=True)
class Reply:
    """Feedback, where its words come from ('' without words), and the slip that is in it, if any."""

    feedback: Feedback
    source: str = ""
    slip: Slip = ""
    operation: Operation | None = None


class SimulatedUser:
    """One person in one dialogue. What it decides depends on `seed` and on what it is shown, on nothing
    else: every decision draws from a stream of its own, so that two systems that show the same are told
    the same. It remembers which words it has used and what was refused."""

    def __init__(self, profile: Profile, gold: Goal, lexicon: Lexicon, seed: str) -> None:
        self.profile, self._lexicon, self._seed = profile, lexicon, seed
        self.misreads = self._rng("goal").random() < profile.misreads
        self.goal = misread(gold, self._rng("misreading")) if self.misreads else gold
        self._used: Counter[Query | None] = Counter()
        self._refused: set[tuple[int, Operation]] = set()

    def reply(self, dialogue: Dialogue, look: int) -> Reply | None:
        """To what is shown at the `look`-th look (from 0); None: there is nothing more to say.
        Something is shown: `dialogue.current` is a version."""
        version = dialogue.current
        assert version is not None
        judges = self.profile.generated if dialogue.mode.phrasing == "generated" else self.profile.templated
        editable = dialogue.mode.edits and dialogue.edits_left > 0
        if reached(self.goal, version.parse.decomposition.steps, version.parse.query):
            if editable and self._chance("goes on", look, judges.goes_on):
                return self._second_thought(version, look) or Reply(Accept())
            return Reply(Accept())
        return self._to_wrong(dialogue, version, judges, editable, look)

    def refused(self, dialogue: Dialogue, reply: Reply) -> None:
        """The reply could not be applied. Words may be put otherwise; what has none is not tried again."""
        if reply.operation is not None and not reply.source:
            self._refused.add((dialogue.at, reply.operation))

    # --- judging

    def _to_wrong(
        self, dialogue: Dialogue, version: Version, judges: Judgement, editable: bool, look: int
    ) -> Reply | None:
        answered = bool(version.steps and version.steps[-1].answers)
        if answered and self._chance("accepts", look, judges.accepts_wrong):
            return Reply(Accept(), slip="accepts wrong")
        if not editable:
            return None if dialogue.mode.edits else Reply(Stop())
        if self._chance("stops", look, judges.stops):
            return Reply(Stop(), slip="stops")
        if self.goal.ways:
            script = nearest(self.goal.ways, version.parse.decomposition.steps)
            for operation in script.operations:
                found = self._correction(operation, script, dialogue, version, look)
                if found is not None:
                    return found
        return Reply(Stop())

    def _second_thought(self, version: Version, look: int) -> Reply | None:
        """A right step, asked in other words."""
        shown = version.parse.decomposition.steps
        order = list(range(1, len(shown) + 1))
        self._rng("second thought", look).shuffle(order)
        for at in order:
            said = self._words(shown[:at], form(shown[:at]))
            if said is not None:
                return Reply(Edit(at, said.text), said.source, "goes on")
        return None

    # --- correcting

    def _correction(
        self, operation: Operation, script: Script, dialogue: Dialogue, version: Version, look: int
    ) -> Reply | None:
        """The operation as feedback; None where nothing is left to say about it."""
        if (dialogue.at, operation) in self._refused:
            return None
        shown = version.parse.decomposition.steps
        if operation.kind == "delete":
            at, slip = self._place(operation.step, len(shown), look)
            return Reply(Delete(at), slip=slip, operation=operation)
        linked = self._link(operation, script, version)
        if linked is not None and self._chance("links", look, self.profile.links):
            return Reply(linked, operation=operation)
        last = len(shown) + (operation.kind == "insert")
        at, misplaced = self._place(operation.step, last, look)
        before = shown[: at - 1]
        step = _in_place(script.way[operation.wanted - 1], script.places, len(before))
        if step is None:
            return None
        said = self._words((*before, step), form(script.way[: operation.wanted]))
        if said is None:
            return None
        kind, mistaken = self._kind(operation.kind, at, len(shown), look)
        text, slip = self._slipped(said, look)
        return Reply(kind(at, text), said.source, misplaced or mistaken or slip, operation)

    def _link(self, operation: Operation, script: Script, version: Version) -> Link | None:
        """The other entity of the same name, where it is all that is wrong and is offered."""
        if operation.kind != "edit":
            return None
        shown = version.parse.decomposition.steps[operation.step - 1]
        wanted = script.way[operation.wanted - 1]
        held = [c for c in constants_of(shown) if isinstance(c, Iri)]
        for mention in version.steps[operation.step - 1].mentions:
            for candidate in mention.candidates:
                for c in held:
                    if alone(exchange(shown, {c: candidate.entity})) == alone(wanted) != alone(shown):
                        return Link(c.value, candidate.entity.value)
        return None

    def _words(self, steps: Steps, wanted: Query | None) -> Said | None:
        """The next wording of the last step that has not been used yet."""
        choices = wordings(
            steps,
            self.goal.said.get(wanted, ()) if wanted is not None else (),
            self.goal.names,
            self._lexicon,
            self._rng("words", repr(wanted)),
            tries=self.profile.tries,
            copy=self.profile.copy,
        )
        used = self._used[wanted]
        if used >= len(choices):
            return None
        self._used[wanted] += 1
        return choices[used]

    # --- slips

    def _place(self, step: int, last: int, look: int) -> tuple[int, Slip]:
        if last < 2 or not self._chance("step", look, self.profile.wrong_step):
            return step, ""
        others = [n for n in range(1, last + 1) if n != step]
        return self._rng("other step", look).choice(others), "wrong step"

    def _kind(
        self, kind: str, at: int, count: int, look: int
    ) -> tuple[type[Insert] | type[Replace] | type[Edit], Slip]:
        right: type[Insert] | type[Replace] | type[Edit]
        right = Insert if kind == "insert" else Replace if kind == "replace" else Edit
        if at > count or not self._chance("operation", look, self.profile.wrong_operation):
            return right, ""
        return (Replace if right is Insert else Insert), "wrong operation"

    def _slipped(self, said: Said, look: int) -> tuple[str, Slip]:
        if self._chance("vague", look, self.profile.vague):
            return vague(said.text, self.goal.names.values(), self._rng("vague words", look)), "vague wording"
        if self._chance("misspelt", look, self.profile.misspelt):
            return typo(said.text, self._rng("typo", look)), "misspelt"
        return said.text, ""

    # --- chance

    def _chance(self, what: str, look: int, rate: float) -> bool:
        return rate > 0 and self._rng(what, look).random() < rate

    def _rng(self, *names: object) -> random.Random:
        return random.Random("/".join(map(str, (self._seed, *names))))


def _in_place(step: Step, places: Mapping[int, int], before: int) -> Step | None:
    """A wanted step that refers to the shown ones; what it rests on that is not shown is taken to be
    the step before it. None where there is none before it."""

    def meant(ref: Ref) -> Ref:
        return Ref(min(places.get(ref.step, before), before))

    if before == 0 and references(step):
        return None
    return with_references(step, meant)
