"""Names within one query text: prefixes, fresh variables, triples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rdflib import BNode, URIRef, Variable
from rdflib import Literal as RdfLiteral
from rdflib.plugins.sparql.parserutils import CompValue

from kbqa.errors import QueryError
from kbqa.sparql.tidy import PREFIXES
from kbqa.sparql.walk import rename_body, variables
from kbqa.sparql.write import NUMBER, pad_date
from kbqa.types import XSD, Absent, Body, Compare, Constant, Element, Iri, Kind, Literal, OneOf, Term, Triple, Var

_DATES = {XSD + t for t in ("dateTime", "date", "gYear", "gYearMonth")}
NUMBERS = {
    XSD + t
    for t in ("integer", "int", "long", "decimal", "float", "double", "nonNegativeInteger", "positiveInteger")
}


class Scope:
    """Resolves what the parser leaves open; makes fresh variables that clash with none written."""

    def __init__(self, prefixes: dict[str, str], base: str) -> None:
        self.prefixes, self.base = prefixes, base
        self._count = 0
        self._blank: dict[str, Var] = {}

    @classmethod
    def of(cls, prologue: Any) -> Scope:
        prefixes, base = dict(PREFIXES), ""
        for item in prologue or ():
            if item.name == "PrefixDecl":
                prefixes[str(item.prefix or "")] = str(item.iri)
            elif item.name == "Base":
                base = str(item.iri)
        return cls(prefixes, base)

    def fresh(self) -> Var:
        self._count += 1
        return Var(f"_{self._count}")

    # --- terms

    def term(self, node: Any) -> Term:
        match node:
            case Variable():
                return Var(str(node))
            case BNode():
                return self._blank.setdefault(str(node), self.fresh())
            case URIRef():
                return self._absolute(str(node))
            case RdfLiteral():
                return Literal(str(node), _plain(node.datatype), str(node.language or ""))
            case CompValue(name="pname"):
                return self._expand(node)
            case CompValue(name="literal"):
                datatype = node.datatype
                iri = self.term(datatype) if datatype is not None else None
                return Literal(str(node.string), _plain(iri), str(node.lang or "").lower())
        raise QueryError(f"{getattr(node, 'name', node)} can't stand where a term is expected")

    def _expand(self, node: Any) -> Iri:
        prefix = str(node.prefix or "")
        if prefix not in self.prefixes:
            raise QueryError(f"prefix {prefix + ':'!r} is not declared", place=f"{prefix}:{node.localname}")
        return Iri(self.prefixes[prefix] + str(node.localname))

    def _absolute(self, iri: str) -> Iri:
        if ":" in iri:
            return Iri(iri)
        if not self.base:
            raise QueryError(f"relative IRI <{iri}> without BASE")
        return Iri(self.base + iri)

    # --- triples

    def triples(self, flat: Any) -> Iterator[Element]:
        items = list(flat)
        for i in range(0, len(items), 3):
            yield from self._path(self.term(items[i]), items[i + 1], self.term(items[i + 2]))

    def _path(self, s: Term, path: Any, o: Term) -> Iterator[Element]:
        match path:
            case CompValue(name="PathAlternative" | "PathSequence"):
                parts = list(path.part)
                if path.name == "PathAlternative" and len(parts) > 1:
                    raise QueryError("alternatives in a property path are not supported", place="a|b")
                steps = [s, *(self.fresh() for _ in parts[1:]), o]
                for part, a, b in zip(parts, steps, steps[1:], strict=False):
                    yield from self._path(a, part, b)
            case CompValue(name="PathElt" | "PathEltOrInverse"):
                if path.mod:
                    raise QueryError(f"property path with {path.mod!r} is not supported", place=str(path.mod))
                inverse = path.name == "PathEltOrInverse"
                yield from self._path(o, path.part, s) if inverse else self._path(s, path.part, o)
            case _:
                predicate = self.term(path)
                if not isinstance(predicate, Iri):
                    raise QueryError(f"a variable predicate ({path!s}) is not supported", place=str(path))
                yield from self._triple(s, predicate, o)

    def _triple(self, s: Term, p: Iri, o: Term) -> Iterator[Element]:
        """Literals whose spelling engines don't agree on become comparisons."""
        kind = literal_kind(o) if isinstance(o, Literal) else None
        if kind is None:
            yield Triple(s, p, o)
            return
        value = self.fresh()
        yield Triple(s, p, value)
        assert isinstance(o, Literal)
        yield Compare(value, "=", operand(o, kind), kind)

    # --- other parts

    def values(self, node: Any) -> Iterator[Element]:
        names = node.var if isinstance(node.var, list) else [node.var]
        if len(names) != 1:
            raise QueryError("VALUES with several variables is not supported", place="VALUES")
        rows = [r[0] if isinstance(r, list) else r for r in node.value]
        terms = [self.term(r) for r in rows]
        yield OneOf(Var(str(names[0])), tuple(sorted({t for t in terms if not isinstance(t, Var)}, key=repr)))

    def minus(self, body: Body) -> Iterator[Element]:
        yield absent(body)

    def fold(self, body: Body, kept: set[Var]) -> Body:
        """A nested SELECT's body with its unseen variables renamed apart."""
        names: dict[Var, Var] = {}
        for v in variables(body):
            names.setdefault(v, v if v in kept else self.fresh())
        return rename_body(body, names.__getitem__)


def absent(body: Body) -> Absent:
    """NOT EXISTS over one pattern. Raises `QueryError` for anything richer."""
    match body:
        case (Triple(Var() as s, p, Var() as o),) if o != s:
            return Absent(s, p)
        case (Triple(Var() as s, p, (Iri() | Literal()) as o),):
            return Absent(s, p, o)
    raise QueryError("negation is supported over one pattern from a variable", place="NOT EXISTS")


def literal_kind(value: Constant) -> Kind | None:
    """How a literal in a pattern is compared; None: as the very term."""
    match value:
        case Literal(_, datatype, "") if datatype in _DATES:
            return Kind.DATE
        case Literal(_, datatype, "") if datatype in NUMBERS:
            return Kind.NUMBER
        case Literal(_, "", ""):
            return Kind.STRING
    return None


def operand(value: Literal, kind: Kind) -> Literal:
    """A constant as it is compared: dates padded to a day, numbers checked, strings plain.

    Raises `QueryError` for a number or date that is none.
    """
    match kind:
        case Kind.DATE:
            if not re.fullmatch(r"-?\d{4}(-\d\d(-\d\d)?)?([T ].*|Z|[+-]\d\d:\d\d)?", value.lexical):
                raise QueryError(f"a date such as 1980 or 1980-12-31 expected, found {value.lexical!r}")
            return Literal(pad_date(value.lexical), XSD + "date")
        case Kind.NUMBER:
            if not re.fullmatch(NUMBER, value.lexical):
                raise QueryError(f"a number expected, found {value.lexical!r}")
            return Literal(value.lexical, XSD + "decimal")
        case Kind.STRING:
            return Literal(value.lexical)
    return value


def _plain(datatype: Any) -> str:
    text = datatype.value if isinstance(datatype, Iri) else str(datatype or "")
    return "" if text == XSD + "string" else text
