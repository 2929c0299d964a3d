"""The same question as other people would put it: in few words, or in many.

Texts hold names and values as private characters (`kbqa.synth.speech`), so that nothing here touches
them. All frames are this project's own words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_ASKING = re.compile(
    r"(?:(?:what|who|which)(?: (?:is|are|was|were)|'s)|name|tell me|give me|list|find)"
    r" (?:all )?(?:the |a |an )?",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:what|which) (?=[a-z])", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:the|a|an) (?=[a-z])")
_SHORTER = (
    (re.compile(r"\b(?:that|which) (?:has|have) (?:the |a |an )?"), "with "),
    (re.compile(r"\b(?:that|which|who) (?:is|are|was|were) (?=in |from |by |\w+ed )"), ""),
    (re.compile(r"\b(?:that|which) borders?\b"), "bordering"),
    (re.compile(r"\b(?:that|which) contains?\b"), "containing"),
    (re.compile(r"\b(?:that|which|who) (?:stars|starred)\b"), "starring"),
    (re.compile(r"\b(?:that|which|who) (?:speaks?)\b"), "speaking"),
    (re.compile(r"\bwhere you can find\b"), "with"),
)
_OF = re.compile(r"([a-z]+(?: [a-z]+)?) of ([\ue000-\ue7ff])\Z")

_BEFORE = (
    "I was wondering, {}", "do you know {}", "can you tell me {}", "could you tell me {}", "any idea {}",
    "I'd love to know {}", "I would like to know {}", "help me out here: {}", "quick question, {}",
    "for a quiz tonight: {}", "I can't remember {}", "I forgot {}", "my daughter asked me {}", "hi! {}",
    "hello, {}", "please tell me {}", "I need to find out {}", "I keep asking myself {}", "so, {}",
    "ok, {}", "one more: {}", "we were arguing about this at dinner: {}", "I'm curious {}",
    "this is for my homework: {}", "I'm trying to work out {}", "I have always wanted to know {}",
    "somebody asked me today {}", "remind me, {}",
)  # fmt: skip
_AFTER = (
    "{} I can't remember.", "{} Any idea?", "{} Thanks!", "{} Do you know?", "{} Please.", "{} I forgot.",
    "{} I should know this.", "{} It's on the tip of my tongue.", "{} Somebody must know.",
    "{} Just curious.",
)  # fmt: skip
_LED = re.compile(r"(?:in|on|at|for|of|by|from|with|to) ", re.IGNORECASE)
_STATED = re.compile(r"(what|who) (is|was|are|were) (the .*)\?\Z", re.IGNORECASE)
_KNOWN = ("I'd like to know {} {} {}.", "tell me {} {} {}", "do you know {} {} {}?", "I wonder {} {} {}")

_AUXILIARY = frozenset("is are was were did does do has have had can will would".split())
_OPENED = (
    "There is {a} that {said}. {then}", "There's this {noun} that {said}. {then}",
    "I read about {a} that {said}. {then}", "You know the {noun} that {said}? {then}",
    "I'm thinking of the {noun} that {said}. {then}", "Take the {noun} that {said}. {then}",
    "I know which {noun} {said}, but {later}", "I saw something about the {noun} that {said}. {then}",
    "A friend told me about {a} that {said}. {then}",
)  # fmt: skip
_BOTH = (
    "I'm looking for {a} that {said} and also {more}.", "I'm after the {noun} that {said} and {more}.",
    "There must be {a} that {said} and that {more}. Which one?",
    "Is there {a} that {said} and that {more}? Which?", "{Noun} that {said} and {more}?",
)  # fmt: skip
_KEPT = re.compile(r"(?:of these, which (?:is the [a-z ]+? (?:that|who|which) |is one that )?"
                   r"|which of these )(?P<said>[a-z].*)\?\Z", re.IGNORECASE)  # fmt: skip
_SEVERAL = {"does": "do", "is": "are", "was": "were", "has": "have"}
_PEOPLE = frozenset(
    "person actor director writer author artist musician player leader politician man woman".split()
)


_ENTITY = re.compile("[\ue000-\ue7ff]")
_PERSON, _WORK, _PLACE, _TEAM, _BAND = "person", "work", "place", "team", "band"
_ABOUT = {
    _PERSON: (
        "I'm a big fan of {e}", "I just read a biography of {e}", "I was reading about {e}",
        "{e} was on the news today", "We're learning about {e} at school", "My aunt adores {e}",
        "I saw an interview with {e} once", "I keep hearing about {e}", "About {e}",
    ),
    _WORK: (
        "I just finished {e}", "I loved {e}", "My brother keeps going on about {e}",
        "We watched {e} last night",
        "{e} is one of my favourites", "I've never got round to {e}", "About {e}",
        "I've been thinking about {e}",
        "Somebody recommended {e} to me",
    ),
    _PLACE: (
        "We're planning a trip to {e}", "I've never been to {e}", "My best friend moved to {e}",
        "Think of {e}",
        "I spent a summer in {e}", "I'm writing an essay about {e}", "About {e}",
        "I'm looking at a map of {e}",
        "My grandparents came from {e}",
    ),
    _TEAM: (
        "I've followed {e} since I was a kid", "My dad took me to see {e}", "Everybody at work loves {e}",
        "About {e}", "I don't know much about {e}", "I have a jersey of {e}",
    ),
    _BAND: (
        "I've been listening to {e} all day", "I have every record of {e}",
        "My parents met at a concert of {e}",
        "About {e}", "I only discovered {e} last year", "I'm really into {e} at the moment",
    ),
    "": (
        "I was reading about {e}", "About {e}", "I'm writing something about {e}",
        "There's a documentary on {e}",
        "Somebody mentioned {e} today", "I don't know the first thing about {e}", "A question about {e}",
        "My nephew asked me about {e}", "I keep hearing about {e}",
    ),
}  # fmt: skip
"""What people say of a thing before they ask about it, by its sort."""
_SORTS = (
    (re.compile(r"\b(?:person|actor|actress|author|writer|director|president|politician|athlete|player"
                r"|musician|singer|scientist|character|artist|monarch|composer|coach)\b"), _PERSON),
    (re.compile(r"\b(?:film|movie|book|novel|tv|series|album|song|play|opera)\b"), _WORK),
    (re.compile(r"\b(?:country|city|town|state|province|region|island|county|continent|river|lake|mountain)\b"),
     _PLACE),
    (re.compile(r"\b(?:team|club)\b"), _TEAM),
    (re.compile(r"\b(?:band|group|orchestra)\b"), _BAND),
)  # fmt: skip
_TURNS = (". {q}", ". So {l}", ", and I wonder {l}", ". Now, {l}", ". {q}", " - {l}", ". Do you know {l}",
          ". Could you tell me {l}", ". Tell me, {l}", ": {l}")  # fmt: skip
_ASIDES = (
    ", if I remember right,", ", by the way,", ", you know,", ", I think,", ", as far as anybody knows,",
    ", actually,",
    " (no idea how to spell it)", ", was it,", ", say,", ", exactly,", ", in the end,",
    " or whatever it's called",
)  # fmt: skip
_TAILS = (
    " I always mix them up.", " It's for a crossword.", " My friends and I have a bet on it.",
    " I really ought to know.",
    " It came up in a quiz last night.", " I've asked everybody.", " Not that it matters much.",
    " I'd guess it's famous.",
    " The name just won't come to me.", " I'm making a list.",
)  # fmt: skip


def restyled(
    text: str,
    subs: Sequence[Sequence[str]],
    noun: str,
    rng: random.Random,
    kinds: Sequence[str] = (),
) -> str:
    """The question in another style: terse, framed, about something that is brought up first, or told
    in two sentences made of the wordings of its two sub-questions (where it has just two); `noun`: what
    the first one asks for; `kinds`: the common noun of each entity, empty where it has none."""
    roll = rng.random()
    if roll < 0.36 and not _LED.match(text):
        return terse(text, rng)
    if rng.random() < 0.25:
        text = apposed(text, kinds, rng)
    if roll < 0.62 and len(subs) == 2:
        told = in_two(rng.choice(subs[0]), rng.choice(subs[1]), noun, rng)
        if told:
            return told
    if roll < 0.84:
        told = fronted(text, kinds, rng)
        if told:
            return aside(told, rng) if rng.random() < 0.15 else told
    out = framed(text, rng) if rng.random() < 0.8 else text
    out = aside(out, rng) if rng.random() < 0.25 else out
    return out + rng.choice(_TAILS) if out.endswith(("?", ".")) and rng.random() < 0.25 else out


def sort_of(kind: str) -> str:
    """'Film' -> 'work'; '' for what is of no sort here."""
    return next((sort for pattern, sort in _SORTS if pattern.search(kind.lower())), "")


def adjectival(text: str, names: list[str], adjectives: Sequence[Sequence[str]], rng: random.Random) -> str:
    """'the Brazilian president' for 'the president of Brazil'; `names` are changed with it."""
    for m in _OF_PLACE.finditer(text):
        if not m["the"] and m.start():
            continue
        at = ord(m["e"]) - 0xE000
        if at < len(names) and adjectives[at] and text.count(m["e"]) == 1:
            names[at] = rng.choice(adjectives[at])
            return f"{text[: m.start()]}{m['the'] or ''}{m['e']} {m['noun']}{text[m.end() :]}"
    return text


_OF_PLACE = re.compile(
    r"(?P<the>\bthe )?\b(?P<noun>[a-z]+(?: [a-z]+)?) (?:of|in|from) (?P<e>[\ue000-\ue7ff])(?!['’])"
)


def apposed(text: str, kinds: Sequence[str], rng: random.Random) -> str:
    """'the movie X', 'X (the movie)', 'the city of X'."""
    places = [m for m in _ENTITY.finditer(text) if _kind(m[0], kinds)]
    if not places:
        return text
    m = rng.choice(places)
    before, after = text[: m.start()], text[m.end() :]
    if after[:2] in ("'s", "’s") or re.search(r"(?:\bthe|\ba|\ban|[A-Za-z]-) ?\Z", before):
        return text
    kind = _kind(m[0], kinds)
    forms = ["the {k} {e}", "{e} (the {k})", "that {k} {e}", "the {k} called {e}", "{e}, the {k},"]
    if sort_of(kind) == _PLACE:
        forms = ["the {k} of {e}", "{e} (the {k})", "{e}, the {k},"]
    return before + rng.choice(forms).format(k=kind, e=m[0]) + after


def fronted(text: str, kinds: Sequence[str], rng: random.Random) -> str | None:
    """'I loved X. Who directed it?': what the question is about is brought up before it is asked about."""
    places = list(_ENTITY.finditer(text))
    if len(places) != 1 or not text.endswith("?"):
        return None
    m = places[0]
    before, after = text[: m.start()], text[m.end() :]
    if re.search(r"\b(?:the|a|an)\Z", before.rstrip()) or not before.strip():
        return None
    sort = sort_of(_kind(m[0], kinds))
    own = after.startswith(("'s", "’s"))
    after = after[2:] if own else after
    subject = not own and re.match(r" (?:is|was|has|had|did|does|won|wrote|plays?|played)\b", after)
    people = sort == _PERSON
    if own:
        it = rng.choice(("his", "her", "their") if people else ("its", "their"))
    elif subject:
        it = rng.choice(("he", "she") if people else ("it",))
    else:
        it = rng.choice(("him", "her") if people else ("it", "them") if sort in (_TEAM, _BAND) else ("it",))
    if sort == _PLACE and not own and re.search(r"\bin\Z", before.rstrip()) and rng.random() < 0.6:
        before, it = re.sub(r"\s*\bin\s*\Z", " ", before), "there"
    asked = f"{before}{it}{after}".strip()
    lower = asked[:1].lower() + asked[1:]
    lead = rng.choice(_ABOUT[sort]).format(e=m[0])
    return lead + rng.choice(_TURNS).format(q=asked[:1].upper() + asked[1:], l=lower)


def aside(text: str, rng: random.Random) -> str:
    """Something said in passing, after a name or a verb."""
    spots = [m.end() for m in re.finditer("[\ue000-\ue7ff](?= )", text)]
    spots += [m.end() for m in re.finditer(r"\b(?:is|was|are|were)(?= )", text)]
    if not spots:
        return text
    at = rng.choice(spots)
    return text[:at] + rng.choice(_ASIDES) + text[at:]


def _kind(mark: str, kinds: Sequence[str]) -> str:
    at = ord(mark) - 0xE000
    return kinds[at] if at < len(kinds) else ""


def terse(text: str, rng: random.Random) -> str:
    """'capital of country with X': as typed into a search box."""
    out = text.strip().rstrip("?.").strip()
    found = _ASKING.match(out)
    out = out[found.end() :] if found else _BARE.sub("", out, count=1)
    for pattern, short in _SHORTER:
        if rng.random() < 0.6:
            out = pattern.sub(short, out)
    if rng.random() < 0.85:
        out = _ARTICLE.sub("", out)
    if rng.random() < 0.5:
        out = _OF.sub(r"\2 \1", out)
    return out.lower() if rng.random() < 0.8 else out


def framed(text: str, rng: random.Random) -> str:
    """With what people say before and after a question."""
    stated = _STATED.match(text)
    if stated and rng.random() < 0.4:
        asked = rng.choice(_KNOWN).format(stated[1].lower(), stated[3], stated[2])
    elif rng.random() < 0.75:
        asked = rng.choice(_BEFORE).format(text[:1].lower() + text[1:])
    else:
        return rng.choice(_AFTER).format(text)
    return asked[:1].upper() + asked[1:]


def in_two(first: str, second: str, noun: str, rng: random.Random) -> str | None:
    """A first step told, the second asked: 'There's this team that ... . What city do they play in?'"""
    subject = re.match(
        rf"(?:who|(?:which|what) {re.escape(noun)}) (?P<said>[a-z].*)\?\Z", first, re.IGNORECASE
    )
    if subject is None or subject["said"].split()[0] in _AUXILIARY - {"is", "was", "has", "are", "were"}:
        return None
    said = subject["said"]
    if re.match(r"(?:is|was|are|were|has|have) (?:the )?[\ue000-\uefff]", said):
        return None
    a = ("an " if noun[:1].lower() in "aeiou" else "a ") + noun
    kept = _KEPT.match(second)
    if kept:
        frame = rng.choice(_BOTH)
        return frame.format(a=a, noun=noun, Noun=noun.capitalize(), said=said, more=kept["said"])
    that = re.compile(rf"\bthat ({re.escape(noun)}|[a-z]+)(?=[ ?'.,]|\Z)")
    if not that.search(second):
        return None
    then = _spoken_of(second, that, rng) if rng.random() < 0.7 else second
    return rng.choice(_OPENED).format(a=a, noun=noun, said=said, then=then, later=then[:1].lower() + then[1:])


def _spoken_of(question: str, that: re.Pattern[str], rng: random.Random) -> str:
    """'that team' as 'they', 'it', 'he' ..."""
    match = that.search(question)
    if match is None:
        return question
    person = match[1].split()[-1] in _PEOPLE
    rest = question[match.end() :]
    if rest.startswith("'s"):
        pronoun, rest = rng.choice(("his", "her", "their") if person else ("its", "their")), rest[2:]
    elif re.search(r"(?:\A|\b(?:did|does|do|is|was|has) )\Z", question[: match.start()], re.IGNORECASE):
        pronoun = rng.choice(("he", "she", "they") if person else ("it", "they"))
    else:
        pronoun = rng.choice(("him", "her", "them") if person else ("it", "them"))
    led = question[: match.start()]
    if pronoun == "they":
        led = re.sub(
            r"\b(does|is|was|has) \Z", lambda m: _SEVERAL[m[1].lower()] + " ", led, flags=re.IGNORECASE
        )
    out = led + pronoun + rest
    return out[:1].upper() + out[1:]
