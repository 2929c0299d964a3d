"""More of what questions say in other words than the parser has seen: elections, ceremonies and years of
awards, statehood, sides of a war, spans of years, things compared.

Each gives the text put otherwise, or the text itself where it says no such thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kbqa.protocols import Mention
from kbqa.types import freebase

_ELEMENT = re.compile(
    r"\b(?:symbol|atomic\s+(?:number|weight)|chemical\s+element)\b.*?\b(?:of|for|is)\s+(?:the\s+element\s+)?"
    r"(?P<name>[a-z]+)(?=\W*\Z)",
    re.IGNORECASE,
)
_CHEMICAL = freebase("chemistry.chemical_element")
_GRANDS = {
    "grandparents of": "parents of the parents of",
    "grandchildren of": "children of the children of",
    "grandkids of": "children of the children of",
}
_GRAND = re.compile(rf"\b(?:{'|'.join(_GRANDS)})\b", re.IGNORECASE)
_ELECTION = re.compile(
    r"\W*who\s+(?:won|was\s+the\s+winner\s+of|came\s+first\s+in)\s+the\s+(?:(?P<before>[12]\d{3})\s+)?"
    r"(?:(?P<land>[\w.]+(?:\s+[\w.]+)?)\s+)?(?P<of>presidential|general|parliamentary)\s+elections?"
    r"(?:\s+(?:in|of)\s+(?P<year>[12]\d{3}))?\W*",
    re.IGNORECASE,
)
_AS_OF = re.compile(r",?\s+as\s+of\s+(?:the\s+(?:end|start)\s+of\s+)?[12]\d{3}(?=\W*\Z)", re.IGNORECASE)
_MOST_SAID = re.compile(r"\b(?:the\s+)?most\b", re.IGNORECASE)
_FOR_YEAR = re.compile(r"\s+for\s+(?:the\s+year\s+)?(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_NO_PART = re.compile(r"(?P<no>\bnot|n['’]t)\s+(?:a\s+)?part\s+of\b", re.IGNORECASE)
_CEREMONY = re.compile(
    r"\b(?:at|during|in)\s+the\s+(?:(?P<before>[12]\d{3})\s+)?(?:oscars?|academy\s+awards?)\s+"
    r"(?:ceremony|show|night|telecast)(?:(?:\s+that\s+was)?\s+(?:held|hosted|that\s+took\s+place|broadcast)?\s*"
    r"(?:in|of|from)\s+(?P<year>[12]\d{3}))?(?=\W*\Z)",
    re.IGNORECASE,
)
_IS_MORE = re.compile(
    r"\W*(?P<is>is|are|was|were)\s+(?P<one>\S.*?)\s+(?P<more>[a-z]{2,}er)\s+or\s+(?P<other>\S.*?)\W*",
    re.IGNORECASE,
)
_MORE_OF_THEM = re.compile(
    r"(?P<them>\A\W*(?:which|who)\s+(?:one\s+)?of\s+(?:the|these|those)\s.*?\b)"
    r"(?P<did>won|has|had|have|directed|wrote|written|made|released|starred\s+in)\s+more\s+(?!.*\bthan\b)",
    re.IGNORECASE,
)
_SIDES = re.compile(
    r"\b(?:union|confederate)(?=\s+(?:army|armies|general|commander|forces?|troops?|side|soldiers?|leader)s?\b)"
)
_STATEHOOD = (
    (
        re.compile(r"\b(?:admitted|accepted|taken)\s+(?:in)?to\s+the\s+union(?:\s+as\s+a\s+state)?\b", re.I),
        "founded",
    ),
    (
        re.compile(r"\bdid\s+(?P<state>\S.*?)\s+(?:join\s+the\s+union|become\s+a\s+(?:us\s+)?state)\b", re.I),
        r"was \g<state> founded",
    ),
    (
        re.compile(r"\b(?:joined\s+the\s+union|(?:became|become)\s+a\s+(?:us\s+)?state)\b", re.I),
        "was founded",
    ),
)
_MENS_SPORT = re.compile(
    r"\s+in\s+(?P<whose>men|mens|men['’]s|womens?|women['’]s|lad(?:y|ies)['’]?)\s+(?:tennis|golf|singles)\b",
    re.I,
)
_THAT_YEAR = re.compile(
    r",?\s+(?:in\s+)?(?:the\s+(?:year|time)\s+(?:that\s+|when\s+)?|when\s+)it\s+was\s+(?P<held>(?:held|played|hosted)\s+(?:in|by)\b)",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"\b(?:from|in|during|between)\s+(?:the\s+(?:year|years)\s+)?([12]\d{3})\s*"
    r"(?:(?:all the way\s+|right\s+)?(?:up\s+)?(?:to|until|till|through|thru)|[-–—])\s*"
    r"(?:the\s+year\s+)?([12]\d{3})\b",
    re.IGNORECASE,
)


def of_that_year(text: str, mentions: Sequence[Mention]) -> str:
    """'won the World Cup the year it was held in Chile' as what was held there."""
    return _THAT_YEAR.sub(r" \g<held>", text)


def of_element(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """'the symbol of gold' with the element in quotes, where its name is a common word."""
    said = _ELEMENT.search(text)
    if said is None:
        return text
    quoted = f'"{said["name"]}"'
    known = any(_CHEMICAL in c.types for m in link(quoted) for c in m.candidates[:1])
    return f"{text[: said.start('name')]}{quoted}{text[said.end('name') :]}" if known else text


def of_grandparents(text: str, mentions: Sequence[Mention]) -> str:
    """'the grandparents of Prince William' as the parents of his parents."""
    return _GRAND.sub(lambda said: _GRANDS[said[0].lower()], text)


def of_election(text: str, mentions: Sequence[Mention]) -> str:
    """'Who won the 2012 French presidential election?' as who was elected."""
    said = _ELECTION.fullmatch(text)
    if said is None:
        return text
    office = "prime minister" if said["of"] and said["of"].lower() != "presidential" else "president"
    land, year = said["land"] or "US", said["before"] or said["year"]
    return f"Who was elected {land} {office} in {year}?" if year else text


def of_most_by(text: str, mentions: Sequence[Mention]) -> str:
    """'Who has won the most ..., as of 2015?' without the day that it was written."""
    return _AS_OF.sub("", text) if _MOST_SAID.search(text) else text


def of_honour_year(text: str, mentions: Sequence[Mention]) -> str:
    """'the Best Picture Oscar for 1985' with the year as others say it."""
    ends = {m.end for m in mentions}
    return _FOR_YEAR.sub(lambda said: f" in {said['year']}" if said.start() in ends else said[0], text)


def of_part(text: str, mentions: Sequence[Mention]) -> str:
    """'isn't part of Italy' as what is not in Italy."""
    return _NO_PART.sub(r"\g<no> in", text)


