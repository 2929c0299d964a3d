"""A recipe's data: published rows and synthetic questions, written once as training examples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kbqa.errors import InputError
from kbqa.lexicon import freebase_lexicon
from kbqa.parse.program import ProgramError, write_program
from kbqa.parse.source import Entity, source
from kbqa.synth import Example as Synthetic
from kbqa.synth import generate
from kbqa.synth.graph import Graph
from kbqa.train.data import Example, from_rows, read_rows, write_examples

Report = Callable[[str], None]


def prepare(recipe: dict[str, Any], data: Path, out: Path, report: Report) -> None:
    """Write `out/NAME.jsonl.gz` for each of the recipe's `rows` and for `synth`, unless it is there.

    Raises `InputError` naming a file of `rows` that `data` does not hold.
    """
    out.mkdir(parents=True, exist_ok=True)
    lexicon = freebase_lexicon()
    for name, file in recipe["rows"].items():
        target = out / f"{name}.jsonl.gz"
        if target.exists():
            continue
        if not (data / file).is_file():
            raise InputError(f"{data / file} is not there: --data names the folder that holds {file}")
        skipped: Counter[str] = Counter()
        found = from_rows(read_rows(data / file), lexicon, name)
        n = _write((e for e in found if _kept(e, skipped)), target)
        report(f"{name}: {n} examples, {skipped.total()} rows skipped {dict(skipped.most_common(3))}")
    synth = recipe.get("synth")
    target = out / "synth.jsonl.gz"
    if synth and not target.exists():
        report(f"synth: {_write(synthetic(synth['n'], synth['seed']), target)} examples")


def _kept(e: Example | str, skipped: Counter[str]) -> bool:
    if isinstance(e, str):
        skipped[e.split(":")[0]] += 1
        return False
    return True


def _write(examples: Iterator[Any], target: Path) -> int:
    part = target.with_suffix(".part")
    n = write_examples(examples, part)
    part.replace(target)
    return n


def synthetic(n: int, seed: int) -> Iterator[Example]:
    """Questions over the stub, worded by the lexicon, as training examples."""
    from freebase_stub.build import build, ntriples

    graph = Graph.read(ntriples(build()))
    order = random.Random(seed)
    for i, made in enumerate(generate(graph, freebase_lexicon(), n, seed)):
        prepared = source(made.question, mentioned(made, order))
        try:
            program = write_program(made.decomposition, prepared.pointers)
        except ProgramError:
            continue
        yield Example(f"synth-{seed}-{i}", "synth", prepared.text, program)


def mentioned(made: Synthetic, order: random.Random) -> list[Entity]:
    """A synthetic question's entities where they stand in it, in no telling order."""
    out: list[Entity] = []
    for m in made.entities:
        start = made.question.find(m.text)
        end = start + len(m.text)
        if start < 0 or any(start < e.end and e.start < end for e in out):
            start = end = -1
        out.append(Entity(m.iri, m.name, start, end))
    order.shuffle(out)
    return out
