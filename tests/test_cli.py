"""The command line as a user types it: what goes in, what comes out, what is said when it can't be done."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kbqa.cli import main
from kbqa.cli.page import streamlit_call
from kbqa.decompose import decompose as decompose_query
from kbqa.dialogue import MODES, Dialogue, Mode, Parse, Recognised, SubQuestion, Timing, Version
from kbqa.errors import InputError, KnowledgeBaseError, StoreUnavailable
from kbqa.protocols import Candidate, Mention
from kbqa.sparql import parse as read_sparql
from kbqa.sparql import render, same
from kbqa.types import Answer, Iri, freebase

NS = "PREFIX ns: <http://rdf.freebase.com/ns/>\n"
CAPITAL = NS + "SELECT DISTINCT ?x WHERE { ns:m.02k54 ns:location.country.capital ?x }"
CHILDREN = NS + (
    "SELECT DISTINCT ?x WHERE { ns:m.02mjmr ns:people.person.children ?c . "
    "?c ns:people.person.place_of_birth ?x }"
)


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Kbqa = Callable[..., Ran]


@pytest.fixture
def kbqa(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kbqa:
    """`kbqa('decompose', '--input', '-', stdin='...')` runs the command in this process."""

    def run(*words: str, stdin: str | bytes = b"") -> Ran:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["kbqa", *words])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        code = left.value.code
        assert "Traceback" not in said.err
        return Ran(int(code or 0), said.out, said.err)

    return run


def lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def a_query(row: int) -> dict[str, Any]:
    sparql = f"{NS}SELECT DISTINCT ?x WHERE {{ ns:m.0{row} ns:location.country.capital ?x }}"
    return {"id": row, "sparql": sparql, "entities": {f"m.0{row}": f"Country {row}"}}


# --- decompose ---------------------------------------------------------------------------------------


def test_decompose_gives_steps_with_templates_and_sparql_and_the_query_again(kbqa: Kbqa) -> None:
    entities = {"m.02mjmr": "Barack Obama"}
    ran = kbqa(
        "decompose", "--input", "-", stdin=lines({"id": "q1", "sparql": CHILDREN, "entities": entities})
    )
    assert ran.code == 0 and ran.err == ""
    [row] = ran.rows
    assert list(row) == ["id", "steps", "recomposed"] and row["id"] == "q1"
    assert [list(step) for step in row["steps"]] == [["template", "sparql"]] * 2
    assert "[Barack Obama]" in row["steps"][0]["template"]
    assert same(read_sparql(row["recomposed"]), read_sparql(CHILDREN))
    assert same(read_sparql(row["steps"][-1]["sparql"]), read_sparql(CHILDREN))


@pytest.mark.parametrize("key", ["m.02k54", "ns:m.02k54", "http://rdf.freebase.com/ns/m.02k54"])
def test_entities_are_named_by_mid_or_iri(kbqa: Kbqa, key: str) -> None:
    ran = kbqa("decompose", "-i", "-", stdin=lines({"id": 1, "sparql": CAPITAL, "entities": {key: "Egypt"}}))
    assert "[Egypt]" in ran.rows[0]["steps"][0]["template"]


@pytest.mark.parametrize("entities", [{}, None, {"m.02k54": None}, {"m.02k54": " "}, {"m.0other": "Other"}])
def test_an_entity_without_a_name_is_shown_by_its_id(kbqa: Kbqa, entities: object) -> None:
    ran = kbqa("decompose", "-i", "-", stdin=lines({"id": 1, "sparql": CAPITAL, "entities": entities}))
    assert ran.code == 0 and "[m.02k54]" in ran.rows[0]["steps"][0]["template"]


def test_a_row_that_fails_has_an_error_and_the_others_are_done(kbqa: Kbqa) -> None:
    given = lines(a_query(1), {"id": "bad", "sparql": "SELECT"}, a_query(2))
    ran = kbqa("decompose", "--input", "-", stdin=given)
    assert ran.code == 1
    assert [row["id"] for row in ran.rows] == [1, "bad", 2]
    assert ran.rows[1]["error"]["type"] == "QueryError"
    assert "SELECT" in ran.rows[1]["error"]["message"]
    assert ["error" in row for row in ran.rows] == [False, True, False]
    assert ran.err.startswith("kbqa: 1 row failed")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": 7', "line 2: not JSON"),
        (b"[1]", "line 2: a JSON object expected, found list"),
        (b'{"id": "\xff"}', "line 2: not UTF-8"),
        (b"[" * 100_000, "line 2: "),
        (b'{"id": 7}', "'sparql' is missing"),
        (b'{"id": 7, "sparql": 3}', "'sparql' is 3; text expected"),
        (b'{"id": 7, "sparql": "", "entities": []}', "not SPARQL 1.1"),
        (b'{"id": 7, "sparql": "SELECT ?x {?x ?x ?x}", "entities": []}', ""),
        (b'{"id": 7, "sparql": "SELECT ?x {?x <a:b> 1}", "entities": []}', "'entities': an object"),
        (b'{"id": 7, "sparql": "SELECT ?x {?x <a:b> 1}", "entities": {"m.1": 1}}', "the name of 'm.1'"),
    ],
)
def test_a_row_that_cannot_be_read_costs_no_other(kbqa: Kbqa, line: bytes, reason: str) -> None:
    good = lines(a_query(1)).encode()
    ran = kbqa("decompose", "--input", "-", stdin=good + line + b"\n" + good)
    assert ran.code == 1 and len(ran.rows) == 3
    assert reason in ran.rows[1]["error"]["message"]
    assert "steps" in ran.rows[0] and "steps" in ran.rows[2]


def test_a_defect_in_one_row_is_an_error_of_that_row(kbqa: Kbqa, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(row: Mapping[str, Any]) -> dict[str, Any]:
        raise KeyError("some defect")

    monkeypatch.setattr("kbqa.cli.batch.decompose_row", broken)
    ran = kbqa("decompose", "--input", "-", stdin=lines(a_query(1)))
    assert ran.code == 1
    assert ran.rows[0]["error"] == {"type": "InternalError", "message": "KeyError: 'some defect'"}


def test_the_order_is_kept_over_several_processes(kbqa: Kbqa, tmp_path: Path) -> None:
    given = [a_query(n) if n != 90 else {"id": 90, "sparql": "nonsense"} for n in range(1, 151)]
    (tmp_path / "in.jsonl").write_text(lines(*given))
    ran = kbqa("decompose", "--input", str(tmp_path / "in.jsonl"), "--output", str(tmp_path / "out.jsonl"))
    assert ran.code == 1 and ran.out == ""
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == list(range(1, 151))
    assert [row["id"] for row in rows if "error" in row] == [90]
    assert all(f"[Country {row['id']}]" in row["steps"][0]["template"] for row in rows if "steps" in row)


def test_packed_files_are_read_and_written_as_such(kbqa: Kbqa, tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl.gz", tmp_path / "out.jsonl.gz"
    source.write_bytes(gzip.compress(lines(a_query(1), a_query(2)).encode()))
    assert kbqa("decompose", "--input", str(source), "--output", str(target)).code == 0
    assert [json.loads(line)["id"] for line in gzip.decompress(target.read_bytes()).splitlines()] == [1, 2]


def test_blank_lines_a_byte_order_mark_and_no_rows_at_all_are_fine(kbqa: Kbqa) -> None:
    given = b"\xef\xbb\xbf" + lines(a_query(1)).encode() + b"\n  \r\n" + lines(a_query(2)).encode().rstrip()
    ran = kbqa("decompose", "--input", "-", stdin=given)
    assert ran.code == 0 and len(ran.rows) == 2
    assert kbqa("decompose", "--input", "-", stdin=b"") == Ran(0, "", "")


def test_any_letters_come_out_as_they_went_in(kbqa: Kbqa) -> None:
    names = ["Ægypt 🐫", "line\u2028separator", "half \ud83d pair", "tab\tin"]
    given = lines(*({"id": n, "sparql": CAPITAL, "entities": {"m.02k54": n}} for n in names))
    ran = kbqa("decompose", "--input", "-", stdin=given)
    assert [json.loads(line)["id"] for line in ran.out.rstrip("\n").split("\n")] == names
    assert "Ægypt 🐫" in ran.out


def test_an_input_that_cannot_be_read_is_said_in_one_line(kbqa: Kbqa, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(gzip.compress(lines(*map(a_query, range(40))).encode())[:-20])
    (tmp_path / "not.gz").write_bytes(b"plain text")
    for source in (tmp_path / "none.jsonl", tmp_path, tmp_path / "not.gz", broken):
        ran = kbqa("decompose", "--input", str(source), "--output", str(tmp_path / "out.jsonl"))
        assert ran.code == 2 and str(source) in ran.err
        assert ran.err.startswith("kbqa: can't read ") and ran.err.count("\n") == 1
        assert not (tmp_path / "out.jsonl").exists()
    assert {p.name for p in tmp_path.iterdir()} == {"broken.jsonl.gz", "not.gz"}


def test_an_output_that_cannot_be_written_is_said_before_the_work(kbqa: Kbqa, tmp_path: Path) -> None:
    for target in (tmp_path / "none" / "out.jsonl", tmp_path):
        ran = kbqa("decompose", "--input", "-", "--output", str(target), stdin=lines(a_query(1)))
        assert ran.code == 2 and ran.err.startswith("kbqa: can't write ") and ran.err.count("\n") == 1


def test_an_output_file_is_replaced_only_when_it_is_complete(kbqa: Kbqa, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("before\n")
    broken = tmp_path / "in.jsonl.gz"
    broken.write_bytes(gzip.compress(lines(a_query(1)).encode())[:-4])
    assert kbqa("decompose", "--input", str(broken), "--output", str(target)).code == 2
    assert target.read_text() == "before\n" and len(list(tmp_path.iterdir())) == 2
    (tmp_path / "in.jsonl").write_text(lines(a_query(1)))
    assert kbqa("decompose", "--input", str(tmp_path / "in.jsonl"), "--output", str(target)).code == 0
    assert json.loads(target.read_text())["id"] == 1


def test_a_file_may_be_its_own_output_and_a_link_stays_a_link(kbqa: Kbqa, tmp_path: Path) -> None:
    real, link = tmp_path / "rows.jsonl", tmp_path / "link.jsonl"
    real.write_text(lines(a_query(1)))
    link.symlink_to(real)
    assert kbqa("decompose", "--input", str(link), "--output", str(link)).code == 0
    assert link.is_symlink() and "steps" in json.loads(real.read_text())


def test_a_device_is_written_to_and_not_replaced(kbqa: Kbqa) -> None:
    assert kbqa("decompose", "--input", "-", "--output", os.devnull, stdin=lines(a_query(1))).code == 0
    assert not Path(os.devnull).is_file()


def test_the_whole_of_a_published_file_is_read(kbqa: Kbqa, data_file: Callable[[str], Path]) -> None:
    with gzip.open(data_file("cwq/dev_valid.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [line for line, _ in zip(file, range(60), strict=False)]
    ran = kbqa("decompose", "--input", "-", stdin="".join(rows))
    assert [row["id"] for row in ran.rows] == [json.loads(row)["id"] for row in rows]
    assert sum("steps" in row for row in ran.rows) >= 57


# --- the engine's commands, on an engine with fixed answers ------------------------------------------

EGYPT = freebase("m.02k54")


def steps_of(question: str, answers: int = 1, outcome: Any = "answered") -> tuple[SubQuestion, ...]:
    named = tuple(Answer(freebase(f"m.0{n}"), f"City {n}") for n in range(answers))
    return (
        SubQuestion(1, "templated?", "natural?", "natural?", CAPITAL, named, answers, outcome, 0.9, (), ()),
        SubQuestion(
            2, question, question, question, CAPITAL, named, answers, outcome, 0.9, (), ("a warning",)
        ),
    )


class FixedEngine:
    """Has the signature of `kbqa.engine.Engine` and remembers how it was asked."""

    asked: list[tuple[Any, ...]]
    kb = types.SimpleNamespace(linker=None)

    def __init__(self, kb: str | None) -> None:
        if kb == "none.ttl":
            raise KnowledgeBaseError("none.ttl: no such file; name an RDF file, a folder or a URL")
        self.asked = [("open", kb)]

    @classmethod
    def open(cls, kb: str | None = None) -> FixedEngine:
        FixedEngine.last = cls(kb)  # type: ignore[attr-defined]
        return FixedEngine.last  # type: ignore[attr-defined,no-any-return]

    def ask(self, question: str, mode: Mode) -> Dialogue:
        self.asked.append(("ask", question, mode))
        if not question.strip() or len(question) > 2000:
            raise InputError("the question is empty or too long;\nask in one sentence")
        if question == "down?":
            raise StoreUnavailable("http://127.0.0.1:1/sparql: connection refused")
        timing = Timing(1.0, 2.0, 3.0, 4.0, 10.0)
        if question == "gibberish":
            mention = Mention(0, 4, "gibb", (Candidate(EGYPT, "Gibbon", "gibb", 0.9),))
            known = Recognised((mention,), ("What is the capital of Egypt?",))
            return Dialogue("d2", question, mode, "stub", "not_understood", (), 0, timing, known)
        query = read_sparql(CAPITAL)
        outcome: Any = {"empty?": "empty", "slow?": "timed_out"}.get(question, "answered")
        count = 47 if question == "many?" else 1
        version = Version(
            Parse(query, decompose_query(query), -0.5), CAPITAL, steps_of(question, count, outcome)
        )
        return Dialogue("d1", question, mode, "stub", "awaiting_feedback", (version,), 5, timing, at=1)

    def parse(self, question: str, entities: Mapping[Iri, str] | None, n: int) -> tuple[Parse, ...]:
        self.asked.append(("parse", question, entities, n))
        if not question:
            raise InputError("the question is empty")
        query = read_sparql(CAPITAL)
        return tuple(Parse(query, decompose_query(query), -0.5 * i) for i in range(min(n, 3)))

    def phrase(
        self, template: str, question: str | None, history: Sequence[str], mode: Mode, n: int
    ) -> tuple[Any, ...]:
        self.asked.append(("phrase", template, question, tuple(history), mode, n))
        return (types.SimpleNamespace(text="natural?", logprob=-1.5, listener_logprob=-0.25),)

    def close(self) -> None:
        self.asked.append(("close",))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[tuple[Any, ...]]]:
    """The commands get the fixed engine; the fixture tells how it was asked."""
    module = types.ModuleType("kbqa.engine")
    module.Engine = FixedEngine  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "kbqa.engine", module)
    return lambda: FixedEngine.last.asked  # type: ignore[attr-defined,no-any-return]


Asked = Callable[[], list[tuple[Any, ...]]]


def test_parse_gives_readings_best_first(kbqa: Kbqa, asked: Asked) -> None:
    row = {"id": "q", "question": "What is the capital of Egypt?", "entities": {"m.02k54": "Egypt"}}
    ran = kbqa("parse", "--input", "-", "--n", "2", "--kb", "books.ttl", stdin=lines(row))
    portable = render(read_sparql(CAPITAL))
    parses = [{"sparql": portable, "logprob": -0.0}, {"sparql": portable, "logprob": -0.5}]
    assert ran.code == 0 and ran.rows == [{"id": "q", "parses": parses}]
    assert asked() == [("open", "books.ttl"), ("parse", row["question"], None, 2), ("close",)]


def test_parse_takes_gold_entities_only_where_told_to(kbqa: Kbqa, asked: Asked) -> None:
    rows = lines({"id": 1, "question": "q?", "entities": {"m.02k54": "Egypt"}}, {"id": 2, "question": "q?"})
    ran = kbqa("parse", "--input", "-", "--gold-entities", stdin=rows)
    assert asked()[1] == ("parse", "q?", {EGYPT: "Egypt"}, 5)
    assert ran.code == 1 and "--gold-entities" in ran.rows[1]["error"]["message"]


def test_a_question_that_the_engine_refuses_is_an_error_of_its_row(kbqa: Kbqa, asked: Asked) -> None:
    ran = kbqa("parse", "--input", "-", stdin=lines({"id": 1, "question": ""}, {"id": 2, "question": "q?"}))
    assert ran.code == 1
    assert ran.rows[0] == {"id": 1, "error": {"type": "InputError", "message": "the question is empty"}}
    assert len(ran.rows[1]["parses"]) == 3


def test_phrase_gives_wordings_best_first(kbqa: Kbqa, asked: Asked) -> None:
    rows = lines(
        {"id": 1, "template": "What is the capital of [Egypt]?", "question": "q?", "history": ["h?"]},
        {"id": 2, "template": "t?"},
        {"id": 3, "template": "t?", "history": "h?"},
    )
    ran = kbqa("phrase", "--input", "-", "--mode", "decontextualized", "--n", "4", stdin=rows)
    questions = [{"text": "natural?", "logprob": -1.5, "listener_logprob": -0.25}]
    assert ran.rows[:2] == [{"id": 1, "questions": questions}, {"id": 2, "questions": questions}]
    assert "'history'" in ran.rows[2]["error"]["message"]
    mode = MODES["decontextualized"]
    assert asked()[1:3] == [
        ("phrase", "What is the capital of [Egypt]?", "q?", ("h?",), mode, 4),
        ("phrase", "t?", None, (), mode, 4),
    ]


def test_a_wrong_path_is_told_before_the_models_are_loaded(
    kbqa: Kbqa, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "kbqa.engine", None)
    assert kbqa("parse", "--input", "none.jsonl", "--output", "-").err.startswith(
        "kbqa: can't read none.jsonl"
    )


def test_ask_shows_steps_answers_and_the_final_answer(kbqa: Kbqa, asked: Asked) -> None:
    ran = kbqa("ask", "Where?", "--mode", "templated")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "Where?",
        "Here is how I understood your question:",
        "  1. natural?",
        "     City 0",
        "  2. Where?",
        "     City 0",
        "     a warning",
        "Answer: City 0",
    ]
    assert asked() == [("open", None), ("ask", "Where?", MODES["templated"]), ("close",)]


def test_ask_shows_the_queries_on_request(kbqa: Kbqa, asked: Asked) -> None:
    assert kbqa("ask", "Where?", "--sparql").out.count("SELECT DISTINCT ?x") == 3


def test_many_answers_are_cut_and_counted(kbqa: Kbqa, asked: Asked) -> None:
    last = kbqa("ask", "many?").out.splitlines()[-1]
    assert last == "Answer: " + ", ".join(f"City {n}" for n in range(10)) + " and 37 more"


@pytest.mark.parametrize(("question", "shown"), [("empty?", "nothing found"), ("slow?", "no answer in time")])
def test_nothing_found_and_not_in_time_are_two_things(
    kbqa: Kbqa, asked: Asked, question: str, shown: str
) -> None:
    assert kbqa("ask", question).out.splitlines()[-1] == f"Answer: {shown}"


def test_what_was_not_understood_says_what_was_recognised(kbqa: Kbqa, asked: Asked) -> None:
    ran = kbqa("ask", "gibberish")
    assert ran.code == 0
    assert ran.out.splitlines()[1:] == [
        "I did not understand this question.",
        "What I recognised: gibb (Gibbon)",
        "Questions I can answer:",
        "  - What is the capital of Egypt?",
    ]


def test_ask_json_writes_the_dialogue_document(kbqa: Kbqa, asked: Asked) -> None:
    pytest.importorskip("kbqa.document", reason="kbqa.document is not there yet")
    document = json.loads(kbqa("ask", "Where?", "--json").out)
    assert document["question"] == "Where?" and document["mode"] == "full"
    assert [step["id"] for step in document["steps"]] == [1, 2]
    assert document["status"] == "awaiting_feedback" and document["error"] is None


@pytest.mark.parametrize("question", ["", "   ", "x" * 10_000])
def test_a_question_that_cannot_be_asked_is_exit_code_2(kbqa: Kbqa, asked: Asked, question: str) -> None:
    message = "kbqa: the question is empty or too long; ask in one sentence\n"
    assert kbqa("ask", question) == Ran(2, "", message)
    assert asked()[-1] == ("close",)


def test_a_store_that_fails_is_exit_code_1(kbqa: Kbqa, asked: Asked) -> None:
    ran = kbqa("ask", "down?")
    assert (ran.code, ran.out) == (
        1,
        "",
    ) and ran.err == "kbqa: http://127.0.0.1:1/sparql: connection refused\n"


def test_a_knowledge_base_that_is_not_there_is_exit_code_2(kbqa: Kbqa, asked: Asked) -> None:
    for words in (("ask", "q?"), ("chat",), ("parse", "-i", "-"), ("phrase", "-i", "-")):
        ran = kbqa(*words, "--kb", "none.ttl")
        assert ran.code == 2 and ran.err.startswith("kbqa: none.ttl: no such file")


def test_a_defect_is_told_in_one_line(kbqa: Kbqa, asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: FixedEngine, question: str, mode: Mode) -> Dialogue:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(FixedEngine, "ask", broken)
    ran = kbqa("ask", "q?")
    assert ran.code == 1
    assert ran.err == "kbqa: internal error, ZeroDivisionError: division by zero (KBQA_DEBUG=1 shows where)\n"


def test_control_characters_in_names_do_not_reach_the_terminal(kbqa: Kbqa, asked: Asked) -> None:
    ran = kbqa("ask", "red \x1b[31m [bold]alert[/bold] :smile:?")
    assert "\x1b" not in ran.out and "[31m [bold]alert[/bold] :smile:?" in ran.out


def test_chat_answers_each_line_and_goes_on_after_an_error(kbqa: Kbqa, asked: Asked) -> None:
    ran = kbqa("chat", "--mode", "non-interactive", "--no-records", stdin="Where?\n\ndown?\nmany?")
    assert ran.code == 0 and "\x1b" not in ran.out
    assert ran.out.count("Here is how I understood your question:") == 2
    assert "connection refused" in ran.err
    questions = [call[1] for call in asked() if call[0] == "ask"]
    assert questions == ["Where?", "down?", "many?"] and asked()[-1] == ("close",)


# --- the engine itself, on a small file ----------------------------------------------------------------

TEMPLATE = "What is the capital city of [Egypt]?"
FACTS = """@prefix ns: <http://rdf.freebase.com/ns/> .
ns:m.02k54 ns:type.object.name "Egypt"@en ; ns:location.country.capital ns:m.01w2v .
ns:m.01w2v ns:type.object.name "Cairo"@en .
"""


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An RDF file; the engine over it reads one question as its script says."""
    from kbqa.engine import Engine
    from kbqa.scripted import ScriptedParser

    opened = Engine.open

    def scripted(kb: str | None = None) -> Engine:
        return opened(kb, parser=ScriptedParser({"What is the capital of Egypt?": CAPITAL}))

    monkeypatch.setattr(Engine, "open", scripted)
    (tmp_path / "facts.ttl").write_text(FACTS)
    return str(tmp_path / "facts.ttl")


