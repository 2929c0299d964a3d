"""Questions of the types that owners ask for, over two made-up graphs: right, wrong or not understood."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import company, library
from bench.owner_questions import OwnerQuestion
from kbqa.dialogue import Version
from kbqa.engine import Engine
from kbqa.kb import build_kb
from kbqa.protocols import Store
from kbqa.types import Constant, Count, Iri, Literal

BOOKS, EMPLOYEES = 1000, 120
_CLOSE = 1e-6


def run(asked: Sequence[OwnerQuestion], folder: Path) -> list[dict[str, object]]:
    """Each question with what became of it."""
    rows: list[dict[str, object]] = []
    for graph in ("library", "company"):
        made = library.Library(BOOKS) if graph == "library" else company.Company(EMPLOYEES)
        names, prefixes = _names(made), (library if graph == "library" else company).PREFIXES
        file = folder / f"{graph}.ttl"
        file.write_text("".join(made.turtle()), encoding="utf-8")
        with Engine.open(str(build_kb([file], folder / graph))) as engine:
            for one in asked:
                if one.graph == graph:
                    question = one.question.format(**names)
                    gold = prefixes.replace("@prefix", "PREFIX").replace(" .\n", "\n") + one.gold
                    version = engine.first_version(question).current
                    outcome = _outcome(version, gold, engine.kb.store)
                    steps = [s.template for s in version.steps] if version else []
                    rows.append({"type": one.type, "question": question, "outcome": outcome, "steps": steps})
    return rows


def table(rows: Sequence[dict[str, object]]) -> Iterator[str]:
    """How many questions of each type were answered rightly, wrongly, or not understood."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[str(row["type"])][str(row["outcome"])] += 1
        counts["all"][str(row["outcome"])] += 1
    yield f"{'type':<18} {'n':>3} {'right':>6} {'wrong':>6} {'not understood':>15}"
    for kind in sorted(counts, key=lambda k: k == "all"):
        c = counts[kind]
        yield f"{kind:<18} {c.total():>3} {c['right']:>6} {c['wrong']:>6} {c['not understood']:>15}"


def _names(made: library.Library | company.Company) -> dict[str, str]:
    if isinstance(made, library.Library):
        lists = {"b": made.titles, "a": made.authors, "m": made.members, "r": made.branches}
    else:
        lists = {"e": made.employees, "d": made.departments, "o": made.offices, "p": made.projects}
    return {f"{letter}{i}": name for letter, some in lists.items() for i, name in enumerate(some)}


def _outcome(version: Version | None, gold: str, store: Store) -> str:
    if version is None:
        return "not understood"
    rows = store.select(gold).rows
    wanted = {tuple(map(_text, row)) for row in rows}
    step = version.steps[-1]
    found = {(_text(a.value),) for a in step.answers}
    if rows and len(rows[0]) == 2:
        found = {(_text(a.value), a.label.rpartition(": ")[2].replace(",", "")) for a in step.answers}
    if isinstance(version.parse.decomposition.steps[-1], Count) and not found:
        found = {("0",)}
    return "right" if found == wanted or _close(found, wanted) else "wrong"


def _close(found: set[tuple[str, ...]], wanted: set[tuple[str, ...]]) -> bool:
    """Whether both are one number, the same but for rounding."""
    try:
        ((one,),), ((other,),) = found, wanted
        return abs(float(one) - float(other)) <= _CLOSE * max(1.0, abs(float(other)))
    except ValueError:
        return False


def _text(value: Constant | None) -> str:
    return value.value if isinstance(value, Iri) else value.lexical if isinstance(value, Literal) else ""
