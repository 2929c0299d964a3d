"""Exact match of the parser on real questions with gold entities.

    python bench/parser.py --rows ../shared/data/cwq/dev_valid.jsonl.gz
    python bench/parser.py --rows ROWS --kb BUILT_FOLDER --link    # own entity linking, answer F1

With --kb answers are compared, too: the F1 of the first prediction's answers, over the rows whose gold
query has answers in that knowledge base. With --link the entities are not given.

A row's prediction is right when its query has the gold query's patterns, filters and order up to
variable names. Rows without a prediction count as wrong. 'Seen': the gold program without entities
and values occurs in the training rows named by --seen.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections import Counter, defaultdict
from pathlib import Path

from kbqa.engine import Engine
from kbqa.errors import KbqaError, StoreError
from kbqa.sparql import canonical, parse, render
from kbqa.sparql.walk import triples
from kbqa.train.data import named, read_rows
from kbqa.types import Query


def shape(query: Query) -> frozenset[str]:
    """The predicates of a query."""
    return frozenset(t.predicate.mid for t in triples(query.body))


def answer_f1(engine: Engine, gold: Query, found: Query | None) -> float | None:
    """0..1; None where the gold query has no answer (or takes too long) in this knowledge base."""
    wanted = answers(engine, gold)
    if not wanted:
        return None
    given = answers(engine, found) if found else None
    common = len(wanted & given) if given else 0
    return 2 * common / (len(wanted) + len(given)) if given and common else 0.0


def answers(engine: Engine, query: Query) -> frozenset[object]:
    try:
        rows = engine.kb.store.select(render(query), time_limit_s=5)
    except StoreError:
        return frozenset()
    return frozenset(row[0] for row in rows.rows)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=Path, required=True)
    arguments.add_argument("--seen", type=Path, nargs="*", default=[])
    arguments.add_argument("--kb")
    arguments.add_argument("--link", action="store_true")
    arguments.add_argument("--n", type=int, default=10)
    arguments.add_argument("--limit", type=int, default=10**9)
    args = arguments.parse_args()
    known = {shape(parse(r["sparql"])) for f in args.seen for r in read_rows(f) if not r.get("has_unknown")}
    engine = Engine.open(args.kb)
    scores: dict[str, list[float]] = defaultdict(list)
    counts: Counter[str] = Counter()
    times = []
    for i, row in enumerate(read_rows(args.rows)):
        if i >= args.limit:
            break
        gold = parse(row["sparql"])
        started = time.perf_counter()
        try:
            given = None if args.link else dict(named(row["entities"]))
            found = engine.parse(row["question"], given, n=args.n)
        except KbqaError:
            found = ()
        times.append(1000 * (time.perf_counter() - started))
        wanted = canonical(gold)
        hits = [canonical(p.query) == wanted for p in found]
        groups = ["all", str(row.get("type")), "seen" if shape(gold) in known else "unseen"]
        score = answer_f1(engine, gold, found[0].query if found else None) if args.kb else None
        for g in groups:
            if score is not None:
                scores[g].append(score)
            counts[f"n {g}"] += 1
            counts[f"first {g}"] += bool(hits and hits[0])
            counts[f"any {g}"] += any(hits)
    figures = {
        g[2:]: {
            "n": n,
            "exact_match": round(100 * counts[f"first {g[2:]}"] / n, 1),
            f"in_{args.n}_best": round(100 * counts[f"any {g[2:]}"] / n, 1),
            **(
                {
                    "answer_f1": round(100 * statistics.mean(scores[g[2:]]), 1),
                    "n_answered": len(scores[g[2:]]),
                }
                if scores[g[2:]]
                else {}
            ),
        }
        for g, n in counts.items()
        if g.startswith("n ")
    }
    figures["ms"] = {
        "median": round(statistics.median(times)),
        "p95": round(sorted(times)[int(0.95 * len(times))]),
    }
    figures["signature"] = {
        "rows": args.rows.name,
        "model": getattr(engine.parser, "signature", ""),
        "machine": platform.machine(),
        "limit": min(args.limit, i),
        "kb": engine.kb.signature,
        "entities": "own linking" if args.link else "gold",
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
