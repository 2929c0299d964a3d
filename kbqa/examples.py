"""Example questions that verifiably have answers in the knowledge base at hand."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from kbqa.errors import KbqaError, StoreError
from kbqa.kb import STUB, KnowledgeBase, cache_folder

if TYPE_CHECKING:
    from kbqa.engine import Engine

MAX_SECONDS, MAX_TRIED = 8.0, 20
"""What is spent on finding examples; what was found by then is what there is."""

_FILE = Path(__file__).with_name("examples.txt")


def working_examples(engine: Engine, k: int = 5) -> tuple[str, ...]:
    """Up to `k` questions that the engine answers, the same ones each time. Found once for a knowledge
    base and parser, then read from the cache."""
    cache = cache_folder() / f"examples-{_stamp(engine)}.json"
    known, wanted = _read(cache)
    if wanted >= k:
        return known[:k]
    found, in_time = _find(engine, k)
    if in_time:  # else the machine was busy: looked for again next time
        _write(cache, found, k)
    return found


def _find(engine: Engine, k: int) -> tuple[tuple[str, ...], bool]:
    """The first `k` candidates that work, and whether there was time to look for all of them."""
    found: list[str] = []
    deadline = time.monotonic() + MAX_SECONDS
    for question in islice(candidates(engine.kb), max(MAX_TRIED, 2 * k)):
        if len(found) == k:
            break
        if time.monotonic() > deadline:
            return tuple(found), False
        if _works(engine, question):
            found.append(question)
    return tuple(found), True


def _works(engine: Engine, question: str) -> bool:
    """Understood, and every step has an answer."""
    try:
        version = engine.first_version(question).current
    except KbqaError:
        return False
    return version is not None and all(s.outcome in ("answered", "cut") for s in version.steps)


def candidates(kb: KnowledgeBase) -> Iterator[str]:
    """Questions worth trying: for the stub those in examples.txt, else some about what is in the graph."""
    if kb.name == STUB:
        lines = _FILE.read_text(encoding="utf-8").splitlines()
        yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))
    else:
        yield from _about(kb)


def _about(kb: KnowledgeBase) -> Iterator[str]:
    """One question for each worded predicate, about an entity that has it."""
    for path, wordings in kb.lexicon.natural.items():
        if len(path) != 1 or path[0].inverse or path[0].predicate not in kb.paths.predicates:
            continue
        for wording in wordings.get("question", ())[:1]:
            query = f"SELECT ?e WHERE {{ ?e <{path[0].predicate.value}> ?v }} LIMIT 20"
            try:
                rows = kb.store.select(query, time_limit_s=2.0).rows
                labels = kb.names.fetch([row[0] for row in rows])  # type: ignore[misc]
            except StoreError:
                continue
            if labels:
                yield wording.replace("{}", min(labels.values()))


def _stamp(engine: Engine) -> str:
    try:
        listed = _FILE.read_bytes()
    except OSError:
        listed = b""
    return hashlib.sha256(engine.signature.encode() + listed).hexdigest()[:16]


def _read(cache: Path) -> tuple[tuple[str, ...], int]:
    """The examples found before, and how many were looked for."""
    try:
        found = json.loads(cache.read_text(encoding="utf-8"))
        return tuple(str(q) for q in found["questions"]), int(found["wanted"])
    except (OSError, ValueError, KeyError, TypeError):
        return (), 0


def _write(cache: Path, found: tuple[str, ...], wanted: int) -> None:
    """Where the cache can't be written, the examples are found again next time."""
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=cache.parent, delete=False, encoding="utf-8") as file:
            json.dump({"questions": found, "wanted": wanted}, file)
        os.replace(file.name, cache)
    except OSError:
        return
