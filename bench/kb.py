"""How well a graph that nobody prepared is asked, and how long its build takes.

    python -m bench.kb ask                     # 20 questions over a made-up library, right at first try
    python -m bench.kb types                   # questions of each type of query that owners ask for
    python -m bench.kb build --books 58000     # seconds and memory (about 17 triples a book; bench.scale)

The questions were written before the wordings that are induced for the graph had been looked at.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.library import PREFIXES, Library
from kbqa.types import Iri, Literal


@dataclass(frozen=True)
class Asked:
    """A question, and the query whose answers are right; {b3}, {a3}, {m3}, {r3} stand for the names of a
    book, author, member and branch."""

    question: str
    gold: str
    select: str = "DISTINCT ?x"


QUESTIONS = (
    Asked("Who wrote {b7}?", ":b7 schema:author ?x"),
    Asked("Which books did {a5} write?", "?x schema:author :a5"),
    Asked("When was {a12} born?", ":a12 schema:birthDate ?x"),
    Asked("Where was {a12} born?", ":a12 schema:birthPlace ?x"),
    Asked("How many pages does {b20} have?", ":b20 schema:numberOfPages ?x"),
    Asked("Who published {b31}?", ":b31 dct:publisher ?x"),
    Asked("What language is {b42} written in?", ":b42 dct:language ?x"),
    Asked("Which branch holds {b3}?", ":b3 lib:heldBy ?x"),
    Asked("Who manages the {r2}?", ":branch2 lib:hasManager ?x"),
    Asked("What is the phone number of {r4}?", ":branch4 schema:telephone ?x"),
    Asked("What is the email address of {m9}?", ":m9 schema:email ?x"),
    Asked("When did {m9} join?", ":m9 lib:joined ?x"),
    Asked("Which city is {r6} in?", ":branch6 schema:location ?x"),
    Asked("What books about Astronomy are there?", "?x dct:subject :subject3"),
    Asked("Who translated {b8}?", ":b8 schema:translator ?x"),
    Asked("Which books has {m30} borrowed?", "?l lib:borrower :m30 ; lib:item ?x"),
    Asked("Where was the author of {b10} born?", ":b10 schema:author ?a . ?a schema:birthPlace ?x"),
    Asked("When was Bluestone Press founded?", ":house1 schema:foundingDate ?x"),
    Asked(
        "Which books by {a5} are in Polish?",
        "?x schema:author :a5 ; dct:language :language3",
    ),
    Asked(
        "Which book published by Quill Editions has the most pages?",
        "?x dct:publisher :house3 ; schema:numberOfPages ?n } ORDER BY DESC(?n) LIMIT 1 #",
    ),
)


FURTHER = (
    Asked("How many books did {a5} write?", "?b schema:author :a5", "(COUNT(DISTINCT ?b) AS ?x)"),
    Asked("Name all branches.", "?x a lib:Branch"),
    Asked("What is the ISBN of {b12}?", ":b12 schema:isbn ?x"),
    Asked("How much does {b15} cost?", ":b15 schema:price ?x"),
    Asked("Which authors were born in Eastmere?", "?x schema:birthPlace :city3"),
    Asked("What is the population of Vessen?", ":city5 schema:population ?x"),
    Asked("Who is in charge of {r5}?", ":branch5 lib:hasManager ?x"),
    Asked("Which members belong to {r3}?", "?x lib:memberOf :branch3"),
    Asked("Who borrowed {b3}?", "?l lib:item :b3 ; lib:borrower ?x"),
    Asked("List the books published by Tern Academic.", "?x dct:publisher :house6"),
    Asked("When was {r1} opened?", ":branch1 lib:opened ?x"),
    Asked("What topic is {b22} about?", ":b22 dct:subject ?x"),
    Asked("Which books in German are held by {r0}?", "?x dct:language :language1 ; lib:heldBy :branch0"),
    Asked("Who is the publisher of the book {b9}?", ":b9 dct:publisher ?x"),
    Asked("Which books have more than 850 pages?", "?x schema:numberOfPages ?n FILTER (?n > 850)"),
    Asked(
        "Who is the youngest author born in Aldermoor?",
        "?x schema:birthPlace :city0 ; schema:birthDate ?d } ORDER BY DESC(?d) LIMIT 1 #",
    ),
    Asked("How many seats does {r7} have?", ":branch7 lib:seats ?x"),
    Asked("Which library is in Montreval?", "?x a lib:Branch ; schema:location :city7"),
    Asked(
        "What are the books by {a7} that were issued after 1990?",
        '?x schema:author :a7 ; dct:issued ?d FILTER (STR(?d) > "1990-12-31")',
    ),
    Asked("Which city was the author of {b30} born in?", ":b30 schema:author ?a . ?a schema:birthPlace ?x"),
)
"""Written after what `kbqa.induce.match` does, and never used to change it."""


def questions(library: Library, asked: Sequence[Asked] = QUESTIONS) -> list[tuple[str, str]]:
    """Each question with its names, and its gold query."""
    names = {"b": library.titles, "a": library.authors, "m": library.members, "r": library.branches}
    filled = {f"{k}{i}": name for k, some in names.items() for i, name in enumerate(some)}
    prefixes = PREFIXES.replace("@prefix", "PREFIX").replace(" .\n", "\n")
    return [
        (
            q.question.format(**filled),
            f"{prefixes}SELECT {q.select} WHERE {{ {q.gold}\n}}".replace("#\n}", "\n"),
        )
        for q in asked
    ]


def ask(folder: Path, library: Library, asked: Sequence[Asked] = QUESTIONS) -> list[dict[str, object]]:
    """Each question with what was answered and whether that is right: the same set of answers."""
    from kbqa.engine import Engine

    rows: list[dict[str, object]] = []
    with Engine.open(str(folder)) as engine:
        for question, gold in questions(library, asked):
            wanted = {_text(r[0]) for r in engine.kb.store.select(gold).rows}
            version = engine.first_version(question).current
            found = {_text(a.value) for a in version.steps[-1].answers} if version else set()
            steps = [s.template for s in version.steps] if version else []
            right = bool(version) and found == wanted
            rows.append({"question": question, "right": right, "steps": steps, "wanted": len(wanted)})
    return rows


def _text(value: object) -> str:
    return value.value if isinstance(value, Iri) else value.lexical if isinstance(value, Literal) else ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("ask", "types", "build"))
    parser.add_argument("--books", type=int, default=1000)
    parser.add_argument("--further", action="store_true", help="the second questions (ask, types)")
    parser.add_argument("--third", action="store_true", help="the third questions (types)")
    parser.add_argument("--kb", type=Path, help="a folder that was built before (ask)")
    parser.add_argument("--endpoint", action="store_true", help="in an Oxigraph server (build)")
    args = parser.parse_args()
    from bench import scale

    with tempfile.TemporaryDirectory(prefix="kbqa-bench-") as scratch:
        if args.what == "build":
            print(json.dumps(scale.figures(args.books, Path(scratch), endpoint=args.endpoint)))
            return
        if args.what == "types":
            from bench.owner_questions import FIRST, SECOND, THIRD
            from bench.owners import run, table

            found = run(THIRD if args.third else SECOND if args.further else FIRST, Path(scratch))
            for row in found:
                print(json.dumps(row, ensure_ascii=False))
            print("\n".join(table(found)))
            return
        folder = args.kb
        if folder is None:
            folder = Path(scratch) / "kb"
            scale.build(str(scale.write(args.books, Path(scratch))), folder)
        rows = ask(folder, Library(args.books), FURTHER if args.further else QUESTIONS)
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
        print(json.dumps({"n": len(rows), "right": sum(bool(r["right"]) for r in rows)}))


if __name__ == "__main__":
    main()
