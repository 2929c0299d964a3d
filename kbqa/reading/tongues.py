"""The language of a country, and the country of a language, where one is asked for: 'What language do they
speak in the country whose capital is Lima?' asks for the official ones, 'the capital of the country where
Tagalog is spoken' for Manila.
"""

from __future__ import annotations

import re

from kbqa.reading.choosing import Chosen, instead, told
from kbqa.reading.rule import Run
from kbqa.types import Find, Hop, freebase

_ONE_LANGUAGE = re.compile(
    r"\b(?:what|which)(?:['’]?s|\s+is)?\s+(?:the\s+)?language\b|\blanguage\s+(?:of|in)\b", re.IGNORECASE
)
_SPEAKS = r"(?:speaks?|spoken|talks?)"
_ONE_COUNTRY = re.compile(
    rf"\bcountry\s+(?:(?:where|in\s+which)\b.*\b{_SPEAKS}\b|(?:that|which)\s+speaks\b)", re.IGNORECASE
)
_SPOKEN, _OFFICIAL = (
    (Hop(freebase(f"location.country.{kind}")),) for kind in ("languages_spoken", "official_language")
)
_WHERE_SPOKEN = (
    (Hop(freebase("language.human_language.countries_spoken_in")),),
    (Hop(freebase("location.country.languages_spoken"), inverse=True),),
)
_MAIN = (Hop(freebase("language.human_language.main_country")),)


def tongue_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with the official languages of a country of which the question asks one, and the main
    country of a language. The same where it asks for several, or these are not known."""
    steps = chosen.parse.decomposition.steps
    for at, step in enumerate(steps):
        if not isinstance(step, Find) or step.restrictions:
            continue
        if step.path == _SPOKEN and at == len(steps) - 1 and _ONE_LANGUAGE.search(text):
            path = _OFFICIAL
        elif step.path in _WHERE_SPOKEN and at < len(steps) - 1 and _ONE_COUNTRY.search(text):
            path = _MAIN
        else:
            continue
        meant = Find(step.anchor, path)
        return instead(chosen, told(run, (*steps[:at], meant, *steps[at + 1 :])))
    return chosen
