"""What is taken for a question, and whether a reading is about anything in it.

A text in another language, or in a programming language, is not understood: the parser is trained
on English questions and would make up a reading of anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from kbqa.answers import clean
from kbqa.errors import InputError
from kbqa.lexicon.nouns import plural
from kbqa.link import key
from kbqa.link.words import COMMON, FUNCTION
from kbqa.parse.literals import find_values
from kbqa.protocols import Candidate, Mention
from kbqa.types import (
    Among,
    Amount,
    Check,
    Constant,
    Count,
    Decomposition,
    Find,
    HasText,
    Iri,
    Is,
    IsNot,
    Keep,
    Lacks,
    Literal,
    Merge,
    Oftenest,
    OpenThan,
    Pick,
    Restriction,
    Step,
    Tally,
    Test,
    Than,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LONGEST = 1_000
"""Characters of a question."""

_CODE = re.compile(
    r"</?[a-z!][^<>]*>|<!--|&[a-z]{2,6};"  # markup
    r"|[{}]|\$\(|(?<!\w)\$\w+\b|`|&&|\|\||=>|==|</|\\[nx]"  # signs that no question holds
    r"|\bprefix\s+\w*:|\?\w+\s+\S+\s+\?\w+"  # SPARQL
    r"|\b(?:drop|alter|create|truncate)\s+(?:table|database)\b|\bunion\s+(?:all\s+)?select\b"
    r"|^\s*(?:select|insert\s+into|update|delete\s+from)\b.*\b(?:from|set|values|where)\b"
    r"|'\s*or\s+'?1'?\s*=\s*'?1|;\s*--"  # SQL
    r"|^\s*(?:sudo|rm|cat|ls|cd|curl|wget|echo|chmod|bash|sh|python3?|pip|git)\s+[-/.$~\"']|;\s*rm\s"
    r"|\bdef\s+\w+\(|^\s*import\s+\w+\s*$|\bfunction\s*\(",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]+")
_ASKING = _words(
    "who whom whose what which where when why how name list tell give show is are was were did do does"
)
_FOREIGN_ASKING = _words(
    "wer wen wem wessen welche welcher welches wie wo wann warum "
    "qui quel quelle quels quelles où quand comment combien pourquoi "
    "quién quien quiénes cuál cual cuáles qué dónde donde cuándo cuando cómo cuántos cuántas "
    "chi quale quali dove quando quanti quante perché cosa "
    "quem qual quais onde quantos quantas "
    "wat wie welke waar wanneer hoeveel "
    "hva hvem hvor hvad vem vad var vilken kto gdzie jaki jaka kiedy kuka mikä"
)
_FOREIGN = _FOREIGN_ASKING | _words(
    "der das den dem des ein eine einen einem einer ist sind wurde und von vom zum zur nicht auf aus mit "
    "für im "
    "le la les un une du est sont était dans sur avec pour et au aux ses leur "
    "el los las del una es son fue ha han por para con sus su y "
    "il lo gli della delle dello degli nel nella è sono che di per "
    "o os as um uma dos das é são foi em no na nos nas pelo pela "
    "de het een van zijn door voor met op "
    "och det som är av på til og er den jest są w z na"
)


def checked_question(question: str) -> str:
    """The question on one line, without characters that would act on a page or terminal. Raises
    `InputError` if it is empty or overlong."""
    text = clean(question)
    if not text:
        raise InputError(
            "the question is empty: ask a question in English, such as 'What is the capital of Egypt?'"
        )
    if len(text) > LONGEST:
        raise InputError(
            f"the question has {len(text):,} characters, at most {LONGEST:,} are read: ask a shorter question"
        )
    return text


def given(question: str, entities: Mapping[Iri, str]) -> tuple[Mention, ...]:
    """Mentions of entities that are known beforehand, where their names stand in the question; one
    whose name doesn't is at [0, 0)."""
    folded = question.casefold()
    same = len(folded) == len(question)
    found = []
    for iri, name in entities.items():
        start = folded.find(name.casefold()) if same and name else -1
        end = start + len(name) if start >= 0 else 0
        start = max(start, 0)
        candidate = Candidate(iri, name, name, 1.0)
        found.append(Mention(start, end, question[start:end] or name, (candidate,)))
    return tuple(sorted(found, key=lambda m: (m.start, m.end)))


