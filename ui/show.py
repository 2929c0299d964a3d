"""A dialogue as HTML and Markdown. Every text that comes from a question, a knowledge base or a model
goes through `text` or `markdown`: it is shown as it is and never acts on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from changes import Change, new_words

from kbqa.answers import SHOWN, clean
from kbqa.dialogue import (
    DECONTEXTUALIZED,
    FULL,
    NON_INTERACTIVE,
    TEMPLATED,
    Dialogue,
    Mode,
    Offer,
    Recognised,
    SubQuestion,
    Timing,
    Version,
)
from kbqa.kb import STUB
from kbqa.protocols import Mention
from kbqa.types import Answer

DOUBTS = (
    (0.6, "I am not at all sure of this step."),
    (0.8, "I am not quite sure of this step."),
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

    A backslash takes the meaning from a mark. An invisible joiner parts what is replaced afterwards
    whatever stands before it: ':smile:', ':material/home:', '->', 'https://', 'www.', 'me@example'.
    """
    return _MARKS.sub(_parted, clean(words))


def _parted(mark: re.Match[str]) -> str:
    before, after = (_JOINER if mark[0] in marks else "" for marks in (".", ":@<>-"))
    return f"{before}\\{mark[0]}{after}"


def attribute(words: str) -> str:
    """Any text as the value of an HTML attribute in double quotation marks."""
    return escape(clean(words), quote=True)


def block(inside: str, kind: str = "", attributes: str = "") -> str:
    """A piece of the page with the looks of page.css."""
    return f'<div class="kbqa {kind}" {attributes}>{inside}</div>'


# --- modes and knowledge bases, as one says them ------------------------------


class Way(NamedTuple):
    """A mode: its name, what it is like, and whether it goes without saying."""

    name: str
    line: str
    usual: bool = False


_WAYS = {
    FULL.name: Way(
        "As in a conversation",
        "Steps in everyday English. Your corrections are read together with all that was said before.",
        usual=True,
    ),
    TEMPLATED.name: Way(
        "In set phrases",
        "Each step in the same fixed wording: stiffer English that can be read in one way only.",
    ),
    DECONTEXTUALIZED.name: Way(
        "Each step on its own", "Steps and corrections are worded and read without your question beside them."
    ),
    NON_INTERACTIVE.name: Way(
        "Without corrections", "I show how I understood your question. You can say yes or no, and stop."
    ),
}


def way(mode: Mode) -> Way:
    """A mode in everyday words."""
    return _WAYS.get(mode.name) or Way(mode.name.capitalize(), mode.explanation)


def knowledge_base(name: str) -> str:
    """The stub's name says nothing to those who ask it."""
    return "built-in facts" if name == STUB else name


# --- a question and what was made of it -------------------------------------


def question(words: str) -> str:
    return block(f"<p>{text(words)}</p>", "question")


def step(
    sub: SubQuestion, of: int, change: Change | None = None, *, at_once: int = SHOWN, look: str = ""
) -> str:
    """One numbered sub-question with its answers, warnings and doubts, what has changed in it marked.

    `of`: how many steps there are; `at_once`: answers shown before 'and 37 more'; `look`: why to look
    at this step first.
    """
    notes = [f'<p class="note">{text(sentence(warning))}</p>' for warning in sub.warnings]
    said = look or doubt(sub.confidence)
    if said:
        notes.append(f'<p class="note look">{said}</p>')
    badge = f' <span class="badge">{text(change.badge)}</span>' if change else ""
    inside = (
        f'<p class="asked"><span class="number" aria-hidden="true">{sub.number}</span>'
        f'<span class="heard">Step {sub.number}: </span>{_asked(sub.shown, change)}{badge}</p>'
        f"{_answers(sub, at_once)}{''.join(notes)}"
    )
    kind = f"step {'changed' if change else ''}"
    return block(inside, kind, f'role="group" aria-label="Step {sub.number} of {of}"')


def _asked(shown: str, change: Change | None) -> str:
    if change is None or not change.was:
        return text(shown)
    words = new_words(clean(shown), clean(change.was))
    runs = ((new, escape(" ".join(w for w, _ in run))) for new, run in groupby(words, lambda word: word[1]))
    return f"<bdi>{' '.join(f'<mark>{run}</mark>' if new else run for new, run in runs)}</bdi>"


def introduction(*, again: bool) -> str:
    said = (
        "Here is how I understand your question now:" if again else "Here is how I understood your question:"
    )
    return block(f"<p>{said}</p>")


def gone(questions: Iterable[str]) -> str:
    """Sub-questions that are asked no more."""
    items = "".join(f"<li><del>{text(q)}</del></li>" for q in questions)
    return block(f'<p class="note">Left out now:</p><ul class="gone">{items}</ul>') if items else ""


