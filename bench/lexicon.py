"""How much of what is asked the lexicon words by hand.

    python bench/lexicon.py --data DATA

DATA holds cwq/dev.jsonl.gz, cwq/train_gold_567.jsonl.gz, cwq/train_silver.jsonl.gz and
webqsp/train.jsonl.gz (rows {sparql, has_unknown?}); what is absent is left out, and so are silver rows
with unknown parts and queries that are not decomposed. For each file, and for the stub, it prints the
predicate paths (one hop or two, each direction by itself) of the steps, how many of them have a
template and natural wordings of their own or share those of their twin, and which share of the
occurrences those are; for the stub what can be walked.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from freebase_stub.build import build, ntriples
from kbqa.decompose import decompose
from kbqa.errors import KbqaError
from kbqa.lexicon import Lexicon, freebase_lexicon, show_path
from kbqa.sparql import parse
from kbqa.synth.graph import Graph, Node
from kbqa.train.data import read_rows
from kbqa.types import Find, Hop, Iri, Keep, Mediators
from kbqa.types import Path as Way

FILES = ("cwq/dev", "cwq/train_gold_567", "cwq/train_silver", "webqsp/train")


def published(file: Path, mediators: Mediators) -> Counter[Way]:
    """The paths of the steps of a file's queries."""
    found: Counter[Way] = Counter()
    for row in read_rows(file):
        if row.get("has_unknown"):
            continue
        try:
            steps = decompose(parse(row["sparql"]), mediators).steps
        except KbqaError:
            continue
        found.update(s.path for s in steps if isinstance(s, Find | Keep) and s.path)
    return found


def walkable(graph: Graph) -> dict[Way, set[tuple[str, object]]]:
    """The paths from named things to named things and values, with the pairs that they join: one hop,
    or two through a mediator, not back to the start."""
    found: dict[Way, set[tuple[str, object]]] = {}
    for start in graph.names:
        for hop, node in _edges(graph, start):
            if graph.shown(node):
                found.setdefault((hop,), set()).add((start, node))
            elif isinstance(node, str):
                for onward, end in _edges(graph, node):
                    if end != start and graph.shown(end):
                        found.setdefault((hop, onward), set()).add((start, end))
    return found


def _edges(graph: Graph, node: str) -> Iterator[tuple[Hop, Node]]:
    for p, ends in graph.out.get(node, {}).items():
        yield from ((Hop(Iri(p)), end) for end in ends)
    for p, starts in graph.into.get(node, {}).items():
        yield from ((Hop(Iri(p), True), start) for start in starts)


def report_stub(joined: dict[Way, set[tuple[str, object]]], lexicon: Lexicon, missing: int) -> None:
    """One hop: each path. Two hops: what can be asked; Freebase keeps most facts both ways, so that
    several paths join the same pairs."""
    asked: dict[frozenset[tuple[str, object]], list[Way]] = {}
    for path, pairs in joined.items():
        asked.setdefault(frozenset(pairs), []).append(path)
    single = [[p] for p in joined if len(p) == 1]
    double = [paths for paths in asked.values() if all(len(p) == 2 for p in paths)]
    for name, groups in (("the stub, one hop", single), ("the stub, two hops", double)):
        left = [paths for paths in groups if not any(p in lexicon.natural for p in paths)]
        print(f"{name:24} {len(groups):5}, worded {len(groups) - len(left):5}")
        for paths in left[:missing]:
            print(f"    {show_path(paths[0])}")


def report(name: str, found: Counter[Way], lexicon: Lexicon, missing: int) -> None:
    worded = {p for p in found if p in lexicon.natural}
    occurrences = sum(found[p] for p in worded)
    print(
        f"{name:24} paths {len(found):5}, worded {len(worded):5} ({len(worded) / len(found):6.1%}); "
        f"occurrences {found.total():7}, worded {occurrences / found.total():.2%}"
    )
    left = [(p, n) for p, n in found.most_common() if p not in worded]
    for path, n in left[:missing]:
        print(f"    {n:5} {show_path(path)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--missing", type=int, default=0, help="how many paths without wordings to list")
    args = parser.parse_args()
    lexicon = freebase_lexicon()
    own = {p: forms for p, forms in lexicon.natural.items() if p not in lexicon.twins}
    wordings = sum(len(w) for forms in own.values() for w in forms.values())
    print(
        f"{len(lexicon.wordings)} paths with templates ({len(lexicon.twins)} of them twins), "
        f"{wordings} wordings, {len(lexicon.properties)} names of properties"
    )
    for name in FILES:
        file = args.data / f"{name}.jsonl.gz"
        if file.is_file():
            report(name, published(file, lexicon.mediators), lexicon, args.missing)
    report_stub(walkable(Graph.read(ntriples(build()))), lexicon, args.missing)
    return 0


if __name__ == "__main__":
    sys.exit(main())
