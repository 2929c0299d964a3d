"""What is wrong with shown steps, in categories that tell what a parser or corrector lacks."""

from __future__ import annotations

from collections.abc import Mapping

from kbqa.errors import TemplateError
from kbqa.lexicon import Lexicon
from kbqa.rewire import Steps, with_references
from kbqa.simulate.align import Operation, nearest
from kbqa.simulate.goal import Goal
from kbqa.templates import Names, write_all
from kbqa.types import Find, Iri, Keep, Path, Pick, Ref, Step, reverse

CATEGORIES = (
    "missing step",
    "superfluous step",
    "wrong entity",
    "wrong predicate",
    "wrong direction",
    "missing condition",
    "superfluous condition",
    "wrong condition",
    "wrong order",
    "wrong earlier answers",
    "another step",
)


def errors(goal: Goal, shown: Steps, lexicon: Lexicon) -> list[dict[str, str]]:
    """{category, wanted, shown} for each difference from the goal, both in templated English; none where the
    goal has no steps."""
    if not goal.ways:
        return []
    script = nearest(goal.ways, shown)
    wanted, here = (_texts(steps, goal.names, lexicon) for steps in (script.way, shown))
    return [
        {
            "category": category(operation, script.way, shown),
            "wanted": wanted[operation.wanted - 1] if operation.wanted else "",
            "shown": "" if operation.kind == "insert" else here[operation.step - 1],
        }
        for operation in script.operations
    ]


def _texts(steps: Steps, names: Mapping[Iri, str], lexicon: Lexicon) -> list[str]:
    try:
        return list(write_all(steps, lexicon, Names(dict(names))))
    except TemplateError:
        return [type(s).__name__ for s in steps]


def category(operation: Operation, way: Steps, shown: Steps) -> str:
    """One of `CATEGORIES`."""
    if operation.kind == "insert":
        return "missing step"
    if operation.kind == "delete":
        return "superfluous step"
    return _difference(way[operation.wanted - 1], shown[operation.step - 1])


def _difference(wanted: Step, shown: Step) -> str:
    a, b = with_references(wanted, lambda _: Ref(0)), with_references(shown, lambda _: Ref(0))
    if a == b:
        return "wrong earlier answers"
    match a, b:
        case ((Find() | Keep()), (Find() | Keep())):
            return _of_paths(a, b)
        case Pick(), Pick():
            return "wrong order"
    return "another step"


def _of_paths(a: Find | Keep, b: Find | Keep) -> str:
    if a.path == b.path and a.anchor == b.anchor:
        wanted, shown = set(a.restrictions), set(b.restrictions)
        if wanted > shown:
            return "missing condition"
        return "superfluous condition" if wanted < shown else "wrong condition"
    if a.path == b.path:
        return "wrong entity"
    if a.anchor == b.anchor:
        return "wrong direction" if a.path and _turned(a.path, b.path) else "wrong predicate"
    return "another step"


def _turned(a: Path, b: Path) -> bool:
    return a == reverse(b) or tuple(h.predicate for h in a) == tuple(h.predicate for h in b)
