"""Queries become Steps in the order a person would ask them, and Steps become queries again."""

from __future__ import annotations

import pytest

from kbqa.decompose import decompose, recompose, recompose_step
from kbqa.errors import DecompositionError
from kbqa.sparql import parse, render, same
from kbqa.types import (
    XSD,
    Absent,
    Among,
    Anything,
    Check,
    Compare,
    Count,
    Decomposition,
    Differ,
    Exists,
    Find,
    Guards,
    Hop,
    InEnglish,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Mediators,
    Merge,
    MostFrequent,
    Oftenest,
    OneOf,
    OpenBound,
    OpenThan,
    Pick,
    Query,
    Ref,
    Restriction,
    Step,
    Than,
    Triple,
    Union,
    Var,
    freebase,
)

A, B, C = (Iri(f"a:{c}") for c in "abc")
P, Q, R, S = (Hop(Iri(f"a:{c}")) for c in "pqrs")
PLAIN = Guards(english=False, apart=False, distinct=False)
HELD = Mediators(frozenset({"film.performance"}))
ACTED, FILM, ROLE = (
    freebase(f"film.{x}") for x in ("actor.film", "performance.film", "performance.character")
)


def steps(text: str, mediators: Mediators = Mediators()) -> tuple[Step, ...]:
    q = parse(text)
    found = decompose(q, mediators)
    assert same(recompose(found), q)
    return found.steps


def query(*listed: Step, guards: Guards = PLAIN) -> Query:
    return recompose(Decomposition(listed, guards))


def on_answer(hop: Hop, *tests: object) -> Restriction:
    return Restriction("answer", (hop,), tests)  # type: ignore[arg-type]


# --- the order of Steps ---------------------------------------------------------


def test_one_triple_is_one_step() -> None:
    assert steps("SELECT ?x { <a:a> <a:p> ?x }") == (Find(A, (P,)),)
    assert steps("SELECT ?x { ?x <a:p> <a:a> }") == (Find(A, (P.reversed,)),)


def test_a_chain_is_asked_from_its_far_end() -> None:
    assert steps("SELECT ?x { ?y <a:q> ?x . ?y <a:p> <a:a> }") == (
        Find(A, (P.reversed,)),
        Find(Ref(1), (Q,)),
    )


def test_a_second_link_narrows_what_was_found() -> None:
    assert steps("SELECT ?x { ?x <a:p> <a:a> . ?x <a:q> <a:b> }") == (
        Find(A, (P.reversed,)),
        Keep(Ref(1), B, (Q.reversed,)),
    )


def test_a_mediator_lies_inside_a_two_hop_path() -> None:
    text = "SELECT ?x { <a:a> ns:film.actor.film ?m . ?m ns:film.performance.film ?x }"
    assert steps(text, HELD) == (Find(A, (Hop(ACTED), Hop(FILM))),)


def test_what_hangs_on_a_mediator_is_said_with_its_path() -> None:
    text = """SELECT ?x { <a:a> ns:film.actor.film ?m . ?m ns:film.performance.film ?x .
    ?m ns:film.performance.character <a:b> }"""
    role = Restriction("mediator", (Hop(ROLE),), (Is(B),))
    assert steps(text, HELD) == (Find(A, (Hop(ACTED), Hop(FILM)), (role,)),)


def test_without_mediators_the_same_query_takes_more_steps() -> None:
    text = """SELECT ?x { <a:a> ns:film.actor.film ?m . ?m ns:film.performance.film ?x .
    ?m ns:film.performance.character <a:b> }"""
    assert steps(text) == (
        Find(A, (Hop(ACTED),)),
        Keep(Ref(1), B, (Hop(ROLE, True),)),
        Find(Ref(2), (Hop(FILM),)),
    )


def test_a_superlative_comes_last() -> None:
    assert steps("SELECT ?x { ?x <a:p> <a:a> ; <a:q> ?n } ORDER BY DESC(xsd:integer(?n)) LIMIT 1") == (
        Find(A, (P.reversed,)),
        Pick(Ref(1), "answer", (Q,), True, Kind.NUMBER),
    )


