"""A store for tests that answers from a script, with the real stores' signature and refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kbqa.errors import StoreError, StoreUnavailable
from kbqa.store.guard import check
from kbqa.store.rewrite import check_names
from kbqa.types import Constant, Rows

Reply = Rows | StoreError


@dataclass(frozen=True, slots=True)
class Asked:
    """One call of `select`."""

    query: str
    bindings: Mapping[str, Constant]
    time_limit_s: float
    row_limit: int


@dataclass(slots=True)
class ScriptedStore:
    """`answer`: query text -> rows or the exception to raise, or a function of the call.

    Texts are compared with white space collapsed. `asked` lists the calls. A query the script
    does not know raises `StoreUnavailable` that says so; refused queries raise `QueryError` as
    they would anywhere.
    """

    answer: Mapping[str, Reply] | Callable[[Asked], Reply]
    asked: list[Asked] = field(default_factory=list)
    closed: bool = False

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        if self.closed:
            raise StoreUnavailable("the store is closed: open it again")
        check_names(check(query), bindings or {})
        call = Asked(query, dict(bindings or {}), time_limit_s, row_limit)
        self.asked.append(call)
        reply = self.answer(call) if callable(self.answer) else self._scripted(query)
        if isinstance(reply, StoreError):
            raise reply
        if len(reply.rows) > row_limit:
            return Rows(reply.variables, reply.rows[:row_limit], True)
        return reply

    def close(self) -> None:
        self.closed = True

    def _scripted(self, query: str) -> Reply:
        assert not callable(self.answer)
        wanted = " ".join(query.split())
        for text, reply in self.answer.items():
            if " ".join(text.split()) == wanted:
                return reply
        raise StoreUnavailable(f"the script has no answer to: {wanted}")
