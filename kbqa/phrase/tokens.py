"""Sub-questions <-> the words that the shipped phraser writes one after the other.

    what is [unused0]'s capital?   <->   what is <e0> 's capital ?

Law: `join(split(text)) == text` for a sub-question whose spaces are those of English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.parse.marks import respaced
from kbqa.parse.program import ENTITIES, ENTITY_MARKS, VALUE_MARKS, VALUES

_WORD = re.compile(r"\[unused\d+\]|'s\b|[^\W_]+(?:['’.&/-][^\W_]+)*|[^\w\s]")
_TOKENS = dict(zip((*ENTITY_MARKS, *VALUE_MARKS), (*ENTITIES, *VALUES), strict=True))
_MARKS = {token: mark for mark, token in _TOKENS.items()}
MARK_TOKENS = frozenset(_MARKS)


def split(text: str) -> list[str]:
    """The tokens of a text with markers. A word that is not written as a name is keeps its case."""
    return [_TOKENS.get(w, w) for w in _WORD.findall(text)]


def join(tokens: Sequence[str]) -> str:
    """Inverse of `split`."""
    return respaced(" ".join(_MARKS.get(t, t) for t in tokens))
