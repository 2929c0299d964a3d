"""Rules for what changes the steps: edit, replace, delete, insert."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kbqa.dialogue import SubQuestion
from kbqa.feedback import Delete, Edit, Feedback, Insert, Replace
from kbqa.freeform import cues, places, verdicts
from kbqa.freeform.entities import named_entity, step_of_kind
from kbqa.freeform.heard import EDGES, Heard, Rule
from kbqa.freeform.proposal import Proposal, asking, proposed, type_words
from kbqa.freeform.which import choose, is_person, sharing, sort_of, stems
from kbqa.freeform.wording import about, condition, instead, question, renamed, saying_more, without
from kbqa.protocols import Mention

_SHORT = 8
"""Words of an utterance that may be a wish without saying so."""
_HOW_MANY = "Of these, how many are there?"
_CHOOSES = re.compile(
    r"(?:Of (?:these|the answers)\b.*\b(?:most|least|latest|earliest|\w{2,}est|how many|at least one)\b"
    r"|How many\b)",
    re.I,
)
"""A template that chooses among, or counts, the answers before."""
_OF_THAT_SORT = re.compile(r"(?:the )?(\S.*) ones?$", re.I)
"""'the 1994 one'"""


@dataclass(frozen=True, slots=True)
class _Wish:
    """`new` is wanted, in place of `old` if that was said; `swap`: a whole step for another."""

    new: str
    old: str = ""
    step: int | None = None
    swap: bool = False


# --- another sub-question ------------------------------------------------------


def contrast(heard: Heard) -> Feedback | None:
    """'X instead of Y'"""
    if _place(heard) is not None:
        return None
    reference = places.named(heard.plain, heard.count)
    text = heard.plain if reference is None else reference[1].strip(EDGES)
    for pattern in cues.CONTRASTS:
        swapped = _whole_step(heard, pattern)
        if swapped is not None:
            return _edit(heard, swapped)
        found = pattern.search(text)
        if found:
            new, old = _wanted(found["new"]), found["old"].strip(EDGES + "?")
            if new and old:
                return _edit(heard, _Wish(new, old, reference[0] if reference else None))
    return None


def _whole_step(heard: Heard, pattern: re.Pattern[str]) -> _Wish | None:
    """'change step 1 to ...'"""
    found = pattern.search(heard.plain)
    if found is None or not found.groupdict().get("swap"):
        return None
    reference = places.named(found["old"], heard.count)
    if reference is None or reference[1].strip(EDGES):
        return None
    return _Wish(found["new"], step=reference[0], swap=cues.SWAPPED.match(found["swap"]) is not None)


def wish(heard: Heard) -> Feedback | Proposal | None:
    """'I meant the director', 'step 2: who wrote it', 'no, the producer', 'his birthplace'"""
    reference = places.named(heard.plain, heard.count)
    text = heard.plain if reference is None else reference[1]
    if reference is None and not _is_wish(text, heard):
        return None
    new = _wanted(cues.COMPLAINT.sub("", text.strip(EDGES), count=1))
    if re.match(r"not\b", new, re.I):
        return Proposal(None, f"And what instead of {new[3:].strip()!r}? Say 'I meant ...'.")
    if not stems(new) or verdicts.REJECTION.fullmatch(new):
        return None if reference is None else _unclear(reference[0])
    return _edit(heard, _Wish(new, step=reference[0] if reference else None))


def _is_wish(text: str, heard: Heard) -> bool:
    """By what it says; or a few words alone that may be what is wanted: 'Meg Ryan', 'the cheapest'."""
    if cues.WANT.search(f"{text} ") or cues.IMPERATIVE.match(text):
        return True
    if len(text.split()) > _SHORT:
        return False
    if heard.denied:
        return True
    if cues.QUESTION.match(text):
        return False
    determined = re.match(r"(?:the|his|her|its|their|that|those) \w", text, re.I) is not None
    known = named_entity(heard, text) is not None or sharing(text, heard.version) is not None
    return determined or known or sort_of(text) != "what"


def _wanted(text: str) -> str:
    """What is wanted, without 'I was looking for'."""
    found = list(cues.WANT.finditer(text))
    if found and text[found[-1].end() :].strip(EDGES):
        text = text[found[-1].end() :]
    text = cues.POLITE.sub("", text.strip(EDGES), count=1)
    text = cues.IMPERATIVE.sub("", text, count=1)
    return cues.THANKS.sub("", text, count=1).strip(EDGES)


def _edit(heard: Heard, meant: _Wish) -> Feedback:
    number = meant.step or _step_for(heard, meant)
    step = heard.step(number)
    if step is None or meant.swap:
        kind = Replace if meant.swap else Edit
        return kind(number, question(meant.new, ""))
    return Edit(number, _worded(heard, step, meant))


def _step_for(heard: Heard, meant: _Wish) -> int:
    name = None
    if not meant.old and not cues.QUESTION.match(meant.new):
        name = named_entity(heard, meant.new)
    of_kind = None if name is None else step_of_kind(heard, name)
    return of_kind or choose(heard.version, meant.old, meant.new, heard.text)


def _worded(heard: Heard, step: SubQuestion, meant: _Wish) -> str:
    """The step's sub-question with what is wanted in it."""
    held = next((m for m in step.mentions if m.candidates), None)
    if held is not None and not cues.QUESTION.match(meant.new):
        name = _written(held, step)
        kind = _kind_wanted(heard, held, meant)
        if kind:
            return about(step, name, kind)
        if not meant.old and named_entity(heard, meant.new) is not None:
            return renamed(step, name, meant.new)
    things = " ".join(s.shown for s in heard.version.steps[: step.number - 1])
    return instead(meant.new, step, meant.old, things)


