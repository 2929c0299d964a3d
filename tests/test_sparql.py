"""SPARQL as it is written in the field is read; what can't be held is refused by name."""

from __future__ import annotations

import sys

import pyoxigraph as ox
import pytest

from kbqa.errors import QueryError
from kbqa.sparql import parse, render, same
from kbqa.sparql.portable import date_string, pad_date
from kbqa.types import (
    XSD,
    Absent,
    Body,
    Compare,
    Differ,
    InEnglish,
    Iri,
    Kind,
    Literal,
    MostFrequent,
    OneOf,
    OpenBound,
    Order,
    Query,
    Triple,
    Union,
    Var,
    freebase,
)

X, Y, Z, N = Var("x"), Var("y"), Var("z"), Var("n")
P, Q, A, B = Iri("a:p"), Iri("a:q"), Iri("a:a"), Iri("a:b")
THERE = Triple(X, P, Y)


def body(text: str) -> Body:
    """The elements of a group."""
    return parse(f"SELECT ?x WHERE {{ {text} }}").body


def condition(text: str) -> object:
    """The one element that a filter on ?x and ?y adds."""
    (found,) = set(body(f"?x <a:p> ?y . FILTER ({text})")) - {THERE}
    return found


def number(text: str) -> Literal:
    return Literal(text, XSD + "decimal")


def day(text: str) -> Literal:
    return Literal(text, XSD + "date")


# --- strings --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'"\\u0022"', r"\u0022"),
        (r'"\u0022 \u00e9 \U0001F600"', '" é \U0001f600'),
        (r'"\u001Bdead"', "\x1bdead"),
        (r"'''\u0027\u0027\u0027 \u005Cu0041'''", r"''' \u0041"),
        (r'"it\'s"', "it's"),
        (r"'say \"no\"'", 'say "no"'),
        ('"# no comment" # a comment, don\'t "', "# no comment"),
    ],
)
def test_escapes_in_strings_are_read_as_sparql_has_them(written: str, meant: str) -> None:
    q = parse(f"SELECT ?x WHERE {{ ?x <a:caf\\u00e9#x> ?y FILTER(str(?y) = {written}\n) }}")
    assert q.body == (Triple(X, Iri("a:café#x"), Y), Compare(Y, "=", Literal(meant), Kind.STRING))
    assert parse(render(q)) == q


@pytest.mark.parametrize("written", [r'"\u12"', r'"\x"', r'"\U00110000"', r"<a:\U00110000>"])
def test_an_escape_that_is_none_is_refused(written: str) -> None:
    with pytest.raises(QueryError, match="not SPARQL"):
        parse(f"SELECT ?x WHERE {{ ?x <a:p> {written} }}")


# --- words and prefixes -------------------------------------------------------


def test_the_xsd_prefix_need_not_be_declared() -> None:
    assert condition("xsd:integer(?y) > 5") == Compare(Y, ">", number("5"), Kind.NUMBER)


def test_or_is_read_as_two_bars_but_not_inside_strings_or_names() -> None:
    assert condition("?y = <a:a> OR ?y = <a:b>") == OneOf(Y, (A, B))
    assert condition('?y = "this or that"') == Compare(Y, "=", Literal("this or that"), Kind.STRING)
    assert parse("SELECT ?or { ?or <a:p> <a:a> }").select == Var("or")
    assert body("?x ns:or ?y") == (Triple(X, freebase("or"), Y),)


def test_and_is_read_as_two_ampersands() -> None:
    assert body("?x <a:p> ?y FILTER (?y > 1 AND ?y < 3)")[1:] == (
        Compare(Y, ">", number("1"), Kind.NUMBER),
        Compare(Y, "<", number("3"), Kind.NUMBER),
    )


