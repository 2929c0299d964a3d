"""What is left out in a hurry, in full: 'flicks b4 1995' is read as 'films before 1995', 'Bill and Hillary
Clinton' as both by their full names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kbqa.protocols import Mention
from kbqa.types import Iri, freebase

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
_PERSON, _EXACT = freebase("people.person"), 0.9
_FIRST_OF_TWO = re.compile(r"\b(?P<first>[^\W\d_][\w'-]+)(?P<joined>\s+(?:and|or|&)\s+)\Z")
_COUNTRY, _DEFAULT = freebase("location.country"), "United States"
_PRESIDENT = re.compile(
    r"(?:(?<![\w'-])(?:which|what|recent|young|old|youngest|oldest|first|last|latest|earliest|many|any|all|the"
    r"|that)\s+|\A\W*)"
    r"(?P<noun>presidents?)\b(?!\s+(?:of|for|and\s+ceo)\b|\W?s\s)"
    r"|\bwho\s+(?:is|was|became|(?:is|was|got)\s+elected)\s+(?:the\s+)?(?P<office>president)\b"
    r"(?=\W*\Z|\s+(?:in|when|during|after|before|between|from|on|at|while)\b)",
    re.IGNORECASE,
)
_BOTH = {
    ("brothers", "sisters"): "siblings", ("mother", "father"): "parents", ("mom", "dad"): "parents",
    ("sons", "daughters"): "children", ("husbands", "wives"): "spouses",
    ("grandmother", "grandfather"): "grandparents",
}  # fmt: skip
"""Two words for what one says."""
_AT_LENGTH = {
    "right now": "now", "at the moment": "now", "at this moment": "now", "these days": "now",
    "as of now": "now", "as we speak": "now", "at present": "now", "way back in": "in", "back in": "in",
}  # fmt: skip
_PHRASES = "|".join(phrase.replace(" ", r"\s+") for phrase in _AT_LENGTH)
_PAIRS = "|".join(rf"{a}\s+(?:and|or|&)\s+{b}" for pair in _BOTH for a, b in (pair, pair[::-1]))
_LIVE = re.compile(
    r"\W*how many\s+(?:people|inhabitants|residents|persons|citizens)\s+(?:(?:do\s+)?(?:live|living|reside)"
    r"|are\s+(?:living\s+|there\s+(?:living\s+)?)?)\s*in\s+(?:the\s+)?",
    re.IGNORECASE,
)
_CARDINALS = "zero one two three four five six seven eight nine ten".split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split()
_MOST_RANKED = 100
_BEST = r"(?=(?:most\s+\w+|(?!west\b|best\b|rest\b|east\b|guest\b|forest\b|interest\b)\w{2,}est)\b)"
_RANK = re.compile(rf"\b(?P<number>\d+(?:nd|rd|th)|{'|'.join(_ORDINALS[2:])})[\s-]+{_BEST}", re.IGNORECASE)
_SOME_OF_THEM = re.compile(
    rf"\b(?:top\s+)?(?P<number>\d{{1,2}}|{'|'.join(_CARDINALS[2:])})\s+{_BEST}"
    rf"|\b(?P<kept>first|last|latest|earliest|newest)\s+(?P<count>\d{{1,2}}|{'|'.join(_CARDINALS[2:])})\b"
    r"(?!\s+years?\b)",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\A\W*(?:please\s+)?(?:(?:list|name|show|give)(?:\s+me)?\s+)?(?:all|every|each)(?:\s+(?:of\s+)?the)?\s+",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:of|in|by|invented|discovered|designed|built|wrote|directed|created|starring)\s+(?:(?:the|an?)\s+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?P<name>[\w' .&-]*\w)(?P<mark>\W*)")
_EXCEPT = re.compile(
    r"(?<![\w'-])(?:besides|apart from|aside from|other than|except(?: for)?|excluding|in addition to)"
    r"\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:,|,?\s+(?:and|or|nor))\s+(?:the\s+)?", re.IGNORECASE)
_WORD = re.compile(rf"(?<![\w'./-])(?:{_PAIRS}|{_PHRASES}|[a-z]+\d?)(?![\w'/-]|\.\w)", re.IGNORECASE)


def spelt_out(text: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The text with such words in full outside its names, with 'right now' and 'back in' in fewer, and where
    the names stand then."""
    out, at, shifts = "", 0, [(0, 0)]
    for m in _WORD.finditer(text):
        said = m[0].lower().split()
        ends = said[0], said[-1]
        full = _FULL.get(said[0]) if len(said) == 1 else _AT_LENGTH.get(" ".join(said))
        full = full or _BOTH.get(ends) or _BOTH.get(ends[::-1])
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


