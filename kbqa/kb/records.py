"""Things without a name, as the nodes that tie an award to its winner and a year, by what they tie."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from kbqa.answers import show
from kbqa.errors import StoreError
from kbqa.kb.names import BATCH, Labels
from kbqa.kb.scan import TYPE_PREDICATES
from kbqa.protocols import Store
from kbqa.sparql.portable import values
from kbqa.types import Constant, Iri, Literal, freebase

_KINDS = frozenset({*TYPE_PREDICATES, freebase("common.topic.notable_types")})
_PARTS, _LONGEST = 4, 60
_LIMIT_S = 1.0


def record_names(store: Store, names: Labels, nodes: Sequence[Iri]) -> dict[Iri, str]:
    """'Tom Hooper, The King's Speech, 2010' for such nodes, at most the first 200: the names of what they
    lead to, then dates, numbers and short texts. What is the same of all of them is left out. A node that
    leads to nothing with a name, or can't be looked up in time, has none."""
    asked = [node for node in nodes if not node.value.startswith("_:")][:BATCH]
    if not asked:
        return {}
    try:
        query = f"SELECT ?e ?p ?v WHERE {{\n{values('?e', asked)}\n?e ?p ?v }}"
        rows = store.select(query, time_limit_s=_LIMIT_S, row_limit=100 * BATCH).rows
        led = [(e, p, v) for e, p, v in rows if isinstance(e, Iri) and isinstance(p, Iri) and v is not None]
        things = names.fetch({v for _, _, v in led if isinstance(v, Iri)})
    except StoreError:
        return {}
    tied: dict[Iri, list[tuple[bool, str, str]]] = defaultdict(list)
    for node, predicate, value in led:
        text = _text(value, things)
        if text and predicate not in _KINDS:
            tied[node].append((isinstance(value, Literal), predicate.value, text))
    said = Counter(text for parts in tied.values() for text in {text for _, _, text in parts})
    return {node: _joined([t for *_, t in sorted(parts)], said, len(tied)) for node, parts in tied.items()}


def _text(value: Constant, things: Mapping[Iri, str]) -> str:
    text = things.get(value, "") if isinstance(value, Iri) else show(value)
    return text if len(text) <= _LONGEST else ""


def _joined(parts: Sequence[str], said: Mapping[str, int], nodes: int) -> str:
    own = [part for part in dict.fromkeys(parts) if nodes == 1 or said[part] < nodes]
    return ", ".join((own or list(dict.fromkeys(parts)))[:_PARTS])
