"""Measures the label index and the entity linker. Prints one JSON object a measurement.

    python bench/link.py index --labels 1000000 [--names names.nt.gz] [--compare]
    python bench/link.py questions --names names.nt.gz --facts facts.nt.gz --questions dev.jsonl.gz

`index`: misspelled names against an index of that many labels (the names given, the rest composed
of their parts; without `--names` all are made of syllables). `questions`: rows {question, entities:
{mid: name}}; how many of the gold entities are found, and what is found that is not gold.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

import pyoxigraph
from rapidfuzz import fuzz, process

from kbqa.link import EntityLinker, Label, LabelIndex, key
from kbqa.link.match import likeness
from kbqa.link.normalise import tokens
from kbqa.link.words import FUNCTION
from kbqa.types import FREEBASE, Iri

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SYLLABLES = """
    ka lo mi ran tel bor sha vin der mar ni os an el tor gu ber li sen wo ha ry mon te fi ca du pe
    """.split()
GENERIC = """
    Bank Bridge Church County District Festival Governorate Institute Lake League Museum Party School
    """.split()


def opened(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def degrees(path: Path | None) -> Counter[str]:
    found: Counter[str] = Counter()
    if path is not None:
        with opened(path) as lines:
            for line in lines:
                subject, _, rest = line.decode().split(" ", 2)
                found[subject[1:-1]] += 1
                if rest.startswith("<"):
                    found[rest[1 : rest.index(">")]] += 1
    return found


def freebase_labels(names: Path, facts: Path | None) -> list[Label]:
    count = degrees(facts)
    found = []
    with opened(names) as source:
        for triple in pyoxigraph.parse(source, format=pyoxigraph.RdfFormat.N_TRIPLES):
            entity, predicate, name = triple.subject, triple.predicate.value, triple.object
            naming = predicate in (FREEBASE + "type.object.name", FREEBASE + "common.topic.alias")
            if naming and isinstance(entity, pyoxigraph.NamedNode) and isinstance(name, pyoxigraph.Literal):
                alias = predicate.endswith("alias")
                found.append(Label(Iri(entity.value), name.value, alias, (), count[entity.value]))
    return found


def synthetic(real: Sequence[Label], total: int, rng: random.Random) -> Iterator[Label]:
    """The real labels, then names composed of their parts (or of syllables)."""
    yield from real[:total]
    parts = [label.label.split() for label in real if 2 <= len(label.label.split()) <= 5]
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))).capitalize() for _ in range(60_000)]
    for number in range(total - min(total, len(real))):
        if parts:
            left, right = rng.choice(parts), rng.choice(parts)
            name = " ".join(left[: rng.randint(1, len(left) - 1)] + right[rng.randint(1, len(right) - 1) :])
        else:
            picked = [words[int(len(words) * rng.random() ** 2)] for _ in range(rng.randint(1, 3))]
            name = " ".join(picked + [rng.choice(GENERIC)] * (rng.random() < 0.4 or len(picked) == 1))
        degree = int(rng.paretovariate(1.0))
        yield Label(Iri(f"http://example.org/{number}"), name, False, (), degree)


def misspelled(text: str, edits: int, rng: random.Random) -> str:
    """`edits` random letters dropped, doubled, replaced or swapped, never across words."""
    letters = list(text)
    for _ in range(edits):
        places = [i for i, letter in enumerate(letters) if letter.isalnum()]
        at = rng.choice(places)
        kind = rng.randrange(4)
        if kind == 0 and len(places) > 3:
            del letters[at]
        elif kind == 1 and at + 1 < len(letters) and letters[at + 1].isalnum():
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
        elif kind == 2:
            letters[at] = rng.choice(LETTERS)
        else:
            letters.insert(at, rng.choice(LETTERS))
    return "".join(letters)


def percentile(values: Sequence[float], share: float) -> float:
    return round(sorted(values)[min(len(values) - 1, int(share * len(values)))], 3)


def report(**row: object) -> None:
    print(json.dumps(row, ensure_ascii=False), flush=True)


Search = Callable[[str], Sequence[str]]
"""Text -> normal forms of the names found, best first."""


def measure(name: str, search: Search, queries: Sequence[tuple[str, str]], **facts: object) -> None:
    """`queries`: (as typed, the normal form meant)."""
    times, first, five = [], 0, 0
    for typed, meant in queries:
        start = time.perf_counter()
        found = search(typed)
        times.append(1000 * (time.perf_counter() - start))
        first += found[:1] == [meant]
        five += meant in found[:5]
    n = len(queries)
    report(
        measured=name,
        n=n,
        recall_at_1=round(first / n, 4),
        recall_at_5=round(five / n, 4),
        ms_p50=percentile(times, 0.5),
        ms_p95=percentile(times, 0.95),
        **facts,
    )


def of_index(index: LabelIndex) -> Search:
    return lambda text: [key(candidate.matched) for candidate in index.lookup(text, limit=10)]


def fts5_trigrams(forms: Sequence[str], file: Path, weigh: Callable[[str], float]) -> Search:
    """SQLite FTS5: names sharing the 12 rarest trigrams, reranked."""
    base = sqlite3.connect(file)
    base.execute("CREATE VIRTUAL TABLE name USING fts5(form, tokenize='trigram', detail=none)")
    base.executemany("INSERT INTO name VALUES (?)", ((form,) for form in forms))
    base.commit()
    count = Counter(form[i : i + 3] for form in forms for i in range(len(form) - 2))

    def search(text: str) -> Sequence[str]:
        wanted = key(text)
        grams = sorted(
            {wanted[i : i + 3] for i in range(len(wanted) - 2)} & count.keys(), key=count.__getitem__
        )
        if not grams:
            return []
        match = " OR ".join('"' + gram.replace('"', '""') + '"' for gram in grams[:12])
        rows = base.execute(
            "SELECT form FROM name WHERE name MATCH ? ORDER BY rank LIMIT 80", (match,)
        ).fetchall()
        return sorted({row[0] for row in rows}, key=lambda form: -likeness(wanted, form, weigh))

    return search


def scan(forms: Sequence[str]) -> Search:
    """rapidfuzz over every name."""
    return lambda text: [
        form for form, _, _ in process.extract(key(text), forms, scorer=fuzz.ratio, limit=10)
    ]


def size_of(folder: Path) -> float:
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6, 1)


def bench_index(options: argparse.Namespace) -> None:
    rng = random.Random(options.seed)
    real = freebase_labels(options.names, options.facts) if options.names else []
    rng.shuffle(real)
    labels = list(synthetic(real, options.labels, rng))
    pool = [label for label in labels if len(key(label.label)) >= 6 and label.label.isascii()]
    names = [label.label for label in rng.sample(pool, options.queries)]
    queries = {edits: [(misspelled(key(name), edits, rng), key(name)) for name in names] for edits in (1, 2)}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "index"
        start = time.perf_counter()
        LabelIndex.build(labels, folder).close()
        built = round(time.perf_counter() - start, 1)
        start = time.perf_counter()
        index = LabelIndex.open(folder)
        opening = round(1000 * (time.perf_counter() - start), 2)
        common = {"labels": len(labels), "seed": options.seed}
        report(measured="build", build_s=built, open_ms=opening, size_mb=size_of(folder), **common)
        measure("exact", of_index(index), [(name, key(name)) for name in names], **common)
        for edits, asked in queries.items():
            measure(f"tantivy, {edits} edits", of_index(index), asked, **common)
        if options.memory:
            start = time.perf_counter()
            small = LabelIndex.build(labels)
            common["build_s"] = round(time.perf_counter() - start, 2)
            for edits, asked in queries.items():
                measure(f"memory, {edits} edits", of_index(small), asked, **common)
        if options.compare:
            forms = list(dict.fromkeys(key(label.label) for label in labels))
            weigh = index.weigh
            trigrams = fts5_trigrams(forms, Path(scratch) / "fts.sqlite", weigh)
            size = round((Path(scratch) / "fts.sqlite").stat().st_size / 1e6, 1)
            for edits, asked in queries.items():
                measure(f"fts5, {edits} edits", trigrams, asked[:200], size_mb=size, **common)
                measure(f"rapidfuzz scan, {edits} edits", scan(forms), asked[:50], **common)


def bench_questions(options: argparse.Namespace) -> None:
    labels = freebase_labels(options.names, options.facts)
    with opened(options.questions) as lines:
        rows = [json.loads(line) for line in lines]
    rng = random.Random(options.seed)
    rows = rng.sample(rows, min(options.sample, len(rows)))
    with tempfile.TemporaryDirectory() as scratch:
        index = LabelIndex.build(labels, None if options.memory else Path(scratch) / "index")
        linker = EntityLinker(index)
        for variant in ("as asked", "lower case", "misspelled"):
            count, times = score(linker, [vary(row, variant, rng) for row in rows], options.verbose)
            shown = {}
            for kind in ("all", "sharing a word", "name in full"):
                n = count[kind]
                shown[kind] = {
                    "n": n,
                    "first": round(count[kind + " first"] / max(1, n), 3),
                    "among_candidates": round(count[kind + " found"] / max(1, n), 3),
                }
            report(
                measured=f"questions, {variant}",
                n=len(rows),
                seed=options.seed,
                labels=len(labels),
                gold=shown,
                mentions=round(count["mentions"] / len(rows), 3),
                not_gold=round(count["not gold"] / len(rows), 3),
                no_word_of_gold=round(count["no word of gold"] / len(rows), 3),
                ms_p50=percentile(times, 0.5),
                ms_p95=percentile(times, 0.95),
            )


Row = tuple[str, dict[str, str], str]
"""Question asked, gold entities, question as it was."""


def vary(row: dict[str, object], variant: str, rng: random.Random) -> Row:
    question = str(row["question"])
    entities = row["entities"]
    gold = {str(mid): str(name or "") for mid, name in entities.items()} if isinstance(entities, dict) else {}
    asked = question.lower() if variant == "lower case" else question
    if variant == "misspelled":
        for name in gold.values():
            at = question.find(name)
            if len(name) >= 6 and at >= 0 and name in asked:
                asked = asked.replace(name, misspelled(name, 1, rng), 1)
    return asked, gold, question


def score(linker: EntityLinker, rows: Iterable[Row], verbose: bool) -> tuple[Counter[str], list[float]]:
    count: Counter[str] = Counter()
    times = []
    for asked, gold, question in rows:
        start = time.perf_counter()
        mentions = linker.link(asked)
        times.append(1000 * (time.perf_counter() - start))
        firsts = {mention.candidates[0].entity.mid for mention in mentions}
        every = {candidate.entity.mid for mention in mentions for candidate in mention.candidates}
        words = {token.word for token in tokens(question)} - FUNCTION
        for mid, name in gold.items():
            shares = bool(words & {token.word for token in tokens(name)})
            in_full = bool(name) and f" {key(name)} " in f" {key(question)} "
            for kind in ["all"] + ["sharing a word"] * shares + ["name in full"] * in_full:
                count[kind] += 1
                count[kind + " first"] += mid in firsts
                count[kind + " found"] += mid in every
            if verbose and shares and mid not in every:
                print(
                    "missed:", name, "|", asked, "|", [mention.text for mention in mentions], file=sys.stderr
                )
        named = {token.word for name in gold.values() for token in tokens(name)} - FUNCTION
        count["mentions"] += len(mentions)
        for mention in mentions:
            if not gold.keys() & {candidate.entity.mid for candidate in mention.candidates}:
                count["not gold"] += 1
                count["no word of gold"] += not named & {token.word for token in tokens(mention.text)}
    return count, times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    index = commands.add_parser("index", help="label look-up with spelling mistakes")
    index.add_argument("--labels", type=int, default=1_000_000)
    index.add_argument("--queries", type=int, default=1000)
    index.add_argument("--compare", action="store_true", help="FTS5 and a rapidfuzz scan beside it")
    index.add_argument("--names", type=Path, help="N-Triples (.gz) of names and aliases")
    questions = commands.add_parser("questions", help="linking real questions")
    questions.add_argument("--names", type=Path, required=True)
    questions.add_argument("--questions", type=Path, required=True, help="JSON lines (.gz)")
    questions.add_argument("--sample", type=int, default=500)
    questions.add_argument("--verbose", action="store_true", help="missed entities to stderr")
    for command in (index, questions):
        command.add_argument(
            "--facts", type=Path, help="N-Triples (.gz) whose triples are counted as degrees"
        )
        command.add_argument("--memory", action="store_true", help="the in-memory variant (index: as well)")
        command.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    bench_index(options) if options.command == "index" else bench_questions(options)


if __name__ == "__main__":
    main()