def test_a_question_to_an_rdf_file_is_answered(kbqa: Kbqa, facts: str) -> None:
    ran = kbqa("ask", "What is the capital of Egypt?", "--kb", facts, "--mode", "templated")
    assert ran.out.splitlines() == [
        "What is the capital of Egypt?",
        "Here is how I understood your question:",
        f"  1. {TEMPLATE}",
        "     Cairo",
        "Answer: Cairo",
    ]


def test_the_document_of_a_question_to_an_rdf_file(kbqa: Kbqa, facts: str) -> None:
    document = json.loads(kbqa("ask", "What is the capital of Egypt?", "--kb", facts, "--json").out)
    assert [answer["label"] for answer in document["answers"]] == ["Cairo"]
    assert document["steps"][0]["answer_count"] == 1 and document["mode"] == "full"


@pytest.mark.parametrize("question", ["", " ", "?" * 10_000, "🐪🐪🐪", "; DROP TABLE", "\x00"])
def test_odd_questions_are_answered_or_refused_in_a_line(kbqa: Kbqa, facts: str, question: str) -> None:
    ran = kbqa("ask", question, "--kb", facts)
    assert ran.code in (0, 2) and "internal error" not in ran.err
    assert "I did not understand this question." in ran.out or ran.err.startswith("kbqa: ")


