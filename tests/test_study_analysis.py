"""The analysis of a study: figures against hand-made dialogues, and the whole way by simulated workers."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import studies
from scipy import stats
from servers import replies
from test_server import serving

from kbqa.errors import FeedbackError, InputError
from kbqa.evaluate.dialogues import Outcome
from kbqa.records import Records
from kbqa.simulate.profiles import HUMAN
from kbqa.study.analysis import analyse
from kbqa.study.conduct import Conductor
from kbqa.study.config import Study, read_study
from kbqa.study.heds import as_markdown, datasheet
from kbqa.study.outcomes import Done, Left, Preference, Rating, collect
from kbqa.study.places import QUESTION, AtDialogue
from kbqa.study.remote import RemoteConductor
from kbqa.study.report import judged, write_report
from kbqa.study.simulated import goals_of, simulate_workers

NAME = "full vs templated"


@pytest.fixture(scope="module")
def study() -> Study:
    return read_study(studies.TEMPLATE)


def _outcome(success: bool, edits: int, **more: Any) -> Outcome:
    plain = Outcome((), (), edits, None, success, success, success, False, False)
    return replace(plain, **more)


def _done(worker: int, order: int, condition: str, item: int, success: bool, edits: int, **more: Any) -> Done:
    plain = Done(
        participant=f"w{worker}",
        team="",
        claim=worker,
        comparison=NAME,
        stage=1,
        order=order,
        condition=condition,
        item=f"i{item}",
        type="composition",
        dialogue_id=f"d{worker}-{order}",
        status="accepted",
        outcome=_outcome(success, edits),
        texts=(),
        seconds=60.0,
        turn_seconds=10.0,
        comment="",
        finished="2026-11-21T19:00:00+00:00",
    )
    return replace(plain, **more)


A = [(True, 1), (True, 2), (False, 5), (True, 0), (True, 1), (False, 4), (True, 1), (True, 3)]
B = [(True, 2), (False, 5), (False, 5), (True, 0), (False, 3), (False, 5), (True, 2), (True, 5)]


@pytest.fixture(scope="module")
def left() -> Left:
    """Eight items in both systems, by different workers; four workers' surveys."""
    dialogues = [_done(1, n, "full", n, *v) for n, v in enumerate(A)]
    dialogues += [_done(2, n, "templated", n, *v) for n, v in enumerate(B)]
    ratings = {"full": (1, 2, 2, 1), "templated": (2, 4, 2, 3)}
    rated = [
        Rating(f"w{w}", "", w, NAME, 1, condition, 1, value)
        for condition, values in ratings.items()
        for w, value in enumerate(values)
    ]
    liked = [Preference(f"w{w}", "", w, NAME, 1, "full", "templated") for w in range(28)]
    liked += [Preference(f"w{w}", "", w, NAME, 1, "templated", "full") for w in range(28, 40)]
    return Left(tuple(dialogues), tuple(rated), tuple(liked))


def _row(tables: dict[str, Any], name: str, **which: Any) -> dict[str, Any]:
    return next(r for r in tables[name] if all(r[k] == v for k, v in which.items()))


def test_table_1_shares_and_tests_over_items(study: Study, left: Left) -> None:
    tables = analyse(study, left)
    full = _row(tables, "success", condition="full", measure="inferable", comparison=NAME)
    assert (full["value"], full["n"]) == (0.75, 8)
    assert full["low"] < 0.75 < full["high"]
    test = _row(tables, "success_tests", measure="inferable")
    theirs = stats.ttest_rel([float(s) for s, _ in A], [float(s) for s, _ in B])
    assert (test["difference"], test["n"]) == (0.25, 8)
    assert (test["t"], test["p"]) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert test["p_equivalent"] > 0.5 and test["p_not_worse"] < 0.1
    assert test["p_holm"] >= test["p"]


def test_table_2_is_successes_by_edits(study: Study, left: Left) -> None:
    (row,) = analyse(study, left)["effort"]
    assert row["effort_a"] == pytest.approx(6 / 17)
    assert row["effort_b"] == pytest.approx(4 / 27)
    assert row["difference"] == pytest.approx(6 / 17 - 4 / 27)
    assert 0 < row["p"] < 0.5
    assert (row["trials"], row["n"]) == (10_000, 8)


def test_figure_4_counts_dialogues_by_edits(study: Study, left: Left) -> None:
    rows = [r for r in analyse(study, left)["edits"] if r["condition"] == "templated"]
    assert [r["dialogues"] for r in rows] == [1, 0, 2, 1, 0, 4]
    assert [r["inferable"] for r in rows] == [1, 0, 2, 0, 0, 1]


