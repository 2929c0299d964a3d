"""What a new version takes over from the one it was made from: answers, wording and confidence of
the steps that are as they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kbqa.confidence import meanings
from kbqa.dialogue import SubQuestion, Version
from kbqa.rewire import as_said
from kbqa.types import Count, Decomposition, Literal, Step


class Kept:
    """The sub-questions of the version before; none before the first version."""

    def __init__(self, previous: Version | None = None) -> None:
        self._steps = previous.steps if previous else ()
        whole = previous.parse.decomposition if previous else Decomposition(())
        every = zip(self._steps, whole.steps, meanings(whole), strict=True)
        known = [found for found in every if found[0].outcome != "timed_out"]
        self._asked = {s.sparql: s for s, _, _ in known}
        self._tells = {s.sparql: _tells(s, step) for s, step, _ in known}
        self._meant = {meaning: s for s, _, meaning in known}
        self._said = [as_said(whole.steps, s.number) for s in self._steps]

    def answered(self, sparql: str) -> SubQuestion | None:
        """The sub-question whose query was this very one; None where it wasn't asked, or in vain."""
        return self._asked.get(sparql)

    def tells(self, sparql: str) -> bool | None:
        """Whether that one had an answer, a count of zero being none."""
        return self._tells.get(sparql)

    def same(self, whole: Decomposition) -> tuple[SubQuestion | None, ...]:
        """For each step the sub-question that asked the same, all that it rests on being the same;
        None where there was none, or it took too long."""
        return tuple(map(self._meant.get, meanings(whole)))

    def marked(self, steps: Sequence[SubQuestion], whole: Decomposition) -> tuple[SubQuestion, ...]:
        """The steps with what has changed since the version before."""
        said = [as_said(whole.steps, s.number) for s in steps]
        return tuple(map(self._marked, steps, said, self.same(whole)))

    def _marked(self, step: SubQuestion, said: Step, same: SubQuestion | None) -> SubQuestion:
        if same is not None:
            return step
        before = [s for s, other in zip(self._steps, self._said, strict=True) if other == said]
        if not before:
            return replace(step, change="new")
        return step if any(s.answers == step.answers for s in before) else replace(step, change="answers")


def _tells(shown: SubQuestion, step: Step) -> bool:
    match step, shown.answers:
        case Count(), (answer,) if isinstance(answer.value, Literal):
            return answer.value.lexical != "0"
    return bool(shown.answers)
