"""What the parser learns for one own graph, and the held-out questions that it is measured on.

About one in ten synthetic queries is held out, by a hash of the query: whatever the seed, no parser that was
adapted before was trained on it.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from kbqa.assets import models
from kbqa.decompose import recompose
from kbqa.errors import KnowledgeBaseError
from kbqa.evaluate.answers import execute
from kbqa.kb import KnowledgeBase
from kbqa.lexicon import Lexicon
from kbqa.models.tokens import KEYWORDS, item_text
from kbqa.parse.neural import item_words
from kbqa.sparql import canonical, render
from kbqa.synth import Example as Synthetic
from kbqa.synth.generate import generate
from kbqa.synth.own import graph_of
from kbqa.train.data import Example, write_examples
from kbqa.train.offered import Offers
from kbqa.train.owner import Confirmed, examples
from kbqa.train.paraphrases import paraphrases
from kbqa.train.prepare import as_example, corrected, mentioned
from kbqa.types import Query

ONE_IN, _OWNER_ONE_IN = 10, 4
_ENOUGH_ROWS = 20
"""Questions of the owner from which on some are held out."""
_LEAST, _LEAST_HELD_OUT = 100, 10
"""Synthetic questions without which there is nothing to learn from, or to measure on."""
_WAYS = 3
"""Wordings of one query that are learned."""
_EXHAUSTED = 300
"""Wordings in a row of queries that are asked in so many ways already: the graph holds no more."""
_ASKED = "asked.json"
Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is made, learned and measured. `corrections`: the share of the questions one step of which is
    learned as a correction, too; `style`: the share put tersely or at length; `rehearsed`: the share of the
    rows in writers' own words, with which the shipped parser was trained, that is learned again, so that
    they are not forgotten; `passes`: over all of it, where the minutes suffice; `measured`: held-out
    synthetic questions that are asked before and after."""

    minutes: float = 20.0
    seed: int = 0
    questions: int = 8000
    corrections: float = 0.4
    style: float = 0.4
    rehearsed: float = 0.08
    passes: int = 6
    measured: int = 150


@dataclass(frozen=True, slots=True)
class Gold:
    """A question that is measured on, and the query whose answers are right."""

    question: str
    sparql: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What is measured on, by whose questions they are; `notes`: what is to be told of the owner's rows."""

    golds: Mapping[str, tuple[Gold, ...]]
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return sum(map(len, self.golds.values()))


def shipped() -> Path:
    """The checkpoint that is fine-tuned."""
    return models() / "parser"


def prepared(kb: KnowledgeBase, plan: Plan, owned: Sequence[Confirmed], work: Path, report: Report) -> Asked:
    """Writes `work/data/ORIGIN.jsonl.gz`, and last what is asked, unless it is there. Raises
    `KnowledgeBaseError` for a graph that gives too few questions."""
    file = work / _ASKED
    if not file.is_file():
        asked = _made(kb, plan, owned, work / "data", report)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(asdict(asked)), encoding="utf-8")
        part.replace(file)
    found = json.loads(file.read_text(encoding="utf-8"))
    golds = {name: tuple(Gold(**row) for row in rows) for name, rows in found["golds"].items()}
    return Asked(golds, tuple(found["notes"]))


def _made(kb: KnowledgeBase, plan: Plan, owned: Sequence[Confirmed], data: Path, report: Report) -> Asked:
    report("making questions over the graph")
    offers = Offers(kb)
    learned, held_out, asked = _synthetic(kb, plan, offers)
    if len(learned) < _LEAST or len(asked) < _LEAST_HELD_OUT:
        raise KnowledgeBaseError(
            f"{kb.name} gives only {len(learned)} synthetic questions to learn from and {len(asked)} to hold "
            f"out, {_LEAST} and {_LEAST_HELD_OUT} are needed: `kbqa kb report {kb.folder}` says which names "
            "and wordings are missing"
        )
    of_owner, owner_asked, notes = _owners(kb, owned, offers)
    report("taking some of the questions that the shipped parser was trained with")
    origins = {
        "synthetic": learned,
        "owner": of_owner,
        "rehearsed": _rehearsed(plan),
        "held_out": held_out,
    }
    items = _Items(kb.lexicon)
    for name, some in origins.items():
        if some:
            named = (replace(e, origin=name, program=items.of(e.program)) for e in some)
            write_examples(named, data / f"{name}.jsonl.gz")
            report(f"{name}: {len(some):,} examples")
    golds = {"synthetic": tuple(asked), "owner's": tuple(owner_asked)}
    return Asked({name: some for name, some in golds.items() if some}, tuple(notes))


