"""English: the lexicon's wordings sorted by how they can be used, and small grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from kbqa.lexicon import Lexicon
from kbqa.types import Path

_RELATIVE = re.compile(r"(?:that|who|which) (.*)\Z", re.DOTALL)
_VERBS = frozenset(
    """is was are were has had did does do can won wrote made came held led took gave began ran sang spoke
    fought died lies lay lost got became built drew flew grew kept left lent met paid rose said saw
    sold sought shot
    spent stood taught told went wore bore found founded put set cut read""".split()
)
_NO_VERBS = frozenset("people one they you someone others this his its their those".split())
_ARTICLES = ("the ", "a ", "an ")
_PLACE_OF = re.compile(
    r"\b(?:province|region|city|town|state|district|river|county|name|office|title) of \{\}"
)
_NAMED = frozenset(
    "called named titled the a an roster record entry current former last old new next type".split()
)
_PICKED = re.compile(r"\b(?:last|latest|most recent|recently|new|newest|current|currently|now)\b")
_NO_HEAD = re.compile(r"(?:kind|type|sort|name|part|year|date|day|time|month|season's)\b")
_WHAT_NOUN = re.compile(
    r"(What|Which) ((?!(?:is|are|was|were|did|does|do|has|have|can|would) )"
    r"[a-z][\w'-]*(?: [a-z][\w-]*){0,2}?) "
    r"(is|are|was|were|did|does|do|has|have|can)\b(.*)\Z",
    re.DOTALL,
)


def an(noun: str) -> str:
    return (
        "an " if noun[:1].lower() in "aeiou" and not noun.startswith(("uni", "eu", "US")) else "a "
    ) + noun


def verb_phrase(clause: str) -> str | None:
    """'that borders {}' -> 'borders {}'; None where the clause has another subject."""
    m = _RELATIVE.match(clause)
    if m is None:
        return None
    first, _, _ = m[1].partition(" ")
    if first in _VERBS:
        return m[1]
    if first in _NO_VERBS or not first.isalpha() or first[0].isupper():
        return None
    return m[1] if first.endswith(("s", "ed")) and not first.endswith("ss") else None


@dataclass(frozen=True)
class Wordings:
    """What can be said about one path."""

    noun: str
    asks: str
    questions: tuple[str, ...]
    nouns: tuple[str, ...]
    clauses: tuple[str, ...]

    @cached_property
    def nested_questions(self) -> tuple[str, ...]:
        """Those whose `{}` may be a long noun phrase."""
        return tuple(q for q in self.questions if takes_phrase(q))

    @cached_property
    def nested_nouns(self) -> tuple[str, ...]:
        return tuple(n for n in self.nouns if takes_phrase(n) and not n.startswith("{}"))

    @cached_property
    def nested_clauses(self) -> tuple[str, ...]:
        return tuple(c for c in self.clauses if takes_phrase(c))

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        return tuple(v for v in map(verb_phrase, self.clauses) if v)

    @cached_property
    def nested_verbs(self) -> tuple[str, ...]:
        return tuple(v for v in map(verb_phrase, self.nested_clauses) if v)

    @cached_property
    def open_questions(self) -> tuple[tuple[str, str, str], ...]:
        """('What', 'movie', 'did {} direct'): questions that name what they ask for."""
        found = []
        for q in self.questions:
            m = _WHAT_NOUN.match(q)
            if m and "{}" not in m[2] and not _NO_HEAD.match(m[2]):
                found.append((m[1], m[2], f"{m[3]}{m[4]}".rstrip("?")))
        return tuple(found)


_TYPE_NOUNS: set[str] = set()


_AUXILIARY = frozenset(
    "did does do was is were are can could that which whom where when has have had whose".split()
)
_FOLLOWS = frozenset(
    """in on of to for with by at as from and during has have had is was belong play get go come become begin
    took     comes began came died or since until into under over through take before after among
    about""".split()
)
_PARTICIPLE = re.compile(
    r"(?:\w+ed|\w+en|won|been|had|made|held|led|run|come|become|got|gone|put|born|said)\Z"
)


def takes_phrase(wording: str) -> bool:
    """Whether 'the country that ...' can stand for `{}`: not as a name or as part of a compound."""
    before, _, after = wording.partition("{}")
    if after.startswith(("'", "-", '"')) or before.endswith(("-", '"', "'")) or _PLACE_OF.search(wording):
        return False
    words, then = before.split(), after.strip("?., ").split()
    last = words[-1].lower() if words else ""
    if last != "the" and (last in _NAMED or last in _TYPE_NOUNS):
        return False
    if not then or not words or after[:1] in ",?":
        return True
    if last in ("has", "have", "had", "whose"):
        return bool(_PARTICIPLE.match(then[0])) or then[0] in _FOLLOWS
    return last in _AUXILIARY or then[0] in _FOLLOWS


def sort_wordings(lexicon: Lexicon) -> dict[Path, Wordings]:
    for w in lexicon.wordings.values():
        _TYPE_NOUNS.add(w.noun.split()[-1].lower())
    _TYPE_NOUNS.update(
        "company city band song book movie film show series team organization school university player "
        "athlete actor artist person country language religion award character building structure "
        "museum zoo".split()
    )
    found = {}
    for path, forms in lexicon.natural.items():
        wording = lexicon.wordings.get(path)
        if wording is None or not forms.get("question"):
            continue
        nouns = tuple(n for n in map(_definite, forms.get("noun", ())) if n)
        questions = tuple(
            q for q in forms["question"] if _PICKED.search(wording.template) or not _PICKED.search(q)
        )
        found[path] = Wordings(
            wording.noun,
            wording.asks,
            questions or forms["question"],
            nouns or (wording.template,),
            forms.get("clause", ()),
        )
    return found


def _definite(noun: str) -> str | None:
    """'a film {} acted in' -> 'the film {} acted in'; None for what names no single thing."""
    for article in ("a ", "an "):
        if noun.startswith(article) and not noun.startswith(article + "{}"):
            return "the " + noun.removeprefix(article)
    if noun.startswith(("the ", "{}", "someone ")):
        return noun
    return None


def fill(wording: str, text: str, needs_the: bool = False) -> str:
    """`text` for `{}`, with one article at most; 'that team' stands for 'the team {}', too."""
    before, _, after = wording.partition("{}")
    if text.startswith("that "):
        noun = re.escape(text.rpartition(" ")[2])
        return re.sub(rf"(?i)\b(?:the|an?) (?:(?:[\w-]+ )?{noun} )?\Z", "", before) + text + after
    last = before.rstrip().rpartition(" ")[2].lower()
    low = text.lower()
    if last in ("the", "a", "an") and low.startswith(_ARTICLES):
        before = before.rstrip()[: -len(last)]
    elif needs_the and last not in ("the", "a", "an"):
        text = ("The " if not before.strip() else "the ") + text
    return before + text + after


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def plural_clause(clause: str) -> str:
    """'that has {} as its capital' -> 'that have ...', said of several."""
    if verb_phrase(clause) is None:
        return clause
    relative, verb, rest = (clause + " ").split(" ", 2)
    if verb in _BE:
        verb = _BE[verb]
    elif verb.endswith("ies"):
        verb = verb[:-3] + "y"
    elif re.search(r"(?:ch|sh|x|ss|o)es\Z", verb):
        verb = verb[:-2]
    elif verb.endswith("s"):
        verb = verb[:-1]
    return f"{relative} {verb} {rest}".rstrip()


_BE = {"is": "are", "was": "were", "has": "have", "does": "do"}


def past(question: str) -> str:
    """'Who is the ...' -> 'Who was the ...'"""
    if re.match(r"Who has (?:a|an|the) ", question):
        return question.replace(" has ", " had ", 1)
    if " does " in question:
        return question.replace(" does ", " did ", 1)
    if " do " in question:
        return question.replace(" do ", " did ", 1)
    for now, then in (
        (" is ", " was "),
        (" are ", " were "),
        (" has what", " had what"),
        (" governs ", " governed "),
    ):
        if now in question:
            return question.replace(now, then, 1)
    return question
