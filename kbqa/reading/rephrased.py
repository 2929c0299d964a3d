"""Questions put otherwise: without what they say is not meant, as the question for the first of an order, for
a population, or more plainly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from kbqa.lexicon.numbers import CARDINALS, ORDINALS
from kbqa.protocols import Mention
from kbqa.types import freebase

_LIVE = re.compile(
    r"\W*how many\s+(?:people|inhabitants|residents|persons|citizens)\s+(?:(?:do\s+)?(?:live|living|reside)"
    r"|are\s+(?:living\s+|there\s+(?:living\s+)?)?)\s*in\s+(?:the\s+)?",
    re.IGNORECASE,
)
_MORE_PEOPLE = re.compile(
    r"\W*(?:do|are)\s+(?:there\s+)?(?P<how>more|fewer|less)\s+(?:people|inhabitants|persons)\s+"
    r"(?:(?:live|living)\s+)?in\s+(?:the\s+)?(?P<one>\S.*?)\s+(?P<than>than|or)\s+(?:in\s+)?(?:the\s+)?"
    r"(?P<other>\S.*?)\W*",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?P<be>(?:is|are|was|were)\s+)?(?P<how>born|located|situated|based|(?P<sort>teams?|clubs?))\s+outside\s+(?:of\s+)?",
    re.IGNORECASE,
)
_OCCASIONS = re.compile(r"\W*how (?:many times|often)\s+(?P<aux>has|have|had|did)\b", re.IGNORECASE)
_BEAT = re.compile(
    r"\W*(?:whom?|(?:which|what) (?:team|country|club|side))(?:['’]d|\s+(?:did|have|has))\s+(?:the\s+)?\S.*?"
    r"\s+(?:(?P<beat>beat|beaten|defeat|defeated)|(?:lose|lost)\s+to)\s+(?:in|for|to win|at)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_BEAT_WHOM = re.compile(
    r"\W*(?:who|(?:which|what) (?:team|country|club|side))\s+(?:(?P<beat>beat|defeated)|lost\s+to)\s+\S.*?"
    r"\s+(?:in|for|to win|at)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_CONTESTED = freebase("sports.sports_championship_event")
_CHAMPIONSHIP = freebase("sports.sports_championship")
_SORT = r"(?:the\s+)?(?:(?:nhl|nba|nfl|mlb|hockey|basketball|football|baseball|soccer)\s+)?"
_WHO_HAS = re.compile(
    rf"\W*(?:(?:which|what)\s+)?{_SORT}(?:national\s+)?(?P<who>team|club|franchise|side|country)\s+"
    r"(?:with|has|having|that\s+has|that\s+have|holding|holds)\s+(?:the\s+)?most\s+",
    re.IGNORECASE,
)
_MOST_OF = re.compile(r"\W*(?:the\s+)?most\s+(?:men['’]?s\s+)?(?:fifa\s+)?", re.IGNORECASE)
_TITLES = re.compile(
    r"(?:\s+(?:titles|championships|wins|victories|trophies|rings|(?P<won>won(?:\s+by)?)))?"
    r"(?:\s+(?:football\s+|soccer\s+)?(?P<who>team|club|country|nation))?\W*",
    re.IGNORECASE,
)
_MORE_THAN_ANY = re.compile(
    r"\bmore\s+(?P<what>[^,?.!]+?)\s+than\s+(?:any(?:\s?(?:one|body|thing))?|all|every)\b[^,?.!]*",
    re.IGNORECASE,
)
_NONE_MORE = re.compile(
    r"\W*(?:nobody|no[\s-]?one|nothing|no\s+(?:other\s+)?(?P<sort>[a-z]+))(?:\s+else)?\s+(?:ever\s+)?"
    r"(?P<verb>(?:ha[sd]|have)(?:\s+(?:ever\s+)?[a-z]+(?:ed|on|ade|ritten))?|won|\w+ed)\s+more\s+(?P<what>[^,?.!]+?)"
    r"\s+than\s+(?:whom?|wh(?:ich|at)\s+(?P<other>[a-z]+))\W*",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"\b(?:holds?|ha[sd]|have)\s+(?:the\s+)?record\s+(?:for|of|with)\s+(?:winning\s+)?(?:the\s+)?most\s+",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    r"\b(?P<verb>(?:(?:ha[sd]|have)\s+(?:ever\s+)?)?(?:won|win|wins|got|received|earned|taken|collected|bagged)"
    r"|has|have|had|(?P<with>with|holding|having|winning)|holds?|(?:to\s+)?(?:have\s+)?w[io]n)\s+(?:a\s+total\s+of\s+)?"
    r"(?:(?P<than>more than|over|at least|no fewer than|fewer than|less than|exactly|only|just)\s+)?"
    rf"(?P<number>\d{{1,2}}|{'|'.join(CARDINALS)}|multiple|several)(?P<least>\s+or\s+more|\+)?\s+(?:different\s+)?\Z",
    re.IGNORECASE,
)
_SO_OFTEN_WON = re.compile(r"\b(?P<number>two|three|four|five|six|[2-6])[\s-]times?\s+\Z", re.IGNORECASE)
_PRIZES = re.compile(
    r"(?:\s+(?:oscars?|statuettes?|awards?|trophies|prizes|titles|championships|wins|emmys?))?(?P<least>\s+or\s+more)?"
    r"(?:\s+(?:is|are))?\W*",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r",?\s+(?:by|through|up\s+to|until|till|as\s+of)\s+(?:the\s+)?(?:end\s+of\s+)?"
    r"(?P<year>[12]\d{3})\W*\Z",
    re.IGNORECASE,
)
_WINNERS = re.compile(r"(?:\s+(?:oscars?|awards?))?\s+(?:winners?|winning\s+[a-z]+)\W*", re.IGNORECASE)
_PLAYERS = re.compile(r"\b(?P<league>nba|nfl|mlb|nhl)\s+(?=(?:players?|stars?|athletes?)\b)", re.IGNORECASE)
_PLAYED_IN = {"nba": "basketball", "nfl": "football", "mlb": "baseball", "nhl": "hockey"}
_IN_YEAR = re.compile(r"\s+in\s+(?P<year>[12]\d{3})(?=\W*\Z)", re.IGNORECASE)
_COUNTED = frozenset({freebase("award.award_category"), _CHAMPIONSHIP})
"""What somebody may win several times."""
_AWARDS = frozenset({freebase("award.award"), freebase("award.award_category")})
_OUT_OF = re.compile(
    r"\W*(?:out\s+)?of\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?P<what>[^,?]{3,60}),\s*(?:what\s+number|how\s+many)"
    r"(?:\s+of\s+(?:them|those|these))?\s+(?P<rest>\S.+)",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\W*(?:please\s+)?count\s+(?:up\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?(?P<what>[^,?]{3,60}?)\s+(?:who|that|which)\s+"
    r"(?P<rest>(?:is|are|was|were|has|have|had|did)\b.+)",
    re.IGNORECASE,
)
_PARENT_OF = re.compile(
    r"\b(?:was|is)\s+(?:the\s+|a\s+)?(?:father|mother|parent|dad|mom|mum)\s+(?:of|to)\s+how\s+many\s+"
    r"(?P<kids>children|kids|sons|daughters)(?=\W*\Z)",
    re.IGNORECASE,
)
_MOST_KIN = re.compile(
    r"\W*(?:(?:who|what)\s+(?:is|was)\s+)?(?:the\s+)?(?P<who>(?:\w+\s+)?[a-z]+)\s+(?:with|having|(?:who|that)\s+(?:had|has))"
    r"\s+(?:the\s+)?most\s+(?P<kin>children|kids|wives|husbands|spouses|sons|daughters|siblings)\W*",
    re.IGNORECASE,
)
_THE_YEAR = re.compile(
    r"\b(in|of|by|from|after|before|since|until|till|during)\s+the\s+year\s+(?=[12]\d{3}\b)", re.IGNORECASE
)
_MISSPELT = {
    "before": re.compile(r"\b(?:befor|befre|befroe|bfore|beofre|b4)\s+(?=[12]\d{3}\b)", re.IGNORECASE),
    "after": re.compile(r"\b(?:aftr|afer|atfer|affter|aftar)\s+(?=[12]\d{3}\b)", re.IGNORECASE),
    "than": re.compile(
        r"(?<=more )then\s+|(?<=less )then\s+|(?<=fewer )then\s+|(?<=larger )then\s+", re.IGNORECASE
    ),
    "assassinated": re.compile(r"\b(?:ass?as+inated|assasinatd)\s+", re.IGNORECASE),
}
_CARDINALS = CARDINALS[:11]
_MOST_RANKED = 100
_BEST = r"(?=(?:most\s+\w+|(?!west\b|best\b|rest\b|east\b|guest\b|forest\b|interest\b)\w{2,}est)\b)"
_ORDINAL = rf"(?P<number>\d+(?:nd|rd|th)|{'|'.join(ORDINALS[2:])})"
_RANK = re.compile(rf"\b{_ORDINAL}[\s-]+{_BEST}", re.IGNORECASE)
_IN_A_ROW = (
    "albums?|lps?|books?|novels?|plays?|operas?|ballets?|singles?|films?|movies?|tours?|wife|husband|spouse|child"
    "|kid|son|daughter|baby|records?|pictures?|teams?|clubs?|person|man|woman"
)
"""What comes one after another."""
_NUMBERED = re.compile(
    rf"\b{_ORDINAL}(?=\s+(?:(?!(?:of|in|by|the|and|to|for|that|which|who|from|with|world)\b)[\w'’.&-]+\s+){{0,4}}?"
    rf"(?:{_IN_A_ROW})\b)",
    re.IGNORECASE,
)
_IN_OFFICE = re.compile(
    rf"\b{_ORDINAL}(?=\s+(?:(?:us|female|woman)\s+)?(?:president|prime minister|king|queen|monarch|emperor"
    r"|governor|mayor|pope|chancellor)\b)",
    re.IGNORECASE,
)
"""The same of those who have a name with the office: 'second Prime Minister of India'."""
_CAME = re.compile(
    rf"\b(?:(?:{_IN_A_ROW})\s+(?:came|comes|was)(?:\s+out)?|released?|published?|direct(?:ed)?|writ(?:e|ten)|wrote"
    rf"|made?|make|record(?:ed)?|marr(?:y|ied)|(?:play(?:ed)?|pitch(?:ed)?)\s+for|bring out|put out|come out)"
    rf"\s+{_ORDINAL}(?=\W*\Z)",
    re.IGNORECASE,
)
"""'The book that came third', 'Which album did they release third?'"""
_SOME_OF_THEM = re.compile(
    rf"\b(?:top\s+)?(?P<number>\d{{1,2}}|{'|'.join(_CARDINALS[2:])})\s+{_BEST}"
    rf"|\b(?P<kept>first|last|latest|earliest|newest)\s+(?P<count>\d{{1,2}}|{'|'.join(_CARDINALS[2:])})\b"
    r"(?!\s+years?\b)",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"\W*(?:when|(?:in\s+)?(?:what|which)\s+year)\s+did\s+(?P<maker>\S.*?)\s+"
    r"(?:release|put out|bring out|record|publish|write|direct|make)\s+(?P<title>\w[^?\"]*?)\W*\Z",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"\A\W*(?:please\s+)?(?:(?:list|name|show|give)(?:\s+me)?\s+)?(?:all|every|each)(?:\s+(?:of\s+)?the)?\s+",
    re.IGNORECASE,
)
_ACTRESSES = re.compile(r"\bactresses\b", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:of|in|by|invented|discovered|designed|built|wrote|directed|created|starring)\s+(?:(?:the|an?)\s+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?P<name>[\w' .&-]*\w)(?P<mark>\W*)")
_AFTERTHOUGHT = re.compile(
    r"\s*(?:\.{2,}|…|[,-])\s*or\s+(?:is|was|are|were)\s+(?:it|that|this|he|she|they)\b[^?]*", re.IGNORECASE
)
_EXCEPT = re.compile(
    r"(?<![\w'-])(?:besides|apart from|aside from|other than|except(?: for)?|excluding|in addition to"
    r"|,? but not|not counting|without counting|not including|leaving (?:out|aside)|minus)"
    r"\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:largest|biggest|smallest|highest|tallest|longest|deepest|most\s+(?:popul|people|inhabit)\w*)\b",
    re.IGNORECASE,
)
_EXCEPT_MOST = re.compile(
    rf"{_EXCEPT.pattern[:-2]}|\b(?:right\s+)?after\s+(?:the\s+)?\Z"
    r"|\b(?:that|which|who)(?:['’]s\s+not|\s+(?:is|are|was|were)(?:\s+not|n['’]t))\s+\Z",
    re.IGNORECASE,
)
"""What is largest after something is the largest but for that."""
_AND = re.compile(r"\s*(?:,|,?\s+(?:and|or|nor))\s+(?:the\s+)?", re.IGNORECASE)


_SAYS = (
    r"(?:says?|said|swears?|swore|insists?|insisted|claims?|claimed|reckons?|reckoned|thinks?|thought|believes?|argues?"
    r"|told me|tells me|is sure|was sure)"
)
_CLAIM = re.compile(
    rf"\W*(?:[^?.!]*?\b{_SAYS}\s+(?:that\s+)?)?(?P<claim>.+?)[,.;]?\s+"
    r"(?:(?:is|was|are)\s+(?:he|she|it|that|this|they)\s+(?:right|correct|true|so)|right|true|correct"
    r"|true or false|yes or no|y/n|(?:is|was|did|does|has|have|are|were)n['’]?t\s+(?:it|he|she|they))\W*",
    re.IGNORECASE,
)
_MORE_SO = re.compile(r"\s+(?:\w+er|more\s+\w+|less\s+\w+)\s+than\b", re.IGNORECASE)
_IS_IT = re.compile(
    r"\W*(?:[^?.!]*[,.]\s*)?(?:is|was)\s+it\s+(?:the\s+)?(?P<one>.+?)\s+(?:that|which|who|what)\s+(?P<rest>.+?)"
    r",?\s+or\s+(?:(?:is|was)\s+it\s+)?(?P<other>[^,]+?)\W*",
    re.IGNORECASE,
)
_IS_IT_TRUE = re.compile(
    r"\W*(?:is|was)\s+(?:it\s+)?(?:true|correct|right|the\s+case|a\s+fact)\s+(?:that\s+)?(?P<claim>.+?)\W*",
    re.IGNORECASE,
)
_SEATS = {
    r"(?:the\s+)?(?:white house|oval office)": "US president",
    r"(?:(?:number|no\.?)\s+)?(?:10|ten)\s+downing street": "UK prime minister",
}
_BE_IN = r"\b(?P<be>is|was|were|been|being)\s+(?:(?:living|sitting|sat)\s+)?(?:in|at)\s+"
_LIVE_IN = r"\b(?:occupied|lived\s+(?:in|at)|ruled\s+from)\s+"
_IN_SEATS = tuple(
    (re.compile(f"(?:{_BE_IN}|{_LIVE_IN}){seat}", re.IGNORECASE), office) for seat, office in _SEATS.items()
)
"""Where those in an office live."""
_SPEAKING = re.compile(
    r"(?P<language>\w+)[- ]speaking\s+(?P<what>(?:\w+\s+)?(?:countr(?:y|ies)|nations?|states?))\b"
    r"(?P<in>\s+in\s+(?:the\s+)?)?",
    re.IGNORECASE,
)
_LANGUAGE = freebase("language.human_language")
_IN_POWER = re.compile(
    r"\b(?:which|what)\s+(?P<role>(?:[\w.]+\s+){0,2}?(?:president|minister|chancellor|monarch|king|queen|emperor|pope))s?\s+"
    r"(?:(?:was|were)\s+(?:serving\s+)?in\s+(?:office|power)|served(?:\s+in\s+office)?|reigned|ruled|governed)"
    r"(?=\s+(?:in|during|when|at|throughout)\b)",
    re.IGNORECASE,
)
_HOME = re.compile(
    r"\W*(?:(?:what|which)(?:['’]?s|\s+(?:is|was))?\s+)?(?:the\s+)?home\s+(?P<level>state|country|province)\s+of\s+"
    r"(?P<whose>\S.*?)\W*",
    re.IGNORECASE,
)
_BORN_IN = re.compile(r"(?P<place>\S+)-born\s+(?P<what>(?:(?:us|prime)\s+)?[a-z]+)\b", re.IGNORECASE)
_AREA = re.compile(
    r"\b(?:has|have|covers?|takes?\s+up)\s+(?P<how>more|(?:a\s+)?larger|(?:a\s+)?bigger|less|(?:a\s+)?smaller|the\s+(?:most|largest|biggest"
    r"|least|smallest))\s+(?:surface\s+|land\s+|total\s+)?area\b",
    re.IGNORECASE,
)
_SMALL = re.compile(r"less|least|small", re.IGNORECASE)
_THERE_IS = re.compile(
    r"(?:[^?.!]*?\b)?there(?:['’]s|\s+is|\s+are)\s+(?:(?:an?|some|(?:only\s+)?one)\s+)?(?P<what>[^?.!,;]+?)[.,;]\s*"
    r"(?:and\s+|but\s+|so\s+)?(?:what|which|who)\b(?:\s+(?:one|would|could|might|is|are|was|were|be|that|it|those|they|this|he|she)){1,4}\W*",
    re.IGNORECASE,
)
_IS_THERE = re.compile(
    r"\W*(?:(?:is|was|are|were)\s+there|there(?:['’]s|\s+is|\s+was|\s+were|\s+are))\s+(?:ever\s+)?(?:an?|any|some)\s+"
    r"(?P<what>[a-z][^?,;]*?)\s+(?:who|that|which)\s+"
    r"(?P<did>[^?]+?)[?.,;]+\s*(?:and\s+)?(?:if\s+so,?\s+)?(?:who|which|what)\b(?:['’]s)?"
    r"(?:\s+(?:is|was|one|were|are|he|she|it|they|that|his|her|their|names?))*\W*",
    re.IGNORECASE,
)
_THAN = re.compile(r"(?P<sort>(?:\w+\s+){1,3}?)(?P<more>\w+er|more\s+\w+|less\s+\w+)\s+than\b", re.IGNORECASE)
_TWO_SENTENCES = re.compile(r"(?P<said>[^?]*[^?\s][.!])\s+(?P<asked>[^.!?]+\?)\s*\Z")
_PRONOUN = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
_KILLED = re.compile(
    r"\s+(?:was|were|got)\s+(?:shot|killed|assassinated|murdered|executed|beheaded)\b", re.IGNORECASE
)
_AT_WHICH = re.compile(
    r"\b(?:when|after|once|(?:day|year|time)(?:\s+that)?)\s+(?:president\s+)?\Z", re.IGNORECASE
)
_HAPPENED = re.compile(
    r"\b(?P<when>when|(?:what|which) (?:year|date|day|month))\s+did\s+(?P<what>\S.*?)\s+"
    r"(?:happen|occur|take\s+place)(?=\W*\Z)",
    re.IGNORECASE,
)
_CLAIMED = re.compile(r"\s+(?P<be>is|are|was|were|has|had)\s+", re.IGNORECASE)
_THEN = re.compile(r"(?<=er)\s+then(?=\s)", re.IGNORECASE)


def of_claim(text: str, mentions: Sequence[Mention]) -> str:
    """'My son says Lewis was older than Tolkien. Is he right?' as the question whether it is so, where it
    compares one thing that is named with another, or ends with one."""
    said = _CLAIM.fullmatch(_THEN.sub(" than", text))
    named = [m.text for m in sorted(mentions, key=lambda m: m.start)]
    if said is None or len(named) != 2:
        return text
    claim = said["claim"]
    if not re.search(r"\bthan\b|\bbefore\b|\bafter\b", claim) and not claim.endswith(named[1]):
        return text
    at = claim.find(named[0])
    if at < 0 or re.sub(r"\b(?:the|an?)\b", "", claim[:at], flags=re.IGNORECASE).strip():
        return text
    verb = _CLAIMED.match(claim, at + len(named[0]))
    end = re.sub(r"\s+(?:does|did|is|was|has|do)\Z", "", claim, flags=re.IGNORECASE)
    if verb is None:
        return f"{'Is' if _MORE_SO.match(claim, at + len(named[0])) else 'Does'} {end}?"
    return f"{verb['be'].capitalize()} {claim[: verb.start()]} {end[verb.end() :]}?"


def of_emphasis(text: str, mentions: Sequence[Mention]) -> str:
    """'Is it Peru that is bigger, or Chile?' as the question which is bigger."""
    said = _IS_IT.fullmatch(text)
    spans = {said.span("one"), said.span("other")} if said is not None else set()
    if said is None or len(spans & {(m.start, m.start + len(m.text)) for m in mentions}) < 2:
        return text
    return f"Which {said['rest']}, {said['one']} or {said['other']}?"


def of_truth(text: str, mentions: Sequence[Mention]) -> str:
    """'Is it true that Emma Thompson was in Junior?' as the question whether she was."""
    said = _IS_IT_TRUE.fullmatch(text)
    first = min(mentions, key=lambda m: m.start, default=None)
    if said is None or first is None:
        return text
    claim, start = said["claim"], said.start("claim")
    if re.sub(r"\b(?:the|an?)\b", "", text[start : first.start], flags=re.IGNORECASE).strip():
        return text
    verb = _CLAIMED.match(text, first.end)
    if verb is None:
        return f"Did {claim}?"
    return f"{verb['be'].capitalize()} {text[start : verb.start()]} {text[verb.end() : said.end('claim')]}?"


def of_happening(text: str, mentions: Sequence[Mention]) -> str:
    """'When did the Boston Tea Party happen?' as the question when it was."""
    return _HAPPENED.sub(r"\g<when> was \g<what>", text)


def of_seat(text: str, mentions: Sequence[Mention]) -> str:
    """'Who was in the White House when the war began?' as the question who was US president then."""
    for seat, office in _IN_SEATS:
        said = seat.search(text)
        if said is not None:
            return f"{text[: said.start()]}{said['be'] or 'was'} {office}{text[said.end() :]}"
    return text


def of_speaking(text: str, mentions: Sequence[Mention]) -> str:
    """'Spanish-speaking countries' as those whose official language it is."""
    said = _SPEAKING.search(text)
    if said is None or not any(
        m.meets(*said.span("language")) and any(_LANGUAGE in c.types for c in m.candidates) for m in mentions
    ):
        return text
    return (
        f"{text[: said.start()]}{said['what']} with {said['language']} as its official language"
        f"{said['in'] or ''}{text[said.end() :]}"
    )


def of_power(text: str, mentions: Sequence[Mention]) -> str:
    """'Which presidents were in office during the war?' as the question who was president then."""
    return _IN_POWER.sub(r"who was \g<role>", text)


def of_home(text: str, mentions: Sequence[Mention]) -> str:
    """'home state of the first president' as the question in which state he was born."""
    said = _HOME.fullmatch(text)
    return text if said is None else f"In which {said['level']} was {said['whose']} born?"


def of_born(text: str, mentions: Sequence[Mention]) -> str:
    """'Virginia-born presidents' as those born there."""
    said = _BORN_IN.search(text)
    if said is None or not any(
        m.end <= said.end("place") + 5 and m.meets(*said.span("place")) for m in mentions
    ):
        return text
    start = next(m.start for m in mentions if m.meets(*said.span("place")))
    place = text[start : said.end("place")]
    return f"{text[:start]}{said['what']} born in {place}{text[said.end() :]}"


def of_area(text: str, mentions: Sequence[Mention]) -> str:
    """'covers more area' as larger, 'has the most area' as the largest."""

    def plain(said: re.Match[str]) -> str:
        size = "small" if _SMALL.search(said["how"]) else "larg"
        return f"is the {size}est" if said["how"].lower().startswith("the") else f"is {size}er"

    return _AREA.sub(plain, text)


def of_existence(text: str, mentions: Sequence[Mention]) -> str:
    """'There's a mountain taller than K2. What would that be?' as the question which one is."""
    said = _THERE_IS.fullmatch(text)
    if said is None or not any(m.meets(*said.span("what")) for m in mentions):
        return text
    what = _THAN.sub(r"\g<sort>is \g<more> than", said["what"], count=1)
    return f"Which {what}?"


