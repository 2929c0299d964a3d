"""The stub benchmark: 230 questions by people who saw neither the knowledge base nor the templates.

    python -m bench.stub [--show] [--limit N] [--only found]
    python -m bench.stub --seen [--show]          # others (models/asked.jsonl): the parser is trained on nine
                                                  # tenths of them, and their failures were looked at
    python -m bench.stub --off-topic [--show]     # 60 questions that the stub can't answer

Right: the answers at first try are the gold query's, no more and no fewer. `facts` says whether the stub
held what a question needs when it was written ('found') or was completed afterwards ('added').
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter
from pathlib import Path

from kbqa.answers import collect
from kbqa.dialogue import Dialogue
from kbqa.engine import Engine
from kbqa.sparql import parse, render
from kbqa.train.asked import is_held_out, shipped
from kbqa.types import Constant

QUESTIONS = Path(__file__).parent / "questions.jsonl"
OUTCOMES = ("right", "wrong", "not understood")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--show", action="store_true", help="print the questions that were not right")
    arguments.add_argument("--limit", type=int, default=10**9)
    arguments.add_argument("--only", choices=("found", "added"))
    arguments.add_argument("--seen", action="store_true", help="questions that settings were chosen by")
    arguments.add_argument("--file", type=Path, help="such rows of your own")
    arguments.add_argument("--off-topic", action="store_true", help="how many of those are not understood")
    args = arguments.parse_args()
    if args.off_topic:
        off_topic(args.show)
        return
    file = args.file or (shipped() if args.seen else QUESTIONS)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    rows = [r for r in rows if args.only in (None, r["facts"])][: args.limit]
    counts: Counter[tuple[str, str]] = Counter()
    times = []
    with Engine.open() as engine:
        engine.first_version("What is the capital of Egypt?")
        for row in rows:
            dialogue = engine.first_version(row["question"])
            outcome = judged(engine, dialogue, row["sparql"])
            times.append(dialogue.timing.total)
            learned = ("held out" if is_held_out(row) else "trained on") if args.seen else ""
            for group in filter(None, ("all", row["type"], row["domain"], f"facts {row['facts']}", learned)):
                counts[group, outcome] += 1
            if args.show and outcome != "right":
                print(f"{row['id']} {outcome}: {row['question']}\n     gold {row['answers'][:5]}")
                for step in dialogue.current.steps if dialogue.current else ():
                    print(f"     {step.number}. {step.template} -> {[a.label for a in step.answers[:4]]}")
        signature = engine.signature
    print_shares(counts)
    print(f"median {statistics.median(times):.0f} ms, p95 {sorted(times)[int(0.95 * len(times))]:.0f} ms")
    print(signature)


def print_shares(counts: Counter[tuple[str, str]]) -> None:
    """One line per group: n, and the share of each outcome. `counts`: (group, outcome) -> how many."""
    for group in dict.fromkeys(g for g, _ in counts):
        n = sum(counts[group, o] for o in OUTCOMES)
        shares = "  ".join(f"{o} {100 * counts[group, o] / n:5.1f} %" for o in OUTCOMES)
        print(f"{group:20} n={n:<4} {shares}")


def off_topic(show: bool) -> None:
    lines = (QUESTIONS.parent / "off_topic.txt").read_text(encoding="utf-8").splitlines()
    questions = [line for line in lines if line and not line.startswith("#")]
    with Engine.open() as engine:
        answered = [q for q in questions if engine.first_version(q).current is not None]
        print(
            f"off topic n={len(questions)} not understood {100 * (1 - len(answered) / len(questions)):.1f} %"
        )
        print(*(answered if show else ()), engine.signature, sep="\n")


def judged(engine: Engine, dialogue: Dialogue, gold: str) -> str:
    version = dialogue.current
    if version is None:
        return "not understood"
    return "right" if answers(engine, version.sparql) == answers(engine, render(parse(gold))) else "wrong"


def answers(engine: Engine, sparql: str) -> frozenset[Constant]:
    return frozenset(collect(engine.kb.store.select(sparql, time_limit_s=120)))


if __name__ == "__main__":
    main()
