"""Words of questions that name nothing in a graph: comparisons, superlatives, what joins phrases."""

from __future__ import annotations

from typing import Literal

from kbqa.lexicon.numbers import CARDINALS
from kbqa.types import Measure, Operator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS = _words(
    "the all any some a an our their its his her this those these of one both other another else"
)
JOINING = _words(
    "that which who whom is are was were be been being has have had having do does did can will would there "
    "ever currently now still also they them it he she you we i get got only and but both either where whose"
)
PREPOSITIONS = _words(
    "of in on at by for from with to into about under near within among through as during behind"
)
VAGUE = _words(
    "belong belongs belonging belonged located situated available listed exist exists found live lies lie "
    "lying hide hides hiding assigned sit sits sitting stand stands standing"
)
"""Verbs that say no more than that two things belong together."""
LOOSE = _words(
    "work works working worked involved engaged share shares shared sharing use uses used using hold holds "
    "holding held contain contains containing house houses housing own owns owned keep keeps kept"
)
"""Verbs that may say no more than that, where no wording has them."""
NEGATIONS = _words("not never dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt no neither")
NOBODY = _words("nobody noone none nothing")
LEADING = _words(
    "please can could would you tell me show give list name find display get what which who whats are is was "
    "were the us i want to know see need do we have every all of any a an "
    "provide state indicate return enumerate identify are"
)
"""May come before a noun phrase that is asked for, in any order."""
TRAILING = _words("there are is exist exists please we have do in all altogether now currently today total")
MEASURED = {
    "ft": "feet", "foot": "feet", "feet": "feet", "m": "meters", "metre": "meters", "metres": "meters",
    "meter": "meters", "meters": "meters", "km": "kilometers", "kilometres": "kilometers",
    "kilometers": "kilometers", "min": "minutes", "minute": "minutes", "minutes": "minutes",
    "mins": "minutes", "hour": "hours", "hours": "hours", "day": "days", "days": "days", "kg": "kilograms",
    "kilograms": "kilograms", "degrees": "degrees",
}  # fmt: skip
"""Words for units after a number -> one of them for each unit."""
UNITS = _words("euro euros eur dollar dollars usd pound pounds gbp people square sq cubic") | MEASURED.keys()
NUMBERS = {word: n for n, word in enumerate(CARDINALS) if n} | {
    "twenty": 20,
    "dozen": 12,
    "fifteen": 15,
    "thirty": 30,
    "fifty": 50,
    "hundred": 100,
}
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
ASIDE = DETERMINERS | JOINING | PREPOSITIONS | VAGUE | UNITS | _words("than")

COMPARING: tuple[tuple[str, Operator], ...] = (
    ("no more than", "<="), ("not more than", "<="), ("no later than", "<="), ("no less than", ">="),
    ("not less than", ">="), ("no fewer than", ">="), ("no earlier than", ">="),
    ("more than", ">"), ("greater than", ">"), ("higher than", ">"), ("larger than", ">"),
    ("bigger than", ">"), ("longer than", ">"), ("later than", ">"), ("above", ">"), ("over", ">"),
    ("exceeding", ">"), ("beyond", ">"), ("after", ">"), ("following", ">"),
    ("less than", "<"), ("fewer than", "<"), ("lower than", "<"), ("smaller than", "<"),
    ("more as", ">"), ("less as", "<"),
    ("shorter than", "<"), ("earlier than", "<"), ("below", "<"), ("under", "<"), ("before", "<"),
    ("prior to", "<"),
    ("at least", ">="), ("a minimum of", ">="), ("since", ">="), ("starting", ">="),
    ("at most", "<="), ("a maximum of", "<="), ("up to", "<="), ("until", "<="),
    ("exactly", "="), ("equal to", "="), ("in", "="), ("on", "="), ("from", "="),
    ("of", "="), ("is", "="), ("", "="),
)  # fmt: skip
"""Words before a number or date -> how it is compared; the longer first."""
AFTERWARDS: tuple[tuple[str, Operator], ...] = (
    ("or more", ">="), ("or higher", ">="), ("or later", ">="), ("or above", ">="), ("and above", ">="),
    ("on", ">="), ("onward", ">="), ("onwards", ">="), ("and later", ">="),
    ("or less", "<="), ("or fewer", "<="), ("or lower", "<="), ("or earlier", "<="), ("or below", "<="),
)  # fmt: skip

QUANTITIES: tuple[tuple[str, Operator], ...] = (
    ("no more than", "<="), ("not more than", "<="), ("no less than", ">="), ("not less than", ">="),
    ("no fewer than", ">="), ("more than", ">"), ("greater than", ">"), ("over", ">"), ("above", ">"),
    ("less than", "<"), ("fewer than", "<"), ("under", "<"), ("below", "<"), ("more as", ">"),
    ("at least", ">="), ("a minimum of", ">="), ("at most", "<="), ("a maximum of", "<="), ("up to", "<="),
    ("exactly", "="), ("only", "="), ("just", "="), ("", "="),
)  # fmt: skip
"""Words before how many there are -> how that is compared; the longer first."""

