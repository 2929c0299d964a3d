"""Whether a reading speaks of what the question speaks of.

A parser always finds some reading about an entity it recognised. Where none of the question's own
words has to do with the predicates of that reading ('Does it rain in Spain?' read as Spain's
languages), the question was not understood.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from kbqa.intake import without_names
from kbqa.lexicon import Lexicon
from kbqa.lexicon.nouns import NOTABLE_NOUNS, plural
from kbqa.link import key
from kbqa.link.words import FUNCTION
from kbqa.protocols import Mention
from kbqa.types import (
    Check,
    Count,
    Decomposition,
    Find,
    Iri,
    Is,
    Keep,
    Kind,
    Merge,
    Oftenest,
    Path,
    Pick,
    Step,
    Than,
)

_ASIDE = frozenset(
    "tell give name list show know please find people thing things many much some any all also both make "
    "made prior earlier later exactly novel novels current currently now nowadays today".split()
)
_HOW_MANY = re.compile(
    r"\b(?:how many|(?<!phone )number of|count(?: of)?|how often|amount of)\b"
    r"(?P<noun>(?:\s+[\w'-]+){0,3})",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\W*(?:who|what|when|where|which|how)\b", re.IGNORECASE)
_COUNTED = frozenset("people persons men women times things".split())
_OFTEN = re.compile(
    r"\b(?:most(?:ly)?|often\w*|main\w*|usual\w*|common\w*|frequent\w*|top|record|times)\b", re.I
)
_KINDS = frozenset(form for nouns in NOTABLE_NOUNS.values() for n in nouns for form in (n, plural(n)))
"""'What cities are in Canada?' says what kind of thing is wanted, and that alone."""
STEM = 4
_BEGAN = frozenset(w[:STEM] for w in "joined became become signed elected started began took hired".split())
"""Said of what ties things together from some day on."""
_DIVISIONS = "territories cantons prefectures emirates counties departments governorates communities"
_SAID_TOO = {
    "location.country.first_level_divisions": _DIVISIONS,
    "location.country.administrative_divisions": _DIVISIONS,
    "location.administrative_division.country": _DIVISIONS,
    "location.administrative_division.first_level_division_of": _DIVISIONS,
    "people.person.date_of_birth": "old age",
    "time.recurring_event.instances": "took take place held happened",
    "people.marriage.spouse": "wives",
    "people.person.children": "sons",
    "location.dated_location.date_founded": "become became",
    "award.award_honor.award_winner": "given handed awarded honoured honored received gets getting",
    "award.award_winner.awards_won": "given handed awarded honoured honored received gets getting",
    "sports.sports_team_coach_tenure.coach": "manager managers manages managed managing",
    "education.education.institution": "degree learned",
    "education.educational_institution.students_graduates": "degree learned",
}
"""What a question says of a property that no wording of it does: 'How old is ...', 'When did Alaska become a
state?'"""
_ASKED_NOUN = re.compile(r"(?<!\bin )(?<!\bof )(?<!\bfor )\b(?:which|what) (?:other )?(\w{3,})")
_ONES = frozenset(("one", "ones"))


def speaks(
    question: str,
    mentions: Sequence[Mention],
    found: Decomposition,
    lexicon: Lexicon,
    names: Mapping[Iri, str],
) -> bool:
    """Whether a word of the question beside its names stands in the wordings of the reading's paths,
    or names an entity of the reading ('president'), compared by first letters; or the question has
    no such word but a name spelt as the knowledge base spells it. Readings that sort or
    count are taken at their word."""
    asked = _own_words(question, mentions, found)
    asked -= _BEGAN if any(map(_is_dated, found.steps)) else frozenset()
    if not asked and mentions and not any(m.candidates[0].exact for m in mentions if m.candidates):
        return False
    if not asked or not all(isinstance(s, Find | Keep | Merge) for s in found.steps):
        return True
    linked = {c.entity for m in mentions for c in m.candidates if c.exact}
    used = {c for s in found.steps if isinstance(s, Find | Keep) for c in _entities(s)} - linked
    if any(asked & _stems(names.get(e, "")) for e in used):
        return True
    return any(asked & path_stems(path, lexicon) for path in _paths(found))


def spoken(
    question: str,
    mentions: Sequence[Mention],
    found: Decomposition,
    lexicon: Lexicon,
    names: Mapping[Iri, str],
) -> float:
    """0..1: the share of the question's own words that stand, by their first letters, in the wordings
    of the reading's paths or name an entity of the reading that no mention does; 1 without such words."""
    asked = _own_words(question, mentions, found)
    left = unsaid(question, mentions, found, lexicon, names)
    return 1 - len(left) / len(asked) if asked else 1.0


