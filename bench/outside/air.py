"""An airport register as an owner might keep it: the data of `airportsdata` and `pycountry` as a Turtle file.

    python -m bench.outside.air OUT.ttl

Needs `pip install airportsdata pycountry tzdata`. Every airport with an IATA code, the places it serves and
lies in, its time zone, and the countries of the world with their currencies. bench/outside/air.jsonl holds
questions about it, written from its labels and some of its airports alone.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, serialize

try:
    import airportsdata
    import pycountry
    import tzdata  # noqa: F401  # zoneinfo reads it where the system has no time zones
except ImportError as missing:
    print(f"{missing.name} is not installed: pip install airportsdata pycountry tzdata", file=sys.stderr)
    sys.exit(2)

BASE = "http://air.example/"
VOCABULARY = BASE + "schema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE, LABEL, ALSO = NamedNode(RDF + "type"), NamedNode(RDFS + "label"), NamedNode(SKOS + "altLabel")
DECIMAL = NamedNode(XSD + "decimal")

CLASSES = """
    Airport                : airport
    InternationalAirport   < Airport : international airport
    RegionalAirport        < Airport : regional airport
    MunicipalAirport       < Airport : municipal airport
    AirBase                < Airport : air base | military airport
    SeaplaneBase           < Airport : seaplane base
    Heliport               < Airport : heliport
    Airstrip               < Airport : airstrip | landing strip
    MetropolitanArea       : metropolitan area | multi-airport city
    City                   : city | town
    Island                 : island
    Subdivision            : administrative subdivision | state or province
    Country                : country | country or territory
    Currency               : currency
    TimeZone               : time zone
    WorldRegion            : world region
"""
"""Name, class above it, label and further labels."""
OBJECT_PROPERTIES = """
    serves            Airport -> City : serves | airport of
    belongsToMetro    Airport -> MetropolitanArea : belongs to metropolitan area
    locatedIn         -> Subdivision : located in
    country           -> Country : country
    timeZone          Airport -> TimeZone : time zone
    onIsland          City -> Island : lies on island
    usesCurrency      Country -> Currency : uses currency | money
    worldRegion       TimeZone -> WorldRegion : world region
"""
DATA_PROPERTIES = """
    iataCode          Airport -> string : IATA code
    icaoCode          Airport -> string : ICAO code
    faaIdentifier     Airport -> string : FAA identifier
    elevationFeet     Airport -> decimal : elevation in feet | altitude
    latitude          Airport -> decimal : latitude
    longitude         Airport -> decimal : longitude
    utcOffset         TimeZone -> decimal : standard UTC offset in hours
    alpha2            Country -> string : ISO country code
    alpha3            Country -> string : three-letter country code
    subdivisionCode   Subdivision -> string : ISO subdivision code
    subdivisionKind   Subdivision -> string : kind of subdivision
    currencyCode      Currency -> string : currency code
    cityCode          MetropolitanArea -> string : IATA city code
"""
"""Name, domain (none where it has several), range, label and further labels."""

KINDS = (
    (r"Air Base|Air Force|A[Ff][Bb]\b|Naval|\bRAF\b|Air Station|Army|Joint Base", "AirBase"),
    (r"Seaplane", "SeaplaneBase"),
    (r"Heliport", "Heliport"),
    (r"International|\bIntl\b", "InternationalAirport"),
    (r"Regional", "RegionalAirport"),
    (r"Municipal", "MunicipalAirport"),
    (r"[Ss]trip\b", "Airstrip"),
)
"""What an airport's name says of its kind, the first that fits."""
SHARED = {
    "EUR": "AD AT BE BG CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MQ MT NL PT RE SI SK SM VA XK YT",
    "XOF": "BF BJ CI GW ML NE SN TG",
    "XAF": "CF CG CM GA GQ TD",
    "XCD": "AG AI DM GD KN LC MS VC",
    "XPF": "NC PF WF",
    "USD": "AS EC FM GU MH MP PA PR PW SV TC TL UM VG VI",
    "AUD": "CC CX KI NF NR TV",
    "NZD": "CK NU PN TK",
    "DKK": "FO GL",
    "CHF": "LI",
    "ILS": "PS",
}
"""Who uses a currency that is not named after their own country code (as XOF), or is another's (as CHF)."""
FUNDS = {"BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW", "VED"}
"""Codes that begin as a country's do and are no money that it pays with."""
ALSO_CALLED = {
    "AE": ["UAE", "Emirates"],
    "CD": ["DR Congo"],
    "CI": ["Ivory Coast"],
    "CZ": ["Czech Republic"],
    "GB": ["UK", "Great Britain", "Britain"],
    "RU": ["Russia"],
    "TR": ["Turkey"],
    "US": ["America", "U.S."],
}
REGIONS = {
    "America": "Americas",
    "Atlantic": "Atlantic Ocean",
    "Indian": "Indian Ocean",
    "Pacific": "Pacific Ocean",
}
"""The names of the areas of the time zones that are not the area's own."""