def test_xsd_datetime_without_capital_is_a_date() -> None:
    wanted = Compare(Y, "<=", day("1980-12-31"), Kind.DATE)
    assert condition('xsd:datetime(?y) <= "1980-12-31"^^xsd:dateTime') == wanted
    assert condition('?y <= "1980-12-31"^^xsd:datetime') == wanted


def test_comments_are_dropped_and_hashes_in_iris_and_strings_kept() -> None:
    text = '#MANUAL SPARQL\nSELECT ?x # the answer\n{ ?x <http://a/b#c> "#1"@en . # done\n}'
    assert parse(text).body == (Triple(X, Iri("http://a/b#c"), Literal("#1", "", "en")),)


@pytest.mark.parametrize(
    "written",
    [
        "PREFIX ns: <http://rdf.freebase.com/ns/> SELECT ?x { ns:m.0a ns:a.b.c ?x }",
        "SELECT ?x { ns:m.0a ns:a.b.c ?x }",
        "SELECT ?x { fb:m.0a fb:a.b.c ?x }",
        "PREFIX : <http://rdf.freebase.com/ns/> SELECT ?x { :m.0a :a.b.c ?x }",
        "prefix k: <http://rdf.freebase.com/ns/> select distinct ?x where { k:m.0a k:a.b.c ?x . }",
        "BASE <http://rdf.freebase.com/ns/> SELECT ?x { <m.0a> <a.b.c> ?x }",
        "SELECT $x { <http://rdf.freebase.com/ns/m.0a> <http://rdf.freebase.com/ns/a.b.c> $x }",
    ],
)
def test_prefixes_and_full_iris_name_the_same(written: str) -> None:
    assert parse(written).body == (Triple(freebase("m.0a"), freebase("a.b.c"), X),)


def test_an_own_declaration_beats_the_well_known_prefix() -> None:
    assert parse("PREFIX fb: <a:> SELECT ?x { ?x fb:p ?y }").body == (THERE,)


def test_names_with_several_dots_before_a_full_stop_end_at_the_stop() -> None:
    assert body("?x ns:a.b.c ns:m.0a.") == (Triple(X, freebase("a.b.c"), freebase("m.0a")),)


# --- patterns -----------------------------------------------------------------


def test_a_is_rdf_type() -> None:
    rdf_type = Iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    assert body("?x a <a:a>") == (Triple(X, rdf_type, A),)


def test_semicolons_and_commas_repeat_subject_and_predicate() -> None:
    assert body("?x <a:p> <a:a>, <a:b> ; <a:q> ?y .") == (
        Triple(X, P, A),
        Triple(X, P, B),
        Triple(X, Q, Y),
    )


def test_blank_nodes_are_variables_that_clash_with_none_written() -> None:
    assert body("?x <a:p> [ <a:q> ?_1 ] . _:b <a:p> ?x . _:b <a:q> ?x") == (
        Triple(X, P, Var("_2")),
        Triple(Var("_2"), Q, Var("_1")),
        Triple(Var("_3"), P, X),
        Triple(Var("_3"), Q, X),
    )


def test_property_paths_of_steps_and_inverses_are_chains() -> None:
    assert body("?x <a:p>/<a:q> ?y") == (Triple(X, P, Var("_1")), Triple(Var("_1"), Q, Y))
    assert body("?x ^<a:p> ?y") == (Triple(Y, P, X),)
    assert body("?x ^<a:p>/(<a:q>) ?y") == (Triple(Var("_1"), P, X), Triple(Var("_1"), Q, Y))


def test_a_literal_in_a_pattern_is_compared_by_its_value() -> None:
    value = Var("_1")
    assert body("?x <a:p> 05") == (Triple(X, P, value), Compare(value, "=", number("5"), Kind.NUMBER))
    assert body('?x <a:p> "1999"^^xsd:dateTime') == (
        Triple(X, P, value),
        Compare(value, "=", day("1999-01-01"), Kind.DATE),
    )
    assert body('?x <a:p> "Ann"') == (Triple(X, P, value), Compare(value, "=", Literal("Ann"), Kind.STRING))
    assert body('?x <a:p> "Ann"@EN') == (Triple(X, P, Literal("Ann", "", "en")),)


