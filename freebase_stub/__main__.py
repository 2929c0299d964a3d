"""`python -m freebase_stub build --out FILE.nt` and `python -m freebase_stub check`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from freebase_stub.build import Built, compile_tables, ntriples
from freebase_stub.tables import TABLES


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0, or 2 when a table has a problem; then nothing is written."""
    parser = argparse.ArgumentParser(prog="python -m freebase_stub", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="write the sorted N-Triples and print counts by domain")
    build.add_argument("--out", type=Path, required=True, metavar="FILE.nt")
    check = commands.add_parser("check", help="print everything that is wrong with the tables")
    check.add_argument("--domain", action="append", help="only what is wrong in this domain's files")
    for command in (build, check):
        command.add_argument("--tables", type=Path, default=TABLES, help="default: %(default)s")
    options = parser.parse_args(arguments)
    built = compile_tables(options.tables)
    wanted = options.domain if options.command == "check" else None
    problems = [problem for problem in built.problems if not wanted or problem.domain in wanted]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{len(problems)} problems", file=sys.stderr)
        return 2
    if options.command == "build":
        with options.out.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(ntriples(built.triples))
    print(_table(built))
    return 0


def _table(built: Built) -> str:
    header = ("domain", "triples", "predicates", "named entities", "mediators")
    rows = [(c.domain, c.triples, c.predicates, c.entities, c.mediators) for c in built.counts]
    total = ("all", len(built.triples), len({triple.predicate for triple in built.triples}))
    whole = (*total, sum(row[3] for row in rows), sum(row[4] for row in rows))
    lines = [f"{a:<12}{b:>10}{c:>12}{d:>16}{e:>11}" for a, b, c, d, e in (header, *rows, whole)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
