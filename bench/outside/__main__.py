"""Questions over graphs from elsewhere, right at first try: the answers of the query written by hand.

    python -m bench.outside.air air.ttl           # likewise chemistry, catalogue: makes the graph
    kbqa kb build air.ttl --out air
    python -m bench.outside air air.ttl air       # the questions of air.jsonl over the folder air
    python -m bench.outside air air.ttl air --corrections 3      # with a simulated user who corrects steps
    python -m bench.outside air air.ttl air --owner rows.jsonl   # every other question for `kbqa kb adapt`

Who wrote the questions saw the vocabulary's labels and some instances, and nothing of kbqa. One that the
graph can't answer is right where nothing is answered, or a warning says what is not known here. Where a query
gives things with a number each, both must be right.

With `--corrections N` the oracle of `kbqa simulate` corrects what is shown. Of the questions that the graph
can answer those are right after so many corrections that had the right query's answers on the screen then, or
before; one whose right query can't be said as steps (`bench.outside.golds`) is wrong at every turn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.outside.golds import gold
from kbqa.answers import show
from kbqa.dialogue import MODES, Dialogue
from kbqa.engine import Engine
from kbqa.errors import KbqaError
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Store
from kbqa.simulate.goal import GoldRow
from kbqa.simulate.play import Plan, Record, play_row
from kbqa.simulate.profiles import ORACLE
from kbqa.sparql import render
from kbqa.store.build import build_store
from kbqa.store.embedded import EmbeddedStore
from kbqa.types import Constant, Iri, Query

GRAPHS = ("air", "chemistry", "catalogue", "cities", "diseases", "baseball", "companies")


def questions(name: str) -> list[dict[str, Any]]:
    """Rows {id, question, type, answerable, sparql?}."""
    lines = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def asked(engine: Engine, rows: Iterable[dict[str, Any]], facts: Store) -> Iterator[dict[str, Any]]:
    """Each row with what was answered. `facts`: the graph as it is, without what a build adds."""
    for row in rows:
        dialogue = engine.first_version(row["question"])
        version = dialogue.current
        yield {
            "id": row["id"],
            "type": row["type"] if row.get("answerable", True) else "not answerable",
            "question": row["question"],
            "right": _right(row, dialogue, facts),
            "steps": [s.template for s in version.steps] if version else [],
            "answers": [a.label for a in version.steps[-1].answers[:3]] if version else [],
        }


def wanted(row: dict[str, Any], kb: KnowledgeBase, facts: Store) -> Query:
    """The right query as steps can say it. Raises `KbqaError`."""

    def same(written: str, made: str) -> bool:
        return _keys(facts, written) == _keys(kb.store, made)

    return gold((row["sparql"], *row.get("also", ())), kb, facts, same)


def of_owner(kb: KnowledgeBase, rows: Iterable[dict[str, Any]], facts: Store) -> Iterator[dict[str, str]]:
    """Rows for `kbqa kb adapt --questions` of those questions that have a right query which steps can say."""
    for row in rows:
        if row.get("answerable", True):
            with suppress(KbqaError):
                yield {"question": row["question"], "sparql": render(wanted(row, kb, facts))}


def corrected(engine: Engine, rows: Iterable[dict[str, Any]], facts: Store, edits: int) -> Iterator[Record]:
    """Each question that the graph can answer, with what was said, and after how many corrections the answers
    were first right; None where they never were, or `cannot` says why nobody could have wanted them so."""
    plan = Plan((MODES["full"],), ORACLE, edits=edits)
    for number, row in enumerate(rows, 1):
        if not row.get("answerable", True):
            continue
        out: Record = {"id": row["id"], "type": row["type"], "question": row["question"]}
        try:
            query = render(wanted(row, engine.kb, facts))
        except KbqaError as e:
            yield {**out, "cannot": str(e).partition(" in query:")[0], "right_after": None}
            continue
        asked = GoldRow(number, row["id"], row["question"], query, type=row["type"])
        (played,) = play_row(engine, plan, asked, plan.modes)
        right = [t["turn"] for t in played["turns"] if t["exact"] or t["f1"] == 1.0]
        turns = [(t["feedback"], [s["template"] for s in t["steps"]]) for t in played["turns"]]
        yield {
            **out,
            "right_after": min(right, default=None),
            "exact_after": played["turns_to_success"],
            "required": played["required"],
            "refused": played["refused"],
            "templates": played["templates"],
            "error": played["error"],
            "turns": turns,
        }


def _keys(store: Store, query: str) -> set[str]:
    rows = store.select(query, time_limit_s=60.0, row_limit=100_000).rows
    return {_text(r[0]) for r in rows if r[0] is not None}


def _right(row: dict[str, Any], dialogue: Dialogue, facts: Store) -> bool:
    last = dialogue.current.steps[-1] if dialogue.current else None
    if not row.get("answerable", True):
        return last is None or not last.answers or bool(last.warnings)
    if last is None:
        return False
    found = {_text(a.value): a.label for a in last.answers}
    for query in (row["sparql"], *row.get("also", ())):
        rows = facts.select(query, time_limit_s=60.0, row_limit=100_000).rows
        wanted = {_text(r[0]): r[1:] for r in rows if r[0] is not None}
        if found.keys() == wanted.keys() and all(_has(found[k], numbers) for k, numbers in wanted.items()):
            return True
    return False


def _has(label: str, numbers: Sequence[Constant | None]) -> bool:
    """Whether an answer is shown with its number: 'Oak Branch: 12'."""
    shown = label.rpartition(": ")[2]
    return all(n is None or isinstance(n, Iri) or shown == show(n) for n in numbers)


def _text(value: Constant) -> str:
    """What reads the same is the same answer; numbers to six digits."""
    if isinstance(value, Iri):
        return value.value
    try:
        return f"{float(value.lexical):.6g}"
    except ValueError:
        return show(value).casefold()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graph", choices=GRAPHS)
    parser.add_argument("file", type=Path, help="the graph")
    parser.add_argument("kb", help="what `kbqa kb build` made of the graph")
    parser.add_argument("--corrections", type=int, metavar="N", help="the most that the oracle may correct")
    parser.add_argument("--owner", type=Path, metavar="F", help="write every other question to F, ask none")
    args = parser.parse_args()
    with (
        TemporaryDirectory(prefix="kbqa-bench-") as scratch,
        EmbeddedStore(build_store([args.file], Path(scratch) / "store")) as facts,
        Engine.open(args.kb) as engine,
    ):
        rows, found = questions(args.graph), []
        if args.owner:
            lines = [json.dumps(row, ensure_ascii=False) for row in of_owner(engine.kb, rows[::2], facts)]
            args.owner.write_text("\n".join(lines) + "\n", encoding="utf-8")
            return
        edits = args.corrections
        for row in asked(engine, rows, facts) if edits is None else corrected(engine, rows, facts, edits):
            print(json.dumps(row, ensure_ascii=False), flush=True)
            found.append(row)
    if edits is not None:
        _say_corrected(found, edits)
        return
    n, right = Counter(r["type"] for r in found), Counter(r["type"] for r in found if r["right"])
    for kind in sorted(n):
        print(f"{kind:16}{right[kind]:4} of {n[kind]}", file=sys.stderr)
    print(f"{'all':16}{right.total():4} of {n.total()}", file=sys.stderr)
    others = found[1::2]
    print(f"{'not of --owner':16}{sum(r['right'] for r in others):4} of {len(others)}", file=sys.stderr)


def _say_corrected(found: Sequence[Record], edits: int) -> None:
    print(f"can't be said as steps: {sum('cannot' in r for r in found)} of {len(found)}", file=sys.stderr)
    for turn in range(edits + 1):
        right, exact = (
            sum(r.get(key) is not None and r[key] <= turn for r in found)
            for key in ("right_after", "exact_after")
        )
        print(f"after {turn}: {right} of {len(found)} right, {exact} the very query", file=sys.stderr)


if __name__ == "__main__":
    main()
