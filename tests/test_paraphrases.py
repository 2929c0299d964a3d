"""Questions in writers' own words as training data: what ships, how it is read, what is learned from it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from kbqa.errors import InputError
from kbqa.lexicon import freebase_lexicon
from kbqa.parse.source import Entity
from kbqa.synth.generate import normal
from kbqa.train.paraphrases import Told, hasty, paraphrases, read, shipped, told
from kbqa.types import freebase
from tests.papers import QUESTIONS

PERU, LIMA = freebase("m.016wzw"), freebase("m.0lpfh")
ROW = {
    "id": "p-1",
    "type": "composition",
    "steps": [
        "What is the country that has [Lima] as its capital?",
        "What is the currency of [that country]?",
    ],
    "entities": {"m.0lpfh": "Lima"},
    "sparql": "PREFIX ns: <http://rdf.freebase.com/ns/>\nSELECT DISTINCT ?x WHERE {\n"
    "?c ns:location.country.capital ns:m.0lpfh .\n?c ns:location.country.currency_used ?x . }",
    "questions": ["what do they pay with in the country run from {1:lima}"],
    "asked": "What money is used in the country whose capital is Lima?",
    "sub_questions": [["whose capital is {1:Lima}?"], ["what money do they use there?", "its currency"]],
}


def rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in shipped().read_text(encoding="utf-8").splitlines()]


def written(row: dict[str, object], *more: dict[str, object]) -> list[str]:
    found = row.get("questions", []), *row.get("sub_questions", [])  # type: ignore[misc]
    return [text for texts in found for text in texts]


def test_each_mention_of_what_ships_is_marked() -> None:
    for row in rows():
        count = len(row["entities"])  # type: ignore[arg-type]
        for text in row.get("questions", []):  # type: ignore[attr-defined]
            numbers = re.findall(r"\{(\d+):[^{}]+\}", text)
            assert sorted(numbers) == sorted(str(i + 1) for i in range(count)), (row["id"], text)
        for text in written(row):
            assert not re.search(r"[{}]", re.sub(r"\{\d+:[^{}]+\}", "", text)), (row["id"], text)


def test_no_wording_that_is_reported_on_ships_for_training() -> None:
    bench = Path(__file__).parents[1] / "bench/stub/questions.jsonl"
    asked = [json.loads(line)["question"] for line in bench.read_text(encoding="utf-8").splitlines()]
    reported = {normal(q) for q in asked} | {normal(q) for q, _, _ in QUESTIONS}
    own = {normal(re.sub(r"\{\d+:([^{}]+)\}", r"\1", text)) for row in rows() for text in written(row)}
    assert len(own) > 15_000
    assert not own & reported


def test_mentions_are_found_where_they_stand() -> None:
    found = told("is {2:Peru} run from {1:lima}?", [(LIMA, "Lima"), (PERU, "Peru")])
    assert found.text == "is Peru run from lima?"
    assert found.entities == (Entity(PERU, "Peru", 3, 7), Entity(LIMA, "Lima", 17, 21))
    assert [found.text[e.start : e.end] for e in found.entities] == ["Peru", "lima"]


@pytest.mark.parametrize(
    ("change", "told_of"),
    [
        ({"questions": ["where is {2:Lima}"]}, "there are 1 entities"),
        ({"sub_questions": [["whose capital is {1:Lima}?"]]}, "2 steps, but sub-questions for 1"),
        ({"sparql": "SELECT ?x WHERE {"}, "not SPARQL"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(tmp_path: Path, change: dict[str, object], told_of: str) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(f"{json.dumps(ROW)}\n{json.dumps(ROW | change)}\n", encoding="utf-8")
    kept = [held_out for held_out in (False, True) if _reads(file, held_out)]
    assert kept
    with pytest.raises(InputError, match=f"own.jsonl, line 2: .*{told_of}"):
        list(read(file, freebase_lexicon(), held_out=kept[0]))


def _reads(file: Path, held_out: bool) -> bool:
    try:
        return any(True for _ in read(file, freebase_lexicon(), held_out=held_out))
    except InputError:
        return True


def test_programs_are_learned_from_questions_and_from_sub_questions_in_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    monkeypatch.setattr("kbqa.train.paraphrases.shipped", lambda: file)
    made = [e for held_out in (False, True) for e in paraphrases(6, seed=1, noise=0.5, held_out=held_out)]
    whole = [e for e in made if not e.text.startswith("[unused60]")]
    subs = [e for e in made if e.text.startswith("[unused60]")]
    program = "<find> <e0> ^location.country.capital <find> <s1> location.country.currency_used"
    assert {" ".join(e.program[:6]) for e in whole} == {program}
    assert all("[unused0]" in e.text for e in whole)  # where the name stood
    second = {e.program for e in subs if "currency" in e.text or "money do they" in e.text}
    assert ("<find>", "<s1>", "location.country.currency_used", "<end>") in second
    assert any("[unused40] whose capital is Lima?" in e.text for e in subs)  # what was asked before
    assert any("[unused61]" in e.text for e in subs) and any("[unused61]" not in e.text for e in subs)


def test_what_is_typed_in_a_hurry_still_says_where_its_mentions_stand() -> None:
    written = told(
        "{1:Tom Cruise}'s films with {2:Shaquille O'Neal}?", [(PERU, "Tom Cruise"), (LIMA, "Shaq")]
    )
    seen = {hasty(written, random.Random(seed)) for seed in range(9)}
    assert {t.text for t in seen} == {
        "tom cruise's films with shaquille o'neal",
        "tom cruises films with shaquille oneal",
    }
    for typed in seen:
        assert isinstance(typed, Told)
        assert [typed.text[e.start : e.end].replace("'", "") for e in typed.entities] == [
            "tom cruise",
            "shaquille oneal",
        ]
