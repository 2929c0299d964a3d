"""What a training question is offered beside its entities: what the linker and common nouns name."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from kbqa.kb import KnowledgeBase, open_kb
from kbqa.parse.kinds import CommonNouns, beside
from kbqa.parse.source import Entity
from kbqa.protocols import Mention
from kbqa.types import freebase


class Offers:
    """What a question is offered beside the entities it is about, over the stub or another knowledge base."""

    def __init__(self, kb: KnowledgeBase | None = None) -> None:
        kb = kb or open_kb(None)
        self.linker, self.nouns = kb.linker, CommonNouns(kb.store, kb.kinds)
        self._own = kb.own

    def to(self, question: str, entities: list[Entity], order: random.Random, linked: float) -> list[Entity]:
        if order.random() < 0.7:
            entities = [Entity(e.iri, e.name) if e.iri in self.nouns.kinds else e for e in entities]
        if order.random() < linked:
            return self.as_in_use(question, entities)
        if order.random() < 0.3:
            return entities + beside(question, entities, self.nouns)
        if order.random() < 0.1:
            return entities + distraction(question, entities, order)
        return entities

    def as_in_use(self, text: str, entities: list[Entity]) -> list[Entity]:
        """What the linker finds, all that common nouns name, and what was not found."""
        if self._own:  # whose classes come among all that the nouns name, as `Grounding` has them
            entities = [e for e in entities if e.iri not in self.nouns.kinds]
        found = linked_to(self.linker.link(text), entities)
        return found + beside(text, found, self.nouns)


def linked_to(mentions: Sequence[Mention], entities: Sequence[Entity]) -> list[Entity]:
    """The mentions that the linker finds, each as the entity that was meant where it is among the
    candidates; and what it has not found."""
    wanted = {e.iri: e for e in entities}
    out = []
    for m in mentions:
        if m.candidates:
            best = m.candidates[0]
            meant = next((c.entity for c in m.candidates if c.entity in wanted), best.entity)
            wanted.pop(meant, None)
            out.append(Entity(meant, best.label, m.start, m.end))
    taken = [(e.start, e.end) for e in out]
    for e in wanted.values():
        free = e.start >= 0 and not any(e.start < end and start < e.end for start, end in taken)
        out.append(e if free else Entity(e.iri, e.name))
    return out


def distraction(question: str, entities: list[Entity], order: random.Random) -> list[Entity]:
    """A word of the question that a linker may take for a name."""
    words = [m for m in re.finditer(r"[A-Za-z]{4,}", question)]
    free = [m for m in words if not any(m.start() < e.end and e.start < m.end() for e in entities)]
    if not free:
        return []
    word = order.choice(free)
    return [Entity(freebase("local.distraction"), word[0].capitalize(), word.start(), word.end())]