def test_a_file_of_questions_and_one_of_templates(kbqa: Kbqa, facts: str) -> None:
    questions = lines({"id": 1, "question": "What is the capital of Egypt?"}, {"id": 2, "question": " "})
    parsed = kbqa("parse", "--input", "-", "--kb", facts, stdin=questions)
    assert parsed.code == 1 and parsed.rows[1]["error"]["type"] == "InputError"
    assert same(read_sparql(parsed.rows[0]["parses"][0]["sparql"]), read_sparql(CAPITAL))
    templates = lines({"id": 1, "template": TEMPLATE}, {"id": 2, "template": "gibberish"})
    phrased = kbqa("phrase", "--input", "-", "--kb", facts, stdin=templates)
    assert phrased.code == 1 and phrased.rows[1]["error"]["type"] == "TemplateError"
    assert list(phrased.rows[0]["questions"][0]) == ["text", "logprob", "listener_logprob"]
    scores = [question["logprob"] for question in phrased.rows[0]["questions"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("kb", ["none.ttl", "none/", "ftp://x", "http://127.0.0.1:9/sparql"])
def test_a_knowledge_base_that_cannot_be_opened_is_said_in_a_line(kbqa: Kbqa, facts: str, kb: str) -> None:
    ran = kbqa("ask", "What is the capital of Egypt?", "--kb", kb)
    assert ran.code in (1, 2) and ran.out == ""
    assert ran.err.startswith("kbqa: ") and ran.err.count("\n") == 1 and kb.rstrip("/") in ran.err
    assert "internal error" not in ran.err


# --- the page ----------------------------------------------------------------------------------------


def test_ui_starts_streamlit_on_loopback_and_reports_nothing(
    monkeypatch: pytest.MonkeyPatch, kbqa: Kbqa
) -> None:
    monkeypatch.setattr("pathlib.Path.is_file", lambda self: True)
    command, environment = streamlit_call("127.0.0.1", 8501, "books.ttl")
    assert command[:4] == [sys.executable, "-m", "streamlit", "run"]
    assert Path(command[4]).parts[-2:] == ("ui", "app.py")
    options = dict(zip(command[5::2], command[6::2], strict=True))
    assert options == {
        "--server.headless": "true",
        "--browser.gatherUsageStats": "false",
        "--server.address": "127.0.0.1",
        "--server.port": "8501",
    }
    assert environment["KBQA_KB"] == "books.ttl"


def test_ui_passes_host_port_and_kb_on(monkeypatch: pytest.MonkeyPatch, kbqa: Kbqa) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr("pathlib.Path.is_file", lambda self: True)
    monkeypatch.setattr(os, "execve", lambda path, command, environment: started.append(command))
    assert kbqa("ui", "--host", "0.0.0.0", "--port", "8600").code == 0
    assert started[0][-4:] == ["--server.address", "0.0.0.0", "--server.port", "8600"]


def test_ui_without_streamlit_says_what_to_install(monkeypatch: pytest.MonkeyPatch, kbqa: Kbqa) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ran = kbqa("ui")
    assert ran.code == 2 and "pip install 'kbqa[ui]'" in ran.err


# --- help and calls ----------------------------------------------------------------------------------

COMMANDS = {
    "ask": ("QUESTION", "--mode", "--json", "--kb"),
    "chat": ("--mode", "--kb", "--resume"),
    "serve": ("--host", "127.0.0.1", "--port", "8000", "--kb", "--token"),
    "export": ("--output", "--training"),
    "ui": ("--host", "127.0.0.1", "--port", "8501", "--kb"),
    "parse": (
        "--input",
        "--output",
        "--n",
        "default: 5",
        "--gold-entities",
        "--kb",
        "{id, question, entities?: {iri or mid: name}} -> {id, parses: [{sparql, logprob}]}",
    ),
    "decompose": (
        "--input",
        "--output",
        "{id, sparql, entities?: {iri or mid: name}} -> {id, steps: [{template, sparql}], recomposed}",
    ),
    "phrase": (
        "--input",
        "--output",
        "--mode",
        "--n",
        "default: 10",
        "{id, template, question?, history?: [..]} -> {id, questions: [{text, logprob, listener_logprob}]}",
        "best first",
    ),
    "correct": (
        "--input",
        "--output",
        "--mode",
        "{id, feedback, question?, history?: [..]} -> {id, templates: [{text, logprob, sparql}]}",
        "best first",
    ),
    "synth": ("--kb", "--n", "--output", "--seed"),
}


def test_synth_writes_questions_that_decompose_reads(kbqa: Kbqa, tmp_path: Path) -> None:
    made, taken = tmp_path / "made.jsonl", tmp_path / "taken.jsonl"
    assert kbqa("synth", "--n", "5", "--output", str(made), "--seed", "4").code == 0
    assert kbqa("decompose", "--input", str(made), "--output", str(taken)).code == 0
    rows = [json.loads(line) for line in made.read_text().splitlines()]
    steps = [json.loads(line)["steps"] for line in taken.read_text().splitlines()]
    assert len(rows) == 5 and all(steps)


def test_synth_over_something_else_is_refused(kbqa: Kbqa, tmp_path: Path) -> None:
    ran = kbqa("synth", "--n", "5", "--output", str(tmp_path / "x"), "--kb", "nowhere.ttl")
    assert ran.code == 2 and "no knowledge base at 'nowhere.ttl'" in ran.err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_the_command_takes_and_gives(kbqa: Kbqa, command: str) -> None:
    ran = kbqa(command, "--help")
    said = " ".join(ran.out.split())
    assert ran.code == 0
    assert [part for part in COMMANDS[command] if part not in said] == []
    if "--mode" in COMMANDS[command]:
        assert [
            mode for mode in MODES if mode not in said.replace("non- interactive", "non-interactive")
        ] == []


def test_help_names_every_command(kbqa: Kbqa) -> None:
    said = kbqa("--help").out
    assert [command for command in COMMANDS if f"\n  {command} " not in said] == []
    assert re.fullmatch(r"kbqa \d+\.\d+\.\d+\S*\n", kbqa("--version").out)


@pytest.mark.parametrize(
    "words",
    [
        ("ask",),
        ("ask", "q?", "--mode", "loud"),
        ("parse",),
        ("parse", "--input", "-", "--n", "0"),
        ("ui", "--port", "99999"),
        ("nonsense",),
        ("ask", "--nonsense", "q?"),
    ],
)
def test_a_call_that_makes_no_sense_is_exit_code_2(kbqa: Kbqa, words: tuple[str, ...]) -> None:
    ran = kbqa(*words)
    assert ran.code == 2 and "Error" in ran.err


def test_every_command_in_the_readme_exists_with_its_options(kbqa: Kbqa, checkout: Path) -> None:
    called = re.findall(r"^\$ kbqa (\w+)(.*)$", (checkout / "README.md").read_text(), re.MULTILINE)
    groups = {"train", "kb", "study"}
    assert {command for command, _ in called} >= {*COMMANDS, *groups, "simulate", "import"}
    for command, rest in called:
        words = (command, rest.split()[0]) if command in groups else (command,)
        said = kbqa(*words, "--help").out
        assert [option for option in re.findall(r"--\w[\w-]*", rest) if option not in said] == []


# --- in a process of its own -------------------------------------------------------------------------


def process(*words: str, stdin: str = "") -> Ran:
    ran = subprocess.run(
        [sys.executable, "-m", "kbqa.cli", *words], input=stdin.encode(), capture_output=True, timeout=120
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def test_it_works_in_a_pipe() -> None:
    ran = process("decompose", "--input", "-", "--output", "-", stdin=lines(a_query(1), {"id": 2}))
    assert ran.code == 1 and [row["id"] for row in ran.rows] == [1, 2]
    assert "Traceback" not in ran.err


def test_a_reader_that_leaves_early_is_no_drama() -> None:
    given = lines(*map(a_query, range(1, 120)))
    command = f"{sys.executable} -m kbqa.cli decompose --input - | head -n 1"
    ran = subprocess.run(command, shell=True, input=given.encode(), capture_output=True, timeout=120)
    assert ran.stdout.count(b"\n") == 1 and b"Traceback" not in ran.stderr


@pytest.mark.parametrize("words", [("--help",), ("decompose", "--help"), ("ask", "--help")])
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    heavy = ("torch", "rdflib", "numpy", "transformers", "streamlit", "pyoxigraph", "tantivy", "rich")
    code = (
        "import sys; from kbqa.cli import main\n"
        f"sys.argv = ['kbqa', *{words!r}]\n"
        "try: main()\n"
        f"except SystemExit: print('loaded:', [m for m in {heavy!r} if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ran.stdout.splitlines()[-1] == "loaded: []", ran.stderr