def iri(kind: str, *parts: str) -> NamedNode:
    words = (re.sub(r"\W+", "_", part).strip("_") for part in parts)
    return NamedNode(f"{BASE}{kind}/{'_'.join(word for word in words if word)}")


def term(name: str) -> NamedNode:
    return NamedNode(VOCABULARY + name)


def plain(text: str) -> str:
    """Without accents, hyphens and case: the two packages spell places differently."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"\W+", " ", letters).strip().casefold()


def named(node: NamedNode, labels: Iterable[str], about: NamedNode | None = None) -> Iterator[Triple]:
    """The first label, the others as further ones, and the class."""
    label, *further = dict.fromkeys(labels)
    yield Triple(node, LABEL, Literal(label, language="en"))
    for other in further:
        yield Triple(node, ALSO, Literal(other, language="en"))
    if about is not None:
        yield Triple(node, TYPE, about)


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


def country_names(country: Any) -> list[str]:
    """`Korea, Republic of` is called South Korea first, then Republic of Korea."""
    turned = re.sub(r"^(.*), (.* of(?: the)?|British|U\.S\.)$", r"\2 \1", country.name)
    return [getattr(country, "common_name", turned), turned, getattr(country, "official_name", turned)]


def countries() -> Iterator[Triple]:
    """Each country and territory of ISO 3166 and Kosovo, and the currencies in use."""
    shared = {code: currency for currency, users in SHARED.items() for code in users.split()}
    own = {c.alpha_3[:2]: c.alpha_3 for c in pycountry.currencies if c.alpha_3 not in FUNDS}
    listed = [(c.alpha_2, c.alpha_3, country_names(c)) for c in pycountry.countries]
    used = set()
    for code, alpha3, names in [*listed, ("XK", "XKX", ["Kosovo"])]:
        node = iri("country", code)
        yield from named(node, [*names, *ALSO_CALLED.get(code, ()), alpha3], term("Country"))
        yield Triple(node, term("alpha2"), Literal(code))
        yield Triple(node, term("alpha3"), Literal(alpha3))
        if money := shared.get(code) or own.get(code):
            used.add(money)
            yield Triple(node, term("usesCurrency"), iri("currency", money))
    for currency in pycountry.currencies:
        if currency.alpha_3 in used:
            node = iri("currency", currency.alpha_3)
            yield from named(node, [currency.name, currency.alpha_3], term("Currency"))
            yield Triple(node, term("currencyCode"), Literal(currency.alpha_3))


def subdivisions(airports: list[dict[str, str]]) -> Iterator[Triple]:
    """The provinces that airports lie in, with what ISO 3166-2 says of those it knows by this name."""
    known = {(s.country_code, plain(s.name)): s for s in pycountry.subdivisions}
    for name, country in sorted({(a["subd"], a["country"]) for a in airports if a["subd"]}):
        node, iso = iri("subdivision", name, country), known.get((country, plain(name)))
        yield from named(node, [name, *([iso.name] if iso else [])], term("Subdivision"))
        yield Triple(node, term("country"), iri("country", country))
        if iso:
            yield Triple(node, term("subdivisionCode"), Literal(iso.code))
            yield Triple(node, term("subdivisionKind"), Literal(iso.type))


def cities(airport: dict[str, str]) -> Iterator[tuple[NamedNode, str, str]]:
    """The cities of one airport and their islands: `Medan, Sumatra Island`, `Laval/Entrammes`."""
    for part in filter(None, map(str.strip, airport["city"].split("/"))):
        on = re.fullmatch(r"(.+?)(?: Airport)?\s*(?:, *|-)([A-Z][\w ]*) Island", part)
        name, island = on.groups() if on else (part, "")
        yield iri("city", name, airport["subd"], airport["country"]), name, island


def offset(zone: str) -> Decimal:
    """Hours ahead of Greenwich without daylight saving, which is north's winter and south's summer."""
    hours = (ZoneInfo(zone).utcoffset(datetime(2026, month, 15)) for month in (1, 7))
    return min(Decimal(round(of.total_seconds() / 60)) / 60 for of in hours if of is not None)


def time_zones(airports: list[dict[str, str]]) -> Iterator[Triple]:
    zones = sorted({a["tz"] for a in airports if a["tz"]})
    for zone in zones:
        node, area, place = iri("timezone", zone), zone.split("/")[0], zone.split("/")[-1]
        yield from named(node, [zone, place.replace("_", " ") + " time"], term("TimeZone"))
        yield Triple(node, term("utcOffset"), Literal(str(offset(zone)), datatype=DECIMAL))
        if area != zone:
            yield Triple(node, term("worldRegion"), iri("region", area))
    for area in sorted({zone.split("/")[0] for zone in zones if "/" in zone}):
        yield from named(iri("region", area), [REGIONS.get(area, area)], term("WorldRegion"))


def airport_iri(airport: dict[str, str]) -> NamedNode:
    return iri("airport", airport["name"], airport["iata"])


def airport_facts(airport: dict[str, str]) -> Iterator[Triple]:
    node, name = airport_iri(airport), airport["name"]
    kind = next((kind for pattern, kind in KINDS if re.search(pattern, name)), "Airport")
    short = re.sub(r"(?: International| Intl)? [Aa]irport$", "", name)
    yield from named(node, [name, short, airport["iata"]], term(kind))
    yield Triple(node, term("country"), iri("country", airport["country"]))
    if airport["subd"]:
        yield Triple(node, term("locatedIn"), iri("subdivision", airport["subd"], airport["country"]))
    if airport["tz"]:
        yield Triple(node, term("timeZone"), iri("timezone", airport["tz"]))
    for field, of in ("iata", "iataCode"), ("icao", "icaoCode"), ("lid", "faaIdentifier"):
        if airport[field]:
            yield Triple(node, term(of), Literal(airport[field]))
    for field, of in ("elevation", "elevationFeet"), ("lat", "latitude"), ("lon", "longitude"):
        value = Decimal(str(airport[field])).normalize()
        yield Triple(node, term(of), Literal(f"{value:f}", datatype=DECIMAL))
    for city, called, island in cities(airport):
        yield Triple(node, term("serves"), city)
        yield from named(city, [called], term("City"))
        yield Triple(city, term("country"), iri("country", airport["country"]))
        if airport["subd"]:
            yield Triple(city, term("locatedIn"), iri("subdivision", airport["subd"], airport["country"]))
        if island:
            on = iri("island", island, airport["country"])
            yield Triple(city, term("onIsland"), on)
            yield from named(on, [island], term("Island"))
            yield Triple(on, term("country"), iri("country", airport["country"]))


def metropolitan_areas(airports: dict[str, dict[str, str]]) -> Iterator[Triple]:
    for code, area in airportsdata.load_iata_macs().items():
        node = iri("metro", area["name"], code)
        names = f"{area['name']} metropolitan area", f"Greater {area['name']}"
        yield from named(node, names, term("MetropolitanArea"))
        yield Triple(node, term("cityCode"), Literal(code))
        for airport in area["airports"]:
            if airport in airports:
                yield Triple(airport_iri(airports[airport]), term("belongsToMetro"), node)


def graph() -> Iterator[Triple]:
    by_code = airportsdata.load("IATA")
    airports = list(by_code.values())
    yield from ontology()
    yield from countries()
    yield from subdivisions(airports)
    yield from time_zones(airports)
    for airport in airports:
        yield from airport_facts(airport)
    yield from metropolitan_areas(by_code)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("expected one file to write, as in: python -m bench.outside.air OUT.ttl", file=sys.stderr)
        return 2
    prefixes = {"": VOCABULARY, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "xsd": XSD}
    triples = dict.fromkeys(graph())
    serialize(triples, arguments[0], RdfFormat.TURTLE, prefixes=prefixes)
    print(f"{len(triples)} triples written to {arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