def test_an_inner_group_is_part_of_the_outer_one() -> None:
    assert body("{ ?x <a:p> ?y } ") == (THERE,)


def test_a_union_keeps_its_branches() -> None:
    assert body("{ ?x <a:p> ?y } UNION { ?x <a:q> ?y }") == (Union(((THERE,), (Triple(X, Q, Y),))),)


def test_a_nested_select_is_folded_and_its_own_variables_renamed() -> None:
    assert body("{ SELECT DISTINCT ?y { ?x <a:q> ?y } } ?x <a:p> ?y") == (
        Triple(Var("_1"), Q, Y),
        THERE,
    )


def test_a_nested_select_that_limits_is_kept() -> None:
    (kept, there) = body("{ SELECT ?y { ?y <a:q> ?n } ORDER BY DESC(?n) LIMIT 1 } ?x <a:p> ?y")
    assert kept == Query(Y, (Triple(Y, Q, N),), Order(N, True, Kind.VALUE, 1), distinct=False)
    assert there == THERE


MOST = """{ SELECT ?x (COUNT(?x) AS ?c) { ?y <a:p> ?x } GROUP BY ?x }
{ SELECT (MAX(?c) AS ?m) { SELECT ?x (COUNT(?x) AS ?c) { ?z <a:p> ?x } GROUP BY ?x } } FILTER (?m = ?c)"""


def test_the_most_frequent_idiom_is_recognised_with_and_without_group_by() -> None:
    wanted = (MostFrequent(X, (Triple(Y, P, X),)),)
    assert body(MOST) == wanted
    assert body(MOST.replace("GROUP BY ?x", "")) == wanted


# --- filters ------------------------------------------------------------------


def test_the_double_not_exists_idiom_is_an_open_bound() -> None:
    text = """?x <a:p> ?y . FILTER (NOT EXISTS { ?y <a:q> ?s0 } || EXISTS { ?y <a:q> ?s1 .
    FILTER (xsd:datetime(?s1) <= "1980-12-31"^^xsd:dateTime) })"""
    wanted = OpenBound(Y, Q, "<=", day("1980-12-31"), Kind.DATE)
    assert body(text) == (THERE, wanted)
    swapped = (
        """?x <a:p> ?y FILTER (EXISTS { ?y <a:q> ?s1 FILTER (?s1 < 5) } || NOT EXISTS { ?y <a:q> ?s0 })"""
    )
    assert body(swapped) == (THERE, OpenBound(Y, Q, "<", number("5"), Kind.NUMBER))


@pytest.mark.parametrize("wording", ["FILTER NOT EXISTS { ?y <a:q> ?o }", "MINUS { ?y <a:q> ?o }"])
def test_not_exists_and_minus_over_one_pattern_say_what_is_absent(wording: str) -> None:
    assert body(f"?x <a:p> ?y . {wording}") == (THERE, Absent(Y, Q))


