"""A second look at a parser's readings: question, reading in templated English and what it finds, read
together by one network (a cross-encoder, as the ranker of RnG-KBQA, Ye et al. 2022, section 3).

The parser writes a reading word by word; which answers it has it never sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from kbqa.errors import TemplateError
from kbqa.kb import KnowledgeBase
from kbqa.kb.names import fallback
from kbqa.templates import Names, write_all
from kbqa.types import Constant, Decomposition, Iri, Literal

_SHOWN, _SORTS = 3, 3
"""So many answers, and sorts of the first one, are told."""
_NO_SORTS = ("common.", "base.", "local.")
"""Types that say nothing of what a thing is."""


class Reranker(Protocol):
    """How well each reading fits the question, the higher the better: the logits of one distribution over
    them. `texts`: from `as_text`, all of one question."""

    def scores(self, texts: Sequence[str]) -> Sequence[float]: ...


def as_text(
    question: str, templates: Sequence[str], count: int, answers: Sequence[str], sorts: Sequence[str]
) -> str:
    """What the network reads: the question, the steps in templated English, how many answers there are, the
    sorts of the first one (its types, or its datatype), and the first answers."""
    read = " ".join(templates).replace("[", "").replace("]", "")
    return f"{question} [SEP] {read} [SEP] {count} {', '.join(sorts)} : {', '.join(answers)}"


def told_of(
    kb: KnowledgeBase,
    question: str,
    read: Decomposition,
    values: Sequence[Constant],
    names: Mapping[Iri, str],
    types: Sequence[Iri],
) -> str:
    """`as_text` of a reading that was run. `values`: its answers; `names`: of the entities that it uses;
    `types`: of its first answer. Raises `StoreError`."""
    found = kb.names.fetch([v for v in values[:_SHOWN] if isinstance(v, Iri)])
    try:
        templates = write_all(read.steps, kb.lexicon, Names(names))
    except TemplateError:  # a reading that can't be said is not looked at again
        templates = ()
    shown = [found.get(v) or fallback(v) if isinstance(v, Iri) else v.lexical for v in values[:_SHOWN]]
    return as_text(question, templates, len(values), shown, sorts_of(values, types))


def sorts_of(values: Sequence[Constant], types: Sequence[Iri]) -> tuple[str, ...]:
    """The sorts of the first of some values, whose types these are."""
    said = [t.mid for t in types if not t.mid.startswith(_NO_SORTS)][:_SORTS]
    sorts = [mid.rpartition(".")[2].replace("_", " ") for mid in said]
    match values[:1]:
        case [Literal() as first] if first.datatype:
            sorts.append(first.datatype.rpartition("#")[2])
    return tuple(dict.fromkeys(sorts))
