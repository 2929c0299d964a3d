"""SPARQL that anybody says, as a version with steps and answers that a user can look at."""

from __future__ import annotations

from kbqa.answers import collect, label_all
from kbqa.decompose import decompose, recompose_step
from kbqa.dialogue import Parse, SubQuestion, Version
from kbqa.engine import Outcome
from kbqa.errors import DecompositionError, QueryError, StoreTimeout, TemplateError
from kbqa.feedback import Feedback
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import fallback
from kbqa.sparql import parse, render
from kbqa.templates import Names, write_all
from kbqa.types import Constant, Decomposition, Iri

_STEP_S = 5.0
"""Seconds that a step may take."""


def version_of(
    sparql: str, kb: KnowledgeBase, feedback: Feedback | None = None, parent: int | None = None
) -> Version:
    """Raises `QueryError` for what is no query. One that has no steps is shown whole, as one."""
    query = parse(sparql)
    try:
        decomposition = decompose(query, kb.lexicon.mediators)
        queries = [render(recompose_step(decomposition, n)) for n in range(1, len(decomposition.steps) + 1)]
        templates = _templates(decomposition, kb)
    except (DecompositionError, TemplateError):
        decomposition, queries, templates = Decomposition(()), [render(query)], [sparql]
    shown = zip(templates, queries, strict=True)
    steps = tuple(_step(n, template, text, kb) for n, (template, text) in enumerate(shown, 1))
    return Version(Parse(query, decomposition, 0.0), render(query), steps, feedback, parent)


def _templates(decomposition: Decomposition, kb: KnowledgeBase) -> list[str]:
    held = [c for s in decomposition.steps for c in constants_of(s) if isinstance(c, Iri)]
    names = kb.names.fetch(held)
    return list(
        write_all(decomposition.steps, kb.lexicon, Names({i: names.get(i) or fallback(i) for i in held}))
    )


def _step(number: int, template: str, sparql: str, kb: KnowledgeBase) -> SubQuestion:
    values: tuple[Constant, ...] = ()
    late = False
    try:
        values = collect(kb.store.select(sparql, time_limit_s=_STEP_S))
    except StoreTimeout:
        late = True
    except QueryError:
        pass
    names = kb.names.fetch([v for v in values if isinstance(v, Iri)])
    answers = label_all(values, {iri: name for iri, name in names.items() if name})
    outcome: Outcome = "timed_out" if late else "answered" if answers else "empty"
    return SubQuestion(
        number,
        template,
        template,
        template,
        sparql,
        answers,
        len(answers),
        outcome,
        1.0,
    )
