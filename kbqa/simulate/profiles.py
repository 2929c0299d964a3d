"""Kinds of simulated users, as data. A rate is a probability, 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kbqa.simulate.words import Copy


@dataclass(frozen=True, slots=True)
class Judgement:
    """How somebody judges shown steps; it depends on how they are phrased.

    Per look at what is shown: `accepts_wrong`: taken for right though it is wrong and has an answer;
    `goes_on`: taken for wrong though it is right, where it can still be edited; `stops`: given up
    while it is wrong.
    """

    accepts_wrong: float = 0.0
    goes_on: float = 0.0
    stops: float = 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of user.

    misreads: per dialogue, the question is taken to mean something near it.
    wrong_step, wrong_operation, vague, misspelt: per correction, the slip of that name.
    links: per correction where only the entity is wrong and the right one is offered beside it, that
    one is taken instead of words.
    generated, templated: the judgement of steps so phrased.
    tries: wordings of one step as people word it; `copy`: how its template is copied after them.
    patience: refusals in a row before giving up.
    """

    name: str
    explanation: str
    generated: Judgement = Judgement()
    templated: Judgement = Judgement()
    misreads: float = 0.0
    wrong_step: float = 0.0
    wrong_operation: float = 0.0
    vague: float = 0.0
    misspelt: float = 0.0
    links: float = 1.0
    tries: int = 2
    copy: Copy = "as it is"
    patience: int = 4


ORACLE = Profile(
    "oracle",
    "Always the right operation at the right step in right words; accepts exactly what is right.",
)
ORACLE_IN_WORDS = replace(
    ORACLE,
    name="oracle-in-words",
    explanation="As the oracle, but only in words as people use them: templated English is never copied.",
    tries=5,
    patience=5,
    copy="never",
)
HUMAN = Profile(
    "human",
    "Misreads, slips, gives up early, accepts wrong answers and goes on after right ones, at rates that "
    "are set by hand and not yet calibrated to people.",
    generated=Judgement(accepts_wrong=0.12, goes_on=0.06, stops=0.05),
    templated=Judgement(accepts_wrong=0.08, goes_on=0.14, stops=0.06),
    misreads=0.12,
    wrong_step=0.05,
    wrong_operation=0.08,
    vague=0.08,
    misspelt=0.05,
    links=0.3,
    tries=4,
    copy="without brackets",
    patience=3,
)
PROFILES = {p.name: p for p in (ORACLE, ORACLE_IN_WORDS, HUMAN)}