def earlier(version: Version, number: int) -> str:
    """An earlier version, closed: its steps and their answers in few words."""
    items = "".join(f"<li>{text(s.shown)}<p class='note'>{text(brief(s))}</p></li>" for s in version.steps)
    answer = text(brief(version.steps[-1]))
    summary = f"<summary>Version {number} · answer: {answer}</summary>"
    return block(f'<details class="earlier">{summary}<ol>{items}</ol></details>')


def brief(sub: SubQuestion, most: int = 3) -> str:
    """'Cairo', 'Arabic, French, Coptic and 4 more', 'nothing was found'."""
    match sub.outcome:
        case "empty":
            return "nothing was found"
        case "timed_out":
            return "no answer in time"
        case "answered" | "cut":
            said = ", ".join(a.label for a in sub.answers[:most])
            more = sub.answer_count - most
            return f"{said} and {more:,} more" if more > 0 else said


def doubt(confidence: float) -> str:
    return next((words for below, words in DOUBTS if confidence < below), "")


def _answers(step: SubQuestion, at_once: int) -> str:
    first, rest = step.answers[:at_once], step.answers[at_once:]
    if not first:
        return ""
    return f'<ul class="answers" role="list">{_items(first)}</ul>{_more(step, rest, at_once)}'


def _items(answers: Iterable[Answer]) -> str:
    return "".join(f"<li>{text(answer.label)}</li>" for answer in answers)


def _more(step: SubQuestion, rest: Sequence[Answer], at_once: int) -> str:
    """'and 37 more', which opens on a click or a key."""
    more = max(step.answer_count, len(step.answers)) - at_once
    if more <= 0:
        return ""
    said = f"and {'at least ' if step.outcome == 'cut' else ''}{more:,} more"
    if not rest:
        return f'<p class="note">{said}</p>'
    left = more - len(rest)
    unlisted = f'<p class="note">{left:,} further answers are not listed.</p>' if left > 0 else ""
    return (
        f"<details><summary>{said}</summary>"
        f'<ul class="answers long" role="list" tabindex="0" aria-label="further answers">{_items(rest)}</ul>'
        f"{unlisted}</details>"
    )


def final(subquestions: Sequence[SubQuestion], *, at_once: int = SHOWN) -> str:
    """The answer to the whole question: that of its last step, with a doubt if a step has one."""
    step = subquestions[-1]
    match step.outcome:
        case "empty":
            said = _nothing(
                "I found no answer.",
                "The knowledge base may not know it, or I took a step differently from what you meant: "
                "compare the steps above with your question.",
            )
        case "timed_out":
            said = _nothing("I found no answer in time.", "Ask again, or ask for something narrower.")
        case "answered" | "cut":
            labels = [answer.label for answer in step.answers[:at_once]]
            between = "; " if any("," in label for label in labels) else ", "
            size = "few" if step.answer_count <= 3 else "many"
            said = f'<p class="result {size}">{between.join(map(text, labels))}</p>'
            said += _more(step, step.answers[at_once:], at_once)
            said += _doubtful([s.number for s in subquestions if doubt(s.confidence)], len(subquestions))
    return block(f'<p class="title">Answer</p>{said}', "final", 'role="status"')


def _doubtful(numbers: Sequence[int], of: int) -> str:
    """Which steps to look at; where there is but one step it says so itself."""
    if not numbers or of == 1:
        return ""
    *most, last = map(str, numbers)
    named = f"steps {', '.join(most)} and {last}" if most else f"step {last}"
    return f'<p class="note">I am not quite sure of {named}: have a look there.</p>'


def _nothing(said: str, advice: str) -> str:
    return f'<p class="result few">{said}</p><p class="note">{advice}</p>'


def small_print(dialogue: Dialogue, *, parts: bool = True) -> str:
    """How long the first answer took, over what, and in which mode where it is not the usual one."""
    spent = f"{dialogue.timing.total / 1000:.2f} s"
    way_of = way(dialogue.mode)
    mode = "" if way_of.usual else f" · {way_of.name.lower()}"
    where = text(f"{knowledge_base(dialogue.kb)}{mode}")
    stages = f'<span class="where-wide">({_parts(dialogue.timing)}) </span>' if parts and dialogue.at else ""
    return block(f'<p class="note">{spent} {stages}· {where}</p>', "small-print")


def _parts(timing: Timing) -> str:
    named = (
        ("finding names", timing.link),
        ("reading", timing.parse),
        ("wording", timing.phrase),
        ("answers", timing.answer),
    )
    return ", ".join(f"{name} {spent / 1000:.2f}" for name, spent in named)


