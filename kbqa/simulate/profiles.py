"""Kinds of simulated users, as data. A rate is a probability, 0 to 1."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from kbqa.errors import InputError
from kbqa.simulate.words import Copy


@dataclass(frozen=True, slots=True)
class Judgement:
    """How somebody judges shown steps; it depends on how they are phrased.

    Per look at what is shown: `accepts_wrong`: taken for right though it is wrong and has an answer;
    `doubts`: taken for wrong though it is right; `stops`: given up while it is wrong.
    """

    accepts_wrong: float = 0.0
    doubts: float = 0.0
    stops: float = 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of user.

    misreads: per dialogue, the question is taken to mean something near it.
    wrong_step, wrong_operation, vague, misspelt: per correction, the slip of that name.
    links: per correction where only the entity is wrong and the right one is offered beside it, that
    one is taken instead of words. chooses: where an offered alternative is nearer to what is wanted, it is
    taken. undoes: where an earlier version was nearer, it is gone back to.
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
    chooses: float = 1.0
    undoes: float = 1.0
    tries: int = 2
    copy: Copy = "as it is"
    patience: int = 4


SHARED = ("misreads", "wrong_step", "wrong_operation", "vague", "misspelt")
JUDGED = tuple(f"{p}.{f.name}" for p in ("generated", "templated") for f in fields(Judgement))
RATES = (*SHARED, *JUDGED)
"""The rates of a person that can be fitted, by name: 'misreads', 'generated.stops', ..."""


def rates_of(profile: Profile) -> dict[str, float]:
    return {name: _rate(profile, name) for name in RATES}


def _rate(profile: Profile, name: str) -> float:
    judged, _, field = name.rpartition(".")
    return float(getattr(getattr(profile, judged) if judged else profile, field))


def with_rates(profile: Profile, rates: Mapping[str, float]) -> Profile:
    """The profile with these of its rates; the names are those of `RATES`."""
    for name, rate in rates.items():
        judged, _, field = name.rpartition(".")
        changed: dict[str, Any] = {field: rate}
        if judged:
            changed = {judged: replace(getattr(profile, judged), **changed)}
        profile = replace(profile, **changed)
    return profile


def read_rates(text: str, name: str) -> dict[str, float]:
    """The rates of a file that `kbqa evaluate calibrate` wrote. Raises `InputError`."""
    try:
        found: Any = json.loads(text)["rates"]
        if not isinstance(found, dict):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{name}: JSON with an object 'rates' expected") from None
    for key, rate in found.items():
        if key not in RATES:
            raise InputError(f"{name}: {key!r} is no rate; expected some of {', '.join(RATES)}")
        if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
            raise InputError(f"{name}: the rate {key!r} is {rate!r}; expected a number from 0 to 1")
    return {key: float(rate) for key, rate in found.items()}


def find_profile(name: str) -> Profile:
    """A preset by name, or the human with the rates of a file. Raises `InputError`."""
    if name in PROFILES:
        return PROFILES[name]
    if not name.endswith(".json"):
        raise InputError(f"{name!r} is none of {', '.join(PROFILES)}, nor a .json file of rates")
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"can't read the rates {name}: {e}") from None
    return replace(with_rates(HUMAN, read_rates(text, name)), name=Path(name).stem)


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
HUMAN = with_rates(
    Profile(
        "human",
        "A model of the usability study's participants: misreads, slips, gives up early, accepts wrong "
        "answers and doubts right ones. As there, corrections are made in words; nothing is undone.",
        links=0.0,
        chooses=0.0,
        undoes=0.0,
        tries=4,
        copy="without brackets",
        patience=3,
    ),
    read_rates((files("kbqa.simulate") / "human.json").read_text(encoding="utf-8"), "human.json"),
)
HUMAN_AIDED = replace(
    HUMAN,
    name="human-aided",
    explanation="As human, but uses what the page offers besides words: other entities, alternatives, undo. "
    "How often is set by hand: the study had none of these.",
    links=0.5,
    chooses=0.5,
    undoes=0.5,
)
PROFILES = {p.name: p for p in (ORACLE, ORACLE_IN_WORDS, HUMAN, HUMAN_AIDED)}