def test_a_sort_key_two_hops_away_is_reached_through_its_own_node() -> None:
    assert steps("SELECT ?x { <a:a> <a:p> ?x . ?x <a:q> ?e . ?e <a:r> ?n } ORDER BY ?n LIMIT 1") == (
        Find(A, (P,)),
        Pick(Ref(1), "answer", (Q, R), False, Kind.VALUE),
    )


def test_a_comparison_with_a_constant_is_a_condition() -> None:
    assert steps("SELECT ?x { ?x <a:p> <a:a> ; <a:q> ?n FILTER (?n > 5) }") == (
        Find(A, (P.reversed,)),
        Keep(Ref(1), restrictions=(on_answer(Q, Than(">", Literal("5", XSD + "decimal"), Kind.NUMBER)),)),
    )


def test_the_value_further_from_the_answer_is_asked_first_when_two_are_compared() -> None:
    text = "SELECT ?x { ?x <a:p> <a:a> ; <a:q> ?n . <a:b> <a:r> ?m FILTER (xsd:date(?n) < ?m) }"
    assert steps(text) == (
        Find(B, (R,)),
        Find(A, (P.reversed,)),
        Keep(Ref(2), restrictions=(on_answer(Q, Than("<", Ref(1), Kind.DATE)),)),
    )


def test_a_comparison_of_two_values_reads_the_same_from_either_side() -> None:
    a = steps("SELECT ?x { ?x <a:p> <a:a> ; <a:q> ?n . <a:b> <a:r> ?m FILTER (xsd:date(?n) < ?m) }")
    b = steps("SELECT ?x { ?x <a:p> <a:a> ; <a:q> ?n . <a:b> <a:r> ?m FILTER (xsd:date(?m) > ?n) }")
    assert a == b


def test_a_span_of_two_values_of_one_node_is_asked_node_first() -> None:
    text = """SELECT ?x { <a:a> <a:p> ?x . ?x <a:q> ?d . <a:a> <a:r> ?y . ?y <a:from> ?f . ?y <a:to> ?t
    FILTER (xsd:date(?d) >= ?f) FILTER (xsd:date(?t) >= ?d) }"""
    assert steps(text)[0] == Find(A, (R,))
    assert steps(text)[-1] == Keep(
        Ref(4),
        restrictions=(on_answer(Q, Than(">=", Ref(2), Kind.DATE), Than("<=", Ref(3), Kind.DATE)),),
    )


def test_what_was_found_beside_the_way_is_carried_back_to_the_answer() -> None:
    text = """SELECT ?x { <a:a> <a:p> ?x . ?x <a:q> ?c . ?c <a:r> ?v . ?c <a:s> ?w
    FILTER (?v > 1) FILTER (?w < 2) }"""
    found = steps(text)
    assert found[0] == Find(A, (P,))
    assert found[1] == Find(Ref(1), (Q,))
    assert found[-1] == Keep(Ref(1), Ref(3), (Q.reversed,))


def test_either_or_is_merged() -> None:
    assert steps("SELECT ?x { { ?x <a:p> <a:a> } UNION { ?x <a:q> <a:b> } }") == (
        Find(A, (P.reversed,)),
        Find(B, (Q.reversed,)),
        Merge((Ref(1), Ref(2))),
    )


def test_a_superlative_in_the_middle_is_a_step_of_its_own() -> None:
    text = "SELECT ?x { { SELECT ?y { ?y <a:p> <a:a> ; <a:q> ?n } ORDER BY ?n LIMIT 1 } ?y <a:r> ?x }"
    assert steps(text) == (
        Find(A, (P.reversed,)),
        Pick(Ref(1), "answer", (Q,), False, Kind.VALUE),
        Find(Ref(2), (R,)),
    )


