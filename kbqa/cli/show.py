"""A dialogue in the terminal."""

from __future__ import annotations

import re

from rich.console import Console

from kbqa.dialogue import Dialogue, Recognised, SubQuestion, Version
from kbqa.protocols import Mention
from kbqa.types import Answer, Iri, Literal

_SHOWN = 10
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def console() -> Console:
    """For standard output; no colour codes where it is no terminal. Wrapping is left to the terminal."""
    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False)


def show(dialogue: Dialogue, out: Console, *, sparql: bool = False) -> None:
    """Question, steps with their answers, final answer; or what was recognised of a question that
    was not understood."""
    _say(out, dialogue.question, "bold")
    version = dialogue.current
    if version is None:
        _not_understood(dialogue.recognised, out)
        return
    _say(out, "Here is how I understood your question:")
    for step in version.steps:
        _step(step, out, sparql)
    _final(version, out, sparql)


def _say(out: Console, text: str, style: str | None = None) -> None:
    """Names come from anybody's data: what would steer the terminal is left out."""
    out.print(_CONTROL.sub("", text), style=style)


def _step(step: SubQuestion, out: Console, sparql: bool) -> None:
    _say(out, f"{step.number:>3}. {step.shown}")
    _say(out, f"     {answer_line(step)}", "cyan")
    for warning in step.warnings:
        _say(out, f"     {warning}", "yellow")
    if sparql:
        _code(step.sparql, out)


def _final(version: Version, out: Console, sparql: bool) -> None:
    if version.steps:
        _say(out, f"Answer: {answer_line(version.steps[-1])}", "bold cyan")
    if sparql:
        _say(out, "SPARQL:")
        _code(version.sparql, out)


def answer_line(step: SubQuestion) -> str:
    """'Cairo', 'Asia, Europe and 37 more', 'nothing found', 'no answer in time'."""
    match step.outcome:
        case "empty":
            return "nothing found"
        case "timed_out":
            return "no answer in time"
        case "answered" | "cut":
            names = [_name(answer) for answer in step.answers[:_SHOWN]]
            more = step.answer_count - len(names)
            at_least = "at least " if step.outcome == "cut" else ""
            return ", ".join(names) + (f" and {at_least}{more} more" if more > 0 else "")


def _name(answer: Answer) -> str:
    """The label; where there is none, what the value itself says."""
    match answer.value:
        case Iri() as entity:
            return answer.label or entity.mid
        case Literal(lexical):
            return answer.label or lexical


def _not_understood(recognised: Recognised | None, out: Console) -> None:
    _say(out, "I did not understand this question.", "yellow")
    if recognised is None:
        return
    found = ", ".join(map(_mention, recognised.mentions))
    _say(out, f"What I recognised: {found}" if found else "I recognised no name in it.")
    if recognised.examples:
        _say(out, "Questions I can answer:")
        for example in recognised.examples:
            _say(out, f"  - {example}")


def _mention(mention: Mention) -> str:
    """'Obama (Barack Obama)', or the text alone where it is the name."""
    label = mention.candidates[0].label if mention.candidates else mention.text
    return mention.text if label == mention.text else f"{mention.text} ({label})"


def _code(sparql: str, out: Console) -> None:
    for line in sparql.splitlines():
        _say(out, f"     {line}", "dim")
