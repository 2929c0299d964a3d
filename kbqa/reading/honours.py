"""Each time that somebody or a work was honoured, where awards are counted: three Oscars for best actress are
one award, won three times."""

from __future__ import annotations

import re
from collections.abc import Callable

from kbqa.dialogue import Parse
from kbqa.reading.choosing import Chosen, answer_count, told
from kbqa.reading.worded import CATEGORIES
from kbqa.templates.phrases import mediator_type
from kbqa.types import Anchor, Count, Find, Hop, Iri, Keep, Path, Ref, Step, freebase

HONOUR = "award.award_honor"
OF_AWARD = (Hop(freebase("award.award_honor.award"), True),)
OF_WINNER = (Hop(freebase("award.award_winner.awards_won")),)
"""From an award, and from a winner, to each time."""
_OF_WORK = (Hop(freebase("award.award_honor.honored_for"), True),)
_WORK = freebase("award.award_winning_work.awards_won")
_TO_AWARDS = (Hop(freebase("award.award_honor.award")), Hop(freebase("award.award_category.winners"), True))
_KINDS = re.compile(
    r"\b(?:different|kinds?|types?|sorts?|categor(?:y|ies)|distinct|various)\b", re.IGNORECASE
)


def honours_counted(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading that counts the awards of somebody with each time they won one counted. The same where it
    counts something else, the question asks for kinds of awards, or the number is the same."""
    steps = chosen.parse.decomposition.steps
    each = None if _KINDS.search(text) else _each_time(steps)
    found = told(run, (*each, Count(Ref(len(each))))) if each else None
    return chosen if found is None or answer_count(found) <= answer_count(chosen) else found


def _each_time(steps: tuple[Step, ...]) -> tuple[Step, ...] | None:
    """The steps to each time; None where no awards are counted."""
    match steps:
        case (*before, Find(winner, path, ()), Count(_)) if _to_awards(path):
            return (*before, Find(winner, _times(path)))
        case (*before, Find(winner, path, ()), Keep(Ref(), Iri() as award, of, ()), Count(_)) if (
            _to_awards(path) and of == CATEGORIES
        ):
            return _of_award(tuple(before), award, winner, path)
        case (
            *before,
            Find(Iri() as award, of, ()),
            Keep(Ref(), Iri() | Ref() as winner, path, ()),
            Count(_),
        ) if _to_awards(path) and of == CATEGORIES:
            return _of_award(tuple(before), award, winner, path)
    return None


def _of_award(before: tuple[Step, ...], award: Iri, winner: Anchor, path: Path) -> tuple[Step, ...]:
    """Each time that the winner was given an award of that name."""
    n = len(before)
    won = Keep(Ref(n + 2), Ref(n + 1), OF_AWARD)
    return (*before, Find(award, CATEGORIES), Find(winner, _times(path)), won)


def _to_awards(path: Path) -> bool:
    return mediator_type(path) == HONOUR and path[-1] in _TO_AWARDS


def _times(path: Path) -> Path:
    return _OF_WORK if path[0].predicate in (_WORK, _OF_WORK[0].predicate) else OF_WINNER
