"""Measures and statistics, against figures from elsewhere and cases that can be counted by hand."""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from kbqa.cli import main
from kbqa.cli.rows import digest
from kbqa.decompose import decompose
from kbqa.errors import InputError
from kbqa.evaluate.answers import answer_set, f1
from kbqa.evaluate.dialogues import Gold, Seen, outcome
from kbqa.evaluate.forms import form, partial_forms
from kbqa.evaluate.kinds import common_predicates, facets, question_type
from kbqa.evaluate.pointwise import pointwise
from kbqa.evaluate.predictions import (
    Correction,
    GoldPhrase,
    GoldQuery,
    GoldStep,
    Predicted,
    bleu,
    score_corrections,
    score_parses,
    score_phrasings,
)
from kbqa.evaluate.published import SUCCESS
from kbqa.evaluate.published import edits as published_edits
from kbqa.evaluate.selection import compared, pool_shares, published_shares
from kbqa.evaluate.selection import select as choose
from kbqa.evaluate.statistics import Ratio, estimates, holm, mcnemar, mean, paired_t, randomized
from kbqa.lexicon import freebase_lexicon
from kbqa.simulate.calibrate import fit, load, table
from kbqa.simulate.profiles import RATES, find_profile
from kbqa.sparql import parse
from kbqa.types import XSD, Literal, Step, freebase

NS = "PREFIX ns: <http://rdf.freebase.com/ns/> "
ACTED = "ns:m.tom ns:film.actor.film ?p . ?p ns:film.performance.film ?x"
LEXICON = freebase_lexicon()


def select(*patterns: str, order: str = "") -> str:
    return f"{NS} SELECT DISTINCT ?x WHERE {{ {' . '.join(patterns)} }} {order}"


def steps_of(sparql: str) -> tuple[Step, ...]:
    return decompose(parse(sparql), LEXICON.mediators).steps


# --- statistics ----------------------------------------------------------------------


@pytest.mark.parametrize(("only_a", "of", "p"), [(28, 40, 0.0166), (27, 40, 0.0385), (23, 39, 0.337)])
def test_mcnemar_is_the_studys_binomial_test_of_the_differing_pairs(only_a: int, of: int, p: float) -> None:
    """The figures of the study's preference questions (METHODS.md, section 1)."""
    a = [True] * only_a + [False] * (of - only_a) + [True, False] * 50
    b = [False] * only_a + [True] * (of - only_a) + [True, False] * 50
    assert mcnemar(a, b) == pytest.approx(p, abs=5e-4) == mcnemar(b, a)


def test_systems_that_never_differ_are_not_different() -> None:
    same = [True, False, True]
    assert mcnemar(same, same) == paired_t([1.0, 0.0], [1.0, 0.0]) == randomized([(1, 2)], [(1, 2)])[1] == 1.0


def test_the_paired_t_test_against_a_textbook_table() -> None:
    """t = 2 / (1 / sqrt 3) = 3.4641 with 2 degrees of freedom."""
    assert paired_t([2.0, 4.0, 6.0], [1.0, 2.0, 3.0]) == pytest.approx(0.0742, abs=5e-5)


def test_holm_against_a_worked_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0] and holm([]) == []


def test_approximate_randomization_against_all_exchanges() -> None:
    rng = random.Random(1)
    a = [(float(rng.random() < 0.8), float(rng.randrange(1, 4))) for _ in range(10)]
    b = [(float(rng.random() < 0.4), float(rng.randrange(1, 6))) for _ in range(10)]

    def effort(pairs: Any) -> float:
        return sum(s for s, _ in pairs) / sum(e for _, e in pairs)

    observed = effort(a) - effort(b)
    hits = 0
    for swaps in itertools.product((False, True), repeat=10):
        x = [q if s else p for p, q, s in zip(a, b, swaps, strict=True)]
        y = [p if s else q for p, q, s in zip(a, b, swaps, strict=True)]
        hits += abs(effort(x) - effort(y)) >= abs(observed) - 1e-12
    difference, p = randomized(a, b)
    assert difference == pytest.approx(observed)
    assert p == pytest.approx(hits / 1024, abs=0.015)


