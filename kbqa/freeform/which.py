"""Which step an utterance is about, where no number says it: by shared words, by what is asked."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal as Choice

from kbqa.dialogue import SubQuestion, Version

Sort = Choice["who", "where", "when", "many", "most", "what"]
"""What a sub-question asks for: a person, a place, a date, a number, the first of an order, anything."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_STOP = frozenset(
    """a an the is are was were be been am do does did has have had of in on at to for from by with and or not
    no i it its he she they them his her their this that these those which who whom whose what where when how
    many much me my you your we us one ones thing something about as want wanted mean meant need ask asked
    asking should would could can please step question part only just also but instead so then than there here
    if""".split()
)
_SAME = {
    "wrote": "writ", "written": "writ", "writing": "writ", "author": "writ", "screenwriter": "writ",
    "movie": "film", "movies": "film", "picture": "film", "born": "birth", "birthplace": "birth",
    "country": "countri", "countries": "countri", "played": "act", "made": "make", "died": "death",
    "dead": "death", "won": "win", "winner": "win",
}  # fmt: skip
_ENDINGS = "ations ation ings ing ers ors ies ed er or es s e y".split()
_NO_SUPERLATIVE = (
    "arr|conqu|cont|cr|dig|earn|ern|ever|for|forr|gu|harv|hon|inter|inv|manif|mod|pri|prot|qu|requ|sugg|budap"
)
SUPERLATIVE = re.compile(
    rf"\b(?:most recent(?:ly)?|most|least|first|last|(?!(?:{_NO_SUPERLATIVE})est\b)\w{{2,}}est)\b", re.I
)
_PEOPLE = frozenset(
    """person people man woman actress cast staff crew wife husband spouse father mother parent child children
    son daughter brother sister sibling president pope king queen coach captain ceo chef boss head leader
    star lead musician politician guy girl boy someone somebody student architect composer relative artist
    scientist author""".split()
)
_NO_PEOPLE = frozenset(
    """number order river letter water paper computer weather color center theater chapter power calendar
    super other another under over after never ever whether either factor sector disorder border gender answer
    cover offer quarter summer winter flower tower chamber""".split()
)
"""Nouns that end as 'writer' and 'director' do, and name no people."""
_PLACES = frozenset("birthplace place city town location address headquarters venue site".split())
_DATES = frozenset("date day year time month birthday".split())
_BRACKET = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]")
_ID = re.compile(r" \((?:[mg]\.\w+|<[^<>]*>|local\.[\w.]+)\)\Z")
_OF_STEP = re.compile(r"\Athe (.*) of step (\d+)\Z")
_OF_A_PERSON = re.compile(r"\b(?:he|she|his|her|him)\b", re.I)
_REFERENCE = re.compile(r"\[(?:that (?P<noun>[^\[\]]*)|the (?P<other>[^\[\]]*) of step (?P<step>\d+))\]")


