"""A dialogue in the terminal. Every text goes through `say`: names come from anybody's data."""

from __future__ import annotations

from rich.console import Console

from kbqa.answers import listing, printable
from kbqa.dialogue import Change, Dialogue, Offer, Recognised, SubQuestion, Version
from kbqa.protocols import Mention
from kbqa.types import Answer, Check, Count, Iri

_CHANGES: dict[Change, str] = {"": "", "new": " (new)", "answers": " (other answers now)"}
_DOUBTFUL, _CLEARLY = 0.85, 0.05
"""The step that is the least sure is marked where its confidence is below the one, and by the other
below that of the surest."""
_KINDS = {
    "reading": "read otherwise",
    "predicate": "with another relation",
    "direction": "the other way round",
    "entity": "about another one of that name",
    "insert": "with a step before it",
    "without": "left out",
}


def console() -> Console:
    """For standard output; no colour codes where it is no terminal. Wrapping is left to the terminal."""
    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False)


def say(out: Console, text: str, style: str | None = None) -> None:
    """One line; what would steer the terminal is shown as a symbol or left out."""
    out.print(printable(text), style=style)


def show(dialogue: Dialogue, out: Console, *, sparql: bool = False) -> None:
    """Question, steps with their answers, final answer; or what was recognised of a question that
    was not understood."""
    say(out, dialogue.question, "bold")
    show_version(dialogue, out, sparql=sparql)


def show_version(dialogue: Dialogue, out: Console, *, sparql: bool = False) -> None:
    """As `show`, without the question."""
    version = dialogue.current
    if version is None:
        _not_understood(dialogue.recognised, out)
        return
    now = f"Version {dialogue.at}. " if len(dialogue.versions) > 1 else ""
    again = "understand your question now" if len(dialogue.versions) > 1 else "understood your question"
    say(out, f"{now}Here is how I {again}:")
    doubtful = _doubtful(version)
    for step in version.steps:
        _step(step, out, sparql, doubtful=step.number == doubtful)
    _final(version, out, sparql)


def _step(step: SubQuestion, out: Console, sparql: bool, *, doubtful: bool) -> None:
    say(out, f"{step.number:>3}. {step.shown}{_CHANGES[step.change]}", "bold" if step.change else None)
    if step.answers or not step.warnings:  # of no answer a warning says why
        say(out, f"     {answer_line(step)}", "cyan")
    for warning in step.warnings:
        say(out, f"     {warning}", "yellow")
    if doubtful:
        say(out, "     this is the step I am least sure of", "yellow")
    if sparql:
        show_code(step.sparql, out)


def _doubtful(version: Version) -> int | None:
    """The least sure step, where it stands out."""
    sure = [s.confidence for s in version.steps]
    stands_out = version.least_sure is not None and min(sure) < min(_DOUBTFUL, max(sure) - _CLEARLY)
    return version.least_sure if stands_out else None


def _final(version: Version, out: Console, sparql: bool) -> None:
    if version.broken_at is not None and version.broken_at < len(version.steps):
        say(out, f"It breaks at step {version.broken_at}: from there on nothing was found.", "yellow")
    if version.steps:
        say(out, f"Answer: {answer_line(version.steps[-1])}", "bold cyan")
    if sparql:
        say(out, "SPARQL:")
        show_code(version.sparql, out)


def answer_line(step: SubQuestion) -> str:
    """'Cairo', 'Asia, Europe and 37 more', 'nothing found', 'no answer in time'."""
    match step.outcome:
        case "empty":
            return "nothing found"
        case "timed_out":
            return "no answer in time"
        case "answered" | "cut":
            return listing(step.answers, count=step.answer_count, at_least=step.outcome == "cut")


def show_offers(version: Version, out: Console) -> None:
    """Other readings, numbered, with what they would find."""
    if not version.offers:
        return
    say(out, "You may also mean:")
    for number, offer in enumerate(version.offers, 1):
        say(out, f"{number:>3}) {_place(offer)}{offer.text}")
        say(out, f"     {_found(offer)}", "cyan")
    say(out, "     'choose 1' takes the first.", "dim")


def _found(offer: Offer) -> str:
    """'3 answers: a, b, c'; a number, or yes, as it is."""
    found = listing(offer.sample, count=offer.answer_count, limit=3)
    if isinstance(offer.parse.decomposition.steps[-1], Count | Check):
        return found
    count = f"{offer.answer_count:,} answer{'' if offer.answer_count == 1 else 's'}: "
    return count + found if offer.answer_count else "nothing found"


def _place(offer: Offer) -> str:
    return f"step {offer.step}, {_KINDS[offer.kind]}: " if offer.step else ""


def show_answers(step: SubQuestion, out: Console) -> None:
    """All answers that are kept, one a line, with their ids."""
    say(out, f"Step {step.number}: {step.shown}")
    if not step.answers:
        say(out, f"     {answer_line(step)}", "cyan")
    for answer in step.answers:
        say(out, f"     {_identified(answer)}", "cyan")
    left = step.answer_count - len(step.answers)
    if left > 0:
        say(out, f"     and {'at least ' if step.outcome == 'cut' else ''}{left:,} more that are not kept")


def _identified(answer: Answer) -> str:
    value = answer.value
    if not isinstance(value, Iri) or value.mid in answer.label:
        return answer.label
    return f"{answer.label} ({value.mid})"


def show_code(sparql: str, out: Console, indent: str = "     ") -> None:
    """A query as it can be copied and run."""
    for line in sparql.splitlines():
        say(out, f"{indent}{line}", "dim")


def _not_understood(recognised: Recognised | None, out: Console) -> None:
    say(out, "I did not understand this question.", "yellow")
    if recognised is None:
        return
    found = ", ".join(map(_mention, recognised.mentions))
    say(out, f"What I recognised: {found}" if found else "I recognised no name in it.")
    for name in recognised.unknown:
        say(out, f"Nothing here is called '{name}'.")
    if recognised.examples:
        say(out, "Questions I can answer:")
        for example in recognised.examples:
            say(out, f"  - {example}")


def _mention(mention: Mention) -> str:
    """'Obama (Barack Obama)', or the text alone where it is the name."""
    label = mention.candidates[0].label if mention.candidates else mention.text
    return mention.text if label == mention.text else f"{mention.text} ({label})"
