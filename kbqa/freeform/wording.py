"""The sub-question that stands for what a person wants asked: 'the director' of the step 'Who wrote
Forrest Gump?' -> 'Who is the director of Forrest Gump?'. The corrector reads it."""

from __future__ import annotations

import re

from kbqa.dialogue import SubQuestion
from kbqa.freeform import cues
from kbqa.freeform.which import SUPERLATIVE, anchor_of, head_noun, is_person, stems

_PRONOUN = re.compile(
    r"\b(?:it|them|him|her|he|she|they)\b|\b(?:that|this|those|these)\b(?=\s*(?:[?.,!]|$))", re.I
)
_POSSESSIVE = re.compile(r"\b(?:his|her|its|their)\s+(?=[a-z])(\w+(?:\s+of\s+\w+)?)", re.I)
_WHO = re.compile(
    r"^(?:the\s+|a\s+)?(?:person|people|persons|one|ones|man|woman|guy|somebody|someone)\s+(?:who|that)\s+(.+)",
    re.I | re.S,
)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.I)
_BARE_SUPERLATIVE = re.compile(
    r"^(?:the\s+)?(?P<most>(?:most|least) \w+|first|last|\w{2,}est)(?:\s+(?P<thing>\w+|of (?:them|these"
    r"|those)))?$",
    re.I,
)
_DATED = {
    "oldest": "earliest", "first": "earliest", "newest": "latest", "last": "latest", "youngest": "latest",
    "most recent": "latest", "earliest": "earliest", "latest": "latest",
}  # fmt: skip
_CLAUSE = re.compile(r"\b(?:he|she|they|it|who|that|which)\s+\w+|\b\w+(?:ed|en)\s+(?:by|in|with|for)\b", re.I)
_VERB_FIRST = re.compile(
    r"^(?:is|are|was|were|has|have|had|came|come|won|did|do|does|can|could|live|lives|lived|begin|began|start|end|"
    r"belong|cost|ran|run|made it|went|contain|contains|border|borders|include|includes)\b",
    re.I,
)
_INDIRECT = re.compile(
    r"^(?P<wh>(?i:when|where|how|why|whom)) (?P<who>(?:the|that|those|these|this)(?: \w+)+?"
    r"|(?:[A-Z][\w'.-]*)(?: [A-Z][\w'.-]*)*)"
    r" (?P<verb>[a-z]+(?:ed|s)|went|got|won|wrote|grew|spoke|made|became|began|ran|taught|sang"
    r"|built)(?P<rest> .*)?$",
    re.S,
)
_CONDITIONS = (
    re.compile(r"(?<!^Of these)(?=,? (?:and|but) |, (?:counting|which|whose|where|with|at some time) )"),
    re.compile(r"(?= (?:whose|since|before|after|from|during|in) )"),
)
"""Where a condition begins in a shown sub-question: clauses, else phrases."""
_SPEAKS = re.compile(r"\b(?:that|those|these|this) \w|\bstep \d|(?<!^)\b[A-Z0-9]")
"""Something is named: an earlier answer, or what has a capital."""
_ADDED = re.compile(
    r"(?:before|after|since|until|from|in|on|at|by|with|without|during|between|under|over|of|born|released|made)\b",
    re.I,
)
"""How a wish begins that only says more about what is asked."""
_OF_SOMETHING = re.compile(r"\bof (?:that|those|these|this|the|[A-Z])")
_WANTS_ONE = re.compile(r"^(?:who|what|which)\b", re.I)
_ENDS_IN_VERB = re.compile(r"(?:\w{3,}ed|wrote|made|won|sang|built|led|ran)$", re.I)
_FINITE = frozenset("are were did does do has have had can could will would".split())
_PAST = {
    "went": "go", "got": "get", "won": "win", "wrote": "write", "grew": "grow", "spoke": "speak",
    "made": "make", "became": "become", "began": "begin", "ran": "run", "taught": "teach",
    "sang": "sing", "built": "build",
}  # fmt: skip
_LOST_E = re.compile(r"(?:[vczu]|(?<!s)s|(?<!n)g|at|ir|in)$")
"""What is left of 'live', 'release', 'retire' when '-ed' is cut off."""
_PLURAL_PEOPLE = frozenset("people children men women".split())