def of_ceremony(text: str, mentions: Sequence[Mention]) -> str:
    """'at the Oscars ceremony held in 2015' as at the 2015 Academy Awards."""
    said = _CEREMONY.search(text)
    year = (said["year"] or said["before"]) if said is not None else None
    if said is None or year is None:
        return text
    return f"{text[: said.start()]}at the {year} Academy Awards{text[said.end() :]}"


def of_two_compared(text: str, mentions: Sequence[Mention]) -> str:
    """'Is the Volga longer or the Danube?' as which of them is."""
    said = _IS_MORE.fullmatch(text)
    if said is None or len(mentions) != 2:
        return text
    return f"Which {said['is']} {said['more']}, {said['one']} or {said['other']}?"


def of_more_of_them(text: str, mentions: Sequence[Mention]) -> str:
    """'Which of the sisters won more titles?' as which won the most."""
    return _MORE_OF_THEM.sub(r"\g<them>\g<did> the most ", text)


def of_sides(text: str, mentions: Sequence[Mention]) -> str:
    """'union army' as the Union's: a name, where soldiers are spoken of."""
    return _SIDES.sub(lambda said: f"{said[0][0].upper()}{said[0][1:]}", text)


def of_statehood(text: str, mentions: Sequence[Mention]) -> str:
    """'When did Ohio join the Union?' and 'was admitted to the Union' as when it was founded."""
    for pattern, founded in _STATEHOOD:
        text = pattern.sub(founded, text)
    return text


def of_mens_sport(text: str, mentions: Sequence[Mention]) -> str:
    """'Who has won the most majors in women's golf?' as which woman has."""
    said = _MENS_SPORT.search(text)
    if said is None or not re.match(r"\W*who\b", text, re.IGNORECASE):
        return text
    who = "woman" if said["whose"].lower().startswith(("wom", "lad")) else "man"
    return re.sub(r"\bwho\b", f"which {who}", _MENS_SPORT.sub("", text), count=1, flags=re.IGNORECASE)


def of_span(text: str, mentions: Sequence[Mention]) -> str:
    """'from 1990 up to 2015' and '1990-2015' with the years as others say it: 'between 1990 and 2015'."""
    return _SPAN.sub(r"between \1 and \2", text)
