"""What a gold query holds, and the two ways of counting that data sets have to themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kbqa.types import (
    Absent,
    Body,
    Compare,
    Differ,
    Iri,
    MostFrequent,
    OneOf,
    Query,
    Triple,
    Union,
)

_TYPES = frozenset(
    (
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
        "http://rdf.freebase.com/ns/type.object.type",
    )
)
_BARE_COUNT = re.compile(  # LC-QuAD 1, which Virtuoso reads and SPARQL 1.1 has not
    r"\bSELECT\s+(?:DISTINCT\s+)?COUNT\s*\(\s*(?:DISTINCT\s+)?(\?\w+)\s*\)\s*(?=WHERE\b|\{)", re.IGNORECASE
)
_OUTER_COUNT = re.compile(  # GrailQA: a count around SELECT DISTINCT
    r"\bSELECT\s*\(\s*COUNT\s*\(\s*(?P<v>\?\w+)\s*\)\s*AS\s*(?P<n>\?\w+)\s*\)\s*WHERE\s*\{\s*"
    r"SELECT\s+DISTINCT\s+(?P=v)\s+WHERE\s*(?P<body>\{.*\})\s*\}\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
_FREEBASE_ENTITY = re.compile(r"[mg]\.\w+\Z", re.ASCII)


def standard(sparql: str) -> str:
    """The query with its count as COUNT(DISTINCT ...) of one pattern; any other as it is."""
    plain = _BARE_COUNT.sub(r"SELECT (COUNT(DISTINCT \1) AS ?count) ", sparql, count=1)
    return _OUTER_COUNT.sub(r"SELECT (COUNT(DISTINCT \g<v>) AS \g<n>) WHERE \g<body>", plain, count=1)


def entities_of(query: Query) -> tuple[str, ...]:
    """The ids of the entities that a query names, in order: mids, or IRIs outside Freebase. Classes and
    Freebase's other schema names are none."""
    found = dict.fromkeys(_constants(query.body))
    return tuple(iri.mid for iri in found if _is_entity(iri))


def _is_entity(iri: Iri) -> bool:
    return iri.mid == iri.value or bool(_FREEBASE_ENTITY.match(iri.mid))


def _constants(body: Body) -> Iterator[Iri]:
    for element in body:
        held: tuple[object, ...] = ()
        match element:
            case Triple(subject, predicate, thing):
                held = (subject,) if predicate.value in _TYPES else (subject, thing)
            case Compare(_, _, value, _) | Differ(_, value) | Absent(_, _, value):
                held = (value,)
            case OneOf(_, values):
                held = values
            case Union(branches):
                held = tuple(c for branch in branches for c in _constants(branch))
            case MostFrequent(_, inner) | Query(body=inner):
                held = tuple(_constants(inner))
            case _:
                pass
        yield from (h for h in held if isinstance(h, Iri))
