"""`kbqa train phraser`: from questions of one step and their templates to the phraser that ships."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kbqa.errors import InputError
from kbqa.lexicon import freebase_lexicon
from kbqa.models.checkpoint import WORDS, digest_of
from kbqa.models.tokens import KEYWORDS
from kbqa.phrase.tokens import split
from kbqa.train.data import Example, write_examples
from kbqa.train.fit import Recipe, Trainer
from kbqa.train.pairs import Pair, examples, pairs
from kbqa.train.paraphrases import paraphrases
from kbqa.train.parser import pretrained_encoder
from kbqa.train.prepare import prepare
from kbqa.train.silver import silver

_OWN = ("corrections", "paraphrases", "silver")
"""Origins in which every name is marked."""
HELD_OUT = "held_out"
"""What is validated on: sub-questions of the paraphrases that nothing is trained on."""
_LEAST = 3
"""A word ships that was met so often."""
_OPENS = frozenset(
    "what which who whom whose when where how in on at of for to by from with under during since until after "
    "before among against as through into is are was were did does do has have had can".split()
)
_ASKS = re.compile(
    r"\b(what|which|who|whom|whose|when|where|how)\b|^(is|are|was|were|did|does|do|has|have|had|can)\b"
)
_SLANG = re.compile(
    r"\b(hey|hi|ok|okay|um+|uh|pls|plz|please|thanks|whats|whos|wheres|whens|hows|dont|didnt|doesnt|isnt|i|i'm|"
    r"me|my|we|our|us|you|your|u|ur|lol|btw|gonna|wanna|dude|folks|guys)\b"
)
_LONGEST = 24
"""Words of a sub-question that is learned from."""


@dataclass(frozen=True)
class PhraserRecipe(Recipe):
    """`silver`: how templates without a question of their own are worded by an earlier phraser
    (`kbqa.train.silver`): how many, seed, the folder of that phraser."""

    silver: dict[str, Any] = field(default_factory=dict)


def train_phraser(
    config: Path, data: Path, out: Path, encoder: Path | None, report: Callable[[str], None]
) -> dict[str, float]:
    """Train, or go on where an interrupted run stopped. The checkpoint lies in `out` afterwards, without
    the word embeddings, which are those of the parser that it began with.

    Returns the last validation figures. Raises `InputError` or `ModelError`.
    """
    recipe = PhraserRecipe.load(config)
    if not recipe.begin and not recipe.finetune:
        raise InputError(f'{config}: begin = "models/parser" expected: the phraser has its word embeddings')
    encoder = encoder or pretrained_encoder()
    prepare(asdict(recipe), data, out / "data", report)
    _write_pairs(recipe, out / "data", out / "pairs", report)
    trainer = _PhraserTrainer(recipe, out / "pairs", encoder, out, report)
    if trainer.resume():
        report(f"going on at step {trainer.step} of {trainer.total}")
    figures = trainer.run()
    shutil.copy(encoder / "tokenizer.json", out / "tokenizer.json")
    words = trainer.net.encoder.words.weight.detach().cpu()
    (out / "words.json").write_text(json.dumps(digest_of(words)), encoding="utf-8")
    return figures


class _PhraserTrainer(Trainer):
    """Its items are words, read as they stand."""

    made = ("silver",)
    apart = frozenset((WORDS,))

    @staticmethod
    def words_of(item: str) -> str:
        return item

    def _seen(self) -> set[str]:
        met = Counter(t for e in self.train for t in e["program"])
        return {t for t, n in met.items() if n >= _LEAST} - set(KEYWORDS)


# --- data ---


def _write_pairs(recipe: PhraserRecipe, data: Path, out: Path, report: Callable[[str], None]) -> None:
    """`out/NAME.jsonl.gz` for each of the recipe's origins and for what is held out, unless it is there."""
    out.mkdir(parents=True, exist_ok=True)
    lexicon = freebase_lexicon()
    named = {
        file.name.removesuffix(".jsonl.gz"): file
        for file in sorted(data.glob("*.jsonl.gz"))
        if not file.name.endswith("_held_out.jsonl.gz")
    }
    made: dict[str, Iterable[Pair]] = {
        name: pairs("phraser", examples(file), lexicon) for name, file in named.items()
    }
    held = paraphrases(1, recipe.seed, held_out=True, single_steps=True)
    made[HELD_OUT] = pairs("phraser", map(asdict, held), lexicon)
    if recipe.silver:
        made["silver"] = silver(**recipe.silver)
    known: set[str] = set()
    for name in sorted(made, key=lambda n: n not in _OWN):
        file = out / f"{name}.jsonl.gz"
        if not file.exists():
            part = file.with_suffix(".part")
            n = write_examples(_learnable(made[name], name, None if name in _OWN else known), part)
            part.replace(file)
            report(f"{name}: {n} sub-questions")
        if name in _OWN:
            known |= {w for e in examples(file) for w in e["program"]}


def _learnable(found: Iterable[Pair], origin: str, known: Set[str] | None) -> Iterator[Example]:
    """Those that are well put, as words; none twice. `known`: the words that may be in them beside the
    template's, where the origin's may be names in lower case."""
    seen: set[tuple[str, str]] = set()
    for pair in found:
        question = well_put(pair.target)
        if question is not None and (pair.source, question) not in seen:
            seen.add((pair.source, question))
            words, template = split(question), split(pair.source.partition(" | ")[0])
            if _speaks_of(words, template) and (known is None or known | set(template) >= set(words)):
                yield Example(pair.id, origin, pair.source, (*words, "<end>"))


def well_put(text: str) -> str | None:
    """A sub-question as one writes it, its first word in lower case; None for a note, an aside or slang."""
    body = text.strip().rstrip("?.! ")
    first, _, rest = body.partition(" ")
    if (
        first.lower() not in _OPENS
        or not _ASKS.search(body.lower())
        or not 3 <= len(rest.split()) + 1 <= _LONGEST
    ):
        return None
    if re.search(r"[.!?;:\"()]( |$)", body) or _SLANG.search(body.lower()):
        return None
    return f"{first.lower()} {rest}?"


def _speaks_of(words: list[str], template: list[str]) -> bool:
    """Whether names and numbers are all the template's."""
    own = set(template)
    return all(w in own or w.islower() or not any(c.isalnum() for c in w) or w[0] == "<" for w in words)
