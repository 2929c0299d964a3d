"""Simulated workers who come through a real crowd run: Mephisto, its router, the page in a browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path

from kbqa.lexicon import Lexicon
from kbqa.records import Records
from kbqa.simulate.goal import Goal
from kbqa.simulate.profiles import Profile
from kbqa.study.crowd_page import PageConductor, chromium
from kbqa.study.crowd_run import CrowdTask
from kbqa.study.places import AtEnd, AtStart, Place
from kbqa.study.register import Register
from kbqa.study.simulated import TEAM, SkippingClock, User, Worker
from kbqa.study.tasks import seat, tasks_of


def simulate_at_the_page(
    folder: Path,
    records: Records,
    goals: Mapping[str, Goal],
    lexicon: Lexicon,
    crowd: CrowdTask,
    profile: Profile,
    *,
    workers: int,
    seed: int = 0,
    most: int | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> None:
    """As `simulate_workers`, one worker after the other in one browser. They are seated as a platform's
    workers are, and have a run of the crowd task for each comparison. `records`: those of the server that
    `crowd` names. Raises `KbqaError`."""
    names = [f"{TEAM}-page-{seed}-{number}" for number in range(1, workers + 1)]
    who = dict(zip(crowd.hashes(names), names, strict=True))
    clock = SkippingClock()
    with Register(folder, now=clock) as register, chromium() as driver:
        register.admit_hashes(who, TEAM)
        while seated := seat(register, [p for p in who if _goes_on(register.where(p), most)], TEAM):
            offered = crowd.write_items(tasks_of(register, seated))
            with crowd.running() if offered else nullcontext():
                for participant in seated:
                    talk = PageConductor(register, records, crowd, who[participant], driver)
                    user = User(goals, lexicon, profile, who[participant])
                    Worker(register, records, talk, user, participant).take_part(clock, 0, tick)


def _goes_on(place: Place, most: int | None) -> bool:
    """Whether a worker who is there does another comparison, or the rest of one."""
    return not isinstance(place, AtEnd) and (
        most is None or not isinstance(place, AtStart) or len(place.before) < most
    )
