"""Adapting the parser to an own graph: what it learns, what is held out, what is kept, what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bench.kb import FURTHER, QUESTIONS, questions
from bench.library import Library
from kbqa.backends import Backends
from kbqa.cli import app
from kbqa.cli.kb_adapt import owner_rows
from kbqa.engine import Engine
from kbqa.errors import InputError, ModelError
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.models.checkpoint import FILES, load_checkpoint
from kbqa.parse import load_parser
from kbqa.parse.neural import NeuralParser
from kbqa.scripted import ScriptedParser
from kbqa.sparql import parse
from kbqa.train import adapt as adapting
from kbqa.train import own_data
from kbqa.train.adapt import adapt, right
from kbqa.train.fit import read_examples
from kbqa.train.offered import Offers
from kbqa.train.own_data import Gold, Plan, is_held_out, prepared, shipped
from kbqa.train.owner import OwnerRow, confirmed, examples
from kbqa.types import Iri

TINY = Plan(minutes=5, questions=160, rehearsed=0, passes=2, measured=10)
LIBRARY = Library(200)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("library") / "library.ttl"
    file.write_text("".join(LIBRARY.turtle()), encoding="utf-8")
    return file


@pytest.fixture
def folder(source: Path, tmp_path: Path) -> Path:
    return build_kb([source], tmp_path / "mykb")


@pytest.fixture
def kb(folder: Path) -> Iterator[KnowledgeBase]:
    with open_kb(folder) as opened:
        yield opened


def _files(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


# --- what is learned, and what is held out ---------------------------------------------


def test_no_query_that_is_measured_on_is_learned_from(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    asked = prepared(kb, TINY, [], tmp_path, lambda said: None)
    assert len(asked.golds["synthetic"]) == TINY.measured
    assert all(is_held_out(parse(g.sparql)) for g in asked.golds["synthetic"])
    queries = [query for _, query in own_data.questions(kb, TINY)]
    learned = read_examples(tmp_path / "data" / "synthetic.jsonl.gz")
    numbers = {int(e["id"].split("-")[1]) for e in learned}
    assert len(numbers) > 100 and {e["id"].split("-")[0] for e in learned} == {"synthetic", "correction"}
    assert not any(is_held_out(queries[n]) for n in numbers)


def test_right_are_questions_that_are_answered_as_their_gold_queries_are(kb: KnowledgeBase) -> None:
    (one, gold), (other, _) = questions(LIBRARY, QUESTIONS[:2])
    script = {one: gold, other: gold}
    assert right(kb, ScriptedParser(script, mediators=kb.lexicon.mediators), [Gold(one, gold)]) == 1
    wrong = questions(LIBRARY, QUESTIONS[1:2])[0][1]
    assert (
        right(
            kb, ScriptedParser(script, mediators=kb.lexicon.mediators), [Gold(one, gold), Gold(other, wrong)]
        )
        == 1
    )


def test_a_confirmed_question_and_what_corrected_its_step_are_learned_from(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    title, author = LIBRARY.titles[3], LIBRARY.authors[0]
    row = {
        "question": f"Which tongue is {title} in?",
        "sparql": questions(LIBRARY, QUESTIONS[6:7])[0][1].replace(":b42", ":b3"),
        "corrections": [
            {"text": f"What did {author} pen?", "template": f"What is the book whose author is [{author}]?"}
        ],
        "entities": {"http://library.example/id/a0": author},
    }
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (read,) = owner_rows(str(tmp_path / "rows.jsonl"))
    found = list(examples(confirmed(read, kb), kb, Offers(kb)))
    assert [e.program[-2] for e in found] == [
        "<http://purl.org/dc/terms/language>",
        "^<http://schema.org/author>",
    ]
    assert all(e.text.count("[unused0]") == 2 for e in found), "in its place and before its name"


def test_owners_rows_that_say_nothing_here_are_left_out_and_told(kb: KnowledgeBase, tmp_path: Path) -> None:
    asked = questions(LIBRARY, QUESTIONS + FURTHER)
    rows = [OwnerRow(f"row {i}", q, sparql, {}) for i, (q, sparql) in enumerate(asked, 1)]
    rows.append(OwnerRow("row 41", "What?", "SELECT ?x WHERE { ?x <http://e/p> ?y }", {}))
    rows.append(OwnerRow("row 42", *asked[0], {}, kb="another"))
    (tmp_path / "data").mkdir()
    found = prepared(kb, TINY, [confirmed(r, kb) for r in rows], tmp_path, lambda said: None)
    assert any("row 41" in n and "finds nothing" in n for n in found.notes)
    assert any("row 42" in n and "'another'" in n for n in found.notes)
    held = {g.question for g in found.golds["owner's"]}
    assert 0 < len(held) < 20 and held < {q for q, _ in asked}
    learned = read_examples(tmp_path / "data" / "owner.jsonl.gz")
    asked_of = {r.where: r.question for r in rows}
    assert not {asked_of[e["id"]] for e in learned} & held


# --- training, keeping, using -------------------------------------------------------


def _counted(monkeypatch: pytest.MonkeyPatch, before: int, after: int | None = None) -> list[adapting.Counts]:
    """So many are right before and after (None: as many as there are), for so short a training may do good or
    harm; the list is filled with what was measured."""
    real, found = adapting.measured, list[adapting.Counts]()
    fixed = iter((before, after))

    def measured(kb: KnowledgeBase, parser: NeuralParser, asked: own_data.Asked) -> adapting.Counts:
        n = next(fixed)
        if n is not None:
            return {name: {"as asked": n, "parser alone": n} for name in asked.golds}
        found.append(real(kb, parser, asked))
        return found[-1]

    monkeypatch.setattr(adapting, "measured", measured)
    return found


def test_what_is_no_worse_is_kept_and_used_and_stays_when_built_again(
    source: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = _counted(monkeypatch, 0)
    monkeypatch.setattr(own_data, "Plan", partial(Plan, questions=160, rehearsed=0, passes=1, measured=10))
    rows = tmp_path / "rows.jsonl"
    asked = [{"question": q, "sparql": sparql} for q, sparql in questions(LIBRARY)]
    rows.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    ran = CliRunner().invoke(app, ["kb", "adapt", str(folder), "--questions", str(rows), "--minutes", "5"])
    assert ran.exit_code == 0, ran.output
    told = " ".join(ran.stdout.split())
    n = measured[0]["synthetic"]["parser alone"]
    assert f"synthetic, parser alone 10 0.0 % {100 * n / 10:.1f} %" in told
    assert "20 learned from" not in told and "held out" in told
    assert {f.name for f in (folder / "parser").iterdir()} == {
        *FILES, "confidence.json", "adapted.json"
    }  # fmt: skip
    assert sorted(f.name for f in tmp_path.iterdir()) == ["mykb", "rows.jsonl"], "nothing is left beside it"

    more = tmp_path / "more.ttl"
    more.write_text(
        "<http://e/a> <http://www.w3.org/2000/01/rdf-schema#label> 'Somewhere' .", encoding="utf-8"
    )
    build_kb([source, more], folder, replace=True)
    with Engine.open(str(folder)) as engine:
        parser = load_parser(engine.kb)
        assert parser.signature in told and parser.signature in engine.signature
        assert parser.signature != NeuralParser.load(shipped(), engine.kb).signature
        version = engine.first_version(f"Who wrote {LIBRARY.titles[7]}?").current
        assert version and [a.label for a in version.steps[-1].answers] == [_author(engine.kb, 7)]
        named = {"KBQA_PARSER": str(tmp_path / "of-mine")}
        with pytest.raises(ModelError, match="of-mine"):
            _ = Backends(engine.kb, named).parser
    reported = CliRunner().invoke(app, ["kb", "report", str(folder)]).stdout
    assert "Parser of its own" in reported and "synthetic, parser alone: 0.0 % before" in reported

    (folder / "parser" / "model.safetensors").write_bytes(b"no weights")
    with open_kb(folder) as kb, pytest.raises(ModelError, match="kbqa kb adapt"):
        load_parser(kb)


def _author(kb: KnowledgeBase, book: int) -> str:
    query = f"SELECT ?a {{ <http://library.example/id/b{book}> <http://schema.org/author> ?a }}"
    (author,) = (row[0] for row in kb.store.select(query).rows)
    assert isinstance(author, Iri)
    return kb.names[author]


def test_what_does_worse_leaves_nothing_and_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _counted(monkeypatch, 10, 9)
    monkeypatch.setattr(own_data, "Plan", partial(Plan, questions=160, rehearsed=0, passes=1, measured=10))
    before = _files(folder.parent)
    ran = CliRunner().invoke(app, ["kb", "adapt", str(folder), "--minutes", "5"])
    assert ran.exit_code == 0 and "nothing is kept" in ran.stdout
    assert _files(folder.parent) == before


def test_a_run_that_was_interrupted_leaves_the_folder_and_goes_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _counted(monkeypatch, 0, 10)
    before, ticks, said = _files(folder), list[float](), list[str]()

    def stop(done: float, loss: float) -> None:
        ticks.append(done)
        if done > 0.6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        adapt(folder, TINY, tick=stop)
    assert _files(folder) == before
    elsewhere = tmp_path / "elsewhere"
    found = adapt(folder, TINY, out=elsewhere, report=said.append)
    assert f"going on after {found.steps // 2} steps" in " ".join(said)
    assert found.kept == elsewhere
    assert load_checkpoint(elsewhere).signature == found.signature.removesuffix("-int8")
    assert _files(folder) == before and not (tmp_path / ".mykb.adapting").exists()


# --- what is refused ------------------------------------------------------------------


def _refused(*words: str) -> str:
    ran = CliRunner().invoke(app, ["kb", "adapt", *words])
    assert isinstance(ran.exception, InputError), ran.output
    return str(ran.exception)


def test_folders_that_are_no_own_graph_are_refused(tmp_path: Path) -> None:
    assert "nowhere is no built knowledge base" in _refused(str(tmp_path / "nowhere"))
    (tmp_path / "f.nt").write_text(
        '<http://rdf.freebase.com/ns/m.a> <http://rdf.freebase.com/ns/type.object.name> "A"@en .', "utf-8"
    )
    freebase = build_kb([tmp_path / "f.nt"], tmp_path / "freebase")
    assert "Freebase's vocabulary" in _refused(str(freebase))


def test_a_graph_that_gives_too_few_questions_is_refused_and_stays(tmp_path: Path) -> None:
    e = "http://e/"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    lines = [f'<{e}a> {label} "Ann Low" . <{e}b> {label} "Bob Kay" . <{e}a> <{e}knows> <{e}b> .']
    (tmp_path / "few.ttl").write_text("\n".join(lines), encoding="utf-8")
    folder = build_kb([tmp_path / "few.ttl"], tmp_path / "few")
    before = _files(tmp_path)
    assert "synthetic questions to learn from" in _refused(str(folder))
    assert _files(tmp_path) == before


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "not JSON"),
        ('{"question": "Who?"}', "the field 'sparql' is missing"),
        ('{"question": "Who?", "sparql": "SELECT ?x WHERE {"}', "a SPARQL query expected"),
        ('{"question": 5, "sparql": "ASK {?x ?y ?z}"}', "the field 'question' is 5; text expected"),
        ('{"question": "Who?", "sparql": "ASK {}", "corrections": ["no"]}', "a list of objects expected"),
    ],
)
def test_rows_that_cannot_be_used_are_named(folder: Path, tmp_path: Path, line: str, expected: str) -> None:
    question, sparql = questions(LIBRARY)[0]
    good = json.dumps({"question": question, "sparql": sparql})
    (tmp_path / "rows.jsonl").write_text(f"{good}\n{line}\n", encoding="utf-8")
    before = _files(folder)
    said = _refused(str(folder), "--dialogues", str(tmp_path / "rows.jsonl"))
    assert "rows.jsonl, row 2" in said and expected in said
    assert _files(folder) == before and not (tmp_path / ".mykb.adapting").exists()
