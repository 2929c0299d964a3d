"""Questions that people asked of the stub, as training data: what ships, and how it is learned from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rapidfuzz import fuzz, process

from kbqa.kb import KnowledgeBase, open_kb
from kbqa.sparql import parse
from kbqa.synth.generate import normal
from kbqa.train.asked import asked, is_held_out, sayable, shipped
from kbqa.train.data import read_rows
from kbqa.train.offered import Offers
from tests.papers import QUESTIONS

PREFIXES = (
    "PREFIX ns: <http://rdf.freebase.com/ns/>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
)  # fmt: skip
ROWS = list(read_rows(shipped()))


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    return open_kb(None)


@pytest.fixture(scope="module")
def offers(kb: KnowledgeBase) -> Offers:
    return Offers(kb)


def row(question: str, body: str, **entities: str) -> dict[str, object]:
    named = {k.replace("__", "."): v for k, v in entities.items()}
    sparql = f"{PREFIXES}SELECT DISTINCT ?x WHERE {{\n{body}\n}}"
    return {"id": "a-1", "question": question, "entities": named, "sparql": sparql}


def learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: dict[str, object]) -> set[str]:
    """The programs of one row."""
    file = tmp_path / "asked.jsonl"
    file.write_text(json.dumps(one) + "\n", encoding="utf-8")
    monkeypatch.setattr("kbqa.train.asked.shipped", lambda: file)
    made = asked(4, seed=1, linked=1.0, chosen=lambda _: True)
    return {" ".join(e.program) for e in made if not e.id.endswith("-fix")}


def test_what_ships_can_be_read_and_is_asked_once() -> None:
    assert len({r["id"] for r in ROWS}) == len({normal(r["question"]) for r in ROWS}) == len(ROWS)
    for r in ROWS:
        parse(r["sparql"])
        assert r["entities"] == {k: v for k, v in r["entities"].items() if v}, r["id"]
    learned = [r for r in ROWS if r["person"] not in (19, 23, 24, 25, 26, 27, 28)]
    assert all(map(is_held_out, (r for r in ROWS if r not in learned)))
    assert 0.06 < sum(map(is_held_out, learned)) / len(learned) < 0.14


def test_nothing_that_is_reported_on_or_much_like_it_ships_for_training() -> None:
    bench = Path(__file__).parents[1] / "bench/stub/questions.jsonl"
    reported = [json.loads(line)["question"] for line in bench.read_text(encoding="utf-8").splitlines()]
    wanted = [normal(q) for q in (*reported, *(q for q, _, _ in QUESTIONS))]
    for r in ROWS:
        alike = process.extractOne(normal(r["question"]), wanted, scorer=fuzz.ratio, score_cutoff=85)
        assert alike is None, (r["id"], r["question"])


def test_a_period_is_written_as_the_question_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = (
        "?x ns:film.film.directed_by ns:local.person.steven_spielberg .\n"
        "?x ns:film.film.initial_release_date ?d .\n"
    )
    after = 'FILTER(xsd:datetime(?d) > "2005-12-31"^^xsd:dateTime)'
    within = (
        'FILTER(xsd:datetime(?d) >= "1993-01-01"^^xsd:dateTime)\nFILTER(xsd:datetime(?d) < "1994"^^xsd:gYear)'
    )
    name = {"local__person__steven_spielberg": "Steven Spielberg"}
    found = "<find> <e0> ^film.film.directed_by <keep> <s1> <at> film.film.initial_release_date"
    one = row("spielberg films that came out after 2005", body + after, **name)
    assert learned(tmp_path, monkeypatch, one) == {f"{found} <date>> <v0> <end>"}
    one = row("What did Spielberg direct in 1993?", body + within, **name)
    assert learned(tmp_path, monkeypatch, one) == {f"{found} <date=> <v0> <end>"}


def test_a_sort_of_thing_is_written_as_the_kind_that_the_question_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = row(
        "Which lakes lie in Michigan?",
        "?x ns:type.object.type ns:geography.lake .\n"
        "?x ns:location.location.containedby ns:local.division.michigan .",
        local__division__michigan="Michigan",
    )
    (program,) = learned(tmp_path, monkeypatch, one)
    assert "^common.topic.notable_types" in program and "type.object.type" not in program


def test_what_a_predicate_says_of_itself_is_left_out(kb: KnowledgeBase, offers: Offers) -> None:
    one = row(
        "which country has Canberra as its capital",
        "?x ns:type.object.type ns:location.country .\n"
        "?x ns:location.country.capital ns:local.city.canberra .",
        local__city__canberra="Canberra",
    )
    first = next(sayable(one, kb, offers))
    assert len(first.steps) == 1


def test_steps_with_other_answers_than_the_row_are_not_learned_from(
    kb: KnowledgeBase, offers: Offers
) -> None:
    one = row(
        "Which governor of Texas went on to become president?",
        "?x ns:type.object.type ns:government.us_president .\n"
        "?h ns:government.government_position_held.office_position_or_title "
        "ns:local.office.governor_of_texas .\n?h ns:government.government_position_held.office_holder ?x .",
        local__office__governor_of_texas="Governor of Texas",
    )
    without = {**one, "question": "Who of Texas went on to lead the country?"}
    assert not list(sayable(without, kb, offers))  # a mere governor is no answer, and no noun says president
