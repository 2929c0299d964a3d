"""How often the right reading is among the offers where a wrong one has no answer.

    python bench/offers.py --n 300                              # synthetic questions on the stub
    python bench/offers.py --rows ../shared/data/cwq/dev_valid.jsonl.gz --kb KB --n 300

Of each question's gold steps one predicate path (half of them: another of the same type or noun, half:
any that the lexicon words), one direction or one entity (another that the linker finds for the same
words) is replaced such that nothing is found; questions where that can't be are passed over and
counted. The engine gets the broken reading alone, with no n-best beside it. An offer is right when its
query is the gold one up to variable names; 'same answers' counts offers that find the gold answers.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kbqa.answers import collect, tells
from kbqa.decompose import decompose, recompose
from kbqa.dialogue import FULL, Parse, Version
from kbqa.engine import Engine, Settings
from kbqa.errors import KbqaError
from kbqa.kb import open_kb
from kbqa.offers import Limits, Offering
from kbqa.offers.places import places
from kbqa.protocols import Mention
from kbqa.rewire import Steps, exchange
from kbqa.scripted import ScriptedParser
from kbqa.sparql import canonical, parse, render
from kbqa.synth.generate import generate
from kbqa.synth.own import graph_of
from kbqa.train.data import read_rows
from kbqa.types import Constant, Decomposition, reverse
from kbqa.types import Path as Hops

KINDS = ("predicate", "direction", "entity")
TRIED = 40
"""Replacements looked at to find one that finds nothing."""


@dataclass(frozen=True)
class Case:
    """A question, its gold steps, and the broken ones."""

    question: str
    mentions: tuple[Mention, ...]
    gold: Decomposition
    broken: Parse
    kind: str


def questions(args: argparse.Namespace, engine: Engine) -> Iterator[tuple[str, Decomposition]]:
    if args.rows is None:
        for example in generate(graph_of(engine.kb), engine.kb.lexicon, 10**9, args.seed):
            yield example.question, example.decomposition
        return
    for row in read_rows(args.rows):
        try:
            yield row["question"], decompose(parse(row["sparql"]), engine.kb.lexicon.mediators)
        except KbqaError:
            continue


def found(engine: Engine, steps: Decomposition) -> frozenset[Constant] | None:
    """The answers; None where there are none, or no query."""
    try:
        rows = engine.kb.store.select(render(recompose(steps)), time_limit_s=5.0)
    except KbqaError:
        return None
    return frozenset(collect(rows)) if tells(rows) else None


def replacements(
    engine: Engine, steps: Steps, mentions: Sequence[Mention], kind: str, rng: random.Random
) -> Iterator[Steps]:
    """The steps with one thing replaced, in random order."""
    every = [p for n in range(1, len(steps) + 1) for p in places(steps, n)]
    rng.shuffle(every)
    if kind == "entity":
        pairs = [(a.entity, b.entity) for m in mentions for a in m.candidates for b in m.candidates]
        rng.shuffle(pairs)
        for entity, other in pairs:
            changed = tuple(exchange(s, {entity: other}) for s in steps)
            if entity != other and changed != steps:
                yield changed
    elif kind == "direction":
        for place in every:
            yield place.put(steps, reverse(place.outward))
    elif every:
        near = rng.random() < 0.5
        place = every[0]
        pool = [p for p in engine.kb.lexicon.wordings if not near or _akin(engine, p, place.outward)]
        rng.shuffle(pool)
        for path in pool[:TRIED]:
            if path != place.outward and (place.restriction is None or len(path) == len(place.path)):
                yield place.put(steps, path)


def _akin(engine: Engine, one: Hops, other: Hops) -> bool:
    """Whether two paths end in predicates of one type, or lead to what has one name."""
    nouns = [w.noun if (w := engine.kb.lexicon.wordings.get(p)) else None for p in (one, other)]
    types = [p[-1].predicate.mid.rpartition(".")[0] for p in (one, other)]
    return types[0] == types[1] or (nouns[0] == nouns[1] and nouns[0] not in (None, "thing"))


def cases(args: argparse.Namespace, engine: Engine, passed: Counter[str]) -> Iterator[Case]:
    """Broken readings of questions that have answers, the kinds in turn."""
    rng = random.Random(args.seed)
    made = 0
    for question, gold in questions(args, engine):
        if made >= args.n:
            return
        kind = KINDS[made % len(KINDS)]
        if found(engine, gold) is None:
            passed["no gold answer"] += 1
            continue
        mentions = tuple(engine.kb.linker.link(question))
        for changed in replacements(engine, gold.steps, mentions, kind, rng):
            broken = replace(gold, steps=changed)
            try:
                reading = Parse(recompose(broken), broken, -0.1)
            except KbqaError:
                continue
            if found(engine, broken) is None and canonical(reading.query) != canonical(recompose(gold)):
                made += 1
                yield Case(question, mentions, gold, reading, kind)
                break
        else:
            passed[f"no empty {kind}"] += 1
            made += kind == "entity" and args.rows is None and rng.random() < 0.02


def shown(engine: Engine, case: Case) -> Version:
    """The broken reading as it is shown, without offers."""
    nothing = Version(Parse(case.broken.query, Decomposition(()), 0.0), "", ())
    return engine.next_version([case.broken], case.question, FULL, case.mentions, nothing)


def ranks(engine: Engine, case: Case, version: Version) -> tuple[int | None, int | None]:
    """The rank of the gold reading among the offers, and of the first with the gold answers."""
    wanted, answers = canonical(recompose(case.gold)), found(engine, case.gold)
    exact = [canonical(o.parse.query) == wanted for o in version.offers]
    same = [found(engine, o.parse.decomposition) == answers for o in version.offers]
    return (
        exact.index(True) + 1 if any(exact) else None,
        same.index(True) + 1 if any(same) else None,
    )


def share(hits: int, n: int) -> str:
    """A proportion in % with its 95 % Wilson interval."""
    p, z = hits / n, 1.96
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{100 * p:.1f} ({100 * (middle - half):.1f}-{100 * (middle + half):.1f})"


def summary(rs: Sequence[tuple[int | None, int | None]]) -> dict[str, object]:
    """n, and how often the gold reading or answers are first, and among the first five."""
    names = ("gold reading", "same answers")
    shares = {
        f"{name}@{k}, %": share(sum(0 < (r[i] or 0) <= k for r in rs), len(rs))
        for i, name in enumerate(names)
        for k in (1, 5)
    }
    return {"n": len(rs), **shares}


def with_parser(args: argparse.Namespace) -> dict[str, object]:
    """The same over the shipped parser's own readings: of those without an answer, how often the right
    one is offered; of those with one, how often a warning is given where they are right and wrong."""
    engine = Engine.open(args.kb)
    outcomes, broken, times = Counter[str](), list[tuple[int | None, int | None]](), list[float]()
    for question, gold in questions(args, engine):
        answers = found(engine, gold)
        if answers is None:
            continue
        if len(times) >= args.n:
            break
        started = time.perf_counter()
        version = engine.first_version(question).current
        times.append(1000 * (time.perf_counter() - started))
        if version is None:
            outcomes["not understood"] += 1
            continue
        case = Case(question, (), gold, version.parse, "")
        rank = ranks(engine, case, version)
        if version.broken_at is not None:
            outcomes["empty"] += 1
            broken.append(rank)
            continue
        right = canonical(version.parse.query) == canonical(recompose(gold))
        right = right or found(engine, version.parse.decomposition) == answers
        warned = " with a warning" if version.offers else ""
        outcomes[("right" if right else "wrong") + warned] += 1
        outcomes["wrong, and what is warned of is right"] += bool(not right and rank[1])
        if args.misses and version.offers:
            print("right" if right else "WRONG", "|", question, "|", [s.warnings for s in version.steps])
    result: dict[str, object] = {"outcomes": dict(outcomes), "ms, median": round(statistics.median(times))}
    if broken:
        result["empty"] = summary(broken)
    result["signature"] = engine.signature
    engine.close()
    return result


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--rows", type=Path, help="rows {question, sparql}; default: synthetic questions")
    arguments.add_argument("--kb", help="default: the stub")
    arguments.add_argument("--n", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--misses", action="store_true", help="print what was not offered first")
    arguments.add_argument("--parser", action="store_true", help="the shipped parser's own mistakes")
    args = arguments.parse_args()
    if args.parser:
        print(json.dumps(with_parser(args), indent=1))
        return
    engine = Engine(open_kb(args.kb), ScriptedParser({}), settings=Settings(offers_s=0))
    offering, passed = Offering(engine.kb, Limits()), Counter[str]()
    hits: dict[str, list[tuple[int | None, int | None]]] = defaultdict(list)
    times: list[float] = []
    for case in cases(args, engine, passed):
        version = shown(engine, case)
        started = time.perf_counter()
        offered = offering.added(version, [case.broken], case.question, FULL)
        times.append(1000 * (time.perf_counter() - started))
        rank = ranks(engine, case, offered)
        for group in ("all", case.kind):
            hits[group].append(rank)
        if args.misses and rank[0] != 1:
            print(case.kind, "|", case.question, "|", version.broken_at, [s.template for s in version.steps])
            for o in offered.offers:
                print("    ", o.kind, o.step, o.text, o.answer_count)
    figures: dict[str, object] = {group: summary(rs) for group, rs in hits.items()}
    ordered = sorted(times)
    figures["ms"] = {
        "median": round(statistics.median(ordered)),
        "p95": round(ordered[int(0.95 * len(ordered))]),
        "most": round(ordered[-1]),
    }
    figures["signature"] = {
        "rows": args.rows.name if args.rows else "synthetic",
        "kb": engine.kb.signature,
        "seed": args.seed,
        "passed over": dict(passed),
    }
    print(json.dumps(figures, indent=1))
    engine.close()


if __name__ == "__main__":
    main()
