"""Exact match of the parser on real questions with gold entities.

    python bench/parser.py --rows ../shared/data/cwq/dev_valid.jsonl.gz

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
from collections import Counter
from pathlib import Path

from kbqa.engine import Engine
from kbqa.errors import KbqaError
from kbqa.sparql import canonical, parse
from kbqa.sparql.walk import triples
from kbqa.train.data import named, read_rows
from kbqa.types import Query


def shape(query: Query) -> frozenset[str]:
    """The predicates of a query."""
    return frozenset(t.predicate.mid for t in triples(query.body))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=Path, required=True)
    arguments.add_argument("--seen", type=Path, nargs="*", default=[])
    arguments.add_argument("--n", type=int, default=10)
    arguments.add_argument("--limit", type=int, default=10**9)
    args = arguments.parse_args()
    known = {shape(parse(r["sparql"])) for f in args.seen for r in read_rows(f) if not r.get("has_unknown")}
    engine = Engine.open()
    counts: Counter[str] = Counter()
    times = []
    for i, row in enumerate(read_rows(args.rows)):
        if i >= args.limit:
            break
        gold = parse(row["sparql"])
        started = time.perf_counter()
        try:
            found = engine.parse(row["question"], dict(named(row["entities"])), n=args.n)
        except KbqaError:
            found = ()
        times.append(1000 * (time.perf_counter() - started))
        wanted = canonical(gold)
        hits = [canonical(p.query) == wanted for p in found]
        groups = ["all", str(row.get("type")), "seen" if shape(gold) in known else "unseen"]
        for g in groups:
            counts[f"n {g}"] += 1
            counts[f"first {g}"] += bool(hits and hits[0])
            counts[f"any {g}"] += any(hits)
    figures = {
        g[2:]: {
            "n": n,
            "exact_match": round(100 * counts[f"first {g[2:]}"] / n, 1),
            f"in_{args.n}_best": round(100 * counts[f"any {g[2:]}"] / n, 1),
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
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
