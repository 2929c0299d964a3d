"""The central values: logical forms, Steps, lexicon paths and what the store returns.

All are frozen and hashable. Laws (tested in tests/test_laws.py):

    sparql.parse(sparql.render(q)) == q
    answers(recompose(decompose(q))) == answers(q)     on every store
    templates.read(templates.write(step)) == step
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Literal as Choice
from typing import TypeAlias

XSD = "http://www.w3.org/2001/XMLSchema#"
FREEBASE = "http://rdf.freebase.com/ns/"


# --- terms -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Var:
    """A query variable; `name` without the question mark."""

    name: str


@dataclass(frozen=True, slots=True, order=True)
class Iri:
    """An IRI, always absolute. `mid` is the short form the field uses (`m.02mjmr`)."""

    value: str

    @property
    def mid(self) -> str:
        """`m.02mjmr` for a Freebase IRI, else the whole IRI."""
        return self.value.removeprefix(FREEBASE)


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """A literal: lexical form, datatype IRI ('' = plain) and language tag ('' = none)."""

    lexical: str
    datatype: str = ""
    language: str = ""


NOW = Literal("2015-08-10", XSD + "date")
"""The day that 'currently' means in WebQuestionsSP's queries, and so to the parser."""

Constant: TypeAlias = Iri | Literal
Term: TypeAlias = Var | Iri | Literal
"""What a store returns for an unbound variable is None; blank nodes are Iri('_:...')."""


def freebase(name: str) -> Iri:
    """`freebase('m.02mjmr')` -> the IRI in Freebase's namespace."""
    return Iri(FREEBASE + name)


# --- logical form ----------------------------------------------------------

Operator = Choice["=", "!=", "<", "<=", ">", ">="]


class Kind(Enum):
    """How two values are compared or ordered."""

    TERM = "term"  # same RDF term
    NUMBER = "number"  # by numeric value; what is no number never matches
    DATE = "date"  # by calendar date, padded: 1967 = 1967-01-01
    STRING = "string"  # by the string of the value
    VALUE = "value"  # uncast in the source: numbers as numbers, dates as dates, the rest as strings


@dataclass(frozen=True, slots=True, order=True)
class Triple:
    """One triple pattern."""

    subject: Term
    predicate: Iri
    object: Term


@dataclass(frozen=True, slots=True)
class Compare:
    """FILTER (left op right), compared as `kind`."""

    left: Var
    operator: Operator
    right: Term
    kind: Kind


@dataclass(frozen=True, slots=True)
class Differ:
    """FILTER (left != right), both as terms."""

    left: Var
    right: Term


@dataclass(frozen=True, slots=True)
class InEnglish:
    """FILTER (!isLiteral(?v) || lang(?v) = '' || langMatches(lang(?v), 'en')).

    `strict`: FILTER (langMatches(lang(?v), 'en')), so only literals tagged English.
    """

    var: Var
    strict: bool = False


@dataclass(frozen=True, slots=True)
class OpenBound:
    """Freebase's double NOT EXISTS idiom: `subject` has no `predicate`, or one with op bound.

    An open end of a term ('from'/'to' missing) counts as fulfilled. Compared as `kind`.
    """

    subject: Var
    predicate: Iri
    operator: Operator
    bound: Literal
    kind: Kind


@dataclass(frozen=True, slots=True)
class Absent:
    """FILTER NOT EXISTS { subject predicate object }; `object` None = any. `inverse`: what is there leads
    to `subject` (NOT EXISTS { object predicate subject })."""

    subject: Var
    predicate: Iri
    object: Constant | None = None
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """FILTER (?v = a || ?v = b ...); `values` sorted."""

    var: Var
    values: tuple[Constant, ...]


Part = Choice["contains", "starts", "ends"]


@dataclass(frozen=True, slots=True)
class Spelt:
    """FILTER CONTAINS(LCASE(STR(?v)), text), or STRSTARTS, STRENDS; `text` in lower case."""

    var: Var
    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class MostFrequent:
    """`var` is bound most often by `body` (the 'won the most FA Cups' idiom); ties kept."""

    var: Var
    body: Body