def test_the_most_frequent_idiom_is_one_step() -> None:
    count = "SELECT ?x (COUNT(*) AS ?n) { <a:a> <a:p> ?y . ?y <a:q> ?x } GROUP BY ?x"
    text = f"SELECT ?x {{ {{ {count} }} {{ SELECT (MAX(?n) AS ?t) {{ {{ {count} }} }} }} FILTER (?n = ?t) }}"
    assert steps(text) == (Find(A, (P,)), Find(Ref(1), (Q,)), Oftenest(Ref(2)))


def test_count_and_ask_are_last_steps() -> None:
    assert steps("SELECT (COUNT(DISTINCT ?x) AS ?n) { <a:a> <a:p> ?x }")[-1] == Count(Ref(1))
    assert steps("ASK { <a:a> <a:p> ?x }")[-1] == Check(Ref(1))


def test_a_yes_no_question_about_a_fact_asks_for_the_value_and_compares_it() -> None:
    assert steps("ASK { <a:a> <a:p> <a:b> }") == (
        Find(A, (P,)),
        Keep(Ref(1), restrictions=(Restriction("answer", (), (Is(B),)),)),
        Check(Ref(2)),
    )


def test_a_thing_known_by_a_value_alone_is_found_from_that_value() -> None:
    assert steps("SELECT ?x { ?x <a:p> 'Ann' }") == (Find(Literal("Ann"), (P.reversed,)),)


def test_a_thing_known_by_a_comparison_alone_is_found_from_anything() -> None:
    assert steps("SELECT ?x { ?x <a:p> ?n FILTER (?n > 5) }") == (
        Find(Anything(), (P.reversed,)),
        Keep(Ref(1), restrictions=(on_answer(P, Than(">", Literal("5", XSD + "decimal"), Kind.NUMBER)),)),
    )


def test_a_choice_among_names_is_sorted_by_a_value_of_theirs() -> None:
    text = "SELECT ?x { ?x <a:p> ?d FILTER (?x = <a:a> || ?x = <a:b>) } ORDER BY ?d LIMIT 1"
    assert steps(text)[-1] == Pick(Ref(2), "answer", (P,), False, Kind.VALUE)


def test_a_name_given_by_a_filter_is_where_the_question_starts() -> None:
    assert steps("SELECT ?x { ?y <a:p> ?x . ?y <a:q> ?z FILTER (?z IN (<a:a>)) }")[0] == Find(
        A, (Q.reversed,)
    )


def test_a_circle_closes() -> None:
    found = steps("SELECT ?x { <a:a> <a:p> ?x . ?x <a:q> ?y . ?y <a:r> ?x }")
    assert found[:2] == (Find(A, (P,)), Find(Ref(1), (Q,)))
    assert Keep(Ref(2), Ref(1), (R.reversed,)) in found


def test_the_data_sets_habits_are_guards_and_no_steps() -> None:
    q = parse(
        "SELECT DISTINCT ?x { FILTER (?x != ?c) FILTER (!isLiteral(?x) OR lang(?x) = '' OR"
        " langMatches(lang(?x), 'en')) ?c <a:p> <a:a> . ?c <a:q> ?x }"
    )
    found = decompose(q)
    assert found.guards == Guards(english=True, apart=True, distinct=True)
    assert found.steps == (Find(A, (P.reversed,)), Find(Ref(1), (Q,)))


NEIGHBOURS = (
    "{ <a:a> <a:p> ?x FILTER (?x != <a:a>) } UNION { ?c <a:r> <a:b> . ?c <a:q> ?x FILTER (?x != ?c) }"
)


@pytest.mark.parametrize(
    "text",
    [
        NEIGHBOURS,
        f"{NEIGHBOURS} ?x <a:s> <a:c>",
        f"{{ {NEIGHBOURS} }} UNION {{ <a:c> <a:p> ?x FILTER (?x != <a:c>) }}",
    ],
)
def test_a_habit_that_each_branch_has_is_a_guard_and_no_step(text: str) -> None:
    found = decompose(q := parse(f"SELECT ?x {{ {text} }}"))
    assert found.guards == Guards(english=False, apart=True, distinct=False)
    assert not any("IsNot" in repr(s) for s in found.steps)
    assert same(recompose(found), q)


