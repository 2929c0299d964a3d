"""`kbqa import`: published data sets, as invented rows in their published layouts, to this project's rows."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from films import NATIONALITY, NS

from kbqa.cli import main
from kbqa.cli.gold import gold_row
from kbqa.errors import InputError
from kbqa.evaluate.forms import partial_forms
from kbqa.importers import FORMATS, convert, entries
from kbqa.importers.queries import entities_of, standard
from kbqa.lexicon import freebase_lexicon
from kbqa.simulate.goal import goal_of
from kbqa.sparql import parse

DIRECTED = NS + "SELECT DISTINCT ?x WHERE { ns:m.0gump ns:film.film.directed_by ?x }"

CWQ = {
    "ID": "WebQTrn-9_aa",
    "answers": [{"answer_id": "m.0bob", "answer": "Robert Zemeckis", "aliases": ["Bob Zemeckis"]}],
    "composition_answer": "forrest gump",
    "compositionality_type": "composition",
    "created": "2018-02-12T20:48:05",
    "machine_question": "who directed the movie Forrest Gump",
    "question": "Who was in the director's chair for Forrest Gump?",
    "sparql": DIRECTED,
    "webqsp_ID": "WebQTrn-9",
    "webqsp_question": "who directed it",
}
WEBQSP = {
    "QuestionId": "WebQTrn-9",
    "RawQuestion": "who directed forrest gump?",
    "ProcessedQuestion": "who directed forrest gump",
    "Parses": [
        {
            "ParseId": "WebQTrn-9.P0",
            "AnnotatorId": 3,
            "AnnotatorComment": {"ParseQuality": "Complete", "QuestionQuality": "Good"},
            "Sparql": DIRECTED,
            "PotentialTopicEntityMention": "forrest gump",
            "TopicEntityName": "Forrest Gump",
            "TopicEntityMid": "m.0gump",
            "InferentialChain": ["film.film.directed_by"],
            "Constraints": [],
            "Answers": [
                {"AnswerType": "Entity", "AnswerArgument": "m.0bob", "EntityName": "Robert Zemeckis"}
            ],
        },
        {"ParseId": "WebQTrn-9.P1", "Sparql": None, "Answers": []},
    ],
}
GRAILQA = {
    "qid": 2100001001000,
    "question": "how many films did robert zemeckis direct?",
    "answer": [{"answer_type": "Value", "answer_argument": "2"}],
    "function": "count",
    "num_node": 2,
    "num_edge": 1,
    "graph_query": {
        "nodes": [
            {"nid": 0, "node_type": "class", "id": "film.film", "friendly_name": "Film"},
            {"nid": 1, "node_type": "entity", "id": "m.0bob", "friendly_name": "Robert Zemeckis"},
        ],
        "edges": [{"start": 0, "end": 1, "relation": "film.film.directed_by"}],
    },
    "sparql_query": "PREFIX : <http://rdf.freebase.com/ns/> \nSELECT (COUNT(?x0) AS ?value) WHERE {\nSELECT "
    "DISTINCT ?x0  WHERE { \n?x0 :type.object.type :film.film . \nVALUES ?x1 { :m.0bob } \n"
    "?x0 :film.film.directed_by ?x1 . \nFILTER ( ?x0 != ?x1  )\n}\n}",
    "domains": ["film"],
    "level": "zero-shot",
    "s_expression": "(COUNT (AND film.film (JOIN film.film.directed_by m.0bob)))",
}
LCQUAD = {
    "_id": "77",
    "corrected_question": "How many films did Robert Zemeckis direct?",
    "intermediary_question": "How many <films> are there whose <director> is <Robert Zemeckis>?",
    "sparql_query": "SELECT DISTINCT COUNT(?uri) WHERE {?uri <http://dbpedia.org/ontology/director> "
    "<http://dbpedia.org/resource/Robert_Zemeckis> . ?uri <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
    "<http://dbpedia.org/ontology/Film> }",
    "sparql_template_id": 101,
}
INSPIRED: Mapping[str, Any] = {
    "id": "WebQTrn-9_bb",
    "cwq_question": "What film with Tom Hanks did Robert Zemeckis direct?",
    "rephrased_question": "Which Zemeckis film has Tom Hanks in it?",
    "rephrased_question_label": "Replacement",
    "question": "Which Zemeckis film has Tom Hanks in it?",
    "final_answer": "Forrest Gump",
    "gold_parse": NS + "SELECT DISTINCT ?x WHERE { ?x ns:film.film.directed_by ns:m.0bob . "
    "ns:m.0tom ns:film.actor.film ?y . ?y ns:film.performance.film ?x }",
    "preprocessed_gold_parse": "<sparql-header-1> ?x ns:film.film.directed_by #entity1# .",
    "predicted_parse": "",
    "gold_sub_lfs": [
        "<sparql-header-1> #entity2# ns:film.actor.film ?y . ?y ns:film.performance.film ?x .",
        "?x ns:film.film.directed_by #entity1# .",
    ],
    "pred_sub_lfs": [],
    "gold_sub_qs": [
        {
            "sub_id": 0,
            "sub_question": "Which films  was Tom Hanks in?",
            "temp_sub_question": "What is/are the film(s) with actor Tom Hanks",
            "answer": "Forrest Gump",
        },
        {
            "sub_id": 1,
            "sub_question": "And which of those came from Zemeckis?",
            "temp_sub_question": "Of which, what is/are the film(s) directed by Robert Zemeckis",
            "answer": "Forrest Gump",
        },
    ],
    "pred_sub_qs": [],
    "feedback": ["No, the second step should be about Zemeckis."],
}
ENTRIES: Mapping[str, Mapping[str, Any]] = {
    "cwq": CWQ,
    "webqsp": WEBQSP,
    "grailqa": GRAILQA,
    "lcquad": LCQUAD,
    "inspired": INSPIRED,
}


def published(name: str, *more: Mapping[str, Any]) -> str:
    """A file in the layout in which the data set is published."""
    found = [ENTRIES[name], *more]
    if name == "inspired":
        return "".join(json.dumps(entry) + "\n" for entry in found)
    if name == "webqsp":
        return json.dumps({"Version": "1.0", "FreebaseVersion": "2015-08-09", "Questions": found}, indent=2)
    return json.dumps(found, indent=1)


@dataclass(frozen=True)
class Ran:
    code: int
    rows: list[dict[str, Any]]
    told: list[dict[str, Any]]
    err: str


Import = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Import:
    """`run('cwq', text)` imports a file of this text."""

    def call(name: str, text: str | bytes, *words: str, suffix: str = ".json") -> Ran:
        raw = text.encode() if isinstance(text, str) else text
        given, out, report = tmp_path / f"given{suffix}", tmp_path / "rows.jsonl", tmp_path / "report.jsonl"
        given.write_bytes(gzip.compress(raw) if suffix.endswith(".gz") else raw)
        out.unlink(missing_ok=True)
        to = ["--output", str(out), "--report", str(report)]
        monkeypatch.setattr(sys, "argv", ["kbqa", "import", name, str(given), *to, *words])
        with pytest.raises(SystemExit) as left:
            main()
        return Ran(int(left.value.code or 0), lines_of(out), lines_of(report), capsys.readouterr().err)

    return call


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


# --- the formats -----------------------------------------------------------------------------------


def test_cwq_gives_its_question_query_type_and_answers(run: Import) -> None:
    ran = run("cwq", published("cwq"))
    assert (ran.code, ran.told) == (0, [])
    assert ran.rows == [
        {
            "id": "WebQTrn-9_aa",
            "question": "Who was in the director's chair for Forrest Gump?",
            "sparql": DIRECTED,
            "entities": {"m.0gump": None},
            "type": "composition",
            "answers": ["m.0bob"],
            "answer_names": {"m.0bob": "Robert Zemeckis"},
            "source": "cwq",
        }
    ]


def test_a_cwq_test_file_without_answers_is_read(run: Import) -> None:
    bare = {k: v for k, v in CWQ.items() if k not in ("answers", "composition_answer")}
    ran = run("cwq", json.dumps([bare]))
    assert ran.code == 0
    assert ran.rows[0]["answers"] is None


def test_webqsp_gives_a_row_for_each_parse_that_has_a_query(run: Import) -> None:
    ran = run("webqsp", published("webqsp"))
    assert ran.code == 1
    (row,) = ran.rows
    assert row["id"] == "WebQTrn-9.P0"
    assert row["question"] == "who directed forrest gump?"
    assert row["question_id"] == "WebQTrn-9" and row["n_parses"] == 2
    assert row["entities"] == {"m.0gump": "Forrest Gump"}
    assert row["answers"] == ["m.0bob"]
    (told,) = ran.told
    assert told["entry"] == 1 and told["id"] == "WebQTrn-9.P1" and told["status"] == "skipped"
    assert "'Sparql'" in told["message"]
    assert "1 rows written, 1 left out (InputError 1)" in ran.err


def test_grailqa_gives_names_from_its_graph_and_a_count_that_means_the_same(run: Import) -> None:
    ran = run("grailqa", published("grailqa"))
    (row,) = ran.rows
    assert row["id"] == "grailqa-2100001001000" and row["type"] == "count"
    assert row["entities"] == {"m.0bob": "Robert Zemeckis"}
    assert row["answers"] == ["2"] and row["level"] == "zero-shot"
    assert parse(row["sparql"]).form == "count"
    assert "COUNT(DISTINCT ?x0)" in row["sparql"] and entities_of(parse(row["sparql"])) == ("m.0bob",)


def test_lcquad_gives_names_from_its_iris_and_standard_counts(run: Import) -> None:
    ran = run("lcquad", published("lcquad"))
    (row,) = ran.rows
    assert row["id"] == "lcquad1-77" and row["type"] == "template-101"
    assert row["entities"] == {"http://dbpedia.org/resource/Robert_Zemeckis": "Robert Zemeckis"}
    assert row["sparql"].startswith("SELECT (COUNT(DISTINCT ?uri) AS ?count) WHERE {")
    assert row["answers"] is None


def test_inspired_gives_human_sub_questions_for_the_steps_in_their_order(run: Import) -> None:
    ran = run("inspired", published("inspired"))
    assert (ran.code, ran.told) == (0, [])
    (row,) = ran.rows
    assert row["question"] == "Which Zemeckis film has Tom Hanks in it?"
    assert row["cwq_question"] == INSPIRED["cwq_question"]
    assert row["feedback"] == ["No, the second step should be about Zemeckis."]
    assert row["entities"] == {"m.0bob": None, "m.0tom": None}
    first, second = row["steps"]
    assert "[m.0tom]" in first and "[m.0bob]" in second
    assert row["sub_questions"] == [
        ["Which films was Tom Hanks in?"],
        ["And which of those came from Zemeckis?"],
    ]


def test_sub_questions_follow_the_order_of_their_forms() -> None:
    other = {**INSPIRED, "gold_sub_lfs": INSPIRED["gold_sub_lfs"][::-1]}
    other["gold_sub_qs"] = INSPIRED["gold_sub_qs"][::-1]
    (row,) = convert("inspired", other)["rows"]
    assert "[m.0bob]" in row["steps"][0] and "[m.0tom]" in row["steps"][1]
    assert row["sub_questions"][1] == ["Which films was Tom Hanks in?"]


def test_a_superlative_is_found_by_its_order_and_what_belongs_to_no_step_is_noted() -> None:
    gold = NS + (
        "SELECT DISTINCT ?x WHERE { ns:m.0tom ns:film.actor.film ?y . ?y ns:film.performance.film ?x . "
        "?x ns:film.film.initial_release_date ?num } ORDER BY DESC(xsd:datetime(?num)) LIMIT 1"
    )
    forms = [
        "#entity1# ns:film.actor.film ?y . ?y ns:film.performance.film ?x .",
        "?x ns:film.film.initial_release_date ?num .",
        "order by desc ( xsd:datetime ( ?num ) ) limit 1",
    ]
    asked = [{"sub_question": t} for t in ("What was Tom in?", "When did they come out?", "Which is latest?")]
    found = convert("inspired", {**INSPIRED, "gold_parse": gold, "gold_sub_lfs": forms, "gold_sub_qs": asked})
    (row,) = found["rows"]
    assert row["sub_questions"] == [["What was Tom in?"], ["Which is latest?"]]
    (told,) = found["told"]
    assert told["status"] == "noted" and told["message"].startswith("1 of 3 human sub-questions")


@pytest.mark.parametrize("forms", [[], ["?x ns:music.artist.album ?y .", "?x ns:music.album.genre ?y ."]])
def test_forms_that_do_not_fit_put_no_words_into_a_step_by_chance(forms: list[str]) -> None:
    one = [{"sub_question": "Which films was Tom Hanks in?"}, {"sub_question": "x <ANS> #entity1#"}]
    found = convert("inspired", {**INSPIRED, "gold_sub_lfs": forms, "gold_sub_qs": one})
    (row,) = found["rows"]
    wordings = row.get("sub_questions", [])
    assert wordings == ([["Which films was Tom Hanks in?"], []] if not forms else [])
    assert bool(found["told"]) == bool(forms)


def test_rows_of_this_projects_own_shape_keep_their_fields(run: Import) -> None:
    row = {
        "id": "a",
        "question": "Who?",
        "sparql": DIRECTED,
        "entities": {"m.0gump": "Gump"},
        "has_unknown": True,
    }
    ran = run("cwq", json.dumps(row) + "\n", suffix=".jsonl")
    assert ran.rows[0]["has_unknown"] is True and ran.rows[0]["source"] == "cwq"
    assert ran.rows[0]["entities"] == {"m.0gump": "Gump"}


@pytest.mark.parametrize("name", FORMATS)
def test_every_row_can_be_simulated(name: str) -> None:
    for row in convert(name, ENTRIES[name])["rows"]:
        assert goal_of(gold_row(1, row["id"], row), freebase_lexicon()).query == parse(row["sparql"])


def test_human_sub_questions_are_what_simulated_users_have_to_say() -> None:
    gold = (
        NS + "SELECT DISTINCT ?x WHERE { ns:m.gump ns:film.film.produced_by ?p . "
        "?p ns:people.person.nationality ?x }"
    )
    forms = ["#entity1# ns:film.film.produced_by ?c .", "?c ns:people.person.nationality ?x ."]
    said = ["Who is the producer of Forrest Gump?", "Where does that one come from?"]
    entry = {**INSPIRED, "question": NATIONALITY, "gold_parse": gold, "gold_sub_lfs": forms}
    entry["gold_sub_qs"] = [{"sub_question": text} for text in said]
    (row,) = convert("inspired", entry)["rows"]
    goal = goal_of(gold_row(1, "a", row), freebase_lexicon())
    held = [goal.said[form] for form in partial_forms(goal.ways[0]) if form is not None]
    assert held == [(text,) for text in said]


# --- what lies around the entries ------------------------------------------------------------------


def numbered(raw: bytes) -> list[tuple[int, Any]]:
    return [(n, json.loads(text)) for n, text in entries(io.BytesIO(raw), "f")]


def test_entries_are_found_wherever_a_piece_of_the_file_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [{"a": 'é]}\\" , {', "n": -1.5e3}, {}, {"b": [[1, {"c": "😀"}], None]}]
    compact = json.dumps(made, ensure_ascii=False).encode()
    pretty = b"\xef\xbb\xbf" + json.dumps(made, indent=3).encode() + b"\n"
    lines = "".join(json.dumps(m, ensure_ascii=False) + "\r\n\n" for m in made).encode()
    for size in (1, 2, 3, 7, 64):
        monkeypatch.setattr("kbqa.importers.files._CHUNK", size)
        for raw in (compact, pretty) if size > 3 else (compact,):
            assert [e for _, e in numbered(raw)] == made
        if size > 60:
            assert numbered(lines) == [(1, made[0]), (3, made[1]), (5, made[2])]
            wrapped = json.dumps({"V": '1, "Q"', "n": 3, "Questions": made, "z": []}).encode()
            assert [e for _, e in numbered(wrapped)] == made


def test_no_more_of_a_file_is_read_than_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbqa.importers.files._CHUNK", 4_096)
    one = json.dumps(CWQ).encode()
    for raw in (b"[" + b",".join([one] * 200) + b"]", b"\n".join([one] * 200)):
        file = io.BytesIO(raw)
        ahead = [file.tell() - n * (len(one) + 1) for n, _ in entries(file, "f")]
        assert len(ahead) == 200
        assert max(ahead) < 2 * 4_096


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "is empty"),
        (b'[{"a": 1}, {"b": ', "entry 2 is not JSON"),
        (b'[{"a": 1}', "cut off"),
        (b'[{"a": 1} {"b": 2}]', "',' or ']' expected after entry 1"),
        (b'[{"a": 1}, 7]', "entry 2, at character 12, is no JSON object"),
        (b'[{"a": "\xff"}]', "not UTF-8"),
        (b"ID,question\n1,2\n", "begins with 'ID,question'"),
        (b'{\n "a": 1\n}', "one JSON object over several lines"),
    ],
)
def test_a_broken_file_is_named_with_the_place(raw: bytes, said: str) -> None:
    with pytest.raises(InputError, match=r"^f\b") as caught:
        numbered(raw)
    assert said in str(caught.value)


# --- the command -----------------------------------------------------------------------------------


@pytest.mark.parametrize("held", FORMATS)
@pytest.mark.parametrize("asked", FORMATS)
def test_a_file_of_another_format_is_named(run: Import, asked: str, held: str) -> None:
    if asked == held:
        return
    ran = run(asked, published(held))
    assert ran.code == 2 and ran.rows == []
    assert f"looks like {FORMATS[held].title}, not {FORMATS[asked].title}" in ran.err
    assert f"kbqa import {held}" in ran.err


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"uid": 1, "question": "q", "sparql_wikidata": "s"}, "looks like LC-QuAD 2"),
        ({"id": 1, "db_id": "x", "gold_parse": "SELECT"}, "text-to-SQL"),
        ({"utterance": "who", "mr": "x"}, "has entries with 'utterance', 'mr'"),
    ],
)
def test_what_is_none_of_the_formats_is_said_so(run: Import, entry: Mapping[str, Any], said: str) -> None:
    ran = run("cwq", json.dumps([entry]))
    assert ran.code == 2
    assert said in ran.err and "CWQ is a JSON array of objects with ID" in ran.err


def test_a_row_that_can_not_be_used_costs_no_other(run: Import) -> None:
    broken: list[Mapping[str, Any]] = [
        {**CWQ, "ID": "b", "sparql": "SELECT ?x WHERE { ?x"},
        {**CWQ, "ID": "c", "question": " "},
        {"ID": None, "question": "q", "sparql": DIRECTED},
        {"other": 1},
        {**CWQ, "ID": "d", "answers": "m.0bob"},
        {**CWQ, "ID": "WebQTrn-9_aa"},
        {**CWQ, "ID": "e"},
    ]
    ran = run("cwq", published("cwq", *broken))
    assert ran.code == 1
    assert [row["id"] for row in ran.rows] == ["WebQTrn-9_aa", "e"]
    assert [(t["entry"], t["id"], t["type"]) for t in ran.told] == [
        (2, "b", "QueryError"),
        (3, "c", "InputError"),
        (4, "", "InputError"),
        (5, "", "InputError"),
        (6, "d", "InputError"),
        (7, "WebQTrn-9_aa", "InputError"),
    ]
    assert "2 rows written, 6 left out" in ran.err


def test_a_broken_line_of_json_lines_costs_no_other(run: Import) -> None:
    text = published("inspired") + "{oops\n" + published("inspired").replace("_bb", "_cc")
    ran = run("inspired", text, suffix=".jsonl")
    assert ran.code == 1 and [row["id"] for row in ran.rows] == ["WebQTrn-9_bb", "WebQTrn-9_cc"]
    assert ran.told[0]["entry"] == 2 and "not JSON" in ran.told[0]["message"]


def test_nothing_is_written_where_the_file_breaks_off(run: Import) -> None:
    ran = run("cwq", published("cwq", CWQ)[:-40])
    assert ran.code == 2 and ran.rows == [] and ran.told == []


def test_packed_files_and_more_rows_than_one_process_takes(run: Import, tmp_path: Path) -> None:
    many = [{**CWQ, "ID": str(n)} for n in range(120)]
    ran = run("cwq", json.dumps(many), "--workers", "2", suffix=".json.gz")
    assert ran.code == 0
    assert [row["id"] for row in ran.rows] == [str(n) for n in range(120)]


def test_standard_input_to_a_packed_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl.gz"
    monkeypatch.setattr(sys, "argv", ["kbqa", "import", "lcquad", "-", "--output", str(out)])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(published("lcquad").encode()), "utf-8"))
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    assert json.loads(gzip.decompress(out.read_bytes()))["id"] == "lcquad1-77"
    assert "lcquad: 1 rows written, 0 left out" in capsys.readouterr().err


def test_names_come_from_a_knowledge_base_where_one_is_named(run: Import, tmp_path: Path) -> None:
    facts = tmp_path / "names.ttl"
    facts.write_text(
        '<http://rdf.freebase.com/ns/m.0gump> <http://rdf.freebase.com/ns/type.object.name> "Gump"@en .'
    )
    ran = run("cwq", published("cwq"), "--kb", str(facts))
    assert ran.rows[0]["entities"] == {"m.0gump": "Gump"}


def test_an_unknown_format_is_refused(run: Import) -> None:
    ran = run("squad", "[]")
    assert ran.code == 2 and "cwq, webqsp, inspired, grailqa, lcquad" in ran.err


# --- queries ---------------------------------------------------------------------------------------


def test_classes_and_predicates_are_no_entities() -> None:
    query = NS + (
        "SELECT DISTINCT ?x WHERE { ?x ns:type.object.type ns:film.film . "
        "{ ?x ns:film.film.genre ns:m.01 } UNION { ?x ns:film.film.genre ns:g.02 } . FILTER (?x != ns:m.03) }"
    )
    assert entities_of(parse(query)) == ("m.01", "g.02", "m.03")


def test_other_queries_stay_as_they_are() -> None:
    for text in (DIRECTED, "SELECT (COUNT(?x) AS ?n) WHERE { ?x ?p ?o }"):
        assert standard(text) == text


# --- real files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("cwq", "cwq/dev.jsonl.gz"),
        ("webqsp", "webqsp/train.jsonl.gz"),
        ("grailqa", "grailqa/dev.jsonl.gz"),
        ("lcquad", "lcquad1/train.jsonl.gz"),
    ],
)
def test_real_rows(name: str, file: str, data_file: Callable[[str], Path]) -> None:
    """The entities found in the query are those that the rows list, and the whole query is kept."""
    with gzip.open(data_file(file)) as raw:
        given = [json.loads(text) for _, text in first_of(entries(raw, file), 15)]
    for row in given:
        (made,) = convert(name, row)["rows"]
        assert made["entities"] == row["entities"]
        assert set(entities_of(parse(made["sparql"]))) <= set(row["entities"])
        assert {k: made[k] for k in ("id", "question", "answers")} == {
            k: row[k] for k in ("id", "question", "answers")
        }


def first_of(found: Iterator[Any], n: int) -> list[Any]:
    return [entry for entry, _ in zip(found, range(n), strict=False)]
