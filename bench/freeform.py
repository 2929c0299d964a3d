"""How often free-form feedback by strangers is put to the right step: crowd workers' feedback on text-to-SQL.

    python bench/freeform.py --data PATH_TO_DATA

SPLASH is not part of this project; PATH_TO_DATA holds feedback/splash_dev.jsonl.gz and
feedback/splash_train.jsonl.gz. The steps of a wrong query, as it was explained to the workers, stand for the
steps of a dialogue. Two samples of 45 rows; of these the ones that are about one step, which was labelled by
hand before the sample was run. All of them ask for a step to be edited. The dev sample was used to
improve the rules (25 of 40 before), the train sample had 24 of 29 when it was first run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from pathlib import Path

from kbqa.dialogue import FULL, Dialogue, Parse, SubQuestion, Timing, Version
from kbqa.feedback import Edit, Replace
from kbqa.freeform import understand
from kbqa.scripted import parse_of

# Number of the row -> the step that is meant.
SAMPLES = {
    "dev": "534:2 231:2 671:1 74:2 111:2 150:2 90:2 860:2 338:1 57:1 133:3 732:2 708:2 108:2 380:2 144:2 "
    "91:2 191:2 353:2 95:2 674:2 75:2 349:1 71:2 206:2 470:2 709:2 220:2 184:2 508:2 163:2 154:2 96:1 92:2 "
    "323:2 837:2 723:2 519:1 782:2 761:2",
    "train": "2984:3 3019:2 5691:2 713:1 1163:2 6492:2 4167:2 1712:2 5197:2 247:2 3748:2 3981:2 3687:1 "
    "4059:3 4656:2 7104:2 6630:1 3247:2 3959:2 1904:2 163:1 5661:2 4284:3 3288:2 3044:1 5853:2 "
    "5358:2 812:2 6507:1",
}


def dialogue_of(explanation: list[str], parse: Parse) -> Dialogue:
    """The explained steps as if they were sub-questions."""
    shown = [re.sub(r"^Step \d+: ", "", text) for text in explanation]
    steps = tuple(SubQuestion(i, s, s, s, "", (), 0, "empty", 0.5) for i, s in enumerate(shown, 1))
    version = Version(parse, "", steps)
    return Dialogue("", "", FULL, "", "awaiting_feedback", (version,), 5, Timing(0, 0, 0, 0, 0), at=1)


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True)
    data = options.parse_args().data
    parse = parse_of("SELECT ?x WHERE { <http://e/a> <http://e/p> ?x }")
    for part, sample in SAMPLES.items():
        wanted = {
            f"splash-{part}-{int(n):04}": int(step)
            for n, _, step in (s.partition(":") for s in sample.split())
        }
        right = 0
        with gzip.open(data / "feedback" / f"splash_{part}.jsonl.gz", "rt", encoding="utf-8") as file:
            for row in filter(lambda r: r["id"] in wanted, map(json.loads, file)):
                heard = understand(
                    row["feedback"], dialogue_of(row["predicted_parse_explanation"], parse)
                ).feedback
                right += isinstance(heard, Edit | Replace) and heard.step == wanted[row["id"]]
        always = sum(step == 2 for step in wanted.values())
        print(f"{part}: {right} of {len(wanted)}; always 'edit step 2': {always}")


if __name__ == "__main__":
    main()