def test_absence_of_one_value_names_it() -> None:
    assert body("?x <a:p> ?y FILTER NOT EXISTS { ?y <a:q> <a:a> }") == (THERE, Absent(Y, Q, A))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("?y > 5", Compare(Y, ">", number("5"), Kind.NUMBER)),
        ("5 < ?y", Compare(Y, ">", number("5"), Kind.NUMBER)),
        ("xsd:float(?y) >= 5.50", Compare(Y, ">=", number("5.5"), Kind.NUMBER)),
        ("xsd:integer(str(?y)) != -2", Compare(Y, "!=", number("-2"), Kind.NUMBER)),
        ("+1e3 = ?y", Compare(Y, "=", number("1000"), Kind.NUMBER)),
        ('?y < "Ann"', Compare(Y, "<", Literal("Ann"), Kind.STRING)),
        ('"Ann" < ?y', Compare(Y, ">", Literal("Ann"), Kind.STRING)),
        ("STR(?y) = STR(?x)", Compare(Y, "=", X, Kind.STRING)),
        ('?y > "1980-05"^^xsd:gYearMonth', Compare(Y, ">", day("1980-05-01"), Kind.DATE)),
        ('"1980"^^xsd:gYear >= xsd:date(?y)', Compare(Y, "<=", day("1980-01-01"), Kind.DATE)),
        ('xsd:date(?y) = "1980-12-31T08:00:00-08:00"', Compare(Y, "=", day("1980-12-31"), Kind.DATE)),
        ('?y > "-0044-03-15"^^xsd:date', Compare(Y, ">", day("-0044-03-15"), Kind.DATE)),
        ("xsd:datetime(?y) - xsd:datetime(?x) >= 0", Compare(Y, ">=", X, Kind.DATE)),
        ("?y < ?x", Compare(Y, "<", X, Kind.VALUE)),
        ("xsd:date(?y) < ?x", Compare(Y, "<", X, Kind.DATE)),
        ("?y = ?x", Compare(Y, "=", X, Kind.VALUE)),
        ("?y != ?x", Differ(Y, X)),
        ("?y != <a:a>", Differ(Y, A)),
        ("!(?y = <a:a>)", Differ(Y, A)),
        ("<a:a> = ?y", Compare(Y, "=", A, Kind.TERM)),
        ("?y NOT IN (<a:a>)", Differ(Y, A)),
        ("!(?y = 'a')", Compare(Y, "!=", Literal("a"), Kind.STRING)),
        ("?y = 'a'@en", Compare(Y, "=", Literal("a", "", "en"), Kind.TERM)),
        ("?y = true", Compare(Y, "=", Literal("true", XSD + "boolean"), Kind.TERM)),
        ("?y != 'a'^^<a:t>", Compare(Y, "!=", Literal("a", "a:t"), Kind.TERM)),
        ("?y IN (<a:b>, <a:a>)", OneOf(Y, (A, B))),
        ("!isLiteral(?y) OR lang(?y) = '' OR langMatches(lang(?y), 'en')", InEnglish(Y)),
        ("langMatches(lang(?y), 'EN')", InEnglish(Y, strict=True)),
        ("lang(?y) = 'en'", InEnglish(Y, strict=True)),
    ],
)
def test_comparisons_are_read_in_either_order(text: str, wanted: object) -> None:
    assert condition(text) == wanted


def test_values_are_a_choice_of_constants() -> None:
    wanted = (THERE, OneOf(Y, (A, B)))
    assert body("?x <a:p> ?y VALUES ?y { <a:b> <a:a> }") == wanted
    assert body("?x <a:p> ?y VALUES (?y) { (<a:b>) (<a:a>) }") == wanted
    assert parse("SELECT ?x { ?x <a:p> ?y } VALUES ?y { <a:b> <a:a> }").body == wanted


# --- answers, sorting, forms ---------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "wanted"),
    [
        ("ORDER BY ?n LIMIT 1", Order(N, False, Kind.VALUE, 1)),
        ("ORDER BY DESC(xsd:datetime(?n)) LIMIT 1", Order(N, True, Kind.DATE, 1)),
        ("ORDER BY DESC(xsd:integer(?n)) LIMIT 3 OFFSET 2", Order(N, True, Kind.NUMBER, 3, 2)),
        (
            "OFFSET 2 LIMIT 3".replace("OFFSET", "ORDER BY xsd:float(?n) OFFSET"),
            Order(N, False, Kind.NUMBER, 3, 2),
        ),
        ("ORDER BY STR(?n)", Order(N, False, Kind.STRING, None)),
    ],
)
def test_sort_keys_keep_their_cast_limit_and_offset(clause: str, wanted: Order) -> None:
    assert parse(f"SELECT ?x {{ ?x <a:p> ?n }} {clause}").order == wanted


