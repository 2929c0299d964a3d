"""SPARQL text as tokens: strings, IRIs and comments are told apart from what acts.

The lexical rules are those of SPARQL 1.1, section 19.8, made stricter where engines were seen to
differ: codepoint escapes (`\\u0041`) only inside strings and IRIs and never for a character that
would end one there, no dots in blank node labels. What no rule matches is a `QueryError`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbqa.errors import QueryError

_ESCAPE = r"\\(?:[tbnrf\\\"']|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})"
_LOCAL = r"(?:[\w:·\-]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])"

_TOKEN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<comment>\#[^\n\r]*)
    | (?P<string>\"\"\"(?:\"{{0,2}}(?:[^\"\\]|{_ESCAPE}))*\"\"\"
        | '''(?:'{{0,2}}(?:[^'\\]|{_ESCAPE}))*'''
        | \"(?!\"\")(?:[^\"\\\n\r]|{_ESCAPE})*\"
        | '(?!'')(?:[^'\\\n\r]|{_ESCAPE})*')
    | (?P<iri><(?:[^<>\"{{}}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{{4}}|\\U[0-9A-Fa-f]{{8}})*>)
    | (?P<variable>[?$]\w+)
    | (?P<blank>_:[\w\-]+)
    | (?P<name>(?:[^\W\d_](?:[\w\-]|\.+(?=[\w\-.]*:))*)?:(?:{_LOCAL}|\.+(?={_LOCAL}))*)
    | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+\-]?[0-9]+)?)
    | (?P<word>[A-Za-z_]+[0-9]*)
    | (?P<sign>\^\^|&&|\|\||!=|<=|>=|[{{}}()\[\];,.=<>!+\-*/|^?])
    """,
    re.VERBOSE,
)
_CODEPOINT = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)
_ENDS_SOMETHING = frozenset("\"'\\<>{}|^`#")


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `kind` is a group of the lexical rules; `start` is its offset in the text."""

    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """The keyword in capitals; '' for what is no bare word."""
        return self.text.upper() if self.kind == "word" else ""


def tokenize(query: str) -> list[Token]:
    """All tokens but white space, comments included. Raises `QueryError` with the place."""
    tokens = []
    at = 0
    while at < len(query):
        match = _TOKEN.match(query, at)
        if match is None:
            raise QueryError(_unreadable(query, at), query=query, place=place(query, at))
        kind = match.lastgroup or ""
        if kind in ("string", "iri") and "\\" in match.group():
            _check_codepoints(match.group(), query, at)
        if kind != "space":
            tokens.append(Token(kind, match.group(), at))
        at = match.end()
    return tokens


def place(query: str, offset: int) -> str:
    """`line 2, column 5` of an offset, both counted from 1."""
    before = query[:offset]
    return f"line {before.count(chr(10)) + 1}, column {offset - before.rfind(chr(10))}"


def _unreadable(query: str, at: int) -> str:
    sign = query[at]
    if sign in "\"'":
        return "string that does not end, or holds an unknown escape"
    return f"unexpected character {sign!r}"


def _check_codepoints(text: str, query: str, at: int) -> None:
    """Refuses escapes that mean a delimiter: engines decode them before or after parsing."""
    for match in _CODEPOINT.finditer(text):
        digits = match[1] or match[2]
        if digits is None:
            continue
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise QueryError(f"{match[0]} is no character", query=query, place=place(query, at))
        if chr(code) in _ENDS_SOMETHING or code in (0x0A, 0x0D) or (text[0] == "<" and code <= 0x20):
            raise QueryError(
                f'the codepoint escape {match[0]} is refused: write the character itself, or \\n, \\"',
                query=query,
                place=place(query, at),
            )
