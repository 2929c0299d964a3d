"""Averages, sums, tallies, texts and what is lacking: read, written, taken apart and answered."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kbqa.answers import collect, tallied, tells, with_numbers
from kbqa.correct.fixed import in_template
from kbqa.decompose import decompose, recompose
from kbqa.errors import DecompositionError, QueryError
from kbqa.lexicon import Lexicon
from kbqa.phrase import RulePhraser, StepInContext
from kbqa.sparql import parse, render
from kbqa.templates import Names, write_all
from kbqa.types import (
    XSD,
    Absent,
    Amount,
    Answer,
    Decomposition,
    Find,
    Hop,
    Iri,
    Keep,
    Lacks,
    Literal,
    Ref,
    Restriction,
    Rows,
    Spelt,
    Step,
    Tally,
    Triple,
    Var,
)

A, PRICE, KIND = Iri("http://e.org/ann"), Iri("http://e.org/price"), Iri("http://e.org/kind")
WROTE, LENT = Iri("http://e.org/author"), Iri("http://e.org/lent")
BOOKS = Find(A, (Hop(WROTE, True),))
LEXICON = Lexicon(
    properties={(Hop(PRICE),): "price", (Hop(KIND),): "kind", (Hop(WROTE),): "author", (Hop(LENT),): "loan"}
)
GRAPH = """
@prefix : <http://e.org/> .
:b1 :author :ann ; :price 10 ; :kind :poem . :b2 :author :ann ; :price 10 ; :kind :poem .
:b3 :author :ann ; :price "40.5" ; :kind :novel . :b4 :author :ann ; :price "free" . :l :lent :b1 .
"""


def rows(step: Step) -> list[tuple[str, ...]]:
    store = ox.Store()
    store.load(GRAPH.encode(), format=ox.RdfFormat.TURTLE)
    found = store.query(render(recompose(Decomposition((BOOKS, step)))))
    return [tuple(str(v.value) for v in row) for row in found]  # type: ignore[union-attr]


def test_an_average_takes_each_thing_once_and_leaves_out_what_is_no_number() -> None:
    ((average, of),) = rows(Amount(Ref(1), (Hop(PRICE),), "average"))
    assert float(average) == pytest.approx(60.5 / 3) and of == "3"


def test_a_sum_adds_equal_values_of_several_things() -> None:
    ((total, of),) = rows(Amount(Ref(1), (Hop(PRICE),), "sum"))
    assert float(total) == 60.5 and of == "3"


def test_an_average_of_nothing_is_no_answer() -> None:
    found = Rows(("average", "of"), ((Literal("0", XSD + "integer"), Literal("0", XSD + "integer")),))
    assert collect(found) == () and not tells(found)


def test_a_tally_counts_for_each_and_begins_with_the_highest() -> None:
    assert rows(Tally(Ref(1), (Hop(KIND),))) == [("http://e.org/poem", "2"), ("http://e.org/novel", "1")]
    assert rows(Tally(Ref(1), (Hop(KIND),), 1)) == [("http://e.org/poem", "2")]


def test_the_answers_of_a_tally_are_shown_with_their_numbers() -> None:
    found = Rows(("x", "count"), ((KIND, Literal("1200", XSD + "integer")),))
    assert with_numbers([Answer(KIND, "poem")], tallied(found)) == (Answer(KIND, "poem: 1200"),)


def test_what_nothing_leads_to_is_lacking() -> None:
    step = Keep(Ref(1), restrictions=(Restriction("answer", (Hop(LENT, True),), (Lacks(),)),))
    assert sorted(rows(step)) == [(f"http://e.org/b{n}",) for n in (2, 3, 4)]


@pytest.mark.parametrize(
    ("step", "template"),
    [
        (Amount(Ref(1), (Hop(PRICE),), "average"), "Of these, what is the average price?"),
        (Amount(Ref(1), (Hop(PRICE),), "sum"), "Of these, what is the total price?"),
        (Tally(Ref(1), (Hop(KIND),)), "Of these, how many are there for each kind?"),
        (Tally(Ref(1), (Hop(KIND),), 3), "Of these, how many are there for each kind, the highest 3 only?"),
    ],
)
def test_they_are_written_and_worded_so_that_a_correction_reads_them(step: Step, template: str) -> None:
    assert write_all((BOOKS, step), LEXICON, Names({A: "Ann"}))[1] == template
    for phrasing in RulePhraser(LEXICON).phrase(StepInContext((BOOKS, step), 2, str)):
        assert in_template(phrasing.text) in (template, None)
    assert in_template(template.replace("average", "mean")) == template or isinstance(step, Tally)


def test_a_tally_has_no_further_steps() -> None:
    with pytest.raises(DecompositionError, match="no further steps"):
        recompose(Decomposition((BOOKS, Tally(Ref(1), (Hop(KIND),)), Find(Ref(2), (Hop(KIND),)))))


@pytest.mark.parametrize(
    "order", ["", "ORDER BY DESC(?n)", "ORDER BY DESC(COUNT(DISTINCT ?b))", "ORDER BY DESC(?n) LIMIT 3"]
)
def test_a_tally_is_read_as_people_write_it(order: str) -> None:
    query = parse(
        "SELECT ?k (COUNT(DISTINCT ?b) AS ?n) { ?b <http://e.org/author> <http://e.org/ann> ; "
        f"<http://e.org/kind> ?k }} GROUP BY ?k {order}"
    )
    steps = decompose(query).steps
    assert steps == (BOOKS, Tally(Ref(1), (Hop(KIND),), 3 if "LIMIT" in order else None))


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?k (COUNT(?b) AS ?n) { ?b <a:p> ?k } GROUP BY ?k",
        "SELECT ?k (COUNT(DISTINCT ?b) AS ?n) { ?b <a:p> ?k } GROUP BY ?k ORDER BY ?n",
        "SELECT ?k (COUNT(DISTINCT ?b) AS ?n) { ?b <a:p> ?k } GROUP BY ?b",
        "SELECT (AVG(?n) AS ?a) { ?b <a:p> ?n }",
        "SELECT (SUM(DISTINCT ?n) AS ?a) { ?b <a:p> ?n }",
    ],
)
def test_numbers_of_which_it_is_not_known_whose_they_are_are_refused(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)


@pytest.mark.parametrize(
    ("condition", "part"),
    [
        ('CONTAINS(LCASE(STR(?n)), "iron")', "contains"),
        ('CONTAINS(LCASE(?n), "iron")', "contains"),
        ('REGEX(?n, "Iron", "i")', "contains"),
        ('STRSTARTS(UCASE(STR(?n)), "IRON")', "starts"),
        ('STRENDS(LCASE(STR(?n)), "iron")', "ends"),
    ],
)
def test_parts_of_texts_are_read_in_the_usual_spellings(condition: str, part: str) -> None:
    query = parse(f"SELECT ?x {{ ?x <a:p> ?n FILTER ({condition}) }}")
    assert Spelt(Var("n"), part, "iron") in query.body  # type: ignore[arg-type]


@pytest.mark.parametrize("condition", ['CONTAINS(STR(?n), "Iron")', 'CONTAINS(LCASE(STR(?n)), "Iron")'])
def test_a_part_of_a_text_by_its_capitals_is_refused(condition: str) -> None:
    with pytest.raises(QueryError):
        parse(f"SELECT ?x {{ ?x <a:p> ?n FILTER ({condition}) }}")


@pytest.mark.parametrize("text", ["FILTER NOT EXISTS { ?l <a:q> ?x }", "MINUS { ?l <a:q> ?x }"])
def test_what_leads_to_the_answer_may_be_lacking_before_or_after_its_pattern(text: str) -> None:
    lack = Absent(Var("x"), Iri("a:q"), inverse=True)
    there = Triple(Var("x"), Iri("a:p"), Iri("a:o"))
    assert parse(f"SELECT ?x {{ ?x <a:p> <a:o> {text} }}").body == (there, lack)