def _kind_wanted(heard: Heard, held: Mention, meant: _Wish) -> str:
    """'book' of 'it is about the book, not the film': the same name, but of another thing; or ''."""
    of_that_sort = _OF_THAT_SORT.match(meant.new)
    if of_that_sort and not meant.old and sort_of(meant.new) != "most":
        return of_that_sort[1]
    kinds = set(stems(" ".join(type_words(held.candidates[0]))))
    old = set(stems(meant.old))
    noun = re.sub(r"^(?:the|a|an) ", "", meant.new, flags=re.I)
    one_noun = " " not in noun and not is_person(noun.casefold())
    return noun if (old and old <= kinds) or (cues.ABOUT.search(heard.plain) and one_noun) else ""


def _written(mention: Mention, step: SubQuestion) -> str:
    """The entity's name as the step shows it."""
    label = mention.candidates[0].label
    return label if label.casefold() in step.shown.casefold() else mention.text


def _unclear(number: int) -> Proposal:
    return Proposal(None, f"What should step {number} ask? Say 'step {number} should be ...'.")


def bare_question(heard: Heard) -> Proposal | None:
    """A question or order with nothing around it: about the steps where it speaks of what they speak of."""
    text, edits = heard.plain, heard.dialogue.mode.edits
    order = cues.ORDER.match(text)
    if not order and not cues.QUESTION.match(text) and not heard.text.endswith("?"):
        return None
    words = len(re.findall(r"\w+", text))
    if edits and (words < 2 or cues.ASKING_WHY.match(text)):
        return None
    mentions = [m for s in heard.version.steps for m in s.mentions]
    names = [n for m in mentions for n in (m.text, *(c.label for c in m.candidates[:1]))]
    refers = cues.REFERS.search(text) or any(n.casefold() in text.casefold() for n in names)
    if not edits or not (refers or (order and words <= _SHORT - 3)):
        return asking(heard.text)
    meant = _edit(heard, _Wish(text[order.end() :] if order else text))
    return replace(proposed(meant, heard.version), question=heard.text)


# --- a step less ---------------------------------------------------------------


