"""A recipe's data: published rows and synthetic questions, written once as training examples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import Any

from kbqa.errors import InputError
from kbqa.lexicon import freebase_lexicon
from kbqa.parse.program import ProgramError, from_one, write_program, write_step
from kbqa.parse.source import Entity, correction_source, source
from kbqa.synth import Example as Synthetic
from kbqa.synth import generate
from kbqa.synth.graph import Graph
from kbqa.synth.styles import framed
from kbqa.train.asked import asked
from kbqa.train.data import Example, from_rows, read_rows, write_examples
from kbqa.train.offered import Offers
from kbqa.train.paraphrases import paraphrases
from kbqa.types import Decomposition

Report = Callable[[str], None]


def prepare(recipe: dict[str, Any], data: Path, out: Path, report: Report) -> None:
    """Write `out/NAME.jsonl.gz` for each of the recipe's `rows` and for `synth`, unless it is there.

    Raises `InputError` naming a file of `rows` that `data` does not hold.
    """
    out.mkdir(parents=True, exist_ok=True)
    held_out = recipe.get("held_out", {})
    lexicon = freebase_lexicon()
    for name, file in recipe["rows"].items():
        target = out / f"{name}.jsonl.gz"
        if target.exists():
            continue
        if not (data / file).is_file():
            raise InputError(f"{data / file} is not there: --data names the folder that holds {file}")
        skipped: Counter[str] = Counter()
        rows: list[dict[str, Any]] = list(read_rows(data / file))
        if name in held_out:
            rows, rest = split(rows, held_out[name])
            kept = out / f"{name}_held_out.jsonl.gz"
            _write((e for e in from_rows(rest, lexicon, name) if not isinstance(e, str)), kept)
        rows += list(_restyled(rows, recipe.get("styles", {}).get(name, 0.0)))
        found = from_rows(rows, lexicon, name)
        n = _write((e for e in found if _kept(e, skipped)), target)
        report(f"{name}: {n} examples, {skipped.total()} rows skipped {dict(skipped.most_common(3))}")
    for kind, make in MAKERS.items():
        wanted, target = recipe.get(kind), out / f"{kind}.jsonl.gz"
        if wanted and not target.exists():
            report(f"{kind}: {_write(make(**wanted), target)} examples")


def _restyled(rows: list[dict[str, Any]], share: float) -> Iterator[dict[str, Any]]:
    """A share of the rows once more, in what people say around a question, or as hastily typed."""
    order = random.Random("styles")
    for row in rows:
        if order.random() < share:
            asked = row["question"]
            hasty = asked.rstrip("?. ").lower()
            question = framed(asked, order) if order.random() < 0.6 else hasty
            yield {
                **row,
                "id": f"{row['id']}-styled",
                "question_id": f"{row['id']}-styled",
                "question": question,
            }


def split(rows: list[dict[str, Any]], n: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(the rest, the rows of the `n` questions whose ids have the smallest SHA-1)."""
    ids = {str(r.get("question_id") or r["id"]) for r in rows}
    chosen = set(sorted(ids, key=lambda i: sha1(i.encode()).hexdigest())[:n])
    parts: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    for r in rows:
        parts[str(r.get("question_id") or r["id"]) in chosen].append(r)
    return parts


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


def _made(n: int, seed: int, style: float = 0.0) -> Iterator[tuple[int, random.Random, Synthetic]]:
    """Questions over the stub, worded by the lexicon."""
    from freebase_stub.build import build, ntriples

    graph, order = Graph.read(ntriples(build())), random.Random(seed)
    for i, made in enumerate(generate(graph, freebase_lexicon(), n, seed, style=style)):
        yield i, order, made


def synthetic(n: int, seed: int, style: float = 0.0, linked: float = 0.0) -> Iterator[Example]:
    """Synthetic questions as training examples. Some are offered an entity that they aren't about, or
    what their common nouns name; `linked`: the share that is offered what the linker of the stub finds
    in them, and all such nouns, as in use."""
    offers = Offers()
    for i, order, made in _made(n, seed, style):
        entities = offers.to(made.question, mentioned(made, order), order, linked)
        yield from as_example(f"synth-{seed}-{i}", "synth", made.question, entities, made.decomposition)


def as_example(
    name: str, origin: str, question: str, entities: list[Entity], steps: Decomposition
) -> Iterator[Example]:
    """A question that is offered these entities; nothing where no program can say its steps of them."""
    prepared = source(question, entities)
    with suppress(ProgramError):
        yield Example(name, origin, prepared.text, write_program(steps, prepared.pointers))


def corrections(n: int, seed: int, linked: float = 0.0) -> Iterator[Example]:
    """One step of each synthetic question, asked in other words: with the sub-questions before it
    and the whole question, with one of them, or alone (METHODS.md, contextualized correction).
    `linked`: the share that is offered what the linker finds in it, as in use."""
    offers = Offers()
    for i, order, made in _made(n, seed):
        yield from corrected(f"correction-{seed}-{i}", "corrections", made, offers, order, linked)


def corrected(
    name: str, origin: str, made: Synthetic, offers: Offers, order: random.Random, linked: float
) -> Iterator[Example]:
    """One step of a synthetic question as a correction; nothing where no program can say it."""
    number = order.randrange(len(made.sub_questions))
    text = order.choice(made.sub_questions[number])
    before = [order.choice(wordings) for wordings in made.sub_questions[:number]]
    placed = _placed(text, made, order)
    if order.random() < 0.5:
        placed = [e for e in placed if e.start >= 0]
    if order.random() < linked:
        placed = offers.as_in_use(text, placed)
    alone = order.random() < 0.3
    whole = None if alone or order.random() < 0.2 else made.question
    prepared = correction_source(text, placed, () if alone else before, whole)
    with suppress(ProgramError):
        program = write_step(made.decomposition.steps[number], prepared.pointers)
        yield Example(name, origin, prepared.text, from_one(program) if alone else program)


MAKERS: dict[str, Callable[..., Iterator[Example]]] = {
    "synth": synthetic,
    "corrections": corrections,
    "paraphrases": paraphrases,
    "asked": asked,
}
"""A recipe's examples that are made, not read: name -> (how many, seed) -> examples."""


def mentioned(made: Synthetic, order: random.Random) -> list[Entity]:
    """A synthetic question's entities where they stand in it, in no telling order."""
    return _placed(made.question, made, order)


def _placed(text: str, made: Synthetic, order: random.Random) -> list[Entity]:
    out: list[Entity] = []
    for m in made.entities:
        start = text.find(m.text)
        end = start + len(m.text)
        if start < 0 or any(start < e.end and e.start < end for e in out):
            start = end = -1
        out.append(Entity(m.iri, m.name, start, end))
    order.shuffle(out)
    return out
