"""What is typed in a hurry, in full: 'flicks b4 1995' is read as 'films before 1995'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kbqa.protocols import Mention
from kbqa.types import freebase

_FULL = {
    "b4": "before", "lang": "language", "langs": "languages", "prez": "president", "pres": "president",
    "uni": "university", "univ": "university", "unis": "universities", "flick": "film", "flicks": "films",
    "bday": "birthday", "dob": "date of birth", "hubby": "husband",
    "hq": "headquarters", "govt": "government", "gov": "governor", "yr": "year", "yrs": "years",
    "mom": "mother", "mum": "mother", "mommy": "mother", "mummy": "mother", "dad": "father",
    "daddy": "father",
    "grandma": "grandmother", "granny": "grandmother", "grandpa": "grandfather", "granddad": "grandfather",
    "champs": "champions", "bball": "basketball", "nr": "number", "capitol": "capital",
}  # fmt: skip
_COUNTRY, _DEFAULT = freebase("location.country"), "United States"
_PRESIDENT = re.compile(
    r"(?:(?<![\w'-])(?:which|what|recent|young|old|youngest|oldest|first|last|latest|earliest|many|any|all|the|that)\s+|\A\W*)"
    r"(?P<noun>presidents?)\b(?!\s+(?:of|for|and\s+ceo)\b|\W?s\s)",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<![\w'./-])[A-Za-z]+\d?(?![\w'/-]|\.\w)")


def spelt_out(text: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The text with such words in full outside its names, and where the names stand then."""
    out, at, shifts = "", 0, [(0, 0)]
    for m in _WORD.finditer(text):
        full = _FULL.get(m[0].lower())
        if full is None or any(n.start < m.end() and m.start() < n.end for n in mentions):
            continue
        out += text[at : m.start()] + full
        at = m.end()
        shifts.append((at, len(out) - at))
    if at == 0:
        return text, tuple(mentions)

    def moved(place: int) -> int:
        return place + max(s for s in shifts if s[0] <= place)[1]

    return out + text[at:], tuple(replace(n, start=moved(n.start), end=moved(n.end)) for n in mentions)


def of_which_country(text: str, mentions: Sequence[Mention]) -> str:
    """The text with 'US president' where it speaks of presidents and names no other country."""
    named = {t for m in mentions for c in m.candidates[:1] for t in c.types if c.label != _DEFAULT}
    found = _PRESIDENT.search(text) if _COUNTRY not in named else None
    return f"{text[: found.start('noun')]}US {text[found.start('noun') :]}" if found else text
