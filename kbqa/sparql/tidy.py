"""From the SPARQL that is really written to SPARQL 1.1: dialect words and well-known prefixes.

Works on tokens, never inside strings, IRIs or comments.
"""

from __future__ import annotations

import re

from kbqa.errors import QueryError

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
_CODEPOINT = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*\'\'\''''
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*\'"""
    rf"|<(?:[^<>\"{{}}|^`\\\s]|{_CODEPOINT})*>|{_CODEPOINT}"
    r"|\#[^\n]*"
    r"|[A-Za-z_][\w.-]*:[\w.%-]*[\w%-]|[A-Za-z_][\w.-]*:|:[\w.-]*\w"
    r"|[?$]\w+|@[A-Za-z-]+|\w+|\s+|.",
    re.DOTALL,
)
_ESCAPED = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_WORDS = {"or": "||", "and": "&&"}
_SPELLINGS = {"xsd:datetime": "xsd:dateTime", "xsd:int": "xsd:integer", "xsd:Integer": "xsd:integer"}


def tidy(text: str) -> str:
    """The same query in SPARQL 1.1's own words, without comments and codepoint escapes. Every token
    stays on its line. Raises `QueryError` for an escape beyond Unicode."""
    kept = (t for t in _TOKEN.findall(text) if not t.startswith("#"))
    spelt = (_SPELLINGS.get(t, t) for t in map(_expanded, kept))
    return "".join(_WORDS.get(t.lower(), t) for t in spelt)


def _expanded(token: str) -> str:
    """With characters for codepoint escapes. In a string the backslash may itself be escaped: there
    '\\\\u0022' is a backslash and five letters, whatever engines make of it elsewhere."""
    if "\\" not in token:
        return token
    quote = token[0]
    if quote in "\"'":
        return re.sub(rf"{_CODEPOINT}|\\.", lambda m: _in_string(m[0], quote), token, flags=re.DOTALL)
    return re.sub(_CODEPOINT, lambda m: _character(m[0]), token)


def _in_string(escape: str, quote: str) -> str:
    """Only what must be escaped is, as rdflib wants it."""
    if len(escape) == 2:
        return escape[1] if escape[1] in "\"'" and escape[1] != quote else escape
    char = _character(escape)
    return _ESCAPED.get(char, f"\\{char}" if char == quote else char)


def _character(escape: str) -> str:
    code = int(escape[2:], 16)
    if code > 0x10FFFF:
        raise QueryError(f"not SPARQL 1.1: {escape} is no character")
    return chr(code)


def variable_names(text: str) -> set[str]:
    """The names of all variables written in a query."""
    return {t[1:] for t in _TOKEN.findall(text) if t[0] in "?$" and len(t) > 1}