def test_what_one_branch_alone_leaves_out_is_asked() -> None:
    found = decompose(parse("SELECT ?x { { <a:a> <a:p> ?x FILTER (?x != <a:a>) } UNION { <a:b> <a:q> ?x } }"))
    assert not found.guards.apart
    assert IsNot(A) in [
        t for s in found.steps if isinstance(s, Keep) for r in s.restrictions for t in r.tests
    ]


# --- what is refused --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT ?x { ?x <a:p> <a:a> } LIMIT 3", "LIMIT without ORDER BY"),
        ("SELECT ?x { <a:a> <a:p> ?x FILTER (lang(?x) = 'en') }", "a language filter on ?x"),
        ("SELECT ?x { ?x <a:p> ?x }", "nothing says what ?x is"),
        ("SELECT ?x { ?x <a:p> <a:a> . <a:b> <a:q> <a:c> }", "do not hold every part"),
    ],
)
def test_what_steps_cannot_hold_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(DecompositionError, match=reason.replace("?", r"\?")):
        decompose(parse(text))


def test_a_query_of_hundreds_of_patterns_is_refused() -> None:
    body = tuple(Triple(Var("x"), Iri(f"a:p{i}"), A) for i in range(101))
    with pytest.raises(DecompositionError, match="101 patterns"):
        decompose(Query(Var("x"), body))


# --- Steps -> query ----------------------------------------------------------------

X, X2 = Var("x"), Var("x2")
FOUND = Find(A, (P,))
BASE = Triple(A, P.predicate, X)


@pytest.mark.parametrize(
    ("restriction", "element"),
    [
        (Restriction("answer", (), (Is(B),)), Compare(X, "=", B, Kind.TERM)),
        (Restriction("answer", (), (IsNot(B),)), Differ(X, B)),
        (
            Restriction("answer", (), (IsNot(Literal("b")),)),
            Compare(X, "!=", Literal("b"), Kind.STRING),
        ),
        (Restriction("answer", (), (Among((B, A)),)), OneOf(X, (A, B))),
        (on_answer(Q, Is(B)), Triple(X, Q.predicate, B)),
        (on_answer(Q.reversed, Is(B)), Triple(B, Q.predicate, X)),
        (on_answer(Q, Exists()), Triple(X, Q.predicate, X2)),
        (on_answer(Q, Lacks()), Absent(X, Q.predicate)),
        (on_answer(Q, Lacks(B)), Absent(X, Q.predicate, B)),
        (
            on_answer(Q, OpenThan("<", Literal("1980", XSD + "gYear"), Kind.DATE)),
            OpenBound(X, Q.predicate, "<", Literal("1980-01-01", XSD + "date"), Kind.DATE),
        ),
    ],
)
def test_each_condition_is_one_pattern_or_filter(restriction: Restriction, element: object) -> None:
    q = query(FOUND, Keep(Ref(1), restrictions=(restriction,)))
    assert q.body == (BASE, element)
    assert parse(render(q)) == q


def test_a_literal_to_start_from_is_compared_by_value() -> None:
    q = query(Find(Literal("5", XSD + "integer"), (P.reversed,)))
    assert q.body == (
        Triple(X, P.predicate, X2),
        Compare(X2, "=", Literal("5", XSD + "decimal"), Kind.NUMBER),
    )


def test_keeping_what_another_step_found_shares_one_variable() -> None:
    q = query(FOUND, Find(B, (Q,)), Keep(Ref(1), Ref(2)))
    assert q.body == (BASE, Triple(B, Q.predicate, X))


def test_keeping_a_name_says_that_it_is_this_one() -> None:
    assert query(FOUND, Keep(Ref(1), B)).body == (BASE, Compare(X, "=", B, Kind.TERM))


def test_either_of_one_step_is_that_step() -> None:
    assert query(FOUND, Merge((Ref(1),))).body == (BASE,)


def test_steps_that_nothing_rests_on_are_left_out() -> None:
    assert query(Find(B, (Q,)), FOUND).body == (BASE,)