Sort = Literal["date", "number"]
SIZES = (
    "area",
    "size",
    "population",
    "number",
    "amount",
    "total",
    "capacity",
    "seat",
    "budget",
    "height",
    "length",
)
Dimension = tuple[tuple[str, ...], Sort, bool]
"""Words of a property, best first, what its values are, and whether the adjective means the highest."""
_LONG = ("length", "duration", "running", "runtime", "page", "distance")
_HIGH = ("height", "elevation", "altitude")
_LIFE = ("life", "lifetime", "lifespan")
_TAKINGS = ("gross", "box", "revenue", "takings", "earnings", "income")
_PAY = ("salary", "wage", "pay", "income")
_PRICE = ("price", "cost", "fee", "rent", "fare")
_BEGUN = tuple(
    "birth born founding founded established opening opened start hire issue publication published release "
    "creation created joining date".split()
)
ADJECTIVES: dict[str, tuple[Dimension, ...]] = {
    "oldest": ((("age",), "number", True), (_BEGUN, "date", False)),
    "youngest": ((("age",), "number", False), (_BEGUN, "date", True)),
    "newest": ((_BEGUN, "date", True),),
    "latest": ((_BEGUN, "date", True),),
    "most recent": ((_BEGUN, "date", True),),
    "earliest": ((_BEGUN, "date", False),),
    "longest": ((_LONG, "number", True),),
    "shortest": (((*_LONG, "height"), "number", False),),
    "tallest": ((("height", "elevation"), "number", True),),
    "highest": ((_HIGH, "number", True),),
    "lowest": ((_HIGH, "number", False),),
    "deepest": ((("depth",), "number", True),),
    "widest": ((("width", "breadth"), "number", True),),
    "hottest": ((("temperature",), "number", True),),
    "coldest": ((("temperature",), "number", False),),
    "strongest": ((("strength", "power"), "number", True),),
    "northernmost": ((("latitude",), "number", True),),
    "southernmost": ((("latitude",), "number", False),),
    "easternmost": ((("longitude",), "number", True),),
    "westernmost": ((("longitude",), "number", False),),
    "longest lived": ((_LIFE, "number", True),),
    "shortest lived": ((_LIFE, "number", False),),
    "longest running": ((_LONG, "number", True),),
    "highest grossing": ((_TAKINGS, "number", True),),
    "top grossing": ((_TAKINGS, "number", True),),
    "lowest grossing": ((_TAKINGS, "number", False),),
    "highest paid": ((_PAY, "number", True),),
    "lowest paid": ((_PAY, "number", False),),
    "highest rated": ((("rating", "score"), "number", True),),
    "cheapest": ((_PRICE, "number", False),),
    "least expensive": ((_PRICE, "number", False),),
    "most expensive": ((_PRICE, "number", True),),
    "costliest": ((_PRICE, "number", True),),
    "dearest": ((_PRICE, "number", True),),
    "largest": ((SIZES, "number", True),),
    "biggest": ((SIZES, "number", True),),
    "smallest": ((SIZES, "number", False),),
    "heaviest": ((("weight", "mass"), "number", True),),
    "lightest": ((("weight", "mass"), "number", False),),
    "fastest": ((("speed",), "number", True),),
    "slowest": ((("speed",), "number", False),),
    "best paid": ((_PAY, "number", True),),
    "worst paid": ((_PAY, "number", False),),
    "most populous": ((("population", "inhabitant"), "number", True),),
    "least populous": ((("population", "inhabitant"), "number", False),),
    "thickest": ((("page", "thickness"), "number", True),),
    "best rated": ((("rating", "score"), "number", True),),
}
POSITIVES: dict[str, str] = {
    "long": "longest", "short": "shortest", "tall": "tallest", "cheap": "cheapest", "large": "largest",
    "big": "biggest", "small": "smallest", "heavy": "heaviest", "light": "lightest", "fast": "fastest",
    "slow": "slowest", "old": "oldest", "young": "youngest", "new": "newest", "high": "highest",
    "low": "lowest", "deep": "deepest", "wide": "widest", "hot": "hottest", "cold": "coldest",
    "strong": "strongest", "recent": "most recent", "expensive": "most expensive",
    "populous": "most populous", "thick": "thickest",
}  # fmt: skip
COMPARATIVES: dict[str, str] = {
    "longer": "longest", "shorter": "shortest", "taller": "tallest", "cheaper": "cheapest",
    "more expensive": "most expensive", "larger": "largest", "bigger": "biggest", "smaller": "smallest",
    "heavier": "heaviest", "lighter": "lightest", "faster": "fastest", "slower": "slowest",
    "less expensive": "cheapest", "dearer": "dearest", "higher": "highest", "lower": "lowest",
    "older": "oldest", "younger": "youngest", "newer": "newest", "deeper": "deepest", "wider": "widest",
    "hotter": "hottest", "colder": "coldest", "stronger": "strongest", "thicker": "thickest",
    "more recent": "most recent", "more populous": "most populous", "earlier": "earliest",
    "later": "latest", "further north": "northernmost", "farther north": "northernmost",
    "further south": "southernmost", "farther south": "southernmost", "further east": "easternmost",
    "farther east": "easternmost", "further west": "westernmost", "farther west": "westernmost",
}  # fmt: skip
ADJECTIVES |= {f"{way} {to}": ADJECTIVES[f"{to}ernmost"] for to in ("north", "south", "east", "west")
               for way in ("furthest", "farthest", "most")}  # fmt: skip
