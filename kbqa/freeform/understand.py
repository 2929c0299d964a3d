"""An utterance, in the dialogue it was said in -> a proposal."""

from __future__ import annotations

from kbqa.dialogue import Dialogue
from kbqa.feedback import LONGEST
from kbqa.freeform import decide, entities, steps
from kbqa.freeform.heard import Heard, Rule
from kbqa.freeform.proposal import Proposal, asking, proposed
from kbqa.protocols import Linker

_RULES: tuple[Rule, ...] = (
    *decide.BEFORE_ENTITIES,
    entities.link,
    steps.not_only,
    *decide.AFTER_ENTITIES,
    *steps.RULES,
)
"""Tried in order; the first that finds something of its kind decides."""
_NOTHING = Proposal(
    None,
    "I did not get what to change. Say for instance 'I meant the director', 'step 1 should be who wrote it', "
    "'remove the last step' or 'only those after 1990'; or yes, not sure, stop.",
)


def understand(text: str, dialogue: Dialogue, linker: Linker | None = None) -> Proposal:
    """What is meant by `text`, said about the dialogue's current version; a new question where there is
    none. Never raises; where nothing is understood, the proposal asks back. `linker`: finds names that are
    not in the dialogue yet."""
    said = " ".join(text.replace("\u2019", "'").split())
    if not said:
        return _NOTHING
    if len(said) > LONGEST:
        return Proposal(None, f"That has {len(said):,} characters; say it in at most {LONGEST}.")
    version = dialogue.current
    if version is None:
        return asking(said)
    heard = Heard(said, dialogue, version, linker)
    for rule in decide.WHEN_OVER if dialogue.status in ("accepted", "stopped") else _RULES:
        found = rule(heard)
        if found is not None:
            return found if isinstance(found, Proposal) else proposed(found, version)
    return _NOTHING
