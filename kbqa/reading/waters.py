"""Coasts and boundaries put otherwise: 'states bordering Lake Erie' are those that it partly lies in, 'the
seas that border Italy' lie partly there, and 'states bordering Canada' have a part of the boundary with it,
for in the data lands border lands of their own sort alone. Countries without a coast are landlocked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, instead, told
from kbqa.reading.rule import Run
from kbqa.types import Find, Hop, Ref, freebase

_WATER, _RIVER = freebase("geography.body_of_water"), freebase("geography.river")
_SHORE = r"(?:coast(?:line)?|shore(?:line)?|seaboard|waterfront|beach(?:es)?|border|edge|frontage)s?"
_TO_WATER = re.compile(
    r"\b(?P<land>(?:countr(?:y|ies)|nations?|states?|provinces?)\b(?:\s+in\s+(?:the\s+)?[\w ]{2,20}?)?)\s+"
    r"(?P<that>(?:that|which)\s+)?(?:(?:all|both|also)\s+)?"
    r"(?:(?P<finite>(?:(?:lies?|sits?|are|is)\s+(?:located\s+|situated\s+)?(?:on|along|around)"
    rf"(?:\s+the\s+{_SHORE}\s+of)?|border(?:s|ed)?(?:\s+on)?|touch(?:es)?|surrounds?|shares?|meets?"
    rf"|(?:have|has|got)\s+(?:an?\s+|any\s+|some\s+)?{_SHORE}\s+(?:on|along|with|of|at)))"
    rf"|(?:bordering(?:\s+on)?|touching|surrounding|sharing|(?:with|having)\s+(?:an?\s+)?{_SHORE}\s+(?:on|along|with|of|at)"
    rf"|(?:located\s+|situated\s+|lying\s+)?(?:on|along|around)(?:\s+the\s+{_SHORE}\s+of)?))\s+(?:both\s+)?(?:the\s+)?\Z",
    re.IGNORECASE,
)
"""What is said of lands, before the name of a water."""
_TO_LAND = re.compile(
    r"\b(?:(?:the\s+)?(?:great\s+)?(?P<water>lakes?|seas?|oceans?|gulfs?|bod(?:y|ies)\s+of\s+water))\s+"
    r"(?:(?:that|which)\s+)?(?:(?:do|does)\s+)?"
    r"(?:border(?:s|ing)?|touch(?:es|ing)?|surround(?:s|ing)?|lies?\s+(?:next\s+to|off|along)"
    r"|(?:is|are)\s+(?:next\s+to|off|on|along)|wash(?:es)?)\s+(?:both\s+)?(?:the\s+)?(?:coasts?\s+of\s+)?\Z",
    re.IGNORECASE,
)
"""What is said of waters, before the name of a land."""
_WATERS_BORDER = re.compile(
    r"\b(?:seas?|oceans?|gulfs?|bod(?:y|ies)\s+of\s+water)\b.*\b(?:border|touch|surround|next\s+to)",
    re.IGNORECASE,
)
_BORDERS, _LIE_THERE = (
    freebase("location.location.adjoin_s"),
    (Hop(freebase("location.location.partially_containedby"), True),),
)
_INLAND = re.compile(
    r"(?:\s+(?:that|which))?\s+(?:is|are)\s+landlocked\b"
    r"|(?:\s+(?:that|which))?\s+(?:with(?:out)?|ha(?:s|ve|ving)|lack(?:s|ing)?|do(?:es)?(?:\s+not|n['’]t)\s+have)"
    r"\s+(?:(?:no|any|an?)\s+)?(?:direct\s+)?"
    r"(?:coastlines?|coasts?|access\s+to\s+(?:the\s+|an?\s+)?(?:seas?|oceans?)|sea access)\b",
    re.IGNORECASE,
)
_INLAND_SAID = re.compile(r"\b(?:landlocked|without|no|lack\w*|n['’]t|not)\b", re.IGNORECASE)
_COUNTRIES = re.compile(r"\b(?P<noun>countr(?:y|ies)|nations?|states?)\b", re.IGNORECASE)
_BOUNDS = re.compile(
    r"\b(?P<verb>border(?:s|ed)?(?:\s+on)?|touch(?:es|ed)?|(?:shares?|ha(?:s|ve))\s+(?:an?\s+)?(?:land\s+)?borders?\s+with"
    r"|(?:are|is)\s+next\s+to|(?P<part>(?:bordering(?:\s+on)?|touching|next\s+to|(?:sharing|with)\s+an?\s+border\s+with)))"
    r"\s+(?:the\s+)?\Z|(?P<noun>\b(?:an?\s+)?(?:land\s+)?border\s+with\s+(?:the\s+)?)\Z",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\b(?:states?|provinces?|territor(?:y|ies))\b", re.IGNORECASE)
_AMERICAN = ("United States", "Canada", "Mexico")
"""Countries whose states are meant where no other is named."""
_COUNTRY = freebase("location.country")
_LANDS = frozenset(
    freebase(f"location.{t}")
    for t in ("country", "administrative_division", "us_state", "statistical_region")
)


def of_coast(text: str, mentions: Sequence[Mention]) -> str:
    """'states bordering Lake Erie' as those that partially contain it, and 'seas that border Italy' as those
    that are partly there."""
    for m in sorted(mentions, key=lambda m: m.start):
        types = {t for c in m.candidates[:1] for t in c.types}
        if _WATER in types and _RIVER not in types:
            said = _TO_WATER.search(text[: m.start])
            if said is not None:
                that = "" if said["finite"] and not said["that"] else "that "
                return f"{text[: said.end('land')]} {that}partially contain {text[m.start :]}"
        elif not types.isdisjoint(_LANDS):
            said = _TO_LAND.search(text[: m.start])
            if said is not None:
                water = said["water"]
                be = "are" if water.lower().endswith("s") or water.lower().startswith("bodies") else "is"
                return f"{text[: said.start()]}{water} {be} partly in {text[m.start :]}"
    return text


def of_inland(text: str, mentions: Sequence[Mention]) -> str:
    """'countries with no coastline' and 'countries that are landlocked' as landlocked countries."""
    said, noun = _INLAND.search(text), _COUNTRIES.search(text)
    if said is None or noun is None or noun.start() > said.start() or not _INLAND_SAID.search(said[0]):
        return text
    if any(m.meets(*said.span()) and m.exact for m in mentions):
        return text
    before = text[: noun.start()].rstrip()
    start = next(
        (m.start for m in mentions if m.end == len(before)), noun.start()
    )  # 'South American nations'
    end = text[said.end() :] if re.search(r"\w", text[noun.end() :].replace(said[0], "")) else " are there?"
    return f"{text[:start]}landlocked {text[start : said.start()]}{end}"


def of_boundary(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """'states that border Canada' as those that contain a part of its boundary with their own country. Only
    where there is such a thing; `link` tells."""
    parts = _PARTS.search(text)
    for m in mentions if parts is not None else ():
        of = next((c for c in m.candidates[:1] if _COUNTRY in c.types), None)
        said = _BOUNDS.search(text[: m.start])
        if of is None or said is None:
            continue
        others = [c.label for n in mentions for c in n.candidates[:1] if n is not m and _COUNTRY in c.types]
        for other in dict.fromkeys((*others, *_AMERICAN)):
            for name in (f"{of.label}–{other} border", f"{other}–{of.label} border"):
                if any(n.exact and n.text == name for n in link(f"Where is the {name}?")):
                    verb = (
                        ""
                        if said["noun"]
                        else "that partially contain "
                        if said["part"]
                        else "partially contain "
                    )
                    return f"{text[: said.start()]}{verb}the {name}{text[m.end :]}"
    return text


def waters_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading of waters that border what is described with those that lie partly in it, where it takes
    the lands that border it. The same otherwise."""
    steps = chosen.parse.decomposition.steps
    match steps[-1] if steps and _WATERS_BORDER.search(text) else None:
        case Find(Ref() as land, (Hop(predicate), *_)) if predicate == _BORDERS:
            return instead(chosen, told(run, (*steps[:-1], Find(land, _LIE_THERE))))
    return chosen
