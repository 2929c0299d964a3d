"""The school that an athlete played for, where a college is asked for, and who influenced whom."""

from __future__ import annotations

import re

from kbqa.reading.choosing import Chosen, first_told, instead, reading
from kbqa.reading.rule import Run
from kbqa.types import Find, Hop, Ref, freebase

_COLLEGE = re.compile(r"\b(?:colleges?|university|universities|alma\s+mater|collegiate)\b", re.IGNORECASE)
_TEAM_OF = frozenset(map(freebase, ("sports.sports_team_roster.team", "sports.sports_team.roster")))
_TEAM_OF_WINNER, _WINNER = (Hop(freebase(f"sports.sports_award.{of}")) for of in ("team", "award_winner"))
_SCHOOL = (Hop(freebase("people.person.education")), Hop(freebase("education.education.institution")))
_INFLUENCED_BY, _INFLUENCED = (
    (Hop(freebase(f"influence.influence_node.{way}")),) for way in ("influenced_by", "influenced")
)
_WHO_DID = re.compile(
    r"\bwho(?:se\s+\w+)?\s+(?:(?:has|have|had|first|most|also)\s+)*(?:influenced|inspired|shaped|impacted)\b(?!\s+by\b)",
    re.IGNORECASE,
)


def school_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with the school of an athlete for the team, where a college is asked for: 'Which college
    did the MVP play for?' The same otherwise, and where none is known."""
    match chosen.parse.decomposition.steps:
        case (*before, Find(anchor, path, kept)) if path and _COLLEGE.search(text):
            if path[-1].predicate in _TEAM_OF:
                return instead(chosen, first_told(run, ((*before, Find(anchor, _SCHOOL)),)))
            if path[-1] == _TEAM_OF_WINNER:
                winner = Find(anchor, (*path[:-1], _WINNER), kept)
                whole = (*before, winner, Find(Ref(len(before) + 1), _SCHOOL))
                return instead(chosen, first_told(run, (whole,)))
    return chosen


def influence_as_said(chosen: Chosen, text: str, run: Run) -> Chosen:
    """The reading with those who influenced somebody for those whom they did, where the question asks who
    'influenced' or 'inspired' them."""
    wrong = (_INFLUENCED, tuple(h.reversed for h in _INFLUENCED_BY))
    match chosen.parse.decomposition.steps:
        case (*before, Find(Ref() as anchor, path, ())) if path in wrong and _WHO_DID.search(text):
            return instead(chosen, run(reading((*before, Find(anchor, _INFLUENCED_BY)))))
    return chosen
