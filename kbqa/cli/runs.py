"""`kbqa evaluate select | power | calibrate`: which questions to ask, how many, and people's rates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kbqa.cli.options import Input
from kbqa.cli.rows import digest, reading, writing
from kbqa.errors import InputError

if TYPE_CHECKING:
    from kbqa.evaluate.selection import Feature

_SELECT = (
    "The run: 'kbqa simulate --mode non-interactive' over the same file; it knows each question's type, "
    "facets and the edits that its first parse requires. --like study takes the shares of Table 11 (what is "
    "hard is over-represented), inspired those of the whole test set, pool those of the file itself."
)
_CALIBRATE = (
    "RUN: folders of 'kbqa simulate --user human' (or of a file of rates, none of them 0) in all modes. "
    "Nothing is played again: the dialogues are weighted by how likely other rates would make them. --check: "
    "runs that were played with the rates found, or by an oracle, to stand beside. A model of people, not "
    "people."
)
Run = Annotated[Path, typer.Option("--run", metavar="DIR", help="The folder of a simulation of these rows.")]


def register(group: typer.Typer) -> None:
    group.command("select", epilog=_SELECT)(select)
    group.command("power")(power)
    group.command("calibrate", epilog=_CALIBRATE)(calibrate)


# --- questions -----------------------------------------------------------------------


def select(
    input: Input,
    run: Run,
    output: Annotated[str, typer.Option("--output", "-o", metavar="F", help="The chosen rows.")] = "-",
    n: Annotated[int, typer.Option("--n", metavar="N", min=1, help="How many.")] = 400,
    like: Annotated[str, typer.Option("--like", metavar="SHARES", help="study, inspired or pool.")] = "study",
    answerable: Annotated[
        bool, typer.Option("--answerable", help="Only rows whose gold query has answers on the run's store.")
    ] = False,
    training_rows: Annotated[
        str | None,
        typer.Option("--training-rows", metavar="F", help="Training queries, to tell sparse predicates."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed chooses the same rows.")] = 0,
    report: Annotated[
        str | None, typer.Option("--report", metavar="F", help="Shares wanted and got, as JSON.")
    ] = None,
) -> None:
    """Choose questions as the study did: representative, with what is hard over-represented."""
    from kbqa.cli.simulate import common_of
    from kbqa.evaluate.selection import compared, pool_shares, published_shares
    from kbqa.evaluate.selection import select as choose

    if like not in ("study", "inspired", "pool"):
        raise typer.BadParameter(f"{like!r} is none of study, inspired, pool", param_hint="--like")
    _refuse_other_rows(input, run)
    common = common_of(training_rows) if training_rows else None
    found = _features(run, common, answerable)
    items = list(found.values())
    shares = pool_shares(items) if like == "pool" else published_shares(like)
    if common is None:
        shares = {f: s for f, s in shares.items() if f != ("facet", "sparse predicate")}
    places = choose(items, n, shares, seed)
    numbers = list(found)
    kept = {numbers[i] for i in places}
    with writing(output) as out, reading(input) as lines:
        for number, line in lines:
            if number in kept:
                out.write(line.decode("utf-8").rstrip("\r\n") + "\n")
    rows = [share.as_row() for share in compared(items, places, shares)]
    _say_shares(rows)
    if report:
        said = {
            "n": n,
            "like": like,
            "seed": seed,
            "pool": len(items),
            "answerable": answerable,
            "shares": rows,
        }
        _write(report, {**said, "rows_sha256": digest(input)[0], "power": _power_rows(n)})


def _features(run: Path, common: frozenset[str] | None, answerable: bool) -> dict[int, frozenset[Feature]]:
    """Row number -> its features, of the run's first mode; failed dialogues are left out."""
    from kbqa.simulate.run import read_records

    found: dict[int, frozenset[Feature]] = {}
    for r in read_records(run):
        if r["row"] in found or r["error"] is not None or (answerable and not r["gold_answers"]):
            continue
        needs = "unknown" if r["required"] is None else str(len(r["required"]))
        features = {("type", r["type"]), ("required edits", needs), *(("facet", f) for f in r["facets"])}
        if common is not None and any(p not in common for p in r["predicates"]):
            features.add(("facet", "sparse predicate"))
        found[r["row"]] = frozenset(features)
    return found


def _refuse_other_rows(source: str, run: Path) -> None:
    """Raises `InputError` where the run is not about these rows."""
    if source == "-":
        raise InputError("--input names a file: standard input can't be read twice")
    held, hashed = settings_of(run), digest(source)[0]
    if held.get("data_sha256") != hashed:
        raise InputError(
            f"{run} is a run over other rows than {source} (data_sha256 differs): run 'kbqa simulate --input "
            f"{source} --mode non-interactive' first"
        )


