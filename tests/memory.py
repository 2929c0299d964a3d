"""How much memory a command takes over many rows, in a process of its own: `python memory.py COMMAND N
FOLDER` prints its peak in KiB. Dialogues are played once for each kind of question and then repeated, so that
rows are cheap; what is written, read again and reported is all real."""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any


def simulate(n: int, folder: Path) -> None:
    from films import film_engine
    from test_simulate import GOLD

    import kbqa.simulate.run as run
    from kbqa.cli import main
    from kbqa.engine import Engine
    from kbqa.evaluate import statistics
    from kbqa.simulate.play import play_row

    # What resampling needs at once is the same from so many dialogues on: it is no part of the growth.
    statistics.REPLICATES, statistics.TRIALS, statistics._CHUNK = 100, 100, 10_000
    with film_engine(folder) as engine:
        played: dict[str, Any] = {}

        def repeated(_: Any, plan: Any, row: Any, modes: Any) -> Any:
            if row.question not in played:
                played[row.question] = json.dumps(play_row(engine, plan, row, modes))
            return [{**r, "row": row.number, "id": row.id} for r in json.loads(played[row.question])]

        run.play_row = repeated  # type: ignore[assignment]
        Engine.open = classmethod(lambda cls, kb=None: engine)  # type: ignore[assignment]
        rows = list(GOLD.values())
        with (folder / "rows.jsonl").open("w") as out:
            for k in range(n):
                question, sparql = rows[k % len(rows)]
                out.write(json.dumps({"id": f"q{k}", "question": question, "sparql": sparql}) + "\n")
        files = ["--input", str(folder / "rows.jsonl"), "--output", str(folder / "run")]
        sys.argv = ["kbqa", "simulate", *files, "--mode", "full,non-interactive", "--workers", "1"]
        try:
            main()
        except SystemExit as left:
            assert not left.code


def evaluate(n: int, folder: Path) -> None:
    from kbqa.cli import main

    query = "SELECT ?x WHERE {{ ns:m.{} ns:film.film.directed_by ?x }}"
    with (folder / "gold.jsonl").open("w") as gold, (folder / "found.jsonl").open("w") as found:
        for k in range(n):
            gold.write(json.dumps({"id": k, "sparql": query.format(k)}) + "\n")
            parses = [{"sparql": query.format(k + i), "logprob": -i} for i in range(2)]
            found.write(json.dumps({"id": k, "parses": parses}) + "\n")
    files = ["--gold", str(folder / "gold.jsonl"), "--predictions", str(folder / "found.jsonl")]
    sys.argv = ["kbqa", "evaluate", "parse", *files, "--output", str(folder / "report.json")]
    try:
        main()
    except SystemExit as left:
        assert not left.code


if __name__ == "__main__":
    {"simulate": simulate, "evaluate": evaluate}[sys.argv[1]](int(sys.argv[2]), Path(sys.argv[3]))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