def not_only(heard: Heard) -> Feedback | None:
    """'all of them, not only the latest': without the choice among them."""
    found = cues.NOT_ONLY.search(heard.plain)
    if found is None:
        return None
    step = sharing(found["step"], heard.version) if found["step"] else heard.version.steps[-1]
    return Delete(step.number) if step is not None and _CHOOSES.match(step.template) else None


def delete(heard: Heard) -> Feedback | Proposal | None:
    """A whole step, or what stands in it beside the rest: 'remove the year from step 2'."""
    if cues.DELETE.search(heard.plain) is None or cues.ADDS.match(heard.plain):
        return None
    rest = cues.DELETE.sub(" ", heard.plain)
    reference = places.named(rest, heard.count)
    if reference is not None:
        return _less(heard, *reference)
    step = sharing(rest, heard.version)
    if step is not None:
        text = without(step, cues.PART.sub(" ", rest))
        return Edit(step.number, text) if text else Delete(step.number)
    excluded = cues.EXCLUDING.search(heard.plain)
    if excluded:
        return Insert(_end(heard), condition(f"not {excluded['what']}"))
    return Proposal(None, f"Which step shall go? Say 'remove step 1', up to {heard.count}.")


def _less(heard: Heard, number: int, part: str) -> Feedback | Proposal:
    """Step `number` without `part`; without the step, where no part is named."""
    last, named = cues.LAST_PART.search(part), cues.PART.sub(" ", part)
    step = heard.step(number)
    if step is None or not (last or stems(named)):
        return Delete(number)
    text = without(step, "" if last else named)
    return Edit(number, text) if text else _unclear(number)


# --- a step more ---------------------------------------------------------------


def insert(heard: Heard) -> Feedback | None:
    """'only those after 1990', 'before the last step, ask which of these ...', 'add a step: ...'"""
    place = _place(heard)
    if place is None and cues.ADDS.match(heard.plain) and places.INTO.search(heard.plain):
        return _more(heard)
    text = (heard.plain if place is None else place[1]).strip(EDGES)
    adds = place is not None or bool(cues.ADDS.match(text) or cues.ALSO.match(text))
    if adds:
        text = cues.ADD.sub("", cues.ALSO.sub("", text, count=1), count=1).strip(EDGES)
    asked = _inserted(text, adds, heard)
    if not asked:
        return None
    end = heard.count + 1 if asked == _HOW_MANY else _end(heard)
    return Insert(end if place is None else place[0], asked)


def _place(heard: Heard) -> tuple[int, str] | None:
    return places.position(heard.plain, heard.count, adds=cues.ADDS.match(heard.plain) is not None)


def _more(heard: Heard) -> Feedback | None:
    """'add the year 1994 to step 1'"""
    reference = places.named(heard.plain, heard.count)
    step = None if reference is None else heard.step(reference[0])
    if reference is None or step is None:
        return None
    return Edit(step.number, saying_more(step, cues.ADD.sub("", reference[1], count=1).strip(EDGES)))


def _inserted(text: str, adds: bool, heard: Heard) -> str:
    """The sub-question to put in; '' where nothing of the kind was said."""
    if cues.COUNTED.match(text):
        return _HOW_MANY
    if cues.OF_THESE.match(text):
        return question(text, "")
    only = cues.ONLY.match(text)
    if only and (only["which"] or cues.CONDITION.match(only["condition"])):
        return condition(only["condition"])
    if not adds or not text:
        return ""
    if cues.QUESTION.match(text):
        return question(text, "")
    said = cues.THOSE.sub("", _wanted(text))
    if cues.CONDITION.match(said):
        return condition(said)
    return instead(said, heard.version.steps[choose(heard.version, "", said, heard.text) - 1])


def _end(heard: Heard) -> int:
    """After the last step, but before a count or superlative: these are of what is left."""
    at = heard.count + 1
    while at > 2 and _CHOOSES.match(heard.version.steps[at - 2].template):
        at -= 1
    return at


RULES: tuple[Rule, ...] = (contrast, delete, insert, wish, bare_question)
