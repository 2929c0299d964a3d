"""The parser that ships: link, mark, search, read back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor

from kbqa.correct import Context, Corrected
from kbqa.dialogue import Parse
from kbqa.induce.match import Matcher
from kbqa.kb import KnowledgeBase
from kbqa.lexicon import Lexicon, parse_path, show_path
from kbqa.models.checkpoint import Checkpoint, load_checkpoint
from kbqa.models.quantise import for_running
from kbqa.models.tokens import KEYWORDS, STRINGS, Vocabulary, encode, item_text
from kbqa.parse.beam import search
from kbqa.parse.grounding import Asked, Found, Grounding
from kbqa.protocols import Mention
from kbqa.types import Hop

UNSEEN = -2.0
"""Added to the logit of a predicate that was in no training question: its words alone speak for it."""

_PROGRAMS = 20
"""Programs that are written for fewer readings, as some mean the same and some nothing."""


def item_words(item: str, lexicon: Lexicon) -> str:
    """The words of a predicate and direction, those of a knowledge base's own lexicon first."""
    own = lexicon.spoken.get(parse_path(item)[0].predicate)
    return item_text(item) if own is None else ("reverse " if item.startswith("^") else "") + own


_RARE = frozenset(
    """practise practised dreamt chap chaps grad grads monarchies birthdate birthdates learnt spelt organise
    organised colour colours favour travelled totalled labelled neighbour neighbours neighbouring snog telly
    commanded flick gran granny hubby missus bloke blokes mum mums pal pals""".split()
)
"""English words that the tokenizer puts together of parts."""


class NeuralParser:
    """Reads questions over one knowledge base with one checkpoint. Stateless between questions."""

    concurrent = True

    def __init__(self, checkpoint: Checkpoint, kb: KnowledgeBase, *, width: int = 10) -> None:
        self.checkpoint, self.kb, self.width = checkpoint, kb, width
        self._grounding = Grounding(kb, checkpoint.items, STRINGS)
        self.signature, self.calibration = checkpoint.signature, checkpoint.calibration

    @classmethod
    def load(cls, folder: Path, kb: KnowledgeBase) -> NeuralParser:
        """Raises `ModelError`."""
        return cls(for_running(load_checkpoint(folder)), kb)

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]:
        """Readings of a question; `grounded` as in `Grounding.asked`."""
        asked = self._grounding.asked(question, mentions, grounded=grounded)
        if asked is None:
            return ()
        vocabulary = self._kb_vocabulary if grounded else self._all_vocabulary
        table = self._kb_table if grounded else self._all_table
        most = max(n, min(2 * n, _PROGRAMS)) if grounded else n
        if not self.kb.own:
            return tuple(asked.readings(self._search(asked, vocabulary, table, most), most)[:n])
        hints = self._matcher.hints(question, mentions)
        found = self._search(asked, vocabulary, table, most, hints)
        paths = self._matcher.worded(question, mentions) if grounded else ()
        return asked.preferring(paths, asked.readings(found, most))[:n]

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        """Readings of a sub-question as one step after those of the context, grounded as `parse` is."""
        step = self._grounding.asked_step(text, mentions, context)
        hints = self._matcher.hints(text, mentions) if self.kb.own else None
        found = self._search(step.asked, self._kb_vocabulary, self._kb_table, 2 * n, hints)
        return step.corrections(found)[:n]

    def _search(
        self,
        asked: Asked,
        vocabulary: Vocabulary,
        table: Tensor,
        n: int,
        hints: Mapping[Hop, float] | None = None,
    ) -> list[Found]:
        ids, mask = encode(self.checkpoint.tokenizer, [asked.source.text])
        net, width = self.checkpoint.net, max(self.width, n)
        bias = self._bias(vocabulary)
        for hop, strength in (hints or {}).items():
            where = vocabulary.ids.get(show_path((hop,)))
            if where is not None:
                bias[where] += strength
        found = search(net, table, vocabulary, ids, mask, asked.grammar, bias=bias, width=width)
        return [(program.tokens, program.logprob) for program in found]

    # --- vocabulary

    def is_word(self, word: str) -> bool:
        """Whether a word in lower case, or without an ending, is one of the tokenizer's own: an English word,
        and no slip of one."""
        vocabulary = self.checkpoint.tokenizer
        forms = (word, *(word.removesuffix(end) for end in ("s", "es", "ed", "ing", "ly")))
        return word in _RARE or any(vocabulary.token_to_id(form) is not None for form in forms)

    def warm(self) -> None:
        """Embed the knowledge base's predicates: seconds that the first question would wait for."""
        self._grounding.warm()
        self.vocabulary_for(())

    @cached_property
    def _matcher(self) -> Matcher:
        """What the words of an own graph's lexicon tell, where no predicate was trained with."""
        return Matcher(self.kb.lexicon)

    @cached_property
    def _kb_vocabulary(self) -> Vocabulary:
        return Vocabulary(sorted(self._grounding.kb_items))

    @cached_property
    def _all_vocabulary(self) -> Vocabulary:
        return Vocabulary(sorted(self._grounding.all_items))

    @cached_property
    def _kb_table(self) -> Tensor:
        return self._table(self._kb_vocabulary)

    @cached_property
    def _all_table(self) -> Tensor:
        return self._table(self._all_vocabulary)

    def _bias(self, vocabulary: Vocabulary) -> Tensor:
        """(V,): predicates that the checkpoint was not trained with are less likely."""
        if self.kb.own:  # none of its predicates was seen: they compete with each other only
            return torch.zeros(len(vocabulary.tokens))
        known = {*KEYWORDS, *self.checkpoint.items}
        return torch.tensor([0.0 if t in known else UNSEEN for t in vocabulary.tokens])

    def vocabulary_for(self, tokens: Iterable[str]) -> tuple[Vocabulary, Tensor]:
        """The knowledge base's items and all output embeddings (V, D), with the tokens that are not among
        them, which are read from their words."""
        further = sorted(set(tokens) - self._kb_vocabulary.ids.keys())
        if not further:
            return self._kb_vocabulary, self._kb_table
        vocabulary = Vocabulary((*self._kb_vocabulary.items, *further))
        return vocabulary, torch.cat((self._kb_table, self._items(further)))

    def _table(self, vocabulary: Vocabulary) -> Tensor:
        """Output embeddings (V, D)."""
        net = self.checkpoint.net
        assert len(KEYWORDS) == net.config.keywords
        with torch.inference_mode():
            return net.table(self._items(vocabulary.items))

    @torch.inference_mode()
    def _items(self, items: Sequence[str]) -> Tensor:
        """Embeddings (I, D); those the checkpoint doesn't know are read from their words."""
        c = self.checkpoint
        texts = [item_words(t, self.kb.lexicon) for t in items]
        meant = dict(zip(map(item_text, c.items), c.items, strict=True)) if self.kb.own else {}
        where = {t: i for i, t in enumerate(c.items)}
        pooled = torch.zeros(len(items), c.net.config.width)
        residual = torch.zeros_like(pooled)
        known = [meant.get(text, item) for text, item in zip(texts, items, strict=True)]
        new = [i for i, t in enumerate(known) if t not in where]
        for i, t in enumerate(known):
            if t in where:
                pooled[i], residual[i] = c.pooled[where[t]], c.residual[where[t]]
        for start in range(0, len(new), 256):
            part = new[start : start + 256]
            ids, mask = encode(c.tokenizer, [texts[i] for i in part])
            pooled[part] = c.net.encoder.pooled(ids, mask)
        found: Tensor = c.net.item(pooled) + residual
        return found
