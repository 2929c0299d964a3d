"""Wordings for a templated sentence alone: the names in its brackets need no knowledge base."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kbqa.decompose.recompose import references
from kbqa.errors import TemplateError
from kbqa.lexicon import Lexicon
from kbqa.phrase.rule import Phraser, Phrasing, RulePhraser, StepInContext
from kbqa.templates import Names, read
from kbqa.types import Find, Iri, freebase

_LOCAL = "local.named."
_REFERENCE = re.compile(r"\[(?:that (?P<noun>[^\[\]]*)|the (?P<other>[^\[\]]*) of step (?P<step>\d+))\]")
_STEP = re.compile(r"\bstep (\d+)")
_ID = re.compile(r" \(([mg]\.\w+|<[^<>]*>|local\.[\w.]+)\)\Z")


@dataclass(frozen=True)
class _Bracketed(Names):
    """Names as they come: one that is not known becomes an entity of its own."""

    def find(self, text: str) -> Iri:
        return super().find(text) or freebase(_LOCAL + text.encode("utf-8", "surrogatepass").hex())


def phrase_template(
    template: str,
    lexicon: Lexicon,
    names: Mapping[Iri, str] | None = None,
    *,
    question: str | None = None,
    history: Sequence[str] = (),
    phraser: Phraser | None = None,
    n: int = 10,
) -> tuple[Phrasing, ...]:
    """Up to `n` natural wordings of one templated sentence, best first.

    Names in brackets that `names` doesn't hold are taken as they stand. Raises `TemplateError` where
    the sentence can't be read.
    """
    number = max([len(history) + 1, 2, *(int(k) + 2 for k in _STEP.findall(template))])
    step = read(template, number, lexicon, _Bracketed(dict(names or {})))
    if isinstance(step, Find) and not step.path:
        raise TemplateError(f"{template!r} asks for nothing: a property of what stands in brackets expected")
    known = dict(names or {})
    nouns: dict[int, str] = {}
    for m in _REFERENCE.finditer(template):
        nouns[int(m["step"]) if m["step"] else number - 1] = m["noun"] or m["other"]
    for ref in references(step):  # 'of these' has no noun
        nouns.setdefault(ref.step, "thing")

    def label(iri: Iri) -> str:
        if iri in known:
            return known[iri]
        if iri.mid.startswith(_LOCAL):
            text = bytes.fromhex(iri.mid.removeprefix(_LOCAL)).decode("utf-8", "surrogatepass")
            return _ID.sub("", text)
        return _written(template, iri)

    context = StepInContext((step,), number, label, question, tuple(history), template, nouns or {0: "thing"})
    return tuple((phraser or RulePhraser(lexicon)).phrase(context, n=n))


def _written(template: str, iri: Iri) -> str:
    """The name that stands before an id in the template ('Georgia (m.0d0kn)'), else the id."""
    found = re.search(r"\[((?:[^\[\]\\]|\\.)*) \(<?" + re.escape(iri.mid) + r">?\)\]", template)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else iri.mid
