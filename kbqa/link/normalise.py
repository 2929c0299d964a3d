"""One normal form of labels and of the words of a question.

Law: `key(key(text)) == key(text)`. Offsets are those of the text as given, whatever folding
does to its length ('ß' -> 'ss').
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0dff\u0e31-\u0e4e\u200c\u200d"
_CHAR = rf"(?:[\u00c3\u00c2\u00c4\u00c5][\u0080-\u00bf]|[^\W_]|[{_MARKS}])"
_LETTER = r"[^\W\d_]"
_WORD = re.compile(
    rf"(?<!\w)(?:{_LETTER}\.\s?)+{_LETTER}\.|(?<!\w)(?:{_LETTER}\.)+{_LETTER}(?!\w)"  # J. K., U.S., U.S.A
    rf"|{_CHAR}+(?:['\u2019\u02bc`\u00b4]{_CHAR}+)*[+#]*"
    r"|&"
)
_POSSESSIVE = re.compile(r"['\u2019\u02bc`\u00b4][sS]$")
_MOJIBAKE = re.compile(r"[\u00c2-\u00c5][\u0080-\u00bf]")
_STRIPPED = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640\u200c\u200d]")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t"}
)
_NOT_A_WORD = re.compile(rf"(?:(?!{_CHAR}).)+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: `word` folded; [start, end) without a possessive 's, which ends at `tail`."""

    word: str
    start: int
    end: int
    tail: int


def tokens(text: str) -> list[Token]:
    """The words of `text`, left to right."""
    found = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        core = end
        if end - start > 2 and _POSSESSIVE.search(text, start, end):
            core = end - 2
        word = fold(text[start:core])
        if word:
            found.append(Token(word, start, core, end))
    return found


def fold(word: str) -> str:
    """One word, without case, accents, apostrophes and full stops; '&' is 'and'."""
    if word == "&":
        return "and"
    if word.isascii():
        folded = word.casefold()
        return folded if folded.isalnum() else _plain(folded)
    folded = unicodedata.normalize("NFKD", _repaired(word).casefold()).casefold().translate(_UNDECOMPOSED)
    folded = unicodedata.normalize("NFC", _STRIPPED.sub("", folded))
    return _plain(folded)


def _plain(folded: str) -> str:
    stem = folded.rstrip("+#")
    return _NOT_A_WORD.sub("", stem) + folded[len(stem) :] if stem else ""


def _repaired(word: str) -> str:
    """'GoiÃ¡s' (UTF-8 read as Latin-1) -> 'Goiás'; anything else as it is."""
    if not _MOJIBAKE.search(word):
        return word
    try:
        return word.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return word


def joined(words: list[str]) -> str:
    """The normal form of a sequence of folded words: 'the' does not count, unless nothing else is there."""
    return " ".join([word for word in words if word != "the"] or words)


def key(text: str) -> str:
    """The normal form of a label: equal for labels that a person would call the same name.

    >>> key("The Schindler's  List"), key("J. K. Rowling"), key("Al-Sharqia")
    ('schindler list', 'jk rowling', 'al sharqia')
    """
    rest = " ".join(text.encode("utf-8", "ignore").decode().casefold().split())
    words = [token.word for token in tokens(text) or tokens(rest)]
    return joined(words) if words else rest