def _synthetic(
    kb: KnowledgeBase, plan: Plan, offers: Offers
) -> tuple[list[Example], list[Example], list[Gold]]:
    """Examples to learn from, those held out, and the held-out questions that the graph has answers for."""
    order = random.Random(plan.seed)
    learned: list[Example] = []
    held_out: list[Example] = []
    asked: list[Gold] = []
    for number, (one, query) in enumerate(questions(kb, plan)):
        entities = offers.as_in_use(one.question, mentioned(one, order))
        found = as_example(f"synthetic-{number}", "", one.question, entities, one.decomposition)
        if not is_held_out(query):
            learned += found
            if order.random() < plan.corrections:
                learned += corrected(f"correction-{number}", "", one, offers, order, 1.0)
        elif len(asked) < plan.measured and execute(kb.store, query):
            held_out += found
            asked.append(Gold(one.question, render(query)))
    return learned, held_out, asked


def questions(kb: KnowledgeBase, plan: Plan) -> Iterator[tuple[Synthetic, Query]]:
    """Synthetic questions with their queries, none of which is asked in more than a few ways; fewer where the
    graph holds no more."""
    ways: Counter[Query] = Counter()
    done = idle = 0
    for one in generate(graph_of(kb), kb.lexicon, 100 * plan.questions, plan.seed, style=plan.style):
        query = recompose(one.decomposition)
        form = canonical(query)
        ways[form] += 1
        if ways[form] <= _WAYS:
            yield one, query
            done, idle = done + 1, 0
        else:
            idle += 1
        if done == plan.questions or idle == _EXHAUSTED:
            return


def _owners(
    kb: KnowledgeBase, owned: Sequence[Confirmed], offers: Offers
) -> tuple[list[Example], list[Gold], list[str]]:
    """Examples of what the owner confirmed, the questions held out, and what is to be told of them."""
    if not owned:
        return [], [], []
    notes: list[str] = []
    usable: list[Confirmed] = []
    for one in owned:
        if one.row.kb not in ("", kb.name):
            notes.append(f"{one.row.where}: left out, it was asked of {one.row.kb!r}, not {kb.name!r}")
        elif not execute(kb.store, one.query):
            notes.append(f"{one.row.where}: left out, its query finds nothing in {kb.name}")
        else:
            usable.append(one)
    enough = len(usable) >= _ENOUGH_ROWS
    held = [one for one in usable if enough and is_held_out(one.query, _OWNER_ONE_IN)]
    found = [list(examples(one, kb, offers)) for one in usable if one not in held]
    told = "" if enough else f" (some are from {_ENOUGH_ROWS} on)"
    notes.append(f"the owner's questions: {len(found)} learned from, {len(held)} held out{told}")
    if mute := sum(not some for some in found):
        notes.append(f"{mute} of them can't be learned: the parser can't write their queries (rules may)")
    return [e for some in found for e in some], [Gold(o.row.question, o.row.sparql) for o in held], notes


def _rehearsed(plan: Plan) -> list[Example]:
    """Questions and sub-questions over the stub in writers' own words."""
    if not plan.rehearsed:
        return []
    return list(paraphrases(1, plan.seed, linked=0.6, share=plan.rehearsed))


def is_held_out(query: Query, one_in: int = ONE_IN) -> bool:
    """Whether a query is among those, one in so many, that are never learned from."""
    return int(hashlib.sha1(render(canonical(query)).encode()).hexdigest(), 16) % one_in == 0


class _Items:
    """The graph's predicates as the parser has them: one that reads as one it was trained with is that."""

    def __init__(self, lexicon: Lexicon) -> None:
        items = json.loads((shipped() / "items.json").read_text(encoding="utf-8"))
        self._lexicon, self._known = lexicon, {item_text(t): t for t in items}

    def of(self, program: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            t if t in KEYWORDS else self._known.get(item_words(t, self._lexicon), t) for t in program
        )
