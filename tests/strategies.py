"""Random logical forms, Steps and graphs for the property tests.

What is drawn is what these values can hold in their normal form: literals compared as numbers are
plain decimals, dates padded to a day, `OneOf` sorted. Names, labels and strings are hostile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from kbqa.sparql.portable import equals, operand, pattern
from kbqa.sparql.walk import bound, bound_by_all, rename, variables
from kbqa.types import (
    FREEBASE,
    XSD,
    Absent,
    Among,
    Amount,
    Anchor,
    Anything,
    Body,
    Check,
    Compare,
    Constant,
    Count,
    Counted,
    Decomposition,
    Differ,
    Element,
    Exists,
    Find,
    Guards,
    HasText,
    Hop,
    InEnglish,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Many,
    Maybe,
    Merge,
    MostFrequent,
    Oftenest,
    OneOf,
    OpenBound,
    OpenThan,
    Order,
    Path,
    Pick,
    Query,
    Ref,
    Restriction,
    Site,
    Spelt,
    Step,
    Tally,
    Test,
    Than,
    Triple,
    Union,
    Var,
    freebase,
)

OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
HOSTILE = (
    "",
    " ",
    '"',
    "'",
    "\\",
    "\\\\n",
    "\n",
    "\r\n",
    "\t",
    "\x00",
    "\x7f",
    "{}",
    "{0}",
    "[",
    "]",
    "[x]",
    "\\]",
    "?x",
    '" . } DROP ALL #',
    "that country",
    "the thing of step 3",
    "anything",
    "1980",
    "1980-01-01",
    "-0044-03-15",
    "5.",
    "m.02mjmr",
    "local.x",
    "<http://x/>",
    "a (b)",
    "Of these, which is one?",
    "step 1 or step 2",
    ", whose name is",
    " of the ",
    "is given",
    "OR",
    "#MANUAL SPARQL",
    "Łódź",
    "東京",
    "\U0001f600",
    "é",
    "e\u0301",
    "xsd:datetime",
)
texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=8).filter(lambda t: not any(0xD800 <= ord(c) < 0xE000 for c in t)),
)
predicates = st.sampled_from(
    [
        freebase("location.country.capital"),
        freebase("film.performance.actor"),
        freebase("film.performance.film"),
        freebase("government.government_position_held.from"),
        freebase("people.person.date_of_birth"),
        freebase("base.x_y.is_of_the_kind"),
        freebase("a.b.is_given"),
        freebase("a.b.x_is_given"),
        freebase("a.b_whose.c_backwards"),
        freebase("type.object."),
        freebase("plain"),
        Iri("http://www.w3.org/2000/01/rdf-schema#label"),
        Iri("http://example.org/a_b/Knows(very)well"),
        Iri("urn:x:y"),
        Iri("http://example.org/"),
    ]
)
iris = st.one_of(
    st.sampled_from([freebase(f"m.0{c}") for c in "abcdef"]),
    st.sampled_from(
        [
            Iri("http://dbpedia.org/resource/A_(b)"),
            Iri("urn:x"),
            freebase("local.a_b"),
            freebase("en.x"),
            freebase("m.é"),
            Iri("http://x/%20'"),
        ]
    ),
)
numbers = st.one_of(
    st.integers(-(10**9), 10**9).map(str), st.sampled_from(["0", "0.5", "-1.25", "1967", "70109431"])
)
days = st.one_of(
    st.dates().map(str),
    st.sampled_from(["-0044-03-15", "-0044-01-01", "0001-01-01", "2000-02-29", "9999-12-31"]),
)
numeric = numbers.map(lambda n: Literal(n, XSD + "decimal"))
dated = days.map(lambda d: Literal(d, XSD + "date"))
strings = texts.map(Literal)
tagged = st.builds(
    lambda t, tag: Literal(t, "", tag), texts, st.sampled_from(["en", "de", "en-gb", "zh-hans"])
)
typed = st.builds(
    Literal, texts, st.sampled_from(["http://x/t", XSD + "boolean", XSD + "gMonthDay", XSD + "anyURI"])
)
exact = st.one_of(tagged, typed)
"""Literals compared as the very term."""


def operands(kind: Kind) -> st.SearchStrategy[Literal]:
    return {Kind.NUMBER: numeric, Kind.DATE: dated, Kind.STRING: strings, Kind.TERM: exact}[kind]


kinds = st.sampled_from([Kind.NUMBER, Kind.DATE, Kind.STRING])
constants: st.SearchStrategy[Constant] = st.one_of(iris, exact)
any_constant: st.SearchStrategy[Constant] = st.one_of(iris, exact, numeric, dated, strings)


parts = st.sampled_from(["contains", "starts", "ends"])


# --- queries ----------------------------------------------------------------


@st.composite
def filters(draw: st.DrawFn, over: Sequence[Var]) -> Element:
    v = draw(st.sampled_from(over))
    w = draw(st.sampled_from(over))
    op = draw(st.sampled_from(OPERATORS))
    kind = draw(kinds)
    match draw(st.integers(0, 10)):
        case 0:
            return Compare(v, op, draw(operands(kind)), kind)
        case 1:
            return equals(v, draw(any_constant), op)
        case 2:
            return Compare(v, op, w, draw(st.sampled_from([Kind.NUMBER, Kind.DATE, Kind.STRING])))
        case 3:
            return Differ(v, w) if op == "!=" else Compare(v, op, w, Kind.VALUE)
        case 4:
            return Differ(v, draw(iris))
        case 5:
            return InEnglish(v, draw(st.booleans()))
        case 6:
            return OpenBound(v, draw(predicates), op, draw(operands(kind)), kind)
        case 7:
            return Absent(v, draw(predicates), draw(st.none() | constants))
        case 8:
            return Absent(v, draw(predicates), draw(st.none() | iris), inverse=True)
        case 9:
            return Spelt(v, draw(parts), draw(texts).lower())
        case _:
            values = draw(st.sets(any_constant, min_size=1, max_size=3))
            return OneOf(v, tuple(sorted(values, key=repr)))


@st.composite
def bodies(draw: st.DrawFn, names: Sequence[Var], depth: int = 1) -> Body:
    out: list[Element] = []
    for _ in range(draw(st.integers(1, 4))):
        s = draw(st.one_of(st.sampled_from(names), iris))
        o = draw(st.one_of(st.sampled_from(names), constants))
        out.append(Triple(s, draw(predicates), o))
    if not bound(out):
        out.append(Triple(names[0], draw(predicates), draw(constants)))
    if depth and draw(st.integers(0, 3)) == 0:
        out.append(draw(nested(names, sorted(bound(out)))))
    over = sorted(bound(out))
    sure = sorted(bound_by_all(out))
    out += draw(st.lists(filters(over), max_size=3))
    counted = draw(st.lists(counts(names, sure), max_size=1)) if depth and sure else []
    return (*draw(st.permutations(out)), *counted)


@st.composite
def counts(draw: st.DrawFn, names: Sequence[Var], over: Sequence[Var]) -> Element:
    var = draw(st.sampled_from(over))
    body = draw(bodies(names, 0))
    value = draw(st.sampled_from(names).filter(lambda v: v != var))
    links = (Triple(var, draw(predicates), value), Triple(value, draw(predicates), var))
    body = (draw(st.sampled_from(links)), *body)
    counted = Counted(var, draw(st.sampled_from(OPERATORS)), draw(st.integers(0, 12)), value, body)
    return rename(counted, lambda v: v if v == var else Var(f"{v.name}_of"))


@st.composite
def nested(draw: st.DrawFn, names: Sequence[Var], around: Sequence[Var]) -> Element:
    body = draw(bodies(names, 0))
    inside = sorted(bound(body))
    match draw(st.integers(0, 2)):
        case 0:
            return Union((body, draw(bodies(names, 0))))
        case 1:
            return MostFrequent(draw(st.sampled_from(inside)), body)
        case _:
            select = draw(st.sampled_from(inside))
            return Query(select, body, draw(orders(inside)), distinct=draw(st.booleans()))


@st.composite
def orders(draw: st.DrawFn, over: Sequence[Var]) -> Order:
    kind = draw(st.sampled_from([Kind.NUMBER, Kind.DATE, Kind.STRING, Kind.VALUE]))
    limit = draw(st.none() | st.integers(1, 5))
    return Order(
        draw(st.sampled_from(over)), draw(st.booleans()), kind, limit, draw(st.sampled_from([0, 0, 2]))
    )


@st.composite
def queries(draw: st.DrawFn) -> Query:
    names = [Var(n) for n in draw(st.permutations(["x", "y", "o1", "n2", "m1", "_1", "or"]))][:4]
    body = draw(bodies(names))
    inside = sorted(bound(body))
    select = draw(st.sampled_from(inside))
    others = [v for v in inside if v != select]
    match draw(st.integers(0, 8)):
        case 6 if others:
            form = draw(st.sampled_from(["average", "sum"]))
            return Query(select, body, form=form, value=draw(st.sampled_from(others)))
        case 7 if others:
            limit = draw(st.none() | st.integers(1, 9))
            value = draw(st.sampled_from(others))
            tally = Query(select, body, form="tally", limit=limit, value=value)
            number = draw(st.none() | st.sampled_from([v for v in others if v != value] or [None]))
            measure = draw(st.sampled_from(["average", "sum", "highest", "lowest"]))
            rising = draw(st.booleans())
            return replace(tally, number=number, measure=measure, rising=rising) if number else tally
        case 8 if select in bound_by_all(body):
            maybe = (Triple(select, draw(predicates), Var("maybe")),)
            return Query(select, (*body, Maybe(maybe)), form="table", value=Var("maybe"))
        case 0:
            return Query(select, body, form="count", distinct=draw(st.booleans()))
        case 1:
            return Query(next(variables(body)), body, form="ask")
        case 2:
            return Query(select, body, draw(orders(inside)), distinct=draw(st.booleans()))
        case 3:
            return Query(select, body, distinct=draw(st.booleans()), limit=draw(st.integers(1, 9)))
        case _:
            return Query(select, body, distinct=draw(st.booleans()))


# --- steps ------------------------------------------------------------------

hops = st.builds(Hop, predicates, st.booleans())
paths: st.SearchStrategy[Path] = st.lists(hops, min_size=1, max_size=2).map(tuple)
refs = st.integers(1, 3).map(Ref)
anchors: st.SearchStrategy[Anchor] = st.one_of(any_constant, refs, st.just(Anything()))
than: st.SearchStrategy[Test] = st.one_of(
    *(
        st.builds(Than, st.sampled_from(OPERATORS), st.one_of(operands(kind), refs), st.just(kind))
        for kind in (Kind.NUMBER, Kind.DATE, Kind.STRING, Kind.TERM)
    ),
    st.builds(Than, st.sampled_from(OPERATORS), refs, st.just(Kind.VALUE)),
)
open_than: st.SearchStrategy[Test] = st.one_of(
    *(
        st.builds(OpenThan, st.sampled_from(OPERATORS), operands(kind), st.just(kind))
        for kind in (Kind.NUMBER, Kind.DATE, Kind.STRING, Kind.TERM)
    )
)
tests: st.SearchStrategy[Test] = st.one_of(
    st.builds(Is, st.one_of(any_constant, refs)),
    st.builds(IsNot, st.one_of(any_constant, refs)),
    than,
    open_than,
    st.just(Exists()),
    st.builds(Lacks, st.none() | any_constant),
    st.builds(Among, st.lists(any_constant, min_size=1, max_size=3).map(tuple)),
    st.builds(HasText, parts, texts),
    st.builds(Many, st.sampled_from(OPERATORS), st.integers(0, 20)),
)
sites: st.SearchStrategy[Site] = st.sampled_from(["mediator", "answer"])


@st.composite
def restrictions(draw: st.DrawFn) -> Restriction:
    path = draw(st.one_of(st.just(()), paths))
    said = tuple(draw(st.lists(tests, min_size=1, max_size=2)))
    if path and draw(st.integers(0, 5)) == 0:
        many = draw(st.builds(Many, st.sampled_from(OPERATORS), st.integers(0, 20)))
        return Restriction("answer", path, (many, *draw(st.lists(st.builds(Is, refs), max_size=1))))
    return Restriction("answer" if not path else draw(sites), path, said)


many_restrictions = st.lists(restrictions(), max_size=3).map(tuple)
picks = st.builds(
    lambda source, site, path, down, kind, limit, offset, said: Pick(
        source, site if path else "answer", path, down, kind, limit, offset, tuple(said)
    ),
    refs,
    sites,
    st.one_of(st.just(()), paths),
    st.booleans(),
    st.sampled_from(Kind),
    st.none() | st.integers(1, 20),
    st.integers(0, 5),
    st.lists(tests, max_size=2),
)


@st.composite
def keeps(draw: st.DrawFn) -> Keep:
    anchor = draw(st.none() | anchors)
    path = draw(st.just(()) | paths) if anchor is not None else ()
    return Keep(draw(refs), anchor, path, draw(many_restrictions))


steps: st.SearchStrategy[Step] = st.one_of(
    st.builds(Find, anchors, paths, many_restrictions),
    keeps(),
    picks,
    st.builds(Merge, st.lists(refs, min_size=1, max_size=3).map(tuple)),
    st.builds(Oftenest, refs),
    st.builds(Count, refs),
    st.builds(Check, refs),
    st.builds(Amount, refs, paths, st.sampled_from(["average", "sum"])),
    st.builds(Tally, refs, paths, st.none() | st.integers(1, 20)),
    st.builds(
        Tally,
        refs,
        paths,
        st.none() | st.integers(1, 20),
        st.sampled_from(["average", "sum", "highest", "lowest"]),
        paths,
        st.booleans(),
    ),
    st.builds(Tally, refs, st.just(()), st.none(), st.just("values"), paths),
)


@st.composite
def decompositions(draw: st.DrawFn) -> Decomposition:
    """Steps that rest on earlier ones; not every such list recomposes."""
    out: list[Step] = [Find(draw(iris), draw(paths))]
    for _ in range(draw(st.integers(0, 4))):
        out.append(draw(steps.map(lambda s, n=len(out): _earlier(s, n))))
    guards = Guards(*(draw(st.booleans()) for _ in range(4)))
    return Decomposition(tuple(out), guards)


def _earlier(value: Any, last: int) -> Any:
    """References brought back to steps 1 to `last`."""
    match value:
        case Ref(step):
            return Ref((step - 1) % last + 1)
        case tuple():
            return tuple(_earlier(v, last) for v in value)
        case (
            Find() | Keep() | Pick() | Merge() | Oftenest() | Count() | Check() | Amount() | Tally()
            | Restriction()
        ):  # fmt: skip
            fields = {name: _earlier(getattr(value, name), last) for name in value.__slots__}
            return type(value)(**fields)
        case Is() | IsNot() | Than():
            fields = {name: _earlier(getattr(value, name), last) for name in value.__slots__}
            return type(value)(**fields)
    return value


labels = st.dictionaries(iris, texts, max_size=6)


# --- graphs -----------------------------------------------------------------

_NODES = [freebase(f"m.0{c}") for c in "abc"]
_LINKS = [freebase(f"a.b.{c}") for c in "pq"]
_VALUES = [
    Literal("5"),
    Literal("5", XSD + "integer"),
    Literal("05"),
    Literal("6.5"),
    Literal("1e2"),
    Literal("12", "", "en"),
    Literal("1967"),
    Literal("1967", XSD + "gYear"),
    Literal("1967-08", XSD + "gYearMonth"),
    Literal("1967-08-10", XSD + "date"),
    Literal("1967-08-10T00:00:00", XSD + "dateTime"),
    Literal("1967-08-10", XSD + "dateTime"),
    Literal("2015-08-10-08:00", XSD + "date"),
    Literal("-0044-03-15", XSD + "date"),
    Literal("-0043", XSD + "gYear"),
    Literal("Ann"),
    Literal("Ann", "", "en"),
    Literal("Ann", "", "de"),
    Literal("ann"),
    Literal("Annabella Smith"),
    Literal("Annabella Smyth"),
    Literal("true", XSD + "boolean"),
    Literal(""),
    Literal("x\"y\\z\n'"),
]
ground: st.SearchStrategy[list[Triple]] = st.lists(
    st.builds(
        Triple,
        st.sampled_from(_NODES),
        st.sampled_from(_LINKS),
        st.one_of(st.sampled_from(_NODES), st.sampled_from(_VALUES)),
    ),
    min_size=12,
    max_size=30,
)
"""Triples of a small graph: entities, and values in all the spellings that stores hold."""
_OPERAND = st.sampled_from([v for v in _VALUES if not v.language])


def _operand_of(value: Literal, kind: Kind) -> Literal | None:
    from kbqa.errors import QueryError

    try:
        return operand(value, kind)
    except QueryError:
        return None


@st.composite
def graph_queries(draw: st.DrawFn, beside: bool = False) -> Query:
    """Queries that have a fair chance of answers on such a graph; `beside`: with something beside each."""
    names = [Var(n) for n in "xyzv"]
    link = st.sampled_from(_LINKS)
    body: list[Element] = []
    for i in range(draw(st.integers(1, 4))):
        s = draw(st.sampled_from(names[: i + 1]))
        o = draw(st.one_of(st.sampled_from(names), st.sampled_from(names), st.sampled_from(_NODES), _OPERAND))
        count = iter(range(100))
        body += pattern(s, draw(link), o, lambda i=i, count=count: Var(f"f{i}{next(count)}"))
    over = sorted(bound(body))
    for _ in range(draw(st.integers(0, 2))):
        v, w = draw(st.sampled_from(over)), draw(st.sampled_from(over))
        op, kind = draw(st.sampled_from(OPERATORS)), draw(kinds)
        value = _operand_of(draw(_OPERAND), kind)
        match draw(st.integers(0, 8)):
            case 7:
                body.append(Absent(v, draw(link), draw(st.none() | st.sampled_from(_NODES)), inverse=True))
            case 8:
                body.append(Spelt(v, draw(parts), draw(st.sampled_from(["ann", "1967", "smith", ""]))))
            case 0 | 1 if value is not None:
                body.append(Compare(v, op, value, kind))
            case 2 if v != w:
                body.append(Differ(v, w) if op == "!=" else Compare(v, op, w, Kind.VALUE))
            case 3 if v != w:
                body.append(Compare(v, op, w, kind))
            case 4 if value is not None:
                body.append(OpenBound(v, draw(link), op, value, kind))
            case 5:
                body.append(Absent(v, draw(link), draw(st.none() | st.sampled_from(_NODES))))
            case _:
                body.append(InEnglish(v))
    select = draw(st.sampled_from(over))
    others = [v for v in over if v != select]
    match draw(st.integers(0 if others else 1, 1 if beside else 5)):
        case 0:
            form = draw(st.sampled_from(["tally"] if beside else ["average", "sum", "tally"]))
            return Query(select, tuple(body), form=form, value=draw(st.sampled_from(others)))
        case 1:
            maybe = (Triple(select, draw(link), Var("maybe")),)
            return Query(select, (*body, Maybe(maybe)), form="table", value=Var("maybe"))
        case 2:
            counted = Triple(draw(st.sampled_from(names)), draw(link), draw(st.sampled_from(names)))
            if counted.subject != counted.object and select in (counted.subject, counted.object):
                other = counted.object if counted.subject == select else counted.subject
                how = draw(st.sampled_from(OPERATORS)), draw(st.integers(0, 3))
                own = Counted(select, *how, other, (counted,))
                body.append(rename(own, lambda v: v if v == select else Var("counted")))
            return Query(select, tuple(body))
        case _:
            return Query(select, tuple(body), draw(st.none() | orders(over)))


__all__ = [
    "FREEBASE",
    "decompositions",
    "graph_queries",
    "ground",
    "labels",
    "queries",
    "steps",
    "texts",
]
