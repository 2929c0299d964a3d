"""Names within one query text: prefixes, fresh variables, triples."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from pyparsing import ParseResults
from rdflib import BNode, URIRef, Variable
from rdflib import Literal as RdfLiteral
from rdflib.plugins.sparql.parserutils import CompValue

from kbqa.errors import QueryError
from kbqa.sparql.portable import pattern
from kbqa.sparql.tidy import PREFIXES
from kbqa.sparql.walk import rename_body, variables
from kbqa.types import (
    XSD,
    Absent,
    Body,
    Constant,
    Element,
    Iri,
    Literal,
    OneOf,
    Term,
    Triple,
    Var,
)


class Scope:
    """Resolves what the parser leaves open; makes fresh variables that clash with none written."""

    def __init__(self, prefixes: dict[str, str], base: str, taken: Collection[str] = ()) -> None:
        self.prefixes, self.base, self._taken = prefixes, base, taken
        self._count = 0
        self._blank: dict[str, Var] = {}

    @classmethod
    def of(cls, prologue: Any, taken: Collection[str] = ()) -> Scope:
        """`taken`: the variable names that the query's text uses."""
        prefixes, base = dict(PREFIXES), ""
        for item in prologue or ():
            if item.name == "PrefixDecl":
                prefixes[str(item.prefix or "")] = str(item.iri)
            elif item.name == "Base":
                base = str(item.iri)
        return cls(prefixes, base, taken)

    def fresh(self) -> Var:
        self._count += 1
        name = f"_{self._count}"
        return self.fresh() if name in self._taken else Var(name)

    # --- terms

    def term(self, node: Any) -> Term:
        match node:
            case Variable():
                return Var(str(node))
            case BNode():
                if str(node) not in self._blank:
                    self._blank[str(node)] = self.fresh()
                return self._blank[str(node)]
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
            case CompValue(name="PathNegatedPropertySet"):
                raise QueryError("a negated property set is not supported", place="!")
            case _:
                predicate = self.term(path)
                if not isinstance(predicate, Iri):
                    raise QueryError(f"a variable predicate ({path!s}) is not supported", place=str(path))
                yield from pattern(s, predicate, o, self.fresh)

    # --- other parts

    def values(self, node: Any) -> OneOf:
        """VALUES of one variable, as a condition on what a pattern binds it to."""
        names = list(node.var or ())
        if len(names) != 1:
            raise QueryError("VALUES with several variables is not supported", place="VALUES")
        found: set[Constant] = set()
        for row in node.value or ():
            for value in row if isinstance(row, list | ParseResults) else [row]:
                term = self.term(value)
                if isinstance(term, Var):
                    raise QueryError(f"?{term.name} can't stand among VALUES", place="VALUES")
                found.add(term)
        if not found:
            raise QueryError("VALUES without a value", place="VALUES")
        return OneOf(Var(str(names[0])), tuple(sorted(found, key=repr)))

    def fold(self, body: Body, kept: set[Var]) -> Body:
        """A nested SELECT's body with its unseen variables renamed apart."""
        names: dict[Var, Var] = {}
        for v in variables(body):
            names.setdefault(v, v if v in kept else self.fresh())
        return rename_body(body, names.__getitem__)


def absent(body: Body) -> tuple[Absent, frozenset[Var]]:
    """NOT EXISTS over one pattern, and the variables that stand for 'any'. Between two variables the first is
    taken for the one that is asked about; `turned` takes the other.

    Raises `QueryError` for anything richer.
    """
    match body:
        case (Triple(Var() as s, p, Var() as o),) if o != s:
            return Absent(s, p), frozenset({o})
        case (Triple(Iri() as s, p, Var() as o),):
            return Absent(o, p, s, inverse=True), frozenset()
        case (Triple(Var() as s, p, (Iri() | Literal()) as o),):
            return Absent(s, p, o), frozenset()
    raise QueryError("negation is supported over one pattern from a variable", place="NOT EXISTS")


def turned(found: Absent, any_one: Var) -> tuple[Absent, Var]:
    """NOT EXISTS between two variables as it is said of the other one."""
    return Absent(any_one, found.predicate, inverse=not found.inverse), found.subject


def _plain(datatype: Any) -> str:
    text = datatype.value if isinstance(datatype, Iri) else str(datatype or "")
    return "" if text == XSD + "string" else text
