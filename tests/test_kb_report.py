"""The readiness report: known-bad graphs score low for the right reason, mending them raises the score."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.library import Library
from kbqa.cli import app
from kbqa.kb import build_kb, open_kb
from kbqa.kb.report import Report, report
from kbqa.kb.report_text import as_html, as_text

E = "http://example.org/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def _graph(*, labels: bool = True, words: bool = True, distinct: bool = True) -> str:
    """Thirty employees of six firms, with or without what makes a graph easy to ask."""
    works, born = ("worksFor", "birthDate") if words else ("p108", "P569")
    lines = []
    for i in range(30):
        name = f"Person {chr(65 + i % 26)}{'x' * (i // 26)}" if distinct else "John Smith"
        lines.append(f"<{E}e{i}> <{_TYPE}> <{E}Employee> .")
        lines.append(f"<{E}e{i}> <{E}{works}> <{E}f{i % 6}> .")
        lines.append(f'<{E}e{i}> <{E}{born}> "19{60 + i}-01-01"^^<http://www.w3.org/2001/XMLSchema#date> .')
        if labels:
            lines.append(f'<{E}e{i}> <{_LABEL}> "{name}" .')
    for i in range(6):
        lines.append(f"<{E}f{i}> <{_TYPE}> <{E}Firm> .")
        if labels:
            lines.append(f'<{E}f{i}> <{_LABEL}> "Firm {chr(65 + i)}" .')
    return "\n".join(lines)


def _reported(folder: Path, text: str) -> Report:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "graph.nt").write_text(text, encoding="utf-8")
    with open_kb(str(build_kb([folder / "graph.nt"], folder / "kb"))) as kb:
        return report(kb)


def test_a_good_graph_scores_high(tmp_path: Path) -> None:
    found = _reported(tmp_path, _graph())
    assert found.score >= 95
    assert not found.unreadable and not found.nameless_classes and not found.never
    assert {s.kind for s in found.samples} == {"Employee"}
    texts = [s.template for s in found.samples]
    assert any(t.startswith("What is the firm that [Person ") for t in texts)


def test_codes_for_predicates_score_low(tmp_path: Path) -> None:
    found = _reported(tmp_path, _graph(words=False))
    assert found.score < 20
    assert found.shares["readable"] == 0
    assert "p108" in found.advice()[0].text and "rdfs:label" in found.advice()[0].text


def test_things_without_names_score_low(tmp_path: Path) -> None:
    found = _reported(tmp_path, _graph(labels=False))
    assert found.score < 20
    assert {c.name for c in found.nameless_classes} == {"Employee", "Firm"}
    assert any("Employee" in a.text for a in found.advice())


def test_one_name_for_all_costs_less_than_no_name(tmp_path: Path) -> None:
    shared = _reported(tmp_path / "a", _graph(distinct=False))
    assert shared.ambiguous == (1, (("John Smith", 30),))
    assert _reported(tmp_path / "b", _graph(labels=False)).score < shared.score
    assert shared.score < _reported(tmp_path / "c", _graph()).score


def test_dead_ends_and_unreachable_predicates_are_found(tmp_path: Path) -> None:
    more = "".join(f'<{E}e{i}> <{E}locker> _:l{i} .\n_:n{i} <{E}checksum> "{i}" .\n' for i in range(30))
    found = _reported(tmp_path, f"{_graph()}\n{more}")
    assert [iri.value for iri, _ in found.dead_ends] == [E + "locker"]
    assert [iri.value for iri, _ in found.never] == [E + "checksum"]
    assert found.score < 80


def test_labels_mend_a_bad_graph(tmp_path: Path) -> None:
    bad = _graph(words=False)
    said = f'<{E}p108> <{_LABEL}> "works for"@en .\n<{E}P569> <{_LABEL}> "date of birth"@en .\n'
    assert _reported(tmp_path / "bad", bad).score + 60 < _reported(tmp_path / "good", bad + "\n" + said).score


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    (folder / "library.ttl").write_text("".join(Library(40).turtle()), encoding="utf-8")
    return build_kb([folder / "library.ttl"], folder / "kb")


def test_the_report_is_written_as_text_and_as_a_page(built: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["kb", "report", str(built)])
    assert run.exit_code == 0 and "of 100" in run.stdout
    assert "lead on by: borrower, item, loanDate" in run.stdout
    page = tmp_path / "report.html"
    assert CliRunner().invoke(app, ["kb", "report", str(built), "--html", str(page)]).exit_code == 0
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>") and "src=" not in html and "href=" not in html
    assert "What can be asked, class by class" in html


def test_names_in_the_report_are_escaped(tmp_path: Path) -> None:
    text = _graph().replace("Person A", "<script>alert(1)</script>")
    found = _reported(tmp_path, text)
    assert "<script>" not in as_html(found)
    assert as_text(found)


def test_build_and_report_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "g.nt").write_text(_graph(), encoding="utf-8")
    out = str(tmp_path / "kb")
    run = CliRunner().invoke(
        app, ["kb", "build", str(tmp_path / "g.nt"), "--out", out, "--languages", "de,en"]
    )
    assert run.exit_code == 0 and "132 triples" in run.stdout
    with open_kb(out) as kb:
        assert kb.languages == ("de", "en", "")
    wrong = CliRunner().invoke(app, ["kb", "build", "http://a/sparql", "b.ttl", "--out", out])
    assert wrong.exit_code == 2
    assert CliRunner().invoke(app, ["kb", "build", "b.ttl", "--out", out, "--languages", "12"]).exit_code == 2
