"""Dialogues as rows of JSON lines: whole, and as examples to train on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kbqa.dialogue import Dialogue, Version
from kbqa.document import document
from kbqa.feedback import Edit, Insert, Replace, feedback_document

Row = dict[str, Any]


def dialogue_row(
    dialogue: Dialogue, head: Mapping[str, Any], turns: Sequence[Row], versions: Sequence[Row]
) -> Row:
    """The dialogue document with what the records know besides. Times are ISO 8601 in UTC, `ms`
    milliseconds; a turn without feedback is the question."""
    return {
        **document(dialogue),
        "comment": dialogue.comment,
        "unsure": list(dialogue.unsure),
        "created": head["created"],
        "updated": head["updated"],
        "turns": [
            {
                "turn": turn["turn"],
                "turn_id": turn["turn_id"],
                "feedback": turn["feedback"] and json.loads(turn["feedback"]),
                "version": turn["version"],
                "status": turn["status"],
                "ms": turn["ms"],
                **_made(turn),
            }
            for turn in turns
        ],
        "versions": [
            {
                "version": number,
                "parent": version.parent,
                "sparql": version.sparql,
                "feedback": feedback_document(version.feedback) if version.feedback else None,
                "steps": [
                    {"template": s.template, "question": s.question, "shown": s.shown} for s in version.steps
                ],
                **_made(row),
            }
            for number, (version, row) in enumerate(zip(dialogue.versions, versions, strict=True), 1)
        ],
    }


def _made(row: Row) -> Row:
    return {key: row[key] for key in ("created", "signature")}


def training_row(dialogue: Dialogue) -> Row:
    """What the accepted dialogue says of its question.

    {id, question, mode, kb, sparql, entities: {iri: name},
     steps: [{template, question, shown, feedback: [{kind, step, text}]}],
     corrections: [{kind, step, text, stood, template, question, history}]}

    `steps` are the accepted ones; `feedback` of a step is what was said to get it. `corrections` are
    all that led to the accepted version, in order, each with the sub-question that stood in its place
    (None: nothing did), the step it became, and the sub-questions that were shown before it.
    """
    final = dialogue.current
    assert final is not None, "an accepted dialogue has a version"
    corrections = [c for version in _lineage(dialogue) if (c := _correction(version, dialogue)) is not None]
    return {
        "id": dialogue.dialogue_id,
        "question": dialogue.question,
        "mode": dialogue.mode.name,
        "kb": dialogue.kb,
        "sparql": final.sparql,
        "entities": {
            m.candidates[0].entity.value: m.candidates[0].label
            for step in final.steps
            for m in step.mentions
            if m.candidates
        },
        "steps": [
            {
                "template": step.template,
                "question": step.question,
                "shown": step.shown,
                "feedback": [
                    {key: c[key] for key in ("kind", "step", "text")}
                    for c in corrections
                    if c["template"] == step.template
                ],
            }
            for step in final.steps
        ],
        "corrections": corrections,
    }


def _lineage(dialogue: Dialogue) -> list[Version]:
    """The current version and those it was made from, oldest first."""
    found: list[Version] = []
    number: int | None = dialogue.at
    while number:
        found.append(dialogue.versions[number - 1])
        number = found[-1].parent
    return found[::-1]


def _correction(version: Version, dialogue: Dialogue) -> Row | None:
    """What a person's words became; None where the feedback had no words."""
    said = version.feedback
    if not isinstance(said, Insert | Replace | Edit) or version.parent is None:
        return None
    before = dialogue.versions[version.parent - 1].steps
    stood = None if isinstance(said, Insert) else before[said.step - 1].shown
    return {
        **feedback_document(said),
        "stood": stood,
        "template": version.steps[said.step - 1].template,
        "question": dialogue.question,
        "history": [step.shown for step in before[: said.step - 1]],
    }
