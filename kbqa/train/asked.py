"""Questions that people asked of the stub, with the queries that answer them.

How they were written: models/README.md.

Rows of `models/asked.jsonl`: {"id", "question", "type", "domain", "person": who asked, "facts", "entities":
{id: name}, "sparql", "answers": [label]}. They are dearer than wordings of synthetic questions
(`kbqa.train.paraphrases`): what is asked, too, is people's own choice. Their queries say sorts of things and
periods as a knowledge base does, a program says them as the question does; one that finds something else is
not learned from.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha1
from itertools import product
from pathlib import Path
from typing import Any

from kbqa.assets import models
from kbqa.decompose import decompose, recompose
from kbqa.errors import KbqaError
from kbqa.evaluate.answers import execute
from kbqa.kb import KnowledgeBase, open_kb
from kbqa.parse.bounds import as_written
from kbqa.parse.program import ProgramError, write_program, write_step
from kbqa.parse.source import correction_source, place, source
from kbqa.sparql import parse
from kbqa.synth.styles import framed
from kbqa.train.data import Example, named, read_rows
from kbqa.train.offered import Offers
from kbqa.train.paraphrases import Told, hasty
from kbqa.types import Decomposition, Guards

_HELD_OUT = 10
"""Of so many rows one is not trained on."""
_ASKED_ONLY = frozenset((19, 23, 24, 25, 26, 27, 28))
"""Writers none of whose rows is."""
_FRAMED = 0.2
"""The share of further copies that something is said around."""
_TYPED = re.compile(r"(\?\w+) ns:type\.object\.type ns:(\S+) \.\n?")
_APART = re.compile(r"FILTER ?\(\?\w+ != [?\w:.]+\)\n?")
"""Which a program leaves to `Guards`."""
_APART_EACH = Guards(each=True)

Row = dict[str, Any]
Chosen = Callable[[Row], bool]


def shipped() -> Path:
    """The file that this project ships."""
    return models() / "asked.jsonl"


def is_held_out(row: Row) -> bool:
    """Whether a row is never trained on: some writers' rows, and about one of ten others, by its id."""
    return row["person"] in _ASKED_ONLY or int(sha1(row["id"].encode()).hexdigest(), 16) % _HELD_OUT == 0


def is_trained_on(row: Row) -> bool:
    """All the others."""
    return not is_held_out(row)


def asked(
    copies: int, seed: int, linked: float = 0.8, noise: float = 0.3, chosen: Chosen = is_trained_on
) -> Iterator[Example]:
    """The rows as training examples, each so many times, as it was offered entities differently; questions
    of one step are learned from as corrections, too. `linked`: the share that is offered what the linker
    finds, as in use; `noise`: the share that is typed hastily from the second copy on."""
    kb, order = open_kb(None), random.Random(seed)
    offers = Offers(kb)
    for row in read_rows(shipped()):
        ways = list(sayable(row, kb, offers)) if chosen(row) else []
        for copy in range(copies if ways else 0):
            yield from _copy(row, ways, copy, offers, order, linked, noise)


def sayable(row: Row, kb: KnowledgeBase, offers: Offers) -> Iterator[Decomposition]:
    """The row's steps as a program may say them: each sort of thing as a kind that the question's nouns
    name, or left out, and periods as the question has them; only such as have the row's answers, whether
    or not what the question names is among them ('other', which rules hear)."""
    named_in = {("entity", iri.value) for iri, _ in named(row["entities"])}
    gold = (execute(kb.store, parse(row["sparql"])) or frozenset()) - named_in
    kinds = [e.iri.mid for e in offers.nouns.named(row["question"]) if e.iri in offers.nouns.kinds]
    plain = _APART.sub("", row["sparql"])
    for sparql in _untyped(plain, list(dict.fromkeys(kinds))):
        with suppress(KbqaError):
            steps = decompose(parse(sparql), kb.lexicon.mediators).steps
            found = execute(kb.store, recompose(Decomposition(steps, _APART_EACH)))
            if gold and found is not None and found - named_in == gold:
                said = tuple(as_written(step, row["question"]) for step in steps)
                yield Decomposition(said, Guards())


def _untyped(sparql: str, kinds: Sequence[str]) -> Iterator[str]:
    """The query with its statements of types in all the ways that might be said, the plainest first."""
    typed = list(_TYPED.finditer(sparql))
    ways = []
    for m in typed:
        implied = f"{m[1]} ns:{m[2]}." in _TYPED.sub("", sparql)
        notable = [f"{m[1]} ns:common.topic.notable_types ns:{kind} .\n" for kind in kinds]
        ways.append(["", *notable] if implied else [*notable, ""])
    for chosen in product(*ways):
        out, at = [], 0
        for m, new in zip(typed, chosen, strict=True):
            out += [sparql[at : m.start()], new]
            at = m.end()
        yield "".join([*out, sparql[at:]])


def _copy(
    row: Row,
    ways: Sequence[Decomposition],
    copy: int,
    offers: Offers,
    order: random.Random,
    linked: float,
    noise: float,
) -> Iterator[Example]:
    """Nothing where no program can say any of the steps."""
    told = Told(row["question"], tuple(place(row["question"], named(row["entities"]))))
    if copy and order.random() < noise:
        told = hasty(told, order)
    elif copy and order.random() < _FRAMED:
        text = framed(told.text, order)
        told = Told(text, tuple(place(text, named(row["entities"]))))
    entities = offers.to(told.text, list(told.entities), order, linked)
    prepared, name = source(told.text, entities), f"{row['id']}-{copy}"
    for steps in ways:
        with suppress(ProgramError):
            yield Example(name, "asked", prepared.text, write_program(steps, prepared.pointers))
            if len(steps.steps) == 1 and copy % 2:
                fix = correction_source(told.text, entities)
                yield Example(f"{name}-fix", "asked", fix.text, write_step(steps.steps[0], fix.pointers))
            return