def test_limit_without_order_is_kept_apart() -> None:
    q = parse("SELECT ?x { ?x <a:p> ?y } LIMIT 7")
    assert (q.limit, q.order) == (7, None)


def test_count_says_whether_answers_count_once() -> None:
    once = parse("SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x <a:p> ?y }")
    often = parse("SELECT (COUNT(?x) AS ?n) { ?x <a:p> ?y }")
    assert (once.form, once.select, once.distinct, often.distinct) == ("count", X, True, False)


def test_ask_has_something_it_asks_for() -> None:
    assert parse("ASK { <a:a> <a:p> ?y }") == Query(Y, (Triple(A, P, Y),), form="ask")
    q = parse("ASK { <a:a> <a:p> <a:b> }")
    assert q.body == (Triple(A, P, q.select), Compare(q.select, "=", B, Kind.TERM))


def test_a_renamed_answer_is_the_answer() -> None:
    assert parse("SELECT (?y AS ?x) { ?y <a:p> <a:a> }").select == Y


# --- what is refused -----------------------------------------------------------

REFUSED = {
    "SELECT ?x { ?x <a:p> ?y OPTIONAL { ?y <a:q> ?z } }": ("OPTIONAL is not supported", "OPTIONAL"),
    "SELECT ?x { SERVICE <http://h/> { ?x <a:p> ?y } }": ("SERVICE is not supported", "SERVICE"),
    "SELECT ?x { GRAPH <a:g> { ?x <a:p> ?y } }": ("GRAPH is not supported", "GRAPH"),
    "SELECT ?x { ?x <a:p> ?y BIND (?y AS ?z) }": ("BIND is not supported", "BIND"),
    "SELECT ?x FROM <file:///etc/passwd> { ?x <a:p> ?y }": ("FROM is not allowed", "dataset"),
    "CONSTRUCT { ?x <a:p> ?y } WHERE { ?x <a:p> ?y }": ("not CONSTRUCT", "CONSTRUCT"),
    "DESCRIBE <a:a>": ("not DESCRIBE", "DESCRIBE"),
    "SELECT ?x { ?x ?p ?y }": ("variable predicate (p)", "p"),
    "SELECT ?x { ?x <a:p>+ ?y }": ("property path with '+'", "+"),
    "SELECT ?x { ?x <a:p>|<a:q> ?y }": ("alternatives in a property path", "a|b"),
    "SELECT ?x { ?x !<a:p> ?y }": ("a negated property set", "!"),
    "SELECT ?x { ?x <a:p> ?y } GROUP BY ?x HAVING (COUNT(?y) > 2)": ("HAVING is not supported", "HAVING"),
    "SELECT ?x { ?x <a:p> ?y } GROUP BY ?x": ("GROUP BY", "GROUP BY"),
    "SELECT ?x ?y { ?x <a:p> ?y }": ("one answer variable expected, found 2", "SELECT"),
    "SELECT * { ?x <a:p> ?y }": ("one answer variable expected, found *", "SELECT"),
    "SELECT (MAX(?y) AS ?m) { ?x <a:p> ?y }": ("only COUNT(?variable)", "SELECT"),
    "SELECT (COUNT(*) AS ?m) { ?x <a:p> ?y }": ("only COUNT(?variable)", "SELECT"),
    "SELECT ?z { ?x <a:p> ?y }": ("no pattern binds ?z", "?z"),
    "SELECT ?x { ?x <a:p> ?y } ORDER BY ?z": ("no pattern binds ?z", "?z"),
    "SELECT ?x { ?x <a:p> ?y } ORDER BY ?x ?y": ("one sort key", "ORDER BY"),
    "SELECT ?x { ?x <a:p> ?y } ORDER BY (?x + 1)": ("a sort key", "ORDER BY"),
    "SELECT ?x { ?x <a:p> ?y } OFFSET 3": ("OFFSET without ORDER BY", "OFFSET"),
    "SELECT ?x { VALUES ?x { <a:a> } }": ("no pattern of this group binds ?x", "VALUES"),
    "SELECT ?x { ?x <a:p> ?y VALUES (?x ?y) { (<a:a> <a:b>) } }": ("VALUES with several", "VALUES"),
    "SELECT ?x { ?x <a:p> ?y VALUES ?y { UNDEF } }": ("UNDEF", ""),
    "SELECT ?x { ?x <a:p> ?y FILTER (?y IN ()) }": ("IN () holds nothing", "IN"),
    "SELECT ?x { ?x <a:p> ?y FILTER (?y + 1 > 2) }": ("none of the known forms", "FILTER"),
    "SELECT ?x { ?x <a:p> ?y FILTER REGEX(?y, 'a') }": ("none of the known forms", "regex(?y, 'a')"),
    "SELECT ?x { ?x <a:p> ?y FILTER (?x = <a:a> || ?y = <a:a>) }": ("none of the known forms", "FILTER"),
    "SELECT ?x { ?x <a:p> ?y FILTER (xsd:integer(?y) > 'many') }": ("a number expected, found 'many'", ""),
    "SELECT ?x { ?x <a:p> ?y FILTER (?y > 1e400) }": ("a number", ""),
    "SELECT ?x { ?x <a:p> 'soon'^^xsd:date }": ("a date such as 1980", ""),
    "SELECT ?x { ?x <a:p> ?y FILTER (xsd:date(?y) < <a:a>) }": ("compared with an IRI", "filter"),
    "SELECT ?x { ?x <a:p> ?y FILTER NOT EXISTS { ?x <a:q> ?y } }": ("also used outside", "?y"),
    "SELECT ?x { ?x <a:p> ?y FILTER NOT EXISTS { ?x <a:q> ?z . ?z <a:p> ?w } }": (
        "over one pattern",
        "NOT EXISTS",
    ),
    "SELECT ?x { MINUS { ?x <a:q> ?z } ?x <a:p> ?y }": ("MINUS", "MINUS"),
    "SELECT ?x { ?x <a:p> ?y { ?y <a:q> ?z FILTER (?z != ?x) } }": ("bound outside", "?x"),
    "SELECT ?x { ?x undeclared:p ?y }": ("prefix 'undeclared:' is not declared", "undeclared:p"),
    "SELECT ?x { ?x <p> ?y }": ("relative IRI <p> without BASE", ""),
    "ASK { }": ("ASK about nothing", "ASK"),
    "ASK { ?x <a:p> ?y } ORDER BY ?x": ("one answer", "ORDER BY"),
    "SELECT (COUNT(?x) AS ?n) { { SELECT DISTINCT ?x { ?x <a:p> ?y } } }": (
        "DISTINCT under a count",
        "nested",
    ),
    "SELECT ?x { { SELECT ?x (COUNT(?y) AS ?n) { ?x <a:p> ?y } } }": ("most-frequent", "nested"),
    f"SELECT ?x {{ {MOST.replace('COUNT(?x)', 'COUNT(DISTINCT ?x)')} }}": ("most-frequent", "nested"),
    f"SELECT ?x {{ {MOST.replace('?z <a:p>', '?z <a:q>')} }}": ("different patterns", "nested"),
    f"SELECT ?x {{ {MOST.replace('GROUP BY ?x', 'GROUP BY ?y')} }}": ("GROUP BY another variable", "nested"),
    f"SELECT ?x {{ {MOST} }} ORDER BY ?c": ("no pattern binds ?c", "?c"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_a_query_cannot_hold_is_refused_with_query_place_and_reason(text: str) -> None:
    reason, place = REFUSED[text]
    with pytest.raises(QueryError) as e:
        parse(text)
    assert reason in e.value.reason
    assert place in e.value.place
    assert e.value.query == text
    assert text[:40] in str(e.value)


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "INSERT DATA { <a:a> <a:p> <a:b> }",
        "DELETE WHERE { ?x <a:p> ?y }",
        "DROP ALL",
        "LOAD <http://h/>",
        "SELECT ?x { ?x <a:p> ?y",
        "SELECT ?x { ?x <a:p> ?y } }",
        "SELECT ?x { ?x <a:p> 'open }",
        "SELECT ?x WHERE ?x <a:p> ?y",
        "SELECT ?x { ?x <a:p> ?y }; DROP ALL",
        'SELECT ?x { ?x <a:p> "\\UFFFFFFFF" }',
        "\x00",
        "\ud800",
    ],
)
def test_what_is_no_query_is_refused_as_not_sparql(text: str) -> None:
    with pytest.raises(QueryError, match=r"not SPARQL 1\.1"):
        parse(text)


