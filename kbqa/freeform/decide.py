"""Rules for what corrects nothing: yes, no, not sure, undo, back, an alternative, stop, a new question."""

from __future__ import annotations

import re

from kbqa.feedback import Accept, Back, Choose, Feedback, Stop, Undo, Unsure
from kbqa.freeform import cues, places, verdicts
from kbqa.freeform.heard import EDGES, Heard, Rule
from kbqa.freeform.proposal import Proposal, asking

_FEW = 6
"""Words that may stand around 'I'm not sure' without being a correction."""
_WHAT_IS_WRONG = Proposal(
    None,
    "What is wrong? Say for instance 'I meant the director', 'step 1 should be who wrote it', or "
    "'remove step 1'.",
)
_RIGHT_THEN = Proposal(None, "Is it right then? Say yes, no, or not sure.")


def new_question(heard: Heard) -> Proposal | None:
    """Said to be one, or the dialogue's own once more."""
    if _plain(heard.text) == _plain(heard.dialogue.question):
        return asking(heard.text)
    found = verdicts.NEW_QUESTION.match(heard.text)
    return asking(found["question"]) if found else None


def _plain(text: str) -> str:
    return text.casefold().strip(EDGES + "?")


def whatever_is_said(heard: Heard) -> Proposal:
    """A new question: there is nothing to correct any more."""
    return asking(heard.text)


def yes(heard: Heard) -> Feedback | None:
    return Accept() if verdicts.approves(heard.text) else None


def no(heard: Heard) -> Proposal | None:
    said = (heard.text.strip(EDGES + "?"), heard.bare)
    rejects = any(verdicts.REJECTION.fullmatch(text) for text in said)
    return _WHAT_IS_WRONG if rejects or (not heard.bare and heard.denied) else None


def thanks(heard: Heard) -> Proposal | None:
    return None if heard.bare else _RIGHT_THEN


def undo(heard: Heard) -> Feedback | None:
    return Undo() if verdicts.UNDO.fullmatch(verdicts.NEVER_MIND.sub("", heard.bare)) else None


def back(heard: Heard) -> Feedback | None:
    if verdicts.OVER.search(heard.plain):
        return Back(1)
    found = verdicts.VERSION.search(heard.plain)
    if found is None or not verdicts.RETURNING.search(heard.plain):
        return None
    word = found["o"] or found["c"]
    return Back(places.number(word, len(heard.dialogue.versions)) if word else 1)


def choice(heard: Heard) -> Feedback | None:
    offers = len(heard.version.offers)
    found = verdicts.CHOICE.search(heard.plain)
    if found:
        return Choose(places.number(found["o"] or found["c"], offers))
    alone = verdicts.CHOICE_ALONE.fullmatch(heard.bare) if offers else None
    word = (alone["n"] or alone["m"]) if alone else ""
    return Choose(places.number(word, offers)) if places.is_number(word) else None


def stop(heard: Heard) -> Feedback | None:
    """Not where it goes on with what is wanted."""
    found = verdicts.STOP.match(heard.bare) or verdicts.STOP.match(heard.text.strip(EDGES))
    if found and not cues.WANT.search(found["comment"] or ""):
        return Stop((found["comment"] or "").strip())
    despairs = verdicts.DESPAIR.search(heard.text) and not cues.WANT.search(heard.text)
    return Stop(heard.text) if despairs else None


def unsure(heard: Heard) -> Feedback | None:
    found = verdicts.UNSURE.search(heard.text)
    if found is None:
        return None
    rest = f"{heard.text[: found.start()]} {heard.text[found.end() :]} "
    return Unsure() if len(re.findall(r"\w+", rest)) <= _FEW and not cues.WANT.search(rest) else None


def no_longer(heard: Heard) -> Proposal | None:
    """'no', said of what is over."""
    if no(heard) is None:
        return None
    way_on = "say 'undo' to go on with it, or " if heard.dialogue.mode.edits else ""
    return Proposal(None, f"This question is over: {way_on}ask another one.")


BEFORE_ENTITIES: tuple[Rule, ...] = (new_question, yes)
AFTER_ENTITIES: tuple[Rule, ...] = (no, thanks, undo, back, choice, stop, unsure)
WHEN_OVER: tuple[Rule, ...] = (new_question, yes, no_longer, undo, back, stop, unsure, whatever_is_said)
"""Once the dialogue is accepted or stopped."""
