"""One question at a time: steps and their English are built together, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kbqa.lexicon.nouns import plural
from kbqa.synth.graph import Node, back
from kbqa.synth.speech import ENTITY, GENERIC, Mention, NoLuck, Np, Parts
from kbqa.synth.superlatives import CHAMPIONSHIPS, Superlatives
from kbqa.synth.words import an
from kbqa.types import Count, Hop, Iri, Keep, Kind, Merge, Pick, Ref

_LAST_WIN = (
    "When did {{}} {word} win the {cup}?",
    "{{}} {word} won the {cup} when?",
    "What year did {{}} {word} win the {cup}?",
    "When was the {word} time {{}} won the {cup}?",
    "What was the {word} {cup} that {{}} won?",
    "In what year did {{}} {word} win the {cup}?",
)


class Draft(Superlatives):
    """One question being made: with a description of a thing for the next question to be about."""

    def describe(self, node: Node, depth: int, avoid: set[Node]) -> Np:
        """Steps whose answers hold the node, and a noun phrase for them."""
        roll = self.rng.random()
        parts = self.source(node, depth, avoid)
        if roll < 0.66 or len(self.steps) > 4 or (roll >= 0.78 and self.reflexive(parts)):
            return Np(self.phrase(parts), parts.ref, parts.answers)
        if roll < 0.78:
            return self.both(parts, node, avoid)
        if roll < 0.9:
            try:
                return self.extreme(parts)[0]
            except NoLuck:
                return Np(self.phrase(parts), parts.ref, parts.answers)
        try:
            return self.compared(parts, node)[0]
        except NoLuck:
            return Np(self.phrase(parts), parts.ref, parts.answers)

    def source(self, node: Node, depth: int, avoid: set[Node]) -> Parts:
        i, start = self.link_to(node, avoid, telling=True)
        avoid.add(start)
        if depth > 0 and start in self.walks.into:
            inner = self.describe(start, depth - 1, avoid | {node})
            return self.find(i, inner)
        if len(self.walks.routes[i]) == 2 and self.chance(0.35):
            mark = self.mark()
            try:
                return self.narrowed(i, start, node, 1)
            except NoLuck:
                self.undo(mark)
        return self.find(i, start)

    def both(self, first: Parts, node: Node, avoid: set[Node]) -> Np:
        second = self.kept(first, node, avoid, 0)
        return Np(self.joined(first, second), second.ref, second.answers)

    def joined(self, first: Parts, second: Parts) -> str:
        noun = self.joint_noun(first, second)
        one, two = self.clause(first), self.clause(second)
        a, b = one.split(" ", 1), two.split(" ", 1)
        if a[0] == b[0] and a[0] in ("that", "who", "which") and self.has_verb(second) and self.chance(0.6):
            two = self.verb(second)
        return f"the {noun} {one} and {two}"

    def joint_noun(self, first: Parts, second: Parts) -> str:
        nouns = [n for n in (first.noun, second.noun) if n not in GENERIC] or [first.noun]
        return self.choice(nouns)

    def kept(self, first: Parts, node: Node, avoid: set[Node], depth: int) -> Parts:
        """A Keep on `first` that the node passes."""
        i, start = self.link_to(node, avoid)
        if i == first.path and self.chance(0.8):
            raise NoLuck
        avoid.add(start)
        if depth and start in self.walks.into:
            inner = self.describe(start, depth - 1, avoid | {node})
            return self.find(i, inner, keep=first.ref, among=first.answers)
        return self.find(i, start, keep=first.ref, among=first.answers)


# --- the kinds of question ------------------------------------------------------------------------


def single(d: Draft) -> str:
    i = d.sample_path()
    p = d.find(i, d.choice(d.walks.starts[i]))
    nouns = [n for n in p.words.nouns if n.startswith("{} ")]
    if nouns and d.chance(0.04):
        return d.fill(d.choice(nouns), p.filler)
    return d.question(p)


def composition(d: Draft) -> str:
    if d.world.editions and d.chance(0.01):
        inner = d.last_winner()[0]
        return d.question(d.find(d.choice(d.walks.onward[str(d.choice(inner.answers))]), inner))
    if d.world.span_paths and d.chance(0.03):
        i = d.choice(d.world.span_paths)
        start = d.choice(d.walks.starts[i])
        if any(a == start for _, a in d.graph.pairs(start, d.walks.routes[i])):
            raise NoLuck
        inner = d.tenure(i, start)[0]
        return d.question(d.find(d.choice(d.walks.onward.get(str(d.choice(inner.answers)), [])), inner))
    i = d.sample_path()
    node = _described(d, i)
    depth = 1 if d.chance(0.12) else 0
    inner = d.describe(node, depth, {node, *d.graph.answers(node, d.walks.routes[i])[:40]})
    p = d.find(i, inner)
    return d.question(p)


def _described(d: Draft, i: int) -> str:
    """A start of the path that can itself be described."""
    for _ in range(6):
        node = d.choice(d.walks.starts[i])
        if node in d.walks.into:
            return node
    raise NoLuck


def conjunction(d: Draft) -> str:
    if d.chance(0.06):
        return typed(d, more=True)
    i = d.sample_entity_path()
    start = d.choice(d.walks.starts[i])
    inner: Np | None = None
    if d.chance(0.1) and start in d.walks.into:
        inner = d.describe(start, 0, {start})
    first = d.find(i, inner or start)
    node = d.choice([a for a in first.answers if isinstance(a, str)])
    avoid: set[Node] = {start, node}
    second = d.kept(first, node, avoid, 1 if d.chance(0.12) else 0)
    if d.chance(0.1):
        third = d.kept(second, node, avoid, 0)
        return d.ask_for(first, f"{d.joined(first, second)} and {d.clause(third)}")
    noun = d.joint_noun(first, second)
    a, b = (first, second) if d.chance(0.6) else (second, first)
    asks = "Which" if d.chance(0.5) else "What"
    forms: list[Callable[[], str]] = [lambda: d.ask_for(first, d.joined(a, b))]
    if d.has_verb(a) and d.has_verb(b):
        forms += [lambda: f"{asks} {noun} {d.verb(a)} and {d.verb(b)}?"] * 3
        forms.append(lambda: f"{asks} {noun} {d.verb(a)} and also {d.verb(b)}?")
    if d.has_verb(b):
        forms += [lambda: f"{asks} {noun} {d.clause(a)} {d.verb(b)}?"] * 2
        forms.append(lambda: f"The {noun} {d.clause(a)} {d.verb(b)}. What is it?" if d.chance(0.2) else
                     f"{asks} {noun}, {d.clause(a)}, {d.verb(b)}?")  # fmt: skip
    options = [] if a.nested else a.words.open_questions
    if options:
        wh, head, rest = d.choice(options)
        if wh == "What" or d.chance(0.9):
            said = d.clauses if rest.startswith(("are ", "were ", "do ", "have ")) else d.clause
            forms += [lambda: f"{wh} {head} {said(b)} {d.fill(rest, a.filler)}?"] * 2
            forms.append(lambda: d.fill(f"{wh} {head} {rest}", a.filler) + f" and {said(b)}?")
            forms.append(lambda: d.fill(f"{wh} {head} {rest}", a.filler) + f" {said(b)}?")
    if a.words.asks == "Who":
        whos = [q for q in a.words.questions if q.startswith("Who ") and "{}" in q[4:]]
        if whos and not a.nested and d.has_verb(b):
            forms += [lambda: d.fill(d.choice(whos), a.filler)[:-1] + f" and {d.verb(b)}?"] * 2
    forms.append(lambda: f"Name the {noun} {d.clause(a)}, {d.clause(b)}.")
    return d.choice(forms)()


def _source(d: Draft) -> Parts:
    """Things found from an entity or a described one; enough of them to choose among."""
    i = d.sample_entity_path()
    start = d.choice(d.walks.starts[i])
    if d.chance(0.25) and start in d.walks.into:
        return d.find(i, d.describe(start, 0, {start}))
    return d.find(i, start)


def _place_of_kind(d: Draft) -> str:
    """'What is the largest city in Canada?': the extreme of those of a type among what lies in a place."""
    for _ in range(10):
        mark = d.mark()
        try:
            i = d.choice(d.world.place_paths)
            p = d.find(i, d.choice(d.walks.starts[i]))
            if d.chance(0.6):
                p.words = replace(p.words, clauses=("in {}",))
            _of_kind(d, p)
            return d.extreme(p)[1]
        except NoLuck:
            d.undo(mark)
    raise NoLuck


def _of_kind(d: Draft, p: Parts) -> None:
    """Keep those of the answers that are of one of their types, named by a common noun."""
    for t in d.graph.notable(d.choice(p.answers)):
        nouns = d.graph.nouns_of(t)
        if not nouns or all(t in d.graph.notable(a) for a in p.answers):
            continue
        noun = d.choice(nouns)
        d.mentions.append(Mention(t, d.graph.names[t], noun))
        path = (Hop(Iri(d.graph.typing), True),)
        asked = (f"Of these, which is {an(noun)}?", f"Which of these is {an(noun)}?")
        p.ref = d.add(Keep(Ref(p.ref), Iri(t), path), noun, *asked)
        p.answers = [a for a in p.answers if t in d.graph.notable(a)]
        p.noun = chr(ENTITY + len(d.mentions) - 1)
        return
    raise NoLuck


def superlative(d: Draft) -> str:
    roll = d.rng.random()
    if roll > 0.7 and d.world.place_paths:
        return _place_of_kind(d)
    if roll < 0.2 and d.world.span_paths:
        i = d.choice(d.world.span_paths)
        return d.tenure(i, d.choice(d.walks.starts[i]))[1]
    if roll < 0.22 and d.world.editions:
        return d.last_winner()[1]
    if roll < 0.26 and d.world.editions:
        return _last_win(d)
    return d.extreme(_source(d))[1]


def _last_win(d: Draft) -> str:
    """'When did the team with the mascot Lou Seal last win the World Series?'"""
    titles = d.walks.number.get(CHAMPIONSHIPS)
    if titles is None:
        raise NoLuck
    team = d.choice(d.walks.starts[titles])
    nested = d.chance(0.5) and team in d.walks.into
    won = d.find(titles, d.describe(team, 0, {team}) if nested else team)
    _, start, i = d.choice([
        (a, s, i)
        for i in d.world.editions
        for a in won.answers
        for s in d.graph.answers(a, back(d.walks.routes[i]))
        if isinstance(s, str) and s in d.graph.names
    ])  # fmt: skip
    kept = d.find(i, start, keep=won.ref, among=won.answers)
    descending, best = d.chance(0.6), d.world.ends(kept.answers)
    if not best:
        raise NoLuck
    word = "last" if descending else "first"
    d.add(Pick(Ref(kept.ref), "answer", best[0].path, descending, Kind.DATE), kept.noun,
          f"Of these, which was the {word}?", f"Which of these was {word}?")  # fmt: skip
    cup = d.fill("{}", kept.filler).removeprefix("the ").removeprefix("The ")
    return d.fill(d.choice(_LAST_WIN).format(word=word, cup=cup), won.filler)


def comparative(d: Draft) -> str:
    return d.compared(_source(d))[1]


def filtered(d: Draft) -> str:
    i = d.choice(d.world.span_paths)
    return d.question(d.narrowed(i, d.choice(d.walks.starts[i]), None, 1, "time"))


def restricted(d: Draft) -> str:
    if d.chance(0.3) or not d.world.mediator_paths:
        return typed(d)
    i = d.choice(d.world.mediator_paths)
    return d.question(d.narrowed(i, d.choice(d.walks.starts[i]), None, 1, "is"))


def typed(d: Draft, more: bool = False) -> str:
    """Those of the answers that are of a type: 'Which countries border ...'"""
    p = _source(d)
    node = d.choice(p.answers)
    for t in d.graph.notable(node):
        nouns = d.graph.nouns_of(t)
        if not nouns or all(t in d.graph.notable(a) for a in p.answers):
            continue
        noun = d.choice(nouns)
        d.mentions.append(Mention(t, d.graph.names[t], noun))
        mark = chr(ENTITY + len(d.mentions) - 1)
        path = (Hop(Iri(d.graph.typing), True),)
        kept = d.add(
            Keep(Ref(p.ref), Iri(t), path),
            noun,
            f"Of these, which is {an(noun)}?",
            f"Which of these is {an(noun)}?",
        )
        if more:
            p.ref, p.answers = kept, [a for a in p.answers if t in d.graph.notable(a)]
            other = d.kept(p, node, {node}, 0)
            a, b = (p, other) if d.chance(0.6) else (other, p)
            asks = d.choice(("What", "Which"))
            if d.has_verb(a) and d.has_verb(b) and d.chance(0.6):
                return f"{asks} {mark} {d.verb(a)} and {d.verb(b)}?"
            if d.has_verb(b):
                return f"{asks} {mark} {d.clause(a)} {d.verb(b)}?"
            return f"What is the {mark} {d.clause(a)} and {d.clause(b)}?"
        if d.has_verb(p) and d.chance(0.6):
            return f"{d.choice(('What', 'Which'))} {mark} {d.verb(p)}?"
        opened = [] if p.nested else p.words.open_questions
        if opened and d.chance(0.6):
            wh, _, rest = d.choice(opened)
            return f"{wh} {mark} {d.fill(rest, p.filler)}{p.suffix}?"
        return f"{d.choice(('What is the', 'Which is the', 'Name the', 'What'))} {mark} {d.clause(p)}?"
    raise NoLuck


def doubled(d: Draft) -> str:
    i = d.choice(d.world.mediator_paths)
    return d.question(d.narrowed(i, d.choice(d.walks.starts[i]), None, 2))


def union(d: Draft) -> str:
    i = d.sample_entity_path()
    start = d.choice(d.walks.starts[i])
    one = d.find(i, start)
    if d.chance(0.6):
        two = d.find(i, d.choice([s for s in d.walks.starts[i][:500] if s != start]))
        d.add(Merge((Ref(1), Ref(2))), one.noun, "Which are found in either of them?")
        both = d.choice(("{} or {}", "either {} or {}")).format(
            d.fill("{}", one.filler), d.fill("{}", two.filler)
        )
        both = both.replace(" The ", " the ").removeprefix("The ")
        return d.fill(d.choice([q for q in one.words.nested_questions if not q.startswith("{}")]), both)
    j, other = d.link_to(d.choice(one.answers), {start})
    two = d.find(j, other)
    d.add(Merge((Ref(1), Ref(2))), one.noun, "Which are found in either of them?")
    noun = d.joint_noun(one, two)
    if d.has_verb(one) and d.has_verb(two) and d.chance(0.7):
        either = d.choice(("either ", "", ""))
        return f"{d.choice(('Which', 'What'))} {noun} {either}{d.verb(one)} or {d.verb(two)}?"
    return f"{d.choice(('What are', 'Name'))} the {plural(noun)} {d.clauses(one)} or {d.clauses(two)}?"


def counted(d: Draft) -> str:
    p = _source(d)
    d.add(Count(Ref(p.ref)), "number", "How many are there?", f"How many {plural(p.noun)} are there?")
    forms = [
        f"How many {plural(p.noun)} are there {d.clauses(p)}?",
        f"What is the number of {plural(p.noun)} {d.clauses(p)}?",
    ]
    if not p.nested:
        for _, head, rest in p.words.open_questions:
            verb, _, tail = rest.partition(" ")
            if verb in ("is", "was", "has"):
                rest = {"is": "are", "was": "were", "has": "have"}[verb] + " " + tail
            forms += [d.fill(f"How many {plural(head)} {rest}?", p.filler)] * 2
    return d.choice(forms)


RECIPES: dict[str, tuple[float, Callable[[Draft], str]]] = {
    "single": (0.15, single),
    "composition": (0.30, composition),
    "conjunction": (0.24, conjunction),
    "superlative": (0.09, superlative),
    "comparative": (0.09, comparative),
    "filter": (0.05, filtered),
    "restriction": (0.035, restricted),
    "double restriction": (0.01, doubled),
    "union": (0.02, union),
    "count": (0.02, counted),
}