def settings_of(run: Path) -> dict[str, Any]:
    """Raises `InputError` for a folder without a run."""
    try:
        held = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InputError(f"{run} holds no run: a folder of 'kbqa simulate' expected") from None
    if not isinstance(held, dict):
        raise InputError(f"{run / 'settings.json'} holds no settings: run 'kbqa simulate' anew")
    return held


def _say_shares(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        typer.echo(
            f"{row['kind']}: {row['name']}: pool {100 * row['pool']:.2f} %, "
            f"wanted {100 * row['wanted']:.2f} %, chosen {100 * row['chosen']:.2f} %",
            err=True,
        )


# --- power ---------------------------------------------------------------------------


def power(
    effect: Annotated[
        float, typer.Option("--effect", min=0.001, help="Standardised effect, Cohen's d.")
    ] = 0.2,
    wanted: Annotated[float, typer.Option("--power", min=0.01, max=0.999, help="Chance to find it.")] = 0.8,
    alpha: Annotated[float, typer.Option("--alpha", min=1e-6, max=0.5, help="Two-sided level.")] = 0.05,
    n: Annotated[int | None, typer.Option("--n", min=2, help="Tell the power of so many instead.")] = None,
) -> None:
    """How many questions a comparison needs: paired (the same questions) and with two groups."""
    from kbqa.study.inference import pairs_needed, power_of_t

    for groups, name in ((1, "paired, the same questions"), (2, "two groups, questions in each")):
        if n is None:
            needed = pairs_needed(effect, wanted, alpha, groups=groups)
            typer.echo(f"{name}: {needed:,} for an effect of {effect:g} with power {wanted:g} at {alpha:g}")
        else:
            chance = power_of_t(effect, n, alpha, groups=groups)
            typer.echo(f"{name}: power {chance:.3f} with {n:,} for an effect of {effect:g} at {alpha:g}")


def _power_rows(n: int) -> dict[str, float]:
    from kbqa.study.inference import power_of_t

    if n < 2:
        return {}
    return {
        "effect": 0.2,
        "alpha": 0.05,
        "paired": round(power_of_t(0.2, n), 4),
        "two_groups": round(power_of_t(0.2, n, groups=2), 4),
    }


# --- people's rates ------------------------------------------------------------------


def calibrate(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of 'kbqa simulate'.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="F", help="Rates and fit, JSON.")] = "-",
    check: Annotated[
        list[Path] | None, typer.Option("--check", metavar="DIR", help="A run to stand beside the fit.")
    ] = None,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="F", help="Take the rates of this file; fit nothing.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the starts of the search.")] = 0,
) -> None:
    """Fit the rates of the simulated person to the published study, and say how near it comes."""
    from kbqa.simulate.calibrate import NOTE, fit, load, table
    from kbqa.simulate.profiles import HUMAN, rates_of, read_rates

    played = load(_played(run) for run in runs)
    if keep:
        rates = read_rates(Path(keep).read_text(encoding="utf-8"), keep)
    else:
        rates = fit(played, rates_of(HUMAN), seed)
    rows = table(played, rates)
    found: dict[str, Any] = {
        "note": NOTE,
        "rates": rates,
        "fit": rows,
        "runs": [settings_of(run) for run in runs],
        "checks": [
            {"run": settings_of(run), "rows": table(load([_plain(run)]), None)} for run in check or ()
        ],
    }
    for title, told in [("fit, weighted", rows)] + [
        (str(c["run"]["user"]), c["rows"]) for c in found["checks"]
    ]:
        _say_fit(title, told)
    typer.echo(NOTE, err=True)
    with writing(output) as out:
        out.write(json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def _played(run: Path) -> tuple[Iterator[dict[str, Any]], dict[str, float]]:
    """Its records and the rates at which they were played. Raises `InputError` for rates of 0."""
    from kbqa.simulate.profiles import RATES
    from kbqa.simulate.run import read_records

    rates = settings_of(run).get("rates")
    if not isinstance(rates, dict) or not all(isinstance(rates.get(name), int | float) for name in RATES):
        raise InputError(f"{run} does not tell its rates: play it again with this version")
    never = [name for name in RATES if not 0 < rates[name] < 1]
    if never:
        raise InputError(
            f"{run} was played with {', '.join(never)} at 0 or 1: what never happens can't be weighted; play "
            "it with --user human"
        )
    return read_records(run), rates


def _plain(run: Path) -> tuple[Iterator[dict[str, Any]], Mapping[str, float]]:
    from kbqa.simulate.profiles import RATES
    from kbqa.simulate.run import read_records

    settings_of(run)
    return read_records(run), dict.fromkeys(RATES, 0.5)


def _say_fit(title: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        value = "-" if row["value"] is None else f"{row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
        typer.echo(
            f"{title}: {row['mode']}, {row['measure']}: published {row['published']:.3f}, here {value}",
            err=True,
        )


def _write(file: str, found: Mapping[str, Any]) -> None:
    with writing(file) as out:
        out.write(json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1) + "\n")