_YEAR = re.compile(r"\b[12]\d{3}\b")
_YEAR_SAID = re.compile(r"(?P<how>in|of|from|during|for|after|before|since|until) (?P<year>[12]\d{3})", re.I)
_WITHIN = frozenset({"in", "of", "from", "during", "for", "is", "on"})


def instead(wish: str, step: SubQuestion, old: str = "", things: str = "") -> str:
    """The step's sub-question with `wish` asked for; `old`: what it is to stand in place of, if said;
    `things`: the sub-questions before, which say what the answers are called."""
    wish = wish.strip(" \t\n.!,;:-'\"")
    if cues.QUESTION.match(wish):
        return question(wish, anchor_of(step))
    exchanged = _exchanged(step.shown, old, wish)
    if exchanged:
        return exchanged
    if re.match(r"Of (?:these|the answers)", step.template):
        return _of_these(wish, step, things)
    if _ADDED.match(wish):
        return saying_more(step, wish)
    person = _WHO.match(wish)
    if person:
        return question(f"who {person[1]}", anchor_of(step))
    return _noun_asked(wish, step)


def renamed(step: SubQuestion, name: str, other: str) -> str:
    """The shown sub-question with `other` for the entity `name`."""
    return _exchanged(step.shown, name, other) or instead(other, step)


def about(step: SubQuestion, name: str, kind: str) -> str:
    """'Who wrote Forrest Gump?', 'book' -> 'Who wrote the book Forrest Gump?'"""
    return _exchanged(step.shown, name, f"the {_ARTICLE.sub('', kind)} {name}") or instead(kind, step)


def question(text: str, anchor: str) -> str:
    """A question as it was said, its pronouns put for what they mean; one that speaks of nothing is about
    `anchor`: 'who directed' -> 'Who directed Cast Away?'."""
    if cues.OF_THESE.match(text):
        return _asked(re.sub(r"\bof (?:them|those|these|it)\b", "of these", text, flags=re.I))
    if anchor:
        text = _POSSESSIVE.sub(lambda m: f"the {m[1]} of {anchor}", text)
        text = _PRONOUN.sub(lambda _: anchor, text).rstrip(" .!?,;:")
        speaks = anchor.casefold() in text.casefold() or _SPEAKS.search(text)
        if not speaks and _WANTS_ONE.match(text):
            text += f" {anchor}" if _ENDS_IN_VERB.search(text) else f" of {anchor}"
    return _asked(_direct(text))


def saying_more(step: SubQuestion, wish: str) -> str:
    """'after 1990' -> 'What films has Tom Hanks been in after 1990?'; 'in 1922' of a step that says 'in 1921'
    is another year."""
    return (
        _other_year(step.shown, wish)
        or f"{step.shown.rstrip(' ?.')} {'' if _ADDED.match(wish) else 'with '}{wish}?"
    )


def _other_year(shown: str, wish: str) -> str:
    """The sentence with the year of the wish for its own, where it says one alike; else ''."""
    said, years = _YEAR_SAID.fullmatch(wish), list(_YEAR.finditer(shown))
    if said is None or len(years) != 1:
        return ""
    (here,) = years
    before = re.search(r"(\w+)\W*\Z", shown[: here.start()])
    word, other = (before[1].casefold() if before else ""), said["how"].casefold()
    alike = word == other or {word, other} <= _WITHIN
    return shown[: here.start()] + said["year"] + shown[here.end() :] if alike else ""


def without(step: SubQuestion, part: str) -> str:
    """The shown sub-question with one of its conditions cut out: the one that `part` shares most with, or
    the last where that is ''. '' where there is none, or it is all the step asks."""
    said = set(stems(part))
    for pattern in _CONDITIONS:
        head, *conditions = pattern.split(step.shown.rstrip("?. "))
        shared = [len(said & set(stems(c))) for c in conditions]
        if not conditions or (part and max(shared) <= len(said & set(stems(head)))):
            continue
        gone = shared.index(max(shared)) if part else len(conditions) - 1
        return "".join([head, *(c for i, c in enumerate(conditions) if i != gone), "?"])
    return ""


