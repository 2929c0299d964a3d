"""Which parts of a question name entities.

Every span has a value: the evidence of its words (how rare in the index, how they are written,
whether they are quoted) times how well an entity's name matches, less the price of a mention.
The set of spans that don't overlap and are worth most together is chosen (weighted interval
scheduling), so one long name beats the shorter ones inside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from kbqa.link.index import Hit, LabelIndex
from kbqa.link.normalise import Token, joined, tokens
from kbqa.link.words import CONTRACTION, EVERYDAY, FUNCTION, Kind, kind_of, misspelled, respelt
from kbqa.protocols import Candidate, Mention
from kbqa.types import Iri

_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»\n]{1,200})[\"“”»]|(?<!\w)['‘]([^'‘’\n]{1,100})['’](?!\w)")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_ALIKE = 0.9
"""How well a misspelt name of more words matches at least that is read in the stead of fewer."""
_BESIDE = (
    (re.compile(r"\b(prime[\s-]+)minster", re.IGNORECASE), r"\1minister"),
    (re.compile(r"\b((?:go|goes|went|gone|going)\s+to\s+(?:\w+\s+)?)collage\b", re.IGNORECASE), r"\1college"),
)
"""Slips that are words, beside others."""
_OFTEN = {"charcter": "character", "charachter": "character", "wich": "which"}
"""Slips too far from the word that is meant."""
_SLIPS = 4
"""Words that look like common ones with a slip for which a name is looked up."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The weights; `bench/link.py` shows what they do on real questions."""

    longest: int = 12
    """Words in a mention."""
    price: float = 0.4
    """What a mention must be worth: keeps doubtful ones out."""
    together: float = 0.22
    """Worth of each further content word of an exact name."""
    edge: float = 0.3
    """What it costs to begin or end with a function word: 'in Japan' is 'Japan'."""
    torn: float = 0.25
    """What it costs one word to be torn from a capitalised neighbour."""
    unknown: float = 0.6
    """And from one that no name holds."""
    least_match: float = 0.72
    """A name less alike is no reading of the span."""
    fame: float = 0.2
    """Worth of an exact name of what is known best: 'france' in lower case, which many names hold."""
    namesake: float = 0.85
    """How well a name matches that isn't written as one and of whose bearers nothing else is known: 'religion
    in thailand' hides no Thailand."""
    fuzzy_lookups: int = 24
    """Fuzzy searches for a question, so that long text stays fast."""
    candidates: int = 10


@dataclass(frozen=True, slots=True)
class _Word:
    """A token with what it says about names: `weight` 0..1.2."""

    token: Token
    weight: float
    kind: Kind
    content: bool
    """Neither function word, common word nor number."""
    capital: bool
    """Capitalised where that means something."""
    joins: bool
    """Only white space parts it from the word before."""
    quote: int
    """The quotation it is in, 0 = none."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Words [first, last) read as a name."""

    first: int
    last: int
    value: float
    hits: tuple[Hit, ...] = ()
    owner: bool = False
    """Its last letter, an 's', is not the name's."""


