"""Whether any wording that is reported on stands in what the parser was trained on.

    python bench/held_out.py RUN/data [RUN/data ...]      # the folders that `kbqa train parser` wrote

The papers' questions with their other wordings (tests/papers.py) and the stub benchmark, compared as
lower-case letters and digits; markers in training texts are read as the names that they stand for.
(models/paraphrases.jsonl, where names are written otherwise: tests/test_paraphrases.py.)
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kbqa.synth.generate import normal  # noqa: E402
from tests.papers import QUESTIONS  # noqa: E402


def plain(text: str) -> str:
    """A training text's question with the names behind its markers put back."""
    asked, *named = text.removeprefix("[unused60] ").split(" | ")
    names = dict(part.split(" ", 1) for part in named if part.startswith("[unused") and " " in part)
    return normal(re.sub(r"\[unused\d+\]", lambda m: names.get(m[0], ""), asked))


def main() -> None:
    benchmark = (ROOT / "bench/stub/questions.jsonl").read_text(encoding="utf-8").splitlines()
    reported = [q for q, _, _ in QUESTIONS] + [json.loads(line)["question"] for line in benchmark]
    wanted = {normal(q): q for q in reported}
    texts = 0
    found: set[str] = set()
    for folder in map(Path, sys.argv[1:]):
        for file in sorted(folder.glob("*.jsonl.gz")):
            if "valid" not in file.name and "held_out" not in file.name:
                with gzip.open(file, "rt", encoding="utf-8") as lines:
                    for line in lines:
                        texts += 1
                        found |= {plain(json.loads(line)["text"])} & wanted.keys()
    print(f"{len(wanted)} wordings, {texts:,} training texts, {len(found)} in common")
    for text in sorted(found):
        print(f"  {wanted[text]}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
