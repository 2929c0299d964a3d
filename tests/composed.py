"""What the rules read out of a question to an own graph."""

from __future__ import annotations

from kbqa.compose import ComposingParser
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.scripted import ScriptedParser
from kbqa.templates import Names, write_all
from kbqa.types import Iri


def read(kb: KnowledgeBase, question: str) -> tuple[str, ...]:
    """The templates of the best reading by rule; none where there is no reading."""
    found = ComposingParser(kb, ScriptedParser({})).composed(question, tuple(kb.linker.link(question)))
    if not found:
        return ()
    steps = found[0].decomposition.steps
    named = kb.names.fetch([c for s in steps for c in constants_of(s) if isinstance(c, Iri)])
    return write_all(steps, kb.lexicon, Names(named))
