"""`kbqa study simulate`: the study done by simulated workers, over HTTP and at the crowd task's page too."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbqa.cli.rows import progress
from kbqa.cli.study_parts import StudyFile, engine_of, made, number_of
from kbqa.errors import InputError

if TYPE_CHECKING:
    from kbqa.study.crowd_run import CrowdTask
    from kbqa.study.register import Register
    from kbqa.study.simulated import Talk


def simulate(
    file: StudyFile,
    workers: Annotated[int, typer.Option("--workers", min=1, max=200, help="At the same time.")] = 12,
    comparisons: Annotated[
        int | None, typer.Option("--comparisons", min=1, help="Of one worker.", show_default="all there are")
    ] = None,
    user: Annotated[str, typer.Option("--user", help="A user of kbqa simulate.")] = "human",
    seed: Annotated[int, typer.Option("--seed", help="The same seed goes on with the same workers.")] = 0,
    url: Annotated[
        str, typer.Option("--url", help="A kbqa serve that keeps its dialogues in the study's folder.")
    ] = "",
    token: Annotated[
        str, typer.Option("--token", envvar="KBQA_TOKEN", help="What that server asks for.")
    ] = "",
    crowd: Annotated[
        Path | None,
        typer.Option(
            "--crowd",
            metavar="TASK",
            help="A crowd task (TOML; docs/crowd.md) over that server: some of the workers come to its page "
            "in a headless Chromium, through a local Mephisto run. Its items are written.",
        ),
    ] = None,
    on_page: Annotated[
        int, typer.Option("--on-page", min=1, help="With --crowd: how many of the workers.")
    ] = 2,
) -> None:
    """Let simulated workers go through the study, to try it before people do."""
    from kbqa.simulate.profiles import find_profile
    from kbqa.study.conduct import Conductor
    from kbqa.study.gold import keep_gold
    from kbqa.study.remote import RemoteConductor
    from kbqa.study.simulated import goals_of, simulate_workers

    profile, task = find_profile(user), _task(crowd, url, workers, on_page)
    with (
        made(file) as held,
        engine_of(held.study, file) as engine,
        held.records(engine.signature) as records,
        progress("dialogues", lambda: None) as tick,
    ):
        keep_gold(held, engine)

        def talk_over(register: Register) -> Talk:
            if url:
                return RemoteConductor(register, records, url, token)
            return Conductor(register, engine, records)

        known = (held.folder, records, goals_of(held, engine), engine.kb.lexicon)
        over_http = workers - on_page if task else workers
        jobs: list[Callable[[], None]] = []
        if over_http:
            http = partial(simulate_workers, *known, talk_over, profile, workers=over_http)
            jobs.append(partial(http, seed=seed, most=comparisons, tick=tick))
        if task:
            from kbqa.study.crowd_workers import simulate_at_the_page

            page = partial(simulate_at_the_page, *known, task, profile, workers=on_page)
            jobs.append(partial(page, seed=seed, most=comparisons, tick=tick))
        with ThreadPoolExecutor(len(jobs)) as pool:
            for job in [pool.submit(job) for job in jobs]:
                job.result()
        done = held.tables.row("SELECT count(*) AS n FROM claims WHERE finished IS NOT NULL")
        typer.echo(f"{done['n'] if done else 0} comparisons of {number_of(held, 'forms')} are done")
    typer.echo(f"kbqa study analyse {held.folder.name} --output report")


def _task(file: Path | None, url: str, workers: int, on_page: int) -> CrowdTask | None:
    """Raises `InputError` where the workers can't be so divided."""
    from kbqa.study.crowd_run import read_task

    if file is None:
        return None
    if not url:
        raise InputError("--crowd needs --url: the crowd task's server, which the other workers use, too")
    if on_page > workers:
        raise InputError(f"--on-page is {on_page}, and there are {workers} workers in all")
    return read_task(file)