def test_table_3_pairs_workers_and_counts_preferences(study: Study, left: Left) -> None:
    tables = analyse(study, left)
    row = _row(tables, "survey", question=1, comparison=NAME)
    assert (row["mean_a"], row["mean_b"], row["n"]) == (1.5, 2.75, 4)
    assert row["p"] == pytest.approx(stats.ttest_rel((1, 2, 2, 1), (2, 4, 2, 3)).pvalue)
    (liked,) = tables["preferences"]
    assert (liked["share_a"], liked["question"]) == (0.7, 6)
    assert liked["p"] == pytest.approx(0.0166, abs=5e-4)


def test_table_4_keeps_teams_apart(study: Study, left: Left) -> None:
    assert analyse(study, left)["teams"] == []
    some = tuple(replace(d, team="lab" if d.participant == "w1" else "") for d in left.dialogues)
    rows = analyse(study, replace(left, dialogues=some))["teams"]
    assert {(r["team"], r["condition"]) for r in rows} == {("lab", "full"), ("(none)", "templated")}


def test_learning_compares_first_and_last_batch(study: Study) -> None:
    """Ten right of ten at first and four at last, of the system that all comparisons share."""
    own = [_done(1, n, "full", n, n < 14, 1) for n in range(20)]
    few = [_done(2, n, "full", n, True, 1) for n in range(10)]
    (row,) = analyse(study, Left((*own, *few), (), ()))["learning"]
    assert (row["first"], row["last"], row["workers"], row["condition"]) == (1.0, 0.4, 1, "full")


def test_dialogues_that_went_on_after_the_right_query_are_counted(study: Study) -> None:
    own = [
        _done(1, n, "full", n, False, edits, outcome=_outcome(False, edits, went_on=on))
        for n, (edits, on) in enumerate([(4, True), (5, False), (5, False), (4, False), (1, True)])
    ]
    row = _row({"x": analyse(study, Left(tuple(own), (), ()))["long_dialogues"]}, "x", condition="full")
    assert (row["value"], row["n"]) == (0.25, 4)


def test_nobody_yet_is_no_error(study: Study) -> None:
    tables = analyse(study, Left((), (), ()))
    assert all(r["value"] is None for r in tables["success"])
    assert tables["success_tests"] == tables["learning"] == []
    sheet = datasheet(study, Left((), (), ()), tables)
    assert "3.2.1 is blank" in sheet["warnings"]


def test_judgements_change_what_counts_as_deemed_correct(left: Left, tmp_path: Path) -> None:
    file = tmp_path / "judged.csv"
    file.write_text("dialogue_id,confirmed,generation_error,comment\nd1-2,1,0,ok\nd1-0,0,1,\n")
    found = {d.dialogue_id: d.outcome.deemed for d in judged(left, file).dialogues}
    assert (found["d1-2"], found["d1-0"], found["d1-1"]) == (True, False, True)
    file.write_text("dialogue_id,confirmed,generation_error\nnone,1,0\n")
    with pytest.raises(InputError, match=r"judged.csv, line 2"):
        judged(left, file)
    file.write_text("dialogue_id,confirmed\n")
    with pytest.raises(InputError, match="no column 'generation_error'"):
        judged(left, file)


def test_the_datasheet_warns_of_blanks_and_complains_of_wrong_kinds(study: Study, left: Left) -> None:
    tables = analyse(study, left)
    sheet = datasheet(study, left, tables)
    assert not sheet["errors"]
    assert "5.1 is blank" in sheet["warnings"] and "3.2.1 is blank" not in sheet["warnings"]
    wrong = datasheet(replace(study, heds={"3.2.1": "a few", "9.9": "x", "5.1": "Yes, ours"}), left, tables)
    assert wrong["errors"] == [
        "3.2.1: 'a few' is no integer",
        "9.9: there is no such question outside section 4",
    ]
    text = as_markdown(wrong)
    assert "Yes, ours" in text and "**4.3.7**" in text


def test_the_datasheet_has_every_question_about_every_criterion(study: Study, left: Left) -> None:
    """Success by three measures, effort, five statements, three comparative questions; what the software
    can't know (ethics, recruiting, conditions) stays blank."""
    sheet = datasheet(study, left, analyse(study, left))
    assert len(sheet["answers"]) == 38 and len(sheet["criteria"]) == 3 + 1 + 5 + 3
    assert all(len(c["answers"]) == 17 for c in sheet["criteria"])
    assert not [w for w in sheet["warnings"] if w.startswith("4.")]
    blank = {w.split()[0] for w in sheet["warnings"]}
    assert {"3.2.3", "3.2.5", "3.3.1", "3.3.7", "5.1", "5.3", "5.4"} <= blank
    found = {c["name"]: {a["number"]: a["answer"] for a in c["answers"]} for c in sheet["criteria"]}
    assert found["survey statement 3"]["4.3.7"] == study.survey.statements[2]
    assert found["survey statement 3"]["4.3.3"] == len(study.survey.scale)
    assert found["comparative question 1"]["4.2.2"] == "2. Relative"
    assert found["inferable success"]["4.3.3"] == "N/A"  # and no error


