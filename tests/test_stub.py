"""The default knowledge base: what its tables build into, and what a broken table is told."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from pathlib import Path

import pytest

from freebase_stub import TABLES, Built, build, compile_tables, ntriples
from freebase_stub.__main__ import main
from freebase_stub.tables import read_tables
from freebase_stub.values import date_span, slug
from kbqa.errors import TableError
from kbqa.types import FREEBASE, XSD, Iri, Literal, Triple

REGIONS = (TABLES / "geography" / "regions.csv").read_text(encoding="utf-8").splitlines()[1:]
GEOGRAPHY_INVERSES = {
    "location.location.containedby": "location.location.contains",
    "location.location.partially_containedby": "location.location.partially_contains",
    "location.country.languages_spoken": "language.human_language.countries_spoken_in",
    "location.country.currency_used": "finance.currency.countries_used",
    "location.country.administrative_divisions": "location.administrative_division.country",
    "location.country.first_level_divisions": "location.administrative_division.first_level_division_of",
    "location.country.form_of_government": "government.form_of_government.countries",
    "location.location.time_zones": "time.time_zone.locations_in_this_time_zone",
    "location.location.adjoin_s": "location.adjoining_relationship.adjoins",
    "location.country.national_anthem": "government.national_anthem_of_a_country.country",
    "language.human_language.language_family": "language.language_family.languages",
    "language.human_language.writing_system": "language.language_writing_system.languages",
    "geography.mountain.mountain_range": "geography.mountain_range.mountains",
    "travel.travel_destination.tourist_attractions": "travel.tourist_attraction.near_travel_destination",
}

ONE_WAY = frozenset(f"local.feature.{slug(row.split(',')[0])}" for row in REGIONS)
"""Regions of several countries contain these; where a country lies asks for none of them."""


@pytest.fixture(scope="module")
def built() -> Built:
    return compile_tables(TABLES)


@pytest.fixture(scope="module")
def by_predicate(built: Built) -> dict[str, set[tuple[str, str]]]:
    pairs: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for triple in built.triples:
        pairs[triple.predicate.mid].add((_show(triple.subject), _show(triple.object)))
    return pairs


def _show(term: object) -> str:
    return term.mid if isinstance(term, Iri) else getattr(term, "lexical", "")


def _named(by_predicate: dict[str, set[tuple[str, str]]], name: str, kind: str) -> str:
    found = {entity for entity, other in by_predicate["type.object.name"] if other == name}
    return next(e for e in sorted(found) if (e, kind) in by_predicate["type.object.type"])


def _country(by_predicate: dict[str, set[tuple[str, str]]], name: str) -> str:
    return _named(by_predicate, name, "location.country")


def _objects(pairs: set[tuple[str, str]], subject: str) -> set[str]:
    return {value for entity, value in pairs if entity == subject}


# --- the tables in the repository ------------------------------------------


def test_every_table_in_the_repository_passes_the_check(built: Built) -> None:
    assert [str(problem) for problem in built.problems] == []


def test_there_are_enough_facts(built: Built) -> None:
    geography = next(counts for counts in built.counts if counts.domain == "geography")
    assert geography.triples >= 6000
    assert geography.predicates >= 40
    assert sum(counts.triples for counts in built.counts) == len(built.triples)


def test_building_twice_gives_the_same_lines() -> None:
    first, second = list(ntriples(build())), list(ntriples(build()))
    assert first == second
    assert first == sorted(set(first))


def test_every_line_is_one_n_triple(built: Built) -> None:
    iri, text = r"<[^<>\s\"{}|^`\\]+>", r'"(?:[^"\\\n\r]|\\["\\nrt])*"'
    line = re.compile(rf"{iri} {iri} (?:{iri}|{text}(?:@en|\^\^{iri})?) \.\n")
    assert [text for text in ntriples(built.triples) if not line.fullmatch(text)] == []


def test_another_reader_finds_the_same_triples(built: Built) -> None:
    pyoxigraph = pytest.importorskip("pyoxigraph")
    text = "".join(ntriples(built.triples))
    assert len(set(pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES))) == len(built.triples)


def test_every_object_has_a_name_or_is_a_typed_mediator(
    built: Built, by_predicate: dict[str, set[tuple[str, str]]]
) -> None:
    named = {subject for subject, _ in by_predicate["type.object.name"]}
    typed = {subject for subject, _ in by_predicate["type.object.type"]}
    dangling = {
        node.mid
        for triple in built.triples
        for node in (triple.subject, triple.object)
        if isinstance(node, Iri) and triple.predicate.mid != "type.object.type"
        if node.mid not in (typed if node.mid.startswith("local.cvt.") else named)
    }
    assert dangling == set()


def test_every_mediator_hangs_on_something(by_predicate: dict[str, set[tuple[str, str]]]) -> None:
    nodes = {s for pairs in by_predicate.values() for s, _ in pairs if s.startswith("local.cvt.")}
    linked = {o for pairs in by_predicate.values() for _, o in pairs if o.startswith("local.cvt.")}
    outward = {
        s
        for predicate, pairs in by_predicate.items()
        if predicate != "type.object.type"
        for s, _ in pairs
        if s in nodes
    }
    assert nodes == linked | outward


def test_no_two_names_share_an_entity(by_predicate: dict[str, set[tuple[str, str]]]) -> None:
    names = by_predicate["type.object.name"]
    assert len({entity for entity, _ in names}) == len(names)


def test_literals_are_written_as_their_datatype_wants(built: Built) -> None:
    shape = {
        "gYear": r"-?\d{4}",
        "gYearMonth": r"-?\d{4}-\d\d",
        "date": r"-?\d{4}-\d\d-\d\d",
        "integer": r"-?\d+",
        "double": r"-?\d+(\.\d+)?",
    }
    for triple in built.triples:
        if isinstance(triple.object, Literal) and triple.object.datatype:
            pattern = shape[triple.object.datatype.removeprefix(XSD)]
            assert re.fullmatch(pattern, triple.object.lexical), triple


def test_no_date_of_founding_lies_in_the_future(by_predicate: dict[str, set[tuple[str, str]]]) -> None:
    today = datetime.date.today().year
    for predicate in ("location.dated_location.date_founded", "measurement_unit.dated_integer.year"):
        for subject, text in by_predicate[predicate]:
            assert date_span(text)[0][0] <= today, (subject, text)


@pytest.mark.parametrize(("forth", "back"), sorted(GEOGRAPHY_INVERSES.items()))
def test_inverse_facts_agree(by_predicate: dict[str, set[tuple[str, str]]], forth: str, back: str) -> None:
    assert by_predicate[forth]
    found = {(container, thing) for container, thing in by_predicate[back] if container not in ONE_WAY}
    assert {(value, subject) for subject, value in by_predicate[forth]} == found


def test_borders_are_symmetrical_pairs_of_different_countries(
    by_predicate: dict[str, set[tuple[str, str]]],
) -> None:
    sides: dict[str, set[str]] = defaultdict(set)
    for country, node in by_predicate["location.location.adjoin_s"]:
        sides[node].add(country)
    assert {len(pair) for pair in sides.values()} == {2}
    assert len({frozenset(pair) for pair in sides.values()}) == len(sides)


def test_populations_have_a_number_and_a_year(by_predicate: dict[str, set[tuple[str, str]]]) -> None:
    nodes = {node for _, node in by_predicate["location.statistical_region.population"]}
    for predicate in ("measurement_unit.dated_integer.number", "measurement_unit.dated_integer.year"):
        assert nodes <= {node for node, _ in by_predicate[predicate]}


def test_shares_of_religions_add_up_to_at_most_the_whole(
    by_predicate: dict[str, set[tuple[str, str]]],
) -> None:
    share = {node: float(text) for node, text in by_predicate["location.religion_percentage.percentage"]}
    total: dict[str, float] = defaultdict(float)
    for country, node in by_predicate["location.statistical_region.religions"]:
        total[country] += share.get(node, 0.0)  # not known of all
    assert {country: whole for country, whole in total.items() if whole > 100.5} == {}


@pytest.mark.parametrize(
    ("country", "capital"), [("Egypt", "Cairo"), ("Fiji", "Suva"), ("Georgia", "Tbilisi"), ("Japan", "Tokyo")]
)
def test_capitals_that_everybody_knows(
    by_predicate: dict[str, set[tuple[str, str]]], country: str, capital: str
) -> None:
    found = _objects(by_predicate["location.country.capital"], _country(by_predicate, country))
    assert found == {_named(by_predicate, capital, "location.citytown")}


def test_every_sovereign_country_lies_in_a_continent(by_predicate: dict[str, set[tuple[str, str]]]) -> None:
    continents = {s for s, kind in by_predicate["type.object.type"] if kind == "base.locations.continents"}
    inside = {s for s, o in by_predicate["location.location.containedby"] if o in continents}
    countries = {s for s, _ in by_predicate["location.country.calling_code"]}
    assert len(countries) >= 195
    assert countries <= inside


def test_no_town_lies_in_two_divisions_or_two_countries(
    by_predicate: dict[str, set[tuple[str, str]]],
) -> None:
    kinds = by_predicate["type.object.type"]
    towns = {entity for entity, kind in kinds if kind == "location.citytown"}
    countries = {entity for entity, kind in kinds if kind == "location.country"}
    country_of = dict(by_predicate["location.administrative_division.country"])
    divisions: dict[str, set[str]] = defaultdict(set)
    lands: dict[str, set[str]] = defaultdict(set)
    for town, place in by_predicate["location.location.containedby"]:
        if town in towns and place in country_of:
            divisions[town].add(place)
            lands[town].add(country_of[place])
        elif town in towns and place in countries:
            lands[town].add(place)
    assert {town: found for town, found in [*divisions.items(), *lands.items()] if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("country", "number"),
    [("Egypt", 27), ("United States", 50), ("Japan", 47), ("Switzerland", 26), ("Kenya", 47)],
)
def test_divisions_are_complete(
    by_predicate: dict[str, set[tuple[str, str]]], country: str, number: int
) -> None:
    divisions = _objects(
        by_predicate["location.country.administrative_divisions"], _country(by_predicate, country)
    )
    assert len(divisions) == number


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("Georgia", "location.country", "location.us_state"),
        ("Victoria", "location.australian_state", "location.citytown"),
    ],
)
def test_names_are_ambiguous_on_purpose(
    by_predicate: dict[str, set[tuple[str, str]]], name: str, first: str, second: str
) -> None:
    assert _named(by_predicate, name, first) != _named(by_predicate, name, second)


def test_paris_is_in_france_and_in_texas(by_predicate: dict[str, set[tuple[str, str]]]) -> None:
    found = {e for e, name in by_predicate["type.object.name"] if name == "Paris"}
    assert {"local.city.paris", "local.city.paris_texas"} <= found


@pytest.mark.parametrize(
    ("thing", "kind", "inside", "outside"),
    [
        ("Kilimanjaro", "geography.mountain", {"Tanzania", "Africa"}, {"Eurasia"}),
        ("Mount Everest", "geography.mountain", {"Nepal", "China", "Asia"}, {"Eurasia"}),
        ("Mauna Kea", "geography.mountain", {"United States", "Oceania"}, {"North America"}),
        ("Amazon River", "geography.river", {"Brazil", "Peru", "South America"}, set()),
        ("Volga", "geography.river", {"Russia", "Europe"}, {"Asia"}),
        ("Lake Superior", "geography.lake", {"Minnesota", "Canada", "North America"}, set()),
        (
            "Harvard University",
            "education.university",
            {"Cambridge", "Massachusetts", "United States"},
            {"Europe"},
        ),
        ("Diamond Head", "travel.tourist_attraction", {"Hawaii", "United States"}, {"North America"}),
        ("Arrowhead Stadium", "sports.sports_facility", {"Missouri", "United States"}, {"Kansas"}),
    ],
)
def test_things_lie_in_every_place_above_them(
    by_predicate: dict[str, set[tuple[str, str]]], thing: str, kind: str, inside: set[str], outside: set[str]
) -> None:
    names = dict(by_predicate["type.object.name"])
    places = _objects(by_predicate["location.location.containedby"], _named(by_predicate, thing, kind))
    found = {names[place] for place in places}
    assert inside <= found
    assert not outside & found


def test_events_take_place_in_every_place_above_theirs(
    by_predicate: dict[str, set[tuple[str, str]]],
) -> None:
    names = dict(by_predicate["type.object.name"])
    battle = _named(by_predicate, "Battle of Antietam", "military.military_conflict")
    found = {names[place] for place in _objects(by_predicate["time.event.locations"], battle)}
    assert found == {"Sharpsburg", "Maryland", "United States", "North America"}


@pytest.mark.parametrize(
    ("kind", "profession"),
    [
        ("film.director", "Film director"),
        ("film.actor", "Actor"),
        ("book.author", "Writer"),
        ("government.us_president", "Politician"),
        ("baseball.baseball_player", "Athlete"),
        ("organization.organization_founder", "Businessperson"),
    ],
)
def test_people_have_the_professions_that_follow_from_their_works(
    by_predicate: dict[str, set[tuple[str, str]]], kind: str, profession: str
) -> None:
    types = by_predicate["type.object.type"]
    people = {e for e, found in types if found == kind} & {e for e, t in types if t == "people.person"}
    if kind == "organization.organization_founder":
        businesses = {e for e, found in types if found == "business.business_operation"}
        founded = by_predicate["organization.organization_founder.organizations_founded"]
        people = {person for person, company in founded if company in businesses}
    label = _named(by_predicate, profession, "people.profession")
    assert people
    assert {p for p in people if (p, label) not in by_predicate["people.person.profession"]} == set()


def test_monarchs_are_no_politicians_by_office(by_predicate: dict[str, set[tuple[str, str]]]) -> None:
    names = dict(by_predicate["type.object.name"])
    victoria = _named(by_predicate, "Queen Victoria", "people.person")
    found = {names[p] for p in _objects(by_predicate["people.person.profession"], victoria)}
    assert found == {"Monarch"}


# --- what a table is told ---------------------------------------------------

SCHEMA = """
[countries]
kind = "country"
types = ["location.country"]
notable = "Country"
[countries.columns]
capital = { predicate = "location.country.capital", kind = "city", single = true, types = ["a.city"] }
founded = { predicate = "location.dated_location.date_founded", value = "date" }
people = { predicate = "a.b.people", value = "integer", min = 0 }

