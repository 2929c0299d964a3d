"""Which of a parser's readings to show: its likelihood, and what their answers say for them.

A parser sees words only. Whether a reading has answers, whether they are of the kind that was asked
for ('which city'), and how much of what the question says it speaks of, is known when it has been run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

from kbqa.dialogue import Parse
from kbqa.intake import constants_of
from kbqa.lexicon import Lexicon
from kbqa.lexicon.nouns import plural
from kbqa.link import key
from kbqa.protocols import Mention
from kbqa.reading.coverage import spoken
from kbqa.types import XSD, Constant, Decomposition, Iri, Literal, freebase

Sort = Choice["person", "place", "date", "number", "kind"]
Kinds = Mapping[Iri, tuple[str, tuple[str, ...]]]
"""Types: their names and the common nouns for their instances."""
_ASKING = re.compile(
    r"\b(who|whom|whose|where|when|(?:(?:what|which|know|knowing) |\A)(?:years?|dates?|day)"
    r"(?! \d| of the week)"
    r"|how many|how much|how long|how old|what|which)\b"
)
_SORTS: dict[str, Sort] = {
    "who": "person", "whom": "person", "where": "place", "when": "date", "how many": "number",
    "how much": "number",
}  # fmt: skip
_RELATIVE = frozenset(("who", "whom", "whose", "where", "which", "when"))
"""These may stand after what is asked for, too: 'the club whose mascot is ...'."""
_LOOKED_AT = 20
"""So many answers are looked at."""
_NOUN_WITHIN = 4
"""How many words after 'what' or 'which' the noun may stand: 'which big texas university'."""
_PEOPLE = frozenset(
    freebase(t)
    for t in (
        "people.person", "film.film_character", "tv.tv_character", "book.book_character",
        "fictional_universe.fictional_character", "music.musical_group", "sports.mascot",
        "sports.sports_team",
    )
)  # fmt: skip
_NO_PLACES = frozenset(
    freebase(t)
    for t in (
        "people.person", "film.film", "music.composition", "book.written_work", "award.award_category",
        "people.profession",
    )
)  # fmt: skip
_NUMBERS = frozenset(XSD + t for t in ("integer", "int", "decimal", "float", "double"))
DATES = frozenset(XSD + t for t in ("date", "dateTime", "gYear", "gYearMonth"))


@dataclass(frozen=True)
class Focus:
    """The sort of answers wanted; of 'kind' those that have any of the types, or one whose id says the
    noun: 'team' of `sports.sports_team`."""

    sort: Sort
    types: frozenset[Iri] = frozenset()
    nouns: frozenset[str] = frozenset()


def focus(question: str, kinds: Kinds) -> Focus | None:
    """What is asked for; None where no word says so."""
    text = key(question)
    for m in _ASKING.finditer(text):
        if m.start() and m[1] in _RELATIVE:
            described = _named(text[: m.start()].split(), kinds)
            if described is not None:
                return described
        if m[1] in ("what", "which"):
            wanted = _named(text[m.end() :].split()[:_NOUN_WITHIN], kinds)
            if wanted is not None:
                return wanted
        elif m[1].endswith(("year", "years", "date", "dates", "day")):
            return Focus("date")
        elif m[1] in _SORTS:
            return Focus(_SORTS[m[1]])
    if _ASKING.search(text):
        return None
    return _named(text.split()[:2], kinds)


def _named(words: Sequence[str], kinds: Kinds) -> Focus | None:
    """The first noun among these words; None where 'of' or a verb comes before."""
    for end in range(1, len(words) + 1):
        if words[end - 1] in _ENDING:
            return None
        for start in range(max(0, end - 3), end):
            said = " ".join(words[start:end])
            found = {
                iri: noun
                for iri, (_, nouns) in kinds.items()
                for noun in nouns
                if said in (noun, plural(noun))
            }
            if found:
                return Focus("kind", frozenset(found), frozenset(found.values()))
    return None


_ENDING = frozenset(
    "of in on at for is are was were did do does has have had that who which by with to from".split()
)


def fits(wanted: Focus, answers: Sequence[Constant], types: Callable[[Iri], Sequence[Iri]]) -> bool | None:
    """Whether some of the answers are of the sort wanted; None where that can't be told."""
    if not answers:
        return None
    literals = [a for a in answers if isinstance(a, Literal)]
    entities = [a for a in answers if isinstance(a, Iri)]
    if wanted.sort == "date":
        return any(
            a.datatype in DATES or re.fullmatch(r"-?\d{4}(?:-\d\d){0,2}.*", a.lexical) for a in literals
        )
    if wanted.sort == "number":
        return any(a.datatype in _NUMBERS or re.fullmatch(r"-?[\d.]+", a.lexical) for a in literals)
    if not entities:
        return False
    found = [frozenset(types(e)) for e in entities[:_LOOKED_AT]]
    if not any(found):
        return None
    if wanted.sort == "person":
        return any(f & _PEOPLE for f in found)
    if wanted.sort == "place":
        return not any(f & _NO_PLACES for f in found)
    return any(f & wanted.types for f in found) or any(
        word.startswith(noun.split()[-1]) or word.endswith(noun.split()[-1])
        for noun in wanted.nouns
        for f in found
        for t in f
        for word in _words_of(t)
    )


def _words_of(kind: Iri) -> set[str]:
    """`sports.sports_team` -> {'sports', 'team'}; a `location.citytown` is called a town by the end of it."""
    return set(re.split(r"[._]", re.split(r"[/#]", kind.value)[-1].rpartition(".")[2].lower()))


@dataclass(frozen=True)
class Ranking:
    """What a reading is worth beside its log probability; chosen on synthetic questions
    (`bench/ranking.py`)."""

    fit: float = 1.0
    """Answers of the sort that was asked for; as much less for answers of another sort."""
    spoken: float = 3.0
    """All of the question's own words in the reading, against none of them."""
    unused: float = 0.5
    """What one thing that the question names, and the reading leaves out, costs."""
    reread: float = 1.0
    """What one unit of the reranker's score is worth."""
    reread_gap: float = 4.0
    """A reading that is worth less than the best by more is not read once more."""

    def before(
        self,
        parse: Parse,
        question: str,
        mentions: Sequence[Mention],
        lexicon: Lexicon,
        names: Mapping[Iri, str],
    ) -> float:
        """The worth of a reading that has not been run."""
        share = spoken(question, mentions, parse.decomposition, lexicon, names)
        return parse.logprob + self.spoken * share - self.unused * unused(mentions, parse.decomposition)

    def after(
        self,
        before: float,
        wanted: Focus | None,
        answers: Sequence[Constant],
        types: Callable[[Iri], Sequence[Iri]],
    ) -> float:
        """The worth of a reading with these answers (some of them will do)."""
        fitting = None if wanted is None else fits(wanted, answers, types)
        return before if fitting is None else before + (self.fit if fitting else -self.fit)


def unused(mentions: Sequence[Mention], read: Decomposition) -> int:
    """How many of the things that the question names by their very names a reading leaves out."""
    used = {c for s in read.steps for c in constants_of(s)}
    named = [m for m in mentions if m.candidates and m.candidates[0].exact]
    return sum(not any(c.entity in used for c in m.candidates) for m in named)
