"""Synthetic questions as rows of JSON lines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

from kbqa.decompose import recompose
from kbqa.kb import open_kb
from kbqa.lexicon import Lexicon, freebase_lexicon
from kbqa.sparql import render
from kbqa.synth.generate import Example, digest, drawn
from kbqa.synth.graph import Graph
from kbqa.synth.own import graph_of
from kbqa.synth.parts import parts, processors
from kbqa.synth.world import World
from kbqa.templates import Names, write_all

Row: TypeAlias = dict[str, Any]
_PART = 500
"""Questions of a part, distinct among themselves."""


def opened(kb: str | None = None) -> tuple[Graph, Lexicon]:
    """A graph and what words it: of an N-Triples file in Freebase's vocabulary, which is read as it is, or of
    what `kbqa.kb.open_kb` opens; None is the stub. Raises `KnowledgeBaseError` or `StoreError`."""
    if kb is not None and kb.endswith(".nt") and Path(kb).is_file():
        graph = Graph.read(Path(kb))
        if graph.names:
            return graph, freebase_lexicon()
    with open_kb(kb) as found:
        _ = found.lexicon.natural  # read while its folder is there
        return graph_of(found), found.lexicon


def rows(
    graph: Graph,
    lexicon: Lexicon,
    n: int,
    seed: int,
    noise: float,
    style: float = 0.0,
    processes: int | None = None,
) -> Iterator[Row]:
    """{id, question, type, entities: {id: name}, sparql, steps: [template], sub_questions: [[wording]]}: `n`
    with distinct questions, fewer where the graph holds no more. However many `processes` make them, they are
    the same; None: one for each processor."""
    world = World(graph, lexicon)

    def made(number: int) -> list[Row]:
        rng = random.Random(f"{seed} {number}")
        return [_row(e, lexicon) for e in drawn(world, min(n, _PART), rng, noise, style)]

    seen: set[bytes] = set()
    found = parts(made, 1 if n <= _PART else processes or processors())
    with closing(found):
        for part in found:
            before = len(seen)
            for row in part:
                key = digest(row["question"])
                if key not in seen:
                    seen.add(key)
                    yield {"id": f"synth-{seed}-{len(seen) - 1}", **row}
                    if len(seen) == n:
                        return
            if len(seen) == before:
                return


def _row(e: Example, lexicon: Lexicon) -> Row:
    names = Names({m.iri: m.name for m in e.entities})
    return {
        "question": e.question,
        "type": e.type,
        "entities": {m.iri.mid: m.name for m in e.entities},
        "sparql": render(recompose(e.decomposition)),
        "steps": write_all(e.decomposition.steps, lexicon, names),
        "sub_questions": e.sub_questions,
    }
