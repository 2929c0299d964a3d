"""What is left out in a hurry, in full: 'flicks b4 1995' is read as 'films before 1995', 'Bill and Hillary
Clinton' as both by their full names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kbqa.lexicon.numbers import ORDINALS
from kbqa.protocols import Candidate, Mention
from kbqa.types import Iri, freebase

_FULL = {
    "b4": "before", "lang": "language", "langs": "languages", "prez": "president", "pres": "president",
    "pm": "prime minister", "pms": "prime ministers",
    "uni": "university", "univ": "university", "unis": "universities", "flick": "film", "flicks": "films",
    "bday": "birthday", "dob": "date of birth", "hubby": "husband",
    "hq": "headquarters", "govt": "government", "gov": "governor", "yr": "year", "yrs": "years",
    "mom": "mother", "mum": "mother", "mommy": "mother", "mummy": "mother", "dad": "father",
    "daddy": "father",
    "grandma": "grandmother", "granny": "grandmother", "grandpa": "grandfather", "granddad": "grandfather",
    "eldest": "oldest", "champs": "champions", "bball": "basketball", "nr": "number", "capitol": "capital",
    "w/": "with", "w/o": "without",
}  # fmt: skip
_PERSON = freebase("people.person")
_BEARERS = 2
_FIRST_OF_TWO = re.compile(r"\b(?P<first>[^\W\d_][\w'-]+)(?P<joined>\s+(?:and|or|&)\s+)\Z")
_NUMERALS = "- I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split()
_REIGNED = re.compile(
    r"\b(?P<first>[^\W\d_][\w-]+)\s+"
    rf"(?:(?:the\s+)?(?P<number>\d{{1,2}})(?:st|nd|rd|th)|the\s+(?P<word>{'|'.join(ORDINALS[1:21])}))"
    r"(?P<own>['’]?s)?\b(?=['’]s|\W*\Z|\W*[,;:?]|\s+(?!century\b))",
    re.IGNORECASE,
)
_REIGNED_ALONE = re.compile(
    r"['’]|\W*\Z|\W*[,;:?]|\s+(?:of|is|was|had|did|has|and|or|die[ds]?|rule[ds]?|reign\w*|marr\w+|born)\b",
    re.IGNORECASE,
)
"""What may stand after 'Mary the First': 'the first queen' is no name."""
_OWNS = re.compile(
    r"\s+(?:(?:first|second|last|oldest|youngest|only)\s+)?(?:vice[\s-]president|(?:prime\s+)?minister|successor|predecessor"
    r"|wife|husband|spouse|father|mother|parents?|sons?|daughters?|child(?:ren)?|kids|brothers?|sisters?|siblings?"
    r"|party|home|birth\w*|death|religion|job|alma\s+mater|nickname|capital|currency|population|neighbou?rs?)\b",
    re.IGNORECASE,
)
"""What somebody or some place has, after the name."""
_COUNTRY, _DEFAULT = freebase("location.country"), "United States"
_PRESIDENT = re.compile(
    r"(?:(?<![\w'-])(?:which|what|recent|young|old|youngest|oldest|first|last|latest|earliest|only|many|any|all|the"
    r"|that)\s+(?:(?:two|three|four|five|six|eight|\d{1,2})\s+)?|\A\W*)"
    r"(?P<noun>presidents?)\b(?!\s+(?:of|for|and\s+ceo)\b|\W?s\s)"
    r"|\bwho\s+(?:is|was|became|(?:is|was|got)\s+elected)\s+(?:the\s+)?(?P<office>president)\b"
    r"(?=\W*\Z|\s+(?:in|when|during|after|before|between|from|on|at|while)\b)",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?:\b(?:which|what|how many|list(?: the| all)?|name(?: the| all)?|all(?: the)?|only|first|last"
    r"|(?:most|least) \w+|\w{3,}est)|\A\W*)\s+(?P<noun>states?)"
    r"(?=\W*\Z|\s+(?:has|have|had|is|are|was|were|did|do|does|border\w*|touch\w*|that|where|whose|with"
    r"|without|by|joined|entered|became|voted|named)\b)",
    re.IGNORECASE,
)
_OF_US = re.compile(
    r"(?<!vice )(?<!vice-)\b(?P<noun>presidents?)\s+(?:(?:of|in)\s+)?(?:the\s+)?"
    r"(?:usa|u\.s\.a?\.|united states)(?!\s+\w*(?:senate|house))\b",
    re.IGNORECASE,
)
_BOTH = {
    ("brothers", "sisters"): "siblings", ("mother", "father"): "parents", ("mom", "dad"): "parents",
    ("sons", "daughters"): "children", ("husbands", "wives"): "spouses",
    ("grandmother", "grandfather"): "grandparents",
}  # fmt: skip
"""Two words for what one says."""
_OFTEN_COUNTED = 3
"""Numbers up to this one are more often said of what follows: 'her third husband'."""
_AT_LENGTH = {
    "vp": "vice president", "vps": "vice presidents",
    "right now": "now", "at the moment": "now", "at this moment": "now", "these days": "now",
    "as of now": "now", "as we speak": "now", "at present": "now", "way back in": "in", "back in": "in",
    "killed themselves": "died of suicide", "killed himself": "died of suicide",
    "killed herself": "died of suicide", "committed suicide": "died of suicide",
    "took his own life": "died of suicide", "took her own life": "died of suicide",
    "took their own lives": "died of suicide", "took their own life": "died of suicide",
    "killed in office": "assassinated", "killed while in office": "assassinated",
    "assassinated in office": "assassinated", "assassinated while in office": "assassinated",
    "murdered in office": "assassinated", "shot dead": "assassinated",
    "shot and killed": "assassinated", "passed away": "died", "pass away": "die",
    "lifted the": "won the", "bagged": "won", "scooped": "won", "clinched": "won", "outlived": "died after",
    "outlive": "die after",
    "came into the world": "was born", "come into the world": "born", "hit theaters": "come out",
    "hit theatres": "come out", "hit cinemas": "come out", "hit the cinemas": "come out",
    "hit the big screen": "come out", "reach cinemas": "come out", "reached cinemas": "came out",
    "reach theaters": "come out", "reached theaters": "came out",
    "car makers": "car companies", "car manufacturers": "car companies", "motion picture": "film",
    "motion pictures": "films", "the us": "the US",
    "got admitted to": "joined", "was admitted to": "joined", "were admitted to": "joined",
    "the usa": "the USA",
}  # fmt: skip
_PHRASES = "|".join(phrase.replace(" ", r"\s+") for phrase in _AT_LENGTH)
_PAIRS = "|".join(rf"{a}\s+(?:and|or|&)\s+{b}" for pair in _BOTH for a, b in (pair, pair[::-1]))
_WORD = re.compile(
    rf"(?<![\w'./-])(?:{_PAIRS}|{_PHRASES}|w/o?(?=\s)|[a-z]+\d?|(?P<year>['’]\d\d)(?P<decade>s)?)(?![\w'/-]|\.\w)",
    re.IGNORECASE,
)
_LATEST = 30
"""Years of two digits from here on are those of the last century: 'in '77'."""


