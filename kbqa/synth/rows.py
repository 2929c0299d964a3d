"""Synthetic questions as rows of JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kbqa.decompose import recompose
from kbqa.kb import open_kb
from kbqa.lexicon import Lexicon, freebase_lexicon
from kbqa.sparql import render
from kbqa.synth.generate import generate
from kbqa.synth.graph import Graph
from kbqa.synth.own import graph_of
from kbqa.templates import Names, write_all


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
    graph: Graph, lexicon: Lexicon, n: int, seed: int, noise: float, style: float = 0.0
) -> Iterator[dict[str, Any]]:
    """{id, question, type, entities: {id: name}, sparql, steps: [template], sub_questions: [[wording]]}."""
    for number, e in enumerate(generate(graph, lexicon, n, seed, noise, style)):
        names = Names({m.iri: m.name for m in e.entities})
        yield {
            "id": f"synth-{seed}-{number}",
            "question": e.question,
            "type": e.type,
            "entities": {m.iri.mid: m.name for m in e.entities},
            "sparql": render(recompose(e.decomposition)),
            "steps": write_all(e.decomposition.steps, lexicon, names),
            "sub_questions": e.sub_questions,
        }