def test_oftenest_counts_in_a_group_of_its_own() -> None:
    (most,) = query(FOUND, Find(Ref(1), (Q,)), Oftenest(Ref(2))).body
    assert isinstance(most, MostFrequent) and len(most.body) == 2


def test_a_superlative_may_be_one_of_the_branches_of_either_or() -> None:
    q = query(
        Find(A, (P,)), Pick(Ref(1), "answer", (Q,), True, Kind.NUMBER), Find(B, (R,)), Merge((Ref(2), Ref(3)))
    )
    assert parse(render(q)) == q


def test_either_or_leaves_out_each_anchor_in_its_own_branch() -> None:
    """Who is married to A or B: A is no answer for being found from A, and is one where found from B."""
    q = query(FOUND, Find(B, (Q,)), Merge((Ref(1), Ref(2))), guards=Guards(english=False))
    (union,) = q.body
    assert union == Union(((BASE, Differ(X, A)), (Triple(B, Q.predicate, X), Differ(X, B))))
    partial = recompose_step(Decomposition((FOUND, Find(B, (Q,)), Merge((Ref(1), Ref(2))), Count(Ref(3)))), 3)
    assert partial.body == (union,)


def test_guards_hold_for_the_last_step_only() -> None:
    d = Decomposition((FOUND, Find(Ref(1), (Q,))), Guards())
    assert InEnglish(X) not in recompose_step(d, 1).body
    assert Differ(X2, X) in recompose(d).body


@pytest.mark.parametrize(
    ("listed", "reason"),
    [
        ((), "no steps"),
        ((Find(Ref(1), (P,)),), "step 1 refers to step 1"),
        ((FOUND, Keep(Ref(3))), "refers to step 3"),
        ((FOUND, Count(Ref(1)), Find(Ref(2), (P,))), "no further steps"),
        ((Find(A, ()),), "needs a path"),
        ((FOUND, Keep(Ref(1), None, (P,))), "a path without a start"),
        ((FOUND, Keep(Ref(1), Anything())), "without a path"),
        (
            (FOUND, Keep(Ref(1), restrictions=(Restriction("mediator", (Q,), (Exists(),)),))),
            "node in between",
        ),
        ((FOUND, Keep(Ref(1), restrictions=(Restriction("answer", (Q,), ()),))), "asks for nothing"),
        ((FOUND, Keep(Ref(1), restrictions=(Restriction("answer", (), (Lacks(),)),))), "own values"),
        ((FOUND, Keep(Ref(1), restrictions=(on_answer(Q.reversed, Lacks(Literal("a"))),))), "leads nowhere"),
        ((FOUND, Keep(Ref(1), restrictions=(Restriction("answer", (), (IsNot(Ref(1)),)),))), "themselves"),
        ((FOUND, Pick(Ref(1), "mediator", (Q,), True, Kind.NUMBER)), "node in between"),
        ((Find(Literal("a"), (P,)),), "can't be the subject"),
        (
            (
                FOUND,
                Keep(Ref(1), restrictions=(on_answer(Q, Than(">", Literal("0} UNION {"), Kind.NUMBER)),)),
            ),
            "a number expected",
        ),
        ((FOUND, Merge(())), "any of no steps"),
    ],
)
def test_steps_that_say_nothing_are_refused(listed: tuple[Step, ...], reason: str) -> None:
    with pytest.raises(DecompositionError, match=reason):
        query(*listed)


@pytest.mark.parametrize("number", [0, 3, -1])
def test_there_is_no_partial_query_of_a_step_that_is_not_there(number: int) -> None:
    with pytest.raises(DecompositionError, match="numbered 1 to 2"):
        recompose_step(Decomposition((FOUND, FOUND)), number)


def test_a_thousand_steps_on_each_other_end_in_an_error() -> None:
    chain = (FOUND, *(Find(Ref(i), (P,)) for i in range(1, 1000)))
    with pytest.raises(DecompositionError, match="too deeply"):
        query(*chain)