def of_being(text: str, mentions: Sequence[Mention]) -> str:
    """'Was there a woman who won it? Who was she?' as the question which woman did."""
    said = _IS_THERE.fullmatch(text)
    return text if said is None else f"Which {said['what']} {said['did']}?"


def of_pronoun(text: str, mentions: Sequence[Mention]) -> str:
    """'I'm off to see the Taj Mahal! In which state is it?' as the question in which state that is. Only
    where one thing is named, and before the question."""
    said = _TWO_SENTENCES.fullmatch(text)
    pronoun = _PRONOUN.search(said["asked"]) if said is not None else None
    before = [m for m in mentions if m.exact and said is not None and m.end <= said.end("said")]
    if said is None or pronoun is None or len(before) != 1:
        return text
    first = before[0]
    own = "'s" if pronoun[0].lower() == "its" else ""
    asked = said["asked"]
    return f"{asked[: pronoun.start()]}{first.text}{own}{asked[pronoun.end() :]}"


def of_killing(text: str, mentions: Sequence[Mention]) -> str:
    """'Who was president when Lincoln was shot?' as the question for when he died."""
    for m in mentions:
        said = _KILLED.match(text, m.end)
        if said is not None and _AT_WHICH.search(text[: m.start]):
            return f"{text[: m.end]} died{text[said.end() :]}"
    return text