@dataclass(frozen=True, slots=True)
class Counted:
    """`body` binds `var` together with so many different `value`s; with none where it doesn't bind it. Stands
    last in its group (an engine may want to know first what is counted for), and but for `var` under names
    that are used nowhere else in it."""

    var: Var
    operator: Operator
    number: int
    value: Var
    body: Body


@dataclass(frozen=True, slots=True)
class Maybe:
    """OPTIONAL { body }: what is shown beside the answers of a 'table'."""

    body: Body


@dataclass(frozen=True, slots=True)
class Union:
    """{ branch } UNION { branch } ..."""

    branches: tuple[Body, ...]


Filter = Compare | Differ | InEnglish | OpenBound | Absent | OneOf | Spelt
Element: TypeAlias = "Triple | Filter | Counted | Maybe | Union | MostFrequent | Query"
Body: TypeAlias = tuple[Element, ...]
"""A group graph pattern; a Query in it is a nested SELECT, of which only `select` is seen outside.
The order of elements is kept (it is the order a person would read) and means nothing."""


@dataclass(frozen=True, slots=True)
class Order:
    """ORDER BY ?var (cast as `kind`), LIMIT `limit`, OFFSET `offset`."""

    var: Var
    descending: bool
    kind: Kind
    limit: int | None = 1
    offset: int = 0


Form = Choice["select", "count", "ask", "average", "sum", "tally", "table"]
Measure = Choice["count", "average", "sum", "highest", "lowest"]
"""What stands beside each answer of a tally."""


@dataclass(frozen=True, slots=True)
class Query:
    """A logical form: the answers are the distinct bindings of `select`.

    `form`: 'select' lists them, 'count' is their number, 'ask' whether there is one; 'average' and 'sum'
    are of the numbers that `value`, another variable, is bound to, each once for every binding of
    `select`; 'tally' lists them with a number beside each, highest (`rising`: lowest) first: how many
    different bindings `value` has, or the `measure` of the numbers that `number` is bound to, each once for
    every binding of `value`; 'table' lists them with all bindings of `value` beside each.
    `limit` is a LIMIT without ORDER BY, or of a tally; with an ORDER BY it is `order.limit`.
    """

    select: Var
    body: Body
    order: Order | None = None
    form: Form = "select"
    distinct: bool = True
    limit: int | None = None
    value: Var | None = None
    measure: Measure = "count"
    number: Var | None = None
    rising: bool = False


# --- steps -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Hop:
    """One predicate, walked from subject to object, or (`inverse`) from object to subject."""

    predicate: Iri
    inverse: bool = False

    @property
    def reversed(self) -> Hop:
        return Hop(self.predicate, not self.inverse)


Path = tuple[Hop, ...]
"""One hop, or two through a mediator (CVT, reified node)."""


def reverse(path: Path) -> Path:
    """The same path walked from its other end."""
    return tuple(hop.reversed for hop in reversed(path))


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """The answers of an earlier step, counted from 1."""

    step: int


@dataclass(frozen=True, slots=True)
class Anything:
    """No particular starting point."""


Anchor = Iri | Literal | Ref | Anything
Site = Choice["mediator", "answer"]


@dataclass(frozen=True, slots=True)
class Is:
    """The value is this very term, or an answer of that step."""

    value: Iri | Literal | Ref


@dataclass(frozen=True, slots=True)
class IsNot:
    """The value is not this term, nor an answer of that step."""

    value: Iri | Literal | Ref


@dataclass(frozen=True, slots=True)
class Than:
    """The value stands in relation `operator` to `value`."""

    operator: Operator
    value: Literal | Ref
    kind: Kind


@dataclass(frozen=True, slots=True)
class OpenThan:
    """As `Than`, or there is no such value (an open term)."""

    operator: Operator
    value: Literal
    kind: Kind


@dataclass(frozen=True, slots=True)
class Exists:
    """There is a value."""


@dataclass(frozen=True, slots=True)
class Lacks:
    """There is no value, or (`value`) not this one among them."""

    value: Constant | None = None


@dataclass(frozen=True, slots=True)
class Among:
    """The value is one of these."""

    values: tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class HasText:
    """The value's text contains, starts or ends with this one, small and capital letters being alike."""

    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class Many:
    """There are so many values, of which the restriction's other tests hold: 'more than 10'."""

    operator: Operator
    number: int


Test = Is | IsNot | Than | OpenThan | Exists | Lacks | Among | HasText | Many