def test_the_bootstrap_interval_of_a_share_is_the_normal_one() -> None:
    n, share = 400, 0.5775
    [found] = estimates([mean([i < n * share for i in range(n)])])
    spread = 1.96 * (share * (1 - share) / n) ** 0.5
    assert found.value == pytest.approx(share) and found.n == n
    assert found.low == pytest.approx(share - spread, abs=0.006)
    assert found.high == pytest.approx(share + spread, abs=0.006)


def test_ratios_are_resampled_by_dialogue_and_what_is_missing_is_left_out() -> None:
    partly, ratio, nothing = estimates(
        [mean([1.0, None, 0.0, None]), Ratio([1, 0, 1, 1], [2, 1, 3, 0]), mean([None] * 4)]
    )
    assert (partly.value, partly.n) == (0.5, 2)
    assert ratio.value == pytest.approx(3 / 6, abs=1e-4)
    assert (nothing.value, nothing.low, nothing.n) == (None, None, 0)
    assert estimates([mean([])])[0].value is None


def test_estimates_are_the_same_every_time() -> None:
    values = [mean([True, False, False, True, True])]
    assert estimates(values) == estimates(values) != estimates([mean([True] * 5)])


# --- forms and answers ---------------------------------------------------------------


def test_a_steps_form_is_what_it_asks_with_all_it_rests_on() -> None:
    one = steps_of(select("ns:m.a ns:film.film.written_by ?w", "?w ns:people.person.nationality ?x"))
    two = steps_of(select("ns:m.a ns:film.film.directed_by ?w", "?w ns:people.person.nationality ?x"))
    assert one[1] == two[1]
    assert partial_forms(one)[0] != partial_forms(two)[0] and partial_forms(one)[1] != partial_forms(two)[1]


def test_guards_are_no_part_of_a_form() -> None:
    bare = select("ns:m.a ns:film.film.written_by ?x")
    guarded = select(
        "FILTER (?x != ns:m.a) FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en'))"
        " ns:m.a ns:film.film.written_by ?x"
    )
    assert form(steps_of(bare)) == form(steps_of(guarded))


def test_literals_that_read_the_same_are_one_answer() -> None:
    a, b = Literal("1.0", XSD + "float"), Literal("1", XSD + "integer")
    assert answer_set([a]) == answer_set([b]) != answer_set([freebase("m.1")])


def test_f1_by_hand() -> None:
    gold = answer_set([freebase(f"m.{i}") for i in range(4)])
    found = answer_set([freebase(f"m.{i}") for i in range(2, 8)])
    assert f1(gold, found) == pytest.approx(2 * (2 / 6) * (2 / 4) / (2 / 6 + 2 / 4))
    assert f1(gold, frozenset()) == 0.0 and f1(gold, gold) == 1.0


# --- dialogues -----------------------------------------------------------------------

ANSWERS = answer_set([freebase("m.a")])
OTHERS = answer_set([freebase("m.a"), freebase("m.b")])
RIGHT = Seen(True, 1.0, ANSWERS, None)
WRONG = Seen(False, 0.5, OTHERS, None)
GOLD = Gold((), ANSWERS)


def test_who_stops_early_stays_where_they_are() -> None:
    found = outcome([WRONG, RIGHT], "accepted", GOLD, 5, allowed=True)
    assert found.exact == (False, True, True, True, True, True) and found.f1 == (0.5, 1, 1, 1, 1, 1)
    assert (found.edits, found.turns_to_success) == (1, 1)
    assert found.official and found.inferable and found.deemed and not found.false_accept


def test_what_was_never_understood_is_wrong_at_every_turn() -> None:
    found = outcome([], "not_understood", GOLD, 5, allowed=True)
    assert not any(found.exact) and found.f1 == (0.0,) * 6 and found.turns_to_success is None
    assert not found.official and not found.deemed


def test_right_and_not_accepted_is_not_officially_correct() -> None:
    found = outcome([RIGHT], "stopped", GOLD, 5, allowed=True)
    assert found.turns_to_success == 0 and not found.official and not found.false_accept


def test_wrong_and_accepted_is_a_false_accept_that_the_user_deems_right() -> None:
    found = outcome([WRONG], "accepted", GOLD, 5, allowed=True)
    assert found.false_accept and found.deemed and not found.official
    late = outcome([WRONG] * 6, "accepted", GOLD, 5, allowed=True)
    assert not late.deemed, "all edits were used"
    assert outcome([WRONG], "accepted", GOLD, 5, allowed=False).deemed is None


