"""A dialogue as HTML and Markdown. Every text that comes from a question, a knowledge base or a model
goes through `text` or `markdown`: it is shown as it is and never acts on the page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from changes import Change, new_words

from kbqa.answers import SHOWN, clean
from kbqa.dialogue import Dialogue, Offer, Recognised, SubQuestion, Timing, Version
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


def _block(inside: str, kind: str = "", attributes: str = "") -> str:
    return f'<div class="kbqa {kind}" {attributes}>{inside}</div>'


# --- a question and what was made of it -------------------------------------


def question(words: str) -> str:
    return _block(f"<p>{text(words)}</p>", "question")


def step(
    sub: SubQuestion, of: int, change: Change | None = None, *, at_once: int = SHOWN, look: str = ""
) -> str:
    """One numbered sub-question with its answers, warnings and doubts, what has changed in it marked.

    `of`: how many steps there are; `at_once`: answers shown before 'and 37 more'; `look`: why to look
    at this step first.
    """
    notes = [f'<p class="note">{text(sentence(warning))}</p>' for warning in sub.warnings]
    said = doubt(sub.confidence)
    if look or said:
        notes.append(f'<p class="note look">{" ".join(filter(None, (said, look)))}</p>')
    badge = f' <span class="badge">{text(change.badge)}</span>' if change else ""
    inside = (
        f'<p class="asked"><span class="number" aria-hidden="true">{sub.number}</span>'
        f'<span class="heard">Step {sub.number}: </span>{_asked(sub.shown, change)}{badge}</p>'
        f"{_answers(sub, at_once)}{''.join(notes)}"
    )
    kind = f"step {'changed' if change else ''}"
    return _block(inside, kind, f'role="group" aria-label="Step {sub.number} of {of}"')


def _asked(shown: str, change: Change | None) -> str:
    if change is None or not change.was:
        return text(shown)
    words = new_words(clean(shown), clean(change.was))
    return f"<bdi>{' '.join(f'<mark>{escape(w)}</mark>' if new else escape(w) for w, new in words)}</bdi>"


def introduction(*, again: bool) -> str:
    said = (
        "Here is how I understand your question now:" if again else "Here is how I understood your question:"
    )
    return _block(f"<p>{said}</p>")


def gone(questions: Iterable[str]) -> str:
    """Sub-questions that are asked no more."""
    items = "".join(f"<li><del>{text(q)}</del></li>" for q in questions)
    return _block(f'<p class="note">Left out now:</p><ul class="gone">{items}</ul>') if items else ""


def earlier(version: Version, number: int) -> str:
    """An earlier version, closed: its steps and their answers in few words."""
    items = "".join(f"<li>{text(s.shown)}<p class='note'>{text(brief(s))}</p></li>" for s in version.steps)
    answer = text(brief(version.steps[-1]))
    summary = f"<summary>Version {number} · answer: {answer}</summary>"
    return _block(f'<details class="earlier">{summary}<ol>{items}</ol></details>')


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
            if any(doubt(s.confidence) for s in subquestions):
                said += '<p class="note">I may have misunderstood the question: check the steps above.</p>'
    return _block(f'<p class="title">Answer</p>{said}', "final", 'role="status"')


def _nothing(said: str, advice: str) -> str:
    return f'<p class="result few">{said}</p><p class="note">{advice}</p>'


def small_print(dialogue: Dialogue, *, parts: bool = True) -> str:
    """How long the first answer took, in which mode and over what."""
    spent = f"{dialogue.timing.total / 1000:.2f} s"
    where = text(f"mode {dialogue.mode.name} · {dialogue.kb}")
    stages = f'<span class="where-wide">({_parts(dialogue.timing)}) </span>' if parts else ""
    return _block(f'<p class="note">{spent} {stages}· {where}</p>', "small-print")


def _parts(timing: Timing) -> str:
    named = (
        ("finding names", timing.link),
        ("reading", timing.parse),
        ("wording", timing.phrase),
        ("answers", timing.answer),
    )
    return ", ".join(f"{name} {spent / 1000:.2f}" for name, spent in named)


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


# --- is this right? ------------------------------------------------------------


def is_this_right(edits_left: int | None) -> str:
    """`edits_left`: None where there are no corrections at all."""
    left = f"{edits_left} correction{'' if edits_left == 1 else 's'} left"
    note = f' <span class="note">{left}</span>' if edits_left is not None else ""
    return _block(f'<p><span class="asked">Is this right?</span>{note}</p>', "right")


def how_to_correct(*, offered: bool) -> str:
    words = "Which step is wrong? Edit, replace or delete it, or insert another, with the buttons under it"
    other = ", or take one of the other readings below" if offered else ""
    return _block(f"<p>{words}{other}.</p>")


def did_you_mean() -> str:
    return _block('<p class="asked">Or did you mean one of these?</p>')


def preview(offer: Offer) -> str:
    """What an offered reading would find."""
    found = ", ".join(answer.label for answer in offer.sample[:3])
    more = offer.answer_count - min(len(offer.sample), 3)
    found += f" and {more:,} more" if more > 0 else ""
    return _block(f'<p class="note">{text(f"would find {found}" if found else "would find nothing")}</p>')


def taken_for(words: str, name: str) -> str:
    return _block(f'<p class="note">I took “{text(words)}” for {text(name)}. Did you mean</p>')


def taken_as(words: str, said: str, *, understood: bool) -> str:
    """What is shown back of a text that was typed at the bottom."""
    if understood:
        return _block(f'<p class="note">Do you mean</p><p class="asked">{text(said)}</p>')
    return _block(f'<p class="note">You said “{text(words)}”.</p><p>{text(said)}</p>')


def version(number: int, said: str, version: Version, *, now: bool) -> str:
    """One line in the list of versions: its number, what led to it and what it answers."""
    current = ' <span class="badge">shown</span>' if now else ""
    return _block(
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
    return _block(f"<p>{text(said)}</p>", "over")


# --- the query at a glance -----------------------------------------------------


def picture(wide: str, narrow: str, alt: str) -> str:
    """A drawing as SVG for a screen and for a phone; of the two the one that fits is shown (page.css), in
    its own size."""
    images = "".join(
        f'<img class="{kind}" alt="{attribute(alt)}" src="data:image/svg+xml;base64,'
        f'{b64encode(svg.encode(errors="replace")).decode("ascii")}">'
        for kind, svg in (("on-screen", wide), ("on-phone", narrow))
    )
    return _block(images, "drawing", 'role="region" tabindex="0" aria-label="Drawing of the query"')


def narrowing(subquestions: Sequence[SubQuestion]) -> str:
    """How many answers each step has, as bars: the longest is the step that has most."""
    most = max((s.answer_count for s in subquestions), default=0)
    bars = "".join(_bar(s, most) for s in subquestions)
    return _block(f'<p class="note">Answers of each step</p><ol class="narrowing">{bars}</ol>')


def _bar(sub: SubQuestion, most: int) -> str:
    bar = f'<span class="bar" style="width: {_share(sub.answer_count, most)}%"></span>'
    track = f'<span class="track" aria-hidden="true">{bar}</span>'
    return f'<li><span class="count">{_count(sub)}</span>{track}</li>'


def _count(sub: SubQuestion) -> str:
    least = "at least " if sub.outcome == "cut" else ""
    return f"{least}{sub.answer_count:,} answer{'' if sub.answer_count == 1 else 's'}"


def _share(count: int, most: int) -> int:
    """Per cent of the width, by the root, so that one of a thousand can still be seen."""
    return round(100 * (count / most) ** 0.5) if most else 0


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
    """`error` is what `errors.explained` made of an exception."""
    return _block(f'<p role="alert">{text(error)}</p>', "problem")


def note(words: str) -> str:
    return _block(f'<p class="note">{text(words)}</p>')


def sentence(words: str) -> str:
    """'nothing was found' -> 'Nothing was found.' A name of a file at the start stays as it is."""
    words = clean(words)
    end = "" if words.endswith((".", "!", "?")) else "."
    first = words.partition(" ")[0]
    if "." in first[:-1] or "/" in first:
        return words + end
    return f"{words[:1].upper()}{words[1:]}{end}" if words else ""