def without_exceptions(text: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
    """The text without what it says is not meant, and the names of that: 'Apart from Jaws, what did he
    direct?' asks for what he directed. The text and nothing where it names nothing else."""
    left_out: list[Mention] = []
    cut: tuple[int, int] | None = None
    begins_so = _EXCEPT_MOST if _MOST.search(text) else _EXCEPT
    for m in sorted(mentions, key=lambda m: m.start):
        if left_out and _AND.fullmatch(text, left_out[-1].end, m.start):
            left_out.append(m)
        elif not left_out and (begins := begins_so.search(text[: m.start])):
            left_out, cut = [m], begins.span()
    if cut is None or len(left_out) == len(mentions):
        return text, ()
    rest = re.sub(r"\A[\s,]+", " ", text[left_out[-1].end :])
    rest = re.sub(r"\bother\s+", "", rest)
    whole = f"{text[: cut[0]].rstrip(' ,')} {rest}" if _ends(rest) else f"{text[: cut[0]]} {rest}"
    whole = re.sub(r"\s+", " ", whole).strip().replace(" ?", "?")
    return whole[:1].upper() + whole[1:], tuple(left_out)


def _ends(rest: str) -> bool:
    return not any(map(str.isalnum, rest))


def without_rank(text: str, mentions: Sequence[Mention]) -> tuple[str, int, int]:
    """The text that asks for the first of its order, and from which place on how many are asked for: 'the
    second longest river' and 'their second album' ask for one, from place 1 (0 is the first), 'the top 5
    longest' for five."""
    nameless = text
    for m in mentions:
        nameless = f"{nameless[: m.start]}{'x' * len(m.text)}{nameless[m.start + len(m.text) :]}"
    for pattern in (_RANK, _SOME_OF_THEM, _NUMBERED, _IN_OFFICE, _CAME):
        said = pattern.search(nameless if pattern is _NUMBERED else text)
        if said is None:
            continue
        parts = said.groupdict()
        number = _number_of(parts["number"] or parts["count"])
        start = said.start("number") if pattern is _CAME else said.start()
        if any(m.meets(start, said.end()) for m in mentions) or not 2 <= number <= _MOST_RANKED:
            continue
        first = "first" if pattern in (_NUMBERED, _IN_OFFICE, _CAME) else parts.get("kept") or ""
        rest = f"{text[:start]}{first}{text[said.end() :]}"
        return (rest, 0, number) if pattern is _SOME_OF_THEM else (rest, number - 1, 1)
    return text, 0, 1


def _number_of(word: str) -> int:
    digits = re.match(r"\d+", word)
    if digits is not None:
        return int(digits[0])
    low = word.lower()
    return next((i for row in (ORDINALS, _CARDINALS) for i, w in enumerate(row) if w == low), 0)


def plainer(text: str, mentions: Sequence[Mention], bare: Iterable[tuple[int, int]] = ()) -> Iterator[str]:
    """Other ways to put a question that was not understood: without 'list all' and with 'actresses' as female
    actors; where nothing was recognised, with a name in it (`bare`: where there may be one), or what it ends
    in, in quotes."""
    plain = _ACTRESSES.sub("female actors", _LIST.sub("", text))
    if plain != text:
        yield plain
    yield from () if mentions else quoted(text, bare)
    for said in () if mentions else _NAMED.finditer(text):
        tail = _TAIL.fullmatch(text, said.end())
        if tail is not None:
            yield f'{text[: said.end()]}"{tail["name"]}"{tail["mark"]}'


def quoted(text: str, bare: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The question with each of these parts in quotes, as names are."""
    for start, end in bare:
        yield f'{text[:start]}"{text[start:end]}"{text[end:]}'


def without_afterthought(text: str, mentions: Sequence[Mention]) -> str:
    """The text without a doubt about its own words: 'Which town are they from... or was it a city?'"""
    said = _AFTERTHOUGHT.search(text)
    if said is None or not said.start() or any(m.end > said.start() for m in mentions):
        return text
    return f"{text[: said.start()]}{text[said.end() :]}"


def of_number(text: str, mentions: Sequence[Mention]) -> str:
    """'Out of all US presidents, what number were born in Ohio?' and 'Count the presidents who were born in
    Ohio' as the question how many were."""
    said = _OUT_OF.fullmatch(text) or _COUNT.fullmatch(text)
    return text if said is None else f"How many {said['what']} {said['rest']}"


def of_most_kin(text: str, mentions: Sequence[Mention]) -> str:
    """'us president with most kids' as the question which had the most."""
    said = _MOST_KIN.fullmatch(text)
    return text if said is None else f"Which {said['who']} had the most {said['kin']}?"


def of_parents(text: str, mentions: Sequence[Mention]) -> str:
    """'Bach was the father of how many children?' as the question how many he had."""
    said = _PARENT_OF.search(text)
    who = max((m for m in mentions if said and m.end <= said.start()), key=lambda m: m.end, default=None)
    return text if said is None or who is None else f"How many {said['kids']} did {who.text} have?"


def of_years(text: str, mentions: Sequence[Mention]) -> str:
    """'after the year 2005' and 'befor 2005' with the year as others say it."""
    text = _THE_YEAR.sub(r"\1 ", text)
    for word, misspelt in _MISSPELT.items():
        text = misspelt.sub(f"{word} ", text)
    return text


def of_more_people(text: str, mentions: Sequence[Mention]) -> str:
    """'Do more people live in Texas than in Ohio?' as the question whether it is more populous, and with 'or'
    as the question which is."""
    said = _MORE_PEOPLE.fullmatch(text)
    if said is None or len(mentions) != 2:
        return text
    populous = f"{'more' if said['how'].lower() == 'more' else 'less'} populous"
    if said["than"].lower() == "or":
        return f"Which is {populous}, {said['one']} or {said['other']}?"
    return f"Is {said['one']} {populous} than {said['other']}?"


def of_outside(text: str, mentions: Sequence[Mention]) -> str:
    """'born outside the US' as what were not born there."""
    said = _OUTSIDE.search(text)
    if said is None or any(m.meets(*said.span()) for m in mentions):
        return text
    if said["sort"]:
        return f"{text[: said.end('sort')]} that are not in {text[said.end() :]}"
    return f"{text[: said.start()]}{said['be'] or 'who were '}not {said['how']} in {text[said.end() :]}"


def of_occasions(text: str, mentions: Sequence[Mention]) -> str:
    """'How many times has Brazil won the World Cup?' as the question for how many it has won; not of awards,
    which are no occasions."""
    said = _OCCASIONS.match(text)
    last = max(mentions, key=lambda m: m.end, default=None)
    if said is None or last is None or any(map(str.isalnum, text[last.end :])):
        return text
    if any(_AWARDS.intersection(c.types) for c in last.candidates):
        return text
    middle = re.sub(r"\s+the\s*\Z", "", text[said.end() : last.start]).strip()
    if not middle or not any(said.end() <= m.start and m.end <= last.start for m in mentions):
        return text
    many = last.text if last.text.lower().endswith("s") else f"{last.text}s"
    return f"How many {many} {said['aux']} {middle}?"


def of_opponent(text: str, mentions: Sequence[Mention]) -> str:
    """'Who did the Rams beat in Super Bowl XXXIV?' as the question for who lost it, 'Who beat the Titans in
    ...?' as that for who won."""
    last = max(mentions, key=lambda m: m.end, default=None)
    if last is None or any(map(str.isalnum, text[last.end :])):
        return text
    if not any(_CONTESTED in c.types for c in last.candidates[:1]):
        return text
    for pattern, answers in ((_BEAT, False), (_BEAT_WHOM, True)):
        said = pattern.match(text)
        if said is not None and last.start >= said.end():
            won = (said["beat"] is not None) == answers
            return f"Who {'won' if won else 'was the runner-up of'} {text[said.end() :]}"
    return text


def of_most_titles(text: str, mentions: Sequence[Mention]) -> str:
    """'nhl team with the most stanley cups' and 'most world series titles team' as the question for who has
    won it most often."""
    for m in mentions:
        if not any(_CHAMPIONSHIP in c.types for c in m.candidates):
            continue
        begins = _WHO_HAS.fullmatch(text, 0, m.start)
        ends = _TITLES.fullmatch(text, m.end)
        if ends is None or not (begins or _MOST_OF.fullmatch(text, 0, m.start)):
            continue
        who = begins["who"] if begins else ends["who"] or (ends["won"] and "team")
        if who:
            return f"Which {who} has won the most {m.text} titles?"
    return text


def of_record(text: str, mentions: Sequence[Mention]) -> str:
    """'Who has more Tonys than anyone else?', 'Nobody has more Tonys than who?' and 'Who holds the record for
    most Tonys?' as the question for who has the most."""
    none = _NONE_MORE.fullmatch(text)
    if none is not None:
        sort = none["other"] or none["sort"]
        return f"{f'Which {sort}' if sort else 'Who'} {none['verb']} the most {none['what']}?"
    return _RECORD.sub("has won the most ", _MORE_THAN_ANY.sub(r"the most \g<what>", text))


def of_so_many_prizes(text: str, mentions: Sequence[Mention]) -> str:
    """'actors with three Tonys for Best Actor' and 'three-time winners' as those who won it three times; not
    of prizes that are given for several things."""
    until = _UNTIL.search(text)
    then = f" by {until['year']}" if until is not None else ""
    whole, text = text, text if until is None else text[: until.start()]
    for m in mentions:
        if not any(_COUNTED.intersection(c.types) for c in m.candidates[:1]):
            continue
        many, prizes = _SO_MANY.search(text[: m.start]), _PRIZES.fullmatch(text, m.end)
        if many is not None and prizes is not None:
            than = "at least" if many["least"] or prizes["least"] else many["than"] or ""
            often = f"{than} {many['number']} times"
            if many["number"].lower() in ("multiple", "several"):
                often = "more than once"
            won = "who won" if many["with"] else "won"
            return f"{text[: many.start()]}{won} {m.text} {' '.join(often.split())}{then}?"
        times, winners = _SO_OFTEN_WON.search(text[: m.start]), _WINNERS.fullmatch(text, m.end)
        if times is not None and winners is not None:
            return f"Who won {m.text} {times['number']} times?"
    return whole


def of_edition(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """'Where did the Olympics take place in 2012?' by the edition's own name, where there is such a thing."""
    said = _IN_YEAR.search(text)
    if said is None:
        return text
    for m in mentions:
        name = f"{said['year']} {m.text}"
        whole = f"{text[: m.start]}{said['year']} {text[m.start : said.start()]}{text[said.end() :]}"
        if m.end <= said.start() and any(n.text == name and n.exact for n in link(whole)):
            return whole
    return text


def of_league_players(text: str, mentions: Sequence[Mention]) -> str:
    """'NBA players who went to Duke' by what they play, which is told of them, as no league is."""
    said = _PLAYERS.search(text)
    if said is None or any(m.start < said.start() < m.end or m.end > said.end() > m.start for m in mentions):
        return text
    return f"{text[: said.start()]}{_PLAYED_IN[said['league'].lower()]} {text[said.end() :]}"


def of_titles(text: str, mentions: Sequence[Mention], link: Callable[[str], Sequence[Mention]]) -> str:
    """'When did U2 release War?' with the title in quotes, where its words name nothing else."""
    said = _MADE.match(text)
    if said is None or not any(m.meets(*said.span("maker")) for m in mentions):
        return text
    if any(m.meets(*said.span("title")) and m.text != said["title"] for m in mentions):
        return text
    whole = f'{text[: said.start("title")]}"{said["title"]}"{text[said.end("title") :]}'
    named = (m for m in link(whole) if m.text == said["title"] and m.exact)
    return whole if next(named, None) is not None else text


def of_inhabitants(text: str, mentions: Sequence[Mention]) -> str:
    """'how many people live in Tokyo' as the question for its population."""
    for m in mentions:
        if _LIVE.fullmatch(text, 0, m.start) and not any(map(str.isalnum, text[m.end :])):
            return f"What is the population of {m.text}?"
    return text