def test_going_on_after_the_right_query_is_noticed() -> None:
    assert outcome([WRONG, RIGHT, WRONG], "stopped", GOLD, 5, allowed=True).went_on
    assert not outcome([WRONG, RIGHT], "accepted", GOLD, 5, allowed=True).went_on


def test_without_known_answers_the_query_decides() -> None:
    for unknown in (None, frozenset()):
        gold = Gold((), unknown)
        right, wrong = (Seen(e, None, frozenset(), None) for e in (True, False))
        assert outcome([right], "accepted", gold, 5, allowed=True).official
        assert not outcome([wrong], "accepted", gold, 5, allowed=True).official
        assert outcome([wrong], "accepted", gold, 5, allowed=True).f1 == (None,) * 6


def test_a_missing_superlative_can_be_inferred_from_a_short_list() -> None:
    steps = steps_of(select(ACTED, "?x ns:film.film.initial_release_date ?d", order="ORDER BY ?d LIMIT 1"))
    source = form(steps[:-1])
    gold = Gold(steps, ANSWERS)
    listed = Seen(False, 0.5, OTHERS, source)
    assert outcome([listed], "accepted", gold, 5, allowed=True).inferable
    assert not outcome([listed], "stopped", gold, 5, allowed=True).inferable
    long = Seen(False, 0.1, answer_set([freebase(f"m.{c}") for c in "abcdefghijk"]), source)
    assert not outcome([long], "accepted", gold, 5, allowed=True).inferable
    other = Seen(False, 0.5, OTHERS, form(steps))
    assert not outcome([other], "accepted", gold, 5, allowed=True).inferable


def test_the_published_table_is_as_printed() -> None:
    assert ("Full vs. Non-interactive", "non-interactive", 16.25, 19.25, None) in SUCCESS and len(
        SUCCESS
    ) == 6


# --- kinds ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sparql", "kind", "found"),
    [
        (select("ns:m.a ns:film.film.directed_by ?x"), "simple", ()),
        (
            select("ns:m.a ns:film.film.directed_by ?w", "?w ns:people.person.nationality ?x"),
            "composition",
            (),
        ),
        (select(ACTED, "?x ns:film.film.directed_by ns:m.b"), "conjunction", ()),
        (select(ACTED, "?x ns:film.film.release ?d", order="ORDER BY ?d LIMIT 1"), "superlative", ()),
        (select(ACTED, "?x ns:film.film.length ?d FILTER (xsd:float(?d) > 9)"), "comparative", ("filter",)),
        (
            f"{NS} SELECT DISTINCT ?x WHERE {{ {{ ns:m.a ns:film.film.directed_by ?x }} UNION"
            " { ns:m.b ns:film.film.directed_by ?x } }",
            "composition",
            ("union",),
        ),
        (f"{NS} SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ {ACTED} }}", "count", ()),
    ],
)
def test_questions_have_a_type_and_facets(sparql: str, kind: str, found: tuple[str, ...]) -> None:
    assert (question_type(steps_of(sparql)), facets(steps_of(sparql))) == (kind, found)


def test_a_condition_on_the_way_is_a_restriction() -> None:
    steps = steps_of(
        select(ACTED, "?p ns:film.performance.character ns:m.c", "?p ns:film.performance.special ns:m.d")
    )
    assert facets(steps) == ("restriction", "double restriction")


def test_a_predicate_is_common_in_more_than_three_queries() -> None:
    often, seldom = select("ns:m.a ns:film.film.directed_by ?x"), select("ns:m.a ns:film.film.rating ?x")
    queries = [parse(often)] * 4 + [parse(seldom)] * 3
    assert common_predicates(queries) == {"film.film.directed_by"}


# --- decompositions point by point ---------------------------------------------------


def test_pointwise_by_hand() -> None:
    gold = steps_of(select(ACTED, "?x ns:film.film.directed_by ns:m.b", "?x ns:film.film.genre ns:m.g"))
    same = pointwise(gold, gold)
    assert (same.precision, same.recall, same.f1, same.order, same.implied_edits) == (1, 1, 1, 1, 0)
    fewer = pointwise(gold, gold[:2])
    assert (fewer.precision, fewer.recall, fewer.insertions) == (1, pytest.approx(2 / 3), 1)
    nothing = pointwise(gold, ())
    assert (nothing.f1, nothing.insertions, nothing.implied_edits) == (0, 3, 3)
    other = pointwise(gold[:1], steps_of(select("ns:m.z ns:film.film.rating ?x")))
    assert (other.f1, other.replacements, other.implied_edits) == (0, 1, 1)


