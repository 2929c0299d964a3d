"""Whether every name of a template stands in its sub-question as it is.

    python -m bench.copies [--n 5000] [--seed 31] [--show]

Templates of one step that synthetic questions over the stub hold, of a seed that nothing was trained with,
drawn so that no domain of its predicates has more than a tenth. Half of them keep the names that the stub
has; in the others each entity is called by a name of `tests/hostile.py` (brackets, quotes, code, other
scripts, 'that film'), or, where the step has a second one, by a name that holds the first one's. The
phraser is the one that the environment names (`kbqa.backends`; default: the one that ships), which is
granted the whole question. A name is lost where the sub-question lacks it, letter by letter; names are
looked for longest first, and what is one name's is no other's. Counted in the sub-question that would be
shown, and in all that were offered.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from freebase_stub.build import build, ntriples
from kbqa.answers import clean, shown_name
from kbqa.backends import Backends
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase, open_kb
from kbqa.phrase import Phraser, StepInContext
from kbqa.protocols import signature_of
from kbqa.synth import generate
from kbqa.synth.graph import Graph
from kbqa.templates import Names, write
from kbqa.types import Find, Iri, Step
from tests.hostile import HOSTILE

MOST = 0.1
"""The share of the templates that one domain may have."""


@dataclass(frozen=True)
class Template:
    """A step with the names of its entities, as the store would give them, and the whole question."""

    step: Step
    names: Mapping[Iri, str]
    question: str
    domain: str


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=31)
    arguments.add_argument("--show", action="store_true", help="print the sub-questions that lack a name")
    args = arguments.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    domains: set[str] = set()
    with open_kb(None) as kb:
        phraser = Backends(kb).phraser
        for template in templates(kb, args.n, args.seed):
            domains.add(template.domain)
            texts = sub_questions(kb, phraser, template)
            names = list(template.names.values())
            without = [lost(text, names) for text in texts]
            for group in ("all", *kinds(names)):
                counts[group, "n"] += 1
                counts[group, "shown"] += bool(without[0])
                counts[group, "offered"] += len(texts)
                counts[group, "lost"] += sum(map(bool, without))
            if args.show:
                for text, absent in zip(texts, without, strict=True):
                    if absent:
                        print(f"{absent} not in {text!r}")
        signature = f"{kb.signature}+{signature_of(phraser)}"
    for group in sorted({g for g, _ in counts}):
        n, shown, offered, missing = (counts[group, k] for k in ("n", "shown", "offered", "lost"))
        print(f"{group:24} n={n:<5} a name lost in {shown}; in {missing} of {offered} wordings offered")
    print(f"{len(domains)} domains; {signature}")


def templates(kb: KnowledgeBase, n: int, seed: int) -> Iterator[Template]:
    graph, rng = Graph.read(ntriples(build())), random.Random(seed)
    taken: Counter[str] = Counter()
    for made in generate(graph, kb.lexicon, 100 * n, seed):
        step = made.decomposition.steps[0]
        if len(made.decomposition.steps) > 1 or not isinstance(step, Find):
            continue
        domain = step.path[0].predicate.mid.partition(".")[0]
        if taken[domain] >= MOST * n:
            continue
        taken[domain] += 1
        entities = [c for c in dict.fromkeys(constants_of(step)) if isinstance(c, Iri)]
        names, question = kb.names.fetch(entities), made.question
        if rng.random() < 0.5:
            called = hostile(entities, names, rng)
            for m in made.entities:
                question = question.replace(m.text, called.get(m.iri, m.text))
            names = called
        yield Template(step, {e: names[e] for e in entities}, clean(question), domain)
        if taken.total() == n:
            return


def hostile(entities: Sequence[Iri], names: Mapping[Iri, str], rng: random.Random) -> dict[Iri, str]:
    """Other names for them; the second holds the first one's half of the time."""
    drawn = rng.sample([name for text in HOSTILE if (name := shown_name(text))], len(entities))
    called = dict(zip(entities, drawn, strict=True))
    if len(entities) > 1 and rng.random() < 0.5:
        first, second = entities[:2]
        called[first] = rng.choice((names[first], called[first]))
        called[second] = rng.choice(("New {}", "{} (film)", "The {} of {}", "{}s")).replace(
            "{}", called[first]
        )
    return called


def sub_questions(kb: KnowledgeBase, phraser: Phraser, template: Template) -> list[str]:
    """The wordings, the one that is shown first."""
    text = write(template.step, 1, kb.lexicon, Names(dict(template.names)))
    context = StepInContext((template.step,), 1, template.names.__getitem__, template.question, (), text)
    return [clean(p.text) for p in phraser.phrase(context, n=10)]


def lost(text: str, names: Sequence[str]) -> list[str]:
    """The names for which no place in the text is left; one that goes on in letters or digits is another."""
    missing = []
    for name in sorted(names, key=len, reverse=True):
        alone = rf"(?<!\w){re.escape(name)}" if name[:1].isalnum() else re.escape(name)
        alone += r"(?!\w)" if name[-1:].isalnum() else ""
        text, found = re.subn(alone, "\x00", text, count=1)
        if not found:
            missing.append(name)
    return missing


def kinds(names: Sequence[str]) -> Iterator[str]:
    """What is odd about them."""
    every = "".join(names)
    if any(c in "()[]{}<>" for c in every):
        yield "brackets"
    if any(c in "'\"`“”’" for c in every):
        yield "quotes"
    if any(map(str.isdigit, every)):
        yield "digits"
    if any(c.isalpha() and not c.isascii() for c in every):
        yield "other letters than a-z"
    if any(a is not b and a in b for a in names for b in names):
        yield "one holds another"


if __name__ == "__main__":
    main()