def without_exceptions(text: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The text without what it says is not meant, and the names of that: 'Apart from Jaws, what did he
    direct?' asks for what he directed. The text and nothing where it names nothing else."""
    left_out: list[Mention] = []
    cut: tuple[int, int] | None = None
    for m in sorted(mentions, key=lambda m: m.start):
        if left_out and _AND.fullmatch(text, left_out[-1].end, m.start):
            left_out.append(m)
        elif not left_out and (begins := _EXCEPT.search(text[: m.start])):
            left_out, cut = [m], begins.span()
    if cut is None or len(left_out) == len(mentions):
        return text, ()
    rest = re.sub(r"\A[\s,]+", " ", text[left_out[-1].end :])
    whole = f"{text[: cut[0]].rstrip(' ,')} {rest}" if _ends(rest) else f"{text[: cut[0]]} {rest}"
    whole = re.sub(r"\s+", " ", whole).strip().replace(" ?", "?")
    return whole[:1].upper() + whole[1:], tuple(left_out)


def _ends(rest: str) -> bool:
    return not any(map(str.isalnum, rest))


def without_rank(text: str, mentions: Sequence[Mention]) -> tuple[str, int, int]:
    """The text that asks for the first of its order, and from which place on how many are asked for: 'the
    second longest river' asks for one, from place 1 (0 is the first), 'the top 5 longest' for five."""
    for pattern in (_RANK, _SOME_OF_THEM):
        said = pattern.search(text)
        if said is not None and not any(m.start < said.end() and said.start() < m.end for m in mentions):
            number = _number_of(said["number"] or said["count"])
            if not 2 <= number <= _MOST_RANKED:
                continue
            rest = f"{text[: said.start()]}{said.groupdict().get('kept') or ''}{text[said.end() :]}"
            return (rest, number - 1, 1) if pattern is _RANK else (rest, 0, number)
    return text, 0, 1


def _number_of(word: str) -> int:
    digits = re.match(r"\d+", word)
    if digits is not None:
        return int(digits[0])
    low = word.lower()
    return next((i for row in (_ORDINALS, _CARDINALS) for i, w in enumerate(row) if w == low), 0)


def plainer(text: str, mentions: Sequence[Mention]) -> Iterator[str]:
    """Other ways to put a question that was not understood: without 'list all'; where nothing was recognised,
    with what it ends in as a name, in quotes."""
    plain = _LIST.sub("", text)
    if plain != text:
        yield plain
    for said in () if mentions else _NAMED.finditer(text):
        tail = _TAIL.fullmatch(text, said.end())
        if tail is not None:
            yield f'{text[: said.end()]}"{tail["name"]}"{tail["mark"]}'


def of_inhabitants(text: str, mentions: Sequence[Mention]) -> str:
    """'how many people live in Tokyo' as the question for its population."""
    for m in mentions:
        if _LIVE.fullmatch(text, 0, m.start) and not any(map(str.isalnum, text[m.end :])):
            return f"What is the population of {m.text}?"
    return text


def of_which_country(text: str, mentions: Sequence[Mention]) -> str:
    """The text with 'US president' where it speaks of presidents and names no other country."""
    named = {t for m in mentions for c in m.candidates[:1] for t in c.types if c.label != _DEFAULT}
    found = _PRESIDENT.search(text) if _COUNTRY not in named else None
    at = max(found.start("noun"), found.start("office")) if found else 0
    return f"{text[:at]}US {text[at:]}" if found else text


def with_last_names(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """The text with both last names where two people of one are named: 'Charlotte or Emily Brontë'. Only
    where someone has the first one's full name; `link` tells."""
    for m in sorted(mentions, key=lambda m: -m.start):
        first = _FIRST_OF_TWO.search(text[: m.start])
        _, _, last = m.text.rpartition(" ")
        if first is None or last == m.text or not _is_person(m, m.text):
            continue
        name = f"{first['first']} {last}"
        if any(_is_person(n, name) for n in link(name)):
            text = f"{text[: first.start()]}{name}{first['joined']}{text[m.start :]}"
    return text


def _is_person(mention: Mention, name: str) -> bool:
    """Whether the whole of the name is a person's."""
    likeliest: list[Iri] = [t for c in mention.candidates[:1] if c.score >= _EXACT for t in c.types]
    return mention.text == name and _PERSON in likeliest