def test_a_syntax_error_names_its_line() -> None:
    with pytest.raises(QueryError) as e:
        parse("SELECT ?x\nWHERE {\n?x <a:p> ?y .\n} GROUP OF ?x")
    assert e.value.place.startswith("line 4")


@pytest.mark.parametrize("text", ["", "  \n", "# nothing but a comment"])
def test_empty_text_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)


def test_text_of_more_than_a_hundred_thousand_characters_is_refused_unread() -> None:
    with pytest.raises(QueryError, match="100001 characters"):
        parse(" " * 100_001)


@pytest.mark.parametrize("text", ["(" * 50_000, "{" * 5_000, "SELECT ?x { " + "?x <a:p> ?y . " * 2_000 + "}"])
def test_deep_nesting_and_thousands_of_patterns_end_in_an_error(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)


def test_the_message_shortens_a_long_query() -> None:
    with pytest.raises(QueryError) as e:
        parse("SELECT ?x { ?x ?p 'x' } #" + "y" * 5_000)
    assert len(str(e.value)) < 400


# --- the portable form ----------------------------------------------------------


def test_the_portable_form_uses_full_iris_and_no_prologue() -> None:
    text = render(parse("SELECT ?x { ns:m.0a ns:a.b.c ?x }"))
    assert text == (
        "SELECT ?x WHERE {\n<http://rdf.freebase.com/ns/m.0a> <http://rdf.freebase.com/ns/a.b.c> ?x .\n}"
    )