@dataclass(frozen=True, slots=True)
class Restriction:
    """A condition on a value reached by `path` (none to two hops) from the step's answer, or from
    the mediator of the step's own path. Without a path it is on the answer itself ('other than
    ...', 'after 1990'). Several tests hold of one and the same value (`Many`, which comes first, of so many).
    """

    site: Site
    path: Path
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Find:
    """What is reached from `anchor` along `path`: 'What is the capital of [Egypt]?'"""

    anchor: Anchor
    path: Path
    restrictions: tuple[Restriction, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """Of the answers of `source`, those reached from `anchor` along `path` ('Of these, which is the
    film directed by [Ethan Coen]?') that fulfil the restrictions. Without a path the anchor, if
    any, is an earlier step whose answers they must be among."""

    source: Ref
    anchor: Anchor | None = None
    path: Path = ()
    restrictions: tuple[Restriction, ...] = ()


@dataclass(frozen=True, slots=True)
class Pick:
    """Superlative: of the answers of `source`, the first `limit` from `offset` in order of a value
    reached by `path` from the answer, or (`site`) from the mediator through which `source`'s
    answers were first found; an empty path orders by the answer itself."""

    source: Ref
    site: Site
    path: Path
    descending: bool
    kind: Kind
    limit: int | None = 1
    offset: int = 0
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True, slots=True)
class Merge:
    """Either/or: the answers of any of these steps."""

    sources: tuple[Ref, ...]


@dataclass(frozen=True, slots=True)
class Oftenest:
    """Of the answers of `source`, the one found most often (ties kept)."""

    source: Ref


@dataclass(frozen=True, slots=True)
class Count:
    """How many answers `source` has."""

    source: Ref


@dataclass(frozen=True, slots=True)
class Check:
    """Whether `source` has an answer (yes or no)."""

    source: Ref


@dataclass(frozen=True, slots=True)
class Amount:
    """One number of all answers of `source`: the average, or the sum, of what `path` leads to."""

    source: Ref
    path: Path
    function: Choice["average", "sum"]


@dataclass(frozen=True, slots=True)
class Tally:
    """A number for each thing that `path` leads to from the answers of `source`, the highest (`rising`: the
    lowest) first, of the first `limit` only: how many of the answers there are for it, or the `measure` of
    what `value` leads to from them. Without `path` and measure 'values': each answer itself with all that
    `value` leads to, if anything."""

    source: Ref
    path: Path
    limit: int | None = None
    measure: Measure | Choice["values"] = "count"
    value: Path = ()
    rising: bool = False


Step = Find | Keep | Pick | Merge | Oftenest | Count | Check | Amount | Tally


@dataclass(frozen=True, slots=True)
class Guards:
    """What a data set adds to every query and nobody asks about.

    english: literal answers are in English or untagged; distinct: SELECT DISTINCT;
    apart: the answer differs from the anchor it was found from (CWQ: FILTER (?x != ?c)); each: so does
    whatever is reached through a node in between, for one that ties alike things together (a border, a
    marriage) leads back to where one came from.
    """

    english: bool = True
    apart: bool = True
    distinct: bool = True
    each: bool = False


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Steps in the order a person would ask them; the last one's answers are the query's."""

    steps: tuple[Step, ...]
    guards: Guards = Guards()


@dataclass(frozen=True, slots=True)
class Mediators:
    """Which nodes only tie others together: by the type that their predicates name
    (`film.performance` in `film.performance.actor`), by the predicate that leads to them, or by one
    that leads from them (`sources`)."""

    types: frozenset[str] = frozenset()
    predicates: frozenset[Iri] = frozenset()
    sources: frozenset[Iri] = frozenset()

    def has(self, leads_out: Iterable[Iri], leads_in: Iterable[Iri]) -> bool:
        return any(p.mid.rpartition(".")[0] in self.types or p in self.sources for p in leads_out) or any(
            p in self.predicates for p in leads_in
        )


# --- answers ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rows:
    """What a store returned: `variables` name the columns; `cut` = the row limit was reached.

    Zero rows is an answer; a timeout or a malformed query is an exception.
    """

    variables: tuple[str, ...]
    rows: tuple[tuple[Constant | None, ...], ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: the term and how it is shown."""

    value: Constant
    label: str
