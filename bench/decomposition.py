"""How many published queries become Steps and back, and whether their answers stay the same.

    python bench/decomposition.py --data DATA [--kb STORE] [--out docs/decomposition.json]

DATA holds cwq/dev.jsonl.gz, cwq/train_gold_567.jsonl.gz, webqsp/train.jsonl.gz and
cwq/train_silver.jsonl.gz (rows {id, sparql, entities, type}); what is absent is left out. Every row
is parsed, decomposed, recomposed and put in templates that are read back.

STORE is a folder with an Oxigraph store; if there is none, it is built from DATA/freebase_kb/*.nt.gz.
With it, the CWQ dev rows are answered three ways: the published text (put into SPARQL 1.1 by the five
steps of the data's README and GROUP BY where it counts), its portable form, and the recomposed query.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing as mp
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, cast

import pyoxigraph

from kbqa.decompose import decompose, recompose
from kbqa.errors import DecompositionError, QueryError, TemplateError
from kbqa.lexicon import freebase_lexicon
from kbqa.sparql import parse, render, same
from kbqa.sparql.tidy import PREFIXES, tidy
from kbqa.templates import Names, read_all, write_all
from kbqa.types import Query, freebase

FILES = ("cwq/dev", "cwq/train_gold_567", "webqsp/train", "cwq/train_silver")
DEV = "cwq/dev"
ROW_LIMIT = 100_000
Row = dict[str, Any]


# --- equivalence ------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of one row: `stage` is 'equivalent' or where it ended, `reason` why."""

    file: str
    id: str
    type: str
    stage: str
    reason: str = ""
    steps: int = 0


def rows(path: Path) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def checked(file: str, row: Row) -> Outcome:
    """One row through all laws."""
    end = partial(Outcome, file, row["id"], row.get("type") or "-")
    try:
        query = parse(row["sparql"])
    except QueryError as e:
        return end("not parsed", e.reason)
    if parse(render(query)) != query:
        return end("not rendered")
    lexicon = freebase_lexicon()
    try:
        found = decompose(query, lexicon.mediators)
    except DecompositionError as e:
        return end("not decomposed", str(e))
    if not same(recompose(found), query):
        return end("not equivalent")
    names = Names({freebase(mid): name for mid, name in (row.get("entities") or {}).items() if name})
    try:
        if read_all(write_all(found.steps, lexicon, names), lexicon, names) != found.steps:
            return end("template read otherwise")
    except TemplateError as e:
        return end("template not read", str(e))
    return end("equivalent", steps=len(found.steps))


def _checked(pair: tuple[str, Row]) -> Outcome:
    return checked(*pair)


def equivalence(data: Path, processes: int) -> list[Outcome]:
    present = [f for f in FILES if (data / f"{f}.jsonl.gz").is_file()]
    pairs = ((f, row) for f in present for row in rows(data / f"{f}.jsonl.gz"))
    with mp.get_context("spawn").Pool(processes) as pool:
        return list(pool.imap(_checked, pairs, chunksize=64))


def summary(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    tables: dict[str, Counter[str]] = defaultdict(Counter)
    for o in outcomes:
        for key in (o.file, f"{o.file}, {o.type}") if o.type != "-" else (o.file,):
            tables[key]["n"] += 1
            tables[key][o.stage] += 1
            tables[key]["steps"] += o.steps
    return {key: dict(counts) for key, counts in sorted(tables.items())}


# --- answers ----------------------------------------------------------------


def build_store(data: Path, folder: Path) -> None:
    """Loads the knowledge graph; a folder that is there already is taken as it is."""
    if folder.is_dir() and any(folder.iterdir()):
        return
    store = pyoxigraph.Store(str(folder))
    for path in sorted((data / "freebase_kb").glob("*.nt.gz")):
        with gzip.open(path) as triples:
            store.bulk_load(cast(IO[bytes], triples), format=pyoxigraph.RdfFormat.N_TRIPLES)
    store.flush()


def _serve(folder: str, end: Connection) -> None:
    store = pyoxigraph.Store.read_only(folder)
    while True:
        text = end.recv()
        try:
            found = store.query(text)
            if isinstance(found, pyoxigraph.QueryBoolean):
                end.send(("ok", [str(bool(found))]))
            else:
                end.send(("ok", [str(row[0]) for row, _ in zip(found, range(ROW_LIMIT), strict=False)]))
        except (SyntaxError, ValueError, OSError) as e:
            end.send(("refused", str(e)))


class Engine:
    """A store in a process of its own, which is killed when a query takes too long."""

    def __init__(self, folder: Path, limit_s: float) -> None:
        self.folder, self.limit_s = folder, limit_s
        self._start()

    def _start(self) -> None:
        context = mp.get_context("spawn")
        self.end, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(str(self.folder), other), daemon=True)
        self.process.start()

    def ask(self, text: str) -> tuple[str, Any]:
        """('ok', answers) | ('refused', message) | ('timeout', None)"""
        self.end.send(text)
        if self.end.poll(self.limit_s):
            return self.end.recv()  # type: ignore[no-any-return]
        self.process.kill()
        self.process.join()
        self._start()
        return "timeout", None