def spelt_out(text: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The text with such words in full outside its names, with 'right now' and 'back in' in fewer, and where
    the names stand then."""
    out, at, shifts = "", 0, [(0, 0)]
    for m in _WORD.finditer(text):
        said = m[0].lower().split()
        ends = said[0], said[-1]
        full = _AT_LENGTH.get(" ".join(said)) or (_FULL.get(said[0]) if len(said) == 1 else None)
        full = full or _BOTH.get(ends) or _BOTH.get(ends[::-1]) or _year(m)
        named = [n for n in mentions if n.meets(*m.span())]
        doubtful = " ".join(said) in _AT_LENGTH
        if full is None or any(n.exact or not doubtful for n in named):
            continue
        mentions = [n for n in mentions if n not in named]
        out += text[at : m.start()] + full
        at = m.end()
        shifts.append((at, len(out) - at))
    if at == 0:
        return text, tuple(mentions)

    def moved(place: int) -> int:
        return place + max(s for s in shifts if s[0] <= place)[1]

    return out + text[at:], tuple(replace(n, start=moved(n.start), end=moved(n.end)) for n in mentions)


def _year(said: re.Match[str]) -> str | None:
    """A year, or decade, of two digits in full."""
    if said["year"] is None:
        return None
    century = "19" if int(said["year"][1:]) >= _LATEST else "20"
    return f"{century}{said['year'][1:]}{said['decade'] or ''}"


def of_which_country(text: str, mentions: Sequence[Mention]) -> str:
    """The text with 'US president' where it speaks of presidents and names no other country, with 'US state'
    where it speaks of states and names nothing at all."""
    text = _OF_US.sub(lambda said: f"US {said['noun']}", text)
    named = {t for m in mentions for c in m.candidates[:1] for t in c.types if c.label != _DEFAULT}
    if _COUNTRY in named:
        return text
    state, president = None if mentions else _STATE.search(text), _PRESIDENT.search(text)
    if state is not None:
        at = state.start("noun")
    elif president is not None:
        at = max(president.start("noun"), president.start("office"))
    else:
        return text
    return f"{text[:at]}US {text[at:]}"


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


def with_apostrophes(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """The text with the apostrophe that is left out in a hurry: 'lincolns vice president'. Only where nothing
    is called so, and somebody is without the 's'; `link` tells."""
    for m in sorted(mentions, key=lambda m: -m.start):
        owns = _OWNS.match(text, m.end)
        if m.exact or not m.text.lower().endswith("s") or m.text.endswith("'s") or owns is None:
            continue
        whole = f"{text[: m.start]}{m.text[:-1].title()}'s{text[m.end :]}"
        if any(n.start == m.start and n.end == m.end - 1 and n.exact for n in link(whole)):
            text = whole
    return text


def with_numerals(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """The text with the names of monarchs and popes as they are written: 'Henry the Eighth' as 'Henry VIII'.
    Only where someone has that name; `link` tells."""
    for said in reversed([*_REIGNED.finditer(text)]):
        number = int(said["number"]) if said["number"] else ORDINALS.index(said["word"].lower())
        early = number <= _OFTEN_COUNTED and said["own"] is None
        if not 0 < number < len(_NUMERALS) or (early and not _REIGNED_ALONE.match(text, said.end())):
            continue
        name = f"{said['first'].capitalize()} {_NUMERALS[number]}"
        if any(_is_person(n, name) for n in link(name)):
            own = "'s" if said["own"] else ""
            text = f"{text[: said.start()]}{name}{own}{text[said.end() :]}"
    return text


def bearers(mention: Mention) -> tuple[Candidate, ...]:
    """The best known people among the candidates whose last name the mention is."""
    last = mention.text.casefold()
    people = [
        c
        for c in mention.candidates
        if _PERSON in c.types and c.label.casefold() != last and c.label.casefold().endswith(f" {last}")
    ]
    return tuple(sorted(people, key=lambda c: -c.degree)[:_BEARERS])


def _is_person(mention: Mention, name: str) -> bool:
    """Whether the whole of the name is a person's."""
    likeliest: list[Iri] = [t for c in mention.candidates[:1] if c.exact for t in c.types]
    return mention.text == name and _PERSON in likeliest