def test_a_condition_missing_is_half_a_match_and_an_edit() -> None:
    gold = steps_of(select(ACTED, "?p ns:film.performance.character ns:m.c"))
    found = pointwise(gold, steps_of(select(ACTED)))
    assert (found.precision, found.recall, found.edits, found.implied_edits) == (0.5, 0.5, 1, 1)


def test_no_half_match_for_another_thing_or_direction() -> None:
    gold = steps_of(select(ACTED))
    assert pointwise(gold, steps_of(select(ACTED.replace("m.tom", "m.jim")))).f1 == 0


# --- predictions ---------------------------------------------------------------------

QUERY = select("ns:m.a ns:film.film.directed_by ?x")
RENAMED = QUERY.replace("?x", "?who")
OTHER = select("ns:m.a ns:film.film.written_by ?x")


def test_parses_are_scored_over_the_gold_rows() -> None:
    gold = [GoldQuery(i, QUERY, "simple") for i in ("first", "second", "wrong", "failed", "missing")]
    found = {
        "first": Predicted((RENAMED, OTHER)),
        "second": Predicted((OTHER, QUERY)),
        "wrong": Predicted((OTHER, "no SPARQL")),
        "failed": Predicted(failed=True),
        "of no row": Predicted((QUERY,)),
    }
    report = score_parses(gold, found)
    assert report["n"] == 5 and report["exact_match"]["value"] == pytest.approx(0.2)
    assert report["recall_at_2"]["value"] == pytest.approx(0.4) == report["recall_at_10"]["value"]
    assert report["missing"]["ids"] == ["missing"] and report["failed"]["ids"] == ["failed"]
    assert report["not_in_gold"]["ids"] == ["of no row"]
    assert report["by_type"]["simple"]["n"] == 5
    assert report["step_f1"]["value"] == pytest.approx(0.2) and report["implied_edits"][
        "value"
    ] == pytest.approx(0.8)


def test_a_gold_query_that_cannot_be_read_counts_as_missed() -> None:
    report = score_parses(
        [GoldQuery("a", "DROP"), GoldQuery("b", QUERY)], {"a": Predicted((QUERY,)), "b": Predicted((QUERY,))}
    )
    assert report["exact_match"]["value"] == 0.5 and report["by_type"]["unreadable"]["n"] == 1