def condition(text: str) -> str:
    """'released after 1995' -> 'Of these, which was released after 1995?'"""
    text = text.strip(" \t\n.!?,;:")
    if not text:
        return ""
    if re.match(r"not\b", text, re.I):
        return f"Of these, which is {text}?"
    verb = "" if _VERB_FIRST.match(text) else "was "
    with_ = "one " if re.match(r"(?:with|without)\b", text, re.I) else ""
    return f"Of these, which {'is ' if with_ else verb}{with_}{text}?"


def _asked(text: str) -> str:
    text = " ".join(text.split()).rstrip(" .!?,;:")
    return f"{text[:1].upper()}{text[1:]}?"


def _direct(text: str) -> str:
    """'when that man died' -> 'when did that man die', 'where he lives' -> 'where does he live'."""
    found = _INDIRECT.match(" ".join(text.split()).rstrip("?.! "))
    if found is None or set(found["who"].casefold().split()) & _FINITE:
        return text
    wh, who, verb, rest = found["wh"], found["who"], found["verb"], found["rest"] or ""
    if verb in ("was", "is"):
        return f"{wh} {verb} {who}{rest}"
    base = _base(verb)
    return f"{wh} did {who} {base}{rest}" if base else f"{wh} does {who} {verb[:-1]}{rest}"


def _base(verb: str) -> str:
    """The infinitive of a past tense; '' for what is none."""
    if verb in _PAST:
        return _PAST[verb]
    if not verb.endswith("ed") or len(verb) < 4:
        return ""
    stem = verb[:-2]
    if stem.endswith("i"):
        return f"{stem[:-1]}y" if len(stem) > 2 else f"{stem}e"
    if stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return f"{stem}e" if _LOST_E.search(stem) else stem


def _exchanged(shown: str, old: str, new: str) -> str:
    """The sentence with one part for another, or '' where the part doesn't stand in it."""
    old, new = _ARTICLE.sub("", old.strip(" .!?,'\"")), new.strip()
    found = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", shown, re.I) if old else None
    if found is None or shown[: found.start()].casefold().endswith(("that ", "those ")):
        return ""
    if shown[: found.start()].rstrip().casefold().endswith((" the", " a", " an")):
        new = _ARTICLE.sub("", new)
    text = shown[: found.start()] + new + shown[found.end() :]
    return text[:1].upper() + text[1:]


def _of_these(wish: str, step: SubQuestion, things: str) -> str:
    """A choice among earlier answers, made otherwise."""
    of = step.template.partition(",")[0]
    found = _BARE_SUPERLATIVE.match(wish)
    thing = found["thing"] or "" if found else ""
    bare = thing in ("", "one", "ones") or thing.startswith("of ") or set(stems(thing)) <= set(stems(things))
    standing = SUPERLATIVE.search(step.shown)
    dated = standing is not None and re.search(r"recent|latest|earliest", standing[0], re.I)
    most = found["most"].casefold() if found else ""
    if found and bare and standing and (not dated or most in _DATED):
        most = _DATED[most] if dated else most
        return step.shown[: standing.start()] + most + step.shown[standing.end() :]
    bare_wish = _ARTICLE.sub("", wish)
    if SUPERLATIVE.match(bare_wish):
        return f"{of}, which {'is' if found and bare else 'has'} the {bare_wish}?"
    anchor = anchor_of(step)
    if is_person(head_noun(wish)) and anchor != "these":
        return f"{of}, which has {anchor} as the {bare_wish}?"
    return f"{of}, {condition(wish).partition(', ')[2]}"


def _noun_asked(wish: str, step: SubQuestion) -> str:
    """'place of birth' -> 'What is the place of birth of that writer?'"""
    anchor = anchor_of(step)
    noun = head_noun(wish)
    plural = noun in _PLURAL_PEOPLE or (noun.endswith("s") and not noun.endswith(("ss", "us", "is")))
    asks = "Who" if is_person(noun) else "What"
    clause = _CLAUSE.search(wish) is not None
    wish = _POSSESSIVE.sub(lambda m: f"the {m[1]} of {anchor}", wish)
    wish = _PRONOUN.sub(lambda _: anchor, wish)
    if not re.match(r"(?:the|a|an|his|her|its|their)\b", wish, re.I):
        wish = f"the {wish}"
    held = clause or _OF_SOMETHING.search(wish) or (anchor and anchor.casefold() in wish.casefold())
    return _asked(f"{asks} {'are' if plural else 'is'} {wish}{'' if held or not anchor else f' of {anchor}'}")