class EntityLinker:
    """Finds the entities a question mentions. `properties`: the names of several words (in normal form) that
    a graph's properties have; their words name nothing, however they are written: 'the FAA identifier'."""

    def __init__(
        self,
        index: LabelIndex,
        settings: Settings | None = None,
        properties: frozenset[str] = frozenset(),
    ) -> None:
        self._index, self._properties = index, properties
        self._longest = max((len(name.split()) for name in properties), default=0)
        self._settings = settings or Settings()

    def link(self, question: str, wanted_types: Collection[Iri] | None = None) -> tuple[Mention, ...]:
        """The mentions, left to right, none overlapping; candidates best first, those of a wanted
        type before others that match as well."""
        words = self._read(question)
        spans = self._exact(words)
        spans += self._fuzzy(words, spans)
        chosen = _best(spans, len(words))
        found = []
        for place, span in enumerate(chosen):
            mention = self._mention(question, words, span, place < 2 * self._settings.fuzzy_lookups)
            if mention is not None:
                found.append(_typed(mention, wanted_types) if wanted_types else mention)
        return tuple(found)

    def unknown(self, question: str, mentions: Sequence[Mention]) -> tuple[str, ...]:
        """Names in the question that are nobody's here: capitalised words side by side that no mention
        touches, one of which at least no name holds."""
        words = self._read(question)
        found = []
        for first, last in _capitalised(words, question):
            start, end = words[first].token.start, words[last - 1].token.end
            touched = any(m.meets(start, end) for m in mentions)
            opening = last - first == 1 and _opens(question, tokens(question), first)
            if not touched and not opening and self._strangers(words[first:last]):
                found.append(question[start:end])
        return tuple(dict.fromkeys(found))

    def respelt(self, question: str, mentions: Sequence[Mention], is_word: Callable[[str], bool]) -> str:
        """The question with its common words spelt as they should be: 'what univeristy', 'prime minster'.
        Names, words with capitals and those that are words stay."""
        sure = [m for m in mentions if any(c.exact for c in m.candidates[:1])]
        for word in reversed(self._read(question)):
            token = word.token
            if any(m.meets(token.start, token.end) for m in sure) or word.quote or word.capital:
                continue
            slip = (_is_slip(word) or self._is_strange(word)) and not is_word(token.word)
            said = respelt(token.word) if slip else _OFTEN.get(token.word, token.word)
            if said != token.word and len(token.word) == token.end - token.start:
                question = f"{question[: token.start]}{said}{question[token.end :]}"
        for beside, meant in _BESIDE:
            question = beside.sub(meant, question)
        return question

    def _is_strange(self, word: _Word) -> bool:
        """Whether it is in no name either."""
        return word.kind is Kind.OTHER and not self._index.knows(word.token.word)

    def bare(self, question: str) -> tuple[tuple[int, int], ...]:
        """Where words that name nothing by themselves are the name of something that is known, in characters
        [start, end), the longest first: 'doctor who', 'lost'. One word alone only after a preposition, at the
        beginning or at the end."""
        words = self._read(question)
        keys = {
            (first, last): joined([word.token.word for word in words[first:last]])
            for first in range(len(words))
            for last in range(first + 1, min(len(words), first + self._settings.longest) + 1)
            if words[first].token.word != "the" and _may_be_bare(words, first, last)
        }
        names = self._index.named(list(dict.fromkeys(keys.values())))
        known = [span for span, form in keys.items() if form in names and self._index.fame(names[form][0])]
        known.sort(key=lambda span: (span[0] - span[1], span))
        return tuple((words[first].token.start, words[last - 1].token.end) for first, last in known)

    # --- reading -----------------------------------------------------------

    def _read(self, question: str) -> list[_Word]:
        found = tokens(question)
        quotes = _quotes(question, found)
        cased = _casing_tells(question, found)
        properties = self._of_properties(found)
        read = []
        for place, (token, quote) in enumerate(zip(found, quotes, strict=True)):
            opening = _opens(question, found, place)
            said = place in properties
            capital = cased and question[token.start].isupper() and not said
            joins = bool(place) and question[found[place - 1].tail : token.start].isspace()
            acronym = capital and self._is_acronym(question[token.start : token.end], token.word)
            kind = Kind.OTHER if acronym else Kind.COMMON if said else self._kind(token.word, capital)
            if CONTRACTION.fullmatch(question, token.start, token.tail):
                kind, capital = Kind.FUNCTION, False
            content = kind is Kind.OTHER
            weight = _weight(token, kind, cased, capital, opening, bool(quote))
            weight *= 0.5 + 0.5 * self._index.rarity(token.word)
            read.append(
                _Word(token, weight, kind, content, capital and not (opening and not content), joins, quote)
            )
        return read

    def _of_properties(self, found: Sequence[Token]) -> set[int]:
        """The places of words that a property's name is made of."""
        places: set[int] = set()
        for first in range(len(found)):
            for last in range(first + 2, min(first + self._longest, len(found)) + 1):
                if joined([token.word for token in found[first:last]]) in self._properties:
                    places.update(range(first, last))
        return places

    def _kind(self, word: str, capital: bool) -> Kind:
        kind = kind_of(word)
        if kind is Kind.OTHER and not capital and not self._index.knows(word) and misspelled(word):
            return Kind.COMMON
        return kind

    def _is_acronym(self, written: str, word: str) -> bool:
        """Whether a function word in capitals is some entity's name in capitals: 'US', not 'IT'."""
        if not (written.isupper() and len(written) > 1 and kind_of(word) is Kind.FUNCTION):
            return False
        return any(hit.candidate.matched.isupper() for hit in self._index.hits(written, fuzzy=False))

    # --- spans -------------------------------------------------------------

    def _exact(self, words: Sequence[_Word]) -> list[_Span]:
        """Every span that is exactly a name and worth its price."""
        keys: dict[tuple[int, int], str] = {}
        for first, word in enumerate(words):
            if word.token.word == "the":
                continue
            for last in range(first + 1, min(len(words), first + self._settings.longest) + 1):
                if words[last - 1].token.word != "the":
                    keys[first, last] = joined([w.token.word for w in words[first:last]])
        owners = {
            (first, last): form[:-1]
            for (first, last), form in keys.items()
            if last - first > 1 and self._owns(words[last - 1])
        }
        names = self._index.named(list(dict.fromkeys((*keys.values(), *owners.values()))))
        found = []
        for (first, last), said in keys.items():
            form = said if said in names else owners.get((first, last), said)
            if form in names:
                beside = [words[place] for place in _neighbours(words, first, last)]
                torn = self._settings.torn * len(beside) + self._settings.unknown * self._strangers(beside)
                fame = self._index.fame(names[form][0])
                match = 1.0 if fame or _written(words[first:last]) else self._settings.namesake
                value = self._worth(words[first:last], match) - torn
                if any(word.content for word in words[first:last]):
                    value += self._settings.fame * fame
                if value > 0:
                    found.append(_Span(first, last, value, owner=form != said))
        return found

    def _owns(self, word: _Word) -> bool:
        """Whether a word that no name has ends with an 's' that lacks its apostrophe: 'angelina jolies dad'.
        One word alone may be a plural."""
        form = word.token.word
        parted = word.token.tail > word.token.end
        known = parted or not word.content or len(form) < 4 or not form.endswith("s")
        return not known and not self._index.knows(form) and self._index.knows(form[:-1])

    def _worth(self, words: Sequence[_Word], match: float) -> float:
        """The value of a span whose best name matches so well."""
        quoted = 0.3 * (bool(words[0].quote) and words[0].quote == words[-1].quote)
        evidence = sum(word.weight for word in words) + quoted
        evidence -= self._settings.edge * sum(_loose(word) for word in (words[0], words[-1]))
        if match < 1.0:
            return evidence * max(0.0, 2 * match - 1) - self._settings.price
        naming = any(word.content or word.capital or word.quote for word in words)
        naming = naming or (len(words) > 1 and any(_may_name(word.token.word) for word in words))
        telling = sum(word.kind is not Kind.FUNCTION for word in words)
        several = telling - 1 if naming else telling - 2
        return evidence + self._settings.together * max(0, several) - self._settings.price

    def _fuzzy(self, words: Sequence[_Word], exact: Sequence[_Span]) -> list[_Span]:
        """Misspelled and partial names, looked for where no exact name explains the words."""
        covered = [0] * len(words)
        for span in exact:
            if any(word.content for word in words[span.first : span.last]):
                for place in range(span.first, span.last):
                    covered[place] = max(covered[place], span.last - span.first)
        found: list[_Span] = []
        left = self._settings.fuzzy_lookups
        for first, last in _runs(words):
            for start, stop in _parts(first, last):
                explained = min(covered[start:stop])
                if explained >= stop - start or (explained and (start, stop) != (first, last)):
                    continue
                if _loose(words[start]) or _loose(words[stop - 1]):
                    continue
                if not any(map(_hopeful, words[start:stop])):
                    continue
                if any(s.first <= start and stop <= s.last for s in found):
                    continue
                if left == 0:
                    return found
                left -= 1
                reading = self._read_as_name(words, start, stop)
                if self._strangers(words[start:stop]):
                    reading = self._widened(words, start, stop, reading) or reading
                if reading is not None:
                    found.append(reading)
        slips = (place for place, word in enumerate(words) if _is_slip(word))
        named = (self._widened(words, place, place + 1) for place in islice(slips, _SLIPS))
        return [*found, *(span for span in named if span is not None)]

    def _widened(
        self, words: Sequence[_Word], start: int, stop: int, hardly: _Span | None = None
    ) -> _Span | None:
        """A name of the words beside these too, where these are hardly one, or none: the 'bad' of 'braking
        bad', the 'pride and' of 'pride and predjudice'."""
        if hardly is not None and max(hit.match for hit in hardly.hits) >= _ALIKE:
            return None
        for first, last in _around(words, start, stop):
            said = joined([word.token.word for word in words[first:last]])
            hits = self._index.hits(said, limit=self._settings.candidates)
            if hits and hits[0].match >= _ALIKE:
                worth = max(self._worth(words[first:last], hits[0].match), hardly.value if hardly else 0.0)
                return _Span(first, last, worth + self._settings.together, tuple(hits))
        return None

    def _read_as_name(self, words: Sequence[_Word], first: int, last: int) -> _Span | None:
        text = joined([word.token.word for word in words[first:last]])
        hits = self._index.hits(text, limit=self._settings.candidates)
        best = max((hit.match for hit in hits), default=0.0)
        if best < self._settings.least_match:
            return None
        beside = [words[place] for place in _neighbours(words, first, last)]
        value = self._worth(words[first:last], best) - self._settings.unknown * self._strangers(beside)
        value -= self._settings.torn * len(beside) * self._strangers(words[first:last])
        return _Span(first, last, value, tuple(hits)) if value > 0 else None

    def _strangers(self, words: Sequence[_Word]) -> int:
        """How many of these no name holds: 'Terrence' beside 'Malick' is not some other Terrence."""
        return sum(word.content and not self._index.knows(word.token.word) for word in words)

    # --- mentions ----------------------------------------------------------

    def _mention(self, question: str, words: Sequence[_Word], span: _Span, fuzzy: bool) -> Mention | None:
        first, last = span.first, span.last
        start, end = words[first].token.start, words[last - 1].token.end
        hits = span.hits
        if not hits:
            text = question[start : end - span.owner]
            hits = tuple(self._index.hits(text, limit=self._settings.candidates, fuzzy=fuzzy))
        if not hits:
            return None
        if _written(words[first:last]):
            hits = tuple(sorted(hits, key=lambda hit: hit.match < 1.0))
        best = hits[0].candidate.matched.casefold()
        if first and words[first - 1].token.word == "the" and best.startswith("the "):
            start = words[first - 1].token.start
        if best.endswith(("'s", "’s")):
            end = words[last - 1].token.tail
        return Mention(start, end, question[start:end], tuple(hit.candidate for hit in hits))