def test_corrections_are_right_word_for_word_or_as_queries() -> None:
    gold = [
        GoldStep("a", template="Who is the director of [A]?"),
        GoldStep("b", sparql=QUERY),
        GoldStep("c", sparql=QUERY),
    ]
    found = {
        "a": Correction((("Who is the  director of [A]?", ""),)),
        "b": Correction((("?", OTHER), ("?", RENAMED))),
        "c": Correction(failed=True),
    }
    report = score_corrections(gold, found)
    assert report["accuracy"]["value"] == pytest.approx(1 / 3, abs=1e-4)
    assert report["recall_at_2"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    assert report["failed"]["ids"] == ["c"]


def test_phrasings_keep_the_names_of_their_template() -> None:
    gold = [
        GoldPhrase("kept", "What is the capital of [Egypt (m.02k54)]?", ("What is Egypt's capital?",)),
        GoldPhrase("lost", "What is the capital of [Egypt]?"),
        GoldPhrase("no name", "What is the capital of [that country], whose area is more than [100]?"),
    ]
    found = {
        "kept": Predicted(("What is Egypt's capital?",)),
        "lost": Predicted(("What is its capital?",)),
        "no name": Predicted(("Its capital?",)),
    }
    report = score_phrasings(gold, found)
    assert report["entity_fidelity"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    assert report["identical"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 1.0}


def test_reconstruction_is_the_share_that_a_listener_gets_back() -> None:
    gold = [
        GoldPhrase(name, "What is the capital of [Egypt]?") for name in ("back", "lost", "missing", "odd")
    ]
    found = {name: Predicted((name,)) for name in ("back", "lost", "odd")}
    heard: list[str] = []

    def recover(row: GoldPhrase, text: str) -> bool | None:
        heard.append(text)
        return None if row.id == "odd" else text == "back"

    report = score_phrasings(gold, found, recover)
    assert report["reconstruction_accuracy"]["value"] == pytest.approx(1 / 3, abs=1e-4)
    assert report["reconstruction_accuracy"]["n"] == 3 and report["unreadable_gold"]["ids"] == ["odd"]
    assert heard == ["back", "lost", "", "odd"], "a missing question is not got back"
    assert "reconstruction_accuracy" not in score_phrasings(gold, found)


def test_bleu_is_sacrebleus_or_says_that_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bleu([])["reason"] == "no row has references"
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    assert "pip install sacrebleu" in bleu([("a", ("a",))])["reason"]
    monkeypatch.undo()
    pytest.importorskip("sacrebleu")
    same = "What is the capital of Egypt ?"
    assert bleu([(same, (same, "another"))])["value"] == pytest.approx(100)


# --- the command ---------------------------------------------------------------------


@pytest.fixture
def evaluate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """`evaluate('parse', gold_rows, predicted_rows)` -> (exit code, report or None, stderr)."""

    def call(command: str, gold: list[Any], predictions: list[Any], *words: str) -> tuple[int, Any, str]:
        files = []
        for name, rows in (("gold", gold), ("predictions", predictions)):
            file = tmp_path / f"{name}.jsonl"
            file.write_text("".join(json.dumps(r) + "\n" for r in rows))
            files += [f"--{name}", str(file)]
        monkeypatch.setattr(sys, "argv", ["kbqa", "evaluate", command, *files, *words])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), json.loads(said.out) if said.out.startswith("{") else None, said.err

    return call


def test_evaluate_parse_takes_what_parse_writes(evaluate: Any) -> None:
    code, report, _ = evaluate(
        "parse",
        [{"id": 1, "sparql": QUERY}, {"id": 2, "sparql": QUERY}],
        [
            {"id": 1, "parses": [{"sparql": RENAMED, "logprob": -1.0}]},
            {"id": 2, "error": {"type": "X", "message": ""}},
        ],
    )
    assert code == 0 and report["exact_match"]["value"] == 0.5 and report["failed"]["ids"] == ["2"]
    assert report["signature"]["gold"].startswith("gold.jsonl ")


def test_evaluate_parse_compares_answers_over_a_knowledge_base(evaluate: Any, tmp_path: Path) -> None:
    facts = tmp_path / "facts.ttl"
    facts.write_text(
        "@prefix ns: <http://rdf.freebase.com/ns/> . ns:m.a ns:film.film.directed_by ns:m.b, ns:m.c ;"
        ' ns:film.film.written_by ns:m.b ; ns:type.object.name "A"@en .'
    )
    nothing = select("ns:m.zz ns:film.film.directed_by ?x")
    code, report, _ = evaluate(
        "parse",
        [{"id": 1, "sparql": QUERY}, {"id": 2, "sparql": nothing}],
        [{"id": 1, "parses": [{"sparql": OTHER}]}, {"id": 2, "parses": [{"sparql": nothing}]}],
        "--kb",
        str(facts),
    )
    assert code == 0 and report["kb"]
    assert report["answer_f1"]["value"] == pytest.approx(2 / 3, abs=1e-4) and report["answer_f1"]["n"] == 1


def test_evaluate_correct_and_phrase_take_what_those_commands_write(evaluate: Any) -> None:
    template = "What is the capital of [Egypt]?"
    code, report, _ = evaluate(
        "correct",
        [{"id": "a", "template": template}],
        [{"id": "a", "templates": [{"text": template, "logprob": 0.0, "sparql": QUERY}]}],
    )
    assert code == 0 and report["accuracy"]["value"] == 1.0
    code, report, _ = evaluate(
        "phrase",
        [{"id": "a", "template": template}],
        [{"id": "a", "questions": [{"text": "Egypt's capital?"}]}],
    )
    assert code == 0 and report["entity_fidelity"]["value"] == 1.0 and report["bleu"]["value"] is None


def test_the_listener_that_ships_says_questions_back(evaluate: Any) -> None:
    before = "What is the capital of [Egypt]?"
    country = "What is the official language of [Egypt]?"
    code, report, _ = evaluate(
        "phrase",
        [
            {"id": "right", "template": country},
            {"id": "another", "template": country},
            {
                "id": "in context",
                "template": country,
                "question": "What is spoken there?",
                "history": [before],
            },
            {"id": "no question", "template": country},
            {"id": "unreadable", "template": "Whatever [Egypt]?"},
        ],
        [
            {"id": "right", "questions": [{"text": "What is Egypt's official language?"}]},
            {"id": "another", "questions": [{"text": "What is the capital of Egypt?"}]},
            {"id": "in context", "questions": [{"text": "Which is the official language of Egypt?"}]},
            {"id": "no question", "questions": []},
            {"id": "unreadable", "questions": [{"text": "Whatever?"}]},
        ],
        "--reconstruct",
    )
    assert code == 0 and report["listener"] and report["unreadable_gold"]["ids"] == ["unreadable"]
    assert report["reconstruction_accuracy"]["value"] == 0.5 and report["reconstruction_accuracy"]["n"] == 4


@pytest.mark.parametrize(
    ("gold", "predictions", "said"),
    [
        ([], [], "no gold rows"),
        ([{"sparql": QUERY}], [], "line 1: the field 'id' is missing"),
        ([{"id": 1}], [], "'sparql' is missing"),
        ([{"id": 1, "sparql": QUERY}] * 2, [], "line 2: the id '1' is there twice"),
        ([{"id": 1, "sparql": QUERY}], [{"id": 1}], "a list of objects in 'parses'"),
    ],
)
def test_files_that_cannot_be_used_are_exit_code_2(
    evaluate: Any, gold: list[Any], predictions: list[Any], said: str
) -> None:
    code, _, err = evaluate("parse", gold, predictions)
    assert code == 2 and said in err


# --- choosing questions ----------------------------------------------------------------


def pool() -> list[frozenset[tuple[str, str]]]:
    """600 questions, a third with a filter, a tenth with a union, half needing an edit."""
    rng = random.Random(2)
    items = []
    for _ in range(600):
        found = {("type", rng.choice(["composition", "conjunction"]))}
        found |= {("facet", f) for f, p in (("filter", 0.33), ("union", 0.1)) if rng.random() < p}
        items.append(frozenset(found | {("required edits", rng.choice("01"))}))
    return items


def test_what_is_hard_can_be_over_represented() -> None:
    shares = {("facet", "union"): 0.2, ("facet", "filter"): 0.33, ("required edits", "1"): 0.9}
    items = pool()
    chosen = choose(items, 150, shares)
    assert len(chosen) == 150 == len(set(chosen)) and chosen == sorted(chosen)
    for share in compared(items, chosen, shares):
        assert share.chosen == pytest.approx(share.wanted, abs=0.01), share
    assert choose(items, 150, shares) == chosen != choose(items, 150, shares, seed=1)


def test_a_representative_choice_is_like_the_pool() -> None:
    items = pool()
    shares = pool_shares(items)
    for share in compared(items, choose(items, 100, shares), shares):
        assert abs(share.chosen - share.pool) <= 0.02, share


def test_what_the_pool_cannot_give_comes_as_near_as_it_can() -> None:
    items = pool()
    wanted = {("facet", "union"): 0.5}
    few = [share.chosen for share in compared(items, choose(items, 500, wanted), wanted)]
    assert few == [pytest.approx(sum(("facet", "union") in i for i in items) / 500)]
    assert choose(items, 600, wanted) == list(range(600))
    with pytest.raises(InputError, match="601 questions wanted, 600 can be chosen from"):
        choose(items, 601, wanted)


def test_the_studys_shares_are_those_of_table_11() -> None:
    assert published_shares("study")["required edits", "1"] == 0.6525
    assert published_shares("inspired")["facet", "union"] == 0.016


# --- calibrating people ----------------------------------------------------------------


def coin_dialogues(rates: dict[str, float], n: int, seed: int) -> list[dict[str, Any]]:
    """Dialogues of a toy world whose outcomes are known: whoever accepts what is wrong fails."""
    rng, out = random.Random(seed), []
    for k in range(n):
        accepts = rng.random() < rates["generated.accepts_wrong"]
        stops = not accepts and rng.random() < rates["generated.stops"]
        decisions = [["generated.accepts_wrong", accepts]] + (
            [["generated.stops", stops]] if not accepts else []
        )
        right = not accepts and not stops
        out.append(
            {
                "row": k,
                "mode": "full",
                "error": None,
                "gold_answers": 1,
                "required": ["edit"] * (k % 3 + 1),
                "turns": [{}],
                "decisions": decisions,
                "official": right,
                "inferable": right,
                "deemed": right or accepts,
                "edits": 2,
                "went_on": False,
                "refused": 0,
                "undone": 0,
                "end": {},
            }
        )
    return out


PLAYED_AT = dict.fromkeys(RATES, 0.3)


def test_dialogues_played_at_some_rates_tell_what_others_would_give() -> None:
    played = load([(coin_dialogues(PLAYED_AT, 4000, 1), PLAYED_AT)])
    other = {**PLAYED_AT, "generated.accepts_wrong": 0.1, "generated.stops": 0.2}
    [found] = [r for r in table(played, other) if r["measure"] == "official"]
    assert found["value"] == pytest.approx(0.9 * 0.8, abs=0.02)
    assert found["low"] < 0.72 < found["high"] and found["published"] == pytest.approx(0.5867, abs=1e-4)
    [plain] = [r for r in table(played, None) if r["measure"] == "official"]
    assert plain["value"] == pytest.approx(0.7 * 0.7, abs=0.02)


def test_the_fit_finds_rates_that_give_the_published_figures() -> None:
    """Official .587 and user-deemed .716 ask for about .13 accepted wrong and .33 of the rest stopped."""
    played = load([(coin_dialogues(PLAYED_AT, 900, 2), PLAYED_AT)])
    rates = fit(played, PLAYED_AT)
    found = {r["measure"]: r["value"] for r in table(played, rates)}
    assert found["official"] == pytest.approx(0.60, abs=0.03)
    assert found["deemed"] == pytest.approx(0.716, abs=0.03)
    assert rates["generated.accepts_wrong"] == pytest.approx(0.12, abs=0.04)


def test_rows_of_other_kinds_are_not_calibrated_on() -> None:
    rows = coin_dialogues(PLAYED_AT, 3, 3)
    bad = [rows[0] | {"gold_answers": 0}, rows[1] | {"required": None}, rows[2] | {"error": {"type": "x"}}]
    with pytest.raises(InputError, match="no dialogue can be used to calibrate"):
        load([(bad, PLAYED_AT)])


def test_edits_a_dialogue_follow_from_the_studys_tables() -> None:
    assert published_edits() == pytest.approx(
        {"full": 2.1883, "templated": 2.4809, "decontextualized": 2.2093}, abs=1e-4
    )


def test_calibrating_and_choosing_are_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(*words: object) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["kbqa", "evaluate", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), capsys.readouterr().err

    file, run = tmp_path / "rows.jsonl", tmp_path / "run"
    run.mkdir()
    file.write_text("".join(json.dumps({"id": k, "question": "Who?"}) + "\n" for k in range(30)))
    records = [
        r | {"row": k + 1, "type": "conjunction", "facets": ["union"] if k < 10 else [], "predicates": []}
        for k, r in enumerate(coin_dialogues(PLAYED_AT, 30, 4))
    ]
    (run / "dialogues.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    settings = {"data_sha256": digest(str(file))[0], "user": "human", "rates": PLAYED_AT}
    (run / "settings.json").write_text(json.dumps(settings))

    chosen, report = tmp_path / "chosen.jsonl", tmp_path / "report.json"
    assert call("select", "-i", file, "--run", run, "--n", 12, "-o", chosen, "--report", report)[0] == 0
    assert len(chosen.read_text().splitlines()) == 12
    assert json.loads(report.read_text())["power"]["effect"] == 0.2
    code, said = call("calibrate", run, "--check", run, "-o", tmp_path / "rates.json")
    assert code == 0 and "A model, not people" in said
    found = json.loads((tmp_path / "rates.json").read_text())
    assert set(found["rates"]) == set(RATES) and found["checks"][0]["rows"]
    assert find_profile(str(tmp_path / "rates.json")).misreads == found["rates"]["misreads"]

    (run / "settings.json").write_text(json.dumps(settings | {"rates": PLAYED_AT | {"vague": 0.0}}))
    code, said = call("calibrate", run)
    assert code == 2 and "vague at 0 or 1" in said
    file.write_text("{}\n")
    code, said = call("select", "-i", file, "--run", run)
    assert code == 2 and "data_sha256 differs" in said
    assert call("power", "--effect", "0.2")[0] == 0