def test_helper_variables_never_clash_with_the_querys_own() -> None:
    q = parse("SELECT ?n1 { ?n1 <a:p> ?o1 FILTER NOT EXISTS { ?n1 <a:q> ?z } }")
    assert "?o2" in render(q) and parse(render(q)) == q


@pytest.mark.parametrize("text", ['a"b', "a\\", "a\nb", "a\tb", "\x01", "?x } DROP ALL", "'''"])
def test_strings_are_quoted_so_that_nothing_leaks(text: str) -> None:
    q = Query(X, (Triple(X, P, Literal(text, "", "en")),))
    assert parse(render(q)) == q
    assert list(ox.Store().query(render(q))) == []


def test_iris_cannot_break_out_of_their_brackets() -> None:
    text = render(Query(X, (Triple(X, Iri("a:p> ?y } DROP ALL #"), Y),)))
    assert "> ?y }" not in text


def test_a_comparison_with_a_number_that_is_none_does_not_render() -> None:
    with pytest.raises(QueryError, match="a number expected"):
        render(Query(X, (THERE, Compare(Y, ">", Literal("0} UNION {", XSD + "decimal"), Kind.NUMBER))))


PADDED = {
    "1967": "1967-01-01",
    "1967-08": "1967-08-01",
    "1967-08-10": "1967-08-10",
    "1967-08-10T00:00:00Z": "1967-08-10",
    "1967Z": "1967-01-01",
    "1967-08:00": "1967-01-01",
    "-0044": "-0044-01-01",
    "-0044-03-15": "-0044-03-15",
}