def _weight(token: Token, kind: Kind, cased: bool, capital: bool, opening: bool, quoted: bool) -> float:
    """How much a word says that something is named here, before its rarity."""
    if quoted:
        return 1.1
    stands_out = capital and not opening
    if kind is Kind.NUMBER:
        return 0.15
    if kind is Kind.MONTH:
        return 0.12
    if kind is Kind.FUNCTION:
        return 0.6 if stands_out and token.word != "i" else 0.05
    if kind is Kind.COMMON:
        return 0.75 if stands_out else 0.12
    if capital:
        return 0.85 if opening else 1.0
    return 0.75 if not cased or token.tail > token.end else 0.45


def _casing_tells(question: str, found: Sequence[Token]) -> bool:
    """Whether capitals mark names: not in lower case, upper case or Title Case throughout."""
    later = [question[token.start] for token in found[1:] if question[token.start].isalpha()]
    little = [question[token.start].isupper() for token in found[1:] if token.word in FUNCTION]
    capitals = sum(letter.isupper() for letter in later)
    first = question[found[0].start : found[0].end] if found else ""
    if capitals == 0 and len(first) > 1 and first.isupper() and later:
        return True
    if capitals == 0 or (capitals == len(later) and len(later) > 3):
        return False
    titled = 2 * sum(little) > len(little) and (len(little) > 1 or capitals == len(later))
    return not (titled or question.isupper())


