"""Where a query's groups begin, which variables each names, and where its LIMIT is or would go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal as Choice

from kbqa.store.tokens import Token


@dataclass(frozen=True, slots=True)
class Group:
    """A group graph pattern: the offset after its `{` and the variables it names itself.

    Variables of nested groups are theirs. Left out are variables that mean something else outside:
    those of a subquery that does not project them.
    """

    start: int
    variables: frozenset[str]


@dataclass(frozen=True, slots=True)
class Outline:
    """What the outside can add to a query without parsing it.

    projected: variables in the outermost SELECT, computed ones (`AS ?n`) left out; None = `*`.
    limit: the outermost LIMIT's number as (start, end) offsets; None = there is none.
    limit_place: offset at which ` LIMIT n` may be inserted.
    """

    groups: tuple[Group, ...]
    projected: frozenset[str] | None
    limit: tuple[int, int] | None
    limit_place: int
    ordered: bool


@dataclass(slots=True)
class _Frame:
    """`hidden`: the scope's visible variables, None = all (only subqueries hide any)."""

    kind: Choice["query", "group", "data"]
    start: int = 0
    visible: frozenset[str] | None = None
    variables: set[str] = field(default_factory=set)
    values: bool = False


def outline(tokens: Sequence[Token], end: int) -> Outline:
    """`tokens`: a whole query after its prologue, brackets matched; `end`: the text's length."""
    projected = _projected(tokens, 0, computed=False)
    return Outline(_groups(tokens), projected, _limit(tokens), *_modifiers(tokens, end))


def _projected(tokens: Sequence[Token], at: int, *, computed: bool) -> frozenset[str] | None:
    """The variables of the SELECT at this index, with those computed in it or without."""
    names: set[str] = set()
    depth = 0
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if token.text == "{" or token.word == "WHERE":
            break
        if depth == 0 and token.text == "*":
            return None
        depth += (token.text == "(") - (token.text == ")")
        made = tokens[index - 1].word == "AS"
        if token.kind == "variable" and (depth == 0 or (computed and made)):
            names.add(token.text[1:])
    return frozenset(names)


def _groups(tokens: Sequence[Token]) -> tuple[Group, ...]:
    stack = [_Frame("query")]
    groups = []
    for index, token in enumerate(tokens):
        frame = stack[-1]
        if token.text == "{":
            stack.append(_opened(tokens, index, frame))
        elif token.text == "}":
            stack.pop()
            stack[-1].values = False
            if frame.kind == "group":
                seen = frame.variables if frame.visible is None else frame.variables & frame.visible
                groups.append(Group(frame.start, frozenset(seen)))
        elif token.word == "VALUES":
            frame.values = True
        elif token.kind == "variable":
            frame.variables.add(token.text[1:])
    return tuple(groups)


def _opened(tokens: Sequence[Token], index: int, outer: _Frame) -> _Frame:
    start = tokens[index].start + 1
    if outer.values:
        return _Frame("data", start)
    if index + 1 < len(tokens) and tokens[index + 1].word == "SELECT":
        projected = _projected(tokens, index + 1, computed=True)
        both = projected if outer.visible is None else outer.visible & (projected or outer.visible)
        return _Frame("query", start, both)
    return _Frame("group", start, outer.visible)


def _outermost(tokens: Sequence[Token]) -> list[int]:
    """Indexes of the tokens outside all brackets."""
    depth = 0
    found = []
    for index, token in enumerate(tokens):
        depth -= token.text in ("}", ")")
        if depth == 0:
            found.append(index)
        depth += token.text in ("{", "(")
    return found


def _limit(tokens: Sequence[Token]) -> tuple[int, int] | None:
    for index in _outermost(tokens):
        if tokens[index].word == "LIMIT" and index + 1 < len(tokens):
            number = tokens[index + 1]
            if number.text.isdecimal():
                return number.start, number.start + len(number.text)
    return None


def _modifiers(tokens: Sequence[Token], end: int) -> tuple[int, bool]:
    """Where a LIMIT may be inserted (before a closing VALUES), and whether there is ORDER BY."""
    outermost = [tokens[index] for index in _outermost(tokens)]
    values = [token.start for token in outermost if token.word == "VALUES"]
    return (values[0] if values else end), any(token.word == "ORDER" for token in outermost)