@pytest.mark.parametrize(("lexical", "first_day"), PADDED.items())
def test_partial_dates_are_padded_to_their_first_day(lexical: str, first_day: str) -> None:
    assert pad_date(lexical) == first_day


def test_the_string_of_a_date_orders_as_the_dates_do() -> None:
    days = ["-0500-06-01", "-0044-03-15", "-0044-03-16", "-0043-01-01", "0001-01-01", "1967-08-10"]
    keys = [date_string(d) for d in days]
    assert keys == sorted(keys)
    assert [date_string(k) for k in keys] == days


def answers(text: str, values: list[str]) -> list[str]:
    store = ox.Store()
    for i, v in enumerate(values):
        store.update(f"INSERT DATA {{ <a:{i:02}> <a:p> {v} }}")
    return [values[int(row[0].value[2:])] for row in store.query(render(parse(text)))]


def test_dates_before_the_common_era_are_ordered_on_the_engine() -> None:
    values = ['"-0044"', '"1967"', '"-0500-06-01"', '"-0044-03-15"', '"0001-01-01"']
    found = answers("SELECT ?x { ?x <a:p> ?d } ORDER BY xsd:date(?d)", values)
    assert found == ['"-0500-06-01"', '"-0044"', '"-0044-03-15"', '"0001-01-01"', '"1967"']
    before = answers('SELECT ?x { ?x <a:p> ?d FILTER (?d < "-0044-02-01"^^xsd:date) }', values)
    assert sorted(before) == ['"-0044"', '"-0500-06-01"']


def test_entities_are_equal_only_to_themselves() -> None:
    store = ox.Store()
    store.update("INSERT DATA { <http://h/a> <a:p> <http://h/b> . <http://h/c> <a:p> <http://h/c> }")
    found = store.query(render(parse("SELECT ?x { ?x <a:p> ?y FILTER (?x = ?y) }")))
    assert [row[0].value for row in found] == ["http://h/c"]


def test_numbers_kept_as_strings_are_compared_by_size_and_other_strings_left_out() -> None:
    found = answers(
        "SELECT ?x { ?x <a:p> ?n FILTER (xsd:integer(?n) > 9) }", ['"10"', "11", '"9"', '"many"', '"1e2"']
    )
    assert sorted(found) == ['"10"', '"1e2"', "11"]


# --- same ------------------------------------------------------------------------


def test_queries_that_differ_in_names_order_and_wording_only_are_the_same() -> None:
    a = parse("SELECT ?x { ?x <a:p> ?y . ?y <a:q> <a:a> FILTER (5 < ?x) }")
    b = parse("SELECT ?s { FILTER (?s > 5.0) ?t <a:q> ?k . ?s <a:p> ?t FILTER (?k = <a:a>) }")
    assert same(a, b)


def test_queries_that_differ_in_direction_or_answer_are_not_the_same() -> None:
    a = parse("SELECT ?x { ?x <a:p> ?y . ?y <a:q> <a:a> }")
    assert not same(a, parse("SELECT ?x { ?y <a:p> ?x . ?y <a:q> <a:a> }"))
    assert not same(a, parse("SELECT ?y { ?x <a:p> ?y . ?y <a:q> <a:a> }"))
    assert not same(a, parse("SELECT ?x { ?x <a:p> ?y . ?z <a:q> <a:a> }"))


def test_reading_does_not_depend_on_the_depth_of_the_caller() -> None:
    """Twenty patterns are read even where little of the stack is left (a web server's handlers)."""
    text = "SELECT ?x { " + " ".join(f"?x <a:p{i}> ?y{i} ." for i in range(20)) + " }"

    def deep(n: int) -> Query:
        return deep(n - 1) if n else parse(text)

    assert len(deep(sys.getrecursionlimit() // 4).body) == 20
