"""Relatives as a question says them: a father and not any parent, the father of a wife and not the wife, and
those of several people who are related to each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kbqa.reading.choosing import Chosen, instead, told
from kbqa.reading.rule import Run
from kbqa.rewire import Steps
from kbqa.types import Find, Hop, Iri, Keep, Path, Ref, freebase, reverse

_KIN = {
    "male": frozenset(
        "father fathers son sons brother brothers husband husbands grandfather uncle nephew".split()
    ),
    "female": frozenset(
        "mother mothers daughter daughters sister sisters wife wives grandmother aunt niece".split()
    ),
}
_KIN_OF_ANY = re.compile(
    r"(?<!male )(?<!boy )(?<!girl )"
    r"\b(?:parents?|child|children|kids?|siblings?|spouses?|grandparents?|grandchildren)\b",
    re.IGNORECASE,
)
"""Words for relatives, be they men or women."""
_GENDER = (Hop(freebase("people.person.gender"), True),)
_PARENTS, _CHILDREN = (Hop(freebase("people.person.parents")),), (Hop(freebase("people.person.children")),)
_SPOUSES = Hop(freebase("people.person.spouse_s")), Hop(freebase("people.marriage.spouse"))
_SIBLINGS = Hop(freebase("people.person.sibling_s")), Hop(freebase("people.sibling_relationship.sibling"))
_RELATION = {
    **dict.fromkeys(("father", "mother", "parents"), _PARENTS),
    **dict.fromkeys(("son", "sons", "daughter", "daughters", "children", "child"), _CHILDREN),
    **dict.fromkeys(("husband", "wife", "husbands", "wives", "spouse"), _SPOUSES),
    **dict.fromkeys(("brother", "sister", "brothers", "sisters", "siblings"), _SIBLINGS),
}
_INVERSE: Mapping[Path, Path] = {_PARENTS: reverse(_CHILDREN), _CHILDREN: reverse(_PARENTS)}
_KIN_OF_KIN = re.compile(
    rf"\W*(?:(?:who|what)(?:['’]?s|\s+(?:is|was|are|were))?\s+)?(?:the\s+)?(?P<kin>{'|'.join(_RELATION)})\s+of\s+"
    rf"(?P<of>.*?\b(?P<other>{'|'.join(_RELATION)})\b.*)",
    re.IGNORECASE,
)
_RELATED = frozenset(hop.predicate for path in _RELATION.values() for hop in path)
_RELATED_TO_EACH = re.compile(
    r"\b(?:are|were)\s+(?:actually\s+|also\s+|real\s+)*(?:brothers|sisters|siblings|twins|related"
    r"|(?P<wed>married|a\s+couple|spouses|husband\s+and\s+wife))(?:\s+(?:to|of|with)\s+(?:each\s+other|one\s+another))?\W*\Z",
    re.IGNORECASE,
)


def kin_as_said(chosen: Chosen, text: str, run: Run, genders: Mapping[str, Iri]) -> Chosen:
    """The reading of relatives with those that the question's word for them says: 'the father of the woman
    who' is no woman, her 'parents' are of any gender. The same where it says so, or has words for both.
    `genders`: what 'male' and 'female' name."""
    words = frozenset(re.findall(r"[a-z]+", text.lower()))
    said = [gender for gender, kin in _KIN.items() if words & kin]
    match chosen.parse.decomposition.steps:
        case (*before, Keep(Ref(source), Iri() as gender, path, ())) if path == _GENDER:
            relatives = before[source - 1]
            if not isinstance(relatives, Find | Keep) or gender not in genders.values():
                return chosen
            meant = [genders[name] for name in said if name in genders]
            if _RELATED.isdisjoint(h.predicate for h in relatives.path) or gender in meant:
                return chosen
            found = None
            if len(meant) == 1:
                found = told(run, (*before, Keep(Ref(source), meant[0], path)))
            elif not said and _KIN_OF_ANY.search(text) and source == len(before):
                found = told(run, tuple(before))
            return instead(chosen, found)
    return chosen


def kin_of_kin_as_said(chosen: Chosen, text: str, run: Run, genders: Mapping[str, Iri]) -> Chosen:
    """The reading that stops at the nearer relatives, 'the father of his first wife', with those of theirs
    that are asked for. The same where it goes on, or nothing is told."""
    said = _KIN_OF_KIN.match(text)
    steps = chosen.parse.decomposition.steps
    if said is None or not chosen.told:
        return chosen
    kin, other = said["kin"].lower(), said["other"].lower()
    asked, nearer = _RELATION[kin], _RELATION[other]
    finds = [step.path for step in steps if isinstance(step, Find)]
    if len(finds) != 1 or finds[0] not in (nearer, _INVERSE.get(nearer)) or asked == nearer:
        return chosen
    whole: Steps = (*steps, Find(Ref(len(steps)), asked))
    gender = next((genders.get(name) for name, words in _KIN.items() if kin in words), None)
    kept = (*whole, Keep(Ref(len(whole)), gender, _GENDER)) if gender is not None else whole
    found = told(run, kept)
    return instead(chosen, found)


def related_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading of people with those who are related to others among them, where the question asks which
    are: 'Which members of Oasis are brothers?' The same where it asks for no such thing, or none are."""
    said = _RELATED_TO_EACH.search(text)
    steps = chosen.parse.decomposition.steps
    if said is None or not steps or not isinstance(steps[-1], Find | Keep):
        return chosen
    path = _SPOUSES if said["wed"] else _SIBLINGS
    found = told(run, (*steps, Keep(Ref(len(steps)), Ref(len(steps)), path)))
    return instead(chosen, found)