def out_of_scope(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether a text is no question in English: code, markup, another language, no letters at all."""
    return not any(map(str.isalpha, text)) or bool(_CODE.search(text)) or _is_foreign(text, mentions)


def _is_foreign(text: str, mentions: Sequence[Mention]) -> bool:
    outside = list(text)
    for mention in mentions:
        outside[mention.start : mention.end] = " " * (mention.end - mention.start)
    words = [
        word.casefold() for word in _WORD.findall(re.sub(r"['’](?:s|re|d|ll|ve|t|m)\b", "", "".join(outside)))
    ]
    letters = [c for word in words for c in word]
    if 2 * sum(not _is_latin(c) for c in letters) > len(letters):
        return True
    english = sum(word in FUNCTION or word in COMMON for word in words)
    foreign = sum(word in _FOREIGN for word in words)
    if words and words[0] in _FOREIGN_ASKING and not any(word in _ASKING for word in words):
        return True
    unknown = [word for word in words if word not in FUNCTION and word not in COMMON]
    return foreign > english or (
        english == 0 and (len(unknown) > 3 or sum(not w.isascii() for w in unknown) > 1)
    )


def _is_latin(char: str) -> bool:
    return char.isascii() or unicodedata.name(char, "").startswith("LATIN")


# --- grounding ---------------------------------------------------------------


def grounded(
    decomposition: Decomposition, question: str, mentions: Sequence[Mention], names: Mapping[Iri, str]
) -> bool:
    """Whether some entity or value of the reading was recognised in the question, or is named in it."""
    candidates = {c.entity for mention in mentions for c in mention.candidates}
    words = f" {key(question)} "
    constants = [c for step in decomposition.steps for c in constants_of(step)]
    return any(
        c in candidates or _stands(names.get(c, ""), words) if isinstance(c, Iri) else _said(c, question)
        for c in constants
    )


def _stands(name: str, words: str) -> bool:
    """Whether a name, or more than one of what it names, stands among the words: 'countries'."""
    forms = (key(name), key(plural(name))) if name else ()
    return any(form and f" {form} " in words for form in forms)


def _said(literal: Literal, question: str) -> bool:
    """Whether a literal's text, its number ('100 million') or the year of its date stands in the question."""
    text = literal.lexical.casefold()
    year = re.match(r"-?(\d{4})(?:-\d\d|\Z)", text)
    wanted = year[1] if year else text
    plain = question.casefold().replace(",", "")
    if wanted and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", plain):
        return True
    return any(text in (v.number, v.most, v.first, v.last) for v in find_values(question) if text)


def constants_of(step: Step) -> tuple[Constant, ...]:
    """The entities and literals of a step, in the order in which they are said."""
    return tuple(_constants(step))


def _constants(step: Step) -> Iterator[Constant]:
    match step:
        case Find(anchor, _, restrictions) | Keep(_, anchor, _, restrictions):
            if isinstance(anchor, Iri | Literal):
                yield anchor
            yield from _restricted(restrictions)
        case Pick(tests=tests):
            yield from _tested(tests)
        case Merge() | Oftenest() | Count() | Check() | Amount() | Tally():
            return


def _restricted(restrictions: Sequence[Restriction]) -> Iterator[Constant]:
    for restriction in restrictions:
        yield from _tested(restriction.tests)


def _tested(tests: Sequence[Test]) -> Iterator[Constant]:
    for test in tests:
        match test:
            case Is(v) | IsNot(v) | Than(_, v, _) | OpenThan(_, v, _) | Lacks(v):
                if isinstance(v, Iri | Literal):
                    yield v
            case Among(values):
                yield from values
            case HasText(_, text):
                yield Literal(text)
            case _:
                pass


def uses(found: Decomposition, entity: Iri) -> bool:
    """Whether a step is about the entity."""
    return any(entity in constants_of(step) for step in found.steps)


def is_about(found: Decomposition, mentions: Sequence[Mention]) -> bool:
    """Whether a reading uses anything that the question names, and not sorts of things alone."""
    return any(uses(found, c.entity) for m in mentions for c in m.candidates)


def without_names(text: str, mentions: Sequence[Mention], gap: str = " ") -> str:
    """A question in lower case with this for each name in it."""
    for m in sorted(mentions, key=lambda m: -m.start):
        text = f"{text[: m.start]}{gap}{text[m.end :]}"
    return text.lower()