# --- is this right? ------------------------------------------------------------


def is_this_right(edits_left: int | None) -> str:
    """`edits_left`: None where there are no corrections at all."""
    left = f"{edits_left} correction{'' if edits_left == 1 else 's'} left"
    note = f' <span class="note">{left}</span>' if edits_left is not None else ""
    return block(f'<p><span class="asked">Is this right?</span>{note}</p>', "right")


def how_to_correct(*, offered: bool) -> str:
    words = "Which step is wrong? Edit, replace or delete it, or insert another, with the buttons under it"
    other = ", or take one of the other readings below" if offered else ""
    return block(f"<p>{words}{other}.</p>")


def did_you_mean() -> str:
    return block('<p class="asked">Or did you mean one of these?</p>')


def preview(offer: Offer) -> str:
    """What an offered reading would find."""
    found = ", ".join(answer.label for answer in offer.sample[:3])
    more = offer.answer_count - min(len(offer.sample), 3)
    found += f" and {more:,} more" if more > 0 else ""
    return block(f'<p class="note">{text(f"would find {found}" if found else "would find nothing")}</p>')


def taken_for(words: str, name: str) -> str:
    return block(f'<p class="note">I took “{text(words)}” for {text(name)}. Did you mean one of these?</p>')


def i_took(words: str) -> str:
    """Stands before the chip that says for what."""
    return block(f'<p class="note">I took “{text(words)}” for</p>')


def quoted(words: str) -> str:
    """A text that was typed at the bottom."""
    return block(f'<p class="note">You said: “{text(words)}”</p>')


def taken_as(act: str, was: str, now: str) -> str:
    """What would be done with a text that was typed at the bottom: the words it is about, struck out, and
    those that would stand there."""
    old = f"<p><del>{text(was)}</del></p>" if was else ""
    new = f'<p class="asked">{text(now)}</p>' if now else ""
    end = ":" if was or now else ""
    return block(f"<p>{text(act + end)}</p>{old}{new}", attributes='role="status"')


def asked_back(said: str) -> str:
    """What is said of a text that was not understood."""
    return block(f"<p>{text(said)}</p>", attributes='role="status"')


def version(number: int, said: str, version: Version, *, now: bool) -> str:
    """One line in the list of versions: its number, what led to it and what it answers."""
    current = ' <span class="badge">shown</span>' if now else ""
    return block(
        f'<p class="asked">Version {number}{current}</p><p>{text(said)}</p>'
        f'<p class="note">Answer: {text(brief(version.steps[-1]))}</p>'
    )


def over(dialogue: Dialogue) -> str:
    """How a dialogue has ended."""
    if dialogue.status == "accepted":
        said = "You said that this is right. Thank you."
    else:
        said = "You stopped this dialogue." + (
            f" Your comment: {dialogue.comment}" if dialogue.comment else ""
        )
    return block(f"<p>{text(said)}</p>", "over")


# --- what was not understood, and what went wrong ----------------------------


_IN_OTHER_WORDS = "Put it in other words, or ask for less at a time: one name and one thing about it."


def not_understood(recognised: Recognised) -> str:
    """What was recognised, for what it was taken, and which names nothing has."""
    said = '<p class="asked">I did not understand this question.</p>'
    strange = "".join(f"<p>Nothing here is called ‘{text(name)}’.</p>" for name in recognised.unknown)
    if not recognised.mentions:
        known = strange or "<p>I found no name in it that the knowledge base has.</p>"
        return block(f"{said}{known}<p>{_IN_OTHER_WORDS}</p>")
    items = "".join(f"<li>{_mention(mention)}</li>" for mention in recognised.mentions)
    return block(
        f'{said}<p>This is what I recognised in it:</p><ul class="mentions">{items}</ul>'
        f"{strange}<p>{_IN_OTHER_WORDS}</p>"
    )


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
    if listed == text(mention.text) and best >= SURE:
        return listed
    return f"{said}: {'perhaps ' if best < SURE else ''}{listed}"


def problem(error: str) -> str:
    """`error` is what `errors.explained` made of an exception."""
    return block(f'<p role="alert">{text(error)}</p>', "problem")


def note(words: str) -> str:
    return block(f'<p class="note">{text(words)}</p>')


def sentence(words: str) -> str:
    """'nothing was found' -> 'Nothing was found.' A name of a file at the start stays as it is."""
    words = clean(words)
    end = "" if words.endswith((".", "!", "?")) else "."
    first = words.partition(" ")[0]
    if "." in first[:-1] or "/" in first:
        return words + end
    return f"{words[:1].upper()}{words[1:]}{end}" if words else ""