def test_participants_are_asked_what_the_datasheet_says(checkout: Path) -> None:
    pages = checkout / "ui/crowd/webapp/src/response.jsx", checkout / "ui/crowd/texts.py"
    assert all(QUESTION in page.read_text() for page in pages)


# --- the whole way -------------------------------------------------------------------------------


def test_twelve_simulated_workers_do_a_study_and_its_analysis_runs(tmp_path: Path) -> None:
    register, engine = studies.film_study(tmp_path)
    with register, engine, register.records(engine.signature) as records:

        def talk_over(held: Any) -> Conductor:
            return Conductor(held, engine, records)

        for _ in range(2):  # the second time there is nothing left to do
            simulate_workers(
                register.folder,
                records,
                goals_of(register, engine),
                engine.kb.lexicon,
                talk_over,
                HUMAN,
                workers=12,
                seed=1,
            )
        done = register.tables.rows("SELECT * FROM claims WHERE finished IS NOT NULL")
        assert len(done) == 18
        left = collect(register, records)
        assert len(left.dialogues) == 36 and len(left.ratings) == 180 and len(left.preferences) == 54
        report = write_report(register, records, tmp_path / "report")
    for comparison in ("full vs templated", "full vs decontextualized", "full vs non-interactive"):
        for condition in comparison.split(" vs "):
            row = _row(
                report["tables"], "success", comparison=comparison, condition=condition, measure="official"
            )
            assert row["n"] == 6
    assert report["signature"]["dialogues"] == 36
    _look_at_the_folder(tmp_path / "report", report)


def test_workers_talk_to_a_real_server_too(tmp_path: Path) -> None:
    """Over sockets to the HTTP interface; its dialogues are the study's, with the turns it recorded."""
    register, engine = studies.film_study(tmp_path)
    with (
        register,
        engine,
        register.records(engine.signature) as records,
        serving(engine, records) as url,
    ):

        def talk_over(held: Any) -> RemoteConductor:
            return RemoteConductor(held, records, url)

        goals, lexicon = goals_of(register, engine), engine.kb.lexicon
        simulate_workers(
            register.folder, records, goals, lexicon, talk_over, HUMAN, workers=3, seed=2, most=1
        )
        left = collect(register, records)
        assert len(left.dialogues) == 6
        assert {d.comparison for d in left.dialogues} == {
            "full vs templated",
            "full vs decontextualized",
            "full vs non-interactive",
        }
        elsewhere = tmp_path / "elsewhere"
        with Records(elsewhere / "dialogues.sqlite") as other:
            participant = studies.qualified(register)
            place = register.start(participant)
            assert isinstance(place, AtDialogue)
            with pytest.raises(InputError, match="kbqa serve --records"):
                RemoteConductor(register, other, url).open(place.task)


@pytest.mark.parametrize("status", [200, 422, 503])
def test_a_turn_whose_reply_is_cut_off_is_sent_again(tmp_path: Path, status: int) -> None:
    """A server that is killed may have sent the head of its refusal."""
    refusal = b'{"detail": "no such step"}'
    cut = b"HTTP/1.1 %d Said\r\nContent-Length: 359\r\n\r\n" % status
    whole = b"HTTP/1.1 422 Said\r\nContent-Length: %d\r\n\r\n%b" % (len(refusal), refusal)
    register, engine = studies.film_study(tmp_path)
    with register, engine, register.records() as records, replies(cut, whole) as url:
        participant = studies.qualified(register)
        place = register.start(participant)
        assert isinstance(place, AtDialogue)
        with pytest.raises(FeedbackError, match="no such step"):
            RemoteConductor(register, records, url).open(place.task)


def _look_at_the_folder(folder: Path, report: dict[str, Any]) -> None:
    page = (folder / "report.html").read_text()
    assert not re.search(r"(src|href)\s*=|<script|@import|url\(", page)
    assert page.count("<svg") == 5  # the systems that take corrections
    with (folder / "dialogues.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 36
    official = sum(int(r["official"]) for r in rows if r["condition"] == "non-interactive")
    assert official / 6 == pytest.approx(
        _row(report["tables"], "success", condition="non-interactive", measure="official")["value"], abs=1e-4
    )
    assert json.loads((folder / "analysis.json").read_text())["tables"].keys() == report["tables"].keys()
    for name in report["tables"]:
        assert (folder / f"{name}.csv").is_file()
    assert "(HEDS 2)" in (folder / "heds.md").read_text()