def _may_name(word: str) -> bool:
    """Whether a word in lower case may still be a name's: an everyday one, or a number in a row."""
    return word in EVERYDAY or _ORDINAL.fullmatch(word) is not None


def _opens(question: str, found: Sequence[Token], place: int) -> bool:
    """Whether a token begins a sentence, where a capital means little."""
    return place == 0 or bool(re.search(r"[.?!:]", question[found[place - 1].tail : found[place].start]))


def _quotes(question: str, found: Sequence[Token]) -> list[int]:
    """For each token the number of the quotation it is in, 0 = none."""
    places = [0] * len(found)
    at = 0
    for number, match in enumerate(_QUOTED.finditer(question), start=1):
        while at < len(found) and found[at].start < match.start():
            at += 1
        while at < len(found) and found[at].end <= match.end():
            places[at] = number
            at += 1
    return places


def _runs(words: Sequence[_Word]) -> Iterator[tuple[int, int]]:
    """Stretches that may hold a name: quotations, and content or capitalised words with the little
    words between capitalised ones."""
    place = 0
    while place < len(words):
        if words[place].quote:
            last = place
            while last < len(words) and words[last].quote == words[place].quote:
                last += 1
            yield place, last
            place = last
        elif _names(words[place]) or (
            _number(words[place]) and _names(words[min(place + 1, len(words) - 1)])
        ):
            last = _run_end(words, place)
            yield place, last
            place = last
        else:
            place += 1


def _capitalised(words: Sequence[_Word], question: str) -> Iterator[tuple[int, int]]:
    """Stretches [first, last) of capitalised content words with only spaces and hyphens between them."""
    first = 0
    while first < len(words):
        last = first
        while last < len(words) and _proper(words[last]):
            between = question[words[last - 1].token.tail : words[last].token.start] if last > first else ""
            if between.strip(" -"):
                break
            last += 1
        if last > first:
            yield first, last
        first = max(last, first + 1)