def stems(text: str) -> list[str]:
    """The words that say something, cut to what their forms share: 'directed', 'director' -> 'direct'."""
    found = [_stem(w) for w in _WORD.findall(text.casefold()) if w not in _STOP]
    return [*found, "#most"] if SUPERLATIVE.search(text) else found


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    if word in _SAME:
        return _SAME[word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            return _SAME.get(stem, stem + "i" if ending in ("ies", "y") else stem)
    return word


def sort_of(text: str) -> Sort:
    """What a sub-question, or the noun phrase of one, asks for."""
    low = text.casefold().strip()
    first = re.match(r"(?:in |on |at )?(who|whom|where|when|how many|how much)\b", low)
    if first:
        by = {"who": "who", "whom": "who", "where": "where", "when": "when"}
        return by.get(first[1], "many")  # type: ignore[return-value]
    if SUPERLATIVE.search(low):
        return "most"
    noun = head_noun(low)
    if is_person(noun):
        return "who"
    if noun in _PLACES or low.startswith(("place of", "the place of")):
        return "where"
    return "when" if noun in _DATES else "what"


def head_noun(phrase: str) -> str:
    """'what is the casting director of that film' -> 'director'; '' where there is none."""
    phrase = re.sub(r"^(?:who|what|which)(?: is| are| was| were)?\s+", "", phrase.casefold())
    before = re.split(
        r"\b(?:of|in|on|at|that|who|which|with|from|for|by|to|listed|named|he|she|they|it|i)\b", phrase
    )[0]
    words = _WORD.findall(before)
    return words[-1] if words else ""


def is_person(noun: str) -> bool:
    """Whether a noun names people by what they do: 'director', 'writers'."""
    one = noun if noun in _PEOPLE else noun.removesuffix("s")
    if one in _PEOPLE:
        return True
    return (
        one not in _NO_PEOPLE
        and len(one) > 4
        and re.search(r"(?:er|or|ist|ian|man|woman|ess|eer)\Z", one) is not None
    )


def sharing(text: str, version: Version) -> SubQuestion | None:
    """The step that shares most with the text, words of few steps counting more; None where none does."""
    own = {step.number: set(stems(words)) for step, words in zip(version.steps, _words(version), strict=True)}
    low = f" {' '.join(_WORD.findall(text.casefold()))} "
    frequent = Counter(stem for held in own.values() for stem in held)
    said = set(stems(text))
    best, most = None, 0.0
    for step in version.steps:
        score = sum(1.0 / frequent[s] for s in said & own[step.number])
        score += sum(1.5 for phrase in _mentioned(step) if f" {phrase} " in low)
        if score > most + 1e-9:
            best, most = step, score
    return best


def anchor_of(step: SubQuestion) -> str:
    """What a step asks about, as it is said: 'Forrest Gump', 'that film', 'the film from step 1'; 'these'
    where it is only about earlier answers."""
    found = _BRACKET.search(step.template)
    if found is None:
        return "these" if step.template.startswith("Of ") else ""
    text = _ID.sub("", re.sub(r"\\(.)", r"\1", found[1])).strip('"')
    other = _OF_STEP.match(text)
    return f"the {other[1]} from step {other[2]}" if other else text


def _about_people(step: SubQuestion) -> bool:
    """Whether what a step asks about is a person."""
    held = [c for m in step.mentions for c in m.candidates[:1]]
    if any("person" in t.value.casefold() for c in held for t in c.types):
        return True
    anchor = anchor_of(step).casefold()
    return anchor.startswith(("that ", "the ")) and is_person(anchor.split(" from ")[0].split()[-1])


def choose(version: Version, old: str, new: str, whole: str) -> int:
    """The step that `new` is to change: one that holds `old`; one that shares words with the whole
    utterance; one that asks for the same sort of thing as `new` does; the least sure; the last."""
    steps = version.steps
    if len(steps) == 1:
        return 1
    if _OF_A_PERSON.search(new):
        people = [s.number for s in steps if _about_people(s)]
        if len(people) == 1:
            return people[0]
    for text in (old, whole):
        found = sharing(text, version) if text.strip() else None
        if found is not None:
            return found.number
    wanted = sort_of(new)
    alike = [s for s in steps if wanted in (sort_of(s.shown), sort_of(s.template))]
    among = alike or list(steps)
    doubt = [s.confidence for s in among]
    if max(doubt) - min(doubt) > 0.01:
        return min(among, key=lambda s: s.confidence).number
    return (among[0] if alike else among[-1]).number


def _words(version: Version) -> list[str]:
    """What each step is known by: its sentences and names; 'that writer' belongs to the step it refers to."""
    found = [f"{_REFERENCE.sub('', s.template)} {_without(s)}" for s in version.steps]
    for i, step in enumerate(version.steps):
        found[i] += "".join(f" {m.text} {m.candidates[0].label}" for m in step.mentions if m.candidates)
        for reference in _REFERENCE.finditer(step.template):
            to = int(reference["step"] or step.number - 1)
            if 1 <= to <= len(found) and to != step.number:
                found[to - 1] += f" {reference['noun'] or reference['other']}"
    return found


def _without(step: SubQuestion) -> str:
    """The shown sentence without its references."""
    text = step.shown
    for phrase in _mentioned(step):
        text = re.sub(re.escape(phrase), " ", text, flags=re.I)
    return text


def _mentioned(step: SubQuestion) -> list[str]:
    """'that writer' and the like, as it stands in the step."""
    found = []
    for reference in _REFERENCE.finditer(step.template):
        noun, to = reference["noun"] or reference["other"], reference["step"]
        found += [
            f"that {noun}".casefold(),
            f"those {noun}s".casefold(),
            f"the {noun} from step {to}".casefold(),
        ]
    return found
