"""From the SPARQL that is really written to SPARQL 1.1: dialect words and well-known prefixes.

Works on tokens, never inside strings, IRIs or comments.
"""

from __future__ import annotations

import re

PREFIXES = {
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "ns": "http://rdf.freebase.com/ns/",
    "fb": "http://rdf.freebase.com/ns/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dct": "http://purl.org/dc/terms/",
    "schema": "http://schema.org/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "dbr": "http://dbpedia.org/resource/",
    "res": "http://dbpedia.org/resource/",
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
}
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*\'\'\''''
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*\'"""
    r"|<[^<>\"{}|^`\\\s]*>"
    r"|\#[^\n]*"
    r"|[A-Za-z_][\w.-]*:[\w.%-]*[\w%-]|[A-Za-z_][\w.-]*:|:[\w.-]*\w"
    r"|[?$]\w+|@[A-Za-z-]+|\w+|\s+|.",
    re.DOTALL,
)
_WORDS = {"or": "||", "and": "&&"}
_SPELLINGS = {"xsd:datetime": "xsd:dateTime", "xsd:int": "xsd:integer", "xsd:Integer": "xsd:integer"}


def tidy(text: str) -> str:
    """The same query in SPARQL 1.1's own words, without comments. Every token stays on its line."""
    kept = (t for t in _TOKEN.findall(text) if not t.startswith("#"))
    spelt = (_SPELLINGS.get(t, t) for t in kept)
    return "".join(_WORDS.get(t.lower(), t) for t in spelt)


def variable_names(text: str) -> set[str]:
    """The names of all variables written in a query."""
    return {t[1:] for t in _TOKEN.findall(text) if t[0] in "?$" and len(t) > 1}
