"""Read-only by construction: only SELECT and ASK over the store itself pass.

A text is read into tokens; every bare word must be a known word of SPARQL's query language
(an allow-list: Oxigraph reads `trueSERVICE` as two words), everything that reaches outside or
changes data is refused by name, comments are blanked and prefixed names are written out as IRIs
(Oxigraph ends `ns:a.b.c` after the second dot and reads `SERVICE:x` as `SERVICE :x`). Syntax beyond
that is the engine's to judge. Virtuoso's `bif:` and `sql:` functions, which call
procedures of the server, are refused too, except the full-text search `bif:contains`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as Choice

from kbqa.errors import QueryError
from kbqa.store.outline import Outline, outline
from kbqa.store.tokens import Token, place, tokenize

MAX_CHARACTERS = 1_000_000
MAX_NESTING = 200

_REFUSES = (
    "SERVICE FROM NAMED CONSTRUCT DESCRIBE INSERT DELETE LOAD CLEAR DROP CREATE ADD MOVE COPY WITH USING"
    " INTO DEFINE MODIFY"
)
_REFUSED = frozenset(_REFUSES.split())
_KNOWS = (
    "SELECT ASK WHERE BASE PREFIX DISTINCT REDUCED AS GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET VALUES"
    " UNDEF OPTIONAL GRAPH UNION FILTER NOT EXISTS MINUS BIND IN A TRUE FALSE COUNT SUM MIN MAX AVG SAMPLE"
    " GROUP_CONCAT SEPARATOR STR LANG LANGMATCHES DATATYPE BOUND IRI URI BNODE RAND ABS CEIL FLOOR ROUND"
    " CONCAT STRLEN UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY"
    " HOURS MINUTES SECONDS TIMEZONE TZ NOW UUID STRUUID MD5 SHA1 SHA256 SHA384 SHA512 COALESCE IF STRLANG"
    " STRDT SAMETERM ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC REGEX SUBSTR REPLACE"
)
_WORDS = frozenset(_KNOWS.split())
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_PROCEDURE = re.compile(r"(?:\w+::)?(?:bif|sql):(?!contains$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Checked:
    """A query that only reads. `text` is what may be sent; `outline` says where to add to it."""

    text: str
    form: Choice["select", "ask"]
    outline: Outline


@lru_cache(maxsize=2048)
def check(query: str) -> Checked:
    """Raises `QueryError` naming what is refused and where."""
    if len(query) > MAX_CHARACTERS:
        raise QueryError(f"query of {len(query)} characters; at most {MAX_CHARACTERS} are read")
    tokens = tokenize(query)
    active = [token for token in tokens if token.kind != "comment"]
    prefixes, start = _prologue(active, query)
    form = _form(active, start, query)
    for token in active[start:]:
        _check_word(token, query)
    _check_nesting(active, query)
    text, rewritten = _rewrite(tokens, prefixes, query)
    body = [token for token in rewritten if token.kind != "comment"][start:]
    return Checked(text, form, outline(body, len(text)))


def _prologue(tokens: list[Token], query: str) -> tuple[dict[str, str], int]:
    """The declared prefixes, and the index of the first token after the prologue."""
    prefixes: dict[str, str] = {}
    at = 0
    while at < len(tokens) and tokens[at].word in ("PREFIX", "BASE"):
        size = 3 if tokens[at].word == "PREFIX" else 2
        declared = tokens[at + 1 : at + size]
        if [token.kind for token in declared] != ["name", "iri"][3 - size :]:
            raise _error(f"malformed {tokens[at].word} declaration", tokens[at], query)
        iri = declared[-1].text[1:-1]
        if not _SCHEME.match(iri):
            raise _error(f"{tokens[at].word} needs an absolute IRI, not <{iri}>", declared[-1], query)
        if size == 3:
            prefixes[declared[0].text.removesuffix(":")] = iri
        at += size
    return prefixes, at


def _form(tokens: list[Token], start: int, query: str) -> Choice["select", "ask"]:
    if start == len(tokens):
        raise QueryError("empty query: expected SELECT or ASK", query=query)
    first = tokens[start]
    if first.word == "SELECT":
        return "select"
    if first.word == "ASK":
        return "ask"
    if first.word in _REFUSED:
        raise _refusal(first, query)
    raise _error(f"expected SELECT or ASK, not {first.text[:40]!r}", first, query)


def _check_word(token: Token, query: str) -> None:
    if token.word in _REFUSED:
        raise _refusal(token, query)
    if token.word and token.word not in _WORDS:
        raise _error(f"unknown word {token.text[:40]!r}", token, query)


def _check_nesting(tokens: list[Token], query: str) -> None:
    opened: list[str] = []
    pairs = {"}": "{", ")": "(", "]": "["}
    for token in tokens:
        if token.kind != "sign":
            continue
        if token.text in pairs.values():
            opened.append(token.text)
            if len(opened) > MAX_NESTING:
                raise _error(f"nested deeper than {MAX_NESTING}", token, query)
        elif token.text in pairs and (not opened or opened.pop() != pairs[token.text]):
            raise _error(f"{token.text!r} that closes nothing", token, query)
    if opened:
        raise QueryError(f"{opened[-1]!r} is never closed", query=query, place=place(query, len(query)))


def _rewrite(tokens: list[Token], prefixes: Mapping[str, str], query: str) -> tuple[str, list[Token]]:
    """The text with comments blanked and names written out, and its tokens; lines stay lines."""
    pieces: list[str] = []
    rewritten: list[Token] = []
    size = at = 0
    after_prefix = False
    for token in tokens:
        gap = query[at : token.start]
        kind, text = _written(token, {} if after_prefix else prefixes, after_prefix, query)
        rewritten.append(Token(kind, text, size + len(gap)))
        pieces += (gap, text)
        size += len(gap) + len(text)
        at = token.start + len(token.text)
        after_prefix = token.word == "PREFIX"
    return "".join(pieces) + query[at:], rewritten


def _written(token: Token, prefixes: Mapping[str, str], declares: bool, query: str) -> tuple[str, str]:
    if token.kind == "comment":
        return token.kind, " " * len(token.text)
    if token.kind == "iri":
        _check_procedure(token.text[1:-1], token, query)
    if token.kind != "name" or declares:
        return token.kind, token.text
    prefix, _, local = token.text.partition(":")
    if prefix not in prefixes:
        raise _error(f"prefix {prefix + ':'!r} is not declared", token, query)
    iri = prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)
    _check_procedure(iri, token, query)
    return "iri", f"<{iri}>"


def _check_procedure(iri: str, token: Token, query: str) -> None:
    if _PROCEDURE.match(iri):
        raise _error(f"the server procedure {iri[:60]!r} is refused", token, query)


def _refusal(token: Token, query: str) -> QueryError:
    return _error(f"{token.word} is refused: a query may only read this store (SELECT or ASK)", token, query)


def _error(reason: str, token: Token, query: str) -> QueryError:
    return QueryError(reason, query=query, place=place(query, token.start))
