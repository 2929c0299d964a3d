"""Questions about all instances of a class of an own graph: 'Which book has the highest price?'"""

from __future__ import annotations

from collections.abc import Callable

from kbqa.lexicon.nouns import plural
from kbqa.synth.recipes import Draft
from kbqa.synth.speech import ENTITY, Mention, NoLuck, Parts
from kbqa.synth.words import Wordings
from kbqa.types import Count, Find, Hop, Iri, Ref

_ALL = ("Which {} are there?", "What {} are there?", "Name all {}.", "List the {}.", "Show me all {}.")
_HOW_MANY = ("How many {} are there?", "What is the number of {}?")


def of_a_class(d: Draft) -> str:
    graph = d.graph
    kind = d.choice(list(graph.nouns))
    members = [m for m in graph.into.get(kind, {}).get(graph.typing, ()) if m in graph.names]
    if len(members) < 2:
        raise NoLuck
    noun = d.choice(graph.nouns[kind])
    several, roll = plural(noun), d.rng.random()
    d.mentions.append(Mention(kind, graph.names[kind], several if roll < 0.35 else noun))
    mark = chr(ENTITY + len(d.mentions) - 1)
    asked = [form.format(several) for form in _ALL[:3]]
    ref = d.add(Find(Iri(kind), (Hop(Iri(graph.typing), True),)), noun, *asked)
    if roll < 0.2:
        return d.choice(_ALL).format(mark)
    if roll < 0.35:
        d.add(Count(Ref(ref)), "number", "How many are there?", f"How many {several} are there?")
        return d.choice(_HOW_MANY).format(mark)
    words = Wordings(noun, "Which", (), (), ("",))
    # no walk of the lexicon leads here: path 0 stands for one that nothing is special about
    p = Parts(ref, 0, "", False, list(members), words, mark)
    return (d.extreme if roll < 0.7 else d.compared)(p)[1]


CLASS_RECIPES: dict[str, tuple[float, Callable[[Draft], str]]] = {"class": (0.06, of_a_class)}
"""As `kbqa.synth.recipes.RECIPES`, for graphs whose classes are known."""
