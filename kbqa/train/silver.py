"""Silver sub-questions: templates without a question of their own, worded by an earlier phraser and chosen by
the listener (METHODS.md, section 2, self-training)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from kbqa.correct.context import Context
from kbqa.kb import open_kb
from kbqa.lexicon import freebase_lexicon
from kbqa.parse import load_parser
from kbqa.parse.listen import NeuralListener
from kbqa.parse.marks import write_marked
from kbqa.parse.program import read_program
from kbqa.phrase.blend import listener_preference
from kbqa.phrase.neural import Speaker
from kbqa.phrase.rule import Phrasing
from kbqa.phrase.text import entities_of, phraser_source, spoken, value_name, values_of
from kbqa.train.pairs import Pair, read_correction
from kbqa.train.prepare import corrections

_LEAST = -1.0
"""What the listener takes for less likely (natural logarithm) is not learned from."""


def silver(n: int, seed: int, phraser: str) -> Iterator[Pair]:
    """Pairs of `n` synthetic steps, those that the listener understands."""
    lexicon = freebase_lexicon()
    with open_kb() as kb:
        parser = load_parser(kb)
        listener = NeuralListener(parser)
        speaker = Speaker.load(Path(phraser), parser.checkpoint.net.encoder.words.weight.detach())
        for e in map(asdict, corrections(n, seed)):
            asked = read_correction(e["text"])
            step = read_program(e["program"], asked.pointers).steps[0]
            entities = entities_of(step)
            names = [asked.names[asked.pointers.entities.index(i)] for i in entities]
            template, held = values_of(write_marked(step, len(asked.earlier), lexicon, entities))
            values = [value_name(v) for v in held]
            source = phraser_source(template, names, values, asked.earlier, asked.question)
            offered = [s.text for s in speaker.generate([source], n=10)[0]]
            texts = [(t, s) for t in offered if (s := spoken(t, names, values))]
            if not texts:
                continue
            context = Context(shown=asked.earlier, question=asked.question)
            named = list(zip(entities, names, strict=True))
            heard = listener.listen([s for _, s in texts], step, named, context)
            said = [Phrasing(s, 0.0, h) for (_, s), h in zip(texts, heard, strict=True)]
            best = listener_preference(said)
            if heard[best] >= _LEAST:
                yield Pair(e["id"], "silver", source, texts[best][0])
