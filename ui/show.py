"""A dialogue as HTML and Markdown. Every text that comes from a question, a knowledge base or a model
goes through `text` or `markdown`: it is shown as it is and never acts on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from kbqa.answers import SHOWN, clean
from kbqa.dialogue import Dialogue, Recognised, SubQuestion, Timing
from kbqa.errors import InputError, KbqaError, KnowledgeBaseError, ModelError, StoreTimeout, StoreUnavailable
from kbqa.kb import STUB
from kbqa.protocols import Mention
from kbqa.types import FREEBASE, Answer

DOUBTS = (
    (0.35, "I am not at all sure of this step."),
    (0.6, "I am not quite sure of this step."),
)
"""What is said of a step whose confidence is below the number; nothing of one that is above all."""

# --- text that is not ours --------------------------------------------------


def text(words: str) -> str:
    """Any text as HTML that shows it. Its direction stays its own."""
    return f"<bdi>{escape(clean(words))}</bdi>"


_MARKS = re.compile(r"[!-/:-@\[-`{-~]")
_JOINER = "\u2060"


def markdown(words: str) -> str:
    """Any text as Markdown that shows it, for labels that can't be HTML.

    A backslash takes the meaning from a mark. An invisible joiner parts what Streamlit replaces
    afterwards whatever stands before it: ':smile:', ':material/home:', '->', 'https://', 'www.'.
    """
    return _MARKS.sub(lambda mark: f"\\{mark[0]}{_JOINER if mark[0] in ':.@<>-' else ''}", clean(words))


def _block(inside: str, kind: str = "") -> str:
    return f'<div class="kbqa {kind}">{inside}</div>'


# --- a question and what was made of it -------------------------------------


def question(words: str) -> str:
    return _block(f"<p>{text(words)}</p>", "question")


def steps(subquestions: Sequence[SubQuestion]) -> str:
    """The numbered sub-questions, each with its answers, warnings and doubts."""
    items = "".join(f"<li>{_step(step)}</li>" for step in subquestions)
    return _block(f'<p>Here is how I understood your question:</p><ol class="steps" role="list">{items}</ol>')


def _step(step: SubQuestion) -> str:
    notes = [f'<p class="note">{text(_sentence(warning))}</p>' for warning in step.warnings]
    said = doubt(step.confidence)
    if said:
        notes.append(f'<p class="note">{said}</p>')
    return f'<p class="asked">{text(step.shown)}</p>{_answers(step)}{"".join(notes)}'


def doubt(confidence: float) -> str:
    return next((words for below, words in DOUBTS if confidence < below), "")


def _answers(step: SubQuestion) -> str:
    first, rest = step.answers[:SHOWN], step.answers[SHOWN:]
    if not first:
        return ""
    return f'<ul class="answers" role="list">{_items(first)}</ul>{_more(step, rest)}'


def _items(answers: Iterable[Answer]) -> str:
    return "".join(f"<li>{text(answer.label)}</li>" for answer in answers)


def _more(step: SubQuestion, rest: Sequence[Answer]) -> str:
    """'and 37 more', which opens on a click or a key."""
    more = max(step.answer_count, len(step.answers)) - SHOWN
    if more <= 0:
        return ""
    said = f"and {'at least ' if step.outcome == 'cut' else ''}{more:,} more"
    if not rest:
        return f'<p class="note">{said}</p>'
    left = more - len(rest)
    unlisted = f'<p class="note">{left:,} further answers are not listed.</p>' if left > 0 else ""
    return (
        f'<details><summary>{said}</summary><ul class="answers long" role="list" tabindex="0">'
        f"{_items(rest)}</ul>{unlisted}</details>"
    )


def final(subquestions: Sequence[SubQuestion]) -> str:
    """The answer to the whole question: that of its last step, with a doubt if a step has one."""
    step = subquestions[-1]
    match step.outcome:
        case "empty":
            said = _nothing(
                "I found no answer.",
                "The knowledge base may not know it, or I took a step differently from what you meant: "
                "compare the steps above with your question, and ask it in other words.",
            )
        case "timed_out":
            said = _nothing("I found no answer in time.", "Ask again, or ask for something narrower.")
        case "answered" | "cut":
            labels = [answer.label for answer in step.answers[:SHOWN]]
            between = "; " if any("," in label for label in labels) else ", "
            size = "few" if step.answer_count <= 3 else "many"
            said = f'<p class="result {size}">{between.join(map(text, labels))}</p>'
            said += _more(step, step.answers[SHOWN:])
            if any(doubt(s.confidence) for s in subquestions):
                said += '<p class="note">I may have misunderstood the question: check the steps above.</p>'
    return _block(f'<p class="title">Answer</p>{said}', "final")


def _nothing(said: str, advice: str) -> str:
    return f'<p class="result few">{said}</p><p class="note">{advice}</p>'


def small_print(dialogue: Dialogue) -> str:
    """How long it took, in which mode and over what."""
    spent = f"{dialogue.timing.total / 1000:.2f} s"
    where = text(f"mode {dialogue.mode.name} · {dialogue.kb}")
    parts = f'<span class="where-wide">({_parts(dialogue.timing)}) </span>'
    return _block(f'<p class="note">{spent} {parts}· {where}</p>', "small-print")


def _parts(timing: Timing) -> str:
    named = (
        ("finding names", timing.link),
        ("reading", timing.parse),
        ("wording", timing.phrase),
        ("answers", timing.answer),
    )
    return ", ".join(f"{name} {spent / 1000:.2f}" for name, spent in named)


def knowledge_base(name: str) -> str:
    origin = ", which comes with kbqa" if name == STUB else ""
    return _block(f'<p class="note">Knowledge base</p><p>{text(name)}{origin}</p>')


def heading(number: int, words: str) -> str:
    return _block(f"<p>{number}. {text(words)}</p>", "heading")


_NAMED = re.compile(rf'("(?:[^"\\]|\\.)*")|<{re.escape(FREEBASE)}([A-Za-z](?:[\w.]*\w)?)>', re.ASCII)


def sparql(query: str) -> str:
    """The same query for people: each line as deep as its braces, Freebase's names by their prefix."""
    short = _NAMED.sub(lambda found: found[1] or f"ns:{found[2]}", query)
    depth, lines = 0, []
    for line in short.splitlines():
        bare = line.strip()
        lines.append("  " * max(depth - bare.startswith("}"), 0) + bare)
        depth += bare.count("{") - bare.count("}")
    if short != query:
        lines.insert(0, f"PREFIX ns: <{FREEBASE}>")
    return "\n".join(lines)