_DATE = re.compile(r'"(\d{4})(-\d\d)?(-\d\d)?"\^\^(?=xsd:dateTime)')
_COUNTED = re.compile(r"(SELECT (\?\w+) \(COUNT\(\2\) as \?\w+\) WHERE \{[^{}]*\})")
_PREFIXED = re.compile(r'("[^"\n]*"|<[^<>\s]*>)|\b(ns|xsd):([\w.]*\w)')


def standard(text: str) -> str:
    """The published text in SPARQL 1.1, by the README's five steps, and GROUP BY where a count wants it."""
    tidied = re.sub(r"(?i)prefix\s+\w*:\s*<[^>]*>", " ", tidy(text))
    padded = _DATE.sub(lambda m: f'"{m[1]}{m[2] or "-01"}{m[3] or "-01"}T00:00:00"^^', tidied)
    grouped = _COUNTED.sub(r"\1 GROUP BY \2", padded)
    return _PREFIXED.sub(lambda m: m[1] or f"<{PREFIXES[m[2]]}{m[3]}>", grouped)


def compared(a: tuple[str, Any], b: tuple[str, Any]) -> str:
    for found in (a, b):
        if found[0] != "ok":
            return found[0]
    if set(a[1]) != set(b[1]):
        return "different"
    return "equal" if a[1] else "equal, both empty"


@dataclass
class Answers:
    """How the answers of the three forms compare, with what differs."""

    recomposed: Counter[str]
    portable: Counter[str]
    differences: list[dict[str, Any]]


def answers(data: Path, engine: Engine) -> Answers:
    out = Answers(Counter(), Counter(), [])
    lexicon = freebase_lexicon()
    for row in rows(data / f"{DEV}.jsonl.gz"):
        try:
            query = parse(row["sparql"])
            again = recompose(decompose(query, lexicon.mediators))
        except (QueryError, DecompositionError):
            out.recomposed["not decomposed"] += 1
            continue
        ours = engine.ask(render(query))
        _note(out.recomposed, out.differences, "recomposed", row, ours, engine.ask(render(again)), query)
        published = engine.ask(standard(row["sparql"]))
        if published[0] == "ok" and not published[1] and not (ours[0] == "ok" and ours[1]):
            out.portable["equal, both empty"] += 1
        else:
            _note(out.portable, out.differences, "portable", row, published, ours, query)
    return out


def _note(
    counts: Counter[str],
    differences: list[dict[str, Any]],
    form: str,
    row: Row,
    a: tuple[str, Any],
    b: tuple[str, Any],
    query: Query,
) -> None:
    outcome = compared(a, b)
    counts[outcome] += 1
    if outcome.startswith("equal"):
        return
    seen = {
        "form": form,
        "id": row["id"],
        "outcome": outcome,
        "limit": query.order.limit if query.order else None,
    }
    shown = {"before": a[1] if a[0] == "ok" else a, "after": b[1] if b[0] == "ok" else b}
    differences.append({**seen, **{k: v[:5] if isinstance(v, list) else v for k, v in shown.items()}})


# --- command ----------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with the published data")
    parser.add_argument("--kb", type=Path, help="folder of the store; built if it is not there")
    parser.add_argument("--out", type=Path, help="where to write all figures as JSON")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--time-limit", type=float, default=5.0, help="seconds a query")
    args = parser.parse_args()
    started = time.time()
    outcomes = equivalence(args.data, args.processes)
    report: dict[str, Any] = {"equivalence": summary(outcomes)}
    failures = [o for o in outcomes if o.stage != "equivalent"]
    report["failures"] = [
        {"id": o.id, "file": o.file, "stage": o.stage, "reason": o.reason} for o in failures
    ]
    for key, counts in report["equivalence"].items():
        share = 100 * counts.get("equivalent", 0) / counts["n"]
        print(f"{key}: {share:.2f} % equivalent; {counts}")
    for o in failures:
        print(f"  {o.file} {o.id}: {o.stage}: {o.reason}")
    report["equivalence_s"] = round(time.time() - started, 1)
    if args.kb:
        report["answers"] = _report_answers(args.data, args.kb, args.time_limit)
    if args.out:
        args.out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def _report_answers(data: Path, kb: Path, limit_s: float) -> dict[str, Any]:
    started = time.time()
    build_store(data, kb)
    built = time.time() - started
    found = answers(data, Engine(kb, limit_s))
    print(f"store built or opened in {built:.1f} s; time limit {limit_s} s a query")
    print(f"recomposed against portable form: {dict(found.recomposed)}")
    print(f"portable form against published text: {dict(found.portable)}")
    for d in found.differences:
        print(f"  {d}")
    return {
        "time_limit_s": limit_s,
        "recomposed": dict(found.recomposed),
        "portable": dict(found.portable),
        "differences": found.differences,
    }


if __name__ == "__main__":
    sys.exit(main())
