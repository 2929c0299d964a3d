"""Synthetic questions as rows of JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kbqa.decompose import recompose
from kbqa.errors import KnowledgeBaseError
from kbqa.lexicon import Lexicon
from kbqa.sparql import render
from kbqa.synth.generate import generate
from kbqa.synth.graph import Graph
from kbqa.templates import Names, write_all


def open_graph(kb: str | None) -> Graph:
    """The stub's graph (None), or an N-Triples file's. Raises `KnowledgeBaseError`."""
    if kb is None:
        from freebase_stub.build import build, ntriples

        return Graph.read(ntriples(build()))
    if not kb.endswith(".nt") or not Path(kb).is_file():
        raise KnowledgeBaseError(
            f"synthetic questions are made from the stub or an N-Triples file (.nt), not {kb!r}"
        )
    return Graph.read(Path(kb))


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
