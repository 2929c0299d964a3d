"""The shipped networks' beam search finds what the plain one does: the network run anew over all that is
written so far, for one program at a time (`bench.stages.plainly`). In floating point: in eight bits what is
rounded depends on the beams beside it; that what is read hardly does is the last test's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from bench.stages import Decoding, decodings
from kbqa.correct import Context
from kbqa.engine import Engine
from kbqa.models.quantise import is_supported
from kbqa.templates import Names, write_all
from kbqa.train.paraphrases import Paraphrased, read, shipped
from kbqa.types import Query

CLOSE = 1e-3


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Whose networks run in floating point."""
    with pytest.MonkeyPatch.context() as exact:
        exact.setattr("kbqa.models.quantise.is_supported", lambda: False)
        with Engine.open() as opened:
            opened.warm()
            yield opened


def same(made: Sequence[Decoding]) -> None:
    for d in made:
        plain = {p.tokens: p.logprob for p in d.plain}
        assert {f.tokens for f in d.found} == plain.keys()
        assert {f.tokens: f.logprob for f in d.found} == pytest.approx(plain, abs=CLOSE)
        assert d.found[0].tokens == d.plain[0].tokens


def rows(engine: Engine, n: int) -> Iterator[Paraphrased]:
    """Questions about something, in writers' own words, that nothing was trained on."""
    every = read(shipped(), engine.kb.lexicon, held_out=True)
    yield from islice((row for row in every if row.questions and row.questions[0].entities), n)


@pytest.mark.slow
def test_twenty_questions_are_read_as_they_are_plainly(engine: Engine) -> None:
    with decodings() as made:
        for row in rows(engine, 20):
            text = row.questions[0].text
            engine.parser.parse(text, engine.kb.linker.link(text), n=5)
    same(made)
    assert len(made) == 20


@pytest.mark.slow
def test_corrections_are_read_as_they_are_plainly(engine: Engine) -> None:
    with decodings() as made:
        for row in rows(engine, 5):
            text = row.questions[0].text
            engine.corrector.correct(text, engine.kb.linker.link(text), Context(question=text), n=5)
    same(made)
    assert len(made) == 5


@pytest.mark.slow
def test_steps_are_worded_as_they_are_plainly(engine: Engine) -> None:
    with decodings("kbqa.phrase.neural") as made:
        for row in rows(engine, 10):
            names = Names({e.iri: e.name for e in row.questions[0].entities})
            first = write_all(row.decomposition.steps, engine.kb.lexicon, names)[0]
            engine.phrase(first, row.questions[0].text)
    same(made)
    assert len(made) == 10


@pytest.mark.slow
@pytest.mark.skipif(not is_supported(), reason="this processor has no VNNI instructions")
def test_in_eight_bits_nearly_the_same_is_read(engine: Engine) -> None:
    asked = [row.questions[0].text for row in rows(engine, 20)]
    with pytest.MonkeyPatch.context() as again:
        again.setattr("kbqa.models.quantise.is_supported", is_supported)
        rounded = Engine.open()
        rounded.warm()
    with rounded:
        agreed = [_read(engine, text)[:1] == _read(rounded, text)[:1] for text in asked]
    assert sum(agreed) >= 18


def _read(engine: Engine, text: str) -> list[Query]:
    return [p.query for p in engine.parser.parse(text, engine.kb.linker.link(text), n=5)]
