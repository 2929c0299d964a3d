"""The right queries of the questions as kbqa's steps can say them: what a simulated user holds.

They are written with labels, path closures and nested SELECTs. A label that one thing alone bears there
becomes that thing, `a/rdfs:subClassOf*` the class (what `kbqa kb build` adds makes that the same), a highest
value that is looked up the first of an order, numbers and dates are compared as such. What comes out counts
only where it gives the same answers as what was written, and steps can say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kbqa.decompose import decompose
from kbqa.errors import DecompositionError, KbqaError, QueryError
from kbqa.kb import KnowledgeBase
from kbqa.protocols import Store
from kbqa.sparql import parse, render
from kbqa.sparql.tidy import PREFIXES
from kbqa.sparql.walk import bound, triples
from kbqa.types import (
    XSD,
    Body,
    Compare,
    Constant,
    Element,
    Form,
    Iri,
    Kind,
    Literal,
    Maybe,
    Measure,
    MostFrequent,
    Operator,
    Query,
    Triple,
    Union,
    Var,
)

_LABELS = tuple(PREFIXES[prefix] + name for prefix, name in (("rdfs", "label"), ("skos", "prefLabel")))
_LABEL = r"(?P<label>(?:rdfs:label|skos:prefLabel) \"[^\"]*\"(?:@\w+)?)"
_ALONG = re.compile(rf"(?P<path>[^\s{{}}]+)/{_LABEL}")
_CALLED = re.compile(rf"(?P<var>\?\w+) (?P<kind>a \S+ ; )?{_LABEL} ?(?P<end>[;.]?)")
_LISTED = re.compile(
    r"VALUES (?P<name>\?\w+) \{ (?P<names>[^}]*) \} (?P<var>\?\w+) (?P<kind>a \S+ ; )?"
    r"(?P<label>rdfs:label|skos:prefLabel) (?P=name) ?(?P<end>[;.])"
)
_TEXT = re.compile(r"\"[^\"]*\"(?:@\w+)?")
_PROLOGUE = re.compile(r"(?:\s*(?:BASE|PREFIX\s+\w*:)\s*<[^>]*>)*\s*")
_HEAD = re.compile(
    r"(?P<ask>ASK)|SELECT (?:DISTINCT )?(?P<names>\?\w+(?: \?\w+)?)? ?"
    r"(?:\((?P<does>COUNT|AVG|SUM)\((?:DISTINCT )?(?P<of>\?\w+)\) AS \?\w+\))?"
)
_GROUP = re.compile(
    r"GROUP BY (?P<group>\?\w+)(?: \?\w+)?"
    r"(?: (?:HAVING ?\((?P<highest>COUNT|SUM)\((?:DISTINCT )?(?P<of>\?\w+)\) = \?\w+\)"
    r"|ORDER BY DESC\(COUNT\((?:DISTINCT )?(?P<counted>\?\w+)\)\) LIMIT (?P<limit>\d+)))?"
)
_TOP = re.compile(r"\{ ?SELECT \((?P<does>MAX|MIN|COUNT|SUM)\((?:DISTINCT )?\?\w+\) AS (?P<top>\?\w+)\)")
_FORMS: dict[str, Form] = {"AVG": "average", "SUM": "sum"}
_YEAR: tuple[tuple[Operator, str], ...] = ((">=", "-01-01"), ("<=", "-12-31"))
_ENDS = {"<": "-01-01", ">": "-12-31", **dict(_YEAR)}
"""What a year is compared with as a date."""
_SAMPLE = 200


def gold(written: Sequence[str], kb: KnowledgeBase, facts: Store, same: Callable[[str, str], bool]) -> Query:
    """The first of the right queries that steps can say, one that speaks of things before one that speaks of
    labels. `facts`: the graph without what a build adds; `same`: whether a written query has the answers of a
    made one. Raises `KbqaError`, the first reason."""
    found: list[Query] = []
    reasons: list[KbqaError] = []
    for text in written:
        try:
            found.append(_sayable(" ".join(text.split()), kb, facts, same))
        except KbqaError as e:
            reasons.append(e)
    if not found:
        raise reasons[0]
    return min(found, key=lambda q: any(t.predicate.value in _LABELS for t in triples(q.body)))


def _sayable(text: str, kb: KnowledgeBase, facts: Store, same: Callable[[str, str], bool]) -> Query:
    """Raises `KbqaError`."""
    refused: DecompositionError | None = None
    for query in _readings(text, facts):
        try:
            decompose(query, kb.lexicon.mediators)
        except DecompositionError as e:
            refused = refused or e
            continue
        if same(text, render(query)):
            return query
    raise refused or QueryError("as steps it has other answers")


def _readings(text: str, facts: Store) -> Iterator[Query]:
    """Ways to write the query, the likelier the earlier."""
    prologue = _PROLOGUE.match(text)
    assert prologue is not None
    start, rest = prologue[0], text[prologue.end() :].replace("a/rdfs:subClassOf*", "a")
    rest = _named(start, rest, facts)
    opened = rest.index("{")
    closed = _closing(rest, opened)
    head, tail = _HEAD.match(rest), rest[closed + 1 :].strip()
    if head is None:
        raise QueryError("no SELECT or ASK")
    body, best = _without_top(rest[opened + 1 : closed])

    def read(select: str, modifiers: str = "") -> Query:
        return _typed(parse(f"{start}SELECT DISTINCT {select} WHERE {{ {body} }} {modifiers}"), facts)

    names = [Var(n[1:]) for n in (head["names"] or "").split()]
    group = _GROUP.fullmatch(tail)
    if group is not None:
        yield from _grouped(read(group["group"]), head, group)
    elif head["ask"]:
        constant = re.fullmatch(r"\s*(<\S+> \S+) (true|false|-?\d\S*|\"[^\"]*\"\S*)\s*\.?\s*", body)
        asked = f"{constant[1]} ?v FILTER(?v = {constant[2]})" if constant else body
        yield _typed(parse(f"{start}ASK {{ {asked} }}"), facts)
    elif head["does"] == "COUNT":
        yield replace(read(head["of"]), form="count")
    elif head["does"]:
        numbers = read(head["of"])
        yield Query(_whose(numbers.body), numbers.body, form=_FORMS[head["does"]], value=numbers.select)
    elif len(names) == 2:
        yield _table(read(f"?{names[0].name}"), names[1])
    elif names:
        yield read(f"?{names[0].name}", best or tail)
    else:
        raise QueryError("what is asked for can't be told")


def _grouped(query: Query, head: re.Match[str], group: re.Match[str]) -> Iterator[Query]:
    """How many for each, an amount for each, or the one with the most."""
    counted = group["counted"] or (group["highest"] and group["of"])
    if counted:
        limit = int(group["limit"] or 1)
        if limit == 1 and group["highest"] != "SUM":
            yield Query(query.select, (MostFrequent(query.select, query.body),))
        if group["highest"] == "SUM":
            yield replace(_for_each(query, "sum", Var(counted[1:])), limit=limit)
        else:
            yield replace(query, form="tally", value=Var(counted[1:]), limit=limit)
    elif head["does"] == "COUNT":
        yield replace(query, form="tally", value=Var(head["of"][1:]))
    elif head["does"] == "AVG":
        yield _for_each(query, "average", Var(head["of"][1:]))
    else:
        raise QueryError("GROUP BY without a number")


def _for_each(query: Query, measure: Measure, number: Var) -> Query:
    return replace(query, form="tally", measure=measure, value=_whose(query.body), number=number)


def _whose(body: Body) -> Var:
    """What the numbers are of: what is spoken of first."""
    for e in body:
        if isinstance(e, Triple) and isinstance(e.subject, Var):
            return e.subject
    raise QueryError("it can't be told whose numbers they are")


def _table(query: Query, beside: Var) -> Query:
    """Answers with what they have beside them."""
    shown = tuple(e for e in query.body if isinstance(e, Triple) and e.object == beside)
    rest = tuple(e for e in query.body if e not in shown)
    if query.select not in bound(rest):
        raise QueryError("what is shown beside an answer is all that is said of it")
    return Query(query.select, (*rest, Maybe(shown)), form="table", value=beside)


# --- text ---------------------------------------------------------------------------


def _closing(text: str, opened: int) -> int:
    """Where the brace at `opened` is closed."""
    depth = 0
    for at in range(opened, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if not depth:
            return at
    raise QueryError("a brace is not closed")


def _without_top(body: str) -> tuple[str, str]:
    """The body without a nested SELECT of the highest value, and the order that says the same; '' without."""
    top = _TOP.search(body)
    if top is None:
        return body, ""
    body = body[: top.start()] + body[_closing(body, top.start()) + 1 :]
    key = top["top"]
    equal = re.search(rf"FILTER\((\?\w+) = {re.escape(key)}\)", body)
    if equal is not None:
        key, body = equal[1], body.replace(equal[0], "")
    return body, f"ORDER BY {'ASC' if top['does'] == 'MIN' else 'DESC'}({key}) LIMIT 1"


def _named(start: str, text: str, facts: Store) -> str:
    """With things for labels that one thing alone has there."""

    def things(pattern: str) -> list[str]:
        rows = facts.select(f"{start}SELECT DISTINCT ?o WHERE {{ {pattern} }}", row_limit=3).rows
        return [f"<{r[0].value}>" for r in rows if isinstance(r[0], Iri)]

    def along(found: re.Match[str]) -> str:
        only = things(f"?s {found['path']} ?o . ?o {found['label']}")
        return f"{found['path']} {only[0]}" if len(only) == 1 else found[0]

    text = _ALONG.sub(along, text)
    for found in [*_LISTED.finditer(text)]:
        each = [
            things(f"?o {found['kind'] or ''}{found['label']} {n}") for n in _TEXT.findall(found["names"])
        ]
        if all(len(some) == 1 for some in each):
            kind = f"{found['var']} {found['kind']}" if found["kind"] else ""
            rest = (kind or f"{found['var']} ") if found["end"] == ";" else kind.replace(" ;", " .")
            values = " ".join(some[0] for some in each)
            text = text.replace(found[0], f"VALUES {found['var']} {{ {values} }} {rest}")
    for found in [*_CALLED.finditer(text)]:
        if found["var"] in text[: text.index("{")].split():
            continue
        near = re.findall(rf"([?<]\S+) (\S+) {re.escape(found['var'])}(?= ?[.}}])", text)
        held = " ".join(f"{s} {p} ?o ." for s, p in near)
        only = things(f"{held} ?o {found['kind'] or ''}{found['label']}")
        if len(only) == 1:
            text = text.replace(found[0], f"{found['var']} " if found["end"] == ";" else "")
            text = re.sub(rf"{re.escape(found['var'])}\b", only[0].replace("\\", r"\\"), text)
    return text


# --- kinds --------------------------------------------------------------------------


def _typed(query: Query, facts: Store) -> Query:
    """Values compared and ordered as the numbers or dates that they are."""
    body = tuple(found for e in query.body for found in _as_kind(e))
    order = query.order
    if order is not None and order.kind is Kind.VALUE:
        rows = facts.select(render(Query(order.var, body)), row_limit=_SAMPLE).rows
        kinds = {_kind(r[0]) for r in rows}
        order = replace(order, kind=kinds.pop() if len(kinds) == 1 else Kind.VALUE)
    return replace(query, body=body, order=order)


def _as_kind(e: Element) -> Iterator[Element]:
    match e:
        case Union(branches):
            yield Union(tuple(tuple(found for part in b for found in _as_kind(part)) for b in branches))
        case Compare(left, operator, Literal(lexical, datatype) as value, Kind.VALUE):
            kind = _kind(value)
            if kind is Kind.DATE and datatype == XSD + "gYear" and operator in _ENDS:
                value = Literal(lexical + _ENDS[operator], XSD + "date")
            elif kind is Kind.NUMBER:
                value = Literal(lexical, XSD + "decimal")
            yield Compare(left, operator, value, kind)
        case Triple(Var() | Iri(), _, Literal(lexical) as value) if _kind(value) is Kind.NUMBER:
            number = Var("number_" + re.sub(r"\W", "_", lexical))
            yield Triple(e.subject, e.predicate, number)
            yield Compare(number, "=", Literal(lexical, XSD + "decimal"), Kind.NUMBER)
        case Triple(Var() | Iri(), _, Literal(lexical, datatype)) if datatype == XSD + "gYear":
            year = Var(f"year_{lexical}")
            yield Triple(e.subject, e.predicate, year)
            for operator, end in _YEAR:
                yield Compare(year, operator, Literal(lexical + end, XSD + "date"), Kind.DATE)
        case _:
            yield e


def _kind(value: Constant | None) -> Kind:
    datatype = value.datatype.removeprefix(XSD) if isinstance(value, Literal) else ""
    if datatype in ("integer", "decimal", "double", "float", "nonNegativeInteger", "int"):
        return Kind.NUMBER
    return Kind.DATE if datatype in ("date", "gYear", "gYearMonth", "dateTime") else Kind.VALUE