[reigns]
mediator = "royalty.monarch_reign"
[reigns.columns]
country = { from = "a.b.reigns", to = "a.c.country", kind = "country", types = ["location.country"] }
from = { to = "a.c.from", value = "date" }
to = { to = "a.c.to", value = "date" }
"""


def _tables(folder: Path, countries: str, reigns: str = "country,from,to\n", schema: str = SCHEMA) -> Path:
    domain = folder / "demo"
    domain.mkdir()
    (domain / "schema.toml").write_text(schema, encoding="utf-8")
    (domain / "countries.csv").write_text(countries, encoding="utf-8")
    (domain / "reigns.csv").write_text(reigns, encoding="utf-8")
    return folder


HEADER = "name,id,aliases,capital,founded,people\n"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "Egypt,m.02k54,,Cairo,1922-02-30,\n",
            "demo/countries.csv:2: column 'founded': '1922-02-30' is no date",
        ),
        ("Egypt,,,,,1.5\n", "demo/countries.csv:2: column 'people': '1.5' is no whole number"),
        ("Egypt,,,,,-5\n", "demo/countries.csv:2: column 'people': '-5' is less than 0"),
        ("Egypt,,,Cairo; Giza,,\n", "demo/countries.csv:2: column 'capital': may have one value only"),
        ("Egypt,Q79,,,,\n", "demo/countries.csv:2: column 'id': 'Q79' is no Freebase id"),
        ("Egypt,,,,,\nEgypt,,,,,\n", "demo/countries.csv:3: column 'name': 'Egypt' is there twice"),
        ("São Tomé,,,,,\nSao Tome,,,,,\n", "demo/countries.csv:3: column 'name': 'Sao Tome' and 'São Tomé'"),
        ("Egypt,m.0a,,,,\nLibya,m.0a,,,,\n", "demo/countries.csv:3: column 'id': m.0a is also the id of"),
        ("Egypt,,Misr;,,,\n", "demo/countries.csv:2: column 'aliases': 'Misr;' has an empty value"),
        ("Egypt,,,,\n", "demo/countries.csv:2: has 5 cells, the header line 6"),
        (",m.0a,,,,\n", "demo/countries.csv:2: column 'name': is empty"),
    ],
)
def test_a_broken_row_is_named_by_file_line_and_column(tmp_path: Path, rows: str, expected: str) -> None:
    with pytest.raises(TableError) as caught:
        build(_tables(tmp_path, HEADER + rows))
    assert any(line.startswith(expected) for line in str(caught.value).splitlines()), str(caught.value)


def test_unknown_and_missing_columns_are_reported(tmp_path: Path) -> None:
    found = compile_tables(_tables(tmp_path, "name,id,capital,founded,peple\nEgypt,,,,5\n")).problems
    assert {(problem.line, problem.column) for problem in found} == {(1, "peple"), (1, "people")}


def test_a_term_that_ends_before_it_starts_is_reported(tmp_path: Path) -> None:
    folder = _tables(tmp_path, HEADER, "country,from,to\nEgypt,1952,1936-04\nLibya,1951,1951\n")
    (problem,) = compile_tables(folder).problems
    assert str(problem).startswith("demo/reigns.csv:2: column 'to': is before 'from'")


def test_the_same_mediator_row_twice_is_reported(tmp_path: Path) -> None:
    folder = _tables(tmp_path, HEADER, "country,from,to\nEgypt,1952,\nEgypt,1952,\n")
    assert [str(problem) for problem in compile_tables(folder).problems] == [
        "demo/reigns.csv:3: says the same as demo/reigns.csv:2"
    ]


def test_a_name_that_only_qualified_entities_have_is_ambiguous(tmp_path: Path) -> None:
    folder = _tables(
        tmp_path, HEADER + "Congo|Brazzaville,,,,,\nCongo|Kinshasa,,,,,\n", "country,from,to\nCongo,,\n"
    )
    (problem,) = compile_tables(folder).problems
    assert "write Congo|Brazzaville or Congo|Kinshasa" in problem.message


def test_two_tables_that_contradict_each_other_are_reported(tmp_path: Path) -> None:
    folder = _tables(tmp_path, HEADER + "Egypt,m.0a,,Cairo,,\n")
    (folder / "other").mkdir()
    (folder / "other" / "schema.toml").write_text(SCHEMA.split("[reigns]")[0], encoding="utf-8")
    (folder / "other" / "countries.csv").write_text(HEADER + "Egypt,m.0b,,Giza,,\n", encoding="utf-8")
    messages = [str(problem) for problem in compile_tables(folder).problems]
    assert [message.split(": ")[1] for message in messages] == ["column 'capital'", "column 'id'"]


def test_a_schema_that_says_nonsense_is_reported(tmp_path: Path) -> None:
    schema = SCHEMA.replace('value = "integer", min = 0', 'value = "int"').replace("a.b.reigns", "reigns")
    found = compile_tables(_tables(tmp_path, HEADER, schema=schema)).problems
    assert {(problem.file, problem.column) for problem in found} == {
        ("demo/schema.toml", "people"),
        ("demo/schema.toml", "country"),
    }


PLACES = """
[places]
kind = "place"
types = ["location.location"]
[places.columns]
within = { predicate = "location.location.containedby", kind = "place" }

