"""A seeded sample of published queries through all laws; skipped where the data is not."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbqa.decompose import decompose, recompose
from kbqa.lexicon import freebase_lexicon
from kbqa.sparql import parse, render, same
from kbqa.templates import Names, read_all, write_all
from kbqa.types import freebase

SAMPLES = {
    "cwq/dev.jsonl.gz": 60,
    "cwq/train_gold_567.jsonl.gz": 30,
    "webqsp/train.jsonl.gz": 30,
    "cwq/train_silver.jsonl.gz": 30,
}
NOT_HELD = {
    "WebQTrn-194.r0": "MAX per group",
    "WebQTrn-301.r0": "HAVING without brackets",
    "WebQTrn-2575.r0": "MAX per group",
    "WebQTrn-1766.r0": "sorted by the value of an earlier step",
    "WebQTrn-2324.r0": "sorted by the value of an earlier step",
    "WebQTrn-2439.r0": "sorted by the value of an earlier step",
    "WebQTrn-2789.r0": "a strict language filter",
}
"""Published queries that no Query or no Steps hold (docs/decomposition.md)."""


def sample(path: Path, n: int) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row for line in lines if (row := json.loads(line))["id"] not in NOT_HELD]
    return random.Random(20_261_121).sample(rows, n)


@pytest.mark.parametrize("name", SAMPLES)
def test_published_queries_keep_all_laws(name: str, data_file: Callable[[str], Path]) -> None:
    lexicon = freebase_lexicon()
    for row in sample(data_file(name), SAMPLES[name]):
        query = parse(row["sparql"])
        assert parse(render(query)) == query, row["id"]
        found = decompose(query, lexicon.mediators)
        assert same(recompose(found), query), row["id"]
        names = Names({freebase(mid): name for mid, name in row["entities"].items() if name})
        texts = write_all(found.steps, lexicon, names)
        assert read_all(texts, lexicon, names) == found.steps, (row["id"], texts)
