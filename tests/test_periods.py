"""'In 1921' is checked against what the data has: a first and last day, a year, or nothing, which is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kbqa.dialogue import Version
from kbqa.engine import Engine
from kbqa.feedback import Edit
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.scripted import ScriptedParser

NS = "PREFIX ns: <http://rdf.freebase.com/ns/> "


def _during(node: str, kind: str, first: str, last: str) -> str:
    """The published data sets' idiom for a period."""
    bounds = (("from", "<=", last), ("to", ">=", first))
    return " ".join(
        f"FILTER (NOT EXISTS {{ ?{node} ns:{kind}.{name} ?{name}1 }} || EXISTS {{ ?{node} ns:{kind}.{name} "
        f"?{name}2 . FILTER (xsd:datetime(?{name}2) {op} '{day}'^^xsd:dateTime) }})"
        for name, op, day in bounds
    )


def _won(first: str, last: str) -> str:
    return (
        f"{NS}SELECT DISTINCT ?x WHERE {{ ns:m.nobel ns:award.award_category.winners ?m . "
        f"?m ns:award.award_honor.award_winner ?x {_during('m', 'award.award_honor', first, last)} }}"
    )


YEAR, TIME, NOW, PLAYED, HELD = (
    "Who won the Nobel Prize in 1921?",
    "Who won the Nobel Prize between 1920 and 1923?",
    "Who holds the Nobel Prize?",
    "Who played for Ajax in 1921?",
    "Who governed Utah in 1921?",
)
_GOVERNED = "government.government_position_held"
SCRIPT = {
    YEAR: _won("1921-01-01", "1921-12-31"),
    TIME: _won("1920-01-01", "1923-12-31"),
    NOW: _won("2015-08-10", "2015-08-10"),
    PLAYED: f"{NS}SELECT DISTINCT ?x WHERE {{ ns:m.ajax ns:sports.sports_team.roster ?m . "
    f"?m ns:sports.sports_team_roster.player ?x "
    f"{_during('m', 'sports.sports_team_roster', '1921-01-01', '1921-12-31')} }}",
    HELD: f"{NS}SELECT DISTINCT ?x WHERE {{ ns:m.utah ns:government.governmental_jurisdiction."
    f"governing_officials ?m . ?m ns:{_GOVERNED}.office_holder ?x "
    f"{_during('m', _GOVERNED, '1921-01-01', '1921-12-31')} }}",
}
FACTS = """
@prefix ns: <http://rdf.freebase.com/ns/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ns:m.nobel ns:type.object.name "Nobel Prize"@en ;
  ns:award.award_category.winners ns:m.h1 , ns:m.h2 , ns:m.h3 .
ns:m.h1 ns:award.award_honor.award_winner ns:m.albert ; ns:award.award_honor.year "1921"^^xsd:gYear .
ns:m.h2 ns:award.award_honor.award_winner ns:m.niels ; ns:award.award_honor.year "1922"^^xsd:gYear .
ns:m.h3 ns:award.award_honor.award_winner ns:m.marie ; ns:award.award_honor.year "1903"^^xsd:gYear .
ns:m.albert ns:type.object.name "Albert Einstein"@en . ns:m.niels ns:type.object.name "Niels Bohr"@en .
ns:m.marie ns:type.object.name "Marie Curie"@en .
ns:m.ajax ns:type.object.name "Ajax"@en ; ns:sports.sports_team.roster ns:m.r1 .
ns:m.r1 ns:sports.sports_team_roster.player ns:m.johan . ns:m.johan ns:type.object.name "Johan Cruyff"@en .
ns:m.utah ns:type.object.name "Utah"@en ;
  ns:government.governmental_jurisdiction.governing_officials ns:m.g1 , ns:m.g2 .
ns:m.g1 ns:government.government_position_held.office_holder ns:m.mabey ;
  ns:government.government_position_held.from "1921-01-03"^^xsd:date ;
  ns:government.government_position_held.to "1925-01-05"^^xsd:date .
ns:m.g2 ns:government.government_position_held.office_holder ns:m.dern ;
  ns:government.government_position_held.from "1925-01-05"^^xsd:date ;
  ns:government.government_position_held.to "1933-01-02"^^xsd:date .
ns:m.mabey ns:type.object.name "Charles Mabey"@en . ns:m.dern ns:type.object.name "George Dern"@en .
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("periods")
    (folder / "periods.ttl").write_text(FACTS, encoding="utf-8")
    build_kb([folder / "periods.ttl"], folder / "kb")
    with open_kb(folder / "kb") as opened:
        yield opened


@pytest.fixture
def engine(kb: KnowledgeBase) -> Engine:
    return Engine(kb, ScriptedParser(SCRIPT))


def asked(engine: Engine, question: str) -> Version:
    version = engine.ask(question).current
    assert version is not None
    return version


def names(version: Version) -> list[str]:
    return sorted(a.label for a in version.steps[-1].answers)


def test_a_year_is_said_of_the_year_that_the_data_has(engine: Engine) -> None:
    version = asked(engine, YEAR)
    assert names(version) == ["Albert Einstein"]
    assert "1921" in version.steps[0].shown and not version.steps[0].warnings
    assert "on [1921]" in version.steps[0].template


def test_so_are_the_bounds_of_more_than_a_year(engine: Engine) -> None:
    assert names(asked(engine, TIME)) == ["Albert Einstein", "Niels Bohr"]


def test_a_corrected_year_is_too(engine: Engine) -> None:
    dialogue = engine.ask(YEAR)
    assert dialogue.current is not None
    other = dialogue.current.steps[0].template.replace("1921", "1922")
    after = engine.advance(dialogue, Edit(1, other)).current
    assert after is not None and names(after) == ["Niels Bohr"]


def test_a_period_that_nothing_can_fail_is_told(engine: Engine) -> None:
    version = asked(engine, PLAYED)
    assert names(version) == ["Johan Cruyff"]
    assert "nothing here says when: the period is not checked" in version.steps[0].warnings


def test_a_single_day_is_no_year(engine: Engine) -> None:
    version = asked(engine, NOW)
    assert len(names(version)) == 3 and "not checked" in version.steps[0].warnings[0]


def test_a_first_and_last_day_that_are_there_are_used(engine: Engine) -> None:
    version = asked(engine, HELD)
    assert names(version) == ["Charles Mabey"] and not version.steps[0].warnings