[lands]
kind = "place"
types = ["base.locations.continents"]
[lands.columns]

[peaks]
kind = "peak"
types = ["geography.mountain"]
[peaks.columns]
at = { predicate = "a.b.at", kind = "place", reach = "a.b.in", reach_inverse = ["a.b.holds"] }
climbers = { predicate = "a.b.climbers", kind = "person", types = ["a.b"], profession = "Climber" }
"""


def _places(folder: Path, places: str) -> Path:
    domain = folder / "demo"
    domain.mkdir()
    (domain / "schema.toml").write_text(PLACES, encoding="utf-8")
    (domain / "places.csv").write_text("name,within\n" + places, encoding="utf-8")
    (domain / "lands.csv").write_text("name\nWest\nEast\n", encoding="utf-8")
    (domain / "peaks.csv").write_text("name,at,climbers\nTop,Isle,Ann\n", encoding="utf-8")
    return folder


def test_a_column_reaches_up_to_the_nearest_continent(tmp_path: Path) -> None:
    built = build(_places(tmp_path, "Isle,Realm; East\nRealm,West\nEast,World\nWorld,\n"))
    found = {(t.subject, t.predicate.mid, t.object) for t in built if t.predicate.mid.startswith("a.b.")}
    top, isle, realm, east = (
        Iri(FREEBASE + f"local.{n}") for n in ("peak.top", "place.isle", "place.realm", "place.east")
    )
    ann, reached = Iri(FREEBASE + "local.person.ann"), (isle, realm, east)
    assert found == {
        (top, "a.b.climbers", ann),
        (top, "a.b.at", isle),
        *((top, "a.b.in", place) for place in reached),
        *((place, "a.b.holds", top) for place in reached),
    }
    profession = Iri(FREEBASE + "people.person.profession")
    assert Triple(ann, profession, Iri(FREEBASE + "local.profession.climber")) in built


def test_places_that_lie_in_each_other_are_reported(tmp_path: Path) -> None:
    messages = [
        problem.message for problem in compile_tables(_places(tmp_path, "Isle,Realm\nRealm,Isle\n")).problems
    ]
    assert messages == ["location.location.containedby goes round in a circle: Isle -> Realm -> Isle"]


def test_a_row_becomes_the_triples_its_schema_says(tmp_path: Path) -> None:
    folder = _tables(tmp_path, HEADER + 'Egypt,m.02k54,"Misr; ""The Nile""",Cairo,1922-02,7\n')
    egypt, cairo = Iri(FREEBASE + "m.02k54"), Iri(FREEBASE + "local.city.cairo")

    def predicate(name: str) -> Iri:
        return Iri(FREEBASE + name)

    country_type = Iri(FREEBASE + "m.01mp")
    assert set(build(folder)) == {
        Triple(egypt, predicate("type.object.name"), Literal("Egypt", language="en")),
        Triple(egypt, predicate("common.topic.alias"), Literal("Misr", language="en")),
        Triple(egypt, predicate("common.topic.alias"), Literal('"The Nile"', language="en")),
        Triple(egypt, predicate("type.object.type"), predicate("location.country")),
        Triple(egypt, predicate("common.topic.notable_types"), country_type),
        Triple(country_type, predicate("type.object.name"), Literal("Country", language="en")),
        Triple(country_type, predicate("type.object.type"), predicate("type.type")),
        Triple(egypt, predicate("location.country.capital"), cairo),
        Triple(cairo, predicate("type.object.name"), Literal("Cairo", language="en")),
        Triple(cairo, predicate("type.object.type"), predicate("a.city")),
        Triple(
            egypt, predicate("location.dated_location.date_founded"), Literal("1922-02", XSD + "gYearMonth")
        ),
        Triple(egypt, predicate("a.b.people"), Literal("7", XSD + "integer")),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [("São Tomé", "sao_tome"), ("Łódź", "lodz"), ("N'Djamena", "ndjamena"), ("AC/DC", "ac_dc"), ("東京", "")],
)
def test_slugs_are_ascii(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_a_partial_date_spans_what_it_may_mean() -> None:
    assert date_span("2000-02") == ((2000, 2, 1), (2000, 2, 29))
    assert date_span("-0044") == ((-44, 1, 1), (-44, 12, 31))


def test_reading_keeps_the_line_numbers_of_quoted_line_breaks(tmp_path: Path) -> None:
    tables, _ = read_tables(_tables(tmp_path, HEADER + '"Egypt\nX",,,,,\nLibya,,,,,\n'))
    assert [row.line for row in tables[0].rows] == [2, 4]


# --- the commands -----------------------------------------------------------


def test_build_writes_sorted_lines_and_prints_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _tables(tmp_path, HEADER + "Egypt,,,Cairo,,\n")
    out = tmp_path / "stub.nt"
    assert main(["build", "--out", str(out), "--tables", str(folder)]) == 0
    lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
    assert lines == sorted(lines)
    assert lines == list(ntriples(build(folder)))
    assert re.search(rf"^demo +{len(lines)} ", capsys.readouterr().out, re.MULTILINE)


def test_build_writes_nothing_when_a_table_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _tables(tmp_path, HEADER + "Egypt,,,Cairo,x,\nLibya,,,,,y\n")
    out = tmp_path / "stub.nt"
    assert main(["build", "--out", str(out), "--tables", str(folder)]) == 2
    assert not out.exists()
    errors = capsys.readouterr().err
    assert "demo/countries.csv:2: column 'founded'" in errors
    assert "demo/countries.csv:3: column 'people'" in errors
    assert main(["check", "--tables", str(folder)]) == 2
    assert main(["check", "--tables", str(folder), "--domain", "other"]) == 0
