"""A dialogue as the JSON document that the command line, the HTTP interface and the records share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kbqa.answers import clean
from kbqa.dialogue import Dialogue, Offer, Recognised, SubQuestion, Version
from kbqa.feedback import say
from kbqa.protocols import Candidate, Mention
from kbqa.types import Answer, Constant, Iri

Document = dict[str, Any]


def document(dialogue: Dialogue) -> Document:
    """JSON-serialisable; the keys and their order are those of DESIGN.md, section 7.

    Times are milliseconds. `value` is an IRI or a literal's text, `label` what is shown.
    """
    version = dialogue.current
    steps = version.steps if version else ()
    return {
        "dialogue_id": dialogue.dialogue_id,
        "question": dialogue.question,
        "mode": dialogue.mode.name,
        "kb": dialogue.kb,
        "version": dialogue.at,
        "status": dialogue.status,
        "sparql": version.sparql if version else None,
        "answers": _answers(steps[-1].answers) if steps else [],
        "edits_left": dialogue.edits_left,
        "steps": [_step(step) for step in steps],
        "versions": [_version(number, v) for number, v in enumerate(dialogue.versions, 1)],
        "offers": [_offer(number, o) for number, o in enumerate(version.offers, 1)] if version else [],
        "broken_at": version.broken_at if version else None,
        "least_sure": version.least_sure if version else None,
        "timing_ms": {
            "link": round(dialogue.timing.link, 1),
            "parse": round(dialogue.timing.parse, 1),
            "phrase": round(dialogue.timing.phrase, 1),
            "answer": round(dialogue.timing.answer, 1),
            "total": round(dialogue.timing.total, 1),
        },
        "error": _error(dialogue),
    }


def _answers(answers: Iterable[Answer]) -> list[Document]:
    return [{"value": _value(answer.value), "label": answer.label} for answer in answers]


def _value(value: Constant) -> str:
    return value.value if isinstance(value, Iri) else value.lexical


def _step(step: SubQuestion) -> Document:
    return {
        "id": step.number,
        "template": step.template,
        "question": step.question,
        "shown": step.shown,
        "sparql": step.sparql,
        "answers": _answers(step.answers),
        "answer_count": step.answer_count,
        "entities": [_entity(mention) for mention in step.mentions if mention.candidates],
        "confidence": round(step.confidence, 4),
        "warnings": list(step.warnings),
        "outcome": step.outcome,
        "change": step.change,
    }


def _entity(mention: Mention) -> Document:
    """The first candidate is the one the step is about."""
    chosen, *others = mention.candidates
    return {"text": mention.text, **_candidate(chosen), "alternatives": [_candidate(c) for c in others]}


def _candidate(candidate: Candidate) -> Document:
    return {"value": candidate.entity.value, "label": clean(candidate.label)}


def _version(number: int, version: Version) -> Document:
    said = say(version.feedback) if version.feedback else ""
    return {"version": number, "sparql": version.sparql, "feedback": said, "parent": version.parent}


def _offer(number: int, offer: Offer) -> Document:
    return {
        "offer": number,
        "kind": offer.kind,
        "step": offer.step,
        "text": offer.text,
        "answer_count": offer.answer_count,
        "sample": _answers(offer.sample),
    }


def _error(dialogue: Dialogue) -> Document | None:
    recognised = dialogue.recognised
    if recognised is None:
        return None
    return {"type": "NotUnderstood", "message": not_understood(recognised)}


def not_understood(recognised: Recognised) -> str:
    """A few sentences: what was recognised, what is not known, and what would work."""
    found = [clean(m.candidates[0].label) for m in recognised.mentions if m.candidates]
    said = (
        f"This question was not understood. Recognised in it: {', '.join(dict.fromkeys(found)) or 'nothing'}."
    )
    said += "".join(f" Nothing here is called '{clean(name)}'." for name in recognised.unknown)
    return said + (f" Questions that work: {' '.join(recognised.examples)}" if recognised.examples else "")
