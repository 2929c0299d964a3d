"""Questions with their steps, drawn from a graph: what a parser is trained on."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path as File

from kbqa.lexicon import Lexicon
from kbqa.synth.classes import CLASS_RECIPES
from kbqa.synth.graph import Graph
from kbqa.synth.noise import rough
from kbqa.synth.recipes import RECIPES, Draft
from kbqa.synth.speech import ENTITY, VALUE, NoLuck
from kbqa.synth.styles import adjectival, restyled
from kbqa.synth.world import World
from kbqa.types import Decomposition, Find, Iri, Keep, Step


@dataclass(frozen=True)
class Mentioned:
    """An entity that the steps use: its name, and how the question writes it."""

    iri: Iri
    name: str
    text: str


@dataclass(frozen=True)
class Example:
    question: str
    decomposition: Decomposition
    entities: tuple[Mentioned, ...]
    type: str
    sub_questions: tuple[tuple[str, ...], ...]
    """Natural wordings of each step."""


_SPACES, _BEFORE_MARK = re.compile(r"\s+"), re.compile(r"\s+([,?.])")
_WORDS = re.compile(r"[a-z0-9]+")
_EXHAUSTED = 500
"""Kinds of questions in a row that gave nothing new, each tried 25 times: the graph holds no more."""


def generate(
    graph: Graph, lexicon: Lexicon, n: int, seed: int, noise: float = 0.1, style: float = 0.0
) -> Iterator[Example]:
    """`n` distinct questions that have answers in the graph; fewer where it holds no more. `noise`: the
    share with a slip of typing; `style`: the share put tersely, at length or in two sentences."""
    return drawn(World(graph, lexicon), n, random.Random(seed), noise, style)


def drawn(world: World, n: int, rng: random.Random, noise: float, style: float) -> Iterator[Example]:
    """As `generate`, of a graph that is indexed."""
    if not world.walks.paths:
        return
    recipes = {**RECIPES, **CLASS_RECIPES} if world.graph.nouns else RECIPES
    kinds = list(recipes)
    weights = [recipes[k][0] for k in kinds]
    seen: set[bytes] = set()
    done = idle = 0
    while done < n and idle < _EXHAUSTED:
        kind = rng.choices(kinds, weights)[0]
        for _ in range(25):
            example = attempt(world, rng, kind, recipes[kind][1], noise, style if kind in RECIPES else 0.0)
            if example is not None:
                key = digest(example.question)
                if key not in seen:
                    seen.add(key)
                    break
        else:
            idle += 1
            continue
        done, idle = done + 1, 0
        yield example


def attempt(
    world: World, rng: random.Random, kind: str, recipe: Callable[[Draft], str], noise: float, style: float
) -> Example | None:
    """One question of a kind; None where the dice fell badly."""
    draft = Draft(world, rng)
    try:
        text = recipe(draft)
    except NoLuck:
        return None
    if len(text) > 260 or held_out(draft.steps, {m.name for m in draft.mentions}):
        return None
    return _finish(draft, text, kind, noise, style)


def _finish(draft: Draft, text: str, kind: str, noise: float, style: float) -> Example | None:
    rng = draft.rng
    names = [m.text for m in draft.mentions]
    text = text[:1].upper() + text[1:]
    text = _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip()
    if style and rng.random() < style:
        kinds = [draft.graph.kind_of(m.iri) for m in draft.mentions]
        text = restyled(text, draft.sub_questions(), draft.nouns[0], rng, kinds)
        if rng.random() < 0.3:
            text = adjectival(text, names, [draft.graph.adjectives(m.iri) for m in draft.mentions], rng)
        if rng.random() < 0.3:
            names = [n.lower() for n in names]
    text, written = rough(text, names, noise, rng)
    order = sorted((text.find(chr(ENTITY + i)), i) for i in range(len(names)))
    if order and order[0][0] < 0:
        return None
    shown = [f'"{w}"' if m.quoted else w for w, m in zip(written, draft.mentions, strict=True)]
    question = _insert(text, shown, draft.values)
    if question.count("?") > 2 or normal(question) in _questions():
        return None
    entities = tuple(
        Mentioned(Iri(draft.mentions[i].iri), draft.mentions[i].name, written[i]) for _, i in order
    )
    subs = tuple(
        tuple(_insert(s, names, draft.values) for s in per_step) for per_step in draft.sub_questions()
    )
    return Example(question, Decomposition(tuple(draft.steps)), entities, kind, subs)


def _insert(text: str, names: list[str], values: list[str]) -> str:
    def put(m: re.Match[str]) -> str:
        code = ord(m[0])
        return names[code - ENTITY] if code < VALUE else values[code - VALUE]

    whole = _MARK.sub(put, text)
    return whole[:1].upper() + whole[1:] if text[:1].isupper() else whole


_MARK = re.compile(f"[{chr(ENTITY)}-{chr(VALUE + 0xFF)}]")


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Lower case, letters and digits only."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return " ".join(_WORDS.findall(plain))


def digest(question: str) -> bytes:
    """The same for questions that differ in case and punctuation only."""
    return blake2b(normal(question).encode(), digest_size=8).digest()


# --- what is never made ---------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _held_out() -> tuple[tuple[str, tuple[frozenset[str], ...], frozenset[str]], ...]:
    rows = []
    for line in (File(__file__).parent / "held_out.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            question, entities, predicates = (cell.strip() for cell in line.split("|"))
            names = tuple(
                frozenset(normal(n) for n in e.split(" / ")) for e in entities.split(" ; ") if e.strip()
            )
            rows.append((normal(question), names, frozenset(predicates.split())))
    return tuple(rows)


@lru_cache(maxsize=1)
def _questions() -> frozenset[str]:
    return frozenset(q for q, _, _ in _held_out())


@lru_cache(maxsize=1)
def held_out_wordings() -> frozenset[str]:
    """The normal forms of the held-out questions themselves."""
    return frozenset(normal(question) for question, _, _ in _held_out())


def held_out(steps: list[Step], names: set[str]) -> bool:
    """Whether the steps join the very entities of a held-out question in its way."""
    plain: set[str] | None = None
    for _, entities, predicates in _held_out():
        if not entities:
            continue
        plain = plain if plain is not None else {normal(n) for n in names}
        if all(plain & e for e in entities):
            used = {h.predicate.mid for s in steps if isinstance(s, Find | Keep) for h in s.path}
            if not predicates or used & predicates:
                return True
    return False
