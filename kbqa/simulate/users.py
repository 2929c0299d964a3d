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
from kbqa.feedback import (
    Accept,
    Back,
    Choose,
    Delete,
    Edit,
    Feedback,
    Insert,
    Link,
    Replace,
    Stop,
    Undo,
)
from kbqa.intake import constants_of
from kbqa.lexicon import Lexicon
from kbqa.rewire import Steps, exchange, with_references
from kbqa.simulate.align import Operation, Script, alone, nearest
from kbqa.simulate.goal import Goal, misread, reached
from kbqa.simulate.profiles import Profile
from kbqa.simulate.words import Said, vague, wordings
from kbqa.synth.noise import typo
from kbqa.types import Iri, Query, Ref, Step

Slip = Choice[
    "",
    "accepts wrong",
    "doubts",
    "goes on",
    "stops",
    "wrong step",
    "wrong operation",
    "vague wording",
    "misspelt",
]


@dataclass(frozen=True, slots=True)
class Reply:
    """Feedback, where its words come from ('' without words), and the slip that is in it, if any. `meant`:
    what the words ask, in the place where they are said."""

    feedback: Feedback
    source: str = ""
    slip: Slip = ""
    operation: Operation | None = None
    meant: Query | None = None


class SimulatedUser:
    """One person in one dialogue. What it decides depends on `seed` and on what it is shown, on nothing
    else: every decision draws from a stream of its own, so that two systems that show the same are told
    the same. It remembers which words it has used and what was refused. `decisions`: each choice left to
    chance, by the name of its rate, and how it fell."""

    def __init__(self, profile: Profile, gold: Goal, lexicon: Lexicon, seed: str) -> None:
        self.profile, self._lexicon, self._seed = profile, lexicon, seed
        self.decisions: list[tuple[str, bool]] = []
        self.misreads = self._chance("misreads", "goal", profile.misreads)
        self.goal = misread(gold, self._rng("misreading")) if self.misreads else gold
        self._used: Counter[Query | None] = Counter()
        self._refused: set[tuple[int, Operation | Choose]] = set()
        self._made: dict[int, Operation | Choose] = {}

    def reply(self, dialogue: Dialogue, look: int) -> Reply | None:
        """To what is shown at the `look`-th look (from 0); None: there is nothing more to say.
        Something is shown: `dialogue.current` is a version."""
        version = dialogue.current
        assert version is not None
        if self._reached(version):
            return self._to_right(dialogue, version, look)
        return self._to_wrong(dialogue, version, look)

    def refused(self, dialogue: Dialogue, reply: Reply) -> None:
        """The reply could not be applied. Words may be put otherwise; what has none is not tried again."""
        if isinstance(reply.feedback, Choose):
            self._refused.add((dialogue.at, reply.feedback))
        elif reply.operation is not None and not reply.source:
            self._refused.add((dialogue.at, reply.operation))

    # --- judging

    def _reached(self, version: Version) -> bool:
        return reached(self.goal, version.parse.decomposition.steps, version.parse.query)

    def _judges(self, what: str, dialogue: Dialogue, look: int) -> bool:
        """Whether the judgement named so is made of what is shown."""
        phrasing = dialogue.mode.phrasing
        rate = getattr(getattr(self.profile, phrasing), what)
        return self._chance(f"{phrasing}.{what}", (what, look), rate)

    def _to_right(self, dialogue: Dialogue, version: Version, look: int) -> Reply:
        may_doubt = dialogue.edits_left > 0 or not dialogue.mode.edits
        if may_doubt and self._judges("doubts", dialogue, look):
            if not dialogue.mode.edits:
                return Reply(Stop(), slip="doubts")
            return self._second_thought(version, look) or Reply(Accept())
        return Reply(Accept())

    def _to_wrong(self, dialogue: Dialogue, version: Version, look: int) -> Reply | None:
        answered = bool(version.steps and version.steps[-1].answers)
        if answered and self._judges("accepts_wrong", dialogue, look):
            return Reply(Accept(), slip="accepts wrong")
        if not dialogue.mode.edits:
            return Reply(Stop())
        back = self._back(dialogue, version, look)
        if back is not None or dialogue.edits_left < 1:
            return back
        if self._judges("stops", dialogue, look):
            return Reply(Stop(), slip="stops")
        script = self._script(version)
        chosen = self._choice(dialogue, version, script, look)
        if chosen is not None:
            self._made[len(dialogue.versions) + 1] = chosen
            return Reply(chosen)
        return (script and self._corrected(script, dialogue, version, look)) or Reply(Stop())

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

    # --- what needs no words

    def _script(self, version: Version) -> Script | None:
        return nearest(self.goal.ways, version.parse.decomposition.steps) if self.goal.ways else None

    def _left(self, version: Version) -> int | None:
        """How many operations are left from a version; None where that can't be told."""
        if self._reached(version):
            return 0
        script = self._script(version)
        return len(script.operations) if script else None

    def _back(self, dialogue: Dialogue, version: Version, look: int) -> Reply | None:
        """Back to an earlier version that is what is wanted; or undone, where the last correction made
        it worse. That correction is not tried again if it had no words."""
        reached_at = next((n for n, v in enumerate(dialogue.versions, 1) if self._reached(v)), None)
        target = reached_at
        if target is None and version.parent is not None and dialogue.edits_left > 0:
            before, now = self._left(dialogue.versions[version.parent - 1]), self._left(version)
            target = version.parent if before is not None and now is not None and before < now else None
        if target is None or not self._chance("undoes", ("undoes", look), self.profile.undoes):
            return None
        made = self._made.get(dialogue.at)
        if (
            made is not None
            and version.parent is not None
            and isinstance(version.feedback, Delete | Choose | Link)
        ):
            self._refused.add((version.parent, made))
        return Reply(Undo() if target == version.parent else Back(target))

    def _choice(
        self, dialogue: Dialogue, version: Version, script: Script | None, look: int
    ) -> Choose | None:
        """The offered alternative that leaves least to correct, where that is less than now."""
        now = len(script.operations) if script else 1
        best: tuple[int, Choose] | None = None
        for number, offer in enumerate(version.offers, 1):
            choice = Choose(number)
            if (dialogue.at, choice) in self._refused:
                continue
            steps = offer.parse.decomposition.steps
            if reached(self.goal, steps, offer.parse.query):
                left = 0
            elif self.goal.ways:
                left = len(nearest(self.goal.ways, steps).operations)
            else:
                continue
            if left < now and (best is None or left < best[0]):
                best = left, choice
        if best is None or not self._chance("chooses", ("chooses", look), self.profile.chooses):
            return None
        return best[1]

    # --- correcting

    def _corrected(self, script: Script, dialogue: Dialogue, version: Version, look: int) -> Reply | None:
        """The first operation about which there is something left to say."""
        for operation in script.operations:
            found = self._correction(operation, script, dialogue, version, look)
            if found is not None:
                self._made[len(dialogue.versions) + 1] = operation
                return found
        return None

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
        if linked is not None and self._chance("links", ("links", look), self.profile.links):
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
        meant = form((*before, step))
        return Reply(kind(at, text), said.source, misplaced or mistaken or slip, operation, meant)

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
        if last < 2 or not self._chance("wrong_step", ("step", look), self.profile.wrong_step):
            return step, ""
        others = [n for n in range(1, last + 1) if n != step]
        return self._rng("other step", look).choice(others), "wrong step"

    def _kind(
        self, kind: str, at: int, count: int, look: int
    ) -> tuple[type[Insert] | type[Replace] | type[Edit], Slip]:
        right: type[Insert] | type[Replace] | type[Edit]
        right = Insert if kind == "insert" else Replace if kind == "replace" else Edit
        if at > count:
            return right, ""
        if not self._chance("wrong_operation", ("operation", look), self.profile.wrong_operation):
            return right, ""
        return (Replace if right is Insert else Insert), "wrong operation"

    def _slipped(self, said: Said, look: int) -> tuple[str, Slip]:
        if self._chance("vague", ("vague", look), self.profile.vague):
            return vague(said.text, self.goal.names.values(), self._rng("vague words", look)), "vague wording"
        if self._chance("misspelt", ("misspelt", look), self.profile.misspelt):
            return typo(said.text, self._rng("typo", look)), "misspelt"
        return said.text, ""

    # --- chance

    def _chance(self, name: str, where: object, rate: float) -> bool:
        """Decides by chance, and keeps how; `where` names the stream that is drawn from."""
        taken = rate > 0 and self._rng(name, where).random() < rate
        self.decisions.append((name, taken))
        return taken

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