def _proper(word: _Word) -> bool:
    return word.content and word.capital


def _may_be_bare(words: Sequence[_Word], first: int, last: int) -> bool:
    if last - first > 1:
        return any(word.kind is not Kind.FUNCTION for word in words[first:last])
    begins = first == 0 and words[first].kind is not Kind.FUNCTION
    led = begins or last == len(words) or (first > 0 and words[first - 1].token.word in _LEADING)
    return led and words[first].token.word not in _POINTING


def _neighbours(words: Sequence[_Word], first: int, last: int) -> list[int]:
    """The capitalised words that a single capitalised one stands beside: 'Captain' of 'Captain Kirk'."""
    if last - first > 1 or not words[first].capital:
        return []
    before = first > 0 and words[first].joins and words[first - 1].capital
    after = last < len(words) and words[last].joins and words[last].capital
    return [first - 1] * before + [last] * after


def _loose(word: _Word) -> bool:
    return word.kind is Kind.FUNCTION and not word.capital and not word.quote


def _written(words: Sequence[_Word]) -> bool:
    """Whether it is written as a name: in quotes, or with capitals."""
    return all(word.capital or word.quote or word.kind is Kind.FUNCTION for word in words)


def _around(words: Sequence[_Word], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Wider spans whose outermost words are common ones, or content, and beside which nothing parts."""
    for before, after in ((0, 1), (1, 0), (0, 2), (2, 0), (1, 1), (0, 3), (3, 0)):
        start, stop = first - before, last + after
        if start < 0 or stop > len(words) or not all(w.joins for w in words[start + 1 : stop]):
            continue
        outer = [words[start]] * bool(before) + [words[stop - 1]] * bool(after)
        if not any(map(_loose, outer)):
            yield start, stop


def _is_slip(word: _Word) -> bool:
    """Whether it was taken for a common word with a slip."""
    return word.kind is Kind.COMMON and kind_of(word.token.word) is Kind.OTHER


def _names(word: _Word) -> bool:
    return not word.quote and (word.content or word.capital)


def _hopeful(word: _Word) -> bool:
    """Worth a fuzzy search: in a question with capitals a plain word is not, for itself."""
    return word.weight > 0.5 or bool(word.quote)


def _number(word: _Word) -> bool:
    return word.kind is Kind.NUMBER and not word.quote


def _run_end(words: Sequence[_Word], place: int) -> int:
    last = place + 1
    while last < len(words):
        if _names(words[last]) or _number(words[last]):
            last += 1
            continue
        ahead = last
        while ahead < len(words) and ahead < last + 2 and words[ahead].token.word in _JOINING:
            ahead += 1
        if ahead == last or ahead == len(words) or not (words[ahead].capital and words[last - 1].capital):
            break
        last = ahead + 1
    return last


_LEADING = frozenset(
    "of by in from for with directed wrote created sang starring was were is did does has".split()
)
_POINTING = frozenset("it her his him them us me you that this these those there here then one".split())
_JOINING = frozenset({"of", "the", "and", "in", "for", "on", "at", "to", "a"})


def _parts(first: int, last: int) -> list[tuple[int, int]]:
    """The parts of a run, long before short; of a long one only the whole and what has up to 5 words."""
    parts = [(first, last)] if last - first <= 12 else []
    for length in range(min(5, last - first), 0, -1):
        parts += [(start, start + length) for start in range(first, last - length + 1)]
    return list(dict.fromkeys(parts))


def _best(spans: Sequence[_Span], size: int) -> list[_Span]:
    """The spans that don't overlap and are worth most together, left to right."""
    ending: dict[int, list[_Span]] = {}
    for span in spans:
        ending.setdefault(span.last, []).append(span)
    worth = [0.0] * (size + 1)
    taken: list[_Span | None] = [None] * (size + 1)
    for place in range(1, size + 1):
        worth[place] = worth[place - 1]
        for span in ending.get(place, ()):
            value = worth[span.first] + span.value
            if value > worth[place]:
                worth[place], taken[place] = value, span
    chosen = []
    place = size
    while place > 0:
        span_here = taken[place]
        if span_here is None:
            place -= 1
        else:
            chosen.append(span_here)
            place = span_here.first
    return chosen[::-1]


def _typed(mention: Mention, wanted: Collection[Iri]) -> Mention:
    def fit(candidate: Candidate) -> Candidate:
        fits = any(kind in wanted for kind in candidate.types)
        return replace(candidate, score=candidate.score if fits else candidate.score * 0.9)

    ranked = sorted(map(fit, mention.candidates), key=lambda candidate: -candidate.score)
    return replace(mention, candidates=tuple(ranked))