def unsaid(
    question: str,
    mentions: Sequence[Mention],
    found: Decomposition,
    lexicon: Lexicon,
    names: Mapping[Iri, str],
) -> frozenset[str]:
    """The first letters of the question's own words that the reading doesn't say, as `spoken` compares
    them."""
    linked = {c.entity for m in mentions for c in m.candidates if c.exact}
    used = {c for s in found.steps if isinstance(s, Find | Keep) for c in _entities(s)} - linked
    said = {stem for e in used for stem in _stems(names.get(e, ""))}
    said |= {stem for path in _paths(found) for stem in path_stems(path, lexicon)}
    return _own_words(question, mentions, found) - said


def tells_other(
    question: str,
    mentions: Sequence[Mention],
    found: Decomposition,
    lexicon: Lexicon,
    names: Mapping[Iri, str],
    sorts: Container[str],
) -> bool:
    """Whether a reading ends in what the question doesn't ask for: in a number where it asks for none, or for
    that of something the reading has no word of ('How many calories are in a Guinness?' read as how many
    beers), in yes or no where it asks for things, in what comes up most often. `sorts`: nouns of the sorts of
    things."""
    match found.steps[-1:]:
        case (Oftenest(),):
            return _OFTEN.search(question) is None
        case (Check(),):
            return _OPEN.match(question) is not None
        case (Count(),):
            pass
        case _:
            return False
    said = _HOW_MANY.search(without_names(question, mentions, " , "))
    if said is None:
        return True
    words = key(said["noun"]).split()
    if not words or any(w in _KINDS or w in sorts or w in _COUNTED for w in words):
        return False
    own = _own_words(question, mentions, found)
    labels = {stem for m in mentions for c in m.candidates[:1] for stem in _stems(c.label)}
    return bool(own) and unsaid(question, mentions, found, lexicon, names) - labels == own


def says(found: Decomposition, noun: str, lexicon: Lexicon) -> bool:
    """Whether the wordings of one of the reading's paths hold the noun, by its first letters."""
    return any(key(noun).split()[-1][:STEM] in path_stems(path, lexicon) for path in _paths(found))


def calls(found: Decomposition, noun: str, lexicon: Lexicon) -> bool:
    """Whether the noun is what the lexicon calls the answers of one of the reading's paths, by its first
    letters."""
    called = (lexicon.wordings[path].noun for path in _paths(found) if path in lexicon.wordings)
    return any(key(noun).split()[-1][:STEM] in _stems(name) for name in called)


def asked_noun(question: str, mentions: Sequence[Mention], sorts: Container[str]) -> str:
    """The noun after the last 'which' or 'what' of the question, or for 'which one' the last one before that
    is in `sorts`; '' without one, and where that is no noun ('what is', 'the town in which he')."""
    rest = " ".join(without_names(question, mentions).split())
    found = list(_ASKED_NOUN.finditer(rest))
    if not found or (noun := found[-1][1]) in FUNCTION - _ONES:
        return ""
    before = re.findall(r"\w+", rest[: found[-1].start()])
    return next((w for w in reversed(before) if w in sorts), "") if noun in _ONES else noun


def _own_words(question: str, mentions: Sequence[Mention], found: Decomposition) -> frozenset[str]:
    """Stems of the question's words outside the names that the reading uses, without mere grammar."""
    used = {c for s in found.steps if isinstance(s, Find | Keep) for c in _entities(s)}
    rest = without_names(question, [m for m in mentions if any(c.entity in used for c in m.candidates)])
    words = [
        w
        for w in key(rest).split()
        if w not in FUNCTION and w not in _ASIDE and w not in _KINDS and not w.isdigit()
    ]
    return frozenset(w[:STEM] for w in words if len(w) > 2)


def _is_dated(step: Step) -> bool:
    """Whether a step says when what ties things together was so."""
    if not isinstance(step, Find | Keep):
        return False
    tests = [t for r in step.restrictions if r.site == "mediator" for t in r.tests]
    return any(isinstance(t, Than) and t.kind is Kind.DATE for t in tests)


def _entities(step: Find | Keep) -> Iterator[Iri]:
    if isinstance(step.anchor, Iri):
        yield step.anchor
    for r in step.restrictions:
        for test in r.tests:
            if isinstance(test, Is) and isinstance(test.value, Iri):
                yield test.value


def _paths(found: Decomposition) -> Iterator[Path]:
    for step in found.steps:
        if isinstance(step, Find | Keep | Pick) and step.path:
            yield step.path
        if isinstance(step, Find | Keep):
            yield from (r.path for r in step.restrictions if r.path)


def path_stems(path: Path, lexicon: Lexicon) -> frozenset[str]:
    """The first letters of the words that a path is worded by."""
    wording = lexicon.wordings.get(path)
    texts = [hop.predicate.mid.replace(".", " ").replace("_", " ") for hop in path]
    texts += [wording.template, wording.noun] if wording else []
    texts += [w for forms in lexicon.natural.get(path, {}).values() for w in forms]
    texts += [_SAID_TOO.get(path[-1].predicate.mid, "")]
    return frozenset(stem for text in texts for stem in _stems(text.replace("{}", " ")))


def _stems(text: str) -> frozenset[str]:
    return frozenset(w[:STEM] for w in key(text).split() if len(w) > 2)