def templates(subquestions: Sequence[SubQuestion]) -> str:
    """The fixed wording of each step."""
    items = "".join(f"<li>{text(step.template)}</li>" for step in subquestions)
    return _block(f'<ol class="templates">{items}</ol>')


# --- what was not understood, and what went wrong ----------------------------


def not_understood(recognised: Recognised) -> str:
    """What was recognised, and for what it was taken."""
    said = '<p class="asked">I did not understand this question.</p>'
    if not recognised.mentions:
        return _block(said + "<p>I recognised no name in it that the knowledge base has.</p>")
    items = "".join(f"<li>{_mention(mention)}</li>" for mention in recognised.mentions)
    return _block(f'{said}<p>This is what I recognised in it:</p><ul class="mentions">{items}</ul>')


CLOSE, SURE = 0.04, 0.75
"""A candidate may be meant as well where its score is that close to the best one's; the best one is only
perhaps meant where its own is below SURE."""


def _mention(mention: Mention) -> str:
    """'“Giants”: San Francisco Giants or New York Giants'."""
    said = f"“{text(mention.text)}”"
    if not mention.candidates:
        return said
    best = mention.candidates[0].score
    close = [candidate.label for candidate in mention.candidates if candidate.score > best - CLOSE]
    *names, last = map(text, list(dict.fromkeys(close))[:3])
    listed = f"{', '.join(names)} or {last}" if names else last
    return f"{said}: {'perhaps ' if best < SURE else ''}{listed}"


def problem(error: str) -> str:
    """`error` is what `explained` made of an exception."""
    return _block(f'<p role="alert">{text(error)}</p>', "problem")


def explained(error: Exception) -> str:
    """What went wrong and what to do now, in sentences."""
    if not isinstance(error, KbqaError):
        return (
            f"Something went wrong inside kbqa ({type(error).__name__}). Ask again or in other words; the "
            "terminal in which the page was started says more."
        )
    return f"{_sentence(str(error))} {_way_out(error)}".strip()


def _way_out(error: KbqaError) -> str:
    match error:
        case KnowledgeBaseError():
            return "Start the page with another knowledge base: kbqa ui --kb FILE_OR_URL."
        case ModelError():
            return "Install kbqa again, or start the page from where the checkpoints are."
        case StoreUnavailable():
            return "Ask again when the knowledge base can be reached."
        case StoreTimeout():
            return "Ask again, or ask for something narrower."
        case InputError():
            return ""
        case _:
            return "Ask again, or in other words."


def _sentence(words: str) -> str:
    """'nothing was found' -> 'Nothing was found.'"""
    words = clean(words)
    end = "" if words.endswith((".", "!", "?")) else "."
    return f"{words[:1].upper()}{words[1:]}{end}" if words else ""
