"""What an ontology implies of the classes of things: a seaplane base is an airport, too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from kbqa.errors import KnowledgeBaseError
from kbqa.kb.vocabulary import OWL, RDF, RDFS

_BATCH = 100_000
_WIDER = f"""
SELECT DISTINCT ?narrow ?wide WHERE {{
  ?narrow <{RDFS}subClassOf>+ ?wide
  FILTER (isIRI(?narrow) && isIRI(?wide) && ?narrow != ?wide)
  FILTER (!STRSTARTS(STR(?wide), "{OWL}") && !STRSTARTS(STR(?wide), "{RDFS}"))
}}"""


def infer_types(folder: Path) -> int:
    """Adds to a store that nobody else has open the wider classes (`rdfs:subClassOf`) of all things; returns
    how many statements. Raises `KnowledgeBaseError`."""
    import pyoxigraph as ox

    try:
        store = ox.Store(folder)
    except OSError as error:
        raise KnowledgeBaseError(f"can't write to the store at {folder}: {error}") from error
    a = ox.NamedNode(RDF + "type")

    def implied() -> Iterator[ox.Quad]:
        pairs = store.query(_WIDER, use_default_graph_as_union=True)
        for narrow, wide in [tuple(pair) for pair in pairs]:  # type: ignore[union-attr]
            for quad in store.quads_for_pattern(None, a, narrow):
                yield ox.Quad(quad.subject, a, wide, quad.graph_name)

    quads, added = implied(), 0
    while batch := list(islice(quads, _BATCH)):
        store.bulk_extend(batch)
        added += len(batch)
    store.flush()
    return added
