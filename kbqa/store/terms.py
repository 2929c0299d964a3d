"""RDF terms to SPARQL text and back from SPARQL's JSON results.

Law: a rendered term is exactly one term to every engine (HOSTILE in tests/servers.py is the corpus).
Plain strings and `xsd:string` are one (RDF 1.1): `Literal.datatype` is '' for both. Language tags
are case-insensitive and come back in lower case, as Oxigraph and Virtuoso store them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kbqa.errors import QueryError
from kbqa.types import XSD, Constant, Iri, Literal

BLANK = "_:"
_XSD_STRING = XSD + "string"
_XSD_BOOLEAN = XSD + "boolean"
_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^<>\"{}|^`\\\x00-\x20\x7f\ud800-\udfff]*")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_ESCAPED = re.compile(r"[\x00-\x1f\x7f\"\\\u0085\u2028\u2029]")
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def render(term: Constant) -> str:
    """The term as SPARQL text. Raises `QueryError` for what can't be written there."""
    if isinstance(term, Iri):
        return _render_iri(term.value)
    if re.search(r"[\ud800-\udfff]", term.lexical):
        raise QueryError(f"the text {term.lexical!r} holds half a surrogate pair, which is no character")
    text = '"' + _ESCAPED.sub(lambda match: _escape(match.group()), term.lexical) + '"'
    if term.language:
        if not _LANGUAGE.fullmatch(term.language) or term.datatype not in ("", _LANG_STRING):
            raise QueryError(f"{term.language!r} is no language tag, or stands beside a datatype")
        return f"{text}@{term.language}"
    if term.datatype in ("", _XSD_STRING):
        return text
    return f"{text}^^{_render_iri(term.datatype)}"


def _escape(sign: str) -> str:
    return _SHORT.get(sign) or f"\\u{ord(sign):04X}"


def _render_iri(value: str) -> str:
    if value.startswith(BLANK):
        raise QueryError(f"the blank node {value} can't be named in a query to this store")
    if not _IRI.fullmatch(value):
        raise QueryError(f"{value[:200]!r} is no absolute IRI, or holds a character that no IRI may hold")
    return f"<{value}>"


def literal(lexical: str, datatype: str = "", language: str = "") -> Literal:
    """A literal in this project's one form for equal ones."""
    if language:
        return Literal(lexical, "", language.lower())
    if datatype == _XSD_STRING:
        return Literal(lexical)
    if datatype == _XSD_BOOLEAN and lexical in "01":  # how Virtuoso writes booleans
        return Literal("true" if lexical == "1" else "false", datatype)
    return Literal(lexical, datatype)


def truth(value: bool) -> Literal:
    """The one value in the row of an ASK query."""
    return Literal("true" if value else "false", _XSD_BOOLEAN)


def from_json(value: Mapping[str, str]) -> Constant:
    """A term of a SPARQL JSON result; 'typed-literal' is the older name that Virtuoso uses.

    Raises `KeyError` where the object is none.
    """
    kind, text = value["type"], value["value"]
    if kind == "uri":
        return Iri(text)
    if kind == "bnode":
        return Iri(text if text.startswith(BLANK) else BLANK + text)
    if kind in ("literal", "typed-literal"):
        return literal(text, value.get("datatype", ""), value.get("xml:lang", ""))
    raise KeyError(kind)
