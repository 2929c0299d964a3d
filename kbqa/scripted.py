"""A parser that answers from a script: the public test double of `kbqa.engine.Parser`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbqa.decompose import decompose
from kbqa.dialogue import Parse
from kbqa.protocols import Mention
from kbqa.sparql import parse
from kbqa.types import Mediators


def parse_of(sparql: str, *, logprob: float = 0.0, mediators: Mediators | None = None) -> Parse:
    """SPARQL text as a `Parse`. Raises `QueryError` or `DecompositionError`.

    `mediators`: default, those of the lexicon that ships with the library.
    """
    if mediators is None:
        from kbqa.lexicon import freebase_lexicon

        mediators = freebase_lexicon().mediators
    query = parse(sparql)
    return Parse(query, decompose(query, mediators), logprob)


class ScriptedParser:
    """Knows the questions of its script, and no other.

    `script`: question -> SPARQL, or its n-best list of (SPARQL, logprob), best first. `asked` lists
    the questions it was given.
    """

    def __init__(
        self,
        script: Mapping[str, str | Sequence[tuple[str, float]]],
        *,
        signature: str = "scripted",
        mediators: Mediators | None = None,
    ) -> None:
        self.signature = signature
        self.asked: list[str] = []
        self._parses = {
            question: tuple(
                parse_of(text, logprob=logprob, mediators=mediators)
                for text, logprob in ([(answer, 0.0)] if isinstance(answer, str) else answer)
            )
            for question, answer in script.items()
        }

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]:
        self.asked.append(question)
        return self._parses.get(question, ())[:n]
