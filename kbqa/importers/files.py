"""The entries of a published file, one at a time, whatever lies around them.

Read are a JSON array of objects, an object that holds one under "Questions" (WebQSP), and JSON lines. At
most one entry and the piece of the file that holds it are in memory.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import IO

from kbqa.errors import InputError

Entry = tuple[int, bytes]
"""Its number (in JSON lines the line's), from 1, and its JSON text in UTF-8."""

_CHUNK = 1 << 18
_LONGEST = 1 << 25
"""Characters of one entry. More than this is no entry: something between brackets is never closed."""
_SPACE = " \t\r\n"
_SCALAR = r'(?:"(?:[^"\\]|\\.)*"|[-+.\w]+)'
_WRAPPED = re.compile(rf'\s*\{{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*{_SCALAR}\s*,\s*)*"Questions"\s*:\s*\[')
_DECODER = json.JSONDecoder()


def entries(file: IO[bytes], name: str) -> Iterator[Entry]:
    """Raises `InputError` naming the file where it is not JSON. A line of JSON lines is not looked at
    here, so that a broken one costs no other."""
    head = file.read(_CHUNK)
    start = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", "ignore")
    wrapped = _WRAPPED.match(start)
    if start.lstrip(_SPACE).startswith("["):
        yield from _Array(_texts(head, file, name), name).entries(start.index("[") + 1)
    elif wrapped:
        yield from _Array(_texts(head, file, name), name).entries(wrapped.end())
    elif not start.strip():
        raise InputError(f"{name} is empty: a JSON array, or JSON lines, expected")
    else:
        _refuse_other(start, name)
        yield from _lines(head, file)


def _refuse_other(start: str, name: str) -> None:
    """JSON lines begin with a line that is an object."""
    line = start.lstrip().split("\n", 1)[0].strip()
    if not line.startswith("{"):
        raise InputError(
            f'{name} begins with {line[:40]!r}: a JSON array, {{"Questions": [...]}} or JSON lines expected'
        )
    if line == "{" or line.endswith(","):
        raise InputError(
            f'{name} holds one JSON object over several lines, without "Questions": a JSON array or one '
            "object per line expected"
        )


def _lines(head: bytes, file: IO[bytes]) -> Iterator[Entry]:
    *whole, last = head.removeprefix(codecs.BOM_UTF8).split(b"\n")
    first = [*whole, last + file.readline()]
    for number, line in enumerate(chain(first, file), 1):
        if line.strip():
            yield number, line


def _texts(head: bytes, file: IO[bytes], name: str) -> Iterator[str]:
    """The file in pieces of text."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    at, piece = 0, head
    try:
        while piece:
            yield decoder.decode(piece)
            at += len(piece)
            piece = file.read(_CHUNK)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as e:
        raise InputError(f"{name}: not UTF-8 near byte {at + e.start + 1:,}") from None


class _Array:
    """A JSON array that is read as far as it is needed."""

    def __init__(self, pieces: Iterator[str], name: str) -> None:
        self._pieces, self._name = pieces, name
        self._text, self._at, self._gone = "", 0, 0

    def entries(self, start: int) -> Iterator[Entry]:
        """`start`: the place after the opening bracket."""
        self._more()
        self._at, number = start, 0
        if self._next() == "]":
            return
        while True:
            number += 1
            yield number, self._object(number).encode()
            after = self._next()
            if after == "]":
                return
            if after != ",":
                raise InputError(f"{self._name}: ',' or ']' expected after entry {number}, at {self._place}")
            self._at += 1

    @property
    def _place(self) -> str:
        return f"character {self._gone + self._at + 1:,}"

    def _more(self) -> bool:
        """Whether there was more; what has been given out is forgotten."""
        piece = next(self._pieces, None)
        if piece is None:
            return False
        self._gone += self._at
        self._text, self._at = self._text[self._at :] + piece, 0
        return True

    def _next(self) -> str:
        """The next character that is no white space; it stays."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                raise InputError(f"{self._name} ends within its array: the file is cut off")

    def _object(self, number: int) -> str:
        if self._next() != "{":
            raise InputError(f"{self._name}: entry {number}, at {self._place}, is no JSON object")
        while True:
            try:
                _, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise InputError(f"{self._name}: entry {number} is nested too deeply") from None
            except json.JSONDecodeError as e:
                if len(self._text) - self._at < _LONGEST and self._more():
                    continue
                where = f"character {self._gone + e.pos + 1:,}"
                raise InputError(f"{self._name}: entry {number} is not JSON at {where}: {e.msg}") from None
            found, self._at = self._text[self._at : end], end
            return found
