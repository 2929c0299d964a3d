"""The papers' questions and their variants: right, wrong, not understood, and the time of each.

python bench/papers.py
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from papers import QUESTIONS

from kbqa.engine import Engine


def main() -> None:
    engine = Engine.open()
    right, times = 0, []
    for wording, answers, way in QUESTIONS:
        started = time.perf_counter()
        dialogue = engine.first_version(wording)
        times.append(1000 * (time.perf_counter() - started))
        version = dialogue.current
        seen = {a.label for s in version.steps for a in s.answers} if version else set()
        last = {a.label for a in version.steps[-1].answers} if version else set()
        good = answers <= last and way <= seen and len(last) <= 5
        right += good
        print("right" if good else "WRONG", round(times[-1]), "ms ", wording)
        if not good:
            for s in version.steps if version else ():
                print("       ", s.template, [a.label for a in s.answers[:4]], s.answer_count)
    middle = statistics.median(times[1:])
    print(f"{right} of {len(QUESTIONS)} right; median {middle:.0f} ms, first {times[0]:.0f} ms")


if __name__ == "__main__":
    main()
