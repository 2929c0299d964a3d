"""Dates that a question asks for where its reading stops at the things that have them.

'When did the Bears win the Super Bowl?' may be read as far as the one that they won, Super Bowl XX. What is
left to ask is one step: when that was. A name that holds a year says it, as in the questions of CWQ: '2014
World Series'.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from kbqa.answers import collect
from kbqa.decompose import recompose
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, QueryError, StoreTimeout
from kbqa.kb import KnowledgeBase
from kbqa.parse.kinds import CommonNouns
from kbqa.reading.choosing import Chosen
from kbqa.reading.ranking import DATES, focus
from kbqa.sparql.portable import values
from kbqa.types import Find, Hop, Iri, Ref

_LIMIT_S = 2.0
_LOOKED_AT = 100
_ENDS = re.compile(r"\b(?:win|wins|won|winning|end|ends|ended|finish|finishe[sd]|over|lose|loses|lost)\b")
"""What is won or lost is so at its end."""
_YEAR = re.compile(r"\b[12]\d{3}\b")
_FIRST, _LAST = "start_date", "end_date"
"""Of these two dates of one thing what is asked tells which is meant."""


class Dating:
    """Dates the answers of readings over one knowledge base. `run` gives a reading with its answers."""

    def __init__(self, kb: KnowledgeBase, nouns: CommonNouns, run: Callable[[Parse], Chosen | None]) -> None:
        self._kb, self._nouns, self._run = kb, nouns, run

    def dated(self, chosen: Chosen, text: str) -> Chosen:
        """The reading and when its answers were, where a date is asked for and they are things that have one
        date each and don't bear it in their names; else as it was."""
        if self._kb.own or not chosen.told or chosen.rows is None:
            return chosen
        wanted = focus(text, self._nouns.kinds)
        things = collect(chosen.rows)
        if wanted is None or wanted.sort != "date" or not 0 < len(things) <= _LOOKED_AT:
            return chosen
        found = [t for t in things if isinstance(t, Iri)]
        if all(map(_YEAR.search, self._kb.names.fetch(found).values())):
            return chosen
        date = self._date_of(found, len(things), text.lower())
        if date is None:
            return chosen
        whole = chosen.parse.decomposition
        whole = replace(whole, steps=(*whole.steps, Find(Ref(len(whole.steps)), (Hop(date),))))
        try:
            dated = self._run(Parse(recompose(whole), whole, chosen.parse.logprob))
        except DecompositionError:
            return chosen
        return chosen if dated is None or not dated.told else replace(dated, left_out=chosen.left_out)

    def _date_of(self, things: Sequence[Iri], n: int, text: str) -> Iri | None:
        """The only date that can be asked of each of the things; of two ends the one that is spoken of."""
        if len(things) < n:
            return None
        among = ", ".join(f"<{kind}>" for kind in sorted(DATES))
        query = (
            f"SELECT ?p (COUNT(DISTINCT ?a) AS ?n) WHERE {{ {values('?a', things)} ?a ?p ?d . "
            f"FILTER (DATATYPE(?d) IN ({among})) }} GROUP BY ?p"
        )
        try:
            rows = self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return None
        counted = {p: getattr(count, "lexical", "") for p, count in rows if isinstance(p, Iri)}
        found = [p for p, count in counted.items() if count == str(n)]
        found = [p for p in found if (Hop(p),) in self._kb.lexicon.wordings]
        ends = {p.value.rpartition(".")[2]: p for p in found}
        if ends.keys() == {_FIRST, _LAST}:
            return ends[_LAST if _ENDS.search(text) else _FIRST]
        return found[0] if len(found) == 1 else None
