"""Things without a name are shown by what they tie together, not by their ids, over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.kb.records import record_names
from kbqa.types import Iri, freebase
from tests.asking import answered

HONOURS = (
    "SELECT ?h WHERE { ?h <http://rdf.freebase.com/ns/award.award_honor.award_winner>"
    " <http://rdf.freebase.com/ns/local.person.steven_spielberg> }"
)


def honours(engine: Engine) -> list[Iri]:
    return [row[0] for row in engine.kb.store.select(HONOURS).rows if isinstance(row[0], Iri)]


def test_honours_are_told_by_work_and_year(shipped: Engine) -> None:
    names = record_names(shipped.kb.store, shipped.kb.names, honours(shipped))
    assert sorted(names.values()) == [
        "66th Academy Awards, Schindler's List, 1993",
        "71st Academy Awards, Saving Private Ryan, 1998",
    ]


def test_one_alone_is_told_by_all_it_ties(shipped: Engine) -> None:
    node = honours(shipped)[0]
    assert "Steven Spielberg" in record_names(shipped.kb.store, shipped.kb.names, [node])[node]


def test_what_leads_nowhere_has_no_name(shipped: Engine) -> None:
    assert record_names(shipped.kb.store, shipped.kb.names, [freebase("m.none"), Iri("_:b0")]) == {}


def test_a_step_shows_no_ids(shipped: Engine) -> None:
    dialogue = shipped.first_version("How many times has Steven Spielberg won the Oscar for best director?")
    assert dialogue.current is not None
    shown = [a.label for step in dialogue.current.steps for a in step.answers]
    assert shown[-1] == "2"
    assert not any("local." in label for label in shown)


def test_who_was_honoured_so_often(shipped: Engine) -> None:
    assert set(answered(shipped, "Who won the Booker Prize twice?")) >= {"Hilary Mantel", "Peter Carey"}
    assert "Margaret Atwood" not in answered(shipped, "Who has won best actor more than once?")


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many Oscars did Walter Brennan win?", "3"),
        ("how many awards did Meryl Streep win", "3"),
        ("How many Nobel prizes did Marie Curie win?", "2"),
        ("how many best actress oscars has Katharine Hepburn won", "4"),
        ("how many different awards has Walter Brennan won", "1"),
    ],
)
def test_each_time_counts(shipped: Engine, question: str, number: str) -> None:
    assert list(answered(shipped, question)) == [number]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("female nobel prize winners in physics", "Maria Goeppert Mayer"),
        ("Nobel literature laureates from Ireland", "Seamus Heaney"),
        ("Nobel chemistry prize winners from Germany", "Emil Fischer"),
    ],
)
def test_laureates_by_subject(shipped: Engine, question: str, expected: str) -> None:
    found = answered(shipped, question)
    assert expected in found
    assert len(found) < 40