ADJECTIVES |= {f"most {word}": ADJECTIVES[best] for word, best in POSITIVES.items()}
"""Learners of English say 'most old'."""
HIGHER: dict[str, bool] = {
    "more": True, "higher": True, "greater": True, "larger": True, "bigger": True, "longer": True,
    "later": True, "better": True, "less": False, "fewer": False, "lower": False, "smaller": False,
    "shorter": False, "earlier": False,
}  # fmt: skip
"""Words before a property's noun, where two are compared -> whether the higher value is meant."""
SOONER: dict[str, bool] = {
    "first": False, "earlier": False, "before": False, "later": True, "last": True, "after": True,
    "more recently": True,
}  # fmt: skip
"""After a verb of a date, where two are compared -> whether the later is meant."""
COUNTING = ("how many", "number of", "count")
EACH = (
    "for each", "for every", "in each", "in every", "of each", "of every", "at each", "at every", "by each",
    "from each", "per", "each", "every", "by",
)  # fmt: skip
"""Before what is counted or measured by."""
PARTING = ("break down", "breakdown of", "group", "split")
ABSENT = (
    "absent", "missing", "lacking", "unknown", "empty", "blank", "unavailable", "not given", "not known",
    "not there", "not available", "not present", "not set", "not recorded",
)  # fmt: skip
PRESENT = ("given", "known", "there", "available", "present", "set", "recorded")
"""After 'whose phone is': that there is none, and that there is one."""
EXTREMES: dict[str, bool] = {
    "most": True, "highest": True, "largest": True, "biggest": True, "greatest": True, "maximum": True,
    "longest": True, "latest": True, "newest": True, "most recent": True, "top": True, "last": True,
    "best": True, "least": False, "fewest": False, "lowest": False, "smallest": False, "minimum": False,
    "shortest": False, "earliest": False, "oldest": False, "first": False, "cheapest": False,
}  # fmt: skip
"""Words before a property's noun -> whether the highest value is meant."""
TIMELY: dict[str, bool] = {
    "first": False, "earliest": False, "last": True, "latest": True, "most recently": True, "recently": True,
}  # fmt: skip
"""After a verb of a date: 'published first'."""
AVERAGES, SUMS = (
    ("average", "mean", "typical"),
    ("total", "sum of", "combined", "overall", "sum total of", "sum"),
)
_SPENT = ("how much do we spend on", "how much do we pay in", "how much is spent on", "how much goes into")
MEASURING: dict[Measure, tuple[str, ...]] = {
    "average": AVERAGES,
    "sum": (*SUMS, *_SPENT),
    "highest": ("highest", "maximum", "largest"),
    "lowest": ("lowest", "minimum", "smallest"),
}

_RELATED = (
    _words("issued issue published publish publication released release"),
    _words("hired hire joined join employed started"),
    _words("founded founding founding established opened opening created creation"),
    _words("price cost costs costing priced expensive cheap"),
    _words("salary earn earns earning paid pay wage income"),
    _words("email mail address e-mail"),
    _words("phone telephone number"),
    _words("supervisor boss manager manages manage supervises supervised reports report"),
    _words("head heads headed lead leads led leader chief run runs running"),
    _words("ended end finished finish completed"),
    _words("started start began begin begun"),
    _words("born birth birthplace birthdate birthday"),
    _words("died dies die death deathplace"),
    _words("taught teach teaches teacher student pupil studied study learned learnt"),
    _words("bought buy purchase purchased acquired acquisition"),
    _words("donated donor donation gift gave given"),
    _words("actor cast star starring starred stars act acted acts acting play played plays playing appear"),
    _words("discovered discoverer discovery discover found find"),
    _words("currency money"),
    _words("population inhabitant inhabitants resident residents populated peopled"),
    _words(
        "border borders bordering bordered neighbour neighbours neighbor neighbors neighbouring "
        "neighboring adjacent adjoin adjoins touch touches touching"
    ),
    _words("runtime duration length last lasts lasting lasted run runs running long go goes went"),
    _words("rating rated rate score scores scored"),
    _words("gross grossed grossing earned takings revenue box money took take takes taking"),
    _words("released release issued issue publication published out came come coming"),
    _words("elevation altitude height high higher"),
)


def related(word: str) -> frozenset[str]:
    """Words that people use for one another of dates, prices and the like."""
    return frozenset(w for group in _RELATED if word in group for w in group)
