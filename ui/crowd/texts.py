"""What the worker reads that depends on what happened; the page's fixed texts are in webapp/src."""

from __future__ import annotations

IS_IT_RIGHT = "Are the above sub-questions accurate in relation to the target question?"
COMMENT = "Is there anything you would like to tell us about this question?"
THANKS = "Your work is saved."
NO_ANSWER = "(no answer)"

NOT_UNDERSTOOD = "The agent could not understand this question at all. You need not do anything about it."
UNSURE = "Noted. Please say yes or no as far as you can tell."
UNSURE_EDITS = "Noted. Please correct a sub-question, or say yes or no as far as you can tell."
BROKEN = "Something went wrong on our side. It is not your fault: your work is saved and you are paid."
FINISH = "Please finish with the button below."
ASKED = "Please answer the questions below all the same."
NOT_UNDERSTOOD_ACT = "The page sent something that we can't read. Please reload the page."
NOT_NOW = "That is not possible at this point. Please use the choices that are shown."
NO_EDITS = "No corrections are left. Please say yes or no."
NO_STEP = "Please choose the sub-question."
NO_ANSWERS = "Please answer each of the questions."
NO_TEXT = "Please type the sub-question."


def too_long(length: int, most: int) -> str:
    return f"Your text has {length:,} characters; at most {most:,} can be taken. Please shorten it."


def refused(why: str) -> str:
    """`why`: a sentence of the server's or of these."""
    return why[:1].upper() + why[1:]


def done(kind: str, step: int) -> str:
    said = {
        "insert": "inserted a sub-question at",
        "delete": "deleted",
        "replace": "replaced",
        "edit": "changed",
    }
    return f"You {said[kind]} step {step}. Look at all sub-questions again." if kind in said else ""
